/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/winding.h"
#include "support/rows.h"

#include <lapacke.h>
#include <stdlib.h>

static haw_problem *wind(int dimension, int nodes, int layers, double kappa, unsigned long seed)
{
    const haw_winding winding = {dimension, nodes, layers, kappa, 0.4, seed};
    haw_problem *problem;

    assert_int_equal(haw_winding_create(NULL, &winding, &problem), HAW_OK);
    assert_int_equal(haw_problem_check(NULL, problem), HAW_OK);
    return problem;
}

/* Largest over smallest eigenvalue of W. */
static double condition(const haw_problem *problem)
{
    haw_problem *local;

    assert_int_equal(haw_problem_reduce(NULL, problem, &local), HAW_OK);
    const int d = local->dimension, rows = d * local->contacts;
    double *a = calloc((size_t)rows * (size_t)rows, sizeof *a);
    double *e = calloc((size_t)rows, sizeof *e);

    assert_true(a != NULL && e != NULL);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            const ptrdiff_t block = (ptrdiff_t)(i / d) * local->contacts + j / d;

            a[(ptrdiff_t)rows * i + j] = local->w.value[block * d * d + i % d * d + j % d];
        }
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'L', rows, a, rows, e), 0);
    const double condition = e[rows - 1] / e[0];

    free(a);
    free(e);
    haw_problem_free(NULL, local);
    return condition;
}

static void condition_grows_with_kappa_as_published(void **state)
{
    static const double kappas[] = {1e2, 1e4, 1e6}, want[] = {3.9e2, 3.9e4, 3.9e6};

    (void)state;
    for (int i = 0; i < 3; i++) {
        haw_problem *problem = wind(3, 50, 1, kappas[i], 1);

        assert_near(condition(problem), want[i], 0.0, 0.015);
        haw_problem_free(NULL, problem);
    }
}

/* The published error of Gauss-Seidel after so many sweeps, N = 200, kappa = 1e6, mu = 0.4. */
static void sweeps_reduce_the_error_as_published(void **state)
{
    haw_problem *problem = wind(3, 200, 1, 1e6, 1), *local;
    double *r = calloc(600, sizeof *r), *u = calloc(600, sizeof *u);
    haw_solver_settings settings;
    haw_report report;

    (void)state;
    assert_true(r != NULL && u != NULL);
    assert_int_equal(haw_problem_reduce(NULL, problem, &local), HAW_OK);
    assert_int_equal(haw_solver_settings_init(NULL, "pgs", &settings), HAW_OK);
    settings.options[0] = 1e-12; /* the tolerance leads */
    assert_int_equal(haw_options_set_real(NULL, settings.ops->row.options, settings.options,
                                          "max_iterations", 1000.0),
                     HAW_OK);
    assert_int_equal(haw_solve(local, &settings, rows_workspace(), r, u, &report), HAW_OK);
    assert_int_equal(report.effort.sweeps, 1000);
    assert_near(report.residual.relative, 8e-5, 0.0, 0.15);
    haw_problem_free(NULL, local);
    haw_problem_free(NULL, problem);
    free(r);
    free(u);
}

static void moving_as_a_whole_strains_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const int d = 2 + i % 2;
        haw_problem *problem = wind(d, 30, 1 + i / 2, 1e4, 1);
        const haw_csr *m = &problem->global->m;

        for (int row = 0; row < m->rows; row++) {
            double sums[3] = {0};

            for (int k = m->start[row]; k < m->start[row + 1]; k++) {
                sums[m->column[k] % d] += m->value[k];
            }
            for (int axis = 0; axis < d; axis++) { /* M (1, 1, ...) = mass (1, 1, ...) */
                assert_near(sums[axis], axis == row % d ? 1.0 : 0.0, 1e-10, 0.0);
            }
        }
        haw_problem_free(NULL, problem);
    }
}

static double entry(const haw_csr *a, int row, int column)
{
    for (int k = a->start[row]; k < a->start[row + 1]; k++) {
        if (a->column[k] == column) {
            return a->value[k];
        }
    }
    return 0.0;
}

static void mass_is_symmetric_and_fills_its_arrays(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const int d = 2 + i % 2, layers = 1 + i / 2 % 2, nodes = i / 4 == 0 ? 3 : 40;
        haw_problem *problem = wind(d, nodes, layers, 1e2, 1);
        const haw_csr *m = &problem->global->m, *ht = &problem->global->ht;

        for (int row = 0; row < m->rows; row++) {
            for (int k = m->start[row]; k < m->start[row + 1]; k++) {
                assert_near(m->value[k], entry(m, m->column[k], row), 1e-12, 1e-14);
            }
        }
        assert_int_equal(m->start[m->rows], layers * d * (d * (3 * nodes - 2) + 2 * (nodes - 2)));
        assert_int_equal(ht->start[ht->rows], nodes * (d == 2 ? 4 : 5) * (layers == 1 ? 1 : 3));
        haw_problem_free(NULL, problem);
    }
}

