/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial curves. A straight cable along gravity has the closed form
 *     N(xi) = T + n xi,  s(xi) = xi (r + T/EA) + n xi^2 / (2 EA),  n = -rho g . d,
 * with the stretch r of the stress-free cable (1 but for a reference strain), whose end condition
 * s(L) = H is a quadratic in L. A path without gravity carries T everywhere.
 * Everything else is a first guess for the static start.
 */
#include "model/build.h"

#include <gsl/gsl_math.h>
#include <math.h>

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double segment_length(const haw_path_segment *segment, const double from[2])
{
    if (segment->is_arc) {
        return segment->radius * fabs(segment->angle_deg) * (M_PI / 180);
    }
    return hypot(segment->to[0] - from[0], segment->to[1] - from[1]);
}

/* Point at distance d along a segment that starts at `from`. */
void haw_segment_point(const haw_path_segment *segment, const double from[2], double d, double x[2],
                       double t[2])
{
    if (segment->is_arc) {
        const double sign = segment->angle_deg < 0 ? -1 : 1;
        const double start = atan2(from[1] - segment->center[1], from[0] - segment->center[0]);
        const double angle = start + sign * d / segment->radius;
        x[0] = segment->center[0] + segment->radius * cos(angle);
        x[1] = segment->center[1] + segment->radius * sin(angle);
        t[0] = -sign * sin(angle);
        t[1] = sign * cos(angle);
        return;
    }
    const double length = segment_length(segment, from);
    for (int i = 0; i < 2; i++) {
        t[i] = (segment->to[i] - from[i]) / length;
        x[i] = from[i] + d * t[i];
    }
}

/* The drawn path as segments; a straight cable is one line. */
static int path_segments(const haw_cable_spec *spec, haw_path_segment *line,
                         const haw_path_segment **segment)
{
    if (spec->segments > 0) {
        *segment = spec->path;
        return spec->segments;
    }
    *line = (haw_path_segment){.is_arc = false, .to = {spec->to[0], spec->to[1]}};
    *segment = line;
    return 1;
}

/* Point at distance d along the path; beyond its ends the end tangents continue. */
static void path_point(const haw_cable_spec *spec, double d, double x[2], double t[2])
{
    haw_path_segment line;
    const haw_path_segment *segment;
    const int count = path_segments(spec, &line, &segment);
    double from[2] = {spec->from[0], spec->from[1]};
    for (int i = 0; i < count; i++) {
        const double length = segment_length(&segment[i], from);
        if (d <= length || i == count - 1) {
            haw_segment_point(&segment[i], from, d, x, t);
            return;
        }
        d -= length;
        haw_segment_point(&segment[i], from, length, from, t);
    }
}

static double path_length(const haw_cable_spec *spec)
{
    haw_path_segment line;
    const haw_path_segment *segment;
    const int count = path_segments(spec, &line, &segment);
    double from[2] = {spec->from[0], spec->from[1]}, t[2], total = 0;
    for (int i = 0; i < count; i++) {
        const double length = segment_length(&segment[i], from);
        haw_segment_point(&segment[i], from, length, from, t);
        total += length;
    }
    return total;
}

/* Every segment must have a length and start where the one before ends. */
static haw_status check_path(haw_context *context, const haw_cable_spec *spec)
{
    haw_path_segment line;
    const haw_path_segment *segment;
    const int count = path_segments(spec, &line, &segment);
    double from[2] = {spec->from[0], spec->from[1]}, t[2];
    for (int i = 0; i < count; i++) {
        const double length = segment_length(&segment[i], from);
        if (!(length > 0) || !isfinite(length)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "cable '%s': segment %d of its path has no length (ends that coincide, "
                            "or a number that is not finite)",
                            spec->name, i + 1);
        }
        const double *c = segment[i].center, radius = segment[i].radius;
        const double miss = hypot(from[0] - c[0], from[1] - c[1]) - radius;
        if (segment[i].is_arc && !(fabs(miss) <= 1e-6 * radius)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "cable '%s': arc %d of its path starts %g m off its circle", spec->name,
                            i + 1, miss);
        }
        haw_segment_point(&segment[i], from, length, from, t);
    }
    return HAW_OK;
}

