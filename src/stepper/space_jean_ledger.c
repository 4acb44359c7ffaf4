/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy ledger of moreau-jean in space. With u_mean = (u + u+) / 2 and a constant mass
 *
 *     dT = u_mean' M (u+ - u) = u_mean' (h F + H P + R),   F = (1 - theta) F_n + theta F+,
 *
 * R the impulses of prescribed motions: every kind of force does the work that it does on u_mean,
 * contacts with the rows at the end of the step, and
 *
 *     numerical_loss = -(h (F_conservative + F_gyroscopic) . u_mean + dV),
 *
 * which holds the damping of theta > 1/2, the curvature of V, and the gyroscopic forces' work on
 * the mean of two velocities (none on either of them). Where a surface turns by omega h in a step,
 * the normal at its end leans by half of that against the chord of the step: impact_loss then holds
 * -omega h / 2 per unit of normal impulse and speed, which goes to zero with the step.
 */
#include "stepper/space_jean.h"

/* Work of the step's forces of one kind on u_mean. */
static double work(const haw_jean_step *step, const double *before, const double *now)
{
    const haw_simulation *simulation = step->simulation;
    const int n = simulation->model.dofs;
    return step->h * ((1 - step->theta) * haw_dot(n, before, simulation->u_mean) +
                      step->theta * haw_dot(n, now, simulation->u_mean));
}

void haw_space_jean_book(haw_jean_step *step, haw_energy energy, double kinetic)
{
    haw_simulation *simulation = step->simulation;
    const haw_forces *a = &simulation->implicit->before.model,
                     *b = &simulation->implicit->now.model;
    double friction, impact;
    for (int i = 0; i < simulation->model.dofs; i++) {
        simulation->u_mean[i] = 0.5 * (simulation->state->u[i] + simulation->u_plus[i]);
    }
    haw_step_contact_losses(simulation, &friction, &impact);
    const double external = work(step, a->load, b->load) + haw_jean_react(simulation);
    const double damping = -work(step, a->damping, b->damping);
    const double elastic = energy.elastic - simulation->energy.elastic;
    const double gravity = energy.gravity - simulation->energy.gravity;
    const double numerical = -(work(step, a->conservative, b->conservative) +
                               work(step, a->gyroscopic, b->gyroscopic) + elastic + gravity);
    const haw_step_losses losses = {external, friction, impact, damping, numerical};
    haw_ledger_book(simulation, energy, kinetic, &losses);
}
