/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario with every default written out, as YAML that reads back to the same scenario. */
#include "scenario/locale.h"
#include "scenario/reader.h"
#include "scenario/text.h"
#include "shape/shape.h"
#include "stepper/stepper.h"

#include <math.h>
#include <string.h>

static const void *member(const haw_option *row, const void *options)
{
    return (const unsigned char *)options + row->offset;
}

static const char *row_string(const haw_option *row, const void *options)
{
    return *(const char *const *)member(row, options);
}

static double row_real(const haw_option *row, const void *options, int component)
{
    return ((const double *)member(row, options))[component];
}

static int row_int(const haw_option *row, const void *options)
{
    return *(const int *)member(row, options);
}

/* Options without a value here: a missing number that no word stands for, a missing text. */
static bool is_absent(const haw_option *row, const void *options)
{
    switch (row->type) {
    case HAW_OPTION_REAL:
        return isnan(row_real(row, options, 0)) && row->choices == NULL;
    case HAW_OPTION_VECTOR:
        return isnan(row_real(row, options, 0)) || isnan(row_real(row, options, 1));
    case HAW_OPTION_STRING:
        return row_string(row, options) == NULL;
    case HAW_OPTION_INT:
    case HAW_OPTION_BOOL:
    case HAW_OPTION_CHOICE:
        break;
    }
    return false;
}

static void add_pair(haw_text *text, const double value[2])
{
    haw_text_add(text, "[");
    haw_text_number(text, value[0]);
    haw_text_add(text, ", ");
    haw_text_number(text, value[1]);
    haw_text_add(text, "]");
}

static void add_value(haw_text *text, const haw_option *row, const void *options)
{
    const double *real = member(row, options);
    switch (row->type) {
    case HAW_OPTION_REAL:
        if (isnan(real[0])) {
            haw_text_add(text, "%s", row->choices[0]);
        } else {
            haw_text_number(text, real[0]);
        }
        break;
    case HAW_OPTION_INT:
        haw_text_add(text, "%d", row_int(row, options));
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(text, "%s", *(const bool *)member(row, options) ? "true" : "false");
        break;
    case HAW_OPTION_CHOICE: /* quoted: YAML 1.1 reads off as false */
        haw_text_quote(text, row->choices[row_int(row, options)]);
        break;
    case HAW_OPTION_STRING:
        haw_text_quote(text, row_string(row, options));
        break;
    case HAW_OPTION_VECTOR:
        add_pair(text, real);
        break;
    }
}

/* `lead` stands before the first row, `indent` before the others. */
static void add_options(haw_text *text, const char *lead, const char *indent,
                        const haw_option *table, const void *options)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        if (is_absent(row, options)) {
            continue;
        }
        const char *dot = strchr(row->key, '.');
        haw_text_add(text, "%s", row == table ? lead : indent);
        if (dot != NULL) {
            haw_text_add(text, "%.*s: {%s: ", (int)(dot - row->key), row->key, dot + 1);
        } else {
            haw_text_add(text, "%s: ", row->key);
        }
        add_value(text, row, options);
        haw_text_add(text, "%s\n", dot != NULL ? "}" : "");
    }
}

static void add_function(haw_text *text, const haw_function *function)
{
    if (function->count == 0) {
        haw_text_number(text, function->constant);
        return;
    }
    haw_text_add(text, "{table: [");
    for (int i = 0; i < function->count; ++i) {
        const double row[2] = {function->time[i], function->value[i]};
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        add_pair(text, row);
    }
    haw_text_add(text, "], ramp: %s}", haw_ramp_names[function->ramp]);
}

static void add_velocity(haw_text *text, const haw_function velocity[2])
{
    haw_text_add(text, "velocity: [");
    add_function(text, &velocity[0]);
    haw_text_add(text, ", ");
    add_function(text, &velocity[1]);
    haw_text_add(text, "]");
}

