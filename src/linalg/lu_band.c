/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Banded LU with row exchanges (Golub, Van Loan: Matrix Computations, 4th ed., 4.3.3), row by row:
 * only the width + 1 rows that a step can change are kept at full length, in a window that stays
 * in the first-level cache; finished rows of U and multipliers of L are written once.
 *
 * Why not dgbtrf: below a half-band of 32 it works column by column through the BLAS, and it does
 * not see zeros. Measured on random values in the pattern of a contact system (1000 nodes in space,
 * 6000 rows), in ms: half-band 8: 0.43 by dgbtrf with OpenBLAS and 0.25 with the reference BLAS,
 * 0.23 here; half-band 14: 0.92, 0.54, 0.44. Full bands of 60 take 5.3 by dgbtrf with OpenBLAS
 * and 8.6 here: such systems are rarely banded.
 */
#include "linalg/inline.h"
#include "linalg/lu_kinds.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 8, SLACK = 64, LANES = 4 };

/* Order for a small half-band, of the pattern and its transpose together. */
static haw_status analyse(haw_arena *arena, haw_lu *lu, double best, double *seconds)
{
    haw_lu_band *band = &lu->band;
    haw_csr symmetric;
    *seconds = haw_lu_seconds_band(lu->n, ((double)lu->pattern->start[lu->n] / lu->n - 1) / 2);
    if (*seconds >= best) {
        return HAW_OK;
    }
    band->place = haw_arena_allocate(arena, (size_t)lu->n, sizeof(int));
    const haw_arena_mark mark = haw_arena_here(arena);
    HAW_TRY(haw_csr_symmetrize(arena, lu->pattern, &symmetric));
    HAW_TRY(haw_csr_place(arena, &symmetric, band->place, &band->width));
    haw_arena_rewind(arena, &mark);
    *seconds = haw_lu_seconds_band(lu->n, band->width);
    return HAW_OK;
}

static bool is_in_order(const haw_lu *lu)
{
    int i = 0;
    while (i < lu->n && lu->band.place[i] == i) {
        ++i;
    }
    return i == lu->n;
}

/* The pattern's rows in their new order. */
static haw_status permute(haw_arena *arena, haw_lu *lu)
{
    const haw_csr *pattern = lu->pattern;
    const size_t n = (size_t)lu->n;
    const size_t count = (size_t)pattern->start[n];
    int *start = haw_arena_allocate(arena, n + 1, sizeof(int));
    int *column = haw_arena_allocate(arena, count, sizeof(int));
    int *source = haw_arena_allocate(arena, count, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < lu->n; ++i) {
        start[lu->band.place[i] + 1] = pattern->start[i + 1] - pattern->start[i];
    }
    for (int i = 0; i < lu->n; ++i) {
        start[i + 1] += start[i];
    }
    for (int i = 0; i < lu->n; ++i) {
        int next = start[lu->band.place[i]];
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
            column[next] = lu->band.place[pattern->column[k]];
            source[next++] = k;
        }
    }
    lu->start = start;
    lu->column = column;
    lu->source = source;
    return HAW_OK;
}

static haw_status reserve(haw_arena *arena, haw_lu *lu)
{
    haw_lu_band *band = &lu->band;
    const size_t n = (size_t)lu->n, b = (size_t)band->width;
    const double rows = lu->n, width = band->width;
    lu->factor_flops = 2 * rows * width * width;
    lu->solve_flops = 2 * rows * width;
    /* Twice the columns of a step, so that the window moves on now and then only. */
    band->length = 2 * (2 * band->width + 1) + SLACK;
    band->stride = (band->width + LANES - 1) / LANES * LANES;
    band->ordered = haw_arena_allocate(arena, n, sizeof(double));
    band->lower = haw_arena_allocate(arena, n, (size_t)band->stride * sizeof(double));
    band->upper = haw_arena_allocate(arena, n, (2 * b + 1) * sizeof(double));
    band->start = haw_arena_allocate(arena, n + 1, sizeof(ptrdiff_t));
    band->pivot = haw_arena_allocate(arena, n, sizeof(int));
    band->window = haw_arena_allocate(arena, b + 1, (size_t)band->length * sizeof(double));
    band->row = haw_arena_allocate(arena, n, sizeof(double *));
    band->end = haw_arena_allocate(arena, n, sizeof(int));
    band->target = haw_arena_allocate(arena, b + 1, sizeof(double *));
    band->factor = haw_arena_allocate(arena, b + 1, sizeof(double));
    return is_in_order(lu) ? haw_arena_status(arena) : permute(arena, lu);
}

