/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the inverse that a factorization gives without solving for all of it, and how far its
 * pivots are from nothing. */
#include "support/band_sample.h"
#include "support/failing.h"
#include "support/random.h"

#include <SuiteSparse_config.h>

enum { DENSE = 160 };

static haw_context *context;

static int open_context(void **state)
{
    (void)state;
    return haw_context_create(NULL, &context) == HAW_OK ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    haw_context_free(context);
    return 0;
}

static void inverse_of_sample(const sample *s, double *inverse)
{
    lapack_int pivot[N_MAX];
    memcpy(inverse, s->dense, sizeof s->dense);
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, s->n, s->n, inverse, s->n, pivot), 0);
    assert_int_equal(LAPACKE_dgetri(LAPACK_ROW_MAJOR, s->n, inverse, s->n, pivot), 0);
}

static void band_of_the_inverse_is_that_of_the_dense_inverse(void **state)
{
    (void)state;
    static sample s;
    static double inverse[N_MAX * N_MAX];
    uint64_t seed = 3;
    for (int width = 0; width <= KD_MAX; ++width) {
        haw_factor *factor = NULL;
        make(&s, N_MAX - width, width, &seed);
        assert_int_equal(haw_factor_create_band(context, s.n, width, 1, &factor), HAW_OK);
        assert_null(haw_factor_inverse_band(factor)); /* nothing factorized yet */
        for (int repeat = 0; repeat < 2; ++repeat) {
            const haw_band band = as_band(&s, 1);
            assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
            const double *z = haw_factor_inverse_band(factor);
            inverse_of_sample(&s, inverse);
            for (int j = 0; j < s.n; ++j) {
                for (int d = 0; d <= width && j + d < s.n; ++d) {
                    assert_near(z[j * (width + 1) + d], inverse[(j + d) * s.n + j], 1e-14, 1e-12);
                }
            }
            make(&s, N_MAX - width, width, &seed);
        }
        haw_factor_free(factor);
    }
}

/* Three rows with a few entries each; the second may be empty. */
static haw_factor_rows some_rows(int n, int empty, uint64_t *seed)
{
    static int start[4], column[12];
    static double value[12];
    int count = 0;
    for (int row = 0; row < 3; ++row) {
        start[row] = count;
        for (int k = 0; k < 4 && row != empty; ++k) {
            column[count] = (row + k * (n / 4)) % n;
            value[count++] = random_signed(seed);
        }
    }
    start[3] = count;
    return (haw_factor_rows){3, start, column, value};
}

static void check_gram(haw_factor *factor, int n, int empty, uint64_t *seed)
{
    static double x[DENSE * 3];
    double gram[9];
    const haw_factor_rows rows = some_rows(n, empty, seed);
    memset(x, 0, sizeof x);
    for (int row = 0; row < 3; ++row) {
        for (int k = rows.start[row]; k < rows.start[row + 1]; ++k) {
            x[rows.column[k] * 3 + row] = rows.value[k];
        }
    }
    assert_int_equal(haw_factor_gram(factor, &rows, gram), HAW_OK);
    haw_factor_solve(factor, 3, 0, x);
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            double want = 0;
            for (int k = rows.start[a]; k < rows.start[a + 1]; ++k) {
                want += rows.value[k] * x[rows.column[k] * 3 + b];
            }
            assert_near(gram[a * 3 + b], want, 1e-14, 1e-12);
        }
    }
}

static void gram_of_sparse_rows_is_that_of_solves(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 5;
    for (int width = 0; width <= KD_MAX; ++width) {
        haw_factor *factor = NULL;
        make(&s, N_MAX - width, width, &seed);
        const haw_sparse matrix = as_sparse(&s);
        assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
        for (int repeat = 0; repeat < 3; ++repeat) {
            assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_OK);
            for (int empty = 0; empty <= 3; ++empty) {
                check_gram(factor, s.n, empty, &seed);
            }
        }
        const haw_factor_rows nothing = {3, (const int[4]){0}, NULL, NULL};
        double gram[9] = {1};
        assert_int_equal(haw_factor_gram(factor, &nothing, gram), HAW_OK);
        assert_true(gram[0] == 0);
        haw_factor_free(factor);
    }
}

/* A full matrix, which CHOLMOD factorizes by blocks: A = B B^T / n + shift I. */
static haw_sparse full_matrix(int rank, double shift, uint64_t *seed)
{
    static double b[DENSE * DENSE], value[DENSE * DENSE];
    static int start[DENSE + 1], row[DENSE * DENSE];
    int count = 0;
    for (int k = 0; k < DENSE * DENSE; ++k) {
        b[k] = random_signed(seed);
    }
    for (int j = 0; j < DENSE; ++j) {
        start[j] = count;
        for (int i = j; i < DENSE; ++i) {
            double sum = i == j ? shift : 0;
            for (int k = 0; k < rank; ++k) {
                sum += b[i * DENSE + k] * b[j * DENSE + k] / DENSE;
            }
            row[count] = i;
            value[count++] = sum;
        }
    }
    start[DENSE] = count;
    return (haw_sparse){.n = DENSE, .start = start, .row = row, .value = value};
}

static double margin_of(haw_factor *factor, const haw_sparse *matrix)
{
    double diagonal[DENSE];
    for (int j = 0; j < matrix->n; ++j) {
        diagonal[j] = matrix->value[matrix->start[j]];
    }
    return haw_factor_margin(factor, diagonal);
}

