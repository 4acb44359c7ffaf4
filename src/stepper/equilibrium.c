/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibrium f(q) = 0 of all that is free, compliant contact included: pseudo-transient Newton,
 *
 *     (K + sigma M) d = f(q),   q <- q + s d,
 *
 * a linearly implicit step of the flow M dq/dtau = f with 1 / sigma as its length (C. T. Kelley,
 * D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523). sigma falls while full steps succeed and
 * Newton's method remains; it rises where K is not definite, as across an unstrained line. s is
 * chosen by the work d . f along the step, which needs no potential (H. Matthies, G. Strang, Int.
 * J. Numer. Meth. Eng. 14 (1979) 1613-1626). Loads rise geometrically, gravity and given forces; in
 * space, where there is no slack to be taken up, in equal steps. There q is moved by x <- x + s dx,
 * R <- R exp(s dtheta).
 *
 * A rope over sheaves starts as drawn, its bristles without deflection, and all loads rise in
 * proportion. Its labels are held; once it is balanced its mesh is moved back to the tangent points
 * and the equilibrium is sought again, until the mesh stays. Bristles belong to the material.
 */
#include "stepper/equilibrium.h"

#include "stepper/implicit.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CUTS = 25, RECENTRINGS = 8 };

static const double FIRST_PART = 1e-4;      /* of the loads, in the first of several load steps */
static const double SLACK_TOLERANCE = 1e-6; /* of load steps before the last */
static const double MOST_NOISE = 1e-2;      /* of the largest force; what flies off has more */
static const double SIGMA_RANGE = 1e-9;     /* smallest sigma over the first */
static const double WORK_LEFT = 0.8;        /* of d . f, accepted after a full step */
static const double CENTRED = 1e-6;         /* of an element, way of a node that is none */
static const double SIGMA_CLOSE = 1e-5;     /* of the first sigma, once a mesh was moved */

void haw_equilibrium_load(haw_equilibrium *x, double part)
{
    haw_model *model = &x->simulation->model;
    x->part = part;
    for (int j = 0; j < model->dimension; j++) {
        model->gravity[j] = part * x->gravity[j];
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->set_gravity(&model->cable[i], model->gravity);
    }
}

static double largest(const haw_implicit *implicit, const double *f, bool free_only)
{
    const int n = implicit->system->model->dofs, *equation = implicit->system->equation;
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = !free_only || equation[i] >= 0 ? fmax(most, fabs(f[i])) : most;
    }
    return isfinite(haw_implicit_norm(implicit, f)) ? most : (double)INFINITY;
}

/* Largest force before forces cancel, reactions and axial forces included. */
static double force_scale(const haw_equilibrium *x)
{
    const haw_implicit *implicit = x->simulation->implicit;
    const haw_model *model = &x->simulation->model;
    double scale = fmax(largest(implicit, implicit->now.model.conservative, false),
                        largest(implicit, implicit->now.model.load, false));
    scale = fmax(scale, largest(implicit, implicit->now.normal, false));
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        scale = fmax(scale, 1e-9 * cable->line.stiffness);
        if (model->dimension == 2) { /* in space reactions and loads show it */
            scale = fmax(scale, fabs(haw_implicit_tension(cable, implicit->q)));
        }
    }
    return fmax(scale, DBL_MIN);
}

haw_status haw_equilibrium_evaluate(haw_equilibrium *x)
{
    haw_simulation *simulation = x->simulation;
    haw_implicit *implicit = simulation->implicit;
    HAW_TRY(
        haw_implicit_forces(simulation, x->t, x->part, implicit->q, implicit->u, &implicit->now));
    x->residual = largest(implicit, implicit->now.total, true);
    return HAW_OK;
}

static double work(const haw_implicit *implicit)
{
    return haw_dot(implicit->system->model->dofs, implicit->direction, implicit->now.total);
}

/* Move from s to another s along the direction and evaluate. */
static haw_status move(haw_equilibrium *x, double s)
{
    haw_simulation *simulation = x->simulation;
    haw_implicit *implicit = simulation->implicit;
    if (simulation->model.dimension == 3) {
        haw_space_static_move(simulation, s);
    } else {
        const double way = s - x->s;
        haw_axpy(simulation->model.dofs, way, implicit->direction, implicit->q);
        haw_axpy(simulation->model.dofs, way * x->rate, implicit->direction, implicit->u);
    }
    x->s = s;
    return haw_equilibrium_evaluate(x);
}

