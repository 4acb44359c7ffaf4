/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton's method with a proximal term, restarted with other parameters where it no longer gets on.
 * With s = w r a step solves
 *
 *     a (du + alpha ds) + b ds = -g.
 *
 * Plain Newton steps (alpha = 0) let a slip front advance by one contact at a time, and fail where
 * W is singular. With alpha > 0 a step is a Newton step of the proximal point method centred at the
 * present impulses (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898): it spreads what a
 * front has to pass on over many contacts. alpha falls with the residual, at last faster than it,
 * and rises when the line search has to cut steps or a front crawls.
 */
#include "solver/newton.h"

#include "base/status.h"
#include "solver/referee.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

/* ---- one step ---- */

enum {
    HALVINGS = 12, /* of a step; then it is taken whole and alpha rises */
    CRAWL = 2      /* steps that hardly help before alpha rises */
};

static const double armijo = 1e-4;      /* decrease of the squared norm per step */
static const double alpha_min = 1e-12;  /* not felt by any step */
static const double alpha_felt = 1e-6;  /* below it a front is on its own */
static const double alpha_range = 10.0; /* largest alpha, times that of the first step */

/* s = w r of contact c. */
static inline void scale_contact(const haw_newton *k, int c, const double *r, double s[3])
{
    for (int i = 0; i < k->d; i++) {
        s[i] = k->w[c] * r[(ptrdiff_t)k->d * c + i];
    }
}

double haw_newton_square_norm(const haw_newton_pass *pass, const double *r, const double *u)
{
    const haw_newton *k = pass->newton;
    double sum = 0.0;

    for (int c = 0; c < k->n; c++) {
        const haw_contact_equations equations = {k->d, k->task->problem->mu[c], pass->rho};
        double s[3], g[3];

        scale_contact(k, c, r, s);
        (void)haw_newton_residual(&equations, s, u + (ptrdiff_t)k->d * c, g);
        for (int i = 0; i < k->d; i++) {
            sum += g[i] * g[i];
        }
    }
    return sum;
}

void haw_newton_evaluate(haw_newton_pass *pass)
{
    haw_newton *k = pass->newton;
    double sum = 0.0;

    pass->changed = 0;
    for (int c = 0; c < k->n; c++) {
        const ptrdiff_t row = (ptrdiff_t)k->d * c;
        const haw_contact_equations equations = {k->d, k->task->problem->mu[c], pass->rho};
        double s[3];

        scale_contact(k, c, pass->r, s);
        const haw_contact_state state = haw_newton_jacobian(&equations, s, k->u + row, k->g + row,
                                                            k->a + row * k->d, k->b + row * k->d);

        pass->changed += state != k->state[c] ? 1 : 0;
        k->state[c] = state;
        for (int i = 0; i < k->d; i++) {
            sum += k->g[row + i] * k->g[row + i];
        }
    }
    pass->norm = sqrt(sum);
}

void haw_newton_judge(haw_newton_pass *pass)
{
    haw_newton *k = pass->newton;

    pass->natural = haw_task_judge(k->task, pass->r, k->u);
    if (pass->natural < pass->best) {
        pass->best = pass->natural;
        memcpy(k->r_best, pass->r, (size_t)(k->n * k->d) * sizeof *k->r_best);
    }
}

/* The step of the linear system; alpha rises until it can be factorized. */
static haw_status find_step(haw_newton_pass *pass)
{
    haw_newton *k = pass->newton;
    const int entries = k->n * k->d * k->d;
    double applied = 0.0;
    haw_status status;

    do {
        for (int i = 0; i < entries; i++) {
            k->b[i] += (pass->alpha - applied) * k->a[i];
        }
        applied = pass->alpha;
        status = haw_newton_system_factor(k->system, k->a, k->b);
        pass->alpha *= status == HAW_ERR_SINGULAR ? 100.0 : 1.0;
    } while (status == HAW_ERR_SINGULAR && pass->alpha <= 100.0 * alpha_range * k->alpha);
    if (status == HAW_OK) {
        haw_newton_system_solve(k->system, k->g, k->dr, k->du);
    }
    return status;
}

