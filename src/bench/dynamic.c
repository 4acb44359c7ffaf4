/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/dynamic.h"

#include "io/csv.h"
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>

static const double CLOCK = 1e-9; /* rounding of times at the ends of the window [s] */

typedef struct watch {
    const haw_dynamic_rules *rules;
    haw_dynamic *result;
    haw_simulation *simulation;
    double started;
} watch;

static bool is_over(const watch *w)
{
    const double limit = w->rules->time_limit;
    return limit > 0 && haw_cpu_clock() - w->started > limit;
}

/* A solve that takes longer than the run may is ended as well. What it leaves is no step that
 * missed its tolerance, but none at all. */
static bool on_question(void *user, const haw_solve_progress *progress)
{
    watch *w = user;
    (void)progress;
    const bool cancelled = haw_context_cancelled(w->simulation->context);
    w->result->timed_out = w->result->timed_out || is_over(w);
    if (w->result->timed_out || cancelled) {
        w->simulation->settings.on_unconverged = HAW_UNCONVERGED_STOP;
    }
    return w->result->timed_out || cancelled;
}

/* Largest tension of all elements at their middles [N]. */
static double highest_tension(const haw_simulation *simulation)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const haw_beam *beam = &cable->beam;
        for (int e = 0; e < beam->elements; e++) {
            haw_space_strain strain;
            beam->ops->strain(beam, e, 0.5, simulation->state->q + cable->first_q, NULL, &strain);
            most = fmax(most, strain.tension);
        }
    }
    return most;
}

static void record_step(const watch *w)
{
    const haw_simulation *simulation = w->simulation;
    haw_dynamic *result = w->result;
    result->steps = simulation->state->step;
    result->t_end = simulation->state->t;
    result->certificate = simulation->certificate;
    if (simulation->state->t >= w->rules->from - CLOCK) {
        const double excess = highest_tension(simulation) / w->rules->tension - 1;
        result->spurious = isnan(result->spurious) ? excess : fmax(result->spurious, excess);
    }
    if (w->rules->progress != NULL) {
        w->rules->progress(w->rules->user, haw_simulation_frame(w->simulation));
    }
}

static haw_status advance(const watch *w)
{
    haw_status status = HAW_OK;
    while (status == HAW_OK && !w->result->timed_out && !haw_simulation_is_done(w->simulation)) {
        const double start = haw_cpu_clock();
        status = haw_simulation_step(w->simulation);
        w->result->cpu_seconds += haw_cpu_clock() - start;
        if (status == HAW_OK) {
            record_step(w);
            w->result->timed_out = w->result->timed_out || is_over(w);
        }
        if (status == HAW_OK && haw_context_cancelled(w->simulation->context)) {
            status = HAW_ERR_CANCELLED;
        }
    }
    return status;
}

/* What ends a run on its way is a figure of the solver; memory and a cancel end the bench. */
static haw_status record_end(haw_arena *arena, const watch *w, haw_status status)
{
    haw_context *context = w->simulation->context;
    if (haw_context_cancelled(context)) {
        w->result->interrupted = true;
        return haw_fail(context, HAW_ERR_CANCELLED, "interrupted");
    }
    if (status == HAW_OK || status == HAW_ERR_NOMEM || w->result->timed_out) {
        return w->result->timed_out ? HAW_OK : status;
    }
    w->result->message = haw_arena_string(arena, haw_context_message(context));
    return haw_arena_status(arena);
}

haw_status haw_dynamic_run(haw_arena *arena, const haw_model *model,
                           const haw_run_settings *settings, const haw_dynamic_rules *rules,
                           haw_dynamic *result)
{
    haw_run_settings own = *settings;
    haw_solver_common common;
    watch w = {.rules = rules, .result = result, .started = haw_cpu_clock()};
    const haw_solve_observer observer = {.observe = on_question, .user = &w};
    memcpy(&common, settings->solver.options, sizeof common);
    *result = (haw_dynamic){.solver = settings->solver.ops->row.name,
                            .tolerance = common.tolerance,
                            .spurious = (double)NAN};
    own.on_unconverged = HAW_UNCONVERGED_WARN;
    own.probes = 0;
    HAW_TRY(haw_simulation_create(arena->context, model, &own, &w.simulation));
    haw_workspace_observe(w.simulation->workspace, &observer);
    result->was_run = true;
    const haw_status status = record_end(arena, &w, advance(&w));
    haw_simulation_free(w.simulation);
    return status;
}

const char *haw_dynamic_text(const haw_dynamic *result)
{
    if (!result->was_run) {
        return "not run";
    }
    if (result->interrupted) {
        return "interrupted";
    }
    if (result->timed_out) {
        return "time limit";
    }
    return result->message != NULL ? "failed" : "done";
}

haw_status haw_dynamic_write(haw_context *context, int count, const haw_dynamic *result,
                             double frictionless, const char *folder)
{
    haw_text text;
    HAW_TRY(haw_folder_make(context, folder));
    HAW_TRY(haw_text_open(context, &text, folder, "dynamic.csv"));
    (void)fputs("solver,tolerance,outcome,steps,unconverged_steps,iterations,newton_iterations,"
                "factorizations,contacts_max,t_end[s],cpu_seconds[s],residual_max,"
                "spurious_tension,frictionless_tension\n",
                text.stream);
    for (int i = 0; i < count; i++) {
        const haw_dynamic *r = &result[i];
        const haw_certificate *c = &r->certificate;
        (void)fprintf(text.stream, "%s,%.17g,%s,%ld,%ld,%ld,%ld,%ld,%ld", r->solver, r->tolerance,
                      haw_dynamic_text(r), r->steps, (long)c->unconverged_steps,
                      (long)c->iterations_total, (long)c->newton_iterations,
                      (long)c->factorizations, (long)c->contacts_max);
        haw_csv_number(text.stream, r->t_end);
        haw_csv_number(text.stream, r->cpu_seconds);
        haw_csv_number(text.stream, c->residual_max);
        haw_csv_number(text.stream, r->spurious);
        haw_csv_number(text.stream, frictionless);
        (void)fputc('\n', text.stream);
    }
    return haw_text_close(&text, HAW_OK);
}
