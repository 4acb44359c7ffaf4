/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-node beam on SE(3) (V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268
 * (2014) 451-474): between the nodes A and B runs the helix H_A exp(s d), d = (u, w) =
 * log(H_A^-1 H_B), with one strain d / L. With v the velocities, W the body-frame angular
 * velocities, R = R_A, and A, B the blocks of T(d)^-1, the rate of d is
 *
 *     du/dt = A^T R^T (v_B - v_A) + B W_B - B^T W_A,    dw/dt = A W_B - A^T W_A.
 */
#ifndef HAWSER_ELEMENT_SE3_BEAM_H
#define HAWSER_ELEMENT_SE3_BEAM_H

#include "base/lie.h"
#include "element/space.h"

enum { SE3_NODE_COORDINATES = 7, SE3_NODE_DOFS = 6 };

/** Configuration of element e: the logarithm between its nodes, and B. */
static inline void se3_element(const double *q, int e, se3_log *log, double b[9])
{
    const double *node = q + SE3_NODE_COORDINATES * e;
    se3_between(node, node + SE3_NODE_COORDINATES, log);
    se3_coupling(log, b);
}

/** Strains of the element's logarithm, of the straight reference. */
static inline void se3_strain(const haw_beam *beam, const se3_log *log, double strain[HAW_STRAINS])
{
    const double inverse_le = 1.0 / beam->le;
    for (int i = 0; i < HAW_STRAINS; i++) {
        strain[i] = log->d[i] * inverse_le;
    }
    strain[0] -= 1.0;
}

/** Elastic stress of element e. */
static inline void se3_stress(const haw_beam *beam, int e, const se3_log *log,
                              double stress[HAW_STRAINS])
{
    se3_strain(beam, log, stress);
    for (int i = 0; i < HAW_STRAINS; i++) {
        const double natural = beam->natural != NULL ? beam->natural[HAW_STRAINS * e + i] : 0.0;
        stress[i] = beam->stiffness[i] * (stress[i] - natural);
    }
}

/** Viscous stress for the velocities u [12] of the element. */
static inline void se3_viscous(const haw_beam *beam, const se3_log *log, const double b[9],
                               const double *u, double stress[HAW_STRAINS])
{
    const double *wa = u + 3, *wb = u + SE3_NODE_DOFS + 3;
    const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]};
    double z[3], rate[4][3];
    mat3_apply_t(log->r, v, z);
    mat3_apply_t(log->a, z, stress);
    mat3_apply(b, wb, rate[0]);
    mat3_apply_t(b, wa, rate[1]);
    mat3_apply(log->a, wb, rate[2]);
    mat3_apply_t(log->a, wa, rate[3]);
    for (int i = 0; i < 3; i++) {
        stress[i] += rate[0][i] - rate[1][i];
        stress[3 + i] = rate[2][i] - rate[3][i];
    }
    for (int i = 0; i < HAW_STRAINS; i++) {
        stress[i] *= beam->damping[i] / beam->le;
    }
}

static inline bool se3_is_damped(const haw_beam *beam)
{
    double sum = 0.0;
    for (int i = 0; i < HAW_STRAINS; i++) {
        sum += beam->damping[i];
    }
    return sum > 0.0;
}

/* Rows of haw_space_ops, in se3_beam_tangent.c and se3_beam_point.c. */
void haw_se3_tangent(const haw_beam *beam, int e, const double *q, const double *u, double rate,
                     double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);
void haw_se3_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                   haw_space_point *point);

#endif
