/* SPDX-License-Identifier: BSD-3-Clause */
/* What the figures of a study share. */
#ifndef HAWSER_REPORT_STUDY_FIGURES_H
#define HAWSER_REPORT_STUDY_FIGURES_H

#include "report/figure.h"
#include "report/study.h"

enum { HAW_LEGEND_MAX = 48 }; /* characters of a name */

/** Room for a legend with texts of up to `letters` letters [px]. */
int haw_legend_width(size_t letters);

/** Letters of the longest name of a run, with a mark behind it, at most HAW_LEGEND_MAX. */
size_t haw_study_letters(const haw_study *study);

/** A name with a mark behind it for a legend, shortened to HAW_LEGEND_MAX; lent as
 * haw_figure_quote.
 */
const char *haw_study_title(haw_figure *figure, const char *name, const char *mark);

/** The figure of error and cost over the swept key. @param drawn  whether there was one */
HAW_NODISCARD haw_status haw_study_sweep(haw_figure *figure, const haw_study *study, bool *drawn);

#endif
