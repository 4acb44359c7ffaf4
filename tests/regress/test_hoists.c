/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes that carry bodies at their ends: over a pulley that friction turns, on a drum that a torque
 * turns. */
#include "support/scenario.h"

static double fallen(const scenario_run *run, const char *probe, double t)
{
    const int frame = scenario_frame_at(run, t);
    return fabs(scenario_at(run, frame, probe, 1) - scenario_at(run, 0, probe, 1));
}

/* ---- Atwood's machine ---- */

/* Tensions beside the pulley, means of 0.04 s: they vibrate. */
static void check_tensions(const scenario_run *run, double t, double high, double low)
{
    const int frame = scenario_frame_at(run, t);
    assert_near(scenario_at(run, frame, "contact.tension_out", 0), high, 0, 1e-3);
    assert_near(scenario_at(run, frame, "contact.tension_in", 0), low, 0, 1e-3);
}

static void record_tensions(scenario_run *run)
{
    scenario_set(run, "output.every=1.0e-3");
    scenario_set(run, "output.probes=[heavy.position, heavy.velocity, light.velocity, pulley.spin,"
                      " {name: high, of: contact.tension_out, mean_over: 0.04},"
                      " {name: low, of: contact.tension_in, mean_over: 0.04}]");
}

static void a_pulley_that_sticks_moves_with_the_rope(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    record_tensions(&run);
    scenario_complete(&run);
    check_tensions(&run, 0.42, 26.0964204, 24.5851159);
    check_tensions(&run, 0.6, 26.0788619, 24.5214721);
    assert_near(fallen(&run, "heavy.position", 0.4), .11146432, 0, 3e-4);
    assert_near(fallen(&run, "heavy.position", 0.6), .2520852, 0, 3e-4);
    const int frame = scenario_frame_at(&run, 0.4);
    assert_near(scenario_at(&run, frame, "heavy.velocity", 1), -.559611079, 0, 5e-4);
    assert_near(scenario_at(&run, frame, "light.velocity", 1), .559611079, 0, 5e-4);
    assert_near(scenario_at(&run, frame, "pulley.spin", 0) * 0.2, .559611079, 0, 1e-3);
    assert_near(scenario_last(&run, "heavy.velocity", 1), -.848042787, 0, 5e-4);
    assert_near(run.summary.ledger.balance_error, 0, 1e-12 * run.summary.ledger.kinetic, 0);
    assert_true(run.summary.certificate.joint_drift_max < 1e-10);
    scenario_close(&run);
}

/* (m1 - m2) g / (m1 + m2 + J / R^2) = 1.635 m/s^2. */
static void so_it_does_with_a_rope_that_weighs_nothing(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    scenario_set(&run, "cables.rope.density=1.0e-6");
    scenario_set(&run, "stepper.theta=0.7");
    scenario_set(&run, "stepper.step=5.0e-4");
    scenario_set(&run, "stepper.end=0.42");
    record_tensions(&run);
    scenario_complete(&run);
    const int frame = scenario_frame_at(&run, 0.4);
    assert_near(fallen(&run, "heavy.position", 0.4), 0.5 * 1.635 * 0.16, 0, 5e-4);
    assert_near(scenario_at(&run, frame, "heavy.velocity", 1), -0.654, 0, 5e-4);
    assert_near(scenario_at(&run, frame, "pulley.spin", 0) * 0.2, 0.654, 0, 1e-3);
    check_tensions(&run, 0.42, 24.525, 22.89);
    scenario_close(&run);
}

/* Newton's method finds the velocities of what weighs little from where the last step led. */
static void so_it_does_at_long_steps(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    scenario_set(&run, "cables.rope.density=1.0e-4");
    scenario_set(&run, "stepper.theta=1");
    scenario_set(&run, "stepper.end=0.4");
    scenario_complete(&run);
    const double pull = 9.81 * (1 - 1e-4), mass = 6 + 1e-4 * (3 + 0.2 * acos(-1));
    assert_near(scenario_last(&run, "heavy.velocity", 1), -0.4 * pull / mass, 0, 5e-4);
    scenario_close(&run);
}

