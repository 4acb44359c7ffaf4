/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variants of a scenario side by side: what is kept of each run, how far each is from the
 * reference, and the tables and figures of all.
 */
#ifndef HAWSER_STUDY_STUDY_H
#define HAWSER_STUDY_STUDY_H

#include "io/file.h"
#include "report/report.h"
#include "study/variant.h"

#include <hawser/io.h>
#include <hawser/scenario.h>

#include <stdio.h>

/* A cable at one instant. Closed cables begin above their middle, not at their first node, so that
 * cables that have run equally far, but not exactly, are compared place by place. */
typedef struct haw_study_cable {
    const char *name;
    int elements;
    bool closed;
    double length;    /* unstrained [m] */
    double stiffness; /* EA [N] */
    double origin;    /* unstrained arc length at which s = 0 [m] */
    double *s;        /* [elements] of their middles, ascending [m] */
    double *tension;  /* [elements] means [N] */
} haw_study_cable;

/* Contact points of one pair, by the same arc length. */
typedef struct haw_study_pair {
    const char *name; /* cable-body */
    int cable;        /* index into the cables */
    int points;
    double *s;       /* [points] ascending [m] */
    double *share;   /* [points] length of the cable that each stands for [m] */
    double *force;   /* [points][2] mean normal and tangential force since the last frame [N] */
    double *impulse; /* [points][2] since the start [N s] */
} haw_study_pair;

typedef struct haw_study_probe {
    const char *name, *unit;
    int size, first; /* values, and where they begin in a frame */
} haw_study_probe;

/* A run, or what there is of it. */
typedef struct haw_study_run {
    const haw_variant *variant;
    bool has_run, is_done; /* reached its first frame, its end */
    bool is_short;         /* of memory: another time it may run */
    const char *status;    /* one word, as in the `status` key of --json */
    const char *message;   /* NULL where all went well */
    haw_summary summary;
    int elements, points; /* of all cables and pairs */
    haw_per per;          /* what stiffness and damping of the first pair refer to */
    double t;             /* of the profiles [s] */
    int frames, values;
    double *time;  /* [frames] [s] */
    double *value; /* [frames][values] of the probes */
    int probes, cables, pairs;
    haw_study_probe *probe;
    haw_study_cable *cable;
    haw_study_pair *pair;
    /* Distance from the reference; NAN where either has no such thing. */
    double error;        /* the largest of the following */
    double tension_l2;   /* |N - N_ref| / |N_ref|, L2 over the normalised arc length; NAN also where
                            N_ref is rounding only */
    double *probe_error; /* [probes] at the end, over the largest magnitude of the reference */
} haw_study_run;

typedef struct haw_study {
    haw_arena *arena; /* owner of all */
    int runs;
    haw_study_run *run;
    int reference;     /* index of a run, -1: none has run */
    const char *swept; /* as in haw_variants */
    int groups;        /* of the swept runs */
    const char **group_name;
} haw_study;

/* ---- record.c ---- */

/* Gathers a run as its frames come. */
typedef struct haw_study_record {
    haw_arena *arena;
    haw_study_run *run;
    double at;       /* wanted time of the profiles [s], INFINITY: the last frame */
    double *q, *u;   /* of that frame */
    double *force;   /* [rows] */
    double *impulse; /* [rows] */
} haw_study_record;

/** Room for the frames of this simulation; names its probes. */
HAW_NODISCARD haw_status haw_study_begin(haw_study_record *record, const haw_scenario *scenario,
                                         const haw_simulation *simulation);
HAW_NODISCARD haw_status haw_study_frame(haw_study_record *record, const haw_frame *frame);

/**
 * Probes of the frames that a run had before its checkpoint; impulses of its contacts are those
 * since.
 * @return ERR_IO: they are missing or damaged
 */
HAW_NODISCARD haw_status haw_study_continue(haw_study_record *record, const haw_saved *saved);

/** Profiles of the chosen frame, while the simulation still exists. */
HAW_NODISCARD haw_status haw_study_end(haw_study_record *record, const haw_simulation *simulation);

/* ---- error.c ---- */

/** Probe of a run by its name, NULL where it has none. */
const haw_study_probe *haw_study_probe_find(const haw_study_run *run, const char *name);

/** Its values in a frame [size]. */
const double *haw_study_value(const haw_study_run *run, const haw_study_probe *probe, int frame);

/**
 * Index of the finest run: smallest step, then most contact points, then most elements, then the
 * last. Runs that ended early are chosen only if no run was done. @return -1 if none has run
 */
int haw_study_finest(const haw_study *study);

/** Errors of all runs against study->reference. */
HAW_NODISCARD haw_status haw_study_compare(const haw_study *study);

/**
 * Difference of a probe from that of a reference over the frames that both have (their last frames
 * count in any case): root of the mean square, over the largest magnitude of the reference; 0 where
 * both are zero throughout. Values that are no number in both are equal, as before an event.
 *
 * @return INFINITY where only one of them is no number at the end, NAN without a twin
 */
double haw_study_history_error(const haw_study_run *run, const haw_study_probe *probe,
                               const haw_study_run *reference);

/* Of a probe, from runs with the steps h, h/2, h/4. */
typedef struct haw_study_richardson {
    double difference[2]; /* of h from h/2, and of h/2 from h/4, as above */
    double order;         /* log2 of their ratio; NAN where the second is rounding */
    double error;         /* of the run with h, by Richardson: the first times 2^p / (2^p - 1) with
                             p the order, at least 1/2 and at most 4 */
} haw_study_richardson;

/** @param run  three runs, by falling step */
haw_study_richardson haw_study_refine(const haw_study_run *const run[3],
                                      const haw_study_probe *probe);

/* ---- tables.c, figures.c ---- */

/** Number of the tables of a study, and their names without ending. */
int haw_study_table_count(const haw_study *study);
extern const char *const haw_study_table_names[];

/**
 * Write compare.csv, tension.csv, contact.csv, histories.csv and, where a key was swept, sweep.csv
 * into a folder.
 */
HAW_NODISCARD haw_status haw_study_tables(haw_context *context, const haw_study *study,
                                          const char *folder);

/** One run as two lines: headers and values, those of its probes at the end, the least, the
 * largest. */
void haw_study_put(FILE *stream, const haw_study_run *run);

/**
 * Draw profiles (one for each cable), histories and sweep from these tables, each as PNG and SVG.
 *
 * @param written  called for each file of tables and figures, pictures first
 */
HAW_NODISCARD haw_status haw_study_figures(haw_context *context, const haw_study *study,
                                           const char *folder, haw_report_written written,
                                           void *user);

/** Tics of a logarithmic axis: powers of ten, or 1, 2, 5 where there are few of them. */
void haw_study_log_tics(haw_text *script, char axis, double low, double high);

#endif
