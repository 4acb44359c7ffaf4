/* SPDX-License-Identifier: BSD-3-Clause */
/* The first steps of knots against rows of data/knots, which tell the means of the ways that end
 * there; all of their way is in tests/long/test_knot.c. */
#include "support/strands.h"

static const double unit = 0.36191;    /* B / h^2 [N] */
static const double diameter = 3.2e-3; /* [m] */

/* No place of the rod comes nearer to another one than the diameter, at the end of any step. */
static void keep_apart(scenario_run *run, const char *name, double *least)
{
    scenario_init(run, name);
    *least = HUGE_VAL;
    run->look = strands_look;
    run->user = least;
}

static void check_apart(const scenario_run *run, double least)
{
    print_message("least distance of centrelines: the diameter and %.2g of it\n", least - 1);
    assert_true(least > 1 - 1e-6);
    assert_true(run->summary.certificate.penetration_points_max < 1e-6 * diameter);
    /* as it is drawn */
    assert_true(run->summary.certificate.penetration_max < 2e-3 * diameter);
}

static void a_loose_knot_has_its_force(void **state)
{
    scenario_run run;
    double least;
    (void)state;
    keep_apart(&run, "knot-trefoil", &least);
    scenario_set(&run, "stepper.end=3.6");
    scenario_complete(&run);
    /* the row of 0.38375 m is that of the way from 0.38812 */
    const int frame = scenario_frame_at(&run, 3.6);
    const double force = scenario_at(&run, frame, "rod.reaction_end.x", 0);
    assert_near(force, 4.201938e-4 * unit, 0, 0.01);
    assert_near(scenario_at(&run, frame, "contact.normal_sum", 0), 3.773669e-3 * unit, 0, 0.02);
    /* the work of the pull is what the rod stores */
    assert_true(fabs(run.summary.ledger.balance_drift) < 1e-10);
    check_apart(&run, least);
    assert_near(scenario_last(&run, "rod.link", 0), -3.03, 0.03, 0); /* nothing passed through */
    scenario_close(&run);
}

/* Springs so stiff that they press as hard contact does: what is foreseen is near, and a loose knot
 * has many equilibria, which differ by where its points lie on one another. */
static void a_loose_knot_has_its_force_on_springs(void **state)
{
    (void)state;
    for (int minima = 0; minima < 2; minima++) {
        scenario_run run;
        scenario_init(&run, "knot-trefoil");
        scenario_set(&run, "contact.law=penalty");
        scenario_set(&run, "contact.per=length");
        scenario_set(&run, "contact.normal_stiffness=1.0e+8");
        scenario_set(&run, "contact.proxy=%s", minima ? "minima" : "points");
        scenario_set(&run, "stepper.end=3.6");
        scenario_open(&run);
        assert_int_equal(scenario_try(&run), HAW_OK);
        /* a step that failed was gone in halves, which did not */
        const haw_certificate *certificate = &run.summary.certificate;
        assert_true(certificate->unconverged_steps <= certificate->rejected_steps);
        const int frame = scenario_frame_at(&run, 3.6);
        assert_near(scenario_at(&run, frame, "rod.reaction_end.x", 0), 4.201938e-4 * unit, 0, 0.02);
        assert_near(scenario_at(&run, frame, "contact.normal_sum", 0), 3.773669e-3 * unit, 0, 0.02);
        scenario_close(&run);
    }
}

/* Where halving is asked for, steps in which something moves further than it may are gone in parts.
 */
static void what_is_too_fast_is_gone_in_parts(void **state)
{
    (void)state;
    double force[2];
    for (int halves = 0; halves < 2; halves++) {
        scenario_run run;
        scenario_init(&run, "knot-trefoil");
        scenario_set(&run, "stepper.end=1.2");
        scenario_set(&run, "solver.on_unconverged=%s", halves ? "halve" : "stop");
        scenario_set(&run, "contact.speed_limit=%g", halves ? 0.005 : 0.25);
        scenario_complete(&run);
        force[halves] = scenario_last(&run, "rod.reaction_end.x", 0);
        assert_true((run.summary.certificate.rejected_steps > 0) == halves);
        assert_int_equal(run.summary.certificate.unconverged_steps, 0);
        scenario_close(&run);
    }
    assert_near(force[1], force[0], 0, 1e-3);
}

/* A braid of nine half turns, whose strands lie side by side. */
static void four_turns_have_their_force(void **state)
{
    scenario_run run;
    double least;
    (void)state;
    keep_apart(&run, "knot-overhand-4", &least);
    scenario_set(&run, "stepper.end=0.4");
    scenario_complete(&run);
    /* between the middles of the rows of 0.459375 and 0.455 m: 0.4606 m */
    const int frame = scenario_frame_at(&run, 0.4);
    const double force = scenario_at(&run, frame, "rod.reaction_end.x", 0);
    assert_near(force, (0.78 * 2.152162e-3 + 0.22 * 2.214509e-3) * unit, 0, 0.02);
    assert_near(scenario_at(&run, frame, "contact.normal_sum", 0),
                (0.78 * 0.1559216 + 0.22 * 0.1596846) * unit, 0, 0.005);
    check_apart(&run, least);
    assert_near(scenario_last(&run, "rod.link", 0), -9.23, 0.03, 0); /* nothing passed through */
    scenario_close(&run);
}

TEST_FILE(test_knot_start)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loose_knot_has_its_force),
        cmocka_unit_test(a_loose_knot_has_its_force_on_springs),
        cmocka_unit_test(what_is_too_fast_is_gone_in_parts),
        cmocka_unit_test(four_turns_have_their_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
