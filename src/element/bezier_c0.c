/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C0 cubic cable whose coordinates are the control points themselves, in d = 2 and 3 dimensions;
 * neighbours share an end point. Constant mass matrix M_s (x) I_d with the Gram matrix of the
 * Bernstein polynomials.
 */
#include "element/bezier_kernel.h"

enum { STRIDE = 6, DOFS = 8, SPACE_STRIDE = 9 };

/* 140 int_0^1 b_i b_j ds = 140 C(3,i) C(3,j) / (7 C(6,i+j)) */
static const double gram[4][4] = {{20, 10, 4, 1}, {10, 12, 9, 4}, {4, 9, 12, 10}, {1, 4, 10, 20}};

/* Chord and handles of the element whose first coordinate is q[0]. */
static HAW_INLINE void gather(int d, const double *q, double *c, double *a, double *b)
{
    for (int i = 0; i < d; i++) {
        a[i] = q[d + i] - q[i];
        b[i] = q[3 * d + i] - q[2 * d + i];
        c[i] = q[3 * d + i] - q[i];
    }
}

static HAW_INLINE void add_energy(int d, const haw_line *line, const double *q, double energy[2])
{
    const haw_cubic cubic = cubic_init(line);
    const double mass = line->density * line->le;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + (ptrdiff_t)3 * d * e;
        double a[3], b[3], c[3], height = 0.0;
        gather(d, qe, c, a, b);
        elastic += cubic_energy(d, &cubic, c, a, b);
        for (int i = 0; i < d; i++) {
            height += line->gravity[i] * ((qe[i] + qe[d + i]) + (qe[2 * d + i] + qe[3 * d + i]));
        }
        potential += height;
    }
    energy[0] += elastic;
    energy[1] -= 0.25 * mass * potential;
}

static HAW_INLINE void add_force(int d, const haw_line *line, const double *q, double *f)
{
    const haw_cubic cubic = cubic_init(line);
    const double quarter = 0.25 * line->density * line->le;
    const double weight[3] = {quarter * line->gravity[0], quarter * line->gravity[1],
                              quarter * line->gravity[2]};
    for (int e = 0; e < line->elements; e++) {
        double a[3], b[3], c[3], gradient[3][3];
        gather(d, q + (ptrdiff_t)3 * d * e, c, a, b);
        cubic_gradient(d, &cubic, c, a, b, gradient);
        double *fe = f + (ptrdiff_t)3 * d * e;
        for (int i = 0; i < d; i++) {
            fe[i] += (gradient[0][i] + gradient[1][i]) + weight[i];
            fe[d + i] -= gradient[1][i] - weight[i];
            fe[2 * d + i] += gradient[2][i] + weight[i];
            fe[3 * d + i] -= (gradient[0][i] + gradient[2][i]) - weight[i];
        }
    }
}

static HAW_INLINE double energy_of_motion(int d, const haw_line *line, const double *u)
{
    double sum = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + (ptrdiff_t)3 * d * e;
        double a[3], b[3], c[3];
        gather(d, ue, c, a, b);
        sum += cubic_gram(d, ue, a, ue + (ptrdiff_t)3 * d, b);
    }
    return 0.5 * line->density * line->le * sum;
}

/* ---- in the plane ---- */

static void interpolate(const haw_line *line, haw_curve curve, const void *user, double *q)
{
    const double third = line->le / 3.0;
    for (int n = 0; n <= line->elements; n++) {
        double tangent[2], stretch;
        double *node = q + STRIDE * n;
        curve(user, n * line->le, node, tangent, &stretch);
        for (int i = 0; i < 2; i++) {
            if (n > 0) {
                node[i - 2] = node[i] - third * stretch * tangent[i];
            }
            if (n < line->elements) {
                node[i + 2] = node[i] + third * stretch * tangent[i];
            }
        }
    }
}

static void energy(const haw_line *line, const double *q, double energy[2])
{
    add_energy(2, line, q, energy);
}

static void force(const haw_line *line, const double *q, double *f)
{
    add_force(2, line, q, f);
}

static void controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2])
{
    (void)line;
    memcpy(p, q + STRIDE * e, DOFS * sizeof *q);
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    double p[4][2], basis[HAW_GAUSS_MAX][4];
    controls(line, e, q, p);
    memcpy(basis, line->rule.slope, sizeof basis);
    cubic_tangent(2, line, p[0], basis, clip, k);
}

static void mass(const haw_line *line, int e, const double *q, double *m)
{
    (void)e, (void)q;
    const double unit = line->density * line->le / 140.0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            m[4 * i + j] = unit * gram[i][j];
        }
    }
}

static double kinetic(const haw_line *line, const double *q, const double *u)
{
    (void)q;
    return energy_of_motion(2, line, u);
}

