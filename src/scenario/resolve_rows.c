/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of option tables and functions of time as YAML. */
#include "scenario/resolve.h"

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

/*
 * Options without a value here: a missing number that no word stands for, a missing text, a key of
 * the other dimension.
 */
static bool is_absent(const haw_resolve *out, const haw_option *row, const void *options)
{
    bool has_nan = false;
    if (haw_option_dimension(row) == 5 - out->dimension) {
        return true;
    }
    switch (row->type) {
    case HAW_OPTION_REAL:
        return isnan(row_real(row, options, 0)) ? row->choices == NULL
                                                : row_real(row, options, 0) < row->min;
    case HAW_OPTION_VECTOR:
        for (int i = 0; i < out->dimension; ++i) {
            has_nan = has_nan || isnan(row_real(row, options, i));
        }
        return has_nan && row->choices == NULL;
    case HAW_OPTION_STRING:
        return row_string(row, options) == NULL;
    case HAW_OPTION_INT:
    case HAW_OPTION_BOOL:
    case HAW_OPTION_CHOICE:
        break;
    }
    return false;
}

void haw_resolve_numbers(haw_resolve *out, int count, const double *value)
{
    for (int i = 0; i < count; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "[");
        haw_text_number(&out->text, value[i]);
    }
    haw_text_add(&out->text, "]");
}

static void add_value(haw_resolve *out, const haw_option *row, const void *options)
{
    const double *real = member(row, options);
    switch (row->type) {
    case HAW_OPTION_REAL:
        if (isnan(real[0])) {
            haw_text_add(&out->text, "%s", row->choices[0]);
        } else {
            haw_text_number(&out->text, real[0]);
        }
        break;
    case HAW_OPTION_INT:
        haw_text_add(&out->text, "%d", row_int(row, options));
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(&out->text, "%s", *(const bool *)member(row, options) ? "true" : "false");
        break;
    case HAW_OPTION_CHOICE: /* quoted: YAML 1.1 reads off as false */
        haw_text_quote(&out->text, row->choices[row_int(row, options)]);
        break;
    case HAW_OPTION_STRING:
        haw_text_quote(&out->text, row_string(row, options));
        break;
    case HAW_OPTION_VECTOR:
        if (isnan(real[0])) {
            haw_text_add(&out->text, "%s", row->choices[0]);
        } else {
            haw_resolve_numbers(out, out->dimension, real);
        }
        break;
    }
}

/* YAML 1.1 reads `on` as true. */
static void add_key(haw_resolve *out, const char *key)
{
    const char *quote = strcmp(key, "on") == 0 ? "\"" : "";
    haw_text_add(&out->text, "%s%s%s: ", quote, key, quote);
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

/*
 * All rows "outer.inner" of one mapping: `outer: {inner: value, ...}`. A mapping whose first row is
 * absent (nothing to be laid on) is absent itself.
 */
static void add_nested(haw_resolve *out, const haw_option *first, const void *options)
{
    const size_t length = strcspn(first->key, ".") + 1;
    const char *comma = "";
    haw_text_add(&out->text, "%.*s: {", (int)length - 1, first->key);
    for (const haw_option *row = first; row->key != NULL; ++row) {
        if (strncmp(row->key, first->key, length) == 0 && !is_absent(out, row, options)) {
            haw_text_add(&out->text, "%s", comma);
            add_key(out, row->key + length);
            add_value(out, row, options);
            comma = ", ";
        }
    }
    haw_text_add(&out->text, "}");
}

void haw_resolve_options(haw_resolve *out, const haw_resolve_lines *lines, const haw_option *table,
                         const void *options)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        const bool is_nested = strchr(row->key, '.') != NULL;
        if ((lines->skip != NULL && strcmp(row->key, lines->skip) == 0) ||
            is_absent(out, row, options) || (is_nested && is_continued(table, row))) {
            continue;
        }
        haw_text_add(&out->text, "%s", row == table ? lines->lead : lines->indent);
        if (is_nested) {
            add_nested(out, row, options);
        } else {
            add_key(out, row->key);
            add_value(out, row, options);
        }
        haw_text_add(&out->text, "\n");
    }
}

void haw_resolve_table(haw_resolve *out, const haw_function *function)
{
    haw_text_add(&out->text, "[");
    for (int i = 0; i < function->count; ++i) {
        const double row[2] = {function->time[i], function->value[i]};
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        haw_resolve_numbers(out, 2, row);
    }
    haw_text_add(&out->text, "]");
}

void haw_resolve_function(haw_resolve *out, const haw_function *function)
{
    if (function->count == 0) {
        haw_text_number(&out->text, function->constant);
        return;
    }
    haw_text_add(&out->text, "{table: ");
    haw_resolve_table(out, function);
    haw_text_add(&out->text, ", ramp: %s}", haw_ramp_names[function->ramp]);
}

void haw_resolve_functions(haw_resolve *out, const char *key, const haw_function function[3])
{
    haw_text_add(&out->text, "%s: ", key);
    for (int i = 0; i < out->dimension; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "[");
        haw_resolve_function(out, &function[i]);
    }
    haw_text_add(&out->text, "]");
}
