/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that lives as long as one object: bump allocation, freed all at once.
 *
 * An arena that ran out of memory stays so: every later call returns NULL, until the arena is reset
 * or rewound to a mark from before the failure. A caller takes all its arrays and asks once, before
 * it writes to the first of them:
 *
 *     s->r = haw_arena_allocate(arena, rows, sizeof(double));
 *     s->u = haw_arena_allocate(arena, rows, sizeof(double));
 *     HAW_TRY(haw_arena_status(arena));
 */
#ifndef HAWSER_BASE_ARENA_H
#define HAWSER_BASE_ARENA_H

#include "base/status.h"

/* A point in the life of an arena, to go back to. */
typedef struct haw_arena_mark {
    void *blocks;          /* newest block; each links to the one before */
    size_t used, capacity; /* of the newest block [bytes] */
    size_t full;           /* bytes taken in the older blocks */
    size_t total;          /* bytes handed out */
    bool has_failed;       /* some call returned NULL */
} haw_arena_mark;

typedef struct haw_arena {
    haw_context *context;
    haw_arena_mark now;
    size_t dirty; /* bytes at the start of the newest block that may not be zero */
    size_t peak;  /* most bytes taken at any time, padding included */
} haw_arena;

void haw_arena_init(haw_arena *arena, haw_context *context);
void haw_arena_fini(haw_arena *arena);

/** Take back all memory; the next use gets it as one block, kept from then on. */
void haw_arena_reset(haw_arena *arena);

/** Give back all that was allocated since a mark, failures included: temporary arrays of one
 * function. */
static inline haw_arena_mark haw_arena_here(const haw_arena *arena)
{
    return arena->now;
}

void haw_arena_rewind(haw_arena *arena, const haw_arena_mark *mark);

/** count * size zeroed bytes aligned to 64, or NULL with the message set: see haw_arena_status. */
void *haw_arena_allocate(haw_arena *arena, size_t count, size_t size);

/** ERR_NOMEM if an allocation has failed: none of the pointers taken since then may be used. */
HAW_NODISCARD static inline haw_status haw_arena_status(const haw_arena *arena)
{
    return arena->now.has_failed ? HAW_ERR_NOMEM : HAW_OK;
}

/**
 * Room for one more item in an array that this call alone makes longer: the array as it is, or a
 * copy of its `count` items twice as long. The first call gets NULL and 0.
 */
void *haw_arena_extend(haw_arena *arena, void *array, size_t count, size_t size);

/** Copy of a string; NULL stays NULL. */
char *haw_arena_string(haw_arena *arena, const char *text);

#endif
