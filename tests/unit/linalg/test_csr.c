/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed rows against dense copies; the reverse Cuthill-McKee order on graphs known to be
 * chains. */
#include "linalg/csr.h"
#include "support/failing.h"
#include "support/sparse_sample.h"

#include <limits.h>

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"
#include "support/random.h"

static dense random_dense(int rows, int columns, double density, uint64_t *seed)
{
    dense m = dense_make(rows, columns);
    for (int k = 0; k < rows * columns; ++k) {
        m.a[k] = (random_signed(seed) + 1) / 2 < density ? random_signed(seed) : 0;
    }
    return m;
}

static void products_are_those_of_the_dense_matrix(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 20; ++trial) {
        const int rows = 1 + trial, columns = 1 + (7 * trial) % 23;
        dense m = random_dense(rows, columns, 0.3, &seed);
        const haw_csr csr = dense_to_csr(&arena, &m);
        double x[32], y[32], want[32], back[32], turned[32];
        for (int i = 0; i < 32; ++i) {
            x[i] = random_signed(&seed);
            y[i] = want[i] = back[i] = turned[i] = random_signed(&seed);
        }
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < columns; ++j) {
                want[i] += -1.5 * *dense_at(&m, i, j) * x[j];
                turned[j] += 0.5 * *dense_at(&m, i, j) * x[i];
            }
        }
        haw_csr_add(&csr, -1.5, x, y);
        haw_csr_add_transposed(&csr, 0.5, x, back);
        for (int i = 0; i < 32; ++i) {
            assert_near(y[i], want[i], 1e-14, 1e-14);
            assert_near(back[i], turned[i], 1e-14, 1e-14);
        }
        free(m.a);
    }
}

static void transposition_swaps_rows_and_columns_and_keeps_them_sorted(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 20; ++trial) {
        dense m = random_dense(1 + trial % 9, 1 + trial % 7, 0.4, &seed);
        const haw_csr csr = dense_to_csr(&arena, &m);
        haw_csr turned;
        assert_int_equal(haw_csr_transpose(&arena, &csr, &turned), HAW_OK);
        assert_int_equal(turned.rows, m.columns);
        assert_int_equal(turned.columns, m.rows);
        assert_int_equal(turned.start[turned.rows], csr.start[csr.rows]);
        for (int i = 0; i < turned.rows; ++i) {
            for (int k = turned.start[i]; k < turned.start[i + 1]; ++k) {
                assert_true(k == turned.start[i] || turned.column[k] > turned.column[k - 1]);
                assert_true(turned.value[k] == *dense_at(&m, turned.column[k], i));
            }
        }
        free(m.a);
    }
}

static void transposition_of_a_pattern_has_no_values(void **state)
{
    (void)state;
    uint64_t seed = 7;
    dense m = random_dense(6, 4, 0.5, &seed);
    haw_csr csr = dense_to_csr(&arena, &m);
    haw_csr turned;
    csr.value = NULL;
    assert_int_equal(haw_csr_transpose(&arena, &csr, &turned), HAW_OK);
    assert_null(turned.value);
    free(m.a);
}

static void asymmetry_is_that_of_the_entries_and_of_the_pattern(void **state)
{
    (void)state;
    uint64_t seed = 9;
    dense m = random_dense(12, 12, 0.3, &seed);
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < i; ++j) {
            *dense_at(&m, i, j) = *dense_at(&m, j, i);
        }
        *dense_at(&m, i, i) = 4;
    }
    haw_csr csr = dense_to_csr(&arena, &m);
    assert_true(haw_csr_asymmetry(&csr) == 0);
    *dense_at(&m, 2, 5) = 1;
    *dense_at(&m, 5, 2) = 1.5;
    csr = dense_to_csr(&arena, &m);
    assert_near(haw_csr_asymmetry(&csr), 0.5 / 4, 1e-15, 0);
    *dense_at(&m, 5, 2) = 0; /* (2, 5) has no partner, above or below the diagonal */
    csr = dense_to_csr(&arena, &m);
    assert_near(haw_csr_asymmetry(&csr), 1.0 / 4, 1e-15, 0);
    *dense_at(&m, 2, 5) = 0;
    *dense_at(&m, 5, 2) = 2;
    csr = dense_to_csr(&arena, &m);
    assert_near(haw_csr_asymmetry(&csr), 2.0 / 4, 1e-15, 0);
    csr.value = NULL;
    assert_true(haw_csr_asymmetry(&csr) == 1);
    free(m.a);
}

