/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/winding.h"
#include "support/near.h"
#include "support/rows.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
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

/* ---- entry by entry, from their definition: sums over elements and nodes ---- */

static const double pi = 3.14159265358979323846;

static haw_problem *create(const haw_winding *winding)
{
    haw_problem *problem;

    assert_int_equal(haw_winding_create(NULL, winding, &problem), HAW_OK);
    assert_int_equal(haw_problem_check(NULL, problem), HAW_OK);
    return problem;
}

static double sum_of_entry(const haw_csr *a, int row, int column)
{
    double sum = 0.0;

    for (int k = a->start[row]; k < a->start[row + 1]; k++) {
        sum += a->column[k] == column ? a->value[k] : 0.0;
    }
    return sum;
}

/* Row or column of component k of a node. */
static int place(const haw_winding *w, int node, int layer, int k)
{
    return w->dimension * (node * w->layers + layer) + k;
}

/* ---- the definition ---- */

/* The chord of element e is the tangent of the circle half way between its nodes: it measures
 * 2 r sin(D/2) there, and D/(2 pi) times the pitch along the axis. */
static void chord(const haw_winding *w, int e, int layer, double t[3])
{
    const double step = 6.0 * pi / (w->nodes - 1), middle = (e + 0.5) * step;
    const double across = 2.0 * (0.5 + 0.02 * layer) * sin(0.5 * step);
    const double rise = w->dimension == 3 ? 0.05 * step / (2.0 * pi) : 0.0;
    const double length = sqrt(across * across + rise * rise);

    t[0] = -across * sin(middle) / length;
    t[1] = across * cos(middle) / length;
    t[2] = rise / length;
}

/* M of components k and l of nodes i and j: unit masses, elements, second differences. */
static double want_mass(const haw_winding *w, int layer, const int node[2], const int component[2])
{
    const int i = node[0], j = node[1], k = component[0], l = component[1];
    double sum = i == j && k == l ? 1.0 : 0.0;

    for (int e = 0; e < w->nodes - 1; e++) {
        const double left = (i == e + 1) - (i == e), right = (j == e + 1) - (j == e);
        double t[3];

        chord(w, e, layer, t);
        sum += w->kappa * left * right * (t[k] * t[l] + 1e-3 * ((k == l) - t[k] * t[l]));
    }
    for (int m = 1; m < w->nodes - 1 && k == l; m++) {
        const double left = (i == m - 1) - 2.0 * (i == m) + (i == m + 1);
        const double right = (j == m - 1) - 2.0 * (j == m) + (j == m + 1);

        sum += 1e-4 * w->kappa * left * right;
    }
    return sum;
}

/* Tensions T0 = 1/D of the elements, -T0 and 3 T0 at the ends along the tangents there. */
static double want_force(const haw_winding *w, int node, int layer, int k)
{
    const double step = 6.0 * pi / (w->nodes - 1), angle = node * step;
    const double r = 0.5 + 0.02 * layer, rise = w->dimension == 3 ? 0.05 / (2.0 * pi) : 0.0;
    const double tangent[3] = {-r * sin(angle) / hypot(r, rise), r * cos(angle) / hypot(r, rise),
                               rise / hypot(r, rise)};
    double sum = 0.0, t[3];

    if (node < w->nodes - 1) {
        chord(w, node, layer, t);
        sum += t[k];
    } else {
        sum += 3.0 * tangent[k];
    }
    if (node > 0) {
        chord(w, node - 1, layer, t);
        sum -= t[k];
    } else {
        sum -= tangent[k];
    }
    return sum / step;
}

/* Velocity of node - drum or layer 2 - layer 1 along the outward normal, the hoop, the axis. */
static double want_direction(const haw_winding *w, const int row[3], const int column[3])
{
    const double angle = row[0] * 6.0 * pi / (w->nodes - 1);
    const double axes[3][3] = {
        {cos(angle), sin(angle), 0.0}, {-sin(angle), cos(angle), 0.0}, {0.0, 0.0, 1.0}};
    const double factor = column[1] == row[1] ? 1.0 : column[1] == row[1] - 1 ? -1.0 : 0.0;

    return row[0] == column[0] ? factor * axes[row[2]][column[2]] : 0.0;
}

/* ---- all entries ---- */

/* Calls a check for all pairs of (node, layer, component). */
static void each_pair(const haw_winding *w, const haw_problem *problem,
                      void (*check)(const haw_winding *, const haw_problem *, const int *,
                                    const int *))
{
    const int d = w->dimension, rows = d * w->layers * w->nodes;

    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            const int row[3] = {i / d / w->layers, i / d % w->layers, i % d};
            const int column[3] = {j / d / w->layers, j / d % w->layers, j % d};

            check(w, problem, row, column);
        }
    }
}

static void check_mass(const haw_winding *w, const haw_problem *problem, const int *row,
                       const int *column)
{
    const double got = sum_of_entry(&problem->global->m, place(w, row[0], row[1], row[2]),
                                    place(w, column[0], column[1], column[2]));
    const double want = row[1] != column[1] ? 0.0
                                            : want_mass(w, row[1], (int[]){row[0], column[0]},
                                                        (int[]){row[2], column[2]});

    assert_near(got, want, 1e-13 * (1.0 + w->kappa), 0.0);
}

static void check_direction(const haw_winding *w, const haw_problem *problem, const int *row,
                            const int *column)
{
    const double got = sum_of_entry(&problem->global->ht, place(w, row[0], row[1], row[2]),
                                    place(w, column[0], column[1], column[2]));

    assert_near(got, want_direction(w, row, column), 1e-14, 0.0);
}

