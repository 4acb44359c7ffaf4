/* SPDX-License-Identifier: BSD-3-Clause */
/* Beams of two poses: energy, forces, inertia of translation (consistent) and rotation (lumped). */
#include "element/two_node.h"

#include <string.h>

enum { COORDINATES = TWO_NODE_COORDINATES, DOFS = TWO_NODE_DOFS };

static void measure(const haw_beam *beam, const double *node, two_node *pair)
{
    const two_node_kind *kind = beam->ops->kind;
    kind->measure(node, pair);
}

void haw_two_node_interpolate(const haw_beam *beam, haw_space_curve curve, const void *user,
                              double *q)
{
    for (int n = 0; n <= beam->elements; n++) {
        haw_section section;
        curve(user, n * beam->le, &section);
        memcpy(q + COORDINATES * n, section.x, sizeof section.x);
        memcpy(q + COORDINATES * n + 3, section.quaternion, sizeof section.quaternion);
        quaternion_normalise(q + COORDINATES * n + 3);
    }
}

/* Of the straight reference. */
static void strains(const haw_beam *beam, const two_node *pair, double strain[HAW_STRAINS])
{
    const double inverse_le = 1.0 / beam->le;
    for (int i = 0; i < HAW_STRAINS; i++) {
        strain[i] = pair->log.d[i] * inverse_le;
    }
    strain[0] = (beam->ops->on_chords ? vec3_norm(pair->log.d) * inverse_le : strain[0]) - 1.0;
}

double haw_two_node_stiffness(const haw_beam *beam, int i)
{
    if (!beam->ops->on_chords || (i != 1 && i != 2)) {
        return beam->stiffness[i];
    }
    const double shear = beam->stiffness[i];
    const double bending = 12.0 * beam->stiffness[6 - i] / (beam->le * beam->le);
    return shear > 0.0 ? shear * bending / (shear + bending) : 0.0;
}

void haw_two_node_stress(const haw_beam *beam, int e, const two_node *pair,
                         double stress[HAW_STRAINS])
{
    strains(beam, pair, stress);
    for (int i = 0; i < HAW_STRAINS; i++) {
        const double natural = beam->natural != NULL ? beam->natural[HAW_STRAINS * e + i] : 0.0;
        stress[i] = haw_two_node_stiffness(beam, i) * (stress[i] - natural);
    }
}

void haw_two_node_align(const haw_beam *beam, const two_node *pair, double stress[HAW_STRAINS])
{
    if (beam->ops->on_chords) {
        const double along = stress[0] / vec3_norm(pair->log.d);
        stress[0] = 0.0;
        vec3_add(along, pair->log.d, stress);
    }
}

void haw_two_node_rate(const two_node *pair, const double *u, double rate[HAW_STRAINS])
{
    const double *wa = u + 3, *wb = u + DOFS + 3;
    const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]};
    double part[4][3];
    mat3_apply(pair->j[TWO_NODE_X], v, rate);
    mat3_apply(pair->j[TWO_NODE_B], wb, part[0]);
    mat3_apply(pair->j[TWO_NODE_A], wa, part[1]);
    mat3_apply(pair->log.a, wb, part[2]);
    mat3_apply_t(pair->log.a, wa, part[3]);
    for (int i = 0; i < 3; i++) {
        rate[i] += part[0][i] + part[1][i];
        rate[3 + i] = part[2][i] - part[3][i];
    }
}

void haw_two_node_viscous(const haw_beam *beam, const two_node *pair, const double *u,
                          double stress[HAW_STRAINS])
{
    const double *z = pair->log.d;
    haw_two_node_rate(pair, u, stress);
    if (beam->ops->on_chords) {
        stress[0] = vec3_dot(z, stress) / vec3_norm(z);
    }
    for (int i = 0; i < HAW_STRAINS; i++) {
        stress[i] *= beam->damping[i] / beam->le;
    }
}

bool haw_two_node_is_damped(const haw_beam *beam)
{
    double sum = 0.0;
    for (int i = 0; i < HAW_STRAINS; i++) {
        sum += beam->damping[i];
    }
    return sum > 0.0;
}

void haw_two_node_natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS])
{
    two_node pair;
    measure(beam, q + COORDINATES * e, &pair);
    strains(beam, &pair, strain);
}