static void symmetrized_pattern_has_both_triangles(void **state)
{
    (void)state;
    uint64_t seed = 11;
    dense m = random_dense(25, 25, 0.1, &seed);
    const haw_csr csr = dense_to_csr(&arena, &m);
    haw_csr both;
    int count = 0;
    assert_int_equal(haw_csr_symmetrize(&arena, &csr, &both), HAW_OK);
    for (int i = 0; i < 25; ++i) {
        for (int k = both.start[i]; k < both.start[i + 1]; ++k) {
            const int j = both.column[k];
            assert_true(k == both.start[i] || j > both.column[k - 1]);
            assert_true(*dense_at(&m, i, j) != 0 || *dense_at(&m, j, i) != 0);
        }
        for (int j = 0; j < 25; ++j) {
            count += *dense_at(&m, i, j) != 0 || *dense_at(&m, j, i) != 0;
        }
    }
    assert_int_equal(both.start[25], count);
    free(m.a);
}

static void check_order(const haw_csr *csr, int most)
{
    int half_band = -1;
    int *order = calloc((size_t)csr->rows, sizeof *order);
    int *place = calloc((size_t)csr->rows, sizeof *place);
    memset(order, 0xff, (size_t)csr->rows * sizeof *order);
    assert_int_equal(haw_csr_place(&arena, csr, place, &half_band), HAW_OK);
    for (int k = 0; k < csr->rows; ++k) {
        assert_in_range(place[k], 0, csr->rows - 1);
        assert_int_equal(order[place[k]], -1); /* each once */
        order[place[k]] = k;
    }
    assert_int_equal(half_band, haw_csr_half_band(csr, place));
    assert_in_range(half_band, 0, most);
    free(order);
    free(place);
}

static void shuffled_chains_of_blocks_become_banded_again(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int width = 1; width <= 12; ++width) {
        dense m = chain_make(300, width, 0, &seed);
        const haw_csr csr = dense_to_csr(&arena, &m);
        assert_true(haw_csr_half_band(&csr, NULL) > 200);
        check_order(&csr, 2 * width - 1 > width ? 2 * width - 1 : width);
        free(m.a);
    }
    dense line = chain_make(1000, 1, 0, &seed);
    const haw_csr csr = dense_to_csr(&arena, &line);
    check_order(&csr, 1); /* a path has but one good order */
    free(line.a);
}

/* w x h points of a grid with w < h: w is optimal, no order of a grid is better. */
static void a_shuffled_grid_is_ordered_along_its_length(void **state)
{
    (void)state;

    enum { WIDTH = 5, HEIGHT = 40, N = WIDTH * HEIGHT };

    uint64_t seed = 17;
    int label[N];
    dense m = dense_make(N, N);
    shuffle(N, label, &seed);
    for (int k = 0; k < N; ++k) {
        const int right = k % WIDTH + 1 < WIDTH ? k + 1 : k;
        const int up = k + WIDTH < N ? k + WIDTH : k;
        *dense_at(&m, label[k], label[k]) = 4;
        *dense_at(&m, label[k], label[right]) = *dense_at(&m, label[right], label[k]) = 1;
        *dense_at(&m, label[k], label[up]) = *dense_at(&m, label[up], label[k]) = 1;
    }
    const haw_csr csr = dense_to_csr(&arena, &m);
    check_order(&csr, WIDTH + 1);
    free(m.a);
}

