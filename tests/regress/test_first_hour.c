/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scenes that a new user writes first, with the defaults for all that need not be said: they run,
 * and what they do is that of closed forms.
 */
#include "support/scenario.h"

#include <gsl/gsl_math.h>
#include <stdio.h>

/* ---- a rope at rest, pulled at once ---- */

static const char hanging[] = "hawser: 1\n"
                              "gravity: [0, -9.81]\n"
                              "start: given\n"
                              "cables:\n"
                              "  - {name: rope, elements: 20, from: [0, 1], to: [0, 0],\n"
                              "     stiffness: 1.0e+5, density: 0.05, ends: {end: free}}\n"
                              "forces:\n"
                              "  - {target: rope, point: 1, force: [0, -20]}\n"
                              "output: {every: 1.0e-4, probes: [\"rope.position[1:1]\"]}\n";

/* A rod without damping swings about its rest, u = F L / EA + rho g L^2 / (2 EA), and stretches
 * at most twice as far; gains of the stepping stay below a hundredth of the energy of that. */
static void a_rope_at_rest_may_be_pulled_at_once(void **state)
{
    (void)state;
    for (int space = 0; space < 2; space++) {
        scenario_run run;
        scenario_init(&run, "hanging");
        run.text = hanging;
        if (space) {
            scenario_set(&run, "dimension=3");
            scenario_set(&run, "gravity=[0, -9.81, 0]");
            scenario_set(&run, "cables.rope.from=[0, 1, 0]");
            scenario_set(&run, "cables.rope.to=[0, 0, 0]");
            scenario_set(&run, "forces.0.force=[0, -20, 0]");
        }
        scenario_complete(&run);
        const double load = 20, weight = 0.05 * 9.81, rest = (load + weight / 2) / 1e5;
        double mean = 0, most = 0;
        for (int k = 0; k < run.frames; k++) {
            const double low = -scenario_at(&run, k, "rope.position[1:1]", 1);
            mean += low / run.frames;
            most = fmax(most, low);
        }
        assert_near(run.summary.t_end, 1, 1e-12, 0);
        if (!space) { /* there the pulses of tension shake the rope out of its line */
            assert_near(mean, rest, 0, 0.01);
        }
        assert_true(most > 1.9 * rest && most < 2.1 * rest);
        const haw_ledger *l = &run.summary.ledger;
        assert_true(fabs(l->numerical_loss) < 0.01 * 2 * load * load / 1e5);
        assert_true(l->balance_error < 1e-12 * 2 * load * load / 1e5);
        scenario_close(&run);
    }
}

/* ---- slack ropes with step: auto ---- */

static const char two_ropes[] =
    "hawser: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 0.5, position: [0.2, 0.3]}\n"
    "cables:\n"
    "  - {name: upper, elements: 40, from: [-1, 0], to: [1, 0], length: 2.2, stiffness: 4.0e+3,\n"
    "     density: 0.1, slack: true}\n"
    "  - {name: lower, elements: 40, from: [-1, -0.3], to: [1, -0.3], length: 2.2,\n"
    "     stiffness: 4.0e+3, density: 0.1, slack: true}\n"
    "contact:\n"
    "  - {between: [upper, disk], friction: 0.2}\n"
    "  - {between: [lower, disk], friction: 0.2}\n"
    "output: {probes: [contact.closed]}\n";

/* The scale of energy is m g times the height of the fall, 0.3 m and the sag of the rope. */
static void slack_ropes_run_with_the_step_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "disk-on-slack-rope");
        run.text = i > 0 ? two_ropes : NULL;
        scenario_set(&run, i > 0 ? "stepper.end=1" : "stepper.step=auto");
        scenario_complete(&run);
        const haw_ledger *l = &run.summary.ledger;
        const double scale = 0.5 * 9.81 * 0.7;
        print_message("numerical loss %.2e, balance %.1e, drift %.1e of %g J\n", l->numerical_loss,
                      l->balance_error, l->balance_drift, scale);
        assert_true(l->balance_error <= 1e-12 * scale && fabs(l->balance_drift) <= 1e-12 * scale);
        assert_true(fabs(l->numerical_loss) < 1e-3 * scale);
        assert_true(run.summary.certificate.contacts_max > 2);
        scenario_close(&run);
    }
}

