/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton's method of generalized-alpha, unknown q+, residual r = M vdot+ - f(t+, q+, v+):
 *
 *     (mass M + rate C + K) dq = -r,   dv = rate dq,   dvdot = mass dq.
 *
 * The matrix is exact where it is assembled, and kept over iterations and steps as long as that is
 * cheaper: an iteration costs one evaluation of the forces, a new matrix four to five more.
 */
#include "model/rope.h"
#include "stepper/generalized_alpha.h"

#include <math.h>
#include <string.h>

enum {
    KEPT_ITERATIONS = 4, /* more with the matrix as it is would cost more than a new one */
    DAMPINGS = 4,
    REFINEMENTS = 40
};

static const double START_TOLERANCE = 1e-8; /* of the forces that the first accelerations leave */

void haw_alpha_predict(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs, *equation = implicit->system->equation;
    const double h = step->h, h2 = h * h, *vdot = haw_alpha_acceleration(state);
    double *q = implicit->q, *u = implicit->u, *a = implicit->a;
    memcpy(u, state->u, (size_t)n * sizeof *u);
    haw_model_prescribe(&simulation->model, step->t, u);
    haw_model_guide(&simulation->model, state->q, state->u, h, u);
    for (int i = 0; i < n; i++) {
        const double known = (1 - step->gamma) * h * state->a[i];
        a[i] = 0;
        if (equation[i] < 0) {
            a[i] = (u[i] - state->u[i] - known) / (step->gamma * h);
        } else {
            u[i] = state->u[i] + known;
        }
        q[i] = state->q[i] + h * state->u[i] +
               h2 * ((0.5 - step->beta) * state->a[i] + step->beta * a[i]);
        implicit->acceleration[i] =
            ((1 - step->alpha_m) * a[i] + step->alpha_m * state->a[i] - step->alpha_f * vdot[i]) /
            (1 - step->alpha_f);
    }
}

/* Inertia forces M vdot at a state, none of a quasi-static step. */
static void find_inertia(const haw_alpha_step *step, const double *q, const double *u,
                         const double *vdot, double *y)
{
    const haw_model *model = &step->simulation->model;
    if (step->is_static) {
        memset(y, 0, (size_t)model->dofs * sizeof *y);
        return;
    }
    haw_model_inertia(model, q, u, vdot, y);
}

/* r and its norm at the iterate. */
haw_status haw_alpha_evaluate(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    HAW_TRY(haw_implicit_forces(simulation, step->t, 1, implicit->q, implicit->u, &implicit->now));
    find_inertia(step, implicit->q, implicit->u, implicit->acceleration, implicit->mass_work);
    for (int i = 0; i < n; i++) {
        implicit->residual[i] = implicit->mass_work[i] - implicit->now.total[i];
    }
    step->norm = haw_implicit_norm(implicit, implicit->residual);
    return HAW_OK;
}

/* Along the direction by a part of it. */
static void move(const haw_alpha_step *step, double part)
{
    haw_implicit *implicit = step->simulation->implicit;
    const int n = step->simulation->model.dofs;
    const double *dq = implicit->direction;
    haw_axpy(n, part, dq, implicit->q);
    haw_axpy(n, part * step->rate, dq, implicit->u);
    haw_axpy(n, part / (step->beta * step->h * step->h), dq, implicit->a);
    haw_axpy(n, part * step->mass, dq, implicit->acceleration);
}

/* True if the iterations that are still needed with this contraction cost more than a new matrix.
 */
static bool is_slow(const haw_alpha_step *step, double contraction)
{
    return !(contraction < 1) ||
           log(step->tolerance / step->norm) < KEPT_ITERATIONS * log(contraction);
}

static bool is_unusable(const haw_alpha_step *step)
{
    const haw_implicit *implicit = step->simulation->implicit;
    return implicit->factor_h != step->h || implicit->factor_rate != step->rate;
}

/*
 * A full step, and with an exact matrix parts of it where the residual has grown: against cycles
 * between regimes. A first growth is that of contacts which the predictor has not seen.
 */
static haw_status advance(haw_alpha_step *step, int k, bool is_exact)
{
    const double before = step->norm, limit = (k < 2 ? 1e3 : 1) * before;
    double part = 1;
    haw_implicit_direct(step->simulation->implicit, step->learns && !is_exact);
    move(step, 1);
    HAW_TRY(haw_alpha_evaluate(step));
    for (int i = 0; i < DAMPINGS && is_exact && !(step->norm <= limit); i++) {
        move(step, -0.5 * part);
        part *= 0.5;
        HAW_TRY(haw_alpha_evaluate(step));
    }
    step->learns = part == 1;
    step->simulation->certificate.newton_iterations++;
    step->simulation->certificate.iterations_total++;
    return HAW_OK;
}

static haw_status missed(const haw_alpha_step *step, int iterations)
{
    const haw_state *state = step->simulation->state;
    return haw_fail(step->simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: residual force %.3g N > %.3g N after %d Newton "
                    "iterations: use a smaller step or on_unconverged: halve",
                    state->step + 1, state->t, step->norm, step->tolerance, iterations);
}