/* Before it is let go the rope has the weight that hangs on it, frictionless, all over. */
static void ropes_of_any_weight_have_a_static_start(void **state)
{
    static const struct {
        const char *element, *law;
        int elements;
        double density, stiffness;
    } rows[] = {{"bezier", "penalty", 120, 1e-6, 1e6}, {"bezier", "hard", 120, 1e-8, 1e6},
                {"ancf", "penalty", 120, 1e-8, 1e6},   {"chain", "penalty", 240, 0.1, 1e6},
                {"chain", "hard", 480, 1e-6, 1e6},     {"bezier", "penalty", 120, 1e-5, 1e4}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scenario_run run;
        scenario_init(&run, "atwood");
        scenario_set(&run, "cables.rope.element=%s", rows[i].element);
        scenario_set(&run, "cables.rope.elements=%d", rows[i].elements);
        scenario_set(&run, "cables.rope.density=%g", rows[i].density);
        scenario_set(&run, "cables.rope.stiffness=%g", rows[i].stiffness);
        scenario_set(&run, "contact.law=%s", rows[i].law);
        scenario_set(&run, "contact.points_per_element=%d", rows[i].elements > 120 ? 1 : 2);
        scenario_set(&run, "stepper.end=1.0e-6");
        scenario_set(&run, "stepper.step=1.0e-6");
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        const double rope = 9.81 * rows[i].density;
        assert_near(scenario_at(&run, 0, "rope.tension_end", 0),
                    2 * 9.81 + rope * 0.5 * 3.628 / rows[i].elements, 0, 1e-5);
        assert_near(scenario_at(&run, 0, "rope.tension_start", 0), 2 * 9.81 + rope, 0, 1e-3);
        scenario_close(&run);
    }
}

/* Set-valued contact, whose static start goes by springs that grow. */
static void so_it_does_with_hard_contact(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    scenario_set(&run, "contact.law=hard");
    scenario_set(&run, "stepper.end=0.4");
    scenario_complete(&run);
    assert_near(fallen(&run, "heavy.position", 0.4), .11146432, 0, 1e-3);
    assert_near(scenario_last(&run, "heavy.velocity", 1), -.559611079, 0, 1e-3);
    scenario_close(&run);
}

/* dT/dphi = mu (T + rho g R sin phi - rho v^2) + rho R a + rho g R cos phi all over the pulley. Its
 * spin is the integral of R (T1 - T2 - pi rho R a) / J, which falls like v^2. */
static void a_pulley_that_is_too_heavy_slips(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    scenario_set(&run, "bodies.pulley.inertia=0.4");
    scenario_set(&run, "bodies.heavy.mass=6");
    scenario_set(&run, "bodies.light.mass=1");
    scenario_set(&run, "bodies.light.position=[0.2, -2.5]");
    scenario_set(&run, "cables.rope.path=[{line: [-0.2, 0]}, {arc: {center: [0, 0], radius: 0.2,"
                       " angle_deg: -180}}, {line: [0.2, -2.5]}]");
    scenario_set(&run, "contact.friction=0.2");
    scenario_set(&run, "cables.rope.stiffness=1.0e+7");
    scenario_set(&run, "stepper.theta=0.7");
    scenario_set(&run, "stepper.step=5.0e-4");
    scenario_set(&run, "stepper.end=0.5");
    scenario_complete(&run);
    assert_near(fallen(&run, "heavy.position", 0.5), .542092874, 0, 1e-3);
    assert_near(scenario_last(&run, "heavy.velocity", 1), -2.1894171, 0, 1e-3);
    const double spin = 0.5 * (7.87019084 - (7.87019084 - 7.46200539) / 3);
    assert_near(scenario_last(&run, "pulley.spin", 0), spin, 0, 1e-3);
    scenario_close(&run);
}

/* ---- a drum ---- */

static void a_torque_lifts_the_load(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "drum-hoist");
    scenario_set(&run, "output.probes=[load.position, load.velocity, drum.angle, rope.reaction_end,"
                       " {name: exit, of: contact.tension_in, mean_over: 0.1}]");
    scenario_set(&run, "output.every=1.0e-2");
    scenario_complete(&run);
    assert_near(scenario_at(&run, scenario_frame_at(&run, 1.05), "contact.tension_in", 0),
                128.3347242, 0, 1e-3);
    assert_near(scenario_last(&run, "contact.tension_in", 0), 127.5662743, 0, 1e-3);
    assert_near(fallen(&run, "load.position", 1), .2820151101, 0, 3e-4);
    assert_near(fallen(&run, "load.position", 1.5), .6385983016, 0, 3e-4);
    assert_near(scenario_last(&run, "load.velocity", 1), .868396627, 0, 1e-3);
    assert_near(scenario_last(&run, "drum.angle", 0) * 0.3, .6385983016, 0, 5e-4);
    assert_near(scenario_last(&run, "rope.reaction_end", 1), -10 * (9.81 + .6628189), 0, 5e-3);
    assert_near(run.summary.ledger.balance_error, 0, 1e-8, 0);
    assert_true(run.summary.certificate.joint_drift_max < 1e-10);
    scenario_close(&run);
}

/* a = (tau / R - m g) / (m + J / R^2), T = m (g + a), of a rope that weighs nothing; two turns are
 * wound where the load goes down. */
