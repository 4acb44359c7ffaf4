/* SPDX-License-Identifier: BSD-3-Clause */
/* Create, advance and run a simulation. */
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { PARTS = 256 }; /* on_unconverged: halve tries steps down to h / 256 */

static haw_status create_vectors(haw_simulation *simulation)
{
    const size_t n = (size_t)simulation->model.dofs;
    double **const vector[] = {&simulation->q_mid,   &simulation->force,  &simulation->u_free,
                               &simulation->u_plus,  &simulation->u_mean, &simulation->push,
                               &simulation->work[0], &simulation->work[1]};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = haw_arena_allocate(&simulation->arena, n + 1, sizeof(double));
        if (*vector[i] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    return HAW_OK;
}

/* A private copy of the cables: a static start changes their unstrained lengths. */
static haw_status copy_model(haw_simulation *simulation, const haw_model *model)
{
    const size_t bytes = (size_t)model->cables * sizeof *model->cable;
    simulation->model = *model;
    haw_arena_init(&simulation->model.arena, simulation->context);
    simulation->model.context = simulation->context;
    simulation->model.cable = haw_arena_allocate(&simulation->arena, bytes + 1, 1);
    if (simulation->model.cable == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (bytes > 0) {
        memcpy(simulation->model.cable, model->cable, bytes);
    }
    return HAW_OK;
}

static haw_status create_backups(haw_simulation *simulation)
{
    if (simulation->settings.on_unconverged != HAW_UNCONVERGED_HALVE) {
        return HAW_OK;
    }
    return haw_state_create(simulation->context, &simulation->model, &simulation->backup);
}

static void start_ledger(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    haw_ledger *ledger = &simulation->ledger;
    simulation->energy = haw_model_energy(&simulation->model, state->q);
    simulation->kinetic = haw_model_kinetic(&simulation->model, state->q, state->u);
    *ledger = (haw_ledger){.kinetic = simulation->kinetic,
                           .elastic = simulation->energy.elastic,
                           .gravity = simulation->energy.gravity};
    ledger->initial = ledger->kinetic + ledger->elastic + ledger->gravity;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_line *line = &simulation->model.cable[i].line;
        simulation->energy_scale += 1e-9 * line->stiffness * line->le * line->elements;
    }
}

/*
 * A scene that starts with a cable inside a body has no motion from outside that leads there. An
 * arc drawn on a circle is interpolated up to l^2 / (8 R) inside it; a hundredth of R is drawing.
 */
static haw_status check_pair(const haw_simulation *simulation, int i)
{
    const haw_model *model = &simulation->model;
    const haw_pair *pair = &model->pair[i];
    const haw_body *body = &model->body[pair->body];
    const double gap = simulation->contacts->gap_min[i];
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    const double le = cable != NULL && cable->is_path ? cable->line.le : 0;
    const char *owner = cable != NULL ? cable->name : model->body[pair->proxy].name;
    double radius = body->shape->radius(body->shape_options);
    radius = pair->cable < 0 ? fmin(radius, pair->proxy_radius) : radius;
    const double allowed =
        isinf(radius) ? 1e-9 + 0.01 * le : 0.01 * radius + le * le / (8 * radius);
    if (-gap > allowed) {
        const haw_status status =
            haw_fail(simulation->context, HAW_ERR_INPUT,
                     "contact of '%s' and '%s': the start is %g m inside the surface, more than "
                     "%g m: move the body or the cable apart",
                     owner, body->name, -gap, allowed);
        return haw_place(simulation->context, status, "contact.%s-%s", owner, body->name);
    }
    return HAW_OK;
}

static haw_status check_start(haw_simulation *simulation)
{
    if (simulation->settings.stepper.ops == &haw_stepper_static) {
        return HAW_OK; /* equilibrium pushes the cable out */
    }
    HAW_TRY(
        haw_contacts_detect(simulation->contacts, simulation->state->q, simulation->state->u, 0));
    for (int i = 0; i < simulation->model.pairs; i++) {
        HAW_TRY(check_pair(simulation, i));
    }
    simulation->contacts->count = 0;
    return HAW_OK;
}

static haw_status create(haw_simulation *simulation, const haw_model *model)
{
    haw_context *context = simulation->context;
    HAW_TRY(copy_model(simulation, model));
    HAW_TRY(haw_state_create(context, &simulation->model, &simulation->state));
    HAW_TRY(create_vectors(simulation));
    HAW_TRY(haw_contacts_create(context, &simulation->model, &simulation->contacts));
    HAW_TRY(haw_inertia_create(context, &simulation->model, &simulation->inertia));
    HAW_TRY(create_backups(simulation));
    HAW_TRY(haw_step_reserve(simulation));
    HAW_TRY(haw_probes_create(simulation));
    if (simulation->model.start == HAW_START_STATIC &&
        simulation->settings.stepper.ops != &haw_stepper_static) {
        HAW_TRY(haw_static_start(simulation));
    }
    simulation->steps_total = -1;
    HAW_TRY(simulation->settings.stepper.ops->prepare(simulation));
    simulation->h = simulation->step;
    HAW_TRY(haw_monitor_create(simulation));
    HAW_TRY(check_start(simulation));
    start_ledger(simulation);
    return HAW_OK;
}

haw_status haw_simulation_create(haw_context *context, const haw_model *model,
                                 const haw_run_settings *settings, haw_simulation **simulation)
{
    *simulation = haw_allocate(context, 1, sizeof **simulation);
    if (*simulation == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*simulation)->context = context;
    (*simulation)->settings = *settings;
    haw_arena_init(&(*simulation)->arena, context);
    haw_status status = HAW_OK;
    if (!(settings->every > 0)) {
        status =
            haw_fail(context, HAW_ERR_INPUT, "output every must be > 0 (got %g)", settings->every);
    }
    status = status == HAW_OK ? create(*simulation, model) : status;
    if (status != HAW_OK) {
        haw_simulation_free(*simulation);
        *simulation = NULL;
    }
    return status;
}

void haw_simulation_free(haw_simulation *simulation)
{
    if (simulation == NULL) {
        return;
    }
    haw_state_free(simulation->context, simulation->backup);
    haw_inertia_free(simulation->inertia);
    haw_contacts_free(simulation->contacts);
    haw_state_free(simulation->context, simulation->state);
    haw_release(simulation->context, simulation->solver_work);
    haw_release(simulation->context, simulation->closed);
    if (simulation->model.context != NULL) {
        haw_arena_fini(&simulation->model.arena);
    }
    haw_arena_fini(&simulation->arena);
    haw_release(simulation->context, simulation);
}

/* The list of closed points after a state was put back. */
static void recount_closed(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    simulation->closed_count = 0;
    for (int id = 0; 2 * id < state->rows; id++) {
        if (state->impulse[2 * id] != 0 || state->impulse[2 * id + 1] != 0) {
            simulation->closed[simulation->closed_count++] = id;
        }
    }
}

haw_status haw_simulation_restore(haw_simulation *simulation, const haw_state *state)
{
    if (state->dofs != simulation->state->dofs || state->rows != simulation->state->rows) {
        return haw_fail(simulation->context, HAW_ERR_ARG, "the state is of another model");
    }
    int closed = 0;
    for (int id = 0; 2 * id < state->rows; id++) {
        closed += state->impulse[2 * id] != 0 || state->impulse[2 * id + 1] != 0;
    }
    HAW_TRY(haw_step_reserve_closed(simulation, closed));
    haw_state_copy(simulation->state, state);
    recount_closed(simulation);
    simulation->energy = haw_model_energy(&simulation->model, state->q);
    simulation->kinetic = haw_model_kinetic(&simulation->model, state->q, state->u);
    return HAW_OK;
}

/* One step of the stepper; a missed tolerance leaves the state as it was. */
static haw_status try_step(haw_simulation *simulation, double h, bool restorable)
{
    haw_state *state = simulation->state;
    if (restorable) {
        haw_state_copy(simulation->backup, state);
    }
    simulation->h = h;
    const haw_status status = simulation->settings.stepper.ops->step(simulation);
    if (status == HAW_ERR_UNCONVERGED && restorable) {
        haw_state_copy(state, simulation->backup);
        recount_closed(simulation);
    }
    return status;
}

/* A step of length h, in parts of h / 2^k where the tolerance is missed and halving is asked for.
 */
static haw_status advance(haw_simulation *simulation, double h)
{
    const bool halves = simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE;
    const double start = simulation->state->t;
    int done = 0, part = PARTS;
    while (done < PARTS) {
        const double worst = simulation->certificate.residual_max;
        const haw_status status = try_step(simulation, h * part / PARTS, halves);
        if (status == HAW_ERR_UNCONVERGED && halves && part > 1) {
            simulation->certificate.residual_max = worst; /* of what is kept */
            part /= 2;
            continue;
        }
        HAW_TRY(status);
        done += part;
        simulation->state->t = start + h * done / PARTS;
        HAW_TRY(haw_monitor_step(simulation));
        part = done % (2 * part) == 0 ? 2 * part : part;
    }
    return HAW_OK;
}

static void warn_unconverged(haw_simulation *simulation)
{
    const haw_report *report = &simulation->report;
    if (report->outcome == HAW_CONVERGED || simulation->contacts->count == 0) {
        return;
    }
    simulation->certificate.unconverged_steps++;
    if (simulation->certificate.unconverged_steps == 1) {
        haw_log(simulation->context, HAW_LOG_WARNING,
                "step %ld at t = %g s missed its tolerance: residual %.3g > %.3g; later ones are "
                "counted only",
                simulation->state->step + 1, simulation->state->t, report->residual.natural,
                report->tolerance);
    }
}

haw_status haw_simulation_step(haw_simulation *simulation)
{
    haw_state *state = simulation->state;
    const double h = simulation->step;
    double t = h * (double)(state->step + 1);
    const bool last = simulation->steps_total < 0 && t > simulation->end * (1 - 1e-12);
    t = last ? simulation->end : t;
    const double remaining = t - state->t;
    const double length = fabs(remaining - h) <= 1e-9 * h ? h : remaining;
    HAW_TRY(advance(simulation, length));
    state->t = t;
    if (simulation->settings.on_unconverged == HAW_UNCONVERGED_WARN) {
        warn_unconverged(simulation);
    }
    state->step++;
    return HAW_OK;
}

static bool is_done(const haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    if (simulation->steps_total >= 0) {
        return state->step >= simulation->steps_total;
    }
    return state->t >= simulation->end;
}

static haw_status show(haw_simulation *simulation)
{
    const haw_observer *observer = simulation->observer;
    if (observer == NULL || observer->frame == NULL) {
        return HAW_OK;
    }
    return observer->frame(observer->user, haw_simulation_frame(simulation));
}

static void progress(haw_simulation *simulation)
{
    const haw_observer *observer = simulation->observer;
    if (observer != NULL && observer->progress != NULL) {
        simulation->frame.t = simulation->state->t;
        simulation->frame.step = simulation->state->step;
        observer->progress(observer->user, &simulation->frame, simulation->contacts->count,
                           simulation->last_residual);
    }
}

/* A frame where the step nearest to a multiple of `every`, or the last, was done. */
static haw_status show_if_due(haw_simulation *simulation, double *next)
{
    const double every = simulation->settings.every, t = simulation->state->t;
    if (t < *next - 0.5 * simulation->step && !is_done(simulation)) {
        return HAW_OK;
    }
    *next = every * (floor(t / every + 0.5) + 1);
    return show(simulation);
}

static haw_status loop(haw_simulation *simulation)
{
    double next = simulation->settings.every;
    haw_status status = show(simulation);
    while (status == HAW_OK && !is_done(simulation)) {
        HAW_TRY(haw_simulation_step(simulation));
        progress(simulation);
        status = show_if_due(simulation, &next);
        if (status == HAW_OK && haw_context_cancelled(simulation->context)) {
            status = haw_fail(simulation->context, HAW_ERR_CANCELLED, "cancelled at t = %g s",
                              simulation->state->t);
        }
    }
    return status;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void summarise(const haw_simulation *simulation, haw_summary *summary)
{
    summary->stepper = simulation->settings.stepper.ops->name;
    summary->solver = simulation->settings.solver.ops->name;
    summary->steps = simulation->state->step;
    summary->t_end = simulation->state->t;
    summary->step = simulation->step;
    summary->ledger = simulation->ledger;
    summary->certificate = simulation->certificate;
}

/* A run that ended early still shows the last state that it reached; its own failure stands. */
static void show_remainder(haw_simulation *simulation, haw_status status)
{
    const bool ended_early = status == HAW_ERR_DIVERGED || status == HAW_ERR_UNCONVERGED ||
                             status == HAW_ERR_GUARD || status == HAW_ERR_CANCELLED;
    if (ended_early && simulation->state->t > simulation->frame_time) {
        const haw_status ignored = show(simulation);
        (void)ignored;
    }
}

haw_status haw_simulation_run(haw_simulation *simulation, const haw_observer *observer,
                              haw_summary *summary)
{
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    simulation->observer = observer;
    haw_status status = loop(simulation);
    show_remainder(simulation, status);
    const haw_status finished = haw_monitor_finish(simulation);
    status = status == HAW_OK ? finished : status;
    simulation->observer = NULL;
    summary->wall_seconds = seconds(CLOCK_MONOTONIC) - wall;
    summary->cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    summarise(simulation, summary);
    return status;
}

const haw_problem *haw_simulation_problem(const haw_simulation *simulation, const double **impulses)
{
    *impulses = simulation->contacts->impulse;
    return simulation->contacts->count > 0 ? &simulation->contacts->problem : NULL;
}
