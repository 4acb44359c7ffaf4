/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bump allocation from a chain of blocks. Under AddressSanitizer the unused parts of a block are
 * poisoned, so that running over the end of one array into the next is caught.
 */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
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
    block *b = arena->blocks;
    while (b != last) {
        block *older = b->older;
        UNPOISON(block_memory(b), b->bytes);
        haw_release(arena->context, b);
        b = older;
    }
    arena->blocks = b;
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
    made->older = arena->blocks;
    made->bytes = capacity;
    POISON(block_memory(made), capacity);
    arena->blocks = made;
    arena->full += arena->used;
    arena->used = 0;
    arena->dirty = 0;
    arena->capacity = capacity;
    return true;
}

/* A new block for at least `bytes`; doubles up to a limit so that small arenas stay small. */
static bool grow(haw_arena *arena, size_t bytes)
{
    size_t capacity = arena->capacity < BLOCK_GROWTH_MAX ? 2 * arena->capacity : BLOCK_GROWTH_MAX;
    capacity = capacity < BLOCK_MIN ? BLOCK_MIN : capacity;
    capacity = capacity < bytes ? bytes : capacity;
    if (arena->blocks == NULL && capacity < arena->peak) { /* what the time before the reset took */
        capacity = arena->peak;
    }
    return add_block(arena, capacity);
}

void haw_arena_reset(haw_arena *arena)
{
    const size_t peak = arena->peak;
    if (peak > arena->capacity) { /* more than one block was needed */
        haw_arena_fini(arena);
    } else if (arena->blocks != NULL) {
        block *newest = arena->blocks;
        arena->blocks = newest->older;
        release_blocks(arena, NULL);
        newest->older = NULL;
        arena->blocks = newest;
        POISON(block_memory(newest), newest->bytes);
    }
    arena->used = 0;
    arena->full = 0;
    arena->total = 0;
    arena->has_failed = false;
    arena->peak = peak;
}

haw_arena_mark haw_arena_here(const haw_arena *arena)
{
    return (haw_arena_mark){.block = arena->blocks,
                            .used = arena->used,
                            .capacity = arena->capacity,
                            .full = arena->full,
                            .total = arena->total,
                            .has_failed = arena->has_failed};
}

void haw_arena_rewind(haw_arena *arena, const haw_arena_mark *mark)
{
    const bool is_newest = arena->blocks == mark->block;
    release_blocks(arena, mark->block);
    /* What was allocated behind the mark lies in its own block or in a newer one. */
    arena->dirty = is_newest ? arena->dirty : mark->capacity;
    arena->used = mark->used;
    arena->capacity = mark->capacity;
    arena->full = mark->full;
    arena->total = mark->total;
    arena->has_failed = mark->has_failed;
    if (arena->blocks != NULL) {
        POISON(block_memory(arena->blocks) + arena->used, arena->capacity - arena->used);
    }
}

void *haw_arena_allocate(haw_arena *arena, size_t count, size_t size)
{
    const size_t reserve = (size_t)4 * ALIGNMENT; /* header, rounding, the block's own alignment */
    if (size != 0 && count > (SIZE_MAX - reserve) / size) {
        (void)haw_fail(arena->context, HAW_ERR_NOMEM, "out of memory (%zu times %zu bytes)", count,
                       size);
        arena->has_failed = true;
    }
    if (arena->has_failed) {
        return NULL;
    }
    const size_t bytes = count * size;
    const size_t taken = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (taken > arena->capacity - arena->used && !grow(arena, taken)) {
        arena->has_failed = true;
        return NULL;
    }
    unsigned char *memory = block_memory(arena->blocks) + arena->used;
    UNPOISON(memory, bytes);
    if (arena->dirty > arena->used) {
        const size_t stale = arena->dirty - arena->used;
        memset(memory, 0, bytes < stale ? bytes : stale);
    }
    arena->used += taken;
    arena->dirty = arena->dirty > arena->used ? arena->dirty : arena->used;
    arena->total += bytes;
    const size_t now = arena->full + arena->used;
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
