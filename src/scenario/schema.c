/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON schema (draft 2020-12) of the format: editors complete and check scenarios by it. */
#include "scenario/schema.h"

#include "scenario/locale.h"
#include "shape/shape.h"
#include "shape/surface.h"

/* F, and a vector of as many F as the scene has dimensions. */
static void add_functions(haw_text *text)
{
    const haw_grammar csv = {"a function of time", haw_csv_options, NULL, NULL};
    haw_text_add(text, "    \"function\": {\"anyOf\": [{\"type\": \"number\"}, "
                       "{\"$ref\": \"#/$defs/table\"}, {\"$ref\": \"#/$defs/history\"}]},\n"
                       "    \"table\": {\"type\": \"object\", \"required\": [\"table\"], "
                       "\"additionalProperties\": false, \"properties\": {\n"
                       "      \"table\": {\"type\": \"array\", \"minItems\": 2, \"items\": "
                       "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 4, \"items\": "
                       "{\"type\": \"number\"}}, \"description\": \"rows [t, value], [t, vx, vy] "
                       "or [t, vx, vy, vz]; the end values hold outside\"},\n      \"ramp\": {");
    haw_schema_enum(text, haw_ramp_names);
    haw_text_add(text, "}}},\n    \"history\": ");
    haw_schema_open(text, &csv, "csv");
    haw_schema_rows(text, haw_csv_options, NULL);
    haw_text_add(text, "}},\n"
                       "    \"vector\": {\"anyOf\": [{\"type\": \"array\", \"minItems\": 2, "
                       "\"maxItems\": 3, \"items\": {\"$ref\": \"#/$defs/function\"}}, "
                       "{\"$ref\": \"#/$defs/table\"}]},\n");
}

/* An end: a word; held by a body, guided, pulled. In space a coordinate may be free. */
static void add_end(haw_text *text)
{
    haw_text_add(text, "    \"guide\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, "
                       "\"items\": {\"anyOf\": [{\"$ref\": \"#/$defs/function\"}, "
                       "{\"const\": \"free\"}]}},\n"
                       "    \"end\": {\"anyOf\": [{");
    haw_schema_enum(text, haw_end_names);
    haw_text_add(text, "}, ");
    haw_schema_open(text, &haw_grammar_end, NULL);
    haw_schema_rows(text, haw_end_options, NULL);
    haw_text_add(text, ",\n      \"tension\": {\"$ref\": \"#/$defs/function\"},\n"
                       "      \"motion\": {\"anyOf\": [{\"$ref\": \"#/$defs/table\"}, "
                       "{\"type\": \"object\", \"additionalProperties\": false, "
                       "\"minProperties\": 1, \"maxProperties\": 1, \"properties\": {"
                       "\"velocity\": {\"anyOf\": [{\"$ref\": \"#/$defs/guide\"}, "
                       "{\"$ref\": \"#/$defs/table\"}]}, "
                       "\"position\": {\"$ref\": \"#/$defs/guide\"}}}]}}}]},\n");
}

static void add_definitions(haw_text *text)
{
    const haw_grammar arc = {"an arc", haw_arc_options, NULL, NULL};
    haw_text_add(text, "  \"$defs\": {\n");
    add_functions(text);
    haw_text_add(text, "    \"motion\": {\"anyOf\": [{\"$ref\": \"#/$defs/table\"}, "
                       "{\"type\": \"object\", \"additionalProperties\": false, "
                       "\"properties\": {\n"
                       "      \"fixed\": {\"type\": \"boolean\"}, "
                       "\"spin\": {\"$ref\": \"#/$defs/function\"}, "
                       "\"velocity\": {\"$ref\": \"#/$defs/vector\"}}}]},\n");
    add_end(text);
    haw_text_add(text, "    \"arc\": ");
    haw_schema_open(text, &arc, NULL);
    haw_schema_rows(text, haw_arc_options, NULL);
    haw_text_add(text, "}},\n"
                       "    \"point\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
                       "\"items\": {\"type\": \"number\"}}\n  },\n");
}

