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
enum { FLOPS_2D = 30, FLOPS_3D = 150 };

typedef struct pgs {
    const haw_operator *op;
    const haw_problem *problem;
    haw_local_2d *plane; /* [n] if d = 2; the same memory: */
    haw_local_3d *space; /* [n] if d = 3 */
    double *v;           /* [nv] velocities, global form only */
    double omega;
    double flops; /* of all sweeps */
} pgs;

/* From the local solution next to the relaxed one, from rc to it. @return w_c max |delta r_i| */
static inline double accept_2d(const haw_local_2d *local, double omega, double next[2], double *rc)
{
    if (omega != 1.0) {
        const double x[2] = {rc[0] + omega * (next[0] - rc[0]), rc[1] + omega * (next[1] - rc[1])};

        haw_cone_project_2d(local->mu, x, next);
    }
    const double change = local->mean * haw_larger(fabs(next[0] - rc[0]), fabs(next[1] - rc[1]));

    rc[0] = next[0];
    rc[1] = next[1];
    return change;
}

static inline double accept_3d(const haw_local_3d *local, double omega, double next[3], double *rc)
{
    double change = 0.0;

    if (omega != 1.0) {
        double x[3];

        for (int i = 0; i < 3; i++) {
            x[i] = rc[i] + omega * (next[i] - rc[i]);
        }
        haw_cone_project_3d(local->mu, x, next);
    }
    for (int i = 0; i < 3; i++) {
        change = haw_larger(change, fabs(next[i] - rc[i]));
        rc[i] = next[i];
    }
    return change * local->mean;
}

static inline double update_2d(const haw_problem *p, const haw_local_2d *local, int c, double omega,
                               double *r)
{
    double v[2] = {p->q[2 * (ptrdiff_t)c], p->q[2 * (ptrdiff_t)c + 1]}, next[2];

    haw_bsr_add_2d(&p->w, p->w.start[c], p->w.diagonal[c], r, v);
    haw_bsr_add_2d(&p->w, p->w.diagonal[c] + 1, p->w.start[c + 1], r, v);
    haw_local_solve_2d(local, v, next);
    return accept_2d(local, omega, next, r + 2 * (ptrdiff_t)c);
}

static inline double update_3d(const haw_problem *p, const haw_local_3d *local, int c, double omega,
                               double *r)
{
    const double *q = p->q + 3 * (ptrdiff_t)c;
    double v[3] = {q[0], q[1], q[2]}, next[3];

    haw_bsr_add_3d(&p->w, p->w.start[c], p->w.diagonal[c], r, v);
    haw_bsr_add_3d(&p->w, p->w.diagonal[c] + 1, p->w.start[c + 1], r, v);
    haw_local_solve_3d(local, v, next);
    return accept_3d(local, omega, next, r + 3 * (ptrdiff_t)c);
}

static double sweep_2d(const pgs *s, bool back, double *r)
{
    const int n = s->problem->contacts;
    double change = 0.0;

    for (int i = 0; i < n; i++) {
        const int c = back ? n - 1 - i : i;

        change = haw_larger(change, update_2d(s->problem, s->plane + c, c, s->omega, r));
    }
    return change;
}

static double sweep_3d(const pgs *s, bool back, double *r)
{
    const int n = s->problem->contacts;
    double change = 0.0;

    for (int i = 0; i < n; i++) {
        const int c = back ? n - 1 - i : i;

        change = haw_larger(change, update_3d(s->problem, s->space + c, c, s->omega, r));
    }
    return change;
}

/* Contact c of the global form: its velocity without its own impulse, solve, push v. */
static double update_global(pgs *s, int c, double *r)
{
    const int d = s->problem->dimension;
    const double *block = haw_operator_block(s->op, c);
    double u[3], next[3], step[3], change, *rc = r + (ptrdiff_t)d * c;
    bool moved = false;

    haw_operator_contact_velocity(s->op, c, s->v, u);
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            u[i] -= block[d * i + j] * rc[j];
        }
        step[i] = -rc[i];
    }
    if (d == 2) {
        haw_local_solve_2d(s->plane + c, u, next);
        change = accept_2d(s->plane + c, s->omega, next, rc);
    } else {
        haw_local_solve_3d(s->space + c, u, next);
        change = accept_3d(s->space + c, s->omega, next, rc);
    }
    for (int i = 0; i < d; i++) {
        step[i] += rc[i];
        moved = moved || step[i] != 0.0;
    }
    if (moved) {
        haw_operator_contact_push(s->op, c, step, s->v);
        s->flops += s->op->flops;
    }
    return change;
}

static double sweep(pgs *s, bool back, double *r)
{
    const int n = s->problem->contacts;
    double change = 0.0;

    s->flops += (double)n * (s->problem->dimension == 2 ? FLOPS_2D : FLOPS_3D);
    if (s->v == NULL) {
        s->flops += s->op->flops;
        return s->problem->dimension == 2 ? sweep_2d(s, back, r) : sweep_3d(s, back, r);
    }
    for (int i = 0; i < n; i++) {
        change = haw_larger(change, update_global(s, back ? n - 1 - i : i, r));
    }
    return change;
}

static haw_status pgs_init(pgs *s, haw_task *task, const double *r)
{
    const haw_problem *problem = task->problem;
    const size_t size = problem->dimension == 2 ? sizeof *s->plane : sizeof *s->space;
    void *local = haw_arena_allocate(task->arena, (size_t)problem->contacts, size);

    if (problem->global != NULL) {
        s->v = haw_task_doubles(task, (size_t)problem->global->m.rows);
    }
    if (local == NULL || (problem->global != NULL && s->v == NULL)) {
        return HAW_ERR_NOMEM;
    }
    s->plane = local;
    s->space = local;
    for (int c = 0; c < problem->contacts; c++) {
        if (problem->dimension == 2) {
            haw_local_init_2d(s->plane + c, haw_operator_block(s->op, c), problem->mu[c]);
        } else {
            haw_local_init_3d(s->space + c, haw_operator_block(s->op, c), problem->mu[c]);
        }
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

    if (u == NULL) {
        return HAW_ERR_NOMEM;
    }
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
