/* SPDX-License-Identifier: BSD-3-Clause */
/* Bordered band matrices against dense elimination; memory and places. */
#include "linalg/matrix.h"
#include "support/arena_fixture.h"
#include "support/random.h"
#include "support/sparse_sample.h"

enum { NODE = 4, BORDER_MAX = 3 };

/* A ring (or chain) of `nodes` blocks of 4 x 4, each coupled to the next one. */
static dense ring(int nodes, bool closed, uint64_t *seed)
{
    const int n = NODE * nodes;
    dense m = dense_make(n, n);
    for (int e = 0; e < (closed ? nodes : nodes - 1); e++) {
        for (int k = 0; k < 4 * NODE * NODE; k++) {
            const int i = k / (2 * NODE), j = k % (2 * NODE);
            *dense_at(&m, (NODE * e + i) % n, (NODE * e + j) % n) += random_signed(seed);
        }
    }
    return m;
}

typedef struct sample {
    haw_csr pattern;
    haw_matrix *matrix;
    dense full; /* B with its border */
    int n, m;
} sample;

static void fill(const sample *s)
{
    double *value = haw_matrix_value(s->matrix);
    haw_matrix_clear(s->matrix);
    for (int i = 0; i < s->n + s->m; i++) {
        for (int j = 0; j < s->n + s->m; j++) {
            const double entry = *dense_at(&s->full, i, j);
            const ptrdiff_t place = haw_matrix_place(s->matrix, i, j);
            assert_true(place >= 0 || entry == 0);
            if (place >= 0) {
                value[place] += entry;
            }
        }
    }
}

static sample make(const dense *inner, int border, uint64_t *seed)
{
    sample s = {.n = inner->rows, .m = border};
    s.full = dense_make(s.n + border, s.n + border);
    for (int i = 0; i < s.n + border; i++) {
        for (int j = 0; j < s.n + border; j++) {
            const bool inside = i < s.n && j < s.n;
            *dense_at(&s.full, i, j) = inside ? *dense_at(inner, i, j) : random_signed(seed);
        }
    }
    s.pattern = dense_to_csr(&arena, &s.full);
    assert_int_equal(haw_matrix_create(&arena, &s.pattern, border,
                                       &(haw_matrix_kind){HAW_MATRIX_BORDERED}, &s.matrix),
                     HAW_OK);
    fill(&s);
    return s;
}

/* Solutions and products against the dense matrix, twice: factors must not touch the entries. */
static void check(sample *s, uint64_t *seed)
{
    const int n = s->n + s->m;
    for (int k = 0; k < 2; k++) {
        dense want = dense_make(n, 1);
        double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
        for (int i = 0; i < n; i++) {
            want.a[i] = x[i] = random_signed(seed);
            y[i] = -2 * x[i];
        }
        assert_int_equal(haw_matrix_factor(s->matrix), HAW_OK);
        haw_matrix_solve(s->matrix, x);
        haw_matrix_multiply(s->matrix, 2, x, y);
        dense_solve(&s->full, &want);
        for (int i = 0; i < n; i++) {
            assert_near(x[i], want.a[i], 1e-9, 1e-9);
            assert_near(y[i], 0, 1e-9, 0);
        }
        free(want.a);
        free(x);
        free(y);
    }
}

static void rings_and_chains_agree_with_dense_elimination(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int border = 0; border <= BORDER_MAX; border++) {
        for (int closed = 0; closed < 2; closed++) {
            for (int nodes = 2; nodes < 40; nodes += 9) {
                dense inner = ring(nodes, closed, &seed);
                sample s = make(&inner, border, &seed);
                check(&s, &seed);
                free(inner.a);
                free(s.full.a);
            }
        }
    }
}

static void a_ring_of_four_by_four_blocks_has_half_band_eleven(void **state)
{
    (void)state;
    uint64_t seed = 3;
    dense inner = ring(60, true, &seed);
    sample s = make(&inner, 1, &seed);
    assert_int_equal(haw_matrix_width(s.matrix), 11);
    assert_int_equal(haw_matrix_place(s.matrix, 0, NODE * 30), -1);
    free(inner.a);
    free(s.full.a);
}