/* The curve that a surface of revolution is made of: what haw_read_shape reads besides its rows. */
static void add_meridian(haw_text *text)
{
    haw_text_add(text, "\n      \"profile\": {\"anyOf\": [{\"$ref\": \"#/$defs/history\"}, "
                       "{\"type\": \"array\", \"minItems\": 4, \"items\": "
                       "{\"$ref\": \"#/$defs/point\"}}], "
                       "\"description\": \"rows [z, r] of a smooth curve\"},\n"
                       "      \"meridian\": {\"type\": \"object\", \"additionalProperties\": "
                       "false, \"required\": [\"from\", \"path\"], \"properties\": {"
                       "\"from\": {\"$ref\": \"#/$defs/point\"}, \"path\": {\"type\": \"array\", "
                       "\"minItems\": 1, \"items\": {\"type\": \"object\", "
                       "\"additionalProperties\": false, \"minProperties\": 1, "
                       "\"maxProperties\": 1, \"properties\": {"
                       "\"line\": {\"$ref\": \"#/$defs/point\"}, \"arc\": {\"type\": \"object\", "
                       "\"additionalProperties\": false, \"required\": [\"center\", \"to\"], "
                       "\"properties\": {\"center\": {\"$ref\": \"#/$defs/point\"}, "
                       "\"to\": {\"$ref\": \"#/$defs/point\"}}}}}}}}");
}

static void add_shapes(haw_text *text)
{
    static const haw_option none[] = {{0}};
    haw_text_add(text, "      \"shape\": {\"anyOf\": [");
    for (int i = 0; haw_shapes[i] != NULL; ++i) {
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        haw_schema_kind(text, haw_shapes[i]->name, haw_shapes[i]->summary, haw_shapes[i]->options,
                        true);
        haw_text_add(text, "}}");
    }
    for (int i = 0; haw_surfaces[i] != NULL; ++i) {
        const haw_surface_ops *ops = (const haw_surface_ops *)haw_surfaces[i];
        haw_text_add(text, ", ");
        haw_schema_kind(text, ops->row.name, ops->row.summary,
                        ops->row.options != NULL ? ops->row.options : none, true);
        if (ops->has_meridian) {
            haw_text_add(text, ",");
            add_meridian(text);
        }
        haw_text_add(text, "}}");
    }
    haw_text_add(text, "]}");
}

static void add_bodies(haw_text *text)
{
    haw_text_add(text, ",\n    \"bodies\": {\"type\": \"array\", \"items\": ");
    haw_schema_open(text, &haw_grammar_body, "name");
    haw_schema_rows(text, haw_body_options, NULL);
    haw_text_add(text, ",\n      \"type\": {\"const\": \"rigid\"},\n"
                       "      \"torque\": {\"$ref\": \"#/$defs/function\"},\n"
                       "      \"orientation\": {\"type\": \"array\", \"minItems\": 4, "
                       "\"maxItems\": 4, \"items\": {\"type\": \"number\"}, \"default\": "
                       "[1, 0, 0, 0], \"description\": \"unit quaternion [w, x, y, z] at the "
                       "start\"},\n"
                       "      \"motion\": {\"$ref\": \"#/$defs/motion\"},\n");
    add_shapes(text);
    haw_text_add(text, "}}}");
}

static void add_cables(haw_text *text)
{
    const char *names[HAW_METHODS_MAX];
    const haw_schema_words known[] = {{"element", names}, {NULL, NULL}};
    haw_element_words(0, names);
    haw_text_add(text, ",\n    \"cables\": {\"type\": \"array\", \"items\": ");
    haw_schema_open(text, &haw_grammar_cable, "name");
    haw_schema_rows(text, haw_cable_options, known);
    haw_text_add(text, ",\n      \"path\": {\"type\": \"array\", \"minItems\": 1, \"items\": "
                       "{\"type\": \"object\", \"additionalProperties\": false, "
                       "\"minProperties\": 1, \"maxProperties\": 1, \"properties\": {"
                       "\"line\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, "
                       "\"items\": {\"type\": \"number\"}}, "
                       "\"arc\": {\"$ref\": \"#/$defs/arc\"}}}},\n"
                       "      \"reeving\": {\"type\": \"array\", \"minItems\": 1, \"items\": ");
    haw_schema_open(text, &haw_grammar_reeving, "on");
    haw_schema_rows(text, haw_reeving_options, NULL);
    haw_text_add(text, "}}},\n"
                       "      \"ends\": {\"type\": \"object\", \"additionalProperties\": false, "
                       "\"properties\": {\"start\": {\"$ref\": \"#/$defs/end\"}, "
                       "\"end\": {\"$ref\": \"#/$defs/end\"}}}}}}");
}

static void add_contacts(haw_text *text)
{
    const char *law[HAW_METHODS_MAX], *normal[HAW_METHODS_MAX], *friction[HAW_METHODS_MAX];
    const haw_schema_words known[] = {
        {"law", law}, {"normal", normal}, {"tangential", friction}, {NULL, NULL}};
    haw_law_words(law);
    haw_normal_words(normal);
    haw_friction_words(friction);
    haw_text_add(text, ",\n    \"contact\": {\"type\": \"array\", \"items\": ");
    haw_schema_open(text, &haw_grammar_contact, "between");
    haw_schema_rows(text, haw_contact_options, known);
    haw_text_add(text, ",\n      \"between\": {\"type\": \"array\", \"minItems\": 2, "
                       "\"maxItems\": 2, \"items\": {\"type\": \"string\"}}}}}");
}

