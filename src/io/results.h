/* SPDX-License-Identifier: BSD-3-Clause */
/* Read a results file, finished or left behind by a killed run: columns as arrays. */
#ifndef HAWSER_IO_RESULTS_H
#define HAWSER_IO_RESULTS_H

#include "base/arena.h"

#include <hawser/stepper.h>

#include <stdint.h>

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
    int count;
    const char **name;
} haw_names;

/* A file that is read. */
typedef struct haw_results {
    haw_context *context;
    haw_arena arena;
    const char *file;
    int64_t id; /* HDF5's handle */
    int frames;
    int dimension; /* 2 or 3 */
    bool
        was_short; /* of memory: what fails later may do so for want of what HDF5 could not build */
    bool is_blind; /* memory was out when it was asked what there is: nothing further can be read */
    haw_names names[HAW_RESULTS_GROUPS];
} haw_results;

/** @return ERR_IO with one line: no such file, damaged, or not a results file of hawser */
HAW_NODISCARD haw_status haw_results_open(haw_context *context, const char *file,
                                          haw_results **results);
void haw_results_close(haw_results *results);

/** Close. @return `status`, of the reading so far, or ERR_NOMEM where something was not seen */
HAW_NODISCARD haw_status haw_results_end(haw_results *results, haw_status status);

/* Dimension of files that do not state it: planar. */
enum { HAW_RESULTS_DIMENSION = 2 };

/** Dataset by its path, e.g. "/VTKHDF/Lines/Offsets". Memory belongs to the results. */
HAW_NODISCARD haw_status haw_results_array(haw_results *results, haw_array *array, const char *path,
                                           ...) HAW_PRINTF(3, 4);

/** A history: /hawser/group/name/column with a row for each frame; the name may be NULL.
 * @param components  of each row, 0: as many as there are. @return ERR_IO also where it has others
 */
HAW_NODISCARD haw_status haw_results_column(haw_results *results, const char *group,
                                            const char *name, const char *column, int components,
                                            haw_array *array);

/* Lines or polygons of /VTKHDF: i has the corners offsets[i] to offsets[i + 1] - 1, each the number
 * of a point of a frame. */
typedef struct haw_cells {
    int count;
    haw_array corners, offsets;
} haw_cells;

/** Number of points of a frame. @return ERR_IO also where the file has not so many */
HAW_NODISCARD haw_status haw_results_points(haw_results *results, int *points);

/** @param name  "Lines" or "Polygons". @return ERR_IO also where offsets or corners are out of
 * range */
HAW_NODISCARD haw_status haw_results_cells(haw_results *results, const char *name, int points,
                                           haw_cells *cells);

/* Part of a dataset. */
typedef struct haw_block {
    int row, rows, component, components;
} haw_block;

/** Read a part of a dataset into value [rows * components]. */
HAW_NODISCARD haw_status haw_results_block(haw_results *results, const char *path,
                                           const haw_block *block, double *value);

/** One frame of a cable's profile, e.g. "tension", into value [points]; "xi" are the unstrained arc
 * lengths of the samples, for ropes those of this frame. */
HAW_NODISCARD haw_status haw_results_profile(haw_results *results, const char *cable,
                                             const char *column, int frame, int points,
                                             double *value);

/** Several profiles, one behind the other: value [components][rows]. @param column  ends with NULL
 */
HAW_NODISCARD haw_status haw_results_profiles(haw_results *results, const char *cable,
                                              const char *const *column, int frame,
                                              haw_array *array);

/** A text, e.g. "/hawser/scenario"; memory belongs to the results. */
HAW_NODISCARD haw_status haw_results_text(haw_results *results, const char *path, char **text);

/** "cannot read '<file>': '<path>' is missing or damaged", as ERR_IO. */
haw_status haw_results_damaged(const haw_results *results, const char *path);

/** Before HDF5 is asked what does not tell a lack of memory from a lack of what is asked for: errno
 * tells afterwards. */
void haw_results_look(haw_results *results);

/** What is not there may be left out, unless memory was out when it was looked for. */
haw_status haw_results_without(const haw_results *results, const char *path);

/** True if the file has this object. */
bool haw_results_has(haw_results *results, const char *path, ...) HAW_PRINTF(2, 3);

/** Numbers of an attribute of /hawser/group/name; false where it has none. */
bool haw_results_attribute(haw_results *results, const char *group, const char *name,
                           const char *key, double value[2]);

/* Events in the order of time. */
typedef struct haw_events {
    int count;
    haw_event *event; /* memory belongs to the results */
} haw_events;

HAW_NODISCARD haw_status haw_results_events(haw_results *results, haw_events *events);

#endif
