/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau-Jean: the implicit theta-method with set-valued contact (M. Jean, Comput. Methods Appl.
 * Mech. Eng. 177 (1999) 235-257; V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical
 * Systems, 2008, ch. 10),
 *
 *     M (u+ - u) = h f(t_theta, q_theta, u_theta) + H Lambda,
 *     q_theta = q + theta h u_theta,   u_theta = (1 - theta) u + theta u+,   q+ = q + h u_theta,
 *
 * solved by Newton's method on u+ with M + theta h C + theta^2 h^2 K and K, C exact. The rows H are
 * those at the middle of the step as the velocity at its start predicts it, so that the contact law
 * is linear in u+: each iteration linearises the mechanics and solves one contact problem, and what
 * remains to be checked is the residual impulse of the mechanics alone. The last problem of a step
 * goes in its global form to the solver of the run and to the referee.
 *
 * Position-corrected normal law (e = 0), for every point that may close in this step:
 *
 *     0 <= Lambda_N  perpendicular to  gamma_N+ + c >= 0,
 *     c = k g~ / h + turn - drift,   g~ = g + (1 - theta) h (gamma_N- - turn - drift),
 *     turn = h kappa v_t^2 / 2,      drift = (2 theta - 1) turn,
 *
 * g the gap at the start of the step, k = 1 for g~ > 0 and 1/5 for g~ < 0: an open point may
 * approach as far as the surface, a point inside is pushed out. With gamma_N+ = -c and
 * g+ = g + h (theta gamma_N+ + (1 - theta) gamma_N-) the pair (g, gamma_N) is a linear recursion
 * with the eigenvalues 0 and 1 - k: gaps close without oscillation, and without the (1 - theta)
 * gamma_N- of g~ they would oscillate. `turn` takes gamma_N from the middle of the step to its end:
 * on a disk of curvature kappa a point that rides along with v_t has gamma_N = turn, then -turn,
 * about the middle, so that the normal impulses on a wrapped cable do no work; `drift` is what the
 * theta-method moves such a point inwards. Where restitution is asked for, points take part once
 * they are closed in the middle of the step, and c = e gamma_N- + k min(0, g) / h + turn (1 - e).
 *
 * Of ropes over sheaves M (u+ - u) is h int rho A J' (dv/dt) ds at (q_theta, u_theta) with the
 * accelerations (u+ - u) / h; labels of their meshes are prescribed (haw_model_guide).
 */
#include "stepper/moreau_jean.h"

