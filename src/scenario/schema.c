/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON schema (draft 2020-12) of the format: editors complete and check scenarios by it. */
#include "element/element.h"
#include "law/law.h"
#include "scenario/locale.h"
#include "scenario/reader.h"
#include "scenario/text.h"
#include "shape/shape.h"
#include "stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 32 };

static void add_enum(haw_text *text, const char *const *words)
{
    haw_text_add(text, "\"enum\": [");
    for (int i = 0; words[i] != NULL; ++i) {
        haw_text_add(text, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    }
    haw_text_add(text, "]");
}

/* Limits as the tables store them: inclusive, DBL_MIN for "> 0", +-DBL_MAX for none. */
static void add_number(haw_text *text, const haw_option *row)
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
            add_number(text, row);
            haw_text_add(text, "}, {");
            add_enum(text, row->choices);
            haw_text_add(text, "}]");
        } else {
            add_number(text, row);
        }
        break;
    case HAW_OPTION_INT:
        add_number(text, row);
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(text, "\"type\": \"boolean\"");
        break;
    case HAW_OPTION_CHOICE:
        add_enum(text, row->choices);
        break;
    case HAW_OPTION_STRING:
        if (words != NULL) {
            add_enum(text, words);
        } else {
            haw_text_add(text, "\"type\": \"string\"");
        }
        break;
    case HAW_OPTION_VECTOR:
        haw_text_add(text, "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {");
        haw_text_add(text, "\"type\": \"number\"}");
        break;
    }
}

static void add_row(haw_text *text, const haw_option *row, const char *const *words)
{
    char help[400];
    const bool has_unit = row->unit != NULL && row->unit[0] != '\0';
    (void)snprintf(help, sizeof help, "%s%s%s%s", row->help, has_unit ? " [" : "",
                   has_unit ? row->unit : "", has_unit ? "]" : "");
    const char *dot = strchr(row->key, '.');
    if (dot != NULL) {
        haw_text_add(text, "\"%.*s\": {\"type\": \"object\", \"additionalProperties\": false, ",
                     (int)(dot - row->key), row->key);
        haw_text_add(text, "\"properties\": {\"%s\": {", dot + 1);
    } else {
        haw_text_add(text, "\"%s\": {", row->key);
    }
    add_type(text, row, words);
    add_default(text, row);
    haw_text_add(text, ", \"description\": ");
    haw_text_quote(text, help);
    haw_text_add(text, "%s", dot != NULL ? "}}}" : "}");
}

/* All rows of a table; `key` has the words of a STRING row. */
static void add_rows(haw_text *text, const haw_option *table, const char *key,
                     const char *const *words)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        haw_text_add(text, "%s\n      ", row == table ? "" : ",");
        add_row(text, row, key != NULL && strcmp(row->key, key) == 0 ? words : NULL);
    }
}

static bool is_optional(const haw_grammar *grammar, const char *key)
{
    for (int i = 0; grammar->optional != NULL && grammar->optional[i] != NULL; ++i) {
        if (strcmp(grammar->optional[i], key) == 0) {
            return true;
        }
    }
    return false;
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
        if (haw_option_is_required(row) && !is_optional(grammar, row->key)) {
            haw_text_add(text, "%s\"%s\"", comma, row->key);
            comma = ", ";
        }
    }
    haw_text_add(text, "]");
}

static void open_object(haw_text *text, const haw_grammar *grammar, const char *first)
{
    haw_text_add(text, "{\"type\": \"object\", \"additionalProperties\": false, ");
    add_required(text, grammar, first);
    haw_text_add(text, ", \"properties\": {");
}

/* One object per row of a table of kinds: its `type` and its own options. */
static void add_kind(haw_text *text, const char *name, const char *summary,
                     const haw_option *options, bool is_required)
{
    const haw_grammar grammar = {name, options, NULL, NULL};
    open_object(text, &grammar, is_required ? "type" : NULL);
    haw_text_add(text, "\n      \"type\": {\"const\": \"%s\", \"description\": ", name);
    haw_text_quote(text, summary);
    haw_text_add(text, "}%s", options[0].key != NULL ? "," : "");
    add_rows(text, options, NULL, NULL);
}

static void add_definitions(haw_text *text)
{
    haw_text_add(text, "  \"$defs\": {\n"
                       "    \"function\": {\"anyOf\": [{\"type\": \"number\"}, "
                       "{\"$ref\": \"#/$defs/table\"}]},\n"
                       "    \"table\": {\"type\": \"object\", \"required\": [\"table\"], "
                       "\"additionalProperties\": false, \"properties\": {\n"
                       "      \"table\": {\"type\": \"array\", \"minItems\": 2, \"items\": "
                       "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": "
                       "{\"type\": \"number\"}}, \"description\": \"rows [t, value] or "
                       "[t, vx, vy]; the end values hold outside\"},\n      \"ramp\": {");
    add_enum(text, haw_ramp_names);
    haw_text_add(text, "}}},\n"
                       "    \"velocity\": {\"anyOf\": [{\"type\": \"array\", \"minItems\": 2, "
                       "\"maxItems\": 2, \"items\": {\"$ref\": \"#/$defs/function\"}}, "
                       "{\"$ref\": \"#/$defs/table\"}]},\n"
                       "    \"motion\": {\"anyOf\": [{\"$ref\": \"#/$defs/table\"}, "
                       "{\"type\": \"object\", \"additionalProperties\": false, "
                       "\"properties\": {\n"
                       "      \"fixed\": {\"type\": \"boolean\"}, "
                       "\"spin\": {\"$ref\": \"#/$defs/function\"}, "
                       "\"velocity\": {\"$ref\": \"#/$defs/velocity\"}}}]},\n"
                       "    \"end\": {\"anyOf\": [{");
    add_enum(text, haw_end_names);
    haw_text_add(text, "}, {\"type\": \"object\", \"additionalProperties\": false, "
                       "\"required\": [\"motion\"], \"properties\": {\"motion\": "
                       "{\"$ref\": \"#/$defs/motion\"}}}]},\n    \"arc\": ");
    const haw_grammar arc = {"an arc", haw_arc_options, NULL, NULL};
    open_object(text, &arc, NULL);
    add_rows(text, haw_arc_options, NULL, NULL);
    haw_text_add(text, "}}\n  },\n");
}

