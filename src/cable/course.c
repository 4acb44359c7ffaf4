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
#include "cable/drawing.h"
#include "theory/revolution_path.h"

#include <gsl/gsl_math.h>
#include <math.h>

enum { SECANTS = 60 };

static const double NARROW = 1e-3; /* width of a loop over its length */

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
    bool differs = spec->reference_curvature != 0 || spec->lay.cable != NULL;
    for (int i = 0; i < spec->segments && spec->reference == HAW_REFERENCE_STRAIGHT; i++) {
        differs = differs || spec->path[i].kind != HAW_PIECE_LINE;
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
    if (spec->segments > 0 || course->trace != NULL || g == 0 || is_clamped ||
        !(is_tense || is_pushed)) {
        return;
    }
    double chord[3], from[3];
    (void)haw_drawing_point(course, 0, from, chord);
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
    haw_drawing_start(course, x);
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

static void set_upright_frame(const double t[3], haw_section *place)
{
    double n[3];
    haw_upright_normal(t, n);
    set_frame(t, n, place);
}

/* n turned about t. */
static void turn_normal(const double t[3], double angle, double n[3])
{
    const double c = cos(angle), s = sin(angle);
    double b[3];
    vec3_cross(t, n, b);
    for (int i = 0; i < 3; i++) {
        n[i] = c * n[i] + s * b[i];
    }
}

static void drawn_point(const void *data, double d, double x[3], double t[3])
{
    (void)haw_drawing_point(data, d, x, t);
}

/*
 * Curves in space have frames that do not twist but for the twist that is drawn. Those of a closed
 * one meet after a constant twist by less than half a turn, which its elements do not feel.
 */
static haw_status carry_frames(const haw_site *site, haw_course *course)
{
    enum { STATIONS = 4 }; /* of an element, and of a span */

    if (course->trace == NULL || course->dimension < 3) {
        return HAW_OK;
    }
    double x[3], t[3], n[3], last[3], b[3];
    haw_transport *frames = haw_arena_allocate(site->arena, 1, sizeof *frames);
    HAW_TRY(haw_arena_status(site->arena));
    const double first = haw_drawing_point(course, 0, x, t);
    haw_upright_normal(t, n);
    *frames = (haw_transport){.at = drawn_point,
                              .data = course,
                              .stations = STATIONS * haw_drawing_spans(course),
                              .length = course->path};
    HAW_TRY(haw_transport_carry(site->arena, n, frames));
    course->frames = frames;
    if (course->spec->closed) {
        const double twist = haw_drawing_point(course, course->path, x, t) - first;
        haw_transport_normal(frames, course->path, x, t, last);
        turn_normal(t, twist, last);
        vec3_cross(t, n, b);
        course->closing = -atan2(vec3_dot(last, b), vec3_dot(last, n));
    }
    return HAW_OK;
}

/* At a corner of the path the tangent is the bisector: one frame for the node of both sides. */
static void drawn_place(const haw_course *course, double d, haw_section *place)
{
    const double step = 1e-9 * course->path;
    double x[3], before[3], t[3], middle[3] = {0, 0, 0};
    (void)haw_drawing_point(course, d - step, x, before);
    (void)haw_drawing_point(course, d + step, x, t);
    vec3_add(1, before, middle);
    vec3_add(1, t, middle);
    const double size = vec3_norm(middle);
    const bool is_corner = vec3_dot(before, t) < HAW_CORNER && size > 1e-6;
    const double twist = haw_drawing_point(course, d, place->x, t);
    for (int i = 0; i < 3 && is_corner; i++) {
        t[i] = middle[i] / size;
    }
    if (course->frames == NULL) {
        set_upright_frame(t, place);
        return;
    }
    double n[3];
    haw_transport_normal(course->frames, d, place->x, t, n);
    turn_normal(t, twist + course->closing * d / course->path, n);
    set_frame(t, n, place);
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
 * left side rises by 1 + a bend > 0. At the poles of a sphere or a capsule r' has no bound, and all
 * that follows is NaN: the path ends there (haw_path_follow) and is refused.
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
               ? refuse_lay(site, spec, "its path runs off the surface, to a pole or out of bounds")
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

static haw_status wind(const haw_site *site, haw_course *course)
{
    const haw_cable_spec *spec = course->spec;
    return spec->segments > 0 || spec->closed || site->dimension < 3
               ? haw_cable_refuse(site, spec, "lay.cable",
                                  "it cannot be laid on '%s': it has a path, is closed, or in the "
                                  "plane",
                                  spec->lay.cable)
               : haw_course_wind(site, course);
}

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
    HAW_TRY(spec->lay.cable != NULL ? wind(site, course) : HAW_OK);
    HAW_TRY(haw_drawing_measure(site, course));
    HAW_TRY(spec->closed ? haw_drawing_check_closed(site, course) : HAW_OK);
    HAW_TRY(carry_frames(site, course));
    (void)haw_drawing_point(course, 0, x, d);
    const double along = -spec->density * vec3_dot(gravity, d);
    const bool is_line = spec->segments == 0 && spec->lay.cable == NULL;
    const bool is_straight = is_line && spec->reference == HAW_REFERENCE_STRAIGHT;
    const bool is_parallel = weight == 0 || fabs(fabs(along) - weight) <= 1e-14 * weight;
    const bool is_as_drawn = site->is_given && isnan(spec->tension) && isnan(spec->length);
    course->slope = is_straight && is_parallel && !is_as_drawn ? along : 0;
    find_length(course);
    const double least = fmin(course->tension, course->tension + course->slope * course->length);
    course->is_static = (weight > 0 && !(is_straight && is_parallel)) || least < 0 || is_bent(spec);
    if (course->is_static) {
        hang(site, course);
    }
    return HAW_OK;
}

void haw_course_keep(haw_site *site, const haw_course *course, haw_cable *cable)
{
    haw_course *kept = &site->course[site->courses++];
    *kept = *course;
    cable->course = course->spec->segments > 0 || course->trace != NULL ? kept : NULL;
}

void haw_course_point(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const haw_course *course = user;
    const double k = course->spec->stiffness;
    const double tension = course->tension + course->slope * xi;
    const double d = xi * course->stretch + course->slope * xi * xi / (2 * k);
    double place[3], along[3];
    (void)haw_drawing_point(course, d, place, along);
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
