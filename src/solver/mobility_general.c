/* SPDX-License-Identifier: BSD-3-Clause */
/* K = [M -G S; S G^T 0] by LU: bilateral rows, or an M that is not symmetric positive definite. */
#include "solver/mobility.h"

#include <float.h>
#include <math.h>

/*
 * S_i = 2^k near the smallest M_jj / |G_ji| of row i of G^T: no column of G S is larger than M. K
 * mixes masses with pure numbers otherwise, and its pivots, compared with the largest entry of
 * their column, would depend on the unit of mass.
 */
static double find_scale(const haw_csr *gt, const double *diagonal, double mean, int row)
{
    double smallest = HUGE_VAL, largest = 0;
    for (int k = gt->start[row]; k < gt->start[row + 1]; ++k) {
        const double size = fabs(gt->value[k]), mass = diagonal[gt->column[k]];
        largest = fmax(largest, size);
        smallest = mass > 0 && size > 0 ? fmin(smallest, mass / size) : smallest;
    }
    if (smallest > DBL_MAX) { /* no mass of its own anywhere in the row */
        smallest = mean / largest;
    }
    int exponent = 0;
    (void)frexp(smallest, &exponent);
    return smallest >= DBL_MIN && smallest <= DBL_MAX ? ldexp(1, exponent - 1) : 1;
}

/* |M_ii| */
static double *find_diagonal(haw_arena *arena, const haw_csr *m, double *mean)
{
    double *diagonal = haw_arena_allocate(arena, (size_t)m->rows, sizeof(double));
    *mean = 0;
    for (int i = 0; diagonal != NULL && i < m->rows; ++i) {
        const int k = haw_csr_find(m, i, i);
        diagonal[i] = k >= 0 ? fabs(m->value[k]) : 0;
        *mean += diagonal[i] / m->rows;
    }
    return diagonal;
}

static haw_status find_scales(haw_arena *arena, haw_mobility *mobility)
{
    const haw_global *global = mobility->problem->global;
    mobility->scale = haw_arena_allocate(arena, (size_t)global->gt.rows, sizeof(double));
    const haw_arena_mark mark = haw_arena_here(arena);
    double mean = 0;
    const double *diagonal = find_diagonal(arena, &global->m, &mean);
    if (mobility->scale == NULL || diagonal == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < global->gt.rows; ++i) {
        mobility->scale[i] = find_scale(&global->gt, diagonal, mean, i);
    }
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

/* Append one row of a block, times `factor`, from column `first` on. */
static void append(haw_csr *k, int *count, const haw_csr *block, int row, int first, double factor)
{
    for (int e = block->start[row]; e < block->start[row + 1]; ++e) {
        k->column[*count] = first + block->column[e];
        k->value[(*count)++] = factor * block->value[e];
    }
}

static haw_status assemble(haw_arena *arena, haw_mobility *mobility)
{
    const haw_csr *m = &mobility->problem->global->m;
    const haw_csr *gt = &mobility->problem->global->gt;
    const int n = m->rows;
    const int p = gt->rows;
    const ptrdiff_t entries = p > 0 ? (ptrdiff_t)2 * gt->start[p] : 0;
    haw_csr *k = &mobility->kkt;
    haw_csr g = {0}; /* -G S by rows, where there is any */
    HAW_TRY(haw_csr_create(arena, n + p, n + p, m->start[n] + entries, true, k));
    if (p > 0) {
        HAW_TRY(haw_csr_transpose(arena, gt, &g));
    }
    for (int e = 0; p > 0 && e < g.start[n]; ++e) {
        g.value[e] *= -mobility->scale[g.column[e]];
    }
    int count = 0;
    for (int i = 0; i < n + p; ++i) {
        if (i < n) {
            append(k, &count, m, i, 0, 1);
        } else {
            append(k, &count, gt, i - n, 0, mobility->scale[i - n]);
        }
        if (i < n && p > 0) {
            append(k, &count, &g, i, n, 1);
        }
        k->start[i + 1] = count;
    }
    return HAW_OK;
}

haw_status haw_mobility_general_factor(haw_arena *arena, haw_mobility *mobility)
{
    mobility->kind = HAW_MOBILITY_GENERAL;
    HAW_TRY(find_scales(arena, mobility));
    HAW_TRY(assemble(arena, mobility));
    HAW_TRY(haw_lu_create(arena, &mobility->kkt, &mobility->lu));
    HAW_TRY(haw_lu_factor(mobility->lu, mobility->kkt.value));
    mobility->flops = haw_lu_solve_flops(mobility->lu);
    return HAW_OK;
}

void haw_mobility_general_solve(const haw_mobility *mobility, double *x)
{
    const haw_global *global = mobility->problem->global;
    double *l = x + global->m.rows;
    for (int i = 0; i < global->gt.rows; ++i) {
        l[i] *= mobility->scale[i];
    }
    haw_lu_solve(mobility->lu, x);
    for (int i = 0; i < global->gt.rows; ++i) {
        l[i] *= mobility->scale[i];
    }
}
