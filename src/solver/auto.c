/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The default: other rows in turn, each on a budget, the best iterate kept.
 *
 *   1. Local form: sweeps of `pgs`, while their rate promises the tolerance within a budget. They
 *      cost nothing to begin, and from the impulses of the last step a few are enough.
 *   2. `newton`, then `ppa` where it stalls.
 *   3. `admm` and long sweeps of `pgs`, for what has no regular linear system.
 *
 * Decisions are taken from residuals and counted operations: the same input gives the same bits.
 */
#include "base/status.h"
#include "solver/referee.h"
#include "solver/solver.h"
#include "solver/task.h"

#include <math.h>
#include <string.h>

typedef struct auto_options {
    haw_solver_common common;
    int sweeps;
} auto_options;

static const haw_option auto_table[] = {
    HAW_SOLVER_TOLERANCE,
    HAW_SOLVER_MAX_ITERATIONS,
    {"sweeps", HAW_OPTION_INT, offsetof(auto_options, sweeps), 200.0, 0.0, 1.0e9, "",
     "of pgs at most before newton takes over (local form)", NULL},
    {0},
};

enum { CHUNK = 16 /* sweeps between two looks at the rate */ };

typedef struct stage {
    const char *solver;
    haw_budget budget;
    bool goes_on; /* from the best iterate so far rather than from the start */
} stage;

static const stage stages[] = {
    {"newton", {400, 2e10}, false}, {"newton", {400, 1e10}, true},      {"ppa", {1500, 2e10}, true},
    {"admm", {20000, 2e10}, true},  {"pgs", {1000000, HUGE_VAL}, true},
};

typedef struct choice {
    haw_task *task;
    double *u, *start, *best_r;
    size_t bytes;
    double last, best; /* haw_referee_stop of the last row's iterate, smallest so far */
} choice;

static haw_status choice_create(haw_task *task, const double *r, choice *c)
{
    const size_t rows = (size_t)task->problem->dimension * (size_t)task->problem->contacts;

    *c = (choice){.task = task, .bytes = rows * sizeof(double), .best = HUGE_VAL};
    c->u = haw_task_doubles(task, rows);
    c->start = haw_task_doubles(task, rows);
    c->best_r = haw_task_doubles(task, rows);
    if (c->u == NULL || c->start == NULL || c->best_r == NULL) {
        return HAW_ERR_NOMEM;
    }
    memcpy(c->start, r, c->bytes);
    memcpy(c->best_r, r, c->bytes);
    return HAW_OK;
}

/* Another row from r; keeps the best iterate. What that row cannot solve is left to the next. */
static haw_status delegate(choice *c, const char *name, const haw_budget *budget, double *r)
{
    haw_task *task = c->task;
    haw_solver_settings settings;

    HAW_TRY(haw_solver_settings_init(task->context, name, &settings));
    const haw_status status = haw_task_delegate(task, &settings, budget, r);

    if (status != HAW_OK && status != HAW_ERR_SINGULAR && status != HAW_ERR_INPUT) {
        return status;
    }
    haw_operator_velocity(&task->op, r, c->u);
    task->effort.products++;
    task->effort.first_order_flops += task->op.flops;
    const double natural = haw_referee_stop(&task->op, task->v_ref, r, c->u);

    c->last = natural;
    if (natural < c->best) {
        c->best = natural;
        memcpy(c->best_r, r, c->bytes);
    }
    return HAW_OK;
}

static bool is_over(const choice *c)
{
    return c->best <= c->task->tolerance || haw_task_exhausted(c->task);
}

/* Sweeps still needed at the rate of the last chunk. */
static double sweeps_needed(double before, double after, double tolerance)
{
    return after < before ? CHUNK * log(tolerance / after) / log(after / before) : HUGE_VAL;
}

/* As many sweeps as pay, in chunks; r is the last iterate. */
static haw_status sweep(choice *c, int budget, double *r)
{
    double before = HUGE_VAL;

    for (int done = 0; done < budget; done += CHUNK) {
        HAW_TRY(delegate(c, "pgs", &(haw_budget){CHUNK, HUGE_VAL}, r));
        const double after = c->last;

        if (is_over(c) || (done > 0 && sweeps_needed(before, after, c->task->tolerance) >
                                           budget - done - CHUNK)) {
            return HAW_OK;
        }
        before = after;
    }
    return HAW_OK;
}

static haw_status choose(choice *c, int sweeps, double *r)
{
    if (c->task->problem->global == NULL) {
        HAW_TRY(sweep(c, sweeps, r));
    }
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !is_over(c); i++) {
        memcpy(r, stages[i].goes_on ? c->best_r : c->start, c->bytes);
        HAW_TRY(delegate(c, stages[i].solver, &stages[i].budget, r));
    }
    memcpy(r, c->best_r, c->bytes);
    return HAW_OK;
}

static haw_status auto_solve(haw_task *task, const void *options, double *r)
{
    const auto_options *o = options;
    choice c;

    HAW_TRY(choice_create(task, r, &c));
    return choose(&c, o->sweeps, r);
}

const haw_solver_ops haw_solver_auto = {
    .name = "auto",
    .summary = "pgs where a few sweeps do, else newton, ppa, admm: switches on stagnation",
    .source = "doc/theory/solvers.md",
    .options = auto_table,
    .options_size = sizeof(auto_options),
    .solve = auto_solve,
};
