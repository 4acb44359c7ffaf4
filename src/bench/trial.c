/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/trial.h"

#include <math.h>
#include <time.h>

enum { POINTS_MAX = 2048 }; /* 100 + log(1e9 / 100) / log(1.01) would be 1720 */

typedef struct watch {
    haw_arena *arena;
    const haw_trial_rules *rules;
    haw_trial *trial;
    double started; /* [s] */
} watch;

double haw_cpu_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every one of the first hundred iterations, then only where they have grown by one per cent. */
static bool is_worth_keeping(const haw_trial *trial, int iterations)
{
    if (trial->points == 0) {
        return true;
    }
    const int last = trial->point[trial->points - 1].iterations;

    return trial->points < POINTS_MAX && iterations > last && iterations - last >= last / 100;
}

static void keep_point(const watch *w, int iterations, double seconds, double residual)
{
    haw_trial *trial = w->trial;

    trial->point =
        haw_arena_extend(w->arena, trial->point, (size_t)trial->points, sizeof *trial->point);
    trial->points = trial->point != NULL ? trial->points + 1 : 0;
    if (trial->point != NULL) {
        trial->point[trial->points - 1] = (haw_trial_point){iterations, seconds, residual};
    }
}

static bool observe(void *user, const haw_solve_progress *progress)
{
    const watch *w = user;
    const haw_trial_rules *rules = w->rules;
    haw_trial *trial = w->trial;

    if (rules->progress != NULL) {
        rules->progress(rules->user, progress);
    }
    /* Reading this clock is a system call: only where its answer is needed. */
    const bool keeps =
        rules->keeps_history && is_worth_keeping(trial, progress->effort->iterations);
    const double seconds = keeps || rules->time_limit > 0.0 ? haw_cpu_clock() - w->started : 0.0;

    if (keeps) {
        keep_point(w, progress->effort->iterations, seconds, progress->residual);
    }
    trial->timed_out = rules->time_limit > 0.0 && seconds >= rules->time_limit;
    return trial->timed_out || haw_context_cancelled(w->arena->context);
}

static haw_status measure(haw_workspace *workspace, const haw_problem *problem,
                          const haw_solver_settings *settings, watch *w)
{
    haw_trial *trial = w->trial;
    haw_context *context = w->arena->context;
    const size_t rows = (size_t)problem->dimension * (size_t)problem->contacts;
    const haw_solve_observer observer = {observe, w};
    double *r = haw_allocate(context, 2 * rows + 1, sizeof *r);

    if (r == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_workspace_observe(workspace, &observer);
    w->started = haw_cpu_clock();
    const haw_status status = haw_solve(problem, settings, workspace, r, r + rows, &trial->report);

    trial->cpu_seconds = haw_cpu_clock() - w->started;
    haw_workspace_observe(workspace, NULL);
    haw_release(context, r);
    trial->was_run = true;
    trial->timed_out = trial->timed_out && trial->report.outcome == HAW_STOPPED;
    if (status != HAW_ERR_INPUT) {
        return status;
    }
    trial->refusal = haw_arena_string(w->arena, haw_context_message(context));
    trial->report.outcome = HAW_SINGULAR;
    trial->report.residual =
        (haw_residual){.natural = HUGE_VAL, .stop = HUGE_VAL, .relative = HUGE_VAL};
    return HAW_OK;
}

haw_status haw_trial_run(haw_arena *arena, haw_workspace *workspace, const haw_problem *problem,
                         const haw_solver_settings *settings, const haw_trial_rules *rules,
                         haw_trial *trial)
{
    watch w = {.arena = arena, .rules = rules, .trial = trial};

    *trial = (haw_trial){0};
    const haw_status status = measure(workspace, problem, settings, &w);

    if (rules->keeps_history) {
        keep_point(&w, trial->report.iterations, trial->cpu_seconds,
                   trial->report.residual.natural);
    }
    HAW_TRY(haw_arena_status(arena));
    return status == HAW_OK && haw_context_cancelled(arena->context)
               ? haw_fail(arena->context, HAW_ERR_CANCELLED, "interrupted")
               : status;
}

bool haw_trial_is_solved(const haw_trial *trial)
{
    return trial->was_run && trial->refusal == NULL && trial->report.outcome == HAW_CONVERGED;
}

bool haw_trial_is_newton(const haw_trial *trial)
{
    const haw_effort *effort = &trial->report.effort;

    return effort->first_order_flops <= effort->newton_flops;
}

const char *haw_trial_text(const haw_trial *trial)
{
    if (!trial->was_run) {
        return "not run";
    }
    if (trial->refusal != NULL) {
        return "refused";
    }
    return trial->timed_out ? "time limit" : haw_outcome_text(trial->report.outcome);
}
