/* SPDX-License-Identifier: BSD-3-Clause */
/* Option tables as properties of a JSON schema. */
#include "scenario/schema.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void haw_schema_enum(haw_text *text, const char *const *words)
{
    haw_text_add(text, "\"enum\": [");
    for (int i = 0; words[i] != NULL; ++i) {
        haw_text_add(text, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    }
    haw_text_add(text, "]");
}

/* Limits as the tables store them: inclusive, DBL_MIN for "> 0", +-DBL_MAX for none. */
void haw_schema_number(haw_text *text, const haw_option *row)
{
    haw_text_add(text, "\"type\": \"%s\"", row->type == HAW_OPTION_INT ? "integer" : "number");
    if (row->min == DBL_MIN) {
        haw_text_add(text, ", \"exclusiveMinimum\": 0");
    } else if (row->min > -DBL_MAX) {
        haw_text_add(text, ", \"minimum\": %.17g", row->min);
    }
    if (row->max < DBL_MAX) {
        haw_text_add(text, ", \"maximum\": %.17g", row->max);
    }
}

static void add_default(haw_text *text, const haw_option *row)
{
    const char *word = row->choices != NULL ? row->choices[0] : NULL;
    switch (row->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
        if (isfinite(row->preset) && !haw_option_is_required(row)) {
            haw_text_add(text, ", \"default\": %.17g", row->preset);
        } else if (word != NULL) {
            haw_text_add(text, ", \"default\": \"%s\"", word);
        }
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(text, ", \"default\": %s", row->preset != 0 ? "true" : "false");
        break;
    case HAW_OPTION_CHOICE:
        haw_text_add(text, ", \"default\": \"%s\"", row->choices[(int)row->preset]);
        break;
    case HAW_OPTION_VECTOR:
        if (isfinite(row->preset)) {
            haw_text_add(text, ", \"default\": [%.17g, %.17g]", row->preset, row->preset);
        } else if (word != NULL) {
            haw_text_add(text, ", \"default\": \"%s\"", word);
        }
        break;
    case HAW_OPTION_STRING:
        break;
    }
}

/* The value of one row, without the braces around it; `words` of a STRING row may be NULL. */
static void add_type(haw_text *text, const haw_option *row, const char *const *words)
{
    switch (row->type) {
    case HAW_OPTION_REAL:
        if (row->choices != NULL) {
            haw_text_add(text, "\"anyOf\": [{");
            haw_schema_number(text, row);
            haw_text_add(text, "}, {");
            haw_schema_enum(text, row->choices);
            haw_text_add(text, "}]");
        } else {
            haw_schema_number(text, row);
        }
        break;
    case HAW_OPTION_INT:
        haw_schema_number(text, row);
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(text, "\"type\": \"boolean\"");
        break;
    case HAW_OPTION_CHOICE:
        haw_schema_enum(text, row->choices);
        break;
    case HAW_OPTION_STRING:
        if (words != NULL) {
            haw_schema_enum(text, words);
        } else {
            haw_text_add(text, "\"type\": \"string\"");
        }
        break;
    case HAW_OPTION_VECTOR:
        haw_text_add(text, "%s\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {",
                     row->choices != NULL ? "\"anyOf\": [{" : "");
        haw_text_add(text, "\"type\": \"number\"}");
        if (row->choices != NULL) {
            haw_text_add(text, "}, {");
            haw_schema_enum(text, row->choices);
            haw_text_add(text, "}]");
        }
        break;
    }
}

/* One value: `key` is what stands before it, without the part before a dot. */
void haw_schema_row(haw_text *text, const char *key, const haw_option *row,
                    const char *const *words)
{
    char help[400];
    const bool has_unit = row->unit != NULL && row->unit[0] != '\0';
    (void)snprintf(help, sizeof help, "%s%s%s%s", row->help, has_unit ? " [" : "",
                   has_unit ? row->unit : "", has_unit ? "]" : "");
    haw_text_add(text, "\"%s\": {", key);
    add_type(text, row, words);
    add_default(text, row);
    haw_text_add(text, ", \"description\": ");
    haw_text_quote(text, help);
    haw_text_add(text, "}");
}

static bool has_prefix(const haw_option *row, const char *key, size_t length)
{
    return strncmp(row->key, key, length) == 0;
}

/* All rows "outer.inner" of one mapping; nothing where an earlier row began it. */
static bool add_nested(haw_text *text, const haw_option *table, const haw_option *first,
                       const char *separator)
{
    const size_t length = strcspn(first->key, ".") + 1;
    const char *comma = "";
    for (const haw_option *row = table; row != first; ++row) {
        if (has_prefix(row, first->key, length)) {
            return false;
        }
    }
    haw_text_add(text, "%s\"%.*s\": {\"type\": \"object\", \"additionalProperties\": false, ",
                 separator, (int)length - 1, first->key);
    haw_text_add(text, "\"properties\": {");
    for (const haw_option *row = first; row->key != NULL; ++row) {
        if (has_prefix(row, first->key, length)) {
            haw_text_add(text, "%s", comma);
            haw_schema_row(text, row->key + length, row, NULL);
            comma = ", ";
        }
    }
    haw_text_add(text, "}}");
    return true;
}

/* All rows of a table but `skip`. */
void haw_schema_rows_but(haw_text *text, const haw_option *table, const haw_schema_words *known,
                         const char *skip)
{
    const char *separator = "\n      ";
    for (const haw_option *row = table; row->key != NULL; ++row) {
        const char *const *words = NULL;
        for (int i = 0; known != NULL && known[i].key != NULL; ++i) {
            words = strcmp(row->key, known[i].key) == 0 ? known[i].words : words;
        }
        if (skip != NULL && strcmp(row->key, skip) == 0) {
            continue;
        }
        bool added = true;
        if (strchr(row->key, '.') != NULL) {
            added = add_nested(text, table, row, separator);
        } else {
            haw_text_add(text, "%s", separator);
            haw_schema_row(text, row->key, row, words);
        }
        separator = added ? ",\n      " : separator;
    }
}

void haw_schema_rows(haw_text *text, const haw_option *table, const haw_schema_words *known)
{
    haw_schema_rows_but(text, table, known, NULL);
}

/* `first` is required beside the rows without a default; NULL: nothing else. */
static void add_required(haw_text *text, const haw_grammar *grammar, const char *first)
{
    const char *comma = "";
    haw_text_add(text, "\"required\": [");
    if (first != NULL) {
        haw_text_add(text, "\"%s\"", first);
        comma = ", ";
    }
    for (const haw_option *row = grammar->table; row->key != NULL; ++row) {
        if (haw_option_is_required(row) && haw_option_dimension(row) == 0) {
            haw_text_add(text, "%s\"%s\"", comma, row->key);
            comma = ", ";
        }
    }
    haw_text_add(text, "]");
}

void haw_schema_open(haw_text *text, const haw_grammar *grammar, const char *first)
{
    haw_text_add(text, "{\"type\": \"object\", \"additionalProperties\": false, ");
    add_required(text, grammar, first);
    haw_text_add(text, ", \"properties\": {");
}

/* One object per row of a table of kinds: its `type` and its own options. */
void haw_schema_kind(haw_text *text, const char *name, const char *summary,
                     const haw_option *options, bool is_required)
{
    const haw_grammar grammar = {name, options, NULL, NULL};
    haw_schema_open(text, &grammar, is_required ? "type" : NULL);
    haw_text_add(text, "\n      \"type\": {\"const\": \"%s\", \"description\": ", name);
    haw_text_quote(text, summary);
    haw_text_add(text, "}%s", options[0].key != NULL ? "," : "");
    haw_schema_rows(text, options, NULL);
}
