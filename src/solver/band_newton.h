/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A contact problem in its global form whose matrix is a bordered band,
 *
 *     A v = f + H r,   u = H^T v + w,   K* contains u^  perpendicular to  r in K,
 *
 * by the semismooth Newton method of the row `newton` with the contacts eliminated point by point,
 * so that a step costs one factorization of the band. It is the fast way of the implicit steppers;
 * what it does not solve goes to haw_solve: contacts that couple equations outside of the matrix's
 * pattern, a singular A, and what misses the tolerance.
 */
#ifndef HAWSER_SOLVER_BAND_NEWTON_H
#define HAWSER_SOLVER_BAND_NEWTON_H

#include "base/arena.h"
#include "linalg/matrix.h"

#include <hawser/problem.h>

typedef struct haw_band_problem {
    haw_matrix *matrix; /* its entries times `scale` are A; factorized by the caller or not */
    double scale;
    bool is_factored;  /* the factors at hand are those of the entries */
    int dimension;     /* d = 2 or 3 */
    int contacts;      /* n */
    const haw_csr *ht; /* [n d x equations] H^T */
    const double *f;   /* [equations]; NULL: 0, and w the velocities without contact impulses */
    const double *w;   /* [n d] */
    double *mu;        /* [n] */
    const double *compliance; /* [n d] of springs behind the contacts: u += c r; NULL: rigid */
    double *weight;  /* [n] trace(W_cc) / d; entries that are 0 are computed and kept there; where
                        A is indefinite and a trace negative: the mean of the others */
    double speed;    /* `scale` of haw_problem: part of the reference velocity */
    bool is_kept;    /* one step by the factors of the last one, of a matrix nearby and without a
                        border; entries are not read, and weights are known */
    bool is_judged;  /* `speed` is the reference, by which the result is judged later */
    bool is_near;    /* with v = 0 the impulses obey the laws but for little: of a pass that another
                        one has led to. `speed` is the reference then */
    bool is_resting; /* of an equilibrium: `speed` is the reference, and A, which contact alone may
                        make regular, is not factorized without it; weights are given */
    bool walks;      /* where the first step fails, through the inside of the cones: contacts may
                        outnumber what they act on */
    bool is_inward;  /* at once: the problem before needed it */
    bool is_brief;   /* no way past folds of that path, or a short one: others take less time */
    bool is_last; /* that way, past folds, where nothing else meets the tolerance. In a motion: the
                     general solvers take longer; of equilibria only where the pass before missed
                     it, too, since most passes that do are mended by the next */
    double tolerance; /* on haw_referee_stop, judged with `weight` */
    double enough;    /* the same after some steps, which others may follow; 0: no other one */
    int round;    /* steps with one augmentation parameter before the next is tried and alpha begins
                     anew; 0: 40 */
    double *free; /* [n d] out: H^T A^-1 f + w, velocities without contact impulses; or NULL:
                     spares a factorization where the first step meets the tolerance */
} haw_band_problem;

typedef struct haw_band_result {
    bool met;         /* the tolerance; else r and v are the last iterate */
    bool has_walked;  /* through the inside of the cones to what is met */
    bool fits;        /* the contacts couple nothing outside of the matrix's pattern */
    double residual;  /* haw_referee_stop over the reference velocity */
    double reference; /* max(max |q_c|, speed) [velocity]; its lower bound `speed` where the first
                         step met the tolerance and nothing asked for the q_c */
    int iterations;   /* Newton steps */
    int factorizations;
} haw_band_result;

/**
 * @param r     [n d] in: warm start, whose regimes (open, stick, slip) the first step takes; out
 * @param v     [equations] out: A^-1 (f + H r)
 * @param u     [n d] out: H^T v + w
 * @return      ERR_NOMEM. The entries of the matrix are as before, its factors are not
 */
HAW_NODISCARD haw_status haw_band_newton(const haw_band_problem *problem, haw_arena *arena,
                                         double *r, double *v, double *u, haw_band_result *result);

#endif
