/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant contact in space against closed forms: grooves, helices, a ball that comes to roll. */
#include "support/scenario.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const char *const helix[] = {"contact.law=penalty",
                                    "contact.per=length",
                                    "contact.normal_stiffness=1.0e+7",
                                    "contact.tangential=bristle",
                                    "contact.tangential_stiffness=1.0e+7",
                                    NULL};

static void start(scenario_run *run, const char *name, const char *const *set)
{
    scenario_init(run, name);
    for (; set != NULL && *set != NULL; set++) {
        scenario_set(run, "%s", *set);
    }
}

static const char quarter[] =
    "cables.rope.path=[{line: [-0.24, 0, 0]}, {arc: {center: [0, 0, 0], radius: 0.24, angle_deg: "
    "-90}}, {line: [0.1, 0.24, 0]}]";

/* exp(mu W / sin(delta)) less what the sinking of the rope takes, by any implicit steps; the rope
 * has 100 elements, the last one 120. */
static void a_rope_on_springs_slides_in_a_v_groove(void **unused)
{
    static const struct {
        const char *set[6];
        double want;
    } grooves[] = {
        {{NULL}, 3.364875931},
        {{"stepper={type: nsga, rho_infinity: 0, step: 1.0e-3, end: 0.5}", NULL}, 3.364875931},
        {{"bodies.sheave.shape.angle_deg=45", "stepper.end=0.2", NULL}, 2.272529988},
        {{"bodies.sheave.shape.angle_deg=60", "contact.friction=0.15", NULL}, 2.566238169},
        {{"bodies.sheave.shape.angle_deg=90", "contact.friction=0.2", "cables.rope.elements=120",
          quarter, "cables.rope.ends.end={tension: 1000, towards: [1, 0, 0]}", NULL},
         1.559373922},
        {{"stepper={type: generalized-alpha, step: 1.0e-3, end: 0.5}", NULL}, 3.364875931},
        {{"stepper={type: nsga, step: 1.0e-3, end: 0.5}", NULL}, 3.364875931},
        {{"stepper={type: moreau-jean, step: 1.0e-3, end: 0.5}", NULL}, 3.364875931},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof grooves / sizeof *grooves; i++) {
        scenario_run run;
        start(&run, "v-groove-bristle", grooves[i].set);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "rope.tension_start", 0), 1e3 * grooves[i].want, 0, 1e-3);
        scenario_close(&run);
    }
}

/* A helix of beta over phi, pulled along itself by a led end: T2 / T1 = exp(mu phi cos(beta)); of
 * first order in the element, as the end holds the friction of its half. */
static void pull_helix(double beta, double phi, double mu, int elements, double want)
{
    const double c = cos(beta), s = sin(beta), speed = 1.5e-3;
    double error[2];
    for (int k = 0; k < 2; k++) {
        scenario_run run;
        start(&run, "winding-capstan", helix);
        scenario_set(&run, "contact.friction=%g", mu);
        scenario_set(&run, "cables.yarn.lay.angle_deg=%.17g", 90 - beta * 180 / pi);
        scenario_set(&run, "cables.yarn.length=%.17g", 0.401 * phi / c);
        scenario_set(&run, "cables.yarn.ends.start.towards=[0, %.17g, %.17g]", -c, -s);
        scenario_set(&run, "cables.yarn.ends.end={motion: {velocity: [%.17g, %.17g, %.17g]}}",
                     -speed * c * sin(phi), speed * c * cos(phi), speed * s);
        scenario_set(&run, "stepper={type: quasi-static, step: 1.0e-2, end: 1}");
        scenario_set(&run, "cables.yarn.elements=%d", (k + 1) * elements / 2);
        scenario_complete(&run);
        error[k] = scenario_last(&run, "yarn.tension_end", 0) / (10 * want) - 1;
        scenario_close(&run);
    }
    print_message("helix of %g deg: %.2g, ratio %.3f\n", beta * 180 / pi, error[1],
                  error[0] / error[1]);
    assert_near(error[1], 0, 1e-3, 0);
    assert_near(error[0] / error[1], 2, 0.5, 0);
}

