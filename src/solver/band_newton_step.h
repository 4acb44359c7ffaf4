/* SPDX-License-Identifier: BSD-3-Clause */
/* One Newton step of band_newton.c; for its two files only. */
#ifndef HAWSER_SOLVER_BAND_NEWTON_STEP_H
#define HAWSER_SOLVER_BAND_NEWTON_STEP_H

#include "solver/band_newton.h"

enum { HAW_BAND_MEMORY = 8 };

/* The equations that a contact acts on: those with an entry in one of its d rows. */
typedef struct haw_band_point {
    int count;
    int *column;      /* [count] */
    double *row;      /* [d count] dense rows over `column` */
    ptrdiff_t *place; /* [count^2] in the values of the matrix */
} haw_band_point;

typedef struct haw_band_pass {
    const haw_band_problem *problem;
    haw_band_result *result;
    int d, n, equations;
    double *r, *v, *u;     /* iterate, of the caller */
    haw_band_point *point; /* [n] */
    double *base;          /* entries of the matrix without contact */
    bool is_factored;      /* the factors are those of `base` */
    double *free;          /* [n d] H^T A^-1 f + w */
    bool has_free;
    double *rest, *dv;                  /* [equations] */
    double *g, *e, *dr, *du;            /* [n d] */
    double *r_trial, *u_trial;          /* [n d] */
    double *a, *b;                      /* [n d d] generalized Jacobian */
    double *inverse, *gain;             /* [n d d] c^-1, D */
    signed char *state;                 /* [n] */
    double rho, alpha, norm, last_norm; /* norm: of g */
    double cold;                        /* norm without impulses */
    double history[HAW_BAND_MEMORY];    /* squared norms that the line search may return to */
    int steps, changed, crawl;
    double cut; /* factor of the last step; 0: the line search gave up */
} haw_band_pass;

/**
 * Of a pass with the arrays of the caller: memory from the arena, the entries of the matrix and the
 * places of the contacts in it.
 * @param inside  out: false if a contact couples equations outside of the matrix's pattern
 */
HAW_NODISCARD haw_status haw_band_pass_create(haw_band_pass *x, haw_arena *arena, bool *inside);

/** Factors of A itself. @return false if it is singular */
bool haw_band_factor(haw_band_pass *x);

/** The entries of the matrix without contact again. */
void haw_band_restore(haw_band_pass *x);

/** Weights that are not known yet. @return false if a contact cannot move */
bool haw_band_weigh(haw_band_pass *x);

/** dv, dr and du from g, a, b and alpha. @return false if the matrix is singular */
bool haw_band_step(haw_band_pass *x);

#endif
