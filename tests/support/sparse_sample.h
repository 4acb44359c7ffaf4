/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sparse matrices with a dense copy, and a dense solver beside them. */
#ifndef HAWSER_TESTS_SPARSE_SAMPLE_H
#define HAWSER_TESTS_SPARSE_SAMPLE_H

#include "linalg/csr.h"
#include "support/near.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

typedef struct dense {
    int rows, columns;
    double *a; /* [rows][columns] */
} dense;

dense dense_make(int rows, int columns);

double *dense_at(const dense *m, int i, int j);

/* All entries that are not zero. */
haw_csr dense_to_csr(haw_arena *arena, const dense *m);

dense dense_from_csr(const haw_csr *csr);

/* X = A^-1 B in place by LAPACK's dgesv. */
void dense_solve(const dense *matrix, const dense *right);

/* Random order of 0 ... n - 1. */
void shuffle(int n, int *order, uint64_t *seed);

/* Random entries at a distance of at most `width` from the diagonal, rows and columns shuffled
 * alike; `density` of the other entries besides. */
dense chain_make(int n, int width, double density, uint64_t *seed);

#endif
