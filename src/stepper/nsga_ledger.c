/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy ledger of nsga. With u_mean = (v + v+) / 2, a constant mass and b = (1 - gamma) a +
 * gamma a+, the momentum of a step is
 *
 *     M (v+ - v) = h M b + (M c_C U - H P_q) + H P + R = I + H P + R + A,
 *     I = h (F(t, q, v) + F(t+, q+, v+)) / 2,
 *
 * R the impulses of prescribed motions: each kind of force does the work of its trapezoidal
 * impulse on u_mean, and
 *
 *     numerical_loss = -((I_conservative + I_gyroscopic) . u_mean + dV) - A . u_mean - B,
 *     A = h M b + M c_C U - H P_q - I,   B = H P . u_mean + friction_loss + impact_loss,
 *
 * A the momentum that the algorithm makes beside the forces: damping of rho_infinity < 1, and what
 * forces differ between the smooth motion and the corrected one. Contacts lose energy as P does
 * work on u_mean, with the rows at the end of the step. But what was closed before and stays closed
 * loses friction on its way along the surface alone, -P_T . way_T / h: positions and velocities are
 * corrected by problems of their own, and at the edge of sticking the velocities of one step are
 * noise that the next one takes back. B is the work of P_T on that noise.
 */
#include "stepper/nsga.h"

/* Work of the trapezoidal impulse of one kind on u_mean. */
static double work(const haw_nsga_step *step, const double *before, const double *now)
{
    const haw_simulation *simulation = step->alpha.simulation;
    const int n = simulation->model.dofs;
    return 0.5 * step->alpha.h *
           (haw_dot(n, before, simulation->u_mean) + haw_dot(n, now, simulation->u_mean));
}

/*
 * Work of A, and of the impulses of the prescribed motions, which stay in simulation->reaction.
 * What the smooth motion and the position problem give to the momentum is that without H P.
 */
static void split(haw_nsga_step *step, double *made, double *reaction)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    double *given = simulation->work[1], *momentum = simulation->work[0];
    *made = *reaction = 0;
    for (int i = 0; i < state->dofs; i++) {
        given[i] = step->nsga->v_smooth[i] - state->u[i];
    }
    haw_model_mass(&simulation->model, given, momentum);
    haw_axpy(state->dofs, 1, step->nsga->corrected, momentum);
    for (int i = 0; i < state->dofs; i++) {
        given[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_model_mass(&simulation->model, given, implicit->mass_work);
    for (int i = 0; i < state->dofs; i++) {
        const double impulse =
            0.5 * step->alpha.h * (implicit->before.total[i] + implicit->now.total[i]);
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] =
            is_prescribed ? implicit->mass_work[i] - impulse - simulation->push[i] : 0;
        *reaction += simulation->reaction[i] * simulation->u_mean[i];
        *made += is_prescribed ? 0 : (momentum[i] - impulse) * simulation->u_mean[i];
    }
}

/* B, and the losses of contacts; the impulses of the state are those of the last step. */
static double lose(const haw_nsga_step *step, double *friction, double *impact)
{
    const haw_simulation *simulation = step->alpha.simulation;
    const haw_contacts *contacts = simulation->contacts;
    const double *way = simulation->stage->way;
    double noise = 0;
    *friction = *impact = 0;
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const double *minus = contacts->gamma_minus + 3 * i, *plus = contacts->gamma_plus + 3 * i;
        const double *impulse = contacts->impulse + 3 * i;
        const double along =
            0.5 * (impulse[1] * (minus[1] + plus[1]) + impulse[2] * (minus[2] + plus[2]));
        const double slid =
            (impulse[1] * way[3 * i + 1] + impulse[2] * way[3 * i + 2]) / step->alpha.h;
        const bool stays = simulation->state->impulse[3 * contacts->item[i].id] > 0;
        *friction -= stays ? slid : along;
        *impact -= 0.5 * impulse[0] * (minus[0] + plus[0]);
        noise += stays ? along - slid : 0;
    }
    return noise;
}

void haw_nsga_book(haw_nsga_step *step, haw_energy energy, double kinetic)
{
    haw_simulation *simulation = step->alpha.simulation;
    const haw_forces *a = &simulation->implicit->before.model,
                     *b = &simulation->implicit->now.model;
    double friction, impact, made, reaction;
    for (int i = 0; i < simulation->model.dofs; i++) {
        simulation->u_mean[i] = 0.5 * (simulation->state->u[i] + simulation->u_plus[i]);
    }
    const double noise = lose(step, &friction, &impact);
    split(step, &made, &reaction);
    const double external = work(step, a->load, b->load) + reaction;
    const double damping = -work(step, a->damping, b->damping);
    const double elastic = energy.elastic - simulation->energy.elastic;
    const double gravity = energy.gravity - simulation->energy.gravity;
    const double numerical = -(work(step, a->conservative, b->conservative) +
                               work(step, a->gyroscopic, b->gyroscopic) + elastic + gravity) -
                             made - noise;
    const haw_step_losses losses = {external, friction, impact, damping, numerical};
    haw_ledger_book(simulation, energy, kinetic, &losses);
}
