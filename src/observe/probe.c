/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Probes: numbers a user wants to follow, by the names of the scenario,
 *     body.quantity, cable.quantity, cable.quantity[a:b], contact.quantity, cable-body.quantity
 * where [a:b] is a range of the cable in fractions of its unstrained length. One table for the
 * plane and space: a row says how many values it has in either.
 */
#include "base/lie.h"
#include "model/dynamics.h"
#include "model/joint.h"
#include "observe/belt.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- bodies ---- */

/* Coordinates of a body: position and angle or unit quaternion. */
static const double *pose(const haw_observation *o, const haw_probe *p)
{
    return o->frame.state->q + o->frame.model->body[p->index].first_q;
}

/* Velocity and angular velocity of a body. */
static const double *rates(const haw_observation *o, const haw_probe *p)
{
    return o->frame.state->u + o->frame.model->body[p->index].first;
}

/* Of its coordinates, from the row's offset on. */
static void body_pose(const haw_observation *o, const haw_probe *p, double *v)
{
    const int size = haw_probe_row_size(&p->row->row, o->frame.model->dimension);
    memcpy(v, pose(o, p) + p->row->offset, (size_t)size * sizeof *v);
}

static void body_velocity(const haw_observation *o, const haw_probe *p, double *v)
{
    memcpy(v, rates(o, p), (size_t)o->frame.model->dimension * sizeof *v);
}

static void body_angular_velocity(const haw_observation *o, const haw_probe *p, double *v)
{
    quaternion_rotate(pose(o, p) + 3, rates(o, p) + 3, v);
}

static void body_spin(const haw_observation *o, const haw_probe *p, double *v)
{
    v[0] = rates(o, p)[haw_body_dofs(o->frame.model) - 1];
}

static void body_torque(const haw_observation *o, const haw_probe *p, double *v)
{
    v[0] = o->frame.torque[p->index];
}

enum { LINEAR = 0, ANGULAR = 3 }; /* first of each in what the functions of momenta give */

/* One of both momenta: in the plane the angular one is that about z. */
static void take(const haw_probe *p, int dimension, const double momentum[6], double *v)
{
    const int size = haw_probe_row_size(&p->row->row, dimension);
    memcpy(v, momentum + p->row->offset + (size < dimension ? 2 : 0), (size_t)size * sizeof *v);
}

static void body_momentum(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_model *model = o->frame.model;
    double momentum[6] = {0};
    haw_body_momentum(model, p->index, o->frame.state->q, o->frame.state->u, momentum);
    take(p, model->dimension, momentum, v);
}

static void cable_momentum(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_model *model = o->frame.model;
    double momentum[6] = {0};
    haw_cable_momentum(model, p->index, o->frame.state->q, o->frame.state->u, o->work, momentum);
    take(p, model->dimension, momentum, v);
}

static void system_momentum(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_model *model = o->frame.model;
    double momentum[6] = {0};
    haw_model_momentum(model, o->frame.state->q, o->frame.state->u, o->work, momentum);
    take(p, model->dimension, momentum, v);
}

/* ---- joints ---- */

static void joint_force(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_model *model = o->frame.model;
    const haw_link *joint = &model->joint[p->index];
    double force[3];
    haw_joint_force(model, joint, o->frame.state->q, o->frame.state->u + joint->first, force);
    memcpy(v, force, (size_t)model->dimension * sizeof *v);
}

/* ---- cables ---- */

void haw_probe_elements(int elements, const double range[2], int *first, int *end)
{
    *first = (int)floor(range[0] * elements + 1e-9);
    *end = (int)ceil(range[1] * elements - 1e-9);
    *first = *first >= elements ? elements - 1 : *first;
    *end = *end <= *first ? *first + 1 : *end;
}

static const haw_cable *cable_of(const haw_observation *o, const haw_probe *p)
{
    return &o->frame.model->cable[p->index];
}

static void cable_tension_mean(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    int first, end;
    haw_probe_elements(cable->line.elements, p->range, &first, &end);
    v[0] = haw_cable_tension_range(cable, first, end, o->frame.state->q);
}

static void cable_tension_start(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_probe first = {.index = p->index, .range = {0, 0}};
    cable_tension_mean(o, &first, v);
}

static void cable_tension_end(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_probe last = {.index = p->index, .range = {1, 1}};
    cable_tension_mean(o, &last, v);
}

/* Element and local coordinate of a fraction of the unstrained length. */
static int locate(const haw_observation *o, const haw_cable *cable, double fraction, double *s)
{
    const int n = cable->line.elements;
    const double *q = o->frame.state->q, place = fraction * n;
    if (cable->ops->label != NULL) {
        return cable->ops->locate(cable, q, fraction * cable->ops->label(cable, n, q), s);
    }
    const int e = (int)fmin(floor(place), n - 1);
    *s = place - e;
    return e;
}

