/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The semismooth Newton method of the solver `newton` (P. Alart, A. Curnier, Comput. Methods Appl.
 * Mech. Eng. 92 (1991) 353-375, with a fading proximal term), in the band of the mechanics. The
 * first step takes open, stick and slip from the impulses at hand, which are right but for some
 * points at the ends of an arc. It starts from v = 0: where the regimes are right it lands on the
 * solution from anywhere, and A itself need not be factorized.
 */
#include "solver/band_newton.h"

#include "solver/band_newton_step.h"
#include "solver/cone.h"
#include "solver/newton_residual.h"
#include "solver/referee.h"

#include <math.h>
#include <string.h>

enum {
    HALVINGS = 12,
    ITERATIONS = 40, /* with one augmentation parameter */
    CRAWL = 2
};

/* Augmentation parameters, times 1 / w: with another one the method passes through other states. */
static const double RHO[] = {1, 0.3, 3};
static const double ALPHA_GUESS = 1e-8; /* while open, stick and slip are those of the last step */
static const double ROUNDING = 1e-12;   /* impulses of open contacts, over the largest and over
                                            what the reference speed would ask for */
static const double ALPHA_MIN = 1e-8, ALPHA_MAX = 10, ALPHA_FELT = 1e-6;
static const double ARMIJO = 1e-4;

/* ---- equations ---- */

static haw_contact_equations equations_of(const haw_band_pass *x, int i)
{
    return (haw_contact_equations){x->d, x->problem->mu[i], x->rho};
}

static void scale_impulse(const haw_band_pass *x, int i, const double *r, double s[3])
{
    for (int k = 0; k < x->d; k++) {
        s[k] = x->problem->weight[i] * r[x->d * i + k];
    }
}

static double square(int d, const double *g)
{
    double sum = 0;
    for (int k = 0; k < d; k++) {
        sum += g[k] * g[k];
    }
    return sum;
}

static double square_norm(const haw_band_pass *x, const double *r, const double *u)
{
    double sum = 0, s[3], g[3];
    for (int i = 0; i < x->n; i++) {
        const haw_contact_equations equations = equations_of(x, i);
        scale_impulse(x, i, r, s);
        (void)haw_newton_residual(&equations, s, u + (ptrdiff_t)x->d * i, g);
        sum += square(x->d, g);
    }
    return sum;
}

static void evaluate(haw_band_pass *x)
{
    const int d = x->d;
    double sum = 0, s[3];
    x->changed = 0;
    for (int i = 0; i < x->n; i++) {
        const haw_contact_equations equations = equations_of(x, i);
        double *g = x->g + (ptrdiff_t)d * i;
        scale_impulse(x, i, x->r, s);
        const haw_contact_state state =
            haw_newton_jacobian(&equations, s, x->u + (ptrdiff_t)d * i, g,
                                x->a + (ptrdiff_t)d * d * i, x->b + (ptrdiff_t)d * d * i);
        x->changed += (int)state != x->state[i];
        x->state[i] = (signed char)state;
        sum += square(d, g);
    }
    x->norm = sqrt(sum);
}

/* What the referee says of the iterate, with the weights at hand. */
static bool is_met(haw_band_pass *x)
{
    const haw_problem problem = {.dimension = x->d, .contacts = x->n, .mu = x->problem->mu};
    const haw_operator op = {.problem = &problem, .weight = x->problem->weight};
    x->result->residual = haw_referee_stop(&op, x->result->reference, x->r, x->u);
    return x->result->residual <= x->problem->tolerance;
}

/* ---- without contact impulses ---- */

/* Velocities without contact impulses, by the factors of A: part of the reference. */
static bool find_free(haw_band_pass *x)
{
    const haw_band_problem *problem = x->problem;
    const int rows = x->d * x->n;
    if (x->has_free) {
        return true;
    }
    if (!haw_band_factor(x)) {
        return false;
    }
    for (int i = 0; i < x->equations; i++) {
        x->dv[i] = problem->f[i] / problem->scale;
    }
    haw_bordered_solve(problem->matrix, x->dv);
    memcpy(x->free, problem->w, (size_t)rows * sizeof(double));
    haw_csr_add(problem->ht, 1, x->dv, x->free);
    for (int i = 0; i < rows; i += x->d) {
        x->result->reference = fmax(x->result->reference, sqrt(square(x->d, x->free + i)));
    }
    memset(x->r_trial, 0, (size_t)rows * sizeof(double));
    x->cold = sqrt(square_norm(x, x->r_trial, x->free));
    x->has_free = true;
    return true;
}

/* ---- iterations ---- */

/* The equations of the regime that the impulse of a contact speaks of: none, u = 0, or u_N = 0 and
 * r_T = mu r_N n along its own direction n. */
