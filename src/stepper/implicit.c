/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces by kind and the factorized matrix of implicit steps and equilibria. */
#include "stepper/contact_pass.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- ropes ---- */

void haw_implicit_momentum(haw_simulation *simulation, const double *u, double *jump)
{
    const haw_model *model = &simulation->model;
    const haw_implicit *implicit = simulation->implicit;
    const double h = simulation->h;
    if (!haw_model_is_gyroscopic(model)) {
        haw_model_mass(model, jump, implicit->mass_work);
        return;
    }
    for (int i = 0; i < model->dofs; i++) {
        jump[i] /= h;
    }
    haw_model_inertia(model, implicit->q, u, jump, implicit->mass_work);
    for (int i = 0; i < model->dofs; i++) {
        implicit->mass_work[i] *= h;
    }
}

double haw_implicit_mesh_work(const haw_implicit *implicit, const double *reaction,
                              const double *dq)
{
    const haw_model *model = implicit->system->model;
    double work = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const haw_dofs labels =
            cable->ops->labels != NULL ? cable->ops->labels(cable) : (haw_dofs){.count = 0};
        for (int k = 0; k < labels.count; k++) {
            const int dof = haw_dof_at(&labels, k);
            work += implicit->system->equation[dof] < 0 ? reaction[dof] * dq[dof] : 0;
        }
    }
    return work;
}

/* ---- forces and matrix ---- */

haw_status haw_implicit_create(haw_simulation *simulation, const bool *held)
{
    const haw_model *model = &simulation->model;
    haw_arena *arena = &simulation->arena;
    haw_implicit *implicit = haw_arena_allocate(arena, 1, sizeof *implicit);
    HAW_TRY(haw_arena_status(arena));
    double **const vector[] = {
        &implicit->u,         &implicit->a,         &implicit->acceleration,
        &implicit->residual,  &implicit->mass_work, &implicit->residual_before,
        &implicit->direction, &implicit->joint,     &implicit->joint_before};
    double **const q[] = {&implicit->q, &implicit->q_end}, **const x[] = {&implicit->x};
    simulation->implicit = implicit;
    implicit->factor_h = implicit->factor_rate = (double)NAN;
    HAW_TRY(haw_vectors_create(arena, model->coordinates, 2, q));
    HAW_TRY(haw_vectors_create(arena, model->dofs, 1, x));
    implicit->x = model->coordinates == model->dofs ? implicit->q : implicit->x;
    implicit->hold = haw_arena_allocate(arena, (size_t)model->joints, sizeof *implicit->hold);
    implicit->hold_before =
        haw_arena_allocate(arena, (size_t)model->joints, sizeof *implicit->hold_before);
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(haw_force_set_create(arena, model->dofs, &implicit->now));
    HAW_TRY(haw_force_set_create(arena, model->dofs, &implicit->before));
    HAW_TRY(haw_vectors_create(arena, model->dofs, sizeof vector / sizeof *vector, vector));
    for (int k = 0; k < HAW_UPDATES; k++) {
        double **const pair[] = {&implicit->update[k][0], &implicit->update[k][1]};
        HAW_TRY(haw_vectors_create(arena, model->dofs, 2, pair));
    }
    HAW_TRY(haw_system_create(simulation->context, model, held, NULL, &implicit->system));
    implicit->is_exact =
        model->multipliers > 0 || haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC);
    for (size_t i = 0; i < haw_body_dofs(model) * (size_t)model->bodies; i++) {
        implicit->is_exact = implicit->is_exact || implicit->system->equation[i] >= 0;
    }
    return HAW_OK;
}

void haw_implicit_rest(haw_simulation *simulation)
{
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    memset(implicit->x, 0, (size_t)state->dofs * sizeof(double));
    memcpy(implicit->q, state->q, (size_t)state->coordinates * sizeof(double));
}

