/* SPDX-License-Identifier: BSD-3-Clause */
/* The two kinds behind haw_factor; for the folder's own files only. */
#ifndef HAWSER_LINALG_FACTOR_KINDS_H
#define HAWSER_LINALG_FACTOR_KINDS_H

#include "linalg/factor.h"

/* A = L D L^T with a unit lower band L. */
typedef struct haw_band_factor {
    int n, width, copies;
    double *work;    /* [n (kd + 1)] for LAPACK, column-major lower band */
    double *lower;   /* [n kd] L_ij at lower[j kd + i - j - 1], with kd^2 zeros in front */
    double *inverse; /* [n] 1 / D_j */

    /* Band of the inverse, computed upwards from the last row as far as a window needs it. */
    double *selected; /* [n (kd + 1)] (A^-1)_ij, i >= j, at selected[j (kd + 1) + i - j] */
    int known;        /* rows and columns from here on are valid */
    double *corner;   /* [kd] */
} haw_band_factor;

typedef struct haw_sparse_factor haw_sparse_factor; /* factor_sparse.c, keeps CHOLMOD inside */

struct haw_factor {
    haw_context *context;
    haw_arena arena;
    bool is_ready; /* the last numeric factorization succeeded */
    haw_band_factor band;
    haw_sparse_factor *sparse; /* NULL: banded kind */
};

haw_status haw_band_factor_init(haw_arena *arena, int n, int width, int copies,
                                haw_band_factor *factor);
haw_status haw_band_factor_compute(haw_context *context, haw_band_factor *factor,
                                   const haw_band *matrix);
void haw_band_factor_solve(const haw_band_factor *factor, int columns, int first, double *x);

/* L y = b in place, in rows first ... n - 1 of `stride` interleaved right-hand sides. */
void haw_band_factor_forward(const haw_band_factor *factor, int stride, int first, double *x);

/* L^T x = D^-1 y in place, in rows top - 1 ... 0; the rows from `top` on are solved already. */
void haw_band_factor_backward(const haw_band_factor *factor, int stride, int top, double *x);

void haw_band_factor_window(haw_band_factor *factor, int columns, int first, int count, double *x);

/* Extend the known part of the inverse up to row `first`. */
void haw_band_factor_select(haw_band_factor *factor, ptrdiff_t first);

haw_status haw_sparse_factor_create(haw_context *context, const haw_sparse *pattern,
                                    haw_sparse_factor **factor);
haw_status haw_sparse_factor_compute(haw_context *context, haw_sparse_factor *factor,
                                     const haw_sparse *matrix);

/** @return false if CHOLMOD ran out of memory; x is then unchanged */
bool haw_sparse_factor_solve(haw_sparse_factor *factor, int columns, double *x);
haw_status haw_sparse_factor_gram(haw_context *context, haw_sparse_factor *factor,
                                  const haw_factor_rows *rows, double *gram);
double haw_sparse_factor_margin(const haw_sparse_factor *factor, const double *diagonal);
double haw_sparse_factor_entries(const haw_sparse_factor *factor);
int haw_sparse_factor_rows(const haw_sparse_factor *factor);
void haw_sparse_factor_free(haw_context *context, haw_sparse_factor *factor);

#endif
