/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that compare solvers, drawn by gnuplot from the tables of a benchmark. */
#ifndef HAWSER_REPORT_COMPARISON_H
#define HAWSER_REPORT_COMPARISON_H

#include "report/report.h"

typedef struct haw_report_comparison {
    int solvers, problems;     /* at least 1 of each */
    const char *const *solver; /* [solvers] names */
    double tolerance;
} haw_report_comparison;

/**
 * Draw performance-profile and convergence, each as PNG and SVG beside its gnuplot script, into a
 * folder that holds
 *   profile.csv      solver, share, ratio, seconds: one block per solver
 *   convergence.csv  solver, problem, iterations, seconds, residual: one block per solve, the
 *                    `problems` blocks of the first solver first
 * with one line of headers each; blocks are separated by two empty lines.
 *
 * @param written  NULL, or called for each file, pictures first
 * @return ERR_IO: unwritable folder or no gnuplot; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_report_compare(haw_context *context, const char *folder,
                                            const haw_report_comparison *what,
                                            haw_report_written written, void *user);

#endif
