/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables, the ratios, "where we lose", and the CSV: all from the same rows. */
#ifndef HAWSER_COMPARE_REPORT_H
#define HAWSER_COMPARE_REPORT_H

#include "contests.h"
#include "match.h"

#include <stdio.h>

enum { CONTESTANTS_MAX = 16 };

/* One problem. matches[0] is hawser's. */
typedef struct row {
    char name[CONTEST_NAME_SIZE];
    contest_set set;
    haw_winding winding;
    int dimension, contacts;
    match matches[CONTESTANTS_MAX];
    int count;
} row;

typedef struct report {
    FILE *text, *csv;
    double limit; /* CPU seconds of one solve */
} report;

/** Heading of a set's table: the contestants that can take part in it. */
void report_head(const report *to, contest_set set);
void report_row(const report *to, const row *r);

/** Ratios and losses over all rows. */
void report_summary(const report *to, const row *rows, int count);

#endif
