/* SPDX-License-Identifier: BSD-3-Clause */
/* The surface of a body as the partner of a point. */
#include "base/lie.h"
#include "contact/partner.h"

#include <math.h>
#include <string.h>

/* Position of the foot along the axis of the body. */
static double foot_height(const haw_foot *foot, const double x[3])
{
    return x[2] - foot->gap * foot->normal[2];
}

static void sort_feet(haw_feet *feet, const double x[3])
{
    for (int i = 1; i < feet->count; i++) {
        const haw_foot foot = feet->foot[i];
        const double height = foot_height(&foot, x);
        int k = i;
        for (; k > 0 && foot_height(&feet->foot[k - 1], x) > height; k--) {
            feet->foot[k] = feet->foot[k - 1];
        }
        feet->foot[k] = foot;
    }
}

/* The foot of a curve in the plane; its bend is that at the point. */
static void find_flat_foot(const haw_view *view, const double x[3], double reach, haw_feet *feet)
{
    const haw_body *body = view->body;
    haw_foot *foot = feet->foot;
    const double gap =
        body->surface.ops->gap(&body->surface, view->q + body->first_q, x, foot->normal);
    foot->gap = gap - view->radius;
    foot->element = -1;
    foot->s = 0;
    foot->rests = false;
    feet->count = 1;
    feet->slot[0] = 0;
    if (foot->gap <= reach) { /* else no one asks for more */
        foot->normal[2] = foot->tangent[2] = foot->bend[1] = 0;
        foot->tangent[0] = foot->normal[1];
        foot->tangent[1] = -foot->normal[0];
        foot->bend[0] = body->surface.ops->bend(&body->surface, view->q + body->first_q, x);
    }
}

static void find_feet(const haw_view *view, const double x[3], double label, double reach,
                      haw_feet *feet)
{
    (void)label;
    const haw_surface *surface = &view->body->surface;
    const double *r = view->pose.rotation;
    if (haw_surface_is_flat(surface)) {
        find_flat_foot(view, x, reach, feet);
        return;
    }
    const double d[3] = {x[0] - view->pose.x[0], x[1] - view->pose.x[1], x[2] - view->pose.x[2]};
    double local[3];
    mat3_apply_t(r, d, local);
    feet->count = surface->ops->feet(surface, local, reach + view->radius, feet->foot);
    feet->count = feet->count > view->pair->feet ? view->pair->feet : feet->count;
    sort_feet(feet, local);
    for (int i = 0; i < feet->count; i++) {
        haw_foot *foot = &feet->foot[i];
        const haw_foot own = *foot;
        feet->slot[i] = i;
        mat3_apply(r, own.normal, foot->normal);
        mat3_apply(r, own.tangent, foot->tangent);
        foot->gap -= view->radius;
        foot->element = -1;
        foot->s = 0;
        foot->rests = false;
    }
}

bool haw_view_foot(const haw_view *view, const double x[3], const double normal[3], haw_foot *foot)
{
    haw_feet feet;
    find_feet(view, x, 0, HUGE_VAL, &feet);
    for (int i = 0; i < feet.count; i++) {
        const haw_foot *candidate = &feet.foot[i];
        if (i == 0 || vec3_dot(candidate->normal, normal) > vec3_dot(foot->normal, normal)) {
            *foot = *candidate;
        }
    }
    return feet.count > 0;
}

static bool follow(const haw_view *view, const double x[3], const haw_touch *touch, haw_foot *foot)
{
    return haw_view_foot(view, x, touch->normal, foot);
}

/*
 * Minus the velocity of the point p of the surface body, V + Q Omega x (p - X), with the body-frame
 * angular velocity Omega: k . v = k . V + Omega . Q^T ((p - X) x k). In space friction acts at
 * p = x - a n on both sides, whatever the gap: equal and opposite forces at one place keep angular
 * momentum. In the plane, and of cables that only stretch, it acts at the foot with `arm: radius`,
 * as in the papers: at the radius of the section from it, where a section in space has one.
 */
