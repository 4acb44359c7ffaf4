/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strain and curvature at a place of a planar rope, and what they carry, over x = r' and y = r'',
 * primes d/ds at the unstrained arc length s:
 *
 *     eps = |x| - 1,                    grad eps = t = x / |x|,   Hess eps = (1 - t t') / |x|,
 *     kappa = (x cross y) / |x|^3,      kappa_x = (E y - 3 kappa |x| x) / |x|^3,
 *                                       kappa_y = -E x / |x|^3,   E = [0 1; -1 0],
 *
 * and, twice differentiated, kappa_yy = 0 and
 *
 *     kappa_xx = -3 [kappa_x t' + t kappa_x' + (kappa / |x|) (1 + t t')] / |x|,
 *     kappa_yx = -E / |x|^3 - 3 kappa_y t' / |x|.
 *
 * They do not change with a rotation, so x and y may be components in any frame. The virtual work
 * per length is N d(eps) + M d(kappa) = n.dx + m.dy with n = N t + M kappa_x, m = M kappa_y.
 */
#ifndef HAWSER_ELEMENT_ALE_KERNEL_H
#define HAWSER_ELEMENT_ALE_KERNEL_H

#include "element/ale.h"

#include <math.h>
#include <stdbool.h>

typedef struct ale_measure {
    double strain, curvature;
    double inverse; /* 1 / |x| */
    double t[2];    /* gradient of eps to x */
    double kx[2], ky[2];
} ale_measure;

/* Conjugates of x and y: per unstrained length [N], [N m]. */
typedef struct ale_stress {
    double n[2], m[2];
} ale_stress;

static inline void ale_stretch(const double x[2], ale_measure *at)
{
    const double size = sqrt(x[0] * x[0] + x[1] * x[1]);
    at->inverse = 1.0 / size;
    at->strain = size - 1.0;
    at->t[0] = x[0] * at->inverse;
    at->t[1] = x[1] * at->inverse;
}

/** After ale_stretch. */
static inline void ale_bend(const double x[2], const double y[2], ale_measure *at)
{
    const double inverse = at->inverse, cube = inverse * inverse * inverse;
    at->curvature = (x[0] * y[1] - x[1] * y[0]) * cube;
    const double triple = 3.0 * at->curvature * inverse;
    at->kx[0] = y[1] * cube - triple * at->t[0];
    at->kx[1] = -y[0] * cube - triple * at->t[1];
    at->ky[0] = -x[1] * cube;
    at->ky[1] = x[0] * cube;
}

/** d(eps)/dt with x' = dx. */
static inline double ale_strain_rate(const ale_measure *at, const double dx[2])
{
    return at->t[0] * dx[0] + at->t[1] * dx[1];
}

static inline double ale_curvature_rate(const ale_measure *at, const double dx[2],
                                        const double dy[2])
{
    return at->kx[0] * dx[0] + at->kx[1] * dx[1] + at->ky[0] * dy[0] + at->ky[1] * dy[1];
}

static inline bool ale_bends(const haw_ale_section *section)
{
    return section->bending > 0.0 || section->damping_curvature > 0.0;
}

static inline bool ale_damps(const haw_ale_section *section)
{
    return section->damping_strain > 0.0 || section->damping_curvature > 0.0;
}

/** Stress of a tension and, with bends, of a moment. */
static inline ale_stress ale_stress_of(const ale_measure *at, double tension, double moment,
                                       bool bends)
{
    ale_stress stress = {{tension * at->t[0], tension * at->t[1]}, {0.0, 0.0}};
    if (bends) {
        for (int i = 0; i < 2; i++) {
            stress.n[i] += moment * at->kx[i];
            stress.m[i] = moment * at->ky[i];
        }
    }
    return stress;
}

/* Derivatives of the whole stress (n, m), damping included, over a factor: to (x, y), with those to
 * their rates times `rate`, and those to the rates alone. */
typedef struct ale_modulus {
    double s[4][4], d[4][4];
    ale_stress stress; /* the stress itself */
} ale_modulus;

/* x, y and their rates. */
typedef struct ale_slopes {
    double x[2], y[2], dx[2], dy[2];
} ale_slopes;

/** The modulus at a place. @param rate  factor of the derivatives to the rates in `s` */
void haw_ale_modulus(const haw_ale_section *section, const ale_slopes *at, double rate,
                     ale_modulus *modulus);

/** Axial state of x, y; dx NULL: without damping. */
void haw_ale_axial_of(const haw_ale_section *section, const double x[2], const double y[2],
                      const double *dx, haw_ale_axial *axial);

#endif
