/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to the grammar that its three users share. */
#include "scenario/grammar.h"

#include <stdio.h>
#include <string.h>

int haw_key_dimension(unsigned long flags)
{
    const int space = (flags & HAW_KEY_SPACE) != 0 ? 3 : 0;
    return (flags & HAW_KEY_PLANE) != 0 ? 2 : space;
}

bool haw_option_is_required(const haw_option *row)
{
    const bool is_number = row->type == HAW_OPTION_REAL || row->type == HAW_OPTION_INT ||
                           row->type == HAW_OPTION_VECTOR;
    const bool has_default = row->choices != NULL || (row->flags & HAW_KEY_OPEN) != 0 ||
                             (row->preset >= row->min && row->preset <= row->max);
    return is_number ? !has_default : (row->flags & HAW_KEY_REQUIRED) != 0;
}

bool haw_key_is_end(const haw_key *key)
{
    return key->key == NULL && key->of == NULL;
}

const haw_key *haw_mapping_find(const haw_mapping *mapping, const char *key)
{
    for (const haw_key *own = mapping->keys; !haw_key_is_end(own); ++own) {
        if (own->key != NULL && strcmp(own->key, key) == 0) {
            return own;
        }
    }
    return NULL;
}

const haw_option *haw_mapping_row(const haw_mapping *mapping, const char *key)
{
    const haw_option *row = NULL;
    for (const haw_key *own = mapping->keys; row == NULL && !haw_key_is_end(own); ++own) {
        row = own->key == NULL ? haw_options_find(own->of, key) : NULL;
    }
    return row;
}

bool haw_key_next(const char **list, char word[HAW_KEY_SIZE])
{
    const char *at = *list;
    if (at == NULL || *at == '\0') {
        return false;
    }
    const size_t length = strcspn(at, "|");
    (void)snprintf(word, HAW_KEY_SIZE, "%.*s", (int)length, at);
    *list = at + length + (at[length] == '|' ? 1 : 0);
    return true;
}

bool haw_key_is_absent(const haw_key *key, const void *spec)
{
    const void *at = (const unsigned char *)spec + key->asks;
    switch (key->absent) {
    case HAW_ABSENT_NEVER:
        break;
    case HAW_ABSENT_NULL:
        return *(const void *const *)at == NULL;
    case HAW_ABSENT_EQUAL:
        return *(const int *)at == key->value;
    case HAW_ABSENT_OTHER:
        return *(const int *)at != key->value;
    case HAW_ABSENT_TRUE:
        return *(const bool *)at;
    case HAW_ABSENT_FALSE:
        return !*(const bool *)at;
    case HAW_ABSENT_NOTHING:
        return ((const haw_function *)at)->count == 0 && ((const haw_function *)at)->constant == 0;
    case HAW_ABSENT_ALWAYS:
        return true;
    }
    return false;
}

void haw_key_inner(const haw_key *key, const haw_mapping *inner[3])
{
    const haw_form *form = key->form;
    inner[0] = form != NULL ? form->inner[0] : NULL;
    inner[1] = form != NULL ? form->inner[1] : NULL;
    inner[2] = NULL;
    if (form != NULL && form->mapping != NULL) {
        inner[0] = form->mapping(key);
    }
}

void haw_mapping_init(const haw_mapping *mapping, void *spec)
{
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        if (key->key == NULL) {
            haw_options_init(key->of, (unsigned char *)spec + key->offset);
        }
    }
}

/* ---- members ---- */

/* `count` where none has the name. */
static int find_member(const haw_members *members, const char *name)
{
    int i = 0;
    while (i < members->count && strcmp(members->of[i].name, name) != 0) {
        ++i;
    }
    return i;
}

/* The tables are constant: that they fit is tested, and what would not fit is an unknown key. */
static haw_member *add_member(haw_members *members, const char *name)
{
    if (members->count == HAW_MEMBERS_MAX) {
        return NULL;
    }
    haw_member *member = &members->of[members->count++];
    *member = (haw_member){.row = NULL};
    (void)snprintf(member->name, sizeof member->name, "%s", name);
    return member;
}

