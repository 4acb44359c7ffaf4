/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Second derivatives of material points of the helix between two poses. With the frame R of A, d =
 * (u, w) = log(H_A^-1 H_B), h = s w and y = s u a point is x_A + R p, p = V(h) y, and its section
 * R exp(h) (se3_beam.c). A force f and a moment m that are held, in R f' and m', do the power
 *
 *     f . v_A + (p x f' + m') . W_A + sigma . dd/dt,
 *     sigma = (s V^T f', s Y^T f' + s V^T m'),  Y = d(V y)/dh.
 *
 * A turn D of A makes f' x D and m' x D of f' and m'; a change of d moves p by s (V, Y) and sigma
 * by the Hessian of f' . V(h) y and the derivative of V^T m'. Of dd/dt the change at held sigma is
 * that of a beam with this stress.
 */
#include "element/two_node.h"

#include <string.h>

enum { N = HAW_SPACE_DOFS, FORM = 3 + HAW_STRAINS }; /* a form in (W_A, dd/dt) */

/* Hessian of f . V(h) y = f . y + b f . (h x y) + d f . (h x (h x y)) over h. */
static void curl(const so3_factors *t, const double h[3], const double f[3], const double y[3],
                 double m[9])
{
    const double fy = vec3_dot(f, y), fh = vec3_dot(f, h), yh = vec3_dot(y, h);
    double side[3];
    vec3_cross(y, f, side);
    const double once = vec3_dot(h, side);
    const double twice = fh * yh - vec3_dot(h, h) * fy;
    const double even = t->b1 * once + t->d1 * twice - 2.0 * t->d * fy;
    for (int i = 0; i < 3; i++) { /* (1 / phi) d/dphi of b and d times the two gradients */
        side[i] = t->b1 * side[i] + t->d1 * (f[i] * yh + y[i] * fh - 2.0 * h[i] * fy);
    }
    memset(m, 0, 9 * sizeof *m);
    m[0] = m[4] = m[8] = even;
    mat3_add_outer(t->b2 * once + t->d2 * twice, h, h, m);
    mat3_add_outer(1.0, h, side, m);
    mat3_add_outer(1.0, side, h, m);
    mat3_add_outer(t->d, f, y, m);
    mat3_add_outer(t->d, y, f, m);
}

static void put(double form[FORM][FORM], int row, int column, const double m[9])
{
    for (int i = 0; i < 9; i++) {
        form[row + i / 3][column + i % 3] = m[i];
    }
}

/* m^T. */
static void put_t(double form[FORM][FORM], int row, int column, const double m[9])
{
    double t[9];
    mat3_transpose(m, t);
    put(form, row, column, t);
}

/* What is held, in the frame R. */
typedef struct held {
    double s, h[3], y[3], p[3];
    double f[3], m[3];
    double v[9], bend[9]; /* s V, s Y */
    so3_factors factor;
} held;

/* The form and sigma. */
static void find_form(const held *at, double form[FORM][FORM], double sigma[HAW_STRAINS])
{
    const so3_factors *t = &at->factor, back = {.b = -t->b, .d = t->d, .b1 = -t->b1, .d1 = t->d1};
    double force[9] = {0.0}, moment[9] = {0.0}, m[9], other[9], part[3];
    mat3_apply_t(at->v, at->f, sigma);
    mat3_apply_t(at->bend, at->f, sigma + 3);
    mat3_apply_t(at->v, at->m, part);
    vec3_add(1.0, part, sigma + 3);
    mat3_add_skew(1.0, at->f, force);
    mat3_add_skew(1.0, at->m, moment);
    memcpy(m, moment, sizeof m);
    mat3_add_double(1.0, at->p, at->f, m);
    memset(form, 0, FORM * sizeof *form);
    put(form, 0, 0, m);
    for (int k = 0; k < 2; k++) { /* p x f' by d, and sigma by D */
        memset(m, 0, sizeof m);
        mat3_add_product(-1.0, force, k == 0 ? at->v : at->bend, m);
        put(form, 0, 3 + 3 * k, m);
        memset(other, 0, sizeof other);
        mat3_add_t_product(k == 0 ? at->v : at->bend, force, other);
        if (k == 1) {
            mat3_add_t_product(at->v, moment, other);
        }
        put(form, 3 + 3 * k, 0, other);
    }
    so3_bend(&back, at->h, at->f, m);
    so3_bend(&back, at->h, at->m, other);
    curl(t, at->h, at->f, at->y, force);
    for (int i = 0; i < 9; i++) {
        m[i] *= at->s * at->s;
        other[i] = at->s * at->s * (other[i] + force[i]);
    }
    put(form, 3, 6, m);
    put_t(form, 6, 3, m);
    put(form, 6, 6, other);
}

/* (W_A, dd/dt) [9 x 12] of the velocities of the nodes. */
static void find_motion(const two_node *pair, double motion[FORM][N])
{
    static const int part[4] = {TWO_NODE_X, TWO_NODE_A, TWO_NODE_X, TWO_NODE_B};
    memset(motion, 0, FORM * sizeof *motion);
    for (int k = 0; k < 4; k++) {
        two_node_put(motion + 3, 3 * k, k == 0 ? -1.0 : 1.0, pair->j[part[k]]);
    }
    for (int i = 0; i < 9; i++) {
        motion[i / 3][3 + i % 3] = i % 4 == 0 ? 1.0 : 0.0;
        motion[6 + i / 3][9 + i % 3] = pair->log.a[i];
        motion[6 + i % 3][3 + i / 3] = -pair->log.a[i];
    }
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_space_ops */
void haw_two_node_point_tangent(const haw_beam *beam, int e, double s, const double *q,
                                const double f[3], const double m[3], double *k)
{
    const double *node = q + (ptrdiff_t)TWO_NODE_COORDINATES * e;
    two_node_tangent t = {.beam = beam};
    held at = {.s = s};
    double r[9], form[FORM][FORM], motion[FORM][N];
    haw_two_node_measure(beam, e, q, &t.pair);
    const double *d = t.pair.log.d;
    quaternion_matrix(node + 3, r);
    mat3_apply_t(r, f, at.f);
    mat3_apply_t(r, m, at.m);
    for (int i = 0; i < 3; i++) {
        at.y[i] = s * d[i];
        at.h[i] = s * d[3 + i];
    }
    at.factor = so3_exp_factors(vec3_dot(at.h, at.h));
    so3_polynomial(at.factor.b, at.factor.d, at.h, at.v);
    mat3_apply(at.v, at.y, at.p);
    so3_bend(&at.factor, at.h, at.y, at.bend);
    for (int i = 0; i < 9; i++) {
        at.v[i] *= s;
        at.bend[i] *= s;
    }
    find_form(&at, form, t.stress);
    find_motion(&t.pair, motion);
    haw_two_node_add_held(&t, -1.0, k);
    for (int b = 0; b < N; b++) {
        double change[FORM] = {0.0};
        for (int i = 0; i < FORM; i++) {
            for (int j = 0; j < FORM; j++) {
                change[i] += form[i][j] * motion[j][b];
            }
        }
        for (int a = 0; a < N; a++) {
            for (int i = 0; i < FORM; i++) {
                k[N * a + b] -= motion[i][a] * change[i];
            }
        }
    }
}

/* R exp(h) dw/dt. */
void haw_two_node_twist(const haw_beam *beam, int e, double s, const double *q,
                        double j[3][HAW_SPACE_DOFS])
{
    haw_space_point at;
    two_node pair;
    double m[9], c_t[9];
    beam->ops->point(beam, e, s, q, false, &at);
    haw_two_node_measure(beam, e, q, &pair);
    memset(j, 0, 3 * sizeof *j);
    mat3_transpose(pair.log.a, c_t);
    mat3_product(at.rotation, c_t, m);
    two_node_put(j, 3, -1.0, m);
    mat3_product(at.rotation, pair.log.a, m);
    two_node_put(j, 9, 1.0, m);
}
