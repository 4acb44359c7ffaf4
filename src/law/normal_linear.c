/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear spring and damper: f_N = k delta + d delta', delta = -g. */
#include "law/law.h"

static void linear_force(const haw_normal_parameters *p, double gap, double rate, double impact,
                         haw_normal_force *out)
{
    (void)impact;
    const double force = -p->stiffness * gap - p->damping * rate;

    if (gap > 0.0 || force <= 0.0) {
        *out = (haw_normal_force){0};
        return;
    }
    out->force = force;
    out->d_gap = -p->stiffness;
    out->d_rate = -p->damping;
}

static double linear_energy(const haw_normal_parameters *p, double gap)
{
    return gap > 0.0 ? 0.0 : 0.5 * p->stiffness * gap * gap;
}

static const char *const keys[] = {"normal_stiffness", "normal_damping", "per", NULL};
static const char *const needs[] = {"normal_stiffness", NULL};

const haw_normal_ops haw_normal_linear = {
    .row.name = "linear",
    .row.summary = "linear spring and damper, never tensile",
    .row.source = "W. Goldsmith, Impact, 1960",
    .keys = keys,
    .needs = needs,
    .is_linear = true,
    .force = linear_force,
    .energy = linear_energy,
};
