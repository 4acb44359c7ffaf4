/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a run may start, what ends one that looks like motion, and what its supports carry. */
#include "element/element.h"
#include "io/hdf5.h"
#include "stepper/simulation.h"
#include "support/fake_run.h"
#include "support/scenario.h"

#include <unistd.h>

static void says(const haw_context *context, const char *words)
{
    if (strstr(haw_context_message(context), words) == NULL) {
        fail_msg("no '%s' in: %s", words, haw_context_message(context));
    }
}

/* ---- starts ---- */

/* The straight cable is along x = 0: gap = |x| - 0.1, and a hundredth of the radius is allowed. */
static void a_body_that_starts_inside_the_cable_is_refused(void **state)
{
    (void)state;
    static const double inside[4] = {-0.0985, -0.05, 0, 0.07}, outside[3] = {-0.0995, -0.1, 0.11};
    for (int i = 0; i < 4; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.body.position[0] = inside[i];
        rig_disk_settings(&r, &c);
        RIG_REFUSES(&r, disk_case_scene(&c), "inside the surface", "'cable' and 'disk'");
        rig_close(&r);
    }
    for (int i = 0; i < 3; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.body.position[0] = outside[i];
        rig_disk(&r, &c);
        rig_steps(&r, 100);
        rig_close(&r);
    }
}

/* ---- velocities at the start ---- */

/* A weight of 10 kg hangs in equilibrium and is thrown aside: 1/2 m v^2 is in the ledger, and the
 * end of its rope goes with it. Rods that hang at an angle do not allow it. */
static const char *const thrown =
    "hawser: 1\n"
    "dimension: %d\n"
    "gravity: [0, -9.81%s]\n"
    "start: %s\n"
    "bodies: [{name: weight, mass: 10, inertia: 0.1, position: [0, -2%s], velocity: [1, 0%s], "
    "spin: 2}]\n"
    "cables: [{name: rope, element: %s, elements: 10, from: [0, 0%s], to: [0, -2%s], stiffness: "
    "1e4, "
    "bending_stiffness: %g, radius: 1e-3, density: 0.1, ends: {start: pinned, end: {body: "
    "weight}}}]\n"
    "stepper: {type: moreau-jean, step: 1e-4, end: 1e-3}\n";

static void a_static_start_keeps_the_velocities_of_bodies(void **state)
{
    (void)state;
    static const char *const start[] = {"static", "auto"};

    static const struct {
        int dimension;
        const char *element;
        double bending;
    } of[] = {{2, "bezier", 0}, {2, "ancf", 0.01}, {3, "bezier", 0}, {3, "se3", 0.01}};

    for (int i = 0; i < 8; i++) {
        scenario_run run;
        scenario_text text = {.length = 0};
        const bool is_static = i % 2 == 0;
        const char *z = of[i / 2].dimension == 3 ? ", 0" : "";
        scenario_write(&text, thrown, of[i / 2].dimension, z, start[i % 2], z, z, of[i / 2].element,
                       z, z, of[i / 2].bending);
        scenario_init(&run, "thrown");
        run.text = text.text;
        scenario_open(&run);
        const haw_state *s = run.simulation->state;
        const double kinetic = run.simulation->ledger.kinetic;
        assert_near(kinetic, 0.5 * 10 + 0.5 * 0.1 * 4, 0.5 * 0.1 * 0.2, 0);
        assert_true(!is_static || s->q[1] < -2.019); /* 98.1 N + rope over 5 000 N/m */
        assert_int_equal(scenario_try(&run), HAW_OK);
        scenario_close(&run);
    }
}

/* A band brake: its drum turns at the start, and no equilibrium has stopped it. The band pulls
 * with T (1 - exp(-mu beta)) over the wrap beta = pi. */
