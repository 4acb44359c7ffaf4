/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A step of a quasi-static path by Newton's method, contact by forces. It begins with the
 * velocities of the last step. Springs that come to press, or no longer do, at many points are
 * foreseen first (foresight.c), and so is what a few iterations have not found. Where Newton's
 * method fails all the same, as where all bristles of a sheave slip at the start of a motion, it
 * starts again with the velocities of a step so short that they stick, and then as equilibrium.c
 * does.
 */
#include "stepper/quasi_static.h"

#include <math.h>
#include <string.h>

enum { FEW = 12 }; /* iterations, after which what springs press is foreseen */

static const double LEAD = 1.0 / 32; /* of the way of what is held */
static const double CHANGED = 0.1;   /* of the closed points, that open or close ahead */
static const double FRACTION = 1e-3; /* of a step, in which bristles stick */

/* Contacts of the step from the start. */
static void restart(const haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    simulation->implicit->factor_h = (double)NAN;
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, simulation->state, HAW_DYNAMICS, step->h);
    }
}

/* Free velocities of a step that is so short that bristles stick. */
static haw_status creep(const haw_alpha_step *step)
{
    haw_alpha_step part = *step;
    haw_implicit *implicit = step->simulation->implicit;
    part.h = FRACTION * step->h;
    part.t = step->simulation->state->t + part.h;
    part.rate = 1 / part.h;
    restart(&part);
    memset(implicit->u, 0, (size_t)step->simulation->state->dofs * sizeof *implicit->u);
    haw_path_place(&part);
    return haw_alpha_newton(&part);
}

/* The step as an equilibrium to be sought. */
static haw_equilibrium as_equilibrium(const haw_alpha_step *step,
                                      const haw_static_settings *settings, double sigma)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const double first = haw_equilibrium_sigma(&simulation->model, simulation->state->q);
    return (haw_equilibrium){.settings = settings,
                             .model = &simulation->model,
                             .compliant = simulation->compliant,
                             .system = implicit->system,
                             .arena = &simulation->arena,
                             .now = &implicit->now,
                             .hold = implicit->hold,
                             .q = implicit->q,
                             .u = implicit->u,
                             .direction = implicit->direction,
                             .kept = simulation->work[1],
                             .t = step->t,
                             .part = 1,
                             .rate = step->rate,
                             .sigma = sigma * first,
                             .sigma_first = first};
}

static void count(haw_simulation *simulation, const haw_equilibrium *x)
{
    simulation->certificate.newton_iterations += x->iterations;
    simulation->certificate.iterations_total += x->iterations;
    simulation->certificate.factorizations += x->factorizations;
}

/* Seek the equilibrium of the step from the iterate, from far away. */
static haw_status balance(const haw_alpha_step *step, bool *done)
{
    const haw_static_settings settings = {step->options->newton_tolerance,
                                          HAW_PATH_PURSUIT * step->options->max_newton};
    haw_equilibrium x = as_equilibrium(step, &settings, 1);
    const haw_status status = haw_equilibrium_balance(&x, settings.tolerance, done);
    count(step->simulation, &x);
    return status;
}

/* Pseudo-transient iterations from rest. */
static haw_status relax(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    bool done = false;
    restart(step);
    if (simulation->compliant != NULL) { /* forces that depend on the way there mislead a search */
        haw_compliant_loosen(simulation->compliant, true);
    }
    memset(implicit->u, 0, (size_t)simulation->state->dofs * sizeof *implicit->u);
    haw_path_place(step);
    HAW_TRY(balance(step, &done));
    haw_implicit_measure(simulation);
    HAW_TRY(haw_alpha_evaluate(step));
    step->tolerance = done ? step->norm : step->tolerance;
    simulation->implicit->factor_h = (double)NAN;
    return done ? HAW_OK : HAW_ERR_UNCONVERGED;
}

/* Velocities of the last step, unless what rests is in balance. What is out of balance at rest, the
 * change of the loads, measures the residual that is accepted: those velocities may lead what
 * nothing holds by metres, or to where forces are a million times as large. */
static haw_status predict(haw_alpha_step *step)
{
    const haw_state *state = step->simulation->state;
    const haw_implicit *implicit = step->simulation->implicit;
    memcpy(implicit->u, state->u, (size_t)state->dofs * sizeof *state->u);
    memset(implicit->u, 0, (size_t)haw_joints_dof(&step->simulation->model) * sizeof *state->u);
    haw_path_place(step);
    HAW_TRY(haw_alpha_evaluate(step));
    step->most = step->norm;
    if (step->norm > fmax(step->options->newton_absolute, implicit->noise) ||
        haw_joints_miss(&step->simulation->model, implicit->hold, HAW_JOINT_TOLERANCE) > 1) {
        haw_path_set_out(step);
        haw_path_place(step);
        HAW_TRY(haw_alpha_evaluate(step));
    }
    return HAW_OK;
}

/* Way and velocities of the iterate by its coordinates. */
static void measure(const haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_implicit_measure(simulation);
    haw_model_difference(&simulation->model, simulation->state->q, implicit->q,
                         implicit->direction);
    for (int i = 0; i < haw_joints_dof(&simulation->model); i++) {
        const bool is_free = implicit->system->equation[i] >= 0;
        implicit->u[i] = is_free ? implicit->direction[i] / step->h : implicit->u[i];
    }
}

