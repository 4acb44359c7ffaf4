/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/belt.h"

#include "stepper/simulation.h"
#include "support/csv.h"

#define BELT_LENGTH 1.2566370614359172 /* of the belt in its reference length [m] */

#define BELT_RADIUS 0.09995 /* of the pulleys [m] */

static const haw_cable *belt_cable(const haw_simulation *simulation)
{
    return &simulation->model.cable[0];
}

/*
 * Shift of s: the node with x >= 0 nearest to the top of the driver gets its x as coordinate.
 */
static double belt_shift(const haw_simulation *simulation)
{
    const haw_cable *cable = belt_cable(simulation);
    const double *q = simulation->state->q + cable->first;
    double best = HUGE_VAL, shift = 0;
    for (int i = 0; i < cable->line.elements; i++) {
        const double *r = q + (ptrdiff_t)cable->line.ops->stride * i;
        const double distance = hypot(r[0], r[1] - BELT_RADIUS);
        if (r[0] >= 0 && distance < best) {
            best = distance;
            shift = i * cable->line.le - r[0];
        }
    }
    return shift;
}

static double belt_wrap(double s)
{
    return s < 0 ? s + BELT_LENGTH : s;
}

/* Put the first sample with the smallest s first. */
static void belt_roll(belt_profile *p)
{
    int first = 0;
    for (int i = 1; i < p->count; i++) {
        first = p->s[i] < p->s[first] ? i : first;
    }
    double *s = malloc((size_t)p->count * sizeof *s), *value = malloc((size_t)p->count * sizeof *s);
    assert_non_null(s);
    assert_non_null(value);
    for (int i = 0; i < p->count; i++) {
        s[i] = p->s[(first + i) % p->count];
        value[i] = p->value[(first + i) % p->count];
    }
    free(p->s);
    free(p->value);
    p->s = s;
    p->value = value;
}

belt_profile belt_tension(const haw_simulation *simulation)
{
    const haw_cable *cable = belt_cable(simulation);
    const haw_line *line = &cable->line;
    const double *q = simulation->state->q + cable->first, *u = simulation->state->u + cable->first;
    const double shift = belt_shift(simulation);
    belt_profile p = {.count = 2 * line->elements};
    p.s = malloc((size_t)p.count * sizeof *p.s);
    p.value = malloc((size_t)p.count * sizeof *p.value);
    assert_non_null(p.s);
    assert_non_null(p.value);
    for (int i = 0; i < p.count; i++) {
        haw_axial axial;
        line->ops->axial(line, i / 2, 0.5 * (i % 2), q, u, &axial);
        p.s[i] = belt_wrap(0.5 * i * line->le - shift);
        p.value[i] = axial.tension;
    }
    belt_roll(&p);
    return p;
}

belt_profile belt_file(const char *name)
{
    char path[256];
    csv_table table;
    snprintf(path, sizeof path, "data/reference/beltdrive/%s.csv", name);
    csv_read(path, &table);
    belt_profile p = {.count = table.rows};
    p.s = malloc((size_t)p.count * sizeof *p.s);
    p.value = malloc((size_t)p.count * sizeof *p.value);
    assert_non_null(p.s);
    assert_non_null(p.value);
    for (int i = 0; i < p.count; i++) {
        p.s[i] = csv_at(&table, i, 0);
        p.value[i] = csv_at(&table, i, 1);
    }
    csv_free(&table);
    return p;
}

void belt_free(belt_profile *p)
{
    free(p->s);
    free(p->value);
}

/** Linear between samples, periodic. */
static double belt_at(const belt_profile *p, double s)
{
    int i = 0;
    while (i < p->count && p->s[i] <= s) {
        i++;
    }
    const int b = i % p->count, a = (i + p->count - 1) % p->count;
    const double start = i == 0 ? p->s[a] - BELT_LENGTH : p->s[a];
    const double end = i == p->count ? p->s[b] + BELT_LENGTH : p->s[b];
    return p->value[a] + (p->value[b] - p->value[a]) * (s - start) / (end - start);
}

double belt_distance(const belt_profile *p, const belt_profile *reference)
{
    double sum = 0, size = 0;
    for (int i = 0; i < reference->count; i++) {
        const double d = belt_at(p, reference->s[i]) - reference->value[i];
        sum += d * d;
        size += reference->value[i] * reference->value[i];
    }
    return sqrt(sum / size);
}

/** Mean of the samples with s in [a, b]. */
static double belt_mean(const belt_profile *p, double a, double b)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->s[i] >= a && p->s[i] <= b) {
            sum += p->value[i];
            count++;
        }
    }
    return sum / count;
}

double belt_tight(const belt_profile *p)
{
    return belt_mean(p, 0.05, 0.26);
}

double belt_slack(const belt_profile *p)
{
    return belt_mean(p, 0.678, 0.892);
}

double belt_roughness(const belt_profile *p, double a, double b)
{
    double sum = 0;
    int count = 0;
    for (int i = 1; i + 1 < p->count; i++) {
        if (p->s[i - 1] >= a && p->s[i + 1] <= b) {
            sum += fabs(p->value[i - 1] - 2 * p->value[i] + p->value[i + 1]);
            count++;
        }
    }
    return sum / count;
}

double belt_probe(const scenario_run *run, const char *name)
{
    int column = 2;
    for (int i = 0; i < run->scenario->run.probes; i++) {
        if (strcmp(haw_run_probe_name(&run->scenario->run, i), name) == 0) {
            return run->value[(size_t)(run->frames - 1) * (size_t)run->columns + (size_t)column];
        }
        column += haw_simulation_probe_size(run->simulation, i);
    }
    fail_msg("no probe is named %s", name);
    return 0;
}
