/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of a run: its probes over time, the profiles of one frame. */
#include "io/hdf5.h"
#include "io/results.h"
#include "stepper/simulation.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- histories ---- */

static double *reals(haw_study_record *record, int count)
{
    return haw_arena_allocate(record->arena, (size_t)count + 1, sizeof(double));
}

static haw_status name_probes(haw_study_record *record, const haw_scenario *scenario,
                              const haw_simulation *simulation)
{
    haw_study_run *run = record->run;
    run->probes = scenario->run.probes;
    run->probe = haw_arena_allocate(record->arena, (size_t)run->probes + 1, sizeof *run->probe);
    HAW_TRY(haw_arena_status(record->arena));
    for (int i = 0; i < run->probes; i++) {
        haw_study_probe *probe = &run->probe[i];
        probe->name = haw_arena_string(record->arena, haw_run_probe_name(&scenario->run, i));
        probe->unit = haw_arena_string(record->arena, haw_simulation_probe_unit(simulation, i));
        probe->size = haw_simulation_probe_size(simulation, i);
        probe->first = run->values;
        run->values += probe->size;
    }
    return haw_arena_status(record->arena);
}

haw_status haw_study_begin(haw_study_record *record, const haw_scenario *scenario,
                           const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    HAW_TRY(name_probes(record, scenario, simulation));
    for (int i = 0; i < model->cables; i++) {
        record->run->elements += model->cable[i].line.elements;
    }
    record->run->points = model->points;
    record->run->per = model->pairs > 0 ? model->pair[0].compliance.per : HAW_PER_POINT;
    record->q = reals(record, model->coordinates);
    record->u = reals(record, model->dofs);
    record->force = reals(record, 2 * model->points);
    record->impulse = reals(record, 2 * model->points);
    return haw_arena_status(record->arena);
}

/* Normal and tangential force of a contact point; in space the size of the latter. */
static void point_force(const haw_frame *frame, int point, double force[2])
{
    const double *given = frame->point_force + (ptrdiff_t)frame->model->dimension * point;
    force[0] = given[0];
    force[1] = given[1];
    for (int k = 2; k < frame->model->dimension; k++) {
        force[1] = hypot(force[1], given[k]);
    }
}

static void keep_profiles(haw_study_record *record, const haw_frame *frame)
{
    const haw_model *model = frame->model;
    record->run->t = frame->t;
    memcpy(record->q, frame->state->q, (size_t)model->coordinates * sizeof *record->q);
    memcpy(record->u, frame->state->u, (size_t)model->dofs * sizeof *record->u);
    for (int i = 0; i < model->points; i++) {
        point_force(frame, i, record->force + (ptrdiff_t)2 * i);
    }
}

/* For one more frame. */
static haw_status make_room(haw_study_run *run, haw_arena *arena)
{
    const size_t frames = (size_t)run->frames, bytes = ((size_t)run->values + 1) * sizeof(double);
    run->time = haw_arena_extend(arena, run->time, frames, sizeof *run->time);
    run->value = haw_arena_extend(arena, run->value, frames, bytes);
    return haw_arena_status(arena);
}

haw_status haw_study_frame(haw_study_record *record, const haw_frame *frame)
{
    haw_study_run *run = record->run;
    const size_t frames = (size_t)run->frames, values = (size_t)run->values;
    HAW_TRY(make_room(run, record->arena));
    /* forces of a frame are means over the time since the one before */
    const double h = run->frames > 0 ? frame->t - run->time[run->frames - 1] : 0.0;
    for (int i = 0; i < frame->model->points; i++) {
        double force[2];
        point_force(frame, i, force);
        record->impulse[2 * i] += h * force[0];
        record->impulse[2 * i + 1] += h * force[1];
    }
    if (run->frames == 0 || fabs(frame->t - record->at) <= fabs(run->t - record->at)) {
        keep_profiles(record, frame);
    }
    run->time[run->frames] = frame->t;
    if (values > 0) {
        memcpy(run->value + frames * values, frame->probe, values * sizeof *run->value);
    }
    run->frames++;
    run->has_run = true;
    return HAW_OK;
}

