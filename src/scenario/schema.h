/* SPDX-License-Identifier: BSD-3-Clause */
/* Option tables as properties of a JSON schema (draft 2020-12). */
#ifndef HAWSER_SCENARIO_SCHEMA_H
#define HAWSER_SCENARIO_SCHEMA_H

#include "scenario/reader.h"
#include "scenario/text.h"

/* Words of STRING rows, by their keys; ends with a NULL key. */
typedef struct haw_schema_words {
    const char *key;
    const char *const *words;
} haw_schema_words;

/** "enum": [...] of a NULL-terminated list. */
void haw_schema_enum(haw_text *text, const char *const *words);

/** Type and limits as the tables store them: inclusive, DBL_MIN for "> 0", +-DBL_MAX for none. */
void haw_schema_number(haw_text *text, const haw_option *row);

/** "key": {...} of one row; `words` of a STRING row may be NULL. */
void haw_schema_row(haw_text *text, const char *key, const haw_option *row,
                    const char *const *words);

/** All rows of a table, those with a dot gathered in mappings; `known` may be NULL. */
void haw_schema_rows(haw_text *text, const haw_option *table, const haw_schema_words *known);

/** The same without the row `skip`. */
void haw_schema_rows_but(haw_text *text, const haw_option *table, const haw_schema_words *known,
                         const char *skip);

/**
 * Open an object up to its properties; two braces close it. Rows without a default are required,
 * and `first` beside them unless it is NULL.
 */
void haw_schema_open(haw_text *text, const haw_grammar *grammar, const char *first);

/** Open the object of one row of a table of kinds: its `type` and its own options. */
void haw_schema_kind(haw_text *text, const char *name, const char *summary,
                     const haw_option *options, bool is_required);

#endif
