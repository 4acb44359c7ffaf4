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
    HAW_ANY("velocity", roll_options, velocity, 2, "m/s", "initial velocity to the right"),
    HAW_ANY("spin", roll_options, spin, 0, "rad/s", "initial spin, counter-clockwise"),
    HAW_POSITIVE("friction", roll_options, friction, 0.2, "", "coefficient of friction"),
    HAW_POSITIVE("radius", roll_options, radius, 0.1, "m", "radius of the disk"),
    HAW_POSITIVE("gravity", roll_options, gravity, 9.81, "m/s^2", "acceleration of gravity"),
    HAW_POSITIVE("inertia-factor", roll_options, inertia_factor, 0.5, "",
                 "J / (m R^2): 0.5 for a solid disk, 0.4 for a ball, 1 for a ring"),
    HAW_NONNEGATIVE("time", roll_options, time, 0.6, "s", "instant of the reported position"),
    {0},
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
    return haw_result_scalars(context, result, HAW_ROWS(rows));
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
