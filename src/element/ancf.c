/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planar cubic cable with axial and bending work, strain and curvature damping and reference
 * strain and curvature; three quadrature rules (line.scheme 0, 1, 2 = a, b, c).
 */
#include "element/ancf_kernel.h"
#include "element/bezier_kernel.h"
#include "element/hermite.h"

enum { STRIDE = HAW_HERMITE_STRIDE, DOFS = HAW_HERMITE_DOFS };

static double stretch_energy(const haw_line *line, const haw_ancf_rule *rule, double z[3][2],
                             const double *natural)
{
    const double floor = line->slack ? 0.0 : -HUGE_VAL;
    double sum = 0.0;
    for (int g = 0; g < rule->axial; g++) {
        double x[2];
        ancf_combine(rule->stretch[g].slope, z, x);
        const double strain = sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0 - line->strain0 - natural[g];
        const double eps = floor > strain ? floor : strain; /* in this order a NaN survives */
        sum += rule->stretch[g].weight * (eps * eps);
    }
    return line->stiffness * sum;
}

static double bending_energy(const haw_line *line, const haw_ancf_rule *rule, double z[3][2],
                             const double *natural)
{
    double sum = 0.0;
    for (int g = 0; g < rule->bending; g++) {
        double x[2], y[2];
        ancf_combine(rule->turn[g].slope, z, x);
        ancf_combine(rule->turn[g].bend, z, y);
        const double curvature =
            ancf_curve(x, y).kappa / line->le - line->curvature0 - natural[rule->axial + g];
        sum += rule->turn[g].weight * (curvature * curvature);
    }
    return line->bending * sum;
}

/* The weights of gravity are the integrals of the shape functions: 1/2, Le/12, 1/2, -Le/12. */
static void energy(const haw_line *line, const double *q, double energy[2])
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double mass = line->density * line->le, arm = line->le / 6.0;
    double elastic = 0.0, potential = 0.0;
    for (int e = 0; e < line->elements; e++) {
        const double *qe = q + STRIDE * e, *natural = ancf_natural(line, e);
        double z[3][2];
        ancf_gather(qe, 1.0 / line->le, z);
        elastic += stretch_energy(line, rule, z, natural);
        if (line->bending > 0.0) {
            elastic += bending_energy(line, rule, z, natural);
        }
        for (int i = 0; i < 2; i++) {
            potential += line->gravity[i] * (qe[i] + qe[4 + i] + arm * (qe[2 + i] - qe[6 + i]));
        }
    }
    energy[0] += 0.5 * line->le * elastic;
    energy[1] -= 0.5 * mass * potential;
}

/* Work of one element on dc, da, db over Le, elastic and damping apart [N]. */
typedef struct work {
    double elastic[3][2], damping[3][2];
} work;

static inline void add_work(const double h[3], double factor, const double x[2], double sum[3][2])
{
    const double nx = factor * x[0], ny = factor * x[1];
    for (int i = 0; i < 3; i++) {
        sum[i][0] += h[i] * nx;
        sum[i][1] += h[i] * ny;
    }
}

/* w N t h_i; v: velocities, NULL for the elastic part alone. */
static inline void add_stretch(const haw_line *line, const haw_ancf_rule *rule, double z[3][2],
                               double (*v)[2], const double *natural, work *sum)
{
    for (int g = 0; g < rule->axial; g++) {
        const haw_ancf_point *point = &rule->stretch[g];
        double x[2], rate[2], elastic, damping, along = 0.0;
        ancf_combine(point->slope, z, x);
        const double size = sqrt(x[0] * x[0] + x[1] * x[1]), inverse = 1.0 / size;
        if (v != NULL) {
            ancf_combine(point->slope, v, rate);
            along = (x[0] * rate[0] + x[1] * rate[1]) * inverse;
        }
        ancf_tension(line, size - 1.0 - line->strain0 - natural[g], along, &elastic, &damping);
        add_work(point->slope, point->weight * inverse * elastic, x, sum->elastic);
        if (v != NULL) {
            add_work(point->slope, point->weight * inverse * damping, x, sum->damping);
        }
    }
}

