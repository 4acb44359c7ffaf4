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
#include "linalg/vector.h"
#include "statics/statics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SHORTENINGS = 30 };

static const double OVERLAP = 1e-10;   /* penetration over the length of the cable */
static const double MOST_NOISE = 1e-6; /* of the force scale */
static const double UNLOADED = 1e-6;   /* most strain that rounding may make of no load */

typedef struct newton {
    haw_statics *statics;
    const haw_static_settings *settings;
    haw_inertia *inertia;
    double *u_free;             /* [dofs] of the linearised problem */
    double *step;               /* [dofs] dq */
    double *push;               /* [dofs] H Lambda */
    double *trial;              /* [dofs] coordinates */
    double *work;               /* [dofs] */
    haw_solver_settings solver; /* sharp: Newton needs exact contact forces */
    double h;                   /* pseudo-time step [s] */
    double residual;            /* largest unbalanced force over the scale */
    double overlap;             /* largest penetration over the cable length */
    double penalty;             /* rho of the merit function [N] */
} newton;

/* Largest axial force or weight of a cable, or, of those that bear nothing, what rounding makes:
 * what residual forces are compared with [N]. */
static double force_scale(const haw_statics *statics)
{
    const double noise = haw_forces_noise_largest(statics->model, statics->state->q) / MOST_NOISE;
    double scale = DBL_MIN;
    for (int i = 0; i < statics->model->cables; i++) {
        const haw_cable *cable = &statics->model->cable[i];
        const haw_line *line = &cable->line;
        /* an unloaded cable; of one that is far away rounding is no measure */
        const double least = fmin(noise, UNLOADED * line->stiffness);
        scale = fmax(scale, fmax(least, 1e-9 * line->stiffness));
        const double weight =
            line->density * line->le * line->elements * hypot(line->gravity[0], line->gravity[1]);
        const double tension = fabs(haw_cable_tension_mean(cable, statics->state->q));
        scale = fmax(scale, fmax(weight, tension));
    }
    return scale;
}

/* No residual can be asked to be smaller than the rounding of the forces. */
static double attainable(const haw_statics *statics, double tolerance)
{
    const double noise = haw_forces_noise_largest(statics->model, statics->state->q);
    return fmax(tolerance, fmin(noise / force_scale(statics), MOST_NOISE));
}

