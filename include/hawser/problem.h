/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frictional contact problem, free of mechanics:
 *
 *     u = W r + q,   u^ = u + mu |u_T| n,   K* contains u^  perpendicular to  r in K,
 *     K = { r_N >= 0, |r_T| <= mu r_N }
 *
 * (Acary, Brogliato: Numerical Methods for Nonsmooth Dynamical Systems, 2008, ch. 13.)
 * Rows are interleaved per contact, normal first: (N, T) in the plane, (N, T1, T2) in space.
 */
#ifndef HAWSER_PROBLEM_H
#define HAWSER_PROBLEM_H

#include <hawser/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Block compressed sparse rows; blocks row-major, columns ascending, every diagonal present. */
typedef struct haw_bsr {
    int block;     /* rows of a block, d */
    int rows;      /* block rows, n */
    int *start;    /* [n + 1] */
    int *column;   /* [start[n]] */
    int *diagonal; /* [n] position of the diagonal block */
    double *value; /* [start[n] * d * d] */
} haw_bsr;

typedef struct haw_problem {
    int dimension; /* d = 2 or 3 */
    int contacts;  /* n */
    haw_bsr w;     /* Delassus operator [velocity / impulse] */
    double *q;     /* [n * d] velocity without contact impulses, restitution included */
    double *mu;    /* [n] */
    double scale;  /* largest contact-point speed, 0 if unknown; see haw_problem_residual */
} haw_problem;

/* Every measure of error, from one formula each, whatever the solver. */
typedef struct haw_residual {
    double natural;         /* unit-consistent natural map over v_ref; the only stopping test */
    double relative;        /* |r - P_K(r - u^)| / max(|q|, |r|, |u|), for comparison only */
    double cone;            /* largest violation of K by r [impulse] */
    double complementarity; /* largest |r . u^| of a contact [energy] */
    double normal_min;      /* smallest u_N, at most 0 [velocity] */
} haw_residual;

/**
 * The referee. With w_c = trace(W_cc)/d and v_ref = max(max_c |q_c|, scale):
 *
 *     natural = max_c | w_c ( r_c - P_K( r_c - u^_c / w_c ) ) | / v_ref
 *
 * v_ref = 0 means that r = 0 is the answer: natural is then 0 if r = 0 and infinite otherwise.
 * Not-a-number anywhere gives natural = infinity.
 *
 * @param r  [n d] impulses
 * @param u  [n d] out: W r + q
 */
HAW_API void haw_problem_residual(const haw_problem *problem, const double *r, double *u,
                                  haw_residual *residual);

/** max(max_c |q_c|, scale), the velocity that residual_natural is measured in. */
HAW_API double haw_problem_reference(const haw_problem *problem);

/** Euclidean projection of x [d] onto the Coulomb cone of mu. */
HAW_API void haw_cone_project(int dimension, double mu, const double *x, double *p);

/** Refuse what no solver can take: NaN, mu < 0, non-positive diagonal, columns out of order. */
HAW_API HAW_NODISCARD haw_status haw_problem_check(haw_context *context,
                                                   const haw_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
