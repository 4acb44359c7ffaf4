/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario as YAML that reads back to the same. */
#ifndef HAWSER_SCENARIO_RESOLVE_H
#define HAWSER_SCENARIO_RESOLVE_H

#include "scenario/reader.h"
#include "scenario/text.h"

typedef struct haw_resolve {
    haw_text text;
    const haw_scene *scene;
    const haw_key *key; /* that is being written */
    int dimension;      /* of the scene: keys of the other one are left out */
    int indent;         /* of the lines of the present mapping */
    bool is_item;       /* the next line begins an item of a list */
    bool in_braces;     /* the present mapping stands in one line */
    bool has_key;       /* something stands in its braces already */
} haw_resolve;

/** [a, b, ...] */
void haw_resolve_numbers(haw_resolve *out, int count, const double *value);

/** ["a", "b", ...] */
void haw_resolve_texts(haw_resolve *out, int count, const char *const *text);

/** [[t, v], ...] */
void haw_resolve_table(haw_resolve *out, const haw_function *function);

/** haw_function: a number or {table: [[t, v], ...], ramp: ...}. */
void haw_resolve_function(haw_resolve *out, const void *value);

/** haw_function[3]: [F, ...], as many as the scene has dimensions. */
void haw_resolve_functions(haw_resolve *out, const void *functions);

#endif
