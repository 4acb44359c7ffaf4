/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stick and slip blended by the slip speed, as published for ropes over sheaves:
 *
 *     f_T = b (k_t s + c_t v) + (1 - b) mu_k f_N sign(v) + sigma_2 v,
 *     b = exp(-(v / v_s)^2),   v = gamma_T,
 *
 * s being the slide since the bristle was set. At rest b = 1: the spring alone, without a limit, so
 * that nothing ever slips in statics and a slow slide may exceed mu f_N without bound. The source
 * does not tell what becomes of the bristle: here it keeps its foot up to v_s, and beyond it is
 * dragged along with its spring at mu_k f_N.
 */
#include "law/law.h"

#include <math.h>

static void blend_force(const haw_friction_parameters *p, const haw_friction_state *state,
                        haw_friction_force *out)
{
    const double v = state->rate, s = v / p->stribeck_velocity, b = exp(-s * s);
    const double sign = v > 0.0 ? 1.0 : (v < 0.0 ? -1.0 : 0.0);
    const double stick = p->stiffness * state->slide + p->damping * v;
    const double limit = p->mu_kinetic * state->normal, slip = sign * limit;

    out->force = b * stick + (1.0 - b) * slip + p->viscous * v;
    out->d_rate = b * p->damping - 2.0 * s / p->stribeck_velocity * b * (stick - slip) + p->viscous;
    out->d_slide = b * p->stiffness;
    out->d_normal = (1.0 - b) * sign * p->mu_kinetic;
    out->regime = HAW_REGIME_STICK;
    out->deflection = state->slide;
    if (fabs(s) > 1.0) {
        const double most = p->stiffness > 0.0 ? limit / p->stiffness : 0.0;

        out->regime = v > 0.0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD;
        out->deflection = fmax(-most, fmin(state->slide, most));
    }
}

static const char *const keys[] = {HAW_FRICTION_KEYS, "tangential_stiffness", "tangential_damping",
                                   NULL};
static const char *const needs[] = {"stribeck_velocity", "tangential_stiffness", NULL};

const haw_friction_ops haw_friction_blend = {
    .row.name = "blend",
    .row.summary = "bristle and sliding friction blended by the slip speed; without a Coulomb "
                   "limit at rest, for comparison only",
    .row.source = "J. L. Escalona, Contact in reeving systems: rope and sheave, Multibody Syst. "
                  "Dyn., 2024, eq. 26",
    .keys = keys,
    .needs = needs,
    .uses_slide = true,
    .is_unbounded = true,
    .force = blend_force,
};
