/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One face for the factorizations: banded Cholesky (LAPACK dpbtrf) and sparse Cholesky (CHOLMOD).
 * Created once for a pattern (symbolic analysis, all memory), computed as often as the values
 * change. Solves allocate nothing with the banded kind.
 */
#ifndef HAWSER_LINALG_FACTOR_H
#define HAWSER_LINALG_FACTOR_H

#include "linalg/band.h"

typedef struct haw_factor haw_factor;

/** For symmetric positive definite bands of this shape. */
HAW_NODISCARD haw_status haw_factor_create_band(haw_context *context, int n, int width, int copies,
                                                haw_factor **factor);

/* Lower triangle of a symmetric matrix by compressed columns, rows ascending. */
typedef struct haw_sparse {
    int n;
    int *start; /* [n + 1] */
    int *row;   /* [start[n]] */
    double *value;
} haw_sparse;

/** For sparse symmetric positive definite matrices of this pattern; analysed once (AMD order). */
HAW_NODISCARD haw_status haw_factor_create_sparse(haw_context *context, const haw_sparse *pattern,
                                                  haw_factor **factor);

/** Numeric factorization. @return ERR_SINGULAR if not positive definite, with the row */
HAW_NODISCARD haw_status haw_factor_band(haw_factor *factor, const haw_band *matrix);
HAW_NODISCARD haw_status haw_factor_sparse(haw_factor *factor, const haw_sparse *matrix);

/**
 * Solve A X = B in place for `columns` right-hand sides.
 *
 * @param x        [n copies][columns], right-hand sides fastest (the substitution runs over them
 *                 in its inner loop)
 * @param first    first scalar row that may be non-zero in B: forward substitution starts there
 */
void haw_factor_solve(const haw_factor *factor, int columns, int first, double *x);

/**
 * The same where B has non-zeros in a window of rows only and only these rows of X are wanted, as
 * in the Delassus operator of a contact zone. Banded kind; the cost does not depend on n once the
 * band of the inverse is known from the last row up to the window (kept until the next numeric
 * factorization).
 *
 * @param first, count  scalar rows of the window; count at least the half bandwidth
 * @param x             [count copies][columns]
 */
void haw_factor_solve_window(haw_factor *factor, int columns, int first, int count, double *x);

/**
 * Banded kind, after a numeric factorization: all entries of the inverse within the half bandwidth,
 * (A^-1)_ij with i >= j at z[j (kd + 1) + i - j], kept until the next one. NULL if there is none.
 */
const double *haw_factor_inverse_band(haw_factor *factor);

/* At most three sparse rows, of ascending columns. */
typedef struct haw_factor_rows {
    int count;        /* rows */
    const int *start; /* [count + 1] into column and value */
    const int *column;
    const double *value;
} haw_factor_rows;

/**
 * Sparse kind: B A^-1 B^T for a few sparse rows B, by half solves with what these rows reach in the
 * factor only: far cheaper than `count` solves where the factor is sparse.
 *
 * @param gram  [count count] out
 * @return      ERR_NOMEM; ERR_ARG for more rows, the banded kind or without a factorization
 */
HAW_NODISCARD haw_status haw_factor_gram(haw_factor *factor, const haw_factor_rows *rows,
                                         double *gram);

/**
 * Smallest pivot D_j of A = L D L^T over the diagonal entry A_jj that it came from: about the
 * machine epsilon where A is singular but for rounding.
 *
 * @param diagonal  [n] of the factorized matrix
 */
double haw_factor_margin(const haw_factor *factor, const double *diagonal);

/** Half bandwidth of the banded kind, else -1. */
int haw_factor_width(const haw_factor *factor);

/** Entries of the triangular factor: a solve costs four operations for each. */
double haw_factor_entries(const haw_factor *factor);

void haw_factor_free(haw_factor *factor);

#endif
