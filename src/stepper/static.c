/* SPDX-License-Identifier: BSD-3-Clause */
/* The stepper `static`, whose one step is the equilibrium (statics/), and starts from one. */
#include "statics/statics.h"
#include "stepper/simulation.h"

#include <math.h>
#include <stdio.h>
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

/* An equilibrium with the length of a drawn path may have any tension: one drawn with gaps to what
 * it lies on is slack. Where an end pulls that is known, and where one is free. */
static void warn_tension(const haw_simulation *simulation)
{
    static const double MISS = 0.1;
    const double *q = simulation->state->q;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const bool is_held = haw_cable_end_held(cable, 0) && haw_cable_end_held(cable, 1);
        const bool is_drawn = isnan(cable->tension) && (cable->line.closed || is_held) &&
                              !cable->guide[0].pulls && !cable->guide[1].pulls;
        const double has = is_drawn ? cable->ops->tension(cable, 0, q, NULL) : (double)NAN;
        const double own =
            cable->line.density * cable->line.le * vec3_norm(simulation->model.gravity);
        if (fabs(has - cable->asked) > MISS * cable->asked + own) {
            haw_log(simulation->context, HAW_LOG_WARNING,
                    "'%s' has a tension of %.3g N at its start in equilibrium, not %.3g N: its "
                    "length is that of its path as drawn",
                    cable->name, has, cable->asked);
        }
    }
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
    HAW_TRY(status);
    warn_tension(simulation);
    return haw_model_guard(&simulation->model, simulation->state->t, simulation->state->q);
}

/* Locks all coordinates of bodies. @return how many of them move; their names, ", " between */
static int hold_bodies(haw_model *model, bool *lock, char *names, size_t room)
{
    int count = 0;
    names[0] = '\0';
    memcpy(lock, model->lock, (size_t)model->dofs * sizeof *lock);
    model->lock = lock; /* the shared model keeps its own */
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        bool is_free = false;
        for (int k = 0; k < model->kind->dofs; k++) {
            is_free = is_free || !(body->held[k] || model->lock[body->first + k]);
            model->lock[body->first + k] = true;
        }
        const size_t used = strlen(names);
        if (is_free) {
            (void)snprintf(names + used, room - used, "%s'%s'", count++ > 0 ? ", " : "",
                           body->name);
        }
    }
    return count;
}

/* There is no equilibrium, or something moves away from where it is sought. */
static bool is_missed(haw_status status)
{
    return status == HAW_ERR_UNCONVERGED || status == HAW_ERR_INPUT;
}

/*
 * Weights that differ over a wheel, a load on a drum that may turn: they are at rest nowhere until
 * something holds them. An automatic start holds all bodies where they are drawn, and lets go.
 */
static haw_status start_held(haw_simulation *simulation, const haw_state *drawn, haw_status status)
{
    haw_context *context = simulation->context;
    haw_model *model = &simulation->model;
    char names[256], message[HAW_MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s", haw_context_message(context));
    bool *lock = haw_arena_allocate(&simulation->arena, (size_t)model->dofs + 1, sizeof *lock);
    HAW_TRY(haw_arena_status(&simulation->arena));
    const bool holds = hold_bodies(model, lock, names, sizeof names) > 0;
    if (holds && model->start_is_auto) {
        haw_state_copy(simulation->state, drawn);
        status = find(simulation, NULL);
    }
    if (is_missed(status)) {
        status = haw_fail(context, status, "%s; to begin as drawn, use start: given%s%s", message,
                          holds ? "; start.lock holds what moves, here one of " : "", names);
        return haw_place(context, status, "start");
    }
    haw_log(context, HAW_LOG_WARNING,
            "start: auto found no equilibrium while %s may move: held where they are drawn until "
            "the cables are at rest, then let go. Write start: {type: static, lock: [...]} to hold "
            "only some of them, or start: given to begin as drawn",
            names);
    return status;
}

haw_status haw_static_start(haw_simulation *simulation)
{
    haw_state *drawn = NULL;
    HAW_TRY(haw_state_create(simulation->context, &simulation->model, &drawn));
    haw_state_copy(drawn, simulation->state);
    haw_status status = find(simulation, NULL);
    if (is_missed(status)) {
        status = start_held(simulation, drawn, status);
    }
    haw_state_free(simulation->context, drawn);
    HAW_TRY(status);
    simulation->certificate = (haw_certificate){.residual_max = 0};
    haw_step_book_depths(simulation); /* the first frame shows what the equilibrium leaves */
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
    contacts->phase = HAW_STATICS; /* where nothing touches, too: its support are forces */
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        contacts->gamma_free[i] = contacts->gamma_plus[i] = 0;
    }
    simulation->report.residual.natural = simulation->report.residual.stop =
        simulation->last_residual;
    simulation->report.residual.cone *= simulation->step; /* as the impulses that are shown */
    simulation->report.tolerance = settings.tolerance;
    simulation->energy = haw_model_energy(&simulation->model, simulation->state->q);
    haw_ledger *ledger = &simulation->ledger;
    ledger->kinetic = simulation->kinetic = haw_model_kinetic(
        &simulation->model, simulation->state->q, simulation->state->u); /* of what is led */
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
