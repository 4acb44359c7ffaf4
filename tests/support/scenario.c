/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/scenario.h"

void scenario_init(scenario_run *run, const char *name)
{
    memset(run, 0, sizeof *run);
    run->name = name;
}

void scenario_set(scenario_run *run, const char *format, ...)
{
    va_list list;
    assert_true(run->sets < SCENARIO_SETS);
    va_start(list, format);
    const int length = vsnprintf(run->set[run->sets], SCENARIO_TEXT, format, list);
    va_end(list);
    assert_true(length > 0 && length < SCENARIO_TEXT);
    run->sets++;
}

static void scenario_log(void *user, haw_log_level level, const char *text)
{
    (void)user, (void)level;
    print_message("%s\n", text);
}

void scenario_write(scenario_text *scenario, const char *format, ...)
{
    const size_t room = SCENARIO_LONG - (size_t)scenario->length;
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(scenario->text + scenario->length, room, format, list);
    va_end(list);
    assert_true(length > 0 && (size_t)length < room);
    scenario->length += length;
}

haw_status scenario_build(scenario_run *run)
{
    char file[SCENARIO_TEXT];
    const char *set[SCENARIO_SETS];
    for (int i = 0; i < run->sets; i++) {
        set[i] = run->set[i];
    }
    snprintf(file, sizeof file, "data/scenarios/%s.yaml", run->name);
    haw_status status =
        run->text != NULL
            ? haw_scenario_parse(run->context, file, run->text, run->sets, set, &run->scenario)
            : haw_scenario_read(run->context, file, run->sets, set, &run->scenario);
    if (status == HAW_OK) {
        status = haw_model_build(run->context, &run->scenario->scene, &run->model);
    }
    if (status == HAW_OK) {
        status =
            haw_simulation_create(run->context, run->model, &run->scenario->run, &run->simulation);
    }
    return status;
}

void scenario_open(scenario_run *run)
{
    if (run->context == NULL) {
        assert_int_equal(haw_context_create(NULL, &run->context), HAW_OK);
    }
    haw_context_set_log(run->context, scenario_log, NULL);
    if (scenario_build(run) != HAW_OK) {
        fail_msg("%s: %s", run->name, haw_context_message(run->context));
    }
}

static haw_status scenario_frame(void *user, const haw_frame *frame)
{
    scenario_run *run = user;
    run->columns = frame->probe_values + 2;
    const size_t columns = (size_t)run->columns, rows = (size_t)run->frames + 1;
    run->value = realloc(run->value, rows * columns * sizeof(double));
    assert_non_null(run->value);
    double *row = run->value + (rows - 1) * columns;
    row[0] = frame->t;
    row[1] = frame->ledger->external_work;
    if (frame->probe_values > 0) {
        memcpy(row + 2, frame->probe, (columns - 2) * sizeof(double));
    }
    run->frames++;
    if (run->look != NULL) {
        run->look(run, frame, run->user);
    }
    return HAW_OK;
}

static haw_status scenario_event(void *user, const haw_event *event)
{
    scenario_run *run = user;
    assert_true(run->events < SCENARIO_EVENTS);
    run->event[run->events++] = *event;
    return HAW_OK;
}

haw_status scenario_try(scenario_run *run)
{
    const haw_observer observer = {.frame = scenario_frame, .event = scenario_event, .user = run};
    return haw_simulation_run(run->simulation, &observer, &run->summary);
}

void scenario_complete(scenario_run *run)
{
    scenario_open(run);
    if (scenario_try(run) != HAW_OK) {
        fail_msg("%s: %s", run->name, haw_context_message(run->context));
    }
    assert_int_equal(run->summary.certificate.unconverged_steps, 0);
}

void scenario_close(scenario_run *run)
{
    haw_simulation_free(run->simulation);
    haw_model_free(run->model);
    haw_scenario_free(run->context, run->scenario);
    haw_context_free(run->context);
    free(run->value);
    run->value = NULL;
}

double scenario_at(const scenario_run *run, int frame, const char *probe, int k)
{
    const int row = frame < 0 ? run->frames + frame : frame;
    int column = 2;
    for (int i = 0; i < run->scenario->run.probes; i++) {
        if (strcmp(run->scenario->run.probe[i].of, probe) == 0) {
            assert_true(k < haw_simulation_probe_size(run->simulation, i));
            return run->value[(size_t)row * (size_t)run->columns + (size_t)(column + k)];
        }
        column += haw_simulation_probe_size(run->simulation, i);
    }
    fail_msg("%s has no probe %s", run->name, probe);
    return 0;
}

double scenario_last(const scenario_run *run, const char *probe, int k)
{
    return scenario_at(run, -1, probe, k);
}

double scenario_time(const scenario_run *run, int frame)
{
    return run->value[(size_t)frame * (size_t)run->columns];
}

int scenario_frame_at(const scenario_run *run, double t)
{
    for (int i = 0; i < run->frames; i++) {
        if (fabs(scenario_time(run, i) - t) <= 1e-6 * t) {
            return i;
        }
    }
    fail_msg("%s has no frame at t = %g s", run->name, t);
    return 0;
}

double scenario_work(const scenario_run *run, int frame)
{
    return run->value[(size_t)frame * (size_t)run->columns + 1];
}

const haw_event *scenario_find(const scenario_run *run, haw_event_kind kind, int pair, bool last)
{
    const haw_event *found = NULL;
    for (int i = 0; i < run->events; i++) {
        const haw_event *event = &run->event[i];
        if (event->kind == kind && event->pair == pair && (found == NULL || last)) {
            found = event;
        }
    }
    return found;
}