/* All values of a probe, as the columns of a frame. */
static haw_status read_probe(haw_study_record *record, haw_results *results,
                             const haw_study_probe *probe, int frames)
{
    haw_study_run *run = record->run;
    char member[HAW_MEMBER_MAX];
    haw_array column;
    haw_hdf5_member(probe->name, member);
    HAW_TRY(haw_results_column(results, "probes", NULL, member, probe->size, &column));
    for (int i = 0; i < frames; i++) {
        memcpy(run->value + (size_t)i * (size_t)run->values + probe->first,
               column.value + (size_t)i * (size_t)probe->size,
               (size_t)probe->size * sizeof *run->value);
    }
    return HAW_OK;
}

haw_status haw_study_continue(haw_study_record *record, const haw_saved *saved)
{
    haw_study_run *run = record->run;
    haw_results *results = NULL;
    const int frames = (int)saved->frames;
    haw_array time = {0};
    HAW_TRY(haw_results_open(record->arena->context, saved->path, &results));
    haw_status status = haw_results_column(results, "energy", NULL, "t", 1, &time);
    for (int i = 0; i < frames && status == HAW_OK; i++) {
        status = make_room(run, record->arena);
        if (status == HAW_OK) {
            run->time[run->frames++] = time.value[i];
        }
    }
    for (int i = 0; i < run->probes && status == HAW_OK; i++) {
        status = read_probe(record, results, &run->probe[i], frames);
    }
    run->has_run = frames > 0;
    return haw_results_end(results, status);
}

/* ---- profiles ---- */

/* Unstrained arc length of the place above the middle of a closed cable: a ray upwards from the
 * middle of the box around it meets the cable there. */
static double place_above(const haw_profile *profile, int samples)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, top = -INFINITY;
    double place = 0.0;
    for (int k = 0; k < samples; k++) {
        low[0] = fmin(low[0], profile->x[k]);
        high[0] = fmax(high[0], profile->x[k]);
        low[1] = fmin(low[1], profile->y[k]);
        high[1] = fmax(high[1], profile->y[k]);
    }
    const double middle = 0.5 * (low[0] + high[0]);
    for (int k = 0; k + 1 < samples; k++) {
        const double a = profile->x[k] - middle, b = profile->x[k + 1] - middle;
        if ((a <= 0.0) == (b <= 0.0)) {
            continue;
        }
        const double part = a / (a - b);
        const double y = profile->y[k] + part * (profile->y[k + 1] - profile->y[k]);
        if (y > top) {
            top = y;
            place = profile->xi[k] + part * (profile->xi[k + 1] - profile->xi[k]);
        }
    }
    return place;
}

/* Arc length from the origin. */
static double from_origin(const haw_study_cable *cable, double xi)
{
    const double s = xi - cable->origin;
    return cable->closed && s < 0.0 ? s + cable->length : s;
}

/* Unstrained arc length of the middle of an element. */
static double middle(const haw_study_record *record, const haw_cable *cable, int e)
{
    const haw_cable_ops *ops = cable->ops;
    return ops->label != NULL
               ? 0.5 * (ops->label(cable, e, record->q) + ops->label(cable, e + 1, record->q))
               : (e + 0.5) * cable->line.le;
}

static haw_status find_origin(haw_study_record *record, const haw_model *model, int index)
{
    haw_study_cable *cable = &record->run->cable[index];
    const int n = haw_cable_sample_count(model, index);
    const haw_arena_mark mark = haw_arena_here(record->arena);
    double *xi = reals(record, n), *x = reals(record, n), *y = reals(record, n);
    double *rest = reals(record, n); /* not looked at */
    HAW_TRY(haw_arena_status(record->arena));
    const haw_profile profile = {xi, x, y, rest, rest, rest, rest, NULL};
    haw_cable_profile(model, index, record->q, record->u, &profile);
    cable->origin = place_above(&profile, haw_cable_samples(model, index) * cable->elements + 1);
    haw_arena_rewind(record->arena, &mark);
    return HAW_OK;
}

