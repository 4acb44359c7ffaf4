/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/arena_fixture.h"

haw_context *context;
haw_arena arena;

int open_arena(void **state)
{
    (void)state;
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return -1;
    }
    haw_arena_init(&arena, context);
    return 0;
}

int close_arena(void **state)
{
    (void)state;
    haw_arena_fini(&arena);
    haw_context_free(context);
    return 0;
}
