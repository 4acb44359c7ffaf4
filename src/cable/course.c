/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial curves. A straight cable along gravity has the closed form
 *     N(xi) = T + n xi,  s(xi) = xi (r + T/EA) + n xi^2 / (2 EA),  n = -rho g . d,
 * with the stretch r of the stress-free cable (1 but for a reference strain), whose end condition
 * s(L) = H is a quadratic in L. A path without gravity carries T everywhere.
 * Everything else is a first guess for the static start.
 *
 * Sections in space have the tangent as their first axis; the second lies in the x-y plane, to the
 * left, where that is a direction (so that a planar drawing is not twisted), and of a cable laid on
 * a surface it is the surface's normal.
 */
#include "base/lie.h"
#include "cable/site.h"
#include "theory/revolution_path.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* ---- the drawn path: lines and arcs; a straight cable is one line ---- */

enum { SECANTS = 60 };

static const double NARROW = 1e-3; /* width of a loop over its length */

/* Cosine between two tangents below which they make a corner. */
static const double corner = 1 - 1e-6;

static int path_segments(const haw_cable_spec *spec)
{
    return spec->segments > 0 ? spec->segments : 1;
}

/* Segment i of the path; components beyond d are 0. */
static haw_path_segment path_segment(const haw_course *course, int i)
{
    const haw_cable_spec *spec = course->spec;
    haw_path_segment segment = {.to = {spec->to[0], spec->to[1], spec->to[2]}};
    if (spec->segments > 0) {
        segment = spec->path[i];
    }
    for (int k = course->dimension; k < 3; k++) {
        segment.to[k] = 0;
    }
    return segment;
}

static void path_start(const haw_course *course, double from[3])
{
    for (int k = 0; k < 3; k++) {
        from[k] = k < course->dimension ? course->spec->from[k] : 0;
    }
}

static double segment_length(const haw_path_segment *segment, const double from[3])
{
    if (segment->is_arc) {
        return segment->radius * fabs(segment->angle_deg) * (M_PI / 180);
    }
    const double *to = segment->to;
    return hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
}

/* Point and unit tangent at distance d along a segment that starts at `from`; arcs stay at the
 * height of their start. x may be `from`. */