/* A closed path: the tangent that it ends with is the one that it starts with. */
static haw_status check_closed(haw_context *context, const haw_cable_spec *spec)
{
    const double path = path_length(spec);
    double first[2], last[2], a[2], b[2];
    path_point(spec, 0, first, a);
    path_point(spec, path, last, b);
    const double miss = hypot(last[0] - spec->from[0], last[1] - spec->from[1]);
    if (spec->segments == 0 || !(miss <= 1e-6 * path)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "cable '%s': a closed cable needs a path that ends at `from` (it ends %g m "
                        "from there)",
                        spec->name, miss);
    }
    const double turn = atan2(b[0] * a[1] - b[1] * a[0], dot2(a, b));
    if (!(fabs(turn) <= 1e-5)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "cable '%s': its closed path has a kink of %g deg where it ends and starts",
                        spec->name, turn * (180 / M_PI));
    }
    return HAW_OK;
}

/* Straight along gravity (or no gravity): tension law and length are exact. */
static void straight_course(const haw_cable_spec *spec, haw_course *course)
{
    const double k = spec->stiffness, a = course->slope / (2 * k);
    if (!isnan(spec->tension)) {
        const double b = course->rest + spec->tension / k;
        course->length = 2 * course->path / (b + sqrt(b * b + 4 * a * course->path));
        course->tension = spec->tension;
    } else {
        course->length = isnan(spec->length) ? course->path : spec->length;
        if (spec->reference == HAW_REFERENCE_DRAWN) {
            course->rest += course->path / course->length - 1;
        }
        course->tension = k * (course->path / course->length - a * course->length - course->rest);
    }
}

/* Bending moments as drawn, which nothing balances. */
static bool is_bent(const haw_cable_spec *spec)
{
    bool differs = spec->reference_curvature != 0;
    for (int i = 0; i < spec->segments && spec->reference == HAW_REFERENCE_STRAIGHT; i++) {
        differs = differs || spec->path[i].is_arc;
    }
    return differs && spec->bending_stiffness * spec->bending_factor > 0;
}

/*
 * A cable longer than its path sags: offset 4 sag s (1 - s) along gravity. The arc length of a
 * flat parabola is d (1 + 8/3 (sag/d)^2); exact enough for a first guess also where it is not flat.
 */
static void slack_course(const haw_cable_spec *spec, const double gravity[2], haw_course *course)
{
    const double g = hypot(gravity[0], gravity[1]), excess = course->length / course->path - 1;
    if (excess <= 0 || g == 0) {
        return;
    }
    const double sag = course->path * sqrt(3.0 / 8 * excess * (1 + 0.5 * excess));
    const double side = spec->segments > 0 ? 0 : sag / g;
    course->sag[0] = side * gravity[0];
    course->sag[1] = side * gravity[1];
}

haw_status haw_course_init(haw_context *context, const haw_cable_spec *spec,
                           const double gravity[2], haw_course *course)
{
    const double weight = spec->density * hypot(gravity[0], gravity[1]);
    double x[2], d[2];
    HAW_TRY(check_path(context, spec));
    HAW_TRY(spec->closed ? check_closed(context, spec) : HAW_OK);
    *course =
        (haw_course){.spec = spec, .path = path_length(spec), .rest = 1 + spec->reference_strain};
    path_point(spec, 0, x, d);
    const double along = -spec->density * dot2(gravity, d);
    const bool is_straight = spec->segments == 0 && spec->reference == HAW_REFERENCE_STRAIGHT;
    const bool is_parallel = weight == 0 || fabs(fabs(along) - weight) <= 1e-14 * weight;
    course->slope = is_straight && is_parallel ? along : 0;
    straight_course(spec, course);
    const double least = fmin(course->tension, course->tension + course->slope * course->length);
    course->is_static = (weight > 0 && !(is_straight && is_parallel)) || least < 0 || is_bent(spec);
    if (course->is_static) {
        slack_course(spec, gravity, course);
    }
    return HAW_OK;
}

void haw_course_point(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const haw_course *course = user;
    const double k = course->spec->stiffness, s = xi / course->length;
    const double tension = course->tension + course->slope * xi;
    const double d = xi * (course->rest + course->tension / k) + course->slope * xi * xi / (2 * k);
    path_point(course->spec, d, x, t);
    *stretch = course->rest + tension / k;
    if (course->sag[0] != 0 || course->sag[1] != 0) {
        for (int i = 0; i < 2; i++) {
            t[i] = *stretch * t[i] + course->sag[i] * 4 * (1 - 2 * s) / course->length;
            x[i] += course->sag[i] * 4 * s * (1 - s);
        }
        *stretch = hypot(t[0], t[1]);
        t[0] /= *stretch;
        t[1] /= *stretch;
    }
}
