/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Banded Cholesky (LAPACK dpbtrf). Created once for a shape, with all memory, and computed as often
 * as the values change; solves allocate nothing.
 */
#ifndef HAWSER_LINALG_FACTOR_H
#define HAWSER_LINALG_FACTOR_H

#include "linalg/band.h"

typedef struct haw_factor haw_factor;

/** For symmetric positive definite bands of this shape. */
HAW_NODISCARD haw_status haw_factor_create_band(haw_context *context, int n, int width, int copies,
                                                haw_factor **factor);

/** Numeric factorization. @return ERR_SINGULAR if not positive definite, with the row */
HAW_NODISCARD haw_status haw_factor_band(haw_factor *factor, const haw_band *matrix);

/**
 * Solve A X = B in place for `columns` right-hand sides; NaN without a factorization.
 *
 * @param x        [n copies][columns], right-hand sides fastest (the substitution runs over them
 *                 in its inner loop)
 * @param first    first scalar row that may be non-zero in B: forward substitution starts there
 */
void haw_factor_solve(const haw_factor *factor, int columns, int first, double *x);

/**
 * The same where B has non-zeros in a window of rows only and only these rows of X are wanted, as
 * in the Delassus operator of a contact zone. The cost does not depend on n once the band of the
 * inverse is known from the last row up to the window (kept until the next numeric factorization).
 *
 * @param first, count  scalar rows of the window; count at least the half bandwidth
 * @param x             [count copies][columns]
 */
void haw_factor_solve_window(haw_factor *factor, int columns, int first, int count, double *x);

/**
 * The matrix of a window of rows with all other rows eliminated: its inverse is what
 * haw_factor_solve_window applies.
 *
 * @param first, count  as there
 * @param value         [count (kd + 1)] out: lower band by columns, as that of haw_band
 */
void haw_factor_window(haw_factor *factor, int first, int count, double *value);

/**
 * All entries of the inverse within the half bandwidth, (A^-1)_ij with i >= j at
 * z[j (kd + 1) + i - j], kept until the next numeric factorization. NULL without one.
 */
const double *haw_factor_inverse_band(haw_factor *factor);

/**
 * Smallest pivot D_j of A = L D L^T over the diagonal entry A_jj that it came from: about the
 * machine epsilon where A is singular but for rounding.
 *
 * @param diagonal  [n] of the factorized matrix
 */
double haw_factor_margin(const haw_factor *factor, const double *diagonal);

void haw_factor_free(haw_factor *factor);

#endif
