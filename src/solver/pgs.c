/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projected block Gauss-Seidel (NSGS): contact after contact, the problem of one contact with all
 * others fixed is solved exactly. Over-relaxation moves by omega times the local correction and
 * projects the result back onto the cone, so every iterate is admissible. Sweeps over contacts that
 * are many for the degrees of freedom may run in a circle; less than the whole correction ends it.
 *
 * In the global form W is never formed: the velocities v = M^-1 (f + H r + G l) follow every
 * change of an impulse by one solve with the factor of M.
 */
#include "solver/cone.h"
#include "solver/local.h"
#include "solver/solver.h"

typedef struct pgs_options {
    haw_solver_common common;
    double relaxation;
    bool symmetric;
} pgs_options;

static const haw_option pgs_table[] = {
    HAW_SOLVER_TOLERANCE,
    HAW_SOLVER_MAX_ITERATIONS,
    {"relaxation", HAW_OPTION_REAL, offsetof(pgs_options, relaxation), 1.0, 0.1, 1.9, "",
     "factor on the local correction; 0.8 times that after 1000 sweeps without progress", NULL},
    {"symmetric", HAW_OPTION_BOOL, offsetof(pgs_options, symmetric), 0.0, 0.0, 1.0, "",
     "sweep back and forth in turn", NULL},
    {0},
};

/* Sweeps without progress after which the corrections are damped, once, by the factor. */
enum { IDLE = 1000 };

static const double damping = 0.8;

/* Operations of one local solution beside the row of W, roughly. */
static const double local_flops[] = {[2] = 30, [3] = 150};

typedef struct pgs {
    const haw_operator *op;
    const haw_problem *problem;
    haw_local *local; /* [n] of haw_local_size(d) bytes */
    double *v;        /* [nv] velocities, global form only */
    double omega;
    double flops; /* of all sweeps */
} pgs;

static HAW_INLINE haw_local *local_of(const pgs *s, int d, int c)
{
    return (haw_local *)((char *)s->local + haw_local_size(d) * (size_t)c);
}

/* From the local solution next to the relaxed one, from rc to it. @return w_c max |delta r_i| */
static HAW_INLINE double accept(int d, const haw_local *local, double omega, double *next,
                                double *rc)
{
    double change = 0.0;

    if (omega != 1.0) {
        double x[3] = {0.0};

        for (int i = 0; i < d; i++) {
            x[i] = rc[i] + omega * (next[i] - rc[i]);
        }
        haw_cone_foot(d, local->mu, x, next);
    }
    for (int i = 0; i < d; i++) {
        change = haw_larger(change, fabs(next[i] - rc[i]));
        rc[i] = next[i];
    }
    return change * local->mean;
}

static HAW_INLINE double sweep_local(int d, const pgs *s, bool back, double *r)
{
    const haw_problem *p = s->problem;
    const int n = p->contacts;
    double change = 0.0;

    for (int k = 0; k < n; k++) {
        const int c = back ? n - 1 - k : k;
        const haw_local *local = local_of(s, d, c);
        double v[3], next[3];

        for (int i = 0; i < d; i++) {
            v[i] = p->q[(ptrdiff_t)d * c + i];
        }
        haw_bsr_add_rows(d, &p->w, p->w.start[c], p->w.diagonal[c], r, v);
        haw_bsr_add_rows(d, &p->w, p->w.diagonal[c] + 1, p->w.start[c + 1], r, v);
        haw_local_solve(d, local, v, next);
        change = haw_larger(change, accept(d, local, s->omega, next, r + (ptrdiff_t)d * c));
    }
    return change;
}

/* Contact c of the global form: its velocity without its own impulse, solve, push v. */
static double update_global(pgs *s, int c, double *r)
{
    const int d = s->problem->dimension;
    const double *block = haw_operator_block(s->op, c);
    const haw_local *local = local_of(s, d, c);
    double u[3], next[3], before[3], *rc = r + (ptrdiff_t)d * c;

    haw_operator_contact_velocity(s->op, c, s->v, u);
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            u[i] -= block[d * i + j] * rc[j];
        }
        before[i] = rc[i];
    }
    haw_local_solve(d, local, u, next);
    const double change = accept(d, local, s->omega, next, rc);

    if (haw_operator_contact_push(s->op, c, before, rc, s->v)) {
        s->flops += s->op->flops;
    }
    return change;
}

static double sweep(pgs *s, bool back, double *r)
{
    const int n = s->problem->contacts;
    double change = 0.0;

    s->flops += n * local_flops[s->problem->dimension];
    if (s->v == NULL) {
        s->flops += s->op->flops;
        return HAW_BY_DIMENSION(s->problem->dimension, sweep_local, s, back, r);
    }
    for (int i = 0; i < n; i++) {
        change = haw_larger(change, update_global(s, back ? n - 1 - i : i, r));
    }
    return change;
}

static haw_status pgs_init(pgs *s, haw_task *task, const double *r)
{
    const haw_problem *problem = task->problem;
    const int d = problem->dimension;

    s->local = haw_arena_allocate(task->arena, (size_t)problem->contacts, haw_local_size(d));
    if (problem->global != NULL) {
        s->v = haw_task_doubles(task, (size_t)problem->global->m.rows);
    }
    HAW_TRY(haw_arena_status(task->arena));
    for (int c = 0; c < problem->contacts; c++) {
        haw_local_init(d, local_of(s, d, c), haw_operator_block(s->op, c), problem->mu[c]);
    }
    if (s->v != NULL) {
        haw_operator_state(s->op, r, s->v, NULL);
        s->flops += s->op->flops;
    }
    return HAW_OK;
}

static haw_status pgs_solve(haw_task *task, const void *options, double *r)
{
    const pgs_options *o = options;
    const size_t rows = (size_t)task->problem->dimension * (size_t)task->problem->contacts;
    pgs s = {.op = &task->op, .problem = task->problem, .omega = o->relaxation};
    double *u = haw_task_doubles(task, rows);
    haw_monitor monitor;
    bool done = haw_task_exhausted(task);

    HAW_TRY(haw_arena_status(task->arena));
    HAW_TRY(pgs_init(&s, task, r));
    haw_monitor_init(&monitor, task, u);
    while (!done) {
        const double swept = sweep(&s, o->symmetric && monitor.sweep % 2 == 1, r);
        /* v carries rounding errors: a sweep that changes nothing is no proof before it is fresh */
        const double change = s.v != NULL ? haw_larger(swept, DBL_MIN) : swept;
        const int next = monitor.next;

        task->effort.first_order_flops += s.flops;
        s.flops = 0.0;
        done = haw_monitor_stop(&monitor, change, r);
        if (haw_monitor_idle(&monitor) >= IDLE && s.omega == o->relaxation) {
            s.omega *= damping;
            haw_monitor_renew(&monitor);
        }
        if (s.v != NULL && monitor.next != next && !done) {
            haw_operator_state(s.op, r, s.v, NULL);
            s.flops += s.op->flops;
        }
    }
    return HAW_OK;
}

const haw_solver_ops haw_solver_pgs = {
    .row.name = "pgs",
    .row.summary = "projected block Gauss-Seidel with exact local solutions",
    .row.source = "M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257",
    .row.options = pgs_table,
    .row.options_size = sizeof(pgs_options),
    .solve = pgs_solve,
};