static void a_load_on_a_rope_that_weighs_nothing_follows_the_torque(void **state)
{
    static const struct {
        double torque, a, tension;
        const char *wound, *side;
    } rows[] = {{40, 2.265, 120.75, "-360", "contact.tension_in"},
                {20, -2.0207142857, 77.8928571429, "-720", "contact.tension_out"}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "drum-hoist");
        scenario_set(&run, "bodies.drum.torque=%g", rows[i].torque);
        scenario_set(&run, "cables.rope.density=1.0e-6");
        scenario_set(&run,
                     "cables.rope.path=[{arc: {center: [0, 0], radius: 0.3, angle_deg: %s}},"
                     " {line: [0.3, -5]}]",
                     rows[i].wound);
        scenario_set(&run, "stepper.theta=0.7");
        scenario_set(&run, "stepper.step=5.0e-4");
        scenario_set(&run, "stepper.end=0.55");
        scenario_set(&run, "output.every=1.0e-2");
        scenario_set(&run,
                     "output.probes=[load.position, load.velocity,"
                     " {name: rope, of: %s, mean_over: 0.1}]",
                     rows[i].side);
        scenario_complete(&run);
        const int frame = scenario_frame_at(&run, 0.5);
        assert_near(fallen(&run, "load.position", 0.5), fabs(0.125 * rows[i].a), 0, 1e-3);
        assert_near(scenario_at(&run, frame, "load.velocity", 1), 0.5 * rows[i].a, 0, 1e-3);
        assert_near(scenario_last(&run, rows[i].side, 0), rows[i].tension, 0, 1e-3);
        scenario_close(&run);
    }
}

/* A rope that hardly stretches goes up by what the drum takes in. */
static void a_drum_takes_in_its_rim(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "drum-hoist");
    scenario_set(&run, "bodies.drum.torque=0");
    scenario_set(
        &run, "bodies.drum.motion={spin: {table: [[0, 0], [0.5, 2], [1, 0]], ramp: smoothstep}}");
    scenario_complete(&run);
    assert_near(fallen(&run, "load.position", 1.5), 0.3, 0, 2e-4);
    scenario_close(&run);
}

/* ---- what holds an arm ---- */

/* A weight and a rope hang on the rim of a wheel that is driven, a bob on a joint on its other
 * side: its torque is the sum of their moments, in the first frame of every run as well, with or
 * without contact, and of the equilibrium alone. */
static void the_torque_of_a_driven_arm_carries_what_hangs_on_it(void **state)
{
    static const char *const how[] = {
        "static}",
        "quasi-static, step: 0.05, end: 0.1}",
        "moreau-jean, step: 1.0e-3, end: 0.02}",
        "moreau, step: 1.0e-5, end: 0.01}",
        "nsga, step: 1.0e-3, end: 0.02}",
    };
    (void)state;
    for (int i = 0; i < 10; i++) {
        char text[2048];
        scenario_run run;
        const char *z = i % 2 == 0 ? "" : ", 0", *round = i % 2 == 0 ? "circle" : "cylinder";
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\ndimension: %d\ngravity: [0, -9.81%s]\nbodies:\n"
            "  - {name: arm, shape: {type: %s, radius: 0.2}, joint: revolute, motion: {spin: "
            "{table: "
            "[[0.1, 0], [0.3, 1]]}}}\n"
            "  - {name: weight, mass: 3, inertia: 0.01, position: [0.2, -1%s], joint: "
            "translation}\n"
            "  - {name: bob, mass: 1, inertia: 0.01, position: [-0.1, 0%s]}\n"
            "cables: [{name: rope, elements: 10, from: [0.2, 0%s], to: [0.2, -1%s], stiffness: "
            "1.0e+4, "
            "density: 0.1, length: 1, ends: {start: {body: arm}, end: {body: weight}}}]\n"
            "joints: [{name: f, type: fixed, between: [{body: arm, at: [-0.1, 0%s]}, {body: bob, "
            "at: "
            "[0, 0%s]}]}]\nstart: static\nstepper: {type: %s\n"
            "output: {every: 0.005, probes: [arm.torque]}\n",
            2 + i % 2, z, round, z, z, z, z, z, z, how[i / 2]);
        scenario_init(&run, "arm");
        run.text = text;
        scenario_complete(&run);
        const double want = (3.1 * 0.2 - 1 * 0.1) * 9.81;
        if (i / 2 > 0) { /* an equilibrium is the second frame of its run, behind what is drawn */
            assert_near(scenario_at(&run, 0, "arm.torque", 0), want, 0, 1e-9);
        }
        assert_near(scenario_last(&run, "arm.torque", 0), want, 0, 1e-9);
        scenario_close(&run);
    }
}

TEST_FILE(test_hoists)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulley_that_sticks_moves_with_the_rope),
        cmocka_unit_test(so_it_does_with_a_rope_that_weighs_nothing),
        cmocka_unit_test(so_it_does_at_long_steps),
        cmocka_unit_test(ropes_of_any_weight_have_a_static_start),
        cmocka_unit_test(so_it_does_with_hard_contact),
        cmocka_unit_test(a_pulley_that_is_too_heavy_slips),
        cmocka_unit_test(a_torque_lifts_the_load),
        cmocka_unit_test(a_load_on_a_rope_that_weighs_nothing_follows_the_torque),
        cmocka_unit_test(a_drum_takes_in_its_rim),
        cmocka_unit_test(the_torque_of_a_driven_arm_carries_what_hangs_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
