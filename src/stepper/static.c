/* SPDX-License-Identifier: BSD-3-Clause */
/* The steppers `static`, whose one step is the equilibrium (statics/), and `quasi-static`, a path
 * of equilibria. */
#include "statics/statics.h"
#include "stepper/generalized_alpha.h"

#include <math.h>
#include <string.h>

typedef struct static_options {
    haw_stepper_common common;
    double newton_tolerance;
    int max_iterations;
} static_options;

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(static_options, common.step), 1, DBL_MIN, DBL_MAX, "s",
     "pseudo time of the one step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(static_options, common.end), 1, DBL_MIN, DBL_MAX, "s",
     "ignored: a single step finds the equilibrium", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(static_options, newton_tolerance), 1e-10, 1e-14,
     1e-2, "", "unbalanced force over the largest tension or weight", NULL},
    {"max_iterations", HAW_OPTION_INT, offsetof(static_options, max_iterations), 1000, 1, 1000000,
     "", "Newton iterations", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static haw_status prepare(haw_simulation *simulation)
{
    simulation->steps_total = 1;
    simulation->end = simulation->step;
    return HAW_OK;
}

/* The equilibrium, or without settings the start from one; what was found, also where it is none.
 */
static haw_status find(haw_simulation *simulation, const haw_static_settings *settings)
{
    haw_certificate *certificate = &simulation->certificate;
    haw_statics statics = {.context = simulation->context,
                           .arena = &simulation->arena,
                           .model = &simulation->model,
                           .state = simulation->state,
                           .contacts = simulation->contacts,
                           .compliant = simulation->compliant,
                           .workspace = simulation->workspace,
                           .force = simulation->force,
                           .support = simulation->support,
                           .report = &simulation->report,
                           .residual = &simulation->last_residual,
                           .iterations = &certificate->iterations_total,
                           .newton_iterations = &certificate->newton_iterations,
                           .factorizations = &certificate->factorizations};
    const haw_status status =
        settings != NULL ? haw_statics_solve(&statics, settings) : haw_statics_start(&statics);
    simulation->compliant = statics.compliant;
    return status == HAW_OK
               ? haw_model_guard(&simulation->model, simulation->state->t, simulation->state->q)
               : status;
}

haw_status haw_static_start(haw_simulation *simulation)
{
    HAW_TRY(find(simulation, NULL));
    simulation->certificate = (haw_certificate){.residual_max = 0};
    return HAW_OK;
}

/* Nothing moves, but what only springs hold out of a surface may lie too deep in it. */
static haw_status guard_depth(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    const haw_guard_step step = {
        .t = state->t, .before = state->q, .after = state->q, .is_last = true};
    return haw_guard_check(simulation->guard, &step, &simulation->certificate.penetration_max);
}

/* The whole run: equilibrium and its energies. */
static haw_status solve(haw_simulation *simulation)
{
    const static_options *o = (const void *)simulation->settings.stepper.options;
    const haw_static_settings settings = {o->newton_tolerance, o->max_iterations};
    haw_contacts *contacts = simulation->contacts;
    const haw_status status = find(simulation, &settings);
    if (status == HAW_ERR_UNCONVERGED) {
        simulation->certificate.unconverged_steps++;
    }
    HAW_TRY(status);
    simulation->set_valued = contacts->count;
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        contacts->gamma_free[i] = contacts->gamma_plus[i] = 0;
    }
    simulation->report.residual.natural = simulation->report.residual.stop =
        simulation->last_residual;
    simulation->report.tolerance = settings.tolerance;
    simulation->energy = haw_model_energy(&simulation->model, simulation->state->q);
    haw_ledger *ledger = &simulation->ledger;
    ledger->elastic = simulation->energy.elastic;
    ledger->gravity = simulation->energy.gravity;
    ledger->initial = ledger->kinetic + ledger->elastic + ledger->gravity;
    haw_step_certify(simulation);
    return guard_depth(simulation);
}

const haw_stepper_ops haw_stepper_static = {
    .row.name = "static",
    .row.summary =
        "equilibrium by Newton with line search; set-valued contact: frictionless, bodies held",
    .row.source = "Nocedal, Wright, Numerical Optimization (2006), ch. 18",
    .row.options = options,
    .row.options_size = sizeof(static_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED |
             HAW_STEPPER_COMPLIANT | HAW_STEPPER_MIXED | HAW_STEPPER_SWITCHING |
             HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS | HAW_STEPPER_VARIABLE_MASS |
             HAW_STEPPER_STATIC | HAW_STEPPER_JOINTS,
    .order = 0,
    .prepare = prepare,
    .step = solve,
};

/* ---- quasi-static ---- */

/*
 * Quasi-static loading: at the times t_n = n h the equilibrium
 *
 *     0 = f(t_n, q_n, u_n),   u_n = (q_n - q_{n-1}) / h,
 *
 * backward Euler without inertia. Given forces, torques and prescribed motions over time are any
 * path of loading; u_n gives dampers and friction their rates, and histories of contacts are
 * committed at every step, so that what slips depends on the path. Prescribed degrees of freedom
 * move by the integral of their velocity over the step (Simpson's rule). Newton's method is that of
 * generalized-alpha; its matrix K + C / h + sigma M, with a sigma that is negligible against K,
 * stays regular where nothing resists, as on a frictionless sheave. Where it fails, as where all
 * bristles of a sheave slip at the start of a motion, it starts again with the velocities of a step
 * so short that they stick, and then as equilibrium.c does.
 *
 * Ledger: every kind of force does the work of its mean over the step, and numerical_loss =
 * -(dq' mean of conservative + dV) - the work of meshes of ropes + half of that of the forces which
 * are not balanced at the start of the step, there where the run starts out of equilibrium. The
 * kinetic energy stays that of the start.
 */

static const double SIGMA = 1e-9;    /* of that with which an equilibrium is sought from far away */
static const double FRACTION = 1e-3; /* of a step, in which bristles stick */

enum { PURSUIT = 10 }; /* iterations from far away over those of Newton's method */

static const haw_option path_rows[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_alpha_options, common.step), 1e-2, DBL_MIN, DBL_MAX, "s",
     "time between two equilibria", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_alpha_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    HAW_ALPHA_NEWTON(50),
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/*
 * The iterate with the free velocities of implicit->u; prescribed ones are their mean over the
 * step.
 */
static void place(const haw_alpha_step *step)
{
    static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs, *equation = implicit->system->equation;
    double *u = implicit->u, *at = implicit->direction;
    memset(at, 0, (size_t)n * sizeof *at);
    for (int i = 0; i < n; i++) {
        u[i] = equation[i] < 0 ? 0 : u[i];
    }
    for (int k = 0; k < 3; k++) {
        haw_model_prescribe(&simulation->model, state->t + 0.5 * k * step->h, at);
        for (int i = 0; i < n; i++) {
            u[i] += equation[i] < 0 ? weight[k] * at[i] : 0;
        }
    }
    haw_model_guide(&simulation->model, state->q, state->u, step->h, u);
    haw_implicit_rest(step->simulation);
    for (int i = 0; i < n; i++) {
        implicit->x[i] += step->h * u[i];
        implicit->a[i] = implicit->acceleration[i] = 0;
    }
    haw_implicit_place(step->simulation, step->t);
}

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
    place(&part);
    return haw_alpha_newton(&part);
}

