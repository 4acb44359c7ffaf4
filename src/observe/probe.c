/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Probes: numbers a user wants to follow, by the names of the scenario,
 *     body.quantity, cable.quantity, cable.quantity[a:b], contact.quantity, cable-body.quantity
 * where [a:b] is a range of the cable in fractions of its unstrained length.
 */
#include "observe/probe.h"

#include "observe/rope_wrap.h"

#include <math.h>
#include <string.h>

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

void haw_probe_torque(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = s->torque[p->index];
}

void haw_probe_elements(int elements, const double range[2], int *first, int *end)
{
    *first = (int)floor(range[0] * elements + 1e-9);
    *end = (int)ceil(range[1] * elements - 1e-9);
    *first = *first >= elements ? elements - 1 : *first;
    *end = *end <= *first ? *first + 1 : *end;
}

void haw_probe_tension_mean(const haw_simulation *s, const haw_probe *p, double *v)
{
    int first, end;
    haw_probe_elements(s->model.cable[p->index].line.elements, p->range, &first, &end);
    v[0] = haw_cable_tension_range(&s->model.cable[p->index], first, end, s->state->q);
}

void haw_probe_tension_start(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_probe first = {.index = p->index, .range = {0, 0}};
    haw_probe_tension_mean(s, &first, v);
}

void haw_probe_tension_end(const haw_simulation *s, const haw_probe *p, double *v)
{
    const haw_probe last = {.index = p->index, .range = {1, 1}};
    haw_probe_tension_mean(s, &last, v);
}

/* Force of a support on the cable: what balances the internal forces at the end, damping included.
 */
