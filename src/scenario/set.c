/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `--set path=value`: keys joined by dots; an item of a list by its name, a contact or spring by
 * the names of its two owners joined by a dash, in either order, a force by what it is on, and any
 * item by its number from 0. Values become part of the tree and are checked by the readers like the
 * file itself.
 */
#include "scenario/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_SIZE = 128, KNOWN_MAX = 64, NUMBER_DIGITS = 9 };

/* Copies the part of a path up to the next dot or its end. @return its length */
static size_t copy_part(const char *path, const char *end, char part[PART_SIZE])
{
    const char *dot = memchr(path, '.', (size_t)(end - path));
    const size_t length = (size_t)((dot != NULL ? dot : end) - path);
    (void)snprintf(part, PART_SIZE, "%.*s", (int)length, path);
    return length;
}

/* Node of a new key at the end of a mapping, NULL without memory. */
static haw_yaml_node *add_key(haw_yaml *yaml, haw_yaml_node *mapping, const char *key, int set)
{
    haw_yaml_node *name = haw_yaml_make(yaml, HAW_YAML_SCALAR, set);
    haw_yaml_node *value = haw_yaml_make(yaml, HAW_YAML_MAPPING, set);
    char *text = haw_arena_string(&yaml->arena, key);
    if (name == NULL || value == NULL || text == NULL) {
        yaml->status = HAW_ERR_NOMEM;
        return NULL;
    }
    name->text = text;
    name->plain = true;
    value->key = name;
    haw_yaml_append(mapping, value);
    return value;
}

/* The tree takes the value where `place` is; place keeps its key and its neighbours. */
static void put_value(haw_yaml *yaml, haw_yaml_node *place, const haw_yaml_node *value, int set)
{
    haw_yaml_node *key = place->key, *next = place->next;
    *place = *value;
    place->next = next;
    place->key = key;
    place->set = set;
    if (key == NULL) {
        return;
    }
    haw_yaml_node *renamed = haw_yaml_make(yaml, HAW_YAML_SCALAR, set);
    if (renamed != NULL) {
        renamed->text = key->text;
        renamed->plain = true;
        place->key = renamed;
    }
}

/* A name, the cable of {cable: fraction}, or the ground for a place [x, y]. */
static const char *owner(const haw_yaml_node *node)
{
    if (node->kind == HAW_YAML_MAPPING) {
        return node->count == 1 ? node->first->key->text : "";
    }
    return node->kind == HAW_YAML_LIST ? "ground" : node->text;
}

/* "a-b" of an item with `between: [a, b]` and no name, else its name, else the thing that it is
 * about. */
static void label(const haw_yaml_node *item, bool turned, size_t size, char *text)
{
    const haw_yaml_node *between = haw_yaml_get(item, "between");
    if (haw_yaml_get(item, "name") == NULL && between != NULL && between->kind == HAW_YAML_LIST &&
        between->count == 2) {
        const char *first = owner(between->first), *second = owner(between->last);
        (void)snprintf(text, size, "%s-%s", turned ? second : first, turned ? first : second);
        return;
    }
    static const char *const keys[] = {"name", "target", "sheave", "on", "true"};
    const haw_yaml_node *name = NULL;
    for (size_t i = 0; name == NULL && i < sizeof keys / sizeof keys[0]; ++i) {
        name = haw_yaml_get(item, keys[i]);
    }
    const bool is_word = name != NULL && name->kind == HAW_YAML_SCALAR;
    (void)snprintf(text, size, "%s", is_word ? name->text : "");
}

static bool has_label(const haw_yaml_node *item, const char *part)
{
    for (int turned = 0; turned < 2; ++turned) {
        char text[PART_SIZE];
        label(item, turned != 0, sizeof text, text);
        if (text[0] != '\0' && strcmp(text, part) == 0) {
            return true;
        }
    }
    return false;
}

/* The first item of that label, or of that number if no label fits; `same` counts the labels. */
static haw_yaml_node *find_item(const haw_yaml_node *list, const char *part, int *same)
{
    haw_yaml_node *found = NULL;
    *same = 0;
    for (haw_yaml_node *item = list->first; item != NULL; item = item->next) {
        if (has_label(item, part)) {
            found = found != NULL ? found : item;
            ++*same;
        }
    }
    const size_t digits = strspn(part, "0123456789");
    if (found != NULL || digits == 0 || digits > NUMBER_DIGITS || part[digits] != '\0') {
        return found;
    }
    long number = strtol(part, NULL, 10);
    for (found = list->first; found != NULL && number > 0; found = found->next) {
        --number;
    }
    return found;
}

