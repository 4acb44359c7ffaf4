/* SPDX-License-Identifier: BSD-3-Clause */
/* One row per setting gives its default, its check and the message when the check fails. */
#include "base/status.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 32, TEXT_SIZE = 512 };

static void *slot(const haw_option *row, void *options)
{
    return (unsigned char *)options + row->offset;
}

static void set_preset(const haw_option *row, void *options)
{
    switch (row->type) {
    case HAW_OPTION_REAL:
        *(double *)slot(row, options) = row->preset;
        break;
    case HAW_OPTION_INT:
    case HAW_OPTION_CHOICE:
        *(int *)slot(row, options) = (int)row->preset;
        break;
    case HAW_OPTION_BOOL:
        *(bool *)slot(row, options) = row->preset != 0;
        break;
    case HAW_OPTION_STRING:
        *(const char **)slot(row, options) = NULL;
        break;
    case HAW_OPTION_VECTOR:
        for (int i = 0; i < 3; ++i) {
            ((double *)slot(row, options))[i] = row->preset;
        }
        break;
    }
}

void haw_options_init(const haw_option *table, void *options)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        set_preset(row, options);
    }
}

const haw_option *haw_options_find(const haw_option *table, const char *key)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        if (strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}

static haw_status unknown_key(haw_context *context, const haw_option *table, const char *key)
{
    const char *either[2] = {NULL, NULL};
    char hint[HAW_HINT_SIZE];
    for (const haw_option *row = table; row->key != NULL; ++row) {
        either[1] = row->key;
        either[0] = haw_nearest(key, 2, (const char *const *)either);
    }
    return haw_fail(context, HAW_ERR_INPUT, "unknown key '%s'%s", key,
                    haw_hint(key, 1, (const char *const *)either, hint));
}

haw_limit haw_option_limit(const haw_option *row, double value)
{
    const double largest = row->type == HAW_OPTION_INT ? INT_MAX : DBL_MAX;
    haw_limit d = {.given = fabs(value) < largest, .text = "0"};
    if (fabs(value) > 0 && fabs(value) <= DBL_MIN) {
        d.open = true;
        return d;
    }
    (void)snprintf(d.text, sizeof d.text, "%.15g", value);
    d.open = strtod(d.text, NULL) != value;
    return d;
}

/* "must be >= 0 m", "must be between 0.5 and 1", "must be a whole number > 0 or 'auto'" */
static void describe_range(const haw_option *row, char text[TEXT_SIZE])
{
    const haw_limit min = haw_option_limit(row, row->min), max = haw_option_limit(row, row->max);
    const char *noun = row->type == HAW_OPTION_INT ? "a whole number" : "";
    const char *space = noun[0] != '\0' ? " " : "";
    const bool has_unit = row->unit != NULL && row->unit[0] != '\0' && strcmp(row->unit, "1") != 0;
    char range[3 * sizeof min.text] = "";
    if (min.given && max.given && !min.open && !max.open) {
        (void)snprintf(range, sizeof range, "%sbetween %s and %s", space, min.text, max.text);
    } else if (min.given && max.given) {
        (void)snprintf(range, sizeof range, "%s%s %s and %s %s", space,
                       min.open ? ">" : ">=", min.text, max.open ? "<" : "<=", max.text);
    } else if (min.given) {
        (void)snprintf(range, sizeof range, "%s%s %s", space, min.open ? ">" : ">=", min.text);
    } else if (max.given) {
        (void)snprintf(range, sizeof range, "%s%s %s", space, max.open ? "<" : "<=", max.text);
    } else if (row->type == HAW_OPTION_REAL) {
        noun = "a finite number";
    }
    const char *word =
        row->type == HAW_OPTION_REAL && row->choices != NULL ? row->choices[0] : NULL;
    (void)snprintf(text, TEXT_SIZE, "%s%s%s%s%s%s%s", noun, range, has_unit ? " " : "",
                   has_unit ? row->unit : "", word != NULL ? " or '" : "", word != NULL ? word : "",
                   word != NULL ? "'" : "");
}

