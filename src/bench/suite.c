/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/suite.h"

#include "bench/profile.h"
#include "io/csv.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

void haw_suite_name(const haw_suite *suite, int problem, char name[HAW_WINDING_NAME_SIZE])
{
    if (suite->winding != NULL) {
        haw_winding_name(&suite->winding[problem], name);
    } else {
        memcpy(name, suite->scene[problem].name, HAW_WINDING_NAME_SIZE);
    }
}

int haw_suite_contacts(const haw_suite *suite, int problem)
{
    const haw_winding *w = suite->winding != NULL ? &suite->winding[problem] : NULL;

    return w != NULL ? w->nodes * w->layers : suite->scene[problem].contacts;
}

/* @param own  out: what is to be freed, NULL: nothing */
static haw_status make_problem(haw_context *context, const haw_suite *suite, int index,
                               haw_problem **own, const haw_problem **problem)
{
    if (suite->winding != NULL) {
        HAW_TRY(haw_winding_create(context, &suite->winding[index], own));
        *problem = *own;
        return haw_problem_check(context, *own);
    }
    haw_suite_scene *scene = &suite->scene[index];

    HAW_TRY(suite->make(suite->user, index, problem));
    scene->dimension = (*problem)->dimension;
    scene->contacts = (*problem)->contacts;
    for (int i = 0; i < scene->contacts; i++) {
        scene->friction = fmax(scene->friction, (*problem)->mu[i]);
    }
    return HAW_OK;
}

