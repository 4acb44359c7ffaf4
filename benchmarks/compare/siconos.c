/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Siconos numerics (V. Acary, F. Perignon: An introduction to Siconos, INRIA RT-0340, 2007) as a
 * contestant. Its problems are u = W r + q in the local form and M v = H r + q, u = H^T v + b in
 * the global one, with the same signs and the same order of rows as here.
 */
#include "contestant.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    FrictionContactProblem *local;
    GlobalFrictionContactProblem *global;
    SolverOptions *options;
    double *u, *v;
    int code;
} run;

static double *copy(const double *x, int count)
{
    double *y = calloc((size_t)count + 1, sizeof *y);

    if (y != NULL && x != NULL) {
        memcpy(y, x, (size_t)count * sizeof *y);
    }
    return y;
}

static NumericsMatrix *dense_matrix(const haw_bsr *w)
{
    const int d = w->block, n = w->rows * d;
    NumericsMatrix *m = NM_create(NM_DENSE, n, n);

    for (int i = 0; i < w->rows; i++) {
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            for (int e = 0; e < d * d; e++) {
                const ptrdiff_t row = d * i + e / d, column = d * w->column[k] + e % d;

                m->matrix0[row + n * column] = w->value[(ptrdiff_t)d * d * k + e];
            }
        }
    }
    return m;
}

/* Triplets are what the Newton solvers work on; the other forms are made here, not on the clock. */
static NumericsMatrix *sparse_matrix(const haw_csr *a, bool transpose)
{
    const int rows = transpose ? a->columns : a->rows, columns = transpose ? a->rows : a->columns;
    NumericsMatrix *m = NM_create(NM_SPARSE, rows, columns);

    NM_triplet_alloc(m, a->start[a->rows] + 1);
    m->matrix2->origin = NSM_TRIPLET;
    for (int i = 0; i < a->rows; i++) {
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            NM_entry(m, transpose ? a->column[k] : i, transpose ? i : a->column[k], a->value[k]);
        }
    }
    (void)NM_csc(m);
    (void)NM_csc_trans(m);
    return m;
}

static FrictionContactProblem *local_problem(const haw_problem *p)
{
    FrictionContactProblem *l = frictionContactProblem_new();

    if (l != NULL) {
        l->dimension = p->dimension;
        l->numberOfContacts = p->contacts;
        l->M = dense_matrix(&p->w);
        l->q = copy(p->q, p->contacts * p->dimension);
        l->mu = copy(p->mu, p->contacts);
    }
    return l;
}

static GlobalFrictionContactProblem *global_problem(const haw_problem *p, const haw_global *form)
{
    GlobalFrictionContactProblem *g = globalFrictionContactProblem_new();

    if (g != NULL) {
        g->dimension = p->dimension;
        g->numberOfContacts = p->contacts;
        g->M = sparse_matrix(&form->m, false);
        g->H = sparse_matrix(&form->ht, true);
        g->q = copy(form->f, form->m.rows);
        g->b = copy(form->w, p->contacts * p->dimension);
        g->mu = copy(p->mu, p->contacts);
    }
    return g;
}

static void *prepare(const contestant *self, const contest *problem, const aim *to)
{
    const haw_problem *p = self->takes_local ? problem->local : problem->problem;
    run *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    made->code = INT_MIN;
    made->u = copy(NULL, p->contacts * p->dimension);
    if (p->global != NULL) {
        made->v = copy(NULL, p->global->m.rows);
        made->global = global_problem(p, p->global);
    } else {
        made->local = local_problem(p);
    }
    made->options = solver_options_create(self->id);
    made->options->dparam[SICONOS_DPARAM_TOL] = to->tolerance;
    if (!to->keeps_limit) {
        made->options->iparam[SICONOS_IPARAM_MAX_ITER] = INT_MAX / 4;
    }
    if (self->tune != NULL) {
        self->tune(made->options);
    }
    return made;
}

