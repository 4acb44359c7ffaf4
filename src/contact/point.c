/* SPDX-License-Identifier: BSD-3-Clause */
/* Touches of the points of the grid, and of a body that acts as a point with a radius: a disk in
 * the plane, a sphere in space. */
#include "contact/partner.h"
#include "contact/press.h"

#include <math.h>
#include <string.h>

/* Feet of a point of the grid, which is at x. @return the least of their gaps */
static double find_feet(const haw_view *view, int e, double s, double x[3], haw_feet *feet)
{
    double least = HUGE_VAL;
    haw_view_position(view, e, s, view->q, x);
    haw_view_feet(view, x, haw_view_label(view->cable, e, s),
                  view->margin + HAW_FAR_FEET * view->radius, feet);
    ++*view->looked;
    for (int i = 0; i < feet->count; i++) {
        least = feet->foot[i].gap < least ? feet->foot[i].gap : least;
    }
    *view->gap_min = least < *view->gap_min ? least : *view->gap_min;
    return least;
}

/* Also feet that stay where forces of the pass before act. */
static void hold_feet(const haw_contacts *contacts, const haw_view *view, int place,
                      const double x[3], haw_feet *feet)
{
    if (view->partner->hold != NULL && contacts->held != NULL) {
        const int first = haw_view_first(view) + view->pair->feet * place;
        view->partner->hold(view, x, contacts->held + first, feet);
    }
}

static haw_status touch_feet(haw_contacts *contacts, const haw_view *view, int place, int e,
                             double s, const haw_feet *feet)
{
    haw_cable_point point;
    haw_pose ball;
    if (view->cable != NULL) {
        haw_view_point(view, e, s, view->q, true, &point);
    } else {
        haw_view_place(view, e, s, view->q, &ball);
    }
    for (int i = 0; i < feet->count; i++) {
        const haw_foot *foot = &feet->foot[i];
        haw_touch *touch;
        if (foot->gap > view->margin) {
            continue;
        }
        HAW_TRY(
            haw_view_add(contacts, view, view->pair->feet * place + feet->slot[i], foot, &touch));
        if (view->cable != NULL) {
            haw_view_set_cable(view, e, s, &point, foot, touch);
        } else {
            haw_view_set_ball(view, s, &ball, foot, touch);
        }
    }
    return HAW_OK;
}

haw_status haw_view_touch(haw_contacts *contacts, const haw_view *view, int place, int e, double s)
{
    haw_feet feet;
    double x[3];
    if (find_feet(view, e, s, x, &feet) > view->margin || !view->lists) {
        return HAW_OK;
    }
    hold_feet(contacts, view, place, x, &feet);
    return touch_feet(contacts, view, place, e, s, &feet);
}

haw_status haw_view_touch_foot(haw_contacts *contacts, const haw_view *view, int place, double s,
                               const haw_foot *foot)
{
    haw_pose ball;
    haw_touch *touch;
    *view->gap_min = fmin(foot->gap, *view->gap_min);
    if (foot->gap > view->margin || !view->lists) {
        return HAW_OK;
    }
    HAW_TRY(haw_view_add(contacts, view, view->pair->feet * place, foot, &touch));
    haw_view_place(view, -1, s, view->q, &ball);
    haw_view_set_ball(view, s, &ball, foot, touch);
    return HAW_OK;
}

/* The same of a point that is the same material in every detection. */
static haw_status touch_grid(haw_contacts *contacts, const haw_view *view, int place, int e,
                             double s)
{
    haw_feet feet;
    double x[3];
    if (haw_view_skips(view, place)) {
        return HAW_OK;
    }
    const double gap = find_feet(view, e, s, x, &feet);
    haw_view_looked(view, place, x, gap);
    if (gap > view->margin || !view->lists) {
        return HAW_OK;
    }
    hold_feet(contacts, view, place, x, &feet);
    return touch_feet(contacts, view, place, e, s, &feet);
}

/* Whether a point of the coarse grid of an element touches. */
static haw_status element_touches(const haw_view *view, int e, bool *touches)
{
    const int n = view->pair->points_per_element / view->pair->coarse;
    double x[3];
    haw_feet feet;
    *touches = false;
    if (e < 0 || e >= view->cable->line.elements) {
        return HAW_OK;
    }
    bool near;
    HAW_TRY(haw_view_near(view, e, &near));
    for (int j = 0; j <= n && near && !*touches; j++) {
        const bool carries = (j > 0 && j < n) || haw_view_carries(view, e, j / n);
        *touches = carries && find_feet(view, e, (double)j / n, x, &feet) <= view->margin;
    }
    return HAW_OK;
}

/* Points of an element that may touch, every `step`-th of them, and what lies behind each; the last
 * node with the last element. */
