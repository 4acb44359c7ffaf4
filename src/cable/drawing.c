/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawn curves; a straight cable is one line. */
#include "cable/drawing.h"

#include "base/lie.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

/* A piece and, where it is neither a line nor an arc, its curve. */
typedef struct piece {
    haw_path_segment spec;
    const haw_trace *trace;
} piece;

static bool is_laid(const haw_course *course)
{
    return course->spec->lay.cable != NULL;
}

static int count_pieces(const haw_course *course)
{
    return course->spec->segments > 0 ? course->spec->segments : 1;
}

/* Piece i of the path; components beyond d are 0. */
static piece piece_at(const haw_course *course, int i)
{
    const haw_cable_spec *spec = course->spec;
    piece at = {.spec = {.to = {spec->to[0], spec->to[1], spec->to[2]}}};
    if (spec->segments > 0) {
        at.spec = spec->path[i];
    }
    for (int k = course->dimension; k < 3; k++) {
        at.spec.to[k] = at.spec.center[k] = 0;
    }
    at.trace = course->trace != NULL && course->trace[i].spans > 0 ? &course->trace[i] : NULL;
    return at;
}

void haw_drawing_start(const haw_course *course, double from[3])
{
    double t[3];
    if (is_laid(course)) {
        (void)haw_trace_point(&course->trace[0], 0, from, t);
        return;
    }
    for (int k = 0; k < 3; k++) {
        from[k] = k < course->dimension ? course->spec->from[k] : 0;
    }
}

static double piece_length(const piece *p, const double from[3])
{
    if (p->trace != NULL) {
        return haw_trace_length(p->trace);
    }
    if (p->spec.kind == HAW_PIECE_ARC) {
        return p->spec.radius * fabs(p->spec.angle_deg) * (M_PI / 180);
    }
    const double *to = p->spec.to;
    return hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
}

/* From the centre to x, along the axis of the arc and both ways across. */
static void arc_place(const haw_path_segment *arc, const double x[3], double e[3][3],
                      double place[3])
{
    const double way[3] = {x[0] - arc->center[0], x[1] - arc->center[1], x[2] - arc->center[2]};
    haw_axis_frame(arc->axis, e);
    for (int i = 0; i < 3; i++) {
        place[i] = vec3_dot(way, e[i]);
    }
}

static void arc_point(const haw_path_segment *arc, const double from[3], double d, double x[3],
                      double t[3])
{
    const double sign = arc->angle_deg < 0 ? -1 : 1;
    double e[3][3], start[3];
    arc_place(arc, from, e, start);
    const double angle = atan2(start[2], start[1]) + sign * d / arc->radius;
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        x[i] = arc->center[i] + start[0] * e[0][i] + arc->radius * (c * e[1][i] + s * e[2][i]);
        t[i] = sign * (c * e[2][i] - s * e[1][i]);
    }
}

/* Point and unit tangent at distance d along a piece that starts at `from`; arcs stay in the plane
 * of their start. x may be `from`. @return twist of the section since the start of the piece */
static double piece_point(const piece *p, const double from[3], double d, double x[3], double t[3])
{
    if (p->trace != NULL) {
        double first[3], along[3];
        const double twist = haw_trace_point(p->trace, 0, first, along);
        return haw_trace_point(p->trace, d, x, t) - twist;
    }
    if (p->spec.kind == HAW_PIECE_ARC) {
        arc_point(&p->spec, from, d, x, t);
        return 0;
    }
    const double length = piece_length(p, from);
    for (int i = 0; i < 3; i++) {
        t[i] = (p->spec.to[i] - from[i]) / length;
        x[i] = from[i] + d * t[i];
    }
    return 0;
}

/* Twist of the first section. */
static double first_twist(const haw_course *course)
{
    double x[3], t[3];
    const piece p = piece_at(course, 0);
    return p.trace != NULL ? haw_trace_point(p.trace, 0, x, t) : 0;
}

double haw_drawing_point(const haw_course *course, double d, double x[3], double t[3])
{
    const int count = count_pieces(course);
    double from[3], twist = first_twist(course);
    haw_drawing_start(course, from);
    for (int i = 0; i < count; i++) {
        const piece p = piece_at(course, i);
        const double length = piece_length(&p, from);
        if (d <= length || i == count - 1) {
            return twist + piece_point(&p, from, d, x, t);
        }
        d -= length;
        twist += piece_point(&p, from, length, from, t);
    }
    return twist;
}

int haw_drawing_spans(const haw_course *course)
{
    int spans = 0;
    for (int i = 0; i < count_pieces(course); i++) {
        const piece p = piece_at(course, i);
        const double turn = p.spec.kind == HAW_PIECE_ARC ? fabs(p.spec.angle_deg) / 360 : 0;
        spans += p.trace != NULL ? p.trace->spans : 1 + (int)(16 * turn);
    }
    return spans > course->spec->elements ? spans : course->spec->elements;
}

