/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/space_run.h"

static const char space_run_text[] =
    "hawser: 1\n"
    "title: a short winding\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  - name: drum\n"
    "    shape: {type: cylinder, radius: 0.4, length: 1.2}\n"
    "    motion: {spin: {table: [[0, 0], [0.5, 1.2], [1.5, 1.2], [2, 0]], ramp: smoothstep}}\n"
    "cables:\n"
    "  - name: yarn\n"
    "    element: se3\n"
    "    elements: 25\n"
    "    from: [0.401, 0, 0]\n"
    "    to: [0.401, -2.0, 0]\n"
    "    tension: 10\n"
    "    stiffness: 282743.34\n"
    "    bending_stiffness: 0.0007\n"
    "    density: 8.4823e-3\n"
    "    radius: 1.0e-3\n"
    "    ends:\n"
    "      start: {body: drum, clamped: true}\n"
    "      end: {motion: {velocity: [0, free, {table: [[2, 0], [2.1, 0.2]], ramp: smoothstep}]},\n"
    "            tension: 10, towards: [0, -1, 0]}\n"
    "contact:\n"
    "  - {between: [yarn, drum], points_per_element: 1, friction: 0.3, restitution: 0}\n"
    "stepper: {type: moreau-jean, theta: 0.6, step: 5.0e-3, end: 3}\n"
    "solver: {type: auto}\n";

enum { SPACE_RUN_PROBES = 32 };

void space_run_read(space_run *run, int sets, const char *const *set)
{
    memset(run, 0, sizeof *run);
    assert_int_equal(haw_context_create(NULL, &run->context), HAW_OK);
    if (haw_scenario_parse(run->context, "t.yaml", space_run_text, sets, set, &run->scenario) !=
        HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
        abort(); /* not reached: the line above jumps out of the test */
    }
    run->settings = run->scenario->run;
}

haw_status space_run_try(space_run *run)
{
    haw_status status = haw_model_build(run->context, &run->scenario->scene, &run->model);
    if (status == HAW_OK) {
        status = haw_simulation_create(run->context, run->model, &run->settings, &run->simulation);
    }
    run->state = status == HAW_OK ? run->simulation->state : NULL;
    return status;
}

void space_run_start(space_run *run)
{
    if (space_run_try(run) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
        abort(); /* as above */
    }
}

void space_run_step(space_run *run)
{
    if (haw_simulation_step(run->simulation) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
}

void space_run_close(space_run *run)
{
    haw_simulation_free(run->simulation);
    haw_model_free(run->model);
    haw_scenario_free(run->context, run->scenario);
    haw_context_free(run->context);
}
