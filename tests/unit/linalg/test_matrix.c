/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of the mechanics in both layouts: against dense elimination by LAPACK, and which of them
 * is chosen. */
#include "linalg/matrix.h"
#include "support/arena_fixture.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/sparse_sample.h"

#include <math.h>

enum { NODE = 4 };

static const haw_matrix_kind kinds[] = {HAW_MATRIX_BORDERED, HAW_MATRIX_SPARSE};

/* Cables of blocks of four, each coupled to the next; every `stride`th node of a cable to the same
 * node of the next cable; and bodies of one unknown, each coupled to a node of every cable. */
typedef struct net {
    int cables, nodes, stride, bodies;
} net;

static int node_of(const net *n, int i)
{
    return i / NODE % n->nodes;
}

static bool is_coupled(const net *n, int i, int j)
{
    const int inner = n->cables * n->nodes * NODE;
    if (i >= inner || j >= inner) {
        const int body = (i >= inner ? i : j) - inner, other = i >= inner ? j : i;
        return other >= inner ? other - inner == body : node_of(n, other) == body % n->nodes;
    }
    const int cable = i / (n->nodes * NODE) - j / (n->nodes * NODE);
    const int way = node_of(n, i) - node_of(n, j);
    return cable == 0 ? abs(way) <= 1
                      : abs(cable) == 1 && way == 0 && node_of(n, i) % n->stride == n->stride / 2;
}

static int size_of(const net *n)
{
    return n->cables * n->nodes * NODE + n->bodies;
}

static dense sample(const net *n, uint64_t *seed)
{
    dense m = dense_make(size_of(n), size_of(n));
    for (int i = 0; i < m.rows; i++) {
        for (int j = 0; j < m.rows; j++) {
            *dense_at(&m, i, j) = is_coupled(n, i, j) ? random_signed(seed) : 0;
        }
    }
    return m;
}

static void fill(const haw_csr *csr, const haw_matrix *matrix)
{
    for (int i = 0; i < csr->rows; i++) {
        for (int k = csr->start[i]; k < csr->start[i + 1]; k++) {
            const ptrdiff_t place = haw_matrix_place(matrix, i, csr->column[k]);
            assert_true(place >= 0 && place < haw_matrix_spare(matrix));
            haw_matrix_value(matrix)[place] += csr->value[k];
        }
    }
    haw_matrix_value(matrix)[haw_matrix_spare(matrix)] = 1e30; /* belongs to no entry */
}

/* Solution, product and rows against the dense matrix. */
static void check(const dense *m, int border, haw_matrix *matrix, uint64_t *seed)
{
    const int n = m->rows;
    dense want = dense_make(n, 1), x = dense_make(n, 1), y = dense_make(n, 1), z = dense_make(n, 1);
    haw_csr csr;
    for (int i = 0; i < n; i++) {
        want.a[i] = x.a[i] = random_signed(seed);
        y.a[i] = -2 * x.a[i];
    }
    assert_int_equal(haw_matrix_csr(matrix, border, &arena, &csr), HAW_OK);
    assert_int_equal(haw_matrix_factor(matrix), HAW_OK);
    haw_matrix_solve(matrix, x.a);
    haw_matrix_multiply(matrix, 2, x.a, y.a);
    haw_csr_add(&csr, 1, x.a, z.a);
    for (int i = 0; i < n; i++) {
        assert_near(y.a[i], 0, 1e-8, 0);
        assert_near(z.a[i], want.a[i], 1e-8, 0);
    }
    dense_solve(m, &want);
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(want.a[i]));
    }
    for (int i = 0; i < n; i++) {
        assert_near(x.a[i], want.a[i], 1e-8 * largest, 0);
    }
    free(want.a);
    free(x.a);
    free(y.a);
    free(z.a);
}

