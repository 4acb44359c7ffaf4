/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The default: other rows in turn, each on a budget, the best iterate kept.
 *
 *   1. Local form: sweeps of `pgs`, while their rate promises the tolerance for less than what
 *      `newton` would cost. They cost nothing to begin, and from the impulses of the last step a
 *      few are enough.
 *   2. In the plane, up to some hundred contacts: a few steps of `newton`, then `lemke`, for which
 *      W need not be regular.
 *   3. `newton`, `ppa` where it stalls, `newton` once more from there. Impulses that sweeps gave up
 *      on are no start for it: where contacts outnumber the degrees of freedom it takes two to
 *      three times as many steps from them as from zero.
 *   4. `admm` and long sweeps of `pgs`, for what has no regular linear system.
 *
 * Decisions are taken from residuals and counted operations: the same input gives the same bits.
 */
#include "base/status.h"
#include "solver/solver.h"
#include "solver/task.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct auto_options {
    haw_solver_common common;
    int sweeps;
} auto_options;

static const haw_option auto_table[] = {
    HAW_SOLVER_TOLERANCE,
    HAW_SOLVER_MAX_ITERATIONS,
    {"sweeps", HAW_OPTION_INT, offsetof(auto_options, sweeps), 2000.0, 0.0, 1.0e9, "",
     "of pgs at most before newton takes over (local form)", NULL},
    {0},
};

typedef struct choice {
    haw_task *task;
    const haw_solve_observer *observer; /* of the task */
    bool is_stopped;                    /* by that observer */
    bool is_sweeping;
    bool has_swept; /* from the impulses given, in vain */
    double worth;   /* operations that newton would take */
    double begun;   /* operations of sweeps before these */
    double asked;   /* residual at the question before, after so many sweeps */
    int asked_at;   /* 0: none yet */
    double last;    /* residual at the last question */
    double *start, *u, *best_r;
    size_t bytes;
    double best;
} choice;

/* ---- sweeps, as long as they pay ---- */

enum {
    NEWTON_STEPS = 12, /* of a solve, roughly */
    RATE_SWEEPS = 8    /* at least, between two questions that give a rate */
};

/*
 * Operations of a step of newton, in the slower ones of a sweep: those of a dense factorization,
 * which runs at many times the speed of sweeps, or what a sparse one spends on each entry of W.
 */
static double newton_worth(const haw_problem *problem)
{
    const double rows = (double)problem->contacts * problem->dimension;
    const double entries =
        (double)problem->w.start[problem->contacts] * problem->dimension * problem->dimension;
    const double dense = 2000.0 + 10.0 * rows * rows + 0.04 * rows * rows * rows;

    return NEWTON_STEPS * fmin(dense, 2000.0 + 300.0 * entries);
}

/* Whether the tolerance is in reach of sweeps that cost less than newton does. */
static bool sweeps_pay(choice *c, const haw_solve_progress *progress)
{
    const haw_effort *effort = progress->effort;
    const double spent = effort->first_order_flops - c->begun, residual = progress->residual;
    const int sweeps = effort->sweeps, step = sweeps - c->asked_at;

    if (c->asked_at > 0 && step < RATE_SWEEPS) {
        return true;
    }
    const double rate = c->asked_at > 0 ? log(residual / c->asked) / step : -HUGE_VAL;
    const double needed = rate < 0.0 ? log(c->task->tolerance / residual) / rate : HUGE_VAL;

    c->asked = residual;
    c->asked_at = sweeps;
    return spent <= c->worth && needed * spent / sweeps <= c->worth;
}

static bool observe(void *user, const haw_solve_progress *progress)
{
    choice *c = user;

    c->last = progress->residual;
    if (c->observer != NULL && c->observer->observe != NULL &&
        c->observer->observe(c->observer->user, progress)) {
        c->is_stopped = true;
    }
    return c->is_stopped ||
           (c->is_sweeping && progress->residual > c->task->tolerance && !sweeps_pay(c, progress));
}

/* ---- rows in turn ---- */

/*
 * A warm start may mislead: the first row begins at the impulses given, or at zero once sweeps have
 * given those up; a later one at the other of the two, at zero, or at the best iterate so far.
 */
enum { FROM_FIRST, FROM_OTHER, FROM_ZERO, FROM_BEST };

typedef struct stage {
    const haw_solver_ops *ops;
    haw_budget budget;
    int from;
    bool is_direct; /* where `lemke` pays */
} stage;

