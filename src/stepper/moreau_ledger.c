/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy ledger of Moreau's stepper, with u_mean = (u + u+) / 2:
 *
 *     f_eff          = f - theta^2 h K (u+ - u), the force that the step applied
 *     damping_loss   = h alpha u_mean' M u_mean
 *     numerical_loss = -( dV + h f_eff . u_mean + dT_M )
 *     dT_M           = [T(q+, u+) - T(q_M, u+)] - [T(q, u) - T(q_M, u)]
 *
 * dT_M is the transport of kinetic energy by a mass that depends on q (zero for Cartesian
 * elements). External work is that of the reactions of prescribed degrees of freedom,
 * R = M (u+ - u) + h alpha M u_mean - h f_eff - H Lambda, and of given forces. Where forces are
 * known by kind, each kind works on h u_mean, and numerical_loss has the conservative ones only.
 */
#include "stepper/moreau.h"

#include <math.h>
#include <string.h>

static bool is_damped(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        if (model->cable[i].damping_mass > 0) {
            return true;
        }
    }
    return false;
}

/* y += factor alpha M v on every damped cable. */
void haw_moreau_damp(haw_simulation *simulation, double factor, const double *v, double *y)
{
    const haw_model *model = &simulation->model;
    if (!is_damped(model)) {
        return;
    }
    double *momentum = simulation->work[1];
    haw_inertia_mass(simulation->inertia, v, momentum);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        haw_axpy(cable->line.dofs, factor * cable->damping_mass, momentum + cable->first,
                 y + cable->first);
    }
}

/* force <- f_eff = f - theta^2 h K (u+ - u) */
static void effective_force(haw_simulation *simulation)
{
    const double theta = haw_moreau_get(simulation)->theta;
    const int n = simulation->state->dofs;
    if (theta == 0) {
        return;
    }
    double *jump = simulation->q_mid, *kick = simulation->work[1];
    for (int i = 0; i < n; i++) {
        jump[i] = simulation->u_plus[i] - simulation->state->u[i];
    }
    haw_inertia_stiffness(simulation->inertia, jump, kick);
    haw_axpy(n, -theta * theta * simulation->h, kick, simulation->force);
}

bool haw_moreau_has_moving_end(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        if (model->cable[i].end[0].kind == HAW_END_MOTION ||
            model->cable[i].end[1].kind == HAW_END_MOTION) {
            return true;
        }
    }
    return false;
}

/* Impulse of the reaction of a prescribed degree of freedom; returns its work.
 * `inertia` = M (u+ - u) + h alpha M u_mean there. */
static double react(haw_simulation *simulation, int dof, double inertia)
{
    const double impulse = inertia - simulation->h * simulation->force[dof] - simulation->push[dof];
    simulation->reaction[dof] = impulse;
    return impulse * simulation->u_mean[dof];
}

/* Of moving ends. */
static double end_work(haw_simulation *simulation, const double *inertia)
{
    double work = 0;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        for (int k = 0; k < 4; k++) {
            const int dof = cable->first + cable->end_dof[k / 2] + k % 2;
            if (cable->end_dof[k / 2] >= 0) {
                work += react(simulation, dof, inertia[dof]);
            }
        }
    }
    return work;
}

/* Of reactions. */
static double external_work(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const int n = model->dofs;
    double work = 0;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 3; j++) {
            const int dof = body->first + j;
            if (body->held[j]) {
                const double jump = simulation->u_plus[dof] - simulation->state->u[dof];
                work += react(simulation, dof, body->mass[j] * jump);
            }
        }
    }
    if (!haw_moreau_has_moving_end(model)) {
        return work;
    }
    double *jump = simulation->q_mid, *inertia = simulation->u_free;
    for (int i = 0; i < n; i++) {
        jump[i] = simulation->u_plus[i] - simulation->state->u[i];
    }
    haw_inertia_mass(simulation->inertia, jump, inertia);
    haw_moreau_damp(simulation, simulation->h, simulation->u_mean, inertia);
    return work + end_work(simulation, inertia);
}

static double damping_loss(haw_simulation *simulation)
{
    if (!is_damped(&simulation->model)) {
        return 0;
    }
    double *momentum = simulation->q_mid;
    memset(momentum, 0, (size_t)simulation->state->dofs * sizeof *momentum);
    haw_moreau_damp(simulation, simulation->h, simulation->u_mean, momentum);
    return haw_dot(simulation->state->dofs, momentum, simulation->u_mean);
}

/* Work of the forces that are known by kind; all zero where all are elastic or weight. */
static haw_works works_by_kind(const haw_simulation *simulation)
{
    const haw_force_set *extra = simulation->extra;
    const int n = simulation->state->dofs;
    const double h = simulation->h, *u = simulation->u_mean;
    if (extra == NULL) {
        return (haw_works){.load = 0};
    }
    const haw_works work = {.damping = h * haw_dot(n, extra->model.damping, u),
                            .load = h * haw_dot(n, extra->model.load, u)};
    if (simulation->compliant == NULL) {
        return work;
    }
    return (haw_works){.damping = work.damping,
                       .load = work.load,
                       .normal = h * haw_dot(n, extra->normal, u),
                       .tangential = h * haw_dot(n, extra->tangential, u)};
}

/* Kinetic energy carried by the change of M within the step; before q_mid is overwritten. */
static double transport(const haw_simulation *simulation, double kinetic_plus)
{
    const haw_model *model = &simulation->model;
    if (!haw_model_is_gyroscopic(model)) {
        return 0;
    }
    const double plus = haw_model_kinetic(model, simulation->q_mid, simulation->u_plus);
    const double minus = haw_model_kinetic(model, simulation->q_mid, simulation->state->u);
    return (kinetic_plus - plus) - (simulation->kinetic - minus);
}

/* Book one step; every term from its own forces, the balance from the terms. */
void haw_moreau_book(haw_simulation *simulation, haw_energy energy, double kinetic)
{
    double friction, impact;
    const double moved = transport(simulation, kinetic);
    effective_force(simulation);
    const double power = haw_dot(simulation->state->dofs, simulation->force, simulation->u_mean);
    const haw_works work = works_by_kind(simulation);
    const double external = external_work(simulation) + work.load;
    const double damping = damping_loss(simulation) - work.damping;
    const double elastic = energy.elastic - simulation->energy.elastic;
    const double gravity = energy.gravity - simulation->energy.gravity;
    const double others = work.damping + work.load + work.normal + work.tangential;
    const double numerical = -(elastic + gravity + (simulation->h * power - others) + moved);
    haw_step_contact_losses(simulation, &friction, &impact);
    friction -= work.tangential;
    impact -= work.normal;
    const haw_step_losses losses = {external, friction, impact, damping, numerical};
    haw_ledger_book(simulation, energy, kinetic, &losses);
}
