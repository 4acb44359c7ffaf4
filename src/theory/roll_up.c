/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clamped inextensible beam with a moment M at its tip: an arc of the curvature M / EI, a whole
 * circle at M = 2 pi EI / L.
 */
#include "theory/result.h"
#include "theory/rows.h"

#include <float.h>
#include <math.h>

enum { POINTS_MAX = 1000000 };

typedef struct roll_options {
    double length, bending_stiffness, turns;
    int points;
} roll_options;

static const haw_option options[] = {
    {"length", HAW_OPTION_REAL, offsetof(roll_options, length), 1, DBL_MIN, DBL_MAX, "m",
     "length of the beam", NULL},
    {"bending-stiffness", HAW_OPTION_REAL, offsetof(roll_options, bending_stiffness), 1, DBL_MIN,
     DBL_MAX, "N m^2", "bending stiffness EI", NULL},
    {"turns", HAW_OPTION_REAL, offsetof(roll_options, turns), 1, 0, DBL_MAX, "",
     "angle of the tip over 2 pi, M L / (2 pi EI)", NULL},
    {"points", HAW_OPTION_INT, offsetof(roll_options, points), 23, 2, POINTS_MAX, "",
     "number of points of the profile", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* Place of the arc length s on an arc that has turned by `angle` there: a chord at half of it. */
static void place(double s, double angle, double x[2])
{
    const double half = angle / 2;
    const double chord = half > 0 ? s * sin(half) / half : s;
    x[0] = chord * cos(half);
    x[1] = chord * sin(half);
}

static haw_status add_profile(haw_context *context, const roll_options *o, double angle,
                              haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"s", "m", "arc length from the clamp", o->points, NULL},
        {"x", "m", "position along the unloaded axis", o->points, NULL},
        {"y", "m", "position across it, to the left", o->points, NULL},
    };
    double *value[3];
    for (int i = 0; i < 3; ++i) {
        HAW_TRY(haw_result_profile(context, result, &rows[i], &value[i]));
    }
    for (int i = 0; i < o->points; ++i) {
        const double share = (double)i / (o->points - 1);
        double x[2];
        place(o->length * share, angle * share, x);
        value[0][i] = o->length * share;
        value[1][i] = x[0];
        value[2][i] = x[1];
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const roll_options *o = data;
    const double angle = 2 * 3.14159265358979323846 * o->turns;
    const double moment = o->bending_stiffness / o->length * angle;
    double tip[2];
    place(o->length, angle, tip);
    const haw_scalar rows[] = {
        {"moment", "N m", "moment at the tip, counter-clockwise", moment},
        {"curvature", "1/m", "curvature of the beam", angle / o->length},
        {"tip_x", "m", "position of the tip along the unloaded axis", tip[0]},
        {"tip_y", "m", "position of the tip across it, to the left", tip[1]},
        {"tip_angle", "rad", "angle of the tip to the unloaded axis", angle},
        {"energy", "J", "bending energy", moment * angle / 2},
    };
    HAW_TRY(haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows));
    return add_profile(context, o, angle, result);
}

const haw_theory_ops haw_theory_roll_up = {
    .row.name = "roll-up",
    .row.summary = "clamped inextensible beam under a moment at its tip",
    .row.source = "L. Euler, De curvis elasticis (1744): M = EI times the curvature",
    .row.options = options,
    .row.options_size = sizeof(roll_options),
    .evaluate = evaluate,
};