/* Seek the equilibrium of the step from the iterate, from far away. */
static haw_status balance(const haw_alpha_step *step, bool *done)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_static_settings settings = {step->options->newton_tolerance,
                                          PURSUIT * step->options->max_newton};
    const double sigma = haw_equilibrium_sigma(&simulation->model, simulation->state->q);
    haw_equilibrium x = {.settings = &settings,
                         .model = &simulation->model,
                         .compliant = simulation->compliant,
                         .system = implicit->system,
                         .now = &implicit->now,
                         .hold = implicit->hold,
                         .q = implicit->q,
                         .u = implicit->u,
                         .direction = implicit->direction,
                         .way = simulation->work[0],
                         .kept = simulation->work[1],
                         .t = step->t,
                         .part = 1,
                         .rate = step->rate,
                         .sigma = sigma,
                         .sigma_first = sigma};
    const haw_status status = haw_equilibrium_balance(&x, settings.tolerance, done);
    simulation->certificate.newton_iterations += x.iterations;
    simulation->certificate.iterations_total += x.iterations;
    simulation->certificate.factorizations += x.factorizations;
    return status;
}

/* Pseudo-transient iterations from rest. Knots that had to be held make no equilibrium. */
static haw_status relax(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    bool done = false;
    restart(step);
    memset(implicit->u, 0, (size_t)simulation->state->dofs * sizeof *implicit->u);
    place(step);
    HAW_TRY(balance(step, &done));
    haw_implicit_measure(simulation);
    HAW_TRY(haw_alpha_evaluate(step));
    if (simulation->compliant != NULL) {
        done = done && haw_compliant_held(simulation->compliant) == 0;
    }
    step->tolerance = done ? step->norm : step->tolerance;
    simulation->implicit->factor_h = (double)NAN;
    return done ? HAW_OK : HAW_ERR_UNCONVERGED;
}

/* From the velocities of the last step, then from those of one in which bristles stick, then from
 * far away. */
static haw_status attempt(haw_alpha_step *step)
{
    const haw_state *state = step->simulation->state;
    memcpy(step->simulation->implicit->u, state->u, (size_t)state->dofs * sizeof *state->u);
    place(step);
    haw_status status = haw_alpha_newton(step);
    if (status != HAW_ERR_UNCONVERGED) {
        return status;
    }
    status = creep(step);
    if (status == HAW_OK) {
        restart(step);
        place(step);
        status = haw_alpha_newton(step);
    }
    return status == HAW_ERR_UNCONVERGED ? relax(step) : status;
}

static haw_status begin(haw_simulation *simulation)
{
    haw_alpha_step *step = haw_alpha_set(simulation);
    step->attempt = attempt;
    step->is_static = true;
    step->rate = 1 / step->h;
    step->beta = (double)INFINITY; /* no accelerations */
    step->mass = SIGMA * haw_equilibrium_sigma(&simulation->model, simulation->state->q);
    return haw_alpha_begin(step);
}

/* Reactions are those of the equilibrium at the end, not means over the step as in a motion. */
static void find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    const haw_implicit *implicit = simulation->implicit;
    haw_alpha_find_work(simulation, end, work);
    for (int i = 0; i < simulation->model.dofs; i++) {
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] = is_prescribed ? simulation->h * implicit->residual[i] : 0;
    }
}

const haw_stepper_ops haw_stepper_quasi_static = {
    .row.name = "quasi-static",
    .row.summary = "equilibria along prescribed loads and motions over time, without inertia",
    .row.source = "J. C. Simo, T. J. R. Hughes, Computational Inelasticity (1998), ch. 1",
    .row.options = path_rows,
    .row.options_size = sizeof(haw_alpha_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_COMPLIANT | HAW_STEPPER_SWITCHING |
             HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS | HAW_STEPPER_QUASI_STATIC |
             HAW_STEPPER_JOINTS | HAW_STEPPER_VARIABLE_MASS,
    .order = 0,
    .prepare = haw_alpha_prepare,
    .predict = begin,
    .solve = haw_alpha_solve,
    .close = haw_alpha_close,
    .find_work = find_work,
    .turn_over = haw_alpha_turn_over,
};
