/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/global_problem.h"
#include "support/rows.h"

static haw_report solve_problem(const haw_problem *problem, const char *sweep, double relaxation,
                                double *r)
{
    haw_solver_settings settings;
    haw_report report;
    double u[PROBLEM_ROWS];

    assert_int_equal(haw_solver_settings_init(NULL, "alprox", &settings), HAW_OK);
    const haw_option *table = settings.ops->row.options;

    assert_int_equal(haw_options_set_real(NULL, table, settings.options, "tolerance", 1.0e-12),
                     HAW_OK);
    assert_int_equal(haw_options_set_text(NULL, table, settings.options, "sweep", sweep), HAW_OK);
    assert_int_equal(haw_options_set_real(NULL, table, settings.options, "relaxation", relaxation),
                     HAW_OK);
    assert_int_equal(haw_solve(problem, &settings, rows_workspace(), r, u, &report), HAW_OK);
    return report;
}

static haw_report solve(const small_problem *s, const char *sweep, double relaxation, double *r)
{
    return solve_problem(&s->problem, sweep, relaxation, r);
}

/* A diagonal W of one contact: rho = 1/W_NN, 1/W_TT finds the answer in the first sweep. */
static void a_diagonal_contact_takes_one_sweep(void **state)
{
    small_problem s;
    double r[2] = {0};

    (void)state;
    small_problem_init(&s, 2, 1);
    s.value[0] = 0.5;
    s.value[3] = 1.5;
    s.q[0] = -1.0;
    s.q[1] = 3.0;
    s.mu[0] = 0.3;
    const haw_report report = solve(&s, "block", 1.0, r);

    assert_int_equal(report.outcome, HAW_CONVERGED);
    assert_int_equal(report.iterations, 1);
    assert_near(r[0], 2.0, 0.0, 1.0e-15);
    assert_near(r[1], -0.6, 0.0, 1.0e-15);
}

static void both_sweeps_and_all_relaxations_agree(void **state)
{
    const char *const sweeps[2] = {"block", "jacobi"};
    const double relaxations[] = {0.3, 0.7, 1.0, 1.4};
    uint64_t seed = 41;

    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        const int d = 2 + trial % 2, n = 4;
        small_problem s;
        double want[PROBLEM_ROWS] = {0};

        small_problem_init(&s, d, n);
        small_problem_random(&s, 2 * d * n, 0.5, 0.4, &seed);
        assert_int_equal(solve(&s, "block", 1.0, want).outcome, HAW_CONVERGED);
        for (int k = 0; k < 8; k++) {
            double r[PROBLEM_ROWS] = {0};
            const haw_report report = solve(&s, sweeps[k % 2], relaxations[k / 2], r);

            if (report.outcome != HAW_CONVERGED) {
                fail_msg("trial %d (seed 41): %s with relaxation %g stops at %g", trial,
                         sweeps[k % 2], relaxations[k / 2], report.residual.natural);
            }
            assert_near(enum_distance(d * n, r, want), 0.0, 1.0e-10, 0.0);
        }
    }
}

/* Impulses of an augmented iteration are admissible at every sweep, converged or not. */
static void every_iterate_lies_in_the_cone(void **state)
{
    uint64_t seed = 42;

    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        haw_solver_settings settings;
        haw_report report;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2 + trial % 2, 5);
        small_problem_random(&s, 9, 0.0, 2.0, &seed);
        assert_int_equal(haw_solver_settings_init(NULL, "alprox", &settings), HAW_OK);
        assert_int_equal(haw_options_set_real(NULL, settings.ops->row.options, settings.options,
                                              "max_iterations", 1 + trial % 7),
                         HAW_OK);
        assert_int_equal(haw_solve(&s.problem, &settings, rows_workspace(), r, u, &report), HAW_OK);
        assert_near(report.residual.cone, 0.0, 1.0e-14, 0.0);
    }
}

