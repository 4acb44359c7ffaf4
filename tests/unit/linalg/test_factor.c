/* SPDX-License-Identifier: BSD-3-Clause */
/* Both kinds of factorization against dense LU. */
#include "support/band_sample.h"
#include "support/failing.h"
#include "support/random.h"

static void check_solve(const haw_factor *factor, const sample *s, int copies, int columns,
                        int first)
{
    static double x[N_MAX * C_MAX * COLUMNS_MAX];
    static double want[N_MAX * C_MAX * COLUMNS_MAX];
    uint64_t seed = 3;
    const int count = s->n * copies * columns;
    for (int i = 0; i < count; ++i) {
        x[i] = i < first * copies * columns ? 0 : random_signed(&seed);
    }
    memcpy(want, x, sizeof want);
    solve_dense(s, copies, columns, want);
    haw_factor_solve(factor, columns, first, x);
    for (int i = 0; i < count; ++i) {
        assert_near(x[i], want[i], 1e-13, 0);
    }
}

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

static void check_band(sample *s, int copies)
{
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_band(context, s->n, s->width, copies, &factor), HAW_OK);
    const haw_band band = as_band(s, copies);
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
                make(&s, rows[r], width, &seed);
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
        make(&s, N_MAX - width, width, &seed);
        haw_sparse matrix = as_sparse(&s);
        haw_factor *factor = NULL;
        assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
        for (int repeat = 0; repeat < 2; ++repeat) { /* new values in the pattern analysed once */
            assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_OK);
            for (int columns = 1; columns <= COLUMNS_MAX; ++columns) {
                check_solve(factor, &s, 1, columns, columns);
            }
            make(&s, N_MAX - width, width, &seed);
        }
        haw_factor_free(factor);
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
    solve_dense(s, copies, COLUMNS, full);
    haw_factor_solve_window(factor, COLUMNS, first, count, x);
    for (int i = 0; i < count * stride; ++i) {
        assert_near(x[i], full[first * stride + i], 1e-13, 0);
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
                make(&s, 20, width, &seed);
                const haw_band band = as_band(&s, copies);
                assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
                for (int count = width > 1 ? width : 1; count <= 20; ++count) {
                    check_window(factor, &s, copies, (20 - count) / 2, count);
                    check_window(factor, &s, copies, 0, count);
                    check_window(factor, &s, copies, 20 - count, count);
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
    spread(&s);
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_band(context, 8, 7, 1, &factor), HAW_OK);
    const haw_band band = as_band(&s, 1);
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
    make(&s, 30, 3, &seed);
    haw_factor *factor = NULL;
    assert_int_equal(haw_factor_create_band(context, 30, 3, 1, &factor), HAW_OK);
    const haw_band band = as_band(&s, 1);
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
    haw_factor *sparse = NULL;
    haw_sparse matrix = as_sparse(s);
    const haw_band band = as_band(s, 1);
    haw_status status = haw_factor_create_band(lent, s->n, s->width, 1, &banded);
    if (status == HAW_OK) {
        status = haw_factor_band(banded, &band);
    }
    if (status == HAW_OK) {
        status = haw_factor_create_sparse(lent, &matrix, &sparse);
    }
    if (status == HAW_OK) {
        status = haw_factor_sparse(sparse, &matrix);
    }
    haw_factor_free(sparse);
    haw_factor_free(banded);
    return status;
}

static void missing_memory_is_told_at_every_allocation(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 29;
    make(&s, N_MAX, 7, &seed);
    assert_in_range(failing_loop(use_both, &s), 5, 20);
}

static void band_allocates_only_when_created(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 31;
    make(&s, N_MAX, 7, &seed);
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *counted = NULL;
    haw_factor *factor = NULL;
    assert_int_equal(haw_context_create(&allocator, &counted), HAW_OK);
    assert_int_equal(haw_factor_create_band(counted, N_MAX, 7, 1, &factor), HAW_OK);
    const long calls = count.calls;
    const haw_band band = as_band(&s, 1);
    assert_int_equal(haw_factor_band(factor, &band), HAW_OK);
    check_solve(factor, &s, 1, 5, 0);
    assert_int_equal(count.calls, calls);
    haw_factor_free(factor);
    haw_context_free(counted);
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
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
