/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libraries do when memory runs out inside of them: HDF5 1.10 leaves the program by exit(-1)
 * or crashes, libfyaml 0.7 crashes. That cannot be prevented from outside, but it can be said: a
 * message, and a documented exit code. A crash counts as one for want of memory if the last failure
 * of a system call was that; any other one goes its way.
 */
#ifndef HAWSER_CLI_LAST_H
#define HAWSER_CLI_LAST_H

#include <stdbool.h>

/** @param json  whether an answer is expected on the standard output */
void haw_last_begin(bool json);

/** The program leaves by itself from now on. */
void haw_last_end(void);

#endif
