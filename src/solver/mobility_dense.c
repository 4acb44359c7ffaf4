/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * M that falls into small independent blocks, as that of rigid bodies: each is factorized densely,
 * and what an impulse changes is stored, M^-1 H, since it is not much more than H.
 */
#include "solver/mobility.h"

#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    PART_MAX = 64,
    PUSH_FILL = 16
}; /* velocities of a part; entries of M^-1 H over those of H */

/* Velocities by parts, ascending in each. */
static haw_status gather(haw_arena *arena, int n, haw_mobility_parts *parts)
{
    const size_t count = (size_t)parts->count;
    parts->start = haw_arena_allocate(arena, count + 1, sizeof(int));
    parts->member = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    parts->offset = haw_arena_allocate(arena, count, sizeof(ptrdiff_t));
    int *next = haw_arena_allocate(arena, count, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < n; ++i) {
        ++parts->start[parts->part[i] + 1];
    }
    for (int p = 0; p < parts->count; ++p) {
        next[p] = parts->start[p];
        parts->start[p + 1] += parts->start[p];
    }
    for (int i = 0; i < n; ++i) {
        parts->member[next[parts->part[i]]++] = i;
    }
    return HAW_OK;
}

static int part_size(const haw_mobility_parts *parts, int part)
{
    return parts->start[part + 1] - parts->start[part];
}

/* Entries of one row of M^-1 H, with repetitions of parts counted once as long as they follow each
 * other; an upper bound. */
static double push_entries(const haw_csr *ht, const haw_mobility_parts *parts, int row)
{
    double count = 0;
    int last = -1;
    for (int k = ht->start[row]; k < ht->start[row + 1]; ++k) {
        const int part = parts->part[ht->column[k]];
        count += part != last ? part_size(parts, part) : 0;
        last = part;
    }
    return count;
}

static bool are_small(const haw_csr *ht, const haw_mobility_parts *parts)
{
    for (int p = 0; p < parts->count; ++p) {
        if (part_size(parts, p) > PART_MAX) {
            return false;
        }
    }
    double count = 0;
    for (int row = 0; row < ht->rows; ++row) {
        count += push_entries(ht, parts, row);
    }
    return count <= (double)PUSH_FILL * ht->start[ht->rows] && count <= INT_MAX;
}

/* Memory of the factors. */
static haw_status reserve(haw_arena *arena, int n, haw_mobility_parts *parts)
{
    ptrdiff_t values = 0;
    int largest = 0;
    for (int p = 0; p < parts->count; ++p) {
        const ptrdiff_t size = part_size(parts, p);
        parts->offset[p] = values;
        values += size * size;
        largest = size > largest ? (int)size : largest;
    }
    parts->value = haw_arena_allocate(arena, (size_t)values, sizeof(double));
    parts->pivot = haw_arena_allocate(arena, (size_t)n, sizeof(lapack_int));
    parts->scale = haw_arena_allocate(arena, (size_t)n, sizeof(double));
    parts->x = haw_arena_allocate(arena, (size_t)largest, sizeof(double));
    return haw_arena_status(arena);
}

haw_status haw_mobility_divide(haw_arena *arena, const haw_global *global,
                               haw_mobility_parts *parts)
{
    const int n = global->m.rows;
    const haw_arena_mark all = haw_arena_here(arena);
    haw_csr pattern;
    *parts = (haw_mobility_parts){0};
    parts->part = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    const haw_arena_mark mark = haw_arena_here(arena);
    HAW_TRY(haw_csr_symmetrize(arena, &global->m, &pattern));
    HAW_TRY(haw_csr_parts(arena, &pattern, parts->part, &parts->count));
    haw_arena_rewind(arena, &mark);
    HAW_TRY(gather(arena, n, parts));
    if (!are_small(&global->ht, parts)) {
        haw_arena_rewind(arena, &all);
        *parts = (haw_mobility_parts){0};
        return HAW_OK;
    }
    return reserve(arena, n, parts);
}

/* No pivot is what rounding leaves of nothing, as in the LU of whole matrices. */
static bool are_usable(int size, const double *lu, const double *largest)
{
    for (int i = 0; i < size; ++i) {
        const double pivot = fabs(lu[(ptrdiff_t)i * (size + 1)]);
        if (!(pivot > 64 * DBL_EPSILON * largest[i])) {
            return false;
        }
    }
    return true;
}

/* Power of two that takes the largest entry of a row to [1/2, 1), as in the LU of whole matrices;
 * 0 if that is zero or not finite. */
static double row_scale(const haw_csr *m, int row)
{
    double largest = 0, poison = 0;
    for (int k = m->start[row]; k < m->start[row + 1]; ++k) {
        largest = fmax(largest, fabs(m->value[k]));
        poison += m->value[k] * 0;
    }
    return isnan(poison) ? 0 : haw_lu_row_scale(largest);
}

