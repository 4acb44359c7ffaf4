/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole winding suite with the default solver from a cold start, and the cost of a Newton step
 * against the length of the cable, in counted operations (times are for `make bench-compare`).
 */
#include "bench/suite.h"
#include "support/near.h"
#include "support/validation.h"

enum { PROBLEMS_MAX = 64 };

typedef struct run {
    haw_context *context;
    haw_arena arena;
    haw_winding winding[PROBLEMS_MAX];
    haw_trial trial[PROBLEMS_MAX];
    haw_solver_settings settings;
    haw_suite suite;
    haw_suite_summary summary;
} run;

static void open_run(run *r)
{
    *r = (run){0};
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    haw_arena_init(&r->arena, r->context);
    assert_int_equal(haw_solver_settings_init(r->context, "auto", &r->settings), HAW_OK);
    r->suite = (haw_suite){.solvers = 1, .winding = r->winding, .settings = &r->settings};
}

static void go(run *r)
{
    assert_int_equal(haw_suite_run(&r->arena, &r->suite, &(haw_suite_observer){0}, r->trial),
                     HAW_OK);
    assert_int_equal(haw_suite_summarize(r->context, &r->suite, 0, r->trial, &r->summary), HAW_OK);
}

static void close_run(run *r)
{
    haw_arena_fini(&r->arena);
    haw_context_free(r->context);
}

static double allowed(const char *quantity)
{
    double reference, tolerance;

    assert_true(haw_validation("winding-suite", quantity, &reference, &tolerance));
    return reference;
}

static void the_suite_is_solved_in_few_newton_steps(void **state)
{
    run r;

    (void)state;
    open_run(&r);
    r.suite.problems = haw_winding_suite_count();
    assert_int_equal(r.suite.problems, 56);
    for (int i = 0; i < r.suite.problems; i++) {
        r.winding[i] = haw_winding_suite(i);
    }
    go(&r);
    print_message("%d solved, factorizations: median %g, 90 %% %g, most %g; CPU %.2f s\n",
                  r.summary.solved, r.summary.newton_median, r.summary.newton_p90,
                  r.summary.newton_max, r.summary.cpu_seconds);
    assert_int_equal(r.summary.solved, 56);
    assert_int_equal(r.summary.solved_relative, 56);
    assert_int_equal(r.summary.newton_solves, 56);
    assert_true(r.summary.newton_median <= allowed("Newton iterations median"));
    assert_true(r.summary.newton_p90 <= allowed("Newton iterations 90 %"));
    assert_true(r.summary.newton_max <= allowed("Newton iterations most"));
    close_run(&r);
}

/* Lengths, stiffness, friction and loads that are not in the suite. */
static void windings_outside_of_the_suite_are_solved_as_well(void **state)
{
    const int nodes[] = {20, 77, 333, 1500};
    const double kappa[] = {3.0, 3.0e3, 3.0e5, 1.0e7}, friction[] = {0.0, 0.05, 0.25, 1.5};
    run r;

    (void)state;
    open_run(&r);
    for (int i = 0; i < 32; i++) {
        r.winding[i] = (haw_winding){.dimension = i < 24 ? 3 : 2,
                                     .nodes = nodes[i % 4],
                                     .layers = i % 3 == 0 ? 2 : 1,
                                     .kappa = kappa[(i / 4) % 4],
                                     .friction = friction[(i + i / 4 + i / 16) % 4],
                                     .seed = (unsigned long)i + 100};
    }
    r.suite.problems = 32;
    go(&r);
    print_message("%d solved, factorizations: median %g, most %g\n", r.summary.solved,
                  r.summary.newton_median, r.summary.newton_max);
    assert_int_equal(r.summary.solved, 32);
    assert_int_equal(r.summary.solved_relative, 32);
    assert_true(r.summary.newton_max <= allowed("Newton iterations most"));
    close_run(&r);
}

static void a_newton_step_costs_time_linear_in_the_length(void **state)
{
    run r;
    double cost[2];

    (void)state;
    open_run(&r);
    for (int i = 0; i < 2; i++) {
        r.winding[i] = (haw_winding){.dimension = 3,
                                     .nodes = i == 0 ? 1000 : 5000,
                                     .layers = 1,
                                     .kappa = 1.0e4,
                                     .friction = 0.4,
                                     .seed = 1};
    }
    r.suite.problems = 2;
    go(&r);
    for (int i = 0; i < 2; i++) {
        const haw_effort *effort = &r.trial[i].report.effort;

        cost[i] = effort->newton_flops / effort->factorizations;
    }
    print_message("operations of a Newton step, 5000 over 1000 nodes: %.2f\n", cost[1] / cost[0]);
    assert_true(cost[1] / cost[0] <= allowed("operations of a step 5000 over 1000 nodes"));
    close_run(&r);
}

TEST_FILE(test_winding_suite)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_is_solved_in_few_newton_steps),
        cmocka_unit_test(windings_outside_of_the_suite_are_solved_as_well),
        cmocka_unit_test(a_newton_step_costs_time_linear_in_the_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