/* Squared norm after the step times t. */
static double try_step(haw_newton_pass *pass, double t)
{
    haw_newton *k = pass->newton;

    for (int i = 0; i < k->n * k->d; i++) {
        k->r_trial[i] = pass->r[i] + t * k->dr[i];
        k->u_trial[i] = k->u[i] + t * k->du[i];
    }
    return haw_newton_square_norm(pass, k->r_trial, k->u_trial);
}

/* Non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, SIAM J. Numer. Anal. 23 (1986)
 * 707-716): the largest of the last squared norms has to decrease. */
static void search(haw_newton_pass *pass)
{
    haw_newton *k = pass->newton;
    double highest = 0.0;

    pass->history[pass->steps++ % HAW_NEWTON_MEMORY] = pass->norm * pass->norm;
    for (int i = 0; i < HAW_NEWTON_MEMORY && i < pass->steps; i++) {
        highest = haw_larger(highest, pass->history[i]);
    }
    pass->cut = 0.0;
    for (int i = 0; i <= HALVINGS && pass->cut == 0.0; i++) {
        const double t = ldexp(1.0, -i);

        if (try_step(pass, t) <= highest * (1.0 - 2.0 * armijo * t)) {
            pass->cut = t;
        }
    }
    if (pass->cut == 0.0) { /* whole, unless the step is not finite */
        pass->steps = 0;
        if (!(try_step(pass, 1.0) <= DBL_MAX)) {
            return;
        }
    }
    memcpy(pass->r, k->r_trial, (size_t)(k->n * k->d) * sizeof *pass->r);
    memcpy(k->u, k->u_trial, (size_t)(k->n * k->d) * sizeof *k->u);
}

/* alpha for the next step; the factors are empirical, counts of steps depend on them little. */
static void adapt(haw_newton_pass *pass)
{
    const double start = pass->newton->alpha, ratio = pass->norm / pass->last_norm;

    if (pass->cut < 0.3) { /* half way back to the start, in orders of magnitude */
        pass->alpha = haw_larger(pass->alpha, sqrt(haw_larger(pass->alpha, 1e-16) * start));
    } else {
        pass->alpha *= fmin(fmax(0.3 * sqrt(ratio), 0.1), 2.0);
    }
    if (pass->changed == 0 && ratio < 0.5) { /* the states are right: converge as Newton does */
        pass->alpha *= 0.01;
    }
    pass->alpha = fmin(fmax(pass->alpha, alpha_min), alpha_range * start);
    const bool crawls = pass->alpha <= alpha_felt && pass->changed > 0 && ratio > 0.8;

    pass->crawl = crawls ? pass->crawl + 1 : 0;
    if (pass->crawl == CRAWL) {
        pass->alpha = 0.1 * start;
        pass->crawl = 0;
    }
}

haw_status haw_newton_advance(haw_newton_pass *pass)
{
    HAW_TRY(find_step(pass));
    search(pass);
    pass->last_norm = pass->norm;
    haw_newton_evaluate(pass);
    haw_newton_judge(pass);
    adapt(pass);
    return HAW_OK;
}

/* ---- the run and its restarts ---- */

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

static haw_status take_memory(haw_newton *k)
{
    const size_t rows = (size_t)k->n * (size_t)k->d, blocks = rows * (size_t)k->d;
    double **const vectors[] = {&k->u, &k->dr, &k->du, &k->r_trial, &k->u_trial, &k->r_best, &k->g};

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = haw_task_doubles(k->task, rows);
    }
    k->w = haw_task_weights(k->task);
    k->a = haw_task_doubles(k->task, blocks);
    k->b = haw_task_doubles(k->task, blocks);
    k->state = haw_arena_allocate(k->task->arena, (size_t)k->n, sizeof *k->state);
    return haw_arena_status(k->task->arena);
}

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
    .is_newton = true,
};
