/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse LU by UMFPACK (T. A. Davis, ACM Trans. Math. Softw. 30 (2004) 196-199), int interface.
 * UMFPACK takes columns: it is given the transposed matrix and solves with its transpose. Its
 * memory comes from SuiteSparse's process-wide allocator, not from the context.
 */
#include "linalg/lu_kinds.h"

#include <umfpack.h>

static haw_status fail(haw_context *context, int code)
{
    if (code == UMFPACK_ERROR_out_of_memory) {
        return haw_fail(context, HAW_ERR_NOMEM, "UMFPACK is out of memory");
    }
    if (code == UMFPACK_WARNING_singular_matrix) {
        return haw_fail(context, HAW_ERR_SINGULAR, "matrix is singular to working precision");
    }
    return haw_fail(context, HAW_ERR_ARG, "UMFPACK rejects the matrix (status %d)", code);
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

static haw_status analyse(haw_arena *arena, haw_lu *lu, double best, double *seconds)
{
    haw_lu_umfpack *umfpack = &lu->umfpack;
    const haw_csr *pattern = lu->pattern;
    _Static_assert(sizeof umfpack->control == UMFPACK_CONTROL * sizeof(double), "control");
    const haw_csr_order *order = lu->order;
    double info[UMFPACK_INFO];
    *seconds = order != NULL ? haw_lu_seconds_umfpack(pattern->start[lu->n] + order->entries / 2,
                                                      order->flops)
                             : haw_lu_seconds_umfpack(pattern->start[lu->n], 0);
    if (*seconds >= best) {
        return HAW_OK;
    }
    umfpack_di_defaults(umfpack->control);
    /* One step of refinement costs as much as two solves more; an iteration corrects itself. */
    umfpack->control[UMFPACK_IRSTEP] = 0;
    umfpack->control[UMFPACK_PIVOT_TOLERANCE] = HAW_LU_PIVOT_TOLERANCE;
    if (order != NULL) {
        umfpack->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    }
    const int code = umfpack_di_qsymbolic(lu->n, lu->n, pattern->start, pattern->column, NULL,
                                          order != NULL ? order->order : NULL, &umfpack->symbolic,
                                          umfpack->control, info);
    if (code != UMFPACK_WARNING_singular_matrix && code != UMFPACK_OK) {
        return fail(arena->context, code);
    }
    lu->factor_flops = order != NULL ? order->flops : estimate(info);
    lu->solve_flops = 0;
    *seconds =
        order != NULL ? *seconds : haw_lu_seconds_umfpack(pattern->start[lu->n], lu->factor_flops);
    return HAW_OK;
}

static haw_status reserve(haw_arena *arena, haw_lu *lu)
{
    lu->umfpack.right = haw_arena_allocate(arena, (size_t)lu->n, sizeof(double));
    lu->umfpack.index = haw_arena_allocate(arena, (size_t)lu->n, sizeof(int));
    return haw_lu_reserve_sparse(arena, lu);
}

/* UMFPACK divides or multiplies what it takes for rows; no entry is larger than 1 then. */
static bool pivots_are_usable(haw_lu *lu, const double *info)
{
    haw_lu_umfpack *umfpack = &lu->umfpack;
    int multiplies = 0;
    double *pivot = lu->work, *scale = umfpack->right;
    if (info[UMFPACK_UMIN] > HAW_LU_PIVOT_MIN) {
        return true;
    }
    if (umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, umfpack->index, pivot,
                               &multiplies, scale, umfpack->numeric) != UMFPACK_OK) {
        return false;
    }
    for (int i = 0; i < lu->n && multiplies == 0; ++i) {
        scale[i] = 1 / scale[i];
    }
    return haw_lu_pivots_are_usable(lu, umfpack->index, pivot, scale);
}

static haw_status factor(haw_lu *lu)
{
    haw_lu_umfpack *umfpack = &lu->umfpack;
    double info[UMFPACK_INFO];
    haw_lu_scale_values(lu);
    umfpack->control[UMFPACK_SYM_PIVOT_TOLERANCE] = lu->tolerance;
    umfpack_di_free_numeric(&umfpack->numeric);
    haw_context_sparse(lu->context)->umfpack_factorizations++;
    const int code =
        umfpack_di_numeric(lu->pattern->start, lu->pattern->column, lu->value, umfpack->symbolic,
                           &umfpack->numeric, umfpack->control, info);
    if (code != UMFPACK_OK) {
        return fail(lu->context, code);
    }
    if (!pivots_are_usable(lu, info)) {
        return fail(lu->context, UMFPACK_WARNING_singular_matrix);
    }
    lu->factor_flops = info[UMFPACK_FLOPS];
    lu->solve_flops = 2 * (info[UMFPACK_LNZ] + info[UMFPACK_UNZ]);
    return HAW_OK;
}

static void solve(haw_lu *lu, double *x)
{
    haw_lu_umfpack *umfpack = &lu->umfpack;
    haw_lu_scale_right(lu, x);
    haw_context_sparse(lu->context)->umfpack_solves++;
    for (int i = 0; i < lu->n; ++i) {
        umfpack->right[i] = x[i];
    }
    (void)umfpack_di_wsolve(UMFPACK_At, lu->pattern->start, lu->pattern->column, lu->value, x,
                            umfpack->right, umfpack->numeric, umfpack->control, NULL,
                            umfpack->index, lu->work);
}

static haw_status extract(haw_lu *lu, haw_arena *arena, haw_lu_triangles *t, bool *has)
{
    haw_lu_umfpack *umfpack = &lu->umfpack;
    int lower, upper, n, columns, diagonal, multiplies = 0;
    double *scale = umfpack->right;
    *has = umfpack_di_get_lunz(&lower, &upper, &n, &columns, &diagonal, umfpack->numeric) ==
           UMFPACK_OK;
    if (!*has) {
        return HAW_OK;
    }
    HAW_TRY(haw_lu_triangles_create(arena, lu->n, lower, upper, t));
    t->lower_is_by_rows = true;
    *has = umfpack_di_get_numeric(t->lower.start, t->lower.column, t->lower.value, t->upper.start,
                                  t->upper.column, t->upper.value, t->row, t->column, NULL,
                                  &multiplies, scale, umfpack->numeric) == UMFPACK_OK;
    for (int k = 0; k < lu->n && *has; ++k) {
        const double own = scale[t->row[k]];
        t->scale[k] = multiplies != 0 ? own : 1 / own;
    }
    return HAW_OK;
}

static void release(haw_lu *lu)
{
    umfpack_di_free_numeric(&lu->umfpack.numeric);
    umfpack_di_free_symbolic(&lu->umfpack.symbolic);
}

const haw_lu_ops haw_lu_umfpack_ops = {.analyse = analyse,
                                       .reserve = reserve,
                                       .factor = factor,
                                       .solve = solve,
                                       .release = release,
                                       .extract = extract};
