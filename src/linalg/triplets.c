/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed rows from entries in any order. */
#include "linalg/csr.h"

#include <limits.h>

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
static void merge(const haw_triplets *triplets, const int *order, haw_csr *matrix)
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
    merge(triplets, order, matrix);
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}