static void a_drum_in_a_band_brake_turns_until_friction_has_stopped_it(void **state)
{
    (void)state;
    static const char *const text =
        "hawser: 1\n"
        "bodies: [{name: drum, shape: {type: circle, radius: 0.15}, mass: 20, inertia: 0.225, "
        "position: [0, 0], joint: revolute, spin: 30}]\n"
        "cables: [{name: band, element: ancf, elements: 80, from: [-0.15, -0.3], path: [{line: "
        "[-0.15, 0]}, {arc: {center: [0, 0], radius: 0.15, angle_deg: -180}}, {line: [0.15, "
        "-0.3]}], stiffness: 2e6, density: 0.2, bending_stiffness: 1e-3, ends: {start: pinned, "
        "end: {tension: 100, towards: [0, -1]}}}]\n"
        "contact: [{between: [band, drum], points_per_element: 4, friction: 0.3}]\n"
        "stepper: {type: moreau-jean, step: 1e-3, end: 0.2}\n"
        "output: {every: 0.01, probes: [drum.spin]}\n";
    const double torque = 0.15 * 100 * (1 - exp(-0.3 * acos(-1)));
    scenario_run run;
    scenario_init(&run, "brake");
    run.text = text;
    scenario_complete(&run);
    assert_near(scenario_at(&run, 0, "drum.spin", 0), 30, 0, 0);
    const double slowed =
        scenario_at(&run, 5, "drum.spin", 0) - scenario_last(&run, "drum.spin", 0);
    assert_near(slowed, torque / 0.225 * 0.15, 0, 1e-2);
    scenario_close(&run);
}

/*
 * A chain over the round edge of a table: cubics that interpolate the arc lie 12 um inside it, more
 * than a hundredth of the chain's radius. That is drawing, and no step is short enough to undo it.
 * Without friction it slides with x'' = g (what hangs lower at one end than at the other) / L.
 */
static void what_is_drawn_along_an_edge_slides_off_it(void **state)
{
    (void)state;
    static const char *const text =
        "hawser: 1\n"
        "gravity: [0, -9.81]\n"
        "start: given\n"
        "bodies: [{name: table, shape: {type: box, length: 2, height: 0.6, radius: 0.1}, position: "
        "[-1, -0.3], motion: {fixed: true}}]\n"
        "cables: [{name: chain, element: ancf, elements: 100, radius: 1e-3, from: [-0.8, 1e-3], "
        "path: [{line: [-0.1, 1e-3]}, {arc: {center: [-0.1, -0.1], radius: 0.101, angle_deg: "
        "-90}}, {line: [1e-3, -0.3]}], stiffness: 2e3, density: 0.1, bending_stiffness: 1e-6, "
        "ends: {start: free, end: free}}]\n"
        "contact: [{between: [chain, table], points_per_element: 3, friction: 0}]\n"
        "stepper: {type: moreau-jean, step: 1e-3, end: 0.2}\n"
        "output: {every: 0.05, probes: [\"chain.position[0:0]\"]}\n";
    scenario_run run;
    scenario_init(&run, "table");
    run.text = text;
    scenario_complete(&run);
    const double length = 0.7 + 0.101 * acos(0) + 0.2;
    double x = 0, v = 0;
    for (int i = 0; i < 2000; i++) { /* midpoint rule */
        const double h = 1e-4, middle = x + 0.5 * h * v;
        const double k = 9.81 * (0.301 + x) / length, k_middle = 9.81 * (0.301 + middle) / length;
        x += h * (v + 0.5 * h * k);
        v += h * k_middle;
    }
    assert_near(scenario_last(&run, "chain.position[0:0]", 0) + 0.8, x, 0, 2e-3);
    assert_true(run.summary.certificate.penetration_max < 1.6e-5);
    scenario_close(&run);
}

/* A point far inside did not come there in small steps: put there behind the back of the check. */
static void a_point_deeper_than_a_quarter_of_the_radius_ends_the_run(void **state)
{
    (void)state;
    static const double depth[2] = {0.024, 0.026};
    for (int i = 0; i < 2; i++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.body.velocity[0] = c.body.spin = 0;
        c.contact.depth_limit = 0.25;
        rig_disk(&r, &c);
        r.simulation->state->q[0] = -(0.1 - depth[i]);
        rig_restart(&r);
        const haw_status status = haw_simulation_step(r.simulation);
        assert_int_equal(status, i == 0 ? HAW_OK : HAW_ERR_GUARD);
        if (status == HAW_ERR_GUARD) {
            says(r.context, "inside 'disk', more than a quarter of its radius");
        }
        rig_close(&r);
    }
}

/* ---- ends ---- */

/* A free cable without weight at a fixed disk of 1 cm; it moves `radii` radii per step. */
static haw_status fly(double radii, double *farthest)
{
    rig r;
    rig_flying(&r, radii * 0.01 / 2e-5);
    haw_status status = HAW_OK;
    for (int i = 0; i < 200 && status == HAW_OK && r.state->q[3] < 0.8; i++) {
        status = haw_simulation_step(r.simulation);
    }
    *farthest = r.state->q[3];
    if (status == HAW_ERR_GUARD) {
        says(r.context, "a quarter of its radius");
    }
    rig_close(&r);
    return status;
}

