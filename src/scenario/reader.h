/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the tree of a document to specifications. Readers report every error they find and go on;
 * haw_yaml_status returns at the end whether there was one.
 */
#ifndef HAWSER_SCENARIO_READER_H
#define HAWSER_SCENARIO_READER_H

#include "scenario/yaml.h"

#include <hawser/scenario.h>

enum { HAW_WORDS_MAX = 32, HAW_KEY_SIZE = 80 };

typedef struct haw_key haw_key;
typedef struct haw_mapping haw_mapping;
typedef struct haw_names haw_names;

typedef struct haw_reader {
    haw_yaml yaml;
    haw_arena *arena; /* memory of the scenario */
    haw_scenario *scenario;
    const haw_key *key; /* that is being read */
    const char *outer;  /* of rows "outer.inner" that are being read, else NULL */
    bool names_lost;    /* some could not be read: an unknown name proves nothing then */
} haw_reader;

/** A row that must be given: a text or word that says so, a number without a default. */
bool haw_option_is_required(const haw_option *row);

/** 2 or 3 for a key that only scenes of that dimension have, else 0. */
int haw_key_dimension(unsigned long flags);

/** `count * size` zeroed bytes of the scenario; NULL (and the status set) without memory. */
void *haw_read_allocate(haw_reader *reader, int count, size_t size);

/** Report one error at a node. */
/* NOLINTNEXTLINE(readability-identifier-naming): reads as a function */
#define haw_read_error(reader, ...) haw_yaml_error(&(reader)->yaml, __VA_ARGS__)

/* ---- values; `what` names the value in messages; false after an error ---- */

/** Whether a text is a number of YAML 1.2, finite or beyond the range of doubles. */
bool haw_read_is_number(const char *s);
bool haw_read_number(haw_reader *reader, const haw_yaml_node *node, const char *what,
                     double *value);
/** Dimension of the scene: 2 or 3. */
int haw_read_dimension(const haw_reader *reader);
/** A list of exactly `count` finite numbers. */
bool haw_read_numbers(haw_reader *reader, const haw_yaml_node *node, const char *what, int count,
                      double *value);
/** A copy of a scalar's text, NULL after an error. */
const char *haw_read_text(haw_reader *reader, const haw_yaml_node *node, const char *what);
/** Check the kind of a node; a missing value is not a mapping. */
bool haw_read_kind(haw_reader *reader, const haw_yaml_node *node, const char *what,
                   haw_yaml_kind kind);
/** Index of a word in a NULL-terminated list, -1 after an error. */
int haw_read_word(haw_reader *reader, const haw_yaml_node *node, const char *what,
                  const char *const *words);
/** Set one option from a node. */
void haw_read_option(haw_reader *reader, const haw_yaml_node *node, const haw_option *own,
                     void *options);
/** haw_function of the key being read: a number or {table: [[t, v], ...], ramp: ...}. */
void haw_read_function(haw_reader *reader, const haw_yaml_node *node, void *function);
/** haw_function[3], as many as the scene has dimensions: [F, ...] or {table: [[t, vx, ...], ...],
 * ramp: ...}. */
void haw_read_functions(haw_reader *reader, const haw_yaml_node *node, void *functions);
/** The rows [x, y] of a table, at least `least`: the first column ascends, `what` names it. */
void haw_read_curve(haw_reader *reader, const haw_yaml_node *node, const char *what, int least,
                    haw_function *function);
/** Text of a measured history; the caller releases it. @return ERR_IO, ERR_INPUT, ERR_NOMEM */
HAW_NODISCARD haw_status haw_file_history(haw_context *context, const char *file, char **text);

enum { HAW_ROWS_COLUMNS = 4 };

/* Rows of numbers of a text file. */
typedef struct haw_rows {
    int columns;                  /* in: wanted; out: found */
    int least;                    /* in: columns that must be there; the others may lack in all */
    int column[HAW_ROWS_COLUMNS]; /* in: which they are, from 1 */
    int count;
    double *value;    /* [count][columns] */
    int *line;        /* [count] in the file */
    const char *path; /* the file, for messages */
    bool has_header;
    haw_reader *reader;
    const haw_yaml_node *node; /* that names the file */
} haw_rows;

/** Read a file as seen from that of the scenario. @return false after an error */
bool haw_read_rows(haw_reader *reader, const haw_yaml_node *node, const char *file, haw_rows *rows);
/** {csv: file, column: k, ramp: ...} */
void haw_read_csv(haw_reader *reader, const haw_yaml_node *node, haw_function *function);

/* ---- names of bodies and cables ---- */

/** Report a name that is missing, has characters other than letters, digits, _ and -, or is taken.
 */
void haw_read_check_name(haw_reader *reader, const haw_yaml_node *mapping, const char *name);
/** Report characters of a name other than letters, digits, _ and -. @return whether it is valid */
bool haw_read_check_word(haw_reader *reader, const haw_yaml_node *node, const char *name);
/** The first body or cable of a name among those read so far, or NULL. */
const haw_body_spec *haw_scene_find_body(const haw_scene *scene, const char *name);
const haw_cable_spec *haw_scene_find_cable(const haw_scene *scene, const char *name);
/** Report a name that neither a body nor a cable has, unless some names could not be read. */
void haw_read_unknown_name(haw_reader *reader, const haw_yaml_node *node, const char *name);
/** The same for a name that must be a body's; NULL: none is given. */
void haw_read_check_body(haw_reader *reader, const haw_yaml_node *node, const char *name);

/* ---- settings ---- */

/** Apply one `path=value` to the tree. */
void haw_set_apply(haw_yaml *yaml, int index);

/** Deepest node that a path of --set leads to; the root if not even its first part exists. */
const haw_yaml_node *haw_set_find(const haw_yaml *yaml, const char *path);

#endif
