/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mean deflection z of elastic bristles:
 *
 *     z' = v - sigma_0 |v| z / F_lim(v),   f_T = sigma_0 z + sigma_1 z' + sigma_2 v,   v = gamma_T.
 *
 * One implicit Euler step at the end velocity v has the closed form
 *
 *     z  = (z_0 + h v) F_lim / a,   z' = (F_lim v - sigma_0 |v| z_0) / a,
 *     a  = F_lim + sigma_0 h |v|.
 *
 * The source has a constant normal force, under which sigma_0 |z| never exceeds mu_s f_N. Where f_N
 * falls, the bristles let go as far as that: else sigma_1 z' would push against the motion with a
 * force that no friction coefficient bounds.
 */
#include "law/law.h"

#include <math.h>

/* A moving bristle slips once it is bent to this part of its steady deflection: most of v is slip
 * then. The model itself knows no stick. */
static const double slip_bend = 0.9;

/* Deflection at the start of the step that f_N can still hold, and its derivative to f_N. */
static double held_deflection(const haw_friction_parameters *p, const haw_friction_state *state,
                              double *slope)
{
    const double mu = fmax(p->mu_static, p->mu_kinetic), bent = p->stiffness * state->memory;

    if (fabs(bent) <= mu * state->normal) {
        *slope = 0.0;
        return state->memory;
    }
    *slope = copysign(mu, bent) / p->stiffness;
    return *slope * state->normal;
}

static void lugre_force(const haw_friction_parameters *p, const haw_friction_state *state,
                        haw_friction_force *out)
{
    const double v = state->rate, speed = fabs(v), h = state->h, sigma0 = p->stiffness;
    double slope, start_n;
    const double mu = haw_friction_coefficient(p, v, &slope);
    const double start = held_deflection(p, state, &start_n);
    const double limit = mu * state->normal, a = limit + sigma0 * h * speed;

    *out = (haw_friction_force){.force = p->viscous * v, .d_rate = p->viscous};
    if (limit <= 0.0) { /* nothing holds a bristle, and one that is let go acts on nothing */
        return;
    }
    const double direction = v > 0.0 ? 1.0 : (v < 0.0 ? -1.0 : 0.0);
    const double free = start + h * v;
    /* z depends on v and F_lim through h only, z' = (z - z_0) / h: both share these derivatives */
    const double rate_v =
        (limit * a + free * sigma0 * (slope * state->normal * speed - limit * direction)) / (a * a);
    const double rate_n = free * sigma0 * speed * mu / (a * a);
    const double weight = sigma0 * h + p->damping;

    out->deflection = free * limit / a;
    out->force += sigma0 * out->deflection + p->damping * (limit * v - sigma0 * speed * start) / a;
    out->d_rate += weight * rate_v;
    out->d_normal = weight * rate_n + sigma0 * (limit - p->damping * speed) / a * start_n;
    const double bent = sigma0 * out->deflection;
    if (v * bent > 0.0 && fabs(bent) > slip_bend * limit) {
        out->regime = v > 0.0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD;
    }
}

static const char *const keys[] = {HAW_FRICTION_KEYS, "tangential_stiffness", "tangential_damping",
                                   NULL};
static const char *const needs[] = {"tangential_stiffness", NULL};

const haw_friction_ops haw_friction_lugre = {
    .row.name = "lugre",
    .row.summary =
        "mean deflection of elastic bristles: presliding, Stribeck effect, frictional lag",
    .row.source = "C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky, A new model for "
                  "control of systems with friction, 1995",
    .keys = keys,
    .needs = needs,
    .force = lugre_force,
};