/* At no phase of its steps does a cable of many radii per step jump over the disk. */
static void a_cable_of_more_than_four_radii_per_step_does_not_jump_the_disk(void **state)
{
    (void)state;
    static const double radii[6] = {0.3, 1.1, 4.3, 7.9, 13.7, 58};
    for (int i = 0; i < 6; i++) {
        double x = 0;
        assert_int_equal(fly(radii[i], &x), HAW_ERR_GUARD);
        assert_true(x < 0.6);
    }
}

/* The largest stable step of the taut rope is too large for one that falls slack and snaps taut. */
static void a_run_that_makes_energy_ends(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "disk-on-slack-rope");
        scenario_set(&run, "stepper.step=6.67e-5");
        scenario_set(&run, "contact.friction=%d", i);
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
        says(run.context, "the time-stepping made");
        says(run.context, "use a smaller step");
        says(run.context, "stepper.step: 1.7e-05"); /* a quarter, which does */
        assert_int_equal(strstr(haw_context_message(run.context), "sliding") != NULL, i);
        const haw_ledger *l = &run.summary.ledger;
        assert_true(-l->numerical_loss > 0.01 * (l->kinetic + l->elastic));
        assert_true(run.summary.t_end > 0.01 && run.summary.t_end < 1.5);
        assert_near(scenario_time(&run, run.frames - 1), run.summary.t_end, 1e-12, 0);
        scenario_close(&run);
    }
}

/* se3 on a drum, without any damping between its nodes: nsga has no theta to turn to. */
static void advice_names_options_of_the_stepper(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "winding-w1");
    scenario_set(&run, "cables.yarn.element=se3");
    scenario_set(&run, "stepper={type: nsga, step: 1.0e-2, end: 1.5, rho_infinity: 0}");
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
    says(run.context, "the time-stepping made");
    assert_true(run.summary.ledger.friction_loss > 0);
    assert_null(strstr(haw_context_message(run.context), "theta"));
    scenario_close(&run);
}

/* The first frame is a part of the run: the certificate has what its equilibrium leaves, here 5 nm.
 */
static void depths_of_a_start_are_certified(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "rope");
    run.text = "hawser: 1\n"
               "gravity: [0, -93.3]\n"
               "bodies: [{name: post, shape: {type: circle, radius: 0.058}, motion: {spin: 3.6}}]\n"
               "cables: [{name: rope, element: bezier-polar, elements: 14, from: [-1.3, 0.059],\n"
               "  to: [1.3, 0.059], length: 2.66, stiffness: 1.2e+5, density: 0.023,\n"
               "  ends: {start: {motion: {velocity: [0.76, 0.77]}}, end: clamped}}]\n"
               "contact: [{between: [rope, post], friction: 0.2, spacing: 0.0199}]\n"
               "start: static\n"
               "stepper: {type: nsga, step: 8.3e-5, end: 2.5e-4}\n";
    scenario_open(&run);
    const double depth = 0 - haw_simulation_frame(run.simulation)->pair[0].gap_min;
    assert_true(depth > 1e-10);
    assert_int_equal(scenario_try(&run), HAW_OK);
    assert_true(run.summary.certificate.penetration_points_max >= depth);
    assert_true(run.summary.certificate.penetration_max >= depth);
    assert_true(run.summary.certificate.penetration_max < 1e-7);
    scenario_close(&run);
}

/* Of a beam as of a cable, between its nodes and at them; and what is within a hundredth of the
 * section is told. */
