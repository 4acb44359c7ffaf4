/* SPDX-License-Identifier: BSD-3-Clause */
/* The three kinds behind haw_lu; for the folder's own files only. */
#ifndef HAWSER_LINALG_LU_KINDS_H
#define HAWSER_LINALG_LU_KINDS_H

#include "linalg/lu.h"

#include <float.h>

/* A pivot no larger than this, times the largest entry of its column before the elimination, is
 * what rounding leaves of nothing; rows are scaled to a largest entry in [1/2, 1). */
#define HAW_LU_PIVOT_MIN (64 * DBL_EPSILON)

/* The matrix of one factorization by rows at their new places: row i has the entries start[i] ...
 * start[i + 1] - 1, entry k is scale[i] value[source[k]] in the new column column[k]; source NULL:
 * scale[i] value[k]. start NULL: no pattern, the dense kind has the matrix already. */
typedef struct haw_lu_rows {
    int n;
    const int *start, *column, *source;
    const double *scale; /* [n] powers of two */
    const double *value;
    double *size; /* [n] largest entries of the scaled columns, once asked for */
    bool is_sized;
} haw_lu_rows;

/** Entry k of the scaled row i. */
static inline double haw_lu_entry(const haw_lu_rows *rows, int i, int k)
{
    return rows->scale[i] * rows->value[rows->source != NULL ? rows->source[k] : k];
}

/** Largest entry of a column of the scaled matrix. */
double haw_lu_column_size(haw_lu_rows *rows, int column);

/* P A = L U by rows with kl = ku = width: U has up to 2 width entries beside the diagonal. */
typedef struct haw_lu_band {
    int n, width;
    int stride;       /* width, rounded up to whole vectors */
    double *lower;    /* [n stride] multipliers of step k at lower[k stride], then zeros */
    double *upper;    /* [n (2 width + 1)] rows of U, packed; the diagonal inverted */
    ptrdiff_t *start; /* [n + 1] of the rows in `upper` */
    int *pivot;       /* [n] row exchanged with row k */
    double flops;     /* of the last factorization */

    /* Window of the width + 1 rows at work; its columns are counted from `base`. */
    double *window;           /* [width + 1][length] */
    double **row;             /* [n] where the row at this place is in the window */
    int *end;                 /* [n] first column behind the non-zeros of that row */
    double **target, *factor; /* [width] rows to be changed by a step, multipliers */
    double *spare;            /* slot of the window without a row */
    int length, base;
} haw_lu_band;

haw_status haw_lu_band_init(haw_arena *arena, int n, int width, haw_lu_band *band);

/** @return the step without a usable pivot, or -1 */
int haw_lu_band_factor(haw_lu_band *band, haw_lu_rows *rows);
void haw_lu_band_solve(const haw_lu_band *band, double *x);

/* The matrix, then its factors, by columns. */
typedef struct haw_lu_dense {
    int n;
    double *value; /* [n n] */
    int *pivot;    /* [n] */
} haw_lu_dense;

haw_status haw_lu_dense_init(haw_arena *arena, int n, haw_lu_dense *dense);

/**
 * Scale the rows of a matrix that is in place already.
 * @param scale, size  [n] out: powers of two; largest entries of the scaled columns
 * @return the first row without a finite non-zero largest entry, or -1
 */
int haw_lu_dense_scale(haw_lu_dense *dense, double *scale, double *size);

/** @return the step without a usable pivot, or -1 */
int haw_lu_dense_factor(haw_lu_dense *dense, haw_lu_rows *rows);
void haw_lu_dense_solve(const haw_lu_dense *dense, double *x);

/* UMFPACK's objects; the pattern is that of the columns of the transposed matrix. */
typedef struct haw_lu_sparse {
    int n;
    const int *start, *column;
    double *value; /* [start[n]] scaled */
    void *symbolic, *numeric;
    double *work, *right; /* [n] */
    int *index;           /* [n] */
    double control[20];   /* UMFPACK_CONTROL */
    double estimate;      /* of the operations of a factorization */
    double flops;         /* of the last one */
    double entries;       /* of L and U */
} haw_lu_sparse;

/** Symbolic analysis. */
haw_status haw_lu_sparse_init(haw_arena *arena, const haw_csr *pattern, haw_lu_sparse *sparse);

/** Numeric memory, once the kind is chosen. */
haw_status haw_lu_sparse_reserve(haw_arena *arena, haw_lu_sparse *sparse);
haw_status haw_lu_sparse_factor(haw_context *context, haw_lu_sparse *sparse,
                                const haw_lu_rows *rows);
void haw_lu_sparse_solve(haw_lu_sparse *sparse, double *x);
void haw_lu_sparse_release(haw_lu_sparse *sparse);

#endif
