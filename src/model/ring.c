/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/ring.h"

#include <assert.h>
#include <string.h>

enum { TIED = 8, COLUMNS = 8 }; /* most tied degrees of freedom, most right-hand sides */

haw_status haw_ring_create(haw_context *context, haw_arena *arena, const haw_band *shape, int tied,
                           haw_ring *ring)
{
    const int copies = shape->copies;
    *ring = (haw_ring){.tied = tied, .wide = (tied + copies - 1) / copies * copies};
    ring->border = haw_arena_allocate(arena, (size_t)shape->n, (size_t)ring->wide * sizeof(double));
    ring->answer = haw_arena_allocate(arena, (size_t)shape->n, (size_t)ring->wide * sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(haw_band_create(arena, tied, tied - 1, copies, &ring->schur));
    return haw_factor_create_band(context, tied, tied - 1, copies, &ring->small);
}

void haw_ring_free(haw_ring *ring)
{
    haw_factor_free(ring->small);
    ring->small = NULL;
}

/* Entry of the open band. */
static double entry(const haw_band *band, int i, int j)
{
    const int low = i < j ? i : j, away = i < j ? j - i : i - j;
    return away > band->width ? 0 : band->value[low * (band->width + 1) + away];
}

/* Entry of row a < t and its copy together. */
static double tied_entry(const haw_ring *ring, const haw_band *band, int a, int j)
{
    return entry(band, a, j) + entry(band, band->n - ring->tied + a, j);
}

haw_status haw_ring_factor(haw_ring *ring, haw_band *band, haw_factor *factor)
{
    const int t = ring->tied, n = band->n, wide = ring->wide;
    double s[TIED * TIED] = {0};
    assert(t <= TIED);
    memset(ring->border, 0, (size_t)n * (size_t)wide * sizeof(double));
    for (int a = 0; a < t; a++) {
        for (int j = t; j < n - t; j++) {
            ring->border[wide * j + a] = tied_entry(ring, band, a, j);
        }
        for (int b = 0; b < t; b++) {
            s[t * a + b] = tied_entry(ring, band, a, b) + tied_entry(ring, band, a, n - t + b);
        }
    }
    for (int a = 0; a < t; a++) {
        haw_band_fix(band, a);
        haw_band_fix(band, n - t + a);
    }
    HAW_TRY(haw_factor_band(factor, band));
    memcpy(ring->answer, ring->border, (size_t)n * (size_t)wide * sizeof(double));
    haw_factor_solve(factor, wide / band->copies, 0, ring->answer);
    for (int ab = 0; ab < t * t; ab++) {
        for (int j = t; j < n - t; j++) {
            s[ab] -= ring->border[wide * j + ab / t] * ring->answer[wide * j + ab % t];
        }
    }
    haw_band_clear(&ring->schur);
    haw_band_add(&ring->schur, 0, t, s);
    return haw_factor_band(ring->small, &ring->schur);
}

/* y[to][k] -= m x[from][k]. */
static void subtract(int k, double m, const double *x, double *y)
{
    for (int c = 0; c < k; c++) {
        y[c] -= m * x[c];
    }
}

void haw_ring_solve(const haw_ring *ring, const haw_band *band, const haw_factor *factor,
                    int columns, double *x)
{
    const int t = ring->tied, n = band->n, wide = ring->wide, k = band->copies * columns;
    const ptrdiff_t copy = (ptrdiff_t)k * (n - t);
    double s[TIED * COLUMNS] = {0};
    assert(t * k <= TIED * COLUMNS);
    for (int a = 0; a < t * k; a++) {
        s[a] = x[a] + x[copy + a];
        x[a] = x[copy + a] = 0;
    }
    haw_factor_solve(factor, columns, 0, x);
    for (int j = t; j < n - t; j++) {
        const bool is_near = j < t + band->width || j >= n - t - band->width;
        for (int a = 0; a < t && is_near; a++) {
            subtract(k, ring->border[wide * j + a], x + (ptrdiff_t)k * j, s + k * a);
        }
    }
    haw_factor_solve(ring->small, columns, 0, s);
    for (int j = t; j < n - t; j++) {
        for (int a = 0; a < t; a++) {
            subtract(k, ring->answer[wide * j + a], s + k * a, x + (ptrdiff_t)k * j);
        }
    }
    memcpy(x, s, (size_t)(t * k) * sizeof *s);
    memcpy(x + copy, s, (size_t)(t * k) * sizeof *s);
}
