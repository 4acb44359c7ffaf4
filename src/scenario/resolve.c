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
        return isnan(row_real(row, options, 0)) ? row->choices == NULL
                                                : row_real(row, options, 0) < row->min;
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

/* Whether an earlier row has the same part before its dot: the mapping is written already. */
static bool is_continued(const haw_option *table, const haw_option *row)
{
    const size_t length = strcspn(row->key, ".") + 1;
    for (const haw_option *other = table; other != row; ++other) {
        if (strncmp(other->key, row->key, length) == 0) {
            return true;
        }
    }
    return false;
}

/* All rows "outer.inner" of one mapping: `outer: {inner: value, ...}`. */
static void add_nested(haw_text *text, const haw_option *first, const void *options)
{
    const size_t length = strcspn(first->key, ".") + 1;
    const char *comma = "";
    haw_text_add(text, "%.*s: {", (int)length - 1, first->key);
    for (const haw_option *row = first; row->key != NULL; ++row) {
        if (strncmp(row->key, first->key, length) == 0 && !is_absent(row, options)) {
            haw_text_add(text, "%s%s: ", comma, row->key + length);
            add_value(text, row, options);
            comma = ", ";
        }
    }
    haw_text_add(text, "}");
}

/* `lead` stands before the first row, `indent` before the others; `skip` is a key to leave out. */
static void add_options_but(haw_text *text, const char *lead, const char *indent,
                            const haw_option *table, const void *options, const char *skip)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        const bool is_nested = strchr(row->key, '.') != NULL;
        if ((skip != NULL && strcmp(row->key, skip) == 0) ||
            (is_nested ? is_continued(table, row) : is_absent(row, options))) {
            continue;
        }
        haw_text_add(text, "%s", row == table ? lead : indent);
        if (is_nested) {
            add_nested(text, row, options);
        } else {
            const char *quote = strcmp(row->key, "on") == 0 ? "\"" : ""; /* YAML 1.1: true */
            haw_text_add(text, "%s%s%s: ", quote, row->key, quote);
            add_value(text, row, options);
        }
        haw_text_add(text, "\n");
    }
}

static void add_options(haw_text *text, const char *lead, const char *indent,
                        const haw_option *table, const void *options)
{
    add_options_but(text, lead, indent, table, options, NULL);
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

static void add_functions(haw_text *text, const char *key, const haw_function function[2])
{
    haw_text_add(text, "%s: [", key);
    add_function(text, &function[0]);
    haw_text_add(text, ", ");
    add_function(text, &function[1]);
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
        add_functions(text, "velocity", body->motion_velocity);
        haw_text_add(text, "}\n");
    }
    haw_text_add(text, "    torque: ");
    add_function(text, &body->torque);
    haw_text_add(text, "\n");
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
        int word = 0;
        while (haw_end_names[word + 1] != NULL && haw_end_kinds[word] != end->kind) {
            ++word;
        }
        haw_text_add(text, "%s", haw_end_names[word]);
        return;
    }
    haw_text_add(text, "{motion: {");
    add_functions(text, "velocity", end->velocity);
    haw_text_add(text, "}}");
}

static void add_cable(haw_text *text, const haw_cable_spec *cable)
{
    add_options(text, "  - ", "    ", haw_cable_options, cable);
    if (cable->segments > 0) {
        add_path(text, cable);
    }
    if (cable->closed) {
        return;
    }
    haw_text_add(text, "    ends: {start: ");
    add_end(text, &cable->ends[0]);
    haw_text_add(text, ", end: ");
    add_end(text, &cable->ends[1]);
    haw_text_add(text, "}\n");
}

/* `start` with all its parts. */
static void add_start(haw_text *text, const haw_scene *scene)
{
    haw_text_add(text, "start:\n");
    add_options(text, "  ", "  ", haw_start_options, scene);
    haw_text_add(text, "  lock: [");
    for (int i = 0; i < scene->locks; ++i) {
        haw_text_add(text, "%s", i > 0 ? ", " : "");
        haw_text_quote(text, scene->lock[i]);
    }
    haw_text_add(text, "]\n");
}

static void add_contact(haw_text *text, const haw_contact_spec *contact)
{
    haw_text_add(text, "  - between: [");
    haw_text_quote(text, contact->between[0]);
    haw_text_add(text, ", ");
    haw_text_quote(text, contact->between[1]);
    haw_text_add(text, "]\n");
    add_options(text, "    ", "    ", haw_contact_options, contact);
}

static bool is_cable(const haw_scene *scene, const char *name)
{
    for (int i = 0; i < scene->cables; ++i) {
        if (strcmp(scene->cable[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_force(haw_text *text, const haw_force_spec *force)
{
    haw_text_add(text, "  - ");
    add_functions(text, "force", force->force);
    haw_text_add(text, "\n    moment: ");
    add_function(text, &force->moment);
    haw_text_add(text, "\n");
    add_options(text, "    ", "    ", haw_force_options, force);
}

static void add_spring_end(haw_text *text, const haw_scene *scene, const haw_spring_end *end)
{
    if (end->on == NULL) {
        add_pair(text, end->at);
    } else if (is_cable(scene, end->on)) {
        haw_text_add(text, "{");
        haw_text_quote(text, end->on);
        haw_text_add(text, ": ");
        haw_text_number(text, end->at[0]);
        haw_text_add(text, "}");
    } else {
        haw_text_quote(text, end->on);
    }
}

static void add_spring(haw_text *text, const haw_scene *scene, const haw_spring_spec *spring)
{
    haw_text_add(text, "  - between: [");
    add_spring_end(text, scene, &spring->between[0]);
    haw_text_add(text, ", ");
    add_spring_end(text, scene, &spring->between[1]);
    haw_text_add(text, "]\n");
    add_options(text, "    ", "    ", haw_spring_options, spring);
}

static void add_scene(haw_text *text, const haw_scene *scene)
{
    haw_text_add(text, "hawser: 1\n");
    add_options_but(text, "", "", haw_scene_options, scene, "start");
    add_start(text, scene);
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
        add_contact(text, &scene->contact[i]);
    }
    haw_text_add(text, "%s", scene->forces > 0 ? "forces:\n" : "");
    for (int i = 0; i < scene->forces; ++i) {
        add_force(text, &scene->force[i]);
    }
    haw_text_add(text, "%s", scene->springs > 0 ? "springs:\n" : "");
    for (int i = 0; i < scene->springs; ++i) {
        add_spring(text, scene, &scene->spring[i]);
    }
}

/* The short form unless there is more to say than the quantity. */
static void add_probe(haw_text *text, const haw_run_settings *run, int i)
{
    const char *name = run->probe_name != NULL ? run->probe_name[i] : run->probe[i];
    const double mean = run->probe_mean != NULL ? run->probe_mean[i] : 0;
    const bool has_name = strcmp(name, run->probe[i]) != 0;
    if (!has_name && mean == 0) {
        haw_text_quote(text, run->probe[i]);
        return;
    }
    haw_text_add(text, "{");
    if (has_name) {
        haw_text_add(text, "name: ");
        haw_text_quote(text, name);
        haw_text_add(text, ", ");
    }
    haw_text_add(text, "of: ");
    haw_text_quote(text, run->probe[i]);
    haw_text_add(text, ", mean_over: ");
    haw_text_number(text, mean);
    haw_text_add(text, "}");
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
        add_probe(text, run, i);
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