static void both_kinds_agree_with_dense_elimination(void **state)
{
    (void)state;
    static const net nets[] = {{1, 12, 1, 0}, {1, 12, 1, 2}, {3, 8, 3, 0},
                               {3, 8, 3, 4},  {4, 5, 1, 3},  {0, 1, 1, 3}};
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            dense m = sample(&nets[i], &seed);
            const haw_csr csr = dense_to_csr(&arena, &m);
            haw_matrix *matrix;
            assert_int_equal(haw_matrix_create(&arena, &csr, nets[i].bodies, &kinds[k], &matrix),
                             HAW_OK);
            assert_int_equal(haw_matrix_kind_of(matrix), kinds[k]);
            for (int pass = 0; pass < 2; pass++) { /* factors must not touch the entries */
                haw_matrix_clear(matrix);
                fill(&csr, matrix);
                check(&m, nets[i].bodies, matrix, &seed);
                check(&m, nets[i].bodies, matrix, &seed);
            }
            haw_matrix_release(matrix);
            haw_arena_reset(&arena);
            free(m.a);
        }
    }
}

static haw_csr pattern_of(const net *n)
{
    haw_triplets list;
    haw_csr pattern;
    const int size = size_of(n);
    ptrdiff_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            assert_int_equal(haw_triplets_create(&arena, count, false, &list), HAW_OK);
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                if (is_coupled(n, i, j)) {
                    count++;
                    if (pass == 1) {
                        haw_triplets_add(&list, i, j, 0);
                    }
                }
            }
        }
    }
    assert_int_equal(haw_triplets_compress(&arena, &list, size, size, &pattern), HAW_OK);
    return pattern;
}

/* Narrow bands with a few bodies stay what they are; nets and many bodies are sparse. */
static void the_choice_follows_the_pattern(void **state)
{
    (void)state;

    static const struct {
        net of;
        haw_matrix_kind kind;
        int width;
    } row[] = {{{1, 100, 1, 0}, HAW_MATRIX_BORDERED, 7},  {{1, 100, 1, 3}, HAW_MATRIX_BORDERED, 7},
               {{2, 60, 60, 3}, HAW_MATRIX_BORDERED, -1}, {{12, 30, 3, 0}, HAW_MATRIX_SPARSE, -1},
               {{1, 100, 1, 90}, HAW_MATRIX_SPARSE, -1},  {{20, 20, 1, 6}, HAW_MATRIX_SPARSE, -1}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const haw_csr pattern = pattern_of(&row[i].of);
        haw_matrix *matrix;
        assert_int_equal(haw_matrix_create(&arena, &pattern, row[i].of.bodies, NULL, &matrix),
                         HAW_OK);
        assert_int_equal(haw_matrix_kind_of(matrix), row[i].kind);
        assert_true(row[i].width < 0 || haw_matrix_width(matrix) == row[i].width);
        assert_true((haw_matrix_width(matrix) < 0) == (row[i].kind == HAW_MATRIX_SPARSE));
        haw_matrix_release(matrix);
        haw_arena_reset(&arena);
    }
}

/* Of the border only what is not zero goes into the rows, and the diagonal. */
static void zeros_of_the_border_are_left_out_of_the_rows(void **state)
{
    (void)state;
    const net of = {2, 6, 3, 3};
    const haw_csr pattern = pattern_of(&of);
    const int inner = size_of(&of) - of.bodies;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        haw_matrix *matrix;
        haw_csr csr;
        assert_int_equal(haw_matrix_create(&arena, &pattern, of.bodies, &kinds[k], &matrix),
                         HAW_OK);
        haw_matrix_value(matrix)[haw_matrix_place(matrix, NODE, inner + 1)] = 5;
        assert_int_equal(haw_matrix_csr(matrix, of.bodies, &arena, &csr), HAW_OK);
        for (int i = 0; i < csr.rows; i++) {
            for (int j = 0; j < csr.rows; j++) {
                const bool is_inner = i < inner && j < inner;
                const bool want =
                    is_inner ? is_coupled(&of, i, j) : i == j || (i == NODE && j == inner + 1);
                assert_true((haw_csr_find(&csr, i, j) >= 0) == want);
            }
        }
        assert_true(csr.value[haw_csr_find(&csr, NODE, inner + 1)] == 5);
        haw_matrix_release(matrix);
    }
    haw_arena_reset(&arena);
}

/* Three columns, which are no neighbours, of row k. */
static void set_columns(int n, int k, int column[3])
{
    column[0] = k;
    column[1] = (k + 1) % n;
    column[2] = (k + n / 2) % n;
}

/* Those of all rows, often. */
static haw_csr list_rows(int n, int times)
{
    haw_csr rows;
    assert_int_equal(haw_csr_create(&arena, times * n, n, 3 * times * n, false, &rows), HAW_OK);
    for (int i = 0; i < times * n; i++) {
        set_columns(n, i % n, rows.column + 3 * i);
        rows.start[i + 1] = 3 * (i + 1);
    }
    return rows;
}

