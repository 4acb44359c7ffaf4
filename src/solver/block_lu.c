/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/block_lu.h"

#include <string.h>

enum { BAND_MAX = 4 }; /* rows of a full matrix that haw_lu takes for a band, and faster so */

static haw_status create_pattern(haw_arena *arena, const haw_bsr *w, haw_csr *matrix)
{
    const int d = w->block, rows = d * w->rows;
    int at = 0;

    HAW_TRY(haw_csr_create(arena, rows, rows, (ptrdiff_t)d * d * w->start[w->rows], true, matrix));
    for (int i = 0; i < rows; i++) {
        for (int k = w->start[i / d]; k < w->start[i / d + 1]; k++) {
            for (int j = 0; j < d; j++) {
                matrix->column[at++] = d * w->column[k] + j;
            }
        }
        matrix->start[i + 1] = at;
    }
    return HAW_OK;
}

haw_status haw_block_lu_create(haw_arena *arena, const haw_bsr *w, haw_block_lu *system)
{
    const bool is_full = w->start[w->rows] == (double)w->rows * w->rows;

    *system = (haw_block_lu){.w = w};
    if (is_full && w->block * w->rows > BAND_MAX) {
        return haw_lu_create_full(arena, w->block * w->rows, &system->lu);
    }
    HAW_TRY(create_pattern(arena, w, &system->matrix));
    return haw_lu_create(arena, &system->matrix, &system->lu);
}

void haw_block_lu_put(haw_block_lu *system, int c, int k, const double *block)
{
    const haw_bsr *w = system->w;
    const int d = w->block;
    double *full = haw_lu_matrix(system->lu);

    if (full != NULL) {
        const ptrdiff_t n = (ptrdiff_t)d * w->rows;
        double *corner = full + n * d * w->column[k] + (ptrdiff_t)d * c;

        for (int j = 0; j < d; j++) {
            for (int i = 0; i < d; i++) {
                corner[n * j + i] = block[d * i + j];
            }
        }
        return;
    }
    for (int i = 0; i < d; i++) {
        const haw_csr *matrix = &system->matrix;
        double *row = matrix->value + matrix->start[d * c + i] + d * (k - w->start[c]);

        memcpy(row, block + (ptrdiff_t)d * i, (size_t)d * sizeof *row);
    }
}