static void solve(void *user, double *r)
{
    run *a = user;

    if (a->global != NULL) {
        a->code = gfc3d_driver(a->global, r, a->u, a->v, a->options);
    } else if (a->local->dimension == 3) {
        a->code = fc3d_driver(a->local, r, a->u, a->options);
    } else {
        a->code = fc2d_driver(a->local, r, a->u, a->options);
    }
}

static void finish(void *user, answer *said)
{
    run *a = user;

    said->code = a->code;
    said->iterations = a->options->iparam[SICONOS_IPARAM_ITER_DONE];
    said->error = a->options->dparam[SICONOS_DPARAM_RESIDU];
    solver_options_delete(a->options);
    if (a->global != NULL) {
        globalFrictionContact_free(a->global);
    } else {
        frictionContactProblem_free(a->local);
    }
    free(a->u);
    free(a->v);
    free(a);
}

static void admm_balanced(void *options)
{
    SolverOptions *o = options;

    o->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] =
        SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF;
    o->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
        SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
}

static void admm_scaled(void *options)
{
    SolverOptions *o = options;

    admm_balanced(options);
    o->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
        SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING;
    o->iparam[SICONOS_FRICTION_3D_IPARAM_RESCALING] = SICONOS_FRICTION_3D_RESCALING_SCALAR;
}

static void admm_equilibrated(void *options)
{
    SolverOptions *o = options;

    admm_scaled(options);
    o->iparam[SICONOS_FRICTION_3D_IPARAM_RESCALING] = SICONOS_FRICTION_3D_RESCALING_BALANCING_M;
}

#define SOLVE        prepare, solve, finish
#define GLOBAL(name) SICONOS_GLOBAL_FRICTION_3D_##name
#define LOCAL(name)  SICONOS_FRICTION_3D_##name
#define PLANE(name)  SICONOS_FRICTION_2D_##name
const contestant siconos_contestants[] = {
    {"G-ADMM-bal", "global ADMM, rho from the norms, residual balancing", ROLE_NAMED, 3, false,
     GLOBAL(ADMM), admm_balanced, SOLVE},
    {"G-ACLM", "global ACLM fixed point, defaults", ROLE_NAMED, 3, false, GLOBAL(ACLMFP), NULL,
     SOLVE},
    {"G-NSN_AC", "global Alart-Curnier Newton, defaults", ROLE_NAMED, 3, false, GLOBAL(NSN_AC),
     NULL, SOLVE},
    {"NSN_AC", "local Alart-Curnier Newton, defaults", ROLE_NAMED, 3, true, LOCAL(NSN_AC), NULL,
     SOLVE},
    {"G-ADMM", "global ADMM, defaults", ROLE_OTHER, 3, false, GLOBAL(ADMM), NULL, SOLVE},
    {"G-ADMM-sc", "global ADMM, scaled residual balancing, problem rescaled by scalars", ROLE_OTHER,
     3, false, GLOBAL(ADMM), admm_scaled, SOLVE},
    {"G-ADMM-eq", "global ADMM, scaled residual balancing, M equilibrated", ROLE_OTHER, 3, false,
     GLOBAL(ADMM), admm_equilibrated, SOLVE},
    {"PROX", "local proximal point, defaults", ROLE_OTHER, 3, true, LOCAL(PROX), NULL, SOLVE},
    {"NSGS", "local Gauss-Seidel, defaults", ROLE_OTHER, 3, true, LOCAL(NSGS), NULL, SOLVE},
    {"NSGS", "Gauss-Seidel in the plane, defaults", ROLE_NAMED, 2, true, PLANE(NSGS), NULL, SOLVE},
    {"CPG", "conjugate projected gradient in the plane, defaults", ROLE_NAMED, 2, true, PLANE(CPG),
     NULL, SOLVE},
    {"Lemke", "Lemke's method in the plane, defaults", ROLE_NAMED, 2, true, PLANE(LEMKE), NULL,
     SOLVE},
    {NULL, NULL, ROLE_OTHER, 0, false, 0, NULL, NULL, NULL, NULL},
};
