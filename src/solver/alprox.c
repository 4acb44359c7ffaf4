/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Augmented-Lagrangian prox iteration,
 *
 *     r_N <- max(0, r_N - rho_N u_N),   r_T <- prox_{mu r_N B}(r_T - rho_T u_T),
 *
 * whose fixed points are the solutions for any rho > 0 (Alart, Curnier 1991). `block`: contact
 * after contact with the newest u, rho = relaxation over W_NN and over the largest row sum of the
 * tangent block. `jacobi`: all contacts from the same u, rho = relaxation over a bound of the
 * scaled W, whose eigenvalues are then at most 1 if W is symmetric. The bound is, in the local
 * form, the absolute row sum of W; in the global form, where W has no rows, rho is that of `block`
 * over the largest eigenvalue of W scaled by it, which some power iterations estimate.
 */
#include "solver/cone.h"
#include "solver/solver.h"

#include <math.h>

enum { SWEEP_BLOCK, SWEEP_JACOBI };

typedef struct alprox_options {
    haw_solver_common common;
    double relaxation;
    int sweep;
} alprox_options;

static const char *const sweeps[] = {"block", "jacobi", NULL};

static const haw_option alprox_table[] = {
    HAW_SOLVER_TOLERANCE,
    HAW_SOLVER_MAX_ITERATIONS,
    {"relaxation", HAW_OPTION_REAL, offsetof(alprox_options, relaxation), 1.0, 0.1, 1.9, "",
     "factor on the augmentation parameters", NULL},
    {"sweep", HAW_OPTION_CHOICE, offsetof(alprox_options, sweep), SWEEP_JACOBI, SWEEP_BLOCK,
     SWEEP_JACOBI, "", "one contact after another, or all at once", sweeps},
    {0},
};

/* Augmentation parameters of a contact [impulse / velocity] and its w_c = trace(W_cc)/d. */
typedef struct rho {
    double n, t, mean;
} rho;

/* Operations of the two proximal points of a contact, roughly. */
enum { FLOPS = 40 };

typedef struct alprox {
    haw_task *task;
    const haw_problem *problem;
    rho *a;    /* [n] */
    double *u; /* [n d] */
    double *v; /* [nv] velocities, block sweeps of the global form only */
} alprox;

/* Sum of |W_ij| over row i of contact c of the local form. */
static double row_sum(const haw_bsr *w, int c, int i)
{
    const int d = w->block;
    double sum = 0.0;

    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        for (int j = 0; j < d; j++) {
            sum += fabs(w->value[((ptrdiff_t)k * d + i) * d + j]);
        }
    }
    return sum;
}

static double inverse(double relaxation, double stiffness)
{
    return stiffness > 0.0 ? relaxation / stiffness : 0.0;
}

static void rho_init(const haw_task *task, double relaxation, bool whole, int c, rho *out)
{
    const int d = task->problem->dimension;
    const double *block = haw_operator_block(&task->op, c);
    double trace = block[0], tangent = 0.0;

    for (int i = 1; i < d; i++) {
        double sum = 0.0;

        for (int j = 1; j < d; j++) {
            sum += fabs(block[i * d + j]);
        }
        trace += block[i * (d + 1)];
        tangent = fmax(tangent, whole ? row_sum(&task->problem->w, c, i) : sum);
    }
    out->n = inverse(relaxation, whole ? row_sum(&task->problem->w, c, 0) : block[0]);
    out->t = inverse(relaxation, tangent);
    out->mean = trace / d;
}

/*
 * Largest eigenvalue of W scaled by rho, D^1/2 W D^1/2, by power iteration from a fixed start with
 * all frequencies. It comes from below; the iteration converges as long as rho is below twice what
 * the true value asks for, so that a tenth on top is ample.
 */
static double largest_eigenvalue(alprox *s, double *x)
{
    enum { POWERS = 25 };

    const int d = s->problem->dimension, n = s->problem->contacts;
    double norm = 0.0;

    for (int i = 0; i < d * n; i++) {
        x[i] = 1.0 + 0.5 * sin(1.0 + 2.6 * i * i);
    }
    for (int k = 0; k <= POWERS; k++) {
        double square = 0.0;

        for (int i = 0; i < d * n; i++) {
            x[i] /= norm > 0.0 ? norm : 1.0;
            x[i] *= sqrt(i % d == 0 ? s->a[i / d].n : s->a[i / d].t);
        }
        haw_operator_multiply(&s->task->op, x, s->u);
        for (int i = 0; i < d * n; i++) {
            x[i] = s->u[i] * sqrt(i % d == 0 ? s->a[i / d].n : s->a[i / d].t);
            square += x[i] * x[i];
        }
        norm = sqrt(square);
    }
    s->task->effort.products += POWERS + 1;
    s->task->effort.first_order_flops += (POWERS + 1) * s->task->op.flops;
    return 1.1 * norm;
}

/* Both proximal points of one contact; coupling [d] = column W_cN, of whose tangential entries it
 * takes account, or zero. @return change */
static HAW_INLINE double prox(int d, const rho *a, double mu, const double *coupling,
                              const double *u, double *r)
{
    double next[3] = {haw_larger(0.0, r[0] - a->n * u[0])};

    for (int i = 1; i < d; i++) {
        next[i] = r[i] - a->t * (u[i] + coupling[i] * (next[0] - r[0]));
    }
    const double t = haw_tangent_norm(d, next), bound = mu * next[0];
    double change = 0.0;

    if (t > bound) {
        haw_tangent_resize(d, next, t, bound, next);
    }
    for (int i = 0; i < d; i++) {
        change = haw_larger(change, fabs(next[i] - r[i]));
        r[i] = next[i];
    }
    return a->mean * change;
}

