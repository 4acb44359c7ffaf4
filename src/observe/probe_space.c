/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes of spatial models. */
#include "base/lie.h"
#include "observe/probe.h"

#include <math.h>
#include <string.h>

/* ---- bodies: position and quaternion [7], velocity and angular velocity [6] ---- */

static const double *pose(const haw_simulation *s, const haw_probe *p)
{
    return s->state->q + s->model.body[p->index].first_q;
}

static const double *rates(const haw_simulation *s, const haw_probe *p)
{
    return s->state->u + s->model.body[p->index].first;
}

static void body_position(const haw_simulation *s, const haw_probe *p, double *v)
{
    memcpy(v, pose(s, p), 3 * sizeof *v);
}

static void body_orientation(const haw_simulation *s, const haw_probe *p, double *v)
{
    memcpy(v, pose(s, p) + 3, 4 * sizeof *v);
}

static void body_velocity(const haw_simulation *s, const haw_probe *p, double *v)
{
    memcpy(v, rates(s, p), 3 * sizeof *v);
}

static void body_angular_velocity(const haw_simulation *s, const haw_probe *p, double *v)
{
    quaternion_rotate(pose(s, p) + 3, rates(s, p) + 3, v);
}

static void body_spin(const haw_simulation *s, const haw_probe *p, double *v)
{
    v[0] = rates(s, p)[5];
}

/* ---- cables ---- */

typedef struct cable_view {
    const haw_cable *cable;
    const haw_beam *beam;
    const double *q, *u; /* its own */
} cable_view;

static cable_view view(const haw_simulation *s, int index)
{
    const haw_cable *cable = &s->model.cable[index];
    return (cable_view){cable, &cable->beam, s->state->q + cable->first_q,
                        s->state->u + cable->first};
}

/* Element and local coordinate of a fraction of the cable. */
static int locate(const cable_view *c, double fraction, double *local)
{
    const double place = fraction * c->beam->elements;
    const int e = (int)fmin(floor(place), c->beam->elements - 1);
    *local = place - e;
    return e;
}

static void strain_at(const cable_view *c, int e, double local, haw_space_strain *strain)
{
    c->beam->ops->strain(c->beam, e, local, c->q, c->u, strain);
}

/* At one place, or the mean of the elements of a range at their middles; with the damping part. */
static void cable_tension(const haw_simulation *s, const haw_probe *p, double *v)
{
    const cable_view c = view(s, p->index);
    haw_space_strain strain;
    double local = 0;
    if (p->range[1] > p->range[0]) {
        int first, end;
        haw_probe_elements(c.beam->elements, p->range, &first, &end);
        v[0] = 0;
        for (int e = first; e < end; e++) {
            strain_at(&c, e, 0.5, &strain);
            v[0] += strain.tension / (end - first);
        }
        return;
    }
    const int e = locate(&c, p->range[0], &local);
    strain_at(&c, e, local, &strain);
    v[0] = strain.tension;
}

static void cable_tension_max(const haw_simulation *s, const haw_probe *p, double *v)
{
    const cable_view c = view(s, p->index);
    v[0] = -(double)INFINITY;
    for (int e = 0; e < c.beam->elements; e++) {
        haw_space_strain strain;
        strain_at(&c, e, 0.5, &strain);
        v[0] = fmax(v[0], strain.tension);
    }
}

