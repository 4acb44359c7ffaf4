/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Corotational beam of two nodes (M. A. Crisfield, Comput. Methods Appl. Mech. Eng. 81 (1990)
 * 131-150): stretch of the chord, twist and bending of the frames' turn w = log(R_A^T R_B), and
 * their common turn against the chord, seen from the middle frame (M. A. Crisfield, G. Jelenic,
 * Proc. R. Soc. A 455 (1999) 1125-1147). With R_m = R_A exp(w/2) and r = x_B - x_A, d = (z, w),
 * z = R_m^T r,
 *
 *     V = L/2 [ EA (|z|/L - 1)^2 + GA* (z_2^2 + z_3^2)/L^2 + w^T diag(GJ, EI, EI) w / L^2 ],
 *
 * GA* the stiffness of shear and of the cubic in series (two_node.h), so that a straight element
 * has the stiffness matrix of Hermite's cubic. The middle frame turns by
 *
 *     dtheta_m = M dtheta_B + M^T dtheta_A,    M = 1/2 + t w~,    t = tan(phi/4) / (2 phi),
 *
 * so that dz/dt = R_m^T (v_B - v_A) + z~ (M W_B + M^T W_A).
 */
#include "element/two_node.h"

#include <string.h>

enum { X = TWO_NODE_X, B = TWO_NODE_B, A = TWO_NODE_A, TERMS = 11 };

/*
 * t and t1 = (dt/dphi) / phi at x = phi^2. tan has poles at odd multiples of pi/2:
 * t = sum_k 4 / ((2k - 1)^2 4 pi^2 - x), the first as it is, the others as their series, which
 * has a ratio of 1/36 at phi = pi.
 */
static void middle(double x, double t[2])
{
    static const double rest[TERMS] = {
        2.36788163576622280593e-02, 3.76711029955828662400e-05, 9.40745856758981628179e-08,
        2.55537160193209583212e-10, 7.10829816402210205585e-13, 1.99254615837922601292e-15,
        5.59999479485713566343e-18, 1.57530661596913449933e-20, 4.43285968965197511488e-23,
        1.24753697730039980388e-25, 3.51108225036913757514e-28,
    };
    const double pole = 1.0 / (39.4784176043574344753 - x);
    double p[3];
    series_sum(TERMS, rest, x, p);
    t[0] = 4.0 * pole + p[0];
    t[1] = 8.0 * pole * pole + 2.0 * p[1];
}

/* M. */
static void share(double t, const double w[3], double m[9])
{
    for (int i = 0; i < 9; i++) {
        m[i] = i % 4 == 0 ? 0.5 : 0.0;
    }
    mat3_add_skew(t, w, m);
}

/* c = x~ M or x~ M^T of +-t. */
static void lever(const double x[3], double t, const double w[3], double c[9])
{
    for (int i = 0; i < 9; i++) {
        c[i] = 0.0;
    }
    mat3_add_skew(0.5, x, c);
    mat3_add_double(t, x, w, c);
}

/* The quaternion between a and b is that of their sum, with the signs of the shorter way. */
static void middle_frame(const double a[4], const double b[4], double r[9])
{
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double mean[4];
    for (int i = 0; i < 4; i++) {
        mean[i] = dot < 0.0 ? a[i] - b[i] : a[i] + b[i];
    }
    quaternion_normalise(mean);
    quaternion_matrix(mean, r);
}

