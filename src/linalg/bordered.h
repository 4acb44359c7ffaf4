/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unsymmetric matrices of cables and a few bodies,
 *
 *     A = [ B  C ]   B [n x n] sparse and narrow in a good order (a closed cable is a ring, whose
 *         [ D  E ]   reverse Cuthill-McKee order folds it), E [m x m] small, C and D dense.
 *
 * LU of B in its band, then of the Schur complement E - D B^-1 C: time and memory are linear in n
 * for a given band and border. All memory is taken at creation. B itself must be regular.
 */
#ifndef HAWSER_LINALG_BORDERED_H
#define HAWSER_LINALG_BORDERED_H

#include "linalg/csr.h"

typedef struct haw_bordered haw_bordered;

/**
 * @param pattern  of B, n rows (values are not read); its order is chosen here
 * @param border   m >= 0 rows and columns after the n of B
 */
HAW_NODISCARD haw_status haw_bordered_create(haw_arena *arena, const haw_csr *pattern, int border,
                                             haw_bordered **matrix);

/** All entries, to add to at haw_bordered_place; kept by factorizations. */
double *haw_bordered_value(haw_bordered *matrix);

/** Place of the entry (row, column) in haw_bordered_value, -1 outside of the pattern's band. */
ptrdiff_t haw_bordered_place(const haw_bordered *matrix, int row, int column);

/** Place of an entry that belongs to no matrix: what is added there is dropped. */
ptrdiff_t haw_bordered_spare(const haw_bordered *matrix);

void haw_bordered_clear(haw_bordered *matrix);

/** @return ERR_SINGULAR: no usable pivot, or values that are not finite */
HAW_NODISCARD haw_status haw_bordered_factor(haw_bordered *matrix);

/** A x = b in place with the last factorization. @param x [n + m] */
void haw_bordered_solve(haw_bordered *matrix, double *x);

/** y += factor A x with the entries (not the factors). */
void haw_bordered_multiply(const haw_bordered *matrix, double factor, const double *x, double *y);

/** Half bandwidth of B in its order. */
int haw_bordered_width(const haw_bordered *matrix);

#endif
