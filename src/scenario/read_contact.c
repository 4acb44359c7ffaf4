/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of `contact`: which two things touch, and how. */
#include "law/law.h"
#include "scenario/reader.h"
#include "shape/shape.h"

#include <math.h>
#include <string.h>

enum { NAMES_MAX = 32, KNOWN_MAX = 64 };

static const char *const contact_keys[] = {"between", NULL};
const haw_grammar haw_grammar_contact = {"a contact", haw_contact_options, contact_keys, NULL};

static const haw_body_spec *find_body(const haw_scene *scene, const char *name)
{
    for (int i = 0; i < scene->bodies; ++i) {
        if (scene->body[i].name != NULL && strcmp(scene->body[i].name, name) == 0) {
            return &scene->body[i];
        }
    }
    return NULL;
}

static bool is_cable(const haw_scene *scene, const char *name)
{
    for (int i = 0; i < scene->cables; ++i) {
        if (scene->cable[i].name != NULL && strcmp(scene->cable[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void unknown_name(haw_reader *reader, const haw_yaml_node *node, const char *name)
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
    haw_yaml_error(&reader->yaml, node, "no body or cable is named '%.40s'%s%s%s", name,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

static const haw_shape_ops *shape_of(const haw_body_spec *body)
{
    return body != NULL && body->shape != NULL ? haw_shape_find(body->shape) : NULL;
}

/* A cable and a surface, or two surfaces of which one can act as a point with a radius. */
static void check_owners(haw_reader *reader, const haw_yaml_node *node,
                         const haw_contact_spec *contact)
{
    const haw_scene *scene = &reader->scenario->scene;
    const haw_body_spec *body[2];
    int cables = 0;
    bool can_touch = false;
    const haw_yaml_node *item = node->first;
    for (int i = 0; i < 2; ++i, item = item->next) {
        body[i] = find_body(scene, contact->between[i]);
        if (body[i] == NULL && !is_cable(scene, contact->between[i])) {
            unknown_name(reader, item, contact->between[i]);
            return;
        }
        cables += body[i] == NULL ? 1 : 0;
        if (body[i] != NULL && shape_of(body[i]) == NULL) {
            haw_yaml_error(&reader->yaml, item, "body '%s' has no shape that could touch",
                           contact->between[i]);
            return;
        }
        can_touch = can_touch || (body[i] != NULL && shape_of(body[i])->is_proxy);
    }
    if (strcmp(contact->between[0], contact->between[1]) == 0) {
        haw_yaml_error(&reader->yaml, node, "a contact is between two different things");
    } else if (cables == 2) {
        haw_yaml_error(&reader->yaml, node, "contact between two cables is not available");
    } else if (cables == 0 && !can_touch) {
        haw_yaml_error(&reader->yaml, node, "contact between two bodies needs a circle");
    }
}

static void check_repeated(haw_reader *reader, const haw_yaml_node *node, int index)
{
    const haw_contact_spec *contact = reader->contact;
    const char *const *names = contact[index].between;
    for (int i = 0; i < index; ++i) {
        const char *const *other = contact[i].between;
        if (other[0] != NULL &&
            ((strcmp(other[0], names[0]) == 0 && strcmp(other[1], names[1]) == 0) ||
             (strcmp(other[0], names[1]) == 0 && strcmp(other[1], names[0]) == 0))) {
            haw_yaml_error(&reader->yaml, node, "the contact %s-%s is described already", names[0],
                           names[1]);
            return;
        }
    }
}

static void read_between(haw_reader *reader, const haw_yaml_node *node, int index)
{
    haw_contact_spec *contact = &reader->contact[index];
    if (!haw_read_kind(reader, node, "between", HAW_YAML_LIST)) {
        return;
    }
    if (node->count != 2) {
        haw_yaml_error(&reader->yaml, node, "'between' must be a list of 2 names (got %d)",
                       node->count);
        return;
    }
    const char *first = haw_read_text(reader, node->first, "name");
    const char *second = haw_read_text(reader, node->last, "name");
    if (first == NULL || second == NULL) {
        return;
    }
    contact->between[0] = first;
    contact->between[1] = second;
    check_owners(reader, node, contact);
    check_repeated(reader, node, index);
}

void haw_read_contact(haw_reader *reader, const haw_yaml_node *node, int index)
{
    haw_contact_spec *contact = &reader->contact[index];
    const char *names[NAMES_MAX] = {NULL};
    if (!haw_read_kind(reader, node, "an entry of 'contact'", HAW_YAML_MAPPING)) {
        return;
    }
    haw_read_options(reader, node, &haw_grammar_contact, contact);
    const haw_yaml_node *between = haw_yaml_get(node, "between");
    const haw_yaml_node *law = haw_yaml_get(node, "law");
    if (between == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'between' in a contact");
    } else {
        read_between(reader, between, index);
    }
    for (int i = 0; haw_laws[i] != NULL && i + 1 < NAMES_MAX; ++i) {
        names[i] = haw_laws[i]->name;
    }
    if (law != NULL && contact->law != NULL) {
        (void)haw_read_word(reader, law, "contact law", names);
    }
    if (contact->points_per_element > 0 && !isnan(contact->spacing)) {
        haw_yaml_error(&reader->yaml, haw_yaml_get(node, "spacing"),
                       "'points_per_element' and 'spacing' exclude each other");
    }
}
