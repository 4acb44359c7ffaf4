/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of the SE(3) beam in closed form. With d = (u, w), C and B the blocks of T(d)^-1 (C is
 * log.a), R the rotation of node A and (n, m) the stress, the forces of the strain energy on
 * (x_B, theta_B, theta_A) are
 *
 *     R C n,    B^T n + C^T m,    -(B n + C m).
 *
 * Moving the nodes changes d by du = (R C)^T (dx_B - dx_A) + B dth_B - B^T dth_A and
 * dw = C dth_B - C^T dth_A. With the part of C that is odd in w,
 *
 *     S(n) = c ((w x n)~ + w~ n~) - e (w x (w x n)) w^T,     D(n) = -d(S(n) u)/dw,
 *
 * it is d(C^T n)/dw = n~/2 - S(n), d(C n)/dw = -(n~/2 + S(n)), d(B^T n)/dw = D(n), d(B n)/dw =
 * D(n) as well, and B^T n = (n~/2 - S(n)) u. Each force thus changes by
 * (matrix) du + (matrix) dw + (matrix) dth_A; multiplying out gives the 12 x 12 blocks. All depends
 * on x_B - x_A alone, so that the blocks of x_A are the negative ones of x_B.
 */
#include "element/se3_beam.h"

#include <string.h>

enum { N = HAW_SPACE_DOFS, DOFS = SE3_NODE_DOFS };

/* What a force changes with du, dw, dth_A. */
typedef struct row {
    double u[9], w[9], t[9];
} row;

typedef struct tangent {
    const haw_beam *beam;
    double rate;
    se3_log log;
    double b[9], rc[9]; /* R C */
    double stress[HAW_STRAINS];
    row x, b_turn, a_turn; /* of the forces on x_B, theta_B, theta_A */
} tangent;

/* c += factor a b. */
static inline void add_product(double factor, const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] +=
                factor * (a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]);
        }
    }
}

/* c += factor a b^T. */
static inline void add_product_t(double factor, const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] += factor * (a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] +
                                      a[3 * i + 2] * b[3 * j + 2]);
        }
    }
}

/* c += a^T b. */
static inline void add_t_product(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] += a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
        }
    }
}

/* m += S(n). */
static inline void odd(const se3_log *log, const double n[3], double m[9])
{
    const double *w = log->d + 3;
    double wn[3], wwn[3];
    vec3_cross(w, n, wn);
    vec3_cross(w, wn, wwn);
    mat3_add_skew(log->f.c, wn, m);
    mat3_add_double(log->f.c, w, n, m);
    mat3_add_outer(-log->f.e, wwn, w, m);
}

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

/* Geometric part: the stress held. */
static inline void add_geometric(tangent *t)
{
    const double *n = t->stress, *m = t->stress + 3;
    double sn[9] = {0.0}, sm[9] = {0.0}, dn[9] = {0.0}, cn[3], spin[9] = {0.0};
    odd(&t->log, n, sn);
    odd(&t->log, m, sm);
    second(&t->log, n, dn);
    mat3_apply(t->log.a, n, cn);
    mat3_add_skew(0.5, n, t->b_turn.u);
    mat3_add_skew(0.5, n, t->a_turn.u);
    mat3_add_skew(0.5, m, t->b_turn.w);
    mat3_add_skew(0.5, m, t->a_turn.w);
    mat3_add_skew(0.5, n, sn);
    add_product(-1.0, t->log.r, sn, t->x.w);
    mat3_add_skew(-0.5, n, sn);
    mat3_add_skew(1.0, cn, spin);
    add_product(-1.0, t->log.r, spin, t->x.t);
    for (int i = 0; i < 9; i++) {
        t->b_turn.u[i] -= sn[i];
        t->a_turn.u[i] += sn[i];
        t->b_turn.w[i] += dn[i] - sm[i];
        t->a_turn.w[i] += sm[i] - dn[i];
    }
}

/* dn = (EA ... + rate dEA ...) / L du, dm likewise. */
static inline void add_material(tangent *t)
{
    const double *c = t->log.a, inverse_le = 1.0 / t->beam->le;
    for (int j = 0; j < 3; j++) {
        const double *k = t->beam->stiffness, *v = t->beam->damping;
        const double kn = (k[j] + t->rate * v[j]) * inverse_le;
        const double km = (k[3 + j] + t->rate * v[3 + j]) * inverse_le;
        for (int i = 0; i < 3; i++) {
            t->x.u[3 * i + j] += t->rc[3 * i + j] * kn;
            t->b_turn.u[3 * i + j] += t->b[3 * j + i] * kn;
            t->a_turn.u[3 * i + j] -= t->b[3 * i + j] * kn;
            t->b_turn.w[3 * i + j] += c[3 * j + i] * km;
            t->a_turn.w[3 * i + j] -= c[3 * i + j] * km;
        }
    }
}

