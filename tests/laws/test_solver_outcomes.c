/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems that must not be called solved, or not by every solver: what the report says of them. */
#include "support/global_problem.h"
#include "support/random.h"
#include "support/rows.h"
#include "support/table.h"

#include <inttypes.h>

/* The outcome must be that of a residual computed anew. */
static void check_truth(const haw_problem *problem, const double *r, const haw_report *report)
{
    double fresh[PROBLEM_ROWS];
    haw_residual residual;

    assert_int_equal(haw_problem_residual(NULL, problem, r, fresh, &residual), HAW_OK);
    assert_near(report->residual.natural, residual.natural, 0.0, 0.0);
    assert_true((report->outcome == HAW_CONVERGED) == (residual.natural <= report->tolerance));
}

static void faults_are_told_as_not_finite(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (int fault = 0; fault < 6; fault++) {
            uint64_t seed = 5;
            small_problem s;
            haw_report report;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

            small_problem_init(&s, 2 + fault % 2, 3);
            small_problem_random(&s, 20, 0.1, 0.4, &seed);
            double *slot[6] = {s.q + 2, s.value + 5, s.mu + 1, s.mu + 2, r + 3, s.q};

            *slot[fault] = fault == 3 ? -0.2 : fault == 5 ? HUGE_VAL : nan("");
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-8, r, u, &report)) {
                continue;
            }
            if (fault == 4 && report.outcome == HAW_CONVERGED) {
                continue; /* a solver may recover from a bad start, not from a bad problem */
            }
            if (report.outcome != HAW_NOT_FINITE || !isinf(report.residual.natural) ||
                report.iterations > 1000) {
                fail_msg("%s, fault %d: %s, residual %g after %d iterations", haw_solvers[k]->name,
                         fault, haw_outcome_text(report.outcome), report.residual.natural,
                         report.iterations);
            }
        }
    }
}

/* The natural map of an approaching contact fades with 1/mu: r = 0 has 3e-9 of it here. */
static void an_approaching_contact_is_not_solved_however_rough(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        small_problem s;
        haw_report report;
        double r[2] = {0}, u[2];

        small_problem_init(&s, 2, 1);
        *small_problem_entry(&s, 0, 0) = *small_problem_entry(&s, 1, 1) = 1.0;
        s.q[0] = -1.0;
        s.q[1] = 3.0;
        s.mu[0] = 1.0e8;
        assert_true(rows_solve(solver_at(k), &s.problem, 1.0e-8, r, u, &report));
        if (report.outcome == HAW_CONVERGED) {
            assert_near(r[0], 1.0, 0.0, 1.0e-6);
            assert_near(r[1], -3.0, 0.0, 1.0e-6);
        }
        assert_true(report.outcome == HAW_CONVERGED || report.residual.natural > 1.0e-8 ||
                    u[0] < -1.0e-7);
    }
}

/* One mass squeezed between two walls that close: u_1 + u_2 = -2 whatever r does. */
static void an_infeasible_problem_is_never_called_converged(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        small_problem s;
        haw_report report;
        double r[4] = {0}, u[4];

        small_problem_init(&s, 2, 2);
        for (int i = 0; i < 4; i++) {
            for (int j = i % 2; j < 4; j += 2) {
                *small_problem_entry(&s, i, j) = i == j ? 1.0 : -1.0;
            }
        }
        s.q[0] = -1.0;
        s.q[2] = -1.0;
        s.mu[0] = 0.3;
        s.mu[1] = 0.3;
        if (!rows_solve(solver_at(k), &s.problem, 1.0e-8, r, u, &report)) {
            continue;
        }
        if (report.outcome != HAW_STALLED && report.outcome != HAW_SINGULAR) {
            fail_msg("%s: %s", haw_solvers[k]->name, haw_outcome_text(report.outcome));
        }
        assert_true(report.residual.natural > 0.1);
        check_truth(&s.problem, r, &report);
    }
}