static void add_body(haw_text *text, const haw_body_spec *body)
{
    add_options(text, "  - ", "    ", haw_body_options, body);
    haw_text_add(text, "    type: rigid\n");
    if (body->shape != NULL) {
        haw_text_add(text, "    shape:\n      type: %s\n", body->shape);
        add_options(text, "      ", "      ", haw_shape_find(body->shape)->options,
                    body->shape_options);
    }
    if (body->motion == HAW_MOTION_FIXED) {
        haw_text_add(text, "    motion: {fixed: true}\n");
    } else if (body->motion == HAW_MOTION_PRESCRIBED) {
        haw_text_add(text, "    motion: {spin: ");
        add_function(text, &body->motion_spin);
        haw_text_add(text, ", ");
        add_velocity(text, body->motion_velocity);
        haw_text_add(text, "}\n");
    }
}

static void add_path(haw_text *text, const haw_cable_spec *cable)
{
    haw_text_add(text, "    path:\n");
    for (int i = 0; i < cable->segments; ++i) {
        const haw_path_segment *segment = &cable->path[i];
        if (segment->is_arc) {
            haw_text_add(text, "      - arc:\n");
            add_options(text, "          ", "          ", haw_arc_options, segment);
            continue;
        }
        haw_text_add(text, "      - line: ");
        add_pair(text, segment->to);
        haw_text_add(text, "\n");
    }
}

static void add_end(haw_text *text, const haw_end_spec *end)
{
    if (end->kind != HAW_END_MOTION) {
        haw_text_add(text, "%s", haw_end_names[end->kind == HAW_END_FREE ? 1 : 0]);
        return;
    }
    haw_text_add(text, "{motion: {");
    add_velocity(text, end->velocity);
    haw_text_add(text, "}}");
}

static void add_cable(haw_text *text, const haw_cable_spec *cable)
{
    add_options(text, "  - ", "    ", haw_cable_options, cable);
    if (cable->segments > 0) {
        add_path(text, cable);
    }
    haw_text_add(text, "    ends: {start: ");
    add_end(text, &cable->ends[0]);
    haw_text_add(text, ", end: ");
    add_end(text, &cable->ends[1]);
    haw_text_add(text, "}\n");
}

static void add_scene(haw_text *text, const haw_scene *scene)
{
    haw_text_add(text, "hawser: 1\n");
    add_options(text, "", "", haw_scene_options, scene);
    haw_text_add(text, "%s", scene->bodies > 0 ? "bodies:\n" : "");
    for (int i = 0; i < scene->bodies; ++i) {
        add_body(text, &scene->body[i]);
    }
    haw_text_add(text, "%s", scene->cables > 0 ? "cables:\n" : "");
    for (int i = 0; i < scene->cables; ++i) {
        add_cable(text, &scene->cable[i]);
    }
    haw_text_add(text, "%s", scene->contacts > 0 ? "contact:\n" : "");
    for (int i = 0; i < scene->contacts; ++i) {
        const haw_contact_spec *contact = &scene->contact[i];
        haw_text_add(text, "  - between: [");
        haw_text_quote(text, contact->between[0]);
        haw_text_add(text, ", ");
        haw_text_quote(text, contact->between[1]);
        haw_text_add(text, "]\n");
        add_options(text, "    ", "    ", haw_contact_options, contact);
    }
}

static void add_run(haw_text *text, const haw_run_settings *run)
{
    haw_text_add(text, "stepper:\n  type: %s\n", run->stepper.ops->name);
    add_options(text, "  ", "  ", run->stepper.ops->options, run->stepper.options);
    haw_text_add(text, "solver:\n  type: %s\n", run->solver.ops->name);
    add_options(text, "  ", "  ", run->solver.ops->options, run->solver.options);
    add_options(text, "  ", "  ", haw_solver_run_options, run);
    haw_text_add(text, "output:\n");
    add_options(text, "  ", "  ", haw_output_options, run);
    haw_text_add(text, "  probes: [");
    for (int i = 0; i < run->probes; ++i) {
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        haw_text_quote(text, run->probe[i]);
    }
    haw_text_add(text, "]\n");
}

haw_status haw_scenario_resolve(haw_context *context, const haw_scenario *scenario, char **text)
{
    haw_text out = {.context = context};
    const haw_locale before = haw_locale_begin();
    add_scene(&out, &scenario->scene);
    add_run(&out, &scenario->run);
    haw_locale_end(before);
    return haw_text_finish(&out, text);
}