static const stage stages[] = {
    {&haw_solver_newton, {40, 2e10}, FROM_FIRST, true},
    {&haw_solver_lemke, {100000, 2e10}, FROM_BEST, true},
    {&haw_solver_newton, {200, 2e10}, FROM_FIRST},
    {&haw_solver_ppa, {4000, 2e10}, FROM_BEST},
    {&haw_solver_newton, {600, 1e10}, FROM_BEST},
    {&haw_solver_newton, {2000, 2e10}, FROM_OTHER},
    {&haw_solver_ppa, {4000, 2e10}, FROM_ZERO},
    {&haw_solver_admm, {20000, 4e9}, FROM_ZERO},
    {&haw_solver_pgs, {1000000, 4e9}, FROM_BEST},
};

/* Another row from r; what it cannot solve is left to the next one. */
static haw_status delegate(choice *c, const haw_solver_ops *ops, const haw_budget *budget,
                           double *r)
{
    haw_solver_settings settings = {.ops = ops};

    haw_options_init(ops->row.options, settings.options);
    const haw_status status = haw_task_delegate(c->task, &settings, budget, r);

    c->task->stopped = c->is_stopped;
    return status == HAW_ERR_SINGULAR || status == HAW_ERR_INPUT ? HAW_OK : status;
}

static bool is_over(const choice *c)
{
    return c->best <= c->task->tolerance || haw_task_exhausted(c->task);
}

static haw_status sweep(choice *c, int sweeps, double *r)
{
    haw_task *task = c->task;
    const haw_budget budget = {sweeps, HUGE_VAL};

    c->worth = newton_worth(task->problem);
    c->begun = task->effort.first_order_flops;
    c->is_sweeping = true;
    HAW_TRY(delegate(c, &haw_solver_pgs, &budget, r));
    c->is_sweeping = false;
    c->best = c->last <= task->tolerance || c->is_stopped ? c->last : HUGE_VAL;
    c->has_swept = true;
    return HAW_OK;
}

static haw_status play(choice *c, const stage *s, double *r)
{
    if (s->from == FROM_ZERO || s->from == (c->has_swept ? FROM_FIRST : FROM_OTHER)) {
        memset(r, 0, c->bytes);
    } else {
        memcpy(r, s->from == FROM_BEST ? c->best_r : c->start, c->bytes);
    }
    HAW_TRY(delegate(c, s->ops, &s->budget, r));
    const double natural = c->is_stopped ? c->last : haw_task_natural(c->task, r, c->u);

    if (natural < c->best) {
        c->best = natural;
        memcpy(c->best_r, r, c->bytes);
    }
    return HAW_OK;
}

static haw_status choose(choice *c, double *r)
{
    const size_t rows = c->bytes / sizeof(double);

    c->u = haw_task_doubles(c->task, rows);
    c->best_r = haw_task_doubles(c->task, rows);
    HAW_TRY(haw_arena_status(c->task->arena));
    memcpy(c->best_r, r, c->bytes);
    c->best = haw_task_natural(c->task, r, c->u);
    if (!(c->best <= DBL_MAX)) { /* from impulses that are: a fault of the problem */
        return HAW_OK;
    }
    const bool pays = haw_lemke_pays(c->task->problem);
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !is_over(c); i++) {
        HAW_TRY(pays || !stages[i].is_direct ? play(c, stages + i, r) : HAW_OK);
    }
    memcpy(r, c->best_r, c->bytes);
    return HAW_OK;
}

static haw_status auto_solve(haw_task *task, const void *options, double *r)
{
    const auto_options *o = options;
    const size_t rows = (size_t)task->problem->dimension * (size_t)task->problem->contacts;
    choice c = {.task = task,
                .observer = task->observer,
                .start = haw_task_doubles(task, rows),
                .bytes = rows * sizeof(double),
                .best = HUGE_VAL};
    const haw_solve_observer own = {observe, &c};
    haw_status status = HAW_OK;

    if (c.start == NULL) {
        return HAW_ERR_NOMEM;
    }
    memcpy(c.start, r, c.bytes);
    task->observer = &own;
    if (task->problem->global == NULL && o->sweeps > 0) {
        status = sweep(&c, o->sweeps, r);
    }
    if (status == HAW_OK && !is_over(&c)) {
        status = choose(&c, r);
    }
    task->observer = c.observer;
    return status;
}

const haw_solver_ops haw_solver_auto = {
    .row.name = "auto",
    .row.summary =
        "pgs where a few sweeps suffice, else newton, ppa or admm; switches on stagnation",
    .row.source = "doc/theory/solvers.md",
    .row.options = auto_table,
    .row.options_size = sizeof(auto_options),
    .solve = auto_solve,
    .is_newton = true,
};
