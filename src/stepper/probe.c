/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Probes: numbers a user wants to follow, by the names of the scenario,
 *     body.quantity, cable.quantity, cable.quantity[a:b], contact.quantity, cable-body.quantity
 * where [a:b] is a range of the cable in fractions of its unstrained length.
 */
#include "stepper/probe.h"

#include <math.h>
#include <string.h>

typedef double probe_values[3];

static void body_position(const haw_simulation *s, const haw_probe *p, double *v)
{
    memcpy(v, s->state->q + 3 * p->index, 2 * sizeof *v);
}

static void body_angle(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = s->state->q[3 * p->index + 2];
}

static void body_velocity(const haw_simulation *s, const haw_probe *p, double *v)
{
    memcpy(v, s->state->u + 3 * p->index, 2 * sizeof *v);
}

static void body_spin(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = s->state->u[3 * p->index + 2];
}

/* Elements of the range; at least one. */
static void element_range(const haw_simulation *s, const haw_probe *p, int *first, int *end)
{
    const int n = s->model.cable[p->index].line.elements;
    *first = (int)floor(p->range[0] * n + 1e-9);
    *end = (int)ceil(p->range[1] * n - 1e-9);
    *first = *first >= n ? n - 1 : *first;
    *end = *end <= *first ? *first + 1 : *end;
}

static void cable_tension_mean(const haw_simulation *s, const haw_probe *p, double *v)
{
    int first, end;
    element_range(s, p, &first, &end);
    v[0] = haw_cable_tension_range(&s->model.cable[p->index], first, end, s->state->q);
}

static void cable_tension_start(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_probe first = {.index = p->index, .range = {0, 0}};
    cable_tension_mean(s, &first, v);
}

static void cable_tension_end(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_probe last = {.index = p->index, .range = {1, 1}};
    cable_tension_mean(s, &last, v);
}

/* Force of a support on the cable: what balances the internal forces at the end. */
static void reaction(const haw_simulation *s, const haw_probe *p, int end, double *v)
{
    const haw_cable *cable = &s->model.cable[p->index];
    double *f = s->work[1];
    memset(f, 0, (size_t)cable->line.dofs * sizeof *f);
    cable->line.ops->force(&cable->line, s->state->q + cable->first, f);
    v[0] = v[1] = 0;
    for (int i = 0; i < 2 && cable->end_dof[end] >= 0; i++) {
        v[i] = -f[cable->end_dof[end] + i];
    }
}

static void cable_reaction_start(const haw_simulation *s, const haw_probe *p, double *v)
{
    reaction(s, p, 0, v);
}

static void cable_reaction_end(const haw_simulation *s, const haw_probe *p, double *v)
{
    reaction(s, p, 1, v);
}

static void cable_length(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_cable *cable = &s->model.cable[p->index];
    v[0] = 0;
    for (int e = 0; e < cable->line.elements; e++) {
        v[0] += cable->line.ops->length(&cable->line, e, s->state->q + cable->first);
    }
}

static void material_point(const haw_simulation *s, int index, double fraction, double x[2])
{
    const haw_cable *cable = &s->model.cable[index];
    const haw_line *line = &cable->line;
    const double place = fraction * line->elements;
    const int e = (int)fmin(floor(place), line->elements - 1);
    line->ops->position(line, e, place - e, s->state->q + cable->first, x, NULL);
}

/* Direction of the chord between the ends of the range, counter-clockwise from x. */
static void cable_chord_angle(const haw_simulation *s, const haw_probe *p, double *v)
{
    double a[2], b[2];
    material_point(s, p->index, p->range[0], a);
    material_point(s, p->index, p->range[1], b);
    v[0] = atan2(b[1] - a[1], b[0] - a[0]);
}

/* The middle of the range: the material mid point by default. */
static void cable_position(const haw_simulation *s, const haw_probe *p, double *v)
{
    material_point(s, p->index, 0.5 * (p->range[0] + p->range[1]), v);
}

/* Sums over one pair, or over all for `contact`. */
static void pair_range(const haw_simulation *s, const haw_probe *p, int *first, int *end)
{
    *first = p->index < 0 ? 0 : p->index;
    *end = p->index < 0 ? s->model.pairs : p->index + 1;
}

#define PAIR_PROBE(name, count, statement)                                                         \
    static void name(const haw_simulation *s, const haw_probe *p, double *v)                       \
    {                                                                                              \
        int i, end;                                                                                \
        memset(v, 0, (count) * sizeof *v);                                                         \
        for (pair_range(s, p, &i, &end); i < end; i++) {                                           \
            const haw_pair_frame *f = &s->pair[i];                                                 \
            statement;                                                                             \
        }                                                                                          \
    }