#include "stepper/implicit_rope.h"
#include "stepper/space_stage.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_jean_options, common.step), 1e-3, DBL_MIN, DBL_MAX, "s",
     "time step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_jean_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    {"theta", HAW_OPTION_REAL, offsetof(haw_jean_options, theta), 0.55, 0.5, 1, "",
     "0.5: no damping of vibrations; 1: implicit Euler", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(haw_jean_options, newton_tolerance), 1e-8, 1e-15,
     1e-1, "", "residual impulse over the largest impulse or momentum of the step", NULL},
    {"max_newton", HAW_OPTION_INT, offsetof(haw_jean_options, max_newton), 25, 1, 1000, "",
     "Newton iterations, one contact problem each", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* ---- one step ---- */

/* Start of Newton's method: the velocity stays as it is, prescribed ones are those at the end. */
void haw_jean_predict(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    memcpy(simulation->u_plus, state->u, (size_t)n * sizeof(double));
    haw_model_prescribe(&simulation->model, state->t + step->h, simulation->u_plus);
    haw_model_guide(&simulation->model, state->q, state->u, step->h, simulation->u_plus);
    memset(simulation->push, 0, (size_t)n * sizeof(double));
}

/* u_theta and q_theta of the iterate. */
static void place(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    double *u = step->jean->u_theta, *q = simulation->implicit->q;
    const double ahead = step->theta * step->h;
    for (int i = 0; i < state->dofs; i++) {
        u[i] = (1 - step->theta) * state->u[i] + step->theta * simulation->u_plus[i];
        q[i] = state->q[i] + ahead * u[i];
    }
}

/* residual = M (u+ - u) - h f - H Lambda, and what its norm is compared with. */
haw_status haw_jean_evaluate(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    double *jump = simulation->work[1], *residual = implicit->residual;
    place(step);
    HAW_TRY(haw_implicit_forces(simulation, state->t + step->theta * step->h, 1, implicit->q,
                                step->jean->u_theta, &implicit->now));
    for (int i = 0; i < n; i++) {
        jump[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_implicit_momentum(simulation, step->jean->u_theta, jump);
    for (int i = 0; i < n; i++) {
        residual[i] =
            implicit->mass_work[i] - step->h * implicit->now.total[i] - simulation->push[i];
    }
    step->norm = haw_implicit_norm(implicit, residual);
    return HAW_OK;
}

/* Largest impulse at hand: axial forces, contacts, other forces, the momentum itself. */
static void find_reference(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    double reference = step->h * haw_implicit_norm(implicit, implicit->now.total);
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const double tension =
            haw_implicit_tension(&simulation->model, cable, simulation->state->q);
        reference = fmax(reference, step->h * fmax(tension, 1e-9 * cable->line.stiffness));
    }
    memcpy(simulation->work[1], simulation->state->u,
           (size_t)simulation->model.dofs * sizeof(double));
    haw_implicit_momentum(simulation, step->jean->u_theta, simulation->work[1]);
    reference = fmax(reference, haw_implicit_norm(implicit, implicit->mass_work));
    reference = fmax(reference, haw_implicit_norm(implicit, simulation->push));
    step->reference = fmax(reference, DBL_MIN);
}

double haw_jean_tolerance(const haw_jean_step *step)
{
    return fmax(step->tolerance * step->reference, 4 * step->h * step->simulation->implicit->noise);
}

/* right = h f - M (u+ - u): the impulse that is left without contacts. */
static void find_right(const haw_jean_step *step, double *right)
{
    const haw_simulation *simulation = step->simulation;
    for (int i = 0; i < simulation->model.dofs; i++) {
        right[i] = -(simulation->implicit->residual[i] + simulation->push[i]);
    }
}

/* direction = A^-1 (right + H Lambda), A = (theta h)^2 times the factorized matrix. */
static void direct(const haw_jean_step *step, const double *right, double *direction)
{
    const haw_simulation *simulation = step->simulation;
    const double rate = 1 / (step->theta * step->h);
    for (int i = 0; i < simulation->model.dofs; i++) {
        direction[i] = rate * rate * (right[i] + simulation->push[i]);
    }
    haw_system_solve(simulation->implicit->system, direction);
}

/* Contact problem of the linearised step by the solver of the run, then the direction. */
static haw_status solve_judged(haw_jean_step *step, const double *right, double *direction)
{
    HAW_TRY(haw_jean_solve_contacts(step, right));
    haw_jean_push(step);
    HAW_TRY(haw_system_factor(step->simulation->implicit->system));
    direct(step, right, direction);
    return HAW_OK;
}

/* u+ += A^-1 (right + H Lambda) with the impulses of the linearised step. */
static haw_status iterate(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const double rate = 1 / (step->theta * step->h);
    double *direction = implicit->direction, *right = simulation->u_free;
    bool met = true;
    find_right(step, right);
    HAW_TRY(haw_implicit_factor(simulation, implicit->q, step->jean->u_theta, rate * rate, rate));
    if (simulation->contacts->count == 0) {
        direct(step, right, direction);
    } else {
        haw_jean_set_velocities(step);
        HAW_TRY(haw_jean_newton(step, right, direction, &met));
        haw_jean_push(step);
    }
    if (!met) {
        HAW_TRY(solve_judged(step, right, direction));
    }
    haw_axpy(simulation->model.dofs, 1, direction, simulation->u_plus);
    simulation->certificate.newton_iterations++;
    return haw_jean_evaluate(step);
}

static bool is_balanced(const haw_jean_step *step)
{
    return step->norm <= haw_jean_tolerance(step);
}

/* The referee's word on the impulses; what the solver of the run makes better is taken over. */
static haw_status judge(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_contacts *contacts = simulation->contacts;
    double *direction = simulation->implicit->direction, *right = simulation->u_free;
    const int before = simulation->report.iterations;
    if (contacts->count == 0) {
        return HAW_OK;
    }
    find_right(step, right);
    HAW_TRY(haw_jean_solve_contacts(step, right));
    if (simulation->report.iterations > before) {
        haw_jean_push(step);
        HAW_TRY(haw_system_factor(simulation->implicit->system));
        direct(step, right, direction);
        haw_axpy(simulation->model.dofs, 1, direction, simulation->u_plus);
        HAW_TRY(haw_jean_evaluate(step));
    }
    return HAW_OK;
}

static haw_status missed(const haw_jean_step *step, int iterations)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: residual impulse %.3g N s > %.3g N s after %d Newton "
                    "iterations: use a smaller step or on_unconverged: halve",
                    state->step + 1, state->t, step->norm, haw_jean_tolerance(step), iterations);
}

/* The contact problem itself may have missed its tolerance. */
static haw_status check_contacts(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_report *report = &simulation->report;
    if (simulation->contacts->count == 0 || report->outcome == HAW_CONVERGED) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s missed its tolerance: residual %.3g > %.3g after %d "
                    "iterations with %d points near",
                    simulation->state->step + 1, simulation->state->t, report->residual.natural,
                    report->tolerance, report->iterations, simulation->contacts->count);
}

haw_status haw_jean_solve(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    haw_jean_predict(step);
    HAW_TRY(haw_jean_detect(step));
    HAW_TRY(haw_jean_evaluate(step));
    find_reference(step);
    for (int k = 0; k < step->max_newton; k++) {
        const haw_status status = iterate(step);
        if (status == HAW_ERR_SINGULAR || !isfinite(step->norm)) {
            return missed(step, k + 1);
        }
        HAW_TRY(status);
        if (k == 0) {
            find_reference(step);
        }
        HAW_TRY(is_balanced(step) ? judge(step) : HAW_OK);
        if (is_balanced(step)) {
            return check_contacts(step);
        }
    }
    return missed(step, step->max_newton);
}

