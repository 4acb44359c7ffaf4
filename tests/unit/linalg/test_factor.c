/* SPDX-License-Identifier: BSD-3-Clause */
/* Both kinds of factorization against dense LU. */
#include "support/arena_fixture.h"
#include "support/band_sample.h"
#include "support/failing.h"
#include "support/random.h"

#include <SuiteSparse_config.h>

static double solution[N_MAX * C_MAX * COLUMNS_MAX];
static double wanted[N_MAX * C_MAX * COLUMNS_MAX];

/* Right-hand sides in `solution`, zero before row `first`, and what dense elimination makes of
 * them.
 * @return how many numbers */
static int make_right(const sample *s, int copies, int columns, int first)
{
    uint64_t seed = 3;
    const int count = s->n * copies * columns;
    for (int i = 0; i < count; ++i) {
        solution[i] = i < first * copies * columns ? 0 : random_signed(&seed);
    }
    memcpy(wanted, solution, sizeof wanted);
    sample_solve_dense(s, copies, columns, wanted);
    return count;
}

static void check_solve(const haw_factor *factor, const sample *s, int copies, int columns,
                        int first)
{
    const int count = make_right(s, copies, columns, first);
    haw_factor_solve(factor, columns, first, solution);
    for (int i = 0; i < count; ++i) {
        assert_near(solution[i], wanted[i], 1e-13, 0);
    }
}

static void check_sparse_solve(haw_sparse_factor *factor, const sample *s, int columns)
{
    const int count = make_right(s, 1, columns, columns);
    haw_sparse_factor_solve(factor, columns, solution);
    for (int i = 0; i < count; ++i) {
        assert_near(solution[i], wanted[i], 1e-13, 0);
    }
}

static void check_band(sample *s, int copies)
{
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_band(context, s->n, s->width, copies, &factor), HAW_OK);
    const haw_band band = sample_band(s, copies);
    for (int repeat = 0; repeat < 2; ++repeat) {
        assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
        for (int columns = 1; columns <= COLUMNS_MAX; ++columns) {
            check_solve(factor, s, copies, columns, 0);
        }
        for (int first = 0; first < s->n; ++first) {
            check_solve(factor, s, copies, 2, first);
        }
    }
    haw_factor_free(factor);
}

static void band_solves_what_dense_elimination_solves(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 7;
    static const int rows[] = {1, 2, 3, 7, 8, 20, N_MAX};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        for (int width = 0; width <= KD_MAX; ++width) {
            for (int copies = 1; copies <= C_MAX; ++copies) {
                sample_make(&s, rows[r], width, &seed);
                check_band(&s, copies);
            }
        }
    }
}

static void sparse_solves_what_dense_elimination_solves(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 9;
    for (int width = 0; width <= KD_MAX; ++width) {
        sample_make(&s, N_MAX - width, width, &seed);
        haw_sparse matrix = sample_sparse(&s);
        haw_sparse_factor *factor = NULL;
        assert_int_equal(haw_sparse_factor_create(context, &matrix, &factor), HAW_OK);
        for (int repeat = 0; repeat < 2; ++repeat) { /* new values in the pattern analysed once */
            assert_int_equal(haw_sparse_factor_compute(factor, &matrix), HAW_OK);
            for (int columns = 1; columns <= COLUMNS_MAX; ++columns) {
                check_sparse_solve(factor, &s, columns);
            }
            sample_make(&s, N_MAX - width, width, &seed);
        }
        haw_sparse_factor_free(factor);
    }
}

/* The window's rows of the full solution, whatever the window. */
static void check_window(haw_factor *factor, const sample *s, int copies, int first, int count)
{
    enum { COLUMNS = 3 };

    static double full[N_MAX * C_MAX * COLUMNS];
    static double x[N_MAX * C_MAX * COLUMNS];
    const int stride = copies * COLUMNS;
    uint64_t seed = 13;
    memset(full, 0, sizeof full);
    for (int i = 0; i < count * stride; ++i) {
        full[first * stride + i] = x[i] = random_signed(&seed);
    }
    sample_solve_dense(s, copies, COLUMNS, full);
    haw_factor_solve_window(factor, COLUMNS, first, count, x);
    for (int i = 0; i < count * stride; ++i) {
        assert_near(x[i], full[first * stride + i], 1e-13, 0);
    }
}

