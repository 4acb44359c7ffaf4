/* SPDX-License-Identifier: BSD-3-Clause */
/* The face of the LU factorizations: the choice of the kind, scaling, order of the rows. */
#include "linalg/lu.h"

#include "linalg/lu_kinds.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct haw_lu {
    haw_context *context;
    const haw_csr *pattern;
    haw_lu_kind kind;
    bool is_ready; /* the last factorization succeeded */
    int n, width;  /* half-band in the order of `place` */
    int *place;    /* [n] banded: new place of each row and column */
    haw_lu_rows rows;
    double *scale;   /* [n] by new rows */
    double *ordered; /* [n] right-hand side in the order of the rows */
    haw_lu_band band;
    haw_lu_dense dense;
    haw_lu_sparse sparse;
};

/*
 * Predicted seconds, fitted to measurements on one core of a recent server processor with one
 * thread of OpenBLAS (n = 6 to 6000, half-bands 3 to 150, full matrices up to n = 1000, bordered
 * and random sparse ones); only their ratios matter. UMFPACK spends much of its time on each
 * entry.
 */
static double seconds_dense(double n)
{
    return 0.1e-6 + n * n * (2.8e-9 + n * 0.02e-9);
}

static double seconds_band(double n, double width)
{
    return n * (20e-9 + width * 3e-9 + width * width * 0.37e-9);
}

static double seconds_sparse(double entries, double flops)
{
    return 5e-6 + entries * 38e-9 + flops * 0.1e-9;
}

/* Order for a small half-band, of the pattern and its transpose together. */
static haw_status find_place(haw_arena *arena, haw_lu *lu)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_csr symmetric;
    haw_status status = haw_csr_symmetrize(arena, lu->pattern, &symmetric);
    if (status == HAW_OK) {
        status = haw_csr_place(arena, &symmetric, lu->place, &lu->width);
    }
    haw_arena_rewind(arena, &mark);
    return status;
}

/* The pattern's rows in their new order. */
static haw_status permute(haw_arena *arena, haw_lu *lu)
{
    const haw_csr *pattern = lu->pattern;
    const size_t n = (size_t)lu->n;
    const size_t count = (size_t)pattern->start[n];
    int *start = haw_arena_allocate(arena, n + 1, sizeof(int));
    int *column = haw_arena_allocate(arena, count, sizeof(int));
    int *source = haw_arena_allocate(arena, count, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < lu->n; ++i) {
        start[lu->place[i] + 1] = pattern->start[i + 1] - pattern->start[i];
    }
    for (int i = 0; i < lu->n; ++i) {
        start[i + 1] += start[i];
    }
    for (int i = 0; i < lu->n; ++i) {
        int next = start[lu->place[i]];
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
            column[next] = lu->place[pattern->column[k]];
            source[next++] = k;
        }
    }
    lu->rows.start = start;
    lu->rows.column = column;
    lu->rows.source = source;
    return HAW_OK;
}

/* The rows in the pattern's own order. */
static void keep_order(haw_lu *lu)
{
    lu->place = NULL;
    if (lu->pattern != NULL) {
        lu->rows.start = lu->pattern->start;
        lu->rows.column = lu->pattern->column;
    }
}

/* What the chosen kind needs for its factorizations. */
static haw_status reserve(haw_arena *arena, haw_lu *lu)
{
    switch (lu->kind) {
    case HAW_LU_DENSE:
        keep_order(lu);
        return haw_lu_dense_init(arena, lu->n, &lu->dense);
    case HAW_LU_BAND:
        HAW_TRY(permute(arena, lu));
        return haw_lu_band_init(arena, lu->n, lu->width, &lu->band);
    case HAW_LU_SPARSE:
        keep_order(lu);
        break;
    }
    return haw_lu_sparse_reserve(arena, &lu->sparse);
}

/* The fastest kind; UMFPACK's analysis, dearer than a banded factorization, is only asked for
 * where its least possible cost is below what the others take. */
