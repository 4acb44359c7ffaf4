/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joints in explicit steps, G' u = c with the impulses G lambda. With S = G' M^^-1 G the inverse
 * mass of the motions that joints leave is
 *
 *     P = M^^-1 - M^^-1 G S^-1 G' M^^-1.
 *
 * S is sparse, joints that share nothing that moves being uncoupled, and factorized by CHOLMOD: as
 * long as neither M^ nor G change, as in nets of cables with a constant mass, once.
 */
#ifndef HAWSER_MODEL_PROJECTION_H
#define HAWSER_MODEL_PROJECTION_H

#include "linalg/factor_sparse.h"
#include "model/dynamics.h"
#include "model/joint.h"

typedef struct haw_projection {
    const haw_inertia *inertia;
    haw_arena arena;
    haw_hold *hold;  /* [joints] G at the last update */
    haw_hold *there; /* [joints] at another configuration */
    bool is_set;     /* S is that of G */
    bool is_fixed;   /* G is the same everywhere */
    haw_sparse s;
    haw_sparse_factor *factor; /* NULL before the first update */
    double **inverse;          /* [joints] rows of S^-1 that contacts asked for, NULL: not yet */
    bool *is_known;            /* [joints] they are those of S */
    double *rate;              /* [multipliers] */
    double *push;              /* [dofs] */
    double *answer;            /* columns of S: [HAW_JOINT_ROWS][multipliers] */
    double *column;            /* of a foot: [dofs of its owner][rows] */
} haw_projection;

/** NULL for a model without joints. @return ERR_NOMEM */
HAW_NODISCARD haw_status haw_projection_create(haw_context *context, const haw_inertia *inertia,
                                               haw_projection **projection);
void haw_projection_free(haw_projection *projection);

/** G at q, and S unless both it and M^ are as they were. @return ERR_SINGULAR, ERR_NOMEM */
HAW_NODISCARD haw_status haw_projection_update(haw_projection *projection, const double *q,
                                               bool same_mass);

/**
 * Impulses after which G' u = rate: u [dofs] += M^^-1 G d, impulse += d.
 *
 * @param rate     [multipliers]; NULL: 0
 * @param impulse  [multipliers] [N s], [N m s]
 */
void haw_projection_apply(haw_projection *projection, const double *rate, double *u,
                          double *impulse);

/**
 * rate [multipliers] = G' u - G(q)' u_there, what the joints should have along G in order to hold
 * at q, where u has become u_there.
 * @return  false: nothing, as G is the same there
 */
bool haw_projection_turn(haw_projection *projection, const double *q, const double *u,
                         const double *u_there, double *rate);

/* Velocities of one cable or of one body, the other one is -1. */
typedef struct haw_response {
    int cable, body;
    int first;           /* degree of freedom of the first row of x */
    int columns, stride; /* of x */
    const double *x;     /* [degrees of freedom from `first` on][stride] */
} haw_response;

/** rate [columns][multipliers] += (G' x)'. */
void haw_projection_rates(const haw_projection *projection, const haw_response *motion,
                          double *rate);

/** Rows of S^-1 [rows of the joint][multipliers]; NULL without memory. Kept until S changes. */
const double *haw_projection_inverse(haw_projection *projection, int joint);

#endif
