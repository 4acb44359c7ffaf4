/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial curves in space. Sections have the tangent as their first axis; the second lies in the
 * x-y plane, to the left, where that is a direction (so that a planar drawing is not twisted), and
 * of a cable laid on a surface it is the surface's normal.
 */
#include "model/beam_course.h"

#include "base/lie.h"

#include <gsl/gsl_math.h>
#include <string.h>

/* ---- frames ---- */

/* Columns t, n, t x n as a quaternion; both are unit and at right angles. */
static void set_frame(const double t[3], const double n[3], haw_section *place)
{
    double b[3], r[9];
    vec3_cross(t, n, b);
    for (int i = 0; i < 3; i++) {
        r[3 * i] = t[i];
        r[3 * i + 1] = n[i];
        r[3 * i + 2] = b[i];
    }
    quaternion_from_matrix(r, place->quaternion);
}

/* The second axis is e_z x t, or e_x of a vertical cable. */
static void set_upright_frame(const double t[3], haw_section *place)
{
    const double across = hypot(t[0], t[1]);
    const double n[3] = {across > 1e-8 ? -t[1] / across : 1, across > 1e-8 ? t[0] / across : 0, 0};
    set_frame(t, n, place);
}

/* ---- drawn cables: a straight one is a path of one line ---- */

/* Cosine between two tangents below which they make a corner. */
static const double corner = 1 - 1e-6;

static const haw_path_segment *path_of(const haw_cable_spec *spec, haw_path_segment *line,
                                       int *count)
{
    *count = spec->segments > 0 ? spec->segments : 1;
    *line = (haw_path_segment){.to = {spec->to[0], spec->to[1], spec->to[2]}};
    return spec->segments > 0 ? spec->path : line;
}

static double segment_length(const haw_path_segment *segment, const double from[3])
{
    if (segment->is_arc) {
        return segment->radius * fabs(segment->angle_deg) * (M_PI / 180);
    }
    const double d[3] = {segment->to[0] - from[0], segment->to[1] - from[1],
                         segment->to[2] - from[2]};
    return vec3_norm(d);
}

/* Arcs stay at the height of their start. */
static void segment_point(const haw_path_segment *segment, const double from[3], double d,
                          double x[3], double t[3])
{
    if (segment->is_arc) {
        const double height = from[2];
        haw_segment_point(segment, from, d, x, t);
        x[2] = height;
        t[2] = 0;
        return;
    }
    const double length = segment_length(segment, from);
    for (int i = 0; i < 3; i++) {
        t[i] = (segment->to[i] - from[i]) / length;
        x[i] = from[i] + d * t[i];
    }
}

/* Point at distance d along the path; beyond its ends the end tangents continue. */
static void path_point(const haw_cable_spec *spec, double d, double x[3], double t[3])
{
    haw_path_segment line;
    int count;
    const haw_path_segment *segment = path_of(spec, &line, &count);
    double from[3] = {spec->from[0], spec->from[1], spec->from[2]};
    for (int i = 0; i < count; i++) {
        const double length = segment_length(&segment[i], from);
        if (d <= length || i == count - 1) {
            segment_point(&segment[i], from, d, x, t);
            return;
        }
        d -= length;
        segment_point(&segment[i], from, length, from, t);
    }
}

/* Every segment must have a length, and arcs start on their circle. */
static haw_status check_path(haw_context *context, haw_beam_course *course)
{
    const haw_cable_spec *spec = course->spec;
    haw_path_segment line;
    int count;
    const haw_path_segment *segment = path_of(spec, &line, &count);
    double from[3] = {spec->from[0], spec->from[1], spec->from[2]}, t[3], x[3], turned[3];
    for (int i = 0; i < count; i++) {
        const double length = segment_length(&segment[i], from), *c = segment[i].center;
        const double miss =
            segment[i].is_arc ? hypot(from[0] - c[0], from[1] - c[1]) - segment[i].radius : 0;
        if (!(length > 0) || !isfinite(length)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "cable '%s': part %d of its curve has no length (ends that coincide, "
                            "or a number that is missing or not finite)",
                            spec->name, i + 1);
        }
        if (!(fabs(miss) <= 1e-6 * length)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "cable '%s': arc %d of its path starts %g m off its circle", spec->name,
                            i + 1, miss);
        }
        segment_point(&segment[i], from, 0, x, turned);
        course->has_corner = course->has_corner || (i > 0 && vec3_dot(t, turned) < corner);
        segment_point(&segment[i], from, length, from, t);
        course->path += length;
    }
    return HAW_OK;
}

