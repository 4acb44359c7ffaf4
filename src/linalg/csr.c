/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed sparse rows: creation, also from entries in any order, products, transposition,
 * symmetry. */
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

/* ---- from entries in any order ---- */

haw_status haw_triplets_create(haw_arena *arena, ptrdiff_t room, bool values,
                               haw_triplets *triplets)
{
    if (room < 0 || room > INT_MAX) {
        return haw_fail(arena->context, HAW_ERR_INPUT, "%td matrix entries are too many", room);
    }
    const size_t n = (size_t)room;
    *triplets = (haw_triplets){.row = haw_arena_allocate(arena, n, sizeof(int)),
                               .column = haw_arena_allocate(arena, n, sizeof(int))};
    triplets->value = values ? haw_arena_allocate(arena, n, sizeof(double)) : NULL;
    return haw_arena_status(arena);
}

void haw_triplets_add(haw_triplets *triplets, int row, int column, double value)
{
    const int k = triplets->count++;
    triplets->row[k] = row;
    triplets->column[k] = column;
    if (triplets->value != NULL) {
        triplets->value[k] = value;
    }
}

/* One pass of a stable counting sort. from NULL: the order of the entries. start [keys + 1] */
static void sort_by(const int *key, int count, const int *from, int *start, int *to)
{
    for (int k = 0; k < count; k++) {
        const int entry = from != NULL ? from[k] : k;
        to[start[key[entry]]++] = entry;
    }
}

/* start[k]: number of entries with a smaller key; all 0 before */
static void count_keys(const int *key, int count, int keys, int *start)
{
    for (int k = 0; k < count; k++) {
        start[key[k] + 1]++;
    }
    for (int k = 0; k < keys; k++) {
        start[k + 1] += start[k];
    }
}

/* The sorted entries into compressed rows, those of one place into one. */
static void join(const haw_triplets *triplets, const int *order, haw_csr *matrix)
{
    int n = 0, row = 0;
    for (int k = 0; k < triplets->count; k++) {
        const int entry = order[k], column = triplets->column[entry];
        const double value = triplets->value != NULL ? triplets->value[entry] : 0.0;
        while (row < triplets->row[entry]) {
            matrix->start[++row] = n;
        }
        const bool is_known = n > matrix->start[row] && matrix->column[n - 1] == column;
        n += is_known ? 0 : 1;
        matrix->column[n - 1] = column;
        if (matrix->value != NULL) {
            matrix->value[n - 1] = is_known ? matrix->value[n - 1] + value : value;
        }
    }
    while (row < matrix->rows) {
        matrix->start[++row] = n;
    }
}

haw_status haw_triplets_compress(haw_arena *arena, const haw_triplets *triplets, int rows,
                                 int columns, haw_csr *matrix)
{
    const int count = triplets->count;
    HAW_TRY(haw_csr_create(arena, rows, columns, count, triplets->value != NULL, matrix));
    const haw_arena_mark mark = haw_arena_here(arena);
    int *column_start = haw_arena_allocate(arena, (size_t)columns + 2, sizeof(int));
    int *row_start = haw_arena_allocate(arena, (size_t)rows + 2, sizeof(int));
    int *by_column = haw_arena_allocate(arena, (size_t)count, sizeof(int));
    int *order = haw_arena_allocate(arena, (size_t)count, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    count_keys(triplets->column, count, columns, column_start);
    count_keys(triplets->row, count, rows, row_start);
    sort_by(triplets->column, count, NULL, column_start, by_column);
    sort_by(triplets->row, count, by_column, row_start, order);
    join(triplets, order, matrix);
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}
