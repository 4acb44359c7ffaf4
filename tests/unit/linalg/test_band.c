/* SPDX-License-Identifier: BSD-3-Clause */
/* Band matrices against their dense image. */
#include "linalg/band.h"
#include "support/failing.h"
#include "support/random.h"

#include <limits.h>

enum { ROWS_MAX = 24 };

/* Entry of the dense image, 0 outside the band. */
static double entry(const haw_band *band, int i, int j)
{
    const int d = i > j ? i - j : j - i;
    const int column = i > j ? j : i;
    return d <= band->width ? band->value[column * (band->width + 1) + d] : 0;
}

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
} fixture;

static int open_fixture(void **state)
{
    static fixture f;
    *state = &f;
    const haw_status status = haw_context_create(NULL, &f.context);
    haw_arena_init(&f.arena, f.context);
    return status == HAW_OK ? 0 : -1;
}

static int close_fixture(void **state)
{
    fixture *f = *state;
    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    return 0;
}

static void fill(haw_band *band, uint64_t *seed)
{
    for (int j = 0; j < band->n; ++j) {
        for (int d = 0; d <= band->width; ++d) {
            /* What lies past the last row is no part of the matrix and must not be read. */
            band->value[j * (band->width + 1) + d] =
                j + d < band->n ? random_signed(seed) : (double)NAN;
        }
    }
}

static void check_product(const haw_band *band, uint64_t *seed)
{
    double x[ROWS_MAX * 3] = {0};
    double y[ROWS_MAX * 3];
    const int c = band->copies;
    for (int i = 0; i < band->n * c; ++i) {
        x[i] = random_signed(seed);
        y[i] = (double)NAN;
    }
    haw_band_multiply(band, x, y);
    for (int i = 0; i < band->n; ++i) {
        for (int k = 0; k < c; ++k) {
            double sum = 0;
            for (int j = 0; j < band->n; ++j) {
                sum += entry(band, i, j) * x[j * c + k];
            }
            assert_near(y[i * c + k], sum, 1e-14, 0);
        }
    }
}

static void product_is_that_of_the_dense_matrix(void **state)
{
    fixture *f = *state;
    uint64_t seed = 11;
    for (int width = 0; width <= 9; ++width) {
        for (int copies = 1; copies <= 3; ++copies) {
            for (int n = 1; n <= ROWS_MAX; ++n) {
                haw_band band;
                assert_int_equal(haw_band_create(&f->arena, n, width, copies, &band), HAW_OK);
                fill(&band, &seed);
                check_product(&band, &seed);
            }
        }
    }
}

static void blocks_add_up_where_they_overlap(void **state)
{
    fixture *f = *state;
    haw_band band;
    assert_int_equal(haw_band_create(&f->arena, 5, 2, 1, &band), HAW_OK);
    const double block[9] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
    haw_band_add(&band, 0, 3, block);
    haw_band_add(&band, 2, 3, block);
    const double want[5][5] = {
        {1, 2, 3, 0, 0}, {2, 4, 5, 0, 0}, {3, 5, 7, 2, 3}, {0, 0, 2, 4, 5}, {0, 0, 3, 5, 6}};
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            assert_near(entry(&band, i, j), want[i][j], 0, 0);
        }
    }
    haw_band_clear(&band);
    for (int i = 0; i < 15; ++i) {
        assert_near(band.value[i], 0, 0, 0);
    }
}

static void narrow_block_fits_a_wider_band(void **state)
{
    fixture *f = *state;
    haw_band band;
    assert_int_equal(haw_band_create(&f->arena, 4, 3, 2, &band), HAW_OK);
    const double block[4] = {2, -1, -1, 3};
    haw_band_add(&band, 2, 2, block);
    assert_near(entry(&band, 2, 2), 2, 0, 0);
    assert_near(entry(&band, 3, 2), -1, 0, 0);
    assert_near(entry(&band, 3, 3), 3, 0, 0);
    assert_near(entry(&band, 1, 2), 0, 0, 0);
}

static void fixed_row_is_that_of_the_identity(void **state)
{
    fixture *f = *state;
    uint64_t seed = 5;
    for (int fixed = 0; fixed < 9; ++fixed) {
        haw_band before;
        haw_band after;
        assert_int_equal(haw_band_create(&f->arena, 9, 3, 1, &before), HAW_OK);
        assert_int_equal(haw_band_create(&f->arena, 9, 3, 1, &after), HAW_OK);
        fill(&before, &seed);
        memcpy(after.value, before.value, 9 * 4 * sizeof(double));
        haw_band_fix(&after, fixed);
        for (int i = 0; i < 9; ++i) {
            for (int j = 0; j < 9; ++j) {
                const bool is_touched = i == fixed || j == fixed;
                const double want = is_touched ? (i == j ? 1 : 0) : entry(&before, i, j);
                assert_near(entry(&after, i, j), want, 0, 0);
            }
        }
    }
}

static void impossible_shapes_are_refused(void **state)
{
    fixture *f = *state;
    haw_band band;
    assert_int_equal(haw_band_create(&f->arena, -1, 3, 1, &band), HAW_ERR_ARG);
    assert_int_equal(haw_band_create(&f->arena, 4, -1, 1, &band), HAW_ERR_ARG);
    assert_int_equal(haw_band_create(&f->arena, 4, 3, 0, &band), HAW_ERR_ARG);
    assert_int_equal(haw_band_create(&f->arena, INT_MAX, INT_MAX - 1, 1, &band), HAW_ERR_NOMEM);
}

static haw_status create_one(haw_context *context, void *user)
{
    (void)user;
    haw_arena arena;
    haw_arena_init(&arena, context);
    haw_band band;
    const haw_status status = haw_band_create(&arena, 50, 7, 1, &band);
    haw_arena_fini(&arena);
    return status;
}

static void missing_memory_is_told(void **state)
{
    (void)state;
    assert_int_equal(failing_loop(create_one, NULL), 2);
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

TEST_FILE(test_band)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(product_is_that_of_the_dense_matrix),
        WITH_ARENA(blocks_add_up_where_they_overlap),
        WITH_ARENA(narrow_block_fits_a_wider_band),
        WITH_ARENA(fixed_row_is_that_of_the_identity),
        WITH_ARENA(impossible_shapes_are_refused),
        cmocka_unit_test(missing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
