/* SPDX-License-Identifier: BSD-3-Clause */
/* Lemke's pivots, against an enumeration of all solutions and by the laws where W has no inverse.
 */
#include "support/random.h"
#include "support/rows.h"

#include <stdlib.h>

static const haw_solver_ops *lemke(void)
{
    return (const haw_solver_ops *)haw_row_find(haw_solvers, "lemke");
}

static void few_contacts_have_a_solution_of_the_enumeration(void **state)
{
    (void)state;
    assert_int_equal(rows_find_solutions(lemke(), 1e-12), 0); /* by pivots alone */
}

/*
 * A bar of `masses` nodes hits a wall with n points between them, many for each: point c moves as
 * the weighted mean of its two nodes, and W = H^T M^-1 H has the rank 2 masses.
 */
static haw_problem *make_bar(int masses, int n, double mu, uint64_t *seed)
{
    const haw_problem_size size = {.dimension = 2, .contacts = n, .blocks = n * n};
    haw_problem *p;
    assert_int_equal(haw_problem_create(NULL, &size, &p), HAW_OK);
    for (int c = 0; c < n; c++) {
        const double x = (masses - 1) * (c + 0.5) / n;
        p->mu[c] = mu;
        p->w.start[c + 1] = n * (c + 1);
        p->w.diagonal[c] = n * c + c;
        for (int k = 0; k < n; k++) {
            const double y = (masses - 1) * (k + 0.5) / n, far = (int)x - (int)y;
            const double a = x - (int)x, b = y - (int)y;
            double mean = far == 0 ? (1 - a) * (1 - b) + a * b : 0;
            mean = far == 1 ? (1 - a) * b : far == -1 ? a * (1 - b) : mean;
            p->w.column[n * c + k] = k;
            p->w.value[4 * (n * c + k)] = p->w.value[4 * (n * c + k) + 3] = mean;
        }
    }
    double *velocity = calloc(2 * (size_t)masses, sizeof *velocity);
    assert_non_null(velocity);
    for (int i = 0; i < 2 * masses; i++) {
        velocity[i] = random_signed(seed) - (i % 2 == 0 ? 0.5 : 0);
    }
    for (int c = 0; c < n; c++) {
        const double x = (masses - 1) * (c + 0.5) / n, a = x - (int)x;
        for (int k = 0; k < 2; k++) {
            p->q[2 * c + k] = (1 - a) * velocity[2 * (int)x + k] + a * velocity[2 * (int)x + 2 + k];
        }
    }
    free(velocity);
    return p;
}

static void check_bar(int masses, int n, double mu, uint64_t first)
{
    uint64_t seed = first;
    haw_problem *p = make_bar(masses, n, mu, &seed);
    double *r = calloc(2 * (size_t)n, sizeof *r), *u = calloc(2 * (size_t)n, sizeof *u);
    haw_report report;
    assert_true(r != NULL && u != NULL);
    assert_true(rows_solve(lemke(), p, 1e-11, r, u, &report));
    if (report.outcome != HAW_CONVERGED) {
        fail_msg("%d points, %d masses, mu %g, %d: residual %g after %d pivots", n, masses, mu,
                 (int)first, report.residual.natural, report.iterations);
    }
    assert_int_equal(report.effort.factorizations, 0);
    haw_problem_free(NULL, p);
    free(r);
    free(u);
}

static void points_that_outnumber_the_masses_are_solved_to_rounding(void **state)
{
    static const double friction[] = {0, 0.1, 0.3, 1};
    (void)state;
    for (uint64_t first = 1; first <= 40; first++) {
        check_bar(4 + (int)(first % 8), 60, friction[first % 4], first);
    }
    check_bar(20, 200, 0.3, 7);
}

/* Ratios tie: all points are one. */
static void equal_points_share_the_force(void **state)
{
    const int n = 50;
    const haw_problem_size size = {.dimension = 2, .contacts = n, .blocks = n * n};
    haw_problem *p;
    double r[100] = {0}, u[100], sum[2] = {0};
    haw_report report;
    (void)state;
    assert_int_equal(haw_problem_create(NULL, &size, &p), HAW_OK);
    for (int c = 0; c < n; c++) {
        p->mu[c] = 0.3;
        p->q[2 * c] = -1;
        p->q[2 * c + 1] = 2;
        p->w.start[c + 1] = n * (c + 1);
        p->w.diagonal[c] = n * c + c;
        for (int k = 0; k < n; k++) {
            p->w.column[n * c + k] = k;
            p->w.value[4 * (n * c + k)] = p->w.value[4 * (n * c + k) + 3] = 0.5;
        }
    }
    assert_true(rows_solve(lemke(), p, 1e-13, r, u, &report));
    assert_int_equal(report.outcome, HAW_CONVERGED);
    for (int c = 0; c < n; c++) {
        sum[0] += r[2 * c];
        sum[1] += r[2 * c + 1];
    }
    assert_near(sum[0], 2, 1e-12, 0); /* of the mass 2, stopped and slowed by friction */
    assert_near(sum[1], -0.6, 1e-12, 0);
    haw_problem_free(NULL, p);
}

static void what_it_cannot_take_is_refused(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const haw_problem_size size = {.dimension = d, .contacts = 601, .blocks = 601};
        haw_context *context;
        haw_solver_settings settings;
        haw_workspace *workspace;
        haw_problem *p;
        haw_report report;
        double *r = calloc(2 * 601 * 3, sizeof *r);
        assert_non_null(r);
        assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
        assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
        assert_int_equal(haw_problem_create(context, &size, &p), HAW_OK);
        for (int c = 0; c < 601; c++) {
            p->w.start[c + 1] = c + 1;
            p->w.column[c] = p->w.diagonal[c] = c;
            for (int k = 0; k < d; k++) {
                p->w.value[d * d * c + (d + 1) * k] = 1;
            }
            p->q[d * c] = -1;
        }
        assert_int_equal(haw_solver_settings_init(context, "lemke", &settings), HAW_OK);
        assert_int_equal(haw_solve(p, &settings, workspace, r, r + 601 * 3, &report),
                         HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(context),
                               d == 2 ? "at most 600 contacts (found 601" : "in 3 dimensions"));
        haw_problem_free(context, p);
        haw_workspace_free(workspace);
        haw_context_free(context);
        free(r);
    }
}

TEST_FILE(test_lemke)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_contacts_have_a_solution_of_the_enumeration),
        cmocka_unit_test(points_that_outnumber_the_masses_are_solved_to_rounding),
        cmocka_unit_test(equal_points_share_the_force),
        cmocka_unit_test(what_it_cannot_take_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
