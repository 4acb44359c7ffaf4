/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/failing_run.h"

#include "stepper/simulation.h"

haw_status failing_run(haw_context *context, const haw_scene *scene,
                       const haw_run_settings *settings, int steps)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_status status = haw_model_build(context, scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, settings, &simulation);
    }
    for (int i = 0; i < steps && status == HAW_OK; i++) {
        status = haw_simulation_step(simulation);
    }
    if (status == HAW_OK) {
        assert_true(simulation->certificate.contacts_max > 0);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}