/* Strong coupling: with rho from the diagonal alone a simultaneous iteration would diverge. */
static void jacobi_converges_on_strongly_coupled_contacts(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const int n = 6;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, want[PROBLEM_ROWS] = {0};

        small_problem_init(&s, d, n);
        for (int i = 0; i < d * n; i++) {
            for (int j = i % d; j < d * n; j += d) {
                *small_problem_entry(&s, i, j) = i == j ? 1.0 : 0.8;
            }
            s.q[i] = (i % d == 0 ? -1.0 : 0.2) - 0.01 * i;
        }
        for (int c = 0; c < n; c++) {
            s.mu[c] = 0.1 + 0.2 * c; /* some slip, some stick */
        }
        assert_int_equal(solve(&s, "jacobi", 1.0, r).outcome, HAW_CONVERGED);
        assert_int_equal(solve(&s, "block", 1.0, want).outcome, HAW_CONVERGED);
        assert_near(enum_distance(d * n, r, want), 0.0, 1.0e-10, 0.0);
    }
}

/* rho from power iterations instead of row sums, block sweeps with v that follows. */
static void the_global_form_has_the_same_answer(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 40; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 1 + (int)(first % 6), b = (int)(first % 3);
        haw_problem *global = global_random(d, n, 2 * d * n + b, b, 0.5, &seed), *local;
        double want[PROBLEM_ROWS] = {0};

        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        assert_int_equal(solve_problem(local, "block", 1.0, want).outcome, HAW_CONVERGED);
        for (int k = 0; k < 4; k++) {
            double r[PROBLEM_ROWS] = {0};
            const haw_report report =
                solve_problem(global, k % 2 == 0 ? "block" : "jacobi", k < 2 ? 1.0 : 0.6, r);

            if (report.outcome != HAW_CONVERGED) {
                fail_msg("problem %d, try %d stops at %g", (int)first, k, report.residual.natural);
            }
            assert_near(enum_distance(d * n, r, want), 0.0, 1.0e-9, 0.0);
        }
        haw_problem_free(NULL, local);
        haw_problem_free(NULL, global);
    }
}

/* Two contacts that share the load, W_NN = [1 0.8; 0.8 1] of a global form: the scaled W has the
 * eigenvalue 1.8, and a bound below 1.6/2 of it would let the sum of both normal impulses grow. */
static void over_relaxation_stays_below_twice_the_largest_eigenvalue(void **state)
{
    const double relaxations[] = {1.0, 1.6, 1.9};

    (void)state;
    for (int i = 0; i < 6; i++) {
        const int d = 2 + i % 2;
        uint64_t seed = 1;
        haw_problem *problem = global_random(d, 2, 2 * d, 0, 0.0, &seed);
        haw_global *g = problem->global;
        double r[6] = {0};

        for (int row = 0; row < 2 * d; row++) {
            for (int k = 0; k < 2 * d; k++) { /* H = 1, M^-1 = W */
                const double coupled = row % d == 0 && k % d == 0 ? -0.8 / 0.36 : 0.0;

                g->m.value[row * 2 * d + k] = row != k ? coupled : row % d == 0 ? 1.0 / 0.36 : 1.0;
                g->ht.value[row * 2 * d + k] = row == k ? 1.0 : 0.0;
            }
            g->f[row] = 0.0;
            g->w[row] = row % d == 0 ? -1.8 : 0.0;
        }
        const haw_report report = solve_problem(problem, "jacobi", relaxations[i / 2], r);

        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_near(r[0], 1.0, 0.0, 1.0e-10);
        assert_near(r[d], 1.0, 0.0, 1.0e-10);
        haw_problem_free(NULL, problem);
    }
}

TEST_FILE(test_alprox)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagonal_contact_takes_one_sweep),
        cmocka_unit_test(both_sweeps_and_all_relaxations_agree),
        cmocka_unit_test(jacobi_converges_on_strongly_coupled_contacts),
        cmocka_unit_test(every_iterate_lies_in_the_cone),
        cmocka_unit_test(the_global_form_has_the_same_answer),
        cmocka_unit_test(over_relaxation_stays_below_twice_the_largest_eigenvalue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
