/* SPDX-License-Identifier: BSD-3-Clause */
/* Feet, frames and rows of a material point against the surface of one pair. */
#include "contact/view.h"

#include "base/lie.h"

#include <math.h>
#include <string.h>

static void body_pose(const haw_body *body, const double *q, haw_pose *pose)
{
    memcpy(pose->x, q + body->first_q, sizeof pose->x);
    quaternion_matrix(q + body->first_q + 3, pose->rotation);
}

haw_space_view haw_space_view_init(const haw_contacts *contacts, int pair, const double *q)
{
    const haw_model *model = contacts->model;
    const haw_pair *p = &model->pair[pair];
    const haw_cable *cable = p->cable >= 0 ? &model->cable[p->cable] : NULL;
    haw_space_view view = {.model = model,
                           .pair = p,
                           .cable = cable,
                           .body = &model->body[p->body],
                           .q = q,
                           .radius = cable != NULL ? cable->radius : p->proxy_radius,
                           .margin = contacts->margin,
                           .gap_min = &contacts->gap_min[pair]};
    const bool turns = cable == NULL || cable->beam.ops->has_rotations;
    view.arm = turns && p->arm == HAW_ARM_RADIUS ? view.radius : 0;
    body_pose(view.body, q, &view.pose);
    return view;
}

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

void haw_space_view_feet(const haw_space_view *view, const double x[3], double reach,
                         haw_feet *feet)
{
    const haw_surface *surface = &view->body->surface;
    const double *r = view->pose.rotation;
    const double d[3] = {x[0] - view->pose.x[0], x[1] - view->pose.x[1], x[2] - view->pose.x[2]};
    double local[3];
    mat3_apply_t(r, d, local);
    feet->count = surface->ops->feet(surface, local, reach + view->radius, feet->foot);
    feet->count = feet->count > view->pair->feet ? view->pair->feet : feet->count;
    sort_feet(feet, local);
    for (int i = 0; i < feet->count; i++) {
        haw_foot *foot = &feet->foot[i];
        const haw_foot own = *foot;
        mat3_apply(r, own.normal, foot->normal);
        mat3_apply(r, own.tangent, foot->tangent);
        foot->gap -= view->radius;
    }
}

bool haw_space_view_foot(const haw_space_view *view, const double x[3], const double normal[3],
                         haw_foot *foot)
{
    haw_feet feet;
    haw_space_view_feet(view, x, HUGE_VAL, &feet);
    for (int i = 0; i < feet.count; i++) {
        const haw_foot *candidate = &feet.foot[i];
        if (i == 0 || vec3_dot(candidate->normal, normal) > vec3_dot(foot->normal, normal)) {
            *foot = *candidate;
        }
    }
    return feet.count > 0;
}

/* A node is where its coordinates say, whatever the kind of element; most points are nodes. */
static void node_point(const haw_beam *beam, const double *node, int column, bool jacobians,
                       haw_space_point *point)
{
    static const double unit[4] = {1, 0, 0, 0};
    const bool turns = beam->ops->has_rotations; /* else friction has no arm to turn */
    memcpy(point->x, node, sizeof point->x);
    quaternion_matrix(turns ? node + 3 : unit, point->rotation);
    if (!jacobians) {
        return;
    }
    memset(point->jx, 0, sizeof point->jx);
    memset(point->jw, 0, sizeof point->jw);
    for (int i = 0; i < 3; i++) {
        point->jx[i][column + i] = 1;
        for (int j = 0; j < 3 && turns; j++) {
            point->jw[i][column + 3 + j] = point->rotation[3 * i + j];
        }
    }
}

void haw_space_view_point(const haw_space_view *view, int e, double s, const double *q,
                          bool jacobians, haw_space_point *point)
{
    const haw_beam *beam = &view->cable->beam;
    const double *own = q + view->cable->first_q;
    if (s > 0 && s < 1) {
        beam->ops->point(beam, e, s, own, jacobians, point);
    } else {
        const int node = s > 0 ? e + 1 : e;
        node_point(beam, own + (ptrdiff_t)beam->ops->node_coordinates * node,
                   beam->ops->node_dofs * (node - e), jacobians, point);
    }
}

