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

static inline void *counting_allocate(void *user, size_t bytes)
{
    counting *count = user;
    ++count->calls;
    void *pointer = count->calls == count->fail_at ? NULL : malloc(bytes);
    if (pointer != NULL) {
        memset(pointer, 0xA5, bytes); /* nobody may rely on zeroed memory from the allocator */
        ++count->live;
    }
    return pointer;
}

static inline void counting_release(void *user, void *pointer)
{
    counting *count = user;
    count->live -= pointer != NULL ? 1 : 0;
    free(pointer);
}

static inline haw_allocator counting_allocator(counting *count)
{
    return (haw_allocator){counting_allocate, counting_release, count};
}

/* Builds what is tested, frees it again, and returns the first failure. */
typedef haw_status (*failing_attempt)(haw_context *context, void *user);

/*
 * Run an attempt with the 1st, 2nd, 3rd, ... allocation failing until it succeeds. Each failing
 * run must return ERR_NOMEM with a message and release all it had. Returns the number of
 * allocations of the successful run, that of the context included.
 */
static inline long failing_loop(failing_attempt attempt, void *user)
{
    for (long n = 1;; ++n) {
        counting count = {.fail_at = n};
        const haw_allocator allocator = counting_allocator(&count);
        haw_context *context = NULL;
        haw_status status = haw_context_create(&allocator, &context);
        if (status == HAW_OK) {
            status = attempt(context, user);
            const bool is_told = strstr(haw_context_message(context), "out of memory") != NULL;
            haw_context_free(context);
            assert_true(status == HAW_OK || is_told);
        }
        assert_int_equal(count.live, 0);
        if (count.calls < n) {
            assert_int_equal(status, HAW_OK);
            return count.calls;
        }
        assert_int_equal(status, HAW_ERR_NOMEM);
    }
}

#endif