/* h' A^-1 h of rows with few entries, as the rows of contacts, against dense elimination: by
 * substitution, and by entries of the inverse. @param times  0, or how often all rows are wanted */
static void check_products(const dense *m, haw_matrix *matrix, int times, uint64_t *seed)
{
    const int n = m->rows;
    dense work = dense_make(n, 1);
    const haw_csr wanted = list_rows(n, times);
    assert_int_equal(haw_matrix_factor(matrix), HAW_OK);
    assert_int_equal(
        haw_matrix_prepare_products(matrix, times > 0 ? &wanted : NULL, wanted.rows, &arena),
        HAW_OK);
    for (int k = 0; k < n; k += 5) {
        int column[3];
        set_columns(n, k, column);
        double h[6];
        dense x = dense_make(n, 1);
        for (int i = 0; i < 6; i++) {
            h[i] = random_signed(seed);
        }
        for (int i = 0; i < 3; i++) {
            x.a[column[i]] = h[2 * i];
        }
        dense_solve(m, &x);
        const double want = h[0] * x.a[column[0]] + h[2] * x.a[column[1]] + h[4] * x.a[column[2]];
        assert_near(haw_matrix_product(matrix, 3, column, h, 2, work.a), want, 1e-10,
                    1e-9 * fabs(want));
        free(x.a);
    }
    free(work.a);
}

static void products_with_the_inverse_are_those_of_dense_elimination(void **state)
{
    (void)state;
    const net of = {6, 12, 4, 3};
    uint64_t seed = 17;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        dense m = sample(&of, &seed);
        for (int i = 0; i < m.rows * m.columns; i++) { /* rows of three sizes */
            m.a[i] *= pow(100, i / m.columns % 3);
        }
        const haw_csr csr = dense_to_csr(&arena, &m);
        haw_matrix *matrix;
        assert_int_equal(haw_matrix_create(&arena, &csr, of.bodies, &kinds[k], &matrix), HAW_OK);
        fill(&csr, matrix);
        for (int times = 0; times < 100; times += 33) {
            check_products(&m, matrix, times, &seed);
        }
        haw_matrix_release(matrix);
        haw_arena_reset(&arena);
        free(m.a);
    }
}

/* What touched and does so no more leaves zeros, which the factors are made without: a matrix with
 * a past has the bits of one without. */
static void zeros_come_and_go_without_a_trace(void **state)
{
    (void)state;
    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    const net of = {4, 8, 3, 2};
    uint64_t seed = 19;
    dense m = sample(&of, &seed);
    const int n = m.rows;
    const haw_csr csr = dense_to_csr(&arena, &m);
    haw_matrix *matrix, *fresh;
    assert_int_equal(haw_matrix_create(&arena, &csr, of.bodies, &sparse, &matrix), HAW_OK);
    fill(&csr, matrix);
    check(&m, of.bodies, matrix, &seed);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (abs(i - j) > 2 && *dense_at(&m, i, j) != 0) {
                haw_matrix_value(matrix)[haw_matrix_place(matrix, i, j)] = 0;
                *dense_at(&m, i, j) = 0;
            }
        }
    }
    check(&m, of.bodies, matrix, &seed);
    assert_int_equal(haw_matrix_create(&arena, &csr, of.bodies, &sparse, &fresh), HAW_OK);
    memcpy(haw_matrix_value(fresh), haw_matrix_value(matrix),
           (size_t)haw_matrix_spare(fresh) * sizeof(double));
    assert_int_equal(haw_matrix_factor(fresh), HAW_OK);
    dense a = dense_make(n, 1), b = dense_make(n, 1);
    for (int i = 0; i < n; i++) {
        a.a[i] = b.a[i] = random_signed(&seed);
    }
    haw_matrix_solve(matrix, a.a);
    haw_matrix_solve(fresh, b.a);
    assert_memory_equal(a.a, b.a, (size_t)n * sizeof(double));
    free(a.a);
    free(b.a);
    free(m.a);
    haw_matrix_release(matrix);
    haw_matrix_release(fresh);
    haw_arena_reset(&arena);
}

