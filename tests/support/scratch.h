/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder for the files of a test, below TMPDIR. */
#ifndef HAWSER_TESTS_SCRATCH_H
#define HAWSER_TESTS_SCRATCH_H

enum { SCRATCH_PATH = 112 };

/** Make a fresh one. */
void scratch_make(char folder[SCRATCH_PATH]);

/** Remove it with all that is in it. */
void scratch_remove(const char *folder);

#endif