/*
 * The rates of d also follow the configuration. With z = R^T (v_B - v_A) and W = W_B - W_A,
 *
 *     d(du/dt) = Q du + (z~/2 - S(z) + D(W)) dw + C^T z~ dth_A,    d(dw/dt) = Q dw,
 *     Q = -(W_A + W_B)~/2 - S(W).
 */
static void add_viscous(tangent *t, const double *u)
{
    const double v[3] = {u[6] - u[0], u[7] - u[1], u[8] - u[2]}, *wa = u + 3, *wb = u + 9;
    double z[3], w[3], q[9] = {0.0}, x[9] = {0.0}, y[9] = {0.0}, spin[9] = {0.0}, qm[9];
    mat3_apply_t(t->log.r, v, z);
    for (int i = 0; i < 3; i++) {
        w[i] = wa[i] - wb[i];
    }
    odd(&t->log, w, q);
    mat3_add_skew(-0.5, wa, q);
    mat3_add_skew(-0.5, wb, q);
    const double minus_z[3] = {-z[0], -z[1], -z[2]}, rise[3] = {-w[0], -w[1], -w[2]};
    mat3_add_skew(0.5, z, x);
    odd(&t->log, minus_z, x);
    second(&t->log, rise, x);
    mat3_add_skew(1.0, z, spin);
    add_t_product(t->log.a, spin, y);
    for (int i = 0; i < 9; i++) {
        const double kn = t->beam->damping[i / 3] / t->beam->le;
        const double km = t->beam->damping[3 + i / 3] / t->beam->le;
        qm[i] = q[i] * km;
        q[i] *= kn;
        x[i] *= kn;
        y[i] *= kn;
    }
    const double *right[3] = {q, x, y};
    for (int i = 0; i < 3; i++) {
        double *rows[3] = {i == 0 ? t->x.u : (i == 1 ? t->x.w : t->x.t),
                           i == 0 ? t->b_turn.u : (i == 1 ? t->b_turn.w : t->b_turn.t),
                           i == 0 ? t->a_turn.u : (i == 1 ? t->a_turn.w : t->a_turn.t)};
        add_product(1.0, t->rc, right[i], rows[0]);
        add_t_product(t->b, right[i], rows[1]);
        add_product(-1.0, t->b, right[i], rows[2]);
    }
    add_t_product(t->log.a, qm, t->b_turn.w);
    add_product(-1.0, t->log.a, qm, t->a_turn.w);
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
static inline void spread(const tangent *t, const row *r, double *k)
{
    double x[9] = {0.0}, b[9] = {0.0}, a[9];
    memcpy(a, r->t, sizeof a);
    add_product_t(1.0, r->u, t->rc, x);
    add_product(1.0, r->u, t->b, b);
    add_product(1.0, r->w, t->log.a, b);
    add_product_t(-1.0, r->u, t->b, a);
    add_product_t(-1.0, r->w, t->log.a, a);
    put(k, -1.0, x);
    put(k + 3, 1.0, a);
    put(k + DOFS, 1.0, x);
    put(k + DOFS + 3, 1.0, b);
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

void haw_se3_tangent(const haw_beam *beam, int e, const double *q, const double *u, double rate,
                     double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const double *ue = u != NULL ? u + DOFS * e : NULL;
    const bool is_damped = ue != NULL && se3_is_damped(beam);
    tangent t = {.beam = beam, .rate = u != NULL ? rate : 0.0};
    se3_element(q, e, &t.log, t.b);
    se3_stress(beam, e, &t.log, t.stress);
    if (is_damped) {
        double viscous[HAW_STRAINS];
        se3_viscous(beam, &t.log, t.b, ue, viscous);
        for (int i = 0; i < HAW_STRAINS; i++) {
            t.stress[i] += viscous[i];
        }
    }
    mat3_product(t.log.r, t.log.a, t.rc);
    add_geometric(&t);
    add_material(&t);
    if (is_damped) {
        add_viscous(&t, ue);
    }
    spread(&t, &t.x, k + N * DOFS);
    spread(&t, &t.b_turn, k + N * (DOFS + 3));
    spread(&t, &t.a_turn, k + N * 3);
    for (int i = 0; i < 3 * N; i++) {
        k[i] = -k[N * DOFS + i];
    }
    if (u != NULL) {
        add_gyroscopic(beam, ue, rate, k);
    }
}
