/* SPDX-License-Identifier: BSD-3-Clause */
/* Without libFuzzer: every seed once, from the files and folders named or from the usual two. */
#ifndef HAWSER_TESTS_REPLAY_H
#define HAWSER_TESTS_REPLAY_H

#include "fuzz/clock.h"
#include "fuzz/input.h"

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int replay(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    const size_t size = fread(data, 1, sizeof data, file);
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(data, size);
    return 1;
}

static inline int replay_folder(const char *name)
{
    int replayed = 0;
    DIR *folder = opendir(name);
    if (folder == NULL) {
        return replay(name);
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        replayed += entry->d_name[0] != '.' ? replay(path) : 0;
    }
    (void)closedir(folder);
    return replayed;
}

static inline int replay_main(int count, char **argument, const char *const usual[2])
{
    const int names = count > 1 ? count : 3;
    int replayed = 0, missing = 0;
    for (int i = 1; i < names; ++i) {
        const int found = replay_folder(count > 1 ? argument[i] : usual[i - 1]);
        missing += found == 0;
        replayed += found;
    }
    (void)printf("%d inputs replayed\n%d passed, %d failed\n", replayed, missing == 0, missing);
    return missing == 0 ? 0 : 1;
}

#endif