static void set_tolerance(haw_alpha_step *step, double reference)
{
    const haw_alpha_options *o = step->options;
    step->reference = reference;
    step->tolerance = fmax(fmax(o->newton_tolerance * reference, o->newton_absolute),
                           step->simulation->implicit->noise);
}

/* The state itself is not finite: no shorter step helps. */
static haw_status check_finite(const haw_alpha_step *step)
{
    const haw_state *state = step->simulation->state;
    double sum = 0;
    for (int i = 0; i < state->dofs; i++) {
        sum += state->q[i] + state->u[i];
    }
    if (isfinite(sum)) {
        return HAW_OK;
    }
    return haw_fail(step->simulation->context, HAW_ERR_DIVERGED,
                    "the state is no longer finite in step %ld at t = %g s", state->step + 1,
                    state->t);
}

haw_status haw_alpha_newton(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    bool renew = is_unusable(step) || step->renews;
    step->renews = step->learns = false;
    implicit->updates = 0;
    HAW_TRY(haw_alpha_evaluate(step));
    HAW_TRY(isfinite(step->norm) ? HAW_OK : check_finite(step));
    set_tolerance(step, step->norm);
    for (int k = 0; k < step->options->max_newton; k++) {
        const double before = step->norm;
        if (!isfinite(before) || before > 1e8 * step->reference) {
            return missed(step, k);
        }
        if (before <= step->tolerance) {
            return HAW_OK;
        }
        const haw_status factored = renew ? haw_implicit_factor(simulation, implicit->q,
                                                                implicit->u, step->mass, step->rate)
                                          : HAW_OK;
        if (factored == HAW_ERR_SINGULAR) {
            return missed(step, k);
        }
        HAW_TRY(factored);
        HAW_TRY(advance(step, k, renew));
        if (k == 0 && step->norm > step->reference && isfinite(step->norm)) {
            set_tolerance(step, step->norm);
        }
        renew = step->norm > step->tolerance && is_slow(step, step->norm / before);
    }
    return step->norm <= step->tolerance ? HAW_OK : missed(step, step->options->max_newton);
}

/* Derivative of the prescribed velocities from the right, by three values. */
static void prescribe_acceleration(haw_alpha_step *step, double *a)
{
    haw_simulation *simulation = step->simulation;
    const haw_model *model = &simulation->model;
    const int n = model->dofs, *equation = simulation->implicit->system->equation;
    const double t = simulation->state->t, d = 0.25 * step->h;
    double *w = simulation->implicit->direction;
    static const double weight[3] = {-1.5, 2, -0.5};
    memset(a, 0, (size_t)n * sizeof *a);
    memset(w, 0, (size_t)n * sizeof *w);
    for (int k = 0; k < 3; k++) {
        haw_model_prescribe(model, t + k * d, w);
        haw_axpy(n, weight[k] / d, w, a);
    }
    for (int i = 0; i < n; i++) {
        a[i] = equation[i] < 0 ? a[i] : 0;
    }
}

/* residual_before = M a - f with the forces of the state. */
static double react(haw_alpha_step *step, const double *a)
{
    haw_implicit *implicit = step->simulation->implicit;
    const haw_state *state = step->simulation->state;
    find_inertia(step, state->q, state->u, a, implicit->residual_before);
    haw_axpy(step->simulation->model.dofs, -1, implicit->before.total, implicit->residual_before);
    return haw_implicit_norm(implicit, implicit->residual_before);
}

/*
 * M a = f by the matrix c M + K with a c so large that it is c M up to rounding, refined with the
 * product M a; the mass alone has no matrix of its own.
 */
static haw_status solve_mass(haw_alpha_step *step, double *a)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const double c = 1e12 / (step->h * step->h);
    const double first = react(step, a);
    double norm = first, last = (double)INFINITY;
    HAW_TRY(haw_implicit_factor(simulation, state->q, state->u, c, 0));
    for (int k = 0; k < REFINEMENTS && norm > 0 && norm < 0.5 * last; k++) {
        memcpy(implicit->direction, implicit->residual_before,
               (size_t)state->dofs * sizeof(double));
        haw_system_solve(implicit->system, implicit->direction);
        haw_axpy(state->dofs, -c, implicit->direction, a);
        last = norm;
        norm = react(step, a);
    }
    implicit->factor_h = (double)NAN;
    if (norm <= fmax(START_TOLERANCE * first, implicit->noise)) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_SINGULAR,
                    "the accelerations at t = %g s were not found: %.3g N of %.3g N are left",
                    state->t, norm, first);
}

static bool is_zero(int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        if (x[i] != 0) {
            return false;
        }
    }
    return true;
}

haw_status haw_alpha_start(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    double *vdot = haw_alpha_acceleration(state);
    HAW_TRY(check_finite(step));
    HAW_TRY(haw_implicit_forces(simulation, state->t, 1, state->q, state->u, &implicit->before));
    if (!step->is_static && is_zero(2 * state->dofs, state->a)) {
        prescribe_acceleration(step, vdot);
        HAW_TRY(solve_mass(step, vdot));
        memcpy(state->a, vdot, (size_t)state->dofs * sizeof *vdot);
    }
    (void)react(step, vdot);
    implicit->is_current = true;
    return HAW_OK;
}
