/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau's time-stepping (Moreau 1988; Studer 2009, ch. 4):
 *
 *     q_M = q + a h u,   M^ (u_free - u) = h f(q_M, u) - h alpha M u,
 *     u+  = u_free + M^^-1 H Lambda,   q+ = q + h ((1 - a) u + a u+)
 *
 * theta = 0: a = 1/2, M^ = (1 + alpha h / 2) M, the explicit midpoint. theta >= 1/2: a = theta and
 * M^ gains theta^2 h^2 K(q_M), one linearised implicit solve. Contacts are detected at q_M. Where
 * prescribed end velocities jump by d within the step, M^ d moves to the right-hand side. Given
 * forces, springs, dampers and compliant contact are forces at (t_M, q_M, u), explicit.
 */
#include "stepper/moreau.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const auto_step[] = {"auto", NULL};

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_moreau_options, common.step), (double)NAN, DBL_MIN,
     DBL_MAX, "s", "time step; auto: 0.8 of the critical step of the explicit midpoint", auto_step},
    {"end", HAW_OPTION_REAL, offsetof(haw_moreau_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    {"theta", HAW_OPTION_REAL, offsetof(haw_moreau_options, theta), 0, 0, 1, "",
     "0: explicit midpoint; 0.5 to 1: one linearised implicit solve with M + theta^2 h^2 K", NULL},
    {"gyro_iterations", HAW_OPTION_INT, offsetof(haw_moreau_options, gyro_iterations), 3, 0, 100,
     "", "iterations of velocity-dependent inertia forces (elements with a mass that depends on q)",
     NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

const haw_moreau_options *haw_moreau_get(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

/* Fraction of the step at which forces and contacts are evaluated. */
static double mid_fraction(const haw_simulation *simulation)
{
    const double theta = haw_moreau_get(simulation)->theta;
    return theta > 0 ? theta : 0.5;
}

/* auto: 0.8 h_crit, shortened so that the output interval is a whole number of steps. */
static haw_status choose_step(haw_simulation *simulation)
{
    const haw_moreau_options *o = haw_moreau_get(simulation);
    const double critical = haw_model_critical_step(&simulation->model);
    simulation->step = o->common.step;
    if (isnan(simulation->step)) {
        if (isinf(critical)) {
            return haw_fail(simulation->context, HAW_ERR_INPUT,
                            "stepper step: auto needs a cable; give a number");
        }
        const double every = fmin(simulation->settings.every, simulation->end);
        const double step = 0.8 * critical;
        simulation->step = every > step ? every / ceil(every / step * (1 - 1e-12)) : step;
    }
    if (o->theta == 0 && simulation->step > critical) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "step %g s is above the critical step %g s of the explicit midpoint: use "
                        "step: auto, fewer elements or theta: 0.55",
                        simulation->step, critical);
    }
    return HAW_OK;
}

static haw_status create_extra(haw_simulation *simulation)
{
    if (!haw_model_has_extra_forces(&simulation->model)) {
        return HAW_OK;
    }
    simulation->extra = haw_arena_allocate(&simulation->arena, 1, sizeof *simulation->extra);
    return simulation->extra == NULL
               ? HAW_ERR_NOMEM
               : haw_force_set_create(&simulation->arena, simulation->model.dofs,
                                      simulation->extra);
}

static haw_status prepare(haw_simulation *simulation)
{
    const haw_moreau_options *o = haw_moreau_get(simulation);
    HAW_TRY(create_extra(simulation));
    if (o->theta > 0 && o->theta < 0.5) {
        const haw_status status =
            haw_fail(simulation->context, HAW_ERR_INPUT,
                     "theta must be 0 (explicit midpoint) or between 0.5 and 1 (got %g)", o->theta);
        return haw_place(simulation->context, status, "stepper.theta");
    }
    simulation->end = o->common.end;
    return haw_place(simulation->context, choose_step(simulation), "stepper.step");
}

/*
 * y = M^ d of the jump d of prescribed end velocities in this step: moved to the right-hand side.
 * Returns false if nothing jumps.
 */
static bool prescribed_jump(haw_simulation *simulation, double *d, double *y)
{
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    bool jumps = false;
    if (!haw_moreau_has_moving_end(model)) {
        return false;
    }
    memset(d, 0, (size_t)model->dofs * sizeof *d);
    haw_model_prescribe(model, state->t + simulation->h, d);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int k = 0; k < 4; k++) {
            const int end = k / 2, dof = cable->first + cable->end_dof[end] + k % 2;
            if (cable->end_dof[end] >= 0) {
                d[dof] -= state->u[dof];
                jumps = jumps || d[dof] != 0;
            }
        }
    }
    memset(d, 0, 3 * (size_t)model->bodies * sizeof *d);
    if (jumps) {
        haw_inertia_mass(simulation->inertia, d, y);
        haw_moreau_damp(simulation, 0.5 * simulation->h, d, y);
    }
    return jumps;
}

