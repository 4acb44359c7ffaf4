/* SPDX-License-Identifier: BSD-3-Clause */
/* A body that acts as a point with a radius: a disk in the plane, a sphere in space. */
#include "contact/press.h"

#include <math.h>

static haw_status find_ball(haw_contacts *contacts, const haw_view *view)
{
    haw_pose place;
    haw_feet feet;
    haw_touch *touch;
    haw_view_place(view, -1, 0, view->q, &place);
    haw_view_feet(view, place.x, view->margin + HAW_FAR_FEET * view->radius, &feet);
    for (int i = 0; i < feet.count; i++) {
        *view->gap_min = fmin(*view->gap_min, feet.foot[i].gap);
    }
    HAW_TRY(haw_view_guard_ball(view, *view->gap_min));
    for (int i = 0; i < feet.count; i++) {
        if (!view->lists || feet.foot[i].gap > view->margin) {
            continue;
        }
        HAW_TRY(haw_view_add(contacts, view, i, &feet.foot[i], &touch));
        haw_view_set_ball(view, &place, &feet.foot[i], touch);
    }
    return HAW_OK;
}

const haw_narrow haw_narrow_ball = {
    .name = "ball",
    .summary = "a disk or sphere, as a point with a radius",
    .find = find_ball,
    .gap = haw_point_gap,
    .way = haw_point_way,
    .press = &haw_press_ball,
};
