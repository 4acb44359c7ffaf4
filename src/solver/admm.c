/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alternating direction method of multipliers on the splitting of the contact law from the linear
 * dynamics. With impulses r (linear step), z (of the law), the velocity u dual to z and weights
 * D_c = rho / w_c one iteration is, alpha the over-relaxation,
 *
 *     (W + D^-1) r = D^-1 z + u - q,   x <- alpha r + (1 - alpha) z - D u,
 *     z+_N = max(0, x_N),   z+_T = x_T projected on |z_T| <= mu z+_N,   u <- D^-1 (z+ - x).
 *
 * The published method (Acary, Bremond, Huber, in: Advanced Topics in Nonsmooth Dynamics, 2018,
 * ch. 10) projects on the cone instead and keeps De Saxce's term mu |u_T| of the last iteration in
 * the linear step; the law itself, solved for a W that is one number per contact, has the same
 * fixed points in as many iterations, and takes any mu.
 *
 * The matrix is factorized once and again only when residual balancing (in the manner of He, Yang,
 * Wang, J. Optim. Theory Appl. 106 (2000) 337-356) moves rho by a factor.
 */
#include "solver/admm_system.h"
#include "solver/cone.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

typedef struct admm_options {
    haw_solver_common common;
    double rho;
    double relaxation;
    bool balance;
} admm_options;

static const haw_option admm_table[] = {
    HAW_SOLVER_TOLERANCE,
    HAW_SOLVER_MAX_ITERATIONS,
    {"rho", HAW_OPTION_REAL, offsetof(admm_options, rho), 1.0, 1.0e-12, 1.0e12, "",
     "first weight of the constraint, times the mean of each diagonal block of W", NULL},
    {"relaxation", HAW_OPTION_REAL, offsetof(admm_options, relaxation), 1.7, 1.0, 1.95, "",
     "over-relaxation", NULL},
    {"balance", HAW_OPTION_BOOL, offsetof(admm_options, balance), 1.0, 0.0, 1.0, "",
     "adapt rho to the residuals", NULL},
    {0},
};

/* Operations of the law of a contact, roughly. */
enum { FLOPS = 40 };

typedef struct admm {
    haw_task *task;
    haw_admm_system system;
    double *mean;          /* [n] w_c */
    double *a, *r, *z, *u; /* [n d] */
    double rho;
    double apart, moved; /* of the last iteration: max w_c |r - z|, w_c |z+ - z| [velocity] */
    double all_apart, all_moved; /* sums since rho was looked at */
    int looks;                   /* at rho, so far */
    int next;                    /* iteration of the next look */
    double relaxation;
    bool balance;
    int calmed; /* times that progress had ended */
} admm;

/* r of the linear step, into s->r. */
static void linear_step(admm *s)
{
    const haw_problem *p = s->task->problem;
    const int d = p->dimension;

    for (int c = 0; c < p->contacts; c++) {
        const double stiffness = 1.0 / s->system.weight[c];

        for (int i = d * c; i < d * (c + 1); i++) {
            s->a[i] = stiffness * s->z[i] + s->u[i];
        }
    }
    haw_admm_system_solve(&s->system, s->a, s->r);
}

/* The contact law where W_cc is 1/D_c in all directions: z and u of one contact. */
static void law_step(admm *s, int c, double relaxation)
{
    const int d = s->task->problem->dimension;
    const ptrdiff_t at = (ptrdiff_t)d * c;
    const double *r = s->r + at, stiffness = 1.0 / s->system.weight[c];
    double *z = s->z + at, *u = s->u + at, x[3] = {0}, apart = 0.0, moved = 0.0;

    for (int i = 0; i < d; i++) {
        x[i] = z[i] + relaxation * (r[i] - z[i]) - s->system.weight[c] * u[i];
    }
    const double normal = haw_larger(0.0, x[0]), bound = s->task->problem->mu[c] * normal;
    const double t = haw_tangent_norm(d, x);
    const double scale = t > bound ? bound / t : 1.0;

    for (int i = 0; i < d; i++) {
        const double next = i == 0 ? normal : scale * x[i];

        apart = haw_larger(apart, fabs(r[i] - z[i]));
        moved = haw_larger(moved, fabs(next - z[i]));
        u[i] = stiffness * (next - x[i]);
        z[i] = next;
    }
    s->apart = haw_larger(s->apart, s->mean[c] * apart);
    s->moved = haw_larger(s->moved, s->mean[c] * moved);
}

static double iterate(admm *s, double relaxation)
{
    const haw_problem *p = s->task->problem;

    s->apart = 0.0;
    s->moved = 0.0;
    linear_step(s);
    for (int c = 0; c < p->contacts; c++) {
        law_step(s, c, relaxation);
    }
    s->all_apart += s->apart;
    s->all_moved += s->moved;
    s->task->effort.first_order_flops += (double)FLOPS * p->contacts;
    return haw_larger(s->apart, s->moved);
}

static haw_status weigh(admm *s, double rho)
{
    s->rho = rho;
    for (int c = 0; c < s->task->problem->contacts; c++) {
        s->system.weight[c] = rho / s->mean[c];
    }
    return haw_admm_system_factor(&s->system);
}

