/* SPDX-License-Identifier: BSD-3-Clause */
/* Solve the contact problem of a step, keep its impulses, book what it achieved. */
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>

haw_status haw_step_contacts(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    const haw_state *state = simulation->state;
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    const haw_status found =
        haw_contacts_detect(contacts, simulation->q_mid, state->u, simulation->h);
    if (found != HAW_OK) {
        contacts->count = 0;
        return found;
    }
    if (contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(haw_workspace_reserve(simulation->workspace, contacts->capacity));
    for (int i = 0; i < contacts->count; i++) {
        memcpy(contacts->impulse + 2 * i, state->impulse + 2 * contacts->item[i].id,
               2 * sizeof(double));
    }
    haw_contacts_velocity(contacts, state->u, contacts->gamma_minus);
    haw_contacts_assemble(contacts, simulation->inertia, simulation->u_free);
    return haw_solve(&contacts->problem, &simulation->settings.solver, simulation->workspace,
                     contacts->impulse, contacts->gamma_plus, &simulation->report);
}

/* What the referee found, of accepted and of missed steps alike. */
static void book_residual(haw_simulation *simulation)
{
    const haw_residual *residual = &simulation->report.residual;
    haw_certificate *certificate = &simulation->certificate;
    certificate->residual_max = fmax(certificate->residual_max, residual->natural);
    certificate->relative_max = fmax(certificate->relative_max, residual->relative);
    certificate->cone_max = fmax(certificate->cone_max, residual->cone);
    certificate->complementarity_max =
        fmax(certificate->complementarity_max, residual->complementarity);
    certificate->iterations_total += simulation->report.iterations;
}

haw_status haw_step_missed(haw_simulation *simulation)
{
    const haw_report *report = &simulation->report;
    simulation->certificate.unconverged_steps++;
    book_residual(simulation);
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s missed its tolerance: residual %.3g > %.3g after %d "
                    "iterations of %s with %d closed points",
                    simulation->state->step + 1, simulation->state->t, report->residual.stop,
                    report->tolerance, report->iterations,
                    simulation->settings.solver.ops->row.name, simulation->contacts->count);
}

haw_status haw_step_reserve_closed(haw_simulation *simulation, int count)
{
    if (count <= simulation->closed_capacity) {
        return HAW_OK;
    }
    const int room = simulation->contacts->capacity, capacity = count > room ? count : room;
    int *closed = haw_allocate(simulation->context, (size_t)capacity, sizeof *closed);
    if (closed == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (simulation->closed_count > 0) {
        memcpy(closed, simulation->closed, (size_t)simulation->closed_count * sizeof *closed);
    }
    haw_release(simulation->context, simulation->closed);
    simulation->closed = closed;
    simulation->closed_capacity = capacity;
    return HAW_OK;
}

haw_status haw_step_keep_impulses(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const ptrdiff_t d = contacts->dimension;
    double *impulse = simulation->state->impulse;
    HAW_TRY(haw_step_reserve_closed(simulation, contacts->count));
    for (int i = 0; i < simulation->closed_count; i++) {
        memset(impulse + d * simulation->closed[i], 0, (size_t)d * sizeof(double));
    }
    for (int i = 0; i < contacts->count; i++) {
        const int id = contacts->item[i].id;
        memcpy(impulse + d * id, contacts->impulse + d * i, (size_t)d * sizeof(double));
        simulation->closed[i] = id;
    }
    simulation->closed_count = contacts->count;
    return HAW_OK;
}

haw_status haw_step_keep_compliant(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    haw_certificate *certificate = &simulation->certificate;
    if (simulation->compliant == NULL) {
        return HAW_OK;
    }
    HAW_TRY(haw_compliant_commit(simulation->compliant, simulation->state, contacts));
    if (contacts->count > certificate->contacts_max) {
        certificate->contacts_max = contacts->count;
    }
    for (int i = 0; i < contacts->count; i++) {
        certificate->penetration_max = fmax(certificate->penetration_max, -contacts->item[i].gap);
    }
    return haw_step_keep_impulses(simulation);
}

haw_status haw_step_contact_energy(haw_simulation *simulation, double *energy)
{
    const haw_state *state = simulation->state;
    double *normal = simulation->work[0], *tangential = simulation->work[1];
    *energy = 0;
    if (simulation->compliant == NULL) {
        return HAW_OK;
    }
    haw_compliant_begin(simulation->compliant, state, HAW_STATICS, 0);
    memset(normal, 0, (size_t)state->dofs * sizeof *normal);
    memset(tangential, 0, (size_t)state->dofs * sizeof *tangential);
    HAW_TRY(haw_compliant_evaluate(simulation->compliant, state->q, state->u, normal, tangential));
    *energy = haw_compliant_energy(simulation->compliant);
    return HAW_OK;
}

void haw_step_contact_losses(const haw_simulation *simulation, double *friction, double *impact)
{
    const haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    *friction = *impact = 0;
    for (int i = 0; i < contacts->count; i++) {
        const ptrdiff_t at = (ptrdiff_t)d * i;
        const double *minus = contacts->gamma_minus + at, *plus = contacts->gamma_plus + at;
        const double *impulse = contacts->impulse + at;
        *impact -= 0.5 * (plus[0] + minus[0]) * impulse[0];
        for (int k = 1; k < d; k++) {
            *friction -= 0.5 * (plus[k] + minus[k]) * impulse[k];
        }
    }
}

/* sum (gamma_free + gamma+) Lambda / 2: never positive for e = 0, whatever constraints move. */
static double contact_work(const haw_contacts *contacts)
{
    double work = 0;
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        work += 0.5 * (contacts->gamma_free[i] + contacts->gamma_plus[i]) * contacts->impulse[i];
    }
    return work;
}

void haw_step_certify(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    haw_certificate *certificate = &simulation->certificate;
    simulation->last_residual = 0;
    if (contacts->count == 0) {
        return;
    }
    simulation->last_residual = simulation->report.residual.natural;
    book_residual(simulation);
    if (contacts->count > certificate->contacts_max) {
        certificate->contacts_max = contacts->count;
    }
    for (int i = 0; i < contacts->count; i++) {
        certificate->penetration_max = fmax(certificate->penetration_max, -contacts->item[i].gap);
    }
    simulation->ledger.contact_work_max =
        fmax(simulation->ledger.contact_work_max, contact_work(contacts));
}