static haw_status choose(haw_arena *arena, haw_lu *lu)
{
    const double n = lu->n;
    const double entries = lu->pattern->start[lu->n];
    const double dense = seconds_dense(n);
    double best = dense;
    lu->kind = HAW_LU_DENSE;
    if (seconds_band(n, (entries / n - 1) / 2) < best) {
        HAW_TRY(find_place(arena, lu));
        if (seconds_band(n, lu->width) < best) {
            best = seconds_band(n, lu->width);
            lu->kind = HAW_LU_BAND;
        }
    }
    if (seconds_sparse(entries, 0) < best) {
        HAW_TRY(haw_lu_sparse_init(arena, lu->pattern, &lu->sparse));
        if (seconds_sparse(entries, lu->sparse.estimate) < best) {
            lu->kind = HAW_LU_SPARSE;
        } else {
            haw_lu_sparse_release(&lu->sparse);
        }
    }
    return HAW_OK;
}

static haw_status take_kind(haw_arena *arena, haw_lu *lu, const haw_lu_kind *kind)
{
    if (kind == NULL) {
        return choose(arena, lu);
    }
    lu->kind = *kind;
    if (*kind == HAW_LU_BAND) {
        return find_place(arena, lu);
    }
    return *kind == HAW_LU_SPARSE ? haw_lu_sparse_init(arena, lu->pattern, &lu->sparse) : HAW_OK;
}

/* pattern NULL: a full matrix */
static haw_status create(haw_arena *arena, const haw_csr *pattern, int rows,
                         const haw_lu_kind *kind, haw_lu **lu)
{
    const int columns = pattern != NULL ? pattern->columns : rows;
    *lu = NULL;
    if (rows < 1 || rows != columns) {
        return haw_fail(arena->context, HAW_ERR_ARG, "LU of a matrix of %d x %d", rows, columns);
    }
    haw_lu *made = haw_arena_allocate(arena, 1, sizeof *made);
    HAW_TRY(haw_arena_status(arena));
    const size_t n = (size_t)rows;
    made->context = arena->context;
    made->pattern = pattern;
    made->n = rows;
    made->place = haw_arena_allocate(arena, n, sizeof(int));
    made->scale = haw_arena_allocate(arena, n, sizeof(double));
    made->ordered = haw_arena_allocate(arena, n, sizeof(double));
    made->rows.size = haw_arena_allocate(arena, n, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    made->rows.n = made->n;
    made->rows.scale = made->scale;
    haw_status status = take_kind(arena, made, kind);
    if (status == HAW_OK) {
        status = reserve(arena, made);
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
    return create(arena, pattern, pattern->rows, NULL, lu);
}

haw_status haw_lu_create_kind(haw_arena *arena, const haw_csr *pattern, haw_lu_kind kind,
                              haw_lu **lu)
{
    return create(arena, pattern, pattern->rows, &kind, lu);
}

haw_status haw_lu_create_full(haw_arena *arena, int n, haw_lu **lu)
{
    const haw_lu_kind kind = HAW_LU_DENSE;
    return create(arena, NULL, n, &kind, lu);
}

double *haw_lu_matrix(haw_lu *lu)
{
    return lu->pattern == NULL ? lu->dense.value : NULL;
}

haw_lu_kind haw_lu_kind_of(const haw_lu *lu)
{
    return lu->kind;
}

double haw_lu_column_size(haw_lu_rows *rows, int column)
{
    if (rows->is_sized) {
        return rows->size[column];
    }
    memset(rows->size, 0, (size_t)rows->n * sizeof(double));
    for (int i = 0; i < rows->n; ++i) {
        for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) {
            double *size = &rows->size[rows->column[k]];
            *size = fmax(*size, fabs(haw_lu_entry(rows, i, k)));
        }
    }
    rows->is_sized = true;
    return rows->size[column];
}

double haw_lu_row_scale(double largest)
{
    int exponent = 0;
    (void)frexp(largest, &exponent);
    return largest >= DBL_MIN && largest <= DBL_MAX ? ldexp(1, -exponent) : 0;
}

/* @return the first row without a finite non-zero largest entry, or -1 */
static int scale_rows(haw_lu *lu, const double *value)
{
    const haw_lu_rows *rows = &lu->rows;
    for (int i = 0; i < lu->n; ++i) {
        double largest = 0;
        double poison = 0; /* not a number if an entry is not finite */
        for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) {
            const double a = value[rows->source != NULL ? rows->source[k] : k];
            largest = fabs(a) > largest ? fabs(a) : largest;
            poison += a * 0;
        }
        lu->scale[i] = isnan(poison) ? 0 : haw_lu_row_scale(largest);
        if (lu->scale[i] == 0) {
            return i;
        }
    }
    return -1;
}

