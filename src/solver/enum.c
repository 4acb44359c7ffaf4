/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact reference for up to three contacts: all combinations of open, sticking and slipping
 * contacts, each solved by itself. The first whose solution satisfies the natural map to rounding
 * is returned, else the best one. Where W is singular the impulses of a combination need not be
 * unique, and those found need not be admissible: proximal steps r <- solution for (W + a I,
 * q - a r), each by enumeration, lead to admissible ones (R. T. Rockafellar, SIAM J. Control
 * Optim. 14 (1976) 877-898).
 */
#include "base/status.h"
#include "solver/cone.h"
#include "solver/enum_system.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

static const haw_option enum_table[] = {HAW_SOLVER_TOLERANCE, HAW_SOLVER_MAX_ITERATIONS, {0}};

static const double sufficient = 32.0 * DBL_EPSILON; /* rounding of the natural map */

/* r - P_K(r - u^), the largest of all contacts. */
static double natural(const haw_enumeration *s, const double *r, const double *u)
{
    double worst = 0.0;

    for (int c = 0; c < s->n; c++) {
        const double *rc = r + s->d * c, *uc = u + s->d * c;
        const double slip = s->d == 2 ? fabs(uc[1]) : hypot(uc[1], uc[2]);
        double x[3], foot[3], square = 0.0;

        for (int i = 0; i < s->d; i++) {
            x[i] = rc[i] - uc[i] - (i == 0 ? s->mu[c] * slip : 0.0);
        }
        haw_cone_project(s->d, s->mu[c], x, foot);
        for (int i = 0; i < s->d; i++) {
            square += (rc[i] - foot[i]) * (rc[i] - foot[i]);
        }
        worst = fmax(worst, sqrt(square));
    }
    return worst;
}

/* Keep r, projected onto the cones, if it is the best so far. */
static void consider(haw_enumeration *s, const double *r)
{
    double foot[HAW_ENUM_ROWS], u[HAW_ENUM_ROWS];

    for (int c = 0; c < s->n; c++) {
        haw_cone_project(s->d, s->mu[c], r + s->d * c, foot + s->d * c);
    }
    haw_enum_velocity(s, foot, u);
    const double defect = natural(s, foot, u);

    if (defect < s->best) {
        s->best = defect;
        memcpy(s->best_r, foot, sizeof foot);
    }
}

/* Start `start` of combination `code`: theta from q, or from a lattice. @return false: no such */
static bool begin(const haw_enumeration *s, int code, int start, haw_combination *k)
{
    /* powers of the inverse of the root of x^4 = x + 1, whose multiples fill the cube evenly */
    static const double lattice[HAW_ENUM_CONTACTS] = {0.8191725133961645, 0.6710436067037893,
                                                      0.5497004779019703};
    const int states = s->d == 2 ? HAW_ENUM_SLIP_BACK + 1 : HAW_ENUM_SLIP + 1;
    bool several = false;

    *k = (haw_combination){.held = true};
    for (int c = 0; c < s->n; c++) {
        k->state[c] = code % states;
        code /= states;
        several = several || haw_combination_turns(s, k, c);
        k->theta[c] = start > 0   ? 6.283185307179586 * fmod(start * lattice[c], 1.0)
                      : s->d == 3 ? atan2(s->q[3 * c + 2], s->q[3 * c + 1])
                                  : 0.0;
    }
    return code == 0 && (start == 0 || several);
}

static bool found(const haw_enumeration *s)
{
    return s->best <= sufficient || haw_task_exhausted(s->task);
}

/* One combination, from the starts first <= start < last. */
static void try_combination(haw_enumeration *s, int code, int first, int last)
{
    haw_combination k;

    for (int start = first; start < last && !found(s); start++) {
        if (!begin(s, code, start, &k)) {
            return;
        }
        s->task->effort.iterations++;
        haw_combination_solve(s, &k, start % 2 == 0 ? 3 : 0);
        consider(s, k.r);
    }
}