static HAW_INLINE double block_sweep(int d, const haw_problem *p, const rho *a, double *r)
{
    double change = 0.0;

    for (int c = 0; c < p->contacts; c++) {
        const double *block = p->w.value + (ptrdiff_t)(d * d) * p->w.diagonal[c];
        double u[3] = {0.0}, coupling[3] = {0.0};

        for (int i = 0; i < d; i++) {
            u[i] = p->q[(ptrdiff_t)d * c + i];
            coupling[i] = block[d * i];
        }
        haw_bsr_add_rows(d, &p->w, p->w.start[c], p->w.start[c + 1], r, u);
        change = haw_larger(change, prox(d, a + c, p->mu[c], coupling, u, r + (ptrdiff_t)d * c));
    }
    return change;
}

/* Contact after contact in the global form: the velocities v follow every change. */
static double block_sweep_global(alprox *s, double *r)
{
    const haw_problem *p = s->problem;
    const haw_operator *op = &s->task->op;
    const int d = p->dimension;
    double change = 0.0;

    for (int c = 0; c < p->contacts; c++) {
        const double *block = haw_operator_block(op, c);
        double coupling[3] = {0.0}, u[3], before[3], *rc = r + (ptrdiff_t)d * c;

        haw_operator_contact_velocity(op, c, s->v, u);
        for (int i = 0; i < d; i++) {
            before[i] = rc[i];
            coupling[i] = block[d * i];
        }
        change = haw_larger(change, prox(d, s->a + c, p->mu[c], coupling, u, rc));
        if (haw_operator_contact_push(op, c, before, rc, s->v)) {
            s->task->effort.first_order_flops += op->flops;
        }
    }
    return change;
}

static HAW_INLINE double jacobi_sweep(int d, alprox *s, double *r)
{
    const haw_problem *p = s->problem;
    const double none[3] = {0.0};
    double change = 0.0;

    haw_operator_velocity(&s->task->op, r, s->u);
    for (int c = 0; c < p->contacts; c++) {
        double *rc = r + (ptrdiff_t)d * c;
        const double *uc = s->u + (ptrdiff_t)d * c;

        change = haw_larger(change, prox(d, s->a + c, p->mu[c], none, uc, rc));
    }
    return change;
}

static double sweep(alprox *s, bool jacobi, double *r)
{
    const haw_problem *p = s->problem;

    s->task->effort.first_order_flops += (double)FLOPS * p->contacts;
    if (s->v != NULL) {
        return block_sweep_global(s, r);
    }
    s->task->effort.first_order_flops += s->task->op.flops;
    if (jacobi) {
        return HAW_BY_DIMENSION(p->dimension, jacobi_sweep, s, r);
    }
    return HAW_BY_DIMENSION(p->dimension, block_sweep, p, s->a, r);
}

static haw_status alprox_init(alprox *s, const alprox_options *o)
{
    const haw_problem *problem = s->problem;
    const bool jacobi = o->sweep == SWEEP_JACOBI, global = problem->global != NULL;
    const size_t n = (size_t)problem->contacts, rows = n * (size_t)problem->dimension;
    double *x = NULL;

    s->a = haw_arena_allocate(s->task->arena, n, sizeof *s->a);
    s->u = haw_task_doubles(s->task, rows);
    if (global) {
        x = haw_task_doubles(s->task, jacobi ? rows : (size_t)problem->global->m.rows);
    }
    HAW_TRY(haw_arena_status(s->task->arena));
    for (int c = 0; c < problem->contacts; c++) {
        rho_init(s->task, o->relaxation, jacobi && !global, c, s->a + c);
    }
    if (global && jacobi) {
        const double bound = largest_eigenvalue(s, x) / o->relaxation;

        for (int c = 0; c < problem->contacts && bound > 0.0; c++) {
            s->a[c].n /= bound;
            s->a[c].t /= bound;
        }
    } else {
        s->v = x;
    }
    return HAW_OK;
}

static haw_status alprox_solve(haw_task *task, const void *options, double *r)
{
    const alprox_options *o = options;
    alprox s = {.task = task, .problem = task->problem};
    haw_monitor monitor;
    bool done = haw_task_exhausted(task);

    HAW_TRY(alprox_init(&s, o));
    haw_monitor_init(&monitor, task, s.u);
    while (!done) {
        if (s.v != NULL && monitor.sweep % 64 == 0) { /* rid v of the rounding of its updates */
            haw_operator_state(&task->op, r, s.v, NULL);
            task->effort.first_order_flops += task->op.flops;
        }
        const double change = sweep(&s, o->sweep == SWEEP_JACOBI, r);

        done = haw_monitor_stop(&monitor, change, r);
    }
    return HAW_OK;
}

const haw_solver_ops haw_solver_alprox = {
    .row.name = "alprox",
    .row.summary = "augmented-Lagrangian proximal point iteration, row by row",
    .row.source = "P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375",
    .row.options = alprox_table,
    .row.options_size = sizeof(alprox_options),
    .solve = alprox_solve,
};
