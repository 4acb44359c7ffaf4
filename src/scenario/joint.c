/* SPDX-License-Identifier: BSD-3-Clause */
/* `joints`: what they hold together, and where. */
#include "scenario/grammar.h"

#include <stddef.h>
#include <string.h>

/* ---- a point ---- */

#define AT(field) offsetof(haw_joint_end, field)

/* A list of coordinates in the frame of a body, or a fraction of the length of a cable. */
static void read_at(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    if (node->kind == HAW_YAML_LIST) {
        (void)haw_read_numbers(reader, node, "at", haw_read_dimension(reader), value);
    } else {
        (void)haw_read_number(reader, node, "at", value);
    }
}

static void write_at(haw_resolve *out, const void *value)
{
    const haw_joint_end *end =
        (const void *)((const unsigned char *)value - offsetof(haw_joint_end, at));
    if (end->cable != NULL) {
        haw_text_number(&out->text, end->at[0]);
    } else {
        haw_resolve_numbers(out, out->dimension, end->at);
    }
}

static const haw_form at_form = {
    read_at, write_at,
    .schema = "\"type\": [\"number\", \"array\"], \"minimum\": 0, \"maximum\": 1, \"minItems\": 2, "
              "\"maxItems\": 3, \"items\": {\"type\": \"number\"}",
    .word = "number"};

static void check_end(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_joint_end *end = value;
    const haw_scene *scene = &reader->scenario->scene;
    const haw_yaml_node *at = haw_yaml_get(node, "at");
    end->is_ground = haw_yaml_get(node, "ground") != NULL;
    if ((end->body != NULL) + (end->cable != NULL) + end->is_ground != 1) {
        haw_read_error(
            reader, node,
            "a point of a joint belongs to exactly one of a body, a cable and the ground");
    } else if (end->is_ground && at != NULL) {
        haw_read_error(reader, at->key, "'at' is for bodies and cables");
    }
    if (end->body != NULL && haw_scene_find_body(scene, end->body) == NULL) {
        haw_read_unknown_name(reader, haw_yaml_get(node, "body"), end->body);
    }
    if (end->cable != NULL && haw_scene_find_cable(scene, end->cable) == NULL) {
        haw_read_unknown_name(reader, haw_yaml_get(node, "cable"), end->cable);
    }
    if (end->cable != NULL && (at == NULL || at->kind == HAW_YAML_LIST)) {
        haw_read_error(reader, at != NULL ? at : node,
                       "write a point of a cable as {cable: name, at: fraction of its length}");
    } else if (end->body != NULL && at != NULL && at->kind != HAW_YAML_LIST) {
        haw_read_error(reader, at, "write a point of a body as {body: name, at: [x, y%s]}",
                       haw_read_dimension(reader) == 3 ? ", z" : "");
    }
}

static const haw_key end_keys[] = {
    {.of = haw_joint_end_options},
    {"ground", &haw_form_point, AT(at), .absent = HAW_ABSENT_FALSE, .asks = AT(is_ground),
     .help = "point of the ground", .unit = "m"},
    {"at", &at_form, AT(at), .absent = HAW_ABSENT_TRUE, .asks = AT(is_ground),
     .help = "point in the frame of the body in metres; of a cable the fraction of its length"},
    {NULL},
};
#undef AT
static const haw_mapping end_mapping = {"a point of a joint", end_keys, check_end};
static const haw_list ends_list = {.mapping = &end_mapping, .item = sizeof(haw_joint_end)};

/* ---- a joint ---- */

static const haw_names kinds = {"joint", "the joint", .table = {{haw_joints, 0}}};

static void check_joint(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_joint_spec *spec = value;
    const haw_yaml_node *between = haw_yaml_get(node, "between");
    const haw_scene *scene = &reader->scenario->scene;
    int same = 0;
    for (int i = 0; i < scene->joints && spec->name != NULL; i++) {
        const char *name = scene->joint[i].name;
        same += name != NULL && strcmp(name, spec->name) == 0;
    }
    if (same > 1) { /* itself and another one */
        haw_read_error(reader, haw_yaml_get(node, "name"), "the name '%.40s' is already taken",
                       spec->name);
    }
    if (between != NULL && between->kind == HAW_YAML_LIST && spec->ends != 2) {
        haw_read_error(reader, between, "a joint connects 2 points (got %d)", spec->ends);
    }
}

#define AT(field) offsetof(haw_joint_spec, field)
static const haw_key joint_keys[] = {
    {.of = haw_joint_options},
    {"type", &haw_form_name, AT(type), &kinds},
    {"between", &haw_form_list, AT(between), &ends_list, .flags = HAW_KEY_REQUIRED,
     .help = "its two points", .absent = HAW_ABSENT_EQUAL, .asks = AT(ends)},
    {NULL},
};
#undef AT
static const haw_mapping joint_mapping = {"a joint", joint_keys, check_joint};
const haw_list haw_list_joints = {
    .mapping = &joint_mapping, .item = sizeof(haw_joint_spec), .has_names = true};
