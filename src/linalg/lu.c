/* SPDX-License-Identifier: BSD-3-Clause */
/* The face of the LU factorizations: the choice of the kind, and the scaling of rows. */
#include "linalg/lu_kinds.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const haw_lu_ops *const kinds[] = {[HAW_LU_DENSE] = &haw_lu_dense_ops,
                                          [HAW_LU_BAND] = &haw_lu_band_ops,
                                          [HAW_LU_KLU] = &haw_lu_klu_ops,
                                          [HAW_LU_UMFPACK] = &haw_lu_umfpack_ops};

/* ---- creation and choice ---- */

/* All but what a kind needs. pattern NULL: a full matrix */
static haw_status begin(haw_arena *arena, const haw_csr *pattern, int rows, int columns,
                        haw_lu **lu)
{
    const size_t n = (size_t)rows;
    *lu = NULL;
    if (rows < 1 || rows != columns) {
        (void)haw_fail(arena->context, HAW_ERR_ARG, "LU of a matrix of %d x %d", rows, columns);
        return HAW_ERR_ARG;
    }
    haw_lu *made = haw_arena_allocate(arena, 1, sizeof *made);
    double *scale = haw_arena_allocate(arena, n, sizeof(double));
    double *size = haw_arena_allocate(arena, n, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    *made = (haw_lu){.context = arena->context, .pattern = pattern, .n = rows};
    made->scale = scale;
    made->size = size;
    if (pattern != NULL) {
        made->start = pattern->start;
        made->column = pattern->column;
    }
    *lu = made;
    return HAW_OK;
}

/* The kind that should take the least, of those below `best` [s]; none: ops stays NULL. */
static haw_status choose(haw_arena *arena, haw_lu *lu, double best, int count,
                         const haw_lu_kind *among)
{
    for (int i = 0; i < count; ++i) {
        const haw_lu_ops *row = kinds[among[i]];
        double seconds = 0;
        HAW_TRY(row->analyse(arena, lu, best, &seconds));
        if (seconds < best) {
            haw_lu_release(lu);
            best = seconds;
            lu->ops = row;
        } else if (row->release != NULL) {
            row->release(lu);
        }
    }
    return HAW_OK;
}

/* Which kinds may be chosen. */
typedef struct choice {
    int count;
    const haw_lu_kind *among; /* [count] */
    double best;              /* [s] those that should take less */
    double tolerance;         /* of the pivots of sparse kinds */
    double light;             /* the one that is tried before, 0: none */
    const haw_csr_order *order;
} choice;

static haw_status create(haw_arena *arena, const haw_csr *pattern, const choice *of, haw_lu **lu)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_lu *made;
    *lu = NULL;
    HAW_TRY(begin(arena, pattern, pattern->rows, pattern->columns, &made));
    made->tolerance = of->tolerance;
    made->light = of->light;
    made->order = of->order;
    haw_status status = choose(arena, made, of->best, of->count, of->among);
    if (status == HAW_OK && made->ops == NULL) {
        haw_arena_rewind(arena, &mark);
        return HAW_OK;
    }
    if (status == HAW_OK) {
        status = made->ops->reserve(arena, made);
    }
    if (status != HAW_OK) {
        haw_lu_release(made);
        return status;
    }
    *lu = made;
    return HAW_OK;
}

haw_status haw_lu_create(haw_arena *arena, const haw_csr *pattern, haw_lu **lu)
{
    static const haw_lu_kind among[] = {HAW_LU_DENSE, HAW_LU_BAND, HAW_LU_UMFPACK};
    const choice of = {3, among, (double)INFINITY, HAW_LU_PIVOT_TOLERANCE, 0, NULL};
    return create(arena, pattern, &of, lu);
}

haw_status haw_lu_create_kind(haw_arena *arena, const haw_csr *pattern, haw_lu_kind kind,
                              haw_lu **lu)
{
    const choice of = {1, &kind, (double)INFINITY, HAW_LU_PIVOT_TOLERANCE, 0, NULL};
    return create(arena, pattern, &of, lu);
}

haw_status haw_lu_create_sparse(haw_arena *arena, const haw_csr *pattern,
                                const haw_csr_order *order, double seconds, haw_lu **lu)
{
    static const haw_lu_kind among[] = {HAW_LU_KLU, HAW_LU_UMFPACK};
    const choice of = {2, among, seconds, HAW_LU_DIAGONAL_TOLERANCE, HAW_LU_LIGHT_TOLERANCE, order};
    return create(arena, pattern, &of, lu);
}

haw_status haw_lu_create_full(haw_arena *arena, int n, haw_lu **lu)
{
    HAW_TRY(begin(arena, NULL, n, n, lu));
    (*lu)->ops = &haw_lu_dense_ops;
    return (*lu)->ops->reserve(arena, *lu);
}

double *haw_lu_matrix(haw_lu *lu)
{
    return lu->pattern == NULL ? lu->dense.value : NULL;
}

void haw_lu_release(haw_lu *lu)
{
    if (lu != NULL && lu->ops != NULL && lu->ops->release != NULL) {
        lu->ops->release(lu);
    }
}

/* ---- rows and their scales ---- */