/* w M dK/dz_i = w M (h_i dkappa/dr' + k_i dkappa/d(Le r'')) / Le; v as above. */
static inline void add_bending(const haw_line *line, const haw_ancf_rule *rule, double z[3][2],
                               double (*v)[2], const double *natural, work *sum)
{
    const double inverse_le = 1.0 / line->le;
    for (int g = 0; g < rule->bending; g++) {
        const haw_ancf_point *point = &rule->turn[g];
        double x[2], y[2], dx[2], dy[2];
        ancf_combine(point->slope, z, x);
        ancf_combine(point->bend, z, y);
        const haw_ancf_curve at = ancf_curve(x, y);
        const double bent = at.kappa * inverse_le - line->curvature0 - natural[rule->axial + g];
        const double moment = point->weight * line->bending * bent * inverse_le;
        add_work(point->slope, moment, at.x, sum->elastic);
        add_work(point->bend, moment, at.y, sum->elastic);
        if (v != NULL) {
            ancf_combine(point->slope, v, dx);
            ancf_combine(point->bend, v, dy);
            const double rate =
                at.x[0] * dx[0] + at.x[1] * dx[1] + at.y[0] * dy[0] + at.y[1] * dy[1];
            const double viscous =
                point->weight * line->damping_curvature * rate * inverse_le * inverse_le;
            add_work(point->slope, viscous, at.x, sum->damping);
            add_work(point->bend, viscous, at.y, sum->damping);
        }
    }
}

/* fe -= the work as forces on r0, r0', r1, r1'. */
static inline void scatter(double sum[3][2], double le, double *fe)
{
    for (int i = 0; i < 2; i++) {
        fe[i] += sum[0][i];
        fe[2 + i] -= le * sum[1][i];
        fe[4 + i] -= sum[0][i];
        fe[6 + i] -= le * sum[2][i];
    }
}

static inline void add_weight(const haw_line *line, double *fe)
{
    const double half = 0.5 * line->density * line->le, arm = line->le / 6.0;
    for (int i = 0; i < 2; i++) {
        const double lump = half * line->gravity[i];
        fe[i] += lump;
        fe[2 + i] += arm * lump;
        fe[4 + i] += lump;
        fe[6 + i] -= arm * lump;
    }
}

static void force(const haw_line *line, const double *q, double *f)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    for (int e = 0; e < line->elements; e++) {
        double z[3][2];
        work sum = {{{0.0}}, {{0.0}}};
        ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
        add_stretch(line, rule, z, NULL, ancf_natural(line, e), &sum);
        if (line->bending > 0.0) {
            add_bending(line, rule, z, NULL, ancf_natural(line, e), &sum);
        }
        scatter(sum.elastic, line->le, f + STRIDE * e);
        add_weight(line, f + STRIDE * e);
    }
}

static void force_rates(const haw_line *line, const double *q, const double *u, double *f,
                        double *d)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double inverse_le = 1.0 / line->le;
    for (int e = 0; e < line->elements; e++) {
        double z[3][2], v[3][2];
        work sum = {{{0.0}}, {{0.0}}};
        ancf_gather(q + STRIDE * e, inverse_le, z);
        ancf_gather(u + STRIDE * e, inverse_le, v);
        add_stretch(line, rule, z, v, ancf_natural(line, e), &sum);
        if (line->damping_curvature > 0.0) {
            add_bending(line, rule, z, v, ancf_natural(line, e), &sum);
        } else if (line->bending > 0.0) {
            add_bending(line, rule, z, NULL, ancf_natural(line, e), &sum);
        }
        scatter(sum.elastic, line->le, f + STRIDE * e);
        scatter(sum.damping, line->le, d + STRIDE * e);
        add_weight(line, f + STRIDE * e);
    }
}

