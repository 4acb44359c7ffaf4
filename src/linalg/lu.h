/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU factorization with row exchanges of unsymmetric matrices of one pattern: dense (LAPACK's
 * dgetrf), banded (in the given order or reverse Cuthill-McKee) or sparse (KLU where little fills
 * in, UMFPACK where much does), whichever should take the least time. All memory of the dense and
 * the banded kind is taken at creation.
 */
#ifndef HAWSER_LINALG_LU_H
#define HAWSER_LINALG_LU_H

#include "linalg/csr.h"

typedef struct haw_lu haw_lu;

typedef enum haw_lu_kind { HAW_LU_DENSE, HAW_LU_BAND, HAW_LU_KLU, HAW_LU_UMFPACK } haw_lu_kind;

/**
 * Order and analyse a square pattern (values are not read; the pattern must outlive the factor).
 * The factor lives in the arena; haw_lu_release must run before the arena is reset or freed.
 */
HAW_NODISCARD haw_status haw_lu_create(haw_arena *arena, const haw_csr *pattern, haw_lu **lu);

/** The same with the kind given, for tests and measurements. */
HAW_NODISCARD haw_status haw_lu_create_kind(haw_arena *arena, const haw_csr *pattern,
                                            haw_lu_kind kind, haw_lu **lu);

/**
 * The sparse kind that should take the least, if that is less than `seconds`; else `lu` is NULL.
 * For matrices whose diagonal serves for pivots, as the mechanics makes them: KLU's count holds for
 * these alone. Contact systems have zeros there, every exchange fills in, and what the count gave
 * to KLU took three times as long as with UMFPACK (a belt drive with hard contact).
 *
 * @param order  of elimination, for as long as the factors are used; NULL: their own
 */
HAW_NODISCARD haw_status haw_lu_create_sparse(haw_arena *arena, const haw_csr *pattern,
                                              const haw_csr_order *order, double seconds,
                                              haw_lu **lu);

/**
 * A dense factorization without a pattern, for matrices with hardly a zero: no copy of the values
 * beside the factors. Put A_ij at haw_lu_matrix(lu)[n j + i], all of them before each
 * haw_lu_factor(lu, NULL), which leaves the factors there.
 */
HAW_NODISCARD haw_status haw_lu_create_full(haw_arena *arena, int n, haw_lu **lu);

/** [n n] by columns; NULL for a factor with a pattern. */
double *haw_lu_matrix(haw_lu *lu);

/**
 * Factorize the matrix with these values, in the order of the pattern's entries. Rows are scaled
 * by powers of two to the same largest entry before pivots are compared.
 *
 * @return ERR_SINGULAR (no usable pivot, or values that are not finite), ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_lu_factor(haw_lu *lu, const double *value);

/** The same, and A x = b in place: factors of a matrix before are judged by this solution, in less
 * time than by another one. @param x  [n]; NaN after a failure */
HAW_NODISCARD haw_status haw_lu_factor_solve(haw_lu *lu, const double *value, double *x);

/** Whether the last factorization took the factors of a matrix before, which was near enough for
 * solves with steps of refinement to be as good. Of haw_lu_create_sparse alone. */
bool haw_lu_is_kept(const haw_lu *lu);

/** Solve A x = b in place with the last factorization; NaN if that failed. @param x [n] */
void haw_lu_solve(haw_lu *lu, double *x);

/** The same by the factors at hand alone: what refinement would take of a matrix nearby, or of
 * light pivots, is left. */
void haw_lu_solve_once(haw_lu *lu, double *x);

/* Products with the inverse in less time than solves, of the sparse kinds (lu_product.c). */
typedef struct haw_lu_products haw_lu_products;

/**
 * Of the last factorization, and until the next.
 * @param wanted    rows whose products will be asked for: of many, entries of the inverse are made
 *                  at once (lu_inverse.c); NULL: not known
 * @param products  out: in the arena; NULL where nothing is saved, and solves have to do
 */
HAW_NODISCARD haw_status haw_lu_prepare_products(haw_lu *lu, const haw_csr *wanted,
                                                 haw_arena *arena, haw_lu_products **products);

/** h' A^-1 h of a vector with `count` entries h[stride i] at column[i]. */
double haw_lu_product(haw_lu_products *products, int count, const int *column, const double *h,
                      int stride);

/** Power of two that takes a row's largest entry to [1/2, 1); 0 if it is zero or not finite. */
double haw_lu_row_scale(double largest);

/** Operations of one factorization and of one solve, from the sizes (sparse: the last ones). */
double haw_lu_factor_flops(const haw_lu *lu);
double haw_lu_solve_flops(const haw_lu *lu);

/** Give back what the sparse kind holds outside of the arena; NULL is accepted. */
void haw_lu_release(haw_lu *lu);

#endif
