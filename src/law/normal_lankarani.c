/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hunt and Crossley's law with the damping that a restitution e asks for, to first order in 1 - e:
 *
 *     f_N = k delta^n (1 + 3 (1 - e^2) / 4 delta' / delta'_minus),   delta = -g,
 *
 * delta'_minus being the speed at first touch.
 */
#include "law/law.h"

#include <math.h>

static void lankarani_force(const haw_normal_parameters *p, double gap, double rate, double impact,
                            haw_normal_force *out)
{
    /* a contact that was closed without a speed has nothing to lose */
    const double hysteresis =
        impact > 0.0 ? 0.75 * (1.0 - p->restitution * p->restitution) / impact : 0.0;
    const double factor = p->stiffness * (1.0 - hysteresis * rate);

    if (gap > 0.0 || factor <= 0.0) {
        *out = (haw_normal_force){0};
        return;
    }
    const double power = pow(-gap, p->exponent);

    out->force = factor * power;
    out->d_gap = -factor * p->exponent * pow(-gap, p->exponent - 1.0);
    out->d_rate = -p->stiffness * hysteresis * power;
}

static double lankarani_energy(const haw_normal_parameters *p, double gap)
{
    const double n = p->exponent + 1.0;

    return gap > 0.0 ? 0.0 : p->stiffness * pow(-gap, n) / n;
}

static const char *const keys[] = {"normal_stiffness", "normal_exponent", "restitution", "per",
                                   NULL};
static const char *const needs[] = {"normal_stiffness", NULL};

const haw_normal_ops haw_normal_lankarani = {
    .row.name = "lankarani-nikravesh",
    .row.summary = "power law with damping set by a restitution and the speed of impact",
    .row.source = "H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping "
                  "for impact analysis of multibody systems, 1990",
    .keys = keys,
    .needs = needs,
    .uses_impact = true,
    .force = lankarani_force,
    .energy = lankarani_energy,
};
