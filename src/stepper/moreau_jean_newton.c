/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact problems of a step by the semismooth Newton method of the solver `newton`, with its
 * equations and its fading proximal term, but in the band of the mechanics. From
 *
 *     A dv - H dr = -rest,   a (du + alpha w dr) + b w dr = -g,   du = H^T dv
 *
 * the impulses are eliminated point by point: D = (b + alpha a)^-1 a / w, e = (b + alpha a)^-1 g / w,
 *
 *     (A + H D H^T) dv = -rest - H e,   dr = -e - D du,
 *
 * a matrix with the pattern of the elements: a Newton step costs what one with compliant contact
 * costs. The general solver judges the result and goes on from it where this does not converge.
 */
#include "stepper/moreau_jean.h"

#include "solver/newton_residual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 8, HALVINGS = 12, ITERATIONS = 80, CRAWL = 2, ROW = HAW_ELEMENT_DOFS_MAX + 3 };

#define RHO (getenv("RHO") ? atof(getenv("RHO")) : 0.3)
 /* augmentation parameter, times 1 / w */
#define ALPHA_FIRST (getenv("AF") ? atof(getenv("AF")) : 10.0)
#define ALPHA_MIN (getenv("AM") ? atof(getenv("AM")) : 1e-8)
static const double ALPHA_FELT = 1e-6;
static const double ARMIJO = 1e-4;
static const double SHARPER = 0.3; /* than the tolerance: the referee's w is another */

typedef struct run {
    haw_jean_step *step;
    haw_contacts *contacts;
    const double *right;           /* [dofs] */
    double *v;                     /* [dofs] change of u+ */
    double *dv, *rest;             /* [dofs] */
    double *base;                  /* entries of the matrix without contact */
    double scale;                  /* of the matrix over A: 1 / (theta h)^2 */
    int n;
    double *w;                     /* [n] trace(W_cc) / 2 */
    double *r;                     /* [2 n] impulses */
    double *u, *dr, *du, *g;       /* [2 n] */
    double *r_trial, *u_trial;     /* [2 n] */
    double *a, *b;                 /* [4 n] */
    double *gain;                  /* [4 n] D */
    signed char *state;            /* [n] */
    double alpha, norm, last_norm; /* norm: of g */
    double history[MEMORY];        /* squared norms that the line search may return to */
    int steps, changed, crawl;
    double cold;
    double cut;       /* factor of the last step; 0: the line search gave up */
    double reference; /* velocity that the referee measures in */
} run;

static double *doubles(run *x, int each)
{
    const size_t n = (size_t)x->n * (size_t)each;
    return haw_arena_allocate(&x->step->jean->arena, n, sizeof(double));
}

