/* SPDX-License-Identifier: BSD-3-Clause */
/* Arena: zeroed aligned pieces that do not overlap, freed all at once. */
#include "base/arena.h"
#include "support/failing.h"

#include <stdint.h>

enum { PIECES = 200 };

/* An arena whose blocks are counted; after the test none is left. */
typedef struct fixture {
    counting count;
    haw_allocator allocator;
    haw_context *context;
    haw_arena arena;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){.allocator = counting_allocator(&f.count)};
    *state = &f;
    if (haw_context_create(&f.allocator, &f.context) != HAW_OK) {
        return -1;
    }
    haw_arena_init(&f.arena, f.context);
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    return f->count.live == 0 ? 0 : -1;
}

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
    assert_int_equal(arena.now.total, total);
    haw_arena_fini(&arena);
    return HAW_OK;
}

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    assert_int_equal(fill(((fixture *)*state)->context, NULL), HAW_OK);
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    const long calls = failing_loop(fill, NULL);
    assert_in_range(calls, 4, PIECES / 4); /* several blocks, but far fewer than pieces */
}

static void overflowing_request_is_refused(void **state)
{
    fixture *f = *state;
    haw_arena *arena = &f->arena;
    assert_null(haw_arena_allocate(arena, SIZE_MAX / 4, 8));
    assert_null(haw_arena_allocate(arena, SIZE_MAX - 70, 1));
    assert_non_null(strstr(haw_context_message(f->context), "out of memory"));
    haw_arena_reset(arena);
    assert_non_null(haw_arena_allocate(arena, 0, 8));
}

static void strings_are_copied(void **state)
{
    haw_arena *arena = &((fixture *)*state)->arena;
    char text[] = "disk";
    const char *copy = haw_arena_string(arena, text);
    text[0] = 'x';
    assert_string_equal(copy, "disk");
    assert_string_equal(haw_arena_string(arena, ""), "");
    assert_null(haw_arena_string(arena, NULL));
}

static void extended_arrays_keep_their_items(void **state)
{
    haw_arena *arena = &((fixture *)*state)->arena;
    int *item = NULL;
    for (int i = 0; i < 100; ++i) {
        item = haw_arena_extend(arena, item, (size_t)i, sizeof *item);
        assert_non_null(item);
        item[i] = i;
        (void)haw_arena_allocate(arena, 1, 1); /* something behind the array */
    }
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(item[i], i);
    }
}

static void ended_arena_can_be_used_again(void **state)
{
    haw_arena *arena = &((fixture *)*state)->arena;
    haw_arena_fini(arena); /* nothing was allocated */
    double *value = haw_arena_allocate(arena, 4, sizeof *value);
    assert_non_null(value);
    haw_arena_fini(arena);
    assert_int_equal(arena->now.total, 0);
    value = haw_arena_allocate(arena, 4, sizeof *value);
    assert_non_null(value);
    assert_near(value[3], 0, 0, 0);
}

/* As fill(), again and again in one arena. */
static void reset_memory_is_zeroed_and_asks_for_no_more(void **state)
{
    fixture *f = *state;
    haw_arena *arena = &f->arena;
    haw_arena_reset(arena); /* of nothing */
    assert_int_equal(arena->now.total, 0);
    long calls = 0;
    for (int pass = 0; pass < 4; ++pass) {
        for (int i = 0; i < PIECES - 10 * pass; ++i) { /* the first pass needs the most */
            unsigned char *piece = haw_arena_allocate(arena, piece_size(i), 1);
            assert_non_null(piece);
            for (size_t k = 0; k < piece_size(i); ++k) {
                assert_int_equal(piece[k], 0);
            }
            memset(piece, 0xff, piece_size(i));
        }
        if (pass > 0) { /* one block in place of those of the first pass, then none */
            assert_int_equal(f->count.calls, pass == 1 ? calls + 1 : calls);
        }
        haw_arena_reset(arena);
        assert_int_equal(arena->now.total, 0);
        assert_int_equal(f->count.live, pass == 0 ? 1 : 2); /* the context, one block */
        calls = f->count.calls;
    }
}

