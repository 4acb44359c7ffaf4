/* SPDX-License-Identifier: BSD-3-Clause */
/* Where nsga starts: accelerations, forces of contacts and joints of a state that it has not made.
 */
#include "stepper/contact_pass.h"
#include "stepper/nsga.h"

#include <math.h>
#include <string.h>

/*
 * The first accelerations. M a = F would leave those that contacts are about to take away, and give
 * 1e8 rad/s^2 to sections of a thin cable whose frames the drawing has bent a little against their
 * chords: they would ring. So
 *
 *     (M + K / c_M) w = h F + H P,   0 <= P_N  perp  g / h + gamma_N + H_N w >= 0,
 *     -(gamma_T + H_T w) in N_{C(mu P_N)}(P_T),       a = (w - M^-1 H P) / h:
 *
 * contacts hold what they will hold, motions that h resolves keep their accelerations to O(h^2),
 * and a is that of the smooth motion, without contacts.
 */
static haw_status start_softly(haw_nsga *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    double *a = state->a, *w = implicit->direction, *free = simulation->work[0];
    memcpy(implicit->q, state->q, (size_t)simulation->model.coordinates * sizeof *a);
    HAW_TRY(haw_pass_detect(simulation->pass, state->q, state->q, NULL,
                            haw_pass_margin(simulation, 2, 0.1)));
    haw_nsga_choose_friction(nsga);
    haw_contacts_velocity(contacts, state->u, contacts->gamma_minus);
    for (int i = 0; i < d * contacts->count; i++) {
        simulation->pass->shift[i] = simulation->pass->way[i] / c->h + contacts->gamma_minus[i];
    }
    for (int i = 0; i < state->dofs; i++) {
        free[i] = implicit->system->equation[i] >= 0 ? c->h * a[i] : 0;
    }
    haw_model_inertia(&simulation->model, state->q, nsga->rest, free, simulation->u_free);
    haw_forces_assemble(implicit->system, simulation->compliant, state->q, state->u, c->mass, 0);
    HAW_TRY(haw_pass_solve(simulation->pass, 1 / c->mass, simulation->u_free, w));
    if (simulation->report.outcome != HAW_CONVERGED) { /* the step has a certificate of its own */
        haw_log(simulation->context, HAW_LOG_WARNING,
                "the accelerations at the start are not those that contacts leave (residual %.3g): "
                "what touches may ring",
                simulation->report.residual.natural);
    }
    HAW_TRY(haw_guard_finite(simulation, haw_largest(state->dofs, w)));
    haw_pass_push(simulation, nsga->borne);
    for (int i = 0; i < d * contacts->count; i++) {
        nsga->force[d * contacts->item[i / d].id + i % d] = contacts->impulse[i] / c->h;
    }
    nsga->is_parted = true;
    for (int i = 0; i < state->dofs; i++) {
        nsga->borne[i] /= c->h;
        a[i] = implicit->system->equation[i] >= 0 ? w[i] / c->h : a[i];
    }
    memcpy(haw_alpha_acceleration(state), a, (size_t)state->dofs * sizeof *a);
    implicit->factor_h = (double)NAN;
    return haw_pass_begin(simulation->pass);
}

/* Their forces where the run starts. */
static void start_joints(const haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_state *state = simulation->state;
    haw_joints_find(&simulation->model, state->q, simulation->implicit->hold);
    memcpy(nsga->lambda, state->u, (size_t)state->dofs * sizeof(double));
    haw_nsga_push_joints(simulation, state->u, nsga->lambda);
}

/* H lambda = M vdot - F of a state from elsewhere; its parts are not known: what opens in the first
 * step from there leaves none behind. */
static void recall_force(haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_implicit *implicit = simulation->implicit;
    const int free = haw_joints_dof(&simulation->model);
    const size_t rows = (size_t)simulation->model.points * (size_t)simulation->contacts->dimension;
    for (int i = 0; i < simulation->model.dofs; i++) {
        const bool is_free = i < free && implicit->system->equation[i] >= 0;
        nsga->borne[i] = is_free ? implicit->residual_before[i] : 0;
    }
    memset(nsga->force, 0, rows * sizeof *nsga->force);
    nsga->is_parted = false;
}

haw_status haw_nsga_start(haw_nsga *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    const haw_state *state = simulation->state;
    const bool is_first = haw_largest(2 * state->dofs, state->a) == 0;
    nsga->last_h = 0;
    HAW_TRY(haw_alpha_start(&nsga->alpha));
    recall_force(nsga);
    HAW_TRY(is_first && simulation->model.joints == 0 ? start_softly(nsga) : HAW_OK);
    start_joints(nsga);
    HAW_TRY(
        haw_pass_find(simulation->pass, state->q, NULL, 0, haw_pass_margin(simulation, 2, 0.1)));
    haw_lean_keep(simulation->contacts, nsga->before);
    return HAW_OK;
}
