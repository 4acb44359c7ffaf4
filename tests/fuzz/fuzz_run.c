/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of what stands behind the reader: a scenario that is accepted is built and run for
 * three steps. Nothing may crash; a step that is done leaves finite numbers and a certificate.
 * Large scenes, which are slow for a good reason, are left alone.
 */
#include "fuzz/replay.h"

#include <hawser/hawser.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, ELEMENTS_MAX = 40, POINTS_MAX = 160, START_MAX = 24, MEMBERS_MAX = 20 };

static bool is_small(const haw_scenario *scenario)
{
    const haw_scene *scene = &scenario->scene;
    double elements = 0, points = 0;
    for (int i = 0; i < scene->cables; i++) {
        elements += scene->cable[i].elements;
    }
    for (int i = 0; i < scene->contacts; i++) {
        points += elements * fmax(scene->contact[i].points_per_element, 1);
    }
    /* An equilibrium takes up to thousands of solves of all elements and points at once. */
    const haw_row *stepper = (const haw_row *)scenario->run.stepper.ops;
    const bool has_start = scene->start == HAW_START_STATIC || scene->load_steps > 1 ||
                           strstr(stepper->name, "static") != NULL;
    const double most = has_start ? START_MAX : POINTS_MAX;
    return elements <= fmin(ELEMENTS_MAX, most) && points <= most && scene->bodies <= MEMBERS_MAX &&
           scene->cables <= MEMBERS_MAX && scene->contacts <= MEMBERS_MAX;
}

static void judge(haw_simulation *simulation)
{
    const haw_frame *frame = haw_simulation_frame(simulation);
    const haw_ledger *ledger = frame->ledger;
    const double sum = ledger->kinetic + ledger->elastic + ledger->gravity + ledger->balance_error +
                       ledger->external_work + ledger->friction_loss + ledger->impact_loss +
                       ledger->damping_loss + ledger->numerical_loss;
    if (!isfinite(sum)) {
        (void)fprintf(stderr, "a step was done, and its energies are not finite\n");
        abort();
    }
}

static void step(haw_context *context, const haw_scenario *scenario)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    if (haw_model_build(context, &scenario->scene, &model) == HAW_OK &&
        haw_simulation_create(context, model, &scenario->run, &simulation) == HAW_OK) {
        haw_status status = HAW_OK;
        for (int i = 0; i < STEPS && status == HAW_OK; i++) {
            status = haw_simulation_step(simulation);
            if (status == HAW_OK) {
                judge(simulation);
            }
        }
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
}

static void say_nothing(void *user, haw_log_level level, const char *text)
{
    (void)user;
    (void)level;
    (void)text;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    haw_context *context = NULL;
    haw_scenario *scenario = NULL;
    char *text = replay_text(data, size);
    if (text == NULL || haw_context_create(NULL, &context) != HAW_OK) {
        free(text);
        return;
    }
    haw_context_set_log(context, say_nothing, NULL);
    if (haw_scenario_parse(context, "fuzz", text, 0, NULL, &scenario) == HAW_OK &&
        is_small(scenario)) {
        step(context, scenario);
    }
    haw_scenario_free(context, scenario);
    haw_context_free(context);
    free(text);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/run", "data/scenarios"};

    return replay_main(count, argument, usual);
}
#endif
