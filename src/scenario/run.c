/* SPDX-License-Identifier: BSD-3-Clause */
/* `stepper` and `solver`: a row of a table with its options. */
#include "scenario/grammar.h"
#include "stepper/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOUN_SIZE = 80, METHOD_KEYS = 5, FOREIGN_MAX = 64, IGNORED_SIZE = 4 };

/*
 * Settings of a method while they are read or written. Options of the other methods of its table
 * are checked and ignored, so that one scenario runs with every method by one --set.
 */
typedef struct method_entry {
    double options[sizeof((haw_stepper_settings *)0)->options / sizeof(double)];
    int on_unconverged; /* of a solver */
    double ignored[IGNORED_SIZE];
} method_entry;

_Static_assert(sizeof((haw_solver_settings *)0)->options <= sizeof((method_entry *)0)->options,
               "options of a solver fit into an entry");

/* Steppers or solvers: their table, and the chosen one of a run. */
struct haw_methods {
    haw_names names;
    const haw_option *common; /* of method_entry: keys beside those of the chosen row */
    size_t settings;          /* offset of its settings in haw_run_settings */
};

/* What the settings of both are: a row, then room for its options. */
typedef struct method_settings {
    const haw_row *row;
    double options[sizeof((haw_stepper_settings *)0)->options / sizeof(double)];
} method_settings;

_Static_assert(offsetof(haw_stepper_settings, options) == offsetof(method_settings, options) &&
                   offsetof(haw_solver_settings, options) == offsetof(method_settings, options),
               "settings are a row and its options");

static const haw_option no_options[] = {{0}};

static const char *const unconverged_words[] = {"stop", "warn", "halve", NULL};

const haw_option haw_solver_run_options[] = {
    {"on_unconverged", HAW_OPTION_CHOICE, offsetof(method_entry, on_unconverged),
     HAW_UNCONVERGED_STOP, 0.0, 0.0, "",
     "when a step misses the tolerance: stop, continue with a warning, or halve the step",
     unconverged_words},
    {0}};

/* ---- keys of a method ---- */

/* Whether an earlier table has the key already. */
static bool is_earlier(const haw_row *const *table, int index, const char *key)
{
    for (int i = 0; i < index; ++i) {
        if (haw_options_find(table[i]->options, key) != NULL) {
            return true;
        }
    }
    return false;
}

/* The range of a key as wide as the widest of the table. */
static void widen(haw_option *row, const haw_row *const *table)
{
    for (int i = 0; table[i] != NULL; ++i) {
        const haw_option *other = haw_options_find(table[i]->options, row->key);
        if (other != NULL && other->type == row->type) {
            row->min = fmin(row->min, other->min);
            row->max = fmax(row->max, other->max);
            row->choices = row->choices != NULL ? row->choices : other->choices;
        }
    }
}

/* The keys that other methods have and `own` has not; none of them must be given. */
static void list_foreign(const haw_row *const *table, const haw_option *own,
                         haw_option foreign[FOREIGN_MAX])
{
    int count = 0;
    for (int i = 0; table[i] != NULL; ++i) {
        for (const haw_option *row = table[i]->options; row->key != NULL; ++row) {
            if (haw_options_find(own, row->key) == NULL && !is_earlier(table, i, row->key) &&
                count + 1 < FOREIGN_MAX) {
                foreign[count] = *row;
                foreign[count].offset = 0;
                foreign[count].flags |= HAW_KEY_OPEN;
                widen(&foreign[count++], table);
            }
        }
    }
    foreign[count] = (haw_option){0};
}

static void make_keys(const haw_methods *of, const haw_row *row, const haw_option *foreign,
                      haw_key keys[METHOD_KEYS])
{
    const haw_key made[METHOD_KEYS] = {
        {"type", &haw_form_constant, 0, row, 0, row->summary},
        {.offset = offsetof(method_entry, options), .of = row->options},
        {.of = of->common},
        {.offset = offsetof(method_entry, ignored), .of = foreign},
        {NULL},
    };
    memcpy(keys, made, sizeof made);
}