/* Force of a support on the cable: what balances the internal forces in what it holds. */
static void reaction(const haw_simulation *s, const haw_probe *p, int end, double *v)
{
    const cable_view c = view(s, p->index);
    const int node = end == 0 ? 0 : c.beam->elements;
    double *f = s->work[1];
    memset(f, 0, (size_t)c.cable->line.dofs * sizeof *f);
    c.beam->ops->force(c.beam, c.q, c.u, f, f);
    for (int k = 0; k < 3; k++) {
        v[k] = c.cable->guide[end].held[k] ? -f[node * c.beam->ops->node_dofs + k] : 0;
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

/* |dx/dxi| = |e1 + (Gamma - e1)|, by Simpson's rule over each element. */
static void cable_length(const haw_simulation *s, const haw_probe *p, double *v)
{
    static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    const cable_view c = view(s, p->index);
    v[0] = 0;
    for (int e = 0; e < c.beam->elements; e++) {
        for (int g = 0; g < 3; g++) {
            haw_space_strain at;
            strain_at(&c, e, 0.5 * g, &at);
            const double gamma[3] = {1 + at.strain[0], at.strain[1], at.strain[2]};
            v[0] += weight[g] * c.beam->le * vec3_norm(gamma);
        }
    }
}

static void cable_twist(const haw_simulation *s, const haw_probe *p, double *v)
{
    const cable_view c = view(s, p->index);
    v[0] = 0;
    for (int e = 0; e < c.beam->elements; e++) {
        haw_space_strain strain;
        strain_at(&c, e, 0.5, &strain);
        v[0] += c.beam->le * strain.strain[3];
    }
}

/* Of a point: position, or velocity. */
static void material_point(const haw_simulation *s, const haw_probe *p, bool jacobians,
                           haw_space_point *point, int *element)
{
    const cable_view c = view(s, p->index);
    double local = 0;
    *element = locate(&c, 0.5 * (p->range[0] + p->range[1]), &local);
    c.beam->ops->point(c.beam, *element, local, c.q, jacobians, point);
}

static void cable_position(const haw_simulation *s, const haw_probe *p, double *v)
{
    haw_space_point point;
    int e;
    material_point(s, p, false, &point, &e);
    memcpy(v, point.x, sizeof point.x);
}

static void cable_velocity(const haw_simulation *s, const haw_probe *p, double *v)
{
    const cable_view c = view(s, p->index);
    haw_space_point point;
    int e;
    material_point(s, p, true, &point, &e);
    const double *own = c.u + (ptrdiff_t)e * c.beam->ops->node_dofs;
    for (int k = 0; k < 3; k++) {
        v[k] = 0;
        for (int a = 0; a < HAW_SPACE_DOFS; a++) {
            v[k] += point.jx[k][a] * own[a];
        }
    }
}

/* ---- contacts ---- */

static void pair_range(const haw_simulation *s, const haw_probe *p, int *first, int *end)
{
    *first = p->index < 0 ? 0 : p->index;
    *end = p->index < 0 ? s->model.pairs : p->index + 1;
}

static void contact_force(const haw_simulation *s, const haw_probe *p, double *v)
{
    int i, end;
    memset(v, 0, 3 * sizeof *v);
    for (pair_range(s, p, &i, &end); i < end; i++) {
        vec3_add(1, s->pair[i].force, v);
    }
}

static void contact_moment(const haw_simulation *s, const haw_probe *p, double *v)
{
    int i, end;
    memset(v, 0, 3 * sizeof *v);
    for (pair_range(s, p, &i, &end); i < end; i++) {
        vec3_add(1, s->pair[i].moment, v);
    }
}

static void contact_impulse(const haw_simulation *s, const haw_probe *p, double *v)
{
    int i, end;
    memset(v, 0, 6 * sizeof *v);
    for (pair_range(s, p, &i, &end); i < end; i++) {
        vec3_add(1, s->pair[i].impulse, v);
        vec3_add(1, s->pair[i].impulse + 3, v + 3);
    }
}

/* Angle of a contact point about the z axis of the surface's body. */
static double azimuth(const haw_simulation *s, const haw_touch *c)
{
    const double *q = s->state->q + s->model.body[s->model.pair[c->pair].body].first_q;
    const double arm[3] = {c->x[0] - q[0], c->x[1] - q[1], c->x[2] - q[2]};
    double r[9], local[3];
    quaternion_matrix(q + 3, r);
    mat3_apply_t(r, arm, local);
    return atan2(local[1], local[0]);
}

/*
 * Way about the axis from the last closed point of the pair along the cable, where it lifts off,
 * back to the first one that sticks; to the first closed point if none does, 0 if none is closed.
 */
static double slip_front(const haw_simulation *s, int pair)
{
    const haw_contacts *contacts = s->contacts;
    double last = 0, way = 0;
    bool is_closed = false;
    for (int i = contacts->count - 1; i >= 0; i--) {
        const haw_touch *c = &contacts->item[i];
        const signed char state = s->point_state[c->id];
        if (c->pair != pair || state == HAW_POINT_OPEN) {
            continue;
        }
        const double now = azimuth(s, c);
        way += is_closed ? remainder(now - last, 6.283185307179586477) : 0;
        last = now;
        is_closed = true;
        if (state == HAW_POINT_STICK) {
            break;
        }
    }
    return fabs(way);
}

static void contact_slip_front(const haw_simulation *s, const haw_probe *p, double *v)
{
    int i, end;
    v[0] = 0;
    for (pair_range(s, p, &i, &end); i < end; i++) {
        v[0] = fmax(v[0], slip_front(s, i));
    }
}

enum {
    PLAIN = HAW_PROBE_PLAIN,
    VECTOR = HAW_PROBE_VECTOR,
    RANGED = HAW_PROBE_RANGED,
    POINT = HAW_PROBE_RANGED | HAW_PROBE_POINT,
    MEAN = HAW_PROBE_FRAME
};

const haw_row *const haw_space_probes[] = {
    HAW_PROBE(BODY, "position", 3, VECTOR, "m", "centre of the body", body_position),
    HAW_PROBE(BODY, "orientation", 4, PLAIN, "1", "unit quaternion (w, x, y, z) of the body",
              body_orientation),
    HAW_PROBE(BODY, "velocity", 3, VECTOR, "m/s", "velocity of the centre", body_velocity),
    HAW_PROBE(BODY, "spin", 1, PLAIN, "rad/s", "angular velocity about the z axis of the body",
              body_spin),
    HAW_PROBE(BODY, "angular_velocity", 3, VECTOR, "rad/s", "angular velocity, inertial axes",
              body_angular_velocity),
    HAW_PROBE(BODY, "torque", 1, MEAN, "N m", "mean moment that keeps a prescribed spin",
              haw_probe_torque),
    HAW_PROBE(CABLE, "tension_mean", 1, RANGED, "N",
              "mean tension of the cable or of the elements of [a:b]", haw_probe_tension_mean),
    HAW_PROBE(CABLE, "tension", 1, POINT, "N",
              "axial force with its damping part at the place a of [a:a], or its mean over [a:b]",
              cable_tension),
    HAW_PROBE(CABLE, "tension_max", 1, PLAIN, "N",
              "largest axial force of all elements, with its damping part", cable_tension_max),
    HAW_PROBE(CABLE, "tension_start", 1, PLAIN, "N", "mean tension of the first element",
              haw_probe_tension_start),
    HAW_PROBE(CABLE, "tension_end", 1, PLAIN, "N", "mean tension of the last element",
              haw_probe_tension_end),
    HAW_PROBE(CABLE, "reaction_start", 3, VECTOR, "N",
              "force of the support on the cable at `from`, in the directions that it holds",
              cable_reaction_start),
    HAW_PROBE(CABLE, "reaction_end", 3, VECTOR, "N",
              "force of the support on the cable at `to`, in the directions that it holds",
              cable_reaction_end),
    HAW_PROBE(CABLE, "length", 1, PLAIN, "m", "deformed length", cable_length),
    HAW_PROBE(CABLE, "twist", 1, PLAIN, "rad",
              "angle by which the cable is twisted over its length", cable_twist),
    HAW_PROBE(CABLE, "position", 3, POINT | VECTOR, "m",
              "material point in the middle of the cable or of [a:b], or at [a:a]", cable_position),
    HAW_PROBE(CABLE, "velocity", 3, POINT | VECTOR, "m/s",
              "velocity of the material point in the middle of the cable or of [a:b], or at [a:a]",
              cable_velocity),
    HAW_PROBE(CONTACT, "normal_sum", 1, MEAN, "N", "sum of the mean normal forces",
              haw_probe_normal_sum),
    HAW_PROBE(CONTACT, "tangential_sum", 1, MEAN, "N", "sum of the mean tangential forces",
              haw_probe_tangential_sum),
    HAW_PROBE(CONTACT, "force", 3, VECTOR | MEAN, "N", "mean resultant on the body", contact_force),
    HAW_PROBE(CONTACT, "moment", 3, VECTOR | MEAN, "N m",
              "mean moment on the body about its centre", contact_moment),
    HAW_PROBE(CONTACT, "impulse", 6, MEAN, "N s, N m s", "impulse on the body since the start",
              contact_impulse),
    HAW_PROBE(CONTACT, "wrap_angle", 1, PLAIN, "rad", "angle between the outermost closed points",
              haw_probe_wrap_angle),
    HAW_PROBE_NUMBER(CONTACT, "closed", 1, PLAIN, "closed points", haw_probe_closed),
    HAW_PROBE_NUMBER(CONTACT, "sticking", 1, PLAIN, "sticking points", haw_probe_sticking),
    HAW_PROBE(
        CONTACT, "slip_front", 1, PLAIN, "rad",
        "angle about the axis of the surface from the last closed point of the cable back to the "
        "first that sticks; to the first closed one if none does, 0 if none is closed",
        contact_slip_front),
    NULL,
};
