/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/failing.h"

void *counting_allocate(void *user, size_t bytes)
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

void counting_release(void *user, void *pointer)
{
    counting *count = user;
    count->live -= pointer != NULL ? 1 : 0;
    free(pointer);
}

haw_allocator counting_allocator(counting *count)
{
    return (haw_allocator){counting_allocate, counting_release, count};
}

long failing_loop(failing_attempt attempt, void *user)
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