static void segment_point(const haw_path_segment *segment, const double from[3], double d,
                          double x[3], double t[3])
{
    const double height = from[2];
    if (segment->is_arc) {
        const double sign = segment->angle_deg < 0 ? -1 : 1;
        const double start = atan2(from[1] - segment->center[1], from[0] - segment->center[0]);
        const double angle = start + sign * d / segment->radius;
        x[0] = segment->center[0] + segment->radius * cos(angle);
        x[1] = segment->center[1] + segment->radius * sin(angle);
        x[2] = height;
        t[0] = -sign * sin(angle);
        t[1] = sign * cos(angle);
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
static void path_point(const haw_course *course, double d, double x[3], double t[3])
{
    const int count = path_segments(course->spec);
    double from[3];
    path_start(course, from);
    for (int i = 0; i < count; i++) {
        const haw_path_segment segment = path_segment(course, i);
        const double length = segment_length(&segment, from);
        if (d <= length || i == count - 1) {
            segment_point(&segment, from, d, x, t);
            return;
        }
        d -= length;
        segment_point(&segment, from, length, from, t);
    }
}

/* Length of the path; every segment must have one, and arcs start on their circle. */
static haw_status measure_path(const haw_site *site, haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    double from[3], t[3] = {0, 0, 0}, x[3], turned[3];
    path_start(course, from);
    for (int i = 0; i < path_segments(spec); i++) {
        const haw_path_segment segment = path_segment(course, i);
        const double length = segment_length(&segment, from), *c = segment.center;
        const double miss = hypot(from[0] - c[0], from[1] - c[1]) - segment.radius;
        if (!(length > 0) || !isfinite(length)) {
            return haw_fail(site->context, HAW_ERR_INPUT,
                            "cable '%s': segment %d of its path has no length (ends that coincide, "
                            "or a number that is missing or not finite)",
                            spec->name, i + 1);
        }
        if (segment.is_arc && !(fabs(miss) <= 1e-6 * segment.radius)) {
            return haw_fail(site->context, HAW_ERR_INPUT,
                            "cable '%s': arc %d of its path starts %g m off its circle", spec->name,
                            i + 1, miss);
        }
        segment_point(&segment, from, 0, x, turned);
        course->has_corner = course->has_corner || (i > 0 && vec3_dot(t, turned) < corner);
        segment_point(&segment, from, length, from, t);
        course->path += length;
    }
    return HAW_OK;
}

/* A closed path: the tangent that it ends with is the one that it starts with. */
static haw_status check_closed(const haw_site *site, const haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    double first[3], last[3], a[3], b[3];
    path_point(course, 0, first, a);
    path_point(course, course->path, last, b);
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

/* ---- tension laws ---- */

/* Straight along gravity, or no gravity: tension law and length are exact. */
static void find_length(haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
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
    course->stretch = course->rest + course->tension / k;
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

/* The catenary of the course's length between supports so far apart, across and down [m]. */
static bool fit_catenary(double weight, const double apart[2], haw_course *course)
{
    const double rest = course->rest * course->length;
    course->catenary =
        (haw_catenary){.kappa = weight * course->length / (course->rest * course->spec->stiffness),
                       .end = {fmax(apart[0], NARROW * rest) / rest, apart[1] / rest}};
    return haw_catenary_solve(&course->catenary) <= HAW_CATENARY_MISS;
}

/* The same with the wanted tension at `from`, and its length, by secants from the straight line. */
static bool fit_tension(double weight, const double apart[2], haw_course *course)
{
    const double wanted = course->spec->tension, straight = course->length;
    double slope = -course->spec->stiffness / straight, before[2] = {0, 0};
    for (int k = 0; k < SECANTS && fit_catenary(weight, apart, course); k++) {
        const double length = course->length, most = 0.05 * length;
        const double t = weight * length * haw_catenary_tension(&course->catenary, 0);
        if (fabs(t - wanted) <= 1e-12 * wanted) {
            return true;
        }
        slope = k > 0 && length != before[0] ? (t - before[1]) / (length - before[0]) : slope;
        before[0] = length;
        before[1] = t;
        course->length += fmax(-most, fmin(most, (wanted - t) / slope));
    }
    course->length = straight;
    return false;
}

/*
 * A straight cable that is longer than the line between its ends, or has a wanted tension, hangs as
 * an elastic catenary in the plane of that line and gravity, which is its equilibrium but for
 * bending, contact and the mesh. Ends one above the other make it a loop without width: it is
 * sought with a narrow one. What bending carries between hinges (Euler's load) stays straight, and
 * what is clamped, which keeps the direction in which it is drawn; a given start keeps a tense
 * cable as drawn.
 */
static void hang(const haw_site *site, haw_course *course)
{
    const double *gravity = site->gravity;
    const haw_cable_spec *spec = course->spec;
    const double g = vec3_norm(gravity), rest = course->rest * course->length;
    const double push = spec->stiffness * (rest - course->path) / course->length;
    const double slender = M_PI / course->path;
    const bool is_tense =
        !isnan(spec->tension) && spec->reference == HAW_REFERENCE_STRAIGHT && !site->is_given;
    const bool is_pushed =
        push > slender * slender * spec->bending_stiffness * spec->bending_factor;
    const bool is_clamped =
        spec->ends[0].kind == HAW_END_CLAMPED || spec->ends[1].kind == HAW_END_CLAMPED;
    if (spec->segments > 0 || g == 0 || is_clamped || !(is_tense || is_pushed)) {
        return;
    }
    double chord[3], from[3];
    path_point(course, 0, from, chord);
    for (int i = 0; i < 3; i++) {
        chord[i] *= course->path;
        course->down[i] = gravity[i] / g;
    }
    const double drop = vec3_dot(chord, course->down);
    vec3_add(-drop, course->down, chord);
    const double apart[2] = {vec3_norm(chord), drop}, weight = spec->density * g;
    course->hangs =
        is_tense ? fit_tension(weight, apart, course) : fit_catenary(weight, apart, course);
    const double wide = course->catenary.end[0] * course->rest * course->length;
    for (int i = 0; i < 3; i++) {
        course->across[i] = chord[i] / wide;
    }
}

/* Point, unit tangent and stretch at the material coordinate xi. */
static void hanging_point(const haw_course *course, double xi, double x[3], double t[3],
                          double *stretch)
{
    const haw_catenary *c = &course->catenary;
    const double s = xi / course->length, rest = course->rest * course->length;
    const double slope = c->kappa + 1 / haw_catenary_tension(c, s);
    double place[2];
    path_start(course, x);
    haw_catenary_place(c, s, place);
    for (int i = 0; i < 3; i++) {
        x[i] += rest * (place[0] * course->across[i] + place[1] * course->down[i]);
        t[i] = slope * (c->h * course->across[i] + (c->v - s) * course->down[i]);
    }
    const double length = vec3_norm(t);
    for (int i = 0; i < 3; i++) {
        t[i] /= length;
    }
    *stretch = course->rest * length;
}

/* ---- sections in space ---- */

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

/* At a corner of the path the tangent is the bisector: one frame for the node of both sides. */
static void drawn_place(const haw_course *course, double d, haw_section *place)
{
    const double step = 1e-9 * course->path;
    double x[3], before[3], t[3], middle[3] = {0, 0, 0};
    path_point(course, d - step, x, before);
    path_point(course, d + step, x, t);
    vec3_add(1, before, middle);
    vec3_add(1, t, middle);
    const double size = vec3_norm(middle);
    const bool is_corner = vec3_dot(before, t) < corner && size > 1e-6;
    path_point(course, d, place->x, t);
    for (int i = 0; i < 3 && is_corner; i++) {
        t[i] = middle[i] / size;
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
static double under(const haw_course *course, double height)
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
    const haw_course *course = data;
    const meridian_point p = meridian_at(&course->body->surface, under(course, height));
    r[0] = p.r[0] + course->offset * p.normal[0];
    r[1] = p.r[1];
    r[2] = p.r[2] / (1 + course->offset * p.bend);
}

static haw_status refuse_lay(const haw_site *site, const haw_cable_spec *spec, const char *reason)
{
    return haw_cable_refuse(site, spec, "lay.body", "it cannot be laid on '%s': %s", spec->lay.on,
                            reason);
}

static haw_status check_lay(const haw_site *site, haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    const int body = haw_site_find_body(site, spec->lay.on);
    if (body < 0) {
        return refuse_lay(site, spec, "no body has this name");
    }
    course->body = &site->body[body];
    const haw_surface *surface = &course->body->surface;
    if (surface->ops == NULL || surface->ops->profile == NULL) {
        return refuse_lay(site, spec, "its shape is not a smooth surface of revolution");
    }
    if (isnan(spec->length)) {
        return refuse_lay(site, spec, "its unstrained length is missing");
    }
    if (spec->segments > 0 || spec->closed) {
        return refuse_lay(site, spec, "it has a path, or is closed");
    }
    return HAW_OK;
}

/* The starting point on the surface lies under that of the centreline on the parallel one. */
static haw_status lay_path(const haw_site *site, haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    const haw_lay_spec *lay = &spec->lay;
    HAW_TRY(check_lay(site, course));
    course->offset = spec->radius;
    course->length = spec->length;
    if (!isnan(spec->tension)) {
        course->stretch += spec->tension / spec->stiffness;
    }
    course->path = course->stretch * spec->length;
    const int nodes = spec->elements + 1;
    const meridian_point first = meridian_at(&course->body->surface, lay->z);
    const haw_path path = {.profile = parallel_profile,
                           .data = course,
                           .slip = lay->slip,
                           .start = {lay->z + course->offset * first.normal[1],
                                     lay->phi_deg * (M_PI / 180), lay->angle_deg * (M_PI / 180)}};
    course->point = haw_arena_allocate(site->arena, (size_t)nodes, sizeof *course->point);
    HAW_TRY(haw_arena_status(site->arena));
    for (int i = 0; i < nodes; i++) {
        course->point[i].s = course->path * i / spec->elements;
    }
    const haw_status status = haw_path_follow(site->context, &path, nodes, course->point);
    return status == HAW_ERR_ARG
               ? refuse_lay(site, spec, "its path runs off the surface or out of bounds")
               : status;
}

/* Tangent and normal from the meridian's direction e_m and that of the circles e_phi:
 * t = cos(alpha) e_m + sin(alpha) e_phi. */
static void laid_place(const haw_course *course, double d, haw_section *place)
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

/* ---- the course ---- */

haw_status haw_course_init(const haw_site *site, const haw_cable_spec *spec,
                           const double gravity[3], haw_course *course)
{
    const double weight = spec->density * hypot(hypot(gravity[0], gravity[1]), gravity[2]);
    double x[3], d[3];
    *course = (haw_course){.spec = spec,
                           .dimension = site->dimension,
                           .rest = 1 + spec->reference_strain,
                           .stretch = 1 + spec->reference_strain};
    if (spec->lay.on != NULL) {
        return lay_path(site, course);
    }
    HAW_TRY(measure_path(site, course));
    HAW_TRY(spec->closed ? check_closed(site, course) : HAW_OK);
    path_point(course, 0, x, d);
    const double along = -spec->density * vec3_dot(gravity, d);
    const bool is_straight = spec->segments == 0 && spec->reference == HAW_REFERENCE_STRAIGHT;
    const bool is_parallel = weight == 0 || fabs(fabs(along) - weight) <= 1e-14 * weight;
    course->slope = is_straight && is_parallel ? along : 0;
    find_length(course);
    const double least = fmin(course->tension, course->tension + course->slope * course->length);
    course->is_static = (weight > 0 && !(is_straight && is_parallel)) || least < 0 || is_bent(spec);
    if (course->is_static) {
        hang(site, course);
    }
    return HAW_OK;
}

void haw_course_point(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const haw_course *course = user;
    const double k = course->spec->stiffness;
    const double tension = course->tension + course->slope * xi;
    const double d = xi * course->stretch + course->slope * xi * xi / (2 * k);
    double place[3], along[3];
    path_point(course, d, place, along);
    *stretch = course->rest + tension / k;
    if (course->hangs) {
        hanging_point(course, xi, place, along, stretch);
    }
    for (int i = 0; i < 2; i++) {
        x[i] = place[i];
        t[i] = along[i];
    }
}

void haw_course_section(const void *user, double xi, haw_section *place)
{
    const haw_course *course = user;
    const double k = course->spec->stiffness;
    const double d = xi * course->stretch + course->slope * xi * xi / (2 * k);
    double t[3];
    place->stretch = course->stretch + course->slope * xi / k;
    if (course->body != NULL) {
        laid_place(course, d, place);
    } else if (course->hangs) {
        hanging_point(course, xi, place->x, t, &place->stretch);
        set_upright_frame(t, place);
    } else {
        drawn_place(course, d, place);
    }
}
