/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocators that count, and that fail at a chosen call: for out-of-memory and no-malloc tests. */
#ifndef HAWSER_TESTS_FAILING_H
#define HAWSER_TESTS_FAILING_H

#include "support/near.h"

#include <hawser/base.h>

#include <stdlib.h>
#include <string.h>

typedef struct counting {
    long calls;   /* allocations asked for */
    long live;    /* blocks not yet released */
    long fail_at; /* this call fails, counted from 1; 0: none */
} counting;

void *counting_allocate(void *user, size_t bytes);

void counting_release(void *user, void *pointer);

haw_allocator counting_allocator(counting *count);

/* Builds what is tested, frees it again, and returns the first failure. */
typedef haw_status (*failing_attempt)(haw_context *context, void *user);

/*
 * Run an attempt with the 1st, 2nd, 3rd, ... allocation failing until it succeeds. Each failing
 * run must return ERR_NOMEM with a message and release all it had. Returns the number of
 * allocations of the successful run, that of the context included.
 */
long failing_loop(failing_attempt attempt, void *user);

#endif