static void natural(const haw_line *line, int e, const double *q, double *natural)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    double z[3][2], x[2], y[2];
    memset(natural, 0, HAW_NATURAL_MAX * sizeof *natural);
    ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
    for (int g = 0; g < rule->axial; g++) {
        ancf_combine(rule->stretch[g].slope, z, x);
        natural[g] = sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0;
    }
    for (int g = 0; g < rule->bending; g++) {
        ancf_combine(rule->turn[g].slope, z, x);
        ancf_combine(rule->turn[g].bend, z, y);
        natural[rule->axial + g] = ancf_curve(x, y).kappa / line->le;
    }
}

/* The natural strain between the points of the rule: their interpolation polynomial. */
static double natural_strain(const haw_line *line, int e, double s)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    const double *value = ancf_natural(line, e);
    double sum = 0.0;
    for (int g = 0; g < rule->axial && line->natural != NULL; g++) {
        double share = 1.0;
        for (int k = 0; k < rule->axial; k++) {
            const double at = rule->stretch[k].s;
            share *= k != g ? (s - at) / (rule->stretch[g].s - at) : 1.0;
        }
        sum += share * value[g];
    }
    return sum;
}

static void axial(const haw_line *line, int e, double s, const double *q, const double *u,
                  haw_axial *axial)
{
    double elastic, damping, along = 0.0;
    haw_cubic_axial(line, e, s, q, u, axial);
    if (u != NULL) {
        double p[4][2], rate[2], second[2];
        haw_hermite_controls(line, e, u, p);
        cubic_slope(p, s, rate, second);
        along = (axial->tangent[0] * rate[0] + axial->tangent[1] * rate[1]) / line->le;
    }
    const double strain = axial->strain - line->strain0 - natural_strain(line, e, s);
    ancf_tension(line, strain, along, &elastic, &damping);
    axial->tension = elastic + damping;
}

static double length(const haw_line *line, int e, const double *q)
{
    const haw_ancf_rule *rule = &ancf_rules[line->scheme];
    double z[3][2], sum = 0.0;
    ancf_gather(q + STRIDE * e, 1.0 / line->le, z);
    for (int g = 0; g < rule->axial; g++) {
        double x[2];
        ancf_combine(rule->stretch[g].slope, z, x);
        sum += rule->stretch[g].weight * sqrt(x[0] * x[0] + x[1] * x[1]);
    }
    return line->le * sum;
}

const haw_element_ops haw_element_ancf = {
    .name = "ancf",
    .summary = "C1 cubic in positions and slopes with bending, damping and a reference shape",
    .source = "J. Gerstmayr, H. Irschik, J. Sound Vib. 318 (2008); quadrature and damping of "
              "K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dyn. 111 (2023)",
    .stride = STRIDE,
    .dofs = DOFS,
    .hull = 4,
    .mass_width = 3,
    .mass_copies = 2,
    .mass_block = 4,
    .mass_constant = true,
    .step_limit = 0.1951,         /* 2 / sqrt(105), rule c: all slopes equal, positions at rest */
    .step_limit_free = 0.1027,    /* one element on its own, rule c: 2 / 19.4657 */
    .step_limit_bending = 0.0218, /* one element on its own: 2 / sqrt(8400) */
    .order = 4,                   /* with bending; for rule c however large EA is */
    .interpolate = haw_hermite_interpolate,
    .energy = energy,
    .force = force,
    .tangent = haw_ancf_tangent,
    .mass = haw_hermite_mass,
    .kinetic = haw_hermite_kinetic,
    .controls = haw_hermite_controls,
    .position = haw_hermite_position,
    .axial = axial,
    .basis = haw_hermite_basis,
    .force_rates = force_rates,
    .tangent_rates = haw_ancf_tangent_rates,
    .natural = natural,
    .length = length,
};
