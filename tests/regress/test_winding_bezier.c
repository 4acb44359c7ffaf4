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

TEST_FILE(test_winding_bezier)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_follows_what_is_wound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
