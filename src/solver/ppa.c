/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Proximal point method around `newton`: with D = alpha w_c and the impulses r_k at hand, the
 * problem of W + D and q - D r_k is solved to a tolerance tied to the residual of the problem
 * itself, and r_k moves there (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898). W + D
 * is regular where W is not: of all impulses that solve a hyperstatic problem this takes those
 * near the start.
 */
#include "base/status.h"
#include "solver/newton.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

typedef struct ppa_options {
    haw_solver_common common;
    double alpha;
} ppa_options;

static const haw_option ppa_table[] = {
    HAW_SOLVER_TOLERANCE,
    {"max_iterations", HAW_OPTION_INT, offsetof(haw_solver_common, max_iterations), 2000.0, 1.0,
     1.0e9, "", "Newton steps of all inner problems, one factorization each", NULL},
    {"alpha", HAW_OPTION_REAL, offsetof(ppa_options, alpha), 1.0, 1.0e-8, 1.0e6, "",
     "first proximal term, times w_c", NULL},
    {0},
};

enum {
    INNER = 60,   /* Newton steps of one inner problem */
    PATIENCE = 12 /* outer steps without a residual 10 % below the best one: stalled */
};

static const double alpha_min = 1e-10, alpha_max = 1e4;
static const double shrink = 0.1, grow = 5.0; /* of alpha on success, on failure */
static const double inner = 0.1;              /* inner tolerance over the outer residual */

typedef struct ppa {
    haw_task *task;
    haw_newton *newton;
    double *center, *best_r;
    size_t bytes; /* of a vector */
    double alpha, natural, best, progress;
    int idle;
} ppa;

static haw_status ppa_create(haw_task *task, ppa *p)
{
    const size_t rows = (size_t)task->problem->dimension * (size_t)task->problem->contacts;

    p->task = task;
    p->bytes = rows * sizeof(double);
    p->center = haw_task_doubles(task, rows);
    p->best_r = haw_task_doubles(task, rows);
    if (p->center == NULL || p->best_r == NULL) {
        return HAW_ERR_NOMEM;
    }
    return haw_newton_create(task, &p->newton);
}

/* One outer step from r; a failed one starts again from the center with a larger alpha. */
static haw_status outer_step(ppa *p, double *r)
{
    haw_newton_shift shift = {p->alpha, p->center};
    haw_newton_result result = {0};
    const double tolerance = fmax(inner * fmin(p->natural, 1.0), 0.1 * p->task->tolerance);

    memcpy(p->center, r, p->bytes);
    HAW_TRY(haw_newton_run(p->newton, &shift, tolerance, INNER, r, &result));
    if (result.natural < p->best) {
        p->best = result.natural;
        memcpy(p->best_r, r, p->bytes);
    }
    if (result.end == HAW_NEWTON_CONVERGED) {
        p->alpha = fmax(p->alpha * shrink, alpha_min);
    } else {
        p->alpha = fmin(p->alpha * grow, alpha_max);
    }
    if (result.end == HAW_NEWTON_CONVERGED || result.natural < p->natural) {
        p->natural = result.natural;
    } else {
        memcpy(r, p->center, p->bytes);
    }
    p->idle = p->best < 0.9 * p->progress ? 0 : p->idle + 1;
    p->progress = p->idle == 0 ? p->best : p->progress;
    return HAW_OK;
}

static haw_status ppa_iterate(ppa *p, double *r)
{
    haw_status status = HAW_OK;

    p->natural = haw_task_natural(p->task, r, p->center);
    p->best = p->progress = p->natural;
    memcpy(p->best_r, r, p->bytes);
    while (status == HAW_OK && p->best > p->task->tolerance && p->best <= DBL_MAX &&
           p->idle < PATIENCE && !haw_task_exhausted(p->task)) {
        status = outer_step(p, r);
    }
    memcpy(r, p->best_r, p->bytes);
    return status;
}

static haw_status ppa_solve(haw_task *task, const void *options, double *r)
{
    const ppa_options *o = options;
    ppa p = {.alpha = o->alpha};
    haw_status status = ppa_create(task, &p);

    if (status == HAW_OK) {
        status = ppa_iterate(&p, r);
    }
    haw_newton_release(p.newton);
    return status;
}

const haw_solver_ops haw_solver_ppa = {
    .name = "ppa",
    .summary = "proximal point method around newton, for singular W",
    .source = "R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898",
    .options = ppa_table,
    .options_size = sizeof(ppa_options),
    .solve = ppa_solve,
};
