/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse LU by UMFPACK (T. A. Davis, ACM Trans. Math. Softw. 30 (2004) 196-199), int interface.
 * UMFPACK takes columns: it is given the transposed matrix and solves with its transpose. Its
 * memory comes from SuiteSparse's process-wide allocator, not from the context.
 */
#include "linalg/lu_kinds.h"

#include <math.h>
#include <umfpack.h>

/*
 * Pivots within this factor of the largest entry of their column. With UMFPACK's defaults (0.1, and
 * 0.001 for the diagonal) the entries of a chain of 3000 random 3 x 3 blocks grow by 1e28; with 1/2
 * nothing grows, for about a tenth more time.
 */
#define PIVOT_TOLERANCE 0.5

static haw_status fail(haw_context *context, int code)
{
    if (code == UMFPACK_ERROR_out_of_memory) {
        return haw_fail(context, HAW_ERR_NOMEM, "UMFPACK is out of memory");
    }
    if (code == UMFPACK_WARNING_singular_matrix) {
        return haw_fail(context, HAW_ERR_SINGULAR, "matrix is singular to working precision");
    }
    return haw_fail(context, HAW_ERR_ARG, "UMFPACK refuses the matrix (status %d)", code);
}

/* The bound is far too high as a rule; where diagonal pivots are preferred, the operations without
 * exchanges are known. */
static double estimate(const double *info)
{
    const double bound = info[UMFPACK_FLOPS_ESTIMATE] / 2;
    const double symmetric = 2 * info[UMFPACK_SYMMETRIC_FLOPS];
    const bool is_symmetric = info[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_SYMMETRIC;
    return is_symmetric && symmetric < bound ? symmetric : bound;
}

haw_status haw_lu_sparse_init(haw_arena *arena, const haw_csr *pattern, haw_lu_sparse *sparse)
{
    _Static_assert(sizeof sparse->control == UMFPACK_CONTROL * sizeof(double), "control");
    double info[UMFPACK_INFO];
    *sparse =
        (haw_lu_sparse){.n = pattern->rows, .start = pattern->start, .column = pattern->column};
    umfpack_di_defaults(sparse->control);
    /* One step of refinement costs as much as two solves more; an iteration corrects itself. */
    sparse->control[UMFPACK_IRSTEP] = 0;
    sparse->control[UMFPACK_PIVOT_TOLERANCE] = PIVOT_TOLERANCE;
    sparse->control[UMFPACK_SYM_PIVOT_TOLERANCE] = PIVOT_TOLERANCE;
    const int code = umfpack_di_symbolic(sparse->n, sparse->n, sparse->start, sparse->column, NULL,
                                         &sparse->symbolic, sparse->control, info);
    if (code == UMFPACK_WARNING_singular_matrix || code == UMFPACK_OK) {
        sparse->estimate = estimate(info);
        return HAW_OK;
    }
    return fail(arena->context, code);
}

haw_status haw_lu_sparse_reserve(haw_arena *arena, haw_lu_sparse *sparse)
{
    const size_t n = (size_t)sparse->n;
    sparse->value = haw_arena_allocate(arena, (size_t)sparse->start[n], sizeof(double));
    sparse->work = haw_arena_allocate(arena, n, sizeof(double));
    sparse->right = haw_arena_allocate(arena, n, sizeof(double));
    sparse->index = haw_arena_allocate(arena, n, sizeof(int));
    return haw_arena_status(arena);
}

/*
 * The pivots against the largest entries of their columns: column j of what UMFPACK factorizes is
 * row j of the matrix, each entry scaled by UMFPACK's factor for its column.
 */
static bool pivots_are_usable(haw_lu_sparse *sparse, const double *info)
{
    if (info[UMFPACK_UMIN] > HAW_LU_PIVOT_MIN) {
        return true; /* no entry is larger than 1 after UMFPACK's scaling */
    }
    int inverted = 0;
    double *pivot = sparse->work;
    double *scale = sparse->right;
    if (umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, sparse->index, pivot,
                               &inverted, scale, sparse->numeric) != UMFPACK_OK) {
        return false;
    }
    for (int k = 0; k < sparse->n; ++k) {
        const int j = sparse->index[k];
        double largest = 0;
        for (int i = sparse->start[j]; i < sparse->start[j + 1]; ++i) {
            const double s = scale[sparse->column[i]];
            largest = fmax(largest, fabs(inverted ? sparse->value[i] * s : sparse->value[i] / s));
        }
        if (!(fabs(pivot[k]) > HAW_LU_PIVOT_MIN * largest)) {
            return false;
        }
    }
    return true;
}

haw_status haw_lu_sparse_factor(haw_context *context, haw_lu_sparse *sparse,
                                const haw_lu_rows *rows)
{
    double info[UMFPACK_INFO];
    for (int i = 0; i < sparse->n; ++i) {
        for (int k = sparse->start[i]; k < sparse->start[i + 1]; ++k) {
            sparse->value[k] = rows->scale[i] * rows->value[k];
        }
    }
    umfpack_di_free_numeric(&sparse->numeric);
    const int code = umfpack_di_numeric(sparse->start, sparse->column, sparse->value,
                                        sparse->symbolic, &sparse->numeric, sparse->control, info);
    if (code != UMFPACK_OK) {
        return fail(context, code);
    }
    if (!pivots_are_usable(sparse, info)) {
        return fail(context, UMFPACK_WARNING_singular_matrix);
    }
    sparse->flops = info[UMFPACK_FLOPS];
    sparse->entries = info[UMFPACK_LNZ] + info[UMFPACK_UNZ];
    return HAW_OK;
}

void haw_lu_sparse_solve(haw_lu_sparse *sparse, double *x)
{
    for (int i = 0; i < sparse->n; ++i) {
        sparse->right[i] = x[i];
    }
    (void)umfpack_di_wsolve(UMFPACK_At, sparse->start, sparse->column, sparse->value, x,
                            sparse->right, sparse->numeric, sparse->control, NULL, sparse->index,
                            sparse->work);
}

void haw_lu_sparse_release(haw_lu_sparse *sparse)
{
    umfpack_di_free_numeric(&sparse->numeric);
    umfpack_di_free_symbolic(&sparse->symbolic);
}
