/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coulomb friction with a tri-linear ramp over the slip speed:
 *
 *     f_T = F_lim(v) clip(v / v_r, -1, 1) + sigma_2 v,   v = gamma_T.
 *
 * It has no memory: a point under load creeps.
 */
#include "law/friction.h"

static HAW_INLINE void regularized(const haw_friction_parameters *p, const haw_slip *slip, int n,
                                   haw_slip_force *out)
{
    double e[3], slope;
    const double speed = friction_direction(n, slip->rate, e);
    const bool slips = speed >= p->regularization;
    const double mu = haw_friction_coefficient(p, speed, &slope);
    *out = (haw_slip_force){.regime = slips ? friction_regime(n, e) : HAW_REGIME_STICK};
    for (int i = 0; i < n; i++) {
        const double ramp = slips ? e[i] : slip->rate[i] / p->regularization;
        out->force[i] = slip->normal * mu * ramp + p->viscous * slip->rate[i];
        out->d_normal[i] = mu * ramp;
        for (int j = 0; j < n; j++) {
            out->d_rate[i * n + j] = slip->normal * (slope * e[j]) * ramp;
        }
        out->d_rate[i * n + i] += p->viscous;
        if (!slips) {
            out->d_rate[i * n + i] += slip->normal * mu / p->regularization;
        }
    }
    if (slips) {
        friction_turn(n, slip->normal * mu / speed, e, out->d_rate);
    }
}

HAW_FRICTION_FORCES(regularized)

static const char *const keys[] = {HAW_FRICTION_KEYS, "regularization_velocity", NULL};
static const char *const needs[] = {"regularization_velocity", NULL};

const haw_friction_ops haw_friction_regularized = {
    .row.name = "regularized",
    .row.summary = "Coulomb friction with a tri-linear ramp over the slip speed",
    .row.source =
        "E. Pennestri, V. Rossi, P. Salvini, P. P. Valentini, Review and comparison of dry "
        "friction force models, 2016",
    .keys = keys,
    .needs = needs,
    .is_drag = true,
    .force = regularized_force,
    .vector = regularized_vector,
};
