/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Semismooth Newton method on the Alart-Curnier equations with a proximal term that fades out: with
 * s = w r, one step solves
 *
 *     a (du + alpha ds) + b ds = -g.
 *
 * Plain Newton steps (alpha = 0) let a slip front advance by one contact at a time, and fail where
 * W is singular. With alpha > 0 a step is a Newton step of the proximal point method centred at the
 * present impulses (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898): it spreads what a
 * front has to pass on over many contacts. alpha falls with the residual, at last faster than it,
 * and rises when the line search has to cut steps.
 */
#include "solver/newton.h"

#include "base/status.h"
#include "solver/newton_residual.h"
#include "solver/newton_system.h"
#include "solver/referee.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

enum {
    MEMORY = 8,     /* squared norms that the line search may return to */
    HALVINGS = 12,  /* of a step; then it is taken whole and alpha rises */
    POLISH = 2,     /* steps at most to get from the tolerance to `margin` of it */
    PATIENCE = 100, /* steps without a norm 10 % below the best one: stalled */
    CRAWL = 2       /* steps that hardly help at the smallest alpha, before it starts again */
};

static const double armijo = 1e-4;     /* decrease of the squared norm per step */
static const double alpha_min = 1e-12; /* not felt by any step */
static const double margin = 0.1;      /* natural maps of other scalings are a few times larger */

struct haw_newton {
    haw_task *task;
    haw_newton_system *system;
    double c, alpha_start; /* options */
    int n, d;              /* contacts, dimension */
    double *w;             /* [n] trace(W_cc)/d */
    double *u, *dr, *du;   /* [n d] velocities W r + q, the step */
    double *r_trial, *u_trial, *r_best;
    double *shifted;          /* [n d] u + D (r - center) */
    double *g, *a, *b;        /* [n d], [n d d], [n d d] */
    haw_contact_state *state; /* [n] */
};

typedef struct newton_run {
    haw_newton *newton;
    const haw_newton_shift *shift;
    double *r;
    double tolerance;
    double alpha;
    double norm, last_norm; /* |g| now and before the last step */
    double history[MEMORY]; /* squared norms before the last steps */
    int steps;              /* in the history */
    double cut;             /* factor of the last step; 0: line search given up */
    int changed;            /* contacts whose state the last step changed */
    int crawl;
    double natural, measured; /* residual_natural of the problem, of the shifted one */
    double score;             /* 1 where a tolerance is just met */
    double best, best_natural, best_measured; /* at the smallest score */
    double progress; /* norm that counts as progress, and the step that reached it */
    int progress_at;
    int iterations, limit;
    int met_at; /* step at which the tolerance was met first; -1: not yet */
} newton_run;

/* ---- memory ---- */

/* w_c, and the mean for contacts that nothing can move: their rows then say little, but are finite
 */
static void measure_weights(haw_newton *k)
{
    double sum = 0.0;
    int count = 0;

    for (int c = 0; c < k->n; c++) {
        const double *block = haw_operator_block(&k->task->op, c);

        k->w[c] = 0.0;
        for (int i = 0; i < k->d; i++) {
            k->w[c] += block[i * (k->d + 1)] / k->d;
        }
        if (k->w[c] > 0.0) {
            sum += k->w[c];
            count++;
        }
    }
    for (int c = 0; c < k->n; c++) {
        k->w[c] = k->w[c] > 0.0 ? k->w[c] : (count > 0 ? sum / count : 1.0);
    }
}

