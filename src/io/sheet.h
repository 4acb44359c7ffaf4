/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of histories as CSV: gathered column by column, written row by row with 17 digits. */
#ifndef HAWSER_IO_SHEET_H
#define HAWSER_IO_SHEET_H

#include "io/file.h"
#include "io/results.h"

enum { HAW_HEADER_MAX = 192 };

typedef struct haw_sheet_column {
    char header[HAW_HEADER_MAX]; /* name[unit] */
    const double *value;
    int stride;
} haw_sheet_column;

typedef struct haw_sheet {
    haw_results *results;
    int rows, columns, room;
    haw_sheet_column *column;
} haw_sheet;

/** A sheet that starts with the time of the frames. */
HAW_NODISCARD haw_status haw_sheet_init(haw_sheet *sheet, haw_results *results);
void haw_sheet_fini(haw_sheet *sheet);

/**
 * Add /hawser/group/name/column, one column for each component: prefix.column_x[unit], ...
 *
 * @param prefix  of the headers, NULL for none
 */
HAW_NODISCARD haw_status haw_sheet_add(haw_sheet *sheet, const char *const path[3],
                                       const char *prefix);

/** Write folder/name.csv. */
HAW_NODISCARD haw_status haw_sheet_write(const haw_sheet *sheet, const char *folder,
                                         const char *name);

/** One text as a field of CSV: quoted where it must be. */
void haw_csv_text(FILE *stream, const char *text);

/** Histories of bodies, cables and contact sums; the ledger. */
HAW_NODISCARD haw_status haw_csv_histories(haw_results *results, const char *folder);
HAW_NODISCARD haw_status haw_csv_energy(haw_results *results, const char *folder);

#endif
