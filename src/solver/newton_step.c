/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One step of Newton's method with a proximal term: with s = w r it solves
 *
 *     a (du + alpha ds) + b ds = -g.
 *
 * Plain Newton steps (alpha = 0) let a slip front advance by one contact at a time, and fail where
 * W is singular. With alpha > 0 a step is a Newton step of the proximal point method centred at the
 * present impulses (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898): it spreads what a
 * front has to pass on over many contacts. alpha falls with the residual, at last faster than it,
 * and rises when the line search has to cut steps or a front crawls.
 */
#include "solver/newton_step.h"

#include "solver/solver.h"

#include <math.h>
#include <string.h>

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