PAIR_PROBE(contact_normal_sum, 1, v[0] += f->normal_sum)
PAIR_PROBE(contact_tangential_sum, 1, v[0] += f->tangential_sum)
PAIR_PROBE(contact_force, 2, v[0] += f->force[0]; v[1] += f->force[1])
PAIR_PROBE(contact_moment, 1, v[0] += f->moment)
PAIR_PROBE(
    contact_impulse, 3, for (int k = 0; k < 3; k++) { v[k] += f->impulse[k]; })
PAIR_PROBE(contact_wrap_angle, 1, v[0] = fmax(v[0], f->wrap_angle))
PAIR_PROBE(contact_closed, 1, v[0] += f->closed)
PAIR_PROBE(contact_sticking, 1, v[0] += f->sticking)

const haw_probe_row haw_probe_rows[] = {
    {HAW_PROBE_BODY, 2, false, "position", "m", "centre of the body", body_position},
    {HAW_PROBE_BODY, 1, false, "angle", "rad", "angle of the body", body_angle},
    {HAW_PROBE_BODY, 2, false, "velocity", "m/s", "velocity of the centre", body_velocity},
    {HAW_PROBE_BODY, 1, false, "spin", "rad/s", "angular velocity", body_spin},
    {HAW_PROBE_CABLE, 1, true, "tension_mean", "N",
     "mean tension of the cable or of the elements of [a:b]", cable_tension_mean},
    {HAW_PROBE_CABLE, 1, false, "tension_start", "N", "mean tension of the first element",
     cable_tension_start},
    {HAW_PROBE_CABLE, 1, false, "tension_end", "N", "mean tension of the last element",
     cable_tension_end},
    {HAW_PROBE_CABLE, 2, false, "reaction_start", "N",
     "force of the support on the cable at `from`, without the inertia of the end",
     cable_reaction_start},
    {HAW_PROBE_CABLE, 2, false, "reaction_end", "N",
     "force of the support on the cable at `to`, without the inertia of the end",
     cable_reaction_end},
    {HAW_PROBE_CABLE, 1, false, "length", "m", "deformed length", cable_length},
    {HAW_PROBE_CABLE, 2, true, "position", "m",
     "material point in the middle of the cable or of [a:b]", cable_position},
    {HAW_PROBE_CABLE, 1, true, "chord_angle", "rad",
     "direction of the chord over the cable or [a:b]", cable_chord_angle},
    {HAW_PROBE_CONTACT, 1, false, "normal_sum", "N", "sum of the mean normal forces",
     contact_normal_sum},
    {HAW_PROBE_CONTACT, 1, false, "tangential_sum", "N", "sum of the mean tangential forces",
     contact_tangential_sum},
    {HAW_PROBE_CONTACT, 2, false, "force", "N", "mean resultant on the body", contact_force},
    {HAW_PROBE_CONTACT, 1, false, "moment", "N m", "mean moment on the body", contact_moment},
    {HAW_PROBE_CONTACT, 3, false, "impulse", "N s, N m s", "impulse on the body since the start",
     contact_impulse},
    {HAW_PROBE_CONTACT, 1, false, "wrap_angle", "rad", "angle between the outermost closed points",
     contact_wrap_angle},
    {HAW_PROBE_CONTACT, 1, false, "closed", "", "closed points", contact_closed},
    {HAW_PROBE_CONTACT, 1, false, "sticking", "", "sticking points", contact_sticking},
    {HAW_PROBE_NONE, 0, false, NULL, NULL, NULL, NULL},
};

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

haw_status haw_probes_create(haw_simulation *simulation)
{
    const size_t count = (size_t)simulation->settings.probes;
    simulation->probe = haw_arena_allocate(&simulation->arena, count + 1, sizeof(haw_probe));
    simulation->probe_value =
        haw_arena_allocate(&simulation->arena, count + 1, sizeof(probe_values));
    if (simulation->probe == NULL || simulation->probe_value == NULL) {
        return HAW_ERR_NOMEM;
    }
    const haw_probe_names names = {&simulation->model, body_name, cable_name, pair_names};
    for (size_t i = 0; i < count; i++) {
        HAW_TRY(haw_probe_resolve(simulation->context, &names, simulation->settings.probe[i],
                                  &simulation->probe[i]));
        simulation->probe_values += simulation->probe[i].row->size;
    }
    return HAW_OK;
}

void haw_probes_evaluate(haw_simulation *simulation)
{
    double *value = simulation->probe_value;
    for (int i = 0; i < simulation->settings.probes; i++) {
        const haw_probe *probe = &simulation->probe[i];
        probe->row->evaluate(simulation, probe, value);
        value += probe->row->size;
    }
}

int haw_simulation_probe_size(const haw_simulation *simulation, int probe)
{
    return simulation->probe[probe].row->size;
}

const char *haw_simulation_probe_unit(const haw_simulation *simulation, int probe)
{
    return simulation->probe[probe].row->unit;
}