/* s with |work(s)| <= WORK_LEFT work(0): regula falsi between a point before and one beyond. */
static haw_status search(haw_equilibrium *x, double start)
{
    const haw_implicit *implicit = x->simulation->implicit;
    double low = 0, high = haw_equilibrium_longest(x), at_low = start;
    x->s = 0;
    memcpy(x->simulation->q_mid, implicit->q,
           (size_t)x->simulation->model.coordinates * sizeof(double));
    HAW_TRY(move(x, high));
    double now = work(implicit), at_high = now;
    for (int k = 0; k < CUTS && !(now >= -WORK_LEFT * start && isfinite(x->residual)); k++) {
        const bool is_usable = isfinite(at_high);
        const double secant = is_usable ? (low * at_high - high * at_low) / (at_high - at_low) : 0;
        HAW_TRY(move(x, fmax(low + 0.1 * (high - low), fmin(secant, low + 0.5 * (high - low)))));
        now = work(implicit);
        if (now > 0) {
            low = x->s;
            at_low = now;
        } else {
            high = x->s;
            at_high = now;
        }
        if (fabs(now) <= WORK_LEFT * start) {
            break;
        }
    }
    return HAW_OK;
}

static void raise_sigma(haw_equilibrium *x, double factor)
{
    x->sigma = fmax(factor * x->sigma, 1e-3 * x->sigma_first);
}

bool haw_equilibrium_direct(haw_equilibrium *x, double *start)
{
    haw_simulation *simulation = x->simulation;
    haw_implicit *implicit = simulation->implicit;
    memcpy(implicit->direction, implicit->now.total,
           (size_t)simulation->model.dofs * sizeof(double));
    *start = 0;
    if (haw_implicit_factor(simulation, implicit->q, implicit->u, x->sigma, x->rate) == HAW_OK) {
        haw_system_solve(implicit->system, implicit->direction);
        *start = work(implicit);
    }
    return *start != 0 && isfinite(*start);
}

/* A direction downhill; false where there is none: sigma was raised. */
static bool descend(haw_equilibrium *x, double *start)
{
    if (!haw_equilibrium_direct(x, start) || !(*start > 0)) {
        raise_sigma(x, 10);
        return false;
    }
    return true;
}

static haw_status iterate(haw_equilibrium *x)
{
    double start;
    if (!descend(x, &start)) {
        return HAW_OK;
    }
    HAW_TRY(search(x, start));
    if (x->s == 1) {
        x->sigma = fmax(0.1 * x->sigma, SIGMA_RANGE * x->sigma_first);
    } else if (x->s < 0.1) {
        raise_sigma(x, 4);
    }
    return HAW_OK;
}

bool haw_equilibrium_is_balanced(haw_equilibrium *x, double tolerance)
{
    const haw_simulation *simulation = x->simulation;
    x->scale = force_scale(x);
    const double noise = haw_implicit_noise(simulation, simulation->implicit->q);
    return x->residual <= fmax(tolerance * x->scale, fmin(noise, MOST_NOISE * x->scale));
}

haw_status haw_equilibrium_balance(haw_equilibrium *x, double tolerance, bool *done)
{
    const int most = x->iterations + x->settings->max_iterations;
    HAW_TRY(haw_equilibrium_evaluate(x));
    *done = haw_equilibrium_is_balanced(x, tolerance);
    while (!*done && x->iterations < most) {
        HAW_TRY(iterate(x));
        x->iterations++;
        *done = haw_equilibrium_is_balanced(x, tolerance);
    }
    return HAW_OK;
}

haw_status haw_equilibrium_pursue(haw_simulation *simulation, double t, double rate,
                                  const haw_static_settings *settings, bool *done)
{
    const double sigma = haw_equilibrium_sigma(&simulation->model, simulation->state->q);
    haw_equilibrium x = {.simulation = simulation,
                         .settings = settings,
                         .t = t,
                         .part = 1,
                         .rate = rate,
                         .sigma = sigma,
                         .sigma_first = sigma};
    const haw_status status = haw_equilibrium_balance(&x, settings->tolerance, done);
    simulation->certificate.newton_iterations += x.iterations;
    simulation->certificate.iterations_total += x.iterations;
    return status;
}

static haw_status climb(haw_equilibrium *x, int load_steps, bool *done)
{
    const double tolerance = x->settings->tolerance;
    const double slack_tolerance = fmax(tolerance, SLACK_TOLERANCE);
    if (x->simulation->model.dimension == 3) {
        return haw_space_static_climb(x, load_steps, slack_tolerance, done);
    }
    for (int k = 0; k < load_steps; k++) {
        const bool last = k == load_steps - 1;
        const double exponent = last ? 0 : 1 - (double)k / (load_steps - 1);
        haw_equilibrium_load(x, pow(FIRST_PART, exponent));
        x->sigma = x->sigma_start;
        HAW_TRY(haw_equilibrium_balance(x, last ? tolerance : slack_tolerance, done));
    }
    return HAW_OK;
}

