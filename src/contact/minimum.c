/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Minima: the points of the grid, each of which stands for the pieces of cable on both sides of it.
 * Its gap is the least of theirs, the gap at the point less a dip, so that nothing comes between
 * the points. Where a foot goes along, with x' along the cable and the foot's n, t_k and curvatures
 * b_k (touch.h) the gap has
 *
 *     g' = n . x',   g'' = n . x'' + sum b_k (t_k . x')^2.
 *
 * Two smooth lines are nowhere nearer to one another than where g' = 0; ends of the cable and its
 * corners are points of the grid. A dip hardly depends on how near the lines are, so those of the
 * start of a step are good for a first solution: at its end they are measured anew, and it is
 * solved again, then with dips that only grow, until nothing is too near.
 *
 * Under compliant laws a point presses with the least gap of its pieces and the stiffness of its
 * share of length. Its force acts at the point and at its foot, along their line, so that forces
 * and moments of both sides balance; the dip is a constant of the step, so that the tangent is that
 * of a point.
 */
#include "base/lie.h"
#include "contact/partner.h"
#include "contact/press.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS = 60,
    PARTS = 4 /* of a piece, each with one minimum to a foot */
};

static const double ROUNDING = 1e-13; /* of g', over |x'| */
static const double TOO_NEAR = 5e-7;  /* nearer than touching, over both radii together */

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

/* Whether two feet are one, or both beside one minimum. */
static bool is_beside(const haw_view *view, double foot, double other)
{
    return haw_view_apart(view, foot, other) < 1;
}

/* Id behind the last point of a view. */
static int end_of(const haw_view *view)
{
    return view->pair->first_point + (view->is_back ? view->pair->points : view->pair->ahead);
}

/* The dip of the point of a touch beside its foot, or room for it: feet come, go and change their
 * order while a step is solved. */
static haw_dip *find_dip(const haw_contacts *contacts, const haw_view *view, const haw_touch *touch)
{
    const int feet = view->pair->feet, slot = (touch->id - view->pair->first_point) % feet;
    haw_dip *dip = contacts->dip + touch->id - slot, *room = &dip[slot];
    for (int k = 0; k < feet; k++) {
        if (dip[k].depth > 0 && is_beside(view, dip[k].on, touch->on + touch->at)) {
            return &dip[k];
        }
        room = room->depth > 0 ? &dip[k] : room;
    }
    return room;
}

static haw_status find_minima(haw_contacts *contacts, const haw_view *view)
{
    const int first = contacts->count;
    HAW_TRY(haw_points_touch(contacts, view, NULL));
    for (int i = first; i < contacts->count && contacts->dip != NULL; i++) {
        haw_touch *touch = &contacts->item[i];
        touch->dip = find_dip(contacts, view, touch)->depth;
        touch->gap -= touch->dip;
    }
    return HAW_OK;
}

/* ---- dips ---- */

/* The place in part k of an element where the gap to a foot of its middle is least, its end
 * counting as in it unless that is a point of the grid. False: there is none. */
static bool find_minimum(const haw_view *view, int e, int k, const haw_foot *foot, place *at)
{
    const double width = 1.0 / (PARTS * view->pair->points_per_element);
    const double from = k * width, to = (k + 1) * width;
    const double zero = (k + 1) % PARTS == 0 ? ROUNDING : -ROUNDING;
    *at = (place){.e = e};
    haw_touch_set_frame(foot, &at->touch);
    look(view, e, 0.5 * (from + to), at);
    if (at->is_lost) {
        return false;
    }
    place begin = *at, end = *at;
    look(view, e, from, &begin);
    look(view, e, to, &end);
    const bool falls = !begin.is_lost && begin.slope < -ROUNDING * begin.speed;
    const bool rises = !end.is_lost && end.slope > zero * end.speed;
    if (falls && rises) {
        find_zero(view, from, to, at);
    }
    return falls && rises && !at->is_lost;
}

