/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths of a yarn on a surface of revolution r(z), with alpha the angle from the meridian and
 * q = sqrt(1 + r'^2):
 *     dz/ds = cos(alpha) / q,  dphi/ds = sin(alpha) / r,
 *     dalpha/ds = k_g - sin(alpha) r' / (r q),
 *     k_n = sin^2(alpha) / (r q) - r'' cos^2(alpha) / q^3.
 * k_g = slip k_n: a geodesic for slip 0; friction holds it where |slip| <= mu and k_n > 0.
 */
#ifndef HAWSER_THEORY_REVOLUTION_PATH_H
#define HAWSER_THEORY_REVOLUTION_PATH_H

#include "base/status.h"

/** Write r(z) [m], r' and r'' [1/m] of the surface on which the path lies. */
typedef void (*haw_profile_function)(const void *data, double z, double r[3]);

typedef struct haw_path {
    haw_profile_function profile;
    const void *data;
    double slip;     /* k_g / k_n */
    double start[3]; /* z [m], phi and alpha [rad] at s = 0 */
} haw_path;

typedef struct haw_path_point {
    double s, z;       /* [m] */
    double phi, alpha; /* [rad] */
    double bend;       /* normal curvature k_n, < 0 where the yarn would bridge [1/m] */
} haw_path_point;

/**
 * Integrate along the path (gsl_odeiv2, rk8pd) from s = 0 through the given arc lengths.
 *
 * @param path   a radius that is not positive ends the path
 * @param count  number of points
 * @param point  in: s, ascending, the first >= 0; out: the rest
 * @return       ERR_ARG where the path runs off the surface (r <= 0) or the integrator stalls;
 *               ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_path_follow(haw_context *context, const haw_path *path, int count,
                                         haw_path_point *point);

#endif