/* u_free = u + M^^-1 (h f - h alpha M u) with the gyroscopic force at `u_gyro`. */
static void free_velocity(haw_simulation *simulation, const double *u_gyro)
{
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    const int n = model->dofs;
    double *x = simulation->u_free, *d = simulation->u_mean, *y = simulation->push;
    if (simulation->extra != NULL) {
        memcpy(simulation->force, simulation->extra->total, (size_t)n * sizeof(double));
    } else {
        haw_model_force(model, simulation->q_mid, simulation->force);
    }
    haw_model_gyroscopic(model, simulation->q_mid, u_gyro, simulation->force);
    for (int i = 0; i < n; i++) {
        x[i] = simulation->h * simulation->force[i];
    }
    haw_moreau_damp(simulation, -simulation->h, state->u, x);
    if (prescribed_jump(simulation, d, y)) {
        haw_axpy(n, -1, y, x);
        const double theta = haw_moreau_get(simulation)->theta;
        haw_inertia_stiffness(simulation->inertia, d, y);
        haw_axpy(n, -theta * theta * simulation->h * simulation->h, y, x);
    }
    haw_inertia_solve(simulation->inertia, x);
    haw_axpy(n, 1, state->u, x);
    haw_model_prescribe(model, state->t + simulation->h, x);
}

static haw_status update_inertia(haw_simulation *simulation)
{
    const haw_status status = haw_inertia_update(simulation->inertia, simulation->q_mid);
    if (status != HAW_ERR_SINGULAR) {
        return status;
    }
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "the effective mass is not positive definite in step %ld at t = %g s: use a "
                    "smaller step, or element: bezier",
                    simulation->state->step + 1, simulation->state->t);
}

/* Forces by kind, where not all are elastic or weight. What damps with the mass is taken out: it
 * acts at the mid velocity, with M^. */
static haw_status find_extra(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    haw_force_set *extra = simulation->extra;
    if (extra == NULL) {
        return HAW_OK;
    }
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, state, HAW_DYNAMICS, simulation->h);
    }
    const double t = state->t + mid_fraction(simulation) * simulation->h;
    HAW_TRY(haw_implicit_forces(simulation, t, 1, simulation->q_mid, state->u, extra));
    haw_moreau_damp(simulation, 1, state->u, extra->model.damping);
    haw_moreau_damp(simulation, 1, state->u, extra->total);
    return HAW_OK;
}

static haw_status free_motion(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    const double ahead = mid_fraction(simulation) * simulation->h;
    for (int i = 0; i < n; i++) {
        simulation->q_mid[i] = state->q[i] + ahead * state->u[i];
    }
    HAW_TRY(update_inertia(simulation));
    HAW_TRY(find_extra(simulation));
    free_velocity(simulation, state->u);
    const bool gyroscopic = haw_model_is_gyroscopic(&simulation->model);
    for (int k = 0; gyroscopic && k < haw_moreau_get(simulation)->gyro_iterations; k++) {
        for (int i = 0; i < n; i++) {
            simulation->u_plus[i] = 0.5 * (state->u[i] + simulation->u_free[i]);
        }
        free_velocity(simulation, simulation->u_plus);
    }
    return HAW_OK;
}

