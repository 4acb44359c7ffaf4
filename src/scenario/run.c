/* SPDX-License-Identifier: BSD-3-Clause */
/* `stepper` and `solver`: a row of a table with its options. */
#include "scenario/grammar.h"
#include "stepper/stepper.h"

#include <math.h>

/* Layout of the settings of both: a row, then room for its options. */
typedef struct method_settings {
    const haw_row *row;
    double options[sizeof((haw_stepper_settings *)0)->options / sizeof(double)];
} method_settings;

_Static_assert(offsetof(haw_stepper_settings, options) == offsetof(method_settings, options) &&
                   offsetof(haw_solver_settings, options) == offsetof(method_settings, options),
               "settings are a row and its options");

static const haw_option no_options[] = {{0}};

static const char *const unconverged_words[] = {"stop", "warn", "halve", "auto", NULL};

static const haw_option solver_run_options[] = {
    {"on_unconverged", HAW_OPTION_CHOICE, offsetof(haw_run_settings, on_unconverged),
     HAW_UNCONVERGED_AUTO, 0.0, 0.0, "",
     "when a step misses the tolerance: stop, continue with a warning, or halve the step, also one "
     "that guards would end; auto: halve where step: auto has chosen it, else stop",
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

/*
 * The keys that other methods have and `own` has not: checked and ignored, so that one scenario
 * runs with every method by one --set. None of them must be given.
 */
static void list_foreign(const haw_row *const *table, const haw_option *own,
                         haw_option foreign[HAW_FOREIGN_MAX])
{
    int count = 0;
    for (int i = 0; table[i] != NULL; ++i) {
        for (const haw_option *row = table[i]->options; row->key != NULL; ++row) {
            if (haw_options_find(own, row->key) == NULL && !is_earlier(table, i, row->key) &&
                count + 1 < HAW_FOREIGN_MAX) {
                foreign[count] = *row;
                foreign[count].offset = 0;
                foreign[count].flags |= HAW_KEY_OPEN;
                widen(&foreign[count++], table);
            }
        }
    }
    foreign[count] = (haw_option){0};
}

static void add_method(const haw_typed *typed, const haw_row *row, haw_typed_mapping *made)
{
    list_foreign(typed->names.table[0].rows, row->options, made->foreign);
    made->keys[1] = (haw_key){.offset = typed->settings + offsetof(method_settings, options),
                              .of = row->options};
    made->keys[2] = (haw_key){.of = typed->common};
    made->keys[3] = (haw_key){.of = made->foreign, .absent = HAW_ABSENT_ALWAYS};
}

static const haw_row *get_method(const haw_typed *typed, int dimension, const void *run)
{
    const void *settings = (const unsigned char *)run + typed->settings;
    (void)dimension;
    return ((const method_settings *)settings)->row;
}

static void set_method(const haw_typed *typed, const haw_row *row, void *run)
{
    void *settings = (unsigned char *)run + typed->settings;
    *(method_settings *)settings = (method_settings){.row = row};
    haw_options_init(row->options, ((method_settings *)settings)->options);
}

const haw_typed haw_typed_steppers = {.names = {"stepper", .table = {{haw_steppers}}},
                                      .has_default = true,
                                      .add = add_method,
                                      .get = get_method,
                                      .set = set_method,
                                      .settings = offsetof(haw_run_settings, stepper),
                                      .common = no_options};
const haw_typed haw_typed_solvers = {.names = {"solver", .table = {{haw_solvers}}},
                                     .has_default = true,
                                     .add = add_method,
                                     .get = get_method,
                                     .set = set_method,
                                     .settings = offsetof(haw_run_settings, solver),
                                     .common = solver_run_options};
