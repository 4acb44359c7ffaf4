/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layers of yarn under one tension T on a drum, without slip and friction. Each turn presses with T
 * per radian on what is below it; in a groove of the pitch s it lies on two turns at the contact
 * angle sin(theta) = s / (4 a), each with T / (2 cos(theta)) per radian. Such a force runs on along
 * its diagonal: a turn of the lowest layer takes k T / (2 cos) from a diagonal of k turns. Turns of
 * that layer push each other towards the flange by the difference of their two diagonals, so that
 * the flange gets the sum over one half of the layer; all of wide layers, m (m - 1) / 4 T
 * tan(theta).
 */
#include "theory/result.h"

enum { STACKED, GROOVES, LAYERS_MAX = 1000, WIDE = 0 };

typedef struct multilayer_options {
    double drum, yarn, tension, pitch, alpha_deg;
    int layers, turns, arrangement;
} multilayer_options;

static const char *const arrangements[] = {"stacked", "grooves", NULL};
static const char *const touching[] = {"touching", NULL};

static const haw_option options[] = {
    HAW_POSITIVE("drum-radius", multilayer_options, drum, 0.05, "m", "radius R0 of the drum"),
    HAW_POSITIVE("yarn-radius", multilayer_options, yarn, 2e-3, "m", "radius a of the yarn"),
    HAW_POSITIVE("tension", multilayer_options, tension, 50, "N", "tension T"),
    {"layers", HAW_OPTION_INT, offsetof(multilayer_options, layers), 4, 1, LAYERS_MAX, "",
     "number m of layers", NULL},
    {"arrangement", HAW_OPTION_CHOICE, offsetof(multilayer_options, arrangement), GROOVES, 0, 0, "",
     "turns straight above each other, or in the grooves between those below", arrangements},
    {"pitch", HAW_OPTION_REAL, offsetof(multilayer_options, pitch), (double)NAN, DBL_MIN, DBL_MAX,
     "m", "distance s of neighbouring turns; touching: 2 a", touching},
    {"turns", HAW_OPTION_INT, offsetof(multilayer_options, turns), WIDE, 0, 1000000, "",
     "turns of the lowest layer, one less in each layer above; 0: more than the flanges feel",
     NULL},
    {"alpha-deg", HAW_OPTION_REAL, offsetof(multilayer_options, alpha_deg), 60, DBL_MIN, 90, "deg",
     "angle to the axis of two turns that cross", NULL},
    {0},
};

static haw_status check(haw_context *context, const multilayer_options *o, double pitch)
{
    const bool in_grooves = o->arrangement == GROOVES && o->layers > 1;
    if (!(pitch >= 2 * o->yarn)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "turns overlap: 'pitch' must be at least 2 'yarn-radius', %g m (got %g)",
                        2 * o->yarn, pitch);
    }
    if (in_grooves && !(pitch < 4 * o->yarn)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "turns fall through the grooves: 'pitch' must be less than 4 "
                        "'yarn-radius', %g m (got %g)",
                        4 * o->yarn, pitch);
    }
    if (in_grooves && o->turns != WIDE && o->turns < o->layers) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "%d layers need at least as many turns in the lowest one: 'turns' is %d",
                        o->layers, o->turns);
    }
    return HAW_OK;
}

/* Pushes on a flange in units of T tan(theta) / 2 per radian. */
static double flange_pushes(int layers, int turns)
{
    const int most = layers - 1;
    double sum = 0;
    for (int i = 0; i < most; ++i) {
        const int last = turns == WIDE ? most : turns - 1 - i;
        sum += fmax((last < most ? last : most) - i, 0);
    }
    return sum;
}

static haw_status add_layers(haw_context *context, const multilayer_options *o, double step,
                             haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"layer", "", "number of the layer, from the drum", o->layers, true, NULL},
        {"radius", "m", "radius of its centreline", o->layers, true, NULL},
        {"own", "N/m", "force of a turn of it per length", o->layers, true, NULL},
        {"below", "N/m", "force per length with which it and those above press on what is below",
         o->layers, true, NULL},
    };
    double *value[4];
    HAW_TRY(haw_result_profiles(context, result, 4, rows, value));
    for (int j = 0; j < o->layers; ++j) {
        value[0][j] = j + 1;
        value[1][j] = o->drum + o->yarn + step * j;
        value[2][j] = o->tension / value[1][j];
        value[3][j] = (o->layers - j) * o->tension / value[1][j];
    }
    return HAW_OK;
}

/* ---- one turn over another ---- */

/* A turn that crosses another one at +-alpha, with cos = R1 / (R1 + rise) in the section. */
typedef struct cross {
    double radius, diameter, alpha;
} cross;

/*
 * The upper turn wraps the lower one, which has the normal curvature sin^2 / R1 of the drum, with
 * the curvature (1 - c^2 / (1 + kappa D)) / D, c the cosine between them; its legs meet higher by
 * slope^2 / (2 curvature). They keep the angle alpha to the axis and are tangents of the drum.
 */
