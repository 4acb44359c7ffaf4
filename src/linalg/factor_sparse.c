/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse Cholesky by CHOLMOD (Chen, Davis, Hager, Rajamanickam: ACM TOMS 35 (2008) 22), int
 * interface, AMD ordering, simplicial or supernodal by CHOLMOD's own choice. Its memory comes from
 * SuiteSparse's process-wide allocator, not from the context.
 */
#include "linalg/factor_sparse.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>

enum { GRAM_MAX = 3 };

struct haw_sparse_factor {
    haw_context *context;
    bool is_ready; /* the last numeric factorization succeeded */
    cholmod_common common;
    cholmod_factor *l;
    cholmod_dense *b, *x, *y, *e;  /* kept between solves: no allocation for repeated shapes */
    cholmod_sparse *set, *reached; /* rows of a sparse right-hand side and of its half solve */
    int n;
    int *place;   /* [n] in the order of the factor; NULL until asked for */
    int *met;     /* [n] the last set that had the row */
    int sets;     /* so many were made */
    double *half; /* [GRAM_MAX][n] half solves, gathered */
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
        return haw_fail(context, HAW_ERR_NOMEM, "CHOLMOD cannot be started");
    }
    cholmod_common *common = &made->common;
    common->print = 0;
    common->error_handler = NULL;
    common->try_catch = 1;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
    common->supernodal = CHOLMOD_AUTO;
    common->final_ll = 1; /* L D L^T would accept indefinite matrices */
    common->quick_return_if_not_posdef = 1;
    made->context = context;
    made->n = pattern->n;
    cholmod_sparse a = view(pattern);
    made->l = cholmod_analyze(&a, common);
    if (made->l == NULL) {
        const int code = common->status;
        haw_sparse_factor_free(made);
        return haw_fail(context, code == CHOLMOD_INVALID ? HAW_ERR_ARG : HAW_ERR_NOMEM,
                        "CHOLMOD cannot analyse the pattern (status %d)", code);
    }
    *factor = made;
    return HAW_OK;
}

haw_status haw_sparse_factor_compute(haw_sparse_factor *factor, const haw_sparse *matrix)
{
    haw_context *context = factor->context;
    factor->is_ready = false;
    if (matrix->n != factor->n) {
        return haw_fail(context, HAW_ERR_ARG,
                        "sparse matrix does not have the shape of its factorization");
    }
    for (int k = 0; k < matrix->start[matrix->n]; ++k) {
        if (!isfinite(matrix->value[k])) { /* CHOLMOD compares with zero, which a NaN passes */
            return haw_fail(context, HAW_ERR_SINGULAR, "matrix is not finite at row %d of %d",
                            matrix->row[k], factor->n);
        }
    }
    cholmod_sparse a = view(matrix);
    haw_context_sparse(context)->cholmod_factorizations++;
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
    factor->is_ready = true;
    return HAW_OK;
}

int haw_sparse_factor_stopped(const haw_sparse_factor *factor)
{
    const cholmod_factor *l = factor->l;
    return l->xtype == CHOLMOD_REAL && l->minor < l->n ? ((const int *)l->Perm)[l->minor] : -1;
}

