/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms of values that several mappings use: mappings, lists of them, names, points. */
#include "scenario/grammar.h"

#include <stdio.h>
#include <string.h>

enum { NOUN_SIZE = 80 };

/* ---- mappings ---- */

static void read_mapping(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    if (haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING)) {
        haw_read_mapping(reader, node, reader->key->of, value);
    }
}

static void write_lines(haw_resolve *out, const void *value)
{
    haw_resolve_lines(out, out->key->of, value);
}

static void write_braces(haw_resolve *out, const void *value)
{
    haw_resolve_braces(out, out->key->of, value);
}

static const haw_mapping *own_mapping(const haw_key *key)
{
    return key->of;
}

static void describe_mapping(haw_text *text, const haw_key *key)
{
    haw_describe_mapping(text, key->of);
}

const haw_form haw_form_mapping = {read_mapping, write_lines, describe_mapping, .is_block = true,
                                   .mapping = own_mapping};
const haw_form haw_form_braces = {read_mapping, write_braces, describe_mapping,
                                  .mapping = own_mapping};

/* ---- motions: {table: ...} is short for {velocity: {table: ...}} ---- */

static void read_motion(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_mapping *mapping = reader->key->of;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING)) {
        return;
    }
    if (haw_yaml_get(node, "table") == NULL) {
        haw_read_mapping(reader, node, mapping, value);
        return;
    }
    for (const haw_key *key = mapping->keys; !haw_key_is_end(key); ++key) {
        if (haw_yaml_get(node, key->key) != NULL) {
            haw_read_error(reader, node, "'table' describes a single motion; put it under '%s'",
                           key->key);
            return;
        }
    }
    const haw_key *velocity = haw_mapping_find(mapping, "velocity");
    velocity->form->read(reader, node, (unsigned char *)value + velocity->offset);
    mapping->check(reader, node, value);
}

static void describe_motion(haw_text *text, const haw_key *key)
{
    haw_text_add(text,
                 "\"if\": {\"required\": [\"table\"]}, \"then\": {\"$ref\": \"#/$defs/table\"}, "
                 "\"else\": {");
    haw_describe_mapping(text, key->of);
    haw_text_add(text, "}");
}

const haw_form haw_form_motion = {read_motion, write_braces, describe_motion,
                                  .mapping = own_mapping};

/* ---- lists of mappings ---- */

/* An entry that is not a mapping may have been meant to have a name. */
static void read_item(haw_reader *reader, const haw_yaml_node *node, const haw_key *key, void *item)
{
    const haw_list *list = key->of;
    char noun[NOUN_SIZE];
    (void)snprintf(noun, sizeof noun, "an entry of '%s'", key->key);
    haw_mapping_init(list->mapping, item);
    if (list->init != NULL) {
        list->init(reader, item);
    }
    if (haw_read_kind(reader, node, noun, HAW_YAML_MAPPING)) {
        haw_read_mapping(reader, node, list->mapping, item);
    } else {
        reader->names_lost = reader->names_lost || list->has_names;
    }
}

static void read_items(haw_reader *reader, const haw_yaml_node *node, unsigned char *spec)
{
    const haw_key *key = reader->key;
    const haw_list *list = key->of;
    const int errors = reader->yaml.errors;
    int *count = (int *)(void *)(spec + key->asks);
    unsigned char *item = haw_read_allocate(reader, node->count, list->item);
    if (item == NULL) {
        return;
    }
    memcpy(spec + key->offset, &item, sizeof item);
    for (const haw_yaml_node *entry = node->first; entry != NULL; entry = entry->next) {
        ++*count; /* what refers to items sees only those read so far */
        read_item(reader, entry, key, item);
        item += list->item;
    }
    if (list->check != NULL) {
        const bool is_good = reader->yaml.errors == errors && reader->yaml.status == HAW_OK;
        list->check(reader, node, spec, is_good);
    }
}

/* The path of a --set leads through keys that are not there as if they were mappings. */
static void read_list(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_list *list = reader->key->of;
    const char *key = node->key->text;
    if (node->kind == HAW_YAML_MAPPING && node->set >= 0) {
        haw_read_error(reader, node,
                       "'%s' must be a list (got a mapping): a setting changes items that stand in "
                       "the file, or is the whole list, %s=[{key: value, ...}]",
                       key, key);
    } else if (haw_read_kind(reader, node, key, HAW_YAML_LIST)) {
        if (node->count > 0 || list->is_empty == NULL) {
            read_items(reader, node, (unsigned char *)value - reader->key->offset);
        } else {
            haw_read_error(reader, node, "%s", list->is_empty);
        }
        return;
    }
    reader->names_lost = reader->names_lost || list->has_names;
}