static void unconnected_parts_follow_each_other(void **state)
{
    (void)state;

    enum { PARTS = 40, SIZE = 7, N = PARTS * SIZE };

    uint64_t seed = 19;
    int label[N];
    dense m = dense_make(N + 3, N + 3); /* three rows without any entry */
    shuffle(N, label, &seed);
    for (int k = 0; k < N; ++k) {
        for (int j = k / SIZE * SIZE; j < k / SIZE * SIZE + SIZE; ++j) {
            *dense_at(&m, label[k], label[j]) = abs(k - j) <= 2;
        }
    }
    const haw_csr csr = dense_to_csr(&arena, &m);
    check_order(&csr, 3);
    int part[N + 3], parts = 0;
    assert_int_equal(haw_csr_parts(&arena, &csr, part, &parts), HAW_OK);
    assert_int_equal(parts, PARTS + 3);
    for (int k = 0; k < N; ++k) {
        assert_int_equal(part[label[k]], part[label[k / SIZE * SIZE]]);
    }
    for (int i = 1, next = 1; i < N + 3; ++i) { /* numbered as they are met */
        assert_in_range(part[i], 0, next);
        next += part[i] == next;
    }
    free(m.a);
}

static void a_good_order_is_kept_as_it_is(void **state)
{
    (void)state;

    enum { N = 60 };

    uint64_t seed = 23;
    int place[N], half_band = 0;
    dense m = dense_make(N, N);
    for (int k = 0; k < N * N; ++k) {
        m.a[k] = abs(k / N - k % N) <= 3;
    }
    haw_csr csr = dense_to_csr(&arena, &m);
    assert_int_equal(haw_csr_place(&arena, &csr, place, &half_band), HAW_OK);
    assert_int_equal(half_band, 3);
    for (int k = 0; k < N; ++k) {
        assert_int_equal(place[k], k);
    }
    free(m.a);
    m = chain_make(N, 2, 0, &seed);
    csr = dense_to_csr(&arena, &m);
    assert_int_equal(haw_csr_place(&arena, &csr, place, &half_band), HAW_OK);
    assert_int_equal(half_band, haw_csr_half_band(&csr, place));
    assert_in_range(half_band, 2, 3);
    free(m.a);
}

static void temporary_memory_of_the_order_is_given_back(void **state)
{
    (void)state;
    uint64_t seed = 29;
    dense m = chain_make(100, 2, 0, &seed);
    const haw_csr csr = dense_to_csr(&arena, &m);
    const size_t before = arena.now.total;
    check_order(&csr, 3);
    assert_int_equal(arena.now.total, before);
    free(m.a);
}

/* A hub and its leaves, nodes of three rows each: the hub goes last but one leaf, nothing fills in,
 * and each leaf has one block in L and takes one division and one product of blocks. */
static void nodes_of_a_star_are_ordered_without_fill(void **state)
{
    (void)state;

    enum { LEAVES = 20, SIZE = 3, NODES = LEAVES + 1, N = NODES * SIZE };

    int group[N], seen[N] = {0};
    dense m = dense_make(N, N), sparse = dense_make(N, N);
    for (int k = 0; k < N * N; ++k) {
        const int a = k / N / SIZE, b = k % N / SIZE;
        m.a[k] = a == b || a == 0 || b == 0;
        sparse.a[k] = k / N == k % N || (m.a[k] != 0 && (k / N + k % N) % 2 == 0); /* zeros in it */
    }
    const haw_csr csr = dense_to_csr(&arena, &m), live = dense_to_csr(&arena, &sparse);
    assert_int_equal(haw_csr_groups(&csr, group), NODES);
    haw_csr_order order;
    assert_int_equal(haw_csr_order_groups(&arena, &live, group, NODES, &order), HAW_OK);
    for (int k = 0; k < N; ++k) {
        assert_in_range(order.order[k], 0, N - 1);
        assert_int_equal(seen[order.order[k]]++, 0);
        assert_int_equal(group[order.order[k]], group[order.order[k - k % SIZE]]);
    }
    assert_true(group[order.order[N - 1]] == 0 || group[order.order[N - 1 - SIZE]] == 0);
    assert_true(order.entries == 2 * SIZE * SIZE * (LEAVES + NODES));
    assert_true(order.flops == 2 * SIZE * SIZE * SIZE * (2 * LEAVES + NODES));
    free(m.a);
    free(sparse.a);
}

