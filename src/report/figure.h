/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the figures share. Each figure is a gnuplot script beside its data: figure.c opens, ends and
 * runs scripts, one file per figure writes what is between.
 */
#ifndef HAWSER_REPORT_FIGURE_H
#define HAWSER_REPORT_FIGURE_H

#include "io/csv.h"
#include "report/report.h"

typedef struct haw_interval {
    double from, to; /* INFINITY and -INFINITY: nothing is in it */
} haw_interval;

void haw_interval_widen(haw_interval *interval, double value);

/* A run about to be drawn. */
typedef struct haw_figure {
    haw_context *context;
    haw_results *results;
    const char *folder;
    const haw_style *style; /* NULL: as it is */
    haw_array t;
    const haw_instants *at; /* wanted instants, NULL: chosen here */
    int instants;           /* frames worth a picture, ascending */
    int instant[HAW_INSTANTS_MAX];
    int contacts; /* spans of time with contact of any pair */
    haw_interval *contact;
    char phrase[256];           /* scratch of haw_figure_quote */
    haw_report_written written; /* NULL: nobody asks */
    void *user;
} haw_figure;

/** Time, instants and spans of contact. */
HAW_NODISCARD haw_status haw_figure_init(haw_figure *figure);

/** Report a file that was written into the folder. */
HAW_NODISCARD haw_status haw_figure_written(const haw_figure *figure, const char *name, ...)
    HAW_PRINTF(2, 3);

/** Run the scripts of these names and report pictures and scripts. */
HAW_NODISCARD haw_status haw_figure_draw(const haw_figure *figure, int count,
                                         const char *const *name);

/** Begin folder/name.gp: everything until haw_script_end is drawn once as PNG and once as SVG. */
HAW_NODISCARD haw_status haw_script_begin(const haw_figure *figure, const char *name,
                                          const int size[2], haw_text *script);
HAW_NODISCARD haw_status haw_script_end(haw_text *script);

/**
 * A name and a symbol between single quotes, as gnuplot reads them; valid until the next call.
 *
 * @param name    shown as it is
 * @param symbol  may use gnuplot's markup
 */
const char *haw_figure_quote(haw_figure *figure, const char *name, const char *symbol);

/** Borders of a plot, in parts of the canvas. */
void haw_script_margins(haw_text *script, const double x[2], const double y[2]);

/** Place of the legend, its upper left corner in parts of the canvas. */
void haw_script_key(haw_text *script, double x, double y);

/** Range of the ordinate; a constant, and what is smaller than any quantity that is meant, get a
 * range that rounding errors do not fill. @return whether gnuplot chooses it by the curves */
bool haw_script_range(haw_text *script, haw_interval range);

/** Factor from newtons, joules, watts or pascals to the prefix (k, m, µ) under which the numbers of
 * a range are short, 1 for other units; `label` gets "text  [unit]" with that prefix. */
double haw_figure_prefix(haw_interval range, const char *text, const char *unit, char label[96]);

/** Time of an instant with its unit, in milliseconds where the run is short. */
void haw_figure_time(const haw_figure *figure, int instant, char text[32]);

/** Colour k of a palette that colour-blind readers can tell apart. */
const char *haw_figure_color(int k);

/** Colour of curve k of `count`: of the palette where they are at most `most`, else of the ramp.
 * @return whether the legend names it: all curves of the palette, five of the ramp */
bool haw_figure_curve(int k, int count, int most, char color[8]);

/** Room for a legend of so many letters [px]. */
int haw_figure_legend(size_t letters);

/** Colour of a place in 0 ... 1 on the ramp of the snapshots. */
void haw_figure_ramp(double place, char color[8]);

/** Plots of one block of folder/NAME-INDEX.csv per instant, in the colours of the ramp, with the
 * name of their owner above the legend; NULL: no legend.
 * @param style  gnuplot: columns and kind of line */
void haw_figure_blocks(haw_figure *figure, const char *name, int index, const char *owner,
                       const char *style, haw_text *script);

/* Stacked panels over a common axis; in columns, which also have the ordinate in common. */
typedef struct haw_panels {
    int count, index;
    int columns;       /* 0: one */
    int height, width; /* of one [px] */
    int right;         /* room for the legend [px], 0: the usual */
    int gap;           /* between panels, and above the first [px], 0: the usual */
    int size[2];       /* of the canvas [px] */
} haw_panels;

/** Begin folder/name.gp with `count` panels of this height. */
HAW_NODISCARD haw_status haw_panels_begin(const haw_figure *figure, const char *name, int height,
                                          haw_panels *panels, haw_text *script);

/** A common time axis, with the spans of contact as its ground. */
void haw_panels_time(const haw_figure *figure, haw_text *script);

/** The next panel from the top: its frame and labels; `axis` below the last. */
void haw_panels_next(haw_panels *panels, const char *label, const char *axis, haw_text *script);

/** A name above the panel at its left, and what may use gnuplot's markup behind it. */
void haw_panels_caption(haw_figure *figure, haw_text *script, const char *name, const char *rest);

/** The legend beside the first panel again, for a plot that only has names. */
void haw_panels_key(const haw_panels *panels, haw_text *script);

/* Columns of histories.csv that a body has: position 2, angle, velocity 2, spin, torque; in space
 * position 3, orientation 4, velocity 3, angular velocity 3, spin, torque. */
enum { HAW_HISTORY_BODY_COLUMNS = 7, HAW_HISTORY_SPACE_BODY_COLUMNS = 15 };

/** The figures. Those that would be empty are not written and set `drawn` to false. */
HAW_NODISCARD haw_status haw_figure_snapshots(haw_figure *figure, bool *drawn);
HAW_NODISCARD haw_status haw_figure_histories(haw_figure *figure, bool *drawn);
HAW_NODISCARD haw_status haw_figure_probes(haw_figure *figure, bool *drawn);
HAW_NODISCARD haw_status haw_figure_energy(haw_figure *figure, bool *drawn);
HAW_NODISCARD haw_status haw_figure_tension(haw_figure *figure, bool *drawn);
HAW_NODISCARD haw_status haw_figure_sheaves(haw_figure *figure, bool *drawn);

#endif