static haw_status take_memory(haw_newton *k)
{
    const size_t rows = (size_t)k->n * (size_t)k->d, blocks = rows * (size_t)k->d;
    double **const vectors[] = {&k->u,       &k->dr,     &k->du,      &k->r_trial,
                                &k->u_trial, &k->r_best, &k->shifted, &k->g};

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = haw_task_doubles(k->task, rows);
        if (*vectors[i] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    k->w = haw_task_doubles(k->task, (size_t)k->n);
    k->a = haw_task_doubles(k->task, blocks);
    k->b = haw_task_doubles(k->task, blocks);
    k->state = haw_arena_allocate(k->task->arena, (size_t)k->n, sizeof *k->state);
    return k->w == NULL || k->a == NULL || k->b == NULL || k->state == NULL ? HAW_ERR_NOMEM
                                                                            : HAW_OK;
}

haw_status haw_newton_create(haw_task *task, haw_newton **newton)
{
    haw_newton *k = haw_arena_allocate(task->arena, 1, sizeof *k);

    *newton = NULL;
    if (k == NULL) {
        return HAW_ERR_NOMEM;
    }
    k->task = task;
    k->n = task->problem->contacts;
    k->d = task->problem->dimension;
    haw_newton_tune(k, 0.3, 10.0);
    HAW_TRY(take_memory(k));
    measure_weights(k);
    HAW_TRY(haw_newton_system_create(task, k->w, &k->system));
    *newton = k;
    return HAW_OK;
}

void haw_newton_tune(haw_newton *newton, double rho, double alpha)
{
    newton->c = rho;
    newton->alpha_start = alpha;
}

void haw_newton_release(haw_newton *newton)
{
    if (newton != NULL) {
        haw_newton_system_release(newton->system);
    }
}

/* ---- residuals ---- */

/* s = w r and u + D (r - center) of contact c. */
static inline void scale_contact(const newton_run *run, int c, const double *r, const double *u,
                                 double s[3], double v[3])
{
    const haw_newton *k = run->newton;
    const ptrdiff_t row = (ptrdiff_t)k->d * c;

    for (int i = 0; i < k->d; i++) {
        s[i] = k->w[c] * r[row + i];
        v[i] = u[row + i];
        if (run->shift != NULL) {
            v[i] += run->shift->alpha * k->w[c] * (r[row + i] - run->shift->center[row + i]);
        }
    }
}

/* |g|^2 at r, u */
static double square_norm(const newton_run *run, const double *r, const double *u)
{
    const haw_newton *k = run->newton;
    double sum = 0.0;

    for (int c = 0; c < k->n; c++) {
        double s[3], v[3], g[3];

        scale_contact(run, c, r, u, s, v);
        (void)haw_newton_residual(k->d, k->task->problem->mu[c], k->c, s, v, g);
        for (int i = 0; i < k->d; i++) {
            sum += g[i] * g[i];
        }
    }
    return sum;
}

/* g and its generalized Jacobian at the iterate, its norm, and how many contacts changed state. */
static void evaluate(newton_run *run)
{
    haw_newton *k = run->newton;
    double sum = 0.0;

    run->changed = 0;
    for (int c = 0; c < k->n; c++) {
        const ptrdiff_t row = (ptrdiff_t)k->d * c;
        double s[3], *v = k->shifted + row;

        scale_contact(run, c, run->r, k->u, s, v);
        const haw_contact_state state =
            haw_newton_jacobian(k->d, k->task->problem->mu[c], k->c, s, v, k->g + row,
                                k->a + row * k->d, k->b + row * k->d);

        run->changed += state != k->state[c] ? 1 : 0;
        k->state[c] = state;
        for (int i = 0; i < k->d; i++) {
            sum += k->g[row + i] * k->g[row + i];
        }
    }
    run->norm = sqrt(sum);
}

/* Judge the iterate, remember the best one. */
static void judge(newton_run *run)
{
    haw_newton *k = run->newton;
    haw_task *task = k->task;

    run->natural = haw_task_judge(task, run->r, k->u);
    run->measured = run->natural;
    if (run->shift != NULL) {
        run->measured = haw_referee_natural(&task->op, task->v_ref, run->r, k->shifted);
    }
    run->score = fmin(run->measured / run->tolerance, run->natural / task->tolerance);
    if (run->score < run->best) {
        run->best = run->score;
        run->best_measured = run->measured;
        run->best_natural = run->natural;
        memcpy(k->r_best, run->r, (size_t)(k->n * k->d) * sizeof *k->r_best);
    }
    if (run->norm < 0.9 * run->progress) {
        run->progress = run->norm;
        run->progress_at = run->iterations;
    }
}

/* ---- one step ---- */

/* The step of the linear system; alpha rises until it can be factorized. */
static haw_status find_step(newton_run *run)
{
    haw_newton *k = run->newton;
    const int entries = k->n * k->d * k->d;
    const double shift = run->shift != NULL ? run->shift->alpha : 0.0;
    double applied = 0.0;
    haw_status status;

    do {
        for (int i = 0; i < entries; i++) {
            k->b[i] += (run->alpha + shift - applied) * k->a[i];
        }
        applied = run->alpha + shift;
        status = haw_newton_system_factor(k->system, k->a, k->b);
        run->alpha *= status == HAW_ERR_SINGULAR ? 100.0 : 1.0;
    } while (status == HAW_ERR_SINGULAR && run->alpha <= 100.0 * k->alpha_start);
    if (status == HAW_OK) {
        haw_newton_system_solve(k->system, k->g, k->dr, k->du);
    }
    return status;
}

static double try_step(newton_run *run, double t)
{
    haw_newton *k = run->newton;

    for (int i = 0; i < k->n * k->d; i++) {
        k->r_trial[i] = run->r[i] + t * k->dr[i];
        k->u_trial[i] = k->u[i] + t * k->du[i];
    }
    return square_norm(run, k->r_trial, k->u_trial);
}

/* Non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, SIAM J. Numer. Anal. 23 (1986)
 * 707-716): the largest of the last squared norms has to decrease. */
static void search(newton_run *run)
{
    haw_newton *k = run->newton;
    double highest = 0.0, t = 1.0;

    run->history[run->steps++ % MEMORY] = run->norm * run->norm;
    for (int i = 0; i < MEMORY && i < run->steps; i++) {
        highest = haw_larger(highest, run->history[i]);
    }
    for (int i = 0; i <= HALVINGS; i++, t *= 0.5) {
        if (try_step(run, t) <= highest * (1.0 - 2.0 * armijo * t)) {
            run->cut = t;
            break;
        }
        run->cut = 0.0;
    }
    if (run->cut == 0.0) { /* whole, unless the step is not finite */
        run->steps = 0;
        if (!(try_step(run, 1.0) <= DBL_MAX)) {
            return;
        }
    }
    memcpy(run->r, k->r_trial, (size_t)(k->n * k->d) * sizeof *run->r);
    memcpy(k->u, k->u_trial, (size_t)(k->n * k->d) * sizeof *k->u);
}

/* alpha for the next step. */
static void follow(newton_run *run)
{
    const double start = run->newton->alpha_start, ratio = run->norm / run->last_norm;

    if (run->cut < 0.3) { /* half way back to the start, in orders of magnitude */
        run->alpha = haw_larger(run->alpha, sqrt(haw_larger(run->alpha, 1e-16) * start));
    } else {
        run->alpha *= fmin(fmax(0.3 * sqrt(ratio), 0.01), 2.0);
    }
    if (run->changed == 0 && ratio < 0.5) { /* the states are right: converge as Newton does */
        run->alpha *= 0.01;
    }
    run->alpha = fmin(fmax(run->alpha, alpha_min), 10.0 * start);
    const bool crawling = run->alpha <= alpha_min && run->changed > 0 && ratio > 0.8;

    run->crawl = crawling ? run->crawl + 1 : 0;
    if (run->crawl == CRAWL) {
        run->alpha = start;
        run->crawl = 0;
    }
}

/* ---- the run ---- */

/* u = W r + q afresh, and all that follows from it. */
static void refresh(newton_run *run)
{
    haw_newton *k = run->newton;
    haw_task *task = k->task;

    haw_operator_velocity(&task->op, run->r, k->u);
    task->effort.products++;
    task->effort.first_order_flops += task->op.flops;
    evaluate(run);
    judge(run);
}

static void begin(newton_run *run)
{
    haw_newton *k = run->newton;

    run->best = HUGE_VAL;
    run->progress = HUGE_VAL;
    run->met_at = -1;
    run->cut = 1.0;
    memset(k->r_trial, 0, (size_t)(k->n * k->d) * sizeof *k->r_trial);
    const double cold = sqrt(square_norm(run, k->r_trial, k->task->op.q));

    refresh(run);
    run->alpha = k->alpha_start * (run->norm < cold ? run->norm / cold : 1.0);
    run->alpha = haw_larger(run->alpha, alpha_min);
}

/* Met with a margin, or as far as a few more steps get; judged with u = W r + q afresh. */
static bool is_done(newton_run *run)
{
    haw_newton *k = run->newton;

    if (run->met_at < 0 && run->score > 1.0) {
        return false;
    }
    if (run->met_at < 0) {
        run->met_at = run->iterations;
    }
    const bool ends = run->iterations == 0 || run->iterations - run->met_at >= POLISH;

    if (!ends && run->score > margin) {
        return false;
    }
    memcpy(run->r, k->r_best, (size_t)(k->n * k->d) * sizeof *run->r);
    run->best = HUGE_VAL;
    refresh(run);
    if (!(run->score <= 1.0)) { /* rounding errors of the steps had hidden the rest */
        run->met_at = -1;
    }
    return run->met_at >= 0;
}

static haw_status iterate(newton_run *run, haw_newton_end *end)
{
    haw_newton *k = run->newton;
    haw_task *task = k->task;

    *end = HAW_NEWTON_CONVERGED;
    while (!is_done(run)) {
        if (haw_task_exhausted(task) || run->iterations >= run->limit) {
            *end = HAW_NEWTON_LIMIT;
            return HAW_OK;
        }
        if (!(run->norm <= DBL_MAX) || run->iterations - run->progress_at > PATIENCE) {
            *end = HAW_NEWTON_STALLED;
            return HAW_OK;
        }
        const haw_status status = find_step(run);

        if (status != HAW_OK) {
            *end = HAW_NEWTON_SINGULAR;
            return status == HAW_ERR_SINGULAR ? HAW_OK : status;
        }
        search(run);
        run->iterations++;
        task->effort.iterations++;
        run->last_norm = run->norm;
        evaluate(run);
        judge(run);
        follow(run);
    }
    return HAW_OK;
}

haw_status haw_newton_run(haw_newton *newton, const haw_newton_shift *shift, double tolerance,
                          int iterations, double *r, haw_newton_result *result)
{
    newton_run run = {
        .newton = newton, .shift = shift, .r = r, .tolerance = tolerance, .limit = iterations};

    begin(&run);
    const haw_status status = iterate(&run, &result->end);

    memcpy(r, newton->r_best, (size_t)(newton->n * newton->d) * sizeof *r);
    result->iterations = run.iterations;
    result->natural = run.best_natural;
    result->shifted = run.best_measured;
    return status;
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

static haw_status newton_solve(haw_task *task, const void *options, double *r)
{
    const newton_options *o = options;
    haw_newton *newton = NULL;
    haw_newton_result result = {0};
    haw_status status = haw_newton_create(task, &newton);

    if (status == HAW_OK) {
        haw_newton_tune(newton, o->rho, o->alpha);
        status = haw_newton_run(newton, NULL, task->tolerance, task->max_iterations, r, &result);
    }
    haw_newton_release(newton);
    return status == HAW_OK && result.end == HAW_NEWTON_SINGULAR ? HAW_ERR_SINGULAR : status;
}

const haw_solver_ops haw_solver_newton = {
    .name = "newton",
    .summary = "semismooth Newton on the Alart-Curnier equations with a fading proximal term",
    .source = "P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375",
    .options = newton_table,
    .options_size = sizeof(newton_options),
    .solve = newton_solve,
};
