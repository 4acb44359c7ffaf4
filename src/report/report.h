/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures drawn by gnuplot: of a run, of a closed form, and of solvers compared. Each is a PNG and
 * an SVG beside the gnuplot script and the data that made it, so that it can be edited and drawn
 * again. All functions call `written` (unless NULL) for each file, pictures first, and return
 * ERR_IO for an unwritable folder or without gnuplot, ERR_NOMEM.
 */
#ifndef HAWSER_REPORT_REPORT_H
#define HAWSER_REPORT_REPORT_H

#include "base/status.h"

#include <hawser/theory.h>

enum { HAW_INSTANTS_MAX = 8 };

/* Times that profiles and snapshots are drawn at, ascending. */
typedef struct haw_instants {
    int count;
    double t[HAW_INSTANTS_MAX]; /* [s] */
} haw_instants;

/* How figures are drawn; zeros and NULL: as PNG and SVG, in their own size, sans 10, all probes. */
typedef struct haw_style {
    const haw_instants *at; /* of snapshots and profiles; NULL: chosen over the run */
    const char *format;     /* "png", "svg" or "pdf" */
    double width;           /* [px] at 96 to an inch; letters grow along */
    const char *font;       /* "Times,12" */
    int probes;
    const char *const *probe; /* [probes] names */
} haw_style;

/* Called for every file that was written, scripts and data included; path is lent. */
typedef void (*haw_report_written)(void *user, const char *path);

/**
 * Draw the figures of a results file into a folder (made if missing): snapshots, histories, the
 * energy ledger and tension profiles. Figures that would be empty are left out.
 *
 * @param style  NULL: as it is
 * @return ERR_INPUT: an instant outside the run, no such probe
 */
HAW_NODISCARD haw_status haw_report_plot(haw_context *context, const char *results,
                                         const char *folder, const haw_style *style,
                                         haw_report_written written, void *user);

/** Draw the first profiles of one length over the first of them, stacked: `profile`, into a folder
 * (made if missing). */
HAW_NODISCARD haw_status haw_report_theory(haw_context *context, const haw_theory_result *result,
                                           const char *folder, haw_report_written written,
                                           void *user);

typedef struct haw_report_comparison {
    int solvers, problems;     /* at least 1 of each */
    const char *const *solver; /* [solvers] names */
    double tolerance;
} haw_report_comparison;

/**
 * Draw performance-profile and convergence into a folder that holds
 *   profile.csv      solver, share, ratio, seconds: one block per solver
 *   convergence.csv  solver, problem, iterations, seconds, residual: one block per solve, the
 *                    `problems` blocks of the first solver first
 * with one line of headers each; blocks are separated by two empty lines.
 */
HAW_NODISCARD haw_status haw_report_compare(haw_context *context, const char *folder,
                                            const haw_report_comparison *what,
                                            haw_report_written written, void *user);

typedef struct haw_report_tolerance {
    int solvers;
    const char *const *solver; /* [solvers] names in the table */
    double loose, tight;       /* largest and least tolerance */
    double frictionless;       /* T / T0 - 1 without friction, a line across; NAN: none */
} haw_report_tolerance;

/**
 * Draw `dynamic` into a folder that holds dynamic.csv as haw_dynamic_write leaves it: spurious
 * tension, and CPU time per step, over the tolerance. Runs that missed the tolerance in some steps
 * or ran out of time are open marks, failed ones none.
 */
HAW_NODISCARD haw_status haw_report_tolerances(haw_context *context, const char *folder,
                                               const haw_report_tolerance *what,
                                               haw_report_written written, void *user);

#endif
