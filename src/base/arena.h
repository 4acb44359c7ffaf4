/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that lives as long as one object: bump allocation, freed all at once. */
#ifndef HAWSER_BASE_ARENA_H
#define HAWSER_BASE_ARENA_H

#include "base/status.h"

typedef struct haw_arena {
    haw_context *context;
    void *blocks;          /* newest block; each links to the one before */
    size_t used, capacity; /* of the newest block [bytes] */
    size_t total;          /* bytes handed out */
} haw_arena;

void haw_arena_init(haw_arena *arena, haw_context *context);
void haw_arena_fini(haw_arena *arena);

/** count * size zeroed bytes aligned to 64, or NULL with the message set. */
void *haw_arena_allocate(haw_arena *arena, size_t count, size_t size);

/** Copy of a string; NULL stays NULL only if text is NULL (else out of memory). */
char *haw_arena_string(haw_arena *arena, const char *text);

#endif
