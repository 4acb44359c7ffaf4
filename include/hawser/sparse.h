/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse matrices as plain arrays: what a contact problem is made of. */
#ifndef HAWSER_SPARSE_H
#define HAWSER_SPARSE_H

#include <hawser/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Block compressed sparse rows; blocks row-major, columns ascending, every diagonal present. */
typedef struct haw_bsr {
    int block;     /* rows of a block, d */
    int rows;      /* block rows, n */
    int *start;    /* [n + 1] */
    int *column;   /* [start[n]] */
    int *diagonal; /* [n] position of the diagonal block */
    double *value; /* [start[n] * d * d] */
} haw_bsr;

/* Compressed sparse rows; columns ascending and unique in every row. */
typedef struct haw_csr {
    int rows, columns;
    int *start;    /* [rows + 1] */
    int *column;   /* [start[rows]] */
    double *value; /* [start[rows]] */
} haw_csr;

#ifdef __cplusplus
}
#endif
#endif
