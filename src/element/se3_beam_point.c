/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Material points of the SE(3) beam: x(s) = x_A + R p, p = V(h) s u with h = s w, rotation
 * R exp(h). Since exp(h) T(h) = V(h), the velocities are
 *
 *     dx/dt = v_A + R (s V du/dt + s Y dw/dt - p~ W_A),    omega = R (W_A + s V dw/dt),
 *
 * with Y = d(V y)/dh at fixed y = s u.
 */
#include "element/se3_beam.h"

#include <string.h>

enum { DOFS = TWO_NODE_DOFS };

/* Y = -b y~ - d ((h x y)~ + h~ y~) + (b1 h x y + d1 h x (h x y)) h^T. */
static void bend(const so3_factors *f, const double h[3], const double y[3], double m[9])
{
    double hy[3], hhy[3];
    vec3_cross(h, y, hy);
    vec3_cross(h, hy, hhy);
    memset(m, 0, 9 * sizeof *m);
    mat3_add_skew(-f->b, y, m);
    mat3_add_skew(-f->d, hy, m);
    mat3_add_double(-f->d, h, y, m);
    mat3_add_outer(f->b1, hy, h, m);
    mat3_add_outer(f->d1, hhy, h, m);
}

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

void haw_se3_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                   haw_space_point *point)
{
    (void)beam;
    const double *node = q + TWO_NODE_COORDINATES * e;
    se3_log log;
    double v[9], y[9], rv[9], p[3], rp[3], turned[9];
    se3_between(node, node + TWO_NODE_COORDINATES, &log);
    const double *u = log.d, *w = log.d + 3;
    const double h[3] = {s * w[0], s * w[1], s * w[2]}, along[3] = {s * u[0], s * u[1], s * u[2]};
    const so3_factors f = so3_exp_factors(vec3_dot(h, h));
    so3_polynomial(f.b, f.d, h, v);
    mat3_apply(v, along, p);
    mat3_apply(log.r, p, rp);
    so3_polynomial(f.s, f.b, h, turned);
    mat3_product(log.r, turned, point->rotation);
    for (int i = 0; i < 3; i++) {
        point->x[i] = node[i] + rp[i];
    }
    if (jacobians) {
        bend(&f, h, along, y);
        for (int i = 0; i < 9; i++) {
            v[i] *= s;
            y[i] *= s;
        }
        mat3_product(log.r, v, rv);
        mat3_product(log.r, y, turned);
        velocities(&log, rv, turned, p, point);
    }
}
