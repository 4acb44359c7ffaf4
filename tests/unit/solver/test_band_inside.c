/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line of quadratic B-splines hits a body with more points than it has degrees of freedom for:
 * which of them carry the force is not unique. Through the inside of the cones.
 */
#include "linalg/csr.h"
#include "solver/band_newton.h"
#include "support/random.h"
#include "support/rows.h"

#include <math.h>
#include <string.h>

enum { POINTS = 8, SPAN = 3 /* control points of an element */ };

typedef struct line {
    int d, contacts, equations;
    haw_matrix *matrix;
    haw_csr ht;
    double *w, *mu, *weight, *r, *v, *u;
} line;

static haw_context *home;
static haw_arena memory;

static void blend(double x, double *n)
{
    n[0] = 0.5 * (1 - x) * (1 - x);
    n[1] = 0.5 + x - x * x;
    n[2] = 0.5 * x * x;
}

/* Of a line with the body behind it, of ten times the mass of an element. */
static void make_matrix(line *l, int elements)
{
    const int d = l->d, body = l->equations - d;
    static const haw_matrix_kind kind = HAW_MATRIX_BORDERED;
    haw_triplets entries;
    haw_csr csr;
    assert_int_equal(
        haw_triplets_create(&memory, elements * POINTS * SPAN * SPAN * d * d + 2 * d * l->equations,
                            true, &entries),
        HAW_OK);
    for (int k = 0; k < elements * POINTS * SPAN * SPAN * d * d; k++) { /* contacts couple all */
        const int i = k % SPAN, j = k / SPAN % SPAN, c = k / (SPAN * SPAN) % (d * d);
        const int point = k / (SPAN * SPAN * d * d), e = point / POINTS;
        double n[SPAN];
        blend((point % POINTS + 0.5) / POINTS, n);
        haw_triplets_add(&entries, d * (e + i) + c % d, d * (e + j) + c / d,
                         c % d == c / d ? n[i] * n[j] / POINTS : 0);
    }
    for (int k = 0; k < d * l->equations; k++) { /* a full border */
        const int i = k / d, j = body + k % d;
        haw_triplets_add(&entries, i, j, i == j ? 10 : 0);
        if (i < body) {
            haw_triplets_add(&entries, j, i, 0);
        }
    }
    assert_int_equal(haw_triplets_compress(&memory, &entries, l->equations, l->equations, &csr),
                     HAW_OK);
    assert_int_equal(haw_matrix_create(&memory, &csr, d, &kind, &l->matrix), HAW_OK);
    for (int i = 0; i < l->equations; i++) {
        for (int k = csr.start[i]; k < csr.start[i + 1]; k++) {
            haw_matrix_value(l->matrix)[haw_matrix_place(l->matrix, i, csr.column[k])] =
                csr.value[k];
        }
    }
}

static void make_rows(line *l)
{
    const int d = l->d, rows = d * l->contacts;
    haw_triplets entries;
    assert_int_equal(haw_triplets_create(&memory, rows * (SPAN + 1), true, &entries), HAW_OK);
    for (int row = 0; row < rows; row++) {
        const int point = row / d, e = point / POINTS, c = row % d;
        double n[SPAN];
        blend((point % POINTS + 0.5) / POINTS, n);
        for (int i = 0; i < SPAN; i++) {
            haw_triplets_add(&entries, row, d * (e + i) + c, n[i]);
        }
        haw_triplets_add(&entries, row, l->equations - d + c, -1);
    }
    assert_int_equal(haw_triplets_compress(&memory, &entries, rows, l->equations, &l->ht), HAW_OK);
}

/* Velocities of neighbouring nodes differ, as those of a line that has been hit before do.
 * @param rough  velocities that elements cannot follow */
