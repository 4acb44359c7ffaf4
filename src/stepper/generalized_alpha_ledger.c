/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy ledger of generalized-alpha. With the trapezoidal rule (M constant)
 *
 *     dT = dq' M (vdot + vdot+) / 2 = dq' (f + f+) / 2 + dq' (R + R+) / 2,
 *
 * R the reactions of prescribed motions, so each kind of force does the work of its mean:
 *
 *     damping_loss = -dq' mean of damping,   friction_loss, impact_loss the same of tangential and
 *     normal contact,   external_work = dq' mean of loads and reactions,
 *     numerical_loss = -(dq' mean of conservative + dV) - A,
 *     A = dq' M (b - (vdot + vdot+) / 2) - h^2 (beta - gamma / 2) b' M (a+ - a),
 *     b = (1 - gamma) a + gamma a+.
 *
 * A is the kinetic energy that the algorithm itself makes, zero for rho_infinity = 1: from
 * v+ - v = h b and dq = h (v + v+) / 2 + h^2 (beta - gamma / 2) (a+ - a).
 *
 * The mass of a rope depends on q. Its inertia forces I = M vdot + int rho A J' (J' q') ds are
 * known at both ends of the step as residual + f, and
 *
 *     A = dT - dq' (I + I+) / 2,
 *
 * which is zero up to the flow of kinetic energy between elements whose velocities differ. Work of
 * its mesh, dq' R of the given labels, is an error of the discretisation: it counts in
 * numerical_loss, not in external_work.
 *
 * A quasi-static step has I = 0 and no dT. What pulls where it starts out of equilibrium, as in the
 * first step of a run, is lost on the way: A = dq' (M vdot - f) / 2 at the start, over what is
 * free.
 */
#include "stepper/generalized_alpha.h"
#include "stepper/implicit_rope.h"

#include <math.h>
#include <string.h>

/* A, from the accelerations alone. Uses mass_work and work[]. */
static double algorithmic(const haw_alpha_step *step, const double *dq)
{
    haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    const double *a = state->a, *plus = implicit->a, *vdot = haw_alpha_acceleration(state);
    double *b = simulation->work[0], *difference = simulation->work[1];
    const double curvature = step->h * step->h * (step->beta - 0.5 * step->gamma);
    if (step->options->rho_infinity == 1) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        b[i] = (1 - step->gamma) * a[i] + step->gamma * plus[i];
        difference[i] = b[i] - 0.5 * (vdot[i] + implicit->acceleration[i]);
    }
    haw_model_mass(&simulation->model, difference, implicit->mass_work);
    double made = haw_dot(n, dq, implicit->mass_work);
    for (int i = 0; i < n; i++) {
        difference[i] = plus[i] - a[i];
    }
    haw_model_mass(&simulation->model, difference, implicit->mass_work);
    made -= curvature * haw_dot(n, b, implicit->mass_work);
    return made;
}

/* A of ropes: what the kinetic energy has grown by more than the inertia forces took. */
static double transported(const haw_alpha_step *step, const double *dq, double change)
{
    const haw_implicit *implicit = step->simulation->implicit;
    const double *before = implicit->residual_before, *now = implicit->residual;
    double work = 0;
    for (int i = 0; i < step->simulation->model.dofs; i++) {
        work += dq[i] * (before[i] + implicit->before.total[i] + now[i] + implicit->now.total[i]);
    }
    return change - 0.5 * work;
}

/* A of quasi-static steps. */
static double unbalanced(const haw_alpha_step *step, const double *dq)
{
    const haw_implicit *implicit = step->simulation->implicit;
    double work = 0;
    for (int i = 0; i < step->simulation->model.dofs; i++) {
        work += implicit->system->equation[i] >= 0 ? dq[i] * implicit->residual_before[i] : 0;
    }
    return 0.5 * work;
}

static double find_made(const haw_alpha_step *step, const double *dq, double change)
{
    if (step->is_static) {
        return unbalanced(step, dq);
    }
    return haw_model_has_ropes(&step->simulation->model) ? transported(step, dq, change)
                                                         : algorithmic(step, dq);
}

/* Impulses of the prescribed motions; returns their work. */
static double react(const haw_alpha_step *step, const double *dq)
{
    haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs, *equation = implicit->system->equation;
    double work = 0;
    for (int i = 0; i < n; i++) {
        const double mean = 0.5 * (implicit->residual_before[i] + implicit->residual[i]);
        const bool is_prescribed = equation[i] < 0;
        simulation->reaction[i] = is_prescribed ? step->h * mean : 0;
        work += is_prescribed ? mean * dq[i] : 0;
    }
    return work;
}

void haw_alpha_book(const haw_alpha_step *step, haw_energy energy, double kinetic)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    double *dq = implicit->direction;
    for (int i = 0; i < simulation->model.dofs; i++) {
        dq[i] = implicit->q[i] - simulation->state->q[i];
    }
    const haw_works work = haw_implicit_work(implicit, dq);
    const double reactions = react(step, dq);
    const double mesh = haw_implicit_mesh_work(implicit, simulation->reaction, dq) / step->h;
    const double external = work.load + reactions - mesh;
    const double elastic = energy.elastic - simulation->energy.elastic;
    const double gravity = energy.gravity - simulation->energy.gravity;
    const double made = find_made(step, dq, kinetic - simulation->kinetic);
    const double numerical = -(work.conservative + elastic + gravity) - made - mesh;
    const haw_step_losses losses = {external, -work.tangential, -work.normal, -work.damping,
                                    numerical};
    haw_ledger_book(simulation, energy, kinetic, &losses);
}
