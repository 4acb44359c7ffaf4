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

static void a_pulley_that_sticks_moves_with_the_rope(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "atwood");
    scenario_set(&run, "stepper.newton_tolerance=1.0e-13");
    scenario_complete(&run);
    assert_near(fallen(&run, "heavy.position", 0.4), .11146432, 0, 3e-4);
    assert_near(fallen(&run, "heavy.position", 0.6), .2520852, 0, 3e-4);
    const int frame = scenario_frame_at(&run, 0.4);
    assert_near(scenario_at(&run, frame, "heavy.velocity", 1), -.559611079, 0, 5e-4);
    assert_near(scenario_at(&run, frame, "light.velocity", 1), .559611079, 0, 5e-4);
    assert_near(scenario_at(&run, frame, "pulley.spin", 0) * 0.2, .559611079, 0, 1e-3);
    assert_near(scenario_last(&run, "heavy.velocity", 1), -.848042787, 0, 5e-4);
    assert_near(run.summary.ledger.balance_error, 0, 1e-12 * 36, 0); /* of the energy */
    assert_true(run.summary.certificate.joint_drift_max < 1e-10);
    scenario_close(&run);
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
    scenario_complete(&run);
    assert_near(fallen(&run, "load.position", 1), .2820151101, 0, 3e-4);
    assert_near(fallen(&run, "load.position", 1.5), .6385983016, 0, 3e-4);
    assert_near(scenario_last(&run, "load.velocity", 1), .868396627, 0, 1e-3);
    assert_near(scenario_last(&run, "drum.angle", 0) * 0.3, .6385983016, 0, 5e-4);
    assert_near(scenario_last(&run, "rope.reaction_end", 1), -10 * (9.81 + .6628189), 0, 5e-3);
    assert_near(run.summary.ledger.balance_error, 0, 1e-8, 0);
    assert_true(run.summary.certificate.joint_drift_max < 1e-10);
    scenario_close(&run);
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

TEST_FILE(test_hoists)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulley_that_sticks_moves_with_the_rope),
        cmocka_unit_test(so_it_does_with_hard_contact),
        cmocka_unit_test(a_pulley_that_is_too_heavy_slips),
        cmocka_unit_test(a_torque_lifts_the_load),
        cmocka_unit_test(a_drum_takes_in_its_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
