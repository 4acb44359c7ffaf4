/* SPDX-License-Identifier: BSD-3-Clause */
/* Bind the probes of a run and evaluate them: means over the last frames, and values that are
 * watched at every step. */
#include "observe/belt.h"
#include "observe/probe.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW_MAX = 10000000, VALUES_MAX = 6 }; /* frames of a mean, values of a probe */

typedef double probe_values[VALUES_MAX];

const char *haw_run_probe_name(const haw_run_settings *settings, int i)
{
    const haw_probe_spec *probe = &settings->probe[i];
    return probe->name != NULL ? probe->name : probe->of;
}

/* Names are keys of results: two that are equal would hide one another. */
static haw_status check_name(const haw_observation *o, int i)
{
    const char *name = haw_run_probe_name(o->settings, i);
    if (name[0] == '\0') {
        return haw_fail(o->context, HAW_ERR_INPUT, "probe '%s': its name is empty",
                        o->settings->probe[i].of);
    }
    for (int k = 0; k < i; k++) {
        if (strcmp(haw_run_probe_name(o->settings, k), name) == 0) {
            return haw_fail(o->context, HAW_ERR_INPUT, "two probes are named '%s'", name);
        }
    }
    return HAW_OK;
}

/* Room for the frames of (t - mean, t], with one to spare for a step that is off the grid. */
static haw_status create_window(haw_observation *o, int i)
{
    const haw_run_settings *settings = o->settings;
    haw_probe *probe = &o->probe[i];
    probe->mean = settings->probe[i].mean_over;
    if (probe->mean == 0) {
        return HAW_OK;
    }
    const double frames = probe->mean / settings->every;
    if (!(frames > 0 && frames < WINDOW_MAX)) {
        return haw_fail(o->context, HAW_ERR_INPUT,
                        "probe '%s': a mean over %g s covers %g frames, which must be more than 0 "
                        "and fewer than %d",
                        settings->probe[i].of, probe->mean, frames, WINDOW_MAX);
    }
    probe->capacity = (int)ceil(frames) + 1;
    probe->window = haw_arena_allocate(
        o->arena, (size_t)probe->capacity * (size_t)(2 + probe->size), sizeof *probe->window);
    return haw_arena_status(o->arena);
}

/* Belts and cables over sheaves do not show the same quantities, many cables at once have no place
 * where they come and leave. */
static haw_status check_kind(const haw_observation *o, int i)
{
    const haw_probe *probe = &o->probe[i];
    const haw_model *model = o->frame.model;
    int cable = probe->row->kind == HAW_PROBE_CABLE ? probe->index : -1, line = -1;
    if (probe->row->kind == HAW_PROBE_CONTACT && probe->index >= 0) {
        cable = model->pair[probe->index].cable;
        line = model->pair[probe->index].line;
    }
    const bool moves = cable >= 0 && model->cable[cable].ops->moves_along;
    const bool is_many = (cable >= 0 && model->cable[cable].bundle != NULL) ||
                         (line >= 0 && model->cable[line].bundle != NULL);
    const int wrong = moves ? HAW_PROBE_FIXED : HAW_PROBE_SHEAVES;
    const char *only = moves ? "cables other than ropes" : "ropes on sheaves";
    if (is_many && (probe->row->traits & HAW_PROBE_SINGLE) != 0) {
        only = "pairs of one cable, named without a pattern,";
    } else if ((probe->row->traits & wrong) == 0) {
        return HAW_OK;
    }
    const haw_status status =
        haw_fail(o->context, HAW_ERR_INPUT, "probe '%s': only %s have this quantity",
                 o->settings->probe[i].of, only);
    return haw_place(o->context, status, "output.probes.%s", haw_run_probe_name(o->settings, i));
}