/* ---- curves ---- */

/* The tube of the section must not fold: radius times curvature below 1. */
static haw_status check_bend(const haw_site *site, const haw_course *course, const haw_trace *trace)
{
    const haw_cable_spec *spec = course->spec;
    double at = 0, x[3], t[3];
    const double bend = haw_trace_curvature(trace, &at);
    const double most = course->dimension == 3 && spec->radius > 0 ? 1 / spec->radius : HUGE_VAL;
    if (bend < most) {
        return HAW_OK;
    }
    (void)haw_trace_point(trace, at, x, t);
    return haw_cable_refuse(site, spec, is_laid(course) ? "lay" : "path",
                            "its curve bends with a radius of %.4g m near [%.6g, %.6g, %.6g], "
                            "which its section of radius %.4g m cannot follow",
                            1 / bend, x[0], x[1], x[2], spec->radius);
}

/* No two points that coincide, and numbers that are finite. */
static haw_status check_points(const haw_site *site, const haw_cable_spec *spec, int i)
{
    const haw_path_segment *curve = &spec->path[i];
    if (curve->points < 3) {
        return haw_cable_refuse(site, spec, "path",
                                "piece %d of its path needs at least 3 points (got %d)", i + 1,
                                curve->points);
    }
    for (int k = 0; k < curve->points; k++) {
        const double *p = curve->point + (ptrdiff_t)HAW_TRACE * k;
        if (!isfinite(p[0] + p[1] + p[2] + p[3])) {
            return haw_cable_refuse(site, spec, "path",
                                    "point %d of piece %d of its path is not finite", k + 1, i + 1);
        }
        if (k > 0 && p[0] == p[-4] && p[1] == p[-3] && p[2] == p[-2]) {
            return haw_cable_refuse(site, spec, "path",
                                    "points %d and %d of piece %d of its path coincide", k, k + 1,
                                    i + 1);
        }
    }
    return HAW_OK;
}

/* In the plane the curve has no height and no twist. */
static haw_status make_spline(const haw_site *site, const haw_course *course, int i,
                              haw_trace *trace)
{
    const haw_path_segment *curve = &course->spec->path[i];
    HAW_TRY(check_points(site, course->spec, i));
    double *point =
        haw_arena_allocate(site->arena, (size_t)curve->points * HAW_TRACE, sizeof *point);
    HAW_TRY(haw_arena_status(site->arena));
    for (int k = 0; k < HAW_TRACE * curve->points; k++) {
        point[k] = course->dimension == 3 || k % HAW_TRACE < 2 ? curve->point[k] : 0;
    }
    const haw_status status = haw_trace_spline(site->arena, curve->points, point, trace);
    return status == HAW_ERR_ARG ? haw_cable_refuse(site, course->spec, "path",
                                                    "no smooth curve leads through the points of "
                                                    "piece %d of its path",
                                                    i + 1)
                                 : status;
}

static haw_status make_helix(const haw_site *site, const haw_course *course, int i,
                             haw_trace *trace)
{
    const haw_cable_spec *spec = course->spec;
    const haw_path_segment *h = &spec->path[i];
    const double size = vec3_norm(h->axis), lay = h->lay_deg;
    const bool has_height = isnan(lay) ? h->pitch > 0 : lay > 0 && lay <= 90;
    if (course->dimension < 3) {
        return haw_cable_refuse(site, spec, "path", "a helix needs a scene in space");
    }
    if (!(h->radius > 0) || h->turns == 0 || !(fabs(h->turns) <= 1e4) || !(size > 0) ||
        !isfinite(size) || !has_height || isnan(lay) == isnan(h->pitch) ||
        !(h->ramp >= 0 && h->ramp <= 0.5)) {
        return haw_cable_refuse(
            site, spec, "path",
            "the helix %d of its path needs an axis, a radius > 0, up to 10000 turns, "
            "either a pitch > 0 or a lay_deg above 0 and up to 90, and a ramp "
            "from 0 to 0.5",
            i + 1);
    }
    return haw_trace_helix(site->arena, h, trace);
}

/* Curve i of a path; without spans where the piece is a line or an arc. */
static haw_status make_curve(const haw_site *site, haw_course *course, int i)
{
    const haw_path_segment *segment = &course->spec->path[i];
    haw_trace *trace = &course->trace[i];
    switch (segment->kind) {
    case HAW_PIECE_POINTS:
        HAW_TRY(make_spline(site, course, i, trace));
        break;
    case HAW_PIECE_HELIX:
        HAW_TRY(make_helix(site, course, i, trace));
        break;
    default:
        return HAW_OK;
    }
    return check_bend(site, course, trace);
}

