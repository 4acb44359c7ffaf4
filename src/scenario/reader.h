/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the tree of a document to specifications. Readers report every error they find and go on;
 * haw_yaml_status tells at the end whether there was one.
 */
#ifndef HAWSER_SCENARIO_READER_H
#define HAWSER_SCENARIO_READER_H

#include "scenario/yaml.h"

#include <hawser/scenario.h>

typedef struct haw_reader {
    haw_yaml yaml;
    haw_arena *arena; /* memory of the scenario */
    haw_scenario *scenario;
    haw_body_spec *body; /* those of the scene, still writable */
    haw_cable_spec *cable;
    haw_contact_spec *contact;
    haw_force_spec *force;
    haw_spring_spec *spring;
    bool names_lost; /* some could not be read: an unknown name proves nothing then */
} haw_reader;

/* What a mapping may hold: rows of an option table and keys that code reads. */
typedef struct haw_grammar {
    const char *noun; /* "a body", for messages */
    const haw_option *table;
    const char *const *extra; /* keys without a row, NULL-terminated */
    const char *space;        /* one of them that stands in scenes of dimension 3 only, or NULL */
} haw_grammar;

extern const haw_grammar haw_grammar_scene, haw_grammar_body, haw_grammar_cable,
    haw_grammar_contact, haw_grammar_force, haw_grammar_spring, haw_grammar_start,
    haw_grammar_probe, haw_grammar_output, haw_grammar_end, haw_grammar_reeving;

/* One entry of `probes` in its long form. */
typedef struct haw_probe_entry {
    const char *name; /* NULL: the text of the probe */
    const char *of;
    double mean_over;    /* [s] */
    bool maximum;        /* HAW_WATCH_MAXIMUM */
    double first_above;  /* HAW_WATCH_FIRST_ABOVE, NAN: not */
    double after, until; /* [s] NAN: the end of the run */
    double scale, shift;
} haw_probe_entry;

/* The plain keys of an end of a spatial cable that is written as a mapping. */
typedef struct haw_end_entry {
    const char *body; /* NULL: not on a body */
    bool clamped;
    double towards[3];
} haw_end_entry;

/* A column of numbers over the first column of a file. */
typedef struct haw_csv_entry {
    const char *csv; /* file, as seen from that of the scenario */
    int column;      /* from 1, the time */
    int ramp;        /* haw_ramp */
} haw_csv_entry;

/* Rows of haw_run_settings: `on_unconverged` of the solver, and those of `output`; rows of
 * haw_path_segment for an arc; rows of the entries above. */
extern const haw_option haw_solver_run_options[], haw_output_options[], haw_arc_options[],
    haw_probe_options[], haw_end_options[], haw_csv_options[], haw_reeving_options[];

/** 2 or 3 for a row that only scenes of that dimension have, else 0. */
int haw_option_dimension(const haw_option *row);

extern const char *const haw_ramp_names[]; /* by haw_ramp, NULL-terminated */
extern const char *const haw_end_names[];  /* words of an end, NULL-terminated */
extern const haw_end_kind haw_end_kinds[]; /* what they mean */

enum { HAW_METHODS_MAX = 32 };

/* All rows of one kind of method; each list ends with NULL. */
typedef struct haw_methods {
    const char *name[HAW_METHODS_MAX], *summary[HAW_METHODS_MAX];
    const haw_option *options[HAW_METHODS_MAX];
} haw_methods;

haw_methods haw_methods_steppers(void);
haw_methods haw_methods_solvers(void);
/** Words of `element` (dimension 0: of both, each once), `law`, `normal` and `tangential`;
 * NULL-terminated. */
void haw_element_words(int dimension, const char *words[HAW_METHODS_MAX]);
void haw_law_words(const char *words[HAW_METHODS_MAX]);
void haw_normal_words(const char *words[HAW_METHODS_MAX]);
void haw_friction_words(const char *words[HAW_METHODS_MAX]);

/**
 * Row of the k-th key that other methods have and `own` has not, its range as wide as the widest of
 * them. @return false behind the last
 */
bool haw_methods_foreign(const haw_methods *methods, const haw_option *own, int k, haw_option *row);

/** A row that must be given: its preset lies outside its own range and no word stands for it. */
bool haw_option_is_required(const haw_option *row);

/** `count * size` zeroed bytes of the scenario; NULL (and the status set) without memory. */
void *haw_read_allocate(haw_reader *reader, int count, size_t size);

/* ---- values; `what` names the value in messages; false after an error ---- */

