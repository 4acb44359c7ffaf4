/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C1 cubic cable in Cartesian Hermite coordinates, node (x, x') with ' = d/dxi, in d = 2 and 3
 * dimensions: the handles are a = Le/3 x1', b = Le/3 x4'.
 */
#include "element/bezier_kernel.h"

/* Chord and handles of the element whose first coordinate is q[0]. */
static HAW_INLINE void gather(int d, const double *q, double third, double *c, double *a, double *b)
{
    for (int i = 0; i < d; i++) {
        a[i] = third * q[d + i];
        b[i] = third * q[3 * d + i];
        c[i] = q[2 * d + i] - q[i];
    }
}

/* The weights of gravity are the integrals of the shape functions: 1/2, 1/4, 1/2, -1/4. */
static HAW_INLINE void add_energy(int d, const haw_line *line, const double *q, double energy[2])
{
    const haw_cubic cubic = cubic_init(line);
    const double third = line->le / 3.0, mass = line->density * line->le;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + (ptrdiff_t)2 * d * e;
        double a[3], b[3], c[3], height = 0.0;
        gather(d, qe, third, c, a, b);
        elastic += cubic_energy(d, &cubic, c, a, b);
        for (int i = 0; i < d; i++) {
            height += line->gravity[i] * (2.0 * (qe[i] + qe[2 * d + i]) + (a[i] - b[i]));
        }
        potential += height;
    }
    energy[0] += elastic;
    energy[1] -= 0.25 * mass * potential;
}

static HAW_INLINE void add_force(int d, const haw_line *line, const double *q, double *f)
{
    const haw_cubic cubic = cubic_init(line);
    const double third = line->le / 3.0, half = 0.5 * line->density * line->le;
    const double weight[3] = {half * line->gravity[0], half * line->gravity[1],
                              half * line->gravity[2]};
    for (int e = 0; e < line->elements; e++) {
        double a[3], b[3], c[3], gradient[3][3];
        gather(d, q + (ptrdiff_t)2 * d * e, third, c, a, b);
        cubic_gradient(d, &cubic, c, a, b, gradient);
        double *fe = f + (ptrdiff_t)2 * d * e;
        for (int i = 0; i < d; i++) {
            fe[i] += gradient[0][i] + weight[i];
            fe[d + i] -= third * (gradient[1][i] - 0.5 * weight[i]);
            fe[2 * d + i] -= gradient[0][i] - weight[i];
            fe[3 * d + i] -= third * (gradient[2][i] + 0.5 * weight[i]);
        }
    }
}

/* ---- in the plane ---- */

static void energy(const haw_line *line, const double *q, double energy[2])
{
    add_energy(2, line, q, energy);
}

static void force(const haw_line *line, const double *q, double *f)
{
    add_force(2, line, q, f);
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    double p[4][2], basis[HAW_GAUSS_MAX][4];
    haw_hermite_controls(line, e, q, p);
    cubic_hermite_basis(line, line->le / 3.0, basis);
    cubic_tangent(2, line, p[0], basis, clip, k);
}

const haw_element_ops haw_element_bezier = {
    .row.name = "bezier",
    .row.summary = "C1 cubic in Cartesian Hermite coordinates (x, y, x', y'), constant mass",
    .row.source =
        "Bezier form of the cubic Hermite cable: S. R. Eugster, eq. 5, in Cartesian handles",
    .stride = HAW_HERMITE_STRIDE,
    .dofs = HAW_HERMITE_DOFS,
    .places = 2,
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

/* ---- in space ---- */

static void space_energy(const haw_beam *beam, const double *q, double energy[2])
{
    const haw_line line = cubic_line(beam);
    add_energy(3, &line, q, energy);
}

static void space_force(const haw_beam *beam, const double *q, const double *u, double *f,
                        double *d) /* NOLINT(readability-non-const-parameter): a row */
{
    const haw_line line = cubic_line(beam);
    (void)u, (void)d;
    add_force(3, &line, q, f);
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_space_ops */
static void space_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                          double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_line line = cubic_line(beam);
    double p[4][3], basis[HAW_GAUSS_MAX][4];
    (void)u, (void)rate;
    haw_hermite_polygon(beam, e, q, p);
    cubic_hermite_basis(&line, line.le / 3.0, basis);
    cubic_tangent(3, &line, p[0], basis, false, k);
}

static double space_kinetic(const haw_beam *beam, const double *u)
{
    const double third = beam->le / 3.0;
    double sum = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *ue = u + (ptrdiff_t)6 * e;
        double a[3], b[3], c[3];
        gather(3, ue, third, c, a, b);
        sum += cubic_gram(3, ue, a, ue + 6, b);
    }
    return 0.5 * beam->density * beam->le * sum;
}

/* The limits of the planar element. */
static double stiffest(const haw_beam *beam, bool is_free)
{
    const double limit =
        is_free ? haw_element_bezier.step_limit_free : haw_element_bezier.step_limit;
    return 4.0 * beam->stiffness[0] / (beam->density * beam->le * beam->le * limit * limit);
}

const haw_space_ops haw_space_element_bezier = {
    .row.name = "bezier",
    .row.summary = "C1 cubic in positions and slopes (x, x'), stretch alone, constant mass",
    .row.source =
        "Bezier form of the cubic Hermite cable: S. R. Eugster, eq. 5, in Cartesian handles",
    .node_coordinates = 6,
    .node_dofs = 6,
    .dofs = HAW_SPACE_DOFS,
    .stretches_only = true,
    .mass_copies = 3,
    .mass_width = 3,
    .order = 3,
    .interpolate = haw_hermite_lay,
    .energy = space_energy,
    .force = space_force,
    .tangent = space_tangent,
    .mass = haw_hermite_block,
    .kinetic = space_kinetic,
    .stiffest = stiffest,
    .point = haw_hermite_point,
    .strain = haw_cubic_strain,
    .polygon = haw_hermite_polygon,
    .curve = haw_cubic_curve,
};