static void report_item(haw_yaml *yaml, const haw_yaml_node *list, const char *part, int set)
{
    const char *known[KNOWN_MAX];
    char labels[KNOWN_MAX][PART_SIZE];
    int count = 0;
    for (const haw_yaml_node *item = list->first; item != NULL && count < KNOWN_MAX;
         item = item->next) {
        label(item, false, PART_SIZE, labels[count]);
        known[count] = labels[count];
        ++count;
    }
    char hint[HAW_HINT_SIZE];
    haw_yaml_error_set(yaml, set, "no item '%s' in '%.60s'%s", part,
                       list->key != NULL ? list->key->text : "the list",
                       haw_hint(part, count, known, hint));
}

/* One step down from a mapping; the last key of a path may be new, and so may those before it. */
static haw_yaml_node *descend(haw_yaml *yaml, haw_yaml_node *node, const char *part, int set)
{
    if (node->kind == HAW_YAML_MAPPING) {
        haw_yaml_node *child = haw_yaml_get(node, part);
        return child != NULL ? child : add_key(yaml, node, part, set);
    }
    if (node->kind == HAW_YAML_LIST) {
        int same = 0;
        haw_yaml_node *item = find_item(node, part, &same);
        if (item == NULL) {
            report_item(yaml, node, part, set);
        } else if (same > 1) {
            haw_yaml_error_set(
                yaml, set,
                "%d items are named '%s' in '%.60s'; address one by its number, counted from 0",
                same, part, node->key != NULL ? node->key->text : "the list");
            item = NULL;
        }
        return item;
    }
    haw_yaml_error_set(yaml, set, "'%.60s' is a single value and has no '%s'",
                       node->key != NULL ? node->key->text : "the item", part);
    return NULL;
}

/* Whether a word alone can only mean a key of contact pairs. */
static bool is_of_contact(const char *word)
{
    const haw_mapping *scenario = &haw_mapping_scenario, *pair = haw_list_contacts.mapping;
    return haw_mapping_find(scenario, word) == NULL && haw_mapping_row(scenario, word) == NULL &&
           (haw_mapping_find(pair, word) != NULL || haw_mapping_row(pair, word) != NULL);
}

/* `contact.key`, or `key` alone: the key in every pair. */
static bool set_every_pair(haw_yaml *yaml, haw_yaml_node *list, const char *part,
                           const haw_yaml_node *value, int set)
{
    haw_yaml_node none = {.kind = HAW_YAML_LIST}, *contact = haw_yaml_get(yaml->root, "contact");
    int same = 0;
    contact = contact != NULL ? contact : &none;
    if (list == yaml->root && is_of_contact(part)) {
        list = contact;
    }
    if (list != contact || list->kind != HAW_YAML_LIST || find_item(list, part, &same) != NULL) {
        return false;
    }
    if (list->count == 0) {
        haw_yaml_error_set(yaml, set, "there is no contact pair to set this in");
    }
    for (haw_yaml_node *item = list->first; item != NULL; item = item->next) {
        haw_yaml_node *place = descend(yaml, item, part, set);
        if (place == NULL) {
            return true;
        }
        put_value(yaml, place, value, set);
    }
    return true;
}

void haw_set_apply(haw_yaml *yaml, int index)
{
    const char *path = yaml->set[index];
    const char *end = strchr(path, '=');
    if (end == NULL || end == path) {
        haw_yaml_error_set(yaml, index, "a setting has the form path=value");
        return;
    }
    const int errors = yaml->errors;
    const haw_yaml_node *value = haw_yaml_parse(yaml, end + 1, index);
    if (yaml->errors > errors || yaml->status != HAW_OK) {
        return;
    }
    const haw_yaml_node nothing = {.kind = HAW_YAML_SCALAR, .plain = true, .text = ""};
    haw_yaml_node *node = yaml->root;
    for (;;) {
        char part[PART_SIZE];
        const size_t length = copy_part(path, end, part);
        if (length == 0 || length >= PART_SIZE) {
            haw_yaml_error_set(yaml, index, "a path is made of keys joined by single dots");
            return;
        }
        const bool is_last = path + length == end;
        if (is_last && set_every_pair(yaml, node, part, value != NULL ? value : &nothing, index)) {
            return;
        }
        node = descend(yaml, node, part, index);
        if (node == NULL) {
            return;
        }
        if (is_last) {
            put_value(yaml, node, value != NULL ? value : &nothing, index);
            return;
        }
        path += length + 1;
    }
}

const haw_yaml_node *haw_set_find(const haw_yaml *yaml, const char *path)
{
    const char *end = path + strlen(path);
    const haw_yaml_node *node = yaml->root, *child = node;
    while (child != NULL && path < end) {
        char part[PART_SIZE];
        const size_t length = copy_part(path, end, part);
        int same = 0;
        child =
            node->kind == HAW_YAML_LIST ? find_item(node, part, &same) : haw_yaml_get(node, part);
        node = child != NULL ? child : node;
        path += length + (path + length < end ? 1 : 0);
    }
    return node;
}
