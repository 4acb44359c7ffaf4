/* SPDX-License-Identifier: BSD-3-Clause */
/* One symmetric matrix as band, as sparse columns and dense, and a dense solver beside it. */
#ifndef HAWSER_TESTS_BAND_SAMPLE_H
#define HAWSER_TESTS_BAND_SAMPLE_H

#include "linalg/factor.h"
#include "support/near.h"
#include "support/random.h"

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

static inline haw_band as_band(sample *s, int copies)
{
    return (haw_band){.n = s->n, .width = s->width, .copies = copies, .value = s->band};
}

static inline haw_sparse as_sparse(sample *s)
{
    return (haw_sparse){.n = s->n, .start = s->start, .row = s->row, .value = s->value};
}

/* Copy the band into the dense and the sparse form. */
static inline void spread(sample *s)
{
    memset(s->dense, 0, sizeof s->dense);
    int k = 0;
    for (int j = 0; j < s->n; ++j) {
        s->start[j] = k;
        for (int d = 0; d <= s->width && j + d < s->n; ++d) {
            const double value = s->band[j * (s->width + 1) + d];
            s->dense[j * s->n + j + d] = s->dense[(j + d) * s->n + j] = value;
            s->row[k] = j + d;
            s->value[k++] = value;
        }
    }
    s->start[s->n] = k;
}

/* Random off-diagonals; the diagonal exceeds their sum, so the matrix is positive definite. */
static inline void make(sample *s, int n, int width, uint64_t *seed)
{
    s->n = n;
    s->width = width;
    for (int j = 0; j < n; ++j) {
        for (int d = 0; d <= width; ++d) {
            const double off = j + d < n ? random_signed(seed) : (double)NAN;
            s->band[j * (width + 1) + d] = d == 0 ? 2 * width + 0.5 + random_signed(seed) / 4 : off;
        }
    }
    spread(s);
}

/* Dense reference for x [n copies][columns], component by component. */
static inline void solve_dense(const sample *s, int copies, int columns, double *x)
{
    static double a[N_MAX * N_MAX];
    static double b[N_MAX * COLUMNS_MAX];
    lapack_int pivot[N_MAX];
    for (int k = 0; k < copies; ++k) {
        memcpy(a, s->dense, sizeof a);
        for (int i = 0; i < s->n; ++i) {
            memcpy(b + i * columns, x + (i * copies + k) * columns,
                   (size_t)columns * sizeof(double));
        }
        assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, s->n, columns, a, s->n, pivot, b, columns),
                         0);
        for (int i = 0; i < s->n; ++i) {
            memcpy(x + (i * copies + k) * columns, b + i * columns,
                   (size_t)columns * sizeof(double));
        }
    }
}

#endif