static void describe_allowed(const haw_option *row, char text[TEXT_SIZE])
{
    char words[TEXT_SIZE];
    switch (row->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
        describe_range(row, text);
        break;
    case HAW_OPTION_BOOL:
        (void)snprintf(text, TEXT_SIZE, "true or false");
        break;
    case HAW_OPTION_CHOICE:
        haw_words_join(row->choices, sizeof words, words);
        (void)snprintf(text, TEXT_SIZE, "one of %.*s", TEXT_SIZE - 8, words);
        break;
    case HAW_OPTION_STRING:
        (void)snprintf(text, TEXT_SIZE, "text");
        break;
    case HAW_OPTION_VECTOR:
        (void)snprintf(text, TEXT_SIZE, "a list of numbers");
        break;
    }
}

static haw_status refuse_real(haw_context *context, const haw_option *row, double value)
{
    char allowed[TEXT_SIZE];
    char got[NUMBER_SIZE];
    describe_allowed(row, allowed);
    (void)snprintf(got, sizeof got, "%.15g", value);
    if (isnan(value)) {
        (void)snprintf(got, sizeof got, "nan"); /* without the sign that printf may show */
    }
    return haw_fail(context, HAW_ERR_INPUT, "'%s' must be %s (got %s)", row->key, allowed, got);
}

haw_status haw_options_set_real(haw_context *context, const haw_option *table, void *options,
                                const char *key, double value)
{
    const haw_option *row = haw_options_find(table, key);
    if (row == NULL) {
        return unknown_key(context, table, key);
    }
    const bool is_int = row->type == HAW_OPTION_INT;
    const bool is_number = is_int || row->type == HAW_OPTION_REAL;
    const bool is_inside = isfinite(value) && value >= row->min && value <= row->max;
    const bool is_whole =
        is_inside && value >= INT_MIN && value <= INT_MAX && floor(value) == value;
    if (!is_number || !is_inside || (is_int && !is_whole)) {
        return refuse_real(context, row, value);
    }
    if (is_int) {
        *(int *)slot(row, options) = (int)value;
    } else {
        *(double *)slot(row, options) = value;
    }
    return HAW_OK;
}

static haw_status refuse_text(haw_context *context, const haw_option *row, const char *text)
{
    char allowed[TEXT_SIZE], hint[HAW_HINT_SIZE];
    if (row->type != HAW_OPTION_CHOICE) {
        const char *a = row->type == HAW_OPTION_REAL ? "a number " : "";
        describe_allowed(row, allowed);
        return haw_fail(context, HAW_ERR_INPUT, "'%s' must be %s%s (got '%s')", row->key,
                        strchr(">=<b", allowed[0]) != NULL ? a : "", allowed, text);
    }
    haw_words_join(row->choices, sizeof allowed, allowed);
    return haw_fail(context, HAW_ERR_INPUT, "unknown word '%s' for '%s'%s (allowed: %s)", text,
                    row->key, haw_hint(text, haw_words_count(row->choices), row->choices, hint),
                    allowed);
}

haw_status haw_options_set_text(haw_context *context, const haw_option *table, void *options,
                                const char *key, const char *text)
{
    const haw_option *row = haw_options_find(table, key);
    if (row == NULL) {
        return unknown_key(context, table, key);
    }
    const int choice = haw_words_find(row->choices, text);
    const bool is_true = strcmp(text, "true") == 0;
    if (row->type == HAW_OPTION_STRING) {
        *(const char **)slot(row, options) = text;
    } else if (row->type == HAW_OPTION_CHOICE && choice >= 0) {
        *(int *)slot(row, options) = choice;
    } else if (row->type == HAW_OPTION_REAL && choice >= 0) {
        *(double *)slot(row, options) = (double)NAN;
    } else if (row->type == HAW_OPTION_VECTOR && choice >= 0) {
        for (int i = 0; i < 3; ++i) {
            ((double *)slot(row, options))[i] = (double)NAN;
        }
    } else if (row->type == HAW_OPTION_BOOL && (is_true || strcmp(text, "false") == 0)) {
        *(bool *)slot(row, options) = is_true;
    } else {
        return refuse_text(context, row, text);
    }
    return HAW_OK;
}

