/* SPDX-License-Identifier: BSD-3-Clause */
/* Option rows in words, for lists and the manual. */
#include "cli/catalog.h"
#include "scenario/reader.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

int haw_options_count(const haw_option *options)
{
    int count = 0;

    while (options != NULL && options[count].key != NULL) {
        count++;
    }
    return count;
}

const char *haw_option_type_word(const haw_option *option)
{
    switch (option->type) {
    case HAW_OPTION_REAL:
        return "number";
    case HAW_OPTION_INT:
        return "integer";
    case HAW_OPTION_BOOL:
        return "boolean";
    case HAW_OPTION_CHOICE:
        return "choice";
    case HAW_OPTION_STRING: /* a value that is more than a text says what it is */
        return option->choices != NULL ? option->choices[0] : "text";
    case HAW_OPTION_VECTOR:
        return "vector";
    }
    return "";
}

static const char *word_of(const haw_option *option, int index)
{
    for (int i = 0; option->choices != NULL && option->choices[i] != NULL; i++) {
        if (i == index) {
            return option->choices[i];
        }
    }
    return NULL;
}

const char *haw_option_preset_text(haw_cli *cli, const haw_option *option)
{
    const char *word = NULL;

    switch (option->type) {
    case HAW_OPTION_STRING:
        return "";
    case HAW_OPTION_BOOL:
        return option->preset > 0.0 ? "true" : "false";
    case HAW_OPTION_CHOICE:
        word = word_of(option, (int)option->preset);
        return word != NULL ? word : "";
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
    case HAW_OPTION_VECTOR:
        break;
    }
    if (haw_option_is_required(option)) {
        return "";
    }
    if (isnan(option->preset)) {
        word = word_of(option, 0);
        return word != NULL ? word : "";
    }
    return haw_cli_format(cli, option->type == HAW_OPTION_VECTOR ? "[%.10g, %.10g]" : "%.10g",
                          option->preset, option->preset);
}

/*
 * "> 0", ">= 1", "" for one limit. A limit that is not a short decimal is an open one, stored as
 * its next representable neighbour.
 */
static const char *limit_text(haw_cli *cli, const char *sign, double limit, double tiny)
{
    if (fabs(limit) >= DBL_MAX || fabs(limit) >= INT_MAX) {
        return "";
    }
    if (fabs(limit) <= tiny && fabs(limit) > 0.0) {
        return haw_cli_format(cli, "%s 0", sign);
    }
    const char *number = haw_cli_format(cli, "%.15g", limit);
    const bool open = strtod(number, NULL) < limit || strtod(number, NULL) > limit;

    return haw_cli_format(cli, "%s%s %s", sign, open ? "" : "=", number);
}

/* All choices, or the limits of a number: "> 0, <= 1"; "" where there are none. */
static const char *range_text(haw_cli *cli, const haw_option *option)
{
    const char *text = "";

    if (option->type == HAW_OPTION_CHOICE) {
        for (int i = 0; word_of(option, i) != NULL; i++) {
            text = haw_cli_format(cli, "%s%s%s", text, i > 0 ? ", " : "", word_of(option, i));
        }
        return text;
    }
    if (option->type == HAW_OPTION_STRING || option->type == HAW_OPTION_BOOL) {
        return "";
    }
    const char *above = limit_text(cli, ">", option->min, DBL_MIN);
    const char *below = limit_text(cli, "<", option->max, DBL_MIN);
    const char *join = above[0] != '\0' && below[0] != '\0' ? ", " : "";

    return haw_cli_format(cli, "%s%s%s", above, join, below);
}

const char *haw_option_help(haw_cli *cli, const haw_option *option)
{
    const char *text = option->help, *preset = haw_option_preset_text(cli, option);
    const char *range = range_text(cli, option);

    if (option->unit[0] != '\0') {
        text = haw_cli_format(cli, "%s [%s]", text, option->unit);
    }
    if (preset[0] != '\0') {
        text = haw_cli_format(cli, "%s; default %s", text, preset);
    }
    return range[0] != '\0' ? haw_cli_format(cli, "%s; %s", text, range) : text;
}
