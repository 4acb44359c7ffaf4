/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibrium with unilateral contact: a regularised Newton method on the energy,
 *
 *     (K+ + M / h^2) dq = f(q) + W_N F,   0 <= g + W_N' dq,  F >= 0,  F (g + W_N' dq) = 0,
 *
 * K+ the tangent with max(N, 0) in its geometric part. The matrix is h^-2 times the effective mass
 * of an implicit step, so factorization, rows and contact solver are those of the dynamics; h grows
 * with success and the method becomes Newton's. Steps are shortened until the merit function
 * V + rho sum max(0, -g) falls (Nocedal, Wright: Numerical Optimization, 2006, ch. 18).
 */
#include "stepper/simulation.h"
#include "stepper/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SHORTENINGS = 30 };

static const double OVERLAP = 1e-10; /* penetration over the length of the cable */

typedef struct newton {
    haw_simulation *simulation;
    const haw_static_settings *settings;
    haw_inertia *inertia;
    haw_solver_settings solver; /* sharp: Newton needs exact contact forces */
    double h;                   /* pseudo-time step [s] */
    double residual;            /* largest unbalanced force over the scale */
    double overlap;             /* largest penetration over the cable length */
    double penalty;             /* rho of the merit function [N] */
} newton;

/* Largest axial force or weight of a cable: what residual forces are compared with [N]. */
static double force_scale(const haw_simulation *simulation)
{
    double scale = DBL_MIN;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const haw_line *line = &cable->line;
        scale = fmax(scale, 1e-9 * line->stiffness); /* an unloaded cable */
        const double weight =
            line->density * line->le * line->elements * hypot(line->gravity[0], line->gravity[1]);
        const double tension = fabs(haw_cable_tension_mean(cable, simulation->state->q));
        scale = fmax(scale, fmax(weight, tension));
    }
    return scale;
}

/*
 * Strains carry rounding errors of a few epsilon, axial forces EA times as much: no residual can be
 * asked to be smaller than that.
 */
static double attainable(const haw_simulation *simulation, double tolerance)
{
    double stiffness = 0;
    for (int i = 0; i < simulation->model.cables; i++) {
        stiffness = fmax(stiffness, simulation->model.cable[i].line.stiffness);
    }
    return fmax(tolerance, 64 * DBL_EPSILON * stiffness / force_scale(simulation));
}

static double length_scale(const haw_simulation *simulation)
{
    double length = DBL_MIN;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_line *line = &simulation->model.cable[i].line;
        length = fmax(length, line->le * line->elements);
    }
    return length;
}

/*
 * The largest unbalanced force of a translation. Handles and angles are excluded where their unit
 * is not that of a force: they are balanced to the same relative accuracy by the same solve.
 */
static double largest(const haw_model *model, const double *f)
{
    double most = 0;
    for (int i = 3 * model->bodies; i < model->dofs; i++) {
        most = fmax(most, fabs(f[i]));
    }
    return most;
}

static double overlap(const haw_contacts *contacts, double *sum)
{
    double most = 0;
    *sum = 0;
    for (int i = 0; i < contacts->count; i++) {
        const double depth = fmax(0, -contacts->item[i].gap);
        most = fmax(most, depth);
        *sum += depth;
    }
    return most;
}

static haw_status detect(newton *n, const double *q)
{
    return haw_contacts_detect(n->simulation->contacts, q, n->simulation->state->u, 0);
}

/* Contact forces of the linearised problem, warm started with those of the iteration before, into
 * contacts->impulse as impulses of the step h. */
