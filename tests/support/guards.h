/* SPDX-License-Identifier: BSD-3-Clause */
/* A guard that remembers what was far away, and one that forgets it. */
#ifndef HAWSER_TESTS_GUARDS_H
#define HAWSER_TESTS_GUARDS_H

#include "contact/guard.h"

typedef struct guards {
    haw_arena arena;
    haw_guard *guard[2];
    double *u; /* [dofs] zeros */
} guards;

void guards_open(guards *g, haw_context *context, const haw_model *model);

/** Both find the same depth after a move, however deep and without a look at its speed.
 * @return it [m] */
double guards_agree(const guards *g, const double *before, const double *after);

void guards_close(guards *g);

#endif
