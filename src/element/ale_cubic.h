/* SPDX-License-Identifier: BSD-3-Clause */
/* What forces and tangent of the cubic contact element share; see ale_cubic.c. */
#ifndef HAWSER_ELEMENT_ALE_CUBIC_H
#define HAWSER_ELEMENT_ALE_CUBIC_H

#include "element/ale_kernel.h"
#include "element/ancf_kernel.h"
#include "element/bezier_kernel.h"

enum { ALE_FREE = 8, ALE_CUBIC_DOFS = 10, ALE_POINTS = ANCF_AXIAL_MAX };

/* The rule of strain and curvature. */
static const haw_ancf_point *const ale_rule = ancf_rules[0].stretch;

/* The cubic: r' = sum h_i z_i, r'' = sum k_i z_i / L of z = (c, r1', r2'), c = (r2 - r1) / L. */
typedef struct ale_cubic {
    double le, inverse; /* L, 1 / L */
    double z[3][2];
    double end[2][4]; /* (r', r'') of both ends */
    double third[2];  /* r''' */
} ale_cubic;

static inline void ale_seconds(double z[3][2], double inverse, double first[2], double last[2])
{
    for (int i = 0; i < 2; i++) {
        first[i] = (6.0 * z[0][i] - 4.0 * z[1][i] - 2.0 * z[2][i]) * inverse;
        last[i] = (-6.0 * z[0][i] + 2.0 * z[1][i] + 4.0 * z[2][i]) * inverse;
    }
}

static inline ale_cubic ale_cubic_of(const double *q)
{
    ale_cubic at = {.le = q[9] - q[8], .inverse = 1.0 / (q[9] - q[8])};
    ancf_gather(q, at.inverse, at.z);
    ale_seconds(at.z, at.inverse, at.end[0] + 2, at.end[1] + 2);
    for (int i = 0; i < 2; i++) {
        at.end[0][i] = q[2 + i];
        at.end[1][i] = q[6 + i];
        at.third[i] = (at.end[1][2 + i] - at.end[0][2 + i]) * at.inverse;
    }
    return at;
}

/* V: material velocities of the ends' points and slopes. */
static inline void ale_flow(const ale_cubic *at, const double *u, double v[ALE_FREE])
{
    for (int i = 0; i < 4; i++) {
        v[i] = u[i] - u[8] * at->end[0][i];
        v[4 + i] = u[4 + i] - u[9] * at->end[1][i];
    }
}

/* Integrals of rho N_i N_j ds. */
static inline void ale_gram(double density, double le, double m[4][4])
{
    const double third = le / 3.0, unit = density * le / 420.0;
    const double scale[4] = {unit, unit * third, unit, unit * third},
                 other[4] = {1, third, 1, third};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            m[i][j] = scale[i] * other[j] * cubic_gram_matrix[i][j];
        }
    }
}

/* The row of haw_ale_ops, in ale_cubic_tangent.c. */
void haw_ale_cubic_tangent(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u, const double factor[2], double *k);

#endif