/* The window's matrix times its rows of the full solution is the right-hand side. */
static void check_window_matrix(haw_factor *factor, const sample *s, int first, int count)
{
    static double value[N_MAX * (KD_MAX + 1)];
    static double full[N_MAX], right[N_MAX], product[N_MAX];
    const haw_band window = {.n = count, .width = s->width, .copies = 1, .value = value};
    uint64_t seed = 17;
    memset(full, 0, sizeof full);
    for (int i = 0; i < count; ++i) {
        full[first + i] = right[i] = random_signed(&seed);
    }
    sample_solve_dense(s, 1, 1, full);
    haw_factor_window(factor, first, count, value);
    haw_band_multiply(&window, full + first, product);
    for (int i = 0; i < count; ++i) {
        assert_near(product[i], right[i], 1e-12, 0);
    }
}

static void window_solves_its_rows_of_the_whole(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 15;
    for (int width = 0; width <= KD_MAX; ++width) {
        for (int copies = 1; copies <= C_MAX; ++copies) {
            haw_factor *factor = NULL;
            assert_int_equal(haw_factor_create_band(context, 20, width, copies, &factor), HAW_OK);
            for (int repeat = 0; repeat < 2; ++repeat) { /* what is kept is renewed */
                sample_make(&s, 20, width, &seed);
                const haw_band band = sample_band(&s, copies);
                assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
                for (int count = width > 1 ? width : 1; count <= 20; ++count) {
                    check_window(factor, &s, copies, (20 - count) / 2, count);
                    check_window(factor, &s, copies, 0, count);
                    check_window(factor, &s, copies, 20 - count, count);
                    check_window_matrix(factor, &s, (20 - count) / 2, count);
                    check_window_matrix(factor, &s, 0, count);
                    check_window_matrix(factor, &s, 20 - count, count);
                }
            }
            haw_factor_free(factor);
        }
    }
}

/* Hilbert-like matrices test accuracy where the condition number is 1e10. */
static void ill_conditioned_residual_stays_small(void **state)
{
    (void)state;
    static sample s = {.n = 8, .width = 7};
    for (int j = 0; j < 8; ++j) {
        for (int d = 0; d + j < 8; ++d) {
            s.band[j * 8 + d] = 1.0 / (2 * j + d + 1);
        }
    }
    sample_spread(&s);
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_band(context, 8, 7, 1, &factor), HAW_OK);
    const haw_band band = sample_band(&s, 1);
    assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
    double x[8] = {1, -1, 1, -1, 1, -1, 1, -1};
    double largest = 0;
    haw_factor_solve(factor, 1, 0, x);
    for (int i = 0; i < 8; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    for (int i = 0; i < 8; ++i) {
        double sum = i % 2 == 0 ? -1 : 1;
        for (int j = 0; j < 8; ++j) {
            sum += s.dense[i * 8 + j] * x[j];
        }
        assert_near(sum, 0, 8 * 2.3e-16 * 8 * largest, 0);
    }
    haw_factor_free(factor);
}

static void failed_factorization_recovers_with_a_good_matrix(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 25;
    sample_make(&s, 30, 3, &seed);
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_band(context, 30, 3, 1, &factor), HAW_OK);
    const haw_band band = sample_band(&s, 1);
    const double good = s.band[40];
    s.band[40] = -5;
    assert_int_equal(haw_factor_band(factor, &band), HAW_ERR_SINGULAR);
    s.band[40] = good;
    assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
    check_solve(factor, &s, 1, 3, 0);
    haw_factor_free(factor);
}