/* ---- sweeps that stall ---- */

static int warnings;

static void count_warnings(void *user, haw_log_level level, const char *text)
{
    (void)user;
    warnings += level == HAW_LOG_WARNING && strstr(text, "pgs stalls at t = ") != NULL;
}

/* Fine meshes have more contact points than degrees of freedom below the disk, where sweeps stop
 * short of the tolerance: `auto` takes over, once, and the disk leaves as from other meshes. */
static void a_run_goes_on_where_its_solver_stalls(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "stepper.step=auto");
    scenario_set(&run, "cables.cable.elements=80");
    scenario_open(&run);
    warnings = 0;
    haw_context_set_log(run.context, count_warnings, NULL);
    assert_int_equal(scenario_try(&run), HAW_OK);
    assert_int_equal(warnings, 1);
    assert_int_equal(run.summary.certificate.unconverged_steps, 0);
    assert_true(run.summary.certificate.residual_max <= 1e-8);
    assert_near(scenario_last(&run, "disk.velocity", 0), -2.945, 0, 2e-3);
    assert_near(scenario_last(&run, "disk.velocity", 1), -3.317, 0, 2e-3);
    scenario_close(&run);
}

/* ---- starts that no equilibrium can be ---- */

static const char atwood[] =
    "hawser: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: wheel, shape: {type: circle, radius: 0.2}, motion: {fixed: true}}\n"
    "  - {name: heavy, mass: 3, position: [-0.2, -1], joint: translation}\n"
    "  - {name: light, mass: 2, position: [0.2, -1], joint: translation}\n"
    "cables:\n"
    "  - {name: rope, elements: 60, from: [-0.2, -1], stiffness: 1.0e+5, density: 0.01,\n"
    "     path: [{line: [-0.2, 0]}, {arc: {center: [0, 0], radius: 0.2, angle_deg: -180}},\n"
    "            {line: [0.2, -1]}], ends: {start: {body: heavy}, end: {body: light}}}\n"
    "contact:\n"
    "  - {between: [rope, wheel]}\n"
    "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.5}\n"
    "output: {every: 0.1, probes: [heavy.position]}\n";

static char heard[2048];

static void hear_warnings(void *user, haw_log_level level, const char *text)
{
    (void)user;
    if (level == HAW_LOG_WARNING) {
        (void)snprintf(heard, sizeof heard, "%s", text);
    }
}

/* a = (m1 - m2) g / (m1 + m2 + the rope); the weights are at rest nowhere, so that they are held
 * at first, and told to be. Asked for, that is an error which says what to write. */
static void weights_over_a_wheel_are_held_and_let_go(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    run.text = atwood;
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    haw_context_set_log(run.context, hear_warnings, NULL);
    assert_int_equal(scenario_build(&run), HAW_OK);
    assert_non_null(strstr(heard, "start: auto found no equilibrium while 'heavy', 'light' may"));
    assert_non_null(strstr(heard, "start: given"));
    assert_int_equal(scenario_try(&run), HAW_OK);
    const double rope = 0.01 * (2 + 0.2 * M_PI), a = 9.81 / (5 + rope);
    assert_near(scenario_last(&run, "heavy.position", 1), -1 - 0.125 * a, 0.02 * 0.125 * a, 0);
    scenario_close(&run);

    scenario_init(&run, "atwood");
    run.text = atwood;
    scenario_set(&run, "start=static");
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    assert_int_equal(scenario_build(&run), HAW_ERR_UNCONVERGED);
    const char *said = haw_context_message(run.context);
    assert_non_null(strstr(said, "use start: given"));
    assert_non_null(strstr(said, "'heavy', 'light'"));
    assert_string_equal(haw_context_place(run.context), "start");
    scenario_close(&run);
}

