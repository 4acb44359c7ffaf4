/* SPDX-License-Identifier: BSD-3-Clause */
/* Feet, frames and rows of a material point of one pair. */
#include "base/lie.h"
#include "contact/partner.h"
#include "linalg/inline.h"

#include <math.h>
#include <string.h>

void haw_body_velocity(const haw_body *body, const double *q, const double *u, const double x[2],
                       double v[2])
{
    const double *pose = q + body->first_q, *w = u + body->first;
    v[0] = w[0] - w[2] * (x[1] - pose[1]);
    v[1] = w[1] + w[2] * (x[0] - pose[0]);
}

/* Orientation of a body: a quaternion behind its position, or an angle. */
void haw_body_pose(const haw_body *body, const double *q, int turns, haw_pose *pose)
{
    const double *own = q + body->first_q;
    if (turns > 1) {
        memcpy(pose->x, own, sizeof pose->x);
        quaternion_matrix(own + 3, pose->rotation);
        return;
    }
    const double c = cos(own[2]), s = sin(own[2]);
    *pose = (haw_pose){.x = {own[0], own[1]}, .rotation = {c, -s, 0, s, c, 0, 0, 0, 1}};
}

haw_view haw_view_of(const haw_model *model, int pair, bool is_back, const double *q)
{
    const haw_pair *p = &model->pair[pair];
    const int own = is_back ? p->line : p->cable, line = is_back ? p->cable : p->line;
    const int looks_at = is_back && p->cable < 0 ? p->proxy : p->body;
    const haw_cable *cable = own >= 0 ? &model->cable[own] : NULL;
    haw_view view = {.model = model,
                     .pair = p,
                     .cable = cable,
                     .partner = haw_partner_of(p),
                     .ball = p->cable < 0 ? &model->body[is_back ? p->body : p->proxy] : NULL,
                     .body = p->body >= 0 ? &model->body[looks_at] : NULL,
                     .line = p->line >= 0 ? &model->cable[line] : NULL,
                     .is_back = is_back,
                     .q = q,
                     .moves = model->dimension,
                     .turns = (int)haw_body_dofs(model) - model->dimension,
                     .lists = p->compliance.normal == NULL};
    const bool turns = cable != NULL && haw_cable_turns(cable);
    view.radius = cable != NULL ? cable->radius : 0;
    if (view.ball != NULL) {
        view.radius = haw_body_radius(view.ball);
    }
    view.chords = p->kinematics == HAW_KINEMATICS_CHORD ? p->points_per_element : 0;
    view.tilts = p->arm == HAW_ARM_TILT && cable != NULL && !turns && view.chords == 0;
    const bool rolls = turns || view.tilts || view.chords > 0;
    const bool is_flat = haw_pair_is_flat(model, p); /* one foot for a point */
    const bool is_thread =
        is_flat || (cable != NULL && haw_cable_is_thread(cable)) || (view.chords > 0 && !turns);
    view.to_foot = is_thread && p->arm == HAW_ARM_RADIUS && p->line < 0;
    view.arm = cable == NULL || rolls ? view.radius : 0;
    view.arm = is_flat || p->arm != HAW_ARM_DISTANCE ? view.arm : 0;
    if (view.body != NULL) {
        haw_body_pose(view.body, q, view.turns, &view.pose);
    }
    return view;
}

haw_view haw_view_init(const haw_contacts *contacts, int pair, bool is_back, const double *q)
{
    haw_view view = haw_view_of(contacts->model, pair, is_back, q);
    view.curve = view.line != NULL ? &contacts->curve[view.line - contacts->model->cable] : NULL;
    view.margin = contacts->margin;
    view.gap_min = &contacts->gap_min[pair];
    view.looked = contacts->looked;
    return view;
}

haw_view haw_view_at(const haw_contacts *contacts, const haw_touch *touch, const double *q)
{
    const haw_pair *pair = &contacts->model->pair[touch->pair];
    return haw_view_init(contacts, touch->pair, touch->id - pair->first_point >= pair->ahead, q);
}

