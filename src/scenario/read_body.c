/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of `bodies`. */
#include "scenario/reader.h"
#include "shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 32, NOUN_SIZE = 80 };

static const char *const body_keys[] = {"type", "shape", "motion", NULL};
static const char *const body_optional[] = {"mass", NULL}; /* by the motion */
const haw_grammar haw_grammar_body = {"a body", haw_body_options, body_keys, body_optional};

int haw_read_type(haw_reader *reader, const haw_yaml_node *mapping, const char *what,
                  const char *const *names)
{
    const haw_yaml_node *type = haw_yaml_get(mapping, "type");
    if (type == NULL) {
        haw_yaml_error(&reader->yaml, mapping, "missing required key 'type' in '%s'", what);
        return -1;
    }
    return haw_read_word(reader, type, what, names);
}

static void read_shape(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const keys[] = {"type", NULL};
    const char *names[NAMES_MAX] = {NULL};
    if (!haw_read_kind(reader, node, "shape", HAW_YAML_MAPPING)) {
        return;
    }
    for (int i = 0; haw_shapes[i] != NULL && i + 1 < NAMES_MAX; ++i) {
        names[i] = haw_shapes[i]->name;
    }
    const int type = haw_read_type(reader, node, "shape", names);
    if (type < 0) {
        return;
    }
    const haw_shape_ops *shape = haw_shapes[type];
    char noun[NOUN_SIZE];
    (void)snprintf(noun, sizeof noun, "the shape '%s'", shape->name);
    const haw_grammar grammar = {noun, shape->options, keys, NULL};
    haw_options_init(shape->options, body->shape_options);
    haw_read_options(reader, node, &grammar, body->shape_options);
    body->shape = shape->name;
}

static void read_motion(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const keys[] = {"fixed", "spin", "velocity", "table", "ramp", NULL};
    static const char *const fixed_keys[] = {"fixed", NULL};
    static const char *const words[] = {"false", "true", NULL};
    static const char *const table_keys[] = {"table", "ramp", "spin", NULL};
    if (!haw_read_kind(reader, node, "motion", HAW_YAML_MAPPING)) {
        body->motion = HAW_MOTION_FIXED; /* spares the complaints about what a free body needs */
        return;
    }
    const haw_yaml_node *fixed = haw_yaml_get(node, "fixed");
    const haw_yaml_node *spin = haw_yaml_get(node, "spin");
    const haw_yaml_node *velocity = haw_yaml_get(node, "velocity");
    if (fixed != NULL) {
        haw_read_keys(reader, node, "a fixed motion", fixed_keys);
        const int word = haw_read_word(reader, fixed, "value of 'fixed'", words);
        body->motion = word == 0 ? HAW_MOTION_FREE : HAW_MOTION_FIXED;
        return;
    }
    body->motion = HAW_MOTION_PRESCRIBED;
    if (haw_yaml_get(node, "table") != NULL && velocity == NULL && spin == NULL) {
        haw_read_function_pair(reader, node, "motion", body->motion_velocity);
        return;
    }
    if (haw_yaml_get(node, "table") != NULL) {
        haw_read_keys(reader, node, "a motion by table", table_keys);
        haw_yaml_error(&reader->yaml, node,
                       "'table' gives the whole motion; put it below 'velocity' or 'spin'");
        return;
    }
    haw_read_keys(reader, node, "a motion", keys);
    if (spin == NULL && velocity == NULL) {
        haw_yaml_error(&reader->yaml, node, "a motion needs 'fixed', 'spin' or 'velocity'");
    }
    if (spin != NULL) {
        haw_read_function(reader, spin, "spin", &body->motion_spin);
    }
    if (velocity != NULL) {
        haw_read_function_pair(reader, velocity, "velocity", body->motion_velocity);
    }
}

/* What a body of this motion needs and what it cannot have. */
static void check_motion(haw_reader *reader, const haw_yaml_node *node, const haw_body_spec *body)
{
    const haw_yaml_node *velocity = haw_yaml_get(node, "velocity");
    const haw_yaml_node *spin = haw_yaml_get(node, "spin");
    if (body->motion != HAW_MOTION_FREE) {
        const char *reason = "the motion prescribes the %s of this body; remove one of the two";
        if (body->velocity[0] != 0 || body->velocity[1] != 0) {
            haw_yaml_error(&reader->yaml, velocity, reason, "velocity");
        }
        if (body->spin != 0) {
            haw_yaml_error(&reader->yaml, spin, reason, "spin");
        }
        return;
    }
    if (haw_yaml_get(node, "mass") == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'mass' in a body that can move");
    }
    const haw_yaml_node *inertia = haw_yaml_get(node, "inertia");
    const haw_shape_ops *shape = body->shape != NULL ? haw_shape_find(body->shape) : NULL;
    const bool has_own = inertia != NULL && !isnan(body->inertia);
    const bool is_open = shape == NULL && haw_yaml_get(node, "shape") != NULL;
    if (!has_own && !is_open &&
        (shape == NULL || isnan(shape->inertia(body->shape_options, 1.0)))) {
        haw_yaml_error(&reader->yaml, inertia != NULL ? inertia : node,
                       "missing required key 'inertia': a body of this shape has no default");
    }
}

void haw_read_check_name(haw_reader *reader, const haw_yaml_node *mapping, const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const haw_yaml_node *node = haw_yaml_get(mapping, "name");
    const haw_scene *scene = &reader->scenario->scene;
    if (name == NULL) {
        reader->names_lost = true;
        if (node == NULL) {
            haw_yaml_error(&reader->yaml, mapping, "missing required key 'name'");
        }
        return;
    }
    if (name[0] == '\0' || strlen(name) > 60 || name[strspn(name, letters)] != '\0') {
        haw_yaml_error(&reader->yaml, node,
                       "a name is made of up to 60 letters, digits, _ and - (got '%.40s')", name);
    } else if (strcmp(name, "contact") == 0 || strcmp(name, "energy") == 0) {
        haw_yaml_error(&reader->yaml, node, "the name '%s' is reserved for probes", name);
    }
    int same = 0;
    for (int i = 0; i < scene->bodies; ++i) {
        same += scene->body[i].name != NULL && strcmp(scene->body[i].name, name) == 0 ? 1 : 0;
    }
    for (int i = 0; i < scene->cables; ++i) {
        same += scene->cable[i].name != NULL && strcmp(scene->cable[i].name, name) == 0 ? 1 : 0;
    }
    if (same > 1) { /* itself and an earlier one */
        haw_yaml_error(&reader->yaml, node, "the name '%.40s' is taken already", name);
    }
}

void haw_read_body(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const types[] = {"rigid", NULL};
    if (!haw_read_kind(reader, node, "an entry of 'bodies'", HAW_YAML_MAPPING)) {
        reader->names_lost = true;
        return;
    }
    haw_read_options(reader, node, &haw_grammar_body, body);
    haw_read_check_name(reader, node, body->name);
    const haw_yaml_node *type = haw_yaml_get(node, "type");
    const haw_yaml_node *shape = haw_yaml_get(node, "shape");
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    if (type != NULL) {
        (void)haw_read_word(reader, type, "type of body", types);
    }
    if (shape != NULL) {
        read_shape(reader, shape, body);
    }
    if (motion != NULL) {
        read_motion(reader, motion, body);
    }
    check_motion(reader, node, body);
}
