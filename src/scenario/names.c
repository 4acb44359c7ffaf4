/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of bodies and cables: well formed, unique, and found again where something refers to them.
 */
#include "scenario/reader.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 60, KNOWN_MAX = 64 };

bool haw_read_check_word(haw_reader *reader, const haw_yaml_node *node, const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (name[0] != '\0' && strlen(name) <= NAME_MAX_LENGTH && name[strspn(name, letters)] == '\0') {
        return true;
    }
    haw_read_error(reader, node,
                   "a name is made of up to 60 letters, digits, _ and - (got '%.40s')", name);
    return false;
}

void haw_read_check_name(haw_reader *reader, const haw_yaml_node *mapping, const char *name)
{
    const haw_yaml_node *node = haw_yaml_get(mapping, "name");
    const haw_scene *scene = &reader->scenario->scene;
    if (name == NULL) {
        reader->names_lost = true;
        return;
    }
    if (haw_read_check_word(reader, node, name) &&
        (strcmp(name, "contact") == 0 || strcmp(name, "energy") == 0)) {
        haw_read_error(reader, node, "the name '%s' is reserved for probes", name);
    }
    int same = 0;
    for (int i = 0; i < scene->bodies; ++i) {
        same += scene->body[i].name != NULL && strcmp(scene->body[i].name, name) == 0 ? 1 : 0;
    }
    for (int i = 0; i < scene->cables; ++i) {
        same += scene->cable[i].name != NULL && strcmp(scene->cable[i].name, name) == 0 ? 1 : 0;
    }
    if (same > 1) { /* itself and an earlier one */
        haw_read_error(reader, node, "the name '%.40s' is taken already", name);
    }
}

const haw_body_spec *haw_read_find_body(const haw_reader *reader, const char *name)
{
    const haw_scene *scene = &reader->scenario->scene;
    for (int i = 0; i < scene->bodies; ++i) {
        if (scene->body[i].name != NULL && strcmp(scene->body[i].name, name) == 0) {
            return &scene->body[i];
        }
    }
    return NULL;
}

const haw_cable_spec *haw_read_find_cable(const haw_reader *reader, const char *name)
{
    const haw_scene *scene = &reader->scenario->scene;
    for (int i = 0; i < scene->cables; ++i) {
        if (scene->cable[i].name != NULL && strcmp(scene->cable[i].name, name) == 0) {
            return &scene->cable[i];
        }
    }
    return NULL;
}

void haw_read_unknown_name(haw_reader *reader, const haw_yaml_node *node, const char *name)
{
    const haw_scene *scene = &reader->scenario->scene;
    const char *known[KNOWN_MAX];
    int count = 0;
    if (reader->names_lost) {
        return;
    }
    for (int i = 0; i < scene->bodies && count < KNOWN_MAX; ++i) {
        known[count++] = scene->body[i].name;
    }
    for (int i = 0; i < scene->cables && count < KNOWN_MAX; ++i) {
        known[count++] = scene->cable[i].name;
    }
    const char *nearest = haw_nearest(name, count, known);
    haw_read_error(reader, node, "no body or cable is named '%.40s'%s%s%s", name,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

void haw_read_check_body(haw_reader *reader, const haw_yaml_node *node, const char *name)
{
    if (name != NULL && haw_read_find_body(reader, name) == NULL) {
        haw_read_unknown_name(reader, node, name);
    }
}
