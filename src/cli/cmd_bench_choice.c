/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser bench: which problems, and which solvers. */
#include "cli/cmd_bench.h"

#include <math.h>
#include <string.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static bool is_asked(const haw_bench_args *args, const haw_winding *w)
{
    return (args->dimension == 0 || args->dimension == w->dimension) &&
           (args->nodes == 0 || args->nodes == w->nodes) &&
           (args->layers == 0 || args->layers == w->layers) &&
           (!args->kappa.given || is_near(args->kappa.value, w->kappa)) &&
           (!args->friction.given || is_near(args->friction.value, w->friction));
}

/* The one problem of these parameters, when the suite has none that agrees with them. */
static haw_winding own_problem(const haw_bench_args *args)
{
    return (haw_winding){
        .dimension = args->dimension > 0 ? args->dimension : 3,
        .nodes = args->nodes > 0 ? args->nodes : 200,
        .layers = args->layers > 0 ? args->layers : 1,
        .kappa = args->kappa.given ? args->kappa.value : 1e4,
        .friction = args->friction.given ? args->friction.value : 0.4,
        .seed = haw_winding_suite(0).seed,
    };
}

haw_exit haw_bench_choose_problems(haw_bench_job *job)
{
    const int all = haw_winding_suite_count();
    haw_winding *chosen = haw_arena_allocate(&job->cli->arena, (size_t)all + 1, sizeof *chosen);
    int count = 0;

    if (chosen == NULL) {
        return haw_cli_fail_status(job->cli, HAW_ERR_NOMEM, false);
    }
    for (int i = 0; i < all; i++) {
        chosen[count] = haw_winding_suite(i);
        count += is_asked(job->args, &chosen[count]) ? 1 : 0;
    }
    if (count == 0) {
        chosen[count++] = own_problem(job->args);
    }
    for (int i = 0; i < count && job->args->seed > 0; i++) {
        chosen[i].seed = (unsigned long)job->args->seed;
    }
    job->result.suite.winding = chosen;
    job->result.suite.problems = count;
    return HAW_EXIT_DONE;
}

static haw_exit add_solver(haw_bench_job *job, const char *name, haw_solver_settings *settings)
{
    haw_suite *suite = &job->result.suite;

    if (suite->solvers == HAW_BENCH_SOLVERS_MAX) {
        return haw_cli_fail(job->cli, HAW_EXIT_USAGE, "more than %d solvers",
                            HAW_BENCH_SOLVERS_MAX);
    }
    for (int i = 0; i < suite->solvers; i++) {
        if (strcmp(settings[i].ops->row.name, name) == 0) {
            return haw_cli_fail(job->cli, HAW_EXIT_USAGE, "solver '%s' is named twice", name);
        }
    }
    return haw_solve_choose(job->cli, name, &job->args->solve, &settings[suite->solvers++]);
}

haw_exit haw_bench_choose_solvers(haw_bench_job *job)
{
    const char *list = job->args->solver != NULL ? job->args->solver : "auto";
    haw_solver_settings *settings =
        haw_arena_allocate(&job->cli->arena, HAW_BENCH_SOLVERS_MAX, sizeof *settings);
    haw_exit code = HAW_EXIT_DONE;

    if (settings == NULL) {
        return haw_cli_fail_status(job->cli, HAW_ERR_NOMEM, false);
    }
    for (const char *at = list; at != NULL && code == HAW_EXIT_DONE;) {
        const int length = (int)strcspn(at, ",");

        code = add_solver(job, haw_cli_format(job->cli, "%.*s", length, at), settings);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    job->result.suite.settings = settings;
    if (code == HAW_EXIT_DONE) {
        haw_solver_common common;

        memcpy(&common, settings[0].options, sizeof common);
        job->result.tolerance = common.tolerance;
    }
    return code;
}