void haw_space_view_place(const haw_space_view *view, int e, double s, const double *q,
                          haw_pose *place)
{
    if (view->cable == NULL) {
        body_pose(&view->model->body[view->pair->proxy], q, place);
        return;
    }
    haw_space_point point;
    haw_space_view_point(view, e, s, q, false, &point);
    memcpy(place->x, point.x, sizeof place->x);
    memcpy(place->rotation, point.rotation, sizeof place->rotation);
}

/* Directions n, t1, t2 of a foot. */
static void foot_frame(const haw_foot *foot, double direction[HAW_DIRECTIONS][3])
{
    memcpy(direction[0], foot->normal, sizeof direction[0]);
    memcpy(direction[1], foot->tangent, sizeof direction[1]);
    vec3_cross(foot->normal, foot->tangent, direction[2]);
}

/*
 * Minus the velocity of the point p of the surface body, V + Q Omega x (p - X), with the body-frame
 * angular velocity Omega: k . v = k . V + Omega . Q^T ((p - X) x k). Friction acts at p = x - a n
 * on both sides, whatever the gap: equal and opposite forces at one place keep angular momentum.
 */
static void set_body(const haw_space_view *view, const double x[3], const haw_foot *foot,
                     double direction[HAW_DIRECTIONS][3], haw_touch *contact)
{
    haw_touch_side *side = &contact->side[1];
    double lever[3];
    for (int i = 0; i < 3; i++) {
        lever[i] = x[i] - view->arm * foot->normal[i] - view->pose.x[i];
    }
    haw_side_set(side, -1, view->pair->body, view->body->first, HAW_BODY_DOFS);
    for (int k = 0; k < HAW_DIRECTIONS; k++) {
        double moment[3], turned[3];
        vec3_cross(lever, direction[k], moment);
        mat3_apply_t(view->pose.rotation, moment, turned);
        for (int i = 0; i < 3; i++) {
            side->row[k][i] = -direction[k][i];
            side->row[k][3 + i] = -turned[i];
        }
    }
}

static void set_place(haw_touch *contact, int e, double s, const double x[3])
{
    contact->element = e;
    contact->s = s;
    memcpy(contact->x, x, sizeof contact->x);
}

void haw_space_view_set(const haw_space_view *view, int e, double s, const haw_space_point *point,
                        const haw_foot *foot, haw_touch *contact)
{
    haw_touch_side *side = &contact->side[0];
    double direction[HAW_DIRECTIONS][3];
    foot_frame(foot, direction);
    haw_side_set(side, view->pair->cable, -1,
                 view->cable->first + view->cable->beam.ops->node_dofs * e, HAW_SPACE_DOFS);
    for (int k = 0; k < HAW_DIRECTIONS; k++) {
        const double *d = direction[k];
        double m[3];
        vec3_cross(foot->normal, d, m); /* rho x k = -a n x k */
        for (int i = 0; i < 3; i++) {
            m[i] *= -view->arm;
        }
        for (int a = 0; a < HAW_SPACE_DOFS; a++) {
            side->row[k][a] = d[0] * point->jx[0][a] + d[1] * point->jx[1][a] +
                              d[2] * point->jx[2][a] + m[0] * point->jw[0][a] +
                              m[1] * point->jw[1][a] + m[2] * point->jw[2][a];
        }
    }
    set_body(view, point->x, foot, direction, contact);
    set_place(contact, e, s, point->x);
}