static haw_status create(haw_jean_step *step, const double *right, double *v, run *x)
{
    haw_simulation *simulation = step->simulation;
    haw_bordered *matrix = simulation->implicit->system->matrix;
    const size_t values = (size_t)haw_bordered_spare(matrix) + 1;
    const double rate = 1 / (step->theta * step->h);
    *x = (run){.step = step,
               .contacts = simulation->contacts,
               .right = right,
               .v = v,
               .dv = simulation->work[0],
               .rest = simulation->work[1],
               .scale = rate * rate,
               .n = simulation->contacts->count,
               .r = simulation->contacts->impulse};
    double **const vector[] = {&x->u, &x->dr, &x->du, &x->g, &x->r_trial, &x->u_trial};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = doubles(x, 2);
        if (*vector[i] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    x->w = doubles(x, 1);
    x->a = doubles(x, 4);
    x->b = doubles(x, 4);
    x->gain = doubles(x, 4);
    x->state = haw_arena_allocate(&step->jean->arena, (size_t)x->n, 1);
    x->base = haw_arena_allocate(&step->jean->arena, values, sizeof(double));
    if (x->w == NULL || x->a == NULL || x->b == NULL || x->gain == NULL || x->state == NULL ||
        x->base == NULL) {
        return HAW_ERR_NOMEM;
    }
    memcpy(x->base, haw_bordered_value(matrix), values * sizeof(double));
    return HAW_OK;
}

/* y [dofs] = H r, tied. */
static void push(const run *x, const double *r, double *y)
{
    const haw_model *model = &x->step->simulation->model;
    memset(y, 0, (size_t)model->dofs * sizeof *y);
    haw_contacts_apply(x->contacts, r, y);
    haw_model_tie(model, y);
}

/* ---- weights, with the factor of A at hand ---- */

/* W_kk of row k of contact i. */
static double mobility(run *x, int i, int k)
{
    const haw_simulation *simulation = x->step->simulation;
    const haw_contact *c = &x->contacts->item[i];
    double *y = x->rest, sum = 0;
    memset(y, 0, (size_t)simulation->model.dofs * sizeof *y);
    for (int a = 0; a < c->width + 3; a++) {
        y[a < c->width ? c->owner + a : c->body + a - c->width] +=
            a < c->width ? c->row[k][a] : c->body_row[k][a - c->width];
    }
    haw_model_tie(&simulation->model, y);
    haw_system_solve(simulation->implicit->system, y);
    for (int a = 0; a < c->width + 3; a++) {
        sum += a < c->width ? c->row[k][a] * y[c->owner + a]
                            : c->body_row[k][a - c->width] * y[c->body + a - c->width];
    }
    return x->scale * sum;
}

/* Weights of points are kept as long as the step is: only their order of magnitude matters. */
static bool find_weights(run *x)
{
    haw_jean *jean = x->step->jean;
    if (jean->weight_h != x->step->h) {
        memset(jean->weight, 0, (size_t)x->step->simulation->model.points * sizeof(double));
        jean->weight_h = x->step->h;
    }
    for (int i = 0; i < x->n; i++) {
        double *kept = &jean->weight[x->contacts->item[i].id];
        if (!(*kept > 0)) {
            *kept = 0.5 * (mobility(x, i, 0) + mobility(x, i, 1));
        }
        if (!(*kept > 0) || !isfinite(*kept)) {
            return false;
        }
        x->w[i] = *kept;
    }
    return true;
}

/* ---- equations ---- */

static double point_norm(const run *x, int i, const double *r, const double *u)
{
    const haw_contact_equations equations = {2, x->contacts->problem.mu[i], RHO};
    const double s[2] = {x->w[i] * r[2 * i], x->w[i] * r[2 * i + 1]};
    double g[2];
    (void)haw_newton_residual(&equations, s, u + (ptrdiff_t)2 * i, g);
    return g[0] * g[0] + g[1] * g[1];
}

static double square_norm(const run *x, const double *r, const double *u)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++) {
        sum += point_norm(x, i, r, u);
    }
    return sum;
}

static void evaluate(run *x)
{
    double sum = 0;
    x->changed = 0;
    for (int i = 0; i < x->n; i++) {
        const haw_contact_equations equations = {2, x->contacts->problem.mu[i], RHO};
        const double s[2] = {x->w[i] * x->r[2 * i], x->w[i] * x->r[2 * i + 1]};
        double *g = x->g + (ptrdiff_t)2 * i;
        const haw_contact_state state =
            haw_newton_jacobian(&equations, s, x->u + (ptrdiff_t)2 * i, g,
                                x->a + (ptrdiff_t)4 * i, x->b + (ptrdiff_t)4 * i);
        x->changed += (int)state != x->state[i];
        x->state[i] = (signed char)state;
        sum += g[0] * g[0] + g[1] * g[1];
    }
    x->norm = sqrt(sum);
}