/* At a corner of the path the tangent is the bisector: one frame for the node of both sides. */
static void drawn_place(const haw_beam_course *course, double d, haw_section *place)
{
    const double step = 1e-9 * course->path;
    double x[3], before[3], t[3], middle[3] = {0, 0, 0};
    path_point(course->spec, d - step, x, before);
    path_point(course->spec, d + step, x, t);
    vec3_add(1, before, middle);
    vec3_add(1, t, middle);
    const double size = vec3_norm(middle);
    const bool is_corner = vec3_dot(before, t) < corner && size > 1e-6;
    path_point(course->spec, d, place->x, t);
    if (is_corner) {
        for (int i = 0; i < 3; i++) {
            t[i] = middle[i] / size;
        }
    }
    set_upright_frame(t, place);
}

/* ---- cables laid on a surface of revolution ---- */

/* Meridian r, r', r'' with its curvature and outward normal. */
typedef struct meridian_point {
    double r[3];
    double bend;      /* of the meridian, convex positive [1/m] */
    double normal[2]; /* (r, z) */
} meridian_point;

static meridian_point meridian_at(const haw_surface *surface, double z)
{
    meridian_point p;
    surface->ops->profile(surface, z, p.r);
    const double q = hypot(1, p.r[1]);
    p.bend = -p.r[2] / (q * q * q);
    p.normal[0] = 1 / q;
    p.normal[1] = -p.r[1] / q;
    return p;
}

/*
 * z of the surface under the height `height` of its parallel surface: z + a n_z(z) = height, whose
 * left side rises by 1 + a bend > 0.
 */
static double under(const haw_beam_course *course, double height)
{
    double z = height;
    for (int i = 0; i < 60; i++) {
        const meridian_point p = meridian_at(&course->body->surface, z);
        const double miss = z + course->offset * p.normal[1] - height;
        z -= miss / (1 + course->offset * p.bend);
        if (fabs(miss) <= 1e-15 * (fabs(height) + course->offset)) {
            break;
        }
    }
    return z;
}

/*
 * haw_profile_function of the parallel surface at distance a, on which the centreline runs: the
 * tangent is that of the surface, R' = r', and from d(height)/dz = 1 + a bend,
 *     R'' = r'' / (1 + a bend).
 */
static void parallel_profile(const void *data, double height, double r[3])
{
    const haw_beam_course *course = data;
    const meridian_point p = meridian_at(&course->body->surface, under(course, height));
    r[0] = p.r[0] + course->offset * p.normal[0];
    r[1] = p.r[1];
    r[2] = p.r[2] / (1 + course->offset * p.bend);
}

static haw_status refuse_lay(haw_model *model, const haw_cable_spec *spec, const char *key,
                             const char *reason)
{
    const haw_status status =
        haw_fail(model->context, HAW_ERR_INPUT, "cable '%s': it cannot be laid on '%s': %s",
                 spec->name, spec->lay.on, reason);
    return haw_place(model->context, status, "cables.%s.lay.%s", spec->name, key);
}

static haw_status check_lay(haw_model *model, const haw_cable_spec *spec)
{
    const haw_lay_spec *lay = &spec->lay;
    const int body = haw_model_find_body(model, lay->on);
    if (body < 0) {
        return refuse_lay(model, spec, "on", "no body has this name");
    }
    const haw_surface *surface = &model->body[body].surface;
    if (surface->ops == NULL || surface->ops->profile == NULL) {
        return refuse_lay(model, spec, "on",
                          "its shape is no surface of revolution without corners");
    }
    if (isnan(spec->length)) {
        return refuse_lay(model, spec, "on", "its unstrained length is missing");
    }
    if (spec->segments > 0) {
        return refuse_lay(model, spec, "on", "it has a path");
    }
    return HAW_OK;
}

