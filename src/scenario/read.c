/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings by their grammar: every key known, every value checked, every required key there. */
#include "scenario/grammar.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int haw_read_dimension(const haw_reader *reader)
{
    return reader->scenario->scene.dimension == 3 ? 3 : 2;
}

/* ---- option rows ---- */

static void report(haw_reader *reader, const haw_yaml_node *node, haw_status status)
{
    if (status != HAW_OK) {
        haw_read_error(reader, node, "%s", haw_context_message(reader->yaml.context));
    }
}

/* A number for each dimension, checked as a REAL of the same row. */
static void read_vector(haw_reader *reader, const haw_yaml_node *node, const haw_option *row,
                        void *options)
{
    double value[3];
    haw_option component[2] = {*row, {0}};
    component[0].type = HAW_OPTION_REAL;
    if (!haw_read_numbers(reader, node, row->key, haw_read_dimension(reader), value)) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        component[0].offset = row->offset + (size_t)i * sizeof(double);
        report(reader, item,
               haw_options_set_real(reader->yaml.context, component, options, row->key, value[i]));
    }
}

void haw_read_option(haw_reader *reader, const haw_yaml_node *node, const haw_option *own,
                     void *options)
{
    const char *outer = reader->outer;
    const bool is_scalar = node->kind == HAW_YAML_SCALAR;
    haw_context *context = reader->yaml.context;
    char key[HAW_KEY_SIZE];
    haw_option row[2] = {*own, {0}};
    (void)snprintf(key, sizeof key, "%.30s%s%.40s", outer != NULL ? outer : "",
                   outer != NULL ? "." : "", own->key);
    row->key = key; /* in messages */
    if (row->type == HAW_OPTION_STRING) {
        const char *text = haw_read_text(reader, node, key);
        if (text != NULL) {
            *(const char **)((unsigned char *)options + row->offset) = text;
        }
    } else if (row->type == HAW_OPTION_VECTOR && !(is_scalar && row->choices != NULL)) {
        read_vector(reader, node, row, options);
    } else if ((row->type == HAW_OPTION_REAL || row->type == HAW_OPTION_INT) &&
               !(is_scalar && haw_words_find(row->choices, node->text) >= 0)) {
        double value = 0;
        if (haw_read_number(reader, node, key, &value)) {
            report(reader, node, haw_options_set_real(context, row, options, key, value));
        }
    } else if (haw_read_kind(reader, node, key, HAW_YAML_SCALAR)) { /* a word */
        report(reader, node, haw_options_set_text(context, row, options, key, node->text));
    }
}

/* ---- mappings: the functions call each other as deep as the grammar goes ---- */

static void *place_of(const haw_key *key, void *spec)
{
    return (unsigned char *)spec + key->offset;
}

/* What an unknown key may mean: that of the symbol it is, or the nearest; NULL: no idea. */
static const char *meant(const char *word, const haw_members *members)
{
    static const char *const symbol[][2] = {{"dt", "step"},
                                            {"h", "step"},
                                            {"time_step", "step"},
                                            {"t_end", "end"},
                                            {"EA", "stiffness"},
                                            {"m", "mass"},
                                            {"EI", "bending_stiffness"},
                                            {"mu", "friction"},
                                            {"rho", "density"},
                                            {"GJ", "torsional_stiffness"},
                                            {"omega", "spin"},
                                            {"v", "velocity"},
                                            {"r", "radius"}};
    const char *known[HAW_MEMBERS_MAX];
    for (int i = 0; i < members->count; ++i) {
        known[i] = members->of[i].name;
    }
    for (size_t i = 0; i < sizeof symbol / sizeof *symbol; ++i) {
        if (strcmp(word, symbol[i][0]) == 0 && haw_members_find(members, symbol[i][1]) != NULL) {
            return symbol[i][1];
        }
    }
    return haw_nearest(word, members->count, known);
}

