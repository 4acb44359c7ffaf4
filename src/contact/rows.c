/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the listed touches over equations. */
#include "contact/contact.h"

#include <string.h>

/*
 * Add a side's entries over the equations, ascending; a node that is touched twice, by the copy of
 * a closed cable or by both sides, counts once. @return how many entries there are now
 */
static int fill_row(const haw_touch_side *side, int row, const int *equation, int count,
                    int *column, double *value)
{
    for (int k = 0; k < side->count; k++) {
        const double x = side->row[row][k];
        const int i = equation[haw_side_dof(side, k)];
        int at = count;
        while (at > 0 && column[at - 1] > i) {
            at--;
        }
        if (i < 0) {
            continue;
        }
        if (at > 0 && column[at - 1] == i) {
            value[at - 1] += x;
            continue;
        }
        memmove(column + at + 1, column + at, (size_t)(count - at) * sizeof *column);
        memmove(value + at + 1, value + at, (size_t)(count - at) * sizeof *value);
        column[at] = i;
        value[at] = x;
        count++;
    }
    return count;
}

haw_status haw_contact_rows(const haw_contacts *contacts, const int *equation, int equations,
                            haw_arena *arena, haw_csr *ht)
{
    const int d = contacts->dimension, rows = d * contacts->count;
    ptrdiff_t most = 0;
    for (int i = 0; i < contacts->count; i++) {
        most += (ptrdiff_t)d * (contacts->item[i].side[0].count + contacts->item[i].side[1].count);
    }
    HAW_TRY(haw_csr_create(arena, rows, equations, most, true, ht));
    for (int i = 0; i < rows; i++) {
        const haw_touch *c = &contacts->item[i / d];
        const int start = ht->start[i];
        int count = 0;
        for (int side = 0; side < 2; side++) {
            count = fill_row(&c->side[side], i % d, equation, count, ht->column + start,
                             ht->value + start);
        }
        ht->start[i + 1] = start + count;
    }
    return HAW_OK;
}

haw_status haw_contact_matrix(const haw_system *system, double scale, haw_arena *arena,
                              haw_csr *matrix)
{
    HAW_TRY(haw_system_csr(system, arena, matrix));
    for (int i = 0; i < matrix->rows; i++) {
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            const int j = matrix->column[k], other = j > i ? haw_csr_find(matrix, j, i) : -1;
            if (other >= 0) {
                matrix->value[k] = matrix->value[other] =
                    0.5 * (matrix->value[k] + matrix->value[other]);
            }
        }
    }
    for (int k = 0; k < matrix->start[matrix->rows]; k++) {
        matrix->value[k] *= scale;
    }
    return HAW_OK;
}
