/* SPDX-License-Identifier: BSD-3-Clause */
/* Local form of FCLIB files: bilateral rows eliminated, scalar entries gathered into blocks. */
#include "io/fclib.h"
#include "linalg/lu.h"

#include <limits.h>
#include <stdint.h>

/* ---- bilateral rows ---- */

/* Numbers that an elimination may fill: what it makes is dense, however small the file. */
enum { FILL_MAX = 1 << 24 };

/* The elimination at work. */
typedef struct elimination {
    const haw_fclib_local *local;
    haw_lu *lu;
    int count; /* contact rows that V couples */
    int *row;  /* [count] */
    double *x; /* [p] */
    haw_triplets sum;
} elimination;

static int *coupled_rows(haw_arena *arena, const haw_csr *v, int *count)
{
    int *row = haw_arena_allocate(arena, (size_t)v->rows + 1, sizeof(int));
    *count = 0;
    for (int i = 0; row != NULL && i < v->rows; i++) {
        if (v->start[i + 1] > v->start[i]) {
            row[(*count)++] = i;
        }
    }
    return row;
}

static double row_times(const haw_csr *matrix, int row, const double *x)
{
    double sum = 0.0;
    for (int k = matrix->start[row]; k < matrix->start[row + 1]; k++) {
        sum += matrix->value[k] * x[matrix->column[k]];
    }
    return sum;
}

/* q - V R^-1 s */
static void eliminate_offset(elimination *e)
{
    const haw_fclib_local *local = e->local;
    for (int j = 0; j < local->bilateral; j++) {
        e->x[j] = local->s[j];
    }
    haw_lu_solve(e->lu, e->x);
    for (int a = 0; a < e->count; a++) {
        local->q[e->row[a]] -= row_times(&local->v, e->row[a], e->x);
    }
}

/* W - V R^-1 V^T, a column at a time */
static void eliminate_coupling(elimination *e)
{
    const haw_csr *w = &e->local->w, *v = &e->local->v;
    for (int i = 0; i < w->rows; i++) {
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            haw_triplets_add(&e->sum, i, w->column[k], w->value[k]);
        }
    }
    for (int b = 0; b < e->count; b++) {
        for (int j = 0; j < e->local->bilateral; j++) {
            e->x[j] = 0.0;
        }
        for (int k = v->start[e->row[b]]; k < v->start[e->row[b] + 1]; k++) {
            e->x[v->column[k]] = v->value[k];
        }
        haw_lu_solve(e->lu, e->x);
        for (int a = 0; a < e->count; a++) {
            haw_triplets_add(&e->sum, e->row[a], e->row[b], -row_times(v, e->row[a], e->x));
        }
    }
}

static haw_status run_elimination(haw_fclib *file, haw_fclib_local *local, elimination *e)
{
    const haw_status status = haw_lu_factor(e->lu, local->r.value);
    if (status == HAW_ERR_SINGULAR) {
        return haw_fclib_fail(file, "/fclib_local/R",
                              "singular: the equalities do not determine their multipliers");
    }
    HAW_TRY(status);
    eliminate_offset(e);
    eliminate_coupling(e);
    return haw_triplets_compress(&file->arena, &e->sum, local->w.rows, local->w.columns, &local->w);
}

haw_status haw_fclib_eliminate(haw_fclib *file, haw_fclib_local *local)
{
    haw_arena *arena = &file->arena;
    elimination e = {.local = local, .row = NULL};
    e.row = coupled_rows(arena, &local->v, &e.count);
    e.x = haw_arena_allocate(arena, (size_t)local->bilateral, sizeof(double));
    if (e.row == NULL || e.x == NULL) {
        return HAW_ERR_NOMEM;
    }
    const int64_t p = local->bilateral, n = e.count;
    const int64_t entries = local->w.start[local->w.rows];
    if (p * p + n * n > FILL_MAX || entries + n * n >= INT_MAX) {
        return haw_fclib_fail(file, "/fclib_local/V",
                              "%d equalities on %d contact rows are too many to eliminate",
                              local->bilateral, e.count);
    }
    HAW_TRY(haw_triplets_create(arena, (int)(entries + n * n), true, &e.sum));
    HAW_TRY(haw_lu_create(arena, &local->r, &e.lu));
    const haw_status status = run_elimination(file, local, &e);
    haw_lu_release(e.lu);
    return status;
}

