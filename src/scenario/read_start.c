/* SPDX-License-Identifier: BSD-3-Clause */
/* `start` with parts: how a static start is sought, and what is held meanwhile. */
#include "scenario/reader.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

static const char *const start_keys[] = {"lock", NULL};
const haw_grammar haw_grammar_start = {"the start", haw_start_options, start_keys, NULL};

static void check_part(haw_reader *reader, const haw_yaml_node *node, const char *owner,
                       const char *part)
{
    static const char *const of_body[] = {"x", "y", "angle", NULL};
    static const char *const of_cable[] = {"start.x", "start.y", "end.x", "end.y", NULL};
    static const char *const of_space_body[] = {"x", "y", "z", "angle", NULL};
    static const char *const of_space_cable[] = {"start.x", "start.y", "start.z", "end.x",
                                                 "end.y",   "end.z",   NULL};
    const bool in_space = haw_read_dimension(reader) == 3;
    const bool is_cable = haw_read_find_cable(reader, owner) != NULL;
    if (!is_cable && haw_read_find_body(reader, owner) == NULL) {
        haw_read_unknown_name(reader, node, owner);
        return;
    }
    const char *const *known =
        is_cable ? (in_space ? of_space_cable : of_cable) : (in_space ? of_space_body : of_body);
    char all[NAME_SIZE] = "";
    int count = 0;
    for (; known[count] != NULL; ++count) {
        if (strcmp(known[count], part) == 0) {
            return;
        }
        const size_t used = strlen(all);
        (void)snprintf(all + used, sizeof all - used, "%s%s", count > 0 ? ", " : "", known[count]);
    }
    const char *nearest = haw_nearest(part, count, known);
    haw_yaml_error(&reader->yaml, node, "%s '%s' has no '%.40s' to lock%s%s%s (known: %s)",
                   is_cable ? "cable" : "body", owner, part,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "", all);
}

static void check_lock(haw_reader *reader, const haw_yaml_node *node, const char *text)
{
    const char *dot = strchr(text, '.');
    char owner[NAME_SIZE];
    if (dot == NULL || dot - text >= NAME_SIZE) {
        haw_yaml_error(&reader->yaml, node,
                       "a lock is written body.x, body.y, body.angle, cable.start.x, ... (got "
                       "'%.60s')",
                       text);
        return;
    }
    (void)snprintf(owner, sizeof owner, "%.*s", (int)(dot - text), text);
    check_part(reader, node, owner, dot + 1);
}

static void read_locks(haw_reader *reader, const haw_yaml_node *node)
{
    haw_scene *scene = &reader->scenario->scene;
    if (!haw_read_kind(reader, node, "lock", HAW_YAML_LIST)) {
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

void haw_read_start(haw_reader *reader, const haw_yaml_node *mapping)
{
    haw_read_options(reader, mapping, &haw_grammar_start, &reader->scenario->scene);
    if (haw_yaml_get(mapping, "type") == NULL) {
        haw_yaml_error(&reader->yaml, mapping, "missing required key 'type' in 'start'");
    }
    const haw_yaml_node *lock = haw_yaml_get(mapping, "lock");
    if (lock != NULL) {
        read_locks(reader, lock);
    }
}
