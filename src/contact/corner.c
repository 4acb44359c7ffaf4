/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Touches of a body with several corners (shape/surface.h), each with its radius around it. Of two
 * convex bodies in the plane what is nearest of one of them is a corner: those of both are asked,
 * and those that look back leave out what is nearest to a corner of the other, which finds that
 * itself. In space edges may also cross, the axis of a capsule being its only edge: the nearest
 * places of two edges count where both are between their ends. They include the corners of what two
 * faces share. On other surfaces the place of an edge that is nearest counts.
 */
#include "base/lie.h"
#include "contact/press.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { HALVINGS = 60, EDGES_MAX = 12 };

/* Edges whose directions are nearer than this have no crossing: their corners touch [rad]. */
static const double PARALLEL = 1e-6;

/* Nearer to an end of an edge than this part of it that corner touches: edges that are drawn one
 * over the other do not cross by rounding. */
static const double AT_END = 1e-9;

/* The foot of a place, and whether it is on a corner, which bends in all directions. */
static bool find_foot(const haw_view *view, double s, haw_foot *foot, bool *is_round)
{
    haw_feet feet;
    double x[3];
    haw_view_position(view, -1, s, view->q, x);
    haw_view_feet(view, x, 0, HUGE_VAL, &feet);
    *foot = feet.foot[0];
    *is_round = feet.count > 0 && foot->bend[0] != 0 && foot->bend[view->moves - 2] != 0;
    return feet.count > 0;
}

/* d(gap) / ds along the axis. */
static double slope_at(const haw_view *view, double s, const double along[3])
{
    haw_foot foot;
    bool is_round;
    return find_foot(view, s, &foot, &is_round) ? vec3_dot(foot.normal, along) : 0;
}

/* What is nearest between both ends: the slope grows along it, the other body being convex. */
static haw_status touch_axis(haw_contacts *contacts, const haw_view *view, int place, double first)
{
    double end[2][3], along[3], low = first, high = first + 1;
    for (int i = 0; i < 2; i++) {
        haw_view_position(view, -1, first + i, view->q, end[i]);
    }
    for (int i = 0; i < 3; i++) {
        along[i] = end[1][i] - end[0][i];
    }
    if (!(slope_at(view, low, along) < 0 && slope_at(view, high, along) > 0)) {
        return HAW_OK;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        *(slope_at(view, middle, along) < 0 ? &low : &high) = middle;
    }
    const int count = contacts->count;
    HAW_TRY(haw_view_touch(contacts, view, place, -1, low));
    for (int i = count; i < contacts->count; i++) {
        contacts->item[i].floats = true;
    }
    return HAW_OK;
}

/* ---- two edges ---- */

/* A straight line from x along a, at most to x + a. */
typedef struct edge {
    double x[3], along[3], middle[3];
    double half; /* of its length [m] */
} edge;

static edge edge_of(const haw_surface *surface, const haw_pose *pose, int e)
{
    const haw_surface_ops *ops = surface->ops;
    double end[2][3];
    edge it = {.x = {0}};
    for (int i = 0; i < 2; i++) {
        ops->corner(surface, ops->first_edge + 2.0 * e + i, end[i]);
    }
    vec3_add(-1, end[0], end[1]);
    mat3_apply(pose->rotation, end[0], it.x);
    mat3_apply(pose->rotation, end[1], it.along);
    vec3_add(1, pose->x, it.x);
    memcpy(it.middle, it.x, sizeof it.middle);
    vec3_add(0.5, it.along, it.middle);
    it.half = 0.5 * vec3_norm(it.along);
    return it;
}

/* No crossing of them touches, or is nearer than what was found: by the spheres about them. */
static bool are_apart(const haw_view *view, const edge *a, const edge *b)
{
    const double thick = haw_body_radius(view->body) + view->radius;
    const double reach = fmax(view->margin, *view->gap_min) + thick + a->half + b->half;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double side = a->middle[i] - b->middle[i];
        square += side * side;
    }
    return square * (1 - 16 * DBL_EPSILON) > reach * reach;
}

/*
 * Nearest places x_a + s a and x_b + t b of two lines: with r = x_a - x_b
 *
 *     s = (a.b b.r - b.b a.r) / D,   t = (a.a b.r - a.b a.r) / D,   D = a.a b.b - (a.b)^2.
 *
 * The foot is that on a cylinder about b. @return whether both are between the ends
 */