static haw_status create_watch(haw_observation *o, int i)
{
    haw_probe *probe = &o->probe[i];
    const char *text = o->settings->probe[i].of;
    probe->watch = o->settings->probe[i].watch;
    if (probe->watch.kind == HAW_WATCH_NONE) {
        const bool is_empty = probe->watch.scale == 0 && probe->watch.shift == 0;
        probe->watch.scale = is_empty ? 1 : probe->watch.scale;
        return HAW_OK;
    }
    if (probe->size != 1) {
        return haw_fail(o->context, HAW_ERR_INPUT,
                        "probe '%s': only a single value can be watched: name one component, such "
                        "as %s.z",
                        text, haw_probe_quantity(probe->row));
    }
    if ((probe->row->traits & HAW_PROBE_FRAME) != 0) {
        return haw_fail(o->context, HAW_ERR_INPUT,
                        "probe '%s': '%s' is a mean over the time between two frames and cannot "
                        "be watched at every step",
                        text, haw_probe_quantity(probe->row));
    }
    if (probe->mean > 0) {
        return haw_fail(o->context, HAW_ERR_INPUT,
                        "probe '%s': a watched value and a mean exclude each other", text);
    }
    return HAW_OK;
}

/* The first time of a crossing is a time, whatever the value is; what was scaled counts in parts of
 * the unit: a force times 1e-3 in those of 1000 N. */
static void name_unit(haw_probe *probe)
{
    const double scale = fabs(probe->watch.scale);
    const char *unit = probe->watch.kind == HAW_WATCH_FIRST_ABOVE ? "s" : probe->row->unit;
    if (scale == 1 || unit != probe->row->unit || unit[0] == '\0') {
        (void)snprintf(probe->unit, sizeof probe->unit, "%s", unit);
    } else {
        (void)snprintf(probe->unit, sizeof probe->unit, "%.6g %s", 1 / scale, unit);
    }
}

haw_status haw_probes_create(haw_observation *o)
{
    const size_t count = (size_t)o->settings->probes;
    bool needs_belt = false;
    o->probe = haw_arena_allocate(o->arena, count + 1, sizeof(haw_probe));
    o->probe_value = haw_arena_allocate(o->arena, count + 1, sizeof(probe_values));
    o->work = haw_arena_allocate(o->arena, (size_t)o->frame.model->dofs + 1, sizeof(double));
    HAW_TRY(haw_arena_status(o->arena));
    const haw_model *model = o->frame.model;
    const haw_probe_names names = {model->dimension,
                                   HAW_NAMES(model->body, model->bodies, haw_body, name),
                                   HAW_NAMES(model->cable, model->cables, haw_cable, name),
                                   HAW_NAMES(model->joint, model->joints, haw_link, name),
                                   HAW_NAMES(model->pair, model->pairs, haw_pair, between)};
    for (int i = 0; i < o->settings->probes; i++) {
        haw_probe *probe = &o->probe[i];
        HAW_TRY(haw_probe_resolve(o->context, &names, o->settings->probe[i].of, probe));
        HAW_TRY(check_name(o, i));
        HAW_TRY(check_kind(o, i));
        HAW_TRY(create_window(o, i));
        HAW_TRY(create_watch(o, i));
        name_unit(probe);
        o->probe_values += probe->size;
        o->is_watched = o->is_watched || probe->watch.kind != HAW_WATCH_NONE;
        needs_belt = needs_belt || (probe->row->traits & HAW_PROBE_BELT) != 0;
    }
    haw_probes_restart(o);
    return needs_belt ? haw_belt_create(o) : HAW_OK;
}

/* ---- watches: the largest value, a first crossing; scale and shift ---- */

void haw_probe_watch_value(haw_probe *probe, double t, double value)
{
    const haw_probe_watch *watch = &probe->watch;
    /* times of steps carry rounding */
    const double slack = 1e-12 * (fabs(t) + fabs(watch->after));
    if (t < watch->after - slack || t > watch->until * (1 + 1e-12) || t == probe->seen_t) {
        return;
    }
    value = watch->scale * value + watch->shift;
    if (watch->kind == HAW_WATCH_FIRST_ABOVE) {
        /* First time at which |value| passes the level, linear between two steps. */
        const double before = fabs(probe->seen), size = fabs(value);
        if (isnan(probe->extreme) && size > watch->level) {
            const bool is_between = !isnan(before) && before <= watch->level;
            const double share = is_between ? (watch->level - before) / (size - before) : 1;
            probe->extreme = is_between ? probe->seen_t + share * (t - probe->seen_t) : t;
        }
    } else {
        probe->extreme = isnan(probe->extreme) ? value : fmax(probe->extreme, value);
    }
    probe->seen_t = t;
    probe->seen = value;
}