static haw_sample sample(const haw_observation *o, const haw_cable *cable, int e, double s)
{
    haw_sample at;
    cable->ops->state(cable, e, s, o->frame.state->q, o->frame.state->u, &at);
    return at;
}

static haw_sample sample_at(const haw_observation *o, const haw_cable *cable, double fraction)
{
    double s = 0;
    const int e = locate(o, cable, fraction, &s);
    return sample(o, cable, e, s);
}

static double middle(const haw_probe *p)
{
    return 0.5 * (p->range[0] + p->range[1]);
}

/* At one place, or the mean of the elements of a range; with the damping part. Places alone would
 * not do: within a cubic element the tension of a string swings by more than its mean. */
static void cable_tension(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    int first, end;
    if (p->range[1] == p->range[0] || cable->ops->label != NULL) {
        v[0] = sample_at(o, cable, middle(p)).tension;
        return;
    }
    haw_probe_elements(cable->line.elements, p->range, &first, &end);
    v[0] = 0;
    for (int e = first; e < end; e++) {
        v[0] += cable->ops->tension(cable, e, o->frame.state->q, o->frame.state->u) / (end - first);
    }
}

static void cable_tension_max(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    v[0] = -(double)INFINITY;
    for (int e = 0; e < cable->line.elements; e++) {
        const double s = haw_cable_local(cable, e, 0.5, o->frame.state->q);
        v[0] = fmax(v[0], sample(o, cable, e, s).tension);
    }
}

/* Force, or with first = 3 the moment, of a support. */
static void reaction(const haw_observation *o, const haw_probe *p, int end, int first, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    double wrench[6];
    cable->ops->reaction(cable, end, o->frame.state->q, o->frame.state->u, o->work, wrench);
    memcpy(v, wrench + first, (size_t)o->frame.model->dimension * sizeof *v);
}

static void cable_reaction_start(const haw_observation *o, const haw_probe *p, double *v)
{
    reaction(o, p, 0, 0, v);
}

static void cable_reaction_end(const haw_observation *o, const haw_probe *p, double *v)
{
    reaction(o, p, 1, 0, v);
}

static void cable_reaction_moment_start(const haw_observation *o, const haw_probe *p, double *v)
{
    reaction(o, p, 0, 3, v);
}

static void cable_reaction_moment_end(const haw_observation *o, const haw_probe *p, double *v)
{
    reaction(o, p, 1, 3, v);
}

static void cable_length(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    v[0] = cable->ops->stretched(cable, o->frame.state->q);
}

/* The middle of the range: the material mid point by default. */
static void cable_position(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_sample at = sample_at(o, cable_of(o, p), middle(p));
    memcpy(v, at.x, (size_t)o->frame.model->dimension * sizeof *v);
}

static void cable_velocity(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    const haw_state *state = o->frame.state;
    double s = 0;
    haw_cable_point point;
    const int e = locate(o, cable, middle(p), &s);
    const haw_dofs dofs = cable->ops->dofs(cable, e);
    cable->ops->point(cable, e, s, state->q, NULL, HAW_POINT_JACOBIAN, &point);
    for (int k = 0; k < o->frame.model->dimension; k++) {
        v[k] = 0;
        for (int a = 0; a < dofs.count; a++) {
            v[k] += point.j[k][a] * state->u[haw_dof_at(&dofs, a)];
        }
    }
}

/* Direction of the chord between the ends of the range, counter-clockwise from x. */
static void cable_chord_angle(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    const haw_sample a = sample_at(o, cable, p->range[0]), b = sample_at(o, cable, p->range[1]);
    v[0] = atan2(b.x[1] - a.x[1], b.x[0] - a.x[0]);
}

/* ---- contacts: sums over one pair, or over all for `contact` ---- */

static void pair_range(const haw_observation *o, const haw_probe *p, int *first, int *end)
{
    *first = p->index < 0 ? 0 : p->index;
    *end = p->index < 0 ? o->frame.pairs : p->index + 1;
}

#define PAIR_PROBE(name, statement)                                                                \
    static void name(const haw_observation *o, const haw_probe *p, double *v)                      \
    {                                                                                              \
        const int d = o->frame.model->dimension, size = haw_probe_row_size(&p->row->row, d);       \
        int i, end;                                                                                \
        memset(v, 0, (size_t)size * sizeof *v);                                                    \
        for (pair_range(o, p, &i, &end); i < end; i++) {                                           \
            const haw_pair_frame *f = &o->frame.pair[i];                                           \
            for (int k = 0; k < size; k++) {                                                       \
                statement;                                                                         \
            }                                                                                      \
        }                                                                                          \
    }

