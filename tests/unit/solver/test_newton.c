/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/global_problem.h"
#include "support/problems.h"
#include "support/rows.h"

static haw_report solve(const haw_problem *problem, double tolerance, double *r, double *u)
{
    haw_report report;

    assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "newton"), problem,
                           tolerance, r, u, &report));
    return report;
}

/* ---- problems with known answers ---- */

/* One contact with W = 2 I and the given q. */
static void check_single(int d, double mu, const double *q, const double *want)
{
    small_problem s;
    double r[3] = {0}, u[3];

    small_problem_init(&s, d, 1);
    for (int i = 0; i < d; i++) {
        *small_problem_entry(&s, i, i) = 2.0;
        s.q[i] = q[i];
    }
    s.mu[0] = mu;
    const haw_report report = solve(&s.problem, 1e-12, r, u);

    assert_int_equal(report.outcome, HAW_CONVERGED);
    for (int i = 0; i < d; i++) {
        assert_near(r[i], want[i], 1e-11, 0.0);
    }
}

static void one_contact_opens_sticks_and_slips(void **state)
{
    (void)state;
    check_single(2, 0.5, (double[]){1.0, 3.0}, (double[]){0.0, 0.0});
    check_single(2, 0.5, (double[]){-2.0, 0.8}, (double[]){1.0, -0.4});
    check_single(2, 0.5, (double[]){-2.0, 3.0}, (double[]){1.0, -0.5});
    check_single(2, 0.5, (double[]){-2.0, 1.0}, (double[]){1.0, -0.5}); /* on the edge */
    check_single(3, 0.5, (double[]){1.0, 3.0, -1.0}, (double[]){0.0, 0.0, 0.0});
    check_single(3, 0.5, (double[]){-2.0, 0.6, -0.4}, (double[]){1.0, -0.3, 0.2});
    check_single(3, 0.5, (double[]){-2.0, 3.0, -4.0}, (double[]){1.0, -0.3, 0.4});
    check_single(3, 0.0, (double[]){-2.0, 3.0, -4.0}, (double[]){1.0, 0.0, 0.0});
    check_single(3, 1e8, (double[]){-2.0, 3.0, -4.0}, (double[]){1.0, -1.5, 2.0});
}

static void coupled_frictionless_contacts_share_the_load(void **state)
{
    small_problem s;
    double r[4] = {0}, u[4];

    (void)state;
    small_problem_init(&s, 2, 2); /* normals: [2 1; 1 2] r = (1, 1) */
    for (int i = 0; i < 4; i++) {
        *small_problem_entry(&s, i, i) = 2.0;
    }
    *small_problem_entry(&s, 0, 2) = 1.0;
    *small_problem_entry(&s, 2, 0) = 1.0;
    s.q[0] = -1.0;
    s.q[2] = -1.0;
    s.q[1] = 0.5;
    assert_int_equal(solve(&s.problem, 1e-12, r, u).outcome, HAW_CONVERGED);
    assert_near(r[0], 1.0 / 3.0, 1e-12, 0.0);
    assert_near(r[2], 1.0 / 3.0, 1e-12, 0.0);
    assert_near(r[1], 0.0, 1e-12, 0.0);
    assert_near(u[1], 0.5, 1e-12, 0.0);
}

static void hyperstatic_problems_are_solved(void **state)
{
    uint64_t seed = 5;
    int solved = 0;

    (void)state;
    for (int i = 0; i < 50; i++) { /* 8 contacts of one body with 6 velocities: W of rank 6 in 24 */
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 3, PROBLEM_CONTACTS);
        small_problem_random(&s, 6, 0.0, 0.5, &seed);
        memset(s.q, 0, sizeof s.q);
        for (int k = 0; k < 4; k++) { /* q in the range of W: all contacts can open together */
            for (int row = 0; row < PROBLEM_ROWS; row++) {
                s.q[row] -= *small_problem_entry(&s, row, 3 * k);
            }
        }
        solved += solve(&s.problem, 1e-10, r, u).outcome == HAW_CONVERGED;
    }
    assert_int_equal(solved, 50);
}

static void local_and_global_form_agree(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 20; i++) {
        const int d = 2 + i % 2, p = i % 3;
        haw_problem *global = global_random(d, 5, 5 * d + 6, p, 1.0, &seed), *local;
        double r[2][15] = {{0}}, u[15];

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        const haw_report one = solve(global, 1e-11, r[0], u), two = solve(local, 1e-11, r[1], u);

        assert_int_equal(one.outcome, HAW_CONVERGED);
        assert_int_equal(two.outcome, HAW_CONVERGED);
        assert_int_equal(one.iterations, two.iterations); /* the same steps in other unknowns */
        for (int k = 0; k < 5 * d; k++) {
            assert_near(r[0][k], r[1][k], 1e-7, 1e-7);
        }
        haw_problem_free(NULL, global);
        haw_problem_free(NULL, local);
    }
}

TEST_FILE(test_newton)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_opens_sticks_and_slips),
        cmocka_unit_test(coupled_frictionless_contacts_share_the_load),
        cmocka_unit_test(hyperstatic_problems_are_solved),
        cmocka_unit_test(local_and_global_form_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
