/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/global_problem.h"
#include "support/random.h"
#include "support/rows.h"

#include <stdlib.h>

static void set_option(haw_solver_settings *settings, const char *key, const char *value)
{
    const haw_option *table = settings->ops->row.options;
    const haw_option *row = haw_options_find(table, key);

    assert_int_equal(
        row->type == HAW_OPTION_BOOL
            ? haw_options_set_text(NULL, table, settings->options, key, value)
            : haw_options_set_real(NULL, table, settings->options, key, strtod(value, NULL)),
        HAW_OK);
}

static haw_report solve_problem(const haw_problem *problem, const char *key, const char *value,
                                double *r)
{
    haw_solver_settings settings;
    haw_report report;
    double u[PROBLEM_ROWS];

    assert_int_equal(haw_solver_settings_init(NULL, "pgs", &settings), HAW_OK);
    settings.options[0] = 1.0e-12; /* the tolerance leads */
    if (key != NULL) {
        set_option(&settings, key, value);
    }
    assert_int_equal(haw_solve(problem, &settings, rows_workspace(), r, u, &report), HAW_OK);
    return report;
}

static haw_report solve(const small_problem *s, const char *key, const char *value, double *r)
{
    return solve_problem(&s->problem, key, value, r);
}

static void one_contact_takes_one_sweep(void **state)
{
    uint64_t seed = 33;

    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        small_problem s;
        double r[3] = {0};

        small_problem_init(&s, 2 + trial % 2, 1);
        small_problem_random(&s, 6, 0.3, 0.5, &seed);
        const haw_report report = solve(&s, NULL, NULL, r);

        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_int_equal(report.iterations, 1);
    }
}

/* A wedged contact: W_NN - mu W_NT < 0, sliding with growing pressure; it must stick. */
static void a_jammed_contact_sticks(void **state)
{
    small_problem s;
    double r[2] = {0};

    (void)state;
    small_problem_init(&s, 2, 1);
    s.value[0] = 1.0;
    s.value[1] = 1.5;
    s.value[2] = 1.5;
    s.value[3] = 4.0;
    s.q[0] = -1.0;
    s.q[1] = 50.0;
    s.mu[0] = 2.0;
    const haw_report report = solve(&s, NULL, NULL, r);
    const double det = 1.0 * 4.0 - 1.5 * 1.5;

    assert_int_equal(report.outcome, HAW_CONVERGED);
    assert_near(r[0], (4.0 + 1.5 * 50.0) / det, 0.0, 1.0e-12);
    assert_near(r[1], -(1.5 + 50.0) / det, 0.0, 1.0e-12);
}

static void relaxation_and_direction_do_not_change_the_answer(void **state)
{
    const char *const relaxations[] = {"0.1", "0.5", "1.2", "1.5"};
    uint64_t seed = 34;

    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        const int d = 2 + trial % 2, n = 4;
        small_problem s;
        double want[PROBLEM_ROWS] = {0}, r[PROBLEM_ROWS] = {0};

        small_problem_init(&s, d, n);
        small_problem_random(&s, 4 * d * n / 2, 0.5, 0.5, &seed);
        assert_int_equal(solve(&s, NULL, NULL, want).outcome, HAW_CONVERGED);
        assert_int_equal(solve(&s, "symmetric", "true", r).outcome, HAW_CONVERGED);
        assert_near(enum_distance(d * n, r, want), 0.0, 1.0e-10, 0.0);
        for (int k = 0; k < 4; k++) {
            memset(r, 0, sizeof r);
            assert_int_equal(solve(&s, "relaxation", relaxations[k], r).outcome, HAW_CONVERGED);
            assert_near(enum_distance(d * n, r, want), 0.0, 1.0e-10, 0.0);
        }
    }
}

