/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A disk of inertia J = kappa m R^2 slides on the ground: Coulomb friction mu m g opposes the slip
 * s = v + R omega of the lowest point (counter-clockwise omega), so
 *     dv/dt = -mu g sign(s),  R domega/dt = -(mu g / kappa) sign(s),
 * until s = 0; from then on the disk rolls with omega = -v / R.
 */
#include "theory/result.h"

typedef struct roll_options {
    double velocity, spin, friction, radius, gravity, inertia_factor, time;
} roll_options;

static const haw_option options[] = {
    {"velocity", HAW_OPTION_REAL, offsetof(roll_options, velocity), 2, -DBL_MAX, DBL_MAX, "m/s",
     "initial velocity to the right", NULL},
    {"spin", HAW_OPTION_REAL, offsetof(roll_options, spin), 0, -DBL_MAX, DBL_MAX, "rad/s",
     "initial spin, counter-clockwise", NULL},
    {"friction", HAW_OPTION_REAL, offsetof(roll_options, friction), 0.2, DBL_MIN, DBL_MAX, "",
     "coefficient of friction", NULL},
    {"radius", HAW_OPTION_REAL, offsetof(roll_options, radius), 0.1, DBL_MIN, DBL_MAX, "m",
     "radius of the disk", NULL},
    {"gravity", HAW_OPTION_REAL, offsetof(roll_options, gravity), 9.81, DBL_MIN, DBL_MAX, "m/s^2",
     "acceleration of gravity", NULL},
    {"inertia-factor", HAW_OPTION_REAL, offsetof(roll_options, inertia_factor), 0.5, DBL_MIN,
     DBL_MAX, "", "J / (m R^2): 0.5 for a solid disk, 0.4 for a ball, 1 for a ring", NULL},
    {"time", HAW_OPTION_REAL, offsetof(roll_options, time), 0.6, 0, DBL_MAX, "s",
     "instant of the reported position", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const roll_options *o = data;
    const double slip = o->velocity + o->radius * o->spin;
    const double share = o->inertia_factor / (1 + o->inertia_factor);
    const double velocity = o->velocity - slip * share;
    const double rolling = fabs(slip) * share / (o->friction * o->gravity);
    const double deceleration = copysign(o->friction * o->gravity, slip);
    const double sliding = fmin(o->time, rolling);
    const double position = o->velocity * sliding - deceleration * sliding * sliding / 2 +
                            velocity * (o->time - sliding);
    const haw_scalar rows[] = {
        {"velocity_final", "m/s", "velocity when rolling", velocity},
        {"spin_final", "rad/s", "spin when rolling, counter-clockwise", -velocity / o->radius},
        {"time_rolling", "s", "instant at which rolling starts", rolling},
        {"position", "m", "position of the centre at `time`", position},
    };
    return haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows);
}

const haw_theory_ops haw_theory_slip_to_roll = {
    .row.name = "slip-to-roll",
    .row.summary = "a sliding disk on the ground starts to roll",
    .row.source =
        "E. J. Routh, Dynamics of a System of Rigid Bodies, elementary part, Macmillan (1905)",
    .row.options = options,
    .row.options_size = sizeof(roll_options),
    .formula = "dv/dt = -mu g sign(s),  R domega/dt = -(mu g / kappa) sign(s),  s = v + R omega, "
               "until s = 0",
    .example = "--velocity 2 --friction 0.2",
    .evaluate = evaluate,
};
