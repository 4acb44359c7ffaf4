/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of tension and moment of a planar rope, as derived in ale_kernel.h. */
#include "element/ale_kernel.h"

#include <string.h>

typedef struct hessian {
    double strain[2][2]; /* to x */
    double bend[4][4];   /* of kappa, to (x, y) */
} hessian;

static inline void hessians(const ale_measure *at, bool bends, hessian *h)
{
    const double inverse = at->inverse, cube = inverse * inverse * inverse;
    const double triple = 3.0 * inverse, even = at->curvature * inverse;
    static const double turn[2][2] = {{0.0, -1.0}, {1.0, 0.0}};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double one = i == j ? 1.0 : 0.0, tt = at->t[i] * at->t[j];
            h->strain[i][j] = (one - tt) * inverse;
            if (bends) {
                h->bend[i][j] =
                    -triple * (at->kx[i] * at->t[j] + at->t[i] * at->kx[j] + even * (one + tt));
                h->bend[2 + i][j] = turn[i][j] * cube - triple * at->ky[i] * at->t[j];
                h->bend[j][2 + i] = h->bend[2 + i][j];
                h->bend[2 + i][2 + j] = 0.0;
            }
        }
    }
}

static inline void add_strain(const haw_ale_section *section, const ale_measure *at,
                              const hessian *h, const double dx[2], const double rate,
                              ale_modulus *modulus)
{
    const double damping = section->damping_strain;
    const double tension = section->stiffness * at->strain + damping * ale_strain_rate(at, dx);
    const double along = section->stiffness + rate * damping;
    for (int j = 0; j < 2; j++) {
        const double turned = h->strain[j][0] * dx[0] + h->strain[j][1] * dx[1];
        const double column = along * at->t[j] + damping * turned;
        for (int i = 0; i < 2; i++) {
            modulus->s[i][j] = at->t[i] * column + tension * h->strain[i][j];
            modulus->d[i][j] = damping * at->t[i] * at->t[j];
        }
        modulus->stress.n[j] = tension * at->t[j];
    }
}

static inline void add_curvature(const haw_ale_section *section, const ale_measure *at,
                                 const hessian *h, const double rates[4], const double rate,
                                 ale_modulus *modulus)
{
    const double damping = section->damping_curvature;
    const double g[4] = {at->kx[0], at->kx[1], at->ky[0], at->ky[1]};
    const double turning = g[0] * rates[0] + g[1] * rates[1] + g[2] * rates[2] + g[3] * rates[3];
    const double moment = section->bending * at->curvature + damping * turning;
    const double along = section->bending + rate * damping;
    for (int j = 0; j < 4; j++) {
        double column = along * g[j];
        for (int l = 0; l < 4; l++) {
            column += damping * h->bend[j][l] * rates[l];
        }
        for (int i = 0; i < 4; i++) {
            modulus->s[i][j] += g[i] * column + moment * h->bend[i][j];
            modulus->d[i][j] += damping * g[i] * g[j];
        }
        (j < 2 ? modulus->stress.n : modulus->stress.m)[j % 2] += moment * g[j];
    }
}

void haw_ale_modulus(const haw_ale_section *section, const ale_slopes *at, double rate,
                     ale_modulus *modulus)
{
    const bool bends = ale_bends(section);
    ale_measure measure;
    hessian h;
    ale_stretch(at->x, &measure);
    if (bends) {
        ale_bend(at->x, at->y, &measure);
    } else {
        measure.curvature = 0.0;
    }
    memset(modulus, 0, sizeof *modulus);
    hessians(&measure, bends, &h);
    add_strain(section, &measure, &h, at->dx, rate, modulus);
    if (bends) {
        const double rates[4] = {at->dx[0], at->dx[1], at->dy[0], at->dy[1]};
        add_curvature(section, &measure, &h, rates, rate, modulus);
    }
}

void haw_ale_axial_of(const haw_ale_section *section, const double x[2], const double y[2],
                      const double *dx, haw_ale_axial *axial)
{
    ale_measure at;
    ale_stretch(x, &at);
    ale_bend(x, y, &at);
    axial->strain = at.strain;
    axial->curvature = at.curvature;
    axial->tension = section->stiffness * at.strain;
    if (dx != NULL) {
        axial->tension += section->damping_strain * ale_strain_rate(&at, dx);
    }
}