static void refuse_key(haw_reader *reader, const haw_yaml_node *key, const char *noun,
                       const haw_members *members)
{
    const char *name = meant(key->text, members);
    if (isdigit((unsigned char)key->text[0])) {
        haw_read_error(reader, key,
                       "unknown key '%.40s' in %s; a comma separates keys, decimals stand behind a "
                       "point",
                       key->text, noun);
    } else {
        haw_read_error(reader, key, "unknown key '%.40s' in %s%s%s%s", key->text, noun,
                       name != NULL ? "; did you mean '" : "", name != NULL ? name : "",
                       name != NULL ? "'?" : "");
    }
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void read_entry(haw_reader *reader, const haw_yaml_node *node, const haw_mapping *mapping,
                       const haw_members *members, void *spec)
{
    const haw_member *member = haw_members_find(members, node->key->text);
    if (member == NULL) {
        refuse_key(reader, node->key, mapping->noun, members);
    } else if (member->dimension != 0 && member->dimension != haw_read_dimension(reader)) {
        haw_read_error(reader, node->key, "'%.40s' needs dimension: %d", node->key->text,
                       member->dimension);
    } else if (member->own != NULL && member->own->form != NULL) {
        return; /* its value comes later: haw_read_forms */
    } else if (!member->is_nested) {
        double ignored[4];
        const bool is_kept = member->table->absent != HAW_ABSENT_ALWAYS;
        haw_read_option(reader, node, member->row,
                        is_kept ? place_of(member->table, spec) : (void *)ignored);
    } else if (haw_read_kind(reader, node, member->name, HAW_YAML_MAPPING)) {
        haw_nested nested;
        haw_nested_gather(&nested, mapping, member);
        reader->outer = member->name;
        haw_read_mapping(reader, node, &nested.mapping, place_of(member->table, spec));
        reader->outer = NULL;
    }
}

static const char *owner_of(const haw_mapping *mapping)
{
    return mapping->owner != NULL ? mapping->owner : mapping->noun;
}

/* Whether a key is there under a wrong name, which has been told. */
static bool is_misspelt(const haw_yaml_node *node, const char *name, const haw_members *members)
{
    for (const haw_yaml_node *entry = node->first; entry != NULL; entry = entry->next) {
        const char *text = entry->key->text;
        const char *other = haw_members_find(members, text) == NULL ? meant(text, members) : NULL;
        if (other != NULL && strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Keys of the other dimension cannot be missing. */
static void check_required(haw_reader *reader, const haw_yaml_node *node,
                           const haw_mapping *mapping, const haw_members *members)
{
    const int other = 5 - haw_read_dimension(reader);
    for (int i = 0; i < members->count; ++i) {
        const haw_member *member = &members->of[i];
        if (member->is_required && member->dimension != other &&
            haw_yaml_get(node, member->name) == NULL && !is_misspelt(node, member->name, members)) {
            haw_read_error(reader, node, "missing required key '%s' in %s", member->name,
                           owner_of(mapping));
        }
    }
}

void haw_read_forms(haw_reader *reader, const haw_yaml_node *node, const haw_key *keys, void *spec)
{
    const haw_key *outer = reader->key;
    const int other = 5 - haw_read_dimension(reader);
    for (const haw_key *key = keys; !haw_key_is_end(key); ++key) {
        const haw_yaml_node *entry = key->form != NULL ? haw_yaml_get(node, key->key) : NULL;
        if (entry != NULL && key->form->read != NULL && haw_key_dimension(key->flags) != other) {
            reader->key = key;
            key->form->read(reader, entry, place_of(key, spec));
        }
    }
    reader->key = outer;
}

/* ---- rules between keys ---- */

/* Older spellings become the present ones. */
static void rename_keys(haw_reader *reader, const haw_yaml_node *node, const haw_mapping *mapping)
{
    char word[HAW_KEY_SIZE];
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        for (const char *also = key->also; haw_key_next(&also, word);) {
            const haw_yaml_node *old = haw_yaml_get(node, word);
            if (old != NULL && haw_yaml_get(node, key->key) != NULL) {
                haw_read_error(reader, old->key, "'%s' is an older spelling of '%s'; remove one",
                               word, key->key);
            } else if (old != NULL) {
                old->key->text = key->key;
            }
        }
    }
}

/* A value that equals the preset counts as not given. */
static bool is_preset(const haw_option *row, const haw_yaml_node *entry)
{
    if (row == NULL || entry->kind != HAW_YAML_SCALAR) {
        return false;
    }
    if (row->type == HAW_OPTION_BOOL) {
        return strcmp(entry->text, row->preset != 0 ? "true" : "false") == 0;
    }
    return haw_read_is_number(entry->text)
               ? strtod(entry->text, NULL) == row->preset
               : row->type != HAW_OPTION_CHOICE && haw_words_find(row->choices, entry->text) >= 0;
}

/* Entry of a key whose value differs from the preset, else NULL. */
static const haw_yaml_node *find_given(const haw_yaml_node *node, const haw_members *members,
                                       const char *key)
{
    const haw_yaml_node *given = haw_yaml_get(node, key);
    const haw_member *member = haw_members_find(members, key);
    const bool is_row = member != NULL && !member->is_nested;
    return given != NULL && !(is_row && is_preset(member->row, given)) ? given : NULL;
}

/* One of a list of keys, those of the other dimension aside. @param beside  key that needs it */
static void check_needs(haw_reader *reader, const haw_yaml_node *node, const haw_mapping *mapping,
                        const haw_members *members, const char *list, const char *beside)
{
    char word[HAW_KEY_SIZE], first[HAW_KEY_SIZE] = "", others[2 * HAW_KEY_SIZE] = "";
    const int other = 5 - haw_read_dimension(reader);
    while (haw_key_next(&list, word)) {
        const size_t used = strlen(others);
        if (find_given(node, members, word) != NULL) {
            return;
        }
        const haw_member *member = haw_members_find(members, word);
        if (member == NULL || member->dimension == other) {
            continue;
        }
        if (first[0] == '\0') {
            (void)snprintf(first, sizeof first, "%s", word);
        } else {
            (void)snprintf(others + used, sizeof others - used, "%s'%s'", used > 0 ? ", " : " (or ",
                           word);
        }
    }
    haw_read_error(reader, node,
                   beside != NULL ? "missing required key '%s'%s%s, needed by '%s'"
                                  : "missing required key '%s'%s%s in %s",
                   first, others, others[0] != '\0' ? ")" : "",
                   beside != NULL ? beside : owner_of(mapping));
}

static void check_rules(haw_reader *reader, const haw_yaml_node *node, const haw_mapping *mapping,
                        const haw_members *members)
{
    char word[HAW_KEY_SIZE];
    for (int i = 0; i < 2 && mapping->needs[i] != NULL; ++i) {
        check_needs(reader, node, mapping, members, mapping->needs[i], NULL);
    }
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        const haw_yaml_node *given = key->key != NULL ? find_given(node, members, key->key) : NULL;
        if (given == NULL) {
            continue;
        }
        const char *excludes = key->excludes;
        if (key->needs != NULL) {
            check_needs(reader, node, mapping, members, key->needs, key->key);
        }
        while (haw_key_next(&excludes, word)) {
            if (find_given(node, members, word) != NULL) {
                haw_read_error(reader, given->key, "'%s' and '%s' exclude each other", word,
                               key->key);
            }
        }
    }
}

/* Plain values come first, in the order of the file: forms and checks may need them. */
/* NOLINTNEXTLINE(misc-no-recursion) */
void haw_read_mapping(haw_reader *reader, const haw_yaml_node *node, const haw_mapping *mapping,
                      void *spec)
{
    haw_members members;
    int given = 0;
    haw_mapping_members(mapping, &members);
    rename_keys(reader, node, mapping);
    for (const haw_yaml_node *entry = node->first; entry != NULL; entry = entry->next) {
        read_entry(reader, entry, mapping, &members, spec);
        given += haw_members_find(&members, entry->key->text) != NULL ? 1 : 0;
    }
    check_required(reader, node, mapping, &members);
    check_rules(reader, node, mapping, &members);
    if (mapping->choice != NULL && given != 1) {
        haw_read_error(reader, node, "%s", mapping->choice);
    }
    haw_read_forms(reader, node, mapping->keys, spec);
    if (mapping->check != NULL) {
        mapping->check(reader, node, spec);
    }
}
