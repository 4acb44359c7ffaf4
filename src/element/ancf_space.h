/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ANCF cable element in space (J. Gerstmayr, H. Irschik, J. Sound Vib. 318 (2008)) with chord,
 * slopes and rules of ancf_kernel.h. The curvature is a vector, k = (r' x Le r'') / |r'|^2 = Le K.
 * Without a material frame only its length is known to the cable: the work is that of
 *
 *     M = (EI - EI K0 / K) K + dEI (K . dK/dt) K / K^2
 *
 * for each section turned about its axis as it likes best. Torsion has no work. The quadrature is
 * that of scheme c: with more points a stiff axis locks the bending, and the order falls to two.
 */
#ifndef HAWSER_ELEMENT_ANCF_SPACE_H
#define HAWSER_ELEMENT_ANCF_SPACE_H

#include "base/lie.h"
#include "element/ancf_kernel.h"
#include "element/space.h"

enum { ANCF_SPACE_STRIDE = 6 };

/* K^2 that is added in divisions by K^2, over Le^2: a cable this straight has neither a reference
 * curvature nor a drag of bending. */
static const double ancf_space_straight = 1e-8;

static const haw_ancf_rule *const ancf_space_rule = &ancf_rules[2];

/** Chord and slopes c, a, b of the element whose first coordinate is q[0]; of rates as well. */
static inline void ancf_space_gather(const double *q, double inverse_le, double z[3][3])
{
    for (int i = 0; i < 3; i++) {
        z[0][i] = (q[6 + i] - q[i]) * inverse_le;
        z[1][i] = q[3 + i];
        z[2][i] = q[9 + i];
    }
}

static inline void ancf_space_combine(const double h[3], double z[3][3], double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = h[0] * z[0][i] + h[1] * z[1][i] + h[2] * z[2][i];
    }
}

/** A strain of the stress-free shape: 0 the axial one, 5 the curvature. */
static inline double ancf_space_natural(const haw_beam *beam, int e, int strain)
{
    return beam->natural != NULL ? beam->natural[HAW_STRAINS * e + strain] : 0.0;
}

/* Stretch of a point: r', its rate, unit tangent, N elastic and viscous. */
typedef struct ancf_space_stretch {
    double rate[3], t[3], size, along; /* along: d|r'|/dt */
    double elastic, viscous;           /* [N] */
} ancf_space_stretch;

/** @param v  rates of z; zeros: at rest */
static inline ancf_space_stretch ancf_space_stretch_at(const haw_beam *beam, int e,
                                                       const double h[3], double z[3][3],
                                                       double v[3][3])
{
    ancf_space_stretch p;
    ancf_space_combine(h, z, p.t);
    ancf_space_combine(h, v, p.rate);
    p.size = vec3_norm(p.t);
    for (int i = 0; i < 3; i++) {
        p.t[i] /= p.size;
    }
    p.along = vec3_dot(p.t, p.rate);
    p.elastic = beam->stiffness[0] * (p.size - 1.0 - ancf_space_natural(beam, e, 0));
    p.viscous = beam->damping[0] * p.along;
    return p;
}

/* Curvature of a point: x = r', y = Le r'', k and their rates. */
typedef struct ancf_space_turn {
    double x[3], y[3], dx[3], dy[3], k[3], dk[3];
    double inverse, square;        /* 1 / |r'|^2, k.k */
    double elastic[3], viscous[3]; /* Le^2 M, by which the work is M.dk / Le */
} ancf_space_turn;

/* k = (x x y) / x.x and its rate. */
static inline void ancf_space_bend(ancf_space_turn *p)
{
    double first[3], second[3];
    p->inverse = 1.0 / vec3_dot(p->x, p->x);
    vec3_cross(p->x, p->y, p->k);
    vec3_cross(p->dx, p->y, first);
    vec3_cross(p->x, p->dy, second);
    const double growth = 2.0 * vec3_dot(p->x, p->dx) * p->inverse;
    for (int i = 0; i < 3; i++) {
        p->k[i] *= p->inverse;
        p->dk[i] = (first[i] + second[i]) * p->inverse - growth * p->k[i];
    }
    p->square = vec3_dot(p->k, p->k);
}

static inline ancf_space_turn ancf_space_turn_at(const haw_beam *beam, int e,
                                                 const haw_ancf_point *point, double z[3][3],
                                                 double v[3][3])
{
    const double natural = ancf_space_natural(beam, e, 5) * beam->le;
    ancf_space_turn p;
    ancf_space_combine(point->slope, z, p.x);
    ancf_space_combine(point->bend, z, p.y);
    ancf_space_combine(point->slope, v, p.dx);
    ancf_space_combine(point->bend, v, p.dy);
    ancf_space_bend(&p);
    const double floored = p.square + ancf_space_straight;
    const double elastic = beam->stiffness[5] * (1.0 - natural / sqrt(floored));
    const double viscous = beam->damping[5] * vec3_dot(p.k, p.dk) / floored;
    for (int i = 0; i < 3; i++) {
        p.elastic[i] = elastic * p.k[i];
        p.viscous[i] = viscous * p.k[i];
    }
    return p;
}

/** What a moment m does on dx and dy: the transposed Jacobian of k. */
static inline void ancf_space_work(const ancf_space_turn *p, const double m[3], double fx[3],
                                   double fy[3])
{
    const double along = 2.0 * vec3_dot(p->k, m);
    vec3_cross(p->y, m, fx);
    vec3_cross(m, p->x, fy);
    for (int i = 0; i < 3; i++) {
        fx[i] = (fx[i] - along * p->x[i]) * p->inverse;
        fy[i] *= p->inverse;
    }
}

/* Row of haw_space_ops, in ancf_space_tangent.c. */
void haw_ancf_space_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                            double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);

#endif
