/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-node beam on SE(3) (V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268
 * (2014) 451-474): between the nodes A and B runs the helix H_A exp(s d), d = (u, w) =
 * log(H_A^-1 H_B), with one strain d / L. With C and B the blocks of T(d)^-1 and R = R_A, the rate
 * of u is
 *
 *     du/dt = (R C)^T (v_B - v_A) + B W_B - B^T W_A.
 *
 * Material points of the SE(3) beam: x(s) = x_A + R p, p = V(h) s u with h = s w, rotation
 * R exp(h). Since exp(h) T(h) = V(h), the velocities are
 *
 *     dx/dt = v_A + R (s V du/dt + s Y dw/dt - p~ W_A),    omega = R (W_A + s V dw/dt),
 *
 * with Y = d(V y)/dh at fixed y = s u (their derivatives: two_node_point.c).

 *
 * Tangent of the SE(3) beam in closed form. With S of two_node.h, d(B^T n)/dw = d(B n)/dw = D(n),
 * D(n) = -d(S(n) u)/dw, and B^T n = (n~/2 - S(n)) u.
 */
#include "element/two_node.h"

#include <string.h>

enum { DOFS = TWO_NODE_DOFS, X = TWO_NODE_X, B = TWO_NODE_B, A = TWO_NODE_A };

static void measure(const double *node, two_node *pair)
{
    double rc[9];
    se3_between(node, node + TWO_NODE_COORDINATES, &pair->log);
    mat3_product(pair->log.r, pair->log.a, rc);
    mat3_transpose(rc, pair->j[X]);
    se3_coupling(&pair->log, pair->j[B]);
    for (int i = 0; i < 9; i++) {
        pair->j[A][i] = -pair->j[B][3 * (i % 3) + i / 3];
    }
}

/* ---- points ---- */

/* c = a x + b y for the pairs of 3 x 3 matrices. */
static void combine(const double a[9], const double x[9], const double b[9], const double y[9],
                    double c[9])
{
    double by[9];
    mat3_product(a, x, c);
    mat3_product(b, y, by);
    for (int i = 0; i < 9; i++) {
        c[i] += by[i];
    }
}

/* rv = R s V and ry = R s Y. */
static void velocities(const se3_log *log, const double rv[9], const double ry[9],
                       const double p[3], haw_space_point *point)
{
    double b[9], a_t[9], b_t[9], ra_t[9], m[9], lever[9] = {0.0};
    se3_coupling(log, b);
    mat3_transpose(log->a, a_t);
    mat3_transpose(b, b_t);
    mat3_product(log->r, log->a, m);
    mat3_transpose(m, ra_t);
    memset(point->jx, 0, sizeof point->jx);

    mat3_product(rv, ra_t, m);
    two_node_put(point->jx, 0, -1.0, m);
    two_node_put(point->jx, DOFS, 1.0, m);
    combine(rv, b, ry, log->a, m);
    two_node_put(point->jx, DOFS + 3, 1.0, m);
    combine(rv, b_t, ry, a_t, m);
    mat3_add_skew(1.0, p, lever);
    mat3_product(log->r, lever, b);
    for (int i = 0; i < 9; i++) {
        m[i] += b[i];
    }
    two_node_put(point->jx, 3, -1.0, m);

    haw_two_node_turn_rates(rv, log->r, log->a, point->jw);
    for (int i = 0; i < 3; i++) {
        point->jx[i][i] += 1.0;
    }
}

/* h = s w, s u, its factors, and p. */
typedef struct helix {
    so3_factors f;
    double h[3], along[3], v[9], p[3];
} helix;

static void place(const se3_log *log, const double *start, double s, helix *at,
                  haw_space_point *point)
{
    double rp[3], turned[9];
    for (int i = 0; i < 3; i++) {
        at->along[i] = s * log->d[i];
        at->h[i] = s * log->d[3 + i];
    }
    at->f = so3_exp_factors(vec3_dot(at->h, at->h));
    so3_polynomial(at->f.b, at->f.d, at->h, at->v);
    mat3_apply(at->v, at->along, at->p);
    mat3_apply(log->r, at->p, rp);
    so3_polynomial(at->f.s, at->f.b, at->h, turned);
    mat3_product(log->r, turned, point->rotation);
    for (int i = 0; i < 3; i++) {
        point->x[i] = start[i] + rp[i];
    }
}

