/* SPDX-License-Identifier: BSD-3-Clause */
/* One symmetric matrix as band, as sparse columns and dense, and a dense solver beside it. */
#ifndef HAWSER_TESTS_BAND_SAMPLE_H
#define HAWSER_TESTS_BAND_SAMPLE_H

#include "linalg/factor.h"
#include "linalg/factor_sparse.h"
#include "support/near.h"

#include <lapacke.h>
#include <string.h>

enum { N_MAX = 45, KD_MAX = 9, C_MAX = 2, COLUMNS_MAX = 11 };

typedef struct sample {
    int n, width;
    double band[N_MAX * (KD_MAX + 1)];
    double dense[N_MAX * N_MAX];
    int start[N_MAX + 1], row[N_MAX * (KD_MAX + 1)];
    double value[N_MAX * (KD_MAX + 1)];
} sample;

haw_band sample_band(sample *s, int copies);

haw_sparse sample_sparse(sample *s);

/* Copy the band into the dense and the sparse form. */
void sample_spread(sample *s);

/* Random off-diagonals; the diagonal exceeds their sum, so the matrix is positive definite. */
void sample_make(sample *s, int n, int width, uint64_t *seed);

/* Dense reference for x [n copies][columns], component by component. */
void sample_solve_dense(const sample *s, int copies, int columns, double *x);

#endif
