/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a run, drawn by gnuplot. */
#ifndef HAWSER_REPORT_REPORT_H
#define HAWSER_REPORT_REPORT_H

#include "base/status.h"

enum { HAW_INSTANTS_MAX = 8 };

/* Times that profiles and snapshots are drawn at, ascending. */
typedef struct haw_instants {
    int count;
    double t[HAW_INSTANTS_MAX]; /* [s] */
} haw_instants;

/* Told about every file that was written, scripts and data included; path is lent. */
typedef void (*haw_report_written)(void *user, const char *path);

/**
 * Draw the figures of a results file into a folder (made if missing): snapshots, histories, the
 * energy ledger and tension profiles, each as PNG and SVG beside the gnuplot script and the data
 * that made it, so that they can be edited and drawn again. What a scene has nothing of is left
 * out.
 *
 * @param at       instants of snapshots and profiles; NULL: chosen over the run
 * @param written  NULL, or called for each file, pictures first
 * @return ERR_IO: unreadable results, unwritable folder, or no gnuplot; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_report_plot(haw_context *context, const char *results,
                                         const char *folder, const haw_instants *at,
                                         haw_report_written written, void *user);

#endif
