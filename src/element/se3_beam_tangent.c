/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of the SE(3) beam in closed form. With S of two_node.h, d(B^T n)/dw = d(B n)/dw = D(n),
 * D(n) = -d(S(n) u)/dw, and B^T n = (n~/2 - S(n)) u.
 */
#include "element/se3_beam.h"

enum { X = TWO_NODE_X, B = TWO_NODE_B, A = TWO_NODE_A };

/* m += D(n). */
static inline void second(const se3_log *log, const double n[3], double m[9])
{
    const double *u = log->d, *w = log->d + 3;
    const double c = log->f.c, e = log->f.e, along = vec3_dot(w, u);
    double wn[3], wwn[3], nu[3], wnu[3], outer[3];
    vec3_cross(w, n, wn);
    vec3_cross(w, wn, wwn);
    vec3_cross(n, u, nu);
    vec3_cross(w, nu, wnu);
    vec3_cross(wn, u, outer);
    for (int i = 0; i < 3; i++) {
        outer[i] = -e * (outer[i] + wnu[i]) + log->f.e2 * along * wwn[i];
    }
    mat3_add_outer(1.0, outer, w, m);
    mat3_add_double(-c, u, n, m);
    mat3_add_skew(c, nu, m);
    mat3_add_outer(e, wwn, u, m);
    mat3_add_skew(-e * along, wn, m);
    mat3_add_double(-e * along, w, n, m);
}

/* The frame R of the force on x turns with theta_A. */
void haw_se3_geometric(two_node_tangent *t)
{
    const se3_log *log = &t->pair.log;
    const double *n = t->stress;
    double even[9] = {0.0}, odd[9] = {0.0}, dn[9] = {0.0}, cn[3], spin[9] = {0.0};
    two_node_odd(log, n, odd);
    second(log, n, dn);
    mat3_apply(log->a, n, cn);
    mat3_add_skew(0.5, n, even);
    mat3_add_skew(1.0, cn, spin);
    for (int i = 0; i < 9; i++) {
        t->row[B].u[i] += even[i] - odd[i];
        t->row[A].u[i] += even[i] + odd[i];
        t->row[B].w[i] += dn[i];
        t->row[A].w[i] -= dn[i];
        even[i] += odd[i];
    }
    mat3_add_product(-1.0, log->r, even, t->row[X].w);
    mat3_add_product(-1.0, log->r, spin, t->row[X].a);
}

/* With z = R^T (v_B - v_A) and W = W_B - W_A,
 *
 *     d(du/dt) = Q du + (z~/2 - S(z) + D(W)) dw + C^T z~ dtheta_A. */
void haw_se3_rates(const two_node_tangent *t, const double *u, two_node_rates *rates)
{
    const se3_log *log = &t->pair.log;
    const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]}, *wa = u + 3, *wb = u + 9;
    const double rise[3] = {wb[0] - wa[0], wb[1] - wa[1], wb[2] - wa[2]};
    double z[3], spin[9] = {0.0};
    mat3_apply_t(log->r, v, z);
    const double minus_z[3] = {-z[0], -z[1], -z[2]};
    memcpy(rates->u, rates->spin, sizeof rates->u);
    mat3_add_skew(0.5, z, rates->w);
    two_node_odd(log, minus_z, rates->w);
    second(log, rise, rates->w);
    mat3_add_skew(1.0, z, spin);
    mat3_add_t_product(log->a, spin, rates->a);
}