static void position(const haw_line *line, int e, double s, const double *q, double x[2], double *j)
{
    (void)line;
    double shape[4];
    const double *qe = q + STRIDE * e;
    cubic_bernstein(s, shape);
    cubic_position(shape, qe, x, j);
}

static void shapes(const haw_line *line, double s, double value[HAW_HULL_MAX],
                   double slope[HAW_HULL_MAX])
{
    (void)line;
    const double t = 1.0 - s;
    cubic_bernstein(s, value);
    slope[0] = -3.0 * t * t;
    slope[1] = 3.0 * t * (t - 2.0 * s);
    slope[2] = 3.0 * s * (2.0 * t - s);
    slope[3] = 3.0 * s * s;
}

const haw_element_ops haw_element_bezier_c0 = {
    .row.name = "bezier-c0",
    .row.summary = "C0 cubic in its control points, constant mass; may kink at the nodes",
    .row.source = "control points of S. R. Eugster, eq. 5, as coordinates",
    .stride = STRIDE,
    .dofs = DOFS,
    .places = STRIDE,
    .hull = 4,
    .mass_width = 3,
    .mass_copies = 2,
    .mass_block = 4,
    .mass_constant = true,
    .step_limit = 0.1533, /* one element on its own, modes x and x^3: 2 / 13.0432 */
    .step_limit_free = 0.1533,
    .order = 4,
    .interpolate = interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = mass,
    .kinetic = kinetic,
    .controls = controls,
    .position = position,
    .axial = haw_cubic_axial,
    .basis = shapes,
    .length = haw_cubic_length,
};

/* ---- in space ---- */

static void space_interpolate(const haw_beam *beam, haw_space_curve curve, const void *user,
                              double *q)
{
    const double third = beam->le / 3.0;
    for (int n = 0; n <= beam->elements; n++) {
        double node[6];
        double *to = q + (ptrdiff_t)SPACE_STRIDE * n;
        haw_hermite_node(beam, n, curve, user, node);
        for (int i = 0; i < 3; i++) {
            to[i] = node[i];
            if (n > 0) {
                to[i - 3] = node[i] - third * node[3 + i];
            }
            if (n < beam->elements) {
                to[i + 3] = node[i] + third * node[3 + i];
            }
        }
    }
}

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

static void space_polygon(const haw_beam *beam, int e, const double *q, double p[4][3])
{
    (void)beam;
    memcpy(p, q + (ptrdiff_t)SPACE_STRIDE * e, HAW_SPACE_DOFS * sizeof *q);
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_space_ops */
static void space_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                          double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_line line = cubic_line(beam);
    double basis[HAW_GAUSS_MAX][4];
    (void)u, (void)rate;
    memcpy(basis, line.rule.slope, sizeof basis);
    cubic_tangent(3, &line, q + (ptrdiff_t)SPACE_STRIDE * e, basis, false, k);
}

static void space_mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_line line = cubic_line(beam);
    double block[16];
    mass(&line, 0, NULL, block);
    haw_cubic_mass(block, m);
}

static double space_kinetic(const haw_beam *beam, const double *u)
{
    const haw_line line = cubic_line(beam);
    return energy_of_motion(3, &line, u);
}

static void space_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                        haw_space_point *point)
{
    double value[4], slope[4];
    (void)beam;
    shapes(NULL, s, value, slope);
    haw_cubic_point(4, value, slope, q + (ptrdiff_t)SPACE_STRIDE * e, jacobians, point);
}

/* The limit of the planar element. */
static double stiffest(const haw_beam *beam, bool is_free)
{
    const double limit = haw_element_bezier_c0.step_limit;
    (void)is_free;
    return 4.0 * beam->stiffness[0] / (beam->density * beam->le * beam->le * limit * limit);
}

const haw_space_ops haw_space_element_bezier_c0 = {
    .row.name = "bezier-c0",
    .row.summary = "C0 cubic in its control points, stretch alone, constant mass; may kink",
    .row.source = "control points of S. R. Eugster, eq. 5, as coordinates",
    .node_coordinates = SPACE_STRIDE,
    .node_dofs = SPACE_STRIDE,
    .dofs = HAW_SPACE_DOFS,
    .stretches_only = true,
    .mass_copies = 3,
    .mass_width = 3,
    .order = 4,
    .interpolate = space_interpolate,
    .energy = space_energy,
    .force = space_force,
    .tangent = space_tangent,
    .mass = space_mass,
    .kinetic = space_kinetic,
    .stiffest = stiffest,
    .point = space_point,
    .strain = haw_cubic_strain,
    .polygon = space_polygon,
    .curve = haw_cubic_curve,
};
