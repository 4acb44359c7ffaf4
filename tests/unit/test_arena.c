/* SPDX-License-Identifier: BSD-3-Clause */
/* Arena: zeroed aligned pieces that do not overlap, freed all at once. */
#include "base/arena.h"
#include "support/failing.h"

#include <stdint.h>

enum { PIECES = 200 };

/* Sizes from 0 to some 40 kB, most of them small: blocks are filled, doubled and outgrown. */
static size_t piece_size(int i)
{
    return i % 37 == 0 ? (size_t)i * 211 : (size_t)(i * 13 % 300);
}

static haw_status fill(haw_context *context, void *user)
{
    (void)user;
    unsigned char *piece[PIECES];
    haw_arena arena;
    haw_arena_init(&arena, context);
    size_t total = 0;
    for (int i = 0; i < PIECES; ++i) {
        piece[i] = haw_arena_allocate(&arena, piece_size(i), 1);
        if (piece[i] == NULL) {
            haw_arena_fini(&arena);
            return HAW_ERR_NOMEM;
        }
        assert_int_equal((uintptr_t)piece[i] % 64, 0);
        for (size_t k = 0; k < piece_size(i); ++k) {
            assert_int_equal(piece[i][k], 0);
        }
        memset(piece[i], i + 1, piece_size(i));
        total += piece_size(i);
    }
    for (int i = 0; i < PIECES; ++i) {
        for (size_t k = 0; k < piece_size(i); ++k) {
            assert_int_equal(piece[i][k], (unsigned char)(i + 1));
        }
    }
    assert_int_equal(arena.total, total);
    haw_arena_fini(&arena);
    return HAW_OK;
}

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(fill(context, NULL), HAW_OK);
    haw_context_free(context);
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    const long calls = failing_loop(fill, NULL);
    assert_in_range(calls, 4, PIECES / 4); /* several blocks, but far fewer than pieces */
}

static void overflowing_request_is_refused(void **state)
{
    (void)state;
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena arena;
    haw_arena_init(&arena, context);
    assert_null(haw_arena_allocate(&arena, SIZE_MAX / 4, 8));
    assert_null(haw_arena_allocate(&arena, SIZE_MAX - 70, 1));
    assert_non_null(strstr(haw_context_message(context), "out of memory"));
    assert_non_null(haw_arena_allocate(&arena, 0, 8));
    haw_arena_fini(&arena);
    haw_context_free(context);
}

static void strings_are_copied(void **state)
{
    (void)state;
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena arena;
    haw_arena_init(&arena, context);
    char text[] = "disk";
    const char *copy = haw_arena_string(&arena, text);
    text[0] = 'x';
    assert_string_equal(copy, "disk");
    assert_string_equal(haw_arena_string(&arena, ""), "");
    assert_null(haw_arena_string(&arena, NULL));
    haw_arena_fini(&arena);
    haw_context_free(context);
}

static void ended_arena_can_be_used_again(void **state)
{
    (void)state;
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena arena;
    haw_arena_init(&arena, context);
    haw_arena_fini(&arena); /* nothing was allocated */
    double *value = haw_arena_allocate(&arena, 4, sizeof *value);
    assert_non_null(value);
    haw_arena_fini(&arena);
    assert_int_equal(arena.total, 0);
    value = haw_arena_allocate(&arena, 4, sizeof *value);
    assert_non_null(value);
    assert_near(value[3], 0, 0, 0);
    haw_arena_fini(&arena);
    haw_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
        cmocka_unit_test(overflowing_request_is_refused),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(ended_arena_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
