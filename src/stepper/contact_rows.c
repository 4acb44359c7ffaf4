/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepper/contact_rows.h"

#include <string.h>

enum { ROW_MAX = HAW_OWNER_DOFS + HAW_BODY_DOFS };

/* Entry k of a contact's row: owner first, then body. */
static double entry(const haw_contact *c, int row, int k, int *dof)
{
    const bool owner = k < c->width;
    *dof = owner ? c->owner + k : c->body + k - c->width;
    return owner ? c->row[row][k] : c->body_row[row][k - c->width];
}

/* Entries over the equations, ascending; a node that the owner touches twice, by the copy of a
 * closed cable, counts once. @return how many */
static int fill_row(const haw_contact *c, int row, int width, const int *equation, int *column,
                    double *value)
{
    int count = 0, dof;
    for (int k = 0; k < width; k++) {
        const double x = entry(c, row, k, &dof);
        const int i = equation[dof];
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

haw_status haw_contact_rows(const haw_contacts *contacts, const haw_system *system,
                            haw_arena *arena, haw_csr *ht)
{
    const int d = contacts->dimension, rows = d * contacts->count;
    const int body = (int)haw_body_dofs(system->model);
    HAW_TRY(haw_csr_create(arena, rows, system->equations, (ptrdiff_t)rows * ROW_MAX, true, ht));
    for (int i = 0; i < rows; i++) {
        const haw_contact *c = &contacts->item[i / d];
        const int start = ht->start[i];
        ht->start[i + 1] = start + fill_row(c, i % d, c->width + body, system->equation,
                                            ht->column + start, ht->value + start);
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
