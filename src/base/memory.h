/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory a process may have. */
#ifndef HAWSER_BASE_MEMORY_H
#define HAWSER_BASE_MEMORY_H

/** Bytes that this process may ask for in all: nine tenths of the machine's memory, or of what it
 * is limited to (RLIMIT_AS, RLIMIT_DATA; ulimit -v, -d); INFINITY where nobody knows. */
double haw_memory_most(void);

#endif