void haw_implicit_place(haw_simulation *simulation, double t)
{
    const haw_implicit *implicit = simulation->implicit;
    if (implicit->x != implicit->q) {
        haw_model_move(&simulation->model, simulation->state->q, 1, implicit->x, implicit->q);
    }
    haw_model_place(&simulation->model, t, implicit->q);
}

void haw_implicit_measure(haw_simulation *simulation)
{
    const haw_implicit *implicit = simulation->implicit;
    if (implicit->x != implicit->q) {
        haw_model_difference(&simulation->model, simulation->state->q, implicit->q, implicit->x);
    }
}

haw_status haw_implicit_forces(haw_simulation *simulation, double t, double part, const double *q,
                               const double *u, haw_force_set *set)
{
    if (simulation->implicit != NULL) { /* the matrix will be that of this evaluation */
        simulation->implicit->system->t = t;
        simulation->implicit->system->part = part;
    }
    set->t = t;
    set->part = part;
    return haw_forces_find(&simulation->model, simulation->compliant, q, u, set);
}

void haw_implicit_assemble(haw_simulation *simulation, const double *q, const double *u,
                           double mass, double rate)
{
    const haw_implicit *implicit = simulation->implicit;
    haw_forces_assemble(implicit->system, simulation->compliant, q, u, mass, rate);
    if (simulation->model.joints > 0) {
        haw_joints_add_columns(implicit->system, implicit->hold, rate > 0 ? rate : 1);
        haw_joints_add_rows(implicit->system, implicit->hold);
        haw_joints_add_stiffness(implicit->system, q, 1, u + haw_joints_dof(&simulation->model));
    }
}

haw_status haw_implicit_factor(haw_simulation *simulation, const double *q, const double *u,
                               double mass, double rate)
{
    haw_implicit *implicit = simulation->implicit;
    implicit->age = 0;
    implicit->updates = 0;
    implicit->factor_h = simulation->h;
    implicit->factor_rate = rate;
    simulation->certificate.factorizations++;
    haw_implicit_assemble(simulation, q, u, mass, rate);
    const haw_status status = haw_system_factor(implicit->system);
    if (status != HAW_OK) {
        implicit->factor_h = (double)NAN;
    }
    return status;
}

/* Of one kind. Equal parts and a part of zero take one sum. */
static double kind_work(int n, const double part[2], const double *before, const double *now,
                        const double *x)
{
    double sum = 0;
    if (part[0] == 0) {
        return part[1] * haw_dot(n, now, x);
    }
    if (part[0] != part[1]) {
        return part[0] * haw_dot(n, before, x) + part[1] * haw_dot(n, now, x);
    }
    for (int i = 0; i < n; i++) {
        sum += (before[i] + now[i]) * x[i];
    }
    return part[0] * sum;
}

haw_works haw_implicit_work(const haw_implicit *implicit, const double part[2], double scale,
                            const double *x)
{
    const haw_force_set *a = &implicit->before, *b = &implicit->now;
    const int n = implicit->system->model->dofs;
    const double elastic = kind_work(n, part, a->model.conservative, b->model.conservative, x);
    const double turning = kind_work(n, part, a->model.gyroscopic, b->model.gyroscopic, x);
    return (haw_works){
        .conservative = scale * elastic + scale * turning,
        .damping = scale * kind_work(n, part, a->model.damping, b->model.damping, x),
        .load = scale * kind_work(n, part, a->model.load, b->model.load, x),
        .normal = scale * kind_work(n, part, a->normal, b->normal, x),
        .tangential = scale * kind_work(n, part, a->tangential, b->tangential, x),
    };
}

void haw_implicit_turn_over(haw_implicit *implicit)
{
    const haw_force_set before = implicit->before;
    implicit->before = implicit->now;
    implicit->now = before;
}