void haw_view_feet(const haw_view *view, const double x[3], double label, double reach,
                   haw_feet *feet)
{
    view->partner->feet(view, x, label, reach, feet);
}

/* The contact line beside the curve: p = x + y nu with nu = (-tau_y, tau_x), tau = x' / |x'| and
 * the offset y, and dp = dx - y tau (nu . dx') / |x'|. */
static void shift_point(const haw_view *view, int e, double s, const double *q, bool jacobians,
                        haw_cable_point *point)
{
    double d[3], j[3][HAW_CABLE_DOFS];
    view->cable->ops->slope(view->cable, e, s, q, d, j);
    const double size = hypot(d[0], d[1]), y = view->pair->offset;
    const double t[2] = {d[0] / size, d[1] / size};
    point->x[0] -= y / size * d[1];
    point->x[1] += y / size * d[0];
    const int count = jacobians ? view->cable->ops->dofs(view->cable, e).count : 0;
    for (int a = 0; a < count; a++) {
        const double turn = (y * j[1][a] * t[0] - y * j[0][a] * t[1]) / size;
        point->j[0][a] -= t[0] * turn;
        point->j[1][a] -= t[1] * turn;
    }
}

static HAW_INLINE void curve_point(const haw_view *view, int e, double s, const double *q, int want,
                                   haw_cable_point *point)
{
    const haw_cable *cable = view->cable;
    const int element = cable->ops->moves_along ? cable->ops->locate(cable, q, s, &s) : e;
    if (view->tilts && want != HAW_POINT_POSITION) {
        haw_cable_direct(cable, element, s, q, point);
    } else {
        cable->ops->point(cable, element, s, q, NULL, want, point);
    }
    if (view->pair->offset != 0) {
        shift_point(view, element, s, q, want == HAW_POINT_JACOBIAN, point);
    }
}

void haw_view_chord(const haw_view *view, int e, double s, const double *q, bool jacobians,
                    haw_chord *chord)
{
    const int n = view->chords, at = s * n < n ? (int)(s * n) : n - 1;
    chord->rho = s * n - at;
    chord->square = 0;
    for (int k = 0; k < 2; k++) {
        chord->s[k] = (double)(at + k) / n;
        curve_point(view, e, chord->s[k], q, jacobians ? HAW_POINT_JACOBIAN : HAW_POINT_PLACE,
                    &chord->end[k]);
    }
    for (int i = 0; i < 3; i++) {
        chord->along[i] = chord->end[1].x[i] - chord->end[0].x[i];
        chord->square += chord->along[i] * chord->along[i];
    }
}

void haw_chord_point(const haw_view *view, int e, const haw_chord *chord, bool jacobians,
                     haw_cable_point *point)
{
    const int dofs = jacobians ? view->cable->ops->dofs(view->cable, e).count : 0;
    const bool turns = haw_cable_turns(view->cable);
    const haw_cable_point *a = &chord->end[0], *b = &chord->end[1];
    const double rho = chord->rho, *c = chord->along;
    memcpy(point->rotation, a->rotation, sizeof point->rotation);
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        point->x[i] = (1 - rho) * a->x[i] + rho * b->x[i];
        for (int j = 0; j < dofs; j++) {
            const double dk = b->j[k][j] - a->j[k][j], dl = b->j[l][j] - a->j[l][j];
            point->j[i][j] = (1 - rho) * a->j[i][j] + rho * b->j[i][j];
            point->w[i][j] = turns ? (1 - rho) * a->w[i][j] + rho * b->w[i][j]
                                   : (c[k] * dl - c[l] * dk) / chord->square;
        }
    }
}