/* Entries that rounding makes zero in every other step get a place in the factors, once. */
static void entries_that_flicker_keep_the_factors(void **state)
{
    (void)state;
    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    const net of = {6, 24, 6, 0};
    uint64_t seed = 29;
    dense m = sample(&of, &seed);
    const int n = m.rows, last = of.nodes * NODE - 1;
    const haw_csr csr = dense_to_csr(&arena, &m);
    haw_matrix *matrix;
    assert_int_equal(haw_matrix_create(&arena, &csr, 0, &sparse, &matrix), HAW_OK);
    for (int i = 0; i < n; i++) { /* most entries are zero, and more than two thousand are not */
        for (int j = i > 2 ? i - 2 : 0; j < n && j <= i + 2; j++) {
            const ptrdiff_t place = haw_matrix_place(matrix, i, j);
            haw_matrix_value(matrix)[place >= 0 ? place : haw_matrix_spare(matrix)] =
                i == j ? 4 : random_signed(&seed);
        }
    }
    double *flicker[] = {&haw_matrix_value(matrix)[haw_matrix_place(matrix, 0, 1)],
                         &haw_matrix_value(matrix)[haw_matrix_place(matrix, last, last - 1)]};
    int made = 0;
    for (int step = 0; step < 12; step++) {
        for (int k = 0; k < 2; k++) {
            *flicker[k] = step % (k + 2) == 0 ? 0 : 1e-9;
        }
        assert_int_equal(haw_matrix_factor(matrix), HAW_OK);
        made += haw_matrix_is_kept(matrix) ? 0 : 1;
    }
    assert_int_equal(made, 2); /* with both zero, and with neither */
    haw_matrix_release(matrix);
    haw_arena_reset(&arena);
    free(m.a);
}

/* A cable of nodes of four unknowns on a body of three, which all of it touches, and multipliers
 * that tie the body to the last node, with a lever. */
static void fill_tied(haw_matrix *matrix, const haw_csr *csr, int inner, uint64_t *seed)
{
    for (int i = 0; i < csr->rows; i++) {
        for (int k = csr->start[i]; k < csr->start[i + 1]; k++) {
            const int j = csr->column[k], low = i < j ? i : j;
            const double tie = low < inner - 3 ? 0.5 : 1;
            const double other = i >= inner || j >= inner ? tie : random_signed(seed);
            haw_matrix_value(matrix)[haw_matrix_place(matrix, i, j)] = i != j      ? other
                                                                       : i < inner ? 16
                                                                                   : 0;
        }
    }
}

/* Multipliers of what a body holds that a whole cable touches come behind the node that they hold:
 * before it they would take the row of the body for a pivot, and all couples with all. */
static void multipliers_fill_nothing_in(void **state)
{
    enum { NODES = 60, BODY = 3, INNER = NODE * NODES + BODY, ROWS = INNER + BODY };

    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    uint64_t seed = 31;
    haw_triplets list;
    haw_csr pattern;
    haw_matrix *matrix;
    (void)state;
    assert_int_equal(haw_triplets_create(&arena, (ptrdiff_t)ROWS * ROWS, false, &list), HAW_OK);
    for (int i = 0; i < ROWS * ROWS; i++) {
        const int row = i / ROWS, column = i % ROWS, low = row < column ? row : column;
        const int high = row + column - low, body = INNER - BODY;
        const bool ties = high - INNER == low - body || high - INNER == low - (body - NODE);
        if (row == column || (high < body && high / NODE - low / NODE <= 1) ||
            (high < INNER && high >= body) || (high >= INNER && ties)) {
            haw_triplets_add(&list, row, column, 0);
        }
    }
    assert_int_equal(haw_triplets_compress(&arena, &list, ROWS, ROWS, &pattern), HAW_OK);
    assert_int_equal(haw_matrix_create(&arena, &pattern, 0, &sparse, &matrix), HAW_OK);
    assert_near(haw_matrix_entries(matrix), 0, 0, 0);
    fill_tied(matrix, &pattern, INNER, &seed);
    assert_int_equal(haw_matrix_factor(matrix), HAW_OK);
    assert_true(haw_matrix_entries(matrix) < 1.1 * pattern.start[ROWS]); /* else 1.4 */
    haw_csr csr;
    assert_int_equal(haw_matrix_csr(matrix, 0, &arena, &csr), HAW_OK);
    dense m = dense_from_csr(&csr);
    check(&m, 0, matrix, &seed);
    free(m.a);
    haw_matrix_release(matrix);
    haw_arena_reset(&arena);
}