/* Rows of one outer name belong to a dimension if all of them do. */
static void add_row(haw_members *members, const haw_mapping *mapping, const haw_key *table,
                    const haw_option *row)
{
    const int dimension = haw_key_dimension(row->flags);
    char name[HAW_KEY_SIZE];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(row->key, "."), row->key);
    const bool is_nested = strchr(row->key, '.') != NULL;
    const int at = is_nested ? find_member(members, name) : members->count;
    if (at < members->count) {
        members->of[at].dimension = members->of[at].dimension == dimension ? dimension : 0;
        return;
    }
    haw_member *member = add_member(members, name);
    if (member == NULL) {
        return;
    }
    member->row = row;
    member->is_nested = is_nested;
    member->own = haw_mapping_find(mapping, member->name);
    member->table = table;
    member->dimension = dimension;
    member->is_required = !is_nested && haw_option_is_required(row);
}

void haw_mapping_members(const haw_mapping *mapping, haw_members *members)
{
    members->count = 0;
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        const haw_option *row = key->key == NULL ? key->of : NULL;
        for (; row != NULL && row->key != NULL; ++row) {
            add_row(members, mapping, key, row);
        }
        if (key->key == NULL || key->form == NULL || haw_mapping_row(mapping, key->key) != NULL) {
            continue;
        }
        haw_member *member = add_member(members, key->key);
        if (member != NULL) {
            member->own = member->table = key;
            member->dimension = haw_key_dimension(key->flags);
            member->is_required = (key->flags & HAW_KEY_REQUIRED) != 0;
        }
    }
}

const haw_member *haw_members_find(const haw_members *members, const char *name)
{
    const int i = find_member(members, name);
    return i < members->count ? &members->of[i] : NULL;
}

void haw_nested_gather(haw_nested *nested, const haw_mapping *of, const haw_member *member)
{
    const size_t length = strlen(member->name);
    int rows = 0, keys = 1;
    *nested = (haw_nested){.keys = {{.of = nested->row}}};
    for (const haw_option *row = member->row; row->key != NULL; ++row) {
        if (rows + 1 < HAW_NESTED_MAX && strncmp(row->key, member->name, length) == 0 &&
            row->key[length] == '.') {
            nested->row[rows] = *row;
            nested->row[rows++].key += length + 1;
        }
    }
    for (const haw_key *key = of->keys; !haw_key_is_end(key); ++key) {
        if (keys + 1 < HAW_NESTED_KEYS && key->key != NULL &&
            strncmp(key->key, member->name, length) == 0 && key->key[length] == '.') {
            nested->keys[keys] = *key;
            nested->keys[keys++].key += length + 1;
        }
    }
    (void)snprintf(nested->owner, sizeof nested->owner, "'%.70s'", member->name);
    nested->mapping =
        (haw_mapping){.noun = member->name, .keys = nested->keys, .owner = nested->owner};
}

/* ---- parts ---- */

/* NOLINTNEXTLINE(misc-no-recursion) */
static int list_parts(const haw_mapping *mapping, const char *name, int count,
                      haw_part part[HAW_PARTS_MAX])
{
    bool known = count == HAW_PARTS_MAX;
    for (int i = 0; i < count; ++i) {
        known = known || part[i].mapping == mapping;
    }
    if (known) {
        return count;
    }
    part[count++] = (haw_part){mapping->name != NULL ? mapping->name : name, mapping};
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        const haw_typed *typed = key->form != NULL && key->form->is_typed ? key->of : NULL;
        const haw_mapping *inner[3];
        haw_part made = {.name = key->key, .typed = typed};
        for (int i = 0; typed != NULL && count < HAW_PARTS_MAX; ++i) {
            int dimension = 0;
            made.row = haw_names_row(&typed->names, i, &dimension);
            made.flags = dimension == 2 ? HAW_KEY_PLANE : dimension == 3 ? HAW_KEY_SPACE : 0U;
            if (made.row == NULL) {
                break;
            }
            part[count++] = made;
        }
        haw_key_inner(key, inner);
        for (int i = 0; inner[i] != NULL; ++i) {
            count = list_parts(inner[i], key->key, count, part);
        }
    }
    return count;
}

int haw_scenario_parts(haw_part part[HAW_PARTS_MAX])
{
    return list_parts(&haw_mapping_scenario, "scene", 0, part);
}
