/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact tangent of the ANCF cable in space: at each point the derivative of the work on x = r' and
 * y = Le r'', spread over chord and slopes, then over the nodes.
 */
#include "element/ancf_space.h"

#include <string.h>

enum { N = HAW_SPACE_DOFS };

/* Derivative of the forces on x and y: xx, xy, yx, yy [9]. */
typedef struct pair {
    double block[2][2][9];
} pair;

/* Blocks of c, a, b [9]. */
typedef struct sum {
    double block[3][3][9];
} sum;

static inline void add(double factor, const double m[9], double *to)
{
    for (int i = 0; i < 9; i++) {
        to[i] += factor * m[i];
    }
}

static inline void unit(double factor, double m[9])
{
    m[0] += factor;
    m[4] += factor;
    m[8] += factor;
}

/* c += a^T b. */
static inline void add_t_product(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        mat3_add_outer(1.0, a + 3 * i, b + 3 * i, c);
    }
}

/* N t: N / |r'| (1 - t t^T) + t dN^T, dN = (EA + rate dEA) t + dEA (1 - t t^T) dr'/dt / |r'|. */
static inline void add_stretch(const haw_beam *beam, const haw_ancf_point *point,
                               const ancf_space_stretch *p, double rate, sum *to)
{
    const double across = (p->elastic + p->viscous) / p->size;
    const double along = beam->stiffness[0] + rate * beam->damping[0];
    const double drag = beam->damping[0] / p->size;
    double m[9] = {0.0}, grow[3];
    for (int i = 0; i < 3; i++) {
        grow[i] = (along - across - drag * p->along) * p->t[i] + drag * p->rate[i];
    }
    unit(across, m);
    mat3_add_outer(1.0, p->t, grow, m);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            add(point->weight * point->slope[i] * point->slope[j], m, to->block[i][j]);
        }
    }
}

/* Jacobian of k to x and y: -(y~ + 2 k x^T) / x.x, x~ / x.x. */
static inline void jacobian(const ancf_space_turn *p, double j[2][9])
{
    memset(j, 0, 2 * sizeof *j);
    mat3_add_skew(-p->inverse, p->y, j[0]);
    mat3_add_outer(-2.0 * p->inverse, p->k, p->x, j[0]);
    mat3_add_skew(p->inverse, p->x, j[1]);
}

/* The moment m held. */
static inline void add_geometric(const ancf_space_turn *p, const double m[3], pair *h)
{
    const double factor = -2.0 * p->inverse;
    double fx[3], fy[3];
    ancf_space_work(p, m, fx, fy);
    unit(factor * vec3_dot(p->k, m), h->block[0][0]);
    mat3_add_outer(factor, p->x, fx, h->block[0][0]);
    mat3_add_outer(factor, fx, p->x, h->block[0][0]);
    mat3_add_skew(-p->inverse, m, h->block[0][1]);
    mat3_add_outer(factor, p->x, fy, h->block[0][1]);
    mat3_add_skew(p->inverse, m, h->block[1][0]);
    mat3_add_outer(factor, fy, p->x, h->block[1][0]);
}

/* dM/dk, the rate included with `rate`; and dM/d(dk/dt). */
static inline void moduli(const haw_beam *beam, int e, const ancf_space_turn *p, double rate,
                          double now[9], double drag[9])
{
    const double floored = p->square + ancf_space_straight, size = sqrt(floored);
    const double share = ancf_space_natural(beam, e, 5) * beam->le / size;
    const double viscous = beam->damping[5] / floored, along = vec3_dot(p->k, p->dk);
    const double bent = beam->stiffness[5] * share / floored;
    unit(beam->stiffness[5] * (1.0 - share) + viscous * along, now);
    mat3_add_outer(bent + viscous * (rate - 2.0 * along / floored), p->k, p->k, now);
    mat3_add_outer(viscous, p->k, p->dk, now);
    mat3_add_outer(viscous, p->k, p->k, drag);
}

