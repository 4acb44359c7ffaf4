/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Semismooth Newton method on the Alart-Curnier equations, for the rows that wrap it.
 *
 * A run solves the contact problem of u = W r + q + D (r - center) with the diagonal D = alpha w_c
 * per contact; without a shift, the problem itself. One object serves any number of runs: pattern,
 * symbolic analysis and memory are made once, by haw_newton_create.
 */
#ifndef HAWSER_SOLVER_NEWTON_H
#define HAWSER_SOLVER_NEWTON_H

#include "solver/task.h"

typedef struct haw_newton haw_newton;

typedef struct haw_newton_shift {
    double alpha;         /* D_cc = alpha w_c I, w_c = trace(W_cc)/d */
    const double *center; /* [n d], not the array r of the run */
} haw_newton_shift;

typedef enum haw_newton_end {
    HAW_NEWTON_CONVERGED, /* the shifted problem meets the tolerance of the run, or the problem
                             itself that of the task */
    HAW_NEWTON_STALLED,   /* no descent, or a long time without progress */
    HAW_NEWTON_LIMIT,     /* iterations used up, or the task is exhausted */
    HAW_NEWTON_SINGULAR   /* the linear system could not be solved */
} haw_newton_end;

typedef struct haw_newton_result {
    haw_newton_end end;
    int iterations; /* of this run */
    double natural; /* residual_natural of the problem itself, at the r given back */
    double shifted; /* the same measure of the shifted problem; equal to natural without a shift */
} haw_newton_result;

/** Memory from the task's arena; haw_newton_release must run before the arena is reset. */
HAW_NODISCARD haw_status haw_newton_create(haw_task *task, haw_newton **newton);

/** rho in units of 1/w_c (0.3) and the proximal term of the first step in units of w_c (10). */
void haw_newton_tune(haw_newton *newton, double rho, double alpha);
void haw_newton_release(haw_newton *newton); /* NULL is accepted */

/**
 * Improve r until the tolerance is met; r is then the best iterate found.
 *
 * @param shift       NULL: none
 * @param tolerance   on residual_natural of the shifted problem
 * @param iterations  at most so many, and no more than the task allows
 * @param r           [n d] in: start, out: impulses
 * @return            OK whatever the end; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_newton_run(haw_newton *newton, const haw_newton_shift *shift,
                                        double tolerance, int iterations, double *r,
                                        haw_newton_result *result);

#endif