void haw_jean_move(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    for (int i = 0; i < state->dofs; i++) {
        simulation->work[0][i] = state->q[i] + step->h * ((1 - step->theta) * state->u[i] +
                                                          step->theta * simulation->u_plus[i]);
    }
}

/* ---- the row of the table ---- */

static const haw_jean_options *get_options(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

haw_jean_step haw_jean_begin(haw_simulation *simulation)
{
    const haw_jean_options *o = get_options(simulation);
    return (haw_jean_step){.simulation = simulation,
                           .jean = simulation->jean,
                           .h = simulation->h,
                           .theta = o->theta,
                           .tolerance = o->newton_tolerance,
                           .max_newton = o->max_newton};
}

static haw_status prepare(haw_simulation *simulation)
{
    const haw_jean_options *o = get_options(simulation);
    if (simulation->model.dimension == 3) {
        return haw_space_jean_prepare(simulation);
    }
    simulation->step = o->common.step;
    simulation->end = o->common.end;
    if (simulation->implicit == NULL) {
        HAW_TRY(haw_implicit_create(simulation, NULL, &simulation->implicit));
    }
    return haw_jean_create(simulation);
}

haw_status haw_jean_check_finite(const haw_simulation *simulation, double total)
{
    if (isfinite(total)) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "the state is no longer finite in step %ld at t = %g s",
                    simulation->state->step + 1, simulation->state->t);
}

/* The points where the step ends, and their velocities there. */
static void close_contacts(haw_simulation *simulation, const double *q_plus)
{
    haw_contacts *contacts = simulation->contacts;
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    for (int i = 0; i < contacts->count; i++) {
        contacts->item[i].gap = haw_contacts_gap(contacts, &contacts->item[i], q_plus);
    }
}

static haw_status accept(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_state *state = simulation->state;
    const double *q_plus = simulation->work[0];
    haw_jean_move(step);
    const haw_energy energy = haw_model_energy(&simulation->model, q_plus);
    const double kinetic = haw_model_kinetic(&simulation->model, q_plus, simulation->u_plus);
    HAW_TRY(haw_jean_check_finite(simulation, energy.elastic + energy.gravity + kinetic));
    HAW_TRY(haw_guard_handles(simulation, q_plus));
    HAW_TRY(haw_step_keep_impulses(simulation));
    close_contacts(simulation, q_plus);
    haw_jean_book(step, energy, kinetic);
    haw_step_certify(simulation);
    memcpy(state->q, q_plus, (size_t)state->dofs * sizeof(double));
    memcpy(state->u, simulation->u_plus, (size_t)state->dofs * sizeof(double));
    simulation->energy = energy;
    simulation->kinetic = kinetic;
    return HAW_OK;
}

/* What missed is an error, or with on_unconverged: warn a step like any other. */
haw_status haw_jean_settle(const haw_jean_step *step, haw_status status)
{
    haw_simulation *simulation = step->simulation;
    haw_certificate *certificate = &simulation->certificate;
    const bool warns = simulation->settings.on_unconverged == HAW_UNCONVERGED_WARN &&
                       !haw_model_has_ropes(&simulation->model);
    if (status == HAW_ERR_UNCONVERGED && !(warns && step->norm < step->reference)) {
        certificate->unconverged_steps++;
        return status;
    }
    HAW_TRY(status == HAW_ERR_UNCONVERGED ? HAW_OK : status);
    certificate->newton_residual_max =
        fmax(certificate->newton_residual_max, step->norm / haw_jean_tolerance(step));
    if (status == HAW_ERR_UNCONVERGED) {
        simulation->report.outcome = HAW_ITERATION_LIMIT;
    }
    return HAW_OK;
}

static haw_status step(haw_simulation *simulation)
{
    if (simulation->model.dimension == 3) {
        return haw_space_jean_step(simulation);
    }
    haw_jean_step now = haw_jean_begin(simulation);
    simulation->implicit->noise = haw_implicit_noise(simulation, simulation->state->q);
    HAW_TRY(haw_jean_settle(&now, haw_jean_solve(&now)));
    return accept(&now);
}

static haw_status complete_problem(haw_simulation *simulation)
{
    const bool is_complete = simulation->stage == NULL || simulation->stage->global.m.rows > 0;
    return is_complete ? HAW_OK : haw_space_jean_problem(simulation);
}

const haw_stepper_ops haw_stepper_moreau_jean = {
    .name = "moreau-jean",
    .summary = "implicit theta-method with set-valued contact, full Newton, gaps corrected",
    .source = "M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257; V. Acary, B. "
              "Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), ch. 10",
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED | HAW_STEPPER_CLOSED |
             HAW_STEPPER_LABELS,
    .options = options,
    .options_size = sizeof(haw_jean_options),
    .order = 1,
    .prepare = prepare,
    .step = step,
    .complete_problem = complete_problem,
};