void haw_space_view_sphere(const haw_space_view *view, const haw_pose *place, const haw_foot *foot,
                           haw_touch *contact)
{
    haw_touch_side *side = &contact->side[0];
    double direction[HAW_DIRECTIONS][3];
    foot_frame(foot, direction);
    haw_side_set(side, -1, view->pair->proxy, view->model->body[view->pair->proxy].first,
                 HAW_BODY_DOFS);
    for (int k = 0; k < HAW_DIRECTIONS; k++) {
        double m[3], turned[3];
        vec3_cross(foot->normal, direction[k], m);
        mat3_apply_t(place->rotation, m, turned);
        for (int i = 0; i < 3; i++) {
            side->row[k][i] = direction[k][i];
            side->row[k][3 + i] = -view->arm * turned[i];
        }
    }
    set_body(view, place->x, foot, direction, contact);
    set_place(contact, -1, 0, place->x);
}

void haw_space_set_frame(const haw_foot *foot, haw_touch *contact)
{
    contact->gap = foot->gap;
    memcpy(contact->normal, foot->normal, sizeof contact->normal);
    memcpy(contact->tangent, foot->tangent, sizeof contact->tangent);
    memcpy(contact->bend, foot->bend, sizeof contact->bend);
}

haw_status haw_space_add(haw_contacts *contacts, const haw_space_view *view, int slot,
                         const haw_foot *foot, haw_touch **contact)
{
    HAW_TRY(haw_contacts_reserve_rows(contacts, contacts->count + 1));
    haw_touch *c = &contacts->item[contacts->count++];
    c->id = view->pair->first_point + slot;
    c->pair = (int)(view->pair - view->model->pair);
    haw_side_set(&c->side[1], -1, view->pair->body, view->body->first, HAW_BODY_DOFS);
    haw_space_set_frame(foot, c);
    *contact = c;
    return HAW_OK;
}

bool haw_space_carries(const haw_space_view *view, int node)
{
    const int last = view->cable->beam.elements;
    if (node > 0 && node < last) {
        return true;
    }
    const bool *held = view->cable->guide[node == 0 ? 0 : 1].held;
    return !(held[0] && held[1] && held[2]);
}

/*
 * A ball about the curve of an element: whatever its shape, a curve of length S between two points
 * stays within S / 2 of their middle. An arc of constant curvature and twist that turns by phi has
 * S <= chord x / sin x with the angle x = phi / 2 between the quaternions, and up to a quarter turn
 * x / sin x <= 1 + (pi / 2 - 1) sin^2 x. A cubic is not longer than its control polygon.
 */
static double ball_radius(const haw_beam *beam, const double *a, const double *b, double chord)
{
    if (beam->ops->has_rotations) {
        const double half_pi = 1.57079632679489662;
        const double cosine = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]; /* of x */
        return 0.5 * chord * (1 + (half_pi - 1) * fmax(1 - cosine * cosine, 0));
    }
    double end[2] = {0, 0}, middle = 0;
    const double third = beam->le / 3;
    for (int i = 0; i < 3; i++) {
        const double inner = b[i] - a[i] - third * (a[3 + i] + b[3 + i]);
        end[0] += third * third * a[3 + i] * a[3 + i];
        end[1] += third * third * b[3 + i] * b[3 + i];
        middle += inner * inner;
    }
    return 0.5 * (sqrt(end[0]) + sqrt(end[1]) + sqrt(middle));
}

bool haw_space_near(const haw_space_view *view, int e)
{
    const haw_beam *beam = &view->cable->beam;
    const haw_surface *surface = &view->body->surface;
    const double *a = view->q + view->cable->first_q + beam->ops->node_coordinates * e;
    const double *b = a + beam->ops->node_coordinates;
    double d[3], local[3], square = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = 0.5 * (a[i] + b[i]) - view->pose.x[i];
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    mat3_apply_t(view->pose.rotation, d, local);
    /* the last factor covers the rounding of this test and of the gap */
    const double radius = ball_radius(beam, a, b, sqrt(square)) + view->radius + view->margin;
    return surface->ops->near(surface, local, radius * (1 + 1e-12));
}
