/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/admm_system.h"
#include "support/global_problem.h"
#include "support/random.h"
#include "support/rows.h"

static haw_report solve(const haw_problem *problem, const char *key, double value, double *r)
{
    haw_solver_settings settings;
    haw_report report;
    double u[PROBLEM_ROWS];

    assert_int_equal(haw_solver_settings_init(NULL, "admm", &settings), HAW_OK);
    settings.options[0] = 1.0e-12; /* the tolerance leads */
    if (key != NULL && strcmp(key, "balance") == 0) {
        assert_int_equal(
            haw_options_set_text(NULL, settings.ops->row.options, settings.options, key, "false"),
            HAW_OK);
    } else if (key != NULL) {
        assert_int_equal(
            haw_options_set_real(NULL, settings.ops->row.options, settings.options, key, value),
            HAW_OK);
    }
    assert_int_equal(haw_solve(problem, &settings, rows_workspace(), r, u, &report), HAW_OK);
    return report;
}

static haw_report solve_within(const haw_problem *problem, double tolerance, double *r, double *u)
{
    haw_report report;

    assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "admm"), problem,
                           tolerance, r, u, &report));
    return report;
}

/* D^-1 r + W r + q = a, with products of the operator. */
static void check_linear_step(const haw_problem *problem, uint64_t *seed)
{
    const int d = problem->dimension, rows = d * problem->contacts;
    haw_context *context;
    haw_arena arena;
    haw_admm_system system;
    double a[PROBLEM_ROWS], r[PROBLEM_ROWS], u[PROBLEM_ROWS];

    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena_init(&arena, context);
    haw_task task = {.context = context, .arena = &arena, .problem = problem};

    assert_int_equal(haw_operator_create(&arena, problem, &task.op), HAW_OK);
    assert_int_equal(haw_admm_system_create(&task, &system), HAW_OK);
    if (problem->global != NULL && problem->global->m.rows <= 32) { /* all rows are eliminated */
        assert_int_equal(system.size, problem->global->m.rows + problem->global->gt.rows);
    }
    for (int again = 0; again < 2; again++) {
        for (int c = 0; c < problem->contacts; c++) {
            system.weight[c] = 0.2 + 0.1 * c + again;
        }
        global_fill(a, rows, seed);
        assert_int_equal(haw_admm_system_factor(&system), HAW_OK);
        haw_admm_system_solve(&system, a, r);
        haw_operator_velocity(&task.op, r, u);
        for (int i = 0; i < rows; i++) {
            assert_near(r[i] / system.weight[i / d] + u[i], a[i], 1.0e-11, 0.0);
        }
    }
    assert_int_equal(task.effort.factorizations, 2);
    haw_admm_system_release(&system);
    haw_operator_release(&task.op);
    haw_arena_fini(&arena);
    haw_context_free(context);
}

static void the_linear_step_satisfies_its_equation_in_both_forms(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 20; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), n = 1 + (int)(first % 5), b = (int)(first % 4);
        haw_problem *global = global_random(d, n, d * n + b + 1, b, 0.5, &seed), *local;

        check_linear_step(global, &seed);
        assert_int_equal(haw_problem_reduce(NULL, global, &local), HAW_OK);
        check_linear_step(local, &seed);
        haw_problem_free(NULL, local);
        haw_problem_free(NULL, global);
    }
}

/* Keep every other row of H as it is, all of its velocities; the others touch four each. */
static void shorten_rows(haw_csr *ht)
{
    int count = 0;

    for (int i = 0; i < ht->rows; i++) {
        const int first = ht->start[i], length = i % 2 == 0 ? 4 : ht->columns;

        ht->start[i] = count;
        for (int k = 0; k < length; k++, count++) {
            ht->column[count] = ht->column[first + k];
            ht->value[count] = ht->value[first + k];
        }
    }
    ht->start[ht->rows] = count;
}

/* Such rows are not eliminated. */
static void long_rows_of_contacts_satisfy_the_equation_too(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 12; first++) {
        uint64_t seed = first;
        const int d = 2 + (int)(first % 2), b = (int)(first % 3);
        haw_problem *global = global_random(d, 4, 33 + (int)first, b, 0.5, &seed);

        if (first % 4 != 0) {
            shorten_rows(&global->global->ht);
        }
        check_linear_step(global, &seed);
        haw_problem_free(NULL, global);
    }
}

/* One contact of very many unit masses: the square of its row has more entries than an int counts.
 * By hand: W = [n 1; 1 1], q = (-n, 0.5); r = (1, -0.4) n / (n - 0.4) leaves it sliding. */