static void add_forces(haw_text *text)
{
    const haw_option *point = haw_options_find(haw_force_options, "point");
    haw_text_add(text, ",\n    \"forces\": {\"type\": \"array\", \"items\": ");
    haw_schema_open(text, &haw_grammar_force, "on");
    haw_schema_rows_but(text, haw_force_options, NULL, "point");
    haw_text_add(text, ",\n      \"point\": {\"anyOf\": [{");
    haw_schema_number(text, point);
    haw_text_add(text, "}, {\"enum\": [\"start\", \"end\", \"none\"]}], \"description\": ");
    haw_text_quote(text, point->help);
    haw_text_add(text, "},\n      \"force\": {\"$ref\": \"#/$defs/vector\"},\n"
                       "      \"moment\": {\"anyOf\": [{\"$ref\": \"#/$defs/function\"}, "
                       "{\"$ref\": \"#/$defs/vector\"}]}}}}");
}

static void add_springs(haw_text *text)
{
    haw_text_add(text, ",\n    \"springs\": {\"type\": \"array\", \"items\": ");
    haw_schema_open(text, &haw_grammar_spring, "between");
    haw_schema_rows(text, haw_spring_options, NULL);
    haw_text_add(text, ",\n      \"between\": {\"type\": \"array\", \"minItems\": 2, "
                       "\"maxItems\": 2, \"items\": {\"anyOf\": [{\"type\": \"string\"}, "
                       "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": "
                       "{\"type\": \"number\"}}, {\"type\": \"object\", \"minProperties\": 1, "
                       "\"maxProperties\": 1, \"additionalProperties\": {\"type\": \"number\", "
                       "\"minimum\": 0, \"maximum\": 1}}]}}}}}");
}

static void add_start(haw_text *text)
{
    const haw_option *start = haw_options_find(haw_scene_options, "start");
    haw_text_add(text, ",\n    \"start\": {\"anyOf\": [{");
    haw_schema_enum(text, start->choices);
    haw_text_add(text, "}, ");
    haw_schema_open(text, &haw_grammar_start, "type");
    haw_schema_rows(text, haw_start_options, NULL);
    haw_text_add(text, ",\n      \"lock\": {\"type\": \"array\", \"items\": {\"type\": "
                       "\"string\"}}");
    haw_text_add(text, "}}], \"description\": ");
    haw_text_quote(text, start->help);
    haw_text_add(text, "}");
}

/* One object per method: its own options, and those of the others, which it ignores. */
static void add_methods(haw_text *text, const haw_methods *methods, const haw_option *common)
{
    haw_option row;
    for (int i = 0; methods->name[i] != NULL; ++i) {
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        haw_schema_kind(text, methods->name[i], methods->summary[i], methods->options[i], i > 0);
        for (int k = 0; haw_methods_foreign(methods, methods->options[i], k, &row); ++k) {
            haw_text_add(text, ",\n      ");
            haw_schema_row(text, row.key, &row, NULL);
        }
        if (common != NULL) {
            haw_text_add(text, ",");
            haw_schema_rows(text, common, NULL);
        }
        haw_text_add(text, "}}");
    }
}

static void add_run(haw_text *text)
{
    const haw_methods steppers = haw_methods_steppers(), solvers = haw_methods_solvers();
    haw_text_add(text, ",\n    \"stepper\": {\"anyOf\": [");
    add_methods(text, &steppers, NULL);
    haw_text_add(text, "]},\n    \"solver\": {\"anyOf\": [");
    add_methods(text, &solvers, haw_solver_run_options);
    haw_text_add(text, "]},\n    \"output\": ");
    haw_schema_open(text, &haw_grammar_output, NULL);
    haw_schema_rows(text, haw_output_options, NULL);
    haw_text_add(text, ",\n      \"probes\": {\"type\": \"array\", \"items\": "
                       "{\"anyOf\": [{\"type\": \"string\"}, ");
    haw_schema_open(text, &haw_grammar_probe, "of");
    haw_schema_rows(text, haw_probe_options, NULL);
    haw_text_add(text, "}}]}}}}");
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
    haw_schema_rows_but(&out, haw_scene_options, NULL, "start");
    add_start(&out);
    add_bodies(&out);
    add_cables(&out);
    add_contacts(&out);
    add_forces(&out);
    add_springs(&out);
    add_run(&out);
    haw_text_add(&out, "\n  }\n}\n");
    haw_locale_end(before);
    return haw_text_finish(&out, text);
}
