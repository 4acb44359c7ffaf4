/* SPDX-License-Identifier: BSD-3-Clause */
/* Broad phase: which elements may touch, by boxes and balls around them, and guards of speeds and
 * depths: what moves too fast for the step could pass a surface unseen. */
#include "base/lie.h"
#include "contact/chord.h"
#include "contact/partner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

haw_box haw_points_box(int count, double p[][2])
{
    haw_box box = {{p[0][0], p[0][1]}, {p[0][0], p[0][1]}};
    for (int a = 1; a < count; a++) {
        for (int i = 0; i < 2; i++) {
            box.min[i] = p[a][i] < box.min[i] ? p[a][i] : box.min[i];
            box.max[i] = p[a][i] > box.max[i] ? p[a][i] : box.max[i];
        }
    }
    return box;
}

/* x(s) by de Casteljau's scheme, which never leaves the hull. */
static double cubic_value(const double p[4][2], int i, double s)
{
    const double t = 1 - s;
    const double a = t * p[0][i] + s * p[1][i], b = t * p[1][i] + s * p[2][i];
    const double c = t * p[2][i] + s * p[3][i];
    return t * (t * a + s * b) + s * (t * b + s * c);
}

/*
 * Roots of x'(s) / 3 = d0 (1 - s)^2 + 2 d1 s (1 - s) + d2 s^2 = d0 + 2 b s + a s^2, with b = d1 -
 * d0 and a = d0 - 2 d1 + d2, by the form without cancellation.
 */
static int slope_roots(const double p[4][2], int i, double root[2])
{
    const double d0 = p[1][i] - p[0][i], d1 = p[2][i] - p[1][i], d2 = p[3][i] - p[2][i];
    const double a = d0 - 2 * d1 + d2, b = d1 - d0, square = b * b - a * d0;
    if (!(square >= 0)) {
        return 0;
    }
    const double pivot = -(b + copysign(sqrt(square), b));
    int count = 0;
    if (pivot != 0) {
        root[count++] = d0 / pivot;
    }
    if (a != 0) {
        root[count++] = pivot / a;
    }
    return count;
}

haw_box haw_cubic_box(const double p[4][2])
{
    haw_box box;
    for (int i = 0; i < 2; i++) {
        box.min[i] = p[0][i] < p[3][i] ? p[0][i] : p[3][i];
        box.max[i] = p[0][i] < p[3][i] ? p[3][i] : p[0][i];
        double root[2];
        const int count = slope_roots(p, i, root);
        for (int k = 0; k < count; k++) {
            if (root[k] > 0 && root[k] < 1) {
                const double x = cubic_value(p, i, root[k]);
                box.min[i] = x < box.min[i] ? x : box.min[i];
                box.max[i] = x > box.max[i] ? x : box.max[i];
            }
        }
    }
    return box;
}

/* Room for the rounding of boxes and of grid points, which are sums of four terms. */
static haw_box widen(haw_box box)
{
    double size = 0;
    for (int i = 0; i < 2; i++) {
        size += fabs(box.min[i]) > fabs(box.max[i]) ? fabs(box.min[i]) : fabs(box.max[i]);
    }
    for (int i = 0; i < 2; i++) {
        box.min[i] -= 32 * DBL_EPSILON * size;
        box.max[i] += 32 * DBL_EPSILON * size;
    }
    return box;
}

static bool box_near(const haw_patch_view *view, double reach, haw_box box)
{
    const haw_body *body = view->pair->body;
    box = widen(box);
    return body->surface.ops->near_box(&body->surface, view->pose, reach, &box);
}

/*
 * Around a circle most elements need no box: their ends are within its reach, or further from it
 * than their control polygon is long. Where coordinates change by x, control points move by up to
 * 3 max(1, le) x =: m along both axes (haw_cable_reach), the distance of an end from the centre by
 * less than 3 m, and the polygon's length by 12 m: the way is a 64th of the gap between them.
 * @return whether one of both holds; near: the first
 */
static bool is_plain(const haw_patch_view *view, double reach, int last, double p[][2], bool *near,
                     double *way)
{
    const double radius = view->pair->radius + reach;
    double square[2], length = 0;
    for (int end = 0; end < 2; end++) {
        const double dx = p[end * last][0] - view->pose[0], dy = p[end * last][1] - view->pose[1];
        square[end] = dx * dx + dy * dy;
    }
    *near = square[0] <= radius * radius || square[1] <= radius * radius;
    for (int a = 0; a < last && !*near; a++) {
        length += fabs(p[a + 1][0] - p[a][0]) + fabs(p[a + 1][1] - p[a][1]);
    }
    const double far = (radius + length) * (1 + 16 * DBL_EPSILON);
    if (!*near && square[0] > far * far) {
        const double gap = sqrt(fmin(square[0], square[1])) - far;
        *way = gap > 1e-6 * far ? gap / (64 * fmax(1, view->pair->cable->line.le)) : 0;
        return true;
    }
    return *near;
}

