/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cable wound about another one as a helix. With the place c, tangent t and curvature k of the
 * core, a normal n that does not twist, and the direction m = cos(phi) n + sin(phi) t x n,
 *
 *     x = c + R m,   dx/du = (1 - R k . m) dc/du + R dphi/du t x m.
 *
 * Where it is free of stress as drawn its sections turn with the helix by cos(beta) phi, the
 * torsion of a helix at the angle beta to the axis over its length. An element between two places
 * that one screw motion leads into another then is the helix itself, not a plane arc between both.
 */
#include "base/lie.h"
#include "cable/drawing.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

static const double degree = M_PI / 180;
static const double TURNS_MOST = 1e4;
static const double STEP = 1e-5; /* of differences of the tangent, over the length of the core */

typedef struct wound {
    const haw_course *core;
    haw_winding winding;
    double turned;        /* twist of a section over phi */
    haw_transport frames; /* over the unstrained length of the core */
} wound;

static double core_point(const haw_course *core, double xi, double x[3], double t[3])
{
    haw_section place;
    double r[9];
    haw_course_section(core, xi, &place);
    quaternion_matrix(place.quaternion, r);
    memcpy(x, place.x, sizeof place.x);
    for (int i = 0; i < 3; i++) {
        t[i] = r[3 * i];
    }
    return place.stretch;
}

static void transport_point(const void *data, double xi, double x[3], double t[3])
{
    (void)core_point(data, xi, x, t);
}

/* dt/dxi, by differences that stay within the core. */
static void tangent_rate(const haw_course *core, double xi, double rate[3])
{
    const double a = fmax(0, xi - STEP * core->length);
    const double b = fmin(core->length, xi + STEP * core->length);
    double x[3], before[3];
    (void)core_point(core, a, x, before);
    (void)core_point(core, b, x, rate);
    vec3_add(-1, before, rate);
    for (int i = 0; i < 3; i++) {
        rate[i] /= b - a;
    }
}

static void wound_at(const void *data, double u, double x[HAW_TRACE], double d[HAW_TRACE])
{
    const wound *w = data;
    const double xi = u * w->core->length, r = w->winding.radius;
    double t[3], n[3], b[3], bend[3], m[3], around[3], rate;
    const double stretch = core_point(w->core, xi, x, t);
    const double angle = haw_winding_angle(&w->winding, u, &rate);
    haw_transport_normal(&w->frames, xi, x, t, n);
    vec3_cross(t, n, b);
    for (int i = 0; i < 3; i++) {
        m[i] = cos(angle) * n[i] + sin(angle) * b[i];
    }
    vec3_cross(t, m, around);
    tangent_rate(w->core, xi, bend);
    const double along = w->core->length * (stretch - r * vec3_dot(bend, m));
    for (int i = 0; i < 3; i++) {
        x[i] += r * m[i];
        d[i] = along * t[i] + r * rate * around[i];
    }
    x[3] = w->turned * (angle - w->winding.phase);
    d[3] = w->turned * rate;
}

static haw_status refuse(const haw_site *site, const haw_cable_spec *spec, const char *reason)
{
    return haw_cable_refuse(site, spec, "lay.cable", "it cannot be laid on '%s': %s",
                            spec->lay.cable, reason);
}

/* The latest course of that name, or NULL. */
static const haw_course *find_core(const haw_site *site, const char *name)
{
    const haw_course *core = NULL;
    for (int i = 0; i < site->courses; i++) {
        core = strcmp(site->course[i].spec->name, name) == 0 ? &site->course[i] : core;
    }
    return core;
}

/* Radius and turns: by default the two sections touch. */
static haw_status set_winding(const haw_site *site, const haw_cable_spec *spec,
                              const haw_course *core, haw_winding *winding)
{
    const haw_lay_spec *lay = &spec->lay;
    const double touching = core->spec->radius + spec->radius;
    const double radius = lay->radius == 0 ? touching : lay->radius;
    const double angle = lay->angle_deg;
    const bool has_angle = lay->pitch == 0;
    if (!(radius > 0)) {
        return refuse(site, spec, "give it a lay.radius, or both of them a radius");
    }
    if (has_angle && !(fabs(angle) < 90 && angle != 0)) {
        return refuse(site, spec,
                      "give it a lay.pitch, or a lay.angle_deg between 0 and 90 (left-handed: "
                      "between -90 and 0)");
    }
    if (lay->z != 0 || lay->slip != 0) {
        return refuse(site, spec, "lay.z and lay.slip are for cables on bodies");
    }
    const double pitch = has_angle ? haw_helix_pitch(radius, 0, angle) : lay->pitch;
    *winding = (haw_winding){.radius = radius,
                             .phase = lay->phi_deg * degree,
                             .turns = core->path / pitch * (1 - lay->ramp),
                             .ramp = lay->ramp};
    if (!(fabs(winding->turns) <= TURNS_MOST)) {
        return refuse(site, spec, "its lay.pitch or lay.angle_deg makes more than 10000 turns");
    }
    return HAW_OK;
}

haw_status haw_course_wind(const haw_site *site, haw_course *course)
{
    const haw_course *core = find_core(site, course->spec->lay.cable);
    if (core == NULL) {
        return refuse(site, course->spec, "no cable before it has this name");
    }
    if (core->has_corner || core->body != NULL) {
        return refuse(site, course->spec,
                      core->has_corner ? "its path has a corner" : "it is itself laid on a body");
    }
    wound *w = haw_arena_allocate(site->arena, 1, sizeof *w);
    course->trace = haw_arena_allocate(site->arena, 1, sizeof *course->trace);
    HAW_TRY(haw_arena_status(site->arena));
    HAW_TRY(set_winding(site, course->spec, core, &w->winding));
    double x[3], t[3], n[3];
    if (course->spec->reference == HAW_REFERENCE_DRAWN) {
        const double around = 2 * M_PI * w->winding.turns / (1 - w->winding.ramp);
        w->turned = 1 / hypot(1, around * w->winding.radius / core->path);
    }
    w->core = core;
    w->frames = (haw_transport){.at = transport_point,
                                .data = core,
                                .stations = 4 * haw_drawing_spans(core),
                                .length = core->length};
    (void)core_point(core, 0, x, t);
    haw_upright_normal(t, n);
    HAW_TRY(haw_transport_carry(site->arena, n, &w->frames));
    course->trace[0] = (haw_trace){.at = wound_at, .data = w};
    return haw_trace_wind(site->arena, &w->winding, haw_drawing_spans(core), &course->trace[0]);
}
