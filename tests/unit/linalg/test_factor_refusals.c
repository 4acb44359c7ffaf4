/* SPDX-License-Identifier: BSD-3-Clause */
/* What a factorization must refuse: indefinite, singular and not finite matrices, wrong shapes. */
#include "support/band_sample.h"

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

static void refused(sample *s, bool is_sparse, const char *message)
{
    haw_factor *factor = NULL;
    double x[N_MAX * C_MAX] = {1};
    haw_sparse matrix = as_sparse(s);
    const haw_band band = as_band(s, is_sparse ? 1 : 2);
    if (is_sparse) {
        assert_int_equal(haw_factor_create_sparse(context, &matrix, &factor), HAW_OK);
        assert_int_equal(haw_factor_sparse(factor, &matrix), HAW_ERR_SINGULAR);
    } else {
        assert_int_equal(haw_factor_create_band(context, s->n, s->width, 2, &factor), HAW_OK);
        assert_int_equal(haw_factor_band(factor, &band), HAW_ERR_SINGULAR);
    }
    assert_non_null(strstr(haw_context_message(context), message));
    haw_factor_solve(factor, 1, 0, x); /* a failed factorization never gives plausible numbers */
    for (int i = 0; i < s->n; ++i) {
        assert_true(isnan(x[i]));
    }
    haw_factor_free(factor);
}

static void indefinite_matrix_is_refused_with_its_row(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 21;
    for (int width = 0; width <= 7; ++width) {
        make(&s, 20, width, &seed);
        s.band[13 * (width + 1)] = -1;
        spread(&s);
        refused(&s, false, "not positive definite at row 13 of 20");
        refused(&s, true, "not positive definite at row");
    }
    make(&s, 20, 0, &seed);
    s.band[13] = 0;
    spread(&s);
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
    spread(&s);
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
            make(&s, 20, width, &seed);
            if (!isnan(s.band[where])) { /* else outside the matrix already */
                s.band[where] = where % 2 == 0 ? (double)NAN : HUGE_VAL;
                spread(&s);
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
    make(&s, 12, 3, &seed);
    haw_sparse matrix = as_sparse(&s);
    haw_band band = as_band(&s, 1);
    haw_factor *banded = NULL;
    haw_factor *sparse = NULL;
    assert_int_equal(haw_factor_create_band(context, 0, 3, 1, &banded), HAW_ERR_ARG);
    assert_int_equal(haw_factor_create_band(context, 12, -1, 1, &banded), HAW_ERR_ARG);
    assert_int_equal(haw_factor_create_band(context, 12, 3, 0, &banded), HAW_ERR_ARG);
    assert_null(banded);
    assert_int_equal(haw_factor_create_band(context, 12, 3, 1, &banded), HAW_OK);
    assert_int_equal(haw_factor_create_sparse(context, &matrix, &sparse), HAW_OK);
    assert_int_equal(haw_factor_sparse(banded, &matrix), HAW_ERR_ARG);
    assert_int_equal(haw_factor_band(sparse, &band), HAW_ERR_ARG);
    band.n = 11;
    assert_int_equal(haw_factor_band(banded, &band), HAW_ERR_ARG);
    matrix.n = 11;
    assert_int_equal(haw_factor_sparse(sparse, &matrix), HAW_ERR_ARG);
    haw_factor_free(banded);
    haw_factor_free(sparse);
    haw_factor_free(NULL);
    matrix.n = 12;
    matrix.row[1] = 0; /* twice row 0 in column 0 */
    assert_int_equal(haw_factor_create_sparse(context, &matrix, &sparse), HAW_ERR_ARG);
    assert_null(sparse);
}

static void impossible_window_gives_no_numbers(void **state)
{
    (void)state;
    static sample s;
    uint64_t seed = 17;
    make(&s, 12, 3, &seed);
    haw_sparse matrix = as_sparse(&s);
    const haw_band band = as_band(&s, 1);
    haw_factor *banded = NULL;
    haw_factor *sparse = NULL;
    assert_int_equal(haw_factor_create_band(context, 12, 3, 1, &banded), HAW_OK);
    assert_int_equal(haw_factor_create_sparse(context, &matrix, &sparse), HAW_OK);
    assert_int_equal(haw_factor_sparse(sparse, &matrix), HAW_OK);
    double x[4] = {1, 1, 1, 1};
    haw_factor_solve_window(banded, 1, 2, 4, x); /* not factorized yet */
    assert_true(isnan(x[0]) && isnan(x[3]));
    assert_int_equal(haw_factor_band(banded, &band), HAW_OK);

    const struct {
        haw_factor *factor;
        int first, count;
    } rows[] = {{sparse, 2, 4}, {banded, 9, 4}, {banded, -1, 4}, {banded, 4, 2}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        x[0] = x[1] = 1;
        haw_factor_solve_window(rows[i].factor, 1, rows[i].first, rows[i].count, x);
        assert_true(isnan(x[0]) && isnan(x[1]));
    }
    haw_factor_free(banded);
    haw_factor_free(sparse);
}

TEST_FILE(test_factor_refusals)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indefinite_matrix_is_refused_with_its_row),
        cmocka_unit_test(singular_matrix_is_refused),
        cmocka_unit_test(not_a_number_is_refused),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(impossible_window_gives_no_numbers),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
