/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ball dropped on the ground with Newton's restitution e: each flight lasts e times the one
 * before, so infinitely many impacts end after t_1 (1 + e) / (1 - e).
 */
#include "theory/result.h"

enum { IMPACTS_MAX = 100000 };

typedef struct ball_options {
    double height, restitution, gravity;
    int impacts;
} ball_options;

static const haw_option options[] = {
    HAW_POSITIVE("height", ball_options, height, 1, "m", "height of the drop"),
    {"restitution", HAW_OPTION_REAL, offsetof(ball_options, restitution), 0.7, 0,
     1 - DBL_EPSILON / 2, "", "coefficient of restitution", NULL},
    HAW_POSITIVE("gravity", ball_options, gravity, 9.81, "m/s^2", "acceleration of gravity"),
    {"impacts", HAW_OPTION_INT, offsetof(ball_options, impacts), 10, 1, IMPACTS_MAX, "",
     "number of impacts to list", NULL},
    {0},
};

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const ball_options *o = data;
    const double e = o->restitution;
    const double first = sqrt(2 * o->height / o->gravity);
    const haw_scalar accumulation = {"accumulation", "s", "time at which the ball is at rest",
                                     first * (1 + e) / (1 - e)};
    HAW_TRY(haw_result_scalars(context, result, 1, &accumulation));
    const haw_quantity rows[] = {
        {"time", "s", "time of each impact", o->impacts, true, NULL},
        {"velocity", "m/s", "rebound velocity of each impact", o->impacts, true, NULL},
    };
    double *value[2];
    HAW_TRY(haw_result_profiles(context, result, 2, rows, value));
    double rebound = o->gravity * first;
    double now = first;
    for (int k = 0; k < o->impacts; ++k) {
        rebound *= e;
        value[0][k] = now;
        value[1][k] = rebound;
        now += 2 * rebound / o->gravity;
    }
    return HAW_OK;
}

const haw_theory_ops haw_theory_bouncing_ball = {
    .row.name = "bouncing-ball",
    .row.summary = "impact times of a dropped ball and their accumulation point",
    .row.source = "B. Brogliato, Nonsmooth Mechanics, 3rd ed., Springer (2016)",
    .row.options = options,
    .row.options_size = sizeof(ball_options),
    .formula = "t_1 = sqrt(2 H / g), then flights of 2 e^k t_1; they end at t_1 (1 + e) / (1 - e)",
    .example = "--height 1 --restitution 0.7",
    .evaluate = evaluate,
};