static void depths_of_drawings_are_refused_or_told(void **state)
{
    (void)state;
    static const double apart[] = {0.0385, 0.0506, 0.05068, 0.05069};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        scenario_run run;
        scenario_init(&run, "drawn");
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\n"
            "dimension: 3\n"
            "bodies: [{name: ball, shape: {type: sphere, radius: 0.047}, mass: 3.86}]\n"
            "cables: [{name: beam, from: [%g, -1, 0], to: [%g, 1, 0], tension: 813,\n"
            "  element: corotational, elements: 8, ends: {start: pinned, end: pinned},\n"
            "  stiffness: 3900, density: 0.067, bending_stiffness: 2.7e-3, radius: 0.0037}]\n"
            "contact: [{between: [beam, ball], friction: 0, spacing: 0.03}]\n"
            "start: given\n"
            "stepper: {type: moreau-jean, step: 5.7e-5, end: 5.7e-4}\n",
            apart[i], apart[i]);
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        const haw_status status = scenario_build(&run);
        assert_int_equal(status, i < 2 ? HAW_ERR_INPUT : HAW_OK);
        if (status == HAW_OK) {
            const double depth = 0.0507 - apart[i];
            assert_near(run.simulation->certificate.penetration_max, depth, 0, 1e-6);
            assert_int_equal(scenario_try(&run), HAW_OK);
            assert_near(run.summary.certificate.penetration_max, depth, 0, 1e-6);
            assert_true(run.summary.certificate.penetration_points_max < 1e-12);
        } else {
            says(run.context, "inside the surface");
        }
        scenario_close(&run);
    }
}

/* More elements are advised where they cut the drawn curve off, not where it is drawn too near. */
static void elements_are_blamed_for_what_they_cut_off(void **state)
{
    static const struct {
        int elements;
        double radius; /* of the helix, about sections of 2 mm */
        const char *cure;
    } wound[] = {{8, 4e-3, "8 elements of 'wire' cut curves off"},
                 {24, 3.9e-3, "move the body or the cable apart"}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[768];
        scenario_run run;
        scenario_init(&run, "wound");
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\n"
            "dimension: 3\n"
            "cables:\n"
            "  - {name: core, element: bezier, elements: 10, from: [0, 0, 0], to: [0, 0, "
            "0.08], stiffness: 1e3, density: 0.01, radius: 2e-3}\n"
            "  - {name: wire, element: bezier, elements: %d, lay: {cable: core, angle_deg: "
            "45, radius: %g}, stiffness: 1e3, density: 0.01, radius: 2e-3}\n"
            "contact: [{between: [wire, core], points_per_element: 30}]\n"
            "start: given\n"
            "stepper: {type: moreau-jean, step: 1e-3, end: 1e-3}\n",
            wound[i].elements, wound[i].radius);
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
        says(run.context, wound[i].cure);
        says(run.context, "inside the surface near [");
        scenario_close(&run);
    }
}

/* A stiff rope that is drawn 0.1 mm inside its sheave is out of it after 2 us, also where another
 * contact is compliant, which is not to blame. */
/* What springs leave of an equilibrium grows with the elements, here 15 m long: half a micrometre.
 */
static void a_mooring_line_starts_from_the_seabed(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "mooring");
    run.text = "hawser: 1\n"
               "gravity: [0, -9.81]\n"
               "bodies: [{name: seabed, shape: {type: plane}, motion: {fixed: true}}]\n"
               "cables: [{name: chain, element: ancf, elements: 50, from: [0, 0], to: [700, 100],\n"
               "  length: 750, stiffness: 7.0e+8, density: 130}]\n"
               "contact: [{between: [chain, seabed], friction: 0.6, points_per_element: 1}]\n"
               "start: static\n"
               "stepper: {type: moreau-jean, step: 0.02, end: 0.1}\n"
               "output: {probes: [chain.tension_end, chain.tension_mean]}\n";
    scenario_complete(&run);
    const double start = scenario_at(&run, 0, "chain.tension_end", 0);
    assert_true(run.summary.certificate.penetration_points_max < 1e-6);
    assert_near(scenario_last(&run, "chain.tension_end", 0), start, 0, 1e-3);
    scenario_close(&run);
}

/* Bodies are held while strings look for their equilibrium: one that lies on the ground has no
 * force to give (contact forces were not finite). */
static void a_disk_lies_on_the_ground_beside_a_string(void **state)
{
    static const char *const element[] = {"chain", "bezier"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "beside");
        run.text =
            "hawser: 1\n"
            "gravity: [0, -9.81]\n"
            "bodies:\n"
            "  - {name: disk, mass: 1, shape: {type: circle, radius: 0.1}, position: [0, 0.1],\n"
            "    velocity: [2, 0]}\n"
            "  - {name: ground, shape: {type: plane}, motion: {fixed: true}}\n"
            "cables: [{name: rope, elements: 2, from: [5, 3], to: [5.5, 3], stiffness: 1.0e+3,\n"
            "  density: 0.01, tension: 1, ends: {start: pinned, end: pinned}}]\n"
            "contact: [{between: [disk, ground], friction: 0.3}]\n"
            "start: static\n"
            "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.1}\n"
            "output: {probes: [disk.spin]}\n";
        scenario_set(&run, "cables.rope.element=%s", element[i]);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "disk.spin", 0), -0.3 * 9.81 * 0.1 * 2 / 0.1, 0, 1e-9);
        scenario_close(&run);
    }
}

