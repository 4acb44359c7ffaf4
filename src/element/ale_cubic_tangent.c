/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of the cubic contact element over z = (c, r1', r2') of the kernel: with B_i = (h_i,
 * k_i/L) of x = r', y = r'' and the modulus (S, D) of a place,
 *
 *     K_ij = sum w B_i' (S B_j + D T_j),   T_j = d(x', y')/dz_j,
 *
 * where T is the part of the rates at a fixed label that moves with the shape: with
 * e = d((s - s1)/L)/dt and c' = (r2 - r1)'/L - c L'/L
 *
 *     x' = sum (h_i z_i' + e k_i z_i),   y' = sum (k_i z_i' + e k_i' z_i) / L - y L'/L.
 */
#include "element/ale_cubic.h"

/* Place of the rule: coefficients of z_i in x, y and of T_i in x', y'. */
typedef struct place {
    double x[3], y[3], tx[3], ty[3];
} place;

static inline place place_of(const ale_cubic *at, const haw_ancf_point *p, const double *u)
{
    static const double third[3] = {-12.0, 6.0, 6.0};
    const double swell = (u[9] - u[8]) * at->inverse;
    const double drift = -((1.0 - p->s) * u[8] + p->s * u[9]) * at->inverse;
    place to;
    for (int i = 0; i < 3; i++) {
        const double chord = i == 0 ? swell : 0.0;
        to.x[i] = p->slope[i];
        to.y[i] = p->bend[i] * at->inverse;
        to.tx[i] = drift * p->bend[i] - chord * to.x[i];
        to.ty[i] = drift * third[i] * at->inverse - (swell + chord) * to.y[i];
    }
    return to;
}

/* sum [6][6] += weight B' (S B + D T). */
static inline void add_place(const place *at, const ale_modulus *modulus, double weight,
                             double sum[6][6])
{
    for (int j = 0; j < 6; j++) {
        const int i = j / 2, l = j % 2;
        double column[4];
        for (int row = 0; row < 4; row++) {
            const double *s = modulus->s[row] + l, *d = modulus->d[row] + l;
            column[row] =
                weight * (s[0] * at->x[i] + s[2] * at->y[i] + d[0] * at->tx[i] + d[2] * at->ty[i]);
        }
        for (int row = 0; row < 6; row++) {
            sum[row][j] += at->x[row / 2] * column[row % 2] + at->y[row / 2] * column[2 + row % 2];
        }
    }
}

/* Z_i moves z_j by factor[i][j]: K of Z from that of z. */
static inline void spread(const ale_cubic *at, double sum[6][6], double *k)
{
    const double inverse = at->inverse;
    const double factor[4][3] = {{-inverse, 0, 0}, {0, 1, 0}, {inverse, 0, 0}, {0, 0, 1}};
    static const int part[4] = {0, 1, 0, 2};
    for (int i = 0; i < ALE_FREE; i++) {
        const int row = part[i / 2];
        for (int j = 0; j < ALE_FREE; j++) {
            const int column = part[j / 2];
            k[ALE_CUBIC_DOFS * i + j] = at->le * factor[i / 2][row] * factor[j / 2][column] *
                                        sum[2 * row + i % 2][2 * column + j % 2];
        }
    }
}

static inline void add_mass(const ale_cubic *at, double density, double factor, double *k)
{
    double m[4][4];
    ale_gram(factor * density, at->le, m);
    for (int i = 0; i < ALE_FREE; i++) {
        for (int j = 0; j < 4; j++) {
            k[ALE_CUBIC_DOFS * i + 2 * j + i % 2] += m[i / 2][j];
        }
    }
}

void haw_ale_cubic_tangent(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u, const double factor[2], double *k)
{
    (void)kind;
    ale_cubic at = ale_cubic_of(q);
    double v[ALE_FREE], vz[3][2], sum[6][6] = {{0.0}};
    ale_flow(&at, u, v);
    ancf_gather(v, at.inverse, vz);
    for (int g = 0; g < ALE_POINTS; g++) {
        const place p = place_of(&at, ale_rule + g, u);
        ale_slopes slopes;
        ale_modulus modulus;
        ancf_combine(p.x, at.z, slopes.x);
        ancf_combine(p.y, at.z, slopes.y);
        ancf_combine(p.x, vz, slopes.dx);
        ancf_combine(p.y, vz, slopes.dy);
        haw_ale_modulus(section, &slopes, factor[1], &modulus);
        add_place(&p, &modulus, ale_rule[g].weight, sum);
    }
    memset(k, 0, ALE_CUBIC_DOFS * ALE_CUBIC_DOFS * sizeof *k);
    spread(&at, sum, k);
    add_mass(&at, section->density, factor[0], k);
}
