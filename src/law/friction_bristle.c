/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bristle with a return map:
 *
 *     f_lin = c_t gamma_T + k_t s,   f_T = clip(f_lin, -F_lim, F_lim) + sigma_2 gamma_T,
 *
 * s being the slide since the bristle was set. A bristle that slips is dragged along with its
 * spring at the limit, so that it neither relaxes nor is reset when it sticks again.
 */
#include "law/law.h"

#include <math.h>

static void bristle_force(const haw_friction_parameters *p, const haw_friction_state *state,
                          haw_friction_force *out)
{
    const double linear = p->damping * state->rate + p->stiffness * state->slide;
    double slope;
    const double mu = haw_friction_coefficient(p, state->rate, &slope);
    const double limit = mu * state->normal;

    if (fabs(linear) <= limit) {
        out->force = linear;
        out->d_rate = p->damping;
        out->d_slide = p->stiffness;
        out->d_normal = 0.0;
        out->regime = HAW_REGIME_STICK;
        out->deflection = state->slide;
    } else {
        const double sign = copysign(1.0, linear);

        out->force = sign * limit;
        out->d_rate = sign * slope * state->normal;
        out->d_slide = 0.0;
        out->d_normal = sign * mu;
        out->regime = linear > 0.0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD;
        /* the spring holds at most the limit, and is bent no further than the point has slid: where
         * the damper carries the clipped force, a spring at the limit would be energy from nowhere
         */
        const double most = p->stiffness > 0.0 ? limit / p->stiffness : 0.0;
        out->deflection = fmax(-most, fmin(state->slide, most));
    }
    out->force += p->viscous * state->rate;
    out->d_rate += p->viscous;
}

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
};