void haw_implicit_carry(haw_implicit *implicit, haw_pack *pack)
{
    haw_force_set *before = &implicit->before;
    double *const vector[] = {before->model.conservative,
                              before->model.damping,
                              before->model.load,
                              before->model.gyroscopic,
                              before->normal,
                              before->tangential,
                              before->total,
                              implicit->residual_before,
                              implicit->joint_before};
    haw_pack_flag(pack, &implicit->is_current);
    HAW_PACK(pack, before->t);
    HAW_PACK(pack, before->part);
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        haw_pack_reals(pack, vector[i], implicit->system->model->dofs);
    }
}

/* ---- residual impulses ---- */

void haw_implicit_refer(haw_simulation *simulation, const haw_forces *force, const double *u,
                        double relative)
{
    const haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    const double h = simulation->h, *momentum = implicit->mass_work;
    memcpy(simulation->work[1], simulation->state->u, (size_t)n * sizeof(double));
    haw_implicit_momentum(simulation, u, simulation->work[1]);
    double square = h * h *
                    fmax(haw_dot(n, force->conservative, force->conservative),
                         haw_dot(n, force->load, force->load));
    square = fmax(square, haw_dot(n, momentum, momentum));
    square = fmax(square, haw_dot(n, simulation->push, simulation->push));
    simulation->balance.reference = fmax(sqrt(square), DBL_MIN);
    simulation->balance.tolerance =
        fmax(relative * simulation->balance.reference, 4 * h * implicit->noise);
}

static const double CLOSED = 1e-13; /* of the energy */

enum { CLOSINGS = 2 };

bool haw_implicit_closes(const haw_simulation *simulation, const double part[2], const double *u)
{
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs - simulation->model.multipliers;
    const double *before = simulation->state->u;
    double work = 0;
    for (int i = 0; i < n && implicit->is_exact; i++) {
        const bool is_free = implicit->system->equation[i] >= 0;
        work += is_free ? implicit->residual[i] * (part[0] * before[i] + part[1] * u[i]) : 0;
    }
    const double energy = simulation->kinetic + simulation->energy.elastic;
    implicit->leak = fabs(work);
    implicit->leak_most = CLOSED * energy;
    return implicit->leak <= implicit->leak_most || ++implicit->closings > CLOSINGS;
}

bool haw_implicit_refine(haw_simulation *simulation)
{
    const bool hard = haw_contacts_refine(simulation->contacts);
    const bool soft = simulation->compliant != NULL && haw_compliant_refine(simulation->compliant);
    return hard || soft;
}

/* Contacts miss their tolerance, and are as closed as the digits of positions allow: a shorter step
 * makes it worse. */
static bool is_rounding(const haw_simulation *simulation)
{
    const haw_report *report = &simulation->report;
    const double reach = haw_model_reach(&simulation->model, simulation->state->q);
    const double way = report->residual.stop * simulation->pass->reference * simulation->h;
    return report->residual.stop > report->tolerance && haw_implicit_balances(simulation) &&
           way <= 64 * DBL_EPSILON * reach;
}

const char *haw_implicit_or_halve(const haw_simulation *simulation)
{
    return simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE
               ? ""
               : " or solver.on_unconverged: halve";
}

haw_status haw_implicit_missed(const haw_simulation *simulation, const char *passes, int count)
{
    const haw_report *report = &simulation->report;
    const char *reason = simulation->implicit->reason;
    char advice[sizeof simulation->implicit->reason + 64];
    (void)snprintf(advice, sizeof advice, "%s%suse a smaller step%s", reason,
                   reason[0] != '\0' ? ", or " : "", haw_implicit_or_halve(simulation));
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s missed its tolerance after %d %s: residual impulse %.3g "
                    "N s (tolerance %.3g), residual of %d contacts %.3g (tolerance %.3g): %s",
                    simulation->state->step + 1, simulation->state->t, count, passes,
                    simulation->balance.norm, simulation->balance.tolerance,
                    simulation->contacts->count, report->residual.stop, report->tolerance,
                    is_rounding(simulation)
                        ? "positions have no more digits: use a larger solver.tolerance or step"
                        : advice);
}