static haw_status use_both(haw_context *lent, void *user)
{
    sample *s = user;
    haw_factor *banded = NULL;
    haw_sparse_factor *sparse = NULL;
    haw_sparse matrix = sample_sparse(s);
    const haw_band band = sample_band(s, 1);
    haw_status status = haw_factor_create_band(lent, s->n, s->width, 1, &banded);
    if (status == HAW_OK) {
        status = haw_factor_band(banded, &band);
    }
    if (status == HAW_OK) {
        status = haw_sparse_factor_create(lent, &matrix, &sparse);
    }
    if (status == HAW_OK) {
        status = haw_sparse_factor_compute(sparse, &matrix);
    }
    haw_sparse_factor_free(sparse);
    haw_factor_free(banded);
    return status;
}

static void missing_memory_is_told_at_every_allocation(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 29;
    sample_make(&s, N_MAX, 7, &seed);
    assert_in_range(failing_loop(use_both, &s), 5, 20);
}

static void band_allocates_only_when_created(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 31;
    sample_make(&s, N_MAX, 7, &seed);
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *counted = NULL;
    haw_factor *factor = NULL;
    assert_int_equal(haw_context_create(&allocator, &counted), HAW_OK);
    assert_int_equal(haw_factor_create_band(counted, N_MAX, 7, 1, &factor), HAW_OK);
    const long calls = count.calls;
    const haw_band band = sample_band(&s, 1);
    assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
    check_solve(factor, &s, 1, 5, 0);
    assert_int_equal(count.calls, calls);
    haw_factor_free(factor);
    haw_context_free(counted);
}

/* ---- parts of the inverse, and how far pivots are from zero ---- */

enum { DENSE = 160 };

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
        sample_make(&s, N_MAX - width, width, &seed);
        assert_int_equal(haw_factor_create_band(context, s.n, width, 1, &factor), HAW_OK);
        assert_null(haw_factor_inverse_band(factor)); /* nothing factorized yet */
        for (int repeat = 0; repeat < 2; ++repeat) {
            const haw_band band = sample_band(&s, 1);
            assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
            const double *z = haw_factor_inverse_band(factor);
            inverse_of_sample(&s, inverse);
            for (int j = 0; j < s.n; ++j) {
                for (int d = 0; d <= width && j + d < s.n; ++d) {
                    assert_near(z[j * (width + 1) + d], inverse[(j + d) * s.n + j], 1e-14, 1e-12);
                }
            }
            sample_make(&s, N_MAX - width, width, &seed);
        }
        haw_factor_free(factor);
    }
}

/* Three rows with a few entries each; the second may be empty. */
static haw_sparse_rows some_rows(int n, int empty, uint64_t *seed)
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
    return (haw_sparse_rows){3, start, column, value};
}