/* Whether a touch is one of a point of the grid, with its foot beside that of a minimum. */
static bool is_of(const haw_view *view, const haw_touch *touch, int point, const place *least)
{
    const int first = haw_view_first(view) + view->pair->feet * point;
    return touch->id >= first && touch->id < first + view->pair->feet &&
           is_beside(view, touch->on + touch->at, least->foot.element + least->foot.s);
}

/* How much less the gap is at a minimum than at the nearer end of its piece, behind point j. It is
 * the dip of both ends: the nearer one keeps the minimum apart, and the other one is open until
 * the minimum is in the middle, so that forces do not jump from end to end. */
static void dip_piece(haw_contacts *contacts, const haw_view *view, int j, const place *least)
{
    const int fine = view->pair->points_per_element, e = least->e;
    const int next = j + 1 < fine ? e : haw_cable_beside(view->cable, e, 1);
    const int ends[2] = {haw_place_of(view->cable, fine, e, j),
                         next < 0 ? haw_place_of(view->cable, fine, e, fine)
                                  : haw_place_of(view->cable, fine, next, (j + 1) % fine)};
    double near = HUGE_VAL;
    for (int k = 0; k < 2 * contacts->count; k++) {
        const haw_touch *touch = &contacts->item[k / 2];
        const bool is_end = is_of(view, touch, ends[k % 2], least);
        near = is_end ? fmin(near, touch->gap + touch->dip) : near;
    }
    for (int k = 0; k < 2 * contacts->count; k++) {
        const haw_touch *touch = &contacts->item[k / 2];
        if (is_of(view, touch, ends[k % 2], least)) {
            haw_dip *dip = find_dip(contacts, view, touch);
            dip->depth = fmax(dip->depth, near - least->foot.gap);
            dip->on = touch->on + touch->at;
        }
    }
}

static void refine_piece(haw_contacts *contacts, const haw_view *view, int e, int j, double speed)
{
    const double width = 1.0 / (PARTS * view->pair->points_per_element);
    for (int k = PARTS * j; k < PARTS * (j + 1); k++) {
        const double middle = (k + 0.5) * width;
        haw_feet near;
        double x[3];
        haw_view_position(view, e, middle, view->q, x);
        haw_view_feet(view, x, e + middle, 0.5 * width * speed, &near);
        for (int i = 0; i < near.count; i++) {
            place least;
            if (find_minimum(view, e, k, &near.foot[i], &least)) {
                dip_piece(contacts, view, j, &least);
            }
        }
    }
}

/* Touches of the pair that are too near with the dips that were measured, or were kept too far
 * apart; nearer than they press, where laws let them overlap. */
static int count_off(const haw_contacts *contacts, const haw_view *view, bool both)
{
    const double near = TOO_NEAR * (view->radius + view->line->radius);
    const int first = haw_view_first(view), end = end_of(view);
    int count = 0;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        if (touch->id >= first && touch->id < end) {
            const double gap = touch->gap + touch->dip - find_dip(contacts, view, touch)->depth;
            const double pressed = fmin(touch->gap, 0);
            count += gap < pressed - near || (both && touch->gap < near && gap > pressed + near);
        }
    }
    return count;
}

static int refine(haw_contacts *contacts, const haw_view *view)
{
    enum { ANEW = 2 }; /* at the start of a step, and at its first end */

    const bool anew = contacts->refinements <= ANEW;
    if (anew) {
        memset(contacts->dip + haw_view_first(view), 0,
               (size_t)(end_of(view) - haw_view_first(view)) * sizeof *contacts->dip);
    }
    for (int e = 0; e < view->cable->line.elements; e++) {
        haw_bounds bounds;
        view->cable->ops->bounds(view->cable, e, view->q, &bounds);
        const bool is_near = view->partner->within(view, e, &bounds, 0);
        for (int j = 0; j < view->pair->points_per_element && is_near; j++) {
            refine_piece(contacts, view, e, j, bounds.slope);
        }
    }
    return count_off(contacts, view, anew);
}

const haw_narrow haw_narrow_minimum = {
    .name = "minima",
    .summary = "the points of the grid, which keep the pieces beside them apart, too",
    .find = find_minima,
    .refine = refine,
    .clasp = &haw_press_clasp,
};
