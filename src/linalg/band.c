/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric band matrices: storage, assembly and products. */
#include "linalg/band.h"

#include "linalg/inline.h"

#include <limits.h>
#include <string.h>

haw_status haw_band_create(haw_arena *arena, int n, int width, int copies, haw_band *band)
{
    *band = (haw_band){0};
    if (n < 0 || width < 0 || width == INT_MAX || copies < 1) {
        return haw_fail(arena->context, HAW_ERR_ARG, "band matrix of %d rows, width %d, %d copies",
                        n, width, copies);
    }
    double *value = haw_arena_allocate(arena, (size_t)n, ((size_t)width + 1) * sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    *band = (haw_band){.n = n, .width = width, .copies = copies, .value = value};
    return HAW_OK;
}

void haw_band_clear(haw_band *band)
{
    memset(band->value, 0, (size_t)band->n * ((size_t)band->width + 1) * sizeof(double));
}

void haw_band_add(haw_band *band, int first, int m, const double *block)
{
    const size_t lda = (size_t)band->width + 1;
    for (int j = 0; j < m; ++j) {
        double *column = band->value + (size_t)(first + j) * lda;
        for (int i = j; i < m && i - j <= band->width; ++i) {
            column[i - j] += block[(size_t)i * (size_t)m + (size_t)j];
        }
    }
}

void haw_band_fix(haw_band *band, int i)
{
    const size_t lda = (size_t)band->width + 1;
    double *column = band->value + (size_t)i * lda;
    memset(column, 0, lda * sizeof *column);
    column[0] = 1;
    for (int d = 1; d <= band->width && d <= i; ++d) {
        band->value[(size_t)(i - d) * lda + (size_t)d] = 0;
    }
}

/* Row i of A x, with bounds on every neighbour: for the first and last `kd` rows. */
static void edge_row(const haw_band *band, int i, const double *x, double *y)
{
    const int kd = band->width;
    const int c = band->copies;
    const size_t lda = (size_t)kd + 1;
    for (int k = 0; k < c; ++k) {
        double sum = band->value[(size_t)i * lda] * x[(size_t)i * (size_t)c + (size_t)k];
        for (int d = 1; d <= kd; ++d) {
            if (i >= d) {
                sum += band->value[(size_t)(i - d) * lda + (size_t)d] *
                       x[(size_t)(i - d) * (size_t)c + (size_t)k];
            }
            if (i < band->n - d) {
                sum += band->value[(size_t)i * lda + (size_t)d] *
                       x[(size_t)(i + d) * (size_t)c + (size_t)k];
            }
        }
        y[(size_t)i * (size_t)c + (size_t)k] = sum;
    }
}

/*
 * Rows kd ... n - kd - 1 of A x. Gathering needs each entry twice but writes y once; scattering a
 * column would wait for the store of the row before. Inlined with constant kd and c below.
 */
static HAW_INLINE void interior(const haw_band *band, int kd, int c, const double *x, double *y)
{
    const ptrdiff_t lda = kd + 1;
    for (ptrdiff_t i = kd; i < band->n - kd; ++i) {
        const double *column = band->value + i * lda;
        const double *xi = x + i * c;
        for (int k = 0; k < c; ++k) {
            double below = column[0] * xi[k];
            double above = 0;
            for (int d = 1; d <= kd; ++d) {
                below += column[d] * xi[d * c + k];
                above += column[d - d * lda] * xi[k - d * c];
            }
            y[i * c + k] = below + above;
        }
    }
}

void haw_band_multiply(const haw_band *band, const double *x, double *y)
{
    const int n = band->n;
    const int kd = band->width;
    for (int i = 0; i < n && i < kd; ++i) {
        edge_row(band, i, x, y);
    }
    for (int i = n - kd > kd ? n - kd : kd; i < n; ++i) {
        edge_row(band, i, x, y);
    }
    if (kd == 0 && band->copies == 2) {
        interior(band, 0, 2, x, y);
    } else if (kd == 3 && band->copies == 2) {
        interior(band, 3, 2, x, y);
    } else if (kd == 3 && band->copies == 3) {
        interior(band, 3, 3, x, y);
    } else if (kd == 7 && band->copies == 1) {
        interior(band, 7, 1, x, y);
    } else {
        interior(band, kd, band->copies, x, y);
    }
}