static void point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                  haw_space_point *point)
{
    (void)beam;
    const double *node = q + TWO_NODE_COORDINATES * e;
    se3_log log;
    helix at;
    se3_between(node, node + TWO_NODE_COORDINATES, &log);
    place(&log, node, s, &at, point);
    if (jacobians) {
        double y[9], rv[9], turned[9];
        so3_bend(&at.f, at.h, at.along, y);
        for (int i = 0; i < 9; i++) {
            at.v[i] *= s;
            y[i] *= s;
        }
        mat3_product(log.r, at.v, rv);
        mat3_product(log.r, y, turned);
        velocities(&log, rv, turned, at.p, point);
    }
}

/* Of a helix: dx/ds = R exp(h) u, and the others by turning it with R exp(h) w. */
static void curve(const haw_beam *beam, int e, double s, const double *q, double d[3][3])
{
    (void)beam;
    haw_space_point at;
    se3_log log;
    helix own;
    double bent[3];
    const double *node = q + TWO_NODE_COORDINATES * e;
    se3_between(node, node + TWO_NODE_COORDINATES, &log);
    place(&log, node, s, &own, &at);
    mat3_apply(at.rotation, log.d, d[0]);
    vec3_cross(log.d + 3, log.d, bent);
    mat3_apply(at.rotation, bent, d[1]);
    const double once[3] = {bent[0], bent[1], bent[2]};
    vec3_cross(log.d + 3, once, bent);
    mat3_apply(at.rotation, bent, d[2]);
}

/* omega x (dx/ds) + R exp(h) du/dt. */
static void slope(const haw_beam *beam, int e, double s, const double *q,
                  double j[3][HAW_SPACE_DOFS])
{
    static const int part[4] = {X, A, X, B};
    haw_space_point at;
    two_node pair;
    double d[3], m[9];
    const double *node = q + TWO_NODE_COORDINATES * e;
    point(beam, e, s, q, true, &at);
    measure(node, &pair);
    mat3_apply(at.rotation, pair.log.d, d);
    for (int k = 0; k < 4; k++) {
        mat3_product(at.rotation, pair.j[part[k]], m);
        two_node_put(j, 3 * k, k == 0 ? -1.0 : 1.0, m);
    }
    for (int a = 0; a < HAW_SPACE_DOFS; a++) {
        const double w[3] = {at.jw[0][a], at.jw[1][a], at.jw[2][a]};
        double turned[3];
        vec3_cross(w, d, turned);
        for (int i = 0; i < 3; i++) {
            j[i][a] += turned[i];
        }
    }
}

/* ---- tangent ---- */

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
static void geometric(two_node_tangent *t)
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
static void rates(const two_node_tangent *t, const double *u, two_node_rates *rates)
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

static const two_node_kind kind = {.measure = measure, .geometric = geometric, .rates = rates};

const haw_space_ops haw_space_element_se3 = {
    .row.name = "se3",
    .row.summary = "geometrically exact beam of constant strain: stretch, shear, twist and bending",
    .row.source =
        "V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268 (2014)",
    .is_helix = true,
    .kind = &kind,
    .point = point,
    .curve = curve,
    .slope = slope,
    .point_tangent = haw_two_node_point_tangent,
    TWO_NODE_ANSWERS,
};

/*
 * Where friction holds the nodes it holds their chords. The arc between them is longer by its rise,
 * so that every turn of the frames would stretch it: dT/dw = EA w / 12. A turn of both frames
 * against the chord would press the nodes by GA, and lift them in turn (doc/theory/winding.md).
 */
const haw_space_ops haw_space_element_se3_chord = {
    .row.name = "se3-chord",
    .row.summary = "beam as se3 with the stretch of the chord, shear in series with a cubic: for "
                   "nodes that stick",
    .row.source =
        "V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268 (2014); "
        "assumed stretch: doc/theory/winding.md",
    .on_chords = true,
    .bends_as_cubic = true,
    .is_helix = true,
    .kind = &kind,
    .point = point,
    .curve = curve,
    .slope = slope,
    .point_tangent = haw_two_node_point_tangent,
    TWO_NODE_ANSWERS,
};
