/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ledger of a step of nsga. With u_mean = (v + v+) / 2, a constant mass and b = (1 - gamma) a +
 * gamma a+, the momentum of a step is
 *
 *     M (v+ - v) = h M b - H P_q - D w + H P + R = I + H P + R + A,
 *     I = h (F(t, q, v) + F(t+, q+, v+)) / 2,
 *
 * D = (c_C / c_M) C, R the impulses of prescribed motions, P with what contacts that open have
 * given: each kind of force does the work of its trapezoidal impulse on u_mean, and
 *
 *     numerical_loss = -((I_conservative + I_gyroscopic) . u_mean + dV) - A . u_mean - B,
 *     A = h M b - H P_q - D w - I,   B = H P . u_mean + friction_loss + impact_loss,
 *
 * A the momentum that the algorithm makes beside the forces: damping of rho_infinity < 1, and what
 * forces differ between the smooth motion and the corrected one. Contacts lose energy as P does
 * work on u_mean, with their mean rows. But what was closed before and stays closed
 * loses friction on its way along the surface alone, -P_T . way_T / h: positions and velocities are
 * corrected by problems of their own, and at the edge of sticking the velocities of one step are
 * noise that the next one takes back. B is the work of P_T on that noise, and all work of what
 * opens, whose force acts on in the step although nothing touches at its end.
 *
 * Where M depends on q, all this is with M(q+), and
 *
 *     transport = dT - u_mean . M(q+) (v+ - v)
 *
 * is made besides.
 */
#include "stepper/contact_pass.h"
#include "stepper/nsga.h"

/*
 * Work of A and transport, where the kinetic energy has changed by this, and of the impulses of the
 * prescribed motions, which stay in simulation->reaction. The momentum of v(q+), less H P_q, is
 * that without H P.
 */
static void split(haw_nsga *nsga, double change, double *made, double *reaction)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    double *given = simulation->work[1], *momentum = simulation->work[0];
    *reaction = 0;
    for (int i = 0; i < state->dofs; i++) {
        given[i] = implicit->u[i] - state->u[i];
    }
    haw_model_inertia(&simulation->model, implicit->q, nsga->rest, given, momentum);
    haw_axpy(state->dofs, 1, nsga->positioned, momentum);
    haw_axpy(state->dofs, 1, nsga->given, momentum);
    for (int i = 0; i < state->dofs; i++) {
        given[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_model_inertia(&simulation->model, implicit->q, nsga->rest, given, implicit->mass_work);
    const bool varies = haw_model_is_gyroscopic(&simulation->model);
    *made = varies ? change - haw_dot(state->dofs, implicit->mass_work, simulation->u_mean) : 0;
    for (int i = 0; i < haw_joints_dof(&simulation->model); i++) {
        const double impulse =
            0.5 * nsga->alpha.h * (implicit->before.total[i] + implicit->now.total[i]);
        const double joint = nsga->part * implicit->joint[i] + nsga->given[i] +
                             (nsga->alpha.h - nsga->part) * nsga->lambda[i];
        const double pushed = impulse + simulation->push[i] + nsga->leaving[i];
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] = is_prescribed ? implicit->mass_work[i] - pushed - joint : 0;
        *reaction += simulation->reaction[i] * simulation->u_mean[i];
        *made += (is_prescribed ? joint + nsga->leaving[i] : momentum[i] - impulse) *
                 simulation->u_mean[i];
    }
}

/* B, and the losses of contacts; the impulses of the state are those of the last step. */
static double find_losses(const haw_nsga *nsga, double *friction, double *impact)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_contacts *contacts = simulation->contacts;
    const ptrdiff_t d = contacts->dimension;
    double noise = 0;
    *friction = *impact = 0;
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const double *minus = contacts->gamma_minus + d * i, *plus = contacts->gamma_plus + d * i;
        const double *impulse = contacts->impulse + d * i, *way = simulation->pass->way + d * i;
        const bool stays = simulation->state->impulse[d * contacts->item[i].id] > 0;
        double along = 0, slid = 0;
        for (int k = 1; k < d; k++) {
            along += 0.5 * impulse[k] * (minus[k] + plus[k]);
            slid += impulse[k] * way[k] / nsga->alpha.h;
        }
        *friction -= stays ? slid : along;
        *impact -= 0.5 * impulse[0] * (minus[0] + plus[0]);
        noise += stays ? along - slid : 0;
    }
    return noise;
}

void haw_nsga_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    static const double part[2] = {0.5, 0.5};
    haw_nsga *nsga = simulation->method;
    double made;
    haw_implicit_mean(simulation);
    const double noise = find_losses(nsga, &work->friction, &work->impact);
    split(nsga, end->kinetic - simulation->kinetic, &made, &work->reactions);
    work->mesh =
        haw_implicit_mesh_work(simulation->implicit, simulation->reaction, simulation->u_mean);
    work->of = haw_implicit_work(simulation->implicit, part, nsga->alpha.h, simulation->u_mean);
    work->made = made + noise;
}
