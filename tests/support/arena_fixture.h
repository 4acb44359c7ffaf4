/* SPDX-License-Identifier: BSD-3-Clause */
/* A context and an arena for a whole test binary: setup and teardown of its group. */
#ifndef HAWSER_TESTS_ARENA_FIXTURE_H
#define HAWSER_TESTS_ARENA_FIXTURE_H

#include "base/arena.h"

static haw_context *context;
static haw_arena arena;

static inline int open_arena(void **state)
{
    (void)state;
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return -1;
    }
    haw_arena_init(&arena, context);
    return 0;
}

static inline int close_arena(void **state)
{
    (void)state;
    haw_arena_fini(&arena);
    haw_context_free(context);
    return 0;
}

#endif
