/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symmetric banded matrices A (x) I_c: the scalar band is stored once, vectors carry c interleaved
 * components. c = 2 is the consistent mass of a planar Cartesian element: four times cheaper than
 * the full band.
 */
#ifndef HAWSER_LINALG_BAND_H
#define HAWSER_LINALG_BAND_H

#include "base/arena.h"

typedef struct haw_band {
    int n;         /* scalar rows */
    int width;     /* half bandwidth kd */
    int copies;    /* c */
    double *value; /* [n (kd + 1)] lower band by columns: A_ij at value[j (kd + 1) + i - j] */
} haw_band;

/** Zero matrix from an arena. */
HAW_NODISCARD haw_status haw_band_create(haw_arena *arena, int n, int width, int copies,
                                         haw_band *band);
void haw_band_clear(haw_band *band);

/** Add a dense symmetric m x m block (row-major) at scalar rows first ... first + m - 1; what is
 * outside the band is zero. */
void haw_band_add(haw_band *band, int first, int m, const double *block);

/** y = A x; x, y [n c]. */
void haw_band_multiply(const haw_band *band, const double *x, double *y);

/** Replace scalar row and column i by the identity (a prescribed degree of freedom). */
void haw_band_fix(haw_band *band, int i);

#endif
