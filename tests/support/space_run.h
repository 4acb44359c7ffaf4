/* SPDX-License-Identifier: BSD-3-Clause */
/* A short winding as a scenario text: 2 m of yarn on a drum that turns by 1.8 rad, then a traverse.
 */
#ifndef HAWSER_TESTS_SPACE_RUN_H
#define HAWSER_TESTS_SPACE_RUN_H

#include "observe/probe.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

typedef struct space_run {
    haw_context *context;
    haw_scenario *scenario;
    haw_model *model;
    haw_simulation *simulation;
    const haw_state *state;
    haw_run_settings settings;
} space_run;

/** The scenario alone: settings may be changed before the start. */
void space_run_read(space_run *run, int sets, const char *const *set);

haw_status space_run_try(space_run *run);

void space_run_start(space_run *run);

void space_run_step(space_run *run);

void space_run_close(space_run *run);

#endif
