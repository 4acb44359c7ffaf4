/* SPDX-License-Identifier: BSD-3-Clause */
/* The stepper `static`, whose one step is the equilibrium (statics/), and starts from one. */
#include "statics/statics.h"
#include "stepper/simulation.h"

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
                           .find_contact = haw_quasi_static_find,
                           .finder = simulation,
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
    .row.summary = "equilibrium by Newton; bodies that nothing keeps in place fall until they are "
                   "caught; hard contact with friction from where the cables are drawn",
    .row.source = "Nocedal, Wright, Numerical Optimization (2006), ch. 18",
    .row.options = options,
    .row.options_size = sizeof(static_options),
    .flags = HAW_STEPPER_REST | HAW_STEPPER_STATIC,
    .order = 0,
    .prepare = prepare,
    .step = solve,
};
