/* SPDX-License-Identifier: BSD-3-Clause */
/* Bind the probes of a run and evaluate them, with their means over the last frames. */
#include "model/rope.h"
#include "observe/belt.h"
#include "observe/probe.h"

#include <math.h>
#include <string.h>

enum { WINDOW_MAX = 10000000, VALUES_MAX = 6 }; /* frames of a mean, values of a probe */

typedef double probe_values[VALUES_MAX];

int haw_probe_size(const haw_probe *probe)
{
    return probe->component >= 0 ? 1 : probe->row->size;
}

const char *haw_run_probe_name(const haw_run_settings *settings, int i)
{
    const bool is_named = settings->probe_name != NULL && settings->probe_name[i] != NULL;
    return is_named ? settings->probe_name[i] : settings->probe[i];
}

static const char *body_name(const void *model, int i)
{
    const haw_model *m = model;
    return i < m->bodies ? m->body[i].name : NULL;
}

static const char *cable_name(const void *model, int i)
{
    const haw_model *m = model;
    return i < m->cables ? m->cable[i].name : NULL;
}

static bool pair_names(const void *model, int i, const char *name[2])
{
    const haw_model *m = model;
    if (i >= m->pairs) {
        return false;
    }
    const haw_pair *pair = &m->pair[i];
    name[0] = pair->cable >= 0 ? m->cable[pair->cable].name : m->body[pair->proxy].name;
    name[1] = m->body[pair->body].name;
    return true;
}

/* Names are keys of results: two that are equal would hide one another. */
static haw_status check_name(const haw_simulation *simulation, int i)
{
    const char *name = haw_run_probe_name(&simulation->settings, i);
    if (name[0] == '\0') {
        return haw_fail(simulation->context, HAW_ERR_INPUT, "probe '%s': its name is empty",
                        simulation->settings.probe[i]);
    }
    for (int k = 0; k < i; k++) {
        if (strcmp(haw_run_probe_name(&simulation->settings, k), name) == 0) {
            return haw_fail(simulation->context, HAW_ERR_INPUT, "two probes are named '%s'", name);
        }
    }
    return HAW_OK;
}

/* Room for the frames of (t - mean, t], with one to spare for a step that is off the grid. */
static haw_status create_window(haw_simulation *simulation, int i)
{
    const haw_run_settings *settings = &simulation->settings;
    haw_probe *probe = &simulation->probe[i];
    probe->mean = settings->probe_mean != NULL ? settings->probe_mean[i] : 0;
    if (probe->mean == 0) {
        return HAW_OK;
    }
    const double frames = probe->mean / settings->every;
    if (!(frames > 0 && frames < WINDOW_MAX)) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "probe '%s': a mean over %g s is one over %g frames: it must be above 0 "
                        "and below %d",
                        settings->probe[i], probe->mean, frames, WINDOW_MAX);
    }
    probe->capacity = (int)ceil(frames) + 1;
    probe->window = haw_arena_allocate(
        &simulation->arena, (size_t)probe->capacity * (size_t)(1 + haw_probe_size(probe)),
        sizeof *probe->window);
    return probe->window != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

/* Belts and ropes do not show the same quantities. */
static haw_status check_rope(const haw_simulation *simulation, int i)
{
    const haw_probe *probe = &simulation->probe[i];
    const haw_model *model = &simulation->model;
    int cable = probe->row->kind == HAW_PROBE_CABLE ? probe->index : -1;
    if (probe->row->kind == HAW_PROBE_CONTACT && probe->index >= 0) {
        cable = model->pair[probe->index].cable;
    }
    const bool is_rope = cable >= 0 && model->cable[cable].rope != NULL;
    const int wrong = is_rope ? HAW_PROBE_LINE : HAW_PROBE_ROPE;
    if ((probe->row->traits & wrong) == 0) {
        return HAW_OK;
    }
    const haw_status status = haw_fail(
        simulation->context, HAW_ERR_INPUT, "probe '%s': only %s have this quantity",
        simulation->settings.probe[i], is_rope ? "cables that are no ropes" : "ropes on sheaves");
    return haw_place(simulation->context, status, "output.probes.%s",
                     haw_run_probe_name(&simulation->settings, i));
}