static void a_reset_arena_still_grows(void **state)
{
    haw_arena *arena = &((fixture *)*state)->arena;
    for (size_t pass = 1; pass < 6; ++pass) {
        for (size_t i = 0; i < pass; ++i) {
            double *piece = haw_arena_allocate(arena, 1000 * pass, sizeof *piece);
            assert_non_null(piece);
            for (size_t k = 0; k < 1000 * pass; ++k) {
                assert_true(piece[k] == 0);
                piece[k] = 1;
            }
        }
        haw_arena_reset(arena);
    }
}

static void a_failure_after_a_reset_is_reported_and_can_be_repeated(void **state)
{
    fixture *f = *state;
    haw_arena *arena = &f->arena;
    assert_non_null(haw_arena_allocate(arena, 3000, 1));
    assert_non_null(haw_arena_allocate(arena, 6000, 1));
    f->count.fail_at = f->count.calls + 1;
    haw_arena_reset(arena);
    assert_int_equal(f->count.live, 1);
    assert_null(haw_arena_allocate(arena, 6000, 1));
    haw_arena_reset(arena);
    assert_non_null(haw_arena_allocate(arena, 6000, 1));
}

/* So that a caller may take all its arrays and ask once. A mark from before the failure ends it. */
static void an_arena_that_failed_stays_failed(void **state)
{
    fixture *f = *state;
    haw_arena *arena = &f->arena;
    assert_non_null(haw_arena_allocate(arena, 100, 1));
    const haw_arena_mark before = haw_arena_here(arena);
    assert_int_equal(haw_arena_status(arena), HAW_OK);
    f->count.fail_at = f->count.calls + 1;
    assert_null(haw_arena_allocate(arena, 10000, 1));
    const haw_arena_mark after = haw_arena_here(arena);
    assert_null(haw_arena_allocate(arena, 1, 1)); /* there would be room */
    assert_null(haw_arena_string(arena, "word"));
    assert_int_equal(haw_arena_status(arena), HAW_ERR_NOMEM);
    haw_arena_rewind(arena, &after);
    assert_int_equal(haw_arena_status(arena), HAW_ERR_NOMEM);
    haw_arena_rewind(arena, &before);
    assert_int_equal(haw_arena_status(arena), HAW_OK);
    assert_non_null(haw_arena_allocate(arena, 10000, 1));
}

/* Whatever lies between mark and end, within the block of the mark or behind it. */
static void rewinding_gives_back_what_came_after_the_mark(void **state)
{
    fixture *f = *state;
    for (size_t before = 0; before <= 4000; before += 1000) {
        for (size_t bytes = 100; bytes <= 20000; bytes += 3100) {
            haw_arena arena;
            haw_arena_init(&arena, f->context);
            char *kept = before > 0 ? haw_arena_allocate(&arena, before, 1) : NULL;
            memset(kept != NULL ? kept : (char[1]){0}, 7, before > 0 ? before : 1);
            const size_t total = arena.now.total;
            const long live = f->count.live;
            const haw_arena_mark mark = haw_arena_here(&arena);
            for (int i = 0; i < 3; ++i) {
                memset(haw_arena_allocate(&arena, bytes, 1), 9, bytes);
            }
            haw_arena_rewind(&arena, &mark);
            assert_int_equal(arena.now.total, total);
            assert_int_equal(f->count.live, live);
            const char *next = haw_arena_allocate(&arena, 3 * bytes, 1);
            for (size_t k = 0; k < 3 * bytes; ++k) {
                assert_int_equal(next[k], 0);
            }
            for (size_t k = 0; k < before; ++k) {
                assert_int_equal(kept[k], 7);
            }
            haw_arena_fini(&arena);
        }
    }
}

TEST_FILE(test_arena)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(extended_arrays_keep_their_items),
        FIXTURE_TEST(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
        FIXTURE_TEST(overflowing_request_is_refused),
        FIXTURE_TEST(strings_are_copied),
        FIXTURE_TEST(ended_arena_can_be_used_again),
        FIXTURE_TEST(reset_memory_is_zeroed_and_asks_for_no_more),
        FIXTURE_TEST(a_reset_arena_still_grows),
        FIXTURE_TEST(a_failure_after_a_reset_is_reported_and_can_be_repeated),
        FIXTURE_TEST(an_arena_that_failed_stays_failed),
        FIXTURE_TEST(rewinding_gives_back_what_came_after_the_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