void haw_view_point(const haw_view *view, int e, double s, const double *q, bool jacobians,
                    haw_cable_point *point)
{
    haw_chord chord;
    if (view->chords > 0) {
        haw_view_chord(view, e, s, q, jacobians, &chord);
        haw_chord_point(view, e, &chord, jacobians, point);
        return;
    }
    curve_point(view, e, s, q, jacobians ? HAW_POINT_JACOBIAN : HAW_POINT_PLACE, point);
}

static void corner_place(const haw_view *view, double s, const double *q, haw_pose *place)
{
    const haw_surface *surface = &view->ball->surface;
    double at[3], arm[3];
    haw_body_pose(view->ball, q, view->turns, place);
    if (surface->ops->corner != NULL) {
        surface->ops->corner(surface, s, at);
        mat3_apply(place->rotation, at, arm);
        vec3_add(1, arm, place->x);
    }
}

void haw_view_position(const haw_view *view, int e, double s, const double *q, double x[3])
{
    haw_cable_point point;
    haw_pose place;
    if (view->cable == NULL && view->ball->surface.ops->corner == NULL) {
        x[2] = 0;
        memcpy(x, q + view->ball->first_q, (size_t)view->moves * sizeof *x);
        return;
    }
    if (view->cable == NULL) {
        corner_place(view, s, q, &place);
        memcpy(x, place.x, sizeof place.x);
        return;
    }
    if (view->chords > 0) {
        haw_view_point(view, e, s, q, false, &point);
    } else {
        curve_point(view, e, s, q, HAW_POINT_POSITION, &point);
    }
    memcpy(x, point.x, sizeof point.x);
}

void haw_view_place(const haw_view *view, int e, double s, const double *q, haw_pose *place)
{
    static const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    haw_cable_point point;
    if (view->cable == NULL) {
        corner_place(view, s, q, place);
        return;
    }
    haw_view_point(view, e, s, q, false, &point);
    memcpy(place->x, point.x, sizeof place->x);
    const bool turns = haw_cable_turns(view->cable) || view->tilts;
    memcpy(place->rotation, turns ? point.rotation : still, sizeof place->rotation);
}

/* Directions n, t1, t2 of a foot; bodies of the plane turn about z, which is -t2. */
static void foot_frame(const haw_view *view, const haw_foot *foot,
                       double direction[HAW_DIRECTIONS][3])
{
    memcpy(direction[0], foot->normal, sizeof direction[0]);
    memcpy(direction[1], foot->tangent, sizeof direction[1]);
    if (view->turns > 1) {
        vec3_cross(foot->normal, foot->tangent, direction[2]);
    } else {
        direction[2][0] = direction[2][1] = 0;
        direction[2][2] = -1;
    }
}

/* n x k for k = n, t1, t2. */
static void turn_frame(double direction[HAW_DIRECTIONS][3], int k, double m[3])
{
    if (k == 1) {
        memcpy(m, direction[2], 3 * sizeof *m);
    } else {
        vec3_cross(direction[0], direction[k], m);
    }
}

void haw_view_turn(const haw_view *view, const double rotation[9], const double moment[3],
                   double factor, double *row)
{
    double turned[3];
    mat3_apply_t(rotation, moment, turned);
    for (int i = 0; i < view->turns; i++) {
        row[i] = factor * turned[3 - view->turns + i];
    }
}

static void set_place(haw_touch *touch, int e, double s, const double x[3])
{
    touch->element = e;
    touch->s = s;
    memcpy(touch->x, x, sizeof touch->x);
}

/* The cable's rows: k . (j + w x rho), rho = -a n; of a body j = 1 - r x, r to its corner. */
static void set_rows(const haw_view *view, const haw_cable_point *point,
                     double direction[HAW_DIRECTIONS][3], haw_touch_side *side)
{
    for (int k = 0; k < view->moves; k++) {
        const double *d = direction[k];
        for (int a = 0; a < side->count; a++) {
            side->row[k][a] = d[0] * point->j[0][a] + d[1] * point->j[1][a];
        }
        for (int a = 0; a < side->count && view->moves > 2; a++) {
            side->row[k][a] += d[2] * point->j[2][a];
        }
        double m[3];
        turn_frame(direction, k, m);
        for (int a = 0; a < side->count && view->arm != 0; a++) {
            side->row[k][a] = side->row[k][a] + -view->arm * m[0] * point->w[0][a] +
                              -view->arm * m[1] * point->w[1][a] +
                              -view->arm * m[2] * point->w[2][a];
        }
    }
}