/* The starting point on the surface lies under that of the centreline on the parallel one. */
static haw_status lay_path(haw_model *model, haw_beam_course *course)
{
    const haw_cable_spec *spec = course->spec;
    const haw_lay_spec *lay = &spec->lay;
    const int nodes = spec->elements + 1;
    const meridian_point first = meridian_at(&course->body->surface, lay->z);
    const haw_path path = {.profile = parallel_profile,
                           .data = course,
                           .slip = lay->slip,
                           .start = {lay->z + course->offset * first.normal[1],
                                     lay->phi_deg * (M_PI / 180), lay->angle_deg * (M_PI / 180)}};
    course->point = haw_arena_allocate(&model->arena, (size_t)nodes, sizeof *course->point);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < nodes; i++) {
        course->point[i].s = course->path * i / spec->elements;
    }
    const haw_status status = haw_path_follow(model->context, &path, nodes, course->point);
    return status == HAW_ERR_ARG
               ? refuse_lay(model, spec, "on", "its path runs off the surface or out of bounds")
               : status;
}

/* Tangent and normal from the meridian's direction e_m and that of the circles e_phi:
 * t = cos(alpha) e_m + sin(alpha) e_phi. */
static void laid_place(const haw_beam_course *course, double d, haw_section *place)
{
    const int node = (int)lround(d / course->path * course->spec->elements);
    const haw_path_point *point = &course->point[node];
    const meridian_point p = meridian_at(&course->body->surface, under(course, point->z));
    const double c = cos(point->phi), s = sin(point->phi), along = cos(point->alpha);
    const double circle = sin(point->alpha), radius = p.r[0] + course->offset * p.normal[0];
    const double local[3] = {radius * c, radius * s, point->z};
    const double *up = p.normal; /* e_m = (-n_z e_r + n_r e_z) */
    const double n[3] = {up[0] * c, up[0] * s, up[1]};
    const double t[3] = {-along * up[1] * c - circle * s, -along * up[1] * s + circle * c,
                         along * up[0]};
    const double *pose = course->body->start;
    double first[3], second[3];
    quaternion_rotate(pose + 3, t, first);
    quaternion_rotate(pose + 3, n, second);
    quaternion_rotate(pose + 3, local, place->x);
    vec3_add(1, pose, place->x);
    set_frame(first, second, place);
}

/* ---- lengths ---- */

haw_status haw_beam_course_init(haw_model *model, const haw_cable_spec *spec, double natural,
                                haw_beam_course *course)
{
    const double tension = isnan(spec->tension) ? 0 : spec->tension;
    const double stretch = 1 + natural + tension / spec->stiffness;
    *course = (haw_beam_course){.spec = spec};
    if (spec->lay.on != NULL) {
        HAW_TRY(check_lay(model, spec));
        course->body = &model->body[haw_model_find_body(model, spec->lay.on)];
        course->offset = spec->radius;
        course->length = spec->length;
        course->stretch = stretch;
        course->path = stretch * spec->length;
        return lay_path(model, course);
    }
    HAW_TRY(check_path(model->context, course));
    course->length = spec->length;
    if (isnan(spec->length)) {
        course->length = isnan(spec->tension) ? course->path : course->path / stretch;
    }
    course->stretch = course->path / course->length;
    return HAW_OK;
}

void haw_beam_course_place(const void *user, double xi, haw_section *place)
{
    const haw_beam_course *course = user;
    const double d = xi * course->stretch;
    if (course->body != NULL) {
        laid_place(course, d, place);
    } else {
        drawn_place(course, d, place);
    }
    place->stretch = course->stretch;
}
