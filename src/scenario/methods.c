/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the tables of steppers, solvers and laws, as lists of words. Options of the other methods
 * are accepted and ignored, so that a scenario runs with any of them by one --set.
 */
#include "cable/reeving.h"
#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "scenario/reader.h"
#include "stepper/stepper.h"

#include <math.h>
#include <string.h>

haw_methods haw_methods_steppers(void)
{
    haw_methods methods = {.name = {NULL}};
    for (int i = 0; haw_steppers[i] != NULL && i + 1 < HAW_METHODS_MAX; ++i) {
        methods.name[i] = haw_steppers[i]->name;
        methods.summary[i] = haw_steppers[i]->summary;
        methods.options[i] = haw_steppers[i]->options;
    }
    return methods;
}

haw_methods haw_methods_solvers(void)
{
    haw_methods methods = {.name = {NULL}};
    for (int i = 0; haw_solvers[i] != NULL && i + 1 < HAW_METHODS_MAX; ++i) {
        methods.name[i] = haw_solvers[i]->name;
        methods.summary[i] = haw_solvers[i]->summary;
        methods.options[i] = haw_solvers[i]->options;
    }
    return methods;
}

static void add_word(const char *words[HAW_METHODS_MAX], int *count, const char *word)
{
    for (int i = 0; i < *count; ++i) {
        if (strcmp(words[i], word) == 0) {
            return;
        }
    }
    if (*count + 1 < HAW_METHODS_MAX) {
        words[(*count)++] = word;
    }
}

void haw_element_words(int dimension, const char *words[HAW_METHODS_MAX])
{
    int count = 0;
    for (int i = 0; dimension != 3 && haw_elements[i] != NULL; ++i) {
        add_word(words, &count, haw_elements[i]->name);
    }
    for (int i = 0; dimension != 3 && haw_ropes[i] != NULL; ++i) {
        add_word(words, &count, haw_ropes[i]->name);
    }
    for (int i = 0; dimension != 2 && haw_space_elements[i] != NULL; ++i) {
        add_word(words, &count, haw_space_elements[i]->name);
    }
    words[count] = NULL;
}

void haw_law_words(const char *words[HAW_METHODS_MAX])
{
    int count = 0;
    for (; haw_laws[count] != NULL && count + 1 < HAW_METHODS_MAX; ++count) {
        words[count] = haw_laws[count]->name;
    }
    words[count] = NULL;
}

void haw_normal_words(const char *words[HAW_METHODS_MAX])
{
    int count = 0;
    for (; haw_normal_laws[count] != NULL && count + 1 < HAW_METHODS_MAX; ++count) {
        words[count] = haw_normal_laws[count]->name;
    }
    words[count] = NULL;
}

void haw_friction_words(const char *words[HAW_METHODS_MAX])
{
    int count = 0;
    words[count++] = "coulomb"; /* set-valued: what law: hard has */
    for (int i = 0; haw_friction_laws[i] != NULL && count + 1 < HAW_METHODS_MAX; ++i) {
        words[count++] = haw_friction_laws[i]->name;
    }
    words[count] = NULL;
}

/* Whether an earlier table has the key already. */
static bool is_earlier(const haw_methods *methods, int table, const char *key)
{
    for (int i = 0; i < table; ++i) {
        if (haw_options_find(methods->options[i], key) != NULL) {
            return true;
        }
    }
    return false;
}

static void widen(haw_option *row, const haw_methods *methods)
{
    for (int i = 0; methods->options[i] != NULL; ++i) {
        const haw_option *other = haw_options_find(methods->options[i], row->key);
        if (other != NULL && other->type == row->type) {
            row->min = fmin(row->min, other->min);
            row->max = fmax(row->max, other->max);
            row->choices = row->choices != NULL ? row->choices : other->choices;
        }
    }
}

bool haw_methods_foreign(const haw_methods *methods, const haw_option *own, int k, haw_option *row)
{
    for (int i = 0; methods->options[i] != NULL; ++i) {
        for (const haw_option *from = methods->options[i]; from->key != NULL; ++from) {
            if (haw_options_find(own, from->key) != NULL || is_earlier(methods, i, from->key) ||
                k-- > 0) {
                continue;
            }
            *row = *from;
            widen(row, methods);
            return true;
        }
    }
    return false;
}