static double rise_misfit(double rise, void *data)
{
    const cross *x = data;
    const double cosine = x->radius / (x->radius + rise), lower = sin(x->alpha);
    const double slope = lower * sqrt((1 - cosine) * (1 + cosine));
    const double between = cos(x->alpha + atan2(lower * cosine, cos(x->alpha)));
    const double kappa = lower * lower / x->radius;
    const double wrap = (1 - between * between / (1 + kappa * x->diameter)) / x->diameter;
    return x->diameter + slope * slope / (2 * wrap) - rise;
}

static haw_status add_crossings(haw_context *context, const multilayer_options *o,
                                haw_theory_result *result)
{
    const double r = o->drum + o->yarn, d = 2 * o->yarn, alpha = o->alpha_deg * HAW_PI / 180;
    const double lift = acos((r - d) / r), sine = sqrt(d * (2 * r - d)) / r;
    cross x = {r, d, fmin(alpha, HAW_PI / 2)};
    double rise = d, high = 2 * d;
    /* a steep crossing has no such solution: its legs would wrap each other far along */
    while (rise_misfit(high, &x) > 0 && high < r) {
        high *= 2;
    }
    if (rise_misfit(high, &x) < 0) {
        HAW_TRY(haw_root_find(context, rise_misfit, &x, (haw_bracket){d, high}, &rise));
    } else {
        rise = (double)NAN;
    }
    const double top = r / (r + rise);
    const haw_scalar rows[] = {
        {"hoop_lift_angle", "rad", "hoop over an axial yarn: angle f on each side off the drum",
         lift},
        {"hoop_force", "N", "hoop over an axial yarn: contact force 2 T sin(f)",
         2 * o->tension * sine},
        {"hoop_tangent", "m", "hoop over an axial yarn: free length on each side", r * sine},
        {"hoop_length", "m", "hoop over an axial yarn: length of the closed hoop",
         2 * (HAW_PI - lift) * r + 2 * r * sine + 2 * lift * d},
        {"cross_force_leading", "N", "turns that cross: 4 T sin(alpha) sqrt(a / R1)",
         4 * o->tension * sin(alpha) * sqrt(o->yarn / r)},
        {"cross_rise", "m", "turns that cross: height above R1 where the legs would meet", rise},
        {"cross_force", "N", "turns that cross: contact force with that rise",
         2 * o->tension * sin(alpha) * sqrt((1 - top) * (1 + top))},
    };
    return haw_result_finite(context, result, HAW_ROWS(rows));
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const multilayer_options *o = data;
    const double a = o->yarn, r = o->drum + a, pitch = isnan(o->pitch) ? 2 * a : o->pitch;
    const bool in_grooves = o->arrangement == GROOVES;
    HAW_TRY(check(context, o, pitch));
    const double height = in_grooves ? sqrt(4 * a * a - fmin(pitch * pitch / 4, 4 * a * a)) : 2 * a;
    const double sine = fmin(pitch / (4 * a), 1), cosine = height / (2 * a);
    const double push = in_grooves && o->layers > 1 ? HAW_PI * o->tension * sine / cosine *
                                                          flange_pushes(o->layers, o->turns)
                                                    : 0;
    const haw_scalar rows[] = {
        {"mandrel_line", "N/m", "force of all layers per length of the lowest turns",
         o->layers * o->tension / r},
        {"mandrel_pressure", "Pa", "mean pressure on the drum, m T / (s R0)",
         o->layers * o->tension / (pitch * o->drum)},
        {"layer_height", "m", "growth of the radius per layer", height},
        {"flange", "N", "force of the whole circumference on a flange", push},
    };
    const haw_scalar groove[] = {
        {"groove_angle", "rad", "contact angle theta in a groove",
         in_grooves && pitch < 4 * a ? asin(sine) : (double)NAN},
        {"groove_force", "N/rad", "force of one turn on each of the two below, T / (2 cos(theta))",
         in_grooves && pitch < 4 * a ? o->tension / (2 * cosine) : (double)NAN},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(haw_result_finite(context, result, 2, groove));
    HAW_TRY(add_crossings(context, o, result));
    return add_layers(context, o, height, result);
}

const haw_theory_ops haw_theory_multilayer = {
    .row.name = "multilayer",
    .row.summary = "layers of yarn on a drum: line loads, pressure, flanges, turns over turns",
    .row.source = "balance of forces on a yarn of constant tension: every turn adds T per radian",
    .row.options = options,
    .row.options_size = sizeof(multilayer_options),
    .formula =
        "R_j = R0 + a + (j - 1) sqrt(4 a^2 - s^2 / 4);  layer j presses with (m - j + 1) T per "
        "radian\nflange (wide layers): pi / 2 m (m - 1) T tan(theta),  sin(theta) = s / (4 "
        "a)\nhoop over an axial yarn: cos(f) = 1 - D / R1,  N = 2 T sin(f);  crossing: N = 2 T "
        "sin(alpha) sin(f),  cos(f) = R1 / (R1 + rise)",
    .example = "--layers 3 --pitch 4.4e-3",
    .evaluate = evaluate,
};