static const char draped[] =
    "hawser: 1\n"
    "gravity: [0, -9.81]\n"
    "start: static\n"
    "bodies:\n"
    "  - {name: disk, shape: {type: circle, radius: 0.1}, position: [0, -0.35],\n"
    "     motion: {fixed: true}}\n"
    "cables:\n"
    "  - {name: rope, elements: 40, from: [-1, 0], to: [1, 0], length: 2.2, stiffness: 4.0e+3,\n"
    "     density: 0.1, slack: true}\n"
    "contact:\n"
    "  - {between: [rope, disk]}\n"
    "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.005}\n"
    "output: {every: 1.0e-3, probes: [contact.force, contact.normal_sum, contact.impulse,\n"
    "         contact.closed, rope.reaction_start, rope.reaction_end]}\n";

/* At rest the pins carry the weight of the rope and the disk that presses on it, at t = 0 as later;
 * impulses count from there on. */
static void the_first_frame_has_the_forces_of_the_start(void **state)
{
    (void)state;
    const double weight = 0.1 * 2.2 * 9.81;
    for (int compliant = 0; compliant < 2; compliant++) {
        scenario_run run;
        scenario_init(&run, "draped");
        run.text = draped;
        if (compliant) {
            scenario_set(&run, "contact.law=penalty");
            scenario_set(&run, "contact.normal_stiffness=1.0e+5");
        }
        scenario_complete(&run);
        for (int k = 0; k < run.frames; k++) {
            const double disk = scenario_at(&run, k, "contact.force", 1);
            const double pins = scenario_at(&run, k, "rope.reaction_start", 1) +
                                scenario_at(&run, k, "rope.reaction_end", 1);
            assert_near(pins - disk, weight, 0, 1e-9);
            assert_true(fabs(disk) > 0.5 && scenario_at(&run, k, "contact.closed", 0) > 2);
            assert_near(scenario_at(&run, k, "contact.impulse", 1), disk * scenario_time(&run, k),
                        1e-9, 1e-6);
        }
        scenario_close(&run);
    }
}

/* ---- probes of planar cables ---- */

/* The midpoint rule moves by the mean of two velocities, q+ - q = h (u + u+) / 2. */
static void velocities_and_largest_tensions_of_planar_cables(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "cables.cable.elements=4");
    scenario_set(&run, "contact.points_per_element=32");
    scenario_set(&run, "bodies.disk.position=[-0.11, 1]");
    scenario_set(&run, "stepper.end=8e-3");
    scenario_set(&run, "output.every=1e-5");
    scenario_set(&run, "output.probes=[\"cable.position[0.6:0.6]\", \"cable.velocity[0.6:0.6]\", "
                       "cable.tension_max, \"cable.tension[0.125:0.125]\", "
                       "\"cable.tension[0.375:0.375]\", \"cable.tension[0.625:0.625]\", "
                       "\"cable.tension[0.875:0.875]\"]");
    scenario_complete(&run);
    static const char *const middles[] = {
        "cable.tension[0.125:0.125]", "cable.tension[0.375:0.375]", "cable.tension[0.625:0.625]",
        "cable.tension[0.875:0.875]"};
    double fastest = 0;
    for (int k = 0; k + 1 < run.frames; k++) {
        double most = 0;
        for (int i = 0; i < 2; i++) {
            const double way = scenario_at(&run, k + 1, "cable.position[0.6:0.6]", i) -
                               scenario_at(&run, k, "cable.position[0.6:0.6]", i);
            const double mean = 0.5 * (scenario_at(&run, k + 1, "cable.velocity[0.6:0.6]", i) +
                                       scenario_at(&run, k, "cable.velocity[0.6:0.6]", i));
            assert_near(way, 1e-5 * mean, 1e-14, 0);
            fastest = fmax(fastest, fabs(mean));
        }
        for (int i = 0; i < 4; i++) {
            most = fmax(most, scenario_at(&run, k, middles[i], 0));
        }
        assert_near(scenario_at(&run, k, "cable.tension_max", 0), most, 0, 1e-12);
    }
    assert_true(fastest > 1);
    scenario_close(&run);
}

