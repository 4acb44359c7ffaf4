/* SPDX-License-Identifier: BSD-3-Clause */
/* An input as a text, and a place for what is written of it. */
#ifndef HAWSER_TESTS_INPUT_H
#define HAWSER_TESTS_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
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

/* What a process has in memory, and who it is: a child leaves that alone. */
static struct {
    char place[2][64];
    int count;
    pid_t owner;
} replay_kept;

static inline void replay_end(void)
{
    for (int i = 0; i < replay_kept.count && replay_kept.owner == getpid(); i++) {
        char command[96];
        (void)snprintf(command, sizeof command, "/bin/rm -rf '%s'", replay_kept.place[i]);
        (void)(system(command) < 0); /* NOLINT(cert-env33-c) */
    }
}

/* A path of this process in memory, where the system has a folder for that; in the end it is
 * removed. */
static inline void replay_path(char path[64], const char *name)
{
    enum { MOST = sizeof replay_kept.place / sizeof replay_kept.place[0] };

    (void)snprintf(path, 64, "%s/hawser-fuzz-%s-%ld",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", name, (long)getpid());
    bool is_new = replay_kept.count < MOST;
    for (int i = 0; i < replay_kept.count; i++) {
        is_new = is_new && strcmp(replay_kept.place[i], path) != 0;
    }
    if (is_new) {
        (void)snprintf(replay_kept.place[replay_kept.count++], 64, "%s", path);
        (void)(replay_kept.owner == 0 && atexit(replay_end));
        replay_kept.owner = getpid();
    }
}

#endif
