/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of a results file as CSV, written row by row with 17 digits. */
#ifndef HAWSER_IO_CSV_H
#define HAWSER_IO_CSV_H

#include "io/file.h"
#include "io/results.h"

enum { HAW_HEADER_MAX = 192 }; /* bytes of the header of a column */

/** Write one text as a CSV field, quoted if necessary. */
void haw_csv_text(FILE *stream, const char *text);

/** Write a comma and a number; the field stays empty if the number is not finite. */
void haw_csv_number(FILE *stream, double value);

/* A column of a table: every `stride`-th number. */
typedef struct haw_csv_column {
    char header[HAW_HEADER_MAX]; /* name[unit] */
    const double *value;
    int stride;
} haw_csv_column;

/** folder/name.csv: a line of headers and `rows` lines of numbers. */
HAW_NODISCARD haw_status haw_csv_table(haw_context *context, const char *folder, const char *name,
                                       int rows, int columns, const haw_csv_column *column);

/** Histories of bodies, cables and contact sums; the ledger; the probes. */
HAW_NODISCARD haw_status haw_csv_histories(haw_results *results, const char *folder);
HAW_NODISCARD haw_status haw_csv_energy(haw_results *results, const char *folder);
HAW_NODISCARD haw_status haw_csv_probes(haw_results *results, const char *folder);

#endif
