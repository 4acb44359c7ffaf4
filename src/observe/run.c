/* SPDX-License-Identifier: BSD-3-Clause */
/* Run to the end: frames at their times, progress, cancel, summary. */
#include "stepper/simulation.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

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
    if (t < *next - 0.5 * simulation->step && !haw_simulation_is_done(simulation)) {
        return HAW_OK;
    }
    *next = every * (floor(t / every + 0.5) + 1);
    return show(simulation);
}

static haw_status loop(haw_simulation *simulation)
{
    const double every = simulation->settings.every;
    double next = every * (floor(simulation->state->t / every + 0.5) + 1);
    haw_status status = show(simulation);
    while (status == HAW_OK && !haw_simulation_is_done(simulation)) {
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
    summary->stepper = simulation->settings.stepper.ops->row.name;
    summary->solver = simulation->settings.solver.ops->row.name;
    summary->steps = simulation->state->step;
    summary->t_end = simulation->state->t;
    summary->step = simulation->step;
    summary->ledger = simulation->ledger;
    summary->certificate = simulation->certificate;
}

/* A run that ended early still shows the last state that it reached; its own failure stands. */
static void show_remainder(haw_simulation *simulation)
{
    char message[512];
    (void)snprintf(message, sizeof message, "%s", haw_context_message(simulation->context));
    const haw_status shown = show(simulation);
    (void)haw_fail(simulation->context, shown, "%s", message);
}

haw_status haw_simulation_run(haw_simulation *simulation, const haw_observer *observer,
                              haw_summary *summary)
{
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    simulation->observer = observer;
    haw_status status = loop(simulation);
    if (status != HAW_OK && simulation->state->t > simulation->frame_time) {
        show_remainder(simulation);
    }
    const haw_status finished = haw_monitor_finish(simulation);
    status = status == HAW_OK ? finished : status;
    simulation->observer = NULL;
    summary->wall_seconds = seconds(CLOCK_MONOTONIC) - wall;
    summary->cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    summarise(simulation, summary);
    return status;
}
