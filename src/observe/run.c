/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation with its observation: create it, step it, run it to the end with frames at their
 * times, progress, cancel and summary. */
#include "observe/observation.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static haw_status attach_observation(haw_simulation *simulation)
{
    haw_observation *o = haw_arena_allocate(&simulation->arena, 1, sizeof *o);
    HAW_TRY(haw_arena_status(&simulation->arena));
    simulation->observation = o;
    o->context = simulation->context;
    o->arena = &simulation->arena;
    o->settings = &simulation->settings;
    o->frame.model = &simulation->model;
    o->frame.state = simulation->state;
    o->next = (double)NAN;
    HAW_TRY(haw_probes_create(o)); /* a wrong name fails before a long static start */
    HAW_TRY(haw_simulation_start(simulation));
    HAW_TRY(haw_monitor_create(simulation));
    haw_monitor_start(simulation);
    simulation->observe = haw_monitor_step;
    return HAW_OK;
}

haw_status haw_simulation_create(haw_context *context, const haw_model *model,
                                 const haw_run_settings *settings, haw_simulation **simulation)
{
    *simulation = NULL;
    if (!(settings->every > 0)) {
        return haw_fail(context, HAW_ERR_INPUT, "'output.every' must be > 0 (got %g)",
                        settings->every);
    }
    HAW_TRY(haw_simulation_build(context, model, settings, simulation));
    const haw_status status = attach_observation(*simulation);
    if (status != HAW_OK) {
        haw_simulation_free(*simulation);
        *simulation = NULL;
    }
    return status;
}

haw_status haw_simulation_step(haw_simulation *simulation)
{
    HAW_TRY(haw_simulation_advance(simulation));
    if (simulation->observation->is_watched) {
        haw_monitor_refresh(simulation);
        haw_probes_watch(simulation->observation);
    }
    return HAW_OK;
}

haw_status haw_simulation_restore(haw_simulation *simulation, const haw_state *state)
{
    HAW_TRY(haw_simulation_restart(simulation, state));
    haw_monitor_restart(simulation);
    return HAW_OK;
}

const haw_frame *haw_simulation_frame(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    if (simulation->state->t > o->frame_time) {
        haw_monitor_frame(simulation);
    }
    haw_monitor_refresh(simulation);
    haw_probes_evaluate(o);
    o->was_shown = true;
    return &o->frame;
}

const haw_run_settings *haw_simulation_settings(const haw_simulation *simulation)
{
    return &simulation->settings;
}

double haw_simulation_step_length(const haw_simulation *simulation)
{
    return simulation->step;
}

const haw_model *haw_simulation_model(const haw_simulation *simulation)
{
    return &simulation->model;
}

static haw_status show(haw_simulation *simulation)
{
    const haw_observer *observer = simulation->observation->observer;
    if (observer == NULL || observer->frame == NULL) {
        return HAW_OK;
    }
    return observer->frame(observer->user, haw_simulation_frame(simulation));
}

/* A frame for who looks on at every step: what costs nothing is of now. */
static const haw_frame *glance(haw_simulation *simulation)
{
    haw_frame *frame = &simulation->observation->frame;
    frame->t = simulation->state->t;
    frame->step = simulation->state->step;
    return frame;
}

static haw_status control(haw_simulation *simulation)
{
    const haw_observer *observer = simulation->observation->observer;
    return observer != NULL && observer->control != NULL
               ? observer->control(observer->user, simulation, glance(simulation))
               : HAW_OK;
}

/* For who keeps them. */
static haw_status offer_checkpoint(haw_simulation *simulation)
{
    const haw_observer *observer = simulation->observation->observer;
    if (observer == NULL || observer->checkpoint == NULL || !haw_checkpoint_is_due(simulation)) {
        return HAW_OK;
    }
    HAW_TRY(haw_checkpoint_take(simulation));
    return observer->checkpoint(observer->user, &simulation->observation->checkpoint);
}

static void set_next(haw_simulation *simulation)
{
    const double every = simulation->settings.every;
    simulation->observation->next = every * (floor(simulation->state->t / every + 0.5) + 1);
}

/* The frame before the first step; a run that goes on with its frames has had it. */
static haw_status begin(haw_simulation *simulation)
{
    const bool goes_on = !isnan(simulation->observation->next);
    if (!goes_on) {
        set_next(simulation);
    }
    HAW_TRY(goes_on ? HAW_OK : show(simulation));
    return offer_checkpoint(simulation);
}

static haw_status loop(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    haw_status status = begin(simulation);
    while (status == HAW_OK && !haw_simulation_is_done(simulation)) {
        HAW_TRY(control(simulation));
        HAW_TRY(haw_simulation_step(simulation));
        if (o->observer != NULL && o->observer->progress != NULL) {
            o->observer->progress(o->observer->user, glance(simulation),
                                  simulation->contacts->count, simulation->last_residual);
        }
        /* A frame where the step nearest to a multiple of `every`, or the last, was done. */
        const double t = simulation->state->t;
        if (t >= o->next - 0.5 * simulation->step || haw_simulation_is_done(simulation)) {
            set_next(simulation);
            status = show(simulation);
        }
        status = status == HAW_OK ? offer_checkpoint(simulation) : status;
        if (status == HAW_OK && haw_context_cancelled(simulation->context)) {
            status = haw_fail(simulation->context, HAW_ERR_CANCELLED, "cancelled at t = %g s", t);
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

static haw_sparse_calls sparse_calls(const haw_simulation *simulation)
{
    const haw_sparse_calls *before = &simulation->sparse;
    haw_sparse_calls now = *haw_context_sparse(simulation->context);
    now.cholmod_factorizations -= before->cholmod_factorizations;
    now.cholmod_solves -= before->cholmod_solves;
    now.klu_factorizations -= before->klu_factorizations;
    now.klu_solves -= before->klu_solves;
    now.umfpack_factorizations -= before->umfpack_factorizations;
    now.umfpack_solves -= before->umfpack_solves;
    return now;
}

haw_status haw_simulation_run(haw_simulation *simulation, const haw_observer *observer,
                              haw_summary *summary)
{
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    simulation->observation->observer = observer;
    haw_status status = loop(simulation);
    status = status == HAW_OK ? haw_simulation_warn_unstable(simulation) : status;
    if (status != HAW_OK && simulation->state->t > simulation->observation->frame_time) {
        /* A run that ended early still shows the last state that it reached; its failure stands. */
        char message[512];
        (void)snprintf(message, sizeof message, "%s", haw_context_message(simulation->context));
        (void)haw_fail(simulation->context, show(simulation), "%s", message);
    }
    simulation->observation->next = (double)NAN;
    const haw_status finished = haw_monitor_finish(simulation);
    status = status == HAW_OK ? finished : status;
    simulation->observation->observer = NULL;
    *summary = (haw_summary){.stepper = simulation->settings.stepper.ops->row.name,
                             .solver = simulation->settings.solver.ops->row.name,
                             .steps = simulation->state->step,
                             .t_end = simulation->state->t,
                             .step = simulation->step,
                             .wall_seconds = seconds(CLOCK_MONOTONIC) - wall,
                             .cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                             .ledger = simulation->ledger,
                             .certificate = simulation->certificate,
                             .sparse = sparse_calls(simulation)};
    return status;
}