static void a_contact_of_very_many_velocities_is_solved(void **state)
{
    enum { N = 65536 };

    const haw_problem_size size = {
        .dimension = 2, .contacts = 1, .velocities = N, .m_count = N, .h_count = N + 1};
    haw_problem *problem;
    double r[2] = {0}, u[2];

    (void)state;
    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;

    for (int i = 0; i < N; i++) {
        g->m.start[i + 1] = i + 1;
        g->m.column[i] = g->ht.column[i] = i;
        g->m.value[i] = g->ht.value[i] = 1.0;
        g->f[i] = -1.0;
    }
    g->ht.start[1] = N;
    g->ht.column[N] = 3;
    g->ht.value[N] = 1.0;
    g->ht.start[2] = N + 1;
    g->w[1] = 1.5;
    problem->mu[0] = 0.4;
    assert_int_equal(haw_problem_check(NULL, problem), HAW_OK);
    assert_int_equal(solve_within(problem, 1.0e-10, r, u).outcome, HAW_CONVERGED);
    assert_near(r[0], N / (N - 0.4), 0.0, 1.0e-8);
    assert_near(r[1], -0.4 * r[0], 0.0, 1.0e-8);
    assert_true(u[1] > 0.0);
    haw_problem_free(NULL, problem);
}

/* Blocks of W that are absent: three contacts in a chain. */
static void a_sparse_w_is_taken_as_it_is(void **state)
{
    int start[4] = {0, 2, 5, 7}, column[7] = {0, 1, 0, 1, 2, 1, 2}, diagonal[3] = {0, 3, 6};
    double value[28] = {0}, q[6] = {-1.0, 0.2, -1.0, 0.4, -1.0, 0.1}, mu[3] = {0.3, 0.2, 0.5};
    double r[6] = {0}, want[6] = {0}, u[6];
    haw_report report;
    uint64_t seed = 4;

    (void)state;
    for (int k = 0; k < 7; k++) {
        value[4 * k] = k == 0 || k == 3 || k == 6 ? 1.0 : 0.4;
        value[4 * k + 3] = k == 0 || k == 3 || k == 6 ? 0.8 : -0.3;
    }
    const haw_problem problem = {.dimension = 2,
                                 .contacts = 3,
                                 .w = {2, 3, start, column, diagonal, value},
                                 .q = q,
                                 .mu = mu};

    check_linear_step(&problem, &seed);
    assert_int_equal(solve(&problem, NULL, 0.0, r).outcome, HAW_CONVERGED);
    assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "pgs"), &problem,
                           1.0e-12, want, u, &report));
    assert_near(enum_distance(6, r, want), 0.0, 1.0e-9, 0.0);
}

/* rho is a number without a unit: any start is led to the same answer, in similar time. */
static void balancing_repairs_a_bad_rho(void **state)
{
    const double rho[] = {1.0e-3, 1.0, 1.0e3};

    (void)state;
    for (uint64_t first = 1; first <= 20; first++) {
        uint64_t seed = first;
        small_problem s;
        double want[PROBLEM_ROWS] = {0};

        small_problem_init(&s, 2 + (int)(first % 2), 6);
        small_problem_random(&s, 30, 0.05, 0.4, &seed);
        assert_int_equal(solve(&s.problem, "balance", 0.0, want).outcome, HAW_CONVERGED);
        for (int k = 0; k < 3; k++) {
            double r[PROBLEM_ROWS] = {0};
            const haw_report report = solve(&s.problem, "rho", rho[k], r);

            assert_int_equal(report.outcome, HAW_CONVERGED);
            assert_true(report.iterations < 600);
            assert_near(enum_distance(PROBLEM_ROWS, r, want), 0.0, 1.0e-9, 0.0);
        }
    }
}

static void one_rho_needs_one_factorization(void **state)
{
    uint64_t seed = 9;
    small_problem s;
    double r[PROBLEM_ROWS] = {0};

    (void)state;
    small_problem_init(&s, 3, 5);
    small_problem_random(&s, 30, 0.1, 0.4, &seed);
    const haw_report report = solve(&s.problem, "balance", 0.0, r);

    assert_int_equal(report.outcome, HAW_CONVERGED);
    assert_int_equal(report.effort.factorizations, 1);
    assert_int_equal(report.effort.sweeps, report.iterations);
    assert_true(report.effort.products >
                report.iterations); /* steps, and the referee's questions */
    assert_true(report.effort.newton_flops > 0.0 && report.effort.first_order_flops > 0.0);
}

/* Eight contacts of bodies with twelve velocities, every other one with a thousandth of the load:
 * the impulses are not unique, and residuals that ask for ever larger rho do so in vain. */
