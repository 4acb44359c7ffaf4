/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/suite.h"

#include "bench/profile.h"

#include <math.h>

/* What the observer of one solve needs to pass on. */
typedef struct relay {
    const haw_suite_observer *to;
    int problem;
} relay;

static void pass_progress(void *user, const haw_solve_progress *progress)
{
    const relay *r = user;

    r->to->progress(r->to->user, r->problem, progress);
}

static haw_status run_problem(haw_arena *arena, const haw_suite *suite, haw_workspace *workspace,
                              const haw_problem *problem, relay *r, haw_trial *trial)
{
    const haw_trial_rules rules = {
        .time_limit = suite->time_limit,
        .keeps_history = suite->keeps_history,
        .progress = r->to->progress != NULL ? pass_progress : NULL,
        .user = r,
    };

    for (int s = 0; s < suite->solvers; s++) {
        const haw_status status =
            haw_trial_run(arena, workspace, problem, &suite->settings[s], &rules, &trial[s]);

        if (trial[s].was_run && r->to->done != NULL) {
            r->to->done(r->to->user, r->problem, s, &trial[s]);
        }
        HAW_TRY(status);
    }
    return HAW_OK;
}

static haw_status make_and_run(haw_arena *arena, const haw_suite *suite, haw_workspace *workspace,
                               relay *r, haw_trial *trial)
{
    haw_problem *problem = NULL;
    haw_status status = haw_winding_create(arena->context, &suite->winding[r->problem], &problem);

    if (status == HAW_OK) {
        status = haw_problem_check(arena->context, problem);
    }
    if (status == HAW_OK && r->to->made != NULL) {
        status = r->to->made(r->to->user, r->problem, problem);
    }
    if (status == HAW_OK) {
        status = run_problem(arena, suite, workspace, problem, r, trial);
    }
    haw_problem_free(arena->context, problem);
    return status;
}

haw_status haw_suite_run(haw_arena *arena, const haw_suite *suite,
                         const haw_suite_observer *observer, haw_trial *trial)
{
    haw_workspace *workspace = NULL;
    haw_status status = haw_workspace_create(arena->context, &workspace);

    for (int i = 0; i < suite->problems * suite->solvers; i++) {
        trial[i] = (haw_trial){0};
    }
    for (int p = 0; p < suite->problems && status == HAW_OK; p++) {
        relay r = {observer, p};

        status = make_and_run(arena, suite, workspace, &r, trial + (ptrdiff_t)p * suite->solvers);
        if (status == HAW_OK && haw_context_cancelled(arena->context)) {
            status = HAW_ERR_CANCELLED;
        }
    }
    haw_workspace_free(workspace);
    return status;
}

static void count(const haw_trial *trial, double *newton, haw_suite_summary *summary)
{
    const haw_report *report = &trial->report;
    const bool is_solved = haw_trial_is_solved(trial);

    *newton = is_solved ? report->effort.factorizations : HUGE_VAL;
    summary->cpu_seconds += trial->cpu_seconds;
    summary->natural_max =
        fmax(summary->natural_max, trial->was_run ? report->residual.natural : HUGE_VAL);
    summary->relative_max =
        fmax(summary->relative_max, trial->was_run ? report->residual.relative : HUGE_VAL);
    if (is_solved) {
        summary->solved++;
        summary->solved_relative += report->residual.relative <= report->tolerance ? 1 : 0;
        summary->newton_solves += haw_trial_is_newton(trial) ? 1 : 0;
    }
}

haw_status haw_suite_summarize(haw_context *context, const haw_suite *suite, int solver,
                               const haw_trial *trial, haw_suite_summary *summary)
{
    double *newton = haw_allocate(context, (size_t)suite->problems + 1, sizeof *newton);

    *summary = (haw_suite_summary){.problems = suite->problems};
    if (newton == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int p = 0; p < suite->problems; p++) {
        count(&trial[(ptrdiff_t)p * suite->solvers + solver], &newton[p], summary);
    }
    haw_sort_numbers(suite->problems, newton);
    summary->newton_median = haw_percentile(suite->problems, newton, 50.0);
    summary->newton_p90 = haw_percentile(suite->problems, newton, 90.0);
    summary->newton_max = haw_percentile(suite->problems, newton, 100.0);
    haw_release(context, newton);
    return HAW_OK;
}
