/* SPDX-License-Identifier: BSD-3-Clause */
/* One contact problem of moreau-jean in the band of the mechanics; for its two files only. */
#ifndef HAWSER_STEPPER_MOREAU_JEAN_BAND_H
#define HAWSER_STEPPER_MOREAU_JEAN_BAND_H

#include "stepper/moreau_jean.h"

enum { HAW_JEAN_MEMORY = 8 };

typedef struct haw_jean_pass {
    haw_jean_step *step;
    haw_contacts *contacts;
    const double *right; /* [dofs] */
    double *v;           /* [dofs] change of u+ */
    double *dv, *rest;   /* [dofs] */
    double *base;        /* entries of the matrix without contact */
    double scale;        /* of the matrix over A: 1 / (theta h)^2 */
    int n;
    double *w;                          /* [n] trace(W_cc) / 2 */
    double *r;                          /* [2 n] impulses */
    double *u, *dr, *du, *g;            /* [2 n] */
    double *r_trial, *u_trial;          /* [2 n] */
    double *a, *b;                      /* [4 n] */
    double *gain;                       /* [4 n] D */
    signed char *state;                 /* [n] */
    double rho, alpha, norm, last_norm; /* norm: of g */
    double cold;                        /* norm without impulses */
    double history[HAW_JEAN_MEMORY];    /* squared norms that the line search may return to */
    int steps, changed, crawl;
    double cut;       /* factor of the last step; 0: the line search gave up */
    double reference; /* velocity that the referee measures in */
} haw_jean_pass;

/** Memory from the arena of the step but for v; keeps the entries of the matrix. */
haw_status haw_jean_band_create(haw_jean_step *step, const double *right, haw_jean_pass *x);

/** y [dofs] = H r, tied. */
void haw_jean_band_push(const haw_jean_pass *x, const double *r, double *y);

/**
 * Weights of points from the factor of A; kept as long as the step is, only their order of
 * magnitude matters. @return false if a point cannot move
 */
bool haw_jean_band_weights(haw_jean_pass *x);

/** dv, dr and du from g, a, b and alpha. @return false if the matrix is singular */
bool haw_jean_band_step(haw_jean_pass *x);

/** The entries of the matrix without contact again. */
void haw_jean_band_restore(haw_jean_pass *x);

#endif
