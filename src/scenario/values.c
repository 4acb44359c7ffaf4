/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed readers of single values. Numbers follow the core schema of YAML 1.2, section 10.3. */
#include "scenario/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 64 };

void *haw_read_allocate(haw_reader *reader, int count, size_t size)
{
    void *memory = haw_arena_allocate(reader->arena, (size_t)count, size);
    if (memory == NULL) {
        reader->yaml.status = HAW_ERR_NOMEM;
    }
    return memory;
}

static const char *skip_digits(const char *s)
{
    while (isdigit((unsigned char)*s)) {
        ++s;
    }
    return s;
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? */
bool haw_read_is_number(const char *s)
{
    s += *s == '-' || *s == '+' ? 1 : 0;
    const char *whole = skip_digits(s);
    const char *end = whole;
    if (*whole == '.') {
        end = skip_digits(whole + 1);
    }
    if (whole == s && end <= whole + 1) {
        return false;
    }
    if (*end == 'e' || *end == 'E') {
        ++end;
        end += *end == '-' || *end == '+' ? 1 : 0;
        const char *digits = end;
        end = skip_digits(digits);
        if (end == digits) {
            return false;
        }
    }
    return *end == '\0';
}

/* .inf, -.inf, .nan and the words that other readers take for them. */
static bool is_not_finite(const char *s)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    char word[16];
    size_t n = 0;
    s += *s == '-' || *s == '+' ? 1 : 0;
    s += *s == '.' ? 1 : 0;
    for (; s[n] != '\0' && n + 1 < sizeof word; ++n) {
        word[n] = (char)tolower((unsigned char)s[n]);
    }
    word[n] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool haw_read_number(haw_reader *reader, const haw_yaml_node *node, const char *what, double *value)
{
    haw_yaml *yaml = &reader->yaml;
    char text[TEXT_SIZE];
    const bool is_word = node->kind == HAW_YAML_SCALAR && node->plain;
    if (!is_word || !haw_read_is_number(node->text)) {
        haw_yaml_error(yaml, node, "'%s' must be a %snumber (got %s)", what,
                       is_word && is_not_finite(node->text) ? "finite " : "",
                       haw_yaml_describe(node, sizeof text, text));
        return false;
    }
    *value = strtod(node->text, NULL);
    if (!isfinite(*value)) {
        haw_yaml_error(yaml, node, "'%s' is out of the range of numbers, 1.8e+308 (got %.40s)",
                       what, node->text);
        return false;
    }
    return true;
}

bool haw_read_numbers(haw_reader *reader, const haw_yaml_node *node, const char *what, int count,
                      double *value)
{
    if (node->kind != HAW_YAML_LIST || node->count != count) {
        char text[TEXT_SIZE], got[TEXT_SIZE];
        (void)snprintf(got, sizeof got, "a list of %d", node->count);
        haw_read_error(reader, node, "'%s' must be a list of %d numbers (got %s)", what, count,
                       node->kind == HAW_YAML_LIST ? got
                                                   : haw_yaml_describe(node, sizeof text, text));
        return false;
    }
    bool good = true;
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next) {
        good = haw_read_number(reader, item, what, &value[i++]) && good;
    }
    return good;
}

bool haw_read_kind(haw_reader *reader, const haw_yaml_node *node, const char *what,
                   haw_yaml_kind kind)
{
    static const char *const nouns[] = {"a word", "a list", "a mapping (key: value)"};
    char text[TEXT_SIZE];
    if (node->kind == kind && !haw_yaml_is_null(node)) {
        return true;
    }
    haw_read_error(reader, node, "'%s' must be %s (got %s)", what, nouns[kind],
                   haw_yaml_describe(node, sizeof text, text));
    return false;
}

const char *haw_read_text(haw_reader *reader, const haw_yaml_node *node, const char *what)
{
    if (node->kind != HAW_YAML_SCALAR || haw_yaml_is_null(node)) {
        char text[TEXT_SIZE];
        haw_read_error(reader, node, "'%s' must be text (got %s)", what,
                       haw_yaml_describe(node, sizeof text, text));
        return NULL;
    }
    const char *copy = haw_arena_string(reader->arena, node->text);
    if (copy == NULL) {
        reader->yaml.status = HAW_ERR_NOMEM;
    }
    return copy;
}

int haw_read_word(haw_reader *reader, const haw_yaml_node *node, const char *what,
                  const char *const *words)
{
    char text[TEXT_SIZE], allowed[200], hint[HAW_HINT_SIZE];
    const char *word = node->kind == HAW_YAML_SCALAR ? node->text : NULL;
    const int index = word != NULL ? haw_words_find(words, word) : -1;
    if (index < 0) {
        haw_words_join(words, sizeof allowed, allowed);
        haw_read_error(reader, node, "unknown %s %s%s (known: %s)", what,
                       haw_yaml_describe(node, sizeof text, text),
                       haw_hint(word, haw_words_count(words), words, hint), allowed);
    }
    return index;
}
