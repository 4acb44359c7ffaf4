/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bump allocation from a chain of blocks. Under AddressSanitizer the unused parts of a block are
 * poisoned, so that running over the end of one array into the next is caught.
 */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#if defined(__has_feature) /* of clang, which has no macro for it */
#if __has_feature(address_sanitizer)
#define IS_CHECKED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(IS_CHECKED)
#include <sanitizer/asan_interface.h>
#define POISON(address, bytes)   __asan_poison_memory_region((address), (bytes))
#define UNPOISON(address, bytes) __asan_unpoison_memory_region((address), (bytes))
#else
#define POISON(address, bytes)   ((void)(address), (void)(bytes))
#define UNPOISON(address, bytes) ((void)(address), (void)(bytes))
#endif

enum { ALIGNMENT = 64, BLOCK_MIN = 4096, BLOCK_GROWTH_MAX = 1 << 20 };

typedef struct block {
    struct block *older;
    size_t bytes; /* usable, behind the header */
} block;

static unsigned char *block_memory(block *b)
{
    return (unsigned char *)b + ALIGNMENT; /* the header takes one aligned unit */
}

void haw_arena_init(haw_arena *arena, haw_context *context)
{
    *arena = (haw_arena){.context = context};
}

/* Release the newest blocks down to `last`, which stays. */
static void release_blocks(haw_arena *arena, const void *last)
{
    block *b = arena->now.blocks;
    while (b != last) {
        block *older = b->older;
        UNPOISON(block_memory(b), b->bytes);
        haw_release(arena->context, b);
        b = older;
    }
    arena->now.blocks = b;
}

void haw_arena_fini(haw_arena *arena)
{
    release_blocks(arena, NULL);
    haw_arena_init(arena, arena->context);
}

/* A new block of `capacity` bytes becomes the newest one. */
static bool add_block(haw_arena *arena, size_t capacity)
{
    block *made = haw_allocate(arena->context, 1, ALIGNMENT + capacity);
    if (made == NULL) {
        return false;
    }
    made->older = arena->now.blocks;
    made->bytes = capacity;
    POISON(block_memory(made), capacity);
    arena->now.blocks = made;
    arena->now.full += arena->now.used;
    arena->now.used = 0;
    arena->dirty = 0;
    arena->now.capacity = capacity;
    return true;
}

/* A new block for at least `bytes`; doubles up to a limit so that small arenas stay small. */
static bool grow(haw_arena *arena, size_t bytes)
{
    size_t capacity =
        arena->now.capacity < BLOCK_GROWTH_MAX ? 2 * arena->now.capacity : BLOCK_GROWTH_MAX;
    capacity = capacity < BLOCK_MIN ? BLOCK_MIN : capacity;
    capacity = capacity < bytes ? bytes : capacity;
    if (arena->now.blocks == NULL &&
        capacity < arena->peak) { /* what the time before the reset took */
        capacity = arena->peak;
    }
    return add_block(arena, capacity);
}

void haw_arena_reset(haw_arena *arena)
{
    const size_t peak = arena->peak;
    if (peak > arena->now.capacity) { /* more than one block was needed */
        haw_arena_fini(arena);
    } else if (arena->now.blocks != NULL) {
        block *newest = arena->now.blocks;
        arena->now.blocks = newest->older;
        release_blocks(arena, NULL);
        newest->older = NULL;
        arena->now.blocks = newest;
        POISON(block_memory(newest), newest->bytes);
    }
    arena->now = (haw_arena_mark){.blocks = arena->now.blocks, .capacity = arena->now.capacity};
    arena->peak = peak;
}

void haw_arena_rewind(haw_arena *arena, const haw_arena_mark *mark)
{
    const bool is_newest = arena->now.blocks == mark->blocks;
    release_blocks(arena, mark->blocks);
    /* What was allocated behind the mark lies in its own block or in a newer one. */
    arena->dirty = is_newest ? arena->dirty : mark->capacity;
    arena->now = *mark;
    if (mark->blocks != NULL) {
        POISON(block_memory(mark->blocks) + mark->used, mark->capacity - mark->used);
    }
}

void *haw_arena_allocate(haw_arena *arena, size_t count, size_t size)
{
    const size_t reserve = (size_t)4 * ALIGNMENT; /* header, rounding, the block's own alignment */
    if (size != 0 && count > (SIZE_MAX - reserve) / size) {
        (void)haw_fail(arena->context, HAW_ERR_NOMEM, "out of memory (%zu times %zu bytes)", count,
                       size);
        arena->now.has_failed = true;
    }
    if (arena->now.has_failed) {
        return NULL;
    }
    const size_t bytes = count * size;
    const size_t taken = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (taken > arena->now.capacity - arena->now.used && !grow(arena, taken)) {
        arena->now.has_failed = true;
        return NULL;
    }
    unsigned char *memory = block_memory(arena->now.blocks) + arena->now.used;
    UNPOISON(memory, bytes);
    if (arena->dirty > arena->now.used) {
        const size_t stale = arena->dirty - arena->now.used;
        memset(memory, 0, bytes < stale ? bytes : stale);
    }
    arena->now.used += taken;
    arena->dirty = arena->dirty > arena->now.used ? arena->dirty : arena->now.used;
    arena->now.total += bytes;
    const size_t now = arena->now.full + arena->now.used;
    arena->peak = arena->peak > now ? arena->peak : now;
    return memory;
}

/* Lengths are powers of two, so the count alone says when the array is full. */
void *haw_arena_extend(haw_arena *arena, void *array, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) {
        return array;
    }
    void *longer = haw_arena_allocate(arena, count > 0 ? 2 * count : 1, size);
    if (longer != NULL && count > 0) {
        memcpy(longer, array, count * size);
    }
    return longer;
}

char *haw_arena_string(haw_arena *arena, const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    const size_t bytes = strlen(text) + 1;
    char *copy = haw_arena_allocate(arena, bytes, 1);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}
