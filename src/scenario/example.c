/* SPDX-License-Identifier: BSD-3-Clause */
/* Examples of keys: from data/examples.yaml, else the other choice or the default. */
#include "scenario/grammar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Behind "\n<head>" of a text; NULL: not before `end`. */
static const char *find_line(const char *text, const char *end, const char *head)
{
    const char *found = text != NULL ? strstr(text, head) : NULL;
    return found != NULL && (end == NULL || found < end) ? found + strlen(head) : NULL;
}

/* "\nNOUN:\n  KEY: value\n" */
static bool find_value(const char *noun, const char *key, char text[HAW_EXAMPLE_SIZE])
{
    char head[HAW_EXAMPLE_SIZE];
    (void)snprintf(head, sizeof head, "\n%s:", noun);
    const char *section = find_line(haw_key_examples, NULL, head), *end = section;
    while (end != NULL && (end = strchr(end, '\n')) != NULL && end[1] == ' ') {
        ++end;
    }
    (void)snprintf(head, sizeof head, "\n  %s: ", key);
    const char *value = find_line(section, end, head);
    if (value != NULL) {
        (void)snprintf(text, HAW_EXAMPLE_SIZE, "%.*s", (int)strcspn(value, "\n"), value);
    }
    return value != NULL;
}

static void preset_example(const haw_option *row, char text[HAW_EXAMPLE_SIZE])
{
    text[0] = '\0';
    if (row == NULL) {
        return;
    }
    if (row->type == HAW_OPTION_CHOICE) {
        const int last = haw_words_count(row->choices) - 1;
        (void)snprintf(text, HAW_EXAMPLE_SIZE, "%s", row->choices[last]);
    } else if (row->type == HAW_OPTION_BOOL) {
        (void)snprintf(text, HAW_EXAMPLE_SIZE, "%s", row->preset != 0 ? "false" : "true");
    } else if (isfinite(row->preset) && row->type != HAW_OPTION_STRING) {
        const bool is_vector = row->type == HAW_OPTION_VECTOR;
        (void)snprintf(text, HAW_EXAMPLE_SIZE, is_vector ? "[%.10g, %.10g]" : "%.10g", row->preset,
                       row->preset);
    }
}

void haw_key_example(const char *noun, const char *key, const haw_option *row,
                     char text[HAW_EXAMPLE_SIZE])
{
    const char *dot = strchr(key, '.'), *quote = strstr(noun, " '");
    char general[HAW_KEY_SIZE]; /* "the shape" of "the shape 'circle'", "lay" of "lay.body" */
    (void)snprintf(general, sizeof general, "%.*s",
                   dot != NULL     ? (int)(dot - key)
                   : quote != NULL ? (int)(quote - noun)
                                   : 0,
                   dot != NULL ? key : noun);
    if (quote != NULL && strcmp(key, "type") == 0) {
        (void)snprintf(text, HAW_EXAMPLE_SIZE, "%.*s", (int)strcspn(quote + 2, "'"), quote + 2);
    } else if (!find_value(noun, key, text) &&
               !find_value(general, dot != NULL ? dot + 1 : key, text)) {
        preset_example(row, text);
    }
}
