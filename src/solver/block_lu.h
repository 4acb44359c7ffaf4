/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU of a matrix that has the blocks of W and no others, as the linear systems of the local form
 * have it. Where all blocks are present no order of the unknowns spares anything: such a matrix is
 * written into the array that its factors overwrite, without a pattern.
 */
#ifndef HAWSER_SOLVER_BLOCK_LU_H
#define HAWSER_SOLVER_BLOCK_LU_H

#include "linalg/lu.h"

typedef struct haw_block_lu {
    const haw_bsr *w;
    haw_csr matrix; /* scalar rows of the blocks; rows 0 without a pattern */
    haw_lu *lu;
} haw_block_lu;

/** Memory from the arena; haw_lu_release(lu) before it is reset, also after a failure. */
HAW_NODISCARD haw_status haw_block_lu_create(haw_arena *arena, const haw_bsr *w,
                                             haw_block_lu *system);

/** Block k of W, in block row c; all must be put before each haw_lu_factor(lu, matrix.value).
 * @param block  [d d] row-major */
void haw_block_lu_put(haw_block_lu *system, int c, int k, const double *block);

#endif