/* Jacobian of dk/dt to x and y at fixed rates of both. */
static inline void rate_jacobian(const ancf_space_turn *p, double j[2][9], double dj[2][9])
{
    const double growth = -2.0 * vec3_dot(p->x, p->dx) * p->inverse;
    memset(dj, 0, 2 * sizeof *dj);
    mat3_add_skew(-p->inverse, p->dy, dj[0]);
    mat3_add_outer(-2.0 * p->inverse, p->dk, p->x, dj[0]);
    mat3_add_outer(-2.0 * p->inverse, p->k, p->dx, dj[0]);
    add(growth, j[0], dj[0]);
    mat3_add_skew(p->inverse, p->dx, dj[1]);
    add(growth, j[1], dj[1]);
}

static inline void differentiate(const haw_beam *beam, int e, const ancf_space_turn *p, double rate,
                                 pair *h)
{
    double m[3], j[2][9], dj[2][9], now[9] = {0.0}, drag[9] = {0.0};
    for (int i = 0; i < 3; i++) {
        m[i] = p->elastic[i] + p->viscous[i];
    }
    jacobian(p, j);
    rate_jacobian(p, j, dj);
    moduli(beam, e, p, rate, now, drag);
    add_geometric(p, m, h);
    for (int c = 0; c < 2; c++) {
        double change[9], follow[9];
        mat3_product(now, j[c], change);
        mat3_product(drag, dj[c], follow);
        add(1.0, follow, change);
        add_t_product(j[0], change, h->block[0][c]);
        add_t_product(j[1], change, h->block[1][c]);
    }
}

static inline void add_turn(const haw_ancf_point *point, double factor, const pair *h, sum *to)
{
    for (int i = 0; i < 3; i++) {
        const double row[2] = {factor * point->slope[i], factor * point->bend[i]};
        for (int j = 0; j < 3; j++) {
            add(row[0] * point->slope[j], h->block[0][0], to->block[i][j]);
            add(row[0] * point->bend[j], h->block[0][1], to->block[i][j]);
            add(row[1] * point->slope[j], h->block[1][0], to->block[i][j]);
            add(row[1] * point->bend[j], h->block[1][1], to->block[i][j]);
        }
    }
}

/* r0 and r1 move c by -+1 / Le, the slopes are a and b; the sum is over Le. */
static inline void spread(double le, const sum *from, double *k)
{
    static const int part[4] = {0, 1, 0, 2};
    const double scale[4] = {-1.0 / le, 1.0, 1.0 / le, 1.0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double factor = le * scale[i] * scale[j];
            const double *m = from->block[part[i]][part[j]];
            for (int r = 0; r < 9; r++) {
                k[N * (3 * i + r / 3) + 3 * j + r % 3] = factor * m[r];
            }
        }
    }
}

void haw_ancf_space_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                            double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    const haw_ancf_rule *rule = ancf_space_rule;
    const double inverse_le = 1.0 / beam->le;
    double z[3][3], v[3][3] = {{0.0}};
    sum total = {{{{0.0}}}};
    ancf_space_gather(q + ANCF_SPACE_STRIDE * e, inverse_le, z);
    if (u != NULL) {
        ancf_space_gather(u + ANCF_SPACE_STRIDE * e, inverse_le, v);
    }
    for (int g = 0; g < rule->axial; g++) {
        const haw_ancf_point *point = &rule->stretch[g];
        const ancf_space_stretch p = ancf_space_stretch_at(beam, e, point->slope, z, v);
        add_stretch(beam, point, &p, rate, &total);
    }
    for (int g = 0; g < rule->bending; g++) {
        const haw_ancf_point *point = &rule->turn[g];
        const ancf_space_turn p = ancf_space_turn_at(beam, e, point, z, v);
        pair h = {{{{0.0}}}};
        differentiate(beam, e, &p, rate, &h);
        add_turn(point, point->weight * inverse_le * inverse_le, &h, &total);
    }
    spread(beam->le, &total, k);
}