/* Whichever numbers they have, and the one that comes last joins the row that it holds. */
static void groups_need_not_follow_the_rows(void **state)
{
    (void)state;

    enum { ROWS = 5, TIE = 4 };

    static const bool couples[ROWS][ROWS] = {
        {1, 1, 0, 0, 0}, {1, 1, 1, 0, 1}, {0, 1, 1, 1, 0}, {0, 0, 1, 1, 0}, {0, 1, 0, 0, 0}};
    int group[ROWS] = {3, 3, 0, 0, 1}, groups = 4, place[ROWS];
    dense m = dense_make(ROWS, ROWS);
    for (int i = 0; i < ROWS * ROWS; i++) {
        const int row = i / ROWS;
        m.a[i] = couples[row][i % ROWS];
    }
    const haw_csr csr = dense_to_csr(&arena, &m);
    haw_csr_order order;
    assert_int_equal(haw_csr_join_groups(&arena, &csr, group, &groups), HAW_OK);
    assert_int_equal(groups, 2);
    assert_int_equal(group[TIE], group[1]);
    assert_int_equal(group[0], group[1]);
    assert_int_equal(group[2], group[3]);
    assert_int_not_equal(group[0], group[2]);
    assert_int_equal(haw_csr_order_groups(&arena, &csr, group, groups, &order), HAW_OK);
    for (int i = 0; i < ROWS; i++) {
        place[order.order[i]] = i;
    }
    assert_true(place[TIE] > place[1]);
    assert_int_equal(abs(place[3] - place[2]), 1);
    free(m.a);
}

static void negative_sizes_are_an_error_of_the_caller(void **state)
{
    (void)state;
    haw_csr csr;
    assert_int_equal(haw_csr_create(&arena, -1, 2, 0, true, &csr), HAW_ERR_ARG);
    assert_int_equal(haw_csr_create(&arena, 2, 2, -1, true, &csr), HAW_ERR_ARG);
}

static haw_status order_some(haw_context *given, void *user)
{
    const haw_csr *csr = user;
    int place[100], half_band = 0;
    haw_arena own;
    haw_csr both;
    haw_arena_init(&own, given);
    haw_status status = haw_csr_symmetrize(&own, csr, &both);
    status = status == HAW_OK ? haw_csr_place(&own, &both, place, &half_band) : status;
    status = status == HAW_OK ? haw_csr_parts(&own, &both, place, &half_band) : status;
    haw_csr_order order;
    const int groups = status == HAW_OK ? haw_csr_groups(&both, place) : 0;
    status = status == HAW_OK ? haw_csr_order_groups(&own, &both, place, groups, &order) : status;
    haw_arena_fini(&own);
    return status;
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = 31;
    dense m = chain_make(100, 2, 0, &seed);
    haw_csr csr = dense_to_csr(&arena, &m);
    assert_true(failing_loop(order_some, &csr) >= 2);
    free(m.a);
}

static void entries_are_found_by_row_and_column(void **state)
{
    (void)state;
    uint64_t seed = 41;
    dense m = random_dense(12, 17, 0.3, &seed);
    const haw_csr csr = dense_to_csr(&arena, &m);
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 17; ++j) {
            const int k = haw_csr_find(&csr, i, j);
            assert_true((k >= 0) == (*dense_at(&m, i, j) != 0));
            assert_true(k < 0 || csr.value[k] == *dense_at(&m, i, j));
        }
    }
    free(m.a);
}