/* What is scaled by -1 is in its unit, else in parts of it. */
static void scaled_probes_have_units(void **state)
{
    (void)state;
    static const char *const units[] = {"N", "N", "1000 N", "0.5 m/s", "N"};
    scenario_run run;
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "output.probes=[cable.tension_mean, "
                       "{name: a, of: cable.tension_mean, scale: -1}, "
                       "{name: b, of: cable.tension_mean, scale: 1.0e-3}, "
                       "{name: c, of: disk.velocity.x, scale: 2}, "
                       "{name: d, of: cable.tension_mean, shift: 3}]");
    scenario_open(&run);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(haw_simulation_probe_unit(run.simulation, i), units[i]);
    }
    scenario_close(&run);
}

/* ---- coarse belts ---- */

static const char belt[] =
    "hawser: 1\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  - {name: a, shape: {type: circle, radius: 0.006}, mass: 0.26, joint: revolute}\n"
    "  - {name: b, shape: {type: circle, radius: 0.006}, mass: 0.26, position: [0.154, 0],\n"
    "     joint: revolute}\n"
    "cables:\n"
    "  - {name: belt, stiffness: 1.156e+5, density: 0.0772, closed: true, from: [0, 0.006],\n"
    "     path: [{line: [0.154, 0.006]}, {arc: {center: [0.154, 0], radius: 0.006,\n"
    "     angle_deg: -180}}, {line: [0, -0.006]}, {arc: {center: [0, 0], radius: 0.006,\n"
    "     angle_deg: -180}}], reference_strain: -2.21e-5}\n"
    "contact:\n"
    "  - {between: [belt, a]}\n"
    "  - {between: [belt, b]}\n"
    "start: static\n"
    "stepper: {end: 1.0e-6}\n"
    "output: {probes: [belt.tension_mean, contact.normal_sum]}\n";

/* Three or four elements lie on a pulley, whose points touch and leave in turn while the
 * equilibrium is sought: it is found on every mesh. A wrap of half a turn presses with pi T. */
static void belts_of_any_mesh_find_their_equilibrium(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int elements = 54; elements <= 96; elements += 6) {
        scenario_run run;
        char setting[64];
        (void)snprintf(setting, sizeof setting, "cables.belt.elements=%d", elements);
        scenario_init(&run, "coarse belt");
        run.text = belt;
        scenario_set(&run, "%s", setting);
        scenario_complete(&run);
        const double tension = scenario_at(&run, 0, "belt.tension_mean", 0);
        assert_near(scenario_at(&run, 0, "contact.normal_sum", 0), 2 * pi * tension, 0, 0.05);
        scenario_close(&run);
    }
}

/* ---- the step of a landing ---- */

/* A light ball comes fast: what one explicit step may sink in is its speed times the step. */
static void the_automatic_step_knows_the_depth_limit(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "stepper.step=auto");
    scenario_set(&run, "contact.depth_limit=1.0e-4");
    scenario_open(&run);
    assert_true(haw_simulation_step_length(run.simulation) <= 0.5 * 1e-4 * 0.1 / 3);
    scenario_close(&run);
}

/* ---- a hoist of a stiff rope ---- */

