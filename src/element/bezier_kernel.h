/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One planar cubic, shared by the Bezier kinds. With the chord c = p4 - p1 and the handles
 * a = p2 - p1, b = p4 - p3 the derivative to the local coordinate s in [0, 1] is
 *
 *     x'(s) = 6 s (1 - s) c + 3 (1 - s) (1 - 3 s) a + 3 s (3 s - 2) b,
 *
 * the strain eps = |x'| / Le - 1 and the elastic energy the Gauss sum of EA eps^2 Le / 2. The kinds
 * differ only in how their degrees of freedom give (x1, a, x4, b); each writes its own loop over
 * the cable around these inline kernels, so that no call is left in it.
 */
#ifndef HAWSER_ELEMENT_BEZIER_KERNEL_H
#define HAWSER_ELEMENT_BEZIER_KERNEL_H

#include "element/element.h"

#include <math.h>
#include <string.h>

/* Constants of a loop over the cable. */
typedef struct haw_cubic {
    int points;
    double chord[HAW_GAUSS_MAX], start[HAW_GAUSS_MAX], end[HAW_GAUSS_MAX]; /* of x' in c, a, b */
    double weight[HAW_GAUSS_MAX];                                          /* EA w [N] */
    double le, inverse_le;
    double floor; /* lower bound of the strain: 0 for a slack cable, else none */
} haw_cubic;

static inline haw_cubic cubic_init(const haw_line *line)
{
    haw_cubic cubic = {.points = line->rule.points,
                       .le = line->le,
                       .inverse_le = 1.0 / line->le,
                       .floor = line->slack ? 0.0 : -HUGE_VAL};
    for (int g = 0; g < cubic.points; g++) {
        const double s = line->rule.s[g];
        cubic.chord[g] = 6.0 * s * (1.0 - s);
        cubic.start[g] = 3.0 * (1.0 - s) * (1.0 - 3.0 * s);
        cubic.end[g] = 3.0 * s * (3.0 * s - 2.0);
        cubic.weight[g] = line->stiffness * line->rule.weight[g];
    }
    return cubic;
}

/** Elastic energy of one cubic [J]. */
static inline double cubic_energy(const haw_cubic *cubic, const double c[2], const double a[2],
                                  const double b[2])
{
    double sum = 0.0;
    for (int g = 0; g < cubic->points; g++) {
        const double x = cubic->chord[g] * c[0] + cubic->start[g] * a[0] + cubic->end[g] * b[0];
        const double y = cubic->chord[g] * c[1] + cubic->start[g] * a[1] + cubic->end[g] * b[1];
        const double strain = sqrt(x * x + y * y) * cubic->inverse_le - 1.0;
        /* in this order a NaN survives */
        const double eps = cubic->floor > strain ? cubic->floor : strain;
        sum += cubic->weight[g] * (eps * eps);
    }
    return 0.5 * cubic->le * sum;
}

/**
 * Gradient of the elastic energy to chord and handles [N].
 *
 * The tension vector is N t = EA (1 / Le - 1 / |x'|) x': one root and one division a Gauss point.
 */
static inline void cubic_gradient(const haw_cubic *cubic, const double c[2], const double a[2],
                                  const double b[2], double gradient[3][2])
{
    double cx = 0.0, cy = 0.0, ax = 0.0, ay = 0.0, bx = 0.0, by = 0.0;
    for (int g = 0; g < cubic->points; g++) {
        const double fc = cubic->chord[g], fa = cubic->start[g], fb = cubic->end[g];
        const double x = fc * c[0] + fa * a[0] + fb * b[0];
        const double y = fc * c[1] + fa * a[1] + fb * b[1];
        const double raw = cubic->inverse_le - 1.0 / sqrt(x * x + y * y);
        const double scale = cubic->weight[g] * (cubic->floor > raw ? cubic->floor : raw);
        const double nx = scale * x, ny = scale * y;
        cx += fc * nx;
        cy += fc * ny;
        ax += fa * nx;
        ay += fa * ny;
        bx += fb * nx;
        by += fb * ny;
    }
    gradient[0][0] = cx;
    gradient[0][1] = cy;
    gradient[1][0] = ax;
    gradient[1][1] = ay;
    gradient[2][0] = bx;
    gradient[2][1] = by;
}

/**
 * |v|^2 integrated over s for the velocities of (x1, a, x4, b) [m^2/s^2].
 *
 * The Gram matrix of the cubic Hermite functions, diagonal in 420ths 156, 36, 156, 36, splits into
 * two 2 x 2 blocks for sums and differences of the two ends.
 */
static inline double cubic_gram(const double x1[2], const double a[2], const double x4[2],
                                const double b[2])
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double even = x1[i] + x4[i], even_handle = a[i] - b[i];
        const double odd = x4[i] - x1[i], odd_handle = a[i] + b[i];
        sum += 105.0 * even * (even + even_handle) + 31.5 * even_handle * even_handle +
               51.0 * odd * odd - 27.0 * odd * odd_handle + 4.5 * odd_handle * odd_handle;
    }
    return sum * (1.0 / 420.0);
}

/* The same matrix for (x1, a, x4, b), in 420ths. */
static const double cubic_gram_matrix[4][4] = {
    {156, 66, 54, -39}, {66, 36, 39, -27}, {54, 39, 156, -66}, {-39, -27, -66, 36}};

/** Cubic Bernstein polynomials. */
static inline void cubic_bernstein(double s, double value[4])
{
    const double t = 1.0 - s;
    value[0] = t * t * t;
    value[1] = 3.0 * s * t * t;
    value[2] = 3.0 * s * s * t;
    value[3] = s * s * s;
}

