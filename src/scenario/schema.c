/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON schema (draft 2020-12) of the grammar: editors complete and check scenarios by it.
 */
#include "scenario/grammar.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

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
    if (has_words) {
        haw_text_add(text, "\"if\": {\"type\": \"string\"}, \"then\": {");
        haw_describe_enum(text, row->choices);
        haw_text_add(text, "}, \"else\": {");
    }
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
    haw_text_add(text, "%s", has_words ? "}" : "");
}

/* What the key is, where it may stand, and an example. */
static void add_help(haw_text *text, const haw_mapping *mapping, const haw_member *member)
{
    const haw_option *row = member->is_nested ? NULL : member->row;
    const char *help = row != NULL ? row->help : member->own != NULL ? member->own->help : NULL;
    const char *given = member->own != NULL ? member->own->unit : NULL;
    const char *unit = row != NULL ? row->unit : given != NULL ? given : "";
    static const char *const only[] = {"", "", " (plane only)", " (space only)"};
    char whole[800], example[HAW_EXAMPLE_SIZE];
    haw_key_example(mapping->noun, member->name, row, example);
    (void)snprintf(whole, sizeof whole, "%s%s%s%s%s%s%s%s%s", help != NULL ? help : "",
                   unit[0] != '\0' ? " [" : "", unit, unit[0] != '\0' ? "]" : "",
                   only[member->dimension], example[0] != '\0' ? "; example: " : "",
                   example[0] != '\0' ? member->name : "", example[0] != '\0' ? ": " : "", example);
    if (whole[0] != '\0') {
        haw_text_add(text, ", \"description\": ");
        haw_text_quote(text, whole);
    }
}

/* ---- mappings ---- */

/* Keys that always must be given, or all. */
static void add_required(haw_text *text, const haw_members *members, bool all)
{
    const char *comma = "";
    haw_text_add(text, "\"required\": [");
    for (int i = 0; i < members->count; ++i) {
        const haw_member *member = &members->of[i];
        if (all || (member->is_required && member->dimension == 0)) {
            haw_text_add(text, "%s\"%s\"", comma, member->name);
            comma = ", ";
        }
    }
    haw_text_add(text, "]");
}

/* "key": {...}; a form describes its value itself. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_entry(haw_text *text, const haw_mapping *mapping, const haw_member *member)
{
    const haw_option *row = member->row;
    const haw_form *form = member->own != NULL ? member->own->form : NULL;
    haw_text_add(text, "\"%s\": {", member->name);
    if (member->is_nested) {
        haw_nested nested;
        haw_nested_gather(&nested, mapping, member);
        haw_describe_mapping(text, &nested.mapping);
    } else if (form != NULL && form->describe != NULL) {
        form->describe(text, member->own);
    } else if (form != NULL) {
        haw_text_add(text, "%s", form->schema);
    } else {
        add_type(text, row);
        add_default(text, row);
    }
    add_help(text, mapping, member);
    haw_text_add(text, "}");
}

/* A key whose preset is written out cannot be distinguished from one that is given. */
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

/* Rules between keys, each an object of "allOf". */
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
        if (key->needs != NULL && is_told(mapping, key->key)) {
            haw_text_add(text, "%s{\"if\": {\"required\": [\"%s\"]}, \"then\": ", comma, key->key);
            add_any(text, key->needs);
            haw_text_add(text, "}");
            comma = ", ";
        }
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
    haw_members members;
    haw_mapping_members(mapping, &members);
    haw_text_add(text, "\"type\": \"object\", \"title\": \"%s\", \"additionalProperties\": false, ",
                 mapping->noun);
    if (mapping->choice != NULL) {
        haw_text_add(text, "\"minProperties\": 1, \"not\": {"); /* one of two */
        add_required(text, &members, true);
        haw_text_add(text, "}, ");
    } else {
        add_required(text, &members, false);
        haw_text_add(text, ", ");
        add_rules(text, mapping);
    }
    haw_text_add(text, "\"properties\": {");
    for (int i = 0; i < members.count; ++i) {
        haw_text_add(text, i > 0 ? ",\n      " : "\n      ");
        add_entry(text, mapping, &members.of[i]);
    }
    haw_text_add(text, "}");
}

void haw_describe_either(haw_text *text, const haw_mapping *mapping)
{
    haw_text_add(text, "\"if\": {\"type\": \"object\"}, \"then\": {");
    haw_describe_mapping(text, mapping);
    haw_text_add(text, "}, \"else\": {");
}

haw_status haw_scenario_schema(haw_context *context, char **text)
{
    haw_text out = {.context = context};
    const haw_locale before = haw_locale_begin();
    haw_text_add(
        &out,
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"$defs\": {\n");
    haw_define_functions(&out);
    haw_define_ends(&out);
    haw_text_add(&out, "  },\n  ");
    haw_describe_mapping(&out, &haw_mapping_scenario);
    haw_text_add(&out, "\n}\n");
    haw_locale_end(before);
    return haw_text_finish(&out, text);
}
