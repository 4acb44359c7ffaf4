/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projection onto K = { x_N >= 0, |x_T| <= mu x_N }. Between the cone and its polar the foot lies
 * on the edge: p_N = (x_N + mu t) / (1 + mu^2), p_T = mu p_N x_T / t with t = |x_T|. Written with
 * 1/mu for mu > 1 so that no mu overflows.
 */
#ifndef HAWSER_SOLVER_CONE_H
#define HAWSER_SOLVER_CONE_H

#include <math.h>
#include <stdbool.h>

/** |x_T| of the d rows of a contact. */
static inline double haw_tangent_norm(int d, const double *x)
{
    double t = fabs(x[1]);

    for (int i = 2; i < d; i++) {
        t = sqrt(t * t + x[i] * x[i]);
    }
    return t;
}

/** p_T = x_T with the length `size` in place of t = |x_T|. */
static inline void haw_tangent_resize(int d, const double *x, double t, double size, double *p)
{
    if (d == 2) {
        p[1] = copysign(size, x[1]);
        return;
    }
    const double scale = t > 0.0 ? size / t : 0.0;

    for (int i = 1; i < d; i++) {
        p[i] = scale * x[i];
    }
}

/** p = P_K(x) of the d rows of a contact; p may be x. */
static inline void haw_cone_foot(int d, double mu, const double *x, double *p)
{
    const double t = haw_tangent_norm(d, x);
    const bool inside = x[0] >= 0.0 && t <= mu * x[0];

    if (inside || mu * t <= -x[0]) {
        for (int i = 0; i < d; i++) {
            p[i] = inside ? x[i] : 0.0;
        }
        return;
    }
    double normal, tangential;

    if (mu <= 1.0) {
        normal = (x[0] + mu * t) / (1.0 + mu * mu);
        tangential = mu * normal;
    } else {
        const double nu = 1.0 / mu;

        tangential = (nu * x[0] + t) / (1.0 + nu * nu);
        normal = nu * tangential;
    }
    p[0] = normal;
    haw_tangent_resize(d, x, t, tangential, p);
}

#endif