double haw_lu_column_size(haw_lu *lu, int column)
{
    if (!lu->is_sized) {
        memset(lu->size, 0, (size_t)lu->n * sizeof(double));
        for (int i = 0; i < lu->n; ++i) {
            for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
                double *size = &lu->size[lu->column[k]];
                *size = fmax(*size, fabs(haw_lu_entry(lu, i, k)));
            }
        }
        lu->is_sized = true;
    }
    return lu->size[column];
}

double haw_lu_row_scale(double largest)
{
    int exponent = 0;
    (void)frexp(largest, &exponent);
    return largest >= DBL_MIN && largest <= DBL_MAX ? ldexp(1, -exponent) : 0;
}

/* Largest |a|, not a number if an entry is none: bits of positive doubles are in their order. */
static double largest_of(int count, const double *value)
{
    uint64_t most = 0;
    double largest;
    for (int k = 0; k < count; ++k) {
        const double size = fabs(value[k]);
        uint64_t bits;
        memcpy(&bits, &size, sizeof bits);
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

/* @return the first row without a finite non-zero largest entry, or -1 */
static int scale_rows(haw_lu *lu)
{
    const int *start = lu->pattern->start;
    for (int i = 0; i < lu->n; ++i) {
        const int row = lu->source != NULL ? lu->band.place[i] : i;
        lu->scale[row] =
            haw_lu_row_scale(largest_of(start[i + 1] - start[i], lu->given + start[i]));
        if (lu->scale[row] == 0) {
            return row;
        }
    }
    return -1;
}

haw_status haw_lu_reserve_sparse(haw_arena *arena, haw_lu *lu)
{
    lu->value = haw_arena_allocate(arena, (size_t)lu->pattern->start[lu->n], sizeof(double));
    lu->work = haw_arena_allocate(arena, (size_t)lu->n, sizeof(double));
    lu->right = haw_arena_allocate(arena, (size_t)lu->n, sizeof(double));
    lu->rest = haw_arena_allocate(arena, (size_t)lu->n, sizeof(double));
    lu->probe = haw_arena_allocate(arena, (size_t)lu->n, sizeof(double));
    return haw_arena_status(arena);
}

void haw_lu_scale_values(haw_lu *lu)
{
    for (int i = 0; i < lu->n; ++i) {
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            lu->value[k] = lu->scale[i] * lu->given[k];
        }
    }
}

bool haw_lu_pivots_are_usable(const haw_lu *lu, const int *order, const double *pivot,
                              const double *scale)
{
    for (int k = 0; k < lu->n; ++k) {
        const int i = order[k];
        double largest = 0;
        for (int j = lu->start[i]; j < lu->start[i + 1]; ++j) {
            largest = fmax(largest, fabs(lu->value[j] * scale[lu->column[j]]));
        }
        if (!(fabs(pivot[k]) > HAW_LU_PIVOT_MIN * largest)) {
            return false;
        }
    }
    return true;
}

haw_status haw_lu_refuse(const haw_lu *lu, int row)
{
    if (row < 0) {
        return HAW_OK;
    }
    int old = row;
    if (lu->source != NULL) { /* before the rows were ordered */
        for (old = 0; lu->band.place[old] != row;) {
            ++old;
        }
    }
    return haw_fail(lu->context, HAW_ERR_SINGULAR,
                    "matrix is singular to working precision at row %d of %d", old, lu->n);
}

/* @param x  NULL, or a right-hand side by which kept factors are judged; its solution then */
static haw_status factor(haw_lu *lu, const double *value, double *x)
{
    const bool has_factors = lu->is_ready && lu->light > 0;
    lu->is_ready = false;
    lu->given = value;
    lu->is_kept = has_factors && haw_lu_keeps(lu, x);
    if (lu->is_kept) {
        lu->is_ready = true;
        return HAW_OK;
    }
    lu->is_sized = lu->pattern == NULL; /* found with the scales */
    HAW_TRY(haw_lu_refuse(lu, lu->pattern != NULL ? scale_rows(lu) : haw_lu_dense_scale(lu)));
    HAW_TRY(lu->light > 0 ? haw_lu_factor_lightly(lu) : lu->ops->factor(lu));
    lu->is_ready = true;
    return HAW_OK;
}

haw_status haw_lu_factor(haw_lu *lu, const double *value)
{
    return factor(lu, value, NULL);
}

haw_status haw_lu_factor_solve(haw_lu *lu, const double *value, double *x)
{
    const haw_status status = factor(lu, value, x);
    if (!lu->is_kept) {
        haw_lu_solve(lu, x);
    }
    return status;
}

bool haw_lu_is_kept(const haw_lu *lu)
{
    return lu->is_kept;
}

void haw_lu_solve(haw_lu *lu, double *x)
{
    if (lu->is_ready && (lu->is_kept || lu->refinements > 0)) {
        haw_lu_refine(lu, x);
        return;
    }
    if (lu->is_ready) {
        lu->ops->solve(lu, x);
        return;
    }
    for (int i = 0; i < lu->n; ++i) {
        x[i] = (double)NAN;
    }
}

void haw_lu_solve_once(haw_lu *lu, double *x)
{
    if (lu->is_ready) {
        lu->ops->solve(lu, x);
    } else {
        haw_lu_solve(lu, x);
    }
}

double haw_lu_factor_flops(const haw_lu *lu)
{
    return lu->factor_flops;
}

double haw_lu_solve_flops(const haw_lu *lu)
{
    return lu->solve_flops;
}