static void a_helix_on_bristles_slides_along_itself(void **unused)
{
    (void)unused;
    pull_helix(pi / 6, 2 * pi, 0.1, 240, 1.723125528);
    pull_helix(35 * pi / 180, 2 * pi, 0.2, 360, 2.799320804);
    pull_helix(50 * pi / 180, pi, 0.3, 240, 1.832741713);
}

/* What rests on a turning drum loses nothing: the springs lose energy where the yarn lands, about
 * as much as the hard contact does, however far the drum turns the normals in a step. */
static void a_drum_does_not_wind_energy_into_springs(void **unused)
{
    double lost[2];
    (void)unused;
    for (int k = 0; k < 2; k++) {
        scenario_run run;
        scenario_init(&run, "winding-helix");
        scenario_set(&run, "stepper.end=1.5");
        if (k == 1) {
            scenario_set(&run, "contact.law=penalty");
            scenario_set(&run, "contact.normal_stiffness=1.0e+5");
            scenario_set(&run, "contact.tangential=bristle");
            scenario_set(&run, "contact.tangential_stiffness=1.0e+5");
            scenario_set(&run, "solver.on_unconverged=halve");
        }
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        lost[k] = run.summary.ledger.impact_loss;
        scenario_close(&run);
    }
    assert_true(lost[0] > 0 && lost[1] > 0);
    assert_true(lost[1] < 1.5 * lost[0]);
}

/*
 * The drum turns below the yarn, which comes to rest: friction acts along the hoops, so that
 * T sin(beta) is constant, tan(beta) falls by exp(-mu phi), and
 * T2 / T1 = sqrt(sin^2 beta1 + cos^2 beta1 exp(2 mu phi)); 10 rad are enough.
 */
static void a_turning_drum_rubs_along_its_hoops(void **unused)
{
    (void)unused;
    scenario_run run;
    start(&run, "winding-capstan", helix);
    scenario_set(&run,
                 "bodies.drum.motion={spin: {table: [[0, 0], [0.1, -0.1]], ramp: smoothstep}}");
    scenario_set(&run, "cables.yarn.ends.end=pinned");
    scenario_set(&run, "cables.yarn.elements=240");
    scenario_set(&run, "stepper={type: quasi-static, step: 5.0e-2, end: 60}");
    scenario_complete(&run);
    assert_near(scenario_last(&run, "yarn.tension_end", 0), 10 * 1.698584475, 0, 1e-3);
    scenario_close(&run);
}

/*
 * A rope between (-+a, 0) that a smooth cylinder of R lifts by 0.08 m: hard 615.496741 N; on a bed
 * of k with w = T / k rho everywhere on the arc between the tangents the error is of first order
 * exactly. The rope itself sinks in over sqrt(T / k): at 1e7 N/m^2 that is a quarter of the arc,
 * and its boundary-value problem (shooting, Runge-Kutta of 4000 steps) gives 609.0728.
 */
static void a_rope_on_a_bed_tends_to_the_hard_wrap(void **unused)
{
    static const double stiffness[] = {1e7, 1e8, 1e9, 1e10};
    static const double want[] = {609.0728147, 614.7414230, 615.4171686, 615.488783};
    static const double hard = 615.496741;
    double off[4];
    (void)unused;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        start(&run, "v-groove-bristle", NULL);
        scenario_set(&run, "bodies=[{name: sheave, shape: {type: cylinder, radius: 0.099}, "
                           "position: [0, -0.1, 0], motion: {velocity: [0, 0.08, 0]}}]");
        scenario_set(&run,
                     "cables=[{name: rope, element: bezier, elements: 160, from: [-0.5, 0, 0], to: "
                     "[0.5, 0, 0], tension: 100, stiffness: 4.0e+4, density: 0.1, radius: 1.0e-3, "
                     "ends: {start: pinned, end: pinned}}]");
        scenario_set(&run,
                     "contact=[{between: [rope, sheave], points_per_element: 4, law: "
                     "penalty, per: length, normal_stiffness: %g, depth_limit: 10}]",
                     stiffness[i]);
        scenario_set(&run, "stepper={type: quasi-static, step: 5.0e-2, end: 1}");
        scenario_set(&run, "output={every: 1, probes: [rope.tension_mean]}");
        scenario_complete(&run);
        const double tension = scenario_last(&run, "rope.tension_mean", 0);
        print_message("bed of %g N/m^2: %.2g\n", stiffness[i], tension / want[i] - 1);
        assert_near(tension, want[i], 0, 1e-4);
        off[i] = (1 - tension / hard) * stiffness[i];
        scenario_close(&run);
    }
    assert_near(off[1], 129295, 0, 0.06);
    assert_near(off[2], 129295, 0, 0.02);
}