static bool find_crossing(const haw_view *view, const edge *a, const edge *b, double *s,
                          haw_foot *foot)
{
    double r[3], normal[3], size, turn[3];
    for (int i = 0; i < 3; i++) {
        r[i] = a->x[i] - b->x[i];
    }
    vec3_cross(a->along, b->along, turn);
    const double aa = vec3_dot(a->along, a->along), bb = vec3_dot(b->along, b->along);
    const double ab = vec3_dot(a->along, b->along), det = vec3_dot(turn, turn);
    const double ar = vec3_dot(a->along, r), br = vec3_dot(b->along, r);
    *s = (ab * br - bb * ar) / det;
    const double t = (aa * br - ab * ar) / det;
    const bool is_within = fmin(*s, t) > AT_END && fmax(*s, t) < 1 - AT_END;
    if (!(det > PARALLEL * PARALLEL * aa * bb && is_within)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        normal[i] = r[i] + *s * a->along[i] - t * b->along[i];
    }
    size = vec3_norm(normal);
    *foot = (haw_foot){.gap = size - haw_body_radius(view->body) - view->radius,
                       .bend = {size > 0 ? 1 / size : 0},
                       .element = -1};
    for (int i = 0; i < 3 && size > 0; i++) {
        foot->normal[i] = normal[i] / size;
    }
    vec3_cross(b->along, foot->normal, foot->tangent);
    for (int i = 0; i < 3; i++) {
        foot->tangent[i] /= sqrt(bb);
    }
    return size > 0;
}

/* @param from  place of the own edge a among all corners and edges */
static haw_status touch_crossing(haw_contacts *contacts, const haw_view *view, int place,
                                 double from, const edge *a, const edge *b)
{
    const int count = contacts->count;
    haw_foot foot;
    double s;
    if (are_apart(view, a, b) || !find_crossing(view, a, b, &s, &foot)) {
        return HAW_OK;
    }
    HAW_TRY(haw_view_touch_foot(contacts, view, place, from + s, &foot));
    for (int k = count; k < contacts->count; k++) {
        contacts->item[k].floats = true;
    }
    return HAW_OK;
}

static haw_status touch_edges(haw_contacts *contacts, const haw_view *view, int place)
{
    const haw_surface *own = &view->ball->surface, *other = &view->body->surface;
    edge b[EDGES_MAX];
    haw_pose pose;
    haw_body_pose(view->ball, view->q, view->turns, &pose);
    for (int j = 0; j < other->ops->edges; j++) {
        b[j] = edge_of(other, &view->pose, j);
    }
    haw_status status = HAW_OK;
    for (int i = 0; i < own->ops->edges; i++) {
        const edge a = edge_of(own, &pose, i);
        const double from = own->ops->first_edge + 2.0 * i;
        for (int j = 0; j < other->ops->edges && status == HAW_OK; j++) {
            status = touch_crossing(contacts, view, place++, from, &a, &b[j]);
        }
    }
    return status;
}

/* ---- corners ---- */

static haw_status touch_corner(haw_contacts *contacts, const haw_view *view, int k)
{
    haw_foot foot;
    bool is_round;
    const bool any = find_foot(view, k, &foot, &is_round);
    if (!any || (view->is_back && is_round)) {
        return HAW_OK;
    }
    HAW_TRY(haw_view_touch(contacts, view, k, -1, k));
    return haw_view_guard_ball(view, k, foot.gap);
}

static haw_status find(haw_contacts *contacts, const haw_view *view)
{
    const haw_surface_ops *ops = view->ball->surface.ops;
    for (int k = 0; k < ops->corners; k++) {
        HAW_TRY(touch_corner(contacts, view, k));
    }
    if (view->is_back || isinf(haw_body_radius(view->body))) {
        return HAW_OK;
    }
    if (view->body->surface.ops->edges > 0) {
        return touch_edges(contacts, view, ops->corners);
    }
    for (int i = 0; i < ops->edges; i++) {
        HAW_TRY(touch_axis(contacts, view, ops->corners + i, ops->first_edge + 2.0 * i));
    }
    return HAW_OK;
}

const haw_narrow haw_narrow_corner = {
    .name = "corners",
    .summary = "the corners of a body, and what is nearest of its edges",
    .find = find,
    .back = find,
    .clasp = &haw_press_clasp,
};
