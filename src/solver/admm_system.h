/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The linear step of the ADMM: impulses r with D^-1 r + W r + q = a for given velocities a, with
 * one weight D_c [impulse / velocity] per contact.
 *
 * Local form: (W + D^-1) r = a - q. Global form, where r = D (a - w - H^T v) is eliminated:
 *
 *     (M + H D H^T) v - G l = f + H D (a - w),   G^T v = -b.
 *
 * The matrix is factorized when D changes, on a pattern that is built once.
 */
#ifndef HAWSER_SOLVER_ADMM_SYSTEM_H
#define HAWSER_SOLVER_ADMM_SYSTEM_H

#include "linalg/lu.h"
#include "solver/task.h"

typedef struct haw_admm_system {
    haw_task *task;
    haw_csr matrix;
    haw_lu *lu;
    double *weight; /* [n] D */
    double *x;      /* [rows of the matrix] right-hand side and solution */
} haw_admm_system;

/** All memory and the pattern; haw_admm_system_release must follow, also after a failure. */
HAW_NODISCARD haw_status haw_admm_system_create(haw_task *task, haw_admm_system *system);
void haw_admm_system_release(haw_admm_system *system);

/** Factorize for the present weights. @return ERR_SINGULAR, ERR_NOMEM */
HAW_NODISCARD haw_status haw_admm_system_factor(haw_admm_system *system);

/** @param a  [n d], @param r  [n d] out, may be a */
void haw_admm_system_solve(haw_admm_system *system, const double *a, double *r);

#endif
