/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense LU by LAPACK (dgetrf). */
#include "linalg/lu_kinds.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

haw_status haw_lu_dense_init(haw_arena *arena, int n, haw_lu_dense *dense)
{
    dense->n = n;
    dense->value = haw_arena_allocate(arena, (size_t)n, (size_t)n * sizeof(double));
    dense->pivot = haw_arena_allocate(arena, (size_t)n, sizeof(lapack_int));
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

int haw_lu_dense_scale(haw_lu_dense *dense, double *scale, double *size)
{
    const ptrdiff_t n = dense->n;
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
    for (int i = 0; i < dense->n; ++i) {
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

static void load(haw_lu_dense *dense, const haw_lu_rows *rows)
{
    const ptrdiff_t n = dense->n;
    memset(dense->value, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < dense->n; ++i) {
        for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) {
            dense->value[n * rows->column[k] + i] = haw_lu_entry(rows, i, k);
        }
    }
}

int haw_lu_dense_factor(haw_lu_dense *dense, haw_lu_rows *rows)
{
    const ptrdiff_t n = dense->n;
    if (rows->start != NULL) {
        load(dense, rows);
    }
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, dense->n, dense->n, dense->value,
                                                dense->n, dense->pivot);
    if (info != 0) {
        return (int)info - 1;
    }
    for (int k = 0; k < dense->n; ++k) {
        const double size = fabs(dense->value[(n + 1) * k]);
        if (!(size > HAW_LU_PIVOT_MIN) &&
            !(size > HAW_LU_PIVOT_MIN * haw_lu_column_size(rows, k))) {
            return k;
        }
    }
    return -1;
}

void haw_lu_dense_solve(const haw_lu_dense *dense, double *x)
{
    (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', dense->n, 1, dense->value, dense->n,
                              dense->pivot, x, dense->n);
}