static haw_contact_state guess_point(const haw_band_pass *x, int i, double least, double *g,
                                     double *a, double *b)
{
    const int d = x->d;
    const double mu = x->problem->mu[i], weight = x->problem->weight[i];
    const double *r = x->r + (ptrdiff_t)d * i, *u = x->u + (ptrdiff_t)d * i;
    const double tangential = haw_tangent_norm(d, r);
    const bool closed = r[0] > least, sticks = closed && tangential < mu * r[0] * (1 - 1e-6);
    memset(a, 0, (size_t)(d * d) * sizeof *a);
    memset(b, 0, (size_t)(d * d) * sizeof *b);
    for (int k = 0; k < d; k++) {
        const bool held = sticks || (closed && k == 0);
        g[k] = held ? u[k] : weight * r[k] / x->rho;
        a[d * k + k] = held ? 1 : 0;
        b[d * k + k] = held ? 0 : 1 / x->rho;
    }
    for (int k = 1; closed && !sticks && k < d; k++) {
        const double bound = tangential > 0 ? mu * r[k] / tangential : 0;
        g[k] -= weight * bound * r[0] / x->rho;
        b[d * k] = -bound / x->rho;
    }
    if (!closed) {
        return HAW_CONTACT_OPEN;
    }
    return sticks ? HAW_CONTACT_STICK : HAW_CONTACT_SLIP;
}

static void guess(haw_band_pass *x)
{
    const ptrdiff_t d = x->d;
    double most = 0;
    for (int i = 0; i < x->n; i++) {
        most = fmax(most, x->r[d * i]);
    }
    for (int i = 0; i < x->n; i++) {
        const double least = fmax(most, x->problem->speed / x->problem->weight[i]);
        x->state[i] = (signed char)guess_point(x, i, ROUNDING * least, x->g + d * i,
                                               x->a + d * d * i, x->b + d * d * i);
    }
}

static double try_step(haw_band_pass *x, double t)
{
    for (int i = 0; i < x->d * x->n; i++) {
        x->r_trial[i] = x->r[i] + t * x->dr[i];
        x->u_trial[i] = x->u[i] + t * x->du[i];
    }
    return square_norm(x, x->r_trial, x->u_trial);
}

static void take_step(haw_band_pass *x, double t)
{
    const int rows = x->d * x->n;
    for (int i = 0; i < rows; i++) {
        x->r[i] += t * x->dr[i];
    }
    for (int i = 0; i < x->equations; i++) {
        x->v[i] += t * x->dv[i];
    }
    memcpy(x->u, x->problem->w, (size_t)rows * sizeof(double));
    haw_csr_add(x->problem->ht, 1, x->v, x->u);
    evaluate(x);
    x->result->iterations++;
}

/* Non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, SIAM J. Numer. Anal. 23 (1986)
 * 707-716): the largest of the last squared norms has to decrease; else the step is taken whole. */
static void search(haw_band_pass *x)
{
    double highest = 0, t = 1;
    x->history[x->steps++ % HAW_BAND_MEMORY] = x->norm * x->norm;
    for (int i = 0; i < HAW_BAND_MEMORY && i < x->steps; i++) {
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
static void adapt(haw_band_pass *x)
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

/* First step: open, stick and slip as the impulses at hand have them. */
static bool continue_last(haw_band_pass *x)
{
    memset(x->v, 0, (size_t)x->equations * sizeof(double));
    memcpy(x->u, x->problem->w, (size_t)(x->d * x->n) * sizeof(double));
    guess(x);
    x->alpha = ALPHA_GUESS;
    if (!haw_band_step(x)) {
        return false;
    }
    take_step(x, 1);
    return true;
}

static bool iterate(haw_band_pass *x, double rho)
{
    x->rho = rho;
    x->steps = x->crawl = 0;
    evaluate(x);
    x->alpha = fmax(fmin(x->norm / x->cold, 1), ALPHA_MIN);
    for (int k = 0; k < ITERATIONS && !is_met(x); k++) {
        if (!isfinite(x->norm) || !haw_band_step(x)) {
            return false;
        }
        x->last_norm = x->norm;
        search(x);
        adapt(x);
    }
    return is_met(x);
}

/* The reference without the free velocities, which cost a factorization, is a lower bound. */
static bool solve(haw_band_pass *x)
{
    const bool needs_free = x->problem->free != NULL;
    bool met = false;
    x->rho = RHO[0];
    if (!haw_band_weigh(x) || ((needs_free || x->is_factored) && !find_free(x)) ||
        !continue_last(x)) {
        return false;
    }
    if (is_met(x)) {
        return true;
    }
    if (!find_free(x)) {
        return false;
    }
    for (size_t i = 0; i < sizeof RHO / sizeof *RHO && !met && isfinite(x->norm); i++) {
        met = iterate(x, RHO[i]);
    }
    return met;
}

/* v = A^-1 f where there is no contact. */
static bool solve_free(haw_band_pass *x)
{
    if (!haw_band_factor(x)) {
        return false;
    }
    for (int i = 0; i < x->equations; i++) {
        x->v[i] = x->problem->f[i] / x->problem->scale;
    }
    haw_bordered_solve(x->problem->matrix, x->v);
    return true;
}

static haw_status run(haw_band_pass *x, haw_arena *arena)
{
    bool inside;
    HAW_TRY(haw_band_pass_create(x, arena, &inside));
    if (x->problem->free != NULL) {
        x->free = x->problem->free;
    }
    if (x->n == 0) {
        x->result->met = solve_free(x);
    } else if (inside) {
        x->result->met = solve(x);
    }
    haw_band_restore(x);
    return HAW_OK;
}

haw_status haw_band_newton(const haw_band_problem *problem, haw_arena *arena, double *r, double *v,
                           double *u, haw_band_result *result)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_band_pass x = {.problem = problem, .result = result};
    *result = (haw_band_result){.reference = problem->speed};
    x.r = r;
    x.v = v;
    x.u = u;
    const haw_status status = run(&x, arena);
    haw_arena_rewind(arena, &mark);
    return status;
}