/* Whatever presses them, in whatever gravity. */
static void bodies_start_pressed_together_as_hard_ones(void **state)
{
    static const char *const stiffness[] = {"1.0e-6", "1.0e+3", "1.0e+8"};
    static const char *const gravity[] = {"0", "-9.81"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        scenario_run run = {0};
        char text[1024];
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\ngravity: [0, %s]\nbodies:\n"
            "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
            "  - {name: ball, mass: 1, shape: {type: circle, radius: 0.1}, position: [0, 0.1],"
            " joint: translation}\n"
            "  - {name: box, mass: 1, shape: {type: box, length: 0.4, height: 0.1}, position: [0,"
            " 0.25], joint: vertical}\n"
            "contact: [{between: [ball, floor]}, {between: [box, ball]}]\n"
            "springs: [{between: [box, [0, 1.25]], stiffness: %s, length: 2}]\n"
            "start: static\nstepper: {type: moreau-jean, step: 1.0e-3, end: 1.0e-3}\n"
            "output: {probes: [box.position.y, box-ball.force.y]}\n",
            gravity[i % 2], stiffness[i / 2]);
        scenario_init(&run, "presses");
        run.text = text;
        scenario_complete(&run);
        const double pressed = strtod(stiffness[i / 2], NULL) - strtod(gravity[i % 2], NULL);
        assert_true(run.summary.certificate.penetration_max < 1e-8);
        assert_near(scenario_at(&run, 0, "box.position.y", 0), 0.25, 2e-8, 0);
        if (i > 0) { /* the lightest push is over as soon as the springs are taken away */
            assert_near(scenario_last(&run, "box-ball.force.y", 0), pressed, 0, 1e-4);
        }
        scenario_close(&run);
    }
}

static void hard_contact_makes_no_energy(void **state)
{
    (void)state;
    static const char *const beside[][2] = {
        {"", ""},
        {",\n  {name: ball, mass: 0.1, shape: {type: circle, radius: 0.1}, position: [1, 0.1]},\n"
         "  {name: floor, shape: {type: plane}, motion: {fixed: true}}",
         ",\n  {between: [ball, floor], law: penalty, normal: linear, normal_stiffness: 1.0e+4}"},
    };
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        char text[2000];
        scenario_run run;
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\n"
            "gravity: [0, -1.9]\n"
            "bodies: [{name: sheave, shape: {type: circle, radius: 0.0927}, mass: 2,\n"
            "  position: [0, 1], joint: revolute},\n"
            "  {name: load, mass: 1.22, inertia: 1, position: [0.0927, -2], joint: vertical}%s]\n"
            "cables: [{name: rope, reeving: [{sheave: sheave, side: right}], from: [-0.0927, -2],\n"
            "  ends: {start: pinned, end: {body: load}}, element: ale, elements: 4,\n"
            "  stiffness: 6080, density: 0.241, bending_stiffness: 0.048}]\n"
            "contact: [{between: [rope, sheave], friction: 0.216, restitution: 0.5,\n"
            "  spacing: 0.0682}%s]\n"
            "start: given\n"
            "stepper: {type: generalized-alpha, step: 1.9e-6, end: 1.9e-5, rho_infinity: 1}\n",
            beside[i][0], beside[i][1]);
        scenario_init(&run, "thrown");
        run.text = text;
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
        says(run.context, "hard contact made");
        scenario_close(&run);
    }
}

/* Of 0.5 kg that hang at one end: 80 times as long it would weigh so much, and stood upright. */
static void a_rope_is_not_lengthened_without_end(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "longer");
    run.text =
        "hawser: 1\n"
        "gravity: [0, -1.69]\n"
        "cables: [{name: rope, from: [-1.3, 0.4], to: [1.3, 0.4], tension: 142,\n"
        "  ends: {start: pinned, end: free}, element: chain, elements: 8, stiffness: 1.1e+5,\n"
        "  density: 0.2}]\n"
        "start: static\n"
        "stepper: {type: static}\n";
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_UNCONVERGED);
    says(run.context, "no unstrained length near");
    scenario_close(&run);
}

