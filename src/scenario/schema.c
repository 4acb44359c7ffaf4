/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON schema (draft 2020-12) of the grammar: editors complete and check scenarios by it.
 */
#include "scenario/grammar.h"
#include "scenario/locale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- option rows ---- */

void haw_describe_enum(haw_text *text, const char *const *words)
{
    haw_text_add(text, "\"enum\": [");
    for (int i = 0; words != NULL && words[i] != NULL; ++i) {
        haw_text_add(text, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    }
    haw_text_add(text, "]");
}

/* Limits as the tables store them: inclusive, DBL_MIN for "> 0", +-DBL_MAX for none. */
void haw_describe_number(haw_text *text, const haw_option *row)
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

static void describe_numbers(haw_text *text, int count)
{
    haw_text_add(text,
                 "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": {\"type\": "
                 "\"number\"}",
                 count > 0 ? count : 2, count > 0 ? count : 3);
}

void haw_describe_count(haw_text *text, const haw_key *key)
{
    describe_numbers(text, key->form->count);
}

static void add_default(haw_text *text, const haw_option *row)
{
    const double preset = row->preset;
    const bool has_words = row->choices != NULL;
    switch (row->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
    case HAW_OPTION_VECTOR:
        if (isfinite(preset) && !haw_option_is_required(row)) {
            const bool is_vector = row->type == HAW_OPTION_VECTOR;
            haw_text_add(text, is_vector ? ", \"default\": [%.17g, %.17g]" : ", \"default\": %.17g",
                         preset, preset);
        } else if (has_words) {
            haw_text_add(text, ", \"default\": \"%s\"", row->choices[0]);
        }
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(text, ", \"default\": %s", preset != 0 ? "true" : "false");
        break;
    case HAW_OPTION_CHOICE:
        haw_text_add(text, ", \"default\": \"%s\"", row->choices[(int)preset]);
        break;
    case HAW_OPTION_STRING:
        break;
    }
}

/* The value of one row, without the braces around it; words may stand for a number or a vector. */
static void add_type(haw_text *text, const haw_option *row)
{
    const bool has_words = row->choices != NULL && row->type != HAW_OPTION_CHOICE;
    haw_text_add(text, "%s", has_words ? "\"anyOf\": [{" : "");
    switch (row->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
        haw_describe_number(text, row);
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(text, "\"type\": \"boolean\"");
        break;
    case HAW_OPTION_CHOICE:
        haw_describe_enum(text, row->choices);
        break;
    case HAW_OPTION_STRING:
        haw_text_add(text, "\"type\": \"string\"");
        break;
    case HAW_OPTION_VECTOR:
        describe_numbers(text, 0);
        break;
    }
    if (has_words) {
        haw_text_add(text, "}, {");
        haw_describe_enum(text, row->choices);
        haw_text_add(text, "}]");
    }
}

static void add_help(haw_text *text, const char *help, const char *unit)
{
    char whole[400];
    const bool has_unit = unit != NULL && unit[0] != '\0';
    (void)snprintf(whole, sizeof whole, "%s%s%s%s", help, has_unit ? " [" : "",
                   has_unit ? unit : "", has_unit ? "]" : "");
    haw_text_add(text, ", \"description\": ");
    haw_text_quote(text, whole);
}

void haw_describe_key(haw_text *text, const haw_key *key)
{
    if (key->form->describe != NULL) {
        key->form->describe(text, key);
    } else {
        haw_text_add(text, "%s", key->form->schema);
    }
}

/* "key": {...} of one row; a form of its own says what the value is. */
static void add_row(haw_text *text, const char *key, const haw_option *row, const haw_key *own)
{
    haw_text_add(text, "\"%s\": {", key);
    if (own != NULL && own->form != NULL) {
        haw_describe_key(text, own);
    } else {
        add_type(text, row);
        add_default(text, row);
    }
    add_help(text, row->help, row->unit);
    haw_text_add(text, "}");
}

/* ---- mappings ---- */

/* Keys that always must be given. */
static void add_required(haw_text *text, const haw_mapping *mapping)
{
    const char *comma = "";
    haw_text_add(text, "\"required\": [");
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        const haw_option *row = key->key == NULL ? key->of : NULL;
        for (; row != NULL && row->key != NULL; ++row) {
            if (haw_option_is_required(row) && haw_key_dimension(row->flags) == 0 &&
                strchr(row->key, '.') == NULL) {
                haw_text_add(text, "%s\"%s\"", comma, row->key);
                comma = ", ";
            }
        }
        if (key->key != NULL && (key->flags & HAW_KEY_REQUIRED) != 0) {
            haw_text_add(text, "%s\"%s\"", comma, key->key);
            comma = ", ";
        }
    }
    haw_text_add(text, "]");
}

/* @return what separates the next property */
/* NOLINTNEXTLINE(misc-no-recursion) */
static const char *add_table(haw_text *text, const haw_mapping *mapping, const haw_option *table,
                             const char *separator)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        haw_nested nested = {.is_first = false};
        if (strchr(row->key, '.') == NULL) {
            haw_text_add(text, "%s", separator);
            add_row(text, row->key, row, haw_mapping_find(mapping, row->key));
        } else {
            haw_nested_gather(&nested, mapping, table, row->key);
            if (!nested.is_first) {
                continue;
            }
            haw_text_add(text, "%s\"%s\": {", separator, nested.outer);
            haw_describe_mapping(text, &nested.mapping);
            haw_text_add(text, "}");
        }
        separator = ",\n      ";
    }
    return separator;
}

