/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton's method on the inner problems of `ppa`: u = W r + q + D (r - center) with D = alpha w_c,
 * and the equations of smoothing.h in it. For the files of `ppa` only.
 */
#ifndef HAWSER_SOLVER_PPA_STEP_H
#define HAWSER_SOLVER_PPA_STEP_H

#include "solver/newton_system.h"

enum { HAW_PPA_MEMORY = 8 }; /* norms that a line search may return to, at most */

typedef struct haw_ppa_inner {
    haw_task *task;
    haw_newton_system *system;
    int n, d;
    size_t bytes;    /* of a vector [n d] */
    double *w;       /* [n] trace(W_cc)/d */
    double alpha;    /* proximal term over w_c */
    double width;    /* of the smoothing [velocity], 0: none */
    double c;        /* of the equations, for alpha = 0 */
    double *center;  /* [n d] */
    double *r, *u;   /* [n d] iterate and W r + q */
    double *dr, *du; /* [n d] step */
    double *r_try, *u_try, *r_best;
    double *g, *a, *b;    /* [n d], [n d d], [n d d] */
    double norm, largest; /* |g| and max_c |g_c| at the iterate [velocity] */
} haw_ppa_inner;

/* When a descent ends, and what its line search accepts. */
typedef struct haw_ppa_rule {
    double goal;  /* on `largest` [velocity] */
    int limit;    /* steps */
    int memory;   /* norms to return to, 1: monotone */
    int halvings; /* of a step */
    bool insists; /* takes the shortest step where none is accepted, rather than to end */
} haw_ppa_rule;

/** Memory from the task's arena; haw_ppa_inner_release must run before the arena is reset. */
HAW_NODISCARD haw_status haw_ppa_inner_create(haw_task *task, haw_ppa_inner *inner);
void haw_ppa_inner_release(haw_ppa_inner *inner);

/**
 * Newton steps from inner->r until the rule ends them; u = W r + q must belong to r. Leaves the
 * best iterate and its `largest`, with neither u nor the derivatives.
 *
 * @param steps  out: how many
 * @return ERR_SINGULAR: a linear system could not be solved, r is what was reached; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_ppa_descend(haw_ppa_inner *inner, const haw_ppa_rule *rule,
                                         int *steps);

#endif
