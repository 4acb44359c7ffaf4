/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse Cholesky (CHOLMOD) of matrices of one pattern, analysed once. */
#ifndef HAWSER_LINALG_FACTOR_SPARSE_H
#define HAWSER_LINALG_FACTOR_SPARSE_H

#include "base/status.h"

typedef struct haw_sparse_factor haw_sparse_factor;

/* Lower triangle of a symmetric matrix by compressed columns, rows ascending. */
typedef struct haw_sparse {
    int n;
    int *start; /* [n + 1] */
    int *row;   /* [start[n]] */
    double *value;
} haw_sparse;

/** For sparse symmetric positive definite matrices of this pattern; analysed once (AMD order). */
HAW_NODISCARD haw_status haw_sparse_factor_create(haw_context *context, const haw_sparse *pattern,
                                                  haw_sparse_factor **factor);

/** Numeric factorization. @return ERR_SINGULAR if not positive definite, with the row */
HAW_NODISCARD haw_status haw_sparse_factor_compute(haw_sparse_factor *factor,
                                                   const haw_sparse *matrix);

/** Row at which the last factorization found that the matrix is not positive definite: a vector
 * with a part in that row has x' A x <= 0 but for rounding. -1: it did not. */
int haw_sparse_factor_stopped(const haw_sparse_factor *factor);

/**
 * Solve A X = B in place for `columns` right-hand sides; NaN without a factorization or memory.
 *
 * @param x  [n][columns], right-hand sides fastest
 */
void haw_sparse_factor_solve(haw_sparse_factor *factor, int columns, double *x);

/* At most three sparse rows, of ascending columns. */
typedef struct haw_sparse_rows {
    int count;        /* rows */
    const int *start; /* [count + 1] into column and value */
    const int *column;
    const double *value;
} haw_sparse_rows;

/**
 * B A^-1 B^T for a few sparse rows B, by half solves with what these rows reach in the factor only:
 * far cheaper than `count` solves where the factor is sparse.
 *
 * @param gram  [count count] out
 * @return      ERR_NOMEM; ERR_ARG for more rows or without a factorization
 */
HAW_NODISCARD haw_status haw_sparse_factor_gram(haw_sparse_factor *factor,
                                                const haw_sparse_rows *rows, double *gram);

/** As haw_factor_margin. @param diagonal [n] of the factorized matrix */
double haw_sparse_factor_margin(const haw_sparse_factor *factor, const double *diagonal);

/** Entries of the triangular factor: a solve costs four operations for each. */
double haw_sparse_factor_entries(const haw_sparse_factor *factor);

void haw_sparse_factor_free(haw_sparse_factor *factor); /* NULL is accepted */

#endif