static double length_scale(const haw_statics *statics)
{
    double length = DBL_MIN;
    for (int i = 0; i < statics->model->cables; i++) {
        const haw_line *line = &statics->model->cable[i].line;
        length = fmax(length, line->le * line->elements);
    }
    return length;
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

/* Of cables alone: bodies, which are held, have nothing to give where they touch each other. */
static haw_status detect(newton *n, const double *q)
{
    const haw_pair *pair = n->statics->model->pair;
    haw_contacts *contacts = n->statics->contacts;
    int kept = 0;
    HAW_TRY(haw_contacts_detect(contacts, q, n->statics->state->u, 0));
    for (int i = 0; i < contacts->count; i++) {
        contacts->item[kept] = contacts->item[i];
        kept += pair[contacts->item[i].pair].cable >= 0;
    }
    contacts->count = kept;
    return HAW_OK;
}

/* Contact forces of the linearised problem, warm started with those of the iteration before, into
 * contacts->impulse as impulses of the step h. */
static haw_status solve_contacts(newton *n)
{
    haw_statics *statics = n->statics;
    haw_contacts *contacts = statics->contacts;
    if (contacts->count == 0) {
        return HAW_OK;
    }
    memset(contacts->gamma_minus, 0, 2 * (size_t)contacts->count * sizeof(double));
    HAW_TRY(haw_contacts_assemble(contacts, n->inertia, NULL, n->u_free));
    for (int i = 0; i < contacts->count; i++) {
        contacts->problem.mu[i] = 0;
        contacts->problem.q[2 * i] += contacts->item[i].gap / n->h;
        contacts->problem.q[2 * i + 1] = 0;
        contacts->impulse[2 * i] = n->h * statics->state->impulse[2 * contacts->item[i].id];
        contacts->impulse[2 * i + 1] = 0;
    }
    HAW_TRY(haw_solve(&contacts->problem, &n->solver, statics->workspace, contacts->impulse,
                      contacts->gamma_plus, statics->report));
    memset(statics->state->impulse, 0, (size_t)statics->state->rows * sizeof(double));
    for (int i = 0; i < contacts->count; i++) {
        statics->state->impulse[2 * contacts->item[i].id] = contacts->impulse[2 * i] / n->h;
    }
    return HAW_OK;
}

/* dq into n->step; ERR_SINGULAR asks for a smaller h. */
static haw_status direction(newton *n)
{
    haw_statics *statics = n->statics;
    const int dofs = statics->model->dofs;
    HAW_TRY(haw_inertia_set(n->inertia, n->h, 1));
    memset(n->inertia->body_inverse, 0,
           haw_body_dofs(statics->model) * (size_t)statics->model->bodies * sizeof(double));
    ++*statics->factorizations;
    HAW_TRY(haw_inertia_update(n->inertia, statics->state->q));
    for (int i = 0; i < dofs; i++) {
        n->u_free[i] = n->h * statics->force[i];
    }
    haw_inertia_solve(n->inertia, n->u_free);
    HAW_TRY(solve_contacts(n));
    memset(n->push, 0, (size_t)dofs * sizeof(double));
    haw_contacts_apply(statics->contacts, statics->contacts->impulse, n->push);
    memcpy(n->work, n->push, (size_t)dofs * sizeof(double));
    haw_inertia_solve(n->inertia, n->work);
    for (int i = 0; i < dofs; i++) {
        n->step[i] = n->h * (n->u_free[i] + n->work[i]);
    }
    return HAW_OK;
}

/* Merit V + rho sum of penetrations at q; also leaves contacts and forces of q behind. */
static haw_status merit(newton *n, const double *q, double *value)
{
    haw_statics *statics = n->statics;
    const haw_energy energy = haw_model_energy(statics->model, q);
    double sum;
    HAW_TRY(detect(n, q));
    overlap(statics->contacts, &sum);
    *value = energy.elastic + energy.gravity + n->penalty * sum;
    return HAW_OK;
}

/* Unbalanced force at the state with the contact forces F = impulse / h of the last direction. */
static void balance(newton *n)
{
    haw_statics *statics = n->statics;
    const haw_model *model = statics->model;
    double sum;
    haw_model_force(model, statics->state->q, statics->force);
    haw_model_tie(model, statics->force);
    memcpy(n->work, statics->force, (size_t)model->dofs * sizeof(double));
    haw_axpy(model->dofs, 1 / n->h, n->push, n->work);
    haw_model_tie(model, n->work);
    haw_model_hold(model, n->work);
    /* Of translations. Handles and angles are excluded where their unit is not that of a force:
     * they are balanced to the same relative accuracy by the same solve. */
    const int bodies = 3 * model->bodies;
    n->residual = haw_largest(model->dofs - bodies, n->work + bodies) / force_scale(statics);
    n->overlap = overlap(statics->contacts, &sum) / length_scale(statics);
}

/* Move by alpha dq, alpha = 1, 1/2, ...; returns the accepted alpha, 0 if the merit never fell. */
static haw_status search(newton *n, double *alpha)
{
    haw_statics *statics = n->statics;
    const int dofs = statics->model->dofs;
    double before, after;
    for (int i = 0; i < statics->contacts->count; i++) {
        n->penalty = fmax(n->penalty, 2 * (statics->contacts->impulse[2 * i] / n->h));
    }
    double *trial = n->trial;
    const double slope = haw_dot(dofs, statics->force, n->step);
    HAW_TRY(merit(n, statics->state->q, &before));
    const double noise = 1e-13 * fabs(before);
    for (int k = 0; k < SHORTENINGS; k++) {
        *alpha = ldexp(1, -k);
        for (int i = 0; i < dofs; i++) {
            trial[i] = statics->state->q[i] + *alpha * n->step[i];
        }
        HAW_TRY(merit(n, trial, &after));
        if (after <= before - 1e-4 * *alpha * fmax(slope, 0) + noise) {
            memcpy(statics->state->q, trial, (size_t)dofs * sizeof(double));
            return HAW_OK;
        }
    }
    *alpha = 0;
    return HAW_OK;
}

static haw_status iterate(newton *n, bool *done)
{
    double alpha = 0;
    HAW_TRY(detect(n, n->statics->state->q));
    const haw_status status = direction(n);
    if (status == HAW_ERR_SINGULAR) {
        n->h *= 0.1;
        return HAW_OK;
    }
    HAW_TRY(status);
    const double residual = n->residual;
    HAW_TRY(search(n, &alpha));
    balance(n);
    if (alpha == 1) {
        n->h = fmin(n->h * 8, 1e8);
    } else if (alpha < 0.25) {
        n->h *= 0.25;
    }
    const double tolerance = attainable(n->statics, n->settings->tolerance);
    const bool is_free = n->statics->contacts->count == 0;
    /* where nothing bears anything the energy falls no further than its rounding */
    *done = n->residual <= tolerance && n->overlap <= OVERLAP &&
            (alpha == 1 || (alpha == 0 && is_free)) &&
            (is_free || n->residual >= 0.5 * residual || n->residual <= 1e-2 * tolerance);
    return HAW_OK;
}

/* Contact forces of the equilibrium itself; the trial steps of the search moved the points. */
static haw_status keep_forces(newton *n)
{
    haw_contacts *contacts = n->statics->contacts;
    HAW_TRY(detect(n, n->statics->state->q));
    HAW_TRY(direction(n));
    if (contacts->count > 0 && n->statics->report->outcome == HAW_NOT_FINITE) {
        return haw_fail(n->statics->context, HAW_ERR_UNCONVERGED,
                        "the contact forces of the equilibrium are not finite");
    }
    contacts->phase = HAW_STATICS;
    for (int i = 0; i < 2 * contacts->count; i++) {
        contacts->force[i] = contacts->impulse[i] / n->h;
    }
    n->statics->report->residual.cone /= n->h;
    memset(n->statics->state->impulse, 0, (size_t)n->statics->state->rows * sizeof(double));
    return HAW_OK;
}

static haw_status run(newton *n)
{
    haw_statics *statics = n->statics;
    bool done = false;
    haw_model_force(statics->model, statics->state->q, statics->force);
    memset(n->push, 0, (size_t)statics->model->dofs * sizeof(double));
    n->residual = (double)INFINITY;
    int k = 0;
    for (; k < n->settings->max_iterations && !done; k++) {
        HAW_TRY(haw_context_goes_on(statics->context));
        HAW_TRY(iterate(n, &done));
    }
    *statics->iterations += k;
    *statics->residual = n->residual;
    if (!done) {
        return haw_fail(statics->context, HAW_ERR_UNCONVERGED,
                        "no equilibrium after %d Newton iterations: residual force %.3g of the "
                        "force scale, penetration %.3g of the length (tolerance %g)",
                        k, n->residual, n->overlap, n->settings->tolerance);
    }
    return keep_forces(n);
}

static haw_status prepare(newton *n)
{
    haw_statics *statics = n->statics;
    double **const vector[] = {&n->u_free, &n->step, &n->push, &n->trial, &n->work};
    HAW_TRY(haw_vectors_create(statics->arena, statics->model->dofs, sizeof vector / sizeof *vector,
                               vector));
    HAW_TRY(haw_solver_settings_init(statics->context, "auto", &n->solver));
    haw_solver_common *common = (void *)n->solver.options;
    common->tolerance = 1e-13;
    common->max_iterations = 100000;
    return haw_inertia_create(statics->context, statics->model, &n->inertia);
}

haw_status haw_frictionless_solve(haw_statics *statics, const haw_static_settings *settings)
{
    const double critical = haw_model_undamped_step(statics->model);
    if (isinf(critical)) {
        return HAW_OK; /* bodies alone are held */
    }
    const haw_arena_mark mark = haw_arena_here(statics->arena);
    newton n = {.statics = statics, .settings = settings, .h = 100 * critical};
    haw_status status = prepare(&n);
    if (status == HAW_OK) {
        statics->contacts->margin = 1e-6 * length_scale(statics);
        status = run(&n);
        statics->contacts->margin = 0;
        haw_inertia_free(n.inertia);
    }
    haw_arena_rewind(statics->arena, &mark);
    return status;
}
