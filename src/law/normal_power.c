/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Power laws of the indentation delta = -g with damping that grows with it, so that the force
 * starts and ends at zero. Hunt and Crossley give the damping,
 *
 *     f_N = k delta^n + d delta^n delta';
 *
 * Lankarani and Nikravesh that which a restitution e asks for, to first order in 1 - e,
 *
 *     f_N = k delta^n (1 + 3 (1 - e^2) / 4 delta' / delta'_minus),
 *
 * delta'_minus being the speed at first touch.
 */
#include "law/law.h"

#include <math.h>

/* f_N = factor delta^n, where the factor falls by `damping` with the rate of the gap. */
static void power_force(const haw_normal_parameters *p, double gap, double factor, double damping,
                        haw_normal_force *out)
{
    if (gap > 0.0 || factor <= 0.0) {
        *out = (haw_normal_force){0};
        return;
    }
    const double power = pow(-gap, p->exponent);

    out->force = factor * power;
    out->d_gap = -factor * p->exponent * pow(-gap, p->exponent - 1.0);
    out->d_rate = -damping * power;
}

static double power_energy(const haw_normal_parameters *p, double gap)
{
    const double n = p->exponent + 1.0;

    return gap > 0.0 ? 0.0 : p->stiffness * pow(-gap, n) / n;
}

static void hunt_force(const haw_normal_parameters *p, double gap, double rate, double impact,
                       haw_normal_force *out)
{
    (void)impact;
    power_force(p, gap, p->stiffness - p->damping * rate, p->damping, out);
}

static void lankarani_force(const haw_normal_parameters *p, double gap, double rate, double impact,
                            haw_normal_force *out)
{
    /* a contact that was closed without a speed dissipates nothing */
    const double hysteresis =
        impact > 0.0 ? 0.75 * (1.0 - p->restitution * p->restitution) / impact : 0.0;

    power_force(p, gap, p->stiffness * (1.0 - hysteresis * rate), p->stiffness * hysteresis, out);
}

static const char *const hunt_keys[] = {"normal_stiffness", "normal_damping", "normal_exponent",
                                        "per", NULL};
static const char *const lankarani_keys[] = {"normal_stiffness", "normal_exponent", "restitution",
                                             "per", NULL};
static const char *const needs[] = {"normal_stiffness", NULL};

const haw_normal_ops haw_normal_hunt = {
    .row.name = "hunt-crossley",
    .row.summary = "power law with damping proportional to the spring force, never tensile",
    .row.source = "K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as "
                  "damping in vibroimpact, 1975",
    .keys = hunt_keys,
    .needs = needs,
    .force = hunt_force,
    .energy = power_energy,
};

const haw_normal_ops haw_normal_lankarani = {
    .row.name = "lankarani-nikravesh",
    .row.summary = "power law with damping set by a restitution and the speed of impact",
    .row.source = "H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping "
                  "for impact analysis of multibody systems, 1990",
    .keys = lankarani_keys,
    .needs = needs,
    .uses_impact = true,
    .force = lankarani_force,
    .energy = power_energy,
};