static void measure(const double *node, two_node *pair)
{
    const double *a = node, *b = node + TWO_NODE_COORDINATES;
    const double chord[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    se3_log *log = &pair->log;
    double *z = log->d, *w = log->d + 3, t[2];
    middle_frame(a + 3, b + 3, log->r);
    mat3_apply_t(log->r, chord, z);
    so3_difference(a + 3, b + 3, w);
    const double x = vec3_dot(w, w);
    log->f = so3_inverse_factors(x);
    so3_polynomial(0.5, log->f.c, w, log->a);
    middle(x, t);
    mat3_transpose(log->r, pair->j[X]);
    lever(z, t[0], w, pair->j[B]);
    lever(z, -t[0], w, pair->j[A]);
}

/* m += d(t w x y)/dw at fixed y. */
static void add_turn(const double t[2], const double w[3], const double y[3], double m[9])
{
    double wy[3];
    vec3_cross(w, y, wy);
    mat3_add_skew(-t[0], y, m);
    mat3_add_outer(t[1], wy, w, m);
}

/* With y = n x z the forces of n are R_m n, M^T y, M y. */
static void geometric(two_node_tangent *t)
{
    const double *n = t->stress, *z = t->pair.log.d, *w = t->pair.log.d + 3;
    double y[3], factor[2], m[9], spin[9] = {0.0}, m_t[9], turn[9] = {0.0}, rn[9] = {0.0};
    vec3_cross(n, z, y);
    middle(vec3_dot(w, w), factor);
    share(factor[0], w, m);
    mat3_transpose(m, m_t);
    mat3_add_skew(1.0, n, spin);
    mat3_add_product(-1.0, t->pair.log.r, spin, rn);
    mat3_add_product(1.0, rn, m, t->row[X].b);
    mat3_add_product(1.0, rn, m_t, t->row[X].a);
    mat3_add_product(1.0, m_t, spin, t->row[B].u);
    mat3_add_product(1.0, m, spin, t->row[A].u);
    add_turn(factor, w, y, turn);
    for (int i = 0; i < 9; i++) {
        t->row[B].w[i] -= turn[i];
        t->row[A].w[i] += turn[i];
    }
}

/* With W_m = M W_B + M^T W_A and v = R_m^T (v_B - v_A),
 *
 *     d(dz/dt) = -W_m~ dz + z~ d(t w x (W_B - W_A)) + v~ dtheta_m. */
static void rates(const two_node_tangent *t, const double *u, two_node_rates *rates)
{
    const se3_log *log = &t->pair.log;
    const double *z = log->d, *w = log->d + 3, *wa = u + 3, *wb = u + 9;
    const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]};
    const double rise[3] = {wb[0] - wa[0], wb[1] - wa[1], wb[2] - wa[2]};
    double factor[2], along[3], turn[9] = {0.0}, arm[9] = {0.0}, side[3];
    middle(vec3_dot(w, w), factor);
    vec3_cross(w, rise, side);
    for (int i = 0; i < 3; i++) {
        side[i] = 0.5 * (wa[i] + wb[i]) + factor[0] * side[i];
    }
    mat3_add_skew(-1.0, side, rates->u);
    add_turn(factor, w, rise, turn);
    mat3_add_skew(1.0, z, arm);
    mat3_add_product(1.0, arm, turn, rates->w);
    mat3_apply_t(log->r, v, along);
    lever(along, factor[0], w, rates->b);
    lever(along, -factor[0], w, rates->a);
}

static const two_node_kind kind = {.measure = measure, .geometric = geometric, .rates = rates};

/* Hermite's cubic through the nodes along their first axes, in x: values, and L times slopes. */
static void hermite(double s, double le, double h[4])
{
    const double r = 1.0 - s;
    h[0] = r * r * (1.0 + 2.0 * s);
    h[1] = le * s * r * r;
    h[2] = s * s * (3.0 - 2.0 * s);
    h[3] = -le * s * s * r;
}

/* x, and where wanted dx/dt = h0 v_A + h1 R_A (W_A x e1) + ... */
static void place(const haw_beam *beam, double s, const double *a, haw_space_point *point,
                  bool jacobians)
{
    double h[4];
    hermite(s, beam->le, h);
    memset(point->x, 0, sizeof point->x);
    if (jacobians) {
        memset(point->jx, 0, sizeof point->jx);
    }
    for (int end = 0; end < 2; end++) {
        const double *node = a + TWO_NODE_COORDINATES * end, slope = h[2 * end + 1];
        const int column = TWO_NODE_DOFS * end;
        double r[9];
        quaternion_matrix(node + 3, r);
        for (int i = 0; i < 3; i++) {
            point->x[i] += h[2 * end] * node[i] + slope * r[3 * i];
            if (jacobians) { /* R (W x e1) = W_3 R e2 - W_2 R e3 */
                point->jx[i][column + i] = h[2 * end];
                point->jx[i][column + 4] = -slope * r[3 * i + 2];
                point->jx[i][column + 5] = slope * r[3 * i + 1];
            }
        }
    }
}

static void position(const haw_beam *beam, int e, double s, const double *q, double x[3])
{
    double h[4];
    hermite(s, beam->le, h);
    x[0] = x[1] = x[2] = 0.0;
    for (int end = 0; end < 2; end++) {
        const double *node = q + (ptrdiff_t)TWO_NODE_COORDINATES * (e + end);
        double r[9];
        quaternion_matrix(node + 3, r);
        for (int i = 0; i < 3; i++) {
            x[i] += h[2 * end] * node[i] + h[2 * end + 1] * r[3 * i];
        }
    }
}

/* Control points are the nodes, and le / 3 along their first axes from there. */
static void polygon(const haw_beam *beam, int e, const double *q, double p[4][3])
{
    for (int end = 0; end < 2; end++) {
        const double *node = q + (ptrdiff_t)TWO_NODE_COORDINATES * (e + end);
        const double leg = end == 0 ? beam->le / 3.0 : -beam->le / 3.0;
        double r[9];
        quaternion_matrix(node + 3, r);
        for (int i = 0; i < 3; i++) {
            p[3 * end][i] = node[i];
            p[1 + end][i] = node[i] + leg * r[3 * i];
        }
    }
}