/* Largest w_c |z_i| over the largest |u_i|. */
static double impulse_over_velocity(const admm *s)
{
    const int d = s->task->problem->dimension;
    double impulse = 0.0, velocity = 0.0;

    for (int i = 0; i < d * s->task->problem->contacts; i++) {
        impulse = haw_larger(impulse, s->mean[i / d] * fabs(s->z[i]));
        velocity = haw_larger(velocity, fabs(s->u[i]));
    }
    return impulse / velocity;
}

/*
 * Compare the residuals |r - z| and |z+ - z| over the iterations since the last time. Away from
 * the bounds of the law z+ - z = alpha (r - z) whatever rho is: the ratio says that rho is too
 * small, not by how much, so that rho moves by one factor at a time. It says so in vain where W is
 * singular: rho does not grow where the dual residual |z+ - z| / rho is small against the other
 * one, each in relation to its variable, u and z; at first by a factor of 30, finally of 2.
 */
static haw_status balance(admm *s, double relaxation)
{
    const double factor = 4.0, largest = 1.0e10;
    const double ratio = s->all_moved / (relaxation * s->all_apart);
    const double small = fmax(2.0, 30.0 * pow(0.8, s->looks - 5));
    const bool dual = small * ratio * impulse_over_velocity(s) > s->rho;

    s->looks++;
    s->all_apart = 0.0;
    s->all_moved = 0.0;
    if (ratio > 0.6 && dual && s->rho < largest) {
        return weigh(s, s->rho * factor);
    }
    return ratio < 0.3 && s->rho > 1.0 / largest ? weigh(s, s->rho / factor) : HAW_OK;
}

/* Iterations until rho is looked at again: the later the rarer, and worth a factorization. */
static int window(const admm *s, int iterations)
{
    const haw_lu *lu = s->system.lu;
    const double worth = 0.2 * haw_lu_factor_flops(lu) / haw_lu_solve_flops(lu);

    return (int)fmin(fmax(6.0, worth), 30.0) + iterations / 8;
}

static haw_status admm_init(admm *s, double rho, const double *r)
{
    const haw_problem *p = s->task->problem;
    const int d = p->dimension;
    const size_t rows = (size_t)d * (size_t)p->contacts;

    s->mean = haw_task_weights(s->task);
    s->a = haw_task_doubles(s->task, rows);
    s->r = haw_task_doubles(s->task, rows);
    s->z = haw_task_doubles(s->task, rows);
    s->u = haw_task_doubles(s->task, rows);
    HAW_TRY(haw_arena_status(s->task->arena));
    for (int c = 0; c < p->contacts; c++) {
        haw_cone_project(d, p->mu[c], r + (ptrdiff_t)d * c, s->z + (ptrdiff_t)d * c);
    }
    haw_task_velocity(s->task, s->z, s->u);
    return weigh(s, rho);
}

/*
 * Friction makes the problem non-monotone, and over-relaxed or ever re-weighted iterations may run
 * in a circle: without progress, go on with plain ones and one rho, from the first value, then from
 * a tenth of it, then from ten times it.
 */
static const double calm_factor[] = {1.0, 0.1, 10.0};

enum { CALMS = sizeof calm_factor / sizeof calm_factor[0], IDLE = 1500 };

/* One iteration and what it leads to. @return true to stop */
static bool advance(admm *s, double rho, haw_monitor *monitor, haw_status *status)
{
    const double change = iterate(s, s->relaxation);

    if (haw_monitor_stop(monitor, change, s->z)) {
        return true;
    }
    if (haw_monitor_idle(monitor) >= IDLE && s->calmed < CALMS) {
        s->relaxation = 1.0;
        s->balance = false;
        *status = weigh(s, rho * calm_factor[s->calmed++]);
        haw_monitor_renew(monitor);
    } else if (s->balance && monitor->sweep >= s->next) {
        *status = balance(s, s->relaxation);
        s->next = monitor->sweep + window(s, monitor->sweep);
    }
    return *status != HAW_OK;
}

static haw_status run(admm *s, const admm_options *o, double *r)
{
    haw_task *task = s->task;
    const size_t rows = (size_t)task->problem->dimension * (size_t)task->problem->contacts;
    bool done = haw_task_exhausted(task);
    haw_monitor monitor;
    haw_status status = HAW_OK;

    HAW_TRY(haw_admm_system_create(task, &s->system));
    HAW_TRY(admm_init(s, o->rho, r));
    haw_monitor_init(&monitor, task, s->a);
    s->relaxation = o->relaxation;
    s->balance = o->balance;
    s->next = window(s, 0);
    while (!done) {
        done = advance(s, o->rho, &monitor, &status);
    }
    memcpy(r, s->z, rows * sizeof *r);
    return status;
}

static haw_status admm_solve(haw_task *task, const void *options, double *r)
{
    admm s = {.task = task};
    const haw_status status = run(&s, options, r);

    haw_admm_system_release(&s.system);
    return status;
}

const haw_solver_ops haw_solver_admm = {
    .row.name = "admm",
    .row.summary = "alternating directions with a kept factor and residual balancing",
    .row.source =
        "V. Acary, M. Bremond, O. Huber, Advanced Topics in Nonsmooth Dynamics (2018) ch. 10",
    .row.options = admm_table,
    .row.options_size = sizeof(admm_options),
    .solve = admm_solve,
};