/* Explicit steps look for their contacts in the middle of the way: here beyond the sphere. */
static void no_ball_passes_a_sphere_within_a_step(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "shot");
    run.text =
        "hawser: 1\n"
        "dimension: 3\n"
        "bodies: [{name: post, shape: {type: sphere, radius: 0.0514}, motion: {fixed: true}},\n"
        "  {name: ball, shape: {type: sphere, radius: 0.0241}, mass: 1.93,\n"
        "  position: [0, 0, 0.0758], velocity: [0, 0, -31]}]\n"
        "contact: [{between: [ball, post], friction: 0.4}]\n"
        "start: given\n"
        "stepper: {type: moreau, step: 7.0e-3, end: 7.0e-2}\n";
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_GUARD);
    says(run.context, "comes towards");
    scenario_close(&run);
}

/* Of a start, before the first step; of a step, which then counts for nothing. */
static void energies_that_overflow_are_said(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "circle-on-beam");
    scenario_set(&run, "cables.beam.velocity=[1e308, 0]");
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
    says(run.context, "the energy at the start is not finite");
    scenario_close(&run);
    scenario_init(&run, "wheel");
    run.text = "hawser: 1\n"
               "bodies: [{name: wheel, mass: 1, inertia: 1, motion: {spin: 1e10}, torque: 1e305}]\n"
               "cables: [{name: rope, elements: 4, from: [1, 0], to: [2, 0], tension: 10,\n"
               "  stiffness: 1e4, density: 0.1, ends: {start: pinned, end: pinned}}]\n"
               "stepper: {type: quasi-static, step: 1e-3, end: 3e-3}\n";
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
    says(run.context, "no longer finite");
    assert_true(isfinite(run.summary.ledger.external_work + run.summary.ledger.balance_drift));
    scenario_close(&run);
}

/* ---- checkpoints ---- */

static void a_state_of_another_model_is_not_restored(void **state)
{
    (void)state;
    rig a, b;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&a, &c);
    c.elements = 24; /* other degrees of freedom */
    rig_disk(&b, &c);
    assert_int_equal(haw_simulation_restore(b.simulation, a.state), HAW_ERR_ARG);
    says(b.context, "another model");
    rig_close(&b);
    c.elements = 20;
    c.points = 4; /* other grid points */
    rig_disk(&b, &c);
    assert_int_equal(haw_simulation_restore(b.simulation, a.state), HAW_ERR_ARG);
    assert_true(b.state->t == 0 && b.state->step == 0);
    rig_close(&b);
    rig_close(&a);
}

/* In the middle of the contact: state, energies and every later step are the same bits. */
static void energies_go_on_in_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        rig whole, rest;
        disk_case c;
        disk_case_init(&c);
        c.element = haw_elements[i]->name;
        c.points = 3;
        c.tolerance = 1e-8;
        rig_disk(&whole, &c);
        rig_disk(&rest, &c);
        rig_steps(&whole, 3000);
        assert_true(whole.simulation->certificate.contacts_max > 0);
        assert_int_equal(haw_simulation_restore(rest.simulation, whole.state), HAW_OK);
        rig_steps(&whole, 2000);
        rig_steps(&rest, 2000);
        const size_t n = (size_t)whole.state->dofs * sizeof(double);
        const haw_ledger *a = &whole.simulation->ledger, *b = &rest.simulation->ledger;
        assert_memory_equal(whole.state->q, rest.state->q, n);
        assert_memory_equal(whole.state->u, rest.state->u, n);
        assert_memory_equal(&a->kinetic, &b->kinetic, sizeof a->kinetic);
        assert_memory_equal(&a->elastic, &b->elastic, sizeof a->elastic);
        assert_memory_equal(&a->gravity, &b->gravity, sizeof a->gravity);
        assert_true(b->balance_error <= 1e-14 * a->initial);
        rig_close(&whole);
        rig_close(&rest);
    }
}

/* ---- supports ---- */

