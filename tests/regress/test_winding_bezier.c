/* SPDX-License-Identifier: BSD-3-Clause */
/* A Bezier cable whose start is laid on a drum: explicit and implicit steps wind what sticks. */
#include "support/scenario.h"

/* Radius of the centreline times the integral of the spin, two smoothsteps and a plateau. */
static const double wound = 0.202 * 4 * (0.5 + 0.2);

static double wind(const char *element, const char *stepper, double step)
{
    scenario_run run;
    scenario_init(&run, "winding-bezier");
    scenario_set(&run, "cables.yarn.element=%s", element);
    scenario_set(&run, "stepper.type=%s", stepper);
    if (step > 0) {
        scenario_set(&run, "stepper.step=%g", step);
        scenario_set(&run, "stepper.newton_tolerance=1.0e-12");
    }
    scenario_complete(&run);
    const double way = scenario_last(&run, "yarn.position[1:1]", 1) + 2;
    const haw_ledger *ledger = &run.summary.ledger;
    assert_true(fabs(ledger->balance_drift) < 1e-11);
    assert_true(ledger->friction_loss < 1e-3 * 10 * wound); /* what sliding along would cost */
    assert_near(scenario_last(&run, "yarn.tension_mean", 0), 10, 0, 0.03);
    print_message("%s, %s: end moved by %.6f m of %.6f m\n", element, stepper, way, wound);
    scenario_close(&run);
    return way;
}

static void the_end_follows_what_is_wound(void **state)
{
    (void)state;
    const double explicit_c1 = wind("bezier", "moreau", 0);
    const double explicit_c0 = wind("bezier-c0", "moreau", 0);
    const double implicit = wind("bezier", "moreau-jean", 1e-3);
    assert_near(explicit_c1, wound, 0, 5e-4);
    assert_near(explicit_c0, wound, 0, 5e-4);
    assert_near(implicit, explicit_c1, 0, 2e-4);
}

/* The same in the plane, from the drum's rim, and from half a turn that lies on it already. */
static double wind_in_plane(const char *course, const char *stepper, int elements, double step)
{
    char text[1024];
    scenario_run run;
    scenario_init(&run, "winding in the plane");
    snprintf(
        text, sizeof text,
        "hawser: 1\n"
        "bodies: [{name: drum, shape: {type: circle, radius: 0.202}, motion: {spin: {table:"
        " [[0, 0], [0.2, 4], [0.7, 4], [0.9, 0]], ramp: smoothstep}}}]\n"
        "cables: [{name: yarn, element: bezier, elements: %d, %s, tension: 10, stiffness:"
        " 5.0e+3, density: 0.05, damping: {mass: 2}, ends: {start: {body: drum}, end: {tension:"
        " 10, towards: [0, -1]}}}]\n"
        "contact: [{between: [yarn, drum], points_per_element: 4, friction: 0.4}]\n"
        "start: given\nstepper: {type: %s, step: %g, end: 1}\n"
        "output: {every: 1, probes: ['yarn.position[1:1]']}\n",
        elements, course, stepper, step);
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    if (haw_scenario_parse(run.context, "plane", text, 0, NULL, &run.scenario) != HAW_OK ||
        haw_model_build(run.context, &run.scenario->scene, &run.model) != HAW_OK ||
        haw_simulation_create(run.context, run.model, &run.scenario->run, &run.simulation) !=
            HAW_OK ||
        scenario_try(&run) != HAW_OK) {
        fail_msg("%s", haw_context_message(run.context));
    }
    assert_int_equal(run.summary.certificate.unconverged_steps, 0);
    assert_true(run.summary.certificate.joint_drift_max < 1e-8);
    assert_true(fabs(run.summary.ledger.balance_drift) < 1e-11);
    const double way = scenario_last(&run, "yarn.position[1:1]", 1) + 2;
    scenario_close(&run);
    return way;
}

static void a_drum_in_the_plane_winds_too(void **state)
{
    static const char bare[] = "from: [0.202, 0], to: [0.202, -2]";
    static const char laid[] = "from: [-0.202, 0], path: [{arc: {center: [0, 0], radius: 0.202,"
                               " angle_deg: -180}}, {line: [0.202, -2]}]";
    (void)state;
    assert_near(wind_in_plane(bare, "moreau-jean", 20, 1e-3), wound, 0, 1e-3);
    assert_near(wind_in_plane(laid, "moreau-jean", 40, 2e-3), wound, 0, 1e-3);
    assert_near(wind_in_plane(bare, "moreau", 12, 5e-5), wound, 0, 2e-3);
}

TEST_FILE(test_winding_bezier)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_follows_what_is_wound),
        cmocka_unit_test(a_drum_in_the_plane_winds_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
