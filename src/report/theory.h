/* SPDX-License-Identifier: BSD-3-Clause */
/* Figure of the profiles of a closed form, drawn by gnuplot. */
#ifndef HAWSER_REPORT_THEORY_H
#define HAWSER_REPORT_THEORY_H

#include "report/report.h"

#include <hawser/theory.h>

/**
 * Draw the first profiles of one length over the first of them, stacked, into a folder (made if
 * missing): profile.png, .svg, the script .gp and the data .csv.
 *
 * @param written  NULL, or called for each file, pictures first
 * @return ERR_IO: unwritable folder or no gnuplot; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_report_theory(haw_context *context, const haw_theory_result *result,
                                           const char *folder, haw_report_written written,
                                           void *user);

#endif
