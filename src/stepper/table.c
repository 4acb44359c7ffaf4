/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepper/simulation.h"

#include <string.h>

const haw_stepper_ops *const haw_steppers[] = {&haw_stepper_moreau,
                                               &haw_stepper_moreau_jean,
                                               &haw_stepper_generalized_alpha,
                                               &haw_stepper_nsga,
                                               &haw_stepper_static,
                                               &haw_stepper_quasi_static,
                                               NULL};

static const haw_stepper_ops *find(const char *name)
{
    for (int i = 0; haw_steppers[i] != NULL; i++) {
        if (strcmp(haw_steppers[i]->name, name) == 0) {
            return haw_steppers[i];
        }
    }
    return NULL;
}

haw_status haw_stepper_settings_init(haw_context *context, const char *name,
                                     haw_stepper_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->ops = find(name);
    if (settings->ops == NULL) {
        return haw_fail(context, HAW_ERR_INPUT, "unknown stepper '%s'", name);
    }
    haw_options_init(settings->ops->options, settings->options);
    return HAW_OK;
}

haw_status haw_stepper_set(haw_context *context, haw_stepper_settings *settings, const char *key,
                           double value)
{
    return haw_options_set_real(context, settings->ops->options, settings->options, key, value);
}

haw_status haw_run_settings_init(haw_context *context, haw_run_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->on_unconverged = HAW_UNCONVERGED_STOP;
    settings->every = 1e-3;
    settings->separation = 0.02;
    HAW_TRY(haw_stepper_settings_init(context, "moreau", &settings->stepper));
    return haw_solver_settings_init(context, "auto", &settings->solver);
}