void haw_probe_watch_result(const haw_probe *probe, double *value)
{
    const haw_probe_watch *watch = &probe->watch;
    if (watch->kind != HAW_WATCH_NONE) {
        value[0] = probe->extreme;
        return;
    }
    for (int k = 0; k < probe->size && (watch->scale != 1 || watch->shift != 0); k++) {
        value[k] = watch->scale * value[k] + watch->shift;
    }
}

/* ---- means ---- */

/*
 * Mean of one value over the frames of (t - mean, t] in which it was a number, each with the time
 * since the frame before it, or what of that lies within: the last frame of a run may be a short
 * one; the first one counts as one between others. Times carry rounding.
 */
static double window_mean(const haw_probe *probe, double t, int component)
{
    const int stride = 2 + probe->size;
    double sum = 0, time = 0;
    for (int i = 0; i < probe->count; i++) {
        const double *entry = &probe->window[i * stride];
        const double value = entry[2 + component], inside = probe->mean - (t - entry[0]);
        if (inside > 1e-9 * probe->mean && !isnan(value)) {
            const double weight = inside < (1 - 1e-9) * entry[1] ? inside : entry[1];
            sum += weight * value;
            time += weight;
        }
    }
    return time > 0 ? sum / time : (double)NAN;
}

static void average(haw_probe *probe, double t, double every, double *value)
{
    const int stride = 2 + probe->size;
    const int newest = (probe->next + probe->capacity - 1) % probe->capacity;
    double *entry = &probe->window[newest * stride];
    /* A frame that is read twice counts once. */
    if (probe->count == 0 || entry[0] != t) {
        const double since = probe->count > 0 ? t - entry[0] : every;
        entry = &probe->window[probe->next * stride];
        entry[1] = since;
        probe->next = (probe->next + 1) % probe->capacity;
        probe->count += probe->count < probe->capacity ? 1 : 0;
    }
    entry[0] = t;
    memcpy(entry + 2, value, (size_t)probe->size * sizeof *value);
    for (int k = 0; k < probe->size; k++) {
        value[k] = window_mean(probe, t, k);
    }
}

/* ---- values ---- */

/* All values of the row, then the one that was asked for. */
static void evaluate(const haw_observation *o, const haw_probe *probe, double *value)
{
    probe_values all;
    if (probe->component < 0) {
        probe->row->evaluate(o, probe, value);
        return;
    }
    probe->row->evaluate(o, probe, all);
    value[0] = all[probe->component];
}

void haw_probes_watch(haw_observation *o)
{
    for (int i = 0; i < o->settings->probes; i++) {
        haw_probe *probe = &o->probe[i];
        double value;
        if (probe->watch.kind != HAW_WATCH_NONE) {
            evaluate(o, probe, &value);
            haw_probe_watch_value(probe, o->frame.t, value);
        }
    }
}

void haw_probes_evaluate(haw_observation *o)
{
    double *value = o->probe_value;
    haw_probes_watch(o);
    for (int i = 0; i < o->settings->probes; i++) {
        haw_probe *probe = &o->probe[i];
        evaluate(o, probe, value);
        if (probe->capacity > 0) {
            average(probe, o->frame.t, o->settings->every, value);
        }
        haw_probe_watch_result(probe, value);
        value += probe->size;
    }
}

void haw_probes_restart(haw_observation *o)
{
    for (int i = 0; i < o->settings->probes; i++) {
        haw_probe *probe = &o->probe[i];
        probe->count = probe->next = 0;
        probe->seen_t = probe->seen = probe->extreme = (double)NAN;
    }
}

int haw_simulation_probe_size(const haw_simulation *simulation, int probe)
{
    return simulation->observation->probe[probe].size;
}

const char *haw_simulation_probe_unit(const haw_simulation *simulation, int probe)
{
    return simulation->observation->probe[probe].unit;
}
