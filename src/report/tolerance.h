/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tolerance of a contact solver does to a simulation, and what it costs: a figure. */
#ifndef HAWSER_REPORT_TOLERANCE_H
#define HAWSER_REPORT_TOLERANCE_H

#include "report/report.h"

typedef struct haw_report_tolerance {
    int solvers;
    const char *const *solver; /* [solvers] names in the table */
    double loose, tight;       /* largest and least tolerance */
    double frictionless;       /* T / T0 - 1 without friction, a line across; NAN: none */
} haw_report_tolerance;

/**
 * Draw dynamic as PNG and SVG beside its gnuplot script into a folder that holds dynamic.csv as
 * haw_dynamic_write leaves it: spurious tension, and CPU time per step, over the tolerance. Runs
 * that missed the tolerance in some steps or ran out of time are open marks, failed ones none.
 *
 * @param written  NULL, or called for each file, pictures first
 * @return ERR_IO: unwritable folder or no gnuplot; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_report_tolerances(haw_context *context, const char *folder,
                                               const haw_report_tolerance *what,
                                               haw_report_written written, void *user);

#endif