static haw_status load(haw_equilibrium *x, int load_steps)
{
    bool done = false;
    HAW_TRY(climb(x, load_steps, &done));
    x->simulation->certificate.iterations_total += x->iterations;
    x->simulation->certificate.newton_iterations += x->iterations;
    x->simulation->last_residual = x->residual / x->scale;
    if (done) {
        return HAW_OK;
    }
    return haw_fail(x->simulation->context, HAW_ERR_UNCONVERGED,
                    "no equilibrium after %d Newton iterations: residual force %.3g N, largest "
                    "force %.3g N (tolerance %g); hold what nothing keeps in place, or use more "
                    "load_steps",
                    x->iterations, x->residual, x->scale, x->settings->tolerance);
}

/* The state at rest, histories and contact forces of the equilibrium, reactions. */
static haw_status keep(haw_equilibrium *x)
{
    haw_simulation *simulation = x->simulation;
    const haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    const size_t bytes = (size_t)state->dofs * sizeof(double);
    HAW_TRY(haw_guard_handles(simulation, implicit->q));
    memcpy(state->q, implicit->q, (size_t)state->coordinates * sizeof(double));
    for (int i = 0; i < state->dofs; i++) {
        const bool is_held = implicit->system->equation[i] < 0;
        state->u[i] = is_held ? state->u[i] : 0;
        simulation->reaction[i] = is_held ? -implicit->now.total[i] : 0;
    }
    memcpy(simulation->force, implicit->now.total, bytes);
    if (simulation->compliant == NULL) {
        return HAW_OK;
    }
    return haw_compliant_commit(simulation->compliant, state, simulation->contacts);
}

/* Equilibrium from the configuration and the histories of the state, into the state. The mesh of a
 * rope is moved before the bristles are accepted: those that slipped with a mesh that was off the
 * tangent points would keep what the load, brought up at once, does not give them. */
static haw_status settle(haw_equilibrium *x, int load_steps)
{
    haw_simulation *simulation = x->simulation;
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, simulation->state, HAW_STATICS, 0);
    }
    haw_status status = load(x, load_steps);
    for (int k = 0; k < RECENTRINGS && status == HAW_OK; k++) {
        const double moved =
            haw_implicit_rope_recentre(&simulation->model, simulation->implicit->q);
        if (moved == 0) {
            break;
        }
        x->sigma_start = SIGMA_CLOSE * x->sigma_first;
        status = isinf(moved) ? HAW_ERR_NOMEM : load(x, 1);
        if (moved <= CENTRED) {
            break;
        }
    }
    haw_equilibrium_load(x, 1);
    return status == HAW_OK ? keep(x) : status;
}

/* Friction of ropes is that of their pairs unless the start has its own: without it nothing holds a
 * rope on a sheave. */
static double start_friction(const haw_model *model)
{
    const bool own = haw_model_moves_along(model) && model->start_friction == 0;
    return own ? (double)NAN : model->start_friction;
}

static haw_status run(haw_equilibrium *x, int load_steps)
{
    haw_simulation *simulation = x->simulation;
    memcpy(simulation->implicit->q, simulation->state->q,
           (size_t)simulation->state->coordinates * sizeof(double));
    if (simulation->compliant != NULL) {
        haw_compliant_friction(simulation->compliant, start_friction(&simulation->model));
    }
    const haw_status status = settle(x, load_steps);
    if (simulation->compliant != NULL) {
        haw_compliant_friction(simulation->compliant, (double)NAN);
    }
    return status;
}

haw_status haw_equilibrium_solve(haw_simulation *simulation, const haw_static_settings *settings,
                                 const bool *held, int load_steps)
{
    haw_implicit *const kept = simulation->implicit;
    haw_equilibrium x = {.simulation = simulation,
                         .settings = settings,
                         .t = simulation->state->t,
                         .sigma_first =
                             haw_equilibrium_sigma(&simulation->model, simulation->state->q)};
    haw_implicit *implicit;
    x.sigma_start = x.sigma_first;
    memcpy(x.gravity, simulation->model.gravity, sizeof x.gravity);
    HAW_TRY(haw_implicit_create(simulation, held, &implicit));
    simulation->implicit = implicit;
    const haw_status status = run(&x, load_steps > 1 ? load_steps : 1);
    simulation->implicit = kept;
    haw_implicit_free(implicit);
    return status;
}