static void write_list(haw_resolve *out, const void *value)
{
    const haw_key *key = out->key;
    const haw_list *list = key->of;
    const unsigned char *spec = (const unsigned char *)value - key->offset;
    const int count = *(const int *)(const void *)(spec + key->asks);
    const unsigned char *item = NULL;
    memcpy(&item, value, sizeof item);
    out->indent += 4;
    for (int i = 0; i < count; ++i) {
        out->is_item = true;
        haw_resolve_mapping(out, list->mapping, item + (size_t)i * list->item);
    }
    out->indent -= 4;
}

static void describe_list(haw_text *text, const haw_key *key)
{
    const haw_list *list = key->of;
    haw_text_add(text, "\"type\": \"array\", %s\"items\": {",
                 list->is_empty != NULL ? "\"minItems\": 1, " : "");
    haw_describe_mapping(text, list->mapping);
    haw_text_add(text, "}");
}

static const haw_mapping *item_mapping(const haw_key *key)
{
    return ((const haw_list *)key->of)->mapping;
}

const haw_form haw_form_list = {read_list,        write_list,     describe_list,
                                .is_block = true, .word = "list", .mapping = item_mapping};

/* ---- names ---- */

const haw_row *haw_names_row(const haw_names *names, int i, int *dimension)
{
    if (names->row != NULL) {
        return names->row(i, dimension);
    }
    for (int t = 0; t < 2 && names->table[t].rows != NULL; ++t) {
        const int count = haw_row_count(names->table[t].rows);
        if (i < count) {
            *dimension = names->table[t].dimension;
            return names->table[t].rows[i];
        }
        i -= count;
    }
    return NULL;
}

