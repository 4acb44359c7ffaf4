/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Alart-Curnier equations of one contact (newton.h) with rounded corners: for a width
 * e > 0 [velocity] the maxima in
 *
 *     g_N = (s_N - max(a, 0))/c,  g_T = (s_T - x R/max(R, |x|))/c,  R = mu max(a, 0)
 *
 * give way to max_e(x, y) = (x + y + sqrt((x - y)^2 + 4 e^2))/2 (B. Chen, P. T. Harker, SIAM J.
 * Matrix Anal. Appl. 14 (1993) 1168-1190). The equations are then smooth, every contact carries
 * some force, and their solutions lead to those of e = 0 as e falls.
 */
#ifndef HAWSER_SOLVER_SMOOTHING_H
#define HAWSER_SOLVER_SMOOTHING_H

typedef struct haw_smoothing {
    int d; /* 2 or 3 */
    double mu;
    double c; /* rho of newton.h */
    double e; /* width [velocity], 0: exact */
} haw_smoothing;

/**
 * g of one contact and, unless a is NULL, dg = a du + b ds.
 *
 * @param s, u  [d] scaled impulse w r and velocity
 * @param g     [d] out
 * @param a, b  [d d] out, row-major
 */
void haw_smoothing_residual(const haw_smoothing *smoothing, const double *s, const double *u,
                            double *g, double *a, double *b);

#endif