/*
 * Drawn straight through a body, 0.09 m deep in a radius of 0.12 m, a rope on stiff springs comes
 * out on the side where it is drawn, on any mesh: EA (2 (sqrt(D^2 - r^2) + r theta) / L - 1) = k w
 * r with r = R - w, D from the axis to an end, theta half of the arc.
 */
static void a_rope_drawn_through_a_body_comes_out_on_its_own_side(void **unused)
{
    static const struct {
        const char *element, *rest;
        int dimension, elements;
        double stiffness, centre, want;
    } row[] = {{"chain", "", 2, 600, 3e9, 0.03, 829.6489104},
               {"ancf", ", bending_stiffness: 1.0e-6", 2, 150, 1e10, 0.03, 829.6733541},
               {"bezier", "", 3, 150, 1e9, 0.03, 829.5790783},
               {"bezier-c0", "", 3, 150, 1e10, 0.03, 829.6733541},
               {"se3", ", bending_stiffness: 1.0e-6, torsional_stiffness: 1.0e-3", 3, 300, 1e8,
                0.03, 828.6373225},
               {"bezier-c0", "", 3, 150, 0, 0.005, 1258.857629},
               {"corotational", ", bending_stiffness: 1.0e-4, torsional_stiffness: 1.0e-4", 3, 300,
                0, 0.005, 1258.857629}};

    (void)unused;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *z = row[i].dimension == 3 ? ", 0" : "";
        char law[80] = "hard";
        scenario_run run;
        if (row[i].stiffness > 0) {
            (void)snprintf(law, sizeof law, "penalty, per: length, normal_stiffness: %g",
                           row[i].stiffness);
        }
        start(&run, "v-groove-bristle", NULL);
        scenario_set(&run, "dimension=%d", row[i].dimension);
        scenario_set(&run, "gravity=[0, 0%s]", z);
        scenario_set(&run,
                     "bodies=[{name: sheave, shape: {type: %s}, position: [0, %g%s], motion: "
                     "{fixed: true}}]",
                     row[i].dimension == 3 ? "cylinder, radius: 0.119" : "circle, radius: 0.12",
                     -row[i].centre, z);
        scenario_set(&run,
                     "cables=[{name: rope, element: %s, elements: %d, from: [-0.6, 0%s], to: "
                     "[0.6, 0%s], stiffness: 6.0e+4, density: 0.1, length: %.17g%s%s}]",
                     row[i].element, row[i].elements, z, z, 1.2 / 1.0025,
                     row[i].dimension == 3 ? ", radius: 1.0e-3" : "", row[i].rest);
        scenario_set(&run, "contact=[{between: [rope, sheave], points_per_element: 4, law: %s}]",
                     law);
        scenario_set(&run, "stepper={type: static}");
        scenario_set(&run, "output={every: 1, probes: [rope.tension_start]}");
        scenario_complete(&run);
        assert_near(scenario_last(&run, "rope.tension_start", 0), row[i].want, 0, 1e-4);
        scenario_close(&run);
    }
}

/* With bristles and with LuGre's, whose default damping is that of the critical bristle. */
static void a_ball_with_backspin_comes_back_rolling(void **unused)
{
    static const char *const law[] = {"bristle", "lugre"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        start(&run, "slip-to-roll-penalty", NULL);
        scenario_set(&run, "contact.tangential=%s", law[i]);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "ball.velocity", 0), -2.0 / 7, 0, 1e-5);
        assert_near(scenario_last(&run, "ball.velocity", 1), 0, 1e-12, 0);
        assert_near(scenario_last(&run, "ball.position", 0), 0.3161843739, 0, 1e-4);
        assert_near(scenario_last(&run, "ball.spin", 0), 20.0 / 7, 0, 1e-5);
        assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
        scenario_close(&run);
    }
}