/* More contacts than degrees of freedom: whatever the outcome, it must be the residual's. */
static void singular_problems_are_reported_truthfully(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        int converged = 0;

        for (uint64_t first = 1; first <= 60; first++) {
            uint64_t seed = first;
            const int d = 2 + (int)(first % 2);
            small_problem s;
            haw_report report;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

            small_problem_init(&s, d, first % 4 == 0 ? 3 : 6);
            small_problem_random(&s, 5, 0.0, 0.5, &seed);
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-8, r, u, &report)) {
                continue;
            }
            check_truth(&s.problem, r, &report);
            assert_true(
                report.outcome != HAW_ITERATION_LIMIT ||
                report.iterations >=
                    (int)haw_options_find(haw_solvers[k]->options, "max_iterations")->preset);
            converged += report.outcome == HAW_CONVERGED ? 1 : 0;
        }
        assert_true(converged > 0);
    }
}

/* W = A + skew part: still monotone, but the problem is no longer one of energy. */
static void an_asymmetric_problem_is_solved_or_told(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (uint64_t first = 1; first <= 50; first++) {
            uint64_t seed = first;
            const int d = 2 + (int)(first % 2), n = 1 + (int)(first % 5);
            small_problem s;
            haw_report report;
            double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

            small_problem_init(&s, d, n);
            small_problem_random(&s, 3 * d * n, 0.2, 0.4, &seed);
            for (int i = 0; i < d * n; i++) {
                for (int j = 0; j < i; j++) {
                    const double skew = 0.05 * random_signed(&seed);

                    *small_problem_entry(&s, i, j) += skew;
                    *small_problem_entry(&s, j, i) -= skew;
                }
            }
            if (rows_solve(solver_at(k), &s.problem, 1.0e-10, r, u, &report)) {
                check_truth(&s.problem, r, &report);
                if (report.outcome != HAW_CONVERGED) {
                    fail_msg("%s, problem %" PRIu64 ": %s at %g", haw_solvers[k]->name, first,
                             haw_outcome_text(report.outcome), report.residual.natural);
                }
            }
        }
    }
}

/* A diagonal block of W that does not let the contact slide at all, or not in one direction. */
static void contacts_without_tangential_mobility_are_solved_or_told(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        for (int d = 2; d <= 3; d++) {
            small_problem s;
            haw_report report;
            double r[6] = {0}, u[6];

            small_problem_init(&s, d, 2);
            for (int i = 0; i < 2 * d; i += d) {
                *small_problem_entry(&s, i, i) = 1.0;
                s.q[i] = -1.0;
                s.q[i + 1] = 0.5;
            }
            *small_problem_entry(&s, d + 1, d + 1) = 0.5;
            s.mu[0] = 0.3;
            s.mu[1] = 0.3;
            if (!rows_solve(solver_at(k), &s.problem, 1.0e-10, r, u, &report)) {
                continue;
            }
            check_truth(&s.problem, r, &report);
            if (report.outcome == HAW_CONVERGED) {
                assert_near(r[0], 1.0, 0.0, 1.0e-8);
                assert_near(r[1], -0.3, 0.0, 1.0e-8);
                assert_near(r[d + 1], -0.3, 0.0, 1.0e-8);
            }
        }
    }
}

/* M that cannot be inverted: two velocities, one of which has no mass. */
static void velocities_that_are_not_determined_are_told_as_singular(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        uint64_t seed = 3;
        haw_problem *problem = global_random(2, 1, 2, 0, 0.4, &seed);
        haw_report report;
        double r[2] = {0}, u[2];

        problem->global->m.value[1] = 0.0;
        problem->global->m.value[2] = 0.0;
        problem->global->m.value[3] = 0.0;
        if (rows_solve(solver_at(k), problem, 1.0e-8, r, u, &report)) {
            assert_int_equal(report.outcome, HAW_SINGULAR);
        }
        haw_problem_free(NULL, problem);
    }
}