void haw_implicit_mean(haw_simulation *simulation)
{
    for (int i = 0; i < simulation->model.dofs; i++) {
        simulation->u_mean[i] = 0.5 * (simulation->state->u[i] + simulation->u_plus[i]);
    }
}

double haw_implicit_react(haw_simulation *simulation)
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

/* ---- joints of steps on velocities ---- */

void haw_implicit_join(haw_simulation *simulation, double theta)
{
    haw_implicit *implicit = simulation->implicit;
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    const double h = simulation->h, *lambda = simulation->u_plus + haw_joints_dof(model);
    double *rate = simulation->work[0];
    if (model->joints == 0) {
        return;
    }
    for (int i = 0; i < model->dofs; i++) {
        rate[i] = (1 - theta) * state->u[i] + theta * simulation->u_plus[i];
    }
    haw_model_move(model, state->q, h, rate, implicit->q_end);
    haw_model_place(model, state->t + h, implicit->q_end);
    haw_joints_find(model, implicit->q_end, implicit->hold);
    memset(implicit->joint, 0, (size_t)model->dofs * sizeof(double));
    haw_joints_push(model, implicit->hold, h * theta, lambda, implicit->joint);
    haw_joints_push(model, implicit->hold_before, h * (1 - theta), lambda, implicit->joint);
    haw_model_tie(model, implicit->joint);
    haw_axpy(model->dofs, -1, implicit->joint, implicit->residual);
    haw_joints_gaps(model, implicit->hold, -theta * h, implicit->residual + haw_joints_dof(model));
}

void haw_implicit_join_matrix(haw_simulation *simulation, double theta)
{
    const haw_implicit *implicit = simulation->implicit;
    const haw_model *model = &simulation->model;
    const double rate = 1 / (theta * simulation->h);
    haw_joints_add_columns(implicit->system, implicit->hold, rate);
    haw_joints_add_columns(implicit->system, implicit->hold_before, rate * (1 - theta) / theta);
    haw_joints_add_rows(implicit->system, implicit->hold);
    haw_joints_add_stiffness(implicit->system, implicit->q_end, 1,
                             simulation->u_plus + haw_joints_dof(model));
}

/* ---- updates of a kept matrix ---- */

/*
 * Broyden's updates of the inverse of a matrix that is kept (C. G. Broyden, Math. Comp. 19 (1965)
 * 577-593; product form: C. T. Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995,
 * ch. 7). A point that changed its regime since the factorization changes the matrix by one or two
 * ranks, which a few iterations find. With s the last step, d = -B^-1 r before the update and
 * w = d / (s . s - s . d),
 *
 *     B+^-1 = (I + w s') B^-1,   -B+^-1 r = d + w (s . d).
 */

void haw_implicit_direct(haw_implicit *implicit, bool learns)
{
    const int n = implicit->system->model->dofs;
    const size_t bytes = (size_t)n * sizeof(double);
    double *d = implicit->direction;
    const bool room = learns && implicit->updates < HAW_UPDATES;
    double *s = room ? implicit->update[implicit->updates][1] : NULL;
    if (room) {
        memcpy(s, d, bytes);
    }
    for (int i = 0; i < n; i++) {
        d[i] = -implicit->residual[i];
    }
    haw_system_solve(implicit->system, d);
    for (int k = 0; k < implicit->updates; k++) {
        haw_axpy(n, haw_dot(n, implicit->update[k][1], d), implicit->update[k][0], d);
    }
    implicit->age++;
    if (!room) {
        return;
    }
    const double square = haw_dot(n, s, s), along = haw_dot(n, s, d);
    if (!(fabs(square - along) > 0.1 * square)) {
        return; /* an update that would be singular */
    }
    double *w = implicit->update[implicit->updates++][0];
    for (int i = 0; i < n; i++) {
        w[i] = d[i] / (square - along);
    }
    haw_axpy(n, along, w, d);
}
