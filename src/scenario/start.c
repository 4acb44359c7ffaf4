/* SPDX-License-Identifier: BSD-3-Clause */
/* `start`: a word, or how a static start is sought and what is held meanwhile. */
#include "scenario/grammar.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

/* ---- lock: [body.x, cable.start.x, ...] ---- */

static void check_lock(haw_reader *reader, const haw_yaml_node *node, const char *text)
{
    static const char *const of_body[] = {"x", "y", "angle", NULL};
    static const char *const of_cable[] = {"start.x", "start.y", "end.x", "end.y", NULL};
    static const char *const of_space_body[] = {"x", "y", "z", "angle", NULL};
    static const char *const of_space_cable[] = {"start.x", "start.y", "start.z", "end.x",
                                                 "end.y",   "end.z",   NULL};
    const bool in_space = haw_read_dimension(reader) == 3;
    const haw_scene *scene = &reader->scenario->scene;
    const char *dot = strchr(text, '.');
    char owner[NAME_SIZE], all[NAME_SIZE], hint[HAW_HINT_SIZE];
    if (dot == NULL && haw_scene_find_body(scene, text) != NULL) {
        return;
    }
    if (dot == NULL || dot - text >= NAME_SIZE) {
        haw_read_error(reader, node,
                       "write a lock as body, body.x, body.y, body.angle, cable.start.x, ... (got "
                       "'%.60s')",
                       text);
        return;
    }
    (void)snprintf(owner, sizeof owner, "%.*s", (int)(dot - text), text);
    const bool is_cable = haw_scene_find_cable(scene, owner) != NULL;
    if (!is_cable && haw_scene_find_body(scene, owner) == NULL) {
        haw_read_unknown_name(reader, node, owner);
        return;
    }
    const char *const *known =
        is_cable ? (in_space ? of_space_cable : of_cable) : (in_space ? of_space_body : of_body);
    if (haw_words_find(known, dot + 1) < 0) {
        haw_words_join(known, sizeof all, all);
        haw_read_error(reader, node, "%s '%s' has no '%.40s' to lock%s (known: %s)",
                       is_cable ? "cable" : "body", owner, dot + 1,
                       haw_hint(dot + 1, haw_words_count(known), known, hint), all);
    }
}

static void read_locks(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_scene *scene = value;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST)) {
        return;
    }
    const char **lock = haw_read_allocate(reader, node->count, sizeof *lock);
    if (lock == NULL) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        lock[i] = haw_read_text(reader, item, "a lock");
        if (lock[i] != NULL) {
            check_lock(reader, item, lock[i]);
        }
    }
    scene->locks = node->count;
    scene->lock = lock;
}

static void write_locks(haw_resolve *out, const void *scene)
{
    haw_resolve_texts(out, ((const haw_scene *)scene)->locks, ((const haw_scene *)scene)->lock);
}

static const haw_form lock_form = {
    read_locks, write_locks, .schema = "\"type\": \"array\", \"items\": {\"type\": \"string\"}",
    .word = "list"};

/* ---- start ---- */

static const haw_key start_keys[] = {
    {.of = haw_start_options},
    {"lock", &lock_form,
     .help = "what is held meanwhile: body, body.x, body.angle, cable.start.x, ..."},
    {NULL},
};
static const haw_mapping start_mapping = {"the start", start_keys, .owner = "'start'"};

/* Once all names are known. */
static void read_start(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    if (node->kind == HAW_YAML_MAPPING) {
        haw_read_mapping(reader, node, &start_mapping, value);
    } else {
        haw_read_option(reader, node, haw_options_find(haw_scene_options, node->key->text), value);
    }
}

static void write_start(haw_resolve *out, const void *value)
{
    haw_resolve_lines(out, &start_mapping, value);
}

static void describe_start(haw_text *text, const haw_key *key)
{
    haw_describe_either(text, &start_mapping);
    haw_describe_enum(text, haw_options_find(haw_scene_options, key->key)->choices);
    haw_text_add(text, "}");
}

const haw_form haw_form_start = {read_start,       write_start,       describe_start,
                                 .is_block = true, .word = "mapping", .inner = {&start_mapping}};