static haw_status touch_element(haw_contacts *contacts, const haw_view *view, int e, int step,
                                haw_piece_touch *piece)
{
    const int fine = view->pair->points_per_element;
    const bool is_last = haw_cable_beside(view->cable, e, 1) < 0;
    int from, to;
    haw_view_span(view, e, &from, &to);
    for (int j = from; j < fine && j <= to; j += step) {
        const bool carries = j > 0 || haw_view_carries(view, e, 0);
        const int place = haw_place_of(view->cable, fine, e, j);
        HAW_TRY(carries ? touch_grid(contacts, view, place, e, (double)j / fine) : HAW_OK);
        HAW_TRY(piece != NULL ? piece(contacts, view, e, j) : HAW_OK);
    }
    if (is_last && to == fine && haw_view_carries(view, e, 1)) {
        return touch_grid(contacts, view, haw_place_of(view->cable, fine, e, fine), e, 1);
    }
    return HAW_OK;
}

haw_status haw_ends_touch(haw_contacts *contacts, const haw_view *view)
{
    const haw_cable *cable = view->cable;
    for (int k = 0; k < 2 * haw_cable_parts(cable) && !cable->line.closed; k++) {
        const int end = k % 2, e = haw_cable_part_first(cable, k / 2 + end) - end;
        HAW_TRY(haw_view_carries(view, e, end) ? haw_view_touch(contacts, view, k, e, end)
                                               : HAW_OK);
    }
    return HAW_OK;
}

haw_status haw_points_touch(haw_contacts *contacts, const haw_view *view, haw_piece_touch *piece)
{
    int e = -1;
    HAW_TRY(haw_view_next(view, &e));
    while (e < view->cable->line.elements) {
        HAW_TRY(touch_element(contacts, view, e, 1, piece));
        HAW_TRY(haw_view_next(view, &e));
    }
    return HAW_OK;
}

/*
 * The fine grid in the elements on both sides of where contact ends, the ids of all points being
 * those of the fine grid: a point keeps its id when its element is refined.
 */
static haw_status touch_liftoff(haw_contacts *contacts, const haw_view *view)
{
    const int elements = view->cable->line.elements;
    bool before, now, after;
    HAW_TRY(element_touches(view, 0, &now));
    before = now;
    for (int e = 0; e < elements; e++) {
        after = now;
        HAW_TRY(e + 1 < elements ? element_touches(view, e + 1, &after) : HAW_OK);
        const bool refined = now != before || now != after;
        const int step = refined ? 1 : view->pair->coarse;
        HAW_TRY(now || refined ? touch_element(contacts, view, e, step, NULL) : HAW_OK);
        before = now;
        now = after;
    }
    return HAW_OK;
}

/*
 * Keep only the local minima of the gap in a run of consecutive closed points: the moving contact
 * point of a dense grid. For impacts with spacing <= R / 30; wrong on coarse grids and in wraps.
 */
static void keep_minima(haw_contacts *contacts, int first)
{
    int kept = first;
    double before = HUGE_VAL;
    for (int i = first; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const bool left = i == first || contacts->item[i].id != contacts->item[i - 1].id + 1;
        const bool right = i + 1 == contacts->count || contacts->item[i + 1].id != c->id + 1;
        const double lower = left ? HUGE_VAL : before;
        const double upper = right ? HUGE_VAL : contacts->item[i + 1].gap;
        before = c->gap;
        if (c->gap <= lower && c->gap < upper) {
            contacts->item[kept++] = *c;
        }
    }
    contacts->count = kept;
}

haw_status haw_points_find(haw_contacts *contacts, const haw_view *view)
{
    const int first = contacts->count;
    if (view->pair->refine == HAW_REFINE_LIFTOFF) {
        return touch_liftoff(contacts, view);
    }
    HAW_TRY(haw_points_touch(contacts, view, NULL));
    if (view->pair->refine == HAW_REFINE_MINIMA) {
        keep_minima(contacts, first);
    }
    return HAW_OK;
}

const haw_narrow haw_narrow_point = {
    .name = "points",
    .summary = "the points of the grid, each with all of its feet",
    .find = haw_points_find,
    .press = &haw_press_line,
    .clasp = &haw_press_clasp,
};

static haw_status find_ball(haw_contacts *contacts, const haw_view *view)
{
    HAW_TRY(haw_view_touch(contacts, view, 0, -1, 0));
    return haw_view_guard_ball(view, 0, *view->gap_min);
}

const haw_narrow haw_narrow_ball = {
    .name = "ball",
    .summary = "a disk or sphere, as a point with a radius",
    .find = find_ball,
    .press = &haw_press_ball,
    .clasp = &haw_press_clasp,
};