/* @return false if CHOLMOD ran out of memory; x is then unchanged */
static bool solve(haw_sparse_factor *factor, size_t width, double *x)
{
    const size_t n = (size_t)factor->n;
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
    haw_context_sparse(factor->context)->cholmod_solves++;
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

void haw_sparse_factor_solve(haw_sparse_factor *factor, int columns, double *x)
{
    if (factor->is_ready && solve(factor, (size_t)columns, x)) {
        return;
    }
    for (ptrdiff_t i = 0; i < (ptrdiff_t)factor->n * columns; ++i) {
        x[i] = (double)NAN; /* never a plausible number */
    }
}

static void gram_release(haw_sparse_factor *factor)
{
    haw_release(factor->context, factor->place);
    haw_release(factor->context, factor->met);
    haw_release(factor->context, factor->half);
    factor->place = factor->met = NULL;
    factor->half = NULL;
    (void)cholmod_free_sparse(&factor->set, &factor->common);
    (void)cholmod_free_sparse(&factor->reached, &factor->common);
}

/* Memory of the half solves, taken at the first of them. CHOLMOD itself does not survive it where
 * there is none for the list of rows that a half solve reaches. */
static haw_status gram_reserve(haw_sparse_factor *factor)
{
    haw_context *context = factor->context;
    if (factor->place != NULL) {
        return HAW_OK;
    }
    const size_t n = (size_t)factor->n;
    int *place = haw_allocate(context, n, sizeof(int));
    factor->met = haw_allocate(context, n, sizeof(int));
    factor->half = haw_allocate(context, n, GRAM_MAX * sizeof(double));
    factor->set = cholmod_allocate_sparse(n, 1, n, 1, 1, 0, CHOLMOD_PATTERN, &factor->common);
    factor->reached = cholmod_allocate_sparse(n, 1, n, 0, 1, 0, CHOLMOD_PATTERN, &factor->common);
    if (place == NULL || factor->met == NULL || factor->half == NULL || factor->set == NULL ||
        factor->reached == NULL) {
        haw_release(context, place);
        gram_release(factor);
        return haw_fail(context, HAW_ERR_NOMEM, "out of memory (half solves of %d rows)",
                        factor->n);
    }
    const int *order = factor->l->Perm;
    for (int k = 0; k < factor->n; ++k) {
        place[order[k]] = k;
    }
    factor->place = place;
    return HAW_OK;
}

/* The rows' columns, each once. */
static void gram_set(haw_sparse_factor *factor, const haw_sparse_rows *rows)
{
    int *index = factor->set->i;
    int count = 0;
    ++factor->sets;
    for (int k = rows->start[0]; k < rows->start[rows->count]; ++k) {
        const int place = factor->place[rows->column[k]];
        if (factor->met[place] != factor->sets) {
            factor->met[place] = factor->sets;
            index[count++] = place;
        }
    }
    ((int *)factor->set->p)[1] = count;
}

/* L y = P b for one row. @return the length of y's list of rows, the same for all rows of the set;
 * -1 if CHOLMOD ran out of memory */
static int gram_half(haw_sparse_factor *factor, const haw_sparse_rows *rows, int row, double *half)
{
    double *b = factor->b->x;
    const int *index = factor->set->i;
    for (int k = 0; k < ((const int *)factor->set->p)[1]; ++k) {
        b[index[k]] = 0;
    }
    for (int k = rows->start[row]; k < rows->start[row + 1]; ++k) {
        b[factor->place[rows->column[k]]] = rows->value[k];
    }
    haw_context_sparse(factor->context)->cholmod_solves++;
    if (!cholmod_solve2(CHOLMOD_L, factor->l, factor->b, factor->set, &factor->x, &factor->reached,
                        &factor->y, &factor->e, &factor->common)) {
        return -1;
    }
    const double *x = factor->x->x;
    const int *reached = factor->reached->i;
    const int count = ((const int *)factor->reached->p)[1];
    for (int k = 0; k < count; ++k) {
        half[k] = x[reached[k]];
    }
    return count;
}

haw_status haw_sparse_factor_gram(haw_sparse_factor *factor, const haw_sparse_rows *rows,
                                  double *gram)
{
    haw_context *context = factor->context;
    const size_t n = (size_t)factor->n;
    if (!factor->is_ready) {
        return haw_fail(context, HAW_ERR_ARG,
                        "no sparse factorization to compute a Gram matrix from");
    }
    if (rows->count > GRAM_MAX) {
        return haw_fail(context, HAW_ERR_ARG, "Gram matrix of %d rows (at most %d)", rows->count,
                        (int)GRAM_MAX);
    }
    HAW_TRY(gram_reserve(factor));
    if (cholmod_ensure_dense(&factor->b, n, 1, n, CHOLMOD_REAL, &factor->common) == NULL) {
        return haw_fail(context, HAW_ERR_NOMEM, "CHOLMOD is out of memory");
    }
    gram_set(factor, rows);
    if (((const int *)factor->set->p)[1] == 0) {
        memset(gram, 0, (size_t)(rows->count * rows->count) * sizeof *gram);
        return HAW_OK;
    }
    int count = 0;
    for (int a = 0; a < rows->count; ++a) {
        double *half = factor->half + (size_t)a * n;
        count = gram_half(factor, rows, a, half);
        if (count < 0) {
            return haw_fail(context, HAW_ERR_NOMEM, "CHOLMOD is out of memory");
        }
        for (int c = 0; c <= a; ++c) {
            const double *other = factor->half + (size_t)c * n;
            double sum = 0;
            for (int k = 0; k < count; ++k) {
                sum += half[k] * other[k];
            }
            gram[a * rows->count + c] = gram[c * rows->count + a] = sum;
        }
    }
    return HAW_OK;
}

double haw_sparse_factor_margin(const haw_sparse_factor *factor, const double *diagonal)
{
    const cholmod_factor *l = factor->l;
    const int *order = l->Perm, *super = l->super, *rows = l->pi;
    double margin = (double)INFINITY;
    for (int j = 0, supernode = 0; j < factor->n; ++j) {
        ptrdiff_t at = 0;  /* of L_jj */
        if (l->is_super) { /* on the diagonal of a supernode's block */
            while (super[supernode + 1] <= j) {
                ++supernode;
            }
            const ptrdiff_t length = rows[supernode + 1] - rows[supernode];
            at = ((const int *)l->px)[supernode] + (j - super[supernode]) * (length + 1);
        } else { /* first of a simplicial column */
            at = ((const int *)l->p)[j];
        }
        const double root = ((const double *)l->x)[at];
        margin = fmin(margin, root * root / diagonal[order[j]]);
    }
    return margin;
}

double haw_sparse_factor_entries(const haw_sparse_factor *factor)
{
    return factor->common.lnz;
}

void haw_sparse_factor_free(haw_sparse_factor *factor)
{
    if (factor != NULL) {
        haw_context *context = factor->context;
        (void)cholmod_free_factor(&factor->l, &factor->common);
        (void)cholmod_free_dense(&factor->b, &factor->common);
        (void)cholmod_free_dense(&factor->x, &factor->common);
        (void)cholmod_free_dense(&factor->y, &factor->common);
        (void)cholmod_free_dense(&factor->e, &factor->common);
        gram_release(factor);
        (void)cholmod_finish(&factor->common);
        haw_release(context, factor);
    }
}
