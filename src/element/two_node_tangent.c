/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of beams of two poses in closed form. Moving the nodes changes d by
 *
 *     du = J_X (dx_B - dx_A) + J_B dtheta_B + J_A dtheta_A,    dw = C dtheta_B - C^T dtheta_A
 *
 * and each force by (matrix) du + (matrix) dw, besides what its kind turns with the nodes;
 * multiplying out gives the 12 x 12 blocks. All depends on x_B - x_A alone, so that the blocks of
 * x_A are the negative ones of x_B.
 */
#include "element/two_node.h"

#include <math.h>
#include <string.h>

enum { N = HAW_SPACE_DOFS, DOFS = TWO_NODE_DOFS, X = TWO_NODE_X, B = TWO_NODE_B, A = TWO_NODE_A };

/* The moment held. */
static void add_moment(two_node_tangent *t)
{
    const double *m = t->stress + 3;
    double odd[9] = {0.0};
    two_node_odd(&t->pair.log, m, odd);
    mat3_add_skew(0.5, m, t->row[B].w);
    mat3_add_skew(0.5, m, t->row[A].w);
    for (int i = 0; i < 9; i++) {
        t->row[B].w[i] -= odd[i];
        t->row[A].w[i] += odd[i];
    }
}

/*
 * dn = D du at held rates, D = diag(EA + rate dEA, ...) / L. On chords, with the unit vector e of u
 * and P = I - e e^T, D = (EA + rate dEA) / L e e^T + N / |u| P + diag(0, GA.., GA..) / L.
 */
static void find_material(const two_node_tangent *t, double d[9])
{
    const double *z = t->pair.log.d, inverse_le = 1.0 / t->beam->le, *v = t->beam->damping;
    double k[3];
    for (int i = 0; i < 3; i++) {
        k[i] = inverse_le * (haw_two_node_stiffness(t->beam, i) + t->rate * v[i]);
    }
    for (int i = 0; i < 9; i++) {
        d[i] = i % 4 == 0 ? k[i / 4] : 0.0;
    }
    if (t->beam->ops->on_chords) {
        const double square = vec3_dot(z, z), across = t->axial / sqrt(square);
        d[0] = across;
        d[4] += across;
        d[8] += across;
        mat3_add_outer((k[0] - across) / square, z, z, d);
    }
}

/* dn = D du, dm = (GJ ... + rate dGJ ...) / L dw. */
static void add_material(two_node_tangent *t)
{
    const double *c = t->pair.log.a, inverse_le = 1.0 / t->beam->le;
    const double *k = t->beam->stiffness, *v = t->beam->damping;
    double d[9];
    find_material(t, d);
    for (int i = 0; i < 3; i++) {
        mat3_add_t_product(t->pair.j[i], d, t->row[i].u);
    }
    for (int j = 0; j < 3; j++) {
        const double km = (k[3 + j] + t->rate * v[3 + j]) * inverse_le;
        for (int i = 0; i < 3; i++) {
            t->row[B].w[3 * i + j] += c[3 * j + i] * km;
            t->row[A].w[3 * i + j] -= c[3 * i + j] * km;
        }
    }
}

/* m <- V m, V = diag(dEA, ..) / L; on chords the first entry acts along u: e e^T dEA / L. */
static void damp(const two_node_tangent *t, double m[9])
{
    const double *z = t->pair.log.d, inverse_le = 1.0 / t->beam->le, *v = t->beam->damping;
    double along[3] = {0.0};
    if (t->beam->ops->on_chords) {
        for (int j = 0; j < 3; j++) {
            along[j] = (z[0] * m[j] + z[1] * m[3 + j] + z[2] * m[6 + j]) / vec3_dot(z, z);
        }
    }
    for (int i = 0; i < 9; i++) {
        m[i] *= t->beam->ops->on_chords && i < 3 ? 0.0 : v[i / 3] * inverse_le;
    }
    mat3_add_outer(v[0] * inverse_le, z, along, m);
}

/* On chords also the direction of u turns: dN = dEA / L (du/dt)^T P du / |u|. */
static void add_turning(const two_node_tangent *t, const double *u, double m[9])
{
    const double *z = t->pair.log.d, square = vec3_dot(z, z);
    double rate[HAW_STRAINS];
    haw_two_node_rate(&t->pair, u, rate);
    vec3_add(-vec3_dot(z, rate) / square, z, rate);
    mat3_add_outer(t->beam->damping[0] / (t->beam->le * square), z, rate, m);
}

/* The rates of d also follow the configuration: d(dw/dt) = Q dw, Q = -(W_A + W_B)~/2 - S(W),
 * W = W_B - W_A, and d(du/dt) as the kind has it. */