/* Elastic catenary of test_catenary: H, V at the upper end; the lower one carries V - w L. */
static void supports_carry_the_reactions_of_the_catenary(void **state)
{
    (void)state;
    static const haw_probe_spec probes[2] = {{"rope.reaction_start"}, {"rope.reaction_end"}};
    const double h = 7.080815206, v = 7.031118741, weight = 0.1 * 9.81 * 11;
    rig r;
    haw_cable_spec rope = haw_cable_spec_default();
    rope.name = "rope";
    rope.element = "bezier";
    rope.elements = 32;
    rope.from[0] = rope.from[1] = 0;
    rope.to[0] = 10;
    rope.to[1] = -2;
    rope.length = 11;
    rope.stiffness = 4e4;
    rope.density = 0.1;
    const haw_scene scene = {.gravity = {0, -9.81}, .cables = 1, .cable = &rope};
    rig_open(&r);
    r.settings.probes = 2;
    r.settings.probe = probes;
    rig_build(&r, &scene);
    const double *f = haw_simulation_frame(r.simulation)->probe;
    print_message("H %.2e, V %.2e; other end %.2e, %.2e\n", -f[0] / h - 1, f[1] / v - 1,
                  f[2] / h - 1, f[3] / (weight - v) - 1);
    assert_near(f[0], -h, 0, 1e-7);
    assert_near(f[1], v, 0, 1e-7);
    assert_near(f[2], h, 0, 1e-7);
    assert_near(f[3], weight - v, 0, 1e-6); /* the rest of the weight, 1.8e-7 of it each */
    assert_near(f[1] + f[3], weight, 0, 1e-9);
    rig_close(&r);
}

/* ---- results ---- */

static char *read_text(const char *file, const char *path)
{
    const hid_t id = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(id, path, H5P_DEFAULT);
    assert_true(id >= 0 && set >= 0);
    const hid_t type = H5Dget_type(set);
    const size_t size = H5Tget_size(type);
    char *text = calloc(size + 1, 1);
    assert_int_equal(H5Tis_variable_str(type), 0);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(id);
    return text;
}

/* The file says what was really run: --set and defaults are in /hawser/resolved. */
static void results_hold_the_resolved_scenario(void **state)
{
    (void)state;
    scenario_run run;
    char folder[SCRATCH_PATH], file[SCRATCH_PATH + 8], *want = NULL;
    haw_writer *writer = NULL;
    scratch_make(folder);
    (void)snprintf(file, sizeof file, "%s/r.h5", folder);
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "contact.friction=0.123");
    scenario_set(&run, "stepper.end=1e-4");
    scenario_open(&run);
    assert_int_equal(haw_scenario_resolve(run.context, run.scenario, &want), HAW_OK);
    assert_int_equal(
        haw_writer_open(run.context, file, run.scenario, run.model, run.simulation, &writer),
        HAW_OK);
    assert_int_equal(haw_writer_frame(writer, haw_simulation_frame(run.simulation)), HAW_OK);
    assert_int_equal(scenario_try(&run), HAW_OK);
    assert_int_equal(haw_writer_close(writer, &run.summary), HAW_OK);
    char *got = read_text(file, "/hawser/resolved");
    char *original = read_text(file, "/hawser/scenario");
    assert_string_equal(got, want);
    assert_non_null(strstr(got, "0.123"));
    assert_non_null(strstr(got, "gyro_iterations"));
    assert_string_equal(original, run.scenario->text);
    free(got);
    free(original);
    haw_text_free(run.context, want);
    scratch_remove(folder);
    scenario_close(&run);
}

/* Half a turn about a rod on which few elements or many are drawn: they start over it, as their
 * path does, or not at all. One that turns by half a turn has its chord on the other side of the
 * rod. */
static void elements_start_where_their_path_is(void **state)
{
    (void)state;
    static const char *const element[] = {"chain", "bezier", "bezier-c0"};
    int right = 0, wrong = 0;
    for (int i = 0; i < 3 * 2 * 20; i++) {
        const int dimension = 2 + i / 3 % 2, elements = 3 + 4 * (i / 6);
        const bool is_space = dimension == 3;
        char text[1024];
        scenario_run run;
        scenario_init(&run, "rod");
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\n"
            "dimension: %d\n"
            "bodies: [{name: rod, shape: {type: %s, radius: 0.01}, motion: {fixed: true}}]\n"
            "cables: [{name: rope, element: %s, elements: %d, tension: 10, stiffness: 1.0e+4,\n"
            "  density: 0.05, %s from: [0.012, -0.2%s],\n"
            "  path: [{line: [0.012, 0%s]}, {arc: {center: [0, 0%s], radius: 0.012, angle_deg: "
            "180}}, {line: [-0.012, -0.2%s]}]}]\n"
            "contact: [{between: [rope, rod], spacing: 0.005%s}]\n"
            "stepper: {type: moreau-jean, step: 1.0e-4, end: 1.0e-4}\n",
            dimension, is_space ? "cylinder" : "circle", element[i % 3], elements,
            is_space ? "radius: 0.002," : "", is_space ? ", 0" : "", is_space ? ", 0" : "",
            is_space ? ", 0" : "", is_space ? ", 0" : "", is_space ? "" : ", offset: 0.002");
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        if (scenario_build(&run) == HAW_OK) {
            const haw_cable *cable = &run.simulation->model.cable[0];
            haw_cable_point middle;
            cable->ops->point(cable, elements / 2, 0.5, run.simulation->state->q, NULL,
                              HAW_POINT_PLACE, &middle);
            assert_true(middle.x[1] > 0.009);
            right++;
        } else {
            wrong += strstr(haw_context_message(run.context), "on the other side of 'rod'") != NULL;
        }
        scenario_close(&run);
    }
    print_message("%d over the rod, %d beside it\n", right, wrong);
    assert_true(right > 60 && wrong > 8);
}