/* Old number of a row of the ordered matrix. */
static int old_row(const haw_lu *lu, int row)
{
    if (lu->place == NULL) {
        return row;
    }
    int old = 0;
    while (lu->place[old] != row) {
        ++old;
    }
    return old;
}

static haw_status refuse(const haw_lu *lu, int row)
{
    return row < 0 ? HAW_OK
                   : haw_fail(lu->context, HAW_ERR_SINGULAR,
                              "matrix is singular to working precision at row %d of %d",
                              old_row(lu, row), lu->n);
}

haw_status haw_lu_factor(haw_lu *lu, const double *value)
{
    haw_status status = HAW_OK;
    lu->is_ready = false;
    lu->rows.value = value;
    lu->rows.is_sized = lu->pattern == NULL; /* found with the scales */
    HAW_TRY(refuse(lu, lu->pattern != NULL
                           ? scale_rows(lu, value)
                           : haw_lu_dense_scale(&lu->dense, lu->scale, lu->rows.size)));
    switch (lu->kind) {
    case HAW_LU_DENSE:
        status = refuse(lu, haw_lu_dense_factor(&lu->dense, &lu->rows));
        break;
    case HAW_LU_BAND:
        status = refuse(lu, haw_lu_band_factor(&lu->band, &lu->rows));
        break;
    case HAW_LU_SPARSE:
        status = haw_lu_sparse_factor(lu->context, &lu->sparse, &lu->rows);
        break;
    }
    lu->is_ready = status == HAW_OK;
    return status;
}

static void solve_band(haw_lu *lu, double *x)
{
    double *y = lu->ordered;
    for (int i = 0; i < lu->n; ++i) {
        const int place = lu->place[i];
        y[place] = lu->scale[place] * x[i];
    }
    haw_lu_band_solve(&lu->band, y);
    for (int i = 0; i < lu->n; ++i) {
        x[i] = y[lu->place[i]];
    }
}

void haw_lu_solve(haw_lu *lu, double *x)
{
    if (lu->kind == HAW_LU_BAND && lu->is_ready) {
        solve_band(lu, x);
        return;
    }
    for (int i = 0; i < lu->n; ++i) {
        x[i] = lu->is_ready ? lu->scale[i] * x[i] : (double)NAN;
    }
    if (lu->kind == HAW_LU_DENSE && lu->is_ready) {
        haw_lu_dense_solve(&lu->dense, x);
    } else if (lu->kind == HAW_LU_SPARSE && lu->is_ready) {
        haw_lu_sparse_solve(&lu->sparse, x);
    }
}

double haw_lu_factor_flops(const haw_lu *lu)
{
    const double n = lu->n;
    const double b = lu->width;
    switch (lu->kind) {
    case HAW_LU_DENSE:
        return 2 * n * n * n / 3;
    case HAW_LU_BAND:
        return lu->band.flops > 0 ? lu->band.flops : 2 * n * b * b;
    case HAW_LU_SPARSE:
        break;
    }
    return lu->sparse.flops > 0 ? lu->sparse.flops : lu->sparse.estimate;
}

double haw_lu_solve_flops(const haw_lu *lu)
{
    const double n = lu->n;
    switch (lu->kind) {
    case HAW_LU_DENSE:
        return 2 * n * n;
    case HAW_LU_BAND:
        return 2 * (n * lu->width + (double)lu->band.start[lu->n]);
    case HAW_LU_SPARSE:
        break;
    }
    return 2 * lu->sparse.entries;
}

void haw_lu_release(haw_lu *lu)
{
    if (lu != NULL) {
        haw_lu_sparse_release(&lu->sparse);
    }
}