static void the_iteration_limit_is_kept_and_told(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        haw_solver_settings settings;
        haw_report report;
        small_problem s;
        uint64_t seed = 8;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 6);
        small_problem_random(&s, 13, 0.01, 0.5, &seed);
        assert_int_equal(haw_solver_settings_init(NULL, haw_solvers[k]->name, &settings), HAW_OK);
        assert_int_equal(haw_options_set_real(NULL, settings.ops->row.options, settings.options,
                                              "max_iterations", 2),
                         HAW_OK);
        const haw_status status = haw_solve(&s.problem, &settings, rows_workspace(), r, u, &report);

        if (status == HAW_OK) {
            assert_int_equal(report.outcome, HAW_ITERATION_LIMIT);
            assert_int_equal(report.iterations, 2);
        }
    }
}

static bool stop(void *user, const haw_solve_progress *progress)
{
    (*(int *)user)++;
    return progress->effort->iterations >= 1;
}

static void an_observer_ends_every_solver(void **state)
{
    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        int asked = 0;
        const haw_solve_observer observer = {stop, &asked};
        haw_report report;
        small_problem s;
        uint64_t seed = 8;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 6);
        small_problem_random(&s, 13, 0.01, 0.5, &seed);
        haw_workspace_observe(rows_workspace(), &observer);
        if (rows_solve(solver_at(k), &s.problem, 1.0e-13, r, u, &report)) {
            assert_true(asked > 0);
            assert_int_equal(report.outcome, HAW_STOPPED);
            assert_true(report.iterations <= 32);
        }
        haw_workspace_observe(rows_workspace(), NULL);
    }
}

static bool stop_at_once(void *user, const haw_solve_progress *progress)
{
    (void)user;
    return progress != NULL;
}

/* r = 0 has a natural map of 3e-10 for mu = 1e9 and q = (-1, 3), and falls through the ground. */
static void a_solve_stopped_at_zero_is_not_converged_however_rough(void **state)
{
    const haw_solve_observer observer = {stop_at_once, NULL};
    int stopped = 0;

    (void)state;
    for (int k = 0; haw_solvers[k] != NULL; k++) {
        small_problem s;
        haw_report report;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 1);
        *small_problem_entry(&s, 0, 0) = *small_problem_entry(&s, 1, 1) = 1.0;
        s.q[0] = -1.0;
        s.q[1] = 3.0;
        s.mu[0] = 1.0e9;
        haw_workspace_observe(rows_workspace(), &observer);
        assert_true(rows_solve(solver_at(k), &s.problem, 1.0e-8, r, u, &report));
        haw_workspace_observe(rows_workspace(), NULL);
        if (r[0] == 0.0 && r[1] == 0.0) {
            assert_true(report.residual.natural <= report.tolerance);
            assert_near(report.residual.normal_min, -1.0, 0.0, 0.0);
            assert_int_equal(report.outcome, HAW_STOPPED);
            stopped++;
        } else if (report.outcome == HAW_CONVERGED) {
            assert_near(r[0], 1.0, 0.0, 1.0e-6);
        }
    }
    assert_true(stopped >= 2); /* newton and ppa ask before they move */
}

TEST_FILE(test_solver_outcomes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_told_as_not_finite),
        cmocka_unit_test(an_approaching_contact_is_not_solved_however_rough),
        cmocka_unit_test(an_infeasible_problem_is_never_called_converged),
        cmocka_unit_test(singular_problems_are_reported_truthfully),
        cmocka_unit_test(an_asymmetric_problem_is_solved_or_told),
        cmocka_unit_test(contacts_without_tangential_mobility_are_solved_or_told),
        cmocka_unit_test(velocities_that_are_not_determined_are_told_as_singular),
        cmocka_unit_test(the_iteration_limit_is_kept_and_told),
        cmocka_unit_test(an_observer_ends_every_solver),
        cmocka_unit_test(a_solve_stopped_at_zero_is_not_converged_however_rough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
