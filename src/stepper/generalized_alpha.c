/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generalized-alpha in the form of M. Arnold and O. Bruels (Multibody Syst. Dyn. 18 (2007)
 * 185-202): M vdot = f(t, q, v) holds at the end of the step, and
 *
 *     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) vdot+ + alpha_f vdot,
 *     q+ = q + h v + h^2 ((1/2 - beta) a + beta a+),   v+ = v + h ((1 - gamma) a + gamma a+),
 *     alpha_m = (2 r - 1) / (r + 1),  alpha_f = r / (r + 1),
 *     gamma = 1/2 + alpha_f - alpha_m,  beta = (gamma + 1/2)^2 / 4,
 *
 * r the spectral radius at infinite frequency. r = 1 is the implicit trapezoidal rule (a = vdot).
 * Prescribed degrees of freedom take v+ = w(t+), and a+ and q+ by the same formulas, which is the
 * index-2 form of a constraint on velocities; M vdot - f there is its multiplier. So do the labels
 * of a rope's mesh, whose velocities are chosen at the start of each step (haw_model_guide): M vdot
 * is then int rho A J' (dv/dt) ds of the material, J' q' included.
 */
#include "stepper/generalized_alpha.h"

#include "model/rope.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { RENEWAL = 10 };

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_alpha_options, common.step), 1e-4, DBL_MIN, DBL_MAX, "s",
     "time step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_alpha_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    {"rho_infinity", HAW_OPTION_REAL, offsetof(haw_alpha_options, rho_infinity), 1, 0, 1, "",
     "spectral radius at infinite frequency; 1: implicit trapezoidal rule, no damping", NULL},
    HAW_ALPHA_NEWTON(25),
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

