/* SPDX-License-Identifier: BSD-3-Clause */
/* From the half plane of the meridian (r, z) to a foot in space. */
#ifndef HAWSER_SHAPE_FOOT_H
#define HAWSER_SHAPE_FOOT_H

#include "shape/surface.h"

#include <math.h>

/* Foot of a point on the meridian, in the half plane through that point. */
typedef struct haw_half_foot {
    double gap;       /* signed distance s [m] */
    double normal[2]; /* outward unit (n_r, n_z) */
    double bend;      /* kappa / (1 + kappa s) with the curvature kappa of the meridian, > 0 convex
                         [1/m] */
} haw_half_foot;

/**
 * n = n_r e_r + n_z e_z, t1 = e_phi and the bend n_r / rho along it, rho the distance of x from
 * the axis. A point on the axis takes e_r = e_x.
 */
static inline void haw_foot_revolve(const double x[3], const haw_half_foot *half, haw_foot *foot)
{
    const double rho = hypot(x[0], x[1]);
    const double c = rho > 0.0 ? x[0] / rho : 1.0, s = rho > 0.0 ? x[1] / rho : 0.0;

    *foot = (haw_foot){
        .gap = half->gap,
        .normal = {half->normal[0] * c, half->normal[0] * s, half->normal[1]},
        .tangent = {-s, c, 0.0},
        .bend = {rho > 0.0 ? half->normal[0] / rho : 0.0, half->bend},
    };
}

#endif