/* The referee's natural residual over its reference, with the weights at hand. */
static double natural(const run *x)
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
static void begin(run *x)
{
    haw_simulation *simulation = x->step->simulation;
    const haw_system *system = simulation->implicit->system;
    const int dofs = simulation->model.dofs, rows = 2 * x->n;
    const double *w = x->step->jean->global.w;
    double *free_motion = x->dv;
    for (int i = 0; i < dofs; i++) {
        free_motion[i] = x->scale * x->right[i];
    }
    haw_system_solve(simulation->implicit->system, free_motion);
    haw_contacts_velocity(x->contacts, free_motion, x->du);
    x->reference = x->contacts->problem.scale;
    double cold = 0;
    memset(x->r_trial, 0, (size_t)rows * sizeof(double));
    for (int i = 0; i < rows; i += 2) {
        const double q[2] = {x->du[i] + w[i], x->du[i + 1] + w[i + 1]};
        x->reference = fmax(x->reference, hypot(q[0], q[1]));
        x->u_trial[i] = q[0];
        x->u_trial[i + 1] = q[1];
    }
    x->cold = cold = sqrt(square_norm(x, x->r_trial, x->u_trial));
    push(x, x->r, x->v);
    for (int i = 0; i < dofs; i++) {
        x->v[i] *= x->scale;
    }
    haw_system_solve(simulation->implicit->system, x->v);
    haw_axpy(dofs, 1, free_motion, x->v);
    haw_contacts_velocity(x->contacts, x->v, x->u);
    haw_axpy(rows, 1, w, x->u);
    evaluate(x);
    x->alpha = ALPHA_FIRST * (x->norm < cold ? fmax(x->norm / cold, ALPHA_MIN) : 1);
    (void)system;
}

/* ---- one Newton step ---- */

/* D and e of a point; the 2 x 2 matrix b + alpha a is regular for alpha > 0. */
static void eliminate(run *x, int i, double e[2])
{
    const double *a = x->a + (ptrdiff_t)4 * i, *b = x->b + (ptrdiff_t)4 * i;
    const double *g = x->g + (ptrdiff_t)2 * i;
    double c[4], *d = x->gain + (ptrdiff_t)4 * i;
    for (int k = 0; k < 4; k++) {
        c[k] = b[k] + x->alpha * a[k];
    }
    const double inverse = 1 / ((c[0] * c[3] - c[1] * c[2]) * x->w[i]);
    for (int k = 0; k < 2; k++) {
        d[k] = inverse * (c[3] * a[k] - c[1] * a[2 + k]);
        d[2 + k] = inverse * (c[0] * a[2 + k] - c[2] * a[k]);
    }
    e[0] = inverse * (c[3] * g[0] - c[1] * g[1]);
    e[1] = inverse * (c[0] * g[1] - c[2] * g[0]);
}

/* Matrix += H D H^T of one point. */
static void add_point(run *x, int i)
{
    const haw_simulation *simulation = x->step->simulation;
    haw_system *system = simulation->implicit->system;
    const haw_contact *c = &x->contacts->item[i];
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double *d = x->gain + (ptrdiff_t)4 * i;
    const int n = c->width + 3;
    double row[2][ROW], k[ROW * ROW];
    for (int j = 0; j < 2; j++) {
        memcpy(row[j], c->row[j], (size_t)c->width * sizeof(double));
        memcpy(row[j] + c->width, c->body_row[j], 3 * sizeof(double));
    }
    for (int p = 0; p < n; p++) {
        const double left[2] = {x->scale * (row[0][p] * d[0] + row[1][p] * d[2]),
                                x->scale * (row[0][p] * d[1] + row[1][p] * d[3])};
        for (int q = 0; q < n; q++) {
            k[p * n + q] = left[0] * row[0][q] + left[1] * row[1][q];
        }
    }
    if (pair->cable >= 0) {
        const haw_cable *cable = &simulation->model.cable[pair->cable];
        const int element = (c->owner - cable->first) / cable->line.ops->stride;
        haw_system_add_contact(system, pair->cable, element, pair->body, k);
        return;
    }
    for (int pq = 0; pq < n * n; pq++) {
        const int p = pq / n, q = pq % n;
        haw_system_add(system, p < 3 ? c->owner + p : c->body + p - 3,
                       q < 3 ? c->owner + q : c->body + q - 3, k[pq]);
    }
}