/* Begin to count columns at k: move the rows k ... last of the window to its left end. */
static void move_window(haw_lu_band *band, int k, int last)
{
    const int shift = k - band->base;
    memset(band->spare, 0, (size_t)shift * sizeof(double));
    for (int i = k; i <= last; ++i) {
        double *row = band->row[i];
        const int count = band->end[i] > k ? band->end[i] - k : 0;
        memmove(row, row + shift, (size_t)count * sizeof *row);
        memset(row + count, 0, (size_t)shift * sizeof *row);
    }
    band->base = k;
}

/* Put row i of the matrix into a slot of the window that holds zeros only. Rows that were not
 * permuted ascend, and many are one run of columns. */
static void load_row(haw_lu *lu, int i, double *slot)
{
    haw_lu_band *band = &lu->band;
    const int start = lu->start[i], count = lu->start[i + 1] - start;
    const int *column = lu->column + start;
    int end = column[0] + count;
    if (lu->source == NULL && column[count - 1] == end - 1) {
        const double *value = lu->given + start, scale = lu->scale[i];
        double *run = slot + (column[0] - band->base);
        for (int k = 0; k < count; ++k) {
            run[k] = scale * value[k];
        }
    } else {
        end = 0;
        for (int k = 0; k < count; ++k) {
            slot[column[k] - band->base] = haw_lu_entry(lu, i, start + k);
            end = column[k] >= end ? column[k] + 1 : end;
        }
    }
    band->row[i] = slot;
    band->end[i] = end;
}

