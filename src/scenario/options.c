/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings by option table: every key known, every row checked, every required key there. */
#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEYS_MAX = 64, KEY_SIZE = 80 };

bool haw_option_is_required(const haw_option *row)
{
    const bool is_number = row->type == HAW_OPTION_REAL || row->type == HAW_OPTION_INT ||
                           row->type == HAW_OPTION_VECTOR;
    return is_number && row->choices == NULL && (row->flags & HAW_KEY_OPEN) == 0 &&
           !(row->preset >= row->min && row->preset <= row->max);
}

int haw_option_dimension(const haw_option *row)
{
    const bool in_plane = (row->flags & HAW_KEY_PLANE) != 0;
    return in_plane ? 2 : (row->flags & HAW_KEY_SPACE) != 0 ? 3 : 0;
}

int haw_read_dimension(const haw_reader *reader)
{
    return reader->scenario->scene.dimension == 3 ? 3 : 2;
}

static bool is_listed(const char *const *list, const char *key)
{
    for (int i = 0; list != NULL && list[i] != NULL; ++i) {
        if (strcmp(list[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* Length of the part before the dot of a nested key, 0 for plain keys. */
static size_t prefix_length(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot != NULL ? (size_t)(dot - key) : 0;
}

static bool is_prefix(const haw_option *table, const char *key)
{
    for (const haw_option *row = table; row->key != NULL; ++row) {
        const size_t length = prefix_length(row->key);
        if (length > 0 && strlen(key) == length && strncmp(row->key, key, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Of a mapping "outer" whose rows all belong to one dimension: that one. */
static int nested_dimension(const haw_option *table, const char *outer)
{
    const size_t length = strlen(outer);
    int dimension = -1;
    for (const haw_option *row = table; row->key != NULL; ++row) {
        if (prefix_length(row->key) == length && strncmp(row->key, outer, length) == 0) {
            const int own = haw_option_dimension(row);
            dimension = dimension < 0 || dimension == own ? own : 0;
        }
    }
    return dimension < 0 ? 0 : dimension;
}

/* Report a key of the other dimension. */
static bool is_foreign(haw_reader *reader, const haw_yaml_node *entry, int dimension)
{
    if (dimension == 0 || dimension == haw_read_dimension(reader)) {
        return false;
    }
    haw_yaml_error(&reader->yaml, entry->key, "'%.40s' needs dimension: %d", entry->key->text,
                   dimension);
    return true;
}

static void unknown_key(haw_reader *reader, const haw_yaml_node *entry, const char *noun, int count,
                        const char *const *known)
{
    const char *nearest = haw_nearest(entry->key->text, count, known);
    if (nearest != NULL) {
        haw_yaml_error(&reader->yaml, entry->key, "unknown key '%.40s' in %s; did you mean '%s'?",
                       entry->key->text, noun, nearest);
    } else {
        haw_yaml_error(&reader->yaml, entry->key, "unknown key '%.40s' in %s", entry->key->text,
                       noun);
    }
}

void haw_read_keys(haw_reader *reader, const haw_yaml_node *mapping, const char *noun,
                   const char *const *keys)
{
    int count = 0;
    while (keys[count] != NULL) {
        ++count;
    }
    for (const haw_yaml_node *entry = mapping->first; entry != NULL; entry = entry->next) {
        if (!is_listed(keys, entry->key->text)) {
            unknown_key(reader, entry, noun, count, keys);
        }
    }
}

static void unknown_option(haw_reader *reader, const haw_yaml_node *entry,
                           const haw_grammar *grammar)
{
    const char *known[KEYS_MAX];
    char prefixes[KEYS_MAX][KEY_SIZE];
    int count = 0;
    for (const haw_option *row = grammar->table; row->key != NULL && count < KEYS_MAX; ++row) {
        const size_t length = prefix_length(row->key);
        known[count] = row->key;
        if (length > 0) {
            (void)snprintf(prefixes[count], KEY_SIZE, "%.*s", (int)length, row->key);
            known[count] = prefixes[count];
        }
        ++count;
    }
    for (int i = 0; grammar->extra != NULL && grammar->extra[i] != NULL && count < KEYS_MAX; ++i) {
        known[count++] = grammar->extra[i];
    }
    unknown_key(reader, entry, grammar->noun, count, known);
}

/* Words: choices, true and false, or what stands for a missing number. */
static void read_word(haw_reader *reader, const haw_yaml_node *node, const haw_option *row,
                      void *options)
{
    const haw_option table[2] = {*row, {0}};
    if (haw_read_kind(reader, node, row->key, HAW_YAML_SCALAR) &&
        haw_options_set_text(reader->yaml.context, table, options, row->key, node->text) !=
            HAW_OK) {
        haw_yaml_error(&reader->yaml, node, "%s", haw_context_message(reader->yaml.context));
    }
}

/* A number for each dimension, checked as a REAL of the same row. */
static void read_vector(haw_reader *reader, const haw_yaml_node *node, const haw_option *row,
                        void *options)
{
    double value[3];
    haw_option component[2] = {*row, {0}};
    component[0].type = HAW_OPTION_REAL;
    if (row->choices != NULL && node->kind == HAW_YAML_SCALAR) {
        read_word(reader, node, row, options);
        return;
    }
    if (!haw_read_numbers(reader, node, row->key, haw_read_dimension(reader), value)) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        component[0].offset = row->offset + (size_t)i * sizeof(double);
        if (haw_options_set_real(reader->yaml.context, component, options, row->key, value[i]) !=
            HAW_OK) {
            haw_yaml_error(&reader->yaml, item, "%s", haw_context_message(reader->yaml.context));
        }
    }
}

static void read_real(haw_reader *reader, const haw_yaml_node *node, const haw_option *row,
                      void *options)
{
    double value = 0;
    const haw_option table[2] = {*row, {0}};
    if (row->choices != NULL && node->kind == HAW_YAML_SCALAR &&
        is_listed(row->choices, node->text)) {
        read_word(reader, node, row, options);
    } else if (haw_read_number(reader, node, row->key, &value) &&
               haw_options_set_real(reader->yaml.context, table, options, row->key, value) !=
                   HAW_OK) {
        haw_yaml_error(&reader->yaml, node, "%s", haw_context_message(reader->yaml.context));
    }
}

void haw_read_option(haw_reader *reader, const haw_yaml_node *node, const haw_option *row,
                     void *options)
{
    const char *text = NULL;
    switch (row->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
        read_real(reader, node, row, options);
        break;
    case HAW_OPTION_BOOL:
    case HAW_OPTION_CHOICE:
        read_word(reader, node, row, options);
        break;
    case HAW_OPTION_STRING:
        text = haw_read_text(reader, node, row->key);
        if (text != NULL) {
            *(const char **)((unsigned char *)options + row->offset) = text;
        }
        break;
    case HAW_OPTION_VECTOR:
        read_vector(reader, node, row, options);
        break;
    }
}

/* A mapping whose rows have the keys "outer.inner". */
static void read_nested(haw_reader *reader, const haw_yaml_node *mapping,
                        const haw_grammar *grammar, void *options)
{
    const char *outer = mapping->key->text;
    if (!haw_read_kind(reader, mapping, outer, HAW_YAML_MAPPING)) {
        return;
    }
    for (const haw_yaml_node *entry = mapping->first; entry != NULL; entry = entry->next) {
        char key[KEY_SIZE];
        (void)snprintf(key, sizeof key, "%.30s.%.40s", outer, entry->key->text);
        const haw_option *row = haw_options_find(grammar->table, key);
        if (row != NULL) {
            if (!is_foreign(reader, entry, haw_option_dimension(row))) {
                haw_read_option(reader, entry, row, options);
            }
            continue;
        }
        const char *known[KEYS_MAX];
        int count = 0;
        for (row = grammar->table; row->key != NULL && count < KEYS_MAX; ++row) {
            const size_t length = prefix_length(row->key);
            if (length > 0 && strlen(outer) == length && strncmp(row->key, outer, length) == 0) {
                known[count++] = row->key + length + 1;
            }
        }
        unknown_key(reader, entry, outer, count, known);
    }
}

void haw_read_options(haw_reader *reader, const haw_yaml_node *mapping, const haw_grammar *grammar,
                      void *options)
{
    for (const haw_yaml_node *entry = mapping->first; entry != NULL; entry = entry->next) {
        const char *key = entry->key->text;
        const haw_option *row =
            prefix_length(key) == 0 ? haw_options_find(grammar->table, key) : NULL;
        const bool in_space = grammar->space != NULL && strcmp(key, grammar->space) == 0;
        const int dimension = row != NULL ? haw_option_dimension(row)
                              : in_space  ? 3
                                          : nested_dimension(grammar->table, key);
        if (is_foreign(reader, entry, dimension)) {
            continue;
        }
        if (row != NULL) {
            haw_read_option(reader, entry, row, options);
        } else if (is_prefix(grammar->table, key)) {
            read_nested(reader, entry, grammar, options);
        } else if (!is_listed(grammar->extra, key)) {
            unknown_option(reader, entry, grammar);
        }
    }
    const int other = 5 - haw_read_dimension(reader);
    for (const haw_option *row = grammar->table; row->key != NULL; ++row) {
        if (haw_option_is_required(row) && haw_option_dimension(row) != other &&
            haw_yaml_get(mapping, row->key) == NULL) {
            haw_yaml_error(&reader->yaml, mapping, "missing required key '%s' in %s", row->key,
                           grammar->noun);
        }
    }
}
