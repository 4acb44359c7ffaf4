/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Friction that weakens from rest to sliding, with B. Armstrong-Helouvry's Gaussian form of
 * R. Stribeck's curve: mu(v) = mu_k + (mu_s - mu_k) exp(-(v / v_s)^2).
 */
#include "law/law.h"

#include <math.h>

double haw_friction_coefficient(const haw_friction_parameters *p, double v, double *slope)
{
    const double drop = p->mu_static - p->mu_kinetic;

    if (drop == 0.0) { /* plain Coulomb friction has no Stribeck velocity */
        *slope = 0.0;
        return p->mu_kinetic;
    }
    const double s = v / p->stribeck_velocity, weakening = drop * exp(-s * s);

    *slope = -2.0 * s / p->stribeck_velocity * weakening;
    return p->mu_kinetic + weakening;
}

haw_friction_parameters haw_friction_after(const haw_friction_parameters *p, haw_regime last)
{
    haw_friction_parameters chosen = *p;

    if (!(p->stribeck_velocity > 0.0)) {
        if (last == HAW_REGIME_FORWARD || last == HAW_REGIME_BACKWARD) {
            chosen.mu_static = p->mu_kinetic;
        } else {
            chosen.mu_kinetic = p->mu_static;
        }
    }
    return chosen;
}
