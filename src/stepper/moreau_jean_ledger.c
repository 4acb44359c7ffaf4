/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy ledger of moreau-jean. With u_mean = (u + u+) / 2 and a constant mass
 *
 *     dT = u_mean' M (u+ - u) = u_mean' (h f + H Lambda + R),
 *
 * f at q_theta, R the impulses of prescribed motions: every kind of force does the work that it
 * does on u_mean, and
 *
 *     numerical_loss = -(h f_conservative . u_mean + dV),
 *
 * which holds the damping of theta > 1/2, h (theta - 1/2) f . (u+ - u), and the curvature of V. Of
 * ropes, whose mass depends on q, the inertia impulses I = residual + h f + H Lambda are known, and
 * numerical_loss has besides
 *
 *     u_mean' I - dT - (work of the labels' R on u_mean):
 *
 * what the kinetic energy has grown by less, and the work of the mesh, which is no external one.
 */
#include "stepper/implicit_rope.h"
#include "stepper/moreau_jean.h"

#include <math.h>

double haw_jean_react(haw_simulation *simulation)
{
    const haw_implicit *implicit = simulation->implicit;
    double work = 0;
    for (int i = 0; i < simulation->model.dofs; i++) {
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] = is_prescribed ? implicit->residual[i] : 0;
        work += simulation->reaction[i] * simulation->u_mean[i];
    }
    return work;
}

/* Of ropes: u_mean' I - dT - work of meshes. */
static double transported(const haw_jean_step *step, double change, double mesh)
{
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    double work = 0;
    for (int i = 0; i < simulation->model.dofs; i++) {
        work += simulation->u_mean[i] *
                (implicit->residual[i] + simulation->push[i] + step->h * implicit->now.total[i]);
    }
    return work - change - mesh;
}

void haw_jean_book(haw_jean_step *step, haw_energy energy, double kinetic)
{
    haw_simulation *simulation = step->simulation;
    const haw_forces *force = &simulation->implicit->now.model;
    const int n = simulation->model.dofs;
    double friction, impact, *u_mean = simulation->u_mean;
    for (int i = 0; i < n; i++) {
        u_mean[i] = 0.5 * (simulation->state->u[i] + simulation->u_plus[i]);
    }
    haw_step_contact_losses(simulation, &friction, &impact);
    const double reactions = haw_jean_react(simulation);
    const double mesh = haw_implicit_mesh_work(simulation->implicit, simulation->reaction, u_mean);
    const double external = step->h * haw_dot(n, force->load, u_mean) + reactions - mesh;
    const double damping = -step->h * haw_dot(n, force->damping, u_mean);
    const double elastic = energy.elastic - simulation->energy.elastic;
    const double gravity = energy.gravity - simulation->energy.gravity;
    double numerical = -(step->h * haw_dot(n, force->conservative, u_mean) + elastic + gravity);
    if (haw_model_has_ropes(&simulation->model)) {
        numerical += transported(step, kinetic - simulation->kinetic, mesh);
    }
    const haw_step_losses losses = {external, friction, impact, damping, numerical};
    haw_ledger_book(simulation, energy, kinetic, &losses);
}