/* Every entry by up to this part. */
static void change(dense *m, const haw_csr *csr, haw_matrix *matrix, double part, uint64_t *seed)
{
    for (int i = 0; i < m->rows; i++) {
        for (int k = csr->start[i]; k < csr->start[i + 1]; k++) {
            double *value = &haw_matrix_value(matrix)[haw_matrix_place(matrix, i, csr->column[k])];
            *value *= 1 + part * random_signed(seed);
            *dense_at(m, i, csr->column[k]) = *value;
        }
    }
}

/* x [n] of ones, with a fresh matrix of the same entries. */
static void solve_afresh(const haw_csr *csr, const haw_matrix *matrix, double *x)
{
    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    haw_matrix *fresh;
    assert_int_equal(haw_matrix_create(&arena, csr, 0, &sparse, &fresh), HAW_OK);
    memcpy(haw_matrix_value(fresh), haw_matrix_value(matrix),
           (size_t)haw_matrix_spare(fresh) * sizeof(double));
    assert_int_equal(haw_matrix_factor(fresh), HAW_OK);
    for (int i = 0; i < csr->rows; i++) {
        x[i] = 1;
    }
    haw_matrix_solve(fresh, x);
    haw_matrix_release(fresh);
}

/* Solves are as good with the factors of a matrix that differs by little; those of one that differs
 * by more, or was to be forgotten, are not taken. */
static void near_matrices_share_factors(void **state)
{
    static const struct {
        double part;
        bool forgets, is_kept, at_once; /* factorized and solved */
    } row[] = {{1e-10, false, true, false}, {1e-7, false, true, false}, {1e-2, false, false, false},
               {1e-10, true, false, false}, {1e-10, false, true, true}, {1e-7, false, true, true},
               {1e-2, false, false, true},  {1e-10, true, false, true}};

    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    const net of = {4, 8, 3, 2};
    uint64_t seed = 23;
    (void)state;
    dense m = sample(&of, &seed), x = dense_make(m.rows, 1), want = dense_make(m.rows, 1);
    for (int i = 0; i < m.rows; i++) {
        *dense_at(&m, i, i) += 8;
    }
    const haw_csr csr = dense_to_csr(&arena, &m);
    haw_matrix *matrix;
    assert_int_equal(haw_matrix_create(&arena, &csr, 0, &sparse, &matrix), HAW_OK);
    fill(&csr, matrix);
    assert_int_equal(haw_matrix_factor(matrix), HAW_OK);
    assert_false(haw_matrix_is_kept(matrix));
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        if (row[k].forgets) {
            haw_matrix_forget(matrix);
        }
        change(&m, &csr, matrix, row[k].part, &seed);
        for (int i = 0; i < m.rows; i++) {
            x.a[i] = 1;
        }
        assert_int_equal(row[k].at_once ? haw_matrix_factor_solve(matrix, x.a)
                                        : haw_matrix_factor(matrix),
                         HAW_OK);
        assert_true(haw_matrix_is_kept(matrix) == row[k].is_kept);
        if (!row[k].at_once) {
            haw_matrix_solve(matrix, x.a);
        }
        solve_afresh(&csr, matrix, want.a);
        for (int i = 0; i < m.rows; i++) {
            assert_near(x.a[i], want.a[i], row[k].is_kept ? 1e-15 : 0, 0);
        }
    }
    haw_matrix_release(matrix);
    free(x.a);
    free(want.a);
    free(m.a);
}

static void singular_matrices_are_refused(void **state)
{
    (void)state;
    const net of = {3, 6, 2, 2};
    uint64_t seed = 11;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        dense m = sample(&of, &seed);
        const haw_csr csr = dense_to_csr(&arena, &m);
        haw_matrix *matrix;
        assert_int_equal(haw_matrix_create(&arena, &csr, of.bodies, &kinds[k], &matrix), HAW_OK);
        assert_int_equal(haw_matrix_factor(matrix), HAW_ERR_SINGULAR); /* of zeros */
        fill(&csr, matrix);
        check(&m, of.bodies, matrix, &seed);
        haw_matrix_value(matrix)[haw_matrix_place(matrix, 0, 0)] = (double)NAN;
        assert_int_equal(haw_matrix_factor(matrix), HAW_ERR_SINGULAR);
        haw_matrix_release(matrix);
        haw_arena_reset(&arena);
        free(m.a);
    }
}

