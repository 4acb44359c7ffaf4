/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The linear system of one Newton step, A du + B ds = -g with du = H^T dv (global form) or W dr
 * (local form), and s_c = w_c r_c:
 *
 *     [ M/m  -H/(m w)  -G S/m ] [dv]   [ 0]
 *     [ A H^T    B        0   ] [ds] = [-g],     or  (A W/w + B) ds = -g,
 *     [ G^T      0        0   ] [dl]   [ 0]
 *
 * with m = 1/(mean of w) and S as in mobility.h: no decision depends on the units. Contact unknowns
 * stand behind the velocities they touch: the matrix of a cable is banded. Pattern and constant
 * entries are made once; a step refreshes the rows of the contacts.
 */
#ifndef HAWSER_SOLVER_NEWTON_SYSTEM_H
#define HAWSER_SOLVER_NEWTON_SYSTEM_H

#include "solver/task.h"

typedef struct haw_newton_system haw_newton_system;

/** @param w  [n] w_c > 0; kept. Memory from the task's arena. */
HAW_NODISCARD haw_status haw_newton_system_create(haw_task *task, const double *w,
                                                  haw_newton_system **system);

/** Refresh and factorize. @param a, b  [n d d]. @return ERR_SINGULAR, ERR_NOMEM */
HAW_NODISCARD haw_status haw_newton_system_factor(haw_newton_system *system, const double *a,
                                                  const double *b);

/** The step of impulses dr [n d] and of contact velocities du [n d] for the residual g [n d]. */
void haw_newton_system_solve(haw_newton_system *system, const double *g, double *dr, double *du);

void haw_newton_system_release(haw_newton_system *system); /* NULL is accepted */

#endif
