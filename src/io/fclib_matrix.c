/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse matrices of FCLIB files. `nz` selects the encoding: -2 compressed rows, -1 compressed
 * columns, otherwise the number of triplets. According to the format's own header p of a triplet is
 * the row and i the column; existing files have it the other way round.
 */
#include "io/fclib.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum { COMPRESSED_COLUMNS = -1, COMPRESSED_ROWS = -2 };

/* A matrix group being read. */
typedef struct source {
    haw_fclib *file;
    const char *group; /* "/fclib_local/W" */
    int rows, columns, nz, nzmax;
    haw_triplets entries; /* in rows and columns of the file */
} source;

static const char *member(const source *from, const char *name, char text[HAW_FCLIB_NAME])
{
    (void)snprintf(text, HAW_FCLIB_NAME, "%s/%s", from->group, name);
    return text;
}

static haw_status read_sizes(source *from)
{
    char text[HAW_FCLIB_NAME];
    HAW_TRY(haw_fclib_integer(from->file, member(from, "m", text), &from->rows));
    HAW_TRY(haw_fclib_integer(from->file, member(from, "n", text), &from->columns));
    HAW_TRY(haw_fclib_integer(from->file, member(from, "nz", text), &from->nz));
    return haw_fclib_integer(from->file, member(from, "nzmax", text), &from->nzmax);
}

static haw_status check_sizes(const source *from, const haw_fclib_shape *shape)
{
    if (from->rows != shape->rows || (shape->columns >= 0 && from->columns != shape->columns)) {
        return shape->columns >= 0
                   ? haw_fclib_fail(from->file, from->group, "is %d x %d, expected %d x %d",
                                    from->rows, from->columns, shape->rows, shape->columns)
                   : haw_fclib_fail(from->file, from->group, "has %d rows, expected %d", from->rows,
                                    shape->rows);
    }
    if (from->columns < 0 || from->columns == INT_MAX) {
        return haw_fclib_fail(from->file, from->group, "the number of columns %d is not valid",
                              from->columns);
    }
    if (from->nz < COMPRESSED_ROWS) {
        return haw_fclib_fail(from->file, from->group,
                              "unknown encoding nz = %d (-2: rows, -1: columns, else triplets)",
                              from->nz);
    }
    return HAW_OK;
}

static haw_status check_range(const source *from, const char *name, const int *index, int limit)
{
    char text[HAW_FCLIB_NAME];
    for (int k = 0; k < from->entries.count; k++) {
        if (index[k] < 0 || index[k] >= limit) {
            return haw_fclib_fail(from->file, member(from, name, text),
                                  "entry %d is %d, outside 0 ... %d", k, index[k], limit - 1);
        }
    }
    return HAW_OK;
}

static haw_status check_pointers(const source *from, const int *p, int lines)
{
    char text[HAW_FCLIB_NAME];
    member(from, "p", text);
    if (p[0] != 0) {
        return haw_fclib_fail(from->file, text, "must begin with 0 (found %d)", p[0]);
    }
    for (int k = 0; k < lines; k++) {
        if (p[k + 1] < p[k]) {
            return haw_fclib_fail(from->file, text, "decreases from %d to %d at entry %d", p[k],
                                  p[k + 1], k + 1);
        }
    }
    return HAW_OK;
}

/*
 * Some writers store all numbers of a dense matrix, line by line, with pointers that are all zero.
 * Such a matrix is read as dense, since no contact problem has an empty matrix.
 */
static bool is_dense(const source *from, const int *p, int lines)
{
    bool is_empty = true;
    for (int k = 0; k <= lines; k++) {
        is_empty = is_empty && p[k] == 0;
    }
    const int64_t full = (int64_t)from->rows * from->columns;
    return is_empty && full > 0 && from->nzmax == full;
}

static haw_status read_dense(source *from, int lines, int **line, int **place)
{
    char text[HAW_FCLIB_NAME];
    haw_triplets all;
    int numbers = 0;
    /* Check that the numbers exist before memory is allocated for their places. */
    HAW_TRY(haw_fclib_extent(from->file, member(from, "x", text), &numbers));
    if (numbers < from->nzmax) {
        return haw_fclib_fail(from->file, text, "%d entries, expected %d", numbers, from->nzmax);
    }
    HAW_TRY(haw_triplets_create(&from->file->arena, from->nzmax, false, &all));
    const int length = from->nzmax / lines;
    for (int k = 0; k < from->nzmax; k++) {
        haw_triplets_add(&all, k / length, k % length, 0.0);
    }
    *line = all.row;
    *place = all.column;
    from->entries.count = all.count;
    return HAW_OK;
}

