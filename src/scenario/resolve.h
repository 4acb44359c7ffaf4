/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a scenario as YAML that reads back to the same. */
#ifndef HAWSER_SCENARIO_RESOLVE_H
#define HAWSER_SCENARIO_RESOLVE_H

#include "scenario/reader.h"
#include "scenario/text.h"

typedef struct haw_resolve {
    haw_text text;
    int dimension; /* of the scene: keys of the other one are left out */
} haw_resolve;

/* What stands before the lines of a mapping. */
typedef struct haw_resolve_lines {
    const char *lead;   /* before the first row */
    const char *indent; /* before the others */
    const char *skip;   /* key to leave out, or NULL */
} haw_resolve_lines;

/** `key: value` lines of all rows of a table. */
void haw_resolve_options(haw_resolve *out, const haw_resolve_lines *lines, const haw_option *table,
                         const void *options);

/** [a, b, ...] */
void haw_resolve_numbers(haw_resolve *out, int count, const double *value);

/** [[t, v], ...] */
void haw_resolve_table(haw_resolve *out, const haw_function *function);

/** A number or {table: [[t, v], ...], ramp: ...}. */
void haw_resolve_function(haw_resolve *out, const haw_function *function);

/** `key: [F, ...]`, as many as the scene has dimensions. */
void haw_resolve_functions(haw_resolve *out, const char *key, const haw_function function[3]);

/** `shape` of a body and `ends` of a cable. */
void haw_resolve_shape(haw_resolve *out, const haw_body_spec *body);
void haw_resolve_ends(haw_resolve *out, const haw_cable_spec *cable);

/** `reeving` of a rope. */
void haw_resolve_reeving(haw_resolve *out, const haw_cable_spec *cable);

#endif