bool haw_line_near(const haw_patch_view *view, int e, double pad, double *way)
{
    const haw_line *line = &view->pair->cable->line;
    const double reach = pad + fabs(view->pair->offset);
    const int last = line->ops->hull - 1;
    double p[HAW_HULL_MAX][2];
    bool near = false;
    *way = 0;
    line->ops->controls(line, e, view->q + view->pair->cable->first, p);
    if (view->pair->body->surface.ops->is_circle && is_plain(view, reach, last, p, &near, way)) {
        return near;
    }
    near = box_near(view, reach, haw_points_box(last + 1, p));
    if (!near || last + 1 < HAW_HULL_MAX) { /* the box of a segment is exact */
        return near;
    }
    return box_near(view, reach, haw_cubic_box((const double(*)[2])p));
}

/* ---- elements of a pair ---- */

/* ---- guards ---- */

void haw_view_sweep(haw_view *view, const double *u, double h)
{
    const haw_body *body = view->body;
    const bool is_line = view->cable == NULL || view->cable->line.ops != NULL;
    view->u = u;
    view->h = 0;
    view->pad = view->margin;
    if (!is_line || !haw_pair_is_flat(view->model, view->pair) || h == 0) {
        return;
    }
    view->h = h;
    view->least = fmin(haw_pair_radius(view->model, view->pair),
                       view->cable == NULL ? haw_pair_girth(view->model, view->pair) : HUGE_VAL);
    if (isinf(view->least)) {
        return;
    }
    double speed = hypot(u[body->first], u[body->first + 1]);
    if (view->cable != NULL) {
        speed += haw_cable_speed(view->cable, u);
    } else {
        double x[3], v[2];
        haw_view_position(view, -1, 0, view->q, x); /* all corners are as far from the centre */
        haw_body_velocity(view->ball, view->q, u, (const double[2]){x[0], x[1]}, v);
        speed += hypot(u[view->ball->first], u[view->ball->first + 1]) +
                 hypot(v[0] - u[view->ball->first], v[1] - u[view->ball->first + 1]);
    }
    if (!(4 * h * speed * (1 + 1e-12) < view->least)) { /* else no speed is too large */
        view->pad = fmax(view->least, h * speed);
    }
}

/* The depth at detection is up to h |v|; the normal turns over when a point passes the centre.
 * @param w  velocity of the body there */
static haw_status guard_speed(const haw_view *view, const double v[2], const double w[2])
{
    const double x = v[0] - w[0], y = v[1] - w[1], h = view->h, most = 0.25 * view->least / h;
    if (x * x + y * y > most * most) {
        const double speed = hypot(x, y);
        return haw_fail(view->model->context, HAW_ERR_GUARD,
                        "speed %g m/s relative to '%s' means %g m in one step, more than a quarter "
                        "of its radius %g m: use a step of at most %g s",
                        speed, view->body->name, speed * h, view->least,
                        0.25 * view->least / speed);
    }
    return HAW_OK;
}

haw_status haw_view_guard_ball(const haw_view *view, double s, double gap)
{
    double x[3], v[2], w[2];
    if (!(view->h > 0 && gap < view->pad)) {
        return HAW_OK;
    }
    haw_view_position(view, -1, s, view->q, x);
    haw_body_velocity(view->ball, view->q, view->u, x, v);
    memcpy(w, view->u + view->body->first, sizeof w);
    if (!view->body->surface.ops->is_circle) {
        haw_body_velocity(view->body, view->q, view->u, x, w);
    }
    return guard_speed(view, v, w);
}

haw_status haw_view_guard_depth(const haw_view *view)
{
    const double depth = -*view->gap_min;
    if (view->h > 0 && depth > 0.25 * view->least) {
        return haw_fail(view->model->context, HAW_ERR_GUARD,
                        "a contact point is %g m inside '%s', more than a quarter of its radius "
                        "%g m: use a finer grid or a smaller step",
                        depth, view->body->name, view->least);
    }
    return HAW_OK;
}

