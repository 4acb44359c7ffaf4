/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solution of the contact problem of a linearised step of moreau-jean: in the band of the
 * mechanics, and in its global form by the solver of the run.
 */
#include "solver/band_newton.h"
#include "stepper/contact_rows.h"
#include "stepper/moreau_jean.h"

#include <string.h>

/* Than the tolerance, in the band: the referee's weights are others. */
static const double SHARPER = 0.3;

void haw_jean_set_velocities(haw_jean_step *step)
{
    const haw_contacts *contacts = step->simulation->contacts;
    haw_contacts_velocity(contacts, step->simulation->u_plus, step->jean->global.w);
    for (int i = 0; i < 2 * contacts->count; i++) {
        step->jean->global.w[i] += step->jean->shift[i];
    }
}

void haw_jean_push(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    memset(simulation->push, 0, (size_t)simulation->model.dofs * sizeof(double));
    haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, simulation->push);
    haw_model_tie(&simulation->model, simulation->push);
}

/* Of the matrix in units of mass over its entries. */
static double mass_scale(const haw_jean_step *step)
{
    return step->theta * step->h * step->theta * step->h;
}

static void set_right(const haw_jean_step *step, const double *right)
{
    const haw_system *system = step->simulation->implicit->system;
    for (int i = 0; i < system->equations; i++) {
        step->jean->global.f[i] = right[system->dof[i]];
    }
}

/* Weights of points are kept as long as the step is: only their order of magnitude matters. */
static double *recall_weights(const haw_jean_step *step)
{
    const haw_contacts *contacts = step->simulation->contacts;
    haw_jean *jean = step->jean;
    double *weight = haw_arena_allocate(&jean->arena, (size_t)contacts->count, sizeof(double));
    if (jean->weight_h != step->h) {
        memset(jean->weight, 0, (size_t)step->simulation->model.points * sizeof(double));
        jean->weight_h = step->h;
    }
    for (int i = 0; weight != NULL && i < contacts->count; i++) {
        weight[i] = jean->weight[contacts->item[i].id];
    }
    return weight;
}

/* What a solved problem leaves: weights, velocities without contact, v over all dofs. */
static void spread(const haw_jean_step *step, const double *weight, double *v)
{
    haw_simulation *simulation = step->simulation;
    const haw_contacts *contacts = simulation->contacts;
    haw_jean *jean = step->jean;
    const int *equation = simulation->implicit->system->equation;
    for (int i = 0; i < contacts->count; i++) {
        jean->weight[contacts->item[i].id] = weight[i];
    }
    haw_axpy(2 * contacts->count, -1, jean->shift, contacts->gamma_free);
    for (int i = 0; i < simulation->model.dofs; i++) {
        v[i] = equation[i] >= 0 ? jean->unknown[equation[i]] : 0;
    }
}

haw_status haw_jean_newton(haw_jean_step *step, const double *right, double *v, bool *met)
{
    haw_simulation *simulation = step->simulation;
    const haw_system *system = simulation->implicit->system;
    const haw_contacts *contacts = simulation->contacts;
    haw_jean *jean = step->jean;
    haw_band_result result;
    haw_solver_common common;
    const haw_arena_mark mark = haw_arena_here(&jean->arena);
    double *weight = recall_weights(step);
    if (weight == NULL) {
        return HAW_ERR_NOMEM;
    }
    set_right(step, right);
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    const haw_band_problem problem = {
        .matrix = system->matrix,
        .scale = mass_scale(step),
        .is_factored = true,
        .dimension = 2,
        .contacts = contacts->count,
        .ht = &jean->global.ht,
        .f = jean->global.f,
        .w = jean->global.w,
        .mu = contacts->problem.mu,
        .weight = weight,
        .speed = contacts->problem.scale,
        .tolerance = SHARPER * common.tolerance,
        .free = contacts->gamma_free,
    };
    const haw_status status = haw_band_newton(&problem, &jean->arena, contacts->impulse,
                                              jean->unknown, jean->velocity, &result);
    *met = result.met;
    simulation->report.iterations += result.iterations;
    simulation->certificate.factorizations += result.factorizations;
    if (status == HAW_OK) {
        spread(step, weight, v);
    }
    haw_arena_rewind(&jean->arena, &mark);
    return status;
}

haw_status haw_jean_solve_contacts(haw_jean_step *step, const double *right)
{
    haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    const int before = simulation->report.iterations;
    const haw_arena_mark mark = haw_arena_here(&step->jean->arena);
    haw_jean_set_velocities(step);
    set_right(step, right);
    haw_status status = haw_contact_matrix(simulation->implicit->system, mass_scale(step),
                                           &step->jean->arena, &step->jean->global.m);
    if (status == HAW_OK) {
        status = haw_solve(&contacts->problem, &simulation->settings.solver, simulation->workspace,
                           contacts->impulse, step->jean->velocity, &simulation->report);
    }
    haw_arena_rewind(&step->jean->arena, &mark);
    simulation->report.iterations += before;
    return status;
}
