/* SPDX-License-Identifier: BSD-3-Clause */
/* Read a results file, finished or left behind by a killed run: columns as arrays. */
#ifndef HAWSER_IO_RESULTS_H
#define HAWSER_IO_RESULTS_H

#include "base/arena.h"

#include <hawser/stepper.h>

/* A dataset: `rows` rows of `components` numbers. */
typedef struct haw_array {
    int rows, components;
    double *value; /* [rows * components] */
    char unit[64];
} haw_array;

typedef enum haw_results_group {
    HAW_RESULTS_BODIES,
    HAW_RESULTS_CABLES,
    HAW_RESULTS_CONTACTS,
    HAW_RESULTS_PROBES,
    HAW_RESULTS_GROUPS
} haw_results_group;

/* Members of a group of /hawser in the order of the scene. */
typedef struct haw_names {
    int count, room;
    const char **name;
} haw_names;

typedef struct haw_results haw_results;

/** @return ERR_IO with one line: no such file, damaged, or not a results file of hawser */
HAW_NODISCARD haw_status haw_results_open(haw_context *context, const char *file,
                                          haw_results **results);
void haw_results_close(haw_results *results);

haw_context *haw_results_context(const haw_results *results);

/** Frames in the file. */
int haw_results_frames(const haw_results *results);

/* Of files that say nothing of it: planar ones. */
enum { HAW_RESULTS_DIMENSION = 2 };

/** 2 or 3. */
int haw_results_dimension(const haw_results *results);

const haw_names *haw_results_names(const haw_results *results, haw_results_group group);

/** Dataset by its path, e.g. "/VTKHDF/Lines/Offsets". Memory belongs to the results. */
HAW_NODISCARD haw_status haw_results_array(haw_results *results, const char *path,
                                           haw_array *array);

/** A history: /hawser/group/name/column with a row for each frame; the name may be NULL. */
HAW_NODISCARD haw_status haw_results_column(haw_results *results, const char *group,
                                            const char *name, const char *column, haw_array *array);

/* Part of a dataset. */
typedef struct haw_block {
    int row, rows, component, components;
} haw_block;

/** Read a part of a dataset into value [rows * components]. */
HAW_NODISCARD haw_status haw_results_block(haw_results *results, const char *path,
                                           const haw_block *block, double *value);

/** One frame of a cable's profile, e.g. "tension", into value [points]. */
HAW_NODISCARD haw_status haw_results_profile(haw_results *results, const char *cable,
                                             const char *column, int frame, int points,
                                             double *value);

/** Unstrained arc lengths of a cable's samples at a frame: those of `xi`, of ropes the present ones
 * [points]. */
HAW_NODISCARD haw_status haw_results_labels(haw_results *results, const char *cable, int frame,
                                            const haw_array *xi, double *value);

/** True if the file has this object; the group that it is in must be there. */
bool haw_results_has(const haw_results *results, const char *path);

/** Numbers of an attribute of /hawser/group/name; false where it has none. */
bool haw_results_attribute(const haw_results *results, const char *group, const char *name,
                           const char *key, double value[2]);

/* Events in the order of time. */
typedef struct haw_events {
    int count;
    haw_event *event; /* memory belongs to the results */
} haw_events;

HAW_NODISCARD haw_status haw_results_events(haw_results *results, haw_events *events);

#endif