/* u+ and q+ into u_plus and work[0]. */
static void close_step(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    const double h = simulation->h, a = mid_fraction(simulation);
    double *u_plus = simulation->u_plus;
    memset(simulation->push, 0, (size_t)n * sizeof(double));
    memcpy(u_plus, simulation->u_free, (size_t)n * sizeof(double));
    if (simulation->contacts->count > 0) {
        haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, simulation->push);
        double *x = simulation->work[0];
        memcpy(x, simulation->push, (size_t)n * sizeof(double));
        haw_inertia_solve(simulation->inertia, x);
        haw_axpy(n, 1, x, u_plus);
        haw_contacts_velocity(simulation->contacts, u_plus, simulation->contacts->gamma_plus);
    }
    for (int i = 0; i < n; i++) {
        simulation->work[0][i] =
            simulation->q_mid[i] + h * ((1 - 2 * a) * state->u[i] + a * u_plus[i]);
        simulation->u_mean[i] = 0.5 * (state->u[i] + u_plus[i]);
    }
}

static haw_status check_finite(const haw_simulation *simulation, double total)
{
    if (isfinite(total)) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "the state is no longer finite in step %ld at t = %g s",
                    simulation->state->step + 1, simulation->state->t);
}

/* Between two sides that are both held no impulse changes anything: W_cc = 0 has no solution. */
static haw_status explain_not_finite(const haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_bsr *w = &contacts->problem.w;
    for (int i = 0; i < contacts->count; i++) {
        const double *block = w->value + 4 * (size_t)w->diagonal[i];
        if (block[0] + block[3] == 0) {
            return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                            "contact point %d at t = %g s lies between two sides that cannot move",
                            contacts->item[i].id, simulation->state->t);
        }
    }
    return check_finite(simulation, (double)NAN);
}

static haw_status accept(haw_simulation *simulation)
{
    haw_state *state = simulation->state;
    const double *q_plus = simulation->work[0];
    const haw_energy energy = haw_model_energy(&simulation->model, q_plus);
    const double kinetic = haw_model_kinetic(&simulation->model, q_plus, simulation->u_plus);
    HAW_TRY(check_finite(simulation, energy.elastic + energy.gravity + kinetic));
    HAW_TRY(haw_guard_handles(simulation, q_plus));
    HAW_TRY(haw_step_keep_impulses(simulation));
    haw_moreau_book(simulation, energy, kinetic);
    haw_step_certify(simulation);
    memcpy(state->q, q_plus, (size_t)state->dofs * sizeof(double));
    memcpy(state->u, simulation->u_plus, (size_t)state->dofs * sizeof(double));
    simulation->energy = energy;
    simulation->kinetic = kinetic;
    return haw_step_keep_compliant(simulation);
}

/* Compliant points are forces of the free motion already. */
static haw_status find_contacts(haw_simulation *simulation)
{
    if (simulation->compliant == NULL) {
        return haw_step_contacts(simulation);
    }
    simulation->contacts->count = 0;
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    return HAW_OK;
}

static haw_status step(haw_simulation *simulation)
{
    if (simulation->inertia->h != simulation->h) {
        HAW_TRY(
            haw_inertia_set(simulation->inertia, simulation->h, haw_moreau_get(simulation)->theta));
    }
    HAW_TRY(free_motion(simulation));
    HAW_TRY(find_contacts(simulation));
    if (simulation->report.outcome == HAW_NOT_FINITE) {
        return explain_not_finite(simulation);
    }
    const bool converged = simulation->report.outcome == HAW_CONVERGED;
    if (!converged && simulation->settings.on_unconverged != HAW_UNCONVERGED_WARN) {
        return haw_step_missed(simulation);
    }
    close_step(simulation);
    return accept(simulation);
}

const haw_stepper_ops haw_stepper_moreau = {
    .name = "moreau",
    .summary = "Moreau time-stepping: explicit midpoint, or one linearised implicit solve",
    .source = "J.-J. Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988)",
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SET_VALUED | HAW_STEPPER_COMPLIANT |
             HAW_STEPPER_VARIABLE_MASS | HAW_STEPPER_EXPLICIT,
    .options = options,
    .options_size = sizeof(haw_moreau_options),
    .order = 2,
    .prepare = prepare,
    .step = step,
};
