/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coulomb friction with a tri-linear ramp over the slip speed:
 *
 *     f_T = F_lim(v) clip(v / v_r, -1, 1) + sigma_2 v,   v = gamma_T.
 *
 * It has no memory: a point under load creeps.
 */
#include "law/law.h"

#include <math.h>

static void regularized_force(const haw_friction_parameters *p, const haw_friction_state *state,
                              haw_friction_force *out)
{
    const double v = state->rate;
    const bool slips = fabs(v) >= p->regularization;
    const double ramp = slips ? copysign(1.0, v) : v / p->regularization;
    double slope;
    const double mu = haw_friction_coefficient(p, v, &slope);

    *out = (haw_friction_force){0};
    out->force = state->normal * mu * ramp + p->viscous * v;
    out->d_rate = state->normal * slope * ramp + p->viscous;
    if (!slips) {
        out->d_rate += state->normal * mu / p->regularization;
    }
    out->d_normal = mu * ramp;
    out->regime = HAW_REGIME_STICK;
    if (slips) {
        out->regime = v > 0.0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD;
    }
}

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
    .force = regularized_force,
};