/* rest <- A v - right - H r over the equations, from the entries of A. */
static void find_rest(run *x)
{
    haw_simulation *simulation = x->step->simulation;
    haw_system *system = simulation->implicit->system;
    const int dofs = simulation->model.dofs;
    double *product = x->dv;
    push(x, x->r, x->rest);
    for (int i = 0; i < dofs; i++) {
        x->rest[i] = -x->rest[i] - x->right[i];
    }
    for (int i = 0; i < system->equations; i++) {
        system->unknown[i] = x->v[system->dof[i]];
        product[i] = 0;
    }
    haw_bordered_multiply(system->matrix, 1 / x->scale, system->unknown, product);
    for (int i = 0; i < system->equations; i++) {
        x->rest[system->dof[i]] += product[i];
    }
}

static void restore(run *x)
{
    haw_bordered *matrix = x->step->simulation->implicit->system->matrix;
    memcpy(haw_bordered_value(matrix), x->base,
           ((size_t)haw_bordered_spare(matrix) + 1) * sizeof(double));
}

/* dv, dr, du. @return false if the matrix is singular */
static bool find_step(run *x)
{
    haw_simulation *simulation = x->step->simulation;
    haw_system *system = simulation->implicit->system;
    const int dofs = simulation->model.dofs;
    double *e = x->dr;
    restore(x);
    find_rest(x);
    for (int i = 0; i < x->n; i++) {
        eliminate(x, i, e + (ptrdiff_t)2 * i);
        if (x->state[i] != HAW_CONTACT_OPEN) {
            add_point(x, i);
        }
    }
    push(x, e, x->dv);
    for (int i = 0; i < dofs; i++) {
        x->dv[i] = -x->scale * (x->dv[i] + x->rest[i]);
    }
    simulation->certificate.factorizations++;
    if (haw_system_factor(system) != HAW_OK) {
        return false;
    }
    haw_system_solve(system, x->dv);
    haw_contacts_velocity(x->contacts, x->dv, x->du);
    for (int i = 0; i < x->n; i++) {
        const double *d = x->gain + (ptrdiff_t)4 * i, *du = x->du + (ptrdiff_t)2 * i;
        e[2 * i] = -e[2 * i] - d[0] * du[0] - d[1] * du[1];
        e[2 * i + 1] = -e[2 * i + 1] - d[2] * du[0] - d[3] * du[1];
    }
    return true;
}

static void guess(run *x)
{
    for (int i = 0; i < x->n; i++) {
        const double mu = x->contacts->problem.mu[i], w = x->w[i];
        const double *r = x->r + (ptrdiff_t)2 * i, *u = x->u + (ptrdiff_t)2 * i;
        double *g = x->g + (ptrdiff_t)2 * i, *a = x->a + (ptrdiff_t)4 * i, *b = x->b + (ptrdiff_t)4 * i;
        memset(a, 0, 4 * sizeof *a);
        memset(b, 0, 4 * sizeof *b);
        x->state[i] = HAW_CONTACT_OPEN;
        if (!(r[0] > 0)) {
            g[0] = w * r[0] / RHO;
            g[1] = w * r[1] / RHO;
            b[0] = b[3] = 1 / RHO;
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
            g[1] = w * (r[1] - bound * r[0]) / RHO;
            b[2] = -bound / RHO;
            b[3] = 1 / RHO;
        }
    }
}

static double try_step(run *x, double t)
{
    for (int i = 0; i < 2 * x->n; i++) {
        x->r_trial[i] = x->r[i] + t * x->dr[i];
        x->u_trial[i] = x->u[i] + t * x->du[i];
    }
    return square_norm(x, x->r_trial, x->u_trial);
}

/* Non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, SIAM J. Numer. Anal. 23 (1986)
 * 707-716): the largest of the last squared norms has to decrease; else the step is taken whole. */
