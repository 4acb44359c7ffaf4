/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/admm_system.h"

#include "base/status.h"
#include "solver/mobility.h"

#include <limits.h>
#include <string.h>

enum { ROW_MAX = 32 }; /* velocities of a contact row that is eliminated */

/* ---- the pattern of the global form ---- */

/* Keep the rows of more than `longest` entries. @return entries of the matrix, duplicates included
 */
static double keep_rows(haw_admm_system *s, int longest)
{
    const haw_global *g = s->task->problem->global;
    const haw_csr *ht = &g->ht;
    double count = (double)g->m.rows + g->m.start[g->m.rows];

    s->size = g->m.rows + g->gt.rows;
    if (g->gt.rows > 0) {
        count += 2.0 * g->gt.start[g->gt.rows];
    }
    for (int i = 0; i < ht->rows; i++) {
        const double length = ht->start[i + 1] - ht->start[i];
        const bool is_kept = length > longest;

        s->kept[i] = is_kept ? s->size++ : -1;
        count += is_kept ? 2.0 * length + 1.0 : length * length;
    }
    return count;
}

static void collect_row(const haw_admm_system *s, int row, haw_triplets *t)
{
    const haw_csr *ht = &s->task->problem->global->ht;
    const int kept = s->kept[row];

    for (int k = ht->start[row]; k < ht->start[row + 1]; k++) {
        if (kept >= 0) {
            haw_triplets_add(t, ht->column[k], kept, 0.0);
            haw_triplets_add(t, kept, ht->column[k], 0.0);
            continue;
        }
        for (int l = ht->start[row]; l < ht->start[row + 1]; l++) {
            haw_triplets_add(t, ht->column[k], ht->column[l], 0.0);
        }
    }
    if (kept >= 0) {
        haw_triplets_add(t, kept, kept, 0.0);
    }
}

/* M and G, and room for what the weights make of H. */
static void collect(const haw_admm_system *s, haw_triplets *t)
{
    const haw_global *g = s->task->problem->global;
    const int nv = g->m.rows;

    for (int i = 0; i < nv; i++) {
        haw_triplets_add(t, i, i, 0.0);
        for (int k = g->m.start[i]; k < g->m.start[i + 1]; k++) {
            haw_triplets_add(t, i, g->m.column[k], g->m.value[k]);
        }
    }
    for (int i = 0; i < g->ht.rows; i++) {
        collect_row(s, i, t);
    }
    for (int i = 0; i < g->gt.rows; i++) {
        const double scale = s->task->op.mobility->scale[i];

        for (int k = g->gt.start[i]; k < g->gt.start[i + 1]; k++) {
            haw_triplets_add(t, g->gt.column[k], nv + i, -scale * g->gt.value[k]);
            haw_triplets_add(t, nv + i, g->gt.column[k], scale * g->gt.value[k]);
        }
    }
}

static haw_status create_global(haw_admm_system *s)
{
    const haw_global *g = s->task->problem->global;
    haw_arena *arena = s->task->arena;
    haw_triplets entries;

    s->kept = haw_arena_allocate(arena, (size_t)g->ht.rows, sizeof *s->kept);
    HAW_TRY(haw_arena_status(arena));
    double count = keep_rows(s, ROW_MAX);

    if (count > INT_MAX) {
        count = keep_rows(s, 0);
    }
    if (count > INT_MAX) {
        return haw_fail(s->task->context, HAW_ERR_INPUT,
                        "admm: the problem is too large (a matrix of %.3g entries)", count);
    }
    HAW_TRY(haw_triplets_create(arena, (ptrdiff_t)count, true, &entries));
    collect(s, &entries);
    HAW_TRY(haw_triplets_compress(arena, &entries, s->size, s->size, &s->matrix));
    s->constant = s->matrix.value;
    s->matrix.value = haw_task_doubles(s->task, (size_t)s->matrix.start[s->size]);
    HAW_TRY(haw_arena_status(arena));
    return haw_lu_create(arena, &s->matrix, &s->lu);
}

static haw_status create_local(haw_admm_system *s)
{
    const haw_bsr *w = &s->task->problem->w;
    const haw_status status = haw_block_lu_create(s->task->arena, w, &s->local);

    s->lu = s->local.lu;
    s->size = w->block * w->rows;
    return status;
}

haw_status haw_admm_system_create(haw_task *task, haw_admm_system *system)
{
    *system = (haw_admm_system){.task = task};
    system->weight = haw_task_doubles(task, (size_t)task->problem->contacts);
    HAW_TRY(haw_arena_status(task->arena));
    HAW_TRY(task->problem->global != NULL ? create_global(system) : create_local(system));
    system->x = haw_task_doubles(task, (size_t)system->size);
    return haw_arena_status(task->arena);
}