static void a_border_alone_is_a_dense_matrix(void **state)
{
    (void)state;
    uint64_t seed = 5;
    dense inner = dense_make(0, 0);
    sample s = make(&inner, 3, &seed);
    check(&s, &seed);
    free(inner.a);
    free(s.full.a);
}

static void zeros_on_the_diagonal_are_exchanged(void **state)
{
    (void)state;
    uint64_t seed = 11;
    dense inner = ring(10, true, &seed);
    for (int i = 0; i < inner.rows; i += 3) {
        *dense_at(&inner, i, i) = 0;
    }
    sample s = make(&inner, 2, &seed);
    check(&s, &seed);
    free(inner.a);
    free(s.full.a);
}

static void a_singular_matrix_is_refused(void **state)
{
    (void)state;
    uint64_t seed = 13;
    dense inner = ring(10, true, &seed);
    sample s = make(&inner, 1, &seed);
    for (int j = 0; j < s.n + s.m; j++) {
        *dense_at(&s.full, s.n, j) = *dense_at(&s.full, j, s.n) = 0;
    }
    fill(&s);
    assert_int_equal(haw_matrix_factor(s.matrix), HAW_ERR_SINGULAR);
    haw_matrix_value(s.matrix)[haw_matrix_place(s.matrix, 0, 0)] = (double)NAN;
    assert_int_equal(haw_matrix_factor(s.matrix), HAW_ERR_SINGULAR);
    free(inner.a);
    free(s.full.a);
}

static void the_spare_place_belongs_to_no_entry(void **state)
{
    (void)state;
    uint64_t seed = 17;
    dense inner = ring(12, true, &seed);
    sample s = make(&inner, 2, &seed);
    haw_matrix_value(s.matrix)[haw_matrix_spare(s.matrix)] = 1e30;
    check(&s, &seed);
    free(inner.a);
    free(s.full.a);
}

enum { BODY = 2 };

/* Pattern of a ring with a border, without a dense matrix beside it. */
static haw_csr ring_pattern(int nodes)
{
    const int n = NODE * nodes, all = n + BODY;
    haw_triplets triplets;
    haw_csr pattern;
    assert_int_equal(
        haw_triplets_create(&arena, (ptrdiff_t)nodes * 64 + 2 * BODY * all, false, &triplets),
        HAW_OK);
    for (int k = 0; k < nodes * 64; k++) {
        const int e = k / 64, i = k % 64 / 8, j = k % 8;
        haw_triplets_add(&triplets, (NODE * e + i) % n, (NODE * e + j) % n, 0);
    }
    for (int k = 0; k < BODY * all; k++) {
        haw_triplets_add(&triplets, n + k / all, k % all, 0);
        haw_triplets_add(&triplets, k % all, n + k / all, 0);
    }
    assert_int_equal(haw_triplets_compress(&arena, &triplets, all, all, &pattern), HAW_OK);
    return pattern;
}

static size_t memory_of(int nodes)
{
    haw_matrix *matrix;
    const haw_csr pattern = ring_pattern(nodes);
    const size_t before = arena.now.total;
    assert_int_equal(haw_matrix_create(&arena, &pattern, BODY, NULL, &matrix), HAW_OK);
    return arena.now.total - before;
}

static void memory_is_linear_in_the_rows(void **state)
{
    (void)state;
    const size_t once = memory_of(500), twice = memory_of(1000);
    assert_true(twice < once * 21 / 10);
    assert_true(once < (size_t)500 * NODE * 1500);
}

TEST_FILE(test_bordered)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_and_chains_agree_with_dense_elimination),
        cmocka_unit_test(a_ring_of_four_by_four_blocks_has_half_band_eleven),
        cmocka_unit_test(a_border_alone_is_a_dense_matrix),
        cmocka_unit_test(zeros_on_the_diagonal_are_exchanged),
        cmocka_unit_test(a_singular_matrix_is_refused),
        cmocka_unit_test(the_spare_place_belongs_to_no_entry),
        cmocka_unit_test(memory_is_linear_in_the_rows),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