PAIR_PROBE(contact_normal_sum, v[k] += f->normal_sum)
PAIR_PROBE(contact_tangential_sum, v[k] += f->tangential_sum)
PAIR_PROBE(contact_force, v[k] += f->force[k])
PAIR_PROBE(contact_moment, v[k] += f->moment[3 - size + k])
PAIR_PROBE(contact_impulse, v[k] += f->impulse[k < d ? k : 6 - size + k])
PAIR_PROBE(contact_wrap_angle, v[k] = fmax(v[k], f->wrap_angle))
PAIR_PROBE(contact_closed, v[k] += f->closed)
PAIR_PROBE(contact_sticking, v[k] += f->sticking)

/* Beyond the reach of the search no gap is known. */
static void contact_gap_min(const haw_observation *o, const haw_probe *p, double *v)
{
    int i, end;
    v[0] = (double)NAN;
    for (pair_range(o, p, &i, &end); i < end; i++) {
        const double gap = o->frame.pair[i].gap_min;
        v[0] = isfinite(gap) ? fmin(v[0], gap) : v[0];
    }
}

/* Angle of a contact point about the z axis of the surface's body. */
static double azimuth(const haw_observation *o, const haw_touch_frame *c)
{
    return haw_pair_azimuth(o->frame.model, &o->frame.model->pair[c->pair], o->frame.state->q,
                            c->x);
}

/*
 * Way about the axis from the last closed point of the pair along the cable, where it lifts off,
 * back to the first one that sticks; to the first closed point if none does, 0 if none is closed.
 */
static double slip_front(const haw_observation *o, int pair)
{
    double last = 0, way = 0;
    bool is_closed = false;
    for (int i = o->frame.touches - 1; i >= 0; i--) {
        const haw_touch_frame *c = &o->frame.touch[i];
        const signed char state = o->frame.point_state[c->id];
        if (c->pair != pair || state == HAW_POINT_OPEN) {
            continue;
        }
        const double now = azimuth(o, c);
        way += is_closed ? remainder(now - last, 6.283185307179586477) : 0;
        last = now;
        is_closed = true;
        if (state == HAW_POINT_STICK) {
            break;
        }
    }
    return fabs(way);
}

static void contact_slip_front(const haw_observation *o, const haw_probe *p, double *v)
{
    int i, end;
    v[0] = 0;
    for (pair_range(o, p, &i, &end); i < end; i++) {
        v[0] = fmax(v[0], slip_front(o, i));
    }
}

/* ---- the table ---- */

enum {
    PLAIN = HAW_PROBE_PLAIN,
    VECTOR = HAW_PROBE_VECTOR,
    MEAN = HAW_PROBE_FRAME,
    RANGED = HAW_PROBE_RANGED,
    BELT = HAW_PROBE_BELT | HAW_PROBE_FIXED,
    POINT = HAW_PROBE_RANGED | HAW_PROBE_POINT,
    SINGLE = HAW_PROBE_SINGLE | HAW_PROBE_BELT | HAW_PROBE_FRAME,
    FIXED = HAW_PROBE_FIXED,
    SHEAVE = SINGLE | HAW_PROBE_SHEAVES
};

#define WRAP(member) haw_belt_wrap_value, .offset = offsetof(haw_belt_wrap, member)

