/* SPDX-License-Identifier: BSD-3-Clause */
/* A log that keeps what it hears, for tests of messages. */
#ifndef HAWSER_TESTS_LOG_H
#define HAWSER_TESTS_LOG_H

#include <hawser/base.h>

#include <stdio.h>
#include <string.h>

typedef struct heard {
    int count;
    char text[16384]; /* one message after another, each ends with a line feed */
} heard;

void hear(void *user, haw_log_level level, const char *text);

#endif