static haw_status create_by_count(haw_context *failing, void *user)
{
    haw_arena own;
    haw_matrix *matrix = NULL;
    haw_arena_init(&own, failing);
    const haw_status status = haw_matrix_create(&own, user, 0, NULL, &matrix);
    assert_true(status != HAW_OK || haw_matrix_kind_of(matrix) == HAW_MATRIX_SPARSE);
    haw_matrix_release(matrix);
    haw_arena_fini(&own);
    return status;
}

/* A matrix and the rows whose products are wanted of it. */
static haw_status weigh_by_inverse(haw_context *failing, void *user)
{
    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    const haw_csr *of = user;
    haw_arena own;
    haw_matrix *matrix = NULL;
    haw_arena_init(&own, failing);
    haw_status status = haw_matrix_create(&own, &of[0], 0, &sparse, &matrix);
    if (status == HAW_OK) {
        fill(&of[0], matrix);
        status = haw_matrix_factor(matrix);
    }
    if (status == HAW_OK) {
        status = haw_matrix_prepare_products(matrix, &of[1], of[1].rows, &own);
    }
    haw_matrix_release(matrix);
    haw_arena_fini(&own);
    return status;
}

/* A solve by the factors of a matrix nearby leaves what that is off by, and no more. */
static void one_solve_is_as_good_as_the_factors(void **state)
{
    static const haw_matrix_kind sparse = HAW_MATRIX_SPARSE;
    uint64_t seed = 17;
    const net of = {6, 24, 6, 0};
    dense m = sample(&of, &seed);
    const haw_csr csr = dense_to_csr(&arena, &m);
    double *exact = calloc((size_t)m.rows, sizeof *exact), *once = calloc((size_t)m.rows, 8);
    haw_matrix *matrix;
    (void)state;
    assert_int_equal(haw_matrix_create(&arena, &csr, 0, &sparse, &matrix), HAW_OK);
    fill(&csr, matrix);
    for (int k = 0; k < 2; k++) {
        for (ptrdiff_t i = 0; i < haw_matrix_spare(matrix); i++) {
            haw_matrix_value(matrix)[i] *= k == 0 ? 1 : 1 + 1e-6;
        }
        assert_int_equal(haw_matrix_factor(matrix), HAW_OK);
        assert_true(haw_matrix_is_kept(matrix) == (k == 1));
        for (int i = 0; i < m.rows; i++) {
            exact[i] = once[i] = 1 + i % 3;
        }
        haw_matrix_solve(matrix, exact);
        haw_matrix_solve_once(matrix, once);
        for (int i = 0; i < m.rows; i++) {
            assert_near(once[i], exact[i] * (k == 0 ? 1 : 1 + 1e-6), 1e-10, 1e-8);
        }
    }
    haw_matrix_release(matrix);
    haw_arena_reset(&arena);
    free(exact);
    free(once);
    free(m.a);
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = 13;
    const net of = {6, 24, 6, 0};
    dense m = sample(&of, &seed);
    haw_csr pattern = pattern_of(&(net){12, 30, 3, 0});
    haw_csr both[] = {dense_to_csr(&arena, &m), list_rows(m.rows, 99)};
    assert_true(failing_loop(create_by_count, &pattern) > 3);
    assert_true(failing_loop(weigh_by_inverse, both) > 25);
    free(m.a);
    haw_arena_reset(&arena);
}

TEST_FILE(test_matrix)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_agree_with_dense_elimination),
        cmocka_unit_test(the_choice_follows_the_pattern),
        cmocka_unit_test(zeros_of_the_border_are_left_out_of_the_rows),
        cmocka_unit_test(products_with_the_inverse_are_those_of_dense_elimination),
        cmocka_unit_test(zeros_come_and_go_without_a_trace),
        cmocka_unit_test(entries_that_flicker_keep_the_factors),
        cmocka_unit_test(multipliers_fill_nothing_in),
        cmocka_unit_test(near_matrices_share_factors),
        cmocka_unit_test(one_solve_is_as_good_as_the_factors),
        cmocka_unit_test(singular_matrices_are_refused),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