const haw_row *const haw_probes[] = {
    HAW_PROBE(BODY, "position", 2, 3, VECTOR, "m", "centre of the body", body_pose),
    HAW_PROBE(BODY, "angle", 1, 0, PLAIN, "rad", "angle of the body", body_pose, .offset = 2),
    HAW_PROBE_NUMBER(BODY, "orientation", 0, 4, PLAIN, "unit quaternion (w, x, y, z)", body_pose,
                     .offset = 3),
    HAW_PROBE(BODY, "velocity", 2, 3, VECTOR, "m/s", "velocity of the centre", body_velocity),
    HAW_PROBE(BODY, "spin", 1, 1, PLAIN, "rad/s",
              "angular velocity, in space about the body's z axis", body_spin),
    HAW_PROBE(BODY, "angular_velocity", 0, 3, VECTOR, "rad/s", "angular velocity in inertial axes",
              body_angular_velocity),
    HAW_PROBE(BODY, "torque", 1, 1, MEAN, "N m",
              "mean moment that keeps a prescribed spin, of ends that ride on it, too",
              body_torque),
    HAW_PROBE(BODY, "momentum", 2, 3, VECTOR, "N s", "linear momentum of the body", body_momentum,
              .offset = LINEAR),
    HAW_PROBE(BODY, "angular_momentum", 1, 3, VECTOR, "N m s",
              "angular momentum of the body about the origin, in the plane about z", body_momentum,
              .offset = ANGULAR),
    HAW_PROBE(CABLE, "tension_mean", 1, 1, RANGED, "N",
              "mean tension of the cable or of the elements of [a:b]", cable_tension_mean),
    HAW_PROBE(CABLE, "tension", 1, 1, POINT, "N",
              "axial force with its damping part at the point a of [a:a], or its mean over [a:b] "
              "(for a rope: the value in the middle)",
              cable_tension),
    HAW_PROBE(CABLE, "tension_max", 1, 1, PLAIN, "N",
              "largest axial force of all elements, with its damping part", cable_tension_max),
    HAW_PROBE(CABLE, "tension_tight", 1, 1, BELT, "N",
              "mean axial force of the tightest free span, without a sixth at each end",
              haw_belt_tension_tight),
    HAW_PROBE(CABLE, "tension_slack", 1, 1, BELT, "N",
              "mean axial force of the slackest free span, without a sixth at each end",
              haw_belt_tension_slack),
    HAW_PROBE(CABLE, "speed_tight", 1, 1, BELT, "m/s",
              "mean speed of the material along the tightest free span", haw_belt_speed_tight),
    HAW_PROBE(CABLE, "speed_slack", 1, 1, BELT, "m/s",
              "mean speed of the material along the slackest free span", haw_belt_speed_slack),
    HAW_PROBE_NUMBER(CABLE, "creep", 1, 1, BELT,
                     "(speed_tight - speed_slack) / speed_tight; none at rest", haw_belt_creep),
    HAW_PROBE(CABLE, "tension_start", 1, 1, PLAIN, "N", "mean tension of the first element",
              cable_tension_start),
    HAW_PROBE(CABLE, "tension_end", 1, 1, PLAIN, "N", "mean tension of the last element",
              cable_tension_end),
    HAW_PROBE(CABLE, "reaction_start", 2, 3, VECTOR | FIXED, "N",
              "force of the support on the cable at `from`, in the held directions, without the "
              "inertia of the end",
              cable_reaction_start),
    HAW_PROBE(CABLE, "reaction_end", 2, 3, VECTOR | FIXED, "N",
              "force of the support on the cable at `to`, in the held directions, without the "
              "inertia of the end",
              cable_reaction_end),
    HAW_PROBE(CABLE, "length", 1, 1, FIXED, "m", "deformed length", cable_length),
    HAW_PROBE(
        CABLE, "reaction_moment_start", 0, 3, VECTOR | FIXED, "N m",
        "moment of the support on the cable at `from`, inertial, where its direction is held; "
        "without the inertia of the end",
        cable_reaction_moment_start),
    HAW_PROBE(CABLE, "reaction_moment_end", 0, 3, VECTOR | FIXED, "N m",
              "moment of the support on the cable at `to`, inertial, where its direction is held; "
              "without the inertia of the end",
              cable_reaction_moment_end),
    HAW_PROBE(CABLE, "twist", 0, 1, PLAIN, "rad",
              "angle by which the cable is twisted over its length against its stress-free shape",
              haw_link_twist),
    HAW_PROBE_NUMBER(CABLE, "writhe", 0, 1, PLAIN,
                     "Gauss' integral over the centreline and, unless its ends are in one place, "
                     "the straight lines beyond them",
                     haw_link_writhe),
    HAW_PROBE_NUMBER(CABLE, "link", 0, 1, PLAIN, "linking number: twist / 2 pi + writhe",
                     haw_link_number),
    HAW_PROBE(CABLE, "position", 2, 3, POINT | VECTOR, "m",
              "material point in the middle of the cable or of [a:b], or at [a:a]", cable_position),
    HAW_PROBE(CABLE, "velocity", 2, 3, POINT | VECTOR, "m/s",
              "velocity of the material point in the middle of the cable or of [a:b], or at [a:a]",
              cable_velocity),
    HAW_PROBE(CABLE, "chord_angle", 1, 0, RANGED, "rad",
              "direction of the chord over the cable or [a:b]", cable_chord_angle),
    HAW_PROBE(CABLE, "momentum", 2, 3, VECTOR, "N s", "linear momentum of the cable",
              cable_momentum, .offset = LINEAR),
    HAW_PROBE(CABLE, "angular_momentum", 1, 3, VECTOR, "N m s",
              "angular momentum of the cable about the origin, in the plane about z",
              cable_momentum, .offset = ANGULAR),
    HAW_PROBE(SYSTEM, "momentum", 2, 3, VECTOR, "N s", "linear momentum of all bodies and cables",
              system_momentum, .offset = LINEAR),
    HAW_PROBE(SYSTEM, "angular_momentum", 1, 3, VECTOR, "N m s",
              "angular momentum of all bodies and cables about the origin, in the plane about z",
              system_momentum, .offset = ANGULAR),
    HAW_PROBE(
        JOINT, "force", 2, 3, VECTOR, "N",
        "force on the second of its points, inertial; of moreau and moreau-jean the mean of the "
        "last step",
        joint_force),
    HAW_PROBE(CONTACT, "normal_sum", 1, 1, MEAN, "N", "sum of the mean normal forces",
              contact_normal_sum),
    HAW_PROBE(
        CONTACT, "tangential_sum", 1, 1, MEAN, "N",
        "sum of the mean tangential forces: in the plane with their signs, in space of their sizes",
        contact_tangential_sum),
    HAW_PROBE(CONTACT, "force", 2, 3, VECTOR | MEAN, "N", "mean resultant on the body",
              contact_force),
    HAW_PROBE(CONTACT, "moment", 1, 3, VECTOR | MEAN, "N m",
              "mean moment on the body about its centre", contact_moment),
    HAW_PROBE(CONTACT, "impulse", 3, 6, MEAN, "N s, N m s", "impulse on the body since the start",
              contact_impulse),
    HAW_PROBE(CONTACT, "wrap_angle", 1, 1, PLAIN, "rad",
              "angle between the outermost closed points, about the axis of drums",
              contact_wrap_angle),
    HAW_PROBE(CONTACT, "gap_min", 1, 1, PLAIN, "m",
              "smallest gap of all points; none where they are far", contact_gap_min),
    HAW_PROBE_NUMBER(CONTACT, "closed", 1, 1, PLAIN, "closed points", contact_closed),
    HAW_PROBE_NUMBER(CONTACT, "sticking", 1, 1, PLAIN, "sticking points", contact_sticking),
    HAW_PROBE(CONTACT, "slip_front", 0, 1, PLAIN, "rad",
              "angle about the axis of the surface from the last closed point of the cable back to "
              "the first that sticks; to the first closed one if none does, 0 if none is closed",
              contact_slip_front),
    HAW_PROBE(CONTACT, "entry", 1, 0, SINGLE, "rad",
              "direction from the body's centre at which the cable comes into contact",
              WRAP(entry)),
    HAW_PROBE(CONTACT, "exit", 1, 0, SINGLE, "rad",
              "direction from the body's centre at which the cable leaves it", WRAP(exit)),
    HAW_PROBE(
        CONTACT, "contact_length", 1, 1, SINGLE, "m",
        "unstrained length between the outermost closed points, with half a spacing beyond each "
        "(for a rope: without)",
        WRAP(length)),
    HAW_PROBE(CONTACT, "length", 1, 1, SINGLE, "m", "the same as contact_length", WRAP(length)),
    HAW_PROBE(CONTACT, "slip_angle", 1, 1, SINGLE, "rad",
              "angle of the slip zone that ends where the cable leaves the body", WRAP(slip)),
    HAW_PROBE(CONTACT, "stick_angle", 1, 1, SINGLE, "rad", "angle of the rest of the contact",
              WRAP(stick)),
    HAW_PROBE_NUMBER(CONTACT, "friction_effective", 1, 1, SINGLE,
                     "ln N over the arc angle in that slip zone, by least squares",
                     WRAP(effect.friction)),
    HAW_PROBE_NUMBER(
        CONTACT, "friction_effective_deviation", 1, 1, SINGLE,
        "largest deviation of N in it from the exponential with the given friction, over N",
        WRAP(effect.deviation)),
    HAW_PROBE(CONTACT, "tension_in", 1, 1, SINGLE, "N",
              "tension where the cable runs onto the body", WRAP(side[0])),
    HAW_PROBE(CONTACT, "tension_out", 1, 1, SINGLE, "N", "tension where the cable leaves the body",
              WRAP(side[1])),
    HAW_PROBE_NUMBER(CONTACT, "creep", 1, 0, SHEAVE,
                     "of the rope: (R omega - c) / (R omega), c the unstrained length that passes "
                     "per time; since the last frame",
                     WRAP(creep)),
    HAW_PROBE(CONTACT, "tangential_max", 1, 0, SHEAVE, "N/m", "largest friction force per length",
              WRAP(tangential_max)),
    NULL,
};