/* Compressed lines; the entries of a line may be in any order. */
static haw_status read_lines(source *from, int lines, int **line, int **place)
{
    char text[HAW_FCLIB_NAME];
    int *p = NULL;
    HAW_TRY(haw_fclib_integers(from->file, member(from, "p", text), lines + 1, &p));
    if (is_dense(from, p, lines)) {
        return read_dense(from, lines, line, place);
    }
    HAW_TRY(check_pointers(from, p, lines));
    const int count = p[lines];
    HAW_TRY(haw_fclib_integers(from->file, member(from, "i", text), count, place));
    *line = haw_arena_allocate(&from->file->arena, (size_t)count + 1, sizeof(int));
    HAW_TRY(haw_arena_status(&from->file->arena));
    for (int k = 0, at = 0; at < lines; at++) {
        for (; k < p[at + 1]; k++) {
            (*line)[k] = at;
        }
    }
    from->entries.count = count;
    return HAW_OK;
}

static int largest(const int *index, int count)
{
    int found = -1;
    for (int k = 0; k < count; k++) {
        found = index[k] > found ? index[k] : found;
    }
    return found;
}

/* p holds the columns, as in all known files, unless only the opposite order fits. */
static haw_status read_triplets(source *from)
{
    char text[HAW_FCLIB_NAME];
    int *p = NULL, *i = NULL;
    HAW_TRY(haw_fclib_integers(from->file, member(from, "p", text), from->nz, &p));
    HAW_TRY(haw_fclib_integers(from->file, member(from, "i", text), from->nz, &i));
    const int p_max = largest(p, from->nz), i_max = largest(i, from->nz);
    const bool is_usual = p_max < from->columns && i_max < from->rows;
    const bool is_swapped = !is_usual && p_max < from->rows && i_max < from->columns;
    from->entries.column = is_swapped ? i : p;
    from->entries.row = is_swapped ? p : i;
    from->entries.count = from->nz;
    HAW_TRY(check_range(from, "p", p, is_swapped ? from->rows : from->columns));
    return check_range(from, "i", i, is_swapped ? from->columns : from->rows);
}

static haw_status read_entries(source *from)
{
    haw_triplets *entries = &from->entries;
    char text[HAW_FCLIB_NAME];
    if (from->nz == COMPRESSED_ROWS) {
        HAW_TRY(read_lines(from, from->rows, &entries->row, &entries->column));
        HAW_TRY(check_range(from, "i", entries->column, from->columns));
    } else if (from->nz == COMPRESSED_COLUMNS) {
        HAW_TRY(read_lines(from, from->columns, &entries->column, &entries->row));
        HAW_TRY(check_range(from, "i", entries->row, from->rows));
    } else {
        HAW_TRY(read_triplets(from));
    }
    return haw_fclib_reals(from->file, member(from, "x", text), entries->count, &entries->value);
}

haw_status haw_fclib_matrix(haw_fclib *file, const char *group, const haw_fclib_shape *shape,
                            haw_csr *matrix)
{
    source from = {.file = file, .group = group};
    HAW_TRY(read_sizes(&from));
    HAW_TRY(check_sizes(&from, shape));
    HAW_TRY(read_entries(&from));
    /* Empty lines carry no information: more lines than entries would only cost memory. */
    if (shape->columns < 0 && from.columns > from.entries.count) {
        return haw_fclib_fail(file, group, "has more columns (%d) than entries (%d)", from.columns,
                              from.entries.count);
    }
    haw_triplets entries = from.entries;
    if (shape->transpose) {
        entries.row = from.entries.column;
        entries.column = from.entries.row;
        return haw_triplets_compress(&file->arena, &entries, from.columns, from.rows, matrix);
    }
    return haw_triplets_compress(&file->arena, &entries, from.rows, from.columns, matrix);
}
