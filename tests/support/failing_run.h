/* SPDX-License-Identifier: BSD-3-Clause */
/* What fails in turn where whole runs are built: a model, a simulation, a few steps. */
#ifndef HAWSER_TESTS_FAILING_RUN_H
#define HAWSER_TESTS_FAILING_RUN_H

#include "support/failing.h"
#include "support/rig.h"

/** Build, create, steps with contact in them, free. */
static inline haw_status failing_run(haw_context *context, const haw_scene *scene,
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

#endif