/** x'(s) and x''(s) of the cubic with control points p. */
static inline void cubic_slope(double p[4][2], double s, double first[2], double second[2])
{
    const double t = 1.0 - s;
    for (int i = 0; i < 2; i++) {
        const double d1 = p[1][i] - p[0][i], d2 = p[2][i] - p[1][i], d3 = p[3][i] - p[2][i];
        first[i] = 3.0 * (t * t * d1 + 2.0 * s * t * d2 + s * s * d3);
        second[i] = 6.0 * (t * (d2 - d1) + s * (d3 - d2));
    }
}

/*
 * Answers of haw_element_ops. Axial state and length of any cubic kind, from its control points;
 * then of all kinds with Cartesian Hermite coordinates: node (x, y, x', y') with ' = d/dxi, so that
 * the handles of the cubic are a = Le/3 x1', b = Le/3 x4'.
 */
void haw_cubic_axial(const haw_line *line, int e, double s, const double *q, const double *u,
                     haw_axial *axial);
double haw_cubic_length(const haw_line *line, int e, const double *q);

enum { HAW_HERMITE_STRIDE = 4, HAW_HERMITE_DOFS = 8 };

void haw_hermite_interpolate(const haw_line *line, haw_curve curve, const void *user, double *q);
void haw_hermite_controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2]);
void haw_hermite_mass(const haw_line *line, int e, const double *q, double *m);
double haw_hermite_kinetic(const haw_line *line, const double *q, const double *u);
void haw_hermite_position(const haw_line *line, int e, double s, const double *q, double x[2],
                          double *j);
void haw_hermite_basis(const haw_line *line, double s, double value[HAW_HULL_MAX],
                       double slope[HAW_HULL_MAX]);

/** Position and Jacobian of a Cartesian kind from its four shape functions. */
static inline void cubic_position(const double shape[4], const double *qe, double x[2], double *j)
{
    x[0] = shape[0] * qe[0] + shape[1] * qe[2] + shape[2] * qe[4] + shape[3] * qe[6];
    x[1] = shape[0] * qe[1] + shape[1] * qe[3] + shape[2] * qe[5] + shape[3] * qe[7];
    for (int i = 0; i < 4 && j != NULL; i++) {
        j[2 * i] = j[8 + 2 * i + 1] = shape[i];
        j[2 * i + 1] = j[8 + 2 * i] = 0.0;
    }
}

/* Second derivative of the energy of one Gauss point to x': K = along t t' + across (I - t t'). */
static inline void cubic_modulus(const haw_line *line, double size, bool clip, double *along,
                                 double *across)
{
    const double strain = size / line->le - 1.0;
    *along = line->stiffness / line->le;
    *across = line->stiffness * strain / size;
    if (strain < 0.0 && line->slack) {
        *along = 0.0;
    }
    if (strain < 0.0 && (line->slack || clip)) {
        *across = 0.0;
    }
}

/**
 * Second derivative of the elastic energy to four vectors z_a with x'(s) = sum basis_a z_a.
 *
 * @param basis  [points][4] derivatives of the shape functions at the Gauss points
 * @param k      [8 * 8] row-major, components interleaved [N/m]
 */
static inline void cubic_tangent(const haw_line *line, double p[4][2],
                                 double basis[HAW_GAUSS_MAX][4], bool clip, double k[64])
{
    double sum[10][3] = {{0.0}}; /* xx, xy, yy of the blocks i <= j */
    for (int g = 0; g < line->rule.points; g++) {
        double first[2], second[2], along, across;
        cubic_slope(p, line->rule.s[g], first, second);
        const double size = sqrt(first[0] * first[0] + first[1] * first[1]);
        cubic_modulus(line, size, clip, &along, &across);
        const double tx = first[0] / size, ty = first[1] / size, w = line->rule.weight[g];
        const double xx = w * (along * tx * tx + across * ty * ty);
        const double xy = w * (along - across) * tx * ty;
        const double yy = w * (along * ty * ty + across * tx * tx);
        for (int i = 0, block = 0; i < 4; i++) {
            for (int j = i; j < 4; j++, block++) {
                const double product = basis[g][i] * basis[g][j];
                sum[block][0] += product * xx;
                sum[block][1] += product * xy;
                sum[block][2] += product * yy;
            }
        }
    }
    for (int i = 0, block = 0; i < 4; i++) {
        for (int j = i; j < 4; j++, block++) {
            double *upper = k + (16 * i) + (2 * j), *lower = k + (16 * j) + (2 * i);
            upper[0] = lower[0] = sum[block][0];
            upper[1] = upper[8] = lower[1] = lower[8] = sum[block][1];
            upper[9] = lower[9] = sum[block][2];
        }
    }
}

/** Derivatives of the shape functions of (x1, scale a, x4, scale b) at the Gauss points. */
static inline void cubic_hermite_basis(const haw_line *line, double scale,
                                       double basis[HAW_GAUSS_MAX][4])
{
    for (int g = 0; g < line->rule.points; g++) {
        const double *slope = line->rule.slope[g];
        basis[g][0] = slope[0] + slope[1];
        basis[g][1] = scale * slope[1];
        basis[g][2] = slope[2] + slope[3];
        basis[g][3] = -scale * slope[2];
    }
}

/** Shape functions of (x1, scale a, x4, scale b). */
static inline void cubic_hermite(double s, double scale, double value[4])
{
    double b[4];
    cubic_bernstein(s, b);
    value[0] = b[0] + b[1];
    value[1] = scale * b[1];
    value[2] = b[2] + b[3];
    value[3] = -scale * b[2];
}

#endif