/* All combinations, first from few directions of slip, then from many. */
static void search(haw_enumeration *s)
{
    enum { FEW = 8, MANY = 80 };

    const int states = s->d == 2 ? HAW_ENUM_SLIP_BACK + 1 : HAW_ENUM_SLIP + 1;
    const int codes = (int)lround(pow(states, s->n));

    for (int code = 0; code < codes; code++) {
        try_combination(s, code, 0, FEW);
    }
    for (int code = 0; code < codes; code++) {
        try_combination(s, code, FEW, MANY);
    }
}

/* Proximal steps, as long as the regular problems have solutions and the residual falls. */
static void search_singular(haw_enumeration *s)
{
    enum { STEPS = 60, PATIENCE = 6 };

    const double weight = 1.0e-3;
    double r[HAW_ENUM_ROWS] = {0}, best = HUGE_VAL;
    int best_at = 0;

    for (int step = 0; step < STEPS && step - best_at < PATIENCE && !found(s); step++) {
        haw_enumeration inner = *s;

        inner.best = HUGE_VAL;
        for (int i = 0; i < s->d * s->n; i++) {
            inner.w[i][i] += weight;
            inner.q[i] -= weight * r[i];
        }
        search(&inner);
        if (!(inner.best <= 1.0e-6)) {
            return;
        }
        memcpy(r, inner.best_r, sizeof r);
        consider(s, r);
        if (s->best < 0.9 * best) {
            best = s->best;
            best_at = step;
        }
    }
}

/* The scaled problem; W from its products with unit impulses. */
static void enumeration_init(haw_enumeration *s, double *r, double *u, double *mean)
{
    const haw_operator *op = &s->task->op;
    const int rows = s->d * s->n;

    for (int c = 0; c < s->n; c++) {
        const double *block = haw_operator_block(op, c), mu = s->task->problem->mu[c];

        for (int i = 0; i < s->d; i++) {
            mean[c] += block[i * (s->d + 1)] / s->d;
        }
        s->mu[c] = mu;
        s->cosine[c] = 1.0 / hypot(1.0, mu);
        s->sine[c] = mu > 1.0 ? 1.0 / hypot(1.0, 1.0 / mu) : mu * s->cosine[c];
    }
    for (int j = 0; j < rows; j++) {
        memset(r, 0, (size_t)rows * sizeof *r);
        r[j] = 1.0;
        haw_operator_multiply(op, r, u);
        s->q[j] = op->q[j] / s->task->v_ref;
        for (int i = 0; i < rows; i++) {
            s->w[i][j] = u[i] / mean[j / s->d];
        }
    }
    s->task->effort.products += rows;
    s->task->effort.first_order_flops += rows * op->flops;
}

static haw_status enum_solve(haw_task *task, const void *options, double *r)
{
    const int d = task->problem->dimension, n = task->problem->contacts;
    haw_enumeration s = {.task = task, .d = d, .n = n, .best = HUGE_VAL};
    double unit[HAW_ENUM_ROWS], u[HAW_ENUM_ROWS], mean[HAW_ENUM_CONTACTS] = {0};

    (void)options;
    if (n > HAW_ENUM_CONTACTS) {
        return haw_fail(task->context, HAW_ERR_INPUT,
                        "enum takes at most %d contacts (found %d); choose another solver",
                        HAW_ENUM_CONTACTS, n);
    }
    const double start = haw_task_natural(task, r, u);

    if (start <= task->tolerance || !(start <= DBL_MAX)) {
        return HAW_OK;
    }
    enumeration_init(&s, unit, u, mean);
    search(&s);
    search_singular(&s);
    for (int i = 0; i < d * n && s.best <= DBL_MAX; i++) {
        r[i] = s.best_r[i] * task->v_ref / mean[i / d];
    }
    if (!haw_task_exhausted(task)) {
        (void)haw_task_natural(task, r, u);
    }
    return HAW_OK;
}

const haw_solver_ops haw_solver_enum = {
    .row.name = "enum",
    .row.summary =
        "exact reference: all combinations of open, sticking and slipping, up to 3 contacts",
    .row.source = "A. Klarbring, Ing. Arch. 60 (1990) 529-541",
    .row.options = enum_table,
    .row.options_size = sizeof(haw_solver_common),
    .solve = enum_solve,
};
