/* SPDX-License-Identifier: BSD-3-Clause */
/* An input as a text, and a place for what is written of it. */
#ifndef HAWSER_TESTS_INPUT_H
#define HAWSER_TESTS_INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The input as a text, to be freed; NULL: no memory. */
static inline char *replay_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text != NULL) {
        memcpy(text, data, size);
        text[size] = '\0';
    }
    return text;
}

/* A path of this process in memory, where the system has a folder for that. */
static inline void replay_path(char path[64], const char *name)
{
    (void)snprintf(path, 64, "%s/hawser-fuzz-%s-%ld",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", name, (long)getpid());
}

#endif