/* Row of largest |a_ik| among k ... last. */
static int find_pivot(const haw_lu_band *band, int k, int last)
{
    const int column = k - band->base;
    int best = k;
    double largest = fabs(band->row[k][column]);
    for (int i = k + 1; i <= last; ++i) {
        const double size = fabs(band->row[i][column]);
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    return best;
}

static void exchange(haw_lu_band *band, int k, int other)
{
    double *row = band->row[k];
    const int end = band->end[k];
    band->pivot[k] = other;
    band->row[k] = band->row[other];
    band->end[k] = band->end[other];
    band->row[other] = row;
    band->end[other] = end;
}

/* Multipliers of step k, and the list of rows that have one. @return its length */
static int list_targets(haw_lu_band *band, int k, int last)
{
    const int column = k - band->base;
    const double inverse = 1 / band->row[k][column];
    double *lower = band->lower + (ptrdiff_t)k * band->stride - k - 1;
    int count = 0;
    for (int i = k + 1; i <= last; ++i) {
        const double l = band->row[i][column] * inverse;
        lower[i] = l;
        if (l != 0) {
            band->end[i] = band->end[i] > band->end[k] ? band->end[i] : band->end[k];
            band->target[count] = band->row[i] + column + 1;
            band->factor[count++] = l;
        }
    }
    return count;
}

/* x -= l p for `chunk` columns of every listed row, a constant: p stays in registers. */
static HAW_INLINE void update_columns(const haw_lu_band *band, int count, const double *pivot,
                                      int first, int chunk)
{
    double p[CHUNK];
    for (int t = 0; t < chunk; ++t) {
        p[t] = pivot[first + t];
    }
    for (int r = 0; r < count; ++r) {
        const double l = band->factor[r];
        double *x = band->target[r] + first;
        for (int t = 0; t < chunk; ++t) {
            x[t] -= l * p[t];
        }
    }
}

/* Whole chunks may run past the end of the pivot row: it is zero there. */
static void update(const haw_lu_band *band, int count, const double *pivot, int columns)
{
    int done = 0;
    for (; done + CHUNK / 2 < columns; done += CHUNK) {
        update_columns(band, count, pivot, done, CHUNK);
    }
    if (done < columns) {
        update_columns(band, count, pivot, done, CHUNK / 2);
    }
}

/* Row k of U is finished; its slot is cleared for the next row of the matrix. */
static void finish_row(haw_lu_band *band, int k)
{
    double *row = band->row[k] + (k - band->base);
    double *upper = band->upper + band->start[k];
    const int count = band->end[k] - k;
    upper[0] = 1 / row[0];
    memcpy(upper + 1, row + 1, (size_t)(count - 1) * sizeof *upper);
    memset(row, 0, (size_t)count * sizeof *row);
    band->spare = band->row[k];
    band->start[k + 1] = band->start[k] + count;
}

/* The rows of the matrix that step 0 finds in the window besides its last one. */
static void begin(haw_lu *lu)
{
    haw_lu_band *band = &lu->band;
    const size_t slots = (size_t)band->width + 1;
    memset(band->window, 0, slots * (size_t)band->length * sizeof(double));
    band->base = 0;
    band->flops = 0;
    double *slot = band->window;
    for (int i = 0; i < band->width && i < lu->n; ++i) {
        load_row(lu, i, slot);
        slot += band->length;
    }
    band->spare = slot;
}

/* @return false if the pivot is no more than what rounding leaves of nothing */
static bool step(haw_lu *lu, int k)
{
    haw_lu_band *band = &lu->band;
    const int entering = k + band->width;
    const int last = entering < lu->n ? entering : lu->n - 1;
    if (k - band->base + 2 * band->width + 1 + CHUNK > band->length) {
        move_window(band, k, entering < lu->n ? last - 1 : last);
    }
    if (entering < lu->n) {
        load_row(lu, entering, band->spare);
    }
    exchange(band, k, find_pivot(band, k, last));
    const double size = fabs(band->row[k][k - band->base]);
    if (!(size > HAW_LU_PIVOT_MIN) && !(size > HAW_LU_PIVOT_MIN * haw_lu_column_size(lu, k))) {
        return false;
    }
    const int columns = band->end[k] - k - 1;
    const int count = list_targets(band, k, last);
    update(band, count, band->row[k] + (k - band->base) + 1, columns);
    band->flops += 2.0 * count * columns + last - k;
    finish_row(band, k);
    return true;
}

static haw_status factor(haw_lu *lu)
{
    haw_lu_band *band = &lu->band;
    int refused = -1;
    begin(lu);
    for (int k = 0; k < lu->n && refused < 0; ++k) {
        refused = step(lu, k) ? -1 : k;
    }
    lu->factor_flops = band->flops > 0 ? band->flops : lu->factor_flops;
    lu->solve_flops = 2 * ((double)lu->n * band->width + (double)band->start[lu->n]);
    return haw_lu_refuse(lu, refused);
}

/* x -= l y for `count` values, a multiple of LANES. */
static HAW_INLINE void subtract(int count, double y, const double *l, double *x)
{
    for (int i = 0; i < count; i += LANES) {
        x[i] -= l[i] * y;
        x[i + 1] -= l[i + 1] * y;
        x[i + 2] -= l[i + 2] * y;
        x[i + 3] -= l[i + 3] * y;
    }
}

static void forward(const haw_lu_band *band, int n, double *x)
{
    const int stride = band->stride;
    for (int k = 0; k < n; ++k) {
        const double *l = band->lower + (ptrdiff_t)k * stride;
        const int other = band->pivot[k];
        const double xk = x[other];
        double *next = x + k + 1;
        x[other] = x[k];
        x[k] = xk;
        if (k + stride < n) {
            subtract(stride, xk, l, next);
            continue;
        }
        for (int i = 0; i < n - 1 - k && i < band->width; ++i) {
            next[i] -= l[i] * xk;
        }
    }
}

/* From the far end of a row: its nearest neighbour, known last, comes last. */
static void backward(const haw_lu_band *band, int n, double *x)
{
    for (int k = n - 1; k >= 0; --k) {
        const double *u = band->upper + band->start[k], *y = x + k;
        double sum[LANES] = {x[k], 0, 0, 0};
        int c = (int)(band->start[k + 1] - band->start[k]);
        for (; c > LANES; c -= LANES) {
            sum[0] -= u[c - 4] * y[c - 4];
            sum[1] -= u[c - 3] * y[c - 3];
            sum[2] -= u[c - 2] * y[c - 2];
            sum[3] -= u[c - 1] * y[c - 1];
        }
        double rest = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        for (--c; c > 0; --c) {
            rest -= u[c] * y[c];
        }
        x[k] = rest * u[0];
    }
}

static void solve(haw_lu *lu, double *x)
{
    double *y = lu->band.ordered;
    if (lu->source == NULL) {
        haw_lu_scale_right(lu, x);
        forward(&lu->band, lu->n, x);
        backward(&lu->band, lu->n, x);
        return;
    }
    for (int i = 0; i < lu->n; ++i) {
        const int place = lu->band.place[i];
        y[place] = lu->scale[place] * x[i];
    }
    forward(&lu->band, lu->n, y);
    backward(&lu->band, lu->n, y);
    for (int i = 0; i < lu->n; ++i) {
        x[i] = y[lu->band.place[i]];
    }
}

const haw_lu_ops haw_lu_band_ops = {
    .analyse = analyse, .reserve = reserve, .factor = factor, .solve = solve};
