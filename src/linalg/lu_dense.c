/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense LU by LAPACK (dgetrf). */
#include "linalg/lu_kinds.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* NOLINTNEXTLINE(readability-non-const-parameter): a row of haw_lu_ops */
static haw_status analyse(haw_arena *arena, haw_lu *lu, double best, double *seconds)
{
    (void)arena;
    (void)best;
    *seconds = haw_lu_seconds_dense(lu->n);
    return HAW_OK;
}

static haw_status reserve(haw_arena *arena, haw_lu *lu)
{
    const double n = lu->n;
    lu->dense.value = haw_arena_allocate(arena, (size_t)lu->n, (size_t)lu->n * sizeof(double));
    lu->dense.pivot = haw_arena_allocate(arena, (size_t)lu->n, sizeof(lapack_int));
    lu->factor_flops = 2 * n * n * n / 3;
    lu->solve_flops = 2 * n * n;
    return haw_arena_status(arena);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* @return the largest entry, of four interleaved parts that need not wait for each other */
static double scale_column(ptrdiff_t n, const double *scale, double *a)
{
    double largest[4] = {0};
    ptrdiff_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; ++k) {
            a[i + k] *= scale[i + k];
            largest[k] = larger(fabs(a[i + k]), largest[k]);
        }
    }
    for (; i < n; ++i) {
        a[i] *= scale[i];
        largest[0] = larger(fabs(a[i]), largest[0]);
    }
    return larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
}

int haw_lu_dense_scale(haw_lu *lu)
{
    haw_lu_dense *dense = &lu->dense;
    const ptrdiff_t n = lu->n;
    double *scale = lu->scale, *size = lu->size;
    double *poison = size; /* of the rows, not a number if an entry is not finite */
    memset(scale, 0, (size_t)n * sizeof *scale);
    memset(poison, 0, (size_t)n * sizeof *poison);
    for (ptrdiff_t j = 0; j < n; ++j) {
        for (ptrdiff_t i = 0; i < n; ++i) {
            const double a = fabs(dense->value[n * j + i]);
            scale[i] = a > scale[i] ? a : scale[i];
            poison[i] += a * 0;
        }
    }
    for (int i = 0; i < lu->n; ++i) {
        scale[i] = isnan(poison[i]) ? 0 : haw_lu_row_scale(scale[i]);
        if (scale[i] == 0) {
            return i;
        }
    }
    for (ptrdiff_t j = 0; j < n; ++j) {
        size[j] = scale_column(n, scale, dense->value + n * j);
    }
    return -1;
}

static haw_status factor(haw_lu *lu)
{
    const ptrdiff_t n = lu->n;
    if (lu->start != NULL) {
        memset(lu->dense.value, 0, (size_t)n * (size_t)n * sizeof(double));
        for (int i = 0; i < lu->n; ++i) {
            for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
                lu->dense.value[n * lu->column[k] + i] = haw_lu_entry(lu, i, k);
            }
        }
    }
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, lu->n, lu->n, lu->dense.value,
                                                lu->n, lu->dense.pivot);
    if (info != 0) {
        return haw_lu_refuse(lu, (int)info - 1);
    }
    for (int k = 0; k < lu->n; ++k) {
        const double size = fabs(lu->dense.value[(n + 1) * k]);
        if (!(size > HAW_LU_PIVOT_MIN) && !(size > HAW_LU_PIVOT_MIN * haw_lu_column_size(lu, k))) {
            return haw_lu_refuse(lu, k);
        }
    }
    return HAW_OK;
}

static void solve(haw_lu *lu, double *x)
{
    haw_lu_scale_right(lu, x);
    (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', lu->n, 1, lu->dense.value, lu->n,
                              lu->dense.pivot, x, lu->n);
}

const haw_lu_ops haw_lu_dense_ops = {
    .analyse = analyse, .reserve = reserve, .factor = factor, .solve = solve};
