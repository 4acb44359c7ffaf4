/* SPDX-License-Identifier: BSD-3-Clause */
/* The context: allocator, log, cancel flag and last message, instead of globals. */
#include "base/memory.h"
#include "base/status.h"

#include <gsl/gsl_errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ALIGNMENT = 64, /* a cache line, and the widest vector load */
    PLACE_SIZE = 256,
    PATIENCE = 5 /* [s] that a step may still take once a cancel was asked for */
};

#define TEXT_OF(x)      #x
#define VERSION_OF(...) VERSION_JOIN(__VA_ARGS__)
#define VERSION_JOIN(major, minor, patch)                                                          \
    TEXT_OF(major)                                                                                 \
    "." TEXT_OF(minor) "." TEXT_OF(patch)

struct haw_context {
    haw_allocator allocator;
    haw_log_function log;
    void *log_user;
    atomic_bool cancelled; /* lock-free, so a signal handler may set it (C17 7.14.1.1) */
    atomic_long asked;     /* when, by the monotonic clock [s] */
    char message[HAW_MESSAGE_SIZE];
    char place[PLACE_SIZE]; /* of the last failure */
    haw_sparse_calls sparse;
    double held, most, whole; /* [bytes]; whole: before others got their shares */
    bool is_short;            /* something would have fitted into the whole */
};

/* Kept just below an aligned block, where haw_release finds it. */
typedef struct block_head {
    void *raw;
    size_t bytes;
} block_head;

static void *plain_allocate(void *user, size_t bytes)
{
    (void)user;
    return calloc(1, bytes); /* what is never used of it is never touched */
}

static void plain_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static const haw_allocator plain = {plain_allocate, plain_release, NULL};

haw_status haw_context_create(const haw_allocator *allocator, haw_context **context)
{
    if (context == NULL) {
        return HAW_ERR_ARG;
    }
    *context = NULL;
    if (allocator == NULL) {
        allocator = &plain;
    }
    if (allocator->allocate == NULL || allocator->release == NULL) {
        return HAW_ERR_ARG;
    }
    haw_context *made = allocator->allocate(allocator->user, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    made->most = made->whole = haw_memory_most();
    atomic_init(&made->cancelled, false);
    /* The default handler of GSL aborts the process; every code is checked instead. */
    (void)gsl_set_error_handler_off();
    *context = made;
    return HAW_OK;
}

void haw_context_free(haw_context *context)
{
    if (context != NULL) {
        const haw_allocator allocator = context->allocator;
        allocator.release(allocator.user, context);
    }
}

void haw_context_set_log(haw_context *context, haw_log_function log, void *user)
{
    context->log = log;
    context->log_user = user;
}

static long seconds(void)
{
    struct timespec now = {.tv_sec = 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* as a signal handler may */
    return (long)now.tv_sec;
}

void haw_context_cancel(haw_context *context)
{
    if (!atomic_load(&context->cancelled)) { /* who asks again does not wait longer */
        atomic_store(&context->asked, seconds());
    }
    atomic_store(&context->cancelled, true);
}

bool haw_context_cancelled(const haw_context *context)
{
    return atomic_load(&context->cancelled);
}

const char *haw_context_message(const haw_context *context)
{
    return context->message;
}

const char *haw_context_place(const haw_context *context)
{
    return context->place;
}

/* Asked before the machine is, which promises more than it has. */
static bool has_room(haw_context *context, size_t bytes)
{
    if (context == NULL || context->held + (double)bytes <= context->most) {
        return true;
    }
    (void)haw_fail(context, HAW_ERR_NOMEM,
                   "out of memory (%.2g GB are held, %.2g GB more are needed, there are %.2g GB)",
                   1e-9 * context->held, 1e-9 * (double)bytes, 1e-9 * context->most);
    return false;
}

void *haw_allocate(haw_context *context, size_t count, size_t size)
{
    const haw_allocator *allocator = context != NULL ? &context->allocator : &plain;
    const size_t extra = ALIGNMENT + sizeof(block_head);
    if (size != 0 && count > (SIZE_MAX - extra) / size) {
        (void)haw_fail(context, HAW_ERR_NOMEM, "out of memory (%zu times %zu bytes)", count, size);
        return NULL;
    }
    block_head head = {.bytes = count * size};
    if (!has_room(context, head.bytes)) {
        return NULL;
    }
    unsigned char *raw = allocator->allocate(allocator->user, head.bytes + extra);
    if (raw == NULL) {
        (void)haw_fail(context, HAW_ERR_NOMEM, "out of memory (%zu bytes)", head.bytes);
        return NULL;
    }
    head.raw = raw;
    const size_t past = (size_t)((uintptr_t)(raw + sizeof head) % ALIGNMENT);
    unsigned char *block = raw + sizeof head + (past != 0 ? ALIGNMENT - past : 0);
    memcpy(block - sizeof head, &head, sizeof head);
    if (context != NULL) {
        context->held += (double)head.bytes;
    }
    return allocator->allocate == plain_allocate ? block : memset(block, 0, head.bytes);
}

void haw_release(haw_context *context, void *pointer)
{
    if (pointer == NULL) {
        return;
    }
    const haw_allocator *allocator = context != NULL ? &context->allocator : &plain;
    block_head head;
    memcpy(&head, (unsigned char *)pointer - sizeof head, sizeof head);
    if (context != NULL) {
        context->held -= (double)head.bytes;
    }
    allocator->release(allocator->user, head.raw);
}

double haw_context_room(const haw_context *context)
{
    return context->most - context->held;
}

bool haw_context_fits(haw_context *context, double bytes, double *most)
{
    *most = context->most;
    context->is_short |= bytes > context->most && bytes <= context->whole;
    return bytes <= context->most;
}

bool haw_context_is_short(const haw_context *context)
{
    return context->is_short;
}

void haw_context_share(haw_context *context, int processes)
{
    context->most /= processes;
}

/* ---- messages ---- */

const char *haw_status_text(haw_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case HAW_##name:                                                                               \
        return text;
        HAW_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

const char *haw_version(void)
{
    return VERSION_OF(HAWSER_VERSION_MAJOR, HAWSER_VERSION_MINOR, HAWSER_VERSION_PATCH);
}

haw_status haw_fail(haw_context *context, haw_status status, const char *format, ...)
{
    if (context == NULL) {
        return status;
    }
    /* A caller may wrap the present message in a longer one: format aside, then copy. */
    char line[HAW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    memcpy(context->message, line, sizeof line);
    context->place[0] = '\0';
    return status;
}

haw_status haw_place(haw_context *context, haw_status status, const char *format, ...)
{
    if (context == NULL || status == HAW_OK || context->place[0] != '\0') {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(context->place, sizeof context->place, format, arguments);
    va_end(arguments);
    return status;
}

void haw_log(haw_context *context, haw_log_level level, const char *format, ...)
{
    if (context == NULL || context->log == NULL) {
        return;
    }
    char line[HAW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    context->log(context->log_user, level, line);
}

haw_sparse_calls *haw_context_sparse(haw_context *context)
{
    return &context->sparse;
}

bool haw_context_insists(const haw_context *context)
{
    return haw_context_cancelled(context) && seconds() > atomic_load(&context->asked) + PATIENCE;
}

haw_status haw_context_goes_on(haw_context *context)
{
    return haw_context_cancelled(context) ? haw_fail(context, HAW_ERR_CANCELLED, "cancelled")
                                          : HAW_OK;
}