haw_status haw_probes_create(haw_simulation *simulation)
{
    const size_t count = (size_t)simulation->settings.probes;
    bool needs_belt = false;
    simulation->probe = haw_arena_allocate(&simulation->arena, count + 1, sizeof(haw_probe));
    simulation->probe_value =
        haw_arena_allocate(&simulation->arena, count + 1, sizeof(probe_values));
    if (simulation->probe == NULL || simulation->probe_value == NULL) {
        return HAW_ERR_NOMEM;
    }
    const haw_probe_names names = {&simulation->model, simulation->model.dimension, body_name,
                                   cable_name, pair_names};
    for (int i = 0; i < simulation->settings.probes; i++) {
        haw_probe *probe = &simulation->probe[i];
        HAW_TRY(
            haw_probe_resolve(simulation->context, &names, simulation->settings.probe[i], probe));
        HAW_TRY(check_name(simulation, i));
        HAW_TRY(check_rope(simulation, i));
        HAW_TRY(create_window(simulation, i));
        HAW_TRY(haw_probe_watch_create(simulation, i));
        simulation->probe_values += haw_probe_size(probe);
        needs_belt = needs_belt || (probe->row->traits & HAW_PROBE_BELT) != 0;
    }
    haw_probes_restart(simulation);
    needs_belt = needs_belt || haw_model_has_ropes(&simulation->model); /* for results */
    return needs_belt ? haw_belt_create(simulation) : HAW_OK;
}

/* A frame that is read twice counts once. */
static double *window_entry(haw_probe *probe, double t)
{
    const int stride = 1 + haw_probe_size(probe);
    const int newest = (probe->next + probe->capacity - 1) % probe->capacity;
    if (probe->count > 0 && probe->window[newest * stride] == t) {
        return &probe->window[newest * stride];
    }
    double *entry = &probe->window[probe->next * stride];
    probe->next = (probe->next + 1) % probe->capacity;
    probe->count += probe->count < probe->capacity ? 1 : 0;
    return entry;
}

/* Mean of one value over the frames of (t - mean, t] in which it was a number; times carry
 * rounding. */
static double window_mean(const haw_probe *probe, double t, int component)
{
    const int stride = 1 + haw_probe_size(probe);
    double sum = 0;
    int used = 0;
    for (int i = 0; i < probe->count; i++) {
        const double *entry = &probe->window[i * stride];
        const double value = entry[1 + component];
        if (t - entry[0] < probe->mean * (1 - 1e-9) && !isnan(value)) {
            sum += value;
            used++;
        }
    }
    return used > 0 ? sum / used : (double)NAN;
}

static void average(haw_probe *probe, double t, double *value)
{
    const int size = haw_probe_size(probe);
    double *entry = window_entry(probe, t);
    entry[0] = t;
    memcpy(entry + 1, value, (size_t)size * sizeof *value);
    for (int k = 0; k < size; k++) {
        value[k] = window_mean(probe, t, k);
    }
}

/* All values of the row, then the one that was asked for. */
static void evaluate(const haw_simulation *simulation, const haw_probe *probe, double *value)
{
    probe_values all;
    if (probe->component < 0) {
        probe->row->evaluate(simulation, probe, value);
        return;
    }
    probe->row->evaluate(simulation, probe, all);
    value[0] = all[probe->component];
}

void haw_probes_watch(haw_simulation *simulation)
{
    bool is_first = true;
    for (int i = 0; i < simulation->settings.probes; i++) {
        haw_probe *probe = &simulation->probe[i];
        double value;
        if (probe->watch.kind == HAW_WATCH_NONE) {
            continue;
        }
        if (is_first) {
            haw_belt_refresh(simulation);
            is_first = false;
        }
        evaluate(simulation, probe, &value);
        haw_probe_watch_look(probe, simulation->state->t, value);
    }
}

void haw_probes_evaluate(haw_simulation *simulation)
{
    double *value = simulation->probe_value;
    haw_probes_watch(simulation);
    haw_belt_refresh(simulation);
    for (int i = 0; i < simulation->settings.probes; i++) {
        haw_probe *probe = &simulation->probe[i];
        evaluate(simulation, probe, value);
        if (probe->capacity > 0) {
            average(probe, simulation->state->t, value);
        }
        haw_probe_watch_result(probe, value);
        value += haw_probe_size(probe);
    }
}

void haw_probes_restart(haw_simulation *simulation)
{
    for (int i = 0; i < simulation->settings.probes; i++) {
        haw_probe *probe = &simulation->probe[i];
        probe->count = probe->next = 0;
        probe->seen_t = probe->seen = probe->extreme = (double)NAN;
    }
}

int haw_simulation_probe_size(const haw_simulation *simulation, int probe)
{
    return haw_probe_size(&simulation->probe[probe]);
}

/* The first time of a crossing is a time, whatever the value is; what was scaled has no unit that
 * could be known. */
const char *haw_simulation_probe_unit(const haw_simulation *simulation, int probe)
{
    const haw_probe *p = &simulation->probe[probe];
    if (p->watch.kind == HAW_WATCH_FIRST_ABOVE) {
        return "s";
    }
    return p->watch.scale != 1 ? "" : p->row->unit;
}
