/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(3) beam: energy, forces, inertia of translation (consistent) and of rotation (lumped). */
#include "element/se3_beam.h"

#include <string.h>

enum { COORDINATES = SE3_NODE_COORDINATES, DOFS = SE3_NODE_DOFS };

static void interpolate(const haw_beam *beam, haw_space_curve curve, const void *user, double *q)
{
    for (int n = 0; n <= beam->elements; n++) {
        haw_section section;
        curve(user, n * beam->le, &section);
        memcpy(q + COORDINATES * n, section.x, sizeof section.x);
        memcpy(q + COORDINATES * n + 3, section.quaternion, sizeof section.quaternion);
        quaternion_normalise(q + COORDINATES * n + 3);
    }
}

static void natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS])
{
    se3_log log;
    se3_between(q + COORDINATES * e, q + COORDINATES * (e + 1), &log);
    se3_strain(beam, &log, strain);
}

static void energy(const haw_beam *beam, const double *q, double energy[2])
{
    double elastic = 0.0, height = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *node = q + COORDINATES * e;
        se3_log log;
        double strain[HAW_STRAINS];
        se3_between(node, node + COORDINATES, &log);
        se3_strain(beam, &log, strain);
        for (int i = 0; i < HAW_STRAINS; i++) {
            strain[i] -= beam->natural != NULL ? beam->natural[HAW_STRAINS * e + i] : 0.0;
            elastic += beam->stiffness[i] * (strain[i] * strain[i]);
        }
        height += vec3_dot(beam->gravity, node) + vec3_dot(beam->gravity, node + COORDINATES);
    }
    energy[0] += 0.5 * beam->le * elastic;
    energy[1] -= 0.5 * beam->density * beam->le * height;
}

/* f [12] -= P^T (n, m): the same force on both nodes, so that momentum is kept to rounding. */
static inline void pull(const se3_log *log, const double b[9], const double stress[HAW_STRAINS],
                        double *f)
{
    const double *n = stress, *m = stress + 3;
    double an[3], force[3], moment[4][3];
    mat3_apply(log->a, n, an);
    mat3_apply(log->r, an, force);
    mat3_apply(b, n, moment[0]);
    mat3_apply(log->a, m, moment[1]);
    mat3_apply_t(b, n, moment[2]);
    mat3_apply_t(log->a, m, moment[3]);
    for (int i = 0; i < 3; i++) {
        f[i] += force[i];
        f[3 + i] += moment[0][i] + moment[1][i];
        f[DOFS + i] -= force[i];
        f[DOFS + 3 + i] -= moment[2][i] + moment[3][i];
    }
}

static void force(const haw_beam *beam, const double *q, const double *u, double *f, double *d)
{
    const bool is_damped = u != NULL && se3_is_damped(beam);
    const double half = 0.5 * beam->density * beam->le;
    for (int e = 0; e < beam->elements; e++) {
        se3_log log;
        double b[9], stress[HAW_STRAINS];
        double *fe = f + DOFS * e;
        se3_element(q, e, &log, b);
        se3_stress(beam, e, &log, stress);
        pull(&log, b, stress, fe);
        vec3_add(half, beam->gravity, fe);
        vec3_add(half, beam->gravity, fe + DOFS);
        if (is_damped) {
            se3_viscous(beam, &log, b, u + DOFS * e, stress);
            pull(&log, b, stress, d + DOFS * e);
        }
    }
}

/* Rotary inertia is lumped: half an element at each of its nodes. */
static double share(const haw_beam *beam, int node)
{
    return node == 0 || node == beam->elements ? 0.5 * beam->le : beam->le;
}

static void gyroscopic(const haw_beam *beam, const double *u, double *f)
{
    for (int n = 0; n <= beam->elements; n++) {
        const double *w = u + DOFS * n + 3, *j = beam->rotary;
        const double momentum[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
        double moment[3];
        vec3_cross(w, momentum, moment);
        vec3_add(-share(beam, n), moment, f + DOFS * n + 3);
    }
}

static void mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const double sixth = beam->density * beam->le / 6.0, half = 0.5 * beam->le;
    memset(m, 0, HAW_SPACE_DOFS * HAW_SPACE_DOFS * sizeof *m);
    for (int i = 0; i < 3; i++) {
        const int a = i, b = DOFS + i;
        m[HAW_SPACE_DOFS * a + a] = m[HAW_SPACE_DOFS * b + b] = 2.0 * sixth;
        m[HAW_SPACE_DOFS * a + b] = m[HAW_SPACE_DOFS * b + a] = sixth;
        m[(HAW_SPACE_DOFS + 1) * (a + 3)] = m[(HAW_SPACE_DOFS + 1) * (b + 3)] =
            half * beam->rotary[i];
    }
}

static double kinetic(const haw_beam *beam, const double *u)
{
    double translation = 0.0, rotation = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *va = u + DOFS * e, *vb = va + DOFS;
        translation += vec3_dot(va, va) + vec3_dot(va, vb) + vec3_dot(vb, vb);
    }
    for (int n = 0; n <= beam->elements; n++) {
        const double *w = u + DOFS * n + 3, *j = beam->rotary;
        rotation += share(beam, n) * (j[0] * w[0] * w[0] + j[1] * w[1] * w[1] + j[2] * w[2] * w[2]);
    }
    return beam->density * beam->le / 6.0 * translation + 0.5 * rotation;
}

static void strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                   haw_space_strain *strain)
{
    (void)s;
    se3_log log;
    double b[9], viscous[HAW_STRAINS];
    se3_element(q, e, &log, b);
    se3_strain(beam, &log, strain->strain);
    se3_stress(beam, e, &log, strain->stress);
    if (u != NULL) {
        se3_viscous(beam, &log, b, u + DOFS * e, viscous);
        for (int i = 0; i < HAW_STRAINS; i++) {
            strain->stress[i] += viscous[i];
        }
    }
    strain->tension = strain->stress[0];
    strain->curvature = hypot(strain->strain[4], strain->strain[5]);
}

static double turn(const haw_beam *beam, const double *q, int *element)
{
    double largest = 0.0;
    *element = 0;
    for (int e = 0; e < beam->elements && !isnan(largest); e++) {
        const double *node = q + COORDINATES * e;
        double w[3];
        so3_difference(node + 3, node + COORDINATES + 3, w);
        const double angle = vec3_norm(w);
        if (!(angle <= largest)) { /* in this order a NaN is found, and stays */
            largest = angle;
            *element = e;
        }
    }
    return largest;
}

const haw_space_ops haw_space_element_se3 = {
    .name = "se3",
    .summary = "geometrically exact beam of constant strain: stretch, shear, twist and bending",
    .source = "V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268 (2014)",
    .node_coordinates = COORDINATES,
    .node_dofs = DOFS,
    .has_rotations = true,
    .order = 2,
    .interpolate = interpolate,
    .natural = natural,
    .energy = energy,
    .force = force,
    .gyroscopic = gyroscopic,
    .tangent = haw_se3_tangent,
    .mass = mass,
    .kinetic = kinetic,
    .point = haw_se3_point,
    .strain = strain,
    .turn = turn,
};
