/* SPDX-License-Identifier: BSD-3-Clause */
/* LU of matrices with the blocks of W, few or all of them, against dense elimination. */
#include "solver/block_lu.h"
#include "support/sparse_sample.h"

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"
#include "support/random.h"

/* Blocks (c, k) with |c' - k'| <= reach in a shuffled order, so that elimination fills others. */
static haw_bsr make_pattern(int d, int n, int reach)
{
    haw_bsr w = {.block = d, .rows = n};

    w.start = haw_arena_allocate(&arena, (size_t)n + 1, sizeof *w.start);
    w.diagonal = haw_arena_allocate(&arena, (size_t)n, sizeof *w.diagonal);
    w.column = haw_arena_allocate(&arena, (size_t)n * (size_t)n, sizeof *w.column);
    assert_non_null(w.column);
    for (int c = 0, at = 0; c < n; c++) {
        for (int k = 0; k < n; k++) {
            if (abs(7 * c % n - 7 * k % n) <= reach) {
                w.diagonal[c] = k == c ? at : w.diagonal[c];
                w.column[at++] = k;
            }
        }
        w.start[c + 1] = at;
    }
    return w;
}

/* Random blocks into a dense copy and, block row c times 2^(-9 c), into the system. */
static void put_blocks(haw_block_lu *system, const dense *copy, uint64_t *seed)
{
    const haw_bsr *w = system->w;
    const int d = w->block;

    for (int c = 0; c < w->rows; c++) {
        for (int k = w->start[c]; k < w->start[c + 1]; k++) {
            double block[9];

            for (int i = 0; i < d * d; i++) {
                const bool is_diagonal = k == w->diagonal[c] && i % (d + 1) == 0;
                const double value = random_signed(seed) + (is_diagonal ? 12 : 0);

                block[i] = ldexp(value, -9 * c);
                *dense_at(copy, d * c + i / d, d * w->column[k] + i % d) = value;
            }
            haw_block_lu_put(system, c, k, block);
        }
    }
}

static void check_system(int d, int n, int reach, bool is_full, uint64_t *seed)
{
    const haw_bsr w = make_pattern(d, n, reach);
    haw_block_lu system;

    assert_int_equal(haw_block_lu_create(&arena, &w, &system), HAW_OK);
    assert_true((haw_lu_matrix(system.lu) != NULL) == is_full);
    for (int repeat = 0; repeat < 3; repeat++) {
        dense copy = dense_make(d * n, d * n), want = dense_make(d * n, 1);
        double x[60];

        put_blocks(&system, &copy, seed);
        for (int i = 0; i < d * n; i++) {
            want.a[i] = random_signed(seed);
            x[i] = ldexp(want.a[i], -9 * (i / d));
        }
        assert_int_equal(haw_lu_factor(system.lu, system.matrix.value), HAW_OK);
        haw_lu_solve(system.lu, x);
        dense_solve(&copy, &want);
        for (int i = 0; i < d * n; i++) {
            assert_near(x[i], want.a[i], 1.0e-12, 1.0e-12);
        }
        free(copy.a);
        free(want.a);
    }
    assert_true(haw_lu_factor_flops(system.lu) > 0 && haw_lu_solve_flops(system.lu) > 0);
    haw_lu_release(system.lu);
}

static void systems_of_few_and_of_all_blocks_are_solved(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int d = 2; d <= 3; d++) {
        check_system(d, 1, 0, false, &seed); /* so few rows are better off as a band */
        check_system(d, 2, 2, d == 3, &seed);
        check_system(d, 3, 3, true, &seed);
        check_system(d, 20, 20, true, &seed);
        check_system(d, 20, 18, false, &seed);
        check_system(d, 20, 5, false, &seed);
        check_system(d, 20, 0, false, &seed);
    }
}

/* Once all blocks are there the factors are the only matrix beside W. */
static void a_full_system_takes_one_matrix(void **state)
{
    enum { CONTACTS = 80, ROWS = 3 * CONTACTS };

    const haw_bsr w = make_pattern(3, CONTACTS, CONTACTS);
    haw_block_lu system;
    const size_t before = haw_arena_here(&arena).full + haw_arena_here(&arena).used;

    (void)state;
    assert_int_equal(haw_block_lu_create(&arena, &w, &system), HAW_OK);
    assert_true(haw_arena_here(&arena).full + haw_arena_here(&arena).used - before <
                11 * sizeof(double) * ROWS * ROWS / 10);
    haw_lu_release(system.lu);
}

