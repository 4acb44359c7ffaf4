/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine promises more than it has, and ends the process that takes it at its word. */
#include "base/memory.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__GLIBC__) /* as the headers above say */
#include <malloc.h>
#endif

static const double SHARE = 0.9; /* the rest is what libraries and others have */

enum { TEXT = 4096 };

/* What a file says, "" where it cannot be read; nothing is allocated. */
static void read_text(const char *path, char text[TEXT])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, text, TEXT - 1);
    text[size > 0 ? size : 0] = '\0';
    if (file >= 0) {
        (void)close(file);
    }
}

/* The least limit of a group and of those that it lies in. A container sees its own as the root. */
static double least_of(const char *root, const char *group, int length, const char *name)
{
    char path[2 * TEXT], text[TEXT];
    double least = (double)INFINITY;
    for (int end = length; end >= 0; end--) {
        if (end != length && end != 0 && group[end] != '/') {
            continue;
        }
        (void)snprintf(path, sizeof path, "%s%.*s/%s", root, end, group, name);
        read_text(path, text);
        const double bytes = strtod(text, NULL); /* "max": no number */
        least = bytes > 0 ? fmin(least, bytes) : least;
    }
    return least;
}

double haw_memory_of_groups(const char *groups, const char *root)
{
    static const struct {
        const char *head, *folder, *name;
    } kinds[] = {{"0::", "", "memory.max"}, {":memory:", "/memory", "memory.limit_in_bytes"}};

    double least = (double)INFINITY;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char folder[TEXT];
        const char *head = strstr(groups, kinds[i].head);
        if (head != NULL) {
            const char *group = head + strlen(kinds[i].head);
            (void)snprintf(folder, sizeof folder, "%s%s", root, kinds[i].folder);
            least = fmin(least, least_of(folder, group, (int)strcspn(group, "\n"), kinds[i].name));
        }
    }
    return least;
}

double haw_memory_most(void)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    double most = pages > 0 && bytes > 0 ? (double)pages * (double)bytes : (double)INFINITY;
    char groups[TEXT];
    for (int i = 0; i < 2; i++) {
        struct rlimit limit;
        if (getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
            most = fmin(most, (double)limit.rlim_cur);
        }
    }
    read_text("/proc/self/cgroup", groups);
    return SHARE * fmin(most, haw_memory_of_groups(groups, "/sys/fs/cgroup"));
}

void haw_memory_keep_pages(void)
{
#if defined(__GLIBC__)
    if (mallopt(M_MMAP_THRESHOLD, 256 << 20) == 0) {
        (void)mallopt(M_MMAP_THRESHOLD,
                      32 << 20); /* the most of older ones; else it stays at 128 kB */
    }
    (void)mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}
