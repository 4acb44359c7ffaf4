/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Minima: the grid points, and of every piece between two of them the place whose gap is smaller
 * than beside it. Two smooth lines are nowhere nearer to one another than there, so that nothing
 * comes between the points. With x' along the cable and the foot's n, t_k and curvatures b_k
 * (touch.h) the gap has
 *
 *     g' = n . x',   g'' = n . x'' + sum b_k (t_k . x')^2,
 *
 * where the foot goes along. A place with g' = 0 moves with both curves: it floats, and its tangent
 * says so (line.c). Ends of the cable and its corners are points of the grid.
 */
#include "base/lie.h"
#include "contact/partner.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 60 };

static const double ROUNDING = 1e-13; /* of g', over |x'| */

/* A place near a foot that is followed. */
typedef struct place {
    int e;
    double s;
    haw_touch touch; /* where the foot is */
    haw_foot foot;
    double slope, bend; /* g', g'' */
    double speed;       /* |x'| */
    bool is_lost;
} place;

static void look(const haw_view *view, int e, double s, place *p)
{
    double x[3], d[3][3], second[3];
    p->e = e;
    p->s = s;
    haw_view_position(view, e, s, view->q, x);
    ++*view->looked;
    p->is_lost = !view->partner->follow(view, x, &p->touch, &p->foot);
    if (p->is_lost) {
        return;
    }
    const double *n = p->foot.normal, *t = p->foot.tangent;
    haw_touch_set_frame(&p->foot, &p->touch);
    view->cable->ops->curve(view->cable, e, s, view->q, d);
    vec3_cross(n, t, second);
    const double along = vec3_dot(t, d[0]), across = vec3_dot(second, d[0]);
    p->speed = vec3_norm(d[0]);
    p->slope = vec3_dot(n, d[0]);
    p->bend =
        vec3_dot(n, d[1]) + p->foot.bend[0] * along * along + p->foot.bend[1] * across * across;
    *view->gap_min = fmin(*view->gap_min, p->foot.gap);
}

/* The zero of g' between two places, which rises there: Newton's method, halving where it leaves
 * them. */
static void find_zero(const haw_view *view, double low, double high, place *p)
{
    double last = high - low;
    for (int k = 0; k < ITERATIONS && !p->is_lost && fabs(p->slope) > ROUNDING * p->speed; k++) {
        *(p->slope < 0 ? &low : &high) = p->s;
        const double step = p->bend > 0 ? -p->slope / p->bend : HUGE_VAL, next = p->s + step;
        const bool is_newton = next > low && next < high && fabs(step) < 0.75 * last;
        const double to = is_newton ? next : 0.5 * (low + high);
        last = fabs(to - p->s);
        look(view, p->e, to, p);
        if (last <= ROUNDING) {
            break;
        }
    }
}

static haw_status add(haw_contacts *contacts, const haw_view *view, int slot, const place *p)
{
    haw_cable_point point;
    haw_touch *touch;
    if (p->is_lost || p->foot.gap > view->margin || !view->lists) {
        return HAW_OK;
    }
    HAW_TRY(haw_view_add(contacts, view, slot, &p->foot, &touch));
    haw_view_point(view, p->e, p->s, view->q, true, &point);
    haw_view_set_cable(view, p->e, p->s, &point, &p->foot, touch);
    touch->floats = true;
    return HAW_OK;
}

/* The minimum inside of a piece, beside a foot of its middle, which is at s. */
static haw_status touch_foot(haw_contacts *contacts, const haw_view *view, int slot,
                             const haw_foot *foot, place *at)
{
    const double half = 0.5 / view->pair->points_per_element;
    haw_touch_set_frame(foot, &at->touch);
    look(view, at->e, at->s, at);
    if (at->is_lost) {
        return HAW_OK;
    }
    place begin = *at, end = *at;
    look(view, at->e, at->s - half, &begin);
    look(view, at->e, at->s + half, &end);
    const bool falls = !begin.is_lost && begin.slope < -ROUNDING * begin.speed;
    const bool rises = !end.is_lost && end.slope > ROUNDING * end.speed;
    if (!falls || !rises) {
        return HAW_OK;
    }
    find_zero(view, begin.s, end.s, at);
    return add(contacts, view, slot, at);
}

/* Behind point j of an element. */
static haw_status touch_piece(haw_contacts *contacts, const haw_view *view, int e, int j)
{
    const int fine = view->pair->points_per_element;
    const int points = fine * view->cable->line.elements + 1;
    const int first = view->pair->feet * (points + e * fine + j);
    const place middle = {.e = e, .s = (j + 0.5) / fine};
    haw_bounds bounds;
    haw_feet near;
    double x[3];
    view->cable->ops->bounds(view->cable, e, view->q, &bounds);
    haw_view_position(view, e, middle.s, view->q, x);
    haw_view_feet(view, x, e + middle.s, view->margin + 0.5 / fine * bounds.slope, &near);
    for (int i = 0; i < near.count; i++) {
        place at = middle;
        HAW_TRY(touch_foot(contacts, view, first + near.slot[i], &near.foot[i], &at));
    }
    return HAW_OK;
}

/* How many elements two places of a line are apart, the shorter way round where it is closed. */
static double find_way(const haw_cable *cable, int e, double s, int to, double at)
{
    const double way = fabs(e + s - to - at);
    return cable->line.closed ? fmin(way, cable->line.elements - way) : way;
}

/* Whether two touches of a cable have their places within one piece of it. */
static bool is_beside(const haw_view *view, const haw_touch *point, const haw_touch *minimum)
{
    const double width = 1.0 / view->pair->points_per_element;
    return find_way(view->cable, point->element, point->s, minimum->element, minimum->s) < width &&
           find_way(view->line, point->on, point->at, minimum->on, minimum->at) < 1 &&
           point->gap > minimum->gap;
}

/* The ends of a piece with a minimum are no contacts of their own: two for one force. */
static void drop_ends(haw_contacts *contacts, const haw_view *view, int first)
{
    const int count = contacts->count - first;
    int kept = first;
    for (int i = 0; i < count; i++) {
        haw_touch *own = &contacts->item[first + i];
        for (int k = i + count - 2; k < i + count + 3; k++) { /* round: a closed cable goes on */
            const haw_touch *minimum = &contacts->item[first + k % count];
            const bool drops = minimum->floats && !own->floats && is_beside(view, own, minimum);
            own->id = drops ? -1 : own->id;
        }
    }
    for (int i = first; i < contacts->count; i++) {
        if (contacts->item[i].id >= 0) {
            contacts->item[kept++] = contacts->item[i];
        }
    }
    contacts->count = kept;
}

/* Points first: they see what comes from afar. */
static haw_status find_minima(haw_contacts *contacts, const haw_view *view)
{
    const int first = contacts->count;
    HAW_TRY(haw_points_touch(contacts, view, contacts->refined ? touch_piece : NULL));
    if (contacts->refined) {
        drop_ends(contacts, view, first);
    }
    return HAW_OK;
}

/* Of a minimum those of the pieces beside its own and of the ends of its own, of a point half of
 * the pieces on both sides. */
static int find_kin(const haw_model *model, const haw_pair *pair, int id, int kin[HAW_KIN_MAX],
                    double *share)
{
    const int elements = model->cable[pair->cable].line.elements;
    const int points = pair->points_per_element * elements + 1, feet = pair->feet;
    const int slot = id - pair->first_point, at = slot / feet, foot = slot % feet;
    const bool floats = at >= points;
    const int other[HAW_KIN_MAX] = {floats ? at - 1 : at + points - 1,
                                    floats ? at + 1 : at + points, at - points, at - points + 1};
    int count = 0;
    *share = floats ? 1 : 0.5;
    if (slot >= pair->ahead) { /* an end of the other cable */
        return 0;
    }
    for (int k = 0; k < (floats ? 4 : 2); k++) {
        if (k < 2 ? other[k] >= points && other[k] < 2 * points - 1 : true) {
            kin[count++] = pair->first_point + feet * other[k] + foot;
        }
    }
    return count;
}

const haw_narrow haw_narrow_minimum = {
    .name = "minima",
    .summary = "the points of the grid, and wherever between them the gap is smaller than beside "
               "that place",
    .find = find_minima,
    .kin = find_kin,
};