static void add_viscous(two_node_tangent *t, const double *u)
{
    const double *wa = u + 3, *wb = u + 9, w[3] = {wa[0] - wb[0], wa[1] - wb[1], wa[2] - wb[2]};
    const two_node_kind *kind = t->beam->ops->kind;
    two_node_rates rates = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    two_node_odd(&t->pair.log, w, rates.spin);
    mat3_add_skew(-0.5, wa, rates.spin);
    mat3_add_skew(-0.5, wb, rates.spin);
    kind->rates(t, u, &rates);
    damp(t, rates.u);
    damp(t, rates.w);
    damp(t, rates.a);
    damp(t, rates.b);
    if (t->beam->ops->on_chords) {
        add_turning(t, u, rates.u);
    }
    for (int i = 0; i < 9; i++) {
        rates.spin[i] *= t->beam->damping[3 + i / 3] / t->beam->le;
    }
    for (int i = 0; i < 3; i++) {
        mat3_add_t_product(t->pair.j[i], rates.u, t->row[i].u);
        mat3_add_t_product(t->pair.j[i], rates.w, t->row[i].w);
        mat3_add_t_product(t->pair.j[i], rates.a, t->row[i].a);
        mat3_add_t_product(t->pair.j[i], rates.b, t->row[i].b);
    }
    mat3_add_t_product(t->pair.log.a, rates.spin, t->row[B].w);
    mat3_add_product(-1.0, t->pair.log.a, rates.spin, t->row[A].w);
}

/* c -= a b^T. */
static inline void subtract_product_t(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] -= vec3_dot(a + 3 * i, b + 3 * j);
        }
    }
}

static inline void put(double *k, double factor, const double m[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            k[N * i + j] = factor * m[3 * i + j];
        }
    }
}

/* One row of blocks: columns x_A, theta_A, x_B, theta_B. */
static inline void spread(const two_node *pair, two_node_row *row, double *k)
{
    double x[9] = {0.0};
    mat3_add_product(1.0, row->u, pair->j[X], x);
    mat3_add_product(1.0, row->u, pair->j[B], row->b);
    mat3_add_product(1.0, row->w, pair->log.a, row->b);
    mat3_add_product(1.0, row->u, pair->j[A], row->a);
    subtract_product_t(row->w, pair->log.a, row->a);
    put(k, -1.0, x);
    put(k + 3, 1.0, row->a);
    put(k + DOFS, 1.0, x);
    put(k + DOFS + 3, 1.0, row->b);
}

/* rate times W~ J - (J W)~ of half an element at each node. */
static void add_gyroscopic(const haw_beam *beam, const double *u, double rate, double *k)
{
    const double share = 0.5 * rate * beam->le, *j = beam->rotary;
    for (int node = 0; node < 2; node++) {
        const double *w = u + DOFS * node + 3;
        const double momentum[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
        double m[9] = {0.0}, *to = k + (N + 1) * (DOFS * node + 3);
        mat3_add_skew(share, w, m);
        for (int i = 0; i < 9; i++) {
            m[i] *= j[i % 3];
        }
        mat3_add_skew(-share, momentum, m);
        for (int i = 0; i < 9; i++) {
            to[N * (i / 3) + i % 3] += m[i];
        }
    }
}

void haw_two_node_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                          double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const two_node_kind *kind = beam->ops->kind;
    two_node_tangent now = {.beam = beam, .rate = u != NULL ? rate : 0.0}, *t = &now;
    const double *ue = u != NULL ? u + DOFS * e : NULL;
    const bool is_damped = ue != NULL && haw_two_node_is_damped(beam);
    kind->measure(q + TWO_NODE_COORDINATES * e, &t->pair);
    haw_two_node_stress(t->beam, e, &t->pair, t->stress);
    if (is_damped) {
        double viscous[HAW_STRAINS];
        haw_two_node_viscous(t->beam, &t->pair, ue, viscous);
        for (int i = 0; i < HAW_STRAINS; i++) {
            t->stress[i] += viscous[i];
        }
    }
    t->axial = t->stress[0];
    haw_two_node_align(t->beam, &t->pair, t->stress);
    kind->geometric(t);
    add_moment(t);
    add_material(t);
    if (is_damped) {
        add_viscous(t, ue);
    }
    spread(&t->pair, &t->row[X], k + N * DOFS);
    spread(&t->pair, &t->row[B], k + N * (DOFS + 3));
    spread(&t->pair, &t->row[A], k + N * 3);
    for (int i = 0; i < 3 * N; i++) {
        k[i] = -k[N * DOFS + i];
    }
    if (u != NULL) {
        add_gyroscopic(t->beam, ue, t->rate, k);
    }
}