static void add_bodies(haw_text *text)
{
    haw_text_add(text, ",\n    \"bodies\": {\"type\": \"array\", \"items\": ");
    open_object(text, &haw_grammar_body, "name");
    add_rows(text, haw_body_options, NULL, NULL);
    haw_text_add(text, ",\n      \"type\": {\"const\": \"rigid\"},\n"
                       "      \"motion\": {\"$ref\": \"#/$defs/motion\"},\n"
                       "      \"shape\": {\"oneOf\": [");
    for (int i = 0; haw_shapes[i] != NULL; ++i) {
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        add_kind(text, haw_shapes[i]->name, haw_shapes[i]->summary, haw_shapes[i]->options, true);
        haw_text_add(text, "}}");
    }
    haw_text_add(text, "]}}}}");
}

static void add_cables(haw_text *text)
{
    const char *names[NAMES_MAX] = {NULL};
    for (int i = 0; haw_elements[i] != NULL && i + 1 < NAMES_MAX; ++i) {
        names[i] = haw_elements[i]->name;
    }
    haw_text_add(text, ",\n    \"cables\": {\"type\": \"array\", \"items\": ");
    open_object(text, &haw_grammar_cable, "name");
    add_rows(text, haw_cable_options, "element", names);
    haw_text_add(text, ",\n      \"path\": {\"type\": \"array\", \"minItems\": 1, \"items\": "
                       "{\"type\": \"object\", \"additionalProperties\": false, "
                       "\"minProperties\": 1, \"maxProperties\": 1, \"properties\": {"
                       "\"line\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
                       "\"items\": {\"type\": \"number\"}}, "
                       "\"arc\": {\"$ref\": \"#/$defs/arc\"}}}},\n"
                       "      \"ends\": {\"type\": \"object\", \"additionalProperties\": false, "
                       "\"properties\": {\"start\": {\"$ref\": \"#/$defs/end\"}, "
                       "\"end\": {\"$ref\": \"#/$defs/end\"}}}}}}");
}

static void add_contacts(haw_text *text)
{
    const char *names[NAMES_MAX] = {NULL};
    for (int i = 0; haw_laws[i] != NULL && i + 1 < NAMES_MAX; ++i) {
        names[i] = haw_laws[i]->name;
    }
    haw_text_add(text, ",\n    \"contact\": {\"type\": \"array\", \"items\": ");
    open_object(text, &haw_grammar_contact, "between");
    add_rows(text, haw_contact_options, "law", names);
    haw_text_add(text, ",\n      \"between\": {\"type\": \"array\", \"minItems\": 2, "
                       "\"maxItems\": 2, \"items\": {\"type\": \"string\"}}}}}");
}

static void add_methods(haw_text *text)
{
    haw_text_add(text, ",\n    \"stepper\": {\"anyOf\": [");
    for (int i = 0; haw_steppers[i] != NULL; ++i) {
        const haw_stepper_ops *ops = haw_steppers[i];
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        add_kind(text, ops->name, ops->summary, ops->options, i > 0);
        if (haw_options_find(ops->options, "theta") == NULL) {
            haw_text_add(text, ", \"theta\": {\"type\": \"number\"}");
        }
        if (haw_options_find(ops->options, "gyro_iterations") == NULL) {
            haw_text_add(text, ", \"gyro_iterations\": {\"type\": \"number\"}");
        }
        haw_text_add(text, "}}");
    }
    haw_text_add(text, "]},\n    \"solver\": {\"anyOf\": [");
    for (int i = 0; haw_solvers[i] != NULL; ++i) {
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        add_kind(text, haw_solvers[i]->name, haw_solvers[i]->summary, haw_solvers[i]->options,
                 i > 0);
        haw_text_add(text, ",");
        add_rows(text, haw_solver_run_options, NULL, NULL);
        haw_text_add(text, "}}");
    }
    haw_text_add(text, "]},\n    \"output\": ");
    open_object(text, &haw_grammar_output, NULL);
    add_rows(text, haw_output_options, NULL, NULL);
    haw_text_add(text, ",\n      \"probes\": {\"type\": \"array\", \"items\": "
                       "{\"type\": \"string\"}}}}");
}

haw_status haw_scenario_schema(haw_context *context, char **text)
{
    haw_text out = {.context = context};
    const haw_locale before = haw_locale_begin();
    haw_text_add(&out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                       "  \"title\": \"hawser scenario\",\n");
    add_definitions(&out);
    haw_text_add(&out, "  \"type\": \"object\",\n  \"additionalProperties\": false,\n"
                       "  \"required\": [\"hawser\"],\n  \"properties\": {\n"
                       "    \"hawser\": {\"const\": 1, \"description\": "
                       "\"version of the format\"},");
    add_rows(&out, haw_scene_options, NULL, NULL);
    add_bodies(&out);
    add_cables(&out);
    add_contacts(&out);
    add_methods(&out);
    haw_text_add(&out, "\n  }\n}\n");
    haw_locale_end(before);
    return haw_text_finish(&out, text);
}
