/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts of the points of the grid and of spheres; the loop over all pairs. */
#include "contact/view.h"

#include <math.h>
#include <string.h>

/* Feet this many radii farther away than the margin still count for the order of slots. */
enum { FAR_FEET = 4 };

static void note_gaps(const haw_space_view *view, const haw_feet *feet)
{
    for (int i = 0; i < feet->count; i++) {
        *view->gap_min = fmin(*view->gap_min, feet->foot[i].gap);
    }
}

static bool any_within(const haw_feet *feet, double margin)
{
    for (int i = 0; i < feet->count; i++) {
        if (feet->foot[i].gap <= margin) {
            return true;
        }
    }
    return false;
}

static double feet_reach(const haw_space_view *view)
{
    return view->margin + FAR_FEET * view->radius;
}

/* Feet of a point of the grid; true if one is within the margin. */
static bool look(const haw_space_view *view, int e, double s, haw_pose *place, haw_feet *feet)
{
    haw_space_view_place(view, e, s, view->q, place);
    haw_space_view_feet(view, place->x, feet_reach(view), feet);
    note_gaps(view, feet);
    return any_within(feet, view->margin);
}

haw_status haw_space_touch(haw_contacts *contacts, const haw_space_view *view, int place, int e,
                           double s)
{
    haw_pose pose;
    haw_feet feet;
    haw_space_point point;
    if (!look(view, e, s, &pose, &feet)) {
        return HAW_OK;
    }
    haw_space_view_point(view, e, s, view->q, true, &point);
    for (int i = 0; i < feet.count; i++) {
        const haw_foot *foot = &feet.foot[i];
        haw_touch *contact;
        if (foot->gap > view->margin) {
            continue;
        }
        HAW_TRY(haw_space_add(contacts, view, view->pair->feet * place + i, foot, &contact));
        haw_space_view_set(view, e, s, &point, foot, contact);
    }
    return HAW_OK;
}

/* True if a point of the coarse grid of an element touches. */
static bool element_touches(const haw_space_view *view, int e)
{
    const int n = view->pair->points_per_element;
    haw_pose place;
    haw_feet feet;
    if (e < 0 || e >= view->cable->beam.elements || !haw_space_near(view, e)) {
        return false;
    }
    for (int j = 0; j <= n; j++) {
        const bool carries = (j > 0 && j < n) || haw_space_carries(view, e + j / n);
        if (carries && look(view, e, (double)j / n, &place, &feet)) {
            return true;
        }
    }
    return false;
}

/* Points of an element, every `step`-th of the fine grid; the last node with the last element. */
static haw_status touch_element(haw_contacts *contacts, const haw_space_view *view, int e, int step)
{
    const int fine = haw_pair_fineness(view->pair), last = view->cable->beam.elements - 1;
    for (int j = 0; j < fine; j += step) {
        const bool carries = j > 0 || haw_space_carries(view, e);
        HAW_TRY(carries ? haw_space_touch(contacts, view, e * fine + j, e, (double)j / fine)
                        : HAW_OK);
    }
    if (e == last && haw_space_carries(view, last + 1)) {
        return haw_space_touch(contacts, view, (last + 1) * fine, last, 1);
    }
    return HAW_OK;
}

static haw_status touch_points(haw_contacts *contacts, const haw_space_view *view)
{
    for (int e = 0; e < view->cable->beam.elements; e++) {
        HAW_TRY(haw_space_near(view, e) ? touch_element(contacts, view, e, 1) : HAW_OK);
    }
    return HAW_OK;
}

/*
 * Four times as many points in the elements on both sides of where contact ends, the ids of all
 * points being those of the fine grid: a point keeps its id when its element is refined.
 */
static haw_status touch_liftoff(haw_contacts *contacts, const haw_space_view *view)
{
    const int coarse = haw_pair_fineness(view->pair) / view->pair->points_per_element;
    const int elements = view->cable->beam.elements;
    bool before = element_touches(view, 0), now = before;
    for (int e = 0; e < elements; e++) {
        const bool after = e + 1 < elements ? element_touches(view, e + 1) : now;
        const bool refined = now != before || now != after;
        HAW_TRY(now || refined ? touch_element(contacts, view, e, refined ? 1 : coarse) : HAW_OK);
        before = now;
        now = after;
    }
    return HAW_OK;
}

static haw_status touch_sphere(haw_contacts *contacts, const haw_space_view *view)
{
    haw_pose place;
    haw_feet feet;
    haw_touch *contact;
    (void)look(view, -1, 0, &place, &feet);
    for (int i = 0; i < feet.count; i++) {
        if (feet.foot[i].gap > view->margin) {
            continue;
        }
        HAW_TRY(haw_space_add(contacts, view, i, &feet.foot[i], &contact));
        haw_space_view_sphere(view, &place, &feet.foot[i], contact);
    }
    return HAW_OK;
}

static haw_status touch_pair(haw_contacts *contacts, const haw_space_view *view)
{
    if (view->cable == NULL) {
        return touch_sphere(contacts, view);
    }
    switch (view->pair->proxies) {
    case HAW_PROXY_CAPSULES:
        return haw_space_capsules(contacts, view);
    case HAW_PROXY_MORTAR:
        return haw_space_mortar(contacts, view);
    case HAW_PROXY_POINTS:
        break;
    }
    return view->pair->refine == HAW_REFINE_LIFTOFF ? touch_liftoff(contacts, view)
                                                    : touch_points(contacts, view);
}

void haw_space_begin(haw_contacts *contacts)
{
    contacts->chosen = contacts->choice;
    for (int i = 0; i < contacts->model->points && contacts->chosen != NULL; i++) {
        contacts->chosen[i] = (double)NAN;
    }
}

haw_status haw_space_detect(haw_contacts *contacts, const double *q)
{
    contacts->count = 0;
    contacts->q = q;
    for (int i = 0; i < contacts->model->pairs; i++) {
        const haw_space_view view = haw_space_view_init(contacts, i, q);
        contacts->gap_min[i] = HUGE_VAL;
        HAW_TRY(touch_pair(contacts, &view));
    }
    return HAW_OK;
}
