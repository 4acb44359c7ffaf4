/* SPDX-License-Identifier: BSD-3-Clause */
/* How to run: `stepper`, `solver`, `output`. */
#include "scenario/reader.h"
#include "stepper/stepper.h"

#include <float.h>
#include <stdio.h>

enum { NOUN_SIZE = 80, EXTRA_MAX = 64, IGNORED_SIZE = 4 };

static const char *const unconverged_words[] = {"stop", "warn", "halve", NULL};

const haw_option haw_solver_run_options[] = {
    {"on_unconverged", HAW_OPTION_CHOICE, offsetof(haw_run_settings, on_unconverged),
     HAW_UNCONVERGED_STOP, 0.0, 0.0, "",
     "when a step misses the tolerance: stop, go on with a warning, or halve the step",
     unconverged_words},
    {0}};

const haw_option haw_output_options[] = {
    {"every", HAW_OPTION_REAL, offsetof(haw_run_settings, every), 1e-3, DBL_MIN, DBL_MAX, "s",
     "interval of the results", NULL},
    {"separation", HAW_OPTION_REAL, offsetof(haw_run_settings, separation), 0.02, 0.0, DBL_MAX, "s",
     "a contact has ended once it has been open for this time", NULL},
    {0}};

static const char *const output_keys[] = {"probes", NULL};
const haw_grammar haw_grammar_output = {"the output", haw_output_options, output_keys, NULL};

/*
 * Options of the other methods of the same kind are checked and ignored, so that one scenario runs
 * with every method.
 */
static void read_method(haw_reader *reader, const haw_yaml_node *node, const haw_methods *methods,
                        const haw_grammar *grammar, void *options)
{
    double ignored[IGNORED_SIZE];
    const char *extra[EXTRA_MAX] = {NULL};
    haw_option row[2] = {{0}, {0}};
    int count = 0;
    for (; grammar->extra[count] != NULL; ++count) {
        extra[count] = grammar->extra[count];
    }
    for (int k = 0; haw_methods_foreign(methods, grammar->table, k, row); ++k) {
        const haw_yaml_node *value = haw_yaml_get(node, row->key);
        if (count + 1 < EXTRA_MAX) {
            extra[count++] = row->key;
        }
        if (value != NULL) {
            row->offset = 0;
            haw_read_option(reader, value, row, ignored);
        }
    }
    const haw_grammar whole = {grammar->noun, grammar->table, extra, NULL};
    haw_read_options(reader, node, &whole, options);
}

static void read_stepper(haw_reader *reader, const haw_yaml_node *node)
{
    static const char *const keys[] = {"type", NULL};
    haw_stepper_settings *settings = &reader->scenario->run.stepper;
    const haw_methods methods = haw_methods_steppers();
    if (haw_yaml_get(node, "type") != NULL) {
        const int type = haw_read_type(reader, node, "stepper", methods.name);
        if (type < 0) {
            return;
        }
        const haw_status status =
            haw_stepper_settings_init(reader->yaml.context, methods.name[type], settings);
        if (status != HAW_OK) {
            reader->yaml.status = status;
            return;
        }
    }
    char noun[NOUN_SIZE];
    (void)snprintf(noun, sizeof noun, "the stepper '%s'", settings->ops->row.name);
    const haw_grammar grammar = {noun, settings->ops->row.options, keys, NULL};
    read_method(reader, node, &methods, &grammar, settings->options);
}

static void read_solver(haw_reader *reader, const haw_yaml_node *node)
{
    static const char *const keys[] = {"type", "on_unconverged", NULL};
    haw_solver_settings *settings = &reader->scenario->run.solver;
    const haw_methods methods = haw_methods_solvers();
    if (haw_yaml_get(node, "type") != NULL) {
        const int type = haw_read_type(reader, node, "solver", methods.name);
        if (type < 0) {
            return;
        }
        const haw_status status =
            haw_solver_settings_init(reader->yaml.context, methods.name[type], settings);
        if (status != HAW_OK) {
            reader->yaml.status = status;
            return;
        }
    }
    char noun[NOUN_SIZE];
    (void)snprintf(noun, sizeof noun, "the solver '%s'", settings->ops->row.name);
    const haw_grammar grammar = {noun, settings->ops->row.options, keys, NULL};
    read_method(reader, node, &methods, &grammar, settings->options);
    const haw_yaml_node *unconverged = haw_yaml_get(node, "on_unconverged");
    if (unconverged != NULL) {
        haw_read_option(reader, unconverged, haw_solver_run_options, &reader->scenario->run);
    }
}

static void read_output(haw_reader *reader, const haw_yaml_node *node)
{
    haw_read_options(reader, node, &haw_grammar_output, &reader->scenario->run);
    const haw_yaml_node *probes = haw_yaml_get(node, "probes");
    if (probes != NULL) {
        haw_read_probes(reader, probes);
    }
}

/* The default stepper may need options that only the user knows. */
static void check_default(haw_reader *reader, const haw_yaml_node *root)
{
    const haw_option *row = reader->scenario->run.stepper.ops->row.options;
    for (; row->key != NULL; ++row) {
        if (haw_option_is_required(row)) {
            haw_yaml_error(&reader->yaml, root, "missing required key 'stepper.%s'", row->key);
        }
    }
}

void haw_read_run(haw_reader *reader)
{
    haw_run_settings *run = &reader->scenario->run;
    const haw_status status = haw_run_settings_init(reader->yaml.context, run);
    if (status != HAW_OK) {
        reader->yaml.status = status;
        return;
    }
    const haw_yaml_node *root = reader->yaml.root;
    const haw_yaml_node *stepper = haw_yaml_get(root, "stepper");
    const haw_yaml_node *solver = haw_yaml_get(root, "solver");
    const haw_yaml_node *output = haw_yaml_get(root, "output");
    if (stepper == NULL) {
        check_default(reader, root);
    } else if (haw_read_kind(reader, stepper, "stepper", HAW_YAML_MAPPING)) {
        read_stepper(reader, stepper);
    }
    if (solver != NULL && haw_read_kind(reader, solver, "solver", HAW_YAML_MAPPING)) {
        read_solver(reader, solver);
    }
    if (output != NULL && haw_read_kind(reader, output, "output", HAW_YAML_MAPPING)) {
        read_output(reader, output);
    }
}
