/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the listed touches over equations. */
#include "contact/contact.h"

#include <string.h>

/* Where the entries of a touch go in each of its rows. */
typedef struct order {
    int count;                     /* entries of a row */
    int column[2 * HAW_SIDE_DOFS]; /* [count] of them, ascending */
    int entries;                   /* of both sides that have an equation */
    int from[2 * HAW_SIDE_DOFS];   /* [entries] by columns: degree of freedom, behind those of the
                                      first side those of the second */
    int to[2 * HAW_SIDE_DOFS];     /* [entries] of the row */
} order;

/* Into lists that ascend by the equation; equal ones stay as they come. */
static int insert(int equation, int from, int count, int *column, int *list)
{
    int at = count;
    for (; at > 0 && column[at - 1] > equation; at--) {
        column[at] = column[at - 1];
        list[at] = list[at - 1];
    }
    column[at] = equation;
    list[at] = from;
    return count + 1;
}

/* The same for all rows of a touch. A node that is touched twice, by the copy of a closed cable or
 * by both sides, has one entry. Sides ascend: that with the lower numbers comes first. */
static void find_order(const haw_touch *touch, const int *equation, order *o)
{
    const haw_touch_side *sides = touch->side;
    const bool is_turned = sides[0].count > 0 && sides[1].count > 0 &&
                           haw_side_dof(&sides[1], 0) < haw_side_dof(&sides[0], 0);
    o->count = o->entries = 0;
    for (int at = 0; at < 2; at++) {
        const int side = is_turned ? 1 - at : at;
        for (int k = 0; k < sides[side].count; k++) {
            const int i = equation[haw_side_dof(&sides[side], k)];
            if (i >= 0) {
                o->entries = insert(i, side * HAW_SIDE_DOFS + k, o->entries, o->column, o->from);
            }
        }
    }
    for (int k = 0; k < o->entries; k++) {
        const int column = o->column[k];
        o->count += o->count > 0 && o->column[o->count - 1] == column ? 0 : 1;
        o->column[o->count - 1] = column;
        o->to[k] = o->count - 1;
    }
}

static void fill_row(const haw_touch *touch, int row, const order *o, double *value)
{
    const double *const side[2] = {touch->side[0].row[row], touch->side[1].row[row]};
    for (int k = 0; k < o->entries; k++) {
        const int from = o->from[k];
        const double x = from < HAW_SIDE_DOFS ? side[0][from] : side[1][from - HAW_SIDE_DOFS];
        value[o->to[k]] = k > 0 && o->to[k - 1] == o->to[k] ? value[o->to[k]] + x : x;
    }
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
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        order o;
        find_order(touch, equation, &o);
        for (int row = d * i; row < d * i + d; row++) {
            const int start = ht->start[row];
            memcpy(ht->column + start, o.column, (size_t)o.count * sizeof *o.column);
            fill_row(touch, row - d * i, &o, ht->value + start);
            ht->start[row + 1] = start + o.count;
        }
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
