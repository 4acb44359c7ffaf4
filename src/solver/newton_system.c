/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/newton_system.h"

#include "base/status.h"
#include "solver/block_lu.h"
#include "solver/newton_pattern.h"

#include <string.h>

struct haw_newton_system {
    haw_task *task;
    const double *w;
    int n, d;
    haw_block_lu local;         /* local form */
    haw_newton_pattern pattern; /* global form */
    haw_lu *lu;
    int size;   /* unknowns */
    double *x;  /* [size] right-hand side and solution, in the order of the matrix */
    double *dv; /* global form: [nv] */
};

static haw_status create_local(haw_newton_system *s)
{
    const haw_status status = haw_block_lu_create(s->task->arena, &s->task->problem->w, &s->local);

    s->lu = s->local.lu;
    s->size = s->n * s->d;
    return status;
}

static haw_status create_global(haw_newton_system *s)
{
    double mean = 0.0;

    for (int c = 0; c < s->n; c++) {
        mean += s->w[c] / s->n;
    }
    s->dv = haw_task_doubles(s->task, (size_t)s->task->problem->global->m.rows);
    if (s->dv == NULL) {
        return HAW_ERR_NOMEM;
    }
    HAW_TRY(haw_newton_pattern_create(s->task, s->w, mean, &s->pattern));
    s->size = s->pattern.matrix.rows;
    return haw_lu_create(s->task->arena, &s->pattern.matrix, &s->lu);
}

haw_status haw_newton_system_create(haw_task *task, const double *w, haw_newton_system **system)
{
    haw_newton_system *s = haw_arena_allocate(task->arena, 1, sizeof *s);

    *system = NULL;
    if (s == NULL) {
        return HAW_ERR_NOMEM;
    }
    s->task = task;
    s->w = w;
    s->n = task->problem->contacts;
    s->d = task->problem->dimension;
    HAW_TRY(task->problem->global != NULL ? create_global(s) : create_local(s));
    s->x = haw_task_doubles(task, (size_t)s->size);
    if (s->x == NULL) {
        haw_lu_release(s->lu);
        return HAW_ERR_NOMEM;
    }
    *system = s;
    return HAW_OK;
}

void haw_newton_system_release(haw_newton_system *system)
{
    if (system != NULL) {
        haw_lu_release(system->lu);
    }
}

/* The block a W_ck / w_k + b; b NULL: 0. */
static void make_block(const haw_newton_system *s, int k, const double *a, const double *b,
                       double block[9])
{
    const haw_bsr *w = &s->task->problem->w;
    const int d = s->d;
    const double *value = w->value + (ptrdiff_t)k * d * d, scale = 1.0 / s->w[w->column[k]];

    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            double sum = 0.0;

            for (int l = 0; l < d; l++) {
                sum += a[d * i + l] * value[d * l + j];
            }
            block[d * i + j] = sum * scale + (b != NULL ? b[d * i + j] : 0.0);
        }
    }
}

static void refresh_local(haw_newton_system *s, int c, const double *a, const double *b)
{
    const haw_bsr *w = &s->task->problem->w;

    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        double block[9];

        make_block(s, k, a, k == w->diagonal[c] ? b : NULL, block);
        haw_block_lu_put(&s->local, c, k, block);
    }
}

static void refresh_global(haw_newton_system *s, int c, const double *a, const double *b)
{
    const haw_newton_pattern *p = &s->pattern;
    const int d = s->d, nv = s->task->problem->global->m.rows;

    for (int i = 0; i < d; i++) {
        double *row = p->matrix.value + p->matrix.start[p->place[nv + c * d + i]];

        for (int k = p->first[c]; k < p->first[c + 1]; k++) {
            const double *velocity = p->velocity + (ptrdiff_t)d * k;
            double sum = p->source[k] == HAW_FROM_VELOCITY ? 0.0 : b[d * i + p->source[k]];

            for (int j = 0; j < d; j++) {
                sum += a[d * i + j] * velocity[j];
            }
            *row++ = sum;
        }
    }
}

haw_status haw_newton_system_factor(haw_newton_system *s, const double *a, const double *b)
{
    const bool local = s->task->problem->global == NULL;

    for (int c = 0; c < s->n; c++) {
        const ptrdiff_t own = (ptrdiff_t)c * s->d * s->d;

        if (local) {
            refresh_local(s, c, a + own, b + own);
        } else {
            refresh_global(s, c, a + own, b + own);
        }
    }
    s->task->effort.factorizations++;
    const haw_status status =
        local ? haw_block_lu_factor(&s->local) : haw_lu_factor(s->lu, s->pattern.matrix.value);

    s->task->effort.newton_flops += haw_lu_factor_flops(s->lu);
    return status;
}

/* Local form: du = W dr is a product, for the open contacts have no row that would give it. */
static void solve_local(haw_newton_system *s, const double *g, double *dr, double *du)
{
    for (int i = 0; i < s->n * s->d; i++) {
        s->x[i] = -g[i];
    }
    haw_lu_solve(s->lu, s->x);
    for (int i = 0; i < s->n * s->d; i++) {
        dr[i] = s->x[i] / s->w[i / s->d];
    }
    haw_operator_multiply(&s->task->op, dr, du);
    s->task->effort.products++;
    s->task->effort.first_order_flops += s->task->op.flops;
}

static void solve_global(haw_newton_system *s, const double *g, double *dr, double *du)
{
    const haw_global *global = s->task->problem->global;
    const int *place = s->pattern.place, nv = global->m.rows, rows = s->n * s->d;

    memset(s->x, 0, (size_t)s->size * sizeof *s->x);
    for (int i = 0; i < rows; i++) {
        s->x[place[nv + i]] = -g[i];
    }
    haw_lu_solve(s->lu, s->x);
    for (int i = 0; i < nv; i++) {
        s->dv[i] = s->x[place[i]];
    }
    for (int i = 0; i < rows; i++) {
        dr[i] = s->x[place[nv + i]] / s->w[i / s->d];
        du[i] = 0.0;
    }
    haw_csr_add(&global->ht, 1.0, s->dv, du);
}

void haw_newton_system_solve(haw_newton_system *s, const double *g, double *dr, double *du)
{
    if (s->task->problem->global == NULL) {
        solve_local(s, g, dr, du);
    } else {
        solve_global(s, g, dr, du);
    }
    s->task->effort.newton_flops += haw_lu_solve_flops(s->lu);
}
