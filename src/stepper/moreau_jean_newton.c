/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact problems of a step by the semismooth Newton method of the solver `newton` (P. Alart, A.
 * Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375, with a fading proximal term), in the
 * band of the mechanics. The first step takes open, stick and slip from the impulses of the last
 * time step, which are right but for some points at the ends of an arc. The general solver judges
 * the result, and goes on from it where this does not converge.
 */
#include "solver/newton_residual.h"
#include "stepper/moreau_jean_band.h"

#include <math.h>
#include <string.h>

enum {
    HALVINGS = 12,
    ITERATIONS = 40, /* with one augmentation parameter */
    CRAWL = 2
};

/* Augmentation parameters, times 1 / w: with another one the method passes through other states. */
static const double RHO[] = {1, 0.3, 3};
static const double ALPHA_GUESS = 1e-4; /* while open, stick and slip are those of the last step */
static const double ALPHA_MIN = 1e-8, ALPHA_MAX = 10, ALPHA_FELT = 1e-6;
static const double ARMIJO = 1e-4;
static const double SHARPER = 0.3; /* than the tolerance: the referee's w is another */

/* ---- equations ---- */

static double point_norm(const haw_jean_pass *x, int i, const double *r, const double *u)
{
    const haw_contact_equations equations = {2, x->contacts->problem.mu[i], x->rho};
    const double s[2] = {x->w[i] * r[2 * i], x->w[i] * r[2 * i + 1]};
    double g[2];
    (void)haw_newton_residual(&equations, s, u + (ptrdiff_t)2 * i, g);
    return g[0] * g[0] + g[1] * g[1];
}

static double square_norm(const haw_jean_pass *x, const double *r, const double *u)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++) {
        sum += point_norm(x, i, r, u);
    }
    return sum;
}

static void evaluate(haw_jean_pass *x)
{
    double sum = 0;
    x->changed = 0;
    for (int i = 0; i < x->n; i++) {
        const haw_contact_equations equations = {2, x->contacts->problem.mu[i], x->rho};
        const double s[2] = {x->w[i] * x->r[2 * i], x->w[i] * x->r[2 * i + 1]};
        double *g = x->g + (ptrdiff_t)2 * i;
        const haw_contact_state state =
            haw_newton_jacobian(&equations, s, x->u + (ptrdiff_t)2 * i, g, x->a + (ptrdiff_t)4 * i,
                                x->b + (ptrdiff_t)4 * i);
        x->changed += (int)state != x->state[i];
        x->state[i] = (signed char)state;
        sum += g[0] * g[0] + g[1] * g[1];
    }
    x->norm = sqrt(sum);
}

/* The referee's natural residual over its reference, with the weights at hand. */
static double natural(const haw_jean_pass *x)
{
    double most = 0;
    for (int i = 0; i < x->n; i++) {
        const double mu = x->contacts->problem.mu[i], w = x->w[i];
        const double *r = x->r + (ptrdiff_t)2 * i, *u = x->u + (ptrdiff_t)2 * i;
        const double shifted[2] = {r[0] - (u[0] + mu * fabs(u[1])) / w, r[1] - u[1] / w};
        double p[2];
        haw_cone_project(2, mu, shifted, p);
        most = fmax(most, w * hypot(r[0] - p[0], r[1] - p[1]));
    }
    return most / x->reference;
}

/* ---- start ---- */

/* v, u and the reference velocity from the impulses at hand and the factor of A. */
static void begin(haw_jean_pass *x)
{
    haw_simulation *simulation = x->step->simulation;
    const int dofs = simulation->model.dofs, rows = 2 * x->n;
    const double *w = x->step->jean->global.w;
    double *free_motion = x->dv;
    for (int i = 0; i < dofs; i++) {
        free_motion[i] = x->scale * x->right[i];
    }
    haw_system_solve(simulation->implicit->system, free_motion);
    haw_contacts_velocity(x->contacts, free_motion, x->du);
    x->reference = x->contacts->problem.scale;
    memset(x->r_trial, 0, (size_t)rows * sizeof(double));
    for (int i = 0; i < rows; i += 2) {
        const double q[2] = {x->du[i] + w[i], x->du[i + 1] + w[i + 1]};
        x->reference = fmax(x->reference, hypot(q[0], q[1]));
        x->u_trial[i] = q[0];
        x->u_trial[i + 1] = q[1];
        x->contacts->gamma_free[i] = q[0] - x->step->jean->shift[i];
        x->contacts->gamma_free[i + 1] = q[1] - x->step->jean->shift[i + 1];
    }
    x->cold = sqrt(square_norm(x, x->r_trial, x->u_trial));
    haw_jean_band_push(x, x->r, x->v);
    for (int i = 0; i < dofs; i++) {
        x->v[i] *= x->scale;
    }
    haw_system_solve(simulation->implicit->system, x->v);
    haw_axpy(dofs, 1, free_motion, x->v);
    haw_contacts_velocity(x->contacts, x->v, x->u);
    haw_axpy(rows, 1, w, x->u);
    evaluate(x);
}

/* ---- iterations ---- */

