/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the runs of a study are from one of them. */
#include "study/study.h"

#include <math.h>
#include <string.h>

/* Far more places than elements, so that the integral adds no error of its own. */
enum { PLACES = 20000 };

/* Tension over EA below which a profile is rounding: that of a rod in pure bending. */
static const double rounding = 1.0e-9;

/* ---- reference ---- */

/* Whether b is at least as fine as a. */
static bool is_finer(const haw_study_run *a, const haw_study_run *b)
{
    if (a->is_done != b->is_done) {
        return b->is_done;
    }
    const double h = a->summary.step, k = b->summary.step;
    if (fabs(h - k) > 1.0e-9 * fmin(h, k)) {
        return k < h;
    }
    if (a->points != b->points) {
        return b->points > a->points;
    }
    return b->elements >= a->elements;
}

int haw_study_finest(const haw_study *study)
{
    int finest = -1;
    for (int i = 0; i < study->runs; i++) {
        if (study->run[i].has_run &&
            (finest < 0 || is_finer(&study->run[finest], &study->run[i]))) {
            finest = i;
        }
    }
    return finest;
}

/* ---- profiles ---- */

/* Tension at s, linear between the middles of the elements; *at is where the last search ended. */
static double tension_at(const haw_study_cable *cable, double s, int *at)
{
    const int n = cable->elements;
    while (*at < n && cable->s[*at] <= s) {
        (*at)++;
    }
    const int left = *at - 1, right = *at;
    if (!cable->closed && (left < 0 || right >= n)) {
        return cable->tension[left < 0 ? 0 : n - 1];
    }
    const int a = left < 0 ? n - 1 : left, b = right >= n ? 0 : right;
    const double from = cable->s[a] - (left < 0 ? cable->length : 0.0);
    const double to = cable->s[b] + (right >= n ? cable->length : 0.0);
    const double part = to > from ? (s - from) / (to - from) : 0.0;
    return (1.0 - part) * cable->tension[a] + part * cable->tension[b];
}

/* Adds |a - b|^2 and |b|^2. */
static void integrate(const haw_study_cable *a, const haw_study_cable *b, double sum[2])
{
    int at_a = 0, at_b = 0;
    for (int k = 0; k < PLACES; k++) {
        const double place = (k + 0.5) / PLACES;
        const double want = tension_at(b, place * b->length, &at_b);
        const double got = tension_at(a, place * a->length, &at_a);
        sum[0] += (got - want) * (got - want) / PLACES;
        sum[1] += want * want / PLACES;
    }
}

static double profile_error(const haw_study_run *run, const haw_study_run *reference)
{
    double sum[2] = {0.0, 0.0}, floor = 0.0;
    for (int i = 0; i < reference->cables; i++) {
        const haw_study_cable *twin = NULL;
        const double least = rounding * reference->cable[i].stiffness;
        floor += least * least;
        for (int k = 0; k < run->cables; k++) {
            if (strcmp(run->cable[k].name, reference->cable[i].name) == 0) {
                twin = &run->cable[k];
            }
        }
        if (twin == NULL) {
            return (double)NAN;
        }
        integrate(twin, &reference->cable[i], sum);
    }
    return sum[1] > floor ? sqrt(sum[0] / sum[1]) : (double)NAN;
}

/* ---- probes ---- */

const haw_study_probe *haw_study_probe_find(const haw_study_run *run, const char *name)
{
    for (int i = 0; i < run->probes; i++) {
        if (strcmp(run->probe[i].name, name) == 0) {
            return &run->probe[i];
        }
    }
    return NULL;
}

const double *haw_study_value(const haw_study_run *run, const haw_study_probe *probe, int frame)
{
    return run->value + (size_t)frame * (size_t)run->values + probe->first;
}

static double magnitude(int size, const double *value)
{
    double square = 0.0;
    for (int i = 0; i < size; i++) {
        square += value[i] * value[i];
    }
    return sqrt(square);
}

/* Largest magnitude over the run: a probe that ends at zero still has a scale. */
static double scale_of(const haw_study_run *run, const haw_study_probe *probe)
{
    double scale = 0.0;
    for (int i = 0; i < run->frames; i++) {
        const double size = magnitude(probe->size, haw_study_value(run, probe, i));
        scale = isfinite(size) ? fmax(scale, size) : scale;
    }
    return scale;
}

static double probe_error(const haw_study_run *run, const haw_study_probe *probe,
                          const haw_study_run *reference)
{
    const haw_study_probe *twin = haw_study_probe_find(reference, probe->name);
    double difference[8] = {0.0};
    if (twin == NULL || twin->size != probe->size || probe->size > 8) {
        return (double)NAN;
    }
    const double scale = scale_of(reference, twin);
    const double *value = haw_study_value(run, probe, run->frames - 1);
    const double *wanted = haw_study_value(reference, twin, reference->frames - 1);
    for (int k = 0; k < probe->size; k++) {
        difference[k] = value[k] - wanted[k];
    }
    const double distance = magnitude(probe->size, difference);
    return scale > 0.0 ? distance / scale : (distance > 0.0 ? (double)NAN : 0.0);
}

/* ---- histories, and their convergence ---- */

