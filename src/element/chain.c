/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chain of straight two-node elements with lumped masses: the independent reference.
 * Strain |x2 - x1| / Le - 1, half of an element's mass at each of its nodes.
 */
#include "element/element.h"

#include <math.h>
#include <string.h>

enum { STRIDE = 2, DOFS = 4 };

static void interpolate(const haw_line *line, haw_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= line->elements; n++) {
        double tangent[2], stretch;
        curve(user, n * line->le, q + STRIDE * n, tangent, &stretch);
    }
}

static void energy(const haw_line *line, const double *q, double energy[2])
{
    const double inverse_le = 1.0 / line->le, floor = line->slack ? 0.0 : -HUGE_VAL;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e;
        const double x = qe[2] - qe[0], y = qe[3] - qe[1];
        const double strain = sqrt(x * x + y * y) * inverse_le - 1.0;
        const double eps = floor > strain ? floor : strain; /* in this order a NaN survives */
        elastic += eps * eps;
        potential += line->gravity[0] * (qe[0] + qe[2]) + line->gravity[1] * (qe[1] + qe[3]);
    }
    energy[0] += 0.5 * line->stiffness * line->le * elastic;
    energy[1] -= 0.5 * line->density * line->le * potential;
}

static void force(const haw_line *line, const double *q, double *f)
{
    const double inverse_le = 1.0 / line->le, floor = line->slack ? 0.0 : -HUGE_VAL;
    const double half = 0.5 * line->density * line->le;
    const double weight[2] = {half * line->gravity[0], half * line->gravity[1]};
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e;
        const double x = qe[2] - qe[0], y = qe[3] - qe[1];
        const double raw = inverse_le - 1.0 / sqrt(x * x + y * y);
        const double scale = line->stiffness * (floor > raw ? floor : raw);
        double *fe = f + STRIDE * e;
        fe[0] += scale * x + weight[0];
        fe[1] += scale * y + weight[1];
        fe[2] -= scale * x - weight[0];
        fe[3] -= scale * y - weight[1];
    }
}

static void axial(const haw_line *line, int e, double s, const double *q, const double *u,
                  haw_axial *axial)
{
    (void)s;
    (void)u;
    const double *qe = q + STRIDE * e;
    const double x = qe[2] - qe[0], y = qe[3] - qe[1], size = sqrt(x * x + y * y);
    axial->strain = size / line->le - 1.0;
    axial->tension = line->stiffness * axial->strain;
    if (line->slack && axial->strain < 0.0) {
        axial->tension = 0.0;
    }
    axial->curvature = 0.0;
    axial->tangent[0] = x / size;
    axial->tangent[1] = y / size;
}

static double length(const haw_line *line, int e, const double *q)
{
    (void)line;
    const double *qe = q + STRIDE * e;
    const double x = qe[2] - qe[0], y = qe[3] - qe[1];
    return sqrt(x * x + y * y);
}

static void tangent(const haw_line *line, int e, const double *q, bool clip, double *k)
{
    haw_axial state;
    axial(line, e, 0.0, q, NULL, &state);
    const bool pressed = state.strain < 0.0;
    const double along = pressed && line->slack ? 0.0 : line->stiffness / line->le;
    const double across = pressed && clip ? 0.0 : state.tension / length(line, e, q);
    const double tx = state.tangent[0], ty = state.tangent[1];
    const double block[2][2] = {{along * tx * tx + across * ty * ty, (along - across) * tx * ty},
                                {(along - across) * tx * ty, along * ty * ty + across * tx * tx}};
    for (int i = 0; i < DOFS; i++) {
        for (int j = 0; j < DOFS; j++) {
            const double sign = i / 2 == j / 2 ? 1.0 : -1.0;
            k[DOFS * i + j] = sign * block[i % 2][j % 2];
        }
    }
}

static void mass(const haw_line *line, int e, const double *q, double *m)
{
    (void)e, (void)q;
    m[0] = m[3] = 0.5 * line->density * line->le;
    m[1] = m[2] = 0.0;
}

static double kinetic(const haw_line *line, const double *q, const double *u)
{
    (void)q;
    double sum = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *ue = u + STRIDE * e;
        sum += (ue[0] * ue[0] + ue[1] * ue[1]) + (ue[2] * ue[2] + ue[3] * ue[3]);
    }
    return 0.25 * line->density * line->le * sum;
}

static void controls(const haw_line *line, int e, const double *q, double p[HAW_HULL_MAX][2])
{
    (void)line;
    memcpy(p, q + STRIDE * e, DOFS * sizeof *q);
}

static void position(const haw_line *line, int e, double s, const double *q, double x[2], double *j)
{
    (void)line;
    const double *qe = q + STRIDE * e;
    x[0] = (1.0 - s) * qe[0] + s * qe[2];
    x[1] = (1.0 - s) * qe[1] + s * qe[3];
    if (j != NULL) {
        memset(j, 0, 2 * DOFS * sizeof *j);
        j[0] = j[DOFS + 1] = 1.0 - s;
        j[2] = j[DOFS + 3] = s;
    }
}

static void shapes(const haw_line *line, double s, double value[HAW_HULL_MAX],
                   double slope[HAW_HULL_MAX])
{
    (void)line;
    value[0] = 1.0 - s;
    value[1] = s;
    slope[0] = -1.0;
    slope[1] = 1.0;
}

const haw_element_ops haw_element_chain = {
    .row.name = "chain",
    .row.summary = "straight two-node elements with lumped masses, the built-in reference",
    .row.source = "lumped-mass string; step limit of R. Courant, K. Friedrichs, H. Lewy (1928)",
    .stride = STRIDE,
    .dofs = DOFS,
    .hull = 2,
    .mass_width = 0,
    .mass_copies = 2,
    .mass_block = 2,
    .mass_constant = true,
    .step_limit = 1.0,
    .step_limit_free = 1.0,
    .order = 2,
    .interpolate = interpolate,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .mass = mass,
    .kinetic = kinetic,
    .controls = controls,
    .position = position,
    .axial = axial,
    .basis = shapes,
    .length = length,
};
