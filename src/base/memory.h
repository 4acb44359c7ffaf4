/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory a process may have, and what it does with what it had. */
#ifndef HAWSER_BASE_MEMORY_H
#define HAWSER_BASE_MEMORY_H

/** Bytes that this process may ask for in all: nine tenths of the machine's memory, or of what it
 * is limited to (RLIMIT_AS, RLIMIT_DATA; ulimit -v, -d; its control group); INFINITY where nobody
 * knows. */
double haw_memory_most(void);

/** Least limit of control groups [bytes], of version 2 (memory.max) or 1 (memory.limit_in_bytes);
 * INFINITY: none.
 *
 * @param groups  what /proc/self/cgroup says; man 7 cgroups
 * @param root    where their files are: /sys/fs/cgroup
 */
double haw_memory_of_groups(const char *groups, const char *root);

/** Keep what is freed for what is asked for next. Large sparse factors come and go with every step
 * of Newton's method: UMFPACK asks for 95 MB for those of 24 600 equations and uses 24. Pages that
 * go back to the system each time, and are cleared when they come again, take a third of all time
 * of such a run. Of the whole process: for programs, not for what a library calls. */
void haw_memory_keep_pages(void);

#endif