/* The identity beside its first block, [2 2; 0 1] with another second column. */
static haw_status factor_with(haw_block_lu *system, const double *column)
{
    const haw_bsr *w = system->w;

    for (int c = 0; c < w->rows; c++) {
        for (int k = w->start[c]; k < w->start[c + 1]; k++) {
            const double zero[4] = {0}, identity[4] = {1, 0, 0, 1};
            const double first[4] = {2, column[0], 0, column[1]};

            haw_block_lu_put(system, c, k,
                             k == w->diagonal[0] ? first : (k == w->diagonal[c] ? identity : zero));
        }
    }
    return haw_lu_factor(system->lu, system->matrix.value);
}

static void a_full_system_that_is_singular_or_not_finite_is_refused(void **state)
{
    const haw_bsr w = make_pattern(2, 3, 3);
    const double bad[][2] = {{1, 0}, {(double)NAN, 1}, {1, (double)NAN}, {HUGE_VAL, 1}};
    const double good[2] = {1, 2};
    haw_block_lu system;

    (void)state;
    assert_int_equal(haw_block_lu_create(&arena, &w, &system), HAW_OK);
    assert_non_null(haw_lu_matrix(system.lu));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double x[6] = {1};

        assert_int_equal(factor_with(&system, bad[i]), HAW_ERR_SINGULAR);
        haw_lu_solve(system.lu, x);
        assert_true(isnan(x[0]));
    }
    assert_int_equal(factor_with(&system, good), HAW_OK);
    haw_lu_release(system.lu);
}

/* All blocks of a dense matrix. */
static haw_status factor_dense(haw_block_lu *system, const dense *m)
{
    const haw_bsr *w = system->w;
    const int d = w->block;

    for (int c = 0; c < w->rows; c++) {
        for (int k = w->start[c]; k < w->start[c + 1]; k++) {
            double block[9];

            for (int i = 0; i < d * d; i++) {
                block[i] = *dense_at(m, d * c + i / d, d * w->column[k] + i % d);
            }
            haw_block_lu_put(system, c, k, block);
        }
    }
    return haw_lu_factor(system->lu, system->matrix.value);
}

/* A pivot is held against the entries of its own column. */
static void what_rounding_leaves_of_nothing_is_no_pivot(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int n = 3; n <= 9; n++) {
        for (int row = 0; row < 2 * n; row++) {
            const haw_bsr w = make_pattern(2, n, n);
            dense m = chain_make(2 * n, 2 * n, 0, &seed);
            haw_block_lu system;

            assert_int_equal(haw_block_lu_create(&arena, &w, &system), HAW_OK);
            for (int i = 0; i < 2 * n; i++) { /* no elimination order makes the entries grow */
                *dense_at(&m, i, i) += 4.0 * n;
            }
            for (int i = 0; i < 2 * n; i++) {
                *dense_at(&m, i, row) = ldexp(*dense_at(&m, i, row), -60);
            }
            assert_int_equal(factor_dense(&system, &m), HAW_OK);
            for (int j = 0; j < 2 * n; j++) {
                *dense_at(&m, row, j) = *dense_at(&m, (row + 1) % (2 * n), j) / 3 +
                                        *dense_at(&m, (row + 2) % (2 * n), j) * 0.7;
            }
            assert_int_equal(factor_dense(&system, &m), HAW_ERR_SINGULAR);
            haw_lu_release(system.lu);
            free(m.a);
        }
    }
}

TEST_FILE(test_block_lu)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_of_few_and_of_all_blocks_are_solved),
        cmocka_unit_test(a_full_system_takes_one_matrix),
        cmocka_unit_test(what_rounding_leaves_of_nothing_is_no_pivot),
        cmocka_unit_test(a_full_system_that_is_singular_or_not_finite_is_refused),
    };

    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
