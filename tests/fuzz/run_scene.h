/* SPDX-License-Identifier: BSD-3-Clause */
/* One of the small scenes, built, for targets that run it or go on with it. */
#ifndef HAWSER_TESTS_RUN_SCENE_H
#define HAWSER_TESTS_RUN_SCENE_H

#include "fuzz/scenes.h"

typedef struct fuzz_run {
    haw_context *context;
    haw_scenario *scenario;
    haw_model *model;
    haw_simulation *simulation;
} fuzz_run;

static inline void fuzz_must(const haw_context *context, haw_status status)
{
    if (status != HAW_OK) {
        (void)fprintf(stderr, "%s\n", haw_context_message(context));
        abort();
    }
}

static inline void fuzz_open(fuzz_run *run, int which)
{
    *run = (fuzz_run){.context = fuzz_context()};
    run->scenario = fuzz_scenario(run->context, which);
    fuzz_must(run->context, haw_model_build(run->context, &run->scenario->scene, &run->model));
    fuzz_must(run->context, haw_simulation_create(run->context, run->model, &run->scenario->run,
                                                  &run->simulation));
}

static inline void fuzz_close(fuzz_run *run)
{
    haw_simulation_free(run->simulation);
    haw_model_free(run->model);
    haw_scenario_free(run->context, run->scenario);
    haw_context_free(run->context);
}

#endif