static void triplets_become_sorted_rows_and_sums(void **state)
{
    (void)state;
    uint64_t seed = 43;
    for (int trial = 0; trial < 20; ++trial) {
        const int rows = 1 + trial % 7, columns = 1 + trial % 5, count = 3 * trial;
        dense m = dense_make(rows, columns);
        haw_triplets values, places;
        haw_csr csr, pattern;
        assert_int_equal(haw_triplets_create(&arena, count, true, &values), HAW_OK);
        assert_int_equal(haw_triplets_create(&arena, count, false, &places), HAW_OK);
        for (int k = 0; k < count; ++k) {
            const int i = (k * k + trial) % rows, j = (7 * k + 3) % columns;
            const double value = random_signed(&seed);
            *dense_at(&m, i, j) += value;
            haw_triplets_add(&values, i, j, value);
            haw_triplets_add(&places, i, j, value);
        }
        assert_int_equal(haw_triplets_compress(&arena, &values, rows, columns, &csr), HAW_OK);
        assert_int_equal(haw_triplets_compress(&arena, &places, rows, columns, &pattern), HAW_OK);
        assert_null(pattern.value);
        assert_memory_equal(pattern.start, csr.start, ((size_t)rows + 1) * sizeof(int));
        const dense back = dense_from_csr(&csr);
        assert_memory_equal(back.a, m.a, (size_t)(rows * columns) * sizeof(double));
        for (int i = 0; i < rows; ++i) {
            for (int k = csr.start[i]; k < csr.start[i + 1]; ++k) {
                assert_int_equal(pattern.column[k], csr.column[k]);
                assert_true(k == csr.start[i] || csr.column[k] > csr.column[k - 1]);
            }
        }
        free(back.a);
        free(m.a);
    }
}

static void more_entries_than_an_int_counts_are_refused(void **state)
{
    (void)state;
    int start[2] = {0, INT_MAX / 2 + 1};
    const haw_csr large = {.rows = 1, .columns = 1, .start = start};
    haw_csr out;
    haw_triplets triplets;
    assert_int_equal(haw_csr_create(&arena, 9, 9, (ptrdiff_t)INT_MAX + 1, true, &out),
                     HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "2147483648 entries are too many"));
    assert_int_equal(haw_csr_symmetrize(&arena, &large, &out), HAW_ERR_INPUT);
    assert_int_equal(haw_triplets_create(&arena, (ptrdiff_t)INT_MAX + 1, false, &triplets),
                     HAW_ERR_INPUT);
    assert_int_equal(haw_csr_create(&arena, 9, -1, 0, true, &out), HAW_ERR_ARG);
}

TEST_FILE(test_csr)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_found_by_row_and_column),
        cmocka_unit_test(triplets_become_sorted_rows_and_sums),
        cmocka_unit_test(more_entries_than_an_int_counts_are_refused),
        cmocka_unit_test(products_are_those_of_the_dense_matrix),
        cmocka_unit_test(transposition_swaps_rows_and_columns_and_keeps_them_sorted),
        cmocka_unit_test(transposition_of_a_pattern_has_no_values),
        cmocka_unit_test(asymmetry_is_that_of_the_entries_and_of_the_pattern),
        cmocka_unit_test(symmetrized_pattern_has_both_triangles),
        cmocka_unit_test(shuffled_chains_of_blocks_become_banded_again),
        cmocka_unit_test(a_shuffled_grid_is_ordered_along_its_length),
        cmocka_unit_test(unconnected_parts_follow_each_other),
        cmocka_unit_test(a_good_order_is_kept_as_it_is),
        cmocka_unit_test(temporary_memory_of_the_order_is_given_back),
        cmocka_unit_test(nodes_of_a_star_are_ordered_without_fill),
        cmocka_unit_test(groups_need_not_follow_the_rows),
        cmocka_unit_test(negative_sizes_are_an_error_of_the_caller),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