static line make(int d, int elements, double slip, double rough, uint64_t seed)
{
    line l = {.d = d, .contacts = elements * POINTS, .equations = d * (elements + SPAN)};
    double **const array[] = {&l.w, &l.mu, &l.weight, &l.r, &l.v, &l.u};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        const int n = d * l.contacts + l.equations;
        *array[i] = haw_arena_allocate(&memory, (size_t)n, sizeof(double));
        assert_non_null(*array[i]);
        memset(*array[i], 0, (size_t)n * sizeof(double));
    }
    make_matrix(&l, elements);
    make_rows(&l);
    for (int i = 0; i < l.equations; i++) {
        l.v[i] = random_signed(&seed) * (i % d == 0 ? 1 : 0.3);
    }
    haw_csr_add(&l.ht, 1, l.v, l.w);
    for (int i = 0; i < d * l.contacts; i++) {
        l.w[i] += (i % d == 0 ? -0.2 : (i % d == 1 ? slip : 0)) + rough * random_signed(&seed);
        l.mu[i / d] = 0.3;
    }
    return l;
}

static haw_band_result solve(line *l, double tolerance)
{
    haw_band_result result;
    const haw_band_problem problem = {.matrix = l->matrix,
                                      .scale = 1,
                                      .dimension = l->d,
                                      .contacts = l->contacts,
                                      .ht = &l->ht,
                                      .w = l->w,
                                      .mu = l->mu,
                                      .weight = l->weight,
                                      .speed = 1,
                                      .is_judged = true,
                                      .walks = true,
                                      .tolerance = tolerance,
                                      .round = 8};
    assert_int_equal(haw_band_newton(&problem, &memory, l->r, l->v, l->u, &result), HAW_OK);
    return result;
}

/* Mean number of steps. */
static double count_steps(int d, int elements, double slip, double rough)
{
    enum { CASES = 10 };

    int steps = 0;
    for (int i = 0; i < CASES; i++) {
        line l = make(d, elements, slip, rough, 100 + (uint64_t)i);
        const haw_band_result result = solve(&l, 5e-9);
        assert_true(result.met && result.fits);
        steps += result.iterations;
        haw_matrix_release(l.matrix);
        haw_arena_reset(&memory);
    }
    print_message("d = %d, %d contacts, slip %g: %.1f steps\n", d, elements * POINTS, slip,
                  (double)steps / CASES);
    return (double)steps / CASES;
}

/* By changes of the set of contacts that carry, 512 of them take 50 steps. */
static void steps_hardly_grow_with_the_contacts(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const double few = count_steps(d, 4, -2, 1e-3), many = count_steps(d, 64, -2, 1e-3);
        assert_true(many < 20 && many < 2 * few);
    }
}

/* Where points stick the path has folds: where steps down end, it is followed through them. */
static void folds_are_passed(void **state)
{
    (void)state;
    assert_true(count_steps(2, 16, 0, 1e-5) < 60);
    assert_true(count_steps(2, 64, 0, 1e-5) < 100);
    assert_true(count_steps(3, 16, 0, 1e-3) < 20);
}

/* Where an open point just touches, with neither force nor slack, both are sqrt(t): t has to fall
 * below the square of the tolerance. */
static void points_that_just_touch_are_solved_to_the_tolerance(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        int touching = 0;
        line l = make(d, 16, -0.1, 1e-3, 100);
        assert_true(solve(&l, 1e-9).met);
        for (int i = 0; i < d * l.contacts; i += d) {
            const bool touches = l.r[i] == 0 && l.u[i] > 1e-6;
            l.w[i] -= touches ? l.u[i] : 0;
            touching += touches;
        }
        assert_true(touching > 10);
        memset(l.r, 0, (size_t)(d * l.contacts) * sizeof(double));
        memset(l.v, 0, (size_t)l.equations * sizeof(double));
        const haw_band_result result = solve(&l, 1e-9);
        print_message("%d points touch: %d steps, residual %.2g\n", touching, result.iterations,
                      result.residual);
        assert_true(result.met && result.iterations < 60);
        haw_matrix_release(l.matrix);
        haw_arena_reset(&memory);
    }
}

TEST_FILE(test_band_inside)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_hardly_grow_with_the_contacts),
        cmocka_unit_test(folds_are_passed),
        cmocka_unit_test(points_that_just_touch_are_solved_to_the_tolerance),
    };
    assert_int_equal(haw_context_create(NULL, &home), HAW_OK);
    haw_arena_init(&memory, home);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    haw_arena_fini(&memory);
    haw_context_free(home);
    return failed;
}