/* Row of a name in scenes of a dimension. */
static const haw_row *find_row(const haw_names *names, int dimension, const char *name)
{
    const haw_row *row;
    int own = 0;
    for (int i = 0; (row = haw_names_row(names, i, &own)) != NULL; ++i) {
        if ((own == 0 || own == dimension) && strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

void haw_names_list(const haw_names *names, int dimension, const char *words[HAW_WORDS_MAX])
{
    int count = names->first != NULL ? 1 : 0, own = 0;
    const haw_row *row;
    words[0] = names->first;
    words[count] = NULL;
    for (int i = 0; (row = haw_names_row(names, i, &own)) != NULL && count + 1 < HAW_WORDS_MAX;
         ++i) {
        const bool suits = own == 0 || dimension == 0 || own == dimension;
        if (suits && haw_words_find(words, row->name) < 0) {
            words[count++] = row->name;
            words[count] = NULL;
        }
    }
}

/* The word of a list that suits the dimension of the scene, NULL after an error. */
static const char *read_word_of(haw_reader *reader, const haw_yaml_node *node,
                                const haw_names *names)
{
    const int dimension = haw_read_dimension(reader), other = 5 - dimension;
    const char *own[HAW_WORDS_MAX], *others[HAW_WORDS_MAX];
    haw_names_list(names, dimension, own);
    haw_names_list(names, other, others);
    if (node->kind == HAW_YAML_SCALAR && haw_words_find(own, node->text) < 0 &&
        haw_words_find(others, node->text) >= 0) {
        haw_read_error(reader, node, "%s '%s' needs dimension: %d", names->subject, node->text,
                       other);
        return NULL;
    }
    const int word = haw_read_word(reader, node, names->what, own);
    return word >= 0 ? own[word] : NULL;
}

static void read_name(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const char *name = haw_read_text(reader, node, node->key->text);
    if (name != NULL) {
        *(const char **)value = name;
        (void)read_word_of(reader, node, reader->key->of);
    }
}

static void describe_name(haw_text *text, const haw_key *key)
{
    const haw_names *names = key->of;
    const char *words[HAW_WORDS_MAX];
    haw_names_list(names, 0, words);
    haw_describe_enum(text, words);
}

/* Written as the row of an option table that it is, too. */
const haw_form haw_form_name = {read_name, NULL, describe_name, .word = "name", .is_name = true};

/* ---- one word, such as the `type` of a mapping whose other keys follow from it ---- */

static void read_constant(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const char *const words[] = {*(const char *const *)reader->key->of, NULL};
    (void)value;
    (void)haw_read_word(reader, node, node->key->text, words);
}

static void write_constant(haw_resolve *out, const void *value)
{
    (void)value;
    haw_text_add(&out->text, "%s", *(const char *const *)out->key->of);
}

static void describe_constant(haw_text *text, const haw_key *key)
{
    haw_text_add(text, "\"const\": \"%s\"", *(const char *const *)key->of);
}

const haw_form haw_form_constant = {read_constant, write_constant, describe_constant,
                                    .word = "name"};

/* ---- mappings whose `type` is the name of a row ---- */

void haw_typed_make(const haw_typed *typed, const haw_row *row, haw_typed_mapping *made)
{
    const bool is_default = typed->has_default && row == typed->names.table[0].rows[0];
    *made = (haw_typed_mapping){.mapping = {.noun = made->noun, .keys = made->keys}};
    (void)snprintf(made->noun, sizeof made->noun, "the %s '%s'", typed->names.what, row->name);
    made->keys[0] = (haw_key){.key = "type",
                              .form = &haw_form_constant,
                              .of = row,
                              .flags = is_default ? 0 : HAW_KEY_REQUIRED,
                              .help = row->summary};
    typed->add(typed, row, made);
}

static void read_typed(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_typed *typed = reader->key->of;
    const int dimension = haw_read_dimension(reader);
    haw_typed_mapping made;
    if (!haw_read_kind(reader, node, typed->names.what, HAW_YAML_MAPPING)) {
        return;
    }
    if (!typed->has_default || haw_yaml_get(node, "type") != NULL) {
        const haw_yaml_node *type = haw_yaml_get(node, "type");
        const char *name = type != NULL ? read_word_of(reader, type, &typed->names) : NULL;
        if (type == NULL) {
            haw_read_error(reader, node, "missing required key 'type' in '%s'", typed->names.what);
        }
        if (name == NULL) {
            return;
        }
        typed->set(typed, find_row(&typed->names, dimension, name), value);
    }
    haw_typed_make(typed, typed->get(typed, dimension, value), &made);
    haw_read_mapping(reader, node, &made.mapping, value);
}

static void write_typed(haw_resolve *out, const void *value)
{
    const haw_typed *typed = out->key->of;
    haw_typed_mapping made;
    haw_typed_make(typed, typed->get(typed, out->dimension, value), &made);
    haw_resolve_lines(out, &made.mapping, value);
}

static int count_options(const haw_row *row)
{
    int count = 0;
    while (row != NULL && row->options[count].key != NULL) {
        ++count;
    }
    return count;
}

/* A word of both dimensions is described as in the one where it has more keys. */
static void describe_typed(haw_text *text, const haw_key *key)
{
    const haw_typed *typed = key->of;
    const char *words[HAW_WORDS_MAX];
    haw_names_list(&typed->names, 0, words);
    haw_text_add(
        text,
        "\"type\": \"object\", %s\"properties\": {\"type\": {\"description\": \"kind of %s\", ",
        typed->has_default ? "" : "\"required\": [\"type\"], ", typed->names.what);
    haw_describe_enum(text, words);
    haw_text_add(text, "}}, \"allOf\": [");
    for (int i = 0; words[i] != NULL; ++i) {
        const haw_row *plane = find_row(&typed->names, 2, words[i]);
        const haw_row *space = find_row(&typed->names, 3, words[i]);
        const bool is_flat = plane != NULL && count_options(plane) >= count_options(space);
        haw_typed_mapping made;
        haw_typed_make(typed, is_flat ? plane : space, &made);
        haw_text_add(text,
                     "%s{\"if\": {\"properties\": {\"type\": {\"const\": \"%s\"}}%s}, \"then\": {",
                     i > 0 ? ", " : "", words[i],
                     typed->has_default && i == 0 ? "" : ", \"required\": [\"type\"]");
        haw_describe_mapping(text, &made.mapping);
        haw_text_add(text, "}}");
    }
    haw_text_add(text, "]");
}

static const haw_mapping *typed_mapping(const haw_key *key)
{
    return ((const haw_typed *)key->of)->inner;
}

const haw_form haw_form_typed = {read_typed,       write_typed,      describe_typed,
                                 .is_block = true, .is_typed = true, .mapping = typed_mapping};

/* ---- lists of numbers, flags ---- */

static int count_of(const haw_form *form, int dimension)
{
    return form->count > 0 ? form->count : dimension;
}

void haw_read_count(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const int count = count_of(reader->key->form, haw_read_dimension(reader));
    (void)haw_read_numbers(reader, node, node->key->text, count, value);
}

void haw_write_count(haw_resolve *out, const void *value)
{
    haw_resolve_numbers(out, count_of(out->key->form, out->dimension), value);
}

const haw_form haw_form_point = {haw_read_count, haw_write_count, haw_describe_count,
                                 .word = "vector"};

static void read_flag(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    static const char *const words[] = {"false", "true", NULL};
    char what[HAW_KEY_SIZE];
    (void)snprintf(what, sizeof what, "value of '%s'", node->key->text);
    *(bool *)value = haw_read_word(reader, node, what, words) != 0;
}

static void write_flag(haw_resolve *out, const void *value)
{
    haw_text_add(&out->text, "%s", *(const bool *)value ? "true" : "false");
}

const haw_form haw_form_flag = {read_flag, write_flag, .schema = "\"type\": \"boolean\"",
                                .word = "boolean"};
