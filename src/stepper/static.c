/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepper/simulation.h"

#include <stddef.h>

haw_status haw_static_solve(haw_simulation *simulation)
{
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED, "statics pending");
}

haw_status haw_static_start(haw_simulation *simulation)
{
    return haw_static_solve(simulation);
}

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_stepper_common, step), 1, 0, 1e9, "s", "unused", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_stepper_common, end), 0, 0, 1e9, "s", "unused", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static haw_status prepare(haw_simulation *simulation)
{
    simulation->steps_total = 1;
    return HAW_OK;
}

const haw_stepper_ops haw_stepper_static = {
    .name = "static",
    .summary = "equilibrium",
    .source = "",
    .options = options,
    .options_size = sizeof(haw_stepper_common),
    .order = 0,
    .prepare = prepare,
    .step = haw_static_start,
};
