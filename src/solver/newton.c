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

enum { HALVINGS = 12 }; /* of a step; then it is taken whole and alpha rises */

static const double alpha_min = 1e-12;  /* not felt by any step */
static const double alpha_range = 10.0; /* largest alpha that is tried, times the first one */

/* s = w r of contact c. */
static inline void scale_contact(const haw_newton *k, int c, const double *r, double s[3])
{
    for (int i = 0; i < k->d; i++) {
        s[i] = k->w[c] * r[(ptrdiff_t)k->d * c + i];
    }
}

/* |g|^2 at any r, u [n d]. */
static double square_norm(const haw_newton *k, const double *r, const double *u)
{
    double sum = 0.0;

    for (int c = 0; c < k->n; c++) {
        const haw_contact_equations equations = {k->d, k->task->problem->mu[c], k->rho};
        double s[3], g[3];

        scale_contact(k, c, r, s);
        (void)haw_newton_residual(&equations, s, u + (ptrdiff_t)k->d * c, g);
        for (int i = 0; i < k->d; i++) {
            sum += g[i] * g[i];
        }
    }
    return sum;
}

void haw_newton_evaluate(haw_newton *k)
{
    double sum = 0.0;

    k->course.changed = 0;
    for (int c = 0; c < k->n; c++) {
        const ptrdiff_t row = (ptrdiff_t)k->d * c;
        const haw_contact_equations equations = {k->d, k->task->problem->mu[c], k->rho};
        double s[3];

        scale_contact(k, c, k->r, s);
        const haw_contact_state state = haw_newton_jacobian(&equations, s, k->u + row, k->g + row,
                                                            k->a + row * k->d, k->b + row * k->d);

        k->course.changed += state != k->state[c] ? 1 : 0;
        k->state[c] = state;
        for (int i = 0; i < k->d; i++) {
            sum += k->g[row + i] * k->g[row + i];
        }
    }
    k->course.norm = sqrt(sum);
}

void haw_newton_judge(haw_newton *k)
{
    k->natural = haw_task_judge(k->task, k->r, k->u);
    if (k->natural < k->best) {
        k->best = k->natural;
        memcpy(k->r_best, k->r, (size_t)(k->n * k->d) * sizeof *k->r_best);
    }
}

/* The step of the linear system; alpha rises until it can be factorized. */
static haw_status find_step(haw_newton *k)
{
    const int entries = k->n * k->d * k->d;
    double applied = 0.0;
    haw_status status;

    do {
        for (int i = 0; i < entries; i++) {
            k->b[i] += (k->course.alpha - applied) * k->a[i];
        }
        applied = k->course.alpha;
        status = haw_newton_system_factor(k->system, k->a, k->b);
        k->course.alpha *= status == HAW_ERR_SINGULAR ? 100.0 : 1.0;
    } while (status == HAW_ERR_SINGULAR && k->course.alpha <= 100.0 * alpha_range * k->first_alpha);
    if (status == HAW_OK) {
        haw_newton_system_solve(k->system, k->g, k->dr, k->du);
    }
    return status;
}

/* Squared norm after the step times t. */
static double try_step(haw_newton *k, double t)
{
    for (int i = 0; i < k->n * k->d; i++) {
        k->r_trial[i] = k->r[i] + t * k->dr[i];
        k->u_trial[i] = k->u[i] + t * k->du[i];
    }
    return square_norm(k, k->r_trial, k->u_trial);
}

/* The largest part of the step that the line search accepts. */
static void search(haw_newton *k)
{
    haw_newton_course *course = &k->course;
    const double highest = haw_newton_highest(course);

    course->cut = 0.0;
    for (int i = 0; i <= HALVINGS && course->cut == 0.0; i++) {
        const double t = ldexp(1.0, -i);

        course->cut = haw_newton_accepts(highest, t, try_step(k, t)) ? t : 0.0;
    }
    if (course->cut == 0.0) { /* whole, unless the step is not finite */
        course->steps = 0;
        if (!(try_step(k, 1.0) <= DBL_MAX)) {
            return;
        }
    }
    memcpy(k->r, k->r_trial, (size_t)(k->n * k->d) * sizeof *k->r);
    memcpy(k->u, k->u_trial, (size_t)(k->n * k->d) * sizeof *k->u);
}

