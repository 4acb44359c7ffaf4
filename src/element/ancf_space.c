/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cubic cable in space: positions and slopes r' at the nodes, stretch and bending, no torsion.
 */
#include "element/ancf_space.h"

#include "element/hermite.h"

#include <string.h>

enum { STRIDE = ANCF_SPACE_STRIDE };

/* What the planar helpers of the cubic want to know. */
static haw_line cubic_of(const haw_beam *beam)
{
    return (haw_line){.elements = beam->elements, .le = beam->le, .density = beam->density};
}

static void interpolate(const haw_beam *beam, haw_space_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= beam->elements; n++) {
        haw_section section;
        double r[9];
        curve(user, n * beam->le, &section);
        quaternion_matrix(section.quaternion, r);
        for (int i = 0; i < 3; i++) {
            q[STRIDE * n + i] = section.x[i];
            q[STRIDE * n + 3 + i] = section.stretch * r[3 * i];
        }
    }
}

/* Means over the element: what a cable without torsion knows of a drawn shape. */
static void natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS])
{
    const haw_ancf_rule *rule = ancf_space_rule;
    double z[3][3], x[3];
    memset(strain, 0, HAW_STRAINS * sizeof *strain);
    ancf_space_gather(q + STRIDE * e, 1.0 / beam->le, z);
    for (int g = 0; g < rule->axial; g++) {
        ancf_space_combine(rule->stretch[g].slope, z, x);
        strain[0] += rule->stretch[g].weight * (vec3_norm(x) - 1.0);
    }
    for (int g = 0; g < rule->bending; g++) {
        ancf_space_turn p = {.dx = {0.0}};
        ancf_space_combine(rule->turn[g].slope, z, p.x);
        ancf_space_combine(rule->turn[g].bend, z, p.y);
        ancf_space_bend(&p);
        strain[5] += rule->turn[g].weight * sqrt(p.square) / beam->le;
    }
}

/* EA eps^2 + EI (K^2 - 2 K0 K), twice the energy over the length. */
static double strain_energy(const haw_beam *beam, int e, const double *q)
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const double inverse_le = 1.0 / beam->le, bent = ancf_space_natural(beam, e, 5);
    double z[3][3], rest[3][3] = {{0.0}}, sum = 0.0;
    ancf_space_gather(q + STRIDE * e, inverse_le, z);
    for (int g = 0; g < rule->axial; g++) {
        const ancf_space_stretch p =
            ancf_space_stretch_at(beam, e, rule->stretch[g].slope, z, rest);
        sum += rule->stretch[g].weight * p.elastic * (p.elastic / beam->stiffness[0]);
    }
    for (int g = 0; g < rule->bending; g++) {
        const ancf_space_turn p = ancf_space_turn_at(beam, e, &rule->turn[g], z, rest);
        const double curvature = sqrt(p.square + ancf_space_straight) * inverse_le;
        const double square = p.square * inverse_le * inverse_le;
        const double work = square - 2.0 * bent * curvature + bent * bent;
        sum += rule->turn[g].weight * beam->stiffness[5] * work;
    }
    return sum;
}

static void energy(const haw_beam *beam, const double *q, double energy[2])
{
    const double arm = beam->le / 6.0;
    double elastic = 0.0, height = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *qe = q + STRIDE * e;
        elastic += strain_energy(beam, e, q);
        for (int i = 0; i < 3; i++) {
            height += beam->gravity[i] * (qe[i] + qe[6 + i] + arm * (qe[3 + i] - qe[9 + i]));
        }
    }
    energy[0] += 0.5 * beam->le * elastic;
    energy[1] -= 0.5 * beam->density * beam->le * height;
}

/* sum += h f. */
static inline void add_work(const double h[3], double factor, const double f[3], double sum[3][3])
{
    for (int i = 0; i < 3; i++) {
        vec3_add(factor * h[i], f, sum[i]);
    }
}

static inline void add_moment(const haw_ancf_point *point, double factor, const ancf_space_turn *p,
                              const double m[3], double sum[3][3])
{
    double fx[3], fy[3];
    ancf_space_work(p, m, fx, fy);
    add_work(point->slope, factor, fx, sum);
    add_work(point->bend, factor, fy, sum);
}

/* f [12] -= the work over Le on c, a, b as forces on r0, r0', r1, r1'. */
static inline void scatter(double sum[3][3], double le, double *f)
{
    vec3_add(1.0, sum[0], f);
    vec3_add(-le, sum[1], f + 3);
    vec3_add(-1.0, sum[0], f + 6);
    vec3_add(-le, sum[2], f + 9);
}

static void force(const haw_beam *beam, const double *q, const double *u, double *f, double *d)
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const double inverse_le = 1.0 / beam->le, half = 0.5 * beam->density * beam->le;
    const double arm = half * beam->le / 6.0;
    for (int e = 0; e < beam->elements; e++) {
        double z[3][3], v[3][3] = {{0.0}}, elastic[3][3] = {{0.0}}, viscous[3][3] = {{0.0}};
        double *fe = f + STRIDE * e;
        ancf_space_gather(q + STRIDE * e, inverse_le, z);
        if (u != NULL) {
            ancf_space_gather(u + STRIDE * e, inverse_le, v);
        }
        for (int g = 0; g < rule->axial; g++) {
            const haw_ancf_point *point = &rule->stretch[g];
            const ancf_space_stretch p = ancf_space_stretch_at(beam, e, point->slope, z, v);
            add_work(point->slope, point->weight * p.elastic, p.t, elastic);
            add_work(point->slope, point->weight * p.viscous, p.t, viscous);
        }
        for (int g = 0; g < rule->bending; g++) {
            const haw_ancf_point *point = &rule->turn[g];
            const double factor = point->weight * inverse_le * inverse_le;
            const ancf_space_turn p = ancf_space_turn_at(beam, e, point, z, v);
            add_moment(point, factor, &p, p.elastic, elastic);
            add_moment(point, factor, &p, p.viscous, viscous);
        }
        scatter(elastic, beam->le, fe);
        if (u != NULL) {
            scatter(viscous, beam->le, d + STRIDE * e);
        }
        vec3_add(half, beam->gravity, fe);
        vec3_add(arm, beam->gravity, fe + 3);
        vec3_add(half, beam->gravity, fe + 6);
        vec3_add(-arm, beam->gravity, fe + 9);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): a row of haw_space_ops */
