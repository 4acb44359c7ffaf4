/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a solver asks of a contact problem, whatever its form: q, the diagonal blocks W_cc and
 * products with W. In the global form W = H^T M^-1 H stays a sequence of sparse operations:
 * M is factorized once per solve (bilateral rows belong to the factor) and each product costs one
 * solve with it.
 */
#ifndef HAWSER_SOLVER_OPERATOR_H
#define HAWSER_SOLVER_OPERATOR_H

#include "base/arena.h"

#include <hawser/problem.h>

typedef struct haw_mobility haw_mobility; /* the factor of M with the bilateral rows */

typedef struct haw_operator {
    const haw_problem *problem;
    const double *q;        /* [n d] velocity without contact impulses */
    const double *block;    /* [n d d] W_cc, row-major; NULL in the local form */
    const double *weight;   /* [n] trace(W_cc) / d where nothing else is known of W, else NULL */
    haw_mobility *mobility; /* global form, else NULL */
    double flops;           /* operations of one product with W */
} haw_operator;

/**
 * Memory from the arena; haw_operator_release must run before the arena is reset.
 * @return ERR_NOMEM; ERR_SINGULAR: M with the bilateral rows cannot be inverted; ERR_INPUT: the
 *         bilateral rows hold a contact on both sides
 */
HAW_NODISCARD haw_status haw_operator_create(haw_arena *arena, const haw_problem *problem,
                                             haw_operator *op);
void haw_operator_release(haw_operator *op);

/** W_cc [d d], row-major. */
static inline const double *haw_operator_block(const haw_operator *op, int c)
{
    const haw_problem *p = op->problem;
    const ptrdiff_t size = (ptrdiff_t)p->dimension * p->dimension;

    return op->block != NULL ? op->block + size * c : p->w.value + size * p->w.diagonal[c];
}

/** w_c = trace(W_cc) / d */
static inline double haw_operator_weight(const haw_operator *op, int d, int c)
{
    if (op->weight != NULL) {
        return op->weight[c];
    }
    const double *block = haw_operator_block(op, c);
    double trace = block[0];

    for (int i = 1; i < d; i++) {
        trace += block[i * (d + 1)];
    }
    return trace / d;
}

/** u = W r + q */
void haw_operator_velocity(const haw_operator *op, const double *r, double *u);

/** u = W r */
void haw_operator_multiply(const haw_operator *op, const double *r, double *u);

/** Global form: velocities v [nv] (and, if not NULL, bilateral impulses l [p]) under r. */
void haw_operator_state(const haw_operator *op, const double *r, double *v, double *l);

/** Global form: u_c [d] = H_c^T v + w_c of one contact. */
void haw_operator_contact_velocity(const haw_operator *op, int c, const double *v, double *u);

/** Global form: v += M^-1 H_c (r_c - before) of one contact. @return whether its impulse changed */
bool haw_operator_contact_push(const haw_operator *op, int c, const double *before, const double *r,
                               double *v);

#endif