void haw_view_set_cable(const haw_view *view, int e, double s, const haw_cable_point *point,
                        const haw_foot *foot, haw_touch *touch)
{
    double direction[HAW_DIRECTIONS][3];
    foot_frame(view, foot, direction);
    const haw_dofs dofs = view->cable->ops->dofs(view->cable, e);
    int own = e;
    const haw_cable *owner = haw_cable_member(view->cable, &own);
    haw_side_set(&touch->side[0], (int)(owner - view->model->cable), -1, dofs.first, dofs.count);
    touch->side[0].list = dofs.list;
    set_rows(view, point, direction, &touch->side[0]);
    view->partner->set_side(view, point->x, foot, direction, touch);
    set_place(touch, e, s, point->x);
}

void haw_view_set_ball(const haw_view *view, double s, const haw_pose *place, const haw_foot *foot,
                       haw_touch *touch)
{
    haw_touch_side *side = &touch->side[0];
    double direction[HAW_DIRECTIONS][3], r[3] = {0, 0, 0};
    foot_frame(view, foot, direction);
    haw_side_set(side, -1, (int)(view->ball - view->model->body), view->ball->first,
                 view->moves + view->turns);
    for (int i = 0; i < view->moves; i++) {
        r[i] = place->x[i] - view->q[view->ball->first_q + i];
    }
    for (int k = 0; k < view->moves; k++) {
        double m[3], lever[3];
        turn_frame(direction, k, m);
        vec3_cross(r, direction[k], lever);
        vec3_add(-view->arm, m, lever);
        memcpy(side->row[k], direction[k], (size_t)view->moves * sizeof *side->row[k]);
        haw_view_turn(view, place->rotation, lever, 1, side->row[k] + view->moves);
    }
    view->partner->set_side(view, place->x, foot, direction, touch);
    set_place(touch, -1, s, place->x);
}

void haw_touch_set_frame(const haw_foot *foot, haw_touch *touch)
{
    touch->gap = foot->gap;
    memcpy(touch->normal, foot->normal, sizeof touch->normal);
    memcpy(touch->tangent, foot->tangent, sizeof touch->tangent);
    memcpy(touch->bend, foot->bend, sizeof touch->bend);
    touch->turning = 1;
    touch->on = foot->element;
    touch->at = foot->s;
    touch->rests = foot->rests;
}

haw_status haw_view_add(haw_contacts *contacts, const haw_view *view, int slot,
                        const haw_foot *foot, haw_touch **touch)
{
    HAW_TRY(haw_contacts_reserve_rows(contacts, contacts->count + 1));
    haw_touch *c = &contacts->item[contacts->count++];
    c->id = haw_view_first(view) + slot;
    c->pair = (int)(view->pair - view->model->pair);
    c->dip = 0;
    c->floats = false;
    haw_touch_set_frame(foot, c);
    *touch = c;
    return HAW_OK;
}

bool haw_view_carries(const haw_view *view, int e, int end)
{
    const haw_cable *cable = haw_cable_member(view->cable, &e);
    const int last = cable->line.elements, node = e + end;
    if (cable->line.closed && node == last) {
        return false;
    }
    const bool *held = cable->held + cable->ops->node_dof(cable, node) - cable->first;
    bool is_held = true;
    if (node % last == 0 && cable->guide[node / last].join != HAW_JOIN_NONE) {
        return false; /* that joint carries it */
    }
    for (int i = 0; i < view->moves; i++) {
        is_held = is_held && held[i];
    }
    return !is_held;
}