/* The hard contacts of the last step as a problem of their own, solved anew from nothing. */
static void solve_again(const scenario_run *run)
{
    double fresh[3] = {0}, u[3];
    const double *impulses;
    haw_solver_settings solver;
    haw_workspace *workspace;
    haw_report report;
    const haw_problem *problem = haw_simulation_problem(run->simulation, &impulses);
    assert_non_null(problem);
    assert_int_equal(problem->contacts, 1);
    assert_int_equal(haw_workspace_create(run->context, &workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(run->context, "newton", &solver), HAW_OK);
    assert_int_equal(haw_solver_set(run->context, &solver, "tolerance", 1e-13), HAW_OK);
    assert_int_equal(haw_solve(problem, &solver, workspace, fresh, u, &report), HAW_OK);
    assert_int_equal(report.outcome, HAW_CONVERGED);
    for (int k = 0; k < 3; k++) {
        assert_near(fresh[k], impulses[k], 1e-9 * impulses[0], 0);
    }
    haw_workspace_free(workspace);
}

/*
 * A ball spins in a corner of a hard floor and a wall on springs: N_1 + mu N_2 = m g and N_2 = mu
 * N_1, so that it slows down by mu (1 + mu) / (1 + mu^2) m g R / I from the first step on.
 */
static void a_ball_spins_in_a_corner_of_both_laws(void **unused)
{
    static const char *const stepper[] = {"moreau", "moreau-jean, theta: 0.5", "nsga",
                                          "generalized-alpha"};
    static const double tolerance[] = {1e-10, 1e-10, 1e-6, 1e-6};
    const double mu = 0.3, weight = 9.81, radius = 0.1, inertia = 0.004, end = 0.4;
    const double floor = weight / (1 + mu * mu), wall = mu * floor;
    (void)unused;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        start(&run, "slip-to-roll-penalty", NULL);
        scenario_set(
            &run,
            "bodies=[{name: ball, shape: {type: sphere, radius: 0.1}, mass: 1, spin: 60, position: "
            "[2.7e-5, 0, 0.1], orientation: [0.70710678118654752, -0.70710678118654752, 0, 0]}, "
            "{name: floor, shape: {type: plane}, motion: {fixed: true}}, {name: wall, shape: "
            "{type: "
            "plane}, position: [0.1, 0, 0], orientation: [0.70710678118654752, 0, "
            "-0.70710678118654752, 0], motion: {fixed: true}}]");
        scenario_set(&run,
                     "contact=[{between: [ball, floor], friction: 0.3, restitution: 0}, {between: "
                     "[ball, wall], law: penalty, normal_stiffness: 1.0e+5, normal_damping: 100, "
                     "tangential: bristle, tangential_stiffness: 1.0e+5, friction: 0.3}]");
        scenario_set(&run, "stepper={type: %s, step: 1.0e-3, end: 0.4}", stepper[i]);
        scenario_set(&run, "solver={type: auto, tolerance: 1.0e-11}");
        scenario_set(&run, "output.probes=[ball.spin, ball.position, ball-floor.normal_sum, "
                           "ball-wall.normal_sum]");
        scenario_complete(&run);
        assert_near(scenario_last(&run, "ball.spin", 0),
                    60 - mu * (floor + wall) * radius / inertia * end, 0, tolerance[i]);
        assert_near(scenario_last(&run, "ball-floor.normal_sum", 0), floor, 0, tolerance[i]);
        assert_near(scenario_last(&run, "ball-wall.normal_sum", 0), wall, 0, 1e-3);
        assert_near(run.summary.ledger.balance_drift, 0, 1e-6, 0);
        solve_again(&run);
        scenario_close(&run);
    }
}

TEST_FILE(test_compliant_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_on_springs_slides_in_a_v_groove),
        cmocka_unit_test(a_helix_on_bristles_slides_along_itself),
        cmocka_unit_test(a_turning_drum_rubs_along_its_hoops),
        cmocka_unit_test(a_rope_on_a_bed_tends_to_the_hard_wrap),
        cmocka_unit_test(a_rope_drawn_through_a_body_comes_out_on_its_own_side),
        cmocka_unit_test(a_drum_does_not_wind_energy_into_springs),
        cmocka_unit_test(a_ball_with_backspin_comes_back_rolling),
        cmocka_unit_test(a_ball_spins_in_a_corner_of_both_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
