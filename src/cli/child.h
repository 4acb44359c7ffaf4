/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HDF5 may crash on a damaged file, deep inside, whatever is checked before: what reads such files
 * does so in a child process, and the program outlives it.
 */
#ifndef HAWSER_CLI_CHILD_H
#define HAWSER_CLI_CHILD_H

#include <hawser/base.h>

#include <stdbool.h>

typedef enum haw_child { HAW_CHILD_NONE, HAW_CHILD_SELF, HAW_CHILD_ENDED } haw_child;

/**
 * Fork, and wait for the child's end; a cancelled context ends it, and it is sent the signals that
 * are to end the program.
 *
 * @param status  out: of waitpid, where the child has ended
 * @return SELF in the child, ENDED in the parent, NONE where no child could be made
 */
haw_child haw_child_fork(haw_context *context, int *status);

/** Raise the signal that came while the last child was at work: it was meant for the program. */
void haw_child_repeat(void);

/** True if it died of its own fault. */
bool haw_child_crashed(int status);

#endif
