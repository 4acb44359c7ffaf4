/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepper/simulation.h"

#include <string.h>

const haw_row *const haw_steppers[] = {&haw_stepper_moreau.row,
                                       &haw_stepper_moreau_jean.row,
                                       &haw_stepper_generalized_alpha.row,
                                       &haw_stepper_nsga.row,
                                       &haw_stepper_static.row,
                                       &haw_stepper_quasi_static.row,
                                       NULL};

haw_status haw_stepper_settings_init(haw_context *context, const char *name,
                                     haw_stepper_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    const haw_row *row = haw_row_find(haw_steppers, name);
    settings->ops = (const haw_stepper_ops *)row;
    if (row == NULL) {
        return haw_row_unknown(context, haw_steppers, name, "unknown stepper");
    }
    haw_options_init(row->options, settings->options);
    return HAW_OK;
}

haw_status haw_stepper_set(haw_context *context, haw_stepper_settings *settings, const char *key,
                           double value)
{
    return haw_options_set_real(context, settings->ops->row.options, settings->options, key, value);
}

haw_status haw_stepper_set_text(haw_context *context, haw_stepper_settings *settings,
                                const char *key, const char *text)
{
    return haw_options_parse(context, settings->ops->row.options, settings->options, key, text);
}

haw_status haw_run_settings_init(haw_context *context, haw_run_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->size = sizeof *settings;
    settings->on_unconverged = HAW_UNCONVERGED_AUTO;
    settings->every = 1e-3;
    settings->separation = 0.02;
    settings->checkpoint.keep = 1;
    HAW_TRY(haw_stepper_settings_init(context, "moreau", &settings->stepper));
    return haw_solver_settings_init(context, "auto", &settings->solver);
}