static void add_form(haw_text *text, const haw_key *key)
{
    haw_text_add(text, "\"%s\": {", key->key);
    haw_describe_key(text, key);
    if (key->help != NULL) {
        add_help(text, key->help, NULL);
    }
    haw_text_add(text, "}");
}

/* A key whose preset is written out cannot be told from one that is given. */
static bool is_told(const haw_mapping *mapping, const char *key)
{
    const haw_option *row = haw_mapping_row(mapping, key);
    return row == NULL || row->type == HAW_OPTION_STRING ||
           (isnan(row->preset) && row->choices == NULL);
}

/* {"anyOf": [{"required": ["a"]}, ...]} */
static void add_any(haw_text *text, const char *list)
{
    char word[HAW_KEY_SIZE];
    const char *comma = "";
    haw_text_add(text, "{\"anyOf\": [");
    while (haw_key_next(&list, word)) {
        haw_text_add(text, "%s{\"required\": [\"%s\"]}", comma, word);
        comma = ", ";
    }
    haw_text_add(text, "]}");
}

/* What keys say of each other: each rule an object of "allOf". */
static void add_rules(haw_text *text, const haw_mapping *mapping)
{
    const char *comma = "\"allOf\": [";
    for (int i = 0; i < 2 && mapping->needs[i] != NULL; ++i) {
        haw_text_add(text, "%s", comma);
        add_any(text, mapping->needs[i]);
        comma = ", ";
    }
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        char word[HAW_KEY_SIZE];
        const char *excludes = key->excludes;
        while (haw_key_next(&excludes, word)) {
            if (is_told(mapping, key->key) && is_told(mapping, word)) {
                haw_text_add(text, "%s{\"not\": {\"required\": [\"%s\", \"%s\"]}}", comma, word,
                             key->key);
                comma = ", ";
            }
        }
    }
    haw_text_add(text, "%s", comma[0] == ',' ? "], " : "");
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void haw_describe_mapping(haw_text *text, const haw_mapping *mapping)
{
    const char *separator = "\n      ";
    haw_text_add(text, "\"type\": \"object\", \"additionalProperties\": false, ");
    if (mapping->choice != NULL) {
        haw_text_add(text, "\"minProperties\": 1, \"maxProperties\": 1, ");
    } else {
        add_required(text, mapping);
        haw_text_add(text, ", ");
        add_rules(text, mapping);
    }
    haw_text_add(text, "\"properties\": {");
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        if (key->key == NULL) {
            separator = add_table(text, mapping, key->of, separator);
        } else if (key->form != NULL && haw_mapping_row(mapping, key->key) == NULL) {
            haw_text_add(text, "%s", separator);
            add_form(text, key);
            separator = ",\n      ";
        }
    }
    haw_text_add(text, "}");
}

haw_status haw_scenario_schema(haw_context *context, char **text)
{
    haw_text out = {.context = context};
    const haw_locale before = haw_locale_begin();
    haw_text_add(&out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                       "  \"title\": \"hawser scenario\",\n  \"$defs\": {\n");
    haw_define_functions(&out);
    haw_define_ends(&out);
    haw_text_add(&out, "  },\n  ");
    haw_describe_mapping(&out, &haw_mapping_scenario);
    haw_text_add(&out, "\n}\n");
    haw_locale_end(before);
    return haw_text_finish(&out, text);
}
