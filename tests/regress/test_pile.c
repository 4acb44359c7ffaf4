/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that lie across each other: more points of contact than what they act on can tell apart.
 */
#include "model/model.h"
#include "support/scenario.h"

static const char *const places[] = {"cable-1-1.position", "cable-2-2.position",
                                     "cable-3-1.position"};

/* No coordinate of the three places is farther than 1e-9 m from where it was at t. */
static void assert_stays(const scenario_run *run, double t)
{
    for (int k = 0; k < 9; k++) {
        const double from = scenario_at(run, scenario_frame_at(run, t), places[k / 3], k % 3);
        assert_near(scenario_last(run, places[k / 3], k % 3), from, 1e-9, 0);
    }
}

/* Everything comes to rest and stays where it is; the floor carries the weight. */
static void a_pile_comes_to_rest(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "cable-pile");
    scenario_set(&run, "stepper.step=0.01");
    scenario_set(&run, "stepper.end=3");
    scenario_set(&run, "output.every=1");
    scenario_set(&run, "output.probes=[%s, %s, %s, cable-*-floor.normal_sum]", places[0], places[1],
                 places[2]);
    scenario_complete(&run);
    assert_stays(&run, 2);
    double weight = 0;
    for (int i = 0; i < run.model->cables; i++) {
        const haw_line *line = &run.model->cable[i].line;
        weight += 9.81 * line->density * line->le * line->elements;
    }
    assert_near(scenario_last(&run, "cable-*-floor.normal_sum", 0), weight, 0, 1e-7);
    assert_true(run.summary.certificate.residual_max <= 1e-8);
    scenario_close(&run);
}

/* Twenty points to an element, of which those side by side share one force: the six cables of
 * another draw of the pile, with the ends of each along and across. Newton's semismooth steps miss
 * the tolerance in the 39th step; the way through the inside of the cones meets it, without the
 * general solvers, which have but one iteration here. */
static void points_that_share_a_force_do_not_need_another_solver(void **state)
{
    static const double ends[6][4] = {
        {-0.0973, -0.0423, 0.0973, -0.0475}, {-0.0980, 0.0464, 0.1010, 0.0438},
        {-0.0994, -0.0444, 0.1005, -0.0470}, {-0.1004, 0.0444, 0.1013, 0.0480},
        {-0.0973, -0.0447, 0.0997, -0.0464}, {-0.1028, 0.0422, 0.0998, 0.0439}};
    scenario_run run;
    (void)state;
    scenario_init(&run, "cable-pile");
    for (int i = 0; i < 6; i++) {
        const int layer = i / 2, x = layer % 2, y = 1 - x;
        const double z = 0.012 * (1 + 2 * layer), *at = ends[i];
        char name[32];
        (void)snprintf(name, sizeof name, "cables.cable-%d-%d", layer + 1, i % 2 + 1);
        scenario_set(&run, "%s.from=[%g, %g, %g]", name, at[x], at[y], z);
        scenario_set(&run, "%s.to=[%g, %g, %g]", name, at[2 + x], at[2 + y], z);
        scenario_set(&run, "%s.damping.curvature=2", name);
    }
    scenario_set(&run, "contact.cable-*-cable-*.points_per_element=20");
    scenario_set(&run, "contact.cable-*-floor.points_per_element=2");
    scenario_set(&run, "solver.max_iterations=1");
    scenario_set(&run, "stepper.theta=0.7");
    scenario_set(&run, "stepper.step=0.01");
    scenario_set(&run, "stepper.end=0.4");
    scenario_complete(&run);
    assert_true(run.summary.certificate.residual_max <= 1e-8);
    scenario_close(&run);
}

static long count_solves(const char *end)
{
    scenario_run run;
    scenario_init(&run, "cable-pile");
    scenario_set(&run, "stepper.step=0.01");
    scenario_set(&run, "stepper.end=%s", end);
    scenario_complete(&run);
    const long solves = run.summary.sparse.klu_solves + run.summary.sparse.umfpack_solves;
    scenario_close(&run);
    return solves;
}

/* At rest one solve by the factors at hand leads from step to step. */
static void a_step_at_rest_takes_one_solve(void **state)
{
    const int steps = 200;
    (void)state;
    assert_true(count_solves("4") - count_solves("2") <= 1.2 * steps);
}

/* A load that grows so slowly that no step takes more than one pass is borne by the floor, and by
 * nothing else, at all times; so is what it comes back to. */
static void what_rests_bears_a_slow_load(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "cable-pile");
    scenario_set(&run, "stepper.step=0.01");
    scenario_set(&run, "stepper.end=8");
    scenario_set(&run, "output.every=0.5");
    scenario_set(&run, "output.probes=[cable-*-floor.normal_sum]");
    scenario_set(&run,
                 "forces=[{target: cable-3-1, point: 0.4, force: [0, 0, {table: [[0, 0], [2, 0], "
                 "[5, -2], [8, 0]]}]}]");
    scenario_complete(&run);
    double weight = 0;
    for (int i = 0; i < run.model->cables; i++) {
        const haw_line *line = &run.model->cable[i].line;
        weight += 9.81 * line->density * line->le * line->elements;
    }
    for (int k = 5; k <= 16; k++) { /* means over 0.5 s, of loads at theta of each step */
        const double t = 0.5 * k;
        const double load = 2 - 2 * fabs(t - 0.25 + (0.55 - 0.5) * 0.01 - 5) / 3;
        const double borne =
            scenario_at(&run, scenario_frame_at(&run, t), "cable-*-floor.normal_sum", 0);
        assert_near(borne, weight + load, 1e-5, 0);
    }
    assert_true(run.summary.certificate.residual_max <= 1e-8);
    scenario_close(&run);
}

/* From 2 s on for 10 s. */
static void a_pile_stays(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "cable-pile");
    scenario_set(&run, "stepper.step=0.01");
    scenario_set(&run, "stepper.end=12");
    scenario_set(&run, "output.every=0.5");
    scenario_set(&run, "output.probes=[%s, %s, %s]", places[0], places[1], places[2]);
    scenario_complete(&run);
    assert_stays(&run, 2);
    scenario_close(&run);
}

TEST_FILE(test_pile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_comes_to_rest),
        cmocka_unit_test(a_step_at_rest_takes_one_solve),
        cmocka_unit_test(what_rests_bears_a_slow_load),
        cmocka_unit_test(a_pile_stays),
        cmocka_unit_test(points_that_share_a_force_do_not_need_another_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
