/* SPDX-License-Identifier: BSD-3-Clause */
/* What fails in turn where whole runs are built: a model, a simulation, a few steps. */
#ifndef HAWSER_TESTS_FAILING_RUN_H
#define HAWSER_TESTS_FAILING_RUN_H

#include "support/failing.h"
#include "support/rig.h"

/** Build, create, steps with contact in them, free. */
haw_status failing_run(haw_context *context, const haw_scene *scene,
                       const haw_run_settings *settings, int steps);

#endif
