/* SPDX-License-Identifier: BSD-3-Clause */
/* The overhand knot of a frictionless rod (doc/theory/cable-cable.md, M. K. Jawed and others, Phys.
 * Rev. Lett. 115 (2015)): the rod touches itself, and its ends are drawn apart step by step. */
#include "support/scenario.h"

static const double unit = 0.36191; /* B / h^2 [N] */

static const char *const knot =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  - {name: left, position: [-0.3, 0, 0], motion: {fixed: true}}\n"
    "  - {name: right, position: [0.3, 0, 0], motion: {velocity: [4.0e-3, 0, 0]}}\n"
    "cables:\n"
    "  - name: rod\n"
    "    element: ancf\n"
    "    elements: 80\n"
    "    path: [{file: ../knots/drawn_n1.csv}]\n"
    "    stiffness: 1.448\n"
    "    bending_stiffness: 9.265e-7\n"
    "    density: 9.49e-3\n"
    "    radius: 1.6e-3\n"
    "    ends: {start: {body: left, clamped: true}, end: {body: right, clamped: true}}\n"
    "contact: [{between: [rod, rod], points_per_element: 10}]\n"
    "start: static\n"
    "stepper: {type: quasi-static, step: 0.1, end: 12.5}\n"
    "output: {every: 0.1, probes: [contact.normal_sum, rod.reaction_end.x, rod.writhe]}\n";

/* Mean of a probe where the ends are as far apart as at t, within 5 mm. */
static double mean_about(const scenario_run *run, const char *probe, double t)
{
    const int from = scenario_frame_at(run, t - 1), to = scenario_frame_at(run, t);
    double sum = 0;
    for (int k = from; k <= to; k++) {
        sum += scenario_at(run, k, probe, 0) / (to - from + 1);
    }
    return sum;
}

static void an_overhand_knot_has_its_force(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "knot");
    run.text = knot;
    scenario_complete(&run);
    /* ends 0.648 m apart: between the rows of 0.35 and 0.36 of data/knots/ref_n1_mu0.csv */
    assert_near(mean_about(&run, "rod.reaction_end.x", 12.5), 5.03e-4 * unit, 0, 0.03);
    assert_near(mean_about(&run, "contact.normal_sum", 12.5), 4.42e-3 * unit, 0, 0.03);
    /* nothing has passed through: a knot that opens loses its writhe of 3 */
    assert_near(scenario_last(&run, "rod.writhe", 0), -3.02, 0.02, 0);
    assert_true(run.summary.certificate.penetration_max < 5e-6);
    scenario_close(&run);
}

TEST_FILE(test_knot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overhand_knot_has_its_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
