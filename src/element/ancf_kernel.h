/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One planar ANCF cable element (Gerstmayr, Irschik 2008): a cubic with the positions and slopes
 * r' = dr/dx of its two nodes, x the reference arc length. With the chord c = (r1 - r0) / Le and
 * the slopes a = r0', b = r1', at s = x / Le,
 *
 *     r'     = 6 s (1 - s) c + (1 - s) (1 - 3 s) a + s (3 s - 2) b,
 *     Le r'' = 6 (1 - 2 s) c + (6 s - 4) a + (6 s - 2) b,
 *
 * the strain is eps = |r'| - 1 and the material curvature K = (r' x r'') / |r'|^2 = kappa / Le.
 * The work is that of N = EA (eps - eps0) + dEA d(eps)/dt and M = EI (K - K0) + dEI dK/dt, each
 * with its own rule.
 */
#ifndef HAWSER_ELEMENT_ANCF_KERNEL_H
#define HAWSER_ELEMENT_ANCF_KERNEL_H

#include "element/element.h"

#include <math.h>

enum { ANCF_AXIAL_MAX = 5, ANCF_BENDING_MAX = 3 };

/* A point of a rule on [0, 1]: weight, and r' and Le r'' in c, a, b. */
typedef struct haw_ancf_point {
    double s, weight;
    int node; /* 1 or 2: at the node where r' is a or b, 0: elsewhere */
    double slope[3], bend[3];
} haw_ancf_point;

typedef struct haw_ancf_rule {
    int axial, bending; /* points */
    haw_ancf_point stretch[ANCF_AXIAL_MAX], turn[ANCF_BENDING_MAX];
} haw_ancf_rule;

/* The point s = (1 + x) / 2 of a rule on [-1, 1] with weight w there. */
#define ANCF_S(x)        (0.5 + 0.5 * (x))
#define ANCF_POINT(x, w) ANCF_AT(x, w, 0)
#define ANCF_AT(x, w, node)                                                                        \
    {                                                                                              \
        ANCF_S(x), 0.5 * (w), node,                                                                \
            {6.0 * ANCF_S(x) * (1.0 - ANCF_S(x)), (1.0 - ANCF_S(x)) * (1.0 - 3.0 * ANCF_S(x)),     \
             ANCF_S(x) * (3.0 * ANCF_S(x) - 2.0)},                                                 \
        {                                                                                          \
            6.0 * (1.0 - 2.0 * ANCF_S(x)), 6.0 * ANCF_S(x) - 4.0, 6.0 * ANCF_S(x) - 2.0            \
        }                                                                                          \
    }

#define ANCF_GAUSS_2                                                                               \
    {                                                                                              \
        ANCF_POINT(-0.57735026918962576451, 1.0), ANCF_POINT(0.57735026918962576451, 1.0)          \
    }

/* Rules of line.scheme: a, b, c. */
static const haw_ancf_rule ancf_rules[3] = {
    {5,
     3,
     {ANCF_POINT(-0.90617984593866399280, 0.23692688505618908751),
      ANCF_POINT(-0.53846931010568309104, 0.47862867049936646804),
      ANCF_POINT(0.0, 0.56888888888888888889),
      ANCF_POINT(0.53846931010568309104, 0.47862867049936646804),
      ANCF_POINT(0.90617984593866399280, 0.23692688505618908751)},
     {ANCF_POINT(-0.77459666924148337704, 5.0 / 9.0), ANCF_POINT(0.0, 8.0 / 9.0),
      ANCF_POINT(0.77459666924148337704, 5.0 / 9.0)}},
    {4,
     2,
     {ANCF_POINT(-0.86113631159405257522, 0.34785484513745385737),
      ANCF_POINT(-0.33998104358485626480, 0.65214515486254614263),
      ANCF_POINT(0.33998104358485626480, 0.65214515486254614263),
      ANCF_POINT(0.86113631159405257522, 0.34785484513745385737)},
     ANCF_GAUSS_2},
    {3,
     2,
     {ANCF_AT(-1.0, 1.0 / 3.0, 1), ANCF_POINT(0.0, 4.0 / 3.0), ANCF_AT(1.0, 1.0 / 3.0, 2)},
     ANCF_GAUSS_2},
};

static const double ancf_straight[HAW_NATURAL_MAX] = {0.0};

/** Strains and curvatures of the stress-free shape, on top of strain0 and curvature0. */
static inline const double *ancf_natural(const haw_line *line, int e)
{
    return line->natural != NULL ? line->natural + HAW_NATURAL_MAX * e : ancf_straight;
}

/** Chord and slopes c, a, b of the element whose first coordinate is q[0]; of rates as well. */
static inline void ancf_gather(const double *q, double inverse_le, double z[3][2])
{
    for (int i = 0; i < 2; i++) {
        z[0][i] = (q[4 + i] - q[i]) * inverse_le;
        z[1][i] = q[2 + i];
        z[2][i] = q[6 + i];
    }
}

static inline void ancf_combine(const double h[3], double z[3][2], double x[2])
{
    x[0] = h[0] * z[0][0] + h[1] * z[1][0] + h[2] * z[2][0];
    x[1] = h[0] * z[0][1] + h[1] * z[1][1] + h[2] * z[2][1];
}

/**
 * Tension of a point, elastic and damping part [N]. A slack cable has neither below its reference
 * strain, and its damping never makes it push.
 *
 * @param strain  eps - eps0
 * @return        whether the tension follows strain and rate, for the tangent
 */
static inline bool ancf_tension(const haw_line *line, double strain, double rate, double *elastic,
                                double *damping)
{
    *elastic = line->stiffness * strain;
    *damping = line->damping_strain * rate;
    if (line->slack && *elastic < 0.0) {
        *elastic = *damping = 0.0;
        return false;
    }
    if (line->slack && *elastic + *damping < 0.0) {
        *damping = -*elastic;
        return false;
    }
    return true;
}

/* kappa = (r' x Le r'') / |r'|^2 and its gradient to r' and to Le r''. */
typedef struct haw_ancf_curve {
    double kappa, inverse; /* 1 / |r'|^2 */
    double x[2], y[2];
} haw_ancf_curve;

static inline haw_ancf_curve ancf_curve(const double x[2], const double y[2])
{
    const double inverse = 1.0 / (x[0] * x[0] + x[1] * x[1]);
    const double kappa = (x[0] * y[1] - x[1] * y[0]) * inverse;
    return (haw_ancf_curve){
        .kappa = kappa,
        .inverse = inverse,
        .x = {(y[1] - 2.0 * kappa * x[0]) * inverse, (-y[0] - 2.0 * kappa * x[1]) * inverse},
        .y = {-x[1] * inverse, x[0] * inverse},
    };
}

#endif
