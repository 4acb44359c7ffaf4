/* SPDX-License-Identifier: BSD-3-Clause */
/* Read a table of numbers with one header line. */
#ifndef HAWSER_TESTS_CSV_H
#define HAWSER_TESTS_CSV_H

#include "support/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct csv_table {
    int rows, columns;
    double *value;
    char header[1024];
} csv_table;

double csv_at(const csv_table *table, int row, int column);

/* Index of a named column; fails the test if there is none. */
int csv_column(const csv_table *table, const char *name);

void csv_read(const char *file, csv_table *table);

void csv_free(csv_table *table);

#endif