static void reaction(const haw_simulation *s, const haw_probe *p, int end, double *v)
{
    const haw_cable *cable = &s->model.cable[p->index];
    double *f = s->work[1];
    memset(f, 0, (size_t)cable->line.dofs * sizeof *f);
    if (cable->line.ops->force_rates != NULL) {
        cable->line.ops->force_rates(&cable->line, s->state->q + cable->first,
                                     s->state->u + cable->first, f, f);
    } else {
        cable->line.ops->force(&cable->line, s->state->q + cable->first, f);
    }
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
    if (cable->rope != NULL) {
        haw_rope_place(s, index, fraction, x);
        return;
    }
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
    void name(const haw_simulation *s, const haw_probe *p, double *v)                              \
    {                                                                                              \
        int i, end;                                                                                \
        memset(v, 0, (count) * sizeof *v);                                                         \
        for (pair_range(s, p, &i, &end); i < end; i++) {                                           \
            const haw_pair_frame *f = &s->pair[i];                                                 \
            statement;                                                                             \
        }                                                                                          \
    }

static haw_probe_function contact_force, contact_moment, contact_impulse;

PAIR_PROBE(haw_probe_normal_sum, 1, v[0] += f->normal_sum)
PAIR_PROBE(haw_probe_tangential_sum, 1, v[0] += f->tangential_sum)
PAIR_PROBE(contact_force, 2, v[0] += f->force[0]; v[1] += f->force[1])
PAIR_PROBE(contact_moment, 1, v[0] += f->moment[2])
PAIR_PROBE(
    contact_impulse, 3, for (int k = 0; k < 3; k++) { v[k] += f->impulse[k == 2 ? 5 : k]; })
PAIR_PROBE(haw_probe_wrap_angle, 1, v[0] = fmax(v[0], f->wrap_angle))
PAIR_PROBE(haw_probe_closed, 1, v[0] += f->closed)
PAIR_PROBE(haw_probe_sticking, 1, v[0] += f->sticking)

enum {
    PLAIN = HAW_PROBE_PLAIN,
    VECTOR = HAW_PROBE_VECTOR,
    MEAN = HAW_PROBE_FRAME,
    RANGED = HAW_PROBE_RANGED,
    BELT = HAW_PROBE_BELT,
    POINT = HAW_PROBE_RANGED | HAW_PROBE_POINT | HAW_PROBE_BELT,
    SINGLE = HAW_PROBE_SINGLE | HAW_PROBE_BELT | HAW_PROBE_FRAME,
    LINE = HAW_PROBE_LINE,
    ROPE = SINGLE | HAW_PROBE_ROPE
};

const haw_row *const haw_probes[] = {
    HAW_PROBE(BODY, "position", 2, VECTOR, "m", "centre of the body", body_position),
    HAW_PROBE(BODY, "angle", 1, PLAIN, "rad", "angle of the body", body_angle),
    HAW_PROBE(BODY, "velocity", 2, VECTOR, "m/s", "velocity of the centre", body_velocity),
    HAW_PROBE(BODY, "spin", 1, PLAIN, "rad/s", "angular velocity", body_spin),
    HAW_PROBE(BODY, "torque", 1, MEAN, "N m", "mean moment that keeps a prescribed spin",
              haw_probe_torque),
    HAW_PROBE(CABLE, "tension_mean", 1, RANGED, "N",
              "mean tension of the cable or of the elements of [a:b]", haw_probe_tension_mean),
    HAW_PROBE(CABLE, "tension", 1, POINT, "N",
              "axial force with its damping part at the place a of [a:a], or its mean over [a:b], "
              "of a rope "
              "its value in the middle",
              haw_belt_tension),
    HAW_PROBE(CABLE, "tension_tight", 1, BELT | LINE, "N",
              "mean axial force of the tightest free span, without the sixth at its ends",
              haw_belt_tension_tight),
    HAW_PROBE(CABLE, "tension_slack", 1, BELT | LINE, "N",
              "mean axial force of the slackest free span, without the sixth at its ends",
              haw_belt_tension_slack),
    HAW_PROBE(CABLE, "speed_tight", 1, BELT | LINE, "m/s",
              "mean speed of the material along the tightest free span", haw_belt_speed_tight),
    HAW_PROBE(CABLE, "speed_slack", 1, BELT | LINE, "m/s",
              "mean speed of the material along the slackest free span", haw_belt_speed_slack),
    HAW_PROBE_NUMBER(CABLE, "creep", 1, BELT | LINE, "(speed_tight - speed_slack) / speed_tight",
                     haw_belt_creep),
    HAW_PROBE(CABLE, "tension_start", 1, PLAIN, "N", "mean tension of the first element",
              haw_probe_tension_start),
    HAW_PROBE(CABLE, "tension_end", 1, PLAIN, "N", "mean tension of the last element",
              haw_probe_tension_end),
    HAW_PROBE(CABLE, "reaction_start", 2, VECTOR | LINE, "N",
              "force of the support on the cable at `from`, without the inertia of the end",
              cable_reaction_start),
    HAW_PROBE(CABLE, "reaction_end", 2, VECTOR | LINE, "N",
              "force of the support on the cable at `to`, without the inertia of the end",
              cable_reaction_end),
    HAW_PROBE(CABLE, "length", 1, LINE, "m", "deformed length", cable_length),
    HAW_PROBE(CABLE, "position", 2, RANGED | HAW_PROBE_VECTOR, "m",
              "material point in the middle of the cable or of [a:b]", cable_position),
    HAW_PROBE(CABLE, "chord_angle", 1, RANGED, "rad",
              "direction of the chord over the cable or [a:b]", cable_chord_angle),
    HAW_PROBE(CONTACT, "normal_sum", 1, MEAN, "N", "sum of the mean normal forces",
              haw_probe_normal_sum),
    HAW_PROBE(CONTACT, "tangential_sum", 1, MEAN, "N", "sum of the mean tangential forces",
              haw_probe_tangential_sum),
    HAW_PROBE(CONTACT, "force", 2, VECTOR | MEAN, "N", "mean resultant on the body", contact_force),
    HAW_PROBE(CONTACT, "moment", 1, MEAN, "N m", "mean moment on the body", contact_moment),
    HAW_PROBE(CONTACT, "impulse", 3, MEAN, "N s, N m s", "impulse on the body since the start",
              contact_impulse),
    HAW_PROBE(CONTACT, "wrap_angle", 1, PLAIN, "rad", "angle between the outermost closed points",
              haw_probe_wrap_angle),
    HAW_PROBE_NUMBER(CONTACT, "closed", 1, PLAIN, "closed points", haw_probe_closed),
    HAW_PROBE_NUMBER(CONTACT, "sticking", 1, PLAIN, "sticking points", haw_probe_sticking),
    HAW_PROBE(CONTACT, "entry", 1, SINGLE, "rad",
              "direction from the body's centre at which the cable comes into contact",
              haw_belt_entry),
    HAW_PROBE(CONTACT, "exit", 1, SINGLE, "rad",
              "direction from the body's centre at which the cable leaves it", haw_belt_exit),
    HAW_PROBE(CONTACT, "contact_length", 1, SINGLE, "m",
              "unstrained length between the outermost closed points", haw_belt_contact_length),
    HAW_PROBE(CONTACT, "slip_angle", 1, SINGLE, "rad",
              "angle of the slip zone that ends where the cable leaves the body",
              haw_belt_slip_angle),
    HAW_PROBE(CONTACT, "stick_angle", 1, SINGLE, "rad", "angle of the rest of the contact",
              haw_belt_stick_angle),
    HAW_PROBE_NUMBER(CONTACT, "friction_effective", 1, SINGLE,
                     "ln N over the arc angle in that slip zone, by least squares",
                     haw_belt_friction),
    HAW_PROBE_NUMBER(
        CONTACT, "friction_effective_deviation", 1, SINGLE,
        "largest deviation of N in it from the exponential with the given friction, over N",
        haw_belt_deviation),
    HAW_PROBE(CONTACT, "tension_in", 1, ROPE, "N", "tension where the rope comes to the sheave",
              haw_belt_tension_in),
    HAW_PROBE(CONTACT, "tension_out", 1, ROPE, "N", "tension where the rope leaves the sheave",
              haw_belt_tension_out),
    HAW_PROBE_NUMBER(
        CONTACT, "creep", 1, ROPE,
        "of the rope: (R omega - c) / (R omega), c the unstrained length that passes per "
        "time; since "
        "the last frame",
        haw_belt_wrap_creep),
    HAW_PROBE(CONTACT, "tangential_max", 1, ROPE, "N/m", "largest friction force per length",
              haw_belt_tangential_max),
    NULL,
};
