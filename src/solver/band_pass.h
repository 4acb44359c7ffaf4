/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two courses of the method in a band share: by semismooth steps (band_newton.c), and
 * through the inside of the cones (band_inside.c). */
#ifndef HAWSER_SOLVER_BAND_PASS_H
#define HAWSER_SOLVER_BAND_PASS_H

#include "solver/band_newton.h"
#include "solver/newton.h"

/* The equations that a contact acts on: those with an entry in one of its d rows. */
typedef struct haw_band_point {
    int count;
    int *column;      /* [count] */
    double *row;      /* [count d] entries of the d rows in each column */
    ptrdiff_t *place; /* [count^2] in the values of the matrix */
} haw_band_point;

typedef struct haw_band_pass {
    const haw_band_problem *problem;
    haw_band_result *result;
    haw_arena *arena;
    haw_status failure; /* of a factorization, but for a singular matrix */
    int d, n, equations;
    double *r, *v, *u;     /* iterate, of the caller */
    bool has_moved;        /* from v = 0, which is no solution, whatever the laws say of it */
    haw_band_point *point; /* [n] */
    size_t values;         /* of the matrix */
    double *base;          /* its entries without contact, */
    double *pressed;       /* and with */
    bool is_factored;      /* the factors are those of `base` */
    double *free;          /* [n d] H^T A^-1 f + w */
    bool has_free;
    double *rest, *dv;         /* [equations] */
    double *g, *e, *dr, *du;   /* [n d] */
    double *r_trial, *u_trial; /* [n d] */
    double *a, *b;             /* [n d d] generalized Jacobian */
    double *inverse, *gain;    /* [n d d] c^-1, D */
    haw_contact_state *state;  /* [n] */
    double rho;
    haw_newton_course course;
    double cold; /* norm without impulses */
} haw_band_pass;

/** dv, dr and du from g, a, b and alpha, of contacts that are not open. @return false if the matrix
 * is singular */
bool haw_band_step(haw_band_pass *x);

/** The same from another g, with the factors of the last step. */
void haw_band_solve(haw_band_pass *x);

/** v = 0, and u with it. */
void haw_band_begin(haw_band_pass *x);

/** r, v and u after the part t of the step. */
void haw_band_move(haw_band_pass *x, double t);

/** What the referee says of the iterate, with the weights at hand, once it has moved. */
bool haw_band_met(haw_band_pass *x);

/** s = w r of contact i. */
void haw_band_scale(const haw_band_pass *x, int i, const double *r, double s[3]);

/** Through the inside of the cones, past folds of that path or up to the first one. @return false:
 * the tolerance is missed, r, v and u are some iterate */
bool haw_band_walk(haw_band_pass *x, bool passes_folds);

#endif
