/* SPDX-License-Identifier: BSD-3-Clause */
/* What a context holds; for the folder's own files only. */
#ifndef HAWSER_BASE_CONTEXT_H
#define HAWSER_BASE_CONTEXT_H

#include <hawser/base.h>

#include <stdatomic.h>

enum { HAW_MESSAGE_SIZE = 1024, HAW_PLACE_SIZE = 256 };

struct haw_context {
    haw_allocator allocator;
    haw_log_function log;
    void *log_user;
    atomic_bool cancelled; /* lock-free, so a signal handler may set it (C17 7.14.1.1) */
    char message[HAW_MESSAGE_SIZE];
    char place[HAW_PLACE_SIZE]; /* of the last failure */
};

#endif
