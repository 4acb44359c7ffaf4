/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One contestant on one problem: its tolerance is tightened until the referee is content, then the
 * run with that tolerance is repeated for its CPU time.
 */
#ifndef HAWSER_COMPARE_MATCH_H
#define HAWSER_COMPARE_MATCH_H

#include "child.h"

#define MATCH_TOLERANCE 1e-8 /* on residual_natural */

typedef struct match {
    const contestant *who;
    bool is_solved;       /* the referee: residual_natural <= MATCH_TOLERANCE */
    child_end end;        /* of the last attempt */
    int attempts;         /* tolerances tried */
    aim to;               /* of the last attempt */
    answer said;          /* in the last attempt that finished */
    double least, median; /* CPU seconds over `runs`, of the last attempt */
    int runs;
    haw_residual residual; /* of the last attempt; of its last iterate if it did not finish */
    double best;           /* smallest residual_natural of all attempts */
} match;

/** @param limit  CPU seconds of one solve */
haw_status match_play(haw_context *context, const contestant *who, const contest *problem,
                      double limit, match *m);

/** "converged", "gave up", "timeout" or "fault": what the contestant itself ended with. */
const char *match_claim(const match *m);

#endif
