/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Touches of a body with several corners (shape/surface.h), each with its radius around it. Of two
 * convex bodies in the plane what is nearest of one of them is a corner: those of both are asked,
 * and those that look back leave out what is nearest to a corner of the other, which finds that
 * itself. In space two axes may also cross: there the place of the first that is nearest counts.
 */
#include "base/lie.h"
#include "contact/press.h"

#include <math.h>

enum { HALVINGS = 60 };

/* The foot of a place, and whether it is on a round end or edge. */
static bool find_foot(const haw_view *view, double s, haw_foot *foot, bool *is_round)
{
    haw_feet feet;
    double x[3];
    haw_view_position(view, -1, s, view->q, x);
    haw_view_feet(view, x, 0, HUGE_VAL, &feet);
    *foot = feet.foot[0];
    *is_round = feet.count > 0 && foot->bend[view->moves - 2] != 0;
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
static haw_status touch_axis(haw_contacts *contacts, const haw_view *view, int place)
{
    double end[2][3], along[3], low = 0, high = 1;
    for (int i = 0; i < 2; i++) {
        haw_view_position(view, -1, i, view->q, end[i]);
    }
    for (int i = 0; i < 3; i++) {
        along[i] = end[1][i] - end[0][i];
    }
    if (!(slope_at(view, 0, along) < 0 && slope_at(view, 1, along) > 0)) {
        return HAW_OK;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        *(slope_at(view, middle, along) < 0 ? &low : &high) = middle;
    }
    const int count = contacts->count;
    haw_foot foot;
    bool is_round;
    if (find_foot(view, low, &foot, &is_round) && is_round && haw_pair_looks_back(view->pair)) {
        return HAW_OK; /* on an end of the other axis, which looks back */
    }
    HAW_TRY(haw_view_touch(contacts, view, place, -1, low));
    for (int i = count; i < contacts->count; i++) {
        contacts->item[i].floats = true;
    }
    return HAW_OK;
}

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
    return ops->has_axis && !view->is_back ? touch_axis(contacts, view, ops->corners) : HAW_OK;
}

const haw_narrow haw_narrow_corner = {
    .name = "corners",
    .summary = "the corners of a body, and what is nearest of an axis",
    .find = find,
    .back = find,
    .clasp = &haw_press_clasp,
};
