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
#include "law/friction.h"

static HAW_INLINE void blend(const haw_friction_parameters *p, const haw_slip *slip, int n,
                             haw_slip_force *out)
{
    double e[3];
    const double speed = friction_direction(n, slip->rate, e);
    const double s = speed / p->stribeck_velocity, b = exp(-s * s);
    const double limit = p->mu_kinetic * slip->normal;
    *out = (haw_slip_force){.regime = HAW_REGIME_STICK};
    for (int i = 0; i < n; i++) {
        const double stick = p->stiffness * slip->slide[i] + p->damping * slip->rate[i];
        const double kinetic = e[i] * limit;
        out->force[i] = b * stick + (1.0 - b) * kinetic + p->viscous * slip->rate[i];
        for (int j = 0; j < n; j++) {
            const double own = i == j ? 1 : 0, along = slip->rate[j] / p->stribeck_velocity;
            out->d_rate[i * n + j] = b * p->damping * own -
                                     2.0 * along / p->stribeck_velocity * b * (stick - kinetic) +
                                     p->viscous * own;
        }
        out->d_slide[i * n + i] = b * p->stiffness;
        out->d_normal[i] = (1.0 - b) * e[i] * p->mu_kinetic;
        out->deflection[i] = slip->slide[i];
    }
    if (speed > 0) {
        friction_turn(n, (1.0 - b) * limit / speed, e, out->d_rate);
    }
    if (s > 1.0) {
        out->regime = friction_regime(n, e);
        friction_drag(n, p->stiffness > 0.0 ? limit / p->stiffness : 0.0, slip->slide,
                      out->deflection);
    }
}

HAW_FRICTION_FORCES(blend)

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
    .vector = blend_vector,
};