/* The random part: one normal number after another in the order of f. */
static void check_force(const haw_winding *w, const haw_problem *problem)
{
    const int d = w->dimension;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    assert_non_null(rng);
    gsl_rng_set(rng, w->seed);
    for (int i = 0; i < d * w->layers * w->nodes; i++) {
        const double smooth = want_force(w, i / d / w->layers, i / d % w->layers, i % d);
        const double noise = gsl_ran_gaussian(rng, 0.01);

        assert_near(problem->global->f[i], smooth + noise, 1e-13, 0.0);
        assert_near(problem->global->w[i], 0.0, 0.0, 0.0);
    }
    gsl_rng_free(rng);
}

static void every_entry_is_that_of_the_definition(void **state)
{
    static const int nodes[] = {3, 5, 6, 9};
    static const double kappas[] = {1.0, 0.0, 1e4};

    (void)state;
    for (int i = 0; i < 48; i++) {
        const haw_winding winding = {2 + i % 2, nodes[i / 4 % 4], 1 + i / 2 % 2, kappas[i / 16],
                                     0.3,       (unsigned long)i};
        haw_problem *problem = create(&winding);

        assert_int_equal(problem->contacts, winding.nodes * winding.layers);
        assert_int_equal(problem->global->m.rows, winding.dimension * problem->contacts);
        each_pair(&winding, problem, check_mass);
        each_pair(&winding, problem, check_direction);
        check_force(&winding, problem);
        for (int c = 0; c < problem->contacts; c++) {
            assert_near(problem->mu[c], 0.3, 0.0, 0.0);
        }
        haw_problem_free(NULL, problem);
    }
}

/* ---- single entries, with numbers worked out on paper ---- */

/* Five nodes in the plane: D = 3 pi/2, chords along (-1, -1), (-1, 1), (1, 1), (1, -1) over
 * sqrt 2. With kappa = 1 an element gives (1 +- (1 - 1e-3))/2 ... = 0.5005 and -+ 0.4995. */
static void five_nodes_in_the_plane(void **state)
{
    const haw_winding winding = {2, 5, 1, 1.0, 0.4, 1};
    haw_problem *problem = create(&winding);
    const haw_csr *m = &problem->global->m;

    (void)state;
    assert_near(sum_of_entry(m, 0, 0), 1.0 + 0.5005 + 1e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 0, 1), 0.4995, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 2, 2), 1.0 + 2.0 * 0.5005 + 5e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 2, 3), 0.0, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 4, 4), 1.0 + 2.0 * 0.5005 + 6e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 0, 2), -0.5005 - 2e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 0, 3), -0.4995, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 2, 5), 0.4995, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 2, 4), -0.5005 - 4e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 0, 4), 1e-4, 1e-16, 0.0);
    assert_near(sum_of_entry(m, 0, 5), 0.0, 0.0, 0.0);
    assert_near(sum_of_entry(m, 0, 6), 0.0, 0.0, 0.0);
    haw_problem_free(NULL, problem);
}

/* The same in space: across an element sqrt 2/2, along the axis 3/4 of the pitch 0.05. */
static void five_nodes_in_space(void **state)
{
    const haw_winding winding = {3, 5, 1, 1.0, 0.4, 1};
    haw_problem *problem = create(&winding);
    const haw_csr *m = &problem->global->m;
    const double square = 0.5 + 0.0375 * 0.0375; /* of the length of an element */
    const double axial = 1e-3 + (1.0 - 1e-3) * 0.0375 * 0.0375 / square;

    (void)state;
    assert_near(sum_of_entry(m, 2, 2), 1.0 + axial + 1e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 5, 5), 1.0 + 2.0 * axial + 5e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 2, 5), -axial - 2e-4, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 0, 2), (1.0 - 1e-3) * -0.5 * 0.0375 / square, 1e-14, 0.0);
    assert_near(sum_of_entry(m, 2, 8), 1e-4, 1e-16, 0.0);
    haw_problem_free(NULL, problem);
}

/* Velocities of layer 2 less those of layer 1, at node 1 of five: its normal is (0, -1, 0). */
static void the_upper_layer_moves_against_the_lower_one(void **state)
{
    const haw_winding winding = {3, 5, 2, 1.0, 0.4, 1};
    haw_problem *problem = create(&winding);
    const haw_csr *ht = &problem->global->ht;
    const int lower = 3 * 2, upper = 3 * 3; /* first rows and columns of the node's two contacts */

    (void)state;
    assert_near(sum_of_entry(ht, lower, lower + 1), -1.0, 1e-14, 0.0);
    assert_near(sum_of_entry(ht, lower, upper + 1), 0.0, 0.0, 0.0);
    assert_near(sum_of_entry(ht, upper, upper + 1), -1.0, 1e-14, 0.0);
    assert_near(sum_of_entry(ht, upper, lower + 1), 1.0, 1e-14, 0.0);
    assert_near(sum_of_entry(ht, upper + 1, upper), 1.0, 1e-14, 0.0); /* hoop: (1, 0, 0) */
    assert_near(sum_of_entry(ht, upper + 1, lower), -1.0, 1e-14, 0.0);
    assert_near(sum_of_entry(ht, upper + 2, upper + 2), 1.0, 0.0, 0.0);
    assert_near(sum_of_entry(ht, upper + 2, lower + 2), -1.0, 0.0, 0.0);
    haw_problem_free(NULL, problem);
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
        cmocka_unit_test(every_entry_is_that_of_the_definition),
        cmocka_unit_test(five_nodes_in_the_plane),
        cmocka_unit_test(five_nodes_in_space),
        cmocka_unit_test(the_upper_layer_moves_against_the_lower_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