static void rho_does_not_grow_in_vain_where_w_is_singular(void **state)
{
    int factorizations = 0, iterations = 0;

    (void)state;
    for (uint64_t first = 1; first <= 60; first++) {
        uint64_t seed = first;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2, 8);
        small_problem_random(&s, 12, 0.0, 1.0, &seed);
        memset(s.q, 0, sizeof s.q);
        for (int c = 0; c < 8; c++) { /* q = -W r of an admissible r: at rest */
            const double normal = c % 2 == 0 ? 1.0 + 0.9 * random_signed(&seed) : 1.0e-3;
            const double tangent = c % 2 == 0 ? random_signed(&seed) * s.mu[c] * normal : 0.0;

            for (int row = 0; row < 16; row++) {
                s.q[row] -= *small_problem_entry(&s, row, 2 * c) * normal +
                            *small_problem_entry(&s, row, 2 * c + 1) * tangent;
            }
        }
        const haw_report report = solve_within(&s.problem, 1.0e-10, r, u);

        assert_int_equal(report.outcome, HAW_CONVERGED);
        factorizations += report.effort.factorizations;
        iterations += report.iterations;
    }
    assert_true(factorizations < 60 * 14);
    assert_true(iterations < 60 * 500);
}

/* Friction large enough for iterations that run in a circle until they are calmed. */
static void iterations_without_progress_are_calmed(void **state)
{
    const struct {
        int contacts;
        double mu;
        uint64_t seed;
    } rows[] = {{3, 4.0, 57}, {3, 8.0, 9},   {3, 8.0, 13}, {3, 16.0, 40},
                {4, 16.0, 9}, {5, 16.0, 26}, {7, 8.0, 50}, {7, 16.0, 35}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int n = rows[i].contacts;
        uint64_t seed = rows[i].seed;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, u[PROBLEM_ROWS];

        small_problem_init(&s, 2 + n % 2, n);
        small_problem_random(&s, 3 * n, 0.05, rows[i].mu, &seed);
        assert_int_equal(solve_within(&s.problem, 1.0e-10, r, u).outcome, HAW_CONVERGED);
    }
}

static void over_relaxation_saves_iterations(void **state)
{
    int plain = 0, relaxed = 0;

    (void)state;
    for (uint64_t first = 1; first <= 30; first++) {
        uint64_t seed = first;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, want[PROBLEM_ROWS] = {0};

        small_problem_init(&s, 3, 6);
        small_problem_random(&s, 30, 0.05, 0.4, &seed);
        plain += solve(&s.problem, "relaxation", 1.0, want).iterations;
        relaxed += solve(&s.problem, NULL, 0.0, r).iterations;
        assert_near(enum_distance(PROBLEM_ROWS, r, want), 0.0, 1.0e-9, 0.0);
    }
    assert_true(10 * relaxed < 9 * plain);
}

/* From the impulses of a nearby problem fewer iterations than from zero. */
static void a_warm_start_saves_iterations(void **state)
{
    int cold = 0, warm = 0;

    (void)state;
    for (uint64_t first = 1; first <= 20; first++) {
        uint64_t seed = first;
        small_problem s;
        double r[PROBLEM_ROWS] = {0}, again[PROBLEM_ROWS] = {0};

        small_problem_init(&s, 2 + (int)(first % 2), 6);
        small_problem_random(&s, 30, 0.1, 0.4, &seed);
        cold += solve(&s.problem, NULL, 0.0, r).iterations;
        memcpy(again, r, sizeof r);
        for (int i = 0; i < PROBLEM_ROWS; i++) {
            s.q[i] *= 1.0 + 1.0e-5 * random_signed(&seed);
        }
        warm += solve(&s.problem, NULL, 0.0, again).iterations;
    }
    assert_true(4 * warm < 3 * cold);
}

TEST_FILE(test_admm)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_linear_step_satisfies_its_equation_in_both_forms),
        cmocka_unit_test(long_rows_of_contacts_satisfy_the_equation_too),
        cmocka_unit_test(a_contact_of_very_many_velocities_is_solved),
        cmocka_unit_test(a_sparse_w_is_taken_as_it_is),
        cmocka_unit_test(balancing_repairs_a_bad_rho),
        cmocka_unit_test(one_rho_needs_one_factorization),
        cmocka_unit_test(rho_does_not_grow_in_vain_where_w_is_singular),
        cmocka_unit_test(iterations_without_progress_are_calmed),
        cmocka_unit_test(over_relaxation_saves_iterations),
        cmocka_unit_test(a_warm_start_saves_iterations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
