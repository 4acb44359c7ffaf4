/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/admm_system.h"

#include <string.h>

/* Where entry (i, j) of the pattern is; it exists. */
static ptrdiff_t place(const haw_csr *a, int i, int j)
{
    int lo = a->start[i], hi = a->start[i + 1] - 1;

    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;

        if (a->column[mid] < j) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* Scalar rows of the blocks of W. */
static haw_status local_pattern(haw_task *task, haw_csr *a)
{
    const haw_bsr *w = &task->problem->w;
    const int d = w->block, rows = d * w->rows;
    int count = 0;

    HAW_TRY(haw_csr_create(task->arena, rows, rows, d * d * w->start[w->rows], true, a));
    for (int i = 0; i < rows; i++) {
        a->start[i] = count;
        for (int k = w->start[i / d]; k < w->start[i / d + 1]; k++) {
            for (int j = 0; j < d; j++) {
                a->column[count++] = d * w->column[k] + j;
            }
        }
    }
    a->start[rows] = count;
    return HAW_OK;
}

/* Entries (i, j) as they come, duplicates included; row NULL: count only. */
typedef struct triplets {
    int count;
    int *row, *column;
} triplets;

static void add(triplets *t, int i, int j)
{
    if (t->row != NULL) {
        t->row[t->count] = i;
        t->column[t->count] = j;
    }
    t->count++;
}

/* Entries of [M + H D H^T, -G; G^T, 0]. */
static void collect(const haw_global *g, triplets *t)
{
    const int nv = g->m.rows;

    t->count = 0;
    for (int i = 0; i < nv; i++) {
        add(t, i, i);
        for (int k = g->m.start[i]; k < g->m.start[i + 1]; k++) {
            add(t, i, g->m.column[k]);
        }
    }
    for (int i = 0; i < g->ht.rows; i++) {
        for (int k = g->ht.start[i]; k < g->ht.start[i + 1]; k++) {
            for (int l = g->ht.start[i]; l < g->ht.start[i + 1]; l++) {
                add(t, g->ht.column[k], g->ht.column[l]);
            }
        }
    }
    for (int i = 0; i < g->gt.rows; i++) {
        for (int k = g->gt.start[i]; k < g->gt.start[i + 1]; k++) {
            add(t, g->gt.column[k], nv + i);
            add(t, nv + i, g->gt.column[k]);
        }
    }
}

/* Stable counting sort of the entries by key, from -> to. next: [n + 1] */
static void sort_entries(int n, int *next, const int *key, const triplets *from, triplets *to)
{
    memset(next, 0, ((size_t)n + 1) * sizeof *next);
    for (int k = 0; k < from->count; k++) {
        next[key[k] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        next[i + 1] += next[i];
    }
    for (int k = 0; k < from->count; k++) {
        const int at = next[key[k]]++;

        to->row[at] = from->row[k];
        to->column[at] = from->column[k];
    }
    to->count = from->count;
}

static haw_status take_triplets(haw_arena *arena, triplets *t)
{
    t->row = haw_arena_allocate(arena, (size_t)t->count, sizeof *t->row);
    t->column = haw_arena_allocate(arena, (size_t)t->count, sizeof *t->column);
    return t->row == NULL || t->column == NULL ? HAW_ERR_NOMEM : HAW_OK;
}

/* Sorted by columns, then rows, every entry once. */
static haw_status global_pattern(haw_task *task, haw_csr *a)
{
    const haw_global *g = task->problem->global;
    const int n = g->m.rows + g->gt.rows;
    int *next = haw_arena_allocate(task->arena, (size_t)n + 1, sizeof *next);
    triplets all = {0}, sorted;
    int count = 0;

    collect(g, &all);
    sorted = all;
    HAW_TRY(take_triplets(task->arena, &all));
    HAW_TRY(take_triplets(task->arena, &sorted));
    HAW_TRY(haw_csr_create(task->arena, n, n, all.count, true, a));
    if (next == NULL) {
        return HAW_ERR_NOMEM;
    }
    collect(g, &all);
    sort_entries(n, next, all.column, &all, &sorted);
    sort_entries(n, next, sorted.row, &sorted, &all);
    for (int k = 0; k < all.count; k++) {
        if (k == 0 || all.row[k] != all.row[k - 1] || all.column[k] != all.column[k - 1]) {
            a->start[all.row[k] + 1]++;
            a->column[count++] = all.column[k];
        }
    }
    for (int i = 0; i < n; i++) {
        a->start[i + 1] += a->start[i];
    }
    return HAW_OK;
}

haw_status haw_admm_system_create(haw_task *task, haw_admm_system *system)
{
    *system = (haw_admm_system){.task = task};
    HAW_TRY(task->problem->global != NULL ? global_pattern(task, &system->matrix)
                                          : local_pattern(task, &system->matrix));
    system->weight = haw_task_doubles(task, (size_t)task->problem->contacts);
    system->x = haw_task_doubles(task, (size_t)system->matrix.rows);
    if (system->weight == NULL || system->x == NULL) {
        return HAW_ERR_NOMEM;
    }
    return haw_lu_create(task->arena, &system->matrix, &system->lu);
}

void haw_admm_system_release(haw_admm_system *system)
{
    haw_lu_release(system->lu);
}

static void local_values(haw_admm_system *s)
{
    const haw_bsr *w = &s->task->problem->w;
    const int d = w->block;
    double *value = s->matrix.value;

    for (int i = 0; i < d * w->rows; i++) {
        for (int k = w->start[i / d]; k < w->start[i / d + 1]; k++) {
            for (int j = 0; j < d; j++) {
                *value = w->value[((ptrdiff_t)k * d + i % d) * d + j];
                *value += d * w->column[k] + j == i ? 1.0 / s->weight[i / d] : 0.0;
                value++;
            }
        }
    }
}

static void global_values(haw_admm_system *s)
{
    const haw_global *g = s->task->problem->global;
    const haw_csr *ht = &g->ht;
    const int nv = g->m.rows, d = s->task->problem->dimension;
    haw_csr *a = &s->matrix;

    memset(a->value, 0, (size_t)a->start[a->rows] * sizeof *a->value);
    for (int i = 0; i < nv; i++) {
        for (int k = g->m.start[i]; k < g->m.start[i + 1]; k++) {
            a->value[place(a, i, g->m.column[k])] += g->m.value[k];
        }
    }
    for (int i = 0; i < ht->rows; i++) {
        for (int k = ht->start[i]; k < ht->start[i + 1]; k++) {
            const double factor = s->weight[i / d] * ht->value[k];

            for (int l = ht->start[i]; l < ht->start[i + 1]; l++) {
                a->value[place(a, ht->column[k], ht->column[l])] += factor * ht->value[l];
            }
        }
    }
    for (int i = 0; i < g->gt.rows; i++) {
        for (int k = g->gt.start[i]; k < g->gt.start[i + 1]; k++) {
            a->value[place(a, g->gt.column[k], nv + i)] = -g->gt.value[k];
            a->value[place(a, nv + i, g->gt.column[k])] = g->gt.value[k];
        }
    }
}

haw_status haw_admm_system_factor(haw_admm_system *system)
{
    haw_effort *effort = &system->task->effort;

    if (system->task->problem->global != NULL) {
        global_values(system);
    } else {
        local_values(system);
    }
    const haw_status status = haw_lu_factor(system->lu, system->matrix.value);

    effort->factorizations++;
    effort->newton_flops += haw_lu_factor_flops(system->lu);
    return status;
}

static void global_solve(haw_admm_system *s, const double *a, double *r)
{
    const haw_global *g = s->task->problem->global;
    const int nv = g->m.rows, d = s->task->problem->dimension, rows = g->ht.rows;

    for (int i = 0; i < rows; i++) {
        r[i] = s->weight[i / d] * (a[i] - g->w[i]);
    }
    memcpy(s->x, g->f, (size_t)nv * sizeof *s->x);
    haw_csr_add_transposed(&g->ht, 1.0, r, s->x);
    for (int i = 0; i < g->gt.rows; i++) {
        s->x[nv + i] = -g->b[i];
    }
    haw_lu_solve(s->lu, s->x);
    for (int i = 0; i < rows; i++) {
        double u = 0.0;

        for (int k = g->ht.start[i]; k < g->ht.start[i + 1]; k++) {
            u += g->ht.value[k] * s->x[g->ht.column[k]];
        }
        r[i] -= s->weight[i / d] * u;
    }
}

void haw_admm_system_solve(haw_admm_system *system, const double *a, double *r)
{
    const haw_task *task = system->task;
    haw_effort *effort = &system->task->effort;

    if (task->problem->global != NULL) {
        global_solve(system, a, r);
    } else {
        for (int i = 0; i < system->matrix.rows; i++) {
            system->x[i] = a[i] - task->op.q[i];
        }
        haw_lu_solve(system->lu, system->x);
        memcpy(r, system->x, (size_t)system->matrix.rows * sizeof *r);
    }
    effort->products++;
    effort->first_order_flops += haw_lu_solve_flops(system->lu);
}