/* Lane of masses that push one another: slow for Gauss-Seidel, faster with over-relaxation. */
static void over_relaxation_helps_a_stiff_chain(void **state)
{
    const int n = 8;
    small_problem s;
    double plain[PROBLEM_ROWS] = {0}, relaxed[PROBLEM_ROWS] = {0};

    (void)state;
    small_problem_init(&s, 2, n);
    for (int c = 0; c < n; c++) {
        *small_problem_entry(&s, 2 * c, 2 * c) = 2.0;
        *small_problem_entry(&s, 2 * c + 1, 2 * c + 1) = 2.0;
        if (c + 1 < n) {
            *small_problem_entry(&s, 2 * c, 2 * c + 2) = -1.0;
            *small_problem_entry(&s, 2 * c + 2, 2 * c) = -1.0;
        }
        s.q[2 * c] = -1.0;
    }
    const haw_report one = solve(&s, NULL, NULL, plain);
    const haw_report two = solve(&s, "relaxation", "1.4", relaxed);

    assert_int_equal(one.outcome, HAW_CONVERGED);
    assert_int_equal(two.outcome, HAW_CONVERGED);
    assert_true(2 * two.iterations < one.iterations);
    /* tridiagonal (-1, 2, -1) r = 1: r_c = c (n + 1 - c) / 2 */
    for (int c = 0; c < n; c++) {
        assert_near(plain[2 * c], 0.5 * (c + 1) * (n - c), 0.0, 1.0e-10);
        assert_near(relaxed[2 * c], 0.5 * (c + 1) * (n - c), 0.0, 1.0e-10);
    }
}

static void over_relaxed_iterates_lie_in_the_cone(void **state)
{
    uint64_t seed = 35;

    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        haw_solver_settings settings;
        haw_report report;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2 + trial % 2, 5);
        small_problem_random(&s, 9, 0.0, 2.0, &seed);
        assert_int_equal(haw_solver_settings_init(NULL, "pgs", &settings), HAW_OK);
        set_option(&settings, "relaxation", "1.8");
        set_option(&settings, "max_iterations", "3");
        assert_int_equal(haw_solve(&s.problem, &settings, rows_workspace(), r, u, &report), HAW_OK);
        assert_near(report.residual.cone, 0.0, 1.0e-14, 0.0);
    }
}

/* More rows than degrees of freedom and much friction: whole corrections run in a circle. */
static void damping_ends_a_circle(void **state)
{
    uint64_t seed = 121;
    small_problem s;
    double r[PROBLEM_ROWS] = {0};

    (void)state;
    small_problem_init(&s, 3, 3);
    small_problem_random(&s, 6, 0.0, 3.0, &seed);
    const haw_report whole = solve(&s, "max_iterations", "1000", r);

    assert_int_equal(whole.outcome, HAW_ITERATION_LIMIT);
    assert_true(whole.residual.natural > 0.1);
    memset(r, 0, sizeof r);
    const haw_report damped = solve(&s, NULL, NULL, r);

    assert_int_equal(damped.outcome, HAW_CONVERGED);
    assert_true(damped.iterations > 1000 && damped.iterations < 1200);
}

/* v that follows the impulses is W r + q by another way: the same iterates. */
static void the_global_form_makes_the_same_sweeps(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 40; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 1 + (int)(first % 6), b = (int)(first % 3);
        haw_problem *global = global_random(d, n, 2 * d * n + b, b, 0.5, &seed), *local;
        double r[PROBLEM_ROWS] = {0}, want[PROBLEM_ROWS] = {0};

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        for (int sweeps = 0; sweeps < 4; sweeps++) {
            static const char *const limit[] = {"1", "2", "7", "1000000"};
            const haw_report one = solve_problem(local, "max_iterations", limit[sweeps], want);
            const haw_report two = solve_problem(global, "max_iterations", limit[sweeps], r);

            assert_int_equal(one.outcome, two.outcome);
            assert_true(abs(one.iterations - two.iterations) <= 1);
            assert_near(enum_distance(d * n, r, want), 0.0, 1.0e-10, 0.0);
        }
        haw_problem_free(NULL, local);
        haw_problem_free(NULL, global);
    }
}

/* v of an absurd start is 1e10 and more, with rounding errors of 1e-6 that no sweep takes away:
 * 1e-12 is met only with v made afresh. A sweep that changes nothing may end the solve before that.
 */
