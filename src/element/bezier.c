/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C1 cubic cable in Cartesian Hermite coordinates, node (x, y, x', y') with ' = d/dxi: the handles
 * are a = Le/3 x1', b = Le/3 x4'.
 */
#include "element/bezier_kernel.h"

enum { STRIDE = HAW_HERMITE_STRIDE, DOFS = HAW_HERMITE_DOFS };

/* Chord and handles of the element whose first coordinate is q[0]. */
static inline void gather(const double *q, double third, double c[2], double a[2], double b[2])
{
    for (int i = 0; i < 2; i++) {
        a[i] = third * q[2 + i];
        b[i] = third * q[6 + i];
        c[i] = q[4 + i] - q[i];
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

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    double p[4][2], basis[HAW_GAUSS_MAX][4];
    haw_hermite_controls(line, e, q, p);
    cubic_hermite_basis(line, line->le / 3.0, basis);
    cubic_tangent(line, p, basis, clip, k);
}

const haw_element_ops haw_element_bezier = {
    .row.name = "bezier",
    .row.summary = "C1 cubic in Cartesian Hermite coordinates (x, y, x', y'), constant mass",
    .row.source =
        "Bezier form of the cubic Hermite cable: S. R. Eugster, eq. 5, in Cartesian handles",
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
    .interpolate = haw_hermite_interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = haw_hermite_mass,
    .kinetic = haw_hermite_kinetic,
    .controls = haw_hermite_controls,
    .position = haw_hermite_position,
    .axial = haw_cubic_axial,
    .basis = haw_hermite_basis,
    .length = haw_cubic_length,
};