void haw_two_node_energy(const haw_beam *beam, const double *q, double energy[2])
{
    double elastic = 0.0, height = 0.0;
    for (int e = 0; e < beam->elements; e++) {
        const double *node = q + COORDINATES * e;
        double strain[HAW_STRAINS];
        haw_two_node_natural(beam, e, q, strain);
        for (int i = 0; i < HAW_STRAINS; i++) {
            strain[i] -= beam->natural != NULL ? beam->natural[HAW_STRAINS * e + i] : 0.0;
            elastic += haw_two_node_stiffness(beam, i) * (strain[i] * strain[i]);
        }
        height += vec3_dot(beam->gravity, node) + vec3_dot(beam->gravity, node + COORDINATES);
    }
    energy[0] += 0.5 * beam->le * elastic;
    energy[1] -= 0.5 * beam->density * beam->le * height;
}

/* f [12] -= P^T (n, m): the same force on both nodes, so that momentum is kept to rounding. */
static void pull(const two_node *pair, const double stress[HAW_STRAINS], double *f)
{
    const double *n = stress, *m = stress + 3;
    double force[3], moment[4][3];
    mat3_apply_t(pair->j[TWO_NODE_X], n, force);
    mat3_apply_t(pair->j[TWO_NODE_A], n, moment[0]);
    mat3_apply(pair->log.a, m, moment[1]);
    mat3_apply_t(pair->j[TWO_NODE_B], n, moment[2]);
    mat3_apply_t(pair->log.a, m, moment[3]);
    for (int i = 0; i < 3; i++) {
        f[i] += force[i];
        f[3 + i] -= moment[0][i] - moment[1][i];
        f[DOFS + i] -= force[i];
        f[DOFS + 3 + i] -= moment[2][i] + moment[3][i];
    }
}

void haw_two_node_force(const haw_beam *beam, const double *q, const double *u, double *f,
                        double *d)
{
    const bool is_damped = u != NULL && haw_two_node_is_damped(beam);
    const double half = 0.5 * beam->density * beam->le;
    for (int e = 0; e < beam->elements; e++) {
        two_node pair;
        double stress[HAW_STRAINS], *fe = f + DOFS * e;
        measure(beam, q + COORDINATES * e, &pair);
        haw_two_node_stress(beam, e, &pair, stress);
        haw_two_node_align(beam, &pair, stress);
        pull(&pair, stress, fe);
        vec3_add(half, beam->gravity, fe);
        vec3_add(half, beam->gravity, fe + DOFS);
        if (is_damped) {
            haw_two_node_viscous(beam, &pair, u + DOFS * e, stress);
            haw_two_node_align(beam, &pair, stress);
            pull(&pair, stress, d + DOFS * e);
        }
    }
}

/* Rotary inertia is lumped: half an element at each of its nodes. */
static double share(const haw_beam *beam, int node)
{
    return node == 0 || node == beam->elements ? 0.5 * beam->le : beam->le;
}

void haw_two_node_gyroscopic(const haw_beam *beam, const double *u, double *f)
{
    for (int n = 0; n <= beam->elements; n++) {
        const double *w = u + DOFS * n + 3, *j = beam->rotary;
        const double momentum[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
        double moment[3];
        vec3_cross(w, momentum, moment);
        vec3_add(-share(beam, n), moment, f + DOFS * n + 3);
    }
}

void haw_two_node_mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
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

double haw_two_node_kinetic(const haw_beam *beam, const double *u)
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

void haw_two_node_strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                         haw_space_strain *strain)
{
    two_node pair;
    double viscous[HAW_STRAINS];
    (void)s; /* constant in the element */
    measure(beam, q + COORDINATES * e, &pair);
    strains(beam, &pair, strain->strain);
    haw_two_node_stress(beam, e, &pair, strain->stress);
    if (u != NULL) {
        haw_two_node_viscous(beam, &pair, u + DOFS * e, viscous);
        for (int i = 0; i < HAW_STRAINS; i++) {
            strain->stress[i] += viscous[i];
        }
    }
    strain->tension = strain->stress[0];
    strain->curvature = hypot(strain->strain[4], strain->strain[5]);
}

double haw_two_node_turn(const haw_beam *beam, const double *q, int *element)
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

/* R (W_A + s V dw/dt). */
void haw_two_node_turn_rates(const double rv[9], const double r[9], const double c[9],
                             double (*jw)[HAW_SPACE_DOFS])
{
    double m[9], c_t[9];
    memset(jw, 0, 3 * sizeof *jw);
    mat3_product(rv, c, m);
    two_node_put(jw, DOFS + 3, 1.0, m);
    mat3_transpose(c, c_t);
    mat3_product(rv, c_t, m);
    for (int i = 0; i < 9; i++) {
        m[i] = r[i] - m[i];
    }
    two_node_put(jw, 3, 1.0, m);
}