const haw_alpha_options *haw_alpha_get(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

haw_status haw_alpha_prepare(haw_simulation *simulation)
{
    const haw_alpha_options *o = haw_alpha_get(simulation);
    simulation->step = o->common.step;
    simulation->end = o->common.end;
    HAW_TRY(haw_implicit_create(simulation, NULL, &simulation->implicit));
    simulation->implicit->noise = haw_implicit_noise(simulation, simulation->state->q);
    return HAW_OK;
}

/*
 * A matrix that is kept makes a run depend on more than its state, in the last bits. With a new one
 * every few steps a run that goes on from a checkpoint there has the same bits.
 */
static bool is_renewal(const haw_simulation *simulation)
{
    return simulation->state->step % RENEWAL == 0;
}

void haw_alpha_coefficients(haw_alpha_step *step, double rho)
{
    const double h = step->h;
    step->alpha_m = (2 * rho - 1) / (rho + 1);
    step->alpha_f = rho / (rho + 1);
    step->gamma = 0.5 + step->alpha_f - step->alpha_m;
    step->beta = 0.25 * (step->gamma + 0.5) * (step->gamma + 0.5);
    step->mass = (1 - step->alpha_m) / ((1 - step->alpha_f) * step->beta * h * h);
    step->rate = step->gamma / (step->beta * h);
}

haw_alpha_step haw_alpha_begin(haw_simulation *simulation)
{
    return (haw_alpha_step){.simulation = simulation,
                            .options = haw_alpha_get(simulation),
                            .h = simulation->h,
                            .t = simulation->state->t + simulation->h,
                            .renews = is_renewal(simulation)};
}

static haw_status switching_missed(const haw_alpha_step *step, double error)
{
    return haw_fail(step->simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: stick and slip still switch after %d solutions (error "
                    "%.3g N, tolerance %.3g N): use a smaller step or on_unconverged: halve",
                    step->simulation->state->step + 1, step->simulation->state->t,
                    step->options->max_switching, error, step->options->switching_tolerance);
}

static haw_status solve_motion(haw_alpha_step *step)
{
    haw_alpha_predict(step);
    return haw_alpha_newton(step);
}

static haw_status solve_static(haw_alpha_step *step)
{
    haw_quasi_static_predict(step);
    const haw_status status = haw_alpha_newton(step);
    return status == HAW_ERR_UNCONVERGED ? haw_quasi_static_pursue(step) : status;
}

/*
 * Newton's method; with the published switching it is repeated from the start of the step until
 * the states found after it are those that it assumed.
 */
static haw_status solve(haw_alpha_step *step)
{
    haw_compliant *compliant = step->simulation->compliant;
    const bool switches = compliant != NULL && haw_compliant_is_switched(compliant);
    double error = (double)INFINITY;
    for (int k = 0; k < (switches ? step->options->max_switching : 1); k++) {
        HAW_TRY(step->is_static ? solve_static(step) : solve_motion(step));
        error = switches ? haw_compliant_switch(compliant) : 0;
        if (error <= step->options->switching_tolerance) {
            return HAW_OK;
        }
    }
    return switching_missed(step, error);
}

/* The forces of the accepted iterate are those from which the next step starts. */
static void turn_over(haw_implicit *implicit)
{
    const haw_force_set now = implicit->now;
    double *residual = implicit->residual;
    implicit->now = implicit->before;
    implicit->before = now;
    implicit->residual = implicit->residual_before;
    implicit->residual_before = residual;
}

static haw_status accept(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    const size_t bytes = (size_t)state->dofs * sizeof(double);
    const haw_energy energy = haw_model_energy(&simulation->model, implicit->q);
    const double kinetic = step->is_static
                               ? simulation->kinetic
                               : haw_model_kinetic(&simulation->model, implicit->q, implicit->u);
    if (!isfinite(energy.elastic + energy.gravity + kinetic)) {
        return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                        "the state is no longer finite in step %ld at t = %g s", state->step + 1,
                        state->t);
    }
    HAW_TRY(haw_guard_handles(simulation, implicit->q));
    haw_alpha_book(step, energy, kinetic);
    memcpy(state->q, implicit->q, bytes);
    memcpy(state->u, implicit->u, bytes);
    memcpy(state->a, implicit->a, bytes);
    memcpy(haw_alpha_acceleration(state), implicit->acceleration, bytes);
    simulation->energy = energy;
    simulation->kinetic = kinetic;
    turn_over(implicit);
    if (simulation->compliant != NULL) {
        simulation->certificate.held_points += haw_compliant_held(simulation->compliant);
    }
    return haw_step_keep_compliant(simulation);
}

/* Newton's residual, where the certificate of contact problems has that of the referee. */
static void book_newton(const haw_alpha_step *step, bool converged)
{
    haw_simulation *simulation = step->simulation;
    haw_certificate *certificate = &simulation->certificate;
    certificate->newton_residual_max =
        fmax(certificate->newton_residual_max, step->norm / step->tolerance);
    simulation->report = (haw_report){.outcome = converged ? HAW_CONVERGED : HAW_ITERATION_LIMIT,
                                      .tolerance = step->tolerance};
    simulation->report.residual.natural = step->norm;
    simulation->last_residual = step->reference > 0 ? step->norm / step->reference : 0;
}

/* Bristles of a rope that a missed step has torn do not come back: there a miss is an error. */
static bool may_miss(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    return simulation->settings.on_unconverged == HAW_UNCONVERGED_WARN &&
           step->norm < step->reference && !haw_model_has_ropes(&simulation->model);
}

haw_status haw_alpha_advance(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, simulation->state, HAW_DYNAMICS, step->h);
    }
    if (!simulation->implicit->is_current) {
        HAW_TRY(haw_alpha_start(step));
    }
    const haw_status status = solve(step);
    if (status == HAW_ERR_UNCONVERGED && !may_miss(step)) {
        simulation->certificate.unconverged_steps++;
        return status;
    }
    HAW_TRY(status == HAW_ERR_UNCONVERGED ? HAW_OK : status);
    book_newton(step, status == HAW_OK);
    return accept(step);
}

static haw_status step(haw_simulation *simulation)
{
    haw_alpha_step now = haw_alpha_begin(simulation);
    haw_alpha_coefficients(&now, now.options->rho_infinity);
    return haw_alpha_advance(&now);
}

const haw_stepper_ops haw_stepper_generalized_alpha = {
    .name = "generalized-alpha",
    .summary = "implicit: generalized-alpha with full Newton; rho_infinity 1: trapezoidal rule",
    .source = "M. Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007) 185-202",
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_COMPLIANT | HAW_STEPPER_SWITCHING |
             HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS,
    .options = options,
    .options_size = sizeof(haw_alpha_options),
    .order = 2,
    .prepare = haw_alpha_prepare,
    .step = step,
};