static haw_status record_cable(haw_study_record *record, const haw_model *model, int index)
{
    const haw_cable *source = &model->cable[index];
    const haw_line *line = &source->line;
    haw_study_cable *cable = &record->run->cable[index];
    cable->elements = line->elements;
    cable->closed = line->closed;
    cable->length = line->le * line->elements;
    cable->stiffness = line->stiffness;
    if (line->closed) {
        HAW_TRY(find_origin(record, model, index));
    }
    int first = 0; /* element whose middle comes first behind the origin */
    while (first < line->elements && cable->origin > middle(record, source, first)) {
        first++;
    }
    for (int i = 0; i < line->elements; i++) {
        const int e = (first + i) % line->elements;
        cable->s[i] = from_origin(cable, middle(record, source, e));
        cable->tension[i] = source->ops->tension(source, e, record->q, record->u);
    }
    return HAW_OK;
}

/* Unstrained arc length of a point; that of a chord is its middle. */
static double place_of(const haw_model *model, const haw_pair *pair, int point)
{
    const double le = model->cable[pair->cable].line.le;
    int element = 0;
    double s = 0.0;
    if (model->cable[pair->cable].ops->moves_along) {
        return point * pair->spacing;
    }
    haw_pair_point(model, pair, point, &element, &s);
    const double half = pair->kinematics == HAW_KINEMATICS_CHORD ? 0.5 : 0.0;
    return (element + s + half / pair->points_per_element) * le;
}

static void record_point(haw_study_record *record, const haw_model *model, const haw_pair *source,
                         int point, int slot)
{
    haw_study_pair *pair = &record->run->pair[record->run->pairs];
    const size_t row = 2 * ((size_t)source->first_point + (size_t)point), to = 2 * (size_t)slot;
    const double le = model->cable[source->cable].line.le;
    pair->s[slot] = from_origin(&record->run->cable[source->cable], place_of(model, source, point));
    pair->share[slot] =
        model->cable[source->cable].ops->moves_along
            ? source->spacing
            : le / source->points_per_element * haw_pair_weight(model, source, point);
    memcpy(pair->force + to, record->force + row, 2 * sizeof *pair->force);
    memcpy(pair->impulse + to, record->impulse + row, 2 * sizeof *pair->impulse);
}

/* Pairs whose point is a disk have no profile along a cable. */
static haw_status record_pair(haw_study_record *record, const haw_model *model,
                              const haw_pair *source)
{
    haw_study_pair *pair = &record->run->pair[record->run->pairs];
    char name[256];
    if (source->cable < 0 || source->line >= 0) { /* or along two */
        return HAW_OK;
    }
    const haw_study_cable *cable = &record->run->cable[source->cable];
    (void)snprintf(name, sizeof name, "%s-%s", cable->name, model->body[source->body].name);
    pair->name = haw_arena_string(record->arena, name);
    pair->cable = source->cable;
    pair->points = source->points;
    pair->s = reals(record, source->points);
    pair->share = reals(record, source->points);
    pair->force = reals(record, 2 * source->points);
    pair->impulse = reals(record, 2 * source->points);
    HAW_TRY(haw_arena_status(record->arena));
    int first = 0; /* first point behind the origin */
    while (cable->closed && first < source->points &&
           place_of(model, source, first) < cable->origin) {
        first++;
    }
    for (int i = 0; i < source->points; i++) {
        record_point(record, model, source, (first + i) % source->points, i);
    }
    record->run->pairs++;
    return HAW_OK;
}

haw_status haw_study_end(haw_study_record *record, const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    haw_study_run *run = record->run;
    run->cable = haw_arena_allocate(record->arena, (size_t)model->cables + 1, sizeof *run->cable);
    run->pair = haw_arena_allocate(record->arena, (size_t)model->pairs + 1, sizeof *run->pair);
    HAW_TRY(haw_arena_status(record->arena));
    for (int i = 0; i < model->cables && run->has_run; i++) {
        haw_study_cable *cable = &run->cable[run->cables++];
        cable->name = haw_arena_string(record->arena, model->cable[i].name);
        cable->s = reals(record, model->cable[i].line.elements);
        cable->tension = reals(record, model->cable[i].line.elements);
        HAW_TRY(haw_arena_status(record->arena));
        HAW_TRY(record_cable(record, model, i));
    }
    for (int i = 0; i < model->pairs && run->has_run; i++) {
        HAW_TRY(record_pair(record, model, &model->pair[i]));
    }
    return HAW_OK;
}