static void search(run *x)
{
    double highest = 0, t = 1;
    x->history[x->steps++ % MEMORY] = x->norm * x->norm;
    for (int i = 0; i < MEMORY && i < x->steps; i++) {
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
        (void)try_step(x, t);
    }
    memcpy(x->r, x->r_trial, 2 * (size_t)x->n * sizeof(double));
    haw_axpy(x->step->simulation->model.dofs, t, x->dv, x->v);
    haw_contacts_velocity(x->contacts, x->v, x->u);
    haw_axpy(2 * x->n, 1, x->step->jean->global.w, x->u);
}

/* alpha of the next step: falls with the residual, rises where steps are cut or a front crawls. */
static void adapt(run *x)
{
    const double ratio = x->norm / x->last_norm;
    if (getenv("AD")) {
        const double C = atof(getenv("AD")), P = getenv("ADP") ? atof(getenv("ADP")) : 1;
        const double t = C * pow(x->norm / x->cold, P);
        if (x->cut < 0.3) x->alpha = fmax(x->alpha, sqrt(fmax(x->alpha, 1e-16) * ALPHA_FIRST));
        else x->alpha = t;
        x->alpha = fmin(fmax(x->alpha, ALPHA_MIN), 10 * ALPHA_FIRST);
        return;
    }
    if (x->cut < 0.3) {
        x->alpha = fmax(x->alpha, sqrt(fmax(x->alpha, 1e-16) * ALPHA_FIRST));
    } else {
        x->alpha *= fmin(fmax(0.3 * sqrt(ratio), 0.1), 2);
    }
    if (x->changed == 0 && ratio < 0.5) {
        x->alpha *= 0.01;
    }
    x->alpha = fmin(fmax(x->alpha, ALPHA_MIN), 10 * ALPHA_FIRST);
    const bool crawls = x->alpha <= ALPHA_FELT && x->changed > 0 && ratio > 0.8;
    x->crawl = crawls ? x->crawl + 1 : 0;
    if (x->crawl == CRAWL) {
        x->alpha = 0.1 * ALPHA_FIRST;
        x->crawl = 0;
    }
}

static bool iterate(run *x)
{
    haw_solver_common common;
    memcpy(&common, x->step->simulation->settings.solver.options, sizeof common);
    if (getenv("GUESS")) {
        const double al = x->alpha;
        guess(x);
        x->alpha = atof(getenv("GUESS"));
        const double before = x->norm;
        if (find_step(x)) {
            (void)try_step(x, 1);
            memcpy(x->r, x->r_trial, 2 * (size_t)x->n * sizeof(double));
            haw_axpy(x->step->simulation->model.dofs, 1, x->dv, x->v);
            haw_contacts_velocity(x->contacts, x->v, x->u);
            haw_axpy(2 * x->n, 1, x->step->jean->global.w, x->u);
            evaluate(x);
        }
        x->step->simulation->report.iterations++;
        x->alpha = ALPHA_FIRST * fmin(1, x->norm / x->cold);
        (void)al; (void)before;
    }
    for (int k = 0; k < ITERATIONS; k++) {
        const double residual = natural(x);
        if (getenv("VERB2")) fprintf(stderr, "   %d: norm %.3g natural %.3g alpha %.3g cut %g changed %d\n", k, x->norm, residual, x->alpha, x->cut, x->changed);
        if (residual <= SHARPER * common.tolerance) {
            return true;
        }
        if (!isfinite(residual) || !find_step(x)) {
            return false;
        }
        x->last_norm = x->norm;
        search(x);
        evaluate(x);
        adapt(x);
        x->step->simulation->report.iterations++;
    }
    return false;
}

haw_status haw_jean_newton(haw_jean_step *step, const double *right, double *v, bool *met)
{
    run x;
    const haw_arena_mark mark = haw_arena_here(&step->jean->arena);
    *met = false;
    haw_status status = create(step, right, v, &x);
    if (status == HAW_OK && find_weights(&x)) {
        begin(&x);
        *met = iterate(&x);
        restore(&x);
    }
    haw_arena_rewind(&step->jean->arena, &mark);
    return status;
}