/* Square of the distance of two vectors; of a number from none INFINITY. */
static double square_between(int size, const double *a, const double *b)
{
    double square = 0.0;
    for (int k = 0; k < size; k++) {
        const double difference = a[k] - b[k];
        if (isnan(difference)) {
            square += isnan(a[k]) && isnan(b[k]) ? 0.0 : (double)INFINITY;
        } else {
            square += difference * difference;
        }
    }
    return square;
}

double haw_study_history_error(const haw_study_run *run, const haw_study_probe *probe,
                               const haw_study_run *reference)
{
    const haw_study_probe *twin = haw_study_probe_find(reference, probe->name);
    double sum = 0.0;
    int count = 0;
    if (twin == NULL || twin->size != probe->size || run->frames == 0 || reference->frames == 0) {
        return (double)NAN;
    }
    for (int i = 0, j = 0; i < run->frames; i++) {
        const bool is_last = i == run->frames - 1;
        const double t = run->time[i], close = 1e-6 * fabs(run->time[run->frames - 1]);
        while (j < reference->frames - 1 && (is_last || reference->time[j] < t - close)) {
            j++;
        }
        if (!is_last && fabs(reference->time[j] - t) > close) {
            continue;
        }
        const double square = square_between(probe->size, haw_study_value(run, probe, i),
                                             haw_study_value(reference, twin, j));
        if (is_last && isinf(square)) {
            return (double)INFINITY;
        }
        sum += isfinite(square) ? square : 0.0;
        count++;
    }
    const double scale = scale_of(reference, twin), mean = sqrt(sum / count);
    return scale > 0.0 ? mean / scale : (mean > 0.0 ? (double)INFINITY : 0.0);
}

/* What moves by less than a picometre or a picoradian in the whole run is at rest: its digits are
 * rounding, and a part of them means nothing. */
static bool is_at_rest(const haw_study_run *run, const haw_study_probe *probe)
{
    static const double LEAST = 1.0e-12;
    const bool is_way = strcmp(probe->unit, "m") == 0 || strcmp(probe->unit, "rad") == 0;
    const bool is_rate = strcmp(probe->unit, "m/s") == 0 || strcmp(probe->unit, "rad/s") == 0;
    const double duration = run->frames > 0 ? run->time[run->frames - 1] : 0.0;
    return (is_way || is_rate) && scale_of(run, probe) * (is_rate ? duration : 1.0) < LEAST;
}

haw_study_richardson haw_study_refine(const haw_study_run *const run[3],
                                      const haw_study_probe *probe)
{
    const haw_study_probe *half = haw_study_probe_find(run[1], probe->name);
    const haw_study_probe *quarter = haw_study_probe_find(run[2], probe->name);
    haw_study_richardson r = {.order = (double)NAN};
    if (half != NULL && quarter != NULL && is_at_rest(run[0], probe) && is_at_rest(run[1], half) &&
        is_at_rest(run[2], quarter)) {
        return r;
    }
    r.difference[0] = haw_study_history_error(run[0], probe, run[1]);
    r.difference[1] = half != NULL ? haw_study_history_error(run[1], half, run[2]) : (double)NAN;
    const bool is_seen = r.difference[1] > 1e-12 && r.difference[0] > 1e-12;
    r.order = is_seen ? log2(r.difference[0] / r.difference[1]) : (double)NAN;
    const double p = is_seen ? fmin(fmax(r.order, 0.5), 4.0) : 1.0, two = pow(2.0, p);
    r.error = fmax(r.difference[0], r.difference[1]) * two / (two - 1.0);
    return r;
}

/* ---- all ---- */

/* Runs whose last frames are at different times have no common end. */
static bool is_comparable(const haw_study_run *run, const haw_study_run *reference)
{
    if (!run->has_run || !reference->has_run) {
        return false;
    }
    const double a = run->time[run->frames - 1], b = reference->time[reference->frames - 1];
    const bool is_whole = run->is_done && reference->is_done;
    return fabs(a - b) <=
           (is_whole ? fmax(run->summary.step, reference->summary.step) : 1e-9 * fabs(b));
}

static haw_status compare_run(haw_arena *arena, haw_study_run *run, const haw_study_run *reference)
{
    run->error = run->tension_l2 = (double)NAN;
    run->probe_error = haw_arena_allocate(arena, (size_t)run->probes + 1, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < run->probes; i++) {
        run->probe_error[i] = (double)NAN;
    }
    if (reference == NULL || !is_comparable(run, reference)) {
        return HAW_OK;
    }
    run->tension_l2 = profile_error(run, reference);
    run->error = run->tension_l2;
    for (int i = 0; i < run->probes; i++) {
        run->probe_error[i] = probe_error(run, &run->probe[i], reference);
        run->error = fmax(run->error, run->probe_error[i]);
    }
    return HAW_OK;
}

haw_status haw_study_compare(const haw_study *study)
{
    const haw_study_run *reference = study->reference >= 0 ? &study->run[study->reference] : NULL;
    for (int i = 0; i < study->runs; i++) {
        HAW_TRY(compare_run(study->arena, &study->run[i], reference));
    }
    return HAW_OK;
}
