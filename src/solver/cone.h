/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projection onto K = { x_N >= 0, |x_T| <= mu x_N }. Between the cone and its polar the foot lies
 * on the edge: p_N = (x_N + mu t) / (1 + mu^2), p_T = mu p_N x_T / t with t = |x_T|. Written with
 * 1/mu for mu > 1 so that no mu overflows.
 */
#ifndef HAWSER_SOLVER_CONE_H
#define HAWSER_SOLVER_CONE_H

#include <math.h>

/* Foot (p_N, p_t) of a point (xn, t >= 0) outside both the cone and its polar. */
static inline void haw_cone_edge(double mu, double xn, double t, double foot[2])
{
    if (mu <= 1.0) {
        foot[0] = (xn + mu * t) / (1.0 + mu * mu);
        foot[1] = mu * foot[0];
        return;
    }
    const double nu = 1.0 / mu;

    foot[1] = (nu * xn + t) / (1.0 + nu * nu);
    foot[0] = nu * foot[1];
}

static inline void haw_cone_project_2d(double mu, const double x[2], double p[2])
{
    const double t = fabs(x[1]);

    if (x[0] >= 0.0 && t <= mu * x[0]) {
        p[0] = x[0];
        p[1] = x[1];
    } else if (mu * t <= -x[0]) {
        p[0] = 0.0;
        p[1] = 0.0;
    } else {
        haw_cone_edge(mu, x[0], t, p);
        p[1] = copysign(p[1], x[1]);
    }
}

static inline void haw_cone_project_3d(double mu, const double x[3], double p[3])
{
    const double t = sqrt(x[1] * x[1] + x[2] * x[2]);

    if (x[0] >= 0.0 && t <= mu * x[0]) {
        p[0] = x[0];
        p[1] = x[1];
        p[2] = x[2];
    } else if (mu * t <= -x[0]) {
        p[0] = 0.0;
        p[1] = 0.0;
        p[2] = 0.0;
    } else {
        double foot[2];

        haw_cone_edge(mu, x[0], t, foot);
        const double scale = t > 0.0 ? foot[1] / t : 0.0;

        p[0] = foot[0];
        p[1] = scale * x[1];
        p[2] = scale * x[2];
    }
}

#endif