static void gyroscopic(const haw_beam *beam, const double *u, double *f)
{
    (void)beam, (void)u, (void)f;
}

static void mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_line line = cubic_of(beam);
    double block[16];
    haw_hermite_mass(&line, 0, NULL, block);
    memset(m, 0, HAW_SPACE_DOFS * HAW_SPACE_DOFS * sizeof *m);
    for (int i = 0; i < 16; i++) {
        double *to = m + 3 * (HAW_SPACE_DOFS * (i / 4) + i % 4);
        to[0] = to[HAW_SPACE_DOFS + 1] = to[2 * (HAW_SPACE_DOFS + 1)] = block[i];
    }
}

static double kinetic(const haw_beam *beam, const double *u)
{
    const haw_line line = cubic_of(beam);
    double block[16], sum = 0.0;
    haw_hermite_mass(&line, 0, NULL, block);
    for (int e = 0; e < beam->elements; e++) {
        const double *ue = u + STRIDE * e;
        for (int i = 0; i < 16; i++) {
            sum += block[i] * vec3_dot(ue + 3 * (i / 4), ue + 3 * (i % 4));
        }
    }
    return 0.5 * sum;
}

/* A frame about the tangent t: its second axis is normal to the axis that t is farthest from. */
static void frame(const double t[3], double r[9])
{
    double axis[3] = {0.0, 0.0, 0.0}, second[3], third[3];
    int least = fabs(t[1]) < fabs(t[0]) ? 1 : 0;
    least = fabs(t[2]) < fabs(t[least]) ? 2 : least;
    axis[least] = 1.0;
    vec3_cross(axis, t, second);
    const double size = vec3_norm(second);
    for (int i = 0; i < 3; i++) {
        second[i] /= size;
    }
    vec3_cross(t, second, third);
    for (int i = 0; i < 3; i++) {
        r[3 * i] = t[i];
        r[3 * i + 1] = second[i];
        r[3 * i + 2] = third[i];
    }
}

static void point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                  haw_space_point *point)
{
    const haw_line line = cubic_of(beam);
    const double *qe = q + STRIDE * e;
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX], t[3] = {0.0};
    haw_hermite_basis(&line, s, value, slope);
    memset(point, 0, sizeof *point);
    for (int i = 0; i < 4; i++) {
        vec3_add(value[i], qe + 3 * i, point->x);
        vec3_add(slope[i], qe + 3 * i, t);
        for (int r = 0; r < 3 && jacobians; r++) {
            point->jx[r][3 * i + r] = value[i];
        }
    }
    const double size = vec3_norm(t);
    for (int i = 0; i < 3; i++) {
        t[i] /= size;
    }
    frame(t, point->rotation);
}

static void strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                   haw_space_strain *strain)
{
    const haw_ancf_point at = {
        .slope = {6.0 * s * (1.0 - s), (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)},
        .bend = {6.0 * (1.0 - 2.0 * s), 6.0 * s - 4.0, 6.0 * s - 2.0}};
    double z[3][3], v[3][3] = {{0.0}};
    memset(strain, 0, sizeof *strain);
    ancf_space_gather(q + STRIDE * e, 1.0 / beam->le, z);
    if (u != NULL) {
        ancf_space_gather(u + STRIDE * e, 1.0 / beam->le, v);
    }
    const ancf_space_stretch p = ancf_space_stretch_at(beam, e, at.slope, z, v);
    const ancf_space_turn b = ancf_space_turn_at(beam, e, &at, z, v);
    const double size = sqrt(b.square + ancf_space_straight);
    strain->strain[0] = p.size - 1.0;
    strain->tension = strain->stress[0] = p.elastic + p.viscous;
    strain->curvature = strain->strain[5] = sqrt(b.square) / beam->le;
    strain->stress[5] = (vec3_dot(b.elastic, b.k) + vec3_dot(b.viscous, b.k)) / (size * beam->le);
}

static double turn(const haw_beam *beam, const double *q, int *element)
{
    double largest = 0.0;
    *element = 0;
    for (int e = 0; e < beam->elements && !isnan(largest); e++) {
        const double *a = q + STRIDE * e + 3, *b = a + STRIDE;
        double normal[3];
        vec3_cross(a, b, normal);
        const double angle = atan2(vec3_norm(normal), vec3_dot(a, b));
        if (!(angle <= largest)) { /* in this order a NaN is found, and stays */
            largest = angle;
            *element = e;
        }
    }
    return largest;
}

const haw_space_ops haw_space_element_ancf = {
    .name = "ancf",
    .summary = "C1 cubic in positions and slopes: stretch and bending, no torsion",
    .source = "J. Gerstmayr, H. Irschik, J. Sound Vib. 318 (2008)",
    .node_coordinates = STRIDE,
    .node_dofs = STRIDE,
    .order = 4,
    .interpolate = interpolate,
    .natural = natural,
    .energy = energy,
    .force = force,
    .gyroscopic = gyroscopic,
    .tangent = haw_ancf_space_tangent,
    .mass = mass,
    .kinetic = kinetic,
    .point = point,
    .strain = strain,
    .turn = turn,
};
