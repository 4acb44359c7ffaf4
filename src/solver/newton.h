/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of Newton's method and its steps, for newton.c and its tests. */
#ifndef HAWSER_SOLVER_NEWTON_H
#define HAWSER_SOLVER_NEWTON_H

#include "solver/newton_residual.h"
#include "solver/newton_system.h"

enum { HAW_NEWTON_MEMORY = 8 }; /* squared norms that the line search may return to */

typedef struct haw_newton {
    haw_task *task;
    haw_newton_system *system;
    double rho, alpha;   /* options: times 1/w_c; times w_c, of the first step */
    int n, d;            /* contacts, dimension */
    double *w;           /* [n] trace(W_cc)/d */
    double *u, *dr, *du; /* [n d] velocities W r + q; the step */
    double *r_trial, *u_trial, *r_best;
    double *g, *a, *b;        /* [n d], [n d d], [n d d]: residual and its derivatives */
    haw_contact_state *state; /* [n] */
} haw_newton;

typedef struct haw_newton_pass {
    haw_newton *newton;
    double *r;              /* [n d] the iterate */
    double rho, alpha;      /* at present */
    double norm, last_norm; /* |g| now and before the last step */
    double history[HAW_NEWTON_MEMORY];
    int steps;            /* in the history */
    double cut;           /* factor of the last step; 0: the line search gave up */
    int changed;          /* contacts whose state the last step changed */
    int crawl;            /* steps in a row that hardly helped though alpha was small */
    double natural, best; /* what the referee says of the iterate, and of r_best */
} haw_newton_pass;

/** g and its generalized Jacobian at r, u; the norm, and how many contacts changed state. */
void haw_newton_evaluate(haw_newton_pass *pass);

/** |g|^2 at any r, u [n d]. */
double haw_newton_square_norm(const haw_newton_pass *pass, const double *r, const double *u);

/** Ask the referee about the iterate; remember the best one. */
void haw_newton_judge(haw_newton_pass *pass);

/**
 * One step: linear system, line search, evaluation, and the alpha of the next step.
 * @return ERR_SINGULAR, ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_newton_advance(haw_newton_pass *pass);

#endif