/* The equations of the regimes that the impulses at hand speak of. */
static void guess(haw_jean_pass *x)
{
    for (int i = 0; i < x->n; i++) {
        const double mu = x->contacts->problem.mu[i], w = x->w[i];
        const double *r = x->r + (ptrdiff_t)2 * i, *u = x->u + (ptrdiff_t)2 * i;
        double *g = x->g + (ptrdiff_t)2 * i, *a = x->a + (ptrdiff_t)4 * i,
               *b = x->b + (ptrdiff_t)4 * i;
        memset(a, 0, 4 * sizeof *a);
        memset(b, 0, 4 * sizeof *b);
        x->state[i] = HAW_CONTACT_OPEN;
        if (!(r[0] > 0)) {
            g[0] = w * r[0] / x->rho;
            g[1] = w * r[1] / x->rho;
            b[0] = b[3] = 1 / x->rho;
            continue;
        }
        g[0] = u[0];
        a[0] = 1;
        const bool stick = fabs(r[1]) < mu * r[0] * (1 - 1e-6);
        x->state[i] = stick ? HAW_CONTACT_STICK : HAW_CONTACT_SLIP;
        if (stick) {
            g[1] = u[1];
            a[3] = 1;
        } else {
            const double bound = copysign(mu, r[1]);
            g[1] = w * (r[1] - bound * r[0]) / x->rho;
            b[2] = -bound / x->rho;
            b[3] = 1 / x->rho;
        }
    }
}

static double try_step(haw_jean_pass *x, double t)
{
    for (int i = 0; i < 2 * x->n; i++) {
        x->r_trial[i] = x->r[i] + t * x->dr[i];
        x->u_trial[i] = x->u[i] + t * x->du[i];
    }
    return square_norm(x, x->r_trial, x->u_trial);
}

static void take_step(haw_jean_pass *x, double t)
{
    haw_axpy(2 * x->n, t, x->dr, x->r);
    haw_axpy(x->step->simulation->model.dofs, t, x->dv, x->v);
    haw_contacts_velocity(x->contacts, x->v, x->u);
    haw_axpy(2 * x->n, 1, x->step->jean->global.w, x->u);
    evaluate(x);
    x->step->simulation->report.iterations++;
}

/* Non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, SIAM J. Numer. Anal. 23 (1986)
 * 707-716): the largest of the last squared norms has to decrease; else the step is taken whole. */
static void search(haw_jean_pass *x)
{
    double highest = 0, t = 1;
    x->history[x->steps++ % HAW_JEAN_MEMORY] = x->norm * x->norm;
    for (int i = 0; i < HAW_JEAN_MEMORY && i < x->steps; i++) {
        highest = fmax(highest, x->history[i]);
    }
    x->cut = 0;
    for (int i = 0; i <= HALVINGS && x->cut == 0; i++) {
        t = ldexp(1, -i);
        x->cut = try_step(x, t) <= highest * (1 - 2 * ARMIJO * t) ? t : 0;
    }
    if (x->cut == 0) {
        x->steps = 0;
        t = 1;
    }
    take_step(x, t);
}

/* alpha of the next step: falls with the residual, rises where steps are cut or a front crawls. */
static void adapt(haw_jean_pass *x)
{
    const double ratio = x->norm / x->last_norm;
    if (x->cut < 0.3) {
        x->alpha = fmax(x->alpha, sqrt(fmax(x->alpha, 1e-16)));
    } else {
        x->alpha *= fmin(fmax(0.3 * sqrt(ratio), 0.1), 2);
    }
    if (x->changed == 0 && ratio < 0.5) {
        x->alpha *= 0.01;
    }
    x->alpha = fmin(fmax(x->alpha, ALPHA_MIN), ALPHA_MAX);
    const bool crawls = x->alpha <= ALPHA_FELT && x->changed > 0 && ratio > 0.8;
    x->crawl = crawls ? x->crawl + 1 : 0;
    if (x->crawl == CRAWL) {
        x->alpha = 0.1;
        x->crawl = 0;
    }
}

/* First step: open, stick and slip as the impulses of the last step have them. */
static bool continue_last(haw_jean_pass *x)
{
    guess(x);
    x->alpha = ALPHA_GUESS;
    if (!haw_jean_band_step(x)) {
        return false;
    }
    take_step(x, 1);
    return true;
}

static bool iterate(haw_jean_pass *x, double rho, double tolerance)
{
    x->rho = rho;
    x->steps = x->crawl = 0;
    evaluate(x);
    x->alpha = fmax(fmin(x->norm / x->cold, 1), ALPHA_MIN);
    for (int k = 0; k < ITERATIONS && natural(x) > tolerance; k++) {
        if (!isfinite(x->norm) || !haw_jean_band_step(x)) {
            return false;
        }
        x->last_norm = x->norm;
        search(x);
        adapt(x);
    }
    return natural(x) <= tolerance;
}

static bool solve(haw_jean_pass *x)
{
    haw_solver_common common;
    bool met = false;
    memcpy(&common, x->step->simulation->settings.solver.options, sizeof common);
    x->rho = RHO[0];
    begin(x);
    if (!continue_last(x)) {
        return false;
    }
    for (size_t i = 0; i < sizeof RHO / sizeof *RHO && !met && isfinite(x->norm); i++) {
        met = iterate(x, RHO[i], SHARPER * common.tolerance);
    }
    return met;
}

haw_status haw_jean_newton(haw_jean_step *step, const double *right, double *v, bool *met)
{
    haw_jean_pass x;
    const haw_arena_mark mark = haw_arena_here(&step->jean->arena);
    *met = false;
    haw_status status = haw_jean_band_create(step, right, &x);
    x.v = v;
    if (status == HAW_OK && haw_jean_band_weights(&x)) {
        *met = solve(&x);
        haw_jean_band_restore(&x);
    }
    haw_arena_rewind(&step->jean->arena, &mark);
    return status;
}
