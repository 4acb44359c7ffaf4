/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unsymmetric matrices of the mechanics, of a fixed pattern, assembled and factorized again and
 * again: of cables and a few bodies,
 *
 *     A = [ B  C ]   B [n x n] sparse and narrow in a good order (a closed cable is a ring, whose
 *         [ D  E ]   reverse Cuthill-McKee order folds it), E [m x m] small, C and D dense,
 *
 * by LU of B in its band, then of the Schur complement E - D B^-1 C: time and memory are linear in
 * n for a given band and border, and B itself must be regular. All memory is taken at creation. Or
 * of any other pattern, as nets of cables and many bodies make them, by a sparse LU (haw_lu: KLU or
 * UMFPACK, without the entries that are zero at the time, of which two patterns are kept at hand,
 * with their factors: as a rule those without contacts and with). The one that should take the
 * least time by a count of operations is chosen.
 */
#ifndef HAWSER_LINALG_MATRIX_H
#define HAWSER_LINALG_MATRIX_H

#include "linalg/csr.h"

typedef struct haw_matrix haw_matrix;

typedef enum haw_matrix_kind { HAW_MATRIX_BORDERED, HAW_MATRIX_SPARSE } haw_matrix_kind;

/**
 * @param pattern  of all rows, the diagonal included; its arrays must outlive the matrix
 * @param border   m >= 0, of the last rows and columns
 * @param kind     for tests and measurements; NULL: the one that should take the least time
 */
HAW_NODISCARD haw_status haw_matrix_create(haw_arena *arena, const haw_csr *pattern, int border,
                                           const haw_matrix_kind *kind, haw_matrix **matrix);

/** Give back what a sparse factorization holds outside of the arena; NULL is accepted. */
void haw_matrix_release(haw_matrix *matrix);

haw_matrix_kind haw_matrix_kind_of(const haw_matrix *matrix);

/** Half bandwidth of the part before the border, -1 of a sparse matrix. */
int haw_matrix_width(const haw_matrix *matrix);

/** All entries, to add to at haw_matrix_place; kept by factorizations. */
double *haw_matrix_value(const haw_matrix *matrix);

/** Other entries, as many, which stay the caller's: until those of haw_matrix_value are back. */
void haw_matrix_exchange(haw_matrix *matrix, double *value);

/** Place of the entry (row, column) in haw_matrix_value, -1: the matrix has none. */
ptrdiff_t haw_matrix_place(const haw_matrix *matrix, int row, int column);

/** The same of some columns of a row, ascending. @param place  [count] out */
void haw_matrix_places(const haw_matrix *matrix, int row, int count, const int *column,
                       ptrdiff_t *place);

/** Place of an entry that belongs to no matrix, behind all others: what is added there is dropped.
 */
ptrdiff_t haw_matrix_spare(const haw_matrix *matrix);

void haw_matrix_clear(haw_matrix *matrix);

/** @return ERR_SINGULAR: no usable pivot, or values that are not finite */
HAW_NODISCARD haw_status haw_matrix_factor(haw_matrix *matrix);

/** The same, and A x = b in place, in less time than one after the other where factors are kept.
 * @param x  [rows]; NaN after a failure */
HAW_NODISCARD haw_status haw_matrix_factor_solve(haw_matrix *matrix, double *x);

/** Entries of the factors of all rows but a border, 0: not factorized. */
double haw_matrix_entries(const haw_matrix *matrix);

/** Whether the last factorization took the factors of one before (haw_lu_is_kept). NULL: false. */
bool haw_matrix_is_kept(const haw_matrix *matrix);

/** The next factorization does not depend on those before. NULL is accepted: no equations. */
void haw_matrix_forget(haw_matrix *matrix);

/** A x = b in place with the last factorization. */
void haw_matrix_solve(haw_matrix *matrix, double *x);

/** The same without refinement (haw_lu_solve_once), where the matrix has no border. */
void haw_matrix_solve_once(haw_matrix *matrix, double *x);

/** Before products with the factors at hand: memory of a sparse matrix in the arena, to be kept
 * until the last of them. @param wanted  `count` of these rows or more: NULL, 0: not known */
HAW_NODISCARD haw_status haw_matrix_prepare_products(haw_matrix *matrix, const haw_csr *wanted,
                                                     int count, haw_arena *arena);

/**
 * h' A^-1 h of a vector with `count` entries h[stride i] at column[i], with the last factorization
 * for which products were prepared. Of a sparse matrix as a rule in far less time than a solve.
 *
 * @param work  [rows]
 */
double haw_matrix_product(haw_matrix *matrix, int count, const int *column, const double *h,
                          int stride, double *work);

/** y += factor A x with the entries (not the factors). */
void haw_matrix_multiply(const haw_matrix *matrix, double factor, const double *x, double *y);

/** The entries of the pattern in compressed rows, from the arena; those of the last `border` rows
 * and columns that are zero are left out, but for the diagonal. */
HAW_NODISCARD haw_status haw_matrix_csr(const haw_matrix *matrix, int border, haw_arena *arena,
                                        haw_csr *csr);

#endif