static void check_gram(haw_sparse_factor *factor, int n, int empty, uint64_t *seed)
{
    static double x[DENSE * 3];
    double gram[9];
    const haw_sparse_rows rows = some_rows(n, empty, seed);
    memset(x, 0, sizeof x);
    for (int row = 0; row < 3; ++row) {
        for (int k = rows.start[row]; k < rows.start[row + 1]; ++k) {
            x[rows.column[k] * 3 + row] = rows.value[k];
        }
    }
    assert_int_equal(haw_sparse_factor_gram(factor, &rows, gram), HAW_OK);
    haw_sparse_factor_solve(factor, 3, x);
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
        haw_sparse_factor *factor = NULL;
        sample_make(&s, N_MAX - width, width, &seed);
        const haw_sparse matrix = sample_sparse(&s);
        assert_int_equal(haw_sparse_factor_create(context, &matrix, &factor), HAW_OK);
        for (int repeat = 0; repeat < 3; ++repeat) {
            assert_int_equal(haw_sparse_factor_compute(factor, &matrix), HAW_OK);
            for (int empty = 0; empty <= 3; ++empty) {
                check_gram(factor, s.n, empty, &seed);
            }
        }
        const haw_sparse_rows nothing = {3, (const int[4]){0}, NULL, NULL};
        double gram[9] = {1};
        assert_int_equal(haw_sparse_factor_gram(factor, &nothing, gram), HAW_OK);
        assert_true(gram[0] == 0);
        haw_sparse_factor_free(factor);
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

static double margin_of(haw_sparse_factor *factor, const haw_sparse *matrix)
{
    double diagonal[DENSE];
    for (int j = 0; j < matrix->n; ++j) {
        diagonal[j] = matrix->value[matrix->start[j]];
    }
    return haw_sparse_factor_margin(factor, diagonal);
}

static void margin_and_gram_of_a_factor_by_blocks(void **state)
{
    (void)state;
    uint64_t seed = 7;
    haw_sparse matrix = full_matrix(DENSE, 0.5, &seed);
    haw_sparse_factor *factor = NULL;
    assert_int_equal(haw_sparse_factor_create(context, &matrix, &factor), HAW_OK);
    for (int repeat = 0; repeat < 2; ++repeat) {
        assert_int_equal(haw_sparse_factor_compute(factor, &matrix), HAW_OK);
        const double blocks = margin_of(factor, &matrix);
        assert_true(blocks >= 0.25 && blocks <= 1); /* smallest eigenvalue 1/2, diagonal below 2 */
        check_gram(factor, DENSE, 1, &seed);
        assert_near(margin_of(factor, &matrix), blocks, 0,
                    1e-12); /* the factor is by columns now */
    }
    matrix = full_matrix(DENSE / 2, 1e-15, &seed); /* of half rank */
    if (haw_sparse_factor_compute(factor, &matrix) == HAW_OK) {
        assert_true(margin_of(factor, &matrix) < 1e-13);
    }
    haw_sparse_factor_free(factor);
}

/* The last pivot of a band is det A / det A', times what it came from. */
static void margin_of_a_band_is_its_smallest_pivot(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 11;
    haw_factor *factor = NULL;
    sample_make(&s, 20, 1, &seed);
    for (int j = 0; j < 20; ++j) { /* 2 on and -1 beside the diagonal: pivots 2, 3/2, 4/3, ... */
        s.band[2 * j] = 2;
        s.band[2 * j + 1] = -1;
    }
    const double diagonal[20] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    const haw_band band = sample_band(&s, 1);
    assert_int_equal(haw_factor_create_band(context, 20, 1, 1, &factor), HAW_OK);
    assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
    assert_near(haw_factor_margin(factor, diagonal), 21.0 / 20 / 2, 1e-14, 0);
    haw_factor_free(factor);

    sample_spread(&s);
    const haw_sparse matrix = sample_sparse(&s);
    haw_sparse_factor *sparse = NULL;
    assert_int_equal(haw_sparse_factor_create(context, &matrix, &sparse), HAW_OK);
    assert_int_equal(haw_sparse_factor_compute(sparse, &matrix), HAW_OK);
    const double margin =
        haw_sparse_factor_margin(sparse, diagonal); /* AMD may join chains: 1/2 ... */
    assert_true(margin > 0.01 && margin <= 21.0 / 20 / 2 + 1e-14);
    assert_near(haw_sparse_factor_entries(sparse), 39, 0, 0); /* no fill */
    haw_sparse_factor_free(sparse);
}

static void a_gram_of_more_than_three_rows_is_refused(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 13;
    haw_sparse_factor *factor = NULL;
    double gram[16];
    const haw_sparse_rows rows = {4, (const int[5]){0}, NULL, NULL};
    sample_make(&s, 20, 1, &seed);
    const haw_sparse matrix = sample_sparse(&s);
    assert_int_equal(haw_sparse_factor_create(context, &matrix, &factor), HAW_OK);
    assert_int_equal(haw_sparse_factor_compute(factor, &matrix), HAW_OK);
    assert_int_equal(haw_sparse_factor_gram(factor, &rows, gram), HAW_ERR_ARG);
    assert_string_equal(haw_context_message(context), "Gram matrix of 4 rows (at most 3)");
    haw_sparse_factor_free(factor);
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
    sample_make(&s, N_MAX - 2, 2, &seed);
    const haw_sparse matrix = sample_sparse(&s);
    haw_status status = HAW_ERR_NOMEM;
    for (long n = 1; status != HAW_OK; ++n) {
        haw_sparse_factor *factor = NULL;
        double gram[9];
        const haw_sparse_rows rows = some_rows(s.n, 1, &seed);
        assert_int_equal(haw_sparse_factor_create(context, &matrix, &factor), HAW_OK);
        assert_int_equal(haw_sparse_factor_compute(factor, &matrix), HAW_OK);
        SuiteSparse_config.malloc_func = failing_malloc;
        SuiteSparse_config.calloc_func = failing_calloc;
        SuiteSparse_config.realloc_func = failing_realloc;
        until_failure = n;
        status = haw_sparse_factor_gram(factor, &rows, gram);
        SuiteSparse_config.malloc_func = malloc;
        SuiteSparse_config.calloc_func = calloc;
        SuiteSparse_config.realloc_func = realloc;
        assert_true(status == HAW_OK || status == HAW_ERR_NOMEM);
        assert_true((until_failure > 0) == (status == HAW_OK));
        check_gram(factor, s.n, 3, &seed);
        haw_sparse_factor_free(factor);
    }
}

/* ---- what is refused: indefinite, singular and not finite matrices, wrong shapes ---- */

/* A failed factorization never gives plausible numbers. */
static void check_refusal(const char *message, int n, const double *x)
{
    assert_non_null(strstr(haw_context_message(context), message));
    for (int i = 0; i < n; ++i) {
        assert_true(isnan(x[i]));
    }
}

static void refused(sample *s, bool is_sparse, const char *message)
{
    double x[N_MAX * C_MAX] = {1};
    if (is_sparse) {
        haw_sparse_factor *factor = NULL;
        const haw_sparse matrix = sample_sparse(s);
        assert_int_equal(haw_sparse_factor_create(context, &matrix, &factor), HAW_OK);
        assert_int_equal(haw_sparse_factor_compute(factor, &matrix), HAW_ERR_SINGULAR);
        haw_sparse_factor_solve(factor, 1, x);
        check_refusal(message, s->n, x);
        haw_sparse_factor_free(factor);
    } else {
        haw_factor *factor = NULL;
        const haw_band band = sample_band(s, 2);
        assert_int_equal(haw_factor_create_band(context, s->n, s->width, 2, &factor), HAW_OK);
        assert_int_equal(haw_factor_band(factor, &band), HAW_ERR_SINGULAR);
        haw_factor_solve(factor, 1, 0, x);
        check_refusal(message, s->n, x);
        haw_factor_free(factor);
    }
}

static void indefinite_matrix_is_refused_with_its_row(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 21;
    for (int width = 0; width <= 7; ++width) {
        sample_make(&s, 20, width, &seed);
        s.band[13 * (width + 1)] = -1;
        sample_spread(&s);
        refused(&s, false, "not positive definite at row 13 of 20");
        refused(&s, true, "not positive definite at row");
    }
    sample_make(&s, 20, 0, &seed);
    s.band[13] = 0;
    sample_spread(&s);
    refused(&s, false, "not positive definite at row 13 of 20");
    refused(&s, true, "not positive definite at row 13 of 20");
}

static void singular_matrix_is_refused(void **state)
{
    (void)state;
    static sample s = {.n = 6, .width = 1};
    for (int j = 0; j < 6; ++j) { /* free chain of springs: constants are in its null space */
        s.band[2 * j] = j == 0 || j == 5 ? 1 : 2;
        s.band[2 * j + 1] = -1;
    }
    sample_spread(&s);
    refused(&s, false, "not positive definite at row 5 of 6");
    refused(&s, true, "not positive definite at row");
}

static void not_a_number_is_refused(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 23;
    for (int width = 0; width <= 7; ++width) {
        for (int where = 0; where < 20 * (width + 1); ++where) {
            sample_make(&s, 20, width, &seed);
            if (!isnan(s.band[where])) { /* else outside the matrix already */
                s.band[where] = where % 2 == 0 ? (double)NAN : HUGE_VAL;
                sample_spread(&s);
                refused(&s, false, "not positive definite");
                refused(&s, true, "not finite at row");
            }
        }
    }
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 27;
    sample_make(&s, 12, 3, &seed);
    haw_sparse matrix = sample_sparse(&s);
    haw_band band = sample_band(&s, 1);
    haw_factor *banded = NULL;
    haw_sparse_factor *sparse = NULL;
    assert_int_equal(haw_factor_create_band(context, 0, 3, 1, &banded), HAW_ERR_ARG);
    assert_int_equal(haw_factor_create_band(context, 12, -1, 1, &banded), HAW_ERR_ARG);
    assert_int_equal(haw_factor_create_band(context, 12, 3, 0, &banded), HAW_ERR_ARG);
    assert_null(banded);
    assert_int_equal(haw_factor_create_band(context, 12, 3, 1, &banded), HAW_OK);
    assert_int_equal(haw_sparse_factor_create(context, &matrix, &sparse), HAW_OK);
    band.n = 11;
    assert_int_equal(haw_factor_band(banded, &band), HAW_ERR_ARG);
    matrix.n = 11;
    assert_int_equal(haw_sparse_factor_compute(sparse, &matrix), HAW_ERR_ARG);
    haw_factor_free(banded);
    haw_sparse_factor_free(sparse);
    haw_factor_free(NULL);
    haw_sparse_factor_free(NULL);
    matrix.n = 12;
    matrix.row[1] = 0; /* twice row 0 in column 0 */
    assert_int_equal(haw_sparse_factor_create(context, &matrix, &sparse), HAW_ERR_ARG);
    assert_null(sparse);
}

static void impossible_window_gives_no_numbers(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 17;
    sample_make(&s, 12, 3, &seed);
    const haw_band band = sample_band(&s, 1);
    haw_factor *banded = NULL;
    assert_int_equal(haw_factor_create_band(context, 12, 3, 1, &banded), HAW_OK);
    double x[4] = {1, 1, 1, 1};
    haw_factor_solve_window(banded, 1, 2, 4, x); /* not factorized yet */
    assert_true(isnan(x[0]) && isnan(x[3]));
    assert_int_equal(haw_factor_band(banded, &band), HAW_OK);

    const struct {
        int first, count;
    } rows[] = {{9, 4}, {-1, 4}, {4, 2}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        x[0] = x[1] = 1;
        haw_factor_solve_window(banded, 1, rows[i].first, rows[i].count, x);
        assert_true(isnan(x[0]) && isnan(x[1]));
    }
    haw_factor_free(banded);
}

TEST_FILE(test_factor)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_solves_what_dense_elimination_solves),
        cmocka_unit_test(sparse_solves_what_dense_elimination_solves),
        cmocka_unit_test(window_solves_its_rows_of_the_whole),
        cmocka_unit_test(ill_conditioned_residual_stays_small),
        cmocka_unit_test(failed_factorization_recovers_with_a_good_matrix),
        cmocka_unit_test(missing_memory_is_told_at_every_allocation),
        cmocka_unit_test(band_allocates_only_when_created),
        cmocka_unit_test(band_of_the_inverse_is_that_of_the_dense_inverse),
        cmocka_unit_test(gram_of_sparse_rows_is_that_of_solves),
        cmocka_unit_test(margin_and_gram_of_a_factor_by_blocks),
        cmocka_unit_test(margin_of_a_band_is_its_smallest_pivot),
        cmocka_unit_test(a_gram_of_more_than_three_rows_is_refused),
        cmocka_unit_test(a_gram_without_memory_is_told),
        cmocka_unit_test(indefinite_matrix_is_refused_with_its_row),
        cmocka_unit_test(singular_matrix_is_refused),
        cmocka_unit_test(not_a_number_is_refused),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(impossible_window_gives_no_numbers),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
