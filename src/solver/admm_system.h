/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The linear step of the ADMM: impulses r with D^-1 r + W r + q = a for given velocities a, with
 * one weight D_c [impulse / velocity] per contact.
 *
 * Local form: (W + D^-1) r = a - q. Global form: contact rows E that touch few velocities are
 * eliminated, r = D (a - w - H^T v); the long ones K, whose squares would fill the matrix, stay
 * with the unknowns s = D^-1 r, which are velocities:
 *
 *     [ M + H_E D H_E^T  -G S  -H_K D ] [v]   [f + H_E D (a - w)]
 *     [ S G^T             0     0     ] [l] = [-S b             ],   S as in mobility.h.
 *     [ H_K^T             0     I     ] [s]   [a - w            ]
 *
 * The matrix is factorized when D changes, on a pattern that is built once.
 */
#ifndef HAWSER_SOLVER_ADMM_SYSTEM_H
#define HAWSER_SOLVER_ADMM_SYSTEM_H

#include "solver/block_lu.h"
#include "solver/task.h"

typedef struct haw_admm_system {
    haw_task *task;
    haw_lu *lu;
    double *weight;     /* [n] D */
    double *x;          /* [size] right-hand side and solution */
    int size;           /* unknowns */
    haw_block_lu local; /* local form */
    haw_csr matrix;     /* global form */
    double *constant;   /* its values without the contacts */
    int *kept;          /* global form: [n d] unknown of a contact row, -1: eliminated */
} haw_admm_system;

/**
 * All memory and the pattern; haw_admm_system_release must follow, also after a failure.
 * @return ERR_NOMEM; ERR_INPUT: too large
 */
HAW_NODISCARD haw_status haw_admm_system_create(haw_task *task, haw_admm_system *system);
void haw_admm_system_release(haw_admm_system *system);

/** Factorize for the present weights. @return ERR_SINGULAR, ERR_NOMEM */
HAW_NODISCARD haw_status haw_admm_system_factor(haw_admm_system *system);

/** @param a  [n d], @param r  [n d] out, may be a */
void haw_admm_system_solve(haw_admm_system *system, const double *a, double *r);

#endif
