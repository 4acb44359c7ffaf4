/* SPDX-License-Identifier: BSD-3-Clause */
/* What all cubic kinds answer from their control points alone; then cubic Hermite interpolation
 * with a constant mass matrix M_s (x) I_2. */
#include "element/bezier_kernel.h"

enum { STRIDE = HAW_HERMITE_STRIDE };

/** Axial state from x' and x'' to the local coordinate s. */
void haw_cubic_axial(const haw_line *line, int e, double s, const double *q, const double *u,
                     haw_axial *axial)
{
    (void)u;
    double p[4][2], first[2], second[2];
    line->ops->controls(line, e, q, p);
    cubic_slope(2, p[0], s, first, second);
    const double size = sqrt(first[0] * first[0] + first[1] * first[1]);
    axial->strain = size / line->le - 1.0;
    axial->tension = line->stiffness * axial->strain;
    if (line->slack && axial->strain < 0.0) {
        axial->tension = 0.0;
    }
    axial->curvature = (first[0] * second[1] - first[1] * second[0]) / (size * size * size);
    axial->tangent[0] = first[0] / size;
    axial->tangent[1] = first[1] / size;
}

double haw_cubic_length(const haw_line *line, int e, const double *q)
{
    double p[4][2], sum = 0.0;
    line->ops->controls(line, e, q, p);
    for (int g = 0; g < line->rule.points; g++) {
        double first[2], second[2];
        cubic_slope(2, p[0], line->rule.s[g], first, second);
        sum += line->rule.weight[g] * sqrt(first[0] * first[0] + first[1] * first[1]);
    }
    return sum;
}

void haw_hermite_interpolate(const haw_line *line, haw_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= line->elements; n++) {
        double tangent[2], stretch;
        double *node = q + STRIDE * n;
        curve(user, n * line->le, node, tangent, &stretch);
        node[2] = stretch * tangent[0];
        node[3] = stretch * tangent[1];
    }
}

void haw_hermite_controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2])
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

void haw_hermite_mass(const haw_line *line, int e, const double *q, double *m)
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

double haw_hermite_kinetic(const haw_line *line, const double *q, const double *u)
{
    (void)q;
    const double third = line->le / 3.0;
    double sum = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + STRIDE * e;
        const double a[2] = {third * ue[2], third * ue[3]};
        const double b[2] = {third * ue[6], third * ue[7]};
        sum += cubic_gram(2, ue, a, ue + 4, b);
    }
    return 0.5 * line->density * line->le * sum;
}

void haw_hermite_position(const haw_line *line, int e, double s, const double *q, double x[2],
                          double *j)
{
    double shape[4];
    const double *qe = q + STRIDE * e;
    cubic_hermite(s, line->le / 3.0, shape);
    cubic_position(shape, qe, x, j);
}

void haw_hermite_basis(const haw_line *line, double s, double value[HAW_HULL_MAX],
                       double slope[HAW_HULL_MAX])
{
    const double t = 1.0 - s, le = line->le;
    cubic_hermite(s, le / 3.0, value);
    slope[2] = 6.0 * s * t;
    slope[0] = -slope[2];
    slope[1] = le * t * (1.0 - 3.0 * s);
    slope[3] = le * s * (3.0 * s - 2.0);
}