/** Whether a text is a number of YAML 1.2, finite or beyond the range of doubles. */
bool haw_read_is_number(const char *s);
bool haw_read_number(haw_reader *reader, const haw_yaml_node *node, const char *what,
                     double *value);
/** Of the scene: 2 or 3. */
int haw_read_dimension(const haw_reader *reader);
/** A list of exactly `count` finite numbers. */
bool haw_read_numbers(haw_reader *reader, const haw_yaml_node *node, const char *what, int count,
                      double *value);
/** A copy of a scalar's text, NULL after an error. */
const char *haw_read_text(haw_reader *reader, const haw_yaml_node *node, const char *what);
/** Check the kind of a node; a missing value is no mapping. */
bool haw_read_kind(haw_reader *reader, const haw_yaml_node *node, const char *what,
                   haw_yaml_kind kind);
/** Index of a word in a NULL-terminated list, -1 after an error. */
int haw_read_word(haw_reader *reader, const haw_yaml_node *node, const char *what,
                  const char *const *words);
/** Report keys that are not in the NULL-terminated list. */
void haw_read_keys(haw_reader *reader, const haw_yaml_node *mapping, const char *noun,
                   const char *const *keys);
/** Set one option from a node. */
void haw_read_option(haw_reader *reader, const haw_yaml_node *node, const haw_option *row,
                     void *options);
/** Read all rows of a table, report unknown keys and missing ones. */
void haw_read_options(haw_reader *reader, const haw_yaml_node *mapping, const haw_grammar *grammar,
                      void *options);

/** A number or {table: [[t, v], ...], ramp: ...}. */
void haw_read_function(haw_reader *reader, const haw_yaml_node *node, const char *what,
                       haw_function *function);
/** As many functions as the scene has dimensions: [F, ...] or {table: [[t, vx, ...], ...],
 * ramp: ...}. */
void haw_read_functions(haw_reader *reader, const haw_yaml_node *node, const char *what,
                        haw_function function[3]);
/** The rows [x, y] of a table, at least `least`: the first column ascends, `what` names it. */
void haw_read_curve(haw_reader *reader, const haw_yaml_node *node, const char *what, int least,
                    haw_function *function);
/** {csv: file, column: k, ramp: ...} */
void haw_read_csv(haw_reader *reader, const haw_yaml_node *node, haw_function *function);

/* ---- parts of the scenario ---- */

void haw_read_body(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body);
/** The shape of a body. */
void haw_read_shape(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body);
void haw_read_cable(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable);
void haw_read_ends(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable);
void haw_read_reeving(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable);
/** Where a rope starts and ends; its ends were read. */
void haw_read_rope_course(haw_reader *reader, const haw_yaml_node *node,
                          const haw_cable_spec *cable);
void haw_read_contact(haw_reader *reader, const haw_yaml_node *node, int index);
void haw_read_force(haw_reader *reader, const haw_yaml_node *node, haw_force_spec *force);
void haw_read_spring(haw_reader *reader, const haw_yaml_node *node, haw_spring_spec *spring);
/** The parts of a `start` that is a mapping, once all names are known. */
void haw_read_start(haw_reader *reader, const haw_yaml_node *mapping);
void haw_read_probes(haw_reader *reader, const haw_yaml_node *node);
void haw_read_run(haw_reader *reader);

/** `type` of a mapping: index in a list of names, -1 after an error. */
int haw_read_type(haw_reader *reader, const haw_yaml_node *mapping, const char *what,
                  const char *const *names);

/** Report a name that is missing, no word of letters, digits, _ and -, or taken already. */
void haw_read_check_name(haw_reader *reader, const haw_yaml_node *mapping, const char *name);
/** Report a name that is no word of letters, digits, _ and -. @return whether it is one */
bool haw_read_check_word(haw_reader *reader, const haw_yaml_node *node, const char *name);

/** The first body or cable of a name among those read so far, or NULL. */
const haw_body_spec *haw_read_find_body(const haw_reader *reader, const char *name);
const haw_cable_spec *haw_read_find_cable(const haw_reader *reader, const char *name);
/** Report a name that neither a body nor a cable has, unless some names could not be read. */
void haw_read_unknown_name(haw_reader *reader, const haw_yaml_node *node, const char *name);

/** Apply one `path=value` to the tree. */
void haw_set_apply(haw_yaml *yaml, int index);

/** Deepest node that a path of --set leads to; the root if not even its first part exists. */
const haw_yaml_node *haw_set_find(const haw_yaml *yaml, const char *path);

#endif