/* Near the end of the step by what springs of contacts will press (foresight.c), from the
 * prediction and what they pressed at the start: where Newton's method has gone meanwhile may be
 * near to another equilibrium. Springs of a start that is drawn pressed nothing yet, whatever their
 * gaps say. Where it is not told the iterate is the prediction. */
static haw_status foresee(haw_alpha_step *step, bool *done)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    haw_equilibrium x = as_equilibrium(step, NULL, HAW_PATH_SIGMA);
    restart(step);
    HAW_TRY(predict(step));
    HAW_TRY(
        haw_implicit_forces(simulation, step->t, step->part, state->q, state->u, &implicit->now));
    const haw_compliant *compliant = simulation->compliant;
    const bool is_warm = haw_compliant_changed(compliant) < haw_compliant_closed(compliant);
    HAW_TRY(haw_equilibrium_foresee(&x, is_warm, done));
    count(simulation, &x);
    restart(step);
    if (*done) {
        measure(step);
    }
    return HAW_OK;
}

/* A change of gaps is one of all stiff springs: what they press hardly changes, and is foreseen
 * anew from what it was. */
haw_status haw_path_settle(haw_alpha_step *step)
{
    haw_equilibrium x = as_equilibrium(step, NULL, HAW_PATH_SIGMA);
    bool done = false;
    HAW_TRY(haw_equilibrium_foresee(&x, true, &done));
    count(step->simulation, &x);
    if (done) {
        measure(step);
    }
    step->simulation->implicit->factor_h = (double)NAN;
    return HAW_OK;
}

/* A few iterations from the prediction. @return ERR_UNCONVERGED also where they have led so far
 * from it that they may have found another equilibrium */
static haw_status try_few(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_model *model = &simulation->model;
    const haw_alpha_options *all = step->options;
    const haw_arena_mark mark = haw_arena_here(&simulation->arena);
    const size_t n = (size_t)model->coordinates;
    double *predicted = haw_arena_allocate(&simulation->arena, n, sizeof *predicted);
    haw_alpha_options few = *all;
    HAW_TRY(haw_arena_status(&simulation->arena));
    memcpy(predicted, implicit->q, n * sizeof *predicted);
    few.max_newton = all->max_newton < FEW ? all->max_newton : FEW;
    step->options = &few;
    haw_status status = haw_alpha_newton(step);
    step->options = all;
    if (status == HAW_OK) {
        haw_model_difference(model, predicted, implicit->q, implicit->direction);
        const double near = haw_equilibrium_longest(model, 1, NULL, predicted, implicit->direction);
        status = near < 1 ? HAW_ERR_UNCONVERGED : HAW_OK;
    }
    haw_arena_rewind(&simulation->arena, &mark);
    return status;
}

/* Newton's method from the prediction, or from what is foreseen where that tells of many other
 * closed points or is not near enough for a few iterations. */
static haw_status go_ahead(haw_alpha_step *step)
{
    haw_compliant *compliant = step->simulation->compliant;
    HAW_TRY(predict(step));
    if (compliant == NULL || !haw_compliant_is_sprung(compliant)) {
        return haw_alpha_newton(step);
    }
    const double first = fmin(step->norm, step->most);
    const int closed = haw_compliant_closed(compliant);
    haw_status status = HAW_ERR_UNCONVERGED;
    if (haw_compliant_changed(compliant) <= CHANGED * closed) {
        status = try_few(step);
    }
    if (status == HAW_ERR_UNCONVERGED) {
        bool foreseen;
        HAW_TRY(foresee(step, &foreseen));
        step->least = foreseen ? first : 0;
        status = haw_alpha_newton(step);
        step->least = 0;
    }
    return status;
}

haw_status haw_path_unfolded(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    return step->is_still
               ? HAW_OK
               : haw_guard_folds(simulation, simulation->implicit->q, false, HAW_ERR_UNCONVERGED);
}

haw_status haw_path_lead(haw_alpha_step *step, haw_status (*solve)(haw_alpha_step *step))
{
    const haw_simulation *simulation = step->simulation;
    double *u = simulation->implicit->u;
    haw_alpha_step part = *step;
    part.lead = LEAD;
    part.t = simulation->state->t + LEAD * step->h;
    memset(u, 0, (size_t)simulation->state->dofs * sizeof *u);
    HAW_TRY(solve(&part));
    for (int i = 0; i < haw_joints_dof(&simulation->model); i++) {
        u[i] /= LEAD;
    }
    return solve(step);
}

static haw_status solve_here(haw_alpha_step *step)
{
    restart(step);
    haw_path_place(step);
    return haw_alpha_newton(step);
}

/* From the velocities of the last step, then from those of one in which bristles stick, then from
 * far away. */
haw_status haw_path_attempt(haw_alpha_step *step)
{
    haw_status status = go_ahead(step);
    if (status == HAW_OK && haw_path_unfolded(step) != HAW_OK) {
        status = haw_path_lead(step, solve_here);
    } else if (status == HAW_ERR_UNCONVERGED) {
        status = creep(step);
        status = status == HAW_OK ? solve_here(step) : status;
    }
    status = status == HAW_ERR_UNCONVERGED ? relax(step) : status;
    return status == HAW_OK ? haw_path_unfolded(step) : status;
}
