/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/local.h"
#include "solver/solver.h"
#include "support/enum.h"
#include "support/near.h"

#include <stdlib.h>

static void set_option(haw_solver_settings *settings, const char *key, const char *value)
{
    const haw_option *table = settings->ops->options;
    const haw_option *row = haw_options_find(table, key);

    assert_int_equal(
        row->type == HAW_OPTION_BOOL
            ? haw_options_set_text(NULL, table, settings->options, key, value)
            : haw_options_set_real(NULL, table, settings->options, key, strtod(value, NULL)),
        HAW_OK);
}

static haw_report solve(const small_problem *s, const char *key, const char *value, double *r)
{
    haw_solver_settings settings;
    haw_report report;
    small_work work;
    double u[PROBLEM_ROWS];

    assert_int_equal(haw_solver_settings_init(NULL, "pgs", &settings), HAW_OK);
    settings.options[0] = 1.0e-12; /* the tolerance leads */
    if (key != NULL) {
        set_option(&settings, key, value);
    }
    haw_solve(&s->problem, &settings, &work, r, u, &report);
    return report;
}

/* W with strong coupling W_NT and any friction: the local solution is among the enumerated. */
static void the_local_solution_is_exact_in_the_plane(void **state)
{
    uint64_t seed = 31;
    int jammed = 0;

    (void)state;
    for (int trial = 0; trial < 5000; trial++) {
        small_problem s;
        enumeration e;
        haw_local_2d local;
        double r[2], nearest = INFINITY;

        small_problem_init(&s, 2, 1);
        small_problem_random(&s, 2, 0.01, trial % 2 == 0 ? 1.0 : 10.0, &seed);
        enum_solve(&s, &e);
        haw_local_init_2d(&local, s.value, s.mu[0]);
        haw_local_solve_2d(&local, s.q, r);
        for (int k = 0; k < e.count; k++) {
            nearest = fmin(nearest, enum_distance(2, r, e.r[k]));
        }
        if (s.q[0] < 0.0) {
            assert_int_equal(e.count, 1); /* unique while it approaches */
        }
        jammed += s.value[0] <= s.mu[0] * fabs(s.value[1]) ? 1 : 0;
        if (!(nearest <= 1.0e-9)) {
            fail_msg("trial %d (seed 31): off by %g of %d solutions", trial, nearest, e.count);
        }
    }
    assert_true(jammed > 500);
}

/* u = W r + v, then Signorini's and Coulomb's laws by their words. */
static void check_laws_3d(const double *w, double mu, const double *v, const double *r)
{
    double u[3];

    for (int i = 0; i < 3; i++) {
        u[i] = v[i] + w[3 * i] * r[0] + w[3 * i + 1] * r[1] + w[3 * i + 2] * r[2];
    }
    const double rt = hypot(r[1], r[2]), ut = hypot(u[1], u[2]);

    assert_true(r[0] >= 0.0 && u[0] >= -1.0e-12);
    assert_near(r[0] * u[0], 0.0, 1.0e-11, 0.0);
    assert_true(rt <= mu * r[0] * (1.0 + 1.0e-14));
    if (ut > 1.0e-9) { /* it slips: friction is full and opposes the slip */
        assert_near(rt, mu * r[0], 1.0e-12, 1.0e-9);
        assert_near(r[1] * u[1] + r[2] * u[2], -rt * ut, 1.0e-10, 0.0);
    }
}

static void the_local_solution_is_exact_in_space(void **state)
{
    uint64_t seed = 32;
    int slipping = 0, sticking = 0;

    (void)state;
    for (int trial = 0; trial < 5000; trial++) {
        small_problem s;
        double r[3];

        small_problem_init(&s, 3, 1);
        small_problem_random(&s, 4, 0.05, trial % 2 == 0 ? 0.5 : 5.0, &seed);
        s.mu[0] = trial % 50 == 0 ? 0.0 : s.mu[0];
        haw_local_solve_3d(s.value, s.mu[0], s.q, r);
        check_laws_3d(s.value, s.mu[0], s.q, r);
        slipping += hypot(r[1], r[2]) > 0.999999 * s.mu[0] * r[0] ? 1 : 0;
        sticking += hypot(r[1], r[2]) < 0.999999 * s.mu[0] * r[0] ? 1 : 0;
    }
    assert_true(slipping > 1000 && sticking > 500);
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
        small_work work;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2 + trial % 2, 5);
        small_problem_random(&s, 9, 0.0, 2.0, &seed);
        assert_int_equal(haw_solver_settings_init(NULL, "pgs", &settings), HAW_OK);
        set_option(&settings, "relaxation", "1.8");
        set_option(&settings, "max_iterations", "3");
        haw_solve(&s.problem, &settings, &work, r, u, &report);
        assert_near(report.residual.cone, 0.0, 1.0e-14, 0.0);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_local_solution_is_exact_in_the_plane),
        cmocka_unit_test(the_local_solution_is_exact_in_space),
        cmocka_unit_test(one_contact_takes_one_sweep),
        cmocka_unit_test(a_jammed_contact_sticks),
        cmocka_unit_test(relaxation_and_direction_do_not_change_the_answer),
        cmocka_unit_test(over_relaxation_helps_a_stiff_chain),
        cmocka_unit_test(over_relaxed_iterates_lie_in_the_cone),
        cmocka_unit_test(slow_progress_is_not_taken_for_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