/* ---- blocks ---- */

/*
 * Blocks that hold anything but zeros, the transposed places of these and the diagonal: a solver
 * may rely on a symmetric pattern.
 */
static haw_status find_blocks(haw_fclib *file, const haw_fclib_local *local, haw_csr *pattern)
{
    const int d = local->dimension;
    const haw_csr *w = &local->w;
    const int entries = w->start[w->rows];
    haw_triplets places;
    HAW_TRY(haw_triplets_create(&file->arena, (ptrdiff_t)2 * entries + local->contacts, false,
                                &places));
    for (int c = 0; c < local->contacts; c++) {
        haw_triplets_add(&places, c, c, 0.0);
    }
    for (int i = 0; i < w->rows; i++) {
        int last = -1;
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            const int block = w->column[k] / d;
            if (w->value[k] != 0.0 && block != last) {
                haw_triplets_add(&places, i / d, block, 0.0);
                haw_triplets_add(&places, block, i / d, 0.0);
                last = block;
            }
        }
    }
    return haw_triplets_compress(&file->arena, &places, local->contacts, local->contacts, pattern);
}

/* Places of blocks and their values are counted with an int. */
static haw_status check_count(const haw_fclib *file, const haw_fclib_local *local, int blocks)
{
    const int entries = local->w.start[local->w.rows];
    const bool is_small = entries <= INT_MAX / 2 - local->contacts && blocks <= INT_MAX / 9;
    return is_small ? HAW_OK
                    : haw_fclib_fail(file, "/fclib_local/W", "%d entries are too many", entries);
}

/* The rows of one contact. place [contacts]: scratch. Entries without a block are zeros. */
static void fill_row(const haw_csr *from, int c, int *place, haw_bsr *w)
{
    const int d = w->block;
    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        place[w->column[k]] = k + 1;
    }
    w->diagonal[c] = place[c] - 1;
    for (int i = d * c; i < d * (c + 1); i++) {
        for (int k = from->start[i]; k < from->start[i + 1]; k++) {
            const int at = place[from->column[k] / d] - 1;
            if (at >= 0) {
                const int inside = d * (i - d * c) + from->column[k] % d;
                w->value[(ptrdiff_t)at * d * d + inside] = from->value[k];
            }
        }
    }
    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        place[w->column[k]] = 0;
    }
}

haw_status haw_fclib_blocks(haw_fclib *file, const haw_fclib_local *local, haw_problem **problem)
{
    const int d = local->dimension, n = local->contacts;
    haw_csr pattern;
    HAW_TRY(check_count(file, local, 0));
    HAW_TRY(find_blocks(file, local, &pattern));
    HAW_TRY(check_count(file, local, pattern.start[n]));
    int *place = haw_arena_allocate(&file->arena, (size_t)n + 1, sizeof(int));
    HAW_TRY(haw_arena_status(&file->arena));
    const haw_problem_size size = {.dimension = d, .contacts = n, .blocks = pattern.start[n]};
    HAW_TRY(haw_problem_create(file->context, &size, problem));
    haw_bsr *w = &(*problem)->w;
    for (int k = 0; k < pattern.start[n]; k++) {
        w->column[k] = pattern.column[k];
    }
    for (int c = 0; c < n; c++) {
        w->start[c + 1] = pattern.start[c + 1];
        fill_row(&local->w, c, place, w);
        (*problem)->mu[c] = local->mu[c];
    }
    for (int i = 0; i < n * d; i++) {
        (*problem)->q[i] = local->q[i];
    }
    return HAW_OK;
}