haw_status haw_newton_advance(haw_newton *k)
{
    HAW_TRY(find_step(k));
    search(k);
    k->course.last_norm = k->course.norm;
    haw_newton_evaluate(k);
    haw_newton_judge(k);
    haw_newton_adapt(&k->course, k->first_alpha, alpha_min);
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

static haw_status allocate_work(haw_newton *k)
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

/* u = W r + q afresh, and all that follows from it. */
static void refresh(haw_newton *k)
{
    haw_task_velocity(k->task, k->r, k->u);
    haw_newton_evaluate(k);
    haw_newton_judge(k);
}

static void return_to_best(haw_newton *k)
{
    memcpy(k->r, k->r_best, (size_t)(k->n * k->d) * sizeof *k->r);
    k->best = HUGE_VAL;
    refresh(k);
}

/* residual_relative, which other codes stop by, meets the tolerance too; r_best and u belong
 * together where the last step was the best one. */
static bool is_met_elsewhere(const haw_newton *k)
{
    const haw_task *task = k->task;
    haw_residual residual;

    haw_referee_measure(&task->op, k->r, k->u, &residual);
    return k->natural <= task->tolerance && residual.relative <= task->tolerance;
}

/* Met in both measures, or as far as a few more steps get; judged with u = W r + q afresh. */
static bool is_done(haw_newton *k)
{
    const haw_task *task = k->task;

    if (k->met_at < 0 && !(k->natural <= task->tolerance)) {
        return false;
    }
    if (k->met_at < 0) {
        k->met_at = k->iterations;
    }
    const bool ends = k->iterations == 0 || k->iterations - k->met_at >= POLISH;

    if (!ends && !is_met_elsewhere(k)) {
        return false;
    }
    return_to_best(k);
    if (!(k->natural <= task->tolerance)) {
        k->met_at = -1; /* rounding errors of the steps had hidden the rest */
    }
    return k->met_at >= 0;
}

/* Whether the run still gets on; if not, it starts again.
 * With other parameters it passes through other sequences of states. */
static bool gets_on(haw_newton *k)
{
    if (k->course.norm < 0.9 * k->progress) {
        k->progress = k->course.norm;
        k->progress_at = k->iterations;
    }
    if (k->course.norm <= DBL_MAX && k->iterations - k->progress_at <= PATIENCE) {
        return true;
    }
    if (k->restarts == RESTARTS) {
        return false;
    }
    const struct restart *next = &restarts[k->restarts++];

    k->rho = k->first_rho * next->rho;
    if (next->cold) {
        memset(k->r, 0, (size_t)(k->n * k->d) * sizeof *k->r);
        refresh(k);
    } else {
        return_to_best(k);
    }
    k->course.alpha = k->first_alpha * next->alpha;
    k->course.steps = 0;
    k->course.crawl = 0;
    k->progress = k->course.norm;
    k->progress_at = k->iterations;
    return k->course.norm <= DBL_MAX;
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
    haw_newton k = {.task = task,
                    .n = task->problem->contacts,
                    .d = task->problem->dimension,
                    .r = r,
                    .rho = o->rho,
                    .first_rho = o->rho,
                    .first_alpha = o->alpha,
                    .best = HUGE_VAL,
                    .met_at = -1};
    const size_t bytes = (size_t)(k.n * k.d) * sizeof *r;

    HAW_TRY(allocate_work(&k));
    HAW_TRY(haw_newton_system_create(task, k.w, &k.system));
    memcpy(k.r_best, r, bytes);
    const double cold = sqrt(square_norm(&k, k.r_trial, task->op.q)); /* r_trial is still zero */

    refresh(&k);
    k.course.alpha = o->alpha * (k.course.norm < cold ? fmax(k.course.norm / cold, 1e-12) : 1.0);
    k.progress = k.course.norm;
    haw_status status = HAW_OK;

    while (!is_done(&k) && !haw_task_exhausted(task) && gets_on(&k)) {
        status = haw_newton_advance(&k);
        if (status != HAW_OK) {
            break;
        }
        k.iterations++;
        task->effort.iterations++;
    }
    memcpy(r, k.r_best, bytes);
    haw_newton_system_release(k.system);
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