static void set_body(const haw_view *view, const double x[3], const haw_foot *foot,
                     double direction[HAW_DIRECTIONS][3], haw_touch *touch)
{
    haw_touch_side *side = &touch->side[1];
    const double arm = view->to_foot ? view->arm + foot->gap : view->arm;
    double lever[3];
    for (int i = 0; i < 3; i++) {
        lever[i] = x[i] - arm * foot->normal[i] - view->pose.x[i];
    }
    haw_side_set(side, -1, (int)(view->body - view->model->body), view->body->first,
                 view->moves + view->turns);
    for (int k = 0; k < view->moves; k++) {
        double moment[3];
        vec3_cross(lever, direction[k], moment);
        for (int i = 0; i < view->moves; i++) {
            side->row[k][i] = -direction[k][i];
        }
        haw_view_turn(view, view->pose.rotation, moment, -1, side->row[k] + view->moves);
    }
}

/* ---- the broad phase ---- */

/* False only if no point of what these bounds contain is within `reach` of the surface, a point
 * being at most its offset away from the curve, and its section's radius from the surface. */
static bool is_within(const haw_view *view, int e, const haw_bounds *bounds, double reach)
{
    (void)e;
    const haw_surface *surface = &view->body->surface;
    if (haw_surface_is_flat(surface)) {
        const haw_box box = {{bounds->min[0], bounds->min[1]}, {bounds->max[0], bounds->max[1]}};
        return surface->ops->near_box(surface, view->q + view->body->first_q,
                                      reach + view->radius + fabs(view->pair->offset), &box);
    }
    double d[3], local[3];
    for (int i = 0; i < 3; i++) {
        d[i] = bounds->centre[i] - view->pose.x[i];
    }
    mat3_apply_t(view->pose.rotation, d, local);
    /* the last factor covers the rounding of this test and of the gap */
    return surface->ops->near(surface, local,
                              (bounds->radius + view->radius + reach) * (1 + 1e-12));
}

static double distance(int count, const double *a, const double *b)
{
    double square = 0;
    for (int i = 0; i < count; i++) {
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    return sqrt(square);
}

/* How far a surface has turned since the coordinates before: a point at the radius r about its
 * body's centre moves by at most this times r against it. For unit quaternions p and q that is
 * 2 r sin(theta / 2) <= 4 r sin(theta / 4) = 2 r |q - p|. A circle turns into itself. */
static double body_turn(const haw_model *model, const haw_body *body, const double *before,
                        const double *q)
{
    const int d = model->dimension, at = body->first_q + d;
    return body->surface.ops->is_circle
               ? 0
               : 2 * distance(model->kind->coordinates - d, before + at, q + at);
}

static double body_way(const haw_model *model, const haw_pair *pair, const double *before,
                       const double *q, double *turn)
{
    const haw_body *body = &model->body[pair->body];
    *turn = body_turn(model, body, before, q);
    return distance(model->dimension, before + body->first_q, q + body->first_q);
}

/* ---- guards ---- */

static double clear(const haw_view *view, int e, const double centre[3], double radius,
                    double enough)
{
    double normal[3];
    (void)e;
    (void)radius;
    (void)enough;
    return view->model->kind->gap(view->body, view->q + view->body->first_q, centre, normal);
}

static double gap(const haw_view *view, const double x[3], double label, double enough,
                  double normal[3])
{
    (void)label;
    (void)enough;
    return view->model->kind->gap(view->body, view->q + view->body->first_q, x, normal);
}

static void carry(const haw_view *view, const double x[3], double label, double reach,
                  const double *q_plus, double x_plus[3])
{
    const int first = view->body->first_q;
    (void)label;
    (void)reach;
    view->model->kind->carry(view->q + first, q_plus + first, x, x_plus);
}

const haw_partner haw_partner_surface = {
    .name = "surface",
    .summary = "the surface of a body",
    .feet = find_feet,
    .follow = follow,
    .set_side = set_body,
    .tangent = haw_surface_tangent,
    .within = is_within,
    .way = body_way,
    .clear = clear,
    .gap = gap,
    .carry = carry,
    .is_swept = true,
};
