/* SPDX-License-Identifier: BSD-3-Clause */
/* A shipped scenario run through, and the same gone on with from its checkpoints, bit for bit. */
#ifndef HAWSER_TESTS_RESUME_H
#define HAWSER_TESTS_RESUME_H

/**
 * Run a shipped scenario for some time, then go on from where it was at several of its steps and
 * compare the end: state, ledger, certificate, frames and events. A difference fails the test.
 *
 * @param set      lines of path=value, or NULL
 * @param seconds  of processor time that the first run may take; it stops at a step, or its end
 * @param cuts     number of steps, drawn by `seed`, that runs go on from
 */
void resume_scenario(const char *name, const char *set, double seconds, int cuts, unsigned seed);

#endif
