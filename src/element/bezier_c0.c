/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C0 cubic cable whose coordinates are the control points themselves; neighbours share an end
 * point. Constant mass matrix M_s (x) I_2 with the Gram matrix of the Bernstein polynomials.
 */
#include "element/bezier_kernel.h"

enum { STRIDE = 6, DOFS = 8 };

/* 140 int_0^1 b_i b_j ds = 140 C(3,i) C(3,j) / (7 C(6,i+j)) */
static const double gram[4][4] = {{20, 10, 4, 1}, {10, 12, 9, 4}, {4, 9, 12, 10}, {1, 4, 10, 20}};

/* Chord and handles of the element whose first coordinate is q[0]. */
static inline void gather(const double *q, double c[2], double a[2], double b[2])
{
    for (int i = 0; i < 2; i++) {
        a[i] = q[2 + i] - q[i];
        b[i] = q[6 + i] - q[4 + i];
        c[i] = q[6 + i] - q[i];
    }
}

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
    const haw_cubic cubic = cubic_init(line);
    const double mass = line->density * line->le, *gravity = line->gravity;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e;
        double a[2], b[2], c[2];
        gather(qe, c, a, b);
        elastic += cubic_energy(&cubic, c, a, b);
        potential += gravity[0] * ((qe[0] + qe[2]) + (qe[4] + qe[6])) +
                     gravity[1] * ((qe[1] + qe[3]) + (qe[5] + qe[7]));
    }
    energy[0] += elastic;
    energy[1] -= 0.25 * mass * potential;
}

static void force(const haw_line *line, const double *q, double *f)
{
    const haw_cubic cubic = cubic_init(line);
    const double quarter = 0.25 * line->density * line->le;
    const double weight[2] = {quarter * line->gravity[0], quarter * line->gravity[1]};
    for (int e = 0; e < line->elements; e++) {
        double a[2], b[2], c[2], gradient[3][2];
        gather(q + STRIDE * e, c, a, b);
        cubic_gradient(&cubic, c, a, b, gradient);
        double *fe = f + STRIDE * e;
        for (int i = 0; i < 2; i++) {
            fe[i] += (gradient[0][i] + gradient[1][i]) + weight[i];
            fe[2 + i] -= gradient[1][i] - weight[i];
            fe[4 + i] += gradient[2][i] + weight[i];
            fe[6 + i] -= (gradient[0][i] + gradient[2][i]) - weight[i];
        }
    }
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
    cubic_tangent(line, p, basis, clip, k);
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
    double sum = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + STRIDE * e;
        double a[2], b[2], c[2];
        gather(ue, c, a, b);
        sum += cubic_gram(ue, a, ue + 6, b);
    }
    return 0.5 * line->density * line->le * sum;
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
