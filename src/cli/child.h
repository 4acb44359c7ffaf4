/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HDF5 may crash on a damaged file or go round in it for ever, deep inside, whatever is checked
 * before: what reads such files does so in a child process with a limit on its processor time, and
 * the program outlives it.
 */
#ifndef HAWSER_CLI_CHILD_H
#define HAWSER_CLI_CHILD_H

#include <hawser/base.h>

typedef enum haw_child { HAW_CHILD_NONE, HAW_CHILD_SELF, HAW_CHILD_ENDED } haw_child;

/**
 * Fork, and wait for the child's end; a cancelled context ends it, and it is sent the signals that
 * are to end the program.
 *
 * @param file    what it reads: the time it is given depends on the size
 * @param status  out: of waitpid, where the child has ended
 * @return SELF in the child, ENDED in the parent, NONE where no child could be made
 */
haw_child haw_child_fork(haw_context *context, const char *file, int *status);

/**
 * Let a child read a file first, in silence: what it finds does not matter.
 *
 * @return why HDF5 cannot read it; NULL: it lives and comes to an end, or no child could be made
 */
const char *haw_child_probe(haw_context *context, const char *file,
                            void (*read)(haw_context *context, const char *file));

/** Raise the signal that came while the last child was at work: it was meant for the program. */
void haw_child_repeat(void);

/** Why it died, if that was of its own fault: it crashed or went on for ever; NULL if not. */
const char *haw_child_fault(int status);

#endif
