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

/* Bodies first, then cables; NULL for one that could not be read, and behind the last. */
static const char *name_at(const haw_scene *scene, int i)
{
    if (i < scene->bodies) {
        return scene->body[i].name;
    }
    return i - scene->bodies < scene->cables ? scene->cable[i - scene->bodies].name : NULL;
}

/* Index of the first of a name from `first` on, -1: none. */
static int find_name(const haw_scene *scene, const char *name, int first)
{
    for (int i = first; i < scene->bodies + scene->cables; ++i) {
        const char *other = name_at(scene, i);
        if (other != NULL && name != NULL && strcmp(other, name) == 0) {
            return i;
        }
    }
    return -1;
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
    if (find_name(scene, name, find_name(scene, name, 0) + 1) >= 0) { /* itself and another one */
        haw_read_error(reader, node, "the name '%.40s' is already taken", name);
    }
}

const haw_body_spec *haw_scene_find_body(const haw_scene *scene, const char *name)
{
    const int i = find_name(scene, name, 0);
    return i >= 0 && i < scene->bodies ? &scene->body[i] : NULL;
}

const haw_cable_spec *haw_scene_find_cable(const haw_scene *scene, const char *name)
{
    const int i = find_name(scene, name, 0);
    return i >= scene->bodies ? &scene->cable[i - scene->bodies] : NULL;
}

void haw_read_unknown_name(haw_reader *reader, const haw_yaml_node *node, const char *name)
{
    const haw_scene *scene = &reader->scenario->scene;
    const char *known[KNOWN_MAX];
    char hint[HAW_HINT_SIZE];
    int count = 0;
    for (; count < scene->bodies + scene->cables && count < KNOWN_MAX; ++count) {
        known[count] = name_at(scene, count);
    }
    if (!reader->names_lost) {
        haw_read_error(reader, node, "no body or cable is named '%.40s'%s", name,
                       haw_hint(name, count, known, hint));
    }
}

void haw_read_check_body(haw_reader *reader, const haw_yaml_node *node, const char *name)
{
    if (name != NULL && haw_scene_find_body(&reader->scenario->scene, name) == NULL) {
        haw_read_unknown_name(reader, node, name);
    }
}
