/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bristle with a return map:
 *
 *     f_lin = c_t gamma_T + k_t s,   f_T = clip(f_lin, -F_lim, F_lim) + sigma_2 gamma_T,
 *
 * s being the slide since the bristle was set. A bristle that slips is dragged along with its
 * spring at the limit, so that it neither relaxes nor is reset when it sticks again.
 */
#include "law/friction.h"

static HAW_INLINE void bristle(const haw_friction_parameters *p, const haw_slip *slip, int n,
                               haw_slip_force *out)
{
    double linear[3], e[3], along[3], slope;
    const double speed = friction_direction(n, slip->rate, along);
    const double mu = haw_friction_coefficient(p, speed, &slope), limit = mu * slip->normal;
    for (int i = 0; i < n; i++) {
        linear[i] = p->damping * slip->rate[i] + p->stiffness * slip->slide[i];
    }
    const double size = friction_direction(n, linear, e);
    const bool sticks = size <= limit;
    for (int k = 0; k < n * n; k++) {
        const bool on_diagonal = k / n == k % n;
        out->d_rate[k] = !sticks ? e[k / n] * (slope * along[k % n]) * slip->normal
                                 : (on_diagonal ? p->damping : 0);
        out->d_slide[k] = sticks && on_diagonal ? p->stiffness : 0;
    }
    for (int i = 0; i < n; i++) {
        out->force[i] = (sticks ? linear[i] : e[i] * limit) + p->viscous * slip->rate[i];
        out->d_normal[i] = sticks ? 0 : e[i] * mu;
        out->deflection[i] = slip->slide[i];
    }
    out->regime = HAW_REGIME_STICK;
    if (!sticks) {
        /* the spring holds at most the limit, and is bent no further than the point has slid: where
         * the damper carries the clipped force, a spring at the limit would be energy from nowhere
         */
        const double most = p->stiffness > 0 ? limit / p->stiffness : 0;
        friction_drag(n, most, slip->slide, out->deflection);
        friction_turn(n, limit / size * p->damping, e, out->d_rate);
        friction_turn(n, limit / size * p->stiffness, e, out->d_slide);
        out->regime = friction_regime(n, e);
    }
    for (int i = 0; i < n; i++) {
        out->d_rate[i * n + i] += p->viscous;
    }
}

HAW_FRICTION_FORCES(bristle)

static const char *const keys[] = {HAW_FRICTION_KEYS, "tangential_stiffness", "tangential_damping",
                                   "switching", NULL};
static const char *const needs[] = {"tangential_stiffness", NULL};

const haw_friction_ops haw_friction_bristle = {
    .row.name = "bristle",
    .row.summary = "spring and damper along the surface that slips at the Coulomb limit",
    .row.source =
        "K. Ntarladima, M. Pieber, J. Gerstmayr, A model for contact and friction between "
        "beams under large deformation and sheaves, 2023; return map: J. C. Simo, "
        "T. A. Laursen, 1992",
    .keys = keys,
    .needs = needs,
    .uses_slide = true,
    .force = bristle_force,
    .vector = bristle_vector,
};