/* Make problem `index` and run it with all solvers. */
static haw_status run_problem(haw_arena *arena, const haw_suite *suite,
                              const haw_suite_observer *observer, haw_workspace *workspace,
                              int index, haw_trial *trial)
{
    const haw_trial_rules rules = {
        .time_limit = suite->time_limit,
        .keeps_history = suite->keeps_history,
        .progress = observer->progress,
        .user = observer->user,
    };
    haw_problem *own = NULL;
    const haw_problem *problem = NULL;
    haw_status status = make_problem(arena->context, suite, index, &own, &problem);

    if (status == HAW_OK && observer->made != NULL) {
        status = observer->made(observer->user, index, problem);
    }
    for (int s = 0; s < suite->solvers && status == HAW_OK; s++) {
        status = haw_trial_run(arena, workspace, problem, &suite->settings[s], &rules, &trial[s]);
        if (trial[s].was_run && observer->done != NULL) {
            observer->done(observer->user, index, s, &trial[s]);
        }
    }
    haw_problem_free(arena->context, own);
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
        status = run_problem(arena, suite, observer, workspace, p,
                             trial + (ptrdiff_t)p * suite->solvers);
        if (status == HAW_OK && haw_context_cancelled(arena->context)) {
            status = haw_fail(arena->context, HAW_ERR_CANCELLED, "interrupted");
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
    gsl_sort(newton, 1, (size_t)suite->problems);
    summary->newton_median = haw_percentile(suite->problems, newton, 50.0);
    summary->newton_p90 = haw_percentile(suite->problems, newton, 90.0);
    summary->newton_max = haw_percentile(suite->problems, newton, 100.0);
    haw_release(context, newton);
    return HAW_OK;
}

/* ---- tables as CSV; a number that is not finite is an empty field ---- */

typedef haw_status (*write_table)(haw_context *context, const haw_suite *suite,
                                  const haw_trial *trial, FILE *stream);

static const haw_trial *trial_of(const haw_suite *suite, const haw_trial *trial, int problem,
                                 int solver)
{
    return &trial[(ptrdiff_t)problem * suite->solvers + solver];
}

static const char *solver_name(const haw_suite *suite, int solver)
{
    return suite->settings[solver].ops->row.name;
}

/* What a scene lacks is an empty field. */
static void put_problem(FILE *stream, const haw_suite *suite, int problem)
{
    char name[HAW_WINDING_NAME_SIZE];

    haw_suite_name(suite, problem, name);
    if (suite->winding != NULL) {
        const haw_winding *w = &suite->winding[problem];

        (void)fprintf(stream, "%s,%d,%d,%d,%.17g,%.17g,%lu", name, w->dimension, w->nodes,
                      w->layers, w->kappa, w->friction, w->seed);
    } else {
        const haw_suite_scene *scene = &suite->scene[problem];

        (void)fprintf(stream, "%s,%d,,,,%.17g,", name, scene->dimension, scene->friction);
    }
    (void)fprintf(stream, ",%d", haw_suite_contacts(suite, problem));
}

static void put_row(FILE *stream, const char *solver, const haw_trial *trial)
{
    const haw_report *report = &trial->report;
    const haw_effort *effort = &report->effort;

    (void)fprintf(stream, ",%s,%d,%s", solver, haw_trial_is_solved(trial) ? 1 : 0,
                  haw_trial_text(trial));
    haw_csv_number(stream, report->residual.natural);
    haw_csv_number(stream, report->residual.relative);
    (void)fprintf(stream, ",%d,%d,%d,%d", effort->iterations, effort->factorizations,
                  effort->sweeps, effort->products);
    haw_csv_number(stream, effort->newton_flops);
    haw_csv_number(stream, effort->first_order_flops);
    (void)fprintf(stream, ",%d", haw_trial_is_newton(trial) ? 1 : 0);
    haw_csv_number(stream, trial->cpu_seconds);
    (void)fputc('\n', stream);
}

static haw_status write_rows(haw_context *context, const haw_suite *suite, const haw_trial *trial,
                             FILE *stream)
{
    (void)context;
    (void)fputs("name,dimension,nodes,layers,kappa,friction,seed,contacts,solver,converged,outcome,"
                "residual_natural,residual_relative,iterations,factorizations,sweeps,products,"
                "newton_flops,first_order_flops,newton_solve,cpu_seconds[s]\n",
                stream);
    for (int s = 0; s < suite->solvers; s++) {
        for (int p = 0; p < suite->problems; p++) {
            put_problem(stream, suite, p);
            put_row(stream, solver_name(suite, s), trial_of(suite, trial, p, s));
        }
    }
    return HAW_OK;
}

/*
 * Ratios and CPU times come in the same file: line k of a block holds the k-th smallest of each,
 * and k / problems, the share that is solved within it. A first line with share 0 starts the steps
 * of all solvers at the same place: ratio 1 and the time of the shortest solve.
 */
static haw_status write_profile(haw_context *context, const haw_suite *suite,
                                const haw_trial *trial, FILE *stream)
{
    const int problems = suite->problems, trials = problems * suite->solvers;
    double *cost = haw_allocate(context, (size_t)(2 * trials + problems) + 1, sizeof *cost);
    double shortest = HUGE_VAL;

    if (cost == NULL) {
        return HAW_ERR_NOMEM;
    }
    double *ratios = cost + trials, *seconds = ratios + trials;

    for (int i = 0; i < trials; i++) {
        cost[i] = haw_trial_is_solved(&trial[i]) ? trial[i].cpu_seconds : HUGE_VAL;
        shortest = trial[i].was_run ? fmin(shortest, trial[i].cpu_seconds) : shortest;
    }
    haw_profile_ratios(problems, suite->solvers, cost, ratios);
    (void)fputs("solver,share,ratio,cpu_seconds[s]\n", stream);
    for (int s = 0; s < suite->solvers; s++) {
        const double *ratio = ratios + (ptrdiff_t)s * problems;
        const char *solver = solver_name(suite, s);

        for (int p = 0; p < problems; p++) {
            seconds[p] = cost[(ptrdiff_t)p * suite->solvers + s];
        }
        gsl_sort(seconds, 1, (size_t)problems);
        (void)fprintf(stream, "%s# %s\n%s,0,1", s > 0 ? "\n\n" : "", solver, solver);
        haw_csv_number(stream, shortest);
        (void)fputc('\n', stream);
        for (int k = 0; k < problems && ratio[k] < HUGE_VAL; k++) {
            (void)fprintf(stream, "%s,%.17g", solver, (k + 1.0) / problems);
            haw_csv_number(stream, ratio[k]);
            haw_csv_number(stream, seconds[k]);
            (void)fputc('\n', stream);
        }
    }
    haw_release(context, cost);
    return HAW_OK;
}

static haw_status write_convergence(haw_context *context, const haw_suite *suite,
                                    const haw_trial *trials, FILE *stream)
{
    (void)context;
    (void)fputs("solver,problem,iterations,cpu_seconds[s],residual_natural\n", stream);
    for (int i = 0; i < suite->solvers * suite->problems; i++) {
        const int s = i / suite->problems, p = i % suite->problems;
        const haw_trial *trial = trial_of(suite, trials, p, s);
        const char *solver = solver_name(suite, s);
        char name[HAW_WINDING_NAME_SIZE];

        haw_suite_name(suite, p, name);
        (void)fprintf(stream, "%s# %s, %s\n", i == 0 ? "" : "\n\n", solver, name);
        for (int k = 0; k < trial->points; k++) {
            (void)fprintf(stream, "%s,%s,%d", solver, name, trial->point[k].iterations);
            haw_csv_number(stream, trial->point[k].cpu_seconds);
            haw_csv_number(stream, trial->point[k].residual);
            (void)fputc('\n', stream);
        }
        if (trial->points == 0) { /* an empty block would shift the numbers of those behind it */
            (void)fprintf(stream, "%s,%s,,,\n", solver, name);
        }
    }
    return HAW_OK;
}

haw_status haw_suite_write(haw_context *context, const haw_suite *suite, const haw_trial *trial,
                           const char *folder)
{
    static const struct {
        const char *name;
        write_table write;
    } table[] = {
        {"rows", write_rows}, {"profile", write_profile}, {"convergence", write_convergence}};

    HAW_TRY(haw_folder_make(context, folder));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        haw_text text;

        HAW_TRY(haw_text_open(context, &text, folder, "%s.csv", table[i].name));
        HAW_TRY(haw_text_close(&text, table[i].write(context, suite, trial, text.stream)));
    }
    return HAW_OK;
}
