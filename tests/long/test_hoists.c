/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes that carry bodies at their ends, on fine meshes: beside a pulley that slips, on a drum. */
#include "support/scenario.h"

/* dT/dphi = mu (T + rho g R sin phi - rho v^2) + rho R a + rho g R cos phi all over the pulley,
 * alpha = R (T1 - T2 - pi rho R a) / J; T1 = exp(mu pi) T2 without weight. */
static void tensions_differ_by_the_friction_of_the_arc(void **state)
{
    static const struct {
        double density, want[4]; /* fall, T1, T2, alpha */
    } rows[] = {
        {0.1, {.542092874, 32.3796999, 17.1698916, 7.46200539}},
        {1e-5, {.64245049644, 28.0223761713, 14.9496039715, 6.5363860999}},
    };

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "atwood");
        scenario_set(&run, "bodies.pulley.inertia=0.4");
        scenario_set(&run, "bodies.heavy.mass=6");
        scenario_set(&run, "bodies.light.mass=1");
        scenario_set(&run, "bodies.light.position=[0.2, -2.5]");
        scenario_set(&run, "cables.rope.path=[{line: [-0.2, 0]}, {arc: {center: [0, 0], radius: "
                           "0.2, angle_deg: -180}}, {line: [0.2, -2.5]}]");
        scenario_set(&run, "cables.rope.elements=240");
        scenario_set(&run, "cables.rope.density=%g", rows[i].density);
        scenario_set(&run, "contact.friction=0.2");
        scenario_set(&run, "stepper={type: moreau-jean, theta: 0.7, step: 2.5e-4, end: 0.55}");
        scenario_set(&run, "output.every=1.0e-3");
        scenario_set(&run, "output.probes=[heavy.position, {name: high, of: contact.tension_out,"
                           " mean_over: 0.1}, {name: low, of: contact.tension_in, mean_over: 0.1},"
                           " {name: moment, of: contact.moment, mean_over: 0.1}]");
        scenario_complete(&run);
        const double *want = rows[i].want;
        const double at = scenario_at(&run, scenario_frame_at(&run, 0.5), "heavy.position", 1);
        const double got[] = {scenario_at(&run, 0, "heavy.position", 1) - at,
                              scenario_last(&run, "contact.tension_out", 0),
                              scenario_last(&run, "contact.tension_in", 0),
                              fabs(scenario_last(&run, "contact.moment", 0)) / 0.4};
        for (int k = 0; k < 4; k++) {
            print_message("density %g: %.8g for %.8g\n", rows[i].density, got[k], want[k]);
        }
        assert_near(got[0], want[0], 0, 2e-3); /* the rope springs back when it is let go */
        for (int k = 1; k < 4; k++) {
            assert_near(got[k], want[k], 0, 1e-3);
        }
        scenario_close(&run);
    }
}

/* A drum that turns by 10 rad lifts the load by its rim, R theta, and takes in R theta / (1 + T /
 * EA) of rope, EA 1e4. */
static void a_drum_takes_in_what_is_not_stretched(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "drum-hoist");
    scenario_set(&run, "bodies.drum.torque=0");
    scenario_set(&run, "bodies.drum.motion={spin: {table: [[0, 0], [3, 1.4285714285714286], [7, "
                       "1.4285714285714286], [10, 0]], ramp: smoothstep}}");
    scenario_set(&run, "cables.rope.stiffness=1.0e+4");
    scenario_set(&run, "cables.rope.density=0.01");
    scenario_set(&run, "contact.law=hard");
    scenario_set(&run, "stepper={type: moreau-jean, theta: 0.7, step: 2.0e-3, end: 14}");
    scenario_set(&run, "output.every=2.0e-3");
    scenario_set(&run, "output.probes=[load.position, contact.contact_length]");
    scenario_complete(&run);
    const double rise =
        scenario_last(&run, "load.position", 1) - scenario_at(&run, 0, "load.position", 1);
    const double taken = scenario_last(&run, "contact.contact_length", 0) -
                         scenario_at(&run, 1, "contact.contact_length", 0);
    print_message("rise %.8g, taken in %.8g\n", rise, taken);
    assert_near(rise, 3, 0, 1e-3);
    assert_near(taken, 2.9708559036, 0, 1e-3);
    scenario_close(&run);
}

/* Where the search sees the weights move away, an automatic start holds them, too.
 * a = (m1 - m2) g / (m1 + m2 + the rope + I / R^2); the wrap ends within a spacing of half a turn.
 */
static void weights_over_a_grooved_sheave_are_held_and_let_go(void **state)
{
    static const char text[] =
        "hawser: 1\n"
        "dimension: 3\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  - {name: sheave, mass: 4, inertias: [0.05, 0.05, 0.08], position: [0, 0, 0],\n"
        "     joint: revolute, shape: {type: groove, profile: v, radius: 0.2, rope_radius: 0.005,\n"
        "     angle_deg: 40, rim: 0.215}}\n"
        "  - {name: heavy, mass: 3, inertia: 0.01, position: [0.2, -0.5, 0]}\n"
        "  - {name: light, mass: 2.5, inertia: 0.01, position: [-0.2, -0.5, 0]}\n"
        "cables:\n"
        "  - {name: rope, element: bezier, elements: 16, radius: 0.005, from: [0.2, -0.5, 0],\n"
        "     path: [{line: [0.2, 0, 0]}, {arc: {center: [0, 0, 0], radius: 0.2, angle_deg: "
        "180}},\n"
        "     {line: [-0.2, -0.5, 0]}], stiffness: 1.0e+5, density: 0.05,\n"
        "     ends: {start: {body: heavy}, end: {body: light}}}\n"
        "contact: [{between: [rope, sheave], friction: 0.2}]\n"
        "stepper: {type: moreau-jean, step: 1.0e-3, end: 0.2}\n"
        "output: {every: 0.1, probes: [sheave.spin, contact.wrap_angle]}\n";
    (void)state;
    scenario_run run;
    scenario_init(&run, "sheave");
    run.text = text;
    scenario_complete(&run);
    const double rope = 0.05 * (1 + 0.2 * 3.14159265358979),
                 a = 0.5 * 9.81 / (5.5 + rope + 0.08 / (0.2 * 0.2));
    assert_near(scenario_last(&run, "sheave.spin", 0), -0.2 * a / 0.2, 0, 0.03);
    for (int i = 0; i < run.frames; i++) { /* at the start, too */
        assert_near(scenario_at(&run, i, "contact.wrap_angle", 0), 3.14159265358979, 0.3, 0);
    }
    scenario_close(&run);
}

TEST_FILE(test_hoists)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensions_differ_by_the_friction_of_the_arc),
        cmocka_unit_test(weights_over_a_grooved_sheave_are_held_and_let_go),
        cmocka_unit_test(a_drum_takes_in_what_is_not_stretched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