/* ---- form of a method ---- */

static void read_method(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_methods *of = reader->key->of;
    haw_run_settings *run = value;
    method_settings *settings = (method_settings *)(void *)((unsigned char *)value + of->settings);
    haw_option foreign[FOREIGN_MAX];
    haw_key keys[METHOD_KEYS];
    char noun[NOUN_SIZE];
    if (!haw_read_kind(reader, node, of->names.what, HAW_YAML_MAPPING)) {
        return;
    }
    if (haw_yaml_get(node, "type") != NULL) {
        const haw_row *chosen =
            haw_row_find(of->names.table[0].rows, haw_read_type(reader, node, &of->names));
        if (chosen == NULL) {
            return;
        }
        *settings = (method_settings){.row = chosen};
        haw_options_init(chosen->options, settings->options);
    }
    const haw_row *row = settings->row;
    (void)snprintf(noun, sizeof noun, "the %s '%s'", of->names.what, row->name);
    list_foreign(of->names.table[0].rows, row->options, foreign);
    make_keys(of, row, foreign, keys);
    const haw_mapping mapping = {noun, keys};
    method_entry entry = {.on_unconverged = run->on_unconverged};
    memcpy(entry.options, settings->options, sizeof entry.options);
    haw_read_mapping(reader, node, &mapping, &entry);
    memcpy(settings->options, entry.options, sizeof entry.options);
    run->on_unconverged = entry.on_unconverged;
}

static void write_method(haw_resolve *out, const void *value)
{
    const haw_methods *of = out->key->of;
    const haw_run_settings *run = value;
    haw_key keys[METHOD_KEYS];
    const method_settings *settings =
        (const method_settings *)(const void *)((const unsigned char *)value + of->settings);
    make_keys(of, settings->row, no_options, keys);
    const haw_mapping mapping = {of->names.what, keys};
    method_entry entry = {.on_unconverged = run->on_unconverged};
    memcpy(entry.options, settings->options, sizeof entry.options);
    haw_resolve_lines(out, &mapping, &entry);
}

/* One object for each row; the first runs when no `type` is given. */
static void describe_method(haw_text *text, const haw_key *key)
{
    const haw_methods *of = key->of;
    const haw_row *const *table = of->names.table[0].rows;
    haw_option foreign[FOREIGN_MAX];
    haw_key keys[METHOD_KEYS];
    haw_text_add(text, "\"anyOf\": [");
    for (int i = 0; table[i] != NULL; ++i) {
        list_foreign(table, table[i]->options, foreign);
        make_keys(of, table[i], foreign, keys);
        keys[0].flags = i > 0 ? HAW_KEY_REQUIRED : 0;
        const haw_mapping mapping = {of->names.what, keys};
        haw_text_add(text, "%s{", i > 0 ? ", " : "");
        haw_describe_mapping(text, &mapping);
        haw_text_add(text, "}");
    }
    haw_text_add(text, "]");
}

static const haw_key common_keys[] = {{.of = haw_solver_run_options}, {NULL}};
static const haw_mapping common_mapping = {"a solver, beside its own", common_keys};

const haw_form haw_form_stepper = {read_method, write_method, describe_method, .is_block = true};
const haw_form haw_form_solver = {read_method, write_method, describe_method, .is_block = true,
                                  .inner = {&common_mapping}};

/* ---- steppers and solvers ---- */

const haw_methods haw_methods_steppers = {.names = {"stepper", .table = {{haw_steppers}}},
                                          .common = no_options,
                                          .settings = offsetof(haw_run_settings, stepper)};
const haw_methods haw_methods_solvers = {.names = {"solver", .table = {{haw_solvers}}},
                                         .common = haw_solver_run_options,
                                         .settings = offsetof(haw_run_settings, solver)};