/* ---- clearances ---- */

static const double CLEAR = 1e-9; /* of a distance, for the rounding of feet */

enum { HAW_LOOK_AHEAD = 64 }; /* steps that an element is looked for farther away than needed */

static double distance(int count, const double *a, const double *b)
{
    double square = 0;
    for (int i = 0; i < count; i++) {
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    return sqrt(square);
}

static void forget_places(const haw_model *model, const haw_pair *pair, const haw_clearance *clear)
{
    const size_t elements = (size_t)model->cable[pair->cable].line.elements;
    const size_t places = (size_t)haw_pair_places(model, pair);
    memset(clear->until, 0, elements * sizeof *clear->until);
    memset(clear->point, 0, places * sizeof *clear->point);
}

void haw_contacts_forget(haw_contacts *contacts)
{
    const haw_model *model = contacts->model;
    contacts->is_blind = true;
    for (int i = 0; i < model->pairs; i++) {
        haw_clearance *clear = &contacts->clear[i];
        clear->moved = clear->turned = 0;
        if (clear->until != NULL) {
            forget_places(model, &model->pair[i], clear);
        }
    }
}

/* Twice the bound of haw_cable_reach, for slopes that are much longer than 1. */
void haw_contacts_track(haw_contacts *contacts, const double *q)
{
    const haw_model *model = contacts->model;
    if (contacts->is_blind) {
        memcpy(contacts->seen, q, (size_t)model->coordinates * sizeof *q);
        contacts->is_blind = false;
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        haw_clearance *clear = &contacts->clear[i];
        if (clear->until == NULL) {
            continue;
        }
        const haw_cable *cable = &model->cable[pair->cable];
        clear->way = 2 * cable->ops->reach(cable, contacts->seen, q) +
                     haw_partner_of(pair)->way(model, pair, contacts->seen, q, &clear->turn);
        if (isfinite(clear->way + clear->turn)) {
            clear->moved += clear->way;
            clear->turned += clear->turn;
        } else {
            forget_places(model, pair, clear);
            clear->way = clear->turn = 0;
        }
    }
    memcpy(contacts->seen, q, (size_t)model->coordinates * sizeof *q);
}

double haw_contacts_most_change(const haw_contacts *contacts, int pair, const double *before,
                                const double *q)
{
    const haw_model *model = contacts->model;
    const haw_pair *p = &model->pair[pair];
    double turn = 0;
    if (contacts->clear[pair].until == NULL || p->offset != 0) {
        return HUGE_VAL;
    }
    const haw_cable *cable = &model->cable[p->cable];
    const double way = 2 * cable->ops->reach(cable, before, q) +
                       haw_partner_of(p)->way(model, p, before, q, &turn);
    return turn == 0 ? way : HUGE_VAL;
}

/* What was farther away than now needed by more than the ways since. */
static bool stays_clear(const haw_view *view, int e)
{
    const haw_clearance *clear = view->clear;
    return clear != NULL &&
           clear->moved + clear->turned * clear->radius[e] + view->pad < clear->until[e];
}

bool haw_view_skips(const haw_view *view, int place)
{
    const haw_clearance *clear = view->clear;
    const haw_point_clearance *point = clear != NULL ? &clear->point[place] : NULL;
    return point != NULL &&
           clear->moved + clear->turned * point->radius + fmax(view->margin, *view->gap_min) <
               point->until;
}

void haw_view_looked(const haw_view *view, int place, const double x[3], double gap)
{
    haw_clearance *clear = view->clear;
    const double sight = view->partner->sight != NULL ? view->partner->sight(view) : HUGE_VAL;
    const double known = fmin(gap, fmin(sight, view->margin + HAW_FAR_FEET * view->radius));
    if (clear == NULL || view->pair->offset != 0 || !(known > view->margin)) {
        return; /* a line beside the cable goes farther than the cable where that turns */
    }
    haw_point_clearance *point = &clear->point[place];
    point->radius = distance(view->moves, x, view->pose.x) + known;
    point->until = clear->moved + clear->turned * point->radius + known * (1 - CLEAR);
}

/* Radius about the centre of the body, if it is one, that contains what these bounds do. */
static double outer_radius(const haw_view *view, const haw_bounds *bounds)
{
    const double *x = view->pose.x;
    if (haw_pair_is_flat(view->model, view->pair)) {
        return hypot(fmax(x[0] - bounds->min[0], bounds->max[0] - x[0]),
                     fmax(x[1] - bounds->min[1], bounds->max[1] - x[1]));
    }
    return distance(3, x, bounds->centre) + bounds->radius;
}

/* Far ahead, or else an eighth of that. */
static void look_ahead(const haw_view *view, int e, const haw_bounds *bounds)
{
    haw_clearance *clear = view->clear;
    const double radius = outer_radius(view, bounds);
    const double far = HAW_LOOK_AHEAD * (clear->way + clear->turn * radius);
    for (int part = 1; part <= 8 && far > 0; part *= 8) {
        const double ahead = far / part;
        if (!view->partner->within(view, e, bounds, view->pad + ahead)) {
            clear->radius[e] = radius + view->pad + ahead;
            clear->until[e] = clear->moved + clear->turned * clear->radius[e] + view->pad + ahead;
            return;
        }
    }
}

haw_status haw_view_near(const haw_view *view, int e, bool *near)
{
    *near = false;
    if (stays_clear(view, e)) {
        return HAW_OK;
    }
    haw_bounds bounds;
    view->cable->ops->bounds(view->cable, e, view->q, &bounds);
    /* two radii around the surface: near enough to guard the speed, near enough to touch */
    *near = view->partner->within(view, e, &bounds, view->pad);
    int own = e; /* of the cable that has the element */
    const haw_cable *cable = haw_cable_member(view->cable, &own);
    for (int end = 0; end < 2 && *near && view->h > 0; end++) {
        HAW_TRY(guard_speed(view, view->u + cable->ops->node_dof(cable, own + end),
                            view->u + view->body->first));
    }
    if (!*near && view->clear != NULL) {
        look_ahead(view, e, &bounds);
    }
    if (*near && view->margin != view->pad) {
        *near = view->partner->within(view, e, &bounds, view->margin);
    }
    return HAW_OK;
}

/* False only if no place of an element between two points of its grid is within the margin: all of
 * them are within half of their distance along the curve from their middle, and the contact line is
 * beside it by the offset. */
static bool part_near(const haw_view *view, int e, double slope, int a, int b)
{
    const double n = view->pair->points_per_element;
    const double way = 0.5 * abs(b - a) / n * slope * (1 + 1e-6);
    haw_cable_point middle;
    haw_bounds place = {.radius = 0};
    view->cable->ops->point(view->cable, e, 0.5 * (a + b) / n, view->q, NULL, 0, &middle);
    memcpy(place.centre, middle.x, sizeof middle.x);
    memcpy(place.min, middle.x, sizeof place.min);
    memcpy(place.max, middle.x, sizeof place.max);
    ++*view->looked;
    return view->partner->within(view, e, &place, view->margin + way);
}

/* Parts of so few pieces of the grid are not halved: a test costs as much as a point. */
enum { PIECES = 4 };

/* From grid point a towards b, which may be before it, past what cannot touch: by parts that double
 * as long as they are clear and are halved where they are not. @return b: all */
static int skip_clear(const haw_view *view, int e, double slope, int a, int b)
{
    const int direction = b < a ? -1 : 1;
    int at = a, size = PIECES;
    while (at != b) {
        const int left = abs(b - at), part = size < left ? size : left;
        if (!part_near(view, e, slope, at, at + direction * part)) {
            at += direction * part;
            size *= 2;
        } else if (part <= PIECES) {
            return at;
        } else {
            size = part / 2;
        }
    }
    return b;
}

void haw_view_span(const haw_view *view, int e, int *from, int *to)
{
    const int n = view->pair->points_per_element;
    *from = 0;
    *to = n;
    if (view->pair->refine == HAW_REFINE_CONTACT && n > 2 * PIECES) {
        haw_bounds bounds;
        view->cable->ops->bounds(view->cable, e, view->q, &bounds);
        *from = skip_clear(view, e, bounds.slope, 0, n);
        *to = *from < n ? skip_clear(view, e, bounds.slope, n, *from) : -1;
    }
}

/* From element e on, to the first that may be near. @return false: there is none */
static bool skip_clear_elements(const haw_view *view, int *e)
{
    const int elements = view->cable->line.elements;
    int at = *e;
    while (at < elements && stays_clear(view, at)) {
        at++;
    }
    *e = at;
    return at < elements;
}

haw_status haw_view_next(const haw_view *view, int *e)
{
    bool near = false;
    for (++*e; skip_clear_elements(view, e); ++*e) {
        HAW_TRY(haw_view_near(view, *e, &near));
        if (near) {
            break;
        }
    }
    return HAW_OK;
}
