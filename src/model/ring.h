/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Systems with the effective mass of a closed cable. Its vectors hold a copy of the first node
 * behind the last one, and its band is that of the cable cut open there. With the t scalar rows of
 * that node apart from all others, the matrix with the copy tied to its node is
 *
 *     [ D  C ]     D [t x t], B a band: what is left of the open one with both ends fixed,
 *     [ C' B ],    S = D - C B^-1 C',
 *
 * so that a solve is one with the band, a small one with S and t products more.
 */
#ifndef HAWSER_MODEL_RING_H
#define HAWSER_MODEL_RING_H

#include "linalg/factor.h"

typedef struct haw_ring {
    int tied;          /* t; 0: the cable is open */
    int wide;          /* t rounded up to a multiple of the band's copies */
    double *border;    /* [n][wide] C', zero where fixed */
    double *answer;    /* [n][wide] B^-1 C' */
    haw_band schur;    /* S */
    haw_factor *small; /* of S */
} haw_ring;

/** Memory for a band of this shape. @param tied  scalar rows that the last node shares with the
 * first */
HAW_NODISCARD haw_status haw_ring_create(haw_context *context, haw_arena *arena,
                                         const haw_band *shape, int tied, haw_ring *ring);
void haw_ring_free(haw_ring *ring);

/** Factorize: fixes the ends of the band. @param factor  of B @return ERR_SINGULAR */
HAW_NODISCARD haw_status haw_ring_factor(haw_ring *ring, haw_band *band, haw_factor *factor);

/**
 * Solve in place for right-hand sides laid out as haw_factor_solve has them. Both copies of the
 * tied rows may hold a part of theirs; both get the solution.
 *
 * @param band  as haw_ring_factor left it
 */
void haw_ring_solve(const haw_ring *ring, const haw_band *band, const haw_factor *factor,
                    int columns, double *x);

#endif