static haw_status solve_contacts(newton *n)
{
    haw_simulation *simulation = n->simulation;
    haw_contacts *contacts = simulation->contacts;
    if (contacts->count == 0) {
        return HAW_OK;
    }
    memset(contacts->gamma_minus, 0, 2 * (size_t)contacts->count * sizeof(double));
    HAW_TRY(haw_contacts_assemble(contacts, n->inertia, simulation->u_free));
    for (int i = 0; i < contacts->count; i++) {
        contacts->problem.mu[i] = 0;
        contacts->problem.q[2 * i] += contacts->item[i].gap / n->h;
        contacts->problem.q[2 * i + 1] = 0;
    }
    for (int i = 0; i < contacts->count; i++) {
        contacts->impulse[2 * i] = n->h * simulation->state->impulse[2 * contacts->item[i].id];
        contacts->impulse[2 * i + 1] = 0;
    }
    HAW_TRY(haw_solve(&contacts->problem, &n->solver, simulation->workspace, contacts->impulse,
                      contacts->gamma_plus, &simulation->report));
    memset(simulation->state->impulse, 0, (size_t)simulation->state->rows * sizeof(double));
    for (int i = 0; i < contacts->count; i++) {
        simulation->state->impulse[2 * contacts->item[i].id] = contacts->impulse[2 * i] / n->h;
    }
    return HAW_OK;
}

/* dq into simulation->u_plus; ERR_SINGULAR asks for a smaller h. */
static haw_status direction(newton *n)
{
    haw_simulation *simulation = n->simulation;
    const int dofs = simulation->model.dofs;
    HAW_TRY(haw_inertia_set(n->inertia, n->h, 1));
    memset(n->inertia->body_inverse, 0, 3 * (size_t)simulation->model.bodies * sizeof(double));
    HAW_TRY(haw_inertia_update(n->inertia, simulation->state->q));
    for (int i = 0; i < dofs; i++) {
        simulation->u_free[i] = n->h * simulation->force[i];
    }
    haw_inertia_solve(n->inertia, simulation->u_free);
    HAW_TRY(solve_contacts(n));
    memset(simulation->push, 0, (size_t)dofs * sizeof(double));
    haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, simulation->push);
    memcpy(simulation->work[0], simulation->push, (size_t)dofs * sizeof(double));
    haw_inertia_solve(n->inertia, simulation->work[0]);
    for (int i = 0; i < dofs; i++) {
        simulation->u_plus[i] = n->h * (simulation->u_free[i] + simulation->work[0][i]);
    }
    return HAW_OK;
}

/* Merit V + rho sum of penetrations at q; also leaves contacts and forces of q behind. */
static haw_status merit(newton *n, const double *q, double *value)
{
    haw_simulation *simulation = n->simulation;
    const haw_energy energy = haw_model_energy(&simulation->model, q);
    double sum;
    HAW_TRY(detect(n, q));
    overlap(simulation->contacts, &sum);
    *value = energy.elastic + energy.gravity + n->penalty * sum;
    return HAW_OK;
}

/* Unbalanced force at the state with the contact forces F = impulse / h of the last direction. */
static void balance(newton *n)
{
    haw_simulation *simulation = n->simulation;
    const haw_model *model = &simulation->model;
    double sum;
    haw_model_force(model, simulation->state->q, simulation->force);
    memcpy(simulation->work[0], simulation->force, (size_t)model->dofs * sizeof(double));
    haw_axpy(model->dofs, 1 / n->h, simulation->push, simulation->work[0]);
    haw_model_hold(model, simulation->work[0]);
    n->residual = largest(model, simulation->work[0]) / force_scale(simulation);
    n->overlap = overlap(simulation->contacts, &sum) / length_scale(simulation);
}

static double largest_force(const newton *n)
{
    const haw_contacts *contacts = n->simulation->contacts;
    double most = 0;
    for (int i = 0; i < contacts->count; i++) {
        most = fmax(most, contacts->impulse[2 * i] / n->h);
    }
    return most;
}

/* Move by alpha dq, alpha = 1, 1/2, ...; returns the accepted alpha, 0 if the merit never fell. */
static haw_status search(newton *n, double *alpha)
{
    haw_simulation *simulation = n->simulation;
    const int dofs = simulation->model.dofs;
    double before, after;
    n->penalty = fmax(n->penalty, 2 * largest_force(n));
    double *trial = simulation->q_mid;
    const double slope = haw_dot(dofs, simulation->force, simulation->u_plus);
    HAW_TRY(merit(n, simulation->state->q, &before));
    const double noise = 1e-13 * fabs(before);
    for (int k = 0; k < SHORTENINGS; k++) {
        *alpha = ldexp(1, -k);
        for (int i = 0; i < dofs; i++) {
            trial[i] = simulation->state->q[i] + *alpha * simulation->u_plus[i];
        }
        HAW_TRY(merit(n, trial, &after));
        if (after <= before - 1e-4 * *alpha * fmax(slope, 0) + noise) {
            memcpy(simulation->state->q, trial, (size_t)dofs * sizeof(double));
            return HAW_OK;
        }
    }
    *alpha = 0;
    return HAW_OK;
}