static const char hoist[] =
    "hawser: 1\n"
    "gravity: [0, -9.81]\n"
    "start: static\n"
    "bodies:\n"
    "  - {name: drum, shape: {type: circle, radius: 0.24428}, joint: revolute,\n"
    "     motion: {spin: {table: [[0, 0], [0.5, 0.337]]}}}\n"
    "  - {name: load, mass: 5.674, position: [0.24428, -2.48], joint: translation}\n"
    "cables:\n"
    "  - {name: rope, elements: 60, stiffness: 3.163e+6, density: 1.04, from: [-0.24428, 0],\n"
    "     path: [{arc: {center: [0, 0], radius: 0.24428, angle_deg: -180}},\n"
    "     {line: [0.24428, -2.48]}], ends: {start: {body: drum}, end: {body: load}}}\n"
    "contact:\n"
    "  - {between: [rope, drum], friction: 0}\n"
    "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.25}\n"
    "output: {probes: [load.velocity]}\n";

/* It stores millijoules and lifts by a tenth of a joule: what the stepping makes of that, as points
 * come on and off the drum, is no reason to end. The load goes up with the rim. */
static void a_hoist_stores_little_of_the_work_that_it_does(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "hoist");
    run.text = hoist;
    scenario_complete(&run);
    const haw_ledger *l = &run.summary.ledger;
    const double rim = 0.24428 * 0.337 * 0.25 / 0.5;
    assert_true(-l->numerical_loss > 0.01 * (l->kinetic + l->elastic));
    assert_true(-l->numerical_loss < 0.01 * fabs(l->external_work));
    assert_near(scenario_last(&run, "load.velocity", 1), rim, 0, 0.05);
    scenario_close(&run);
}

/* ---- ends off the grid of times ---- */

static const char flight[] =
    "hawser: 1\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  - {name: ball, mass: 1, shape: {type: circle, radius: 0.1}, velocity: [1, 0]}\n"
    "stepper: {step: 1.0e-3, end: 0.1}\n"
    "output: {every: 0.05, probes: [{name: mean, of: ball.position.x, mean_over: 0.05}]}\n";

/* A short frame at the end has little weight in a mean, and of the frame at its other end counts
 * what lies within; what is no step is no step. */
static void an_end_off_the_grid_counts_by_its_time(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "flight");
    run.text = flight;
    scenario_set(&run, "stepper.end=0.10001");
    scenario_complete(&run);
    assert_int_equal(run.summary.steps, 101);
    assert_near(scenario_last(&run, "ball.position.x", 0), (0.04999 * 0.1 + 1e-5 * 0.10001) / 0.05,
                0, 1e-9);
    scenario_close(&run);
    scenario_init(&run, "flight");
    run.text = flight;
    scenario_set(&run, "stepper.end=0.12");
    scenario_complete(&run);
    assert_near(scenario_last(&run, "ball.position.x", 0), 0.6 * 0.1 + 0.4 * 0.12, 0, 1e-12);
    scenario_close(&run);
    scenario_init(&run, "flight");
    run.text = flight;
    scenario_set(&run, "stepper.end=0.1000000001");
    scenario_complete(&run);
    assert_int_equal(run.summary.steps, 100);
    assert_near(run.summary.t_end, 0.1000000001, 0, 1e-15);
    assert_near(scenario_last(&run, "ball.position.x", 0), 0.1000000001, 0, 1e-12);
    scenario_close(&run);
}

TEST_FILE(test_first_hour)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_at_rest_may_be_pulled_at_once),
        cmocka_unit_test(slack_ropes_run_with_the_step_of_their_own),
        cmocka_unit_test(a_run_goes_on_where_its_solver_stalls),
        cmocka_unit_test(weights_over_a_wheel_are_held_and_let_go),
        cmocka_unit_test(the_first_frame_has_the_forces_of_the_start),
        cmocka_unit_test(velocities_and_largest_tensions_of_planar_cables),
        cmocka_unit_test(scaled_probes_have_units),
        cmocka_unit_test(belts_of_any_mesh_find_their_equilibrium),
        cmocka_unit_test(the_automatic_step_knows_the_depth_limit),
        cmocka_unit_test(a_hoist_stores_little_of_the_work_that_it_does),
        cmocka_unit_test(an_end_off_the_grid_counts_by_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
