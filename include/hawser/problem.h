/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frictional contact problem, free of mechanics:
 *
 *     u = W r + q,   u^ = u + mu |u_T| n,   K* contains u^  perpendicular to  r in K,
 *     K = { r_N >= 0, |r_T| <= mu r_N }
 *
 * in its local form (W, q), or in its global form, where sparse matrices stand for W and q:
 *
 *     M v = f + H r + G l,   G^T v + b = 0,   u = H^T v + w.
 *
 * (Acary, Brogliato: Numerical Methods for Nonsmooth Dynamical Systems, 2008, ch. 13.)
 * Rows are interleaved per contact, normal first: (N, T) in the plane, (N, T1, T2) in space.
 */
#ifndef HAWSER_PROBLEM_H
#define HAWSER_PROBLEM_H

#include <hawser/sparse.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The global form: nv velocities v, p bilateral impulses l (p may be 0). */
typedef struct haw_global {
    haw_csr m;  /* [nv x nv] effective mass matrix M, both triangles */
    haw_csr ht; /* [n d x nv] H^T: one row per contact velocity */
    haw_csr gt; /* [p x nv] G^T: one row per bilateral constraint */
    double *f;  /* [nv] impulse of all other forces [M v] */
    double *w;  /* [n d] prescribed part of the contact velocity */
    double *b;  /* [p] */
} haw_global;

typedef struct haw_problem {
    int dimension;      /* d = 2 or 3 */
    int contacts;       /* n */
    haw_bsr w;          /* local form: Delassus operator [velocity / impulse], else empty */
    double *q;          /* local form: [n * d] velocity without contact impulses, else NULL */
    double *mu;         /* [n] */
    double scale;       /* largest contact-point speed, 0 if unknown; see haw_problem_residual */
    haw_global *global; /* global form, else NULL */
} haw_problem;

/* Sizes of a problem to create; the counts of a form that is not asked for stay 0. */
typedef struct haw_problem_size {
    int dimension, contacts;
    int blocks;                    /* local: stored d x d blocks of W */
    int velocities;                /* global: nv > 0 asks for the global form */
    int bilateral;                 /* global: p */
    int m_count, h_count, g_count; /* global: stored entries of M, H, G */
} haw_problem_size;

/**
 * A problem with zeroed arrays of these sizes (start[] included), freed by haw_problem_free.
 * @return ERR_NOMEM; ERR_ARG: a negative size, or more rows or numbers in W than INT_MAX
 */
HAW_API HAW_NODISCARD haw_status haw_problem_create(haw_context *context,
                                                    const haw_problem_size *size,
                                                    haw_problem **problem);
HAW_API void haw_problem_free(haw_context *context, haw_problem *problem);

/**
 * The local form of a global problem: W = H^T M^-1 H (with the bilateral rows eliminated), dense.
 * Meant for comparisons and small problems; memory grows with the square of the contacts.
 *
 * @return ERR_SINGULAR: the velocities are not determined by the impulses
 */
HAW_API HAW_NODISCARD haw_status haw_problem_reduce(haw_context *context,
                                                    const haw_problem *problem,
                                                    haw_problem **local);

/* Every measure of error, from one formula each, whatever the solver. */
typedef struct haw_residual {
    double natural;         /* unit-consistent natural map over v_ref */
    double stop;            /* what a tolerance is held against: `natural`, or a tenth of the
                               largest approach velocity over v_ref where that is more (mu > 10) */
    double relative;        /* |r - P_K(r - u^)| / max(|q|, |r|, |u|), for comparison only */
    double cone;            /* largest violation of K by r [impulse] */
    double complementarity; /* largest |r . u^| of a contact [energy] */
    double bipotential;     /* De Saxce's gap sum_c mu r_N |u_T| + r . u, of the admissible parts */
    double normal_min;      /* smallest u_N, at most 0 [velocity] */
} haw_residual;

/**
 * The referee. With w_c = trace(W_cc)/d and v_ref = max(max_c |q_c|, scale):
 *
 *     natural = max_c | w_c ( r_c - P_K( r_c - u^_c / w_c ) ) | / v_ref
 *
 * v_ref = 0 means that r = 0 is the answer: natural is then 0 if r = 0 and infinite otherwise.
 * Not-a-number anywhere gives natural = infinity. De Saxce's gap is taken with P_K(r) and with
 * max(u_N, 0): it is never negative, and zero with `cone` and `normal_min` at a solution only.
 *
 * @param r  [n d] impulses
 * @param u  [n d] out: W r + q
 * @return ERR_NOMEM, or ERR_SINGULAR: the velocities of a global form are not determined
 */
HAW_API HAW_NODISCARD haw_status haw_problem_residual(haw_context *context,
                                                      const haw_problem *problem, const double *r,
                                                      double *u, haw_residual *residual);

/** Euclidean projection of x [d] onto the Coulomb cone of mu. */
HAW_API void haw_cone_project(int dimension, double mu, const double *x, double *p);

/** Refuse what no solver can take: NaN, mu < 0, non-positive diagonal, columns out of order, more
 * rows or numbers in W than INT_MAX. */
HAW_API HAW_NODISCARD haw_status haw_problem_check(haw_context *context,
                                                   const haw_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