/* Dense columns of one part, rows scaled; largest entry of each column to x. */
static bool load_part(const haw_csr *m, const haw_mobility_parts *parts, int part)
{
    const int size = part_size(parts, part);
    const int *member = parts->member + parts->start[part];
    double *a = parts->value + parts->offset[part];
    memset(a, 0, (size_t)size * (size_t)size * sizeof *a);
    memset(parts->x, 0, (size_t)size * sizeof *a);
    for (int i = 0; i < size; ++i) {
        const double scale = row_scale(m, member[i]);
        int j = 0;
        if (scale == 0) {
            return false;
        }
        parts->scale[parts->start[part] + i] = scale;
        for (int k = m->start[member[i]]; k < m->start[member[i] + 1]; ++k) {
            while (member[j] != m->column[k]) {
                ++j; /* both ascend */
            }
            a[(ptrdiff_t)j * size + i] = scale * m->value[k];
            parts->x[j] = fmax(parts->x[j], fabs(scale * m->value[k]));
        }
    }
    return true;
}

static bool factor_part(const haw_csr *m, const haw_mobility_parts *parts, int part)
{
    const int size = part_size(parts, part);
    double *a = parts->value + parts->offset[part];
    int *pivot = parts->pivot + parts->start[part];
    return load_part(m, parts, part) &&
           LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, a, size, pivot) == 0 &&
           are_usable(size, a, parts->x);
}

haw_status haw_mobility_parts_factor(haw_context *context, const haw_csr *m,
                                     haw_mobility_parts *parts)
{
    for (int p = 0; p < parts->count; ++p) {
        if (!factor_part(m, parts, p)) {
            return haw_fail(context, HAW_ERR_SINGULAR,
                            "mass matrix is singular at velocity %d and those coupled to it",
                            parts->member[parts->start[p]]);
        }
    }
    return HAW_OK;
}

/* x = M_pp^-1 x for one part; x [size]. */
static void solve_part(const haw_mobility_parts *parts, int part, double *x)
{
    const int size = part_size(parts, part);
    const double *a = parts->value + parts->offset[part];
    for (int i = 0; i < size; ++i) {
        x[i] *= parts->scale[parts->start[part] + i];
    }
    if (size == 1) {
        x[0] /= a[0];
        return;
    }
    (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, 1, a, size,
                              parts->pivot + parts->start[part], x, size);
}

void haw_mobility_parts_solve(const haw_mobility_parts *parts, double *x)
{
    for (int p = 0; p < parts->count; ++p) {
        const int *member = parts->member + parts->start[p];
        const int size = part_size(parts, p);
        for (int i = 0; i < size; ++i) {
            parts->x[i] = x[member[i]];
        }
        solve_part(parts, p, parts->x);
        for (int i = 0; i < size; ++i) {
            x[member[i]] = parts->x[i];
        }
    }
}

/* Append M_pp^-1 H_p of one row; `dense` [nv] holds the row and loses the part's entries. */
static int push_part(const haw_mobility_parts *parts, int part, double *dense, haw_csr *push,
                     int count)
{
    const int *member = parts->member + parts->start[part];
    const int size = part_size(parts, part);
    for (int i = 0; i < size; ++i) {
        parts->x[i] = dense[member[i]];
        dense[member[i]] = 0;
    }
    solve_part(parts, part, parts->x);
    for (int i = 0; i < size; ++i) {
        if (parts->x[i] != 0) {
            push->column[count] = member[i];
            push->value[count++] = parts->x[i];
        }
    }
    return count;
}

haw_status haw_mobility_parts_push(haw_arena *arena, const haw_csr *ht,
                                   const haw_mobility_parts *parts, haw_csr *push)
{
    double count = 0;
    for (int row = 0; row < ht->rows; ++row) {
        count += push_entries(ht, parts, row);
    }
    HAW_TRY(haw_csr_create(arena, ht->rows, ht->columns, (ptrdiff_t)count, true, push));
    const haw_arena_mark mark = haw_arena_here(arena);
    double *dense = haw_arena_allocate(arena, (size_t)ht->columns, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    int end = 0;
    for (int row = 0; row < ht->rows; ++row) {
        for (int k = ht->start[row]; k < ht->start[row + 1]; ++k) {
            dense[ht->column[k]] = ht->value[k];
        }
        int last = -1;
        for (int k = ht->start[row]; k < ht->start[row + 1]; ++k) {
            const int part = parts->part[ht->column[k]];
            if (part != last) {
                end = push_part(parts, part, dense, push, end);
            }
            last = part;
        }
        push->start[row + 1] = end;
    }
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}
