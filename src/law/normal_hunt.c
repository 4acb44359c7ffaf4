/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Damping that grows with the indentation, so that the force starts and ends at zero:
 *
 *     f_N = k delta^n + d delta^n delta',   delta = -g.
 */
#include "law/law.h"

#include <math.h>

static void hunt_force(const haw_normal_parameters *p, double gap, double rate, double impact,
                       haw_normal_force *out)
{
    (void)impact;
    const double factor = p->stiffness - p->damping * rate;

    if (gap > 0.0 || factor <= 0.0) {
        *out = (haw_normal_force){0};
        return;
    }
    const double power = pow(-gap, p->exponent);

    out->force = factor * power;
    out->d_gap = -factor * p->exponent * pow(-gap, p->exponent - 1.0);
    out->d_rate = -p->damping * power;
}

static double hunt_energy(const haw_normal_parameters *p, double gap)
{
    const double n = p->exponent + 1.0;

    return gap > 0.0 ? 0.0 : p->stiffness * pow(-gap, n) / n;
}

static const char *const keys[] = {"normal_stiffness", "normal_damping", "normal_exponent", "per",
                                   NULL};
static const char *const needs[] = {"normal_stiffness", NULL};

const haw_normal_ops haw_normal_hunt = {
    .row.name = "hunt-crossley",
    .row.summary = "power law with damping proportional to the spring force, never tensile",
    .row.source = "K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as "
                  "damping in vibroimpact, 1975",
    .keys = keys,
    .needs = needs,
    .uses_impact = false,
    .force = hunt_force,
    .energy = hunt_energy,
};
