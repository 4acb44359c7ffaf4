/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's method: memory, the run with its restarts, and the row of the table. */
#include "base/status.h"
#include "solver/newton_step.h"
#include "solver/referee.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

enum {
    POLISH = 2,    /* steps at most from the tolerance in one measure to that in both */
    PATIENCE = 60, /* steps without a norm 10 % below the best one: time to restart */
    RESTARTS = 6   /* with other parameters each */
};

/* Restarts: rho and alpha times those of the options, from r = 0 or from the best iterate. */
static const struct restart {
    double rho, alpha;
    bool cold;
} restarts[RESTARTS] = {
    {10.0 / 3.0, 0.1, true}, {10.0 / 3.0, 1.0, false}, {0.33, 0.1, true},
    {0.33, 1.0, false},      {1.0, 0.01, true},        {1.7, 1.0, true},
};

/* ---- memory ---- */

static haw_status take_memory(haw_newton *k)
{
    const size_t rows = (size_t)k->n * (size_t)k->d, blocks = rows * (size_t)k->d;
    double **const vectors[] = {&k->u, &k->dr, &k->du, &k->r_trial, &k->u_trial, &k->r_best, &k->g};

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = haw_task_doubles(k->task, rows);
        if (*vectors[i] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    k->w = haw_task_weights(k->task);
    k->a = haw_task_doubles(k->task, blocks);
    k->b = haw_task_doubles(k->task, blocks);
    k->state = haw_arena_allocate(k->task->arena, (size_t)k->n, sizeof *k->state);
    return k->w == NULL || k->a == NULL || k->b == NULL || k->state == NULL ? HAW_ERR_NOMEM
                                                                            : HAW_OK;
}

/* ---- the run ---- */

typedef struct newton_watch {
    int iterations;
    int met_at;      /* step at which the tolerance was met first; -1: not yet */
    double progress; /* norm that counts as progress, and the step that reached it */
    int progress_at;
    int restarts;
} newton_watch;

/* u = W r + q afresh, and all that follows from it. */
static void refresh(haw_newton_pass *pass)
{
    haw_newton *k = pass->newton;
    haw_task *task = k->task;

    haw_operator_velocity(&task->op, pass->r, k->u);
    task->effort.products++;
    task->effort.first_order_flops += task->op.flops;
    haw_newton_evaluate(pass);
    haw_newton_judge(pass);
}

static void return_to_best(haw_newton_pass *pass)
{
    const haw_newton *k = pass->newton;

    memcpy(pass->r, k->r_best, (size_t)(k->n * k->d) * sizeof *pass->r);
    pass->best = HUGE_VAL;
    refresh(pass);
}

static void begin(haw_newton_pass *pass, newton_watch *watch)
{
    haw_newton *k = pass->newton;

    pass->rho = k->rho;
    pass->best = HUGE_VAL;
    watch->met_at = -1;
    memset(k->r_trial, 0, (size_t)(k->n * k->d) * sizeof *k->r_trial);
    const double cold = sqrt(haw_newton_square_norm(pass, k->r_trial, k->task->op.q));

    refresh(pass);
    pass->alpha = k->alpha * (pass->norm < cold ? haw_larger(pass->norm / cold, 1e-12) : 1.0);
    watch->progress = pass->norm;
}

/* residual_relative, which other codes stop by, meets the tolerance too; r_best and u belong
 * together where the last step was the best one. */
static bool is_met_elsewhere(const haw_newton_pass *pass)
{
    const haw_task *task = pass->newton->task;
    haw_residual residual;

    haw_referee_measure(&task->op, pass->r, pass->newton->u, &residual);
    return pass->natural <= task->tolerance && residual.relative <= task->tolerance;
}

/* Met in both measures, or as far as a few more steps get; judged with u = W r + q afresh. */
static bool is_done(haw_newton_pass *pass, newton_watch *watch)
{
    const haw_task *task = pass->newton->task;

    if (watch->met_at < 0 && !(pass->natural <= task->tolerance)) {
        return false;
    }
    if (watch->met_at < 0) {
        watch->met_at = watch->iterations;
    }
    const bool ends = watch->iterations == 0 || watch->iterations - watch->met_at >= POLISH;

    if (!ends && !is_met_elsewhere(pass)) {
        return false;
    }
    return_to_best(pass);
    if (!(pass->natural <= task->tolerance)) {
        watch->met_at = -1; /* rounding errors of the steps had hidden the rest */
    }
    return watch->met_at >= 0;
}

/* Whether the run still gets on; if not, it starts again.
 * With other parameters it passes through other sequences of states. */
static bool gets_on(haw_newton_pass *pass, newton_watch *watch)
{
    const haw_newton *k = pass->newton;

    if (pass->norm < 0.9 * watch->progress) {
        watch->progress = pass->norm;
        watch->progress_at = watch->iterations;
    }
    if (pass->norm <= DBL_MAX && watch->iterations - watch->progress_at <= PATIENCE) {
        return true;
    }
    if (watch->restarts == RESTARTS) {
        return false;
    }
    const struct restart *next = &restarts[watch->restarts++];

    pass->rho = k->rho * next->rho;
    if (next->cold) {
        memset(pass->r, 0, (size_t)(k->n * k->d) * sizeof *pass->r);
        refresh(pass);
    } else {
        return_to_best(pass);
    }
    pass->alpha = k->alpha * next->alpha;
    pass->steps = 0;
    pass->crawl = 0;
    watch->progress = pass->norm;
    watch->progress_at = watch->iterations;
    return pass->norm <= DBL_MAX;
}

static haw_status iterate(haw_newton_pass *pass, newton_watch *watch)
{
    haw_task *task = pass->newton->task;

    while (!is_done(pass, watch) && !haw_task_exhausted(task) && gets_on(pass, watch)) {
        HAW_TRY(haw_newton_advance(pass));
        watch->iterations++;
        task->effort.iterations++;
    }
    return HAW_OK;
}

/* ---- the row ---- */

typedef struct newton_options {
    haw_solver_common common;
    double rho, alpha;
} newton_options;

static const haw_option newton_table[] = {
    HAW_SOLVER_TOLERANCE,
    {"max_iterations", HAW_OPTION_INT, offsetof(haw_solver_common, max_iterations), 1000.0, 1.0,
     1.0e9, "", "Newton steps, one factorization each", NULL},
    {"rho", HAW_OPTION_REAL, offsetof(newton_options, rho), 0.3, 1.0e-6, 1.0e6, "",
     "augmentation parameter, times 1/w_c", NULL},
    {"alpha", HAW_OPTION_REAL, offsetof(newton_options, alpha), 10.0, 1.0e-12, 1.0e6, "",
     "proximal term of the first step, times w_c", NULL},
    {0},
};

static haw_status newton_run(haw_newton *newton, double *r)
{
    haw_newton_pass pass = {.newton = newton, .r = r};
    newton_watch watch = {0};

    HAW_TRY(take_memory(newton));
    HAW_TRY(haw_newton_system_create(newton->task, newton->w, &newton->system));
    memcpy(newton->r_best, r, (size_t)(newton->n * newton->d) * sizeof *r);
    begin(&pass, &watch);
    const haw_status status = iterate(&pass, &watch);

    memcpy(r, newton->r_best, (size_t)(newton->n * newton->d) * sizeof *r);
    return status;
}

static haw_status newton_solve(haw_task *task, const void *options, double *r)
{
    const newton_options *o = options;
    haw_newton newton = {.task = task,
                         .n = task->problem->contacts,
                         .d = task->problem->dimension,
                         .rho = o->rho,
                         .alpha = o->alpha};
    const haw_status status = newton_run(&newton, r);

    haw_newton_system_release(newton.system);
    return status;
}

const haw_solver_ops haw_solver_newton = {
    .row.name = "newton",
    .row.summary = "semismooth Newton on the Alart-Curnier equations with a fading proximal term",
    .row.source = "P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375",
    .row.options = newton_table,
    .row.options_size = sizeof(newton_options),
    .solve = newton_solve,
};