/* Inner tensions cancel: what is left are the two ends, along the tangents there. */
static void forces_of_the_ends_remain(void **state)
{
    const double pi = 3.14159265358979323846;
    haw_problem *problem = wind(2, 101, 1, 1e2, 1);
    double sum[2] = {0};

    (void)state;
    for (int i = 0; i < 202; i++) {
        sum[i % 2] += problem->global->f[i];
    }
    const double tension = 100.0 / (6.0 * pi); /* T0; both tangents are (0, 1) */

    assert_near(sum[0], 0.0, 0.4, 0.0); /* noise: 0.1 expected */
    assert_near(sum[1], 2.0 * tension, 0.4, 0.0);
    haw_problem_free(NULL, problem);
}

static void the_seed_decides_the_noise(void **state)
{
    haw_problem *a = wind(3, 20, 1, 1e2, 1), *b = wind(3, 20, 1, 1e2, 1);
    haw_problem *c = wind(3, 20, 1, 1e2, 2);
    double square = 0.0;

    (void)state;
    for (int i = 0; i < 60; i++) {
        assert_near(a->global->f[i], b->global->f[i], 0.0, 0.0);
        square += pow(a->global->f[i] - c->global->f[i], 2);
    }
    assert_near(sqrt(square / 60.0), 0.01 * sqrt(2.0), 0.0, 0.4);
    haw_problem_free(NULL, a);
    haw_problem_free(NULL, b);
    haw_problem_free(NULL, c);
}

static void suite_has_56_problems_with_names_of_their_own(void **state)
{
    char names[56][HAW_WINDING_NAME_SIZE];
    int space = 0, layered = 0, large = 0;

    (void)state;
    assert_int_equal(haw_winding_suite_count(), 56);
    for (int i = 0; i < 56; i++) {
        const haw_winding winding = haw_winding_suite(i);

        haw_winding_name(&winding, names[i]);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(names[k], names[i]);
        }
        space += winding.dimension == 3;
        layered += winding.layers == 2;
        large += winding.nodes >= 2000;
    }
    assert_int_equal(space, 18 + 6 + 5 + 4);
    assert_int_equal(layered, 6);
    assert_int_equal(large, 4);
    assert_string_equal(names[0], "c2_50_k1e2_m0.1");
    assert_string_equal(names[55], "c3_5000_k1e6_m0.4");
}

static void names_say_the_parameters(void **state)
{
    char name[HAW_WINDING_NAME_SIZE];

    (void)state;
    haw_winding_name(&(haw_winding){3, 200, 1, 1e4, 0.4, 1}, name);
    assert_string_equal(name, "c3_200_k1e4_m0.4");
    haw_winding_name(&(haw_winding){3, 50, 2, 1e6, 0.1, 1}, name);
    assert_string_equal(name, "L2_50_k1e6_m0.1");
    haw_winding_name(&(haw_winding){2, 50, 2, 2500.0, 1.0, 1}, name);
    assert_string_equal(name, "L2c2_50_k2.5e3_m1");
}

static void parameters_out_of_range_are_refused(void **state)
{
    const haw_winding wrong[] = {{4, 50, 1, 1e2, 0.4, 1},  {3, 2, 1, 1e2, 0.4, 1},
                                 {3, 50, 3, 1e2, 0.4, 1},  {3, 50, 1, -1.0, 0.4, 1},
                                 {3, 50, 1, 1e2, -0.4, 1}, {3, 50, 1, NAN, 0.4, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        haw_problem *problem;

        assert_int_equal(haw_winding_create(NULL, &wrong[i], &problem), HAW_ERR_ARG);
        assert_null(problem);
    }
}

TEST_FILE(test_winding)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(condition_grows_with_kappa_as_published),
        cmocka_unit_test(sweeps_reduce_the_error_as_published),
        cmocka_unit_test(moving_as_a_whole_strains_nothing),
        cmocka_unit_test(mass_is_symmetric_and_fills_its_arrays),
        cmocka_unit_test(forces_of_the_ends_remain),
        cmocka_unit_test(the_seed_decides_the_noise),
        cmocka_unit_test(suite_has_56_problems_with_names_of_their_own),
        cmocka_unit_test(names_say_the_parameters),
        cmocka_unit_test(parameters_out_of_range_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
