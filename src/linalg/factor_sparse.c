/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse Cholesky by CHOLMOD (Chen, Davis, Hager, Rajamanickam: ACM TOMS 35 (2008) 22), int
 * interface, AMD ordering, simplicial or supernodal by CHOLMOD's own choice. Its memory comes from
 * SuiteSparse's process-wide allocator, not from the context.
 */
#include "linalg/factor_internal.h"

#include <cholmod.h>
#include <limits.h>
#include <math.h>

struct haw_sparse_factor {
    cholmod_common common;
    cholmod_factor *l;
    cholmod_dense *b, *x, *y, *e; /* kept between solves: no allocation for repeated shapes */
    int n;
};

/* CHOLMOD's view of a matrix; nothing is copied. */
static cholmod_sparse view(const haw_sparse *matrix)
{
    return (cholmod_sparse){
        .nrow = (size_t)matrix->n,
        .ncol = (size_t)matrix->n,
        .nzmax = (size_t)matrix->start[matrix->n],
        .p = matrix->start,
        .i = matrix->row,
        .x = matrix->value,
        .stype = -1, /* lower triangle */
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static haw_status check_pattern(haw_context *context, const haw_sparse *pattern)
{
    if (pattern->n < 1 || pattern->start[0] != 0) {
        return haw_fail(context, HAW_ERR_ARG, "sparse matrix of %d rows", pattern->n);
    }
    for (int j = 0; j < pattern->n; ++j) {
        int last = j - 1;
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; ++k) {
            if (pattern->row[k] <= last || pattern->row[k] >= pattern->n) {
                return haw_fail(context, HAW_ERR_ARG,
                                "rows of column %d are not ascending in the lower triangle", j);
            }
            last = pattern->row[k];
        }
    }
    return HAW_OK;
}

static void configure(cholmod_common *common)
{
    common->print = 0;
    common->error_handler = NULL;
    common->try_catch = 1;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
    common->supernodal = CHOLMOD_AUTO;
    common->final_ll = 1; /* L D L^T would accept indefinite matrices */
    common->quick_return_if_not_posdef = 1;
}

haw_status haw_sparse_factor_create(haw_context *context, const haw_sparse *pattern,
                                    haw_sparse_factor **factor)
{
    *factor = NULL;
    HAW_TRY(check_pattern(context, pattern));
    haw_sparse_factor *made = haw_allocate(context, 1, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (!cholmod_start(&made->common)) {
        haw_release(context, made);
        return haw_fail(context, HAW_ERR_NOMEM, "CHOLMOD does not start");
    }
    configure(&made->common);
    made->n = pattern->n;
    cholmod_sparse a = view(pattern);
    made->l = cholmod_analyze(&a, &made->common);
    if (made->l == NULL) {
        const int code = made->common.status;
        haw_sparse_factor_free(context, made);
        return haw_fail(context, code == CHOLMOD_INVALID ? HAW_ERR_ARG : HAW_ERR_NOMEM,
                        "CHOLMOD cannot analyse the pattern (status %d)", code);
    }
    *factor = made;
    return HAW_OK;
}

haw_status haw_sparse_factor_compute(haw_context *context, haw_sparse_factor *factor,
                                     const haw_sparse *matrix)
{
    for (int k = 0; k < matrix->start[matrix->n]; ++k) {
        if (!isfinite(matrix->value[k])) { /* CHOLMOD compares with zero, which a NaN passes */
            return haw_fail(context, HAW_ERR_SINGULAR, "matrix is not finite at row %d of %d",
                            matrix->row[k], factor->n);
        }
    }
    cholmod_sparse a = view(matrix);
    const int is_done = cholmod_factorize(&a, factor->l, &factor->common);
    if (!is_done && factor->common.status == CHOLMOD_OUT_OF_MEMORY) {
        return haw_fail(context, HAW_ERR_NOMEM, "CHOLMOD is out of memory");
    }
    const size_t bad = factor->l->minor;
    if (bad < factor->l->n) {
        const int row = ((const int *)factor->l->Perm)[bad];
        return haw_fail(context, HAW_ERR_SINGULAR,
                        "matrix is not positive definite at row %d of %d", row, factor->n);
    }
    /* 0 if the factor itself overflowed to something that is not a number. */
    if (!is_done || !(cholmod_rcond(factor->l, &factor->common) > 0)) {
        return haw_fail(context, HAW_ERR_SINGULAR, "matrix of %d rows cannot be factorized",
                        factor->n);
    }
    return HAW_OK;
}

bool haw_sparse_factor_solve(haw_sparse_factor *factor, int columns, double *x)
{
    const size_t n = (size_t)factor->n;
    const size_t width = (size_t)columns;
    const cholmod_dense *b =
        cholmod_ensure_dense(&factor->b, n, width, n, CHOLMOD_REAL, &factor->common);
    if (b == NULL) {
        return false;
    }
    double *dense = b->x; /* column-major */
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < width; ++k) {
            dense[k * n + i] = x[i * width + k];
        }
    }
    if (!cholmod_solve2(CHOLMOD_A, factor->l, factor->b, NULL, &factor->x, NULL, &factor->y,
                        &factor->e, &factor->common)) {
        return false;
    }
    const double *solution = factor->x->x;
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < width; ++k) {
            x[i * width + k] = solution[k * n + i];
        }
    }
    return true;
}

int haw_sparse_factor_rows(const haw_sparse_factor *factor)
{
    return factor->n;
}

void haw_sparse_factor_free(haw_context *context, haw_sparse_factor *factor)
{
    if (factor != NULL) {
        (void)cholmod_free_factor(&factor->l, &factor->common);
        (void)cholmod_free_dense(&factor->b, &factor->common);
        (void)cholmod_free_dense(&factor->x, &factor->common);
        (void)cholmod_free_dense(&factor->y, &factor->common);
        (void)cholmod_free_dense(&factor->e, &factor->common);
        (void)cholmod_finish(&factor->common);
        haw_release(context, factor);
    }
}
