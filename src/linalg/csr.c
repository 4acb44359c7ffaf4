/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed sparse rows: creation, products, transposition, symmetry. */
#include "linalg/csr.h"

#include <limits.h>
#include <math.h>
#include <string.h>

haw_status haw_csr_create(haw_arena *arena, int rows, int columns, ptrdiff_t count, bool values,
                          haw_csr *matrix)
{
    *matrix = (haw_csr){0};
    if (rows < 0 || columns < 0 || count < 0) {
        (void)haw_fail(arena->context, HAW_ERR_ARG, "sparse matrix of %d x %d with %td entries",
                       rows, columns, count);
        return HAW_ERR_ARG;
    }
    if (count > INT_MAX) {
        (void)haw_fail(arena->context, HAW_ERR_INPUT,
                       "%td entries are too many for a sparse matrix of %d x %d", count, rows,
                       columns);
        return HAW_ERR_INPUT;
    }
    haw_csr made = {.rows = rows, .columns = columns};
    made.start = haw_arena_allocate(arena, (size_t)rows + 1, sizeof(int));
    made.column = haw_arena_allocate(arena, (size_t)count, sizeof(int));
    made.value = values ? haw_arena_allocate(arena, (size_t)count, sizeof(double)) : NULL;
    HAW_TRY(haw_arena_status(arena));
    *matrix = made;
    return HAW_OK;
}

void haw_csr_add(const haw_csr *matrix, double factor, const double *x, double *y)
{
    for (int i = 0; i < matrix->rows; ++i) {
        double sum = 0;
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; ++k) {
            sum += matrix->value[k] * x[matrix->column[k]];
        }
        y[i] += factor * sum;
    }
}

void haw_csr_add_transposed(const haw_csr *matrix, double factor, const double *x, double *y)
{
    for (int i = 0; i < matrix->rows; ++i) {
        const double scaled = factor * x[i];
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; ++k) {
            y[matrix->column[k]] += matrix->value[k] * scaled;
        }
    }
}

/* start[j + 1] = where row j of the transposed begins; filling advances it to the row's end. */
static void count_columns(const haw_csr *matrix, int *start)
{
    for (int k = 0; k < matrix->start[matrix->rows]; ++k) {
        if (matrix->column[k] < matrix->columns - 1) {
            ++start[matrix->column[k] + 2];
        }
    }
    for (int j = 2; j <= matrix->columns; ++j) {
        start[j] += start[j - 1];
    }
}

haw_status haw_csr_transpose(haw_arena *arena, const haw_csr *matrix, haw_csr *transposed)
{
    const bool values = matrix->value != NULL;
    HAW_TRY(haw_csr_create(arena, matrix->columns, matrix->rows, matrix->start[matrix->rows],
                           values, transposed));
    count_columns(matrix, transposed->start);
    for (int i = 0; i < matrix->rows; ++i) {
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; ++k) {
            const int place = transposed->start[matrix->column[k] + 1]++;
            transposed->column[place] = i;
            if (values) {
                transposed->value[place] = matrix->value[k];
            }
        }
    }
    return HAW_OK;
}

int haw_csr_find(const haw_csr *matrix, int row, int column)
{
    int low = matrix->start[row];
    int high = matrix->start[row + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (matrix->column[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < matrix->start[row + 1] && matrix->column[low] == column ? low : -1;
}

/* A pattern counts as a matrix of ones. */
static double entry(const haw_csr *matrix, int k)
{
    if (k < 0) {
        return 0;
    }
    return matrix->value != NULL ? matrix->value[k] : 1;
}

double haw_csr_asymmetry(const haw_csr *matrix)
{
    if (matrix->rows != matrix->columns) {
        return 1;
    }
    double difference = 0;
    double largest = 0;
    for (int i = 0; i < matrix->rows; ++i) {
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; ++k) {
            const int j = matrix->column[k];
            const double a = entry(matrix, k);
            largest = fmax(largest, fabs(a));
            if (j != i) {
                const double gap = fabs(a - entry(matrix, haw_csr_find(matrix, j, i)));
                difference = isnan(gap) ? (double)INFINITY : fmax(difference, gap);
            }
        }
    }
    return largest > 0 ? difference / largest : 0;
}

/* Merge two ascending rows; @return the end of what was written to `out`. */
static int *merge(const int *a, const int *a_end, const int *b, const int *b_end, int *out)
{
    while (a < a_end && b < b_end) {
        const int low = *a < *b ? *a : *b;
        a += *a == low;
        b += *b == low;
        *out++ = low;
    }
    const int *rest = a < a_end ? a : b;
    const ptrdiff_t left = a < a_end ? a_end - a : b_end - b;
    memcpy(out, rest, (size_t)left * sizeof *out);
    return out + left;
}

haw_status haw_csr_symmetrize(haw_arena *arena, const haw_csr *matrix, haw_csr *pattern)
{
    const int n = matrix->rows;
    haw_csr view = *matrix;
    view.value = NULL;
    haw_csr transposed;
    HAW_TRY(haw_csr_create(arena, n, n, (ptrdiff_t)2 * matrix->start[n], false, pattern));
    HAW_TRY(haw_csr_transpose(arena, &view, &transposed));
    int *end = pattern->column;
    for (int i = 0; i < n; ++i) {
        end = merge(view.column + view.start[i], view.column + view.start[i + 1],
                    transposed.column + transposed.start[i],
                    transposed.column + transposed.start[i + 1], end);
        pattern->start[i + 1] = (int)(end - pattern->column);
    }
    return HAW_OK;
}

int haw_csr_half_band(const haw_csr *matrix, const int *place)
{
    int widest = 0;
    for (int i = 0; i < matrix->rows; ++i) {
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; ++k) {
            const int j = matrix->column[k];
            const int gap = place != NULL ? place[i] - place[j] : i - j;
            widest = gap > widest ? gap : widest;
            widest = -gap > widest ? -gap : widest;
        }
    }
    return widest;
}
