/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense LU by LAPACK (dgetrf). */
#include "linalg/lu_internal.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

haw_status haw_lu_dense_init(haw_arena *arena, int n, haw_lu_dense *dense)
{
    dense->n = n;
    dense->value = haw_arena_allocate(arena, (size_t)n, (size_t)n * sizeof(double));
    dense->pivot = haw_arena_allocate(arena, (size_t)n, sizeof(lapack_int));
    return dense->value != NULL && dense->pivot != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

int haw_lu_dense_factor(haw_lu_dense *dense, haw_lu_rows *rows)
{
    const ptrdiff_t n = dense->n;
    memset(dense->value, 0, (size_t)n * (size_t)n * sizeof(double));
    for (ptrdiff_t i = 0; i < n; ++i) {
        for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) {
            dense->value[n * rows->column[k] + i] = rows->scale[i] * rows->value[rows->source[k]];
        }
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
