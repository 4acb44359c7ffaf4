/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver: a solver improves r, the referee alone says what was achieved. */
#include "base/status.h"
#include "solver/referee.h"
#include "solver/task.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct haw_workspace {
    haw_context *context;
    haw_arena arena;
    haw_solve_observer observer;
    int reserved; /* contacts */
};

const char *haw_outcome_text(haw_outcome outcome)
{
    static const char *const texts[] = {
#define HAW_OUTCOME_TEXT(name, text) [HAW_##name] = (text),
        HAW_OUTCOME_LIST(HAW_OUTCOME_TEXT)
#undef HAW_OUTCOME_TEXT
    };

    return (size_t)outcome < sizeof texts / sizeof *texts ? texts[outcome] : "unknown outcome";
}

haw_status haw_solver_settings_init(haw_context *context, const char *name,
                                    haw_solver_settings *settings)
{
    const haw_row *row = haw_row_find(haw_solvers, name);

    *settings = (haw_solver_settings){.ops = (const haw_solver_ops *)row};
    if (row == NULL) {
        return haw_row_unknown(context, haw_solvers, name, "unknown solver");
    }
    haw_options_init(row->options, settings->options);
    return HAW_OK;
}

haw_status haw_solver_set(haw_context *context, haw_solver_settings *settings, const char *key,
                          double value)
{
    return haw_options_set_real(context, settings->ops->row.options, settings->options, key, value);
}

haw_status haw_solver_set_text(haw_context *context, haw_solver_settings *settings, const char *key,
                               const char *text)
{
    return haw_options_parse(context, settings->ops->row.options, settings->options, key, text);
}

haw_status haw_workspace_create(haw_context *context, haw_workspace **workspace)
{
    haw_workspace *made = haw_allocate(context, 1, sizeof *made);

    *workspace = made;
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    made->context = context;
    haw_arena_init(&made->arena, context);
    return HAW_OK;
}

void haw_workspace_free(haw_workspace *workspace)
{
    if (workspace != NULL) {
        haw_arena_fini(&workspace->arena);
        haw_release(workspace->context, workspace);
    }
}

void haw_workspace_observe(haw_workspace *workspace, const haw_solve_observer *observer)
{
    workspace->observer = observer != NULL ? *observer : (haw_solve_observer){0};
}

haw_status haw_workspace_reserve(haw_workspace *workspace, int contacts)
{
    const size_t fixed = 8192, each = 512; /* vectors and local problems of the sweeping rows */

    if (contacts <= workspace->reserved) {
        return HAW_OK;
    }
    haw_arena_reset(&workspace->arena);
    (void)haw_arena_allocate(&workspace->arena, 1, fixed + each * (size_t)contacts);
    HAW_TRY(haw_arena_status(&workspace->arena));
    haw_arena_reset(&workspace->arena);
    workspace->reserved = contacts;
    return HAW_OK;
}

static haw_outcome judge(const haw_report *report, const haw_task *task, haw_status status)
{
    if (report->residual.stop <= report->tolerance) {
        return HAW_CONVERGED;
    }
    if (!(report->residual.natural <= DBL_MAX)) {
        return HAW_NOT_FINITE;
    }
    if (task->stopped) {
        return HAW_STOPPED;
    }
    if (status == HAW_ERR_SINGULAR) {
        return HAW_SINGULAR;
    }
    return haw_task_exhausted(task) ? HAW_ITERATION_LIMIT : HAW_STALLED;
}

/* A warm start that is not finite would poison the first sweep: such a solve starts cold. */
static void check_start(const haw_problem *problem, double *r)
{
    const size_t rows = (size_t)problem->dimension * (size_t)problem->contacts;
    double sum = 0.0;

    for (size_t i = 0; i < rows; i++) {
        sum += 0.0 * r[i];
    }
    if (sum != 0.0) { /* NaN */
        memset(r, 0, rows * sizeof *r);
    }
}

/* Iterate and judge, with the operator at hand. */
static haw_status run(haw_task *task, const haw_solver_settings *settings, double *r, double *u,
                      haw_report *report)
{
    const haw_problem *problem = task->problem;
    haw_status status = HAW_OK;

    task->v_ref = haw_referee_reference(&task->op);
    if (task->v_ref == 0.0) { /* nothing moves: r = 0 is the answer */
        memset(r, 0, sizeof *r * (size_t)problem->dimension * (size_t)problem->contacts);
    } else if (task->v_ref <= DBL_MAX) {
        check_start(problem, r);
        status = settings->ops->solve(task, settings->options, r);
    }
    haw_operator_velocity(&task->op, r, u);
    haw_referee_measure(&task->op, r, u, &report->residual);
    report->effort = task->effort;
    report->iterations = task->effort.iterations;
    report->outcome = judge(report, task, status);
    return status == HAW_ERR_SINGULAR ? HAW_OK : status;
}

static void not_solved(const haw_problem *problem, double *r, double *u, haw_report *report)
{
    const size_t rows = (size_t)problem->dimension * (size_t)problem->contacts;

    memset(r, 0, rows * sizeof *r);
    memset(u, 0, rows * sizeof *u);
    report->outcome = HAW_SINGULAR;
    report->residual = (haw_residual){.natural = HUGE_VAL, .stop = HUGE_VAL, .relative = HUGE_VAL};
}

haw_status haw_solve(const haw_problem *problem, const haw_solver_settings *settings,
                     haw_workspace *workspace, double *r, double *u, haw_report *report)
{
    const double floor = 64.0 * DBL_EPSILON; /* what rounding leaves of the residual */
    haw_solver_settings applied = *settings;
    haw_solver_common common;

    memcpy(&common, applied.options, sizeof common);
    if (!(common.tolerance >= floor)) {
        common.tolerance = floor;
    }
    memcpy(applied.options, &common, sizeof common);
    *report = (haw_report){.outcome = HAW_CONVERGED, .tolerance = common.tolerance};
    if (problem->contacts == 0) {
        return HAW_OK;
    }
    haw_task task = {
        .context = workspace->context,
        .arena = &workspace->arena,
        .problem = problem,
        .tolerance = common.tolerance,
        .max_iterations = common.max_iterations,
        .max_flops = HUGE_VAL,
        .solver = settings->ops->row.name,
        .observer = &workspace->observer,
        .best = HUGE_VAL,
    };

    haw_arena_reset(&workspace->arena);
    haw_status status = haw_operator_create(&workspace->arena, problem, &task.op);

    if (status == HAW_OK) {
        status = run(&task, &applied, r, u, report);
        haw_operator_release(&task.op);
    } else if (status == HAW_ERR_SINGULAR) {
        not_solved(problem, r, u, report);
        status = HAW_OK;
    }
    return status;
}