static void adapt(newton *n, double alpha)
{
    if (alpha == 1) {
        n->h = fmin(n->h * 8, 1e8);
    } else if (alpha < 0.25) {
        n->h *= 0.25;
    }
}

static haw_status iterate(newton *n, bool *done)
{
    double alpha = 0;
    HAW_TRY(detect(n, n->simulation->state->q));
    const haw_status status = direction(n);
    if (status == HAW_ERR_SINGULAR) {
        n->h *= 0.1;
        return HAW_OK;
    }
    HAW_TRY(status);
    const double residual = n->residual;
    HAW_TRY(search(n, &alpha));
    balance(n);
    adapt(n, alpha);
    const double tolerance = attainable(n->simulation, n->settings->tolerance);
    *done = n->residual <= tolerance && n->overlap <= OVERLAP && alpha == 1 &&
            (n->simulation->contacts->count == 0 || n->residual >= 0.5 * residual ||
             n->residual <= 1e-2 * tolerance);
    return HAW_OK;
}

/* Contact forces of the equilibrium itself; the trial steps of the search moved the points. */
static haw_status keep_forces(newton *n)
{
    haw_contacts *contacts = n->simulation->contacts;
    HAW_TRY(detect(n, n->simulation->state->q));
    HAW_TRY(direction(n));
    if (contacts->count > 0 && n->simulation->report.outcome == HAW_NOT_FINITE) {
        return haw_fail(n->simulation->context, HAW_ERR_UNCONVERGED,
                        "the contact forces of the equilibrium are not finite");
    }
    contacts->phase = HAW_STATICS;
    for (int i = 0; i < 2 * contacts->count; i++) {
        contacts->force[i] = contacts->impulse[i] / n->h;
    }
    memset(n->simulation->state->impulse, 0, (size_t)n->simulation->state->rows * sizeof(double));
    return HAW_OK;
}

static haw_status run(newton *n)
{
    haw_simulation *simulation = n->simulation;
    bool done = false;
    haw_model_force(&simulation->model, simulation->state->q, simulation->force);
    memset(simulation->push, 0, (size_t)simulation->model.dofs * sizeof(double));
    n->residual = (double)INFINITY;
    int k = 0;
    for (; k < n->settings->max_iterations && !done; k++) {
        HAW_TRY(iterate(n, &done));
    }
    simulation->certificate.iterations_total += k;
    simulation->last_residual = n->residual;
    if (!done) {
        return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                        "no equilibrium after %d Newton iterations: residual force %.3g of the "
                        "force scale, penetration %.3g of the length (tolerance %g)",
                        k, n->residual, n->overlap, n->settings->tolerance);
    }
    HAW_TRY(haw_guard_handles(simulation, simulation->state->q));
    return keep_forces(n);
}

haw_status haw_static_solve(haw_simulation *simulation, const haw_static_settings *settings)
{
    const double critical = haw_model_critical_step(&simulation->model);
    if (isinf(critical)) {
        return HAW_OK; /* bodies alone are held */
    }
    newton n = {.simulation = simulation, .settings = settings, .h = 100 * critical};
    HAW_TRY(haw_solver_settings_init(simulation->context, "auto", &n.solver));
    haw_solver_common *common = (void *)n.solver.options;
    common->tolerance = 1e-13;
    common->max_iterations = 100000;
    simulation->contacts->margin = 1e-6 * length_scale(simulation);
    haw_status status = haw_inertia_create(simulation->context, &simulation->model, &n.inertia);
    if (status == HAW_OK) {
        status = run(&n);
        haw_inertia_free(n.inertia);
    }
    simulation->contacts->margin = 0;
    return status;
}
