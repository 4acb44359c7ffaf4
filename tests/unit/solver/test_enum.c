/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact reference itself, against closed forms, another enumeration and the laws. */
#include "support/global_problem.h"
#include "support/rows.h"

#include <float.h>

static const haw_solver_ops *exact(void)
{
    return (const haw_solver_ops *)haw_row_find(haw_solvers, "enum");
}

static haw_report solve(const haw_problem *problem, double *r, double *u)
{
    haw_report report;

    assert_true(rows_solve(exact(), problem, 1.0e-13, r, u, &report));
    return report;
}

static void the_plane_has_the_solutions_of_another_enumeration(void **state)
{
    (void)state;
    (void)rows_find_solutions(exact(), 1.0e-13);
}

/* Coulomb's law by its words. */
static void check_laws(int n, const double *mu, const double *r, const double *u)
{
    for (int c = 0; c < n; c++) {
        const double *rc = r + 3 * c, *uc = u + 3 * c;
        const double rt = hypot(rc[1], rc[2]), ut = hypot(uc[1], uc[2]);

        assert_true(rc[0] >= 0.0 && uc[0] >= -1.0e-12);
        assert_near(rc[0] * uc[0], 0.0, 1.0e-11 * (1.0 + rc[0]), 0.0);
        assert_true(rt <= mu[c] * rc[0] * (1.0 + 1.0e-12));
        if (ut > 1.0e-9 && rc[0] > 0.0) {
            assert_near(rt, mu[c] * rc[0], 0.0, 1.0e-9);
            assert_near(rc[1] * uc[1] + rc[2] * uc[2], -rt * ut, 1.0e-11 * (1.0 + rt), 1.0e-9);
        }
    }
}

/* Residuals are those of rounding, and slip, stick and open contacts all occur. */
static void space_is_solved_to_rounding(void **state)
{
    int open = 0, stick = 0, slip = 0;

    (void)state;
    for (uint64_t first = 1; first <= 400; first++) {
        uint64_t seed = first;
        const int n = 1 + (int)(first % 3);
        small_problem s;
        double r[9] = {0}, u[9];

        small_problem_init(&s, 3, n);
        small_problem_random(&s, 6 * n, 0.02, first % 3 == 0 ? 2.0 : 0.6, &seed);
        const haw_report report = solve(&s.problem, r, u);

        if (!(report.residual.natural <= 64.0 * DBL_EPSILON)) {
            fail_msg("problem %d: residual %g", (int)first, report.residual.natural);
        }
        check_laws(n, s.mu, r, u);
        for (int c = 0; c < n; c++) {
            const bool slips = hypot(u[3 * c + 1], u[3 * c + 2]) > 1.0e-9;

            open += r[3 * c] == 0.0;
            stick += r[3 * c] > 0.0 && !slips;
            slip += r[3 * c] > 0.0 && slips;
        }
    }
    assert_true(open > 100 && stick > 50 && slip > 100);
}

/* A solution exists by construction; single impulses are not determined. */
static void singular_problems_with_a_solution_are_solved(void **state)
{
    int pressed = 0;

    (void)state;
    for (uint64_t first = 1; first <= 200; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), p = (int)(first % 3);
        haw_problem *problem = global_random(d, 3, d + p + (int)(first % 4), p, 0.5, &seed);
        double r[9] = {0}, u[9];
        const haw_report report = solve(problem, r, u);

        if (report.outcome != HAW_CONVERGED) {
            fail_msg("problem %d: residual %g", (int)first, report.residual.natural);
        }
        for (int c = 0; c < 3; c++) {
            pressed += r[d * c] > 0.0;
        }
        haw_problem_free(NULL, problem);
    }
    assert_true(pressed > 150);
}

/* A table on three legs of which two share a point: r_1 + r_2 = 1 is all that is known. */
static void a_doubled_contact_shares_its_impulse(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        small_problem s;
        double r[6] = {0}, u[6];

        small_problem_init(&s, d, 2);
        for (int i = 0; i < 2 * d; i++) {
            *small_problem_entry(&s, i, i % d) = 1.0;
            *small_problem_entry(&s, i, d + i % d) = 1.0;
        }
        for (int c = 0; c < 2; c++) {
            s.q[d * c] = -1.0;
            s.q[d * c + d - 1] = 0.3;
            s.mu[c] = 0.5;
        }
        assert_int_equal(solve(&s.problem, r, u).outcome, HAW_CONVERGED);
        assert_near(r[0] + r[d], 1.0, 0.0, 1.0e-12);
        assert_near(r[d - 1] + r[2 * d - 1], -0.3, 0.0, 1.0e-12);
        assert_near(enum_distance(2 * d, u, (double[6]){0}), 0.0, 1.0e-13, 0.0);
    }
}

static void four_contacts_are_refused_with_a_reason(void **state)
{
    haw_context *context;
    haw_workspace *workspace;
    haw_solver_settings settings;
    haw_report report;
    small_problem s;
    uint64_t seed = 2;
    double r[8] = {0}, u[8];

    (void)state;
    small_problem_init(&s, 2, 4);
    small_problem_random(&s, 16, 0.2, 0.4, &seed);
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, "enum", &settings), HAW_OK);
    assert_int_equal(haw_solve(&s.problem, &settings, workspace, r, u, &report), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context),
                        "enum takes at most 3 contacts (found 4); choose another solver");
    haw_workspace_free(workspace);
    haw_context_free(context);
}

TEST_FILE(test_enum)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plane_has_the_solutions_of_another_enumeration),
        cmocka_unit_test(space_is_solved_to_rounding),
        cmocka_unit_test(singular_problems_with_a_solution_are_solved),
        cmocka_unit_test(a_doubled_contact_shares_its_impulse),
        cmocka_unit_test(four_contacts_are_refused_with_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