/* Without a tension or a length a cable begins unstrained as it is drawn, upright as level: one
 * with free ends falls, and nothing in it moves. An equilibrium has the weight in it. */
static void a_cable_that_begins_as_drawn_is_unstrained(void **state)
{
    (void)state;
    static const char *const element[] = {"chain", "bezier", "bezier-c0"};
    static const char *const to[] = {"0, 1", "0, -1", "1, 0"};
    for (int i = 0; i < 3 * 3 * 2; i++) {
        const int dimension = 2 + i / 9;
        char text[512];
        scenario_run run;
        scenario_init(&run, "upright");
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ngravity: [%s0, -9.81]\n"
                       "cables: [{name: rope, element: %s, elements: 8, from: [%s0, 0],\n"
                       "  to: [%s%s], stiffness: 2.0e+4, density: 1,\n"
                       "  ends: {start: free, end: free}}]\n"
                       "start: given\n"
                       "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.1}\n",
                       dimension, dimension == 3 ? "0, " : "", element[i % 3],
                       dimension == 3 ? "0, " : "", dimension == 3 ? "0, " : "", to[i / 3 % 3]);
        run.text = text;
        scenario_open(&run);
        assert_near(run.simulation->ledger.elastic, 0, 1e-20, 0);
        assert_int_equal(scenario_try(&run), HAW_OK);
        assert_near(run.simulation->ledger.elastic, 0, 1e-18, 0);
        assert_near(run.simulation->ledger.kinetic, 0.5 * 0.981 * 0.981, 0, 1e-9);
        scenario_close(&run);
    }
}

TEST_FILE(test_start)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_starts_inside_the_cable_is_refused),
        cmocka_unit_test(a_static_start_keeps_the_velocities_of_bodies),
        cmocka_unit_test(a_drum_in_a_band_brake_turns_until_friction_has_stopped_it),
        cmocka_unit_test(what_is_drawn_along_an_edge_slides_off_it),
        cmocka_unit_test(a_point_deeper_than_a_quarter_of_the_radius_ends_the_run),
        cmocka_unit_test(a_cable_of_more_than_four_radii_per_step_does_not_jump_the_disk),
        cmocka_unit_test(a_run_that_makes_energy_ends),
        cmocka_unit_test(advice_names_options_of_the_stepper),
        cmocka_unit_test(depths_of_a_start_are_certified),
        cmocka_unit_test(depths_of_drawings_are_refused_or_told),
        cmocka_unit_test(elements_are_blamed_for_what_they_cut_off),
        cmocka_unit_test(no_ball_passes_a_sphere_within_a_step),
        cmocka_unit_test(a_rope_is_not_lengthened_without_end),
        cmocka_unit_test(hard_contact_makes_no_energy),
        cmocka_unit_test(a_mooring_line_starts_from_the_seabed),
        cmocka_unit_test(a_disk_lies_on_the_ground_beside_a_string),
        cmocka_unit_test(bodies_start_pressed_together_as_hard_ones),
        cmocka_unit_test(energies_that_overflow_are_said),
        cmocka_unit_test(a_state_of_another_model_is_not_restored),
        cmocka_unit_test(energies_go_on_in_the_same_bits),
        cmocka_unit_test(supports_carry_the_reactions_of_the_catenary),
        cmocka_unit_test(results_hold_the_resolved_scenario),
        cmocka_unit_test(elements_start_where_their_path_is),
        cmocka_unit_test(a_cable_that_begins_as_drawn_is_unstrained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