/* By the legs between these, of which those at the nodes have all digits. */
static void curve(const haw_beam *beam, int e, double s, const double *q, double d[3][3])
{
    const double *a = q + TWO_NODE_COORDINATES * e, third = beam->le / 3.0, r = 1.0 - s;
    double leg[3][3], turned[2][9];
    quaternion_matrix(a + 3, turned[0]);
    quaternion_matrix(a + TWO_NODE_COORDINATES + 3, turned[1]);
    for (int i = 0; i < 3; i++) {
        leg[0][i] = third * turned[0][3 * i];
        leg[2][i] = third * turned[1][3 * i];
        leg[1][i] = a[TWO_NODE_COORDINATES + i] - a[i] - leg[0][i] - leg[2][i];
        d[0][i] = 3.0 * (r * r * leg[0][i] + 2.0 * s * r * leg[1][i] + s * s * leg[2][i]);
        d[1][i] = 6.0 * (r * (leg[1][i] - leg[0][i]) + s * (leg[2][i] - leg[1][i]));
        d[2][i] = 6.0 * (leg[2][i] - 2.0 * leg[1][i] + leg[0][i]);
    }
}

static void slope(const haw_beam *beam, int e, double s, const double *q,
                  double j[3][HAW_SPACE_DOFS])
{
    const double r = 1.0 - s, apart = 6.0 * s * r;
    const double along[2] = {beam->le * r * (r - 2.0 * s), beam->le * s * (s - 2.0 * r)};
    memset(j, 0, 3 * sizeof *j);
    for (int end = 0; end < 2; end++) {
        const double *node = q + (ptrdiff_t)TWO_NODE_COORDINATES * (e + end);
        const int column = TWO_NODE_DOFS * end;
        double turned[9];
        quaternion_matrix(node + 3, turned);
        for (int i = 0; i < 3; i++) {
            j[i][column + i] = end == 0 ? -apart : apart;
            j[i][column + 4] = -along[end] * turned[3 * i + 2];
            j[i][column + 5] = along[end] * turned[3 * i + 1];
        }
    }
}

/* x on the cubic that the stiffness is of, the rotation R_A exp(s w). */
static void point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                  haw_space_point *point)
{
    const double *a = q + TWO_NODE_COORDINATES * e, *b = a + TWO_NODE_COORDINATES;
    double w[3], h[3], r[9], v[9], c[9], rv[9];
    place(beam, s, a, point, jacobians);
    so3_difference(a + 3, b + 3, w);
    for (int i = 0; i < 3; i++) {
        h[i] = s * w[i];
    }
    const so3_factors f = so3_exp_factors(vec3_dot(h, h));
    quaternion_matrix(a + 3, r);
    so3_polynomial(f.s, f.b, h, v);
    mat3_product(r, v, point->rotation);
    if (!jacobians) {
        return;
    }
    so3_polynomial(f.b, f.d, h, v);
    for (int i = 0; i < 9; i++) {
        v[i] *= s;
    }
    mat3_product(r, v, rv);
    so3_tangent_inverse(w, c);
    haw_two_node_turn_rates(rv, r, c, point->jw);
}

/*
 * Of R (W x e1) . f with the turn D of the node: (f_n . W) D_1 - f_n1 W . D, f_n = R^T f. The
 * sections between the nodes turn as those of a helix.
 */
/* A row of haw_space_ops. NOLINTNEXTLINE(readability-function-size) */
static void point_tangent(const haw_beam *beam, int e, double s, const double *q, const double f[3],
                          const double m[3], double *k)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double h[4];
    hermite(s, beam->le, h);
    haw_two_node_point_tangent(beam, e, s, q, none, m, k);
    for (int end = 0; end < 2; end++) {
        const double *node = q + (ptrdiff_t)TWO_NODE_COORDINATES * (e + end);
        const int turn = TWO_NODE_DOFS * end + 3;
        double r[9], own[3];
        quaternion_matrix(node + 3, r);
        mat3_apply_t(r, f, own);
        for (int a = 1; a < 3; a++) {
            k[HAW_SPACE_DOFS * (turn + a) + turn] -= h[2 * end + 1] * own[a];
            k[(HAW_SPACE_DOFS + 1) * (turn + a)] += h[2 * end + 1] * own[0];
        }
    }
}

const haw_space_ops haw_space_element_corotational = {
    .row.name = "corotational",
    .row.summary = "beam of two nodes: stretch of the chord, twist, bending as a cubic",
    .row.source = "M. A. Crisfield, Comput. Methods Appl. Mech. Eng. 81 (1990) 131-150",
    .on_chords = true,
    .bends_as_cubic = true,
    .kind = &kind,
    .point = point,
    .position = position,
    .polygon = polygon,
    .curve = curve,
    .slope = slope,
    .point_tangent = point_tangent,
    TWO_NODE_ANSWERS,
};
