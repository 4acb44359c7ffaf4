/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projected block Gauss-Seidel (NSGS): contact after contact, the problem of one contact with all
 * others fixed is solved exactly. Over-relaxation moves by omega times the local correction and
 * projects the result back onto the cone, so every iterate is admissible.
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
     "factor on the local correction", NULL},
    {"symmetric", HAW_OPTION_BOOL, offsetof(pgs_options, symmetric), 0.0, 0.0, 1.0, "",
     "sweep back and forth in turn", NULL},
    {0},
};

/* Workspace: u [n d], then in the plane the local problems [n]. */
static size_t pgs_work_size(int dimension, int contacts)
{
    const size_t n = (size_t)contacts;

    return n * (size_t)dimension * sizeof(double) + (dimension == 2 ? n * sizeof(haw_local_2d) : 0);
}

/* Solve contact c of the plane, relax. @return w_c max(|delta r_N|, |delta r_T|) */
static inline double update_2d(const haw_problem *p, const haw_local_2d *local, int c, double omega,
                               double *r)
{
    double v[2] = {p->q[2 * (ptrdiff_t)c], p->q[2 * (ptrdiff_t)c + 1]}, next[2];
    double *rc = r + 2 * (ptrdiff_t)c;

    haw_bsr_add_2d(&p->w, p->w.start[c], p->w.diagonal[c], r, v);
    haw_bsr_add_2d(&p->w, p->w.diagonal[c] + 1, p->w.start[c + 1], r, v);
    haw_local_solve_2d(local, v, next);
    if (omega != 1.0) {
        const double x[2] = {rc[0] + omega * (next[0] - rc[0]), rc[1] + omega * (next[1] - rc[1])};

        haw_cone_project_2d(local->mu, x, next);
    }
    const double change = local->mean * haw_larger(fabs(next[0] - rc[0]), fabs(next[1] - rc[1]));

    rc[0] = next[0];
    rc[1] = next[1];
    return change;
}

static inline double update_3d(const haw_problem *p, int c, double omega, double *r)
{
    const double *block = p->w.value + 9 * (ptrdiff_t)p->w.diagonal[c];
    double v[3], next[3], change = 0.0, *rc = r + 3 * (ptrdiff_t)c;

    for (int i = 0; i < 3; i++) {
        v[i] = p->q[3 * (ptrdiff_t)c + i];
    }
    haw_bsr_add_3d(&p->w, p->w.start[c], p->w.diagonal[c], r, v);
    haw_bsr_add_3d(&p->w, p->w.diagonal[c] + 1, p->w.start[c + 1], r, v);
    haw_local_solve_3d(block, p->mu[c], v, next);
    if (omega != 1.0) {
        double x[3];

        for (int i = 0; i < 3; i++) {
            x[i] = rc[i] + omega * (next[i] - rc[i]);
        }
        haw_cone_project_3d(p->mu[c], x, next);
    }
    for (int i = 0; i < 3; i++) {
        change = haw_larger(change, fabs(next[i] - rc[i]));
        rc[i] = next[i];
    }
    return change * (block[0] + block[4] + block[8]) / 3.0;
}

static double sweep_2d(const haw_problem *p, const haw_local_2d *local, double omega, bool back,
                       double *r)
{
    const int n = p->contacts;
    double change = 0.0;

    for (int i = 0; i < n; i++) {
        const int c = back ? n - 1 - i : i;

        change = haw_larger(change, update_2d(p, local + c, c, omega, r));
    }
    return change;
}

static double sweep_3d(const haw_problem *p, double omega, bool back, double *r)
{
    const int n = p->contacts;
    double change = 0.0;

    for (int i = 0; i < n; i++) {
        change = haw_larger(change, update_3d(p, back ? n - 1 - i : i, omega, r));
    }
    return change;
}

static void pgs_solve(const haw_problem *problem, const void *options, void *work, double *r,
                      int *iterations)
{
    const pgs_options *o = options;
    const bool planar = problem->dimension == 2;
    double *u = work;
    haw_local_2d *local = (haw_local_2d *)(u + (ptrdiff_t)problem->dimension * problem->contacts);
    haw_monitor monitor;
    int sweep = 0;
    bool done = false;

    for (int c = 0; planar && c < problem->contacts; c++) {
        haw_local_init_2d(local + c, problem->w.value + 4 * (ptrdiff_t)problem->w.diagonal[c],
                          problem->mu[c]);
    }
    haw_monitor_init(&monitor, problem, o->common.tolerance, u);
    while (!done && sweep < o->common.max_iterations) {
        const bool back = o->symmetric && sweep % 2 == 1;
        const double change = planar ? sweep_2d(problem, local, o->relaxation, back, r)
                                     : sweep_3d(problem, o->relaxation, back, r);

        sweep++;
        done = haw_monitor_stop(&monitor, sweep, change, r);
    }
    *iterations = sweep;
}

const haw_solver_ops haw_solver_pgs = {
    .name = "pgs",
    .summary = "projected block Gauss-Seidel with exact local solutions",
    .source = "M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257",
    .options = pgs_table,
    .options_size = sizeof(pgs_options),
    .work_size = pgs_work_size,
    .solve = pgs_solve,
};