static void the_global_form_forgets_rounding_errors(void **state)
{
    int solved = 0;

    (void)state;
    for (uint64_t first = 1; first <= 20; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 2 + (int)(first % 4), b = (int)(first % 3);
        haw_problem *global = global_random(d, n, 2 * d * n + b, b, 0.5, &seed);
        double cold[PROBLEM_ROWS] = {0}, r[PROBLEM_ROWS];

        assert_int_equal(solve_problem(global, NULL, NULL, cold).outcome, HAW_CONVERGED);
        for (int i = 0; i < d * n; i++) {
            r[i] = 1.0e10 * (1.0 + random_signed(&seed));
        }
        if (solve_problem(global, NULL, NULL, r).outcome == HAW_CONVERGED) {
            assert_near(enum_distance(d * n, r, cold), 0.0, 1.0e-9, 0.0);
            solved++;
        }
        haw_problem_free(NULL, global);
    }
    assert_true(solved >= 18);
}

/* Sweeps cost a product each in the local form; in the global one only contacts that change. */
static void effort_counts_sweeps_and_operations(void **state)
{
    small_problem s;
    uint64_t seed = 36;
    double r[PROBLEM_ROWS] = {0};

    (void)state;
    small_problem_init(&s, 3, 6);
    small_problem_random(&s, 30, 0.1, 0.5, &seed);
    const haw_report report = solve(&s, NULL, NULL, r);

    assert_int_equal(report.effort.sweeps, report.iterations);
    assert_int_equal(report.effort.factorizations, 0);
    assert_true(report.effort.products >= 1 && report.effort.products <= report.iterations);
    assert_true(report.effort.first_order_flops > report.iterations * 2.0 * 18 * 18);
    assert_near(report.effort.newton_flops, 0.0, 0.0, 0.0);
    haw_problem *global = global_random(2, 2, 8, 0, 0.5, &seed);

    global->global->w[0] = 100.0; /* both contacts open: nothing is ever pushed */
    global->global->w[2] = 100.0;
    memset(r, 0, sizeof r);
    const haw_report open = solve_problem(global, NULL, NULL, r);

    assert_int_equal(open.iterations, 1);
    assert_true(open.effort.first_order_flops < 3.0 * (2 * 8 * 8 + 4 * 2 * 4 * 8 + 100));
    haw_problem_free(NULL, global);
}

/* Progress of 2e-5 per sweep is slow, not stalled: it is the limit that ends the iteration. */
static void slow_progress_is_not_taken_for_none(void **state)
{
    const double coupling = -(1.0 - 1.0e-5);
    small_problem s;
    double r[PROBLEM_ROWS] = {0};

    (void)state;
    small_problem_init(&s, 2, 2);
    for (int i = 0; i < 4; i++) {
        *small_problem_entry(&s, i, i) = 1.0;
    }
    *small_problem_entry(&s, 0, 2) = coupling;
    *small_problem_entry(&s, 2, 0) = coupling;
    s.q[0] = -1.0;
    s.q[2] = -1.0;
    const haw_report report = solve(&s, NULL, NULL, r);

    assert_int_equal(report.outcome, HAW_ITERATION_LIMIT);
    assert_int_equal(report.iterations, 1000000);
}

TEST_FILE(test_pgs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_takes_one_sweep),
        cmocka_unit_test(a_jammed_contact_sticks),
        cmocka_unit_test(relaxation_and_direction_do_not_change_the_answer),
        cmocka_unit_test(over_relaxation_helps_a_stiff_chain),
        cmocka_unit_test(over_relaxed_iterates_lie_in_the_cone),
        cmocka_unit_test(damping_ends_a_circle),
        cmocka_unit_test(the_global_form_makes_the_same_sweeps),
        cmocka_unit_test(the_global_form_forgets_rounding_errors),
        cmocka_unit_test(effort_counts_sweeps_and_operations),
        cmocka_unit_test(slow_progress_is_not_taken_for_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
