/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Augmented-Lagrangian prox iteration,
 *
 *     r_N <- max(0, r_N - rho_N u_N),   r_T <- prox_{mu r_N B}(r_T - rho_T u_T),
 *
 * whose fixed points are the solutions for any rho > 0 (Alart, Curnier 1991). `block`: contact
 * after contact with the newest u, rho = relaxation over W_NN and over the largest row sum of the
 * tangent block. `jacobi`: all contacts from the same u, rho = relaxation over the absolute row
 * sums of the whole W; for symmetric W the scaled operator then has eigenvalues of at most 1.
 */
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

/* Workspace: u [n d], rho [n]. */
static size_t alprox_work_size(int dimension, int contacts)
{
    return (size_t)contacts * ((size_t)dimension * sizeof(double) + sizeof(rho));
}

/* Sum of |W_ij| over row i of contact c, over the columns first <= k < last of its blocks. */
static double row_sum(const haw_bsr *w, int c, int i, bool whole)
{
    const int d = w->block;
    const int first = whole ? w->start[c] : w->diagonal[c];
    const int last = whole ? w->start[c + 1] : first + 1;
    double sum = 0.0;

    for (int k = first; k < last; k++) {
        for (int j = whole ? 0 : 1; j < d; j++) {
            sum += fabs(w->value[((ptrdiff_t)k * d + i) * d + j]);
        }
    }
    return sum;
}

static double inverse(double relaxation, double stiffness)
{
    return stiffness > 0.0 ? relaxation / stiffness : 0.0;
}

static void rho_init(const haw_problem *p, const alprox_options *o, int c, rho *out)
{
    const int d = p->dimension;
    const double *block = p->w.value + (ptrdiff_t)d * d * p->w.diagonal[c];
    const bool jacobi = o->sweep == SWEEP_JACOBI;
    double trace = block[0], tangent = 0.0;

    for (int i = 1; i < d; i++) {
        trace += block[i * (d + 1)];
        tangent = fmax(tangent, row_sum(&p->w, c, i, jacobi));
    }
    out->n = inverse(o->relaxation, jacobi ? row_sum(&p->w, c, 0, true) : block[0]);
    out->t = inverse(o->relaxation, tangent);
    out->mean = trace / d;
}

/* Both proximal points of one contact of the plane, coupling = W_TN or 0. @return change */
static inline double prox_2d(const rho *a, double mu, double coupling, const double u[2], double *r)
{
    const double normal = haw_larger(0.0, r[0] - a->n * u[0]);
    const double free = r[1] - a->t * (u[1] + coupling * (normal - r[0]));
    const double bound = mu * normal;
    const double tangent = free > bound ? bound : haw_larger(-bound, free);
    const double change = a->mean * haw_larger(fabs(normal - r[0]), fabs(tangent - r[1]));

    r[0] = normal;
    r[1] = tangent;
    return change;
}

/* The same in space; coupling = (W_T1N, W_T2N) or zero. */
static inline double prox_3d(const rho *a, double mu, const double coupling[2], const double u[3],
                             double *r)
{
    const double normal = haw_larger(0.0, r[0] - a->n * u[0]);
    const double x = r[1] - a->t * (u[1] + coupling[0] * (normal - r[0]));
    const double y = r[2] - a->t * (u[2] + coupling[1] * (normal - r[0]));
    const double t = sqrt(x * x + y * y), bound = mu * normal;
    const double scale = t > bound ? bound / t : 1.0;
    const double change =
        haw_larger(fabs(normal - r[0]), haw_larger(fabs(scale * x - r[1]), fabs(scale * y - r[2])));

    r[0] = normal;
    r[1] = scale * x;
    r[2] = scale * y;
    return a->mean * change;
}

static double block_sweep_2d(const haw_problem *p, const rho *a, double *r)
{
    double change = 0.0;

    for (int c = 0; c < p->contacts; c++) {
        double u[2] = {p->q[2 * (ptrdiff_t)c], p->q[2 * (ptrdiff_t)c + 1]};
        const double coupling = p->w.value[4 * (ptrdiff_t)p->w.diagonal[c] + 2];

        haw_bsr_add_2d(&p->w, p->w.start[c], p->w.start[c + 1], r, u);
        change = haw_larger(change, prox_2d(a + c, p->mu[c], coupling, u, r + 2 * (ptrdiff_t)c));
    }
    return change;
}

static double block_sweep_3d(const haw_problem *p, const rho *a, double *r)
{
    double change = 0.0;

    for (int c = 0; c < p->contacts; c++) {
        const double *q = p->q + 3 * (ptrdiff_t)c;
        const double *block = p->w.value + 9 * (ptrdiff_t)p->w.diagonal[c];
        const double coupling[2] = {block[3], block[6]};
        double u[3] = {q[0], q[1], q[2]};

        haw_bsr_add_3d(&p->w, p->w.start[c], p->w.start[c + 1], r, u);
        change = haw_larger(change, prox_3d(a + c, p->mu[c], coupling, u, r + 3 * (ptrdiff_t)c));
    }
    return change;
}

static double jacobi_sweep(const haw_problem *p, const rho *a, double v_ref, double *u, double *r)
{
    const int d = p->dimension;
    const double none[2] = {0.0, 0.0};
    double change = 0.0;

    (void)haw_problem_natural(p, v_ref, r, u); /* u = W r + q */
    for (int c = 0; c < p->contacts; c++) {
        double *rc = r + (ptrdiff_t)d * c;
        const double *uc = u + (ptrdiff_t)d * c;

        change = haw_larger(change, d == 2 ? prox_2d(a + c, p->mu[c], 0.0, uc, rc)
                                           : prox_3d(a + c, p->mu[c], none, uc, rc));
    }
    return change;
}

static void alprox_solve(const haw_problem *problem, const void *options, void *work, double *r,
                         int *iterations)
{
    const alprox_options *o = options;
    double *u = work;
    rho *a = (rho *)(u + (ptrdiff_t)problem->dimension * problem->contacts);
    haw_monitor monitor;
    int sweep = 0;
    bool done = false;

    for (int c = 0; c < problem->contacts; c++) {
        rho_init(problem, o, c, a + c);
    }
    haw_monitor_init(&monitor, problem, o->common.tolerance, u);
    while (!done && sweep < o->common.max_iterations) {
        double change;

        if (o->sweep == SWEEP_JACOBI) {
            change = jacobi_sweep(problem, a, monitor.v_ref, u, r);
        } else {
            change = problem->dimension == 2 ? block_sweep_2d(problem, a, r)
                                             : block_sweep_3d(problem, a, r);
        }
        sweep++;
        done = haw_monitor_stop(&monitor, sweep, change, r);
    }
    *iterations = sweep;
}

const haw_solver_ops haw_solver_alprox = {
    .name = "alprox",
    .summary = "augmented-Lagrangian proximal point iteration, row by row",
    .source = "P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375",
    .options = alprox_table,
    .options_size = sizeof(alprox_options),
    .work_size = alprox_work_size,
    .solve = alprox_solve,
};