static void margin_and_gram_of_a_factor_by_blocks(void **state)
{
    (void)state;
    uint64_t seed = 7;
    haw_sparse matrix = full_matrix(DENSE, 0.5, &seed);
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
    for (int repeat = 0; repeat < 2; ++repeat) {
        assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_OK);
        const double blocks = margin_of(factor, &matrix);
        assert_true(blocks >= 0.25 && blocks <= 1); /* smallest eigenvalue 1/2, diagonal below 2 */
        check_gram(factor, DENSE, 1, &seed);
        assert_near(margin_of(factor, &matrix), blocks, 0,
                    1e-12); /* the factor is by columns now */
    }
    matrix = full_matrix(DENSE / 2, 1e-15, &seed); /* of half rank */
    if (haw_factor_sparse(factor, &matrix) == HAW_OK) {
        assert_true(margin_of(factor, &matrix) < 1e-13);
    }
    haw_factor_free(factor);
}

/* The last pivot of a band is det A / det A', times what it came from. */
static void margin_of_a_band_is_its_smallest_pivot(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 11;
    haw_factor *factor = NULL;
    make(&s, 20, 1, &seed);
    for (int j = 0; j < 20; ++j) { /* 2 on and -1 beside the diagonal: pivots 2, 3/2, 4/3, ... */
        s.band[2 * j] = 2;
        s.band[2 * j + 1] = -1;
    }
    const double diagonal[20] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    const haw_band band = as_band(&s, 1);
    assert_int_equal(haw_factor_create_band(context, 20, 1, 1, &factor), HAW_OK);
    assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
    assert_near(haw_factor_margin(factor, diagonal), 21.0 / 20 / 2, 1e-14, 0);
    assert_int_equal(haw_factor_width(factor), 1);
    assert_near(haw_factor_entries(factor), 40, 0, 0);
    haw_factor_free(factor);

    spread(&s);
    const haw_sparse matrix = as_sparse(&s);
    assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
    assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_OK);
    const double margin = haw_factor_margin(factor, diagonal); /* AMD may join chains: 1/2 ... */
    assert_true(margin > 0.01 && margin <= 21.0 / 20 / 2 + 1e-14);
    assert_int_equal(haw_factor_width(factor), -1);
    assert_near(haw_factor_entries(factor), 39, 0, 0); /* no fill */
    haw_factor_free(factor);
}

static void a_band_has_no_gram(void **state)
{
    (void)state;
    haw_factor *factor = NULL;
    double gram[9];
    const haw_factor_rows nothing = {3, (const int[4]){0}, NULL, NULL};
    assert_int_equal(haw_factor_create_band(context, 5, 1, 1, &factor), HAW_OK);
    assert_int_equal(haw_factor_gram(factor, &nothing, gram), HAW_ERR_ARG);
    haw_factor_free(factor);
}

static void a_gram_of_more_than_three_rows_is_refused(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 13;
    haw_factor *factor = NULL;
    double gram[16];
    const haw_factor_rows rows = {4, (const int[5]){0}, NULL, NULL};
    make(&s, 20, 1, &seed);
    const haw_sparse matrix = as_sparse(&s);
    assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
    assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_OK);
    assert_int_equal(haw_factor_gram(factor, &rows, gram), HAW_ERR_ARG);
    assert_string_equal(haw_context_message(context), "Gram of 4 rows (at most 3)");
    haw_factor_free(factor);
}

/* ---- CHOLMOD's memory comes from functions of its process ---- */

static long until_failure;

static bool fails(void)
{
    return --until_failure == 0;
}

static void *failing_malloc(size_t bytes)
{
    return fails() ? NULL : malloc(bytes);
}

static void *failing_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : calloc(count, bytes);
}

static void *failing_realloc(void *pointer, size_t bytes)
{
    return fails() ? NULL : realloc(pointer, bytes);
}

/* Any of CHOLMOD's allocations may fail: it is told, and the next Gram is right. */
static void a_gram_without_memory_is_told(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 15;
    make(&s, N_MAX - 2, 2, &seed);
    const haw_sparse matrix = as_sparse(&s);
    haw_status status = HAW_ERR_NOMEM;
    for (long n = 1; status != HAW_OK; ++n) {
        haw_factor *factor = NULL;
        double gram[9];
        const haw_factor_rows rows = some_rows(s.n, 1, &seed);
        assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
        assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_OK);
        SuiteSparse_config.malloc_func = failing_malloc;
        SuiteSparse_config.calloc_func = failing_calloc;
        SuiteSparse_config.realloc_func = failing_realloc;
        until_failure = n;
        status = haw_factor_gram(factor, &rows, gram);
        SuiteSparse_config.malloc_func = malloc;
        SuiteSparse_config.calloc_func = calloc;
        SuiteSparse_config.realloc_func = realloc;
        assert_true(status == HAW_OK || status == HAW_ERR_NOMEM);
        assert_true((until_failure > 0) == (status == HAW_OK));
        check_gram(factor, s.n, 3, &seed);
        haw_factor_free(factor);
    }
}

TEST_FILE(test_factor_inverse)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_of_the_inverse_is_that_of_the_dense_inverse),
        cmocka_unit_test(gram_of_sparse_rows_is_that_of_solves),
        cmocka_unit_test(margin_and_gram_of_a_factor_by_blocks),
        cmocka_unit_test(margin_of_a_band_is_its_smallest_pivot),
        cmocka_unit_test(a_band_has_no_gram),
        cmocka_unit_test(a_gram_of_more_than_three_rows_is_refused),
        cmocka_unit_test(a_gram_without_memory_is_told),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