void haw_admm_system_release(haw_admm_system *system)
{
    haw_lu_release(system->lu);
}

/* ---- its values ---- */

static haw_status factor_local(haw_admm_system *s)
{
    const haw_bsr *w = &s->task->problem->w;
    const int d = w->block;

    for (int c = 0; c < w->rows; c++) {
        for (int k = w->start[c]; k < w->start[c + 1]; k++) {
            double block[9];

            memcpy(block, w->value + (ptrdiff_t)k * d * d, (size_t)(d * d) * sizeof *block);
            for (int i = 0; i < d && k == w->diagonal[c]; i++) {
                block[(d + 1) * i] += 1.0 / s->weight[c];
            }
            haw_block_lu_put(&s->local, c, k, block);
        }
    }
    return haw_lu_factor(s->lu, s->local.matrix.value);
}

/* An entry of the pattern. */
static double *at(haw_csr *a, int i, int j)
{
    return a->value + haw_csr_find(a, i, j);
}

static void add_row(haw_admm_system *s, int row)
{
    const haw_csr *ht = &s->task->problem->global->ht;
    const double weight = s->weight[row / s->task->problem->dimension];
    const int kept = s->kept[row];
    haw_csr *a = &s->matrix;

    for (int k = ht->start[row]; k < ht->start[row + 1]; k++) {
        const double weighted = weight * ht->value[k];

        if (kept >= 0) {
            *at(a, ht->column[k], kept) = -weighted;
            *at(a, kept, ht->column[k]) = ht->value[k];
            continue;
        }
        for (int l = ht->start[row]; l < ht->start[row + 1]; l++) {
            *at(a, ht->column[k], ht->column[l]) += weighted * ht->value[l];
        }
    }
    if (kept >= 0) {
        *at(a, kept, kept) = 1.0;
    }
}

static haw_status factor_global(haw_admm_system *s)
{
    const haw_csr *a = &s->matrix;

    memcpy(a->value, s->constant, (size_t)a->start[a->rows] * sizeof *a->value);
    for (int i = 0; i < s->task->problem->global->ht.rows; i++) {
        add_row(s, i);
    }
    return haw_lu_factor(s->lu, a->value);
}

haw_status haw_admm_system_factor(haw_admm_system *system)
{
    haw_effort *effort = &system->task->effort;
    const haw_status status =
        system->task->problem->global != NULL ? factor_global(system) : factor_local(system);

    effort->factorizations++;
    effort->newton_flops += haw_lu_factor_flops(system->lu);
    return status;
}

/* ---- solves ---- */

static void global_solve(haw_admm_system *s, const double *a, double *r)
{
    const haw_global *g = s->task->problem->global;
    const haw_csr *ht = &g->ht;
    const int nv = g->m.rows, d = s->task->problem->dimension;

    memcpy(s->x, g->f, (size_t)nv * sizeof *s->x);
    for (int i = 0; i < g->gt.rows; i++) {
        s->x[nv + i] = -s->task->op.mobility->scale[i] * g->b[i];
    }
    for (int i = 0; i < ht->rows; i++) {
        r[i] = a[i] - g->w[i];
        if (s->kept[i] >= 0) {
            s->x[s->kept[i]] = r[i];
            continue;
        }
        for (int k = ht->start[i]; k < ht->start[i + 1]; k++) {
            s->x[ht->column[k]] += s->weight[i / d] * r[i] * ht->value[k];
        }
    }
    haw_lu_solve(s->lu, s->x);
    for (int i = 0; i < ht->rows; i++) {
        double u = 0.0;

        for (int k = ht->start[i]; s->kept[i] < 0 && k < ht->start[i + 1]; k++) {
            u += ht->value[k] * s->x[ht->column[k]];
        }
        r[i] = s->weight[i / d] * (s->kept[i] < 0 ? r[i] - u : s->x[s->kept[i]]);
    }
}

void haw_admm_system_solve(haw_admm_system *system, const double *a, double *r)
{
    const haw_task *task = system->task;
    haw_effort *effort = &system->task->effort;

    if (task->problem->global != NULL) {
        global_solve(system, a, r);
    } else {
        for (int i = 0; i < system->size; i++) {
            system->x[i] = a[i] - task->op.q[i];
        }
        haw_lu_solve(system->lu, system->x);
        memcpy(r, system->x, (size_t)system->size * sizeof *r);
    }
    effort->products++;
    effort->first_order_flops += haw_lu_solve_flops(system->lu);
}
