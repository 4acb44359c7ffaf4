/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C1 cubic cable in Cartesian Hermite coordinates, node (x, y, x', y') with ' = d/dxi: the handles
 * are a = Le/3 x1', b = Le/3 x4'. Constant mass matrix M_s (x) I_2.
 */
#include "element/bezier_kernel.h"

enum { STRIDE = 4, DOFS = 8 };

/* Chord and handles of the element whose first coordinate is q[0]. */
static inline void gather(const double *q, double third, double c[2], double a[2], double b[2])
{
    for (int i = 0; i < 2; i++) {
        a[i] = third * q[2 + i];
        b[i] = third * q[6 + i];
        c[i] = q[4 + i] - q[i];
    }
}

static void interpolate(const haw_line *line, haw_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= line->elements; n++) {
        double tangent[2], stretch;
        double *node = q + STRIDE * n;
        curve(user, n * line->le, node, tangent, &stretch);
        node[2] = stretch * tangent[0];
        node[3] = stretch * tangent[1];
    }
}

/* The weights of gravity are the integrals of the shape functions: 1/2, 1/4, 1/2, -1/4. */
static void energy(const haw_line *line, const double *q, double energy[2])
{
    const haw_cubic cubic = cubic_init(line);
    const double third = line->le / 3.0, mass = line->density * line->le;
    const double *gravity = line->gravity;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e;
        double a[2], b[2], c[2];
        gather(qe, third, c, a, b);
        elastic += cubic_energy(&cubic, c, a, b);
        potential += gravity[0] * (2.0 * (qe[0] + qe[4]) + (a[0] - b[0])) +
                     gravity[1] * (2.0 * (qe[1] + qe[5]) + (a[1] - b[1]));
    }
    energy[0] += elastic;
    energy[1] -= 0.25 * mass * potential;
}

static void force(const haw_line *line, const double *q, double *f)
{
    const haw_cubic cubic = cubic_init(line);
    const double third = line->le / 3.0, half = 0.5 * line->density * line->le;
    const double weight[2] = {half * line->gravity[0], half * line->gravity[1]};
    for (int e = 0; e < line->elements; e++) {
        double a[2], b[2], c[2], gradient[3][2];
        gather(q + STRIDE * e, third, c, a, b);
        cubic_gradient(&cubic, c, a, b, gradient);
        double *fe = f + STRIDE * e;
        for (int i = 0; i < 2; i++) {
            fe[i] += gradient[0][i] + weight[i];
            fe[2 + i] -= third * (gradient[1][i] - 0.5 * weight[i]);
            fe[4 + i] -= gradient[0][i] - weight[i];
            fe[6 + i] -= third * (gradient[2][i] + 0.5 * weight[i]);
        }
    }
}

static void controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2])
{
    const double *qe = q + STRIDE * e;
    const double third = line->le / 3.0;
    for (int i = 0; i < 2; i++) {
        p[0][i] = qe[i];
        p[1][i] = qe[i] + third * qe[2 + i];
        p[2][i] = qe[4 + i] - third * qe[6 + i];
        p[3][i] = qe[4 + i];
    }
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    double p[4][2], basis[HAW_GAUSS_MAX][4];
    controls(line, e, q, p);
    cubic_hermite_basis(line, line->le / 3.0, basis);
    cubic_tangent(line, p, basis, clip, k);
}

static void mass(const haw_line *line, int e, const double *q, double *m)
{
    (void)e, (void)q;
    const double third = line->le / 3.0, unit = line->density * line->le / 420.0;
    const double scale[4] = {1.0, third, 1.0, third};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            m[4 * i + j] = unit * scale[i] * scale[j] * cubic_gram_matrix[i][j];
        }
    }
}

static double kinetic(const haw_line *line, const double *q, const double *u)
{
    (void)q;
    const double third = line->le / 3.0;
    double sum = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + STRIDE * e;
        const double a[2] = {third * ue[2], third * ue[3]};
        const double b[2] = {third * ue[6], third * ue[7]};
        sum += cubic_gram(ue, a, ue + 4, b);
    }
    return 0.5 * line->density * line->le * sum;
}

static void position(const haw_line *line, int e, double s, const double *q, double x[2], double *j)
{
    double shape[4];
    const double *qe = q + STRIDE * e;
    cubic_hermite(s, line->le / 3.0, shape);
    cubic_position(shape, qe, x, j);
}

const haw_element_ops haw_element_bezier = {
    .name = "bezier",
    .summary = "C1 cubic in Cartesian Hermite coordinates (x, y, x', y'), constant mass",
    .source = "Bezier form of the cubic Hermite cable: S. R. Eugster, eq. 5, in Cartesian handles",
    .stride = STRIDE,
    .dofs = DOFS,
    .hull = 4,
    .mass_width = 3,
    .mass_copies = 2,
    .mass_block = 4,
    .mass_constant = true,
    .step_limit = 0.3086,      /* 2 / sqrt(42): all slopes equal, positions at rest */
    .step_limit_free = 0.1533, /* one element on its own: 2 / 13.0432 */
    .order = 3,
    .interpolate = interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = mass,
    .kinetic = kinetic,
    .controls = controls,
    .position = position,
    .axial = haw_cubic_axial,
    .length = haw_cubic_length,
};