haw_status haw_options_set_vector(haw_context *context, const haw_option *table, void *options,
                                  const char *key, const double value[3])
{
    const haw_option *row = haw_options_find(table, key);
    if (row == NULL) {
        return unknown_key(context, table, key);
    }
    for (int i = 0; i < 3; ++i) {
        if (row->type != HAW_OPTION_VECTOR || !(value[i] >= row->min && value[i] <= row->max)) {
            return refuse_real(context, row, value[i]);
        }
    }
    memcpy(slot(row, options), value, 3 * sizeof *value);
    return HAW_OK;
}

/* "[1, 2]" or "[1, 2, 3]". @return how many numbers, 0: no list */
static int parse_list(const char *text, double value[3])
{
    int count = 0;
    const char *at = text + strspn(text, " ");
    if (*at++ != '[') {
        return 0;
    }
    for (char *end; count < 3; at = end + 1) {
        value[count] = strtod(at, &end);
        if (end == at) {
            return 0;
        }
        count++;
        end += strspn(end, " ");
        if (*end == ']') {
            return end[1] == '\0' ? count : 0;
        }
        if (*end != ',') {
            return 0;
        }
    }
    return 0;
}

haw_status haw_options_parse(haw_context *context, const haw_option *table, void *options,
                             const char *key, const char *text)
{
    const haw_option *row = haw_options_find(table, key);
    double value[3] = {0};
    char *end;
    if (row != NULL && row->type == HAW_OPTION_VECTOR && parse_list(text, value) >= 2) {
        return haw_options_set_vector(context, table, options, key, value);
    }
    if (row != NULL && (row->type == HAW_OPTION_REAL || row->type == HAW_OPTION_INT)) {
        value[0] = strtod(text, &end);
        if (end != text && *end == '\0') {
            return haw_options_set_real(context, table, options, key, value[0]);
        }
    }
    return haw_options_set_text(context, table, options, key, text);
}

/* ---- checking a whole struct ---- */

static bool is_inside(const haw_option *row, double value)
{
    const bool is_open = isnan(row->preset) && (row->flags & HAW_KEY_OPEN) != 0;
    return isnan(value) ? row->choices != NULL || is_open /* the word that stands for NAN */
                        : isfinite(value) && value >= row->min && value <= row->max;
}

/* The first number of a row that its range forbids. */
static bool find_fault(const haw_option *row, const void *options, int components, double *value)
{
    const unsigned char *at = (const unsigned char *)options + row->offset;
    const bool is_vector = row->type == HAW_OPTION_VECTOR;
    if (row->type == HAW_OPTION_REAL || is_vector) {
        for (int i = 0; i < (is_vector ? components : 1); ++i) {
            *value = ((const double *)(const void *)at)[i];
            if (!is_inside(row, *value)) {
                return true;
            }
        }
        return false;
    }
    if (row->type == HAW_OPTION_INT || row->type == HAW_OPTION_CHOICE) {
        const int number = *(const int *)(const void *)at;
        *value = number;
        return row->type == HAW_OPTION_INT ? number < row->min || number > row->max
                                           : number < 0 || number >= haw_words_count(row->choices);
    }
    return false;
}

haw_status haw_options_check(haw_context *context, const haw_option *table, const void *options,
                             int dimension, const char *where, const char **key)
{
    static const unsigned foreign[] = {0, 0, HAW_KEY_SPACE, HAW_KEY_PLANE};
    for (const haw_option *row = table; row->key != NULL; ++row) {
        double value = 0;
        if ((row->flags & foreign[dimension]) != 0 ||
            !find_fault(row, options, dimension, &value)) {
            continue;
        }
        char allowed[TEXT_SIZE];
        haw_option component = *row;
        component.type = row->type == HAW_OPTION_VECTOR ? HAW_OPTION_REAL : row->type;
        describe_allowed(&component, allowed);
        *key = row->key;
        return haw_fail(context, HAW_ERR_INPUT, "%s: %s must be %s (got %.15g)", where, row->key,
                        allowed, value);
    }
    return HAW_OK;
}