/* Upright sections do not twist along it: a line, or an arc about the z direction. */
static bool is_upright(const haw_path_segment *segment)
{
    double e[3][3];
    haw_axis_frame(segment->axis, e);
    return segment->kind == HAW_PIECE_LINE ||
           (segment->kind == HAW_PIECE_ARC && hypot(e[0][0], e[0][1]) == 0);
}

static haw_status make_curves(const haw_site *site, haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    bool has_curve = false;
    for (int i = 0; i < spec->segments; i++) {
        has_curve = has_curve || !is_upright(&spec->path[i]);
    }
    if (is_laid(course)) {
        return check_bend(site, course, &course->trace[0]);
    }
    if (!has_curve) {
        return HAW_OK;
    }
    course->trace = haw_arena_allocate(site->arena, (size_t)spec->segments, sizeof *course->trace);
    HAW_TRY(haw_arena_status(site->arena));
    for (int i = 0; i < spec->segments; i++) {
        HAW_TRY(make_curve(site, course, i));
    }
    return HAW_OK;
}

/* ---- what a path must be ---- */

static haw_status check_arc(const haw_site *site, const haw_course *course, int i,
                            const double from[3])
{
    const haw_cable_spec *spec = course->spec;
    const piece p = piece_at(course, i);
    const haw_path_segment *arc = &p.spec;
    double e[3][3], start[3];
    arc_place(arc, from, e, start);
    const double miss = hypot(start[1], start[2]) - arc->radius;
    if (course->dimension < 3 && !is_upright(arc)) {
        return haw_cable_refuse(site, spec, "path",
                                "arc %d of its path has an axis, which needs a scene in space",
                                i + 1);
    }
    if (!(fabs(miss) <= 1e-6 * arc->radius)) {
        return haw_fail(site->context, HAW_ERR_INPUT,
                        "cable '%s': arc %d of its path starts %g m off its circle", spec->name,
                        i + 1, miss);
    }
    return HAW_OK;
}

/* Pieces have a length; arcs and curves start where the path is. */
static haw_status check_piece(const haw_site *site, const haw_course *course, int i,
                              const double from[3])
{
    const haw_cable_spec *spec = course->spec;
    const piece p = piece_at(course, i);
    const double length = piece_length(&p, from);
    if (!(length > 0) || !isfinite(length)) {
        return haw_fail(site->context, HAW_ERR_INPUT,
                        "cable '%s': segment %d of its path has no length (ends that coincide, "
                        "or a number that is missing or not finite)",
                        spec->name, i + 1);
    }
    if (p.trace != NULL) {
        double x[3], t[3];
        (void)haw_trace_point(p.trace, 0, x, t);
        const double way[3] = {x[0] - from[0], x[1] - from[1], x[2] - from[2]};
        return vec3_norm(way) <= 1e-6 * length
                   ? HAW_OK
                   : haw_cable_refuse(site, spec, "path",
                                      "curve %d of its path starts at [%.9g, %.9g, %.9g], %.4g m "
                                      "from where the path is",
                                      i + 1, x[0], x[1], x[2], vec3_norm(way));
    }
    return p.spec.kind == HAW_PIECE_ARC ? check_arc(site, course, i, from) : HAW_OK;
}

haw_status haw_drawing_measure(const haw_site *site, haw_course *course)
{
    double from[3], t[3] = {0, 0, 0}, x[3], turned[3];
    HAW_TRY(make_curves(site, course));
    haw_drawing_start(course, from);
    for (int i = 0; i < count_pieces(course); i++) {
        HAW_TRY(check_piece(site, course, i, from));
        const piece p = piece_at(course, i);
        const double length = piece_length(&p, from);
        (void)piece_point(&p, from, 0, x, turned);
        course->has_corner = course->has_corner || (i > 0 && vec3_dot(t, turned) < HAW_CORNER);
        (void)piece_point(&p, from, length, from, t);
        course->path += length;
    }
    return HAW_OK;
}

haw_status haw_drawing_check_closed(const haw_site *site, const haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    double first[3], last[3], a[3], b[3];
    (void)haw_drawing_point(course, 0, first, a);
    (void)haw_drawing_point(course, course->path, last, b);
    const double way[3] = {last[0] - first[0], last[1] - first[1], last[2] - first[2]};
    const double miss = vec3_norm(way);
    if (spec->segments == 0 || !(miss <= 1e-6 * course->path)) {
        return haw_fail(site->context, HAW_ERR_INPUT,
                        "cable '%s': a closed cable needs a path that ends at `from` (it ends %g m "
                        "from there)",
                        spec->name, miss);
    }
    double turn[3];
    vec3_cross(b, a, turn);
    const double kink = atan2(vec3_norm(turn), vec3_dot(a, b));
    if (!(kink <= 1e-5)) {
        return haw_fail(
            site->context, HAW_ERR_INPUT,
            "cable '%s': its closed path has a kink of %g deg where its end meets its start",
            spec->name, kink * (180 / M_PI));
    }
    return HAW_OK;
}
