/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed sparse rows (haw_csr of <hawser/sparse.h>), and the order that makes them banded. */
#ifndef HAWSER_LINALG_CSR_H
#define HAWSER_LINALG_CSR_H

#include "base/arena.h"

#include <hawser/sparse.h>

/**
 * An empty matrix with room for `count` entries; value stays NULL where only a pattern is asked.
 * @return ERR_NOMEM; ERR_INPUT: more entries than an int can count; ERR_ARG: negative sizes
 */
HAW_NODISCARD haw_status haw_csr_create(haw_arena *arena, int rows, int columns, ptrdiff_t count,
                                        bool values, haw_csr *matrix);

/** y += factor A x */
void haw_csr_add(const haw_csr *matrix, double factor, const double *x, double *y);

/** y += factor A^T x */
void haw_csr_add_transposed(const haw_csr *matrix, double factor, const double *x, double *y);

/** The transposed matrix, with values if `matrix` has them. */
HAW_NODISCARD haw_status haw_csr_transpose(haw_arena *arena, const haw_csr *matrix,
                                           haw_csr *transposed);

/** Position of the entry (row, column), or -1. */
int haw_csr_find(const haw_csr *matrix, int row, int column);

/** Largest |A_ij - A_ji| over the largest |A_ij|; 0 for symmetric A, also of its pattern. */
double haw_csr_asymmetry(const haw_csr *matrix);

/** Pattern of A + A^T for a square A. */
HAW_NODISCARD haw_status haw_csr_symmetrize(haw_arena *arena, const haw_csr *matrix,
                                            haw_csr *pattern);

/** max |place_i - place_j| over the entries; place [n] NULL: the order as it is. */
int haw_csr_half_band(const haw_csr *matrix, const int *place);

/**
 * Reverse Cuthill-McKee order of a square pattern that is structurally symmetric, each connected
 * part from a pseudo-peripheral vertex (E. Cuthill, J. McKee, ACM Nat. Conf. 1969; A. George,
 * J. W. H. Liu, ACM Trans. Math. Softw. 5 (1979) 284-295); the order as it is where that has no
 * larger half-band. Time linear in the entries.
 *
 * @param place      [n] out: new place of each old index
 * @param half_band  out: max |k - l| over the entries in the new order
 */
HAW_NODISCARD haw_status haw_csr_place(haw_arena *arena, const haw_csr *pattern, int *place,
                                       int *half_band);

/**
 * The same for a square pattern and its transpose together, where neighbouring rows of the same
 * columns, the unknowns of a node, stay together: one by one they would be torn apart, and the band
 * be wider.
 */
HAW_NODISCARD haw_status haw_csr_place_groups(haw_arena *arena, const haw_csr *pattern, int *place,
                                              int *half_band);

/** Number the groups of neighbouring rows with the same columns. @param group  [rows] out
 * @return how many there are */
int haw_csr_groups(const haw_csr *pattern, int *group);

/**
 * Rows without a pivot of their own, whose diagonal is zero as that of multipliers, join the group
 * of a row that they hold. Eliminated before it they would take what else they hold for a pivot, be
 * it the row of a body that touches a whole cable, and all fills in; behind it they have one, as
 * of a pivot of two rows (I. S. Duff, S. Pralet, SIAM J. Matrix Anal. Appl. 27 (2005) 313-340). Of
 * the entries that are not small each takes the one whose row is least crowded, and no two the
 * same. Their indices are to be higher than those of what they hold.
 *
 * @param group   [rows] any numbers below *groups; out: those of the joined ones
 * @param groups  in and out: how many there are
 * @return ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_csr_join_groups(haw_arena *arena, const haw_csr *matrix, int *group,
                                             int *groups);

/* An order of elimination, and what one LU in that order takes where all rows of groups couple. */
typedef struct haw_csr_order {
    int *order;            /* [rows] old index at each place */
    double entries, flops; /* of both factors */
} haw_csr_order;

/**
 * Minimum degree order (P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl. 17
 * (1996) 886-905) of the groups of a square pattern and its transpose: of rows one by one, among
 * which some entries of a node's happen to be zero, it takes longer and is worse.
 *
 * @param group  [rows] from 0 on, none without rows
 * @return ERR_NOMEM; ERR_ARG where AMD rejects the pattern
 */
HAW_NODISCARD haw_status haw_csr_order_groups(haw_arena *arena, const haw_csr *pattern,
                                              const int *group, int groups, haw_csr_order *order);

/**
 * Connected parts of a structurally symmetric pattern, numbered by their smallest index.
 *
 * @param part   [n] out: number of the part of each index
 * @param parts  out: how many there are
 */
HAW_NODISCARD haw_status haw_csr_parts(haw_arena *arena, const haw_csr *pattern, int *part,
                                       int *parts);

/* Entries in any order; those of one place add up. */
typedef struct haw_triplets {
    int count;
    int *row, *column; /* [count] */
    double *value;     /* [count] NULL: a pattern only */
} haw_triplets;

/** Room for entries; count is 0 afterwards. @return ERR_NOMEM; ERR_INPUT: more than INT_MAX */
HAW_NODISCARD haw_status haw_triplets_create(haw_arena *arena, ptrdiff_t room, bool values,
                                             haw_triplets *triplets);

/** Append an entry to a pattern or a matrix. */
void haw_triplets_add(haw_triplets *triplets, int row, int column, double value);

/** Compressed rows, columns ascending and unique; sums are taken in the order of the entries. */
HAW_NODISCARD haw_status haw_triplets_compress(haw_arena *arena, const haw_triplets *triplets,
                                               int rows, int columns, haw_csr *matrix);

#endif
