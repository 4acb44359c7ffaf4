/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One cubic in d = 2 or 3 dimensions, shared by the Bezier kinds. With the chord c = p4 - p1 and
 * the handles a = p2 - p1, b = p4 - p3 the derivative to the local coordinate s in [0, 1] is
 *
 *     x'(s) = 6 s (1 - s) c + 3 (1 - s) (1 - 3 s) a + 3 s (3 s - 2) b,
 *
 * the strain eps = |x'| / Le - 1 and the elastic energy the Gauss sum of EA eps^2 Le / 2. The kinds
 * differ only in how their degrees of freedom give (x1, a, x4, b); each writes its own loop over
 * the cable around these inline kernels, so that no call is left in it; d is a constant there. In
 * space a kind makes a haw_line of its haw_beam, and is the same loop with d = 3.
 */
#ifndef HAWSER_ELEMENT_BEZIER_KERNEL_H
#define HAWSER_ELEMENT_BEZIER_KERNEL_H

#include "element/element.h"
#include "element/space.h"
#include "linalg/inline.h"

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

/* x' at a Gauss point, z = (c, a, b). */
static HAW_INLINE void cubic_derivative(int d, const haw_cubic *cubic, int g,
                                        const double *const z[3], double *x)
{
    for (int k = 0; k < d; k++) {
        x[k] = cubic->chord[g] * z[0][k] + cubic->start[g] * z[1][k] + cubic->end[g] * z[2][k];
    }
}

static HAW_INLINE double cubic_norm(int d, const double *x)
{
    double sum = x[0] * x[0];
    for (int k = 1; k < d; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

/** Elastic energy of one cubic [J]. */
static HAW_INLINE double cubic_energy(int d, const haw_cubic *cubic, const double *c,
                                      const double *a, const double *b)
{
    const double *const z[3] = {c, a, b};
    double sum = 0.0;
    for (int g = 0; g < cubic->points; g++) {
        double x[3];
        cubic_derivative(d, cubic, g, z, x);
        const double strain = cubic_norm(d, x) * cubic->inverse_le - 1.0;
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
static HAW_INLINE void cubic_gradient(int d, const haw_cubic *cubic, const double *c,
                                      const double *a, const double *b, double gradient[3][3])
{
    const double *const z[3] = {c, a, b};
    double sum[3][3] = {{0.0}};
    for (int g = 0; g < cubic->points; g++) {
        double x[3];
        cubic_derivative(d, cubic, g, z, x);
        const double raw = cubic->inverse_le - 1.0 / cubic_norm(d, x);
        const double scale = cubic->weight[g] * (cubic->floor > raw ? cubic->floor : raw);
        for (int k = 0; k < d; k++) {
            const double n = scale * x[k];
            sum[0][k] += cubic->chord[g] * n;
            sum[1][k] += cubic->start[g] * n;
            sum[2][k] += cubic->end[g] * n;
        }
    }
    memcpy(gradient, sum, sizeof sum);
}

/**
 * |v|^2 integrated over s for the velocities of (x1, a, x4, b) [m^2/s^2].
 *
 * The Gram matrix of the cubic Hermite functions, diagonal in 420ths 156, 36, 156, 36, splits into
 * two 2 x 2 blocks for sums and differences of the two ends.
 */
static HAW_INLINE double cubic_gram(int d, const double *x1, const double *a, const double *x4,
                                    const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < d; i++) {
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

/** x'(s) and x''(s) of the cubic with control points p [4][d]. */
static HAW_INLINE void cubic_slope(int d, const double *p, double s, double *first, double *second)
{
    const double t = 1.0 - s;
    for (int i = 0; i < d; i++) {
        const double d1 = p[d + i] - p[i], d2 = p[2 * d + i] - p[d + i];
        const double d3 = p[3 * d + i] - p[2 * d + i];
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

/* ---- in space ---- */

/** The line of a spatial cable. */
static inline haw_line cubic_line(const haw_beam *beam)
{
    return (haw_line){.elements = beam->elements,
                      .le = beam->le,
                      .stiffness = beam->stiffness[0],
                      .density = beam->density,
                      .gravity = {beam->gravity[0], beam->gravity[1], beam->gravity[2]},
                      .slack = beam->slack,
                      .rule = beam->rule};
}

/* Answers of haw_space_ops (cubic_space.c): from shape functions and their slopes, from a scalar
 * mass, from control points; of kinds with nodes (x, x'). */
void haw_cubic_point(int shapes, const double *value, const double *slope, const double *qe,
                     bool jacobians, haw_space_point *point);
void haw_cubic_curve(const haw_beam *beam, int e, double s, const double *q, double d[3][3]);
void haw_cubic_mass(const double block[16], double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);
void haw_cubic_strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                      haw_space_strain *strain);
void haw_hermite_node(const haw_beam *beam, int n, haw_space_curve curve, const void *user,
                      double node[6]);
void haw_hermite_lay(const haw_beam *beam, haw_space_curve curve, const void *user, double *q);
void haw_hermite_polygon(const haw_beam *beam, int e, const double *q, double p[4][3]);
void haw_hermite_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                       haw_space_point *point);
void haw_hermite_block(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);

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
 * @param p      [4][d] control points
 * @param basis  [points][4] derivatives of the shape functions at the Gauss points
 * @param k      [4 d * 4 d] row-major, components interleaved [N/m]
 */
static HAW_INLINE void cubic_tangent(int d, const haw_line *line, const double *p,
                                     double basis[HAW_GAUSS_MAX][4], bool clip, double *k)
{
    const int n = 4 * d;
    memset(k, 0, (size_t)(n * n) * sizeof *k);
    for (int g = 0; g < line->rule.points; g++) {
        double x[3], second[3], m[3][3], along, across;
        cubic_slope(d, p, line->rule.s[g], x, second);
        const double size = cubic_norm(d, x), w = line->rule.weight[g];
        cubic_modulus(line, size, clip, &along, &across);
        for (int r = 0; r < d; r++) {
            x[r] /= size;
        }
        for (int r = 0; r < d; r++) {
            double sum = along * x[r] * x[r];
            for (int c = 0; c < d; c++) {
                sum += c != r ? across * x[c] * x[c] : 0.0;
                m[r][c] = m[c][r] = w * (along - across) * x[r < c ? r : c] * x[r < c ? c : r];
            }
            m[r][r] = w * sum;
        }
        for (int i = 0; i < n * n; i++) {
            const int row = i / n, column = i % n;
            k[i] += basis[g][row / d] * basis[g][column / d] * m[row % d][column % d];
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
