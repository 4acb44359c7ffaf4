/* SPDX-License-Identifier: BSD-3-Clause */
/* Guards that remember what was far away, and such that forget it. */
#ifndef HAWSER_TESTS_GUARDS_H
#define HAWSER_TESTS_GUARDS_H

#include "contact/guard.h"

typedef struct guards {
    haw_arena arena;
    haw_guard
        *guard[4];     /* of a depth of now, and of all so far: those that remember, that forget */
    double *u;         /* [dofs] zeros */
    double deepest[2]; /* of all so far, by the one and the other [m] */
} guards;

void guards_open(guards *g, haw_context *context, const haw_model *model);

/** They find the same depth after a move, however deep and without a look at its speed, and the
 * same largest one of all moves. @return it [m] */
double guards_agree(guards *g, const double *before, const double *after);

void guards_close(guards *g);

#endif
