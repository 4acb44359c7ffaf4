/* SPDX-License-Identifier: BSD-3-Clause */
/* `forces` and `springs`: what they act on, and where. */
#include "scenario/grammar.h"

#include <math.h>
#include <string.h>

/* ---- forces ---- */

/* `start` and `end` are words for 0 and 1. */
static void read_point(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_yaml_node number = *node;
    const bool is_word = node->kind == HAW_YAML_SCALAR;
    if (is_word && strcmp(node->text, "start") == 0) {
        number.text = "0";
    } else if (is_word && strcmp(node->text, "end") == 0) {
        number.text = "1";
    }
    haw_read_option(reader, &number, haw_options_find(haw_force_options, node->key->text), value);
}

static void describe_point(haw_text *text, const haw_key *key)
{
    haw_text_add(text, "\"if\": {\"type\": \"string\"}, \"then\": {\"enum\": [\"start\", \"end\", "
                       "\"none\"]}, \"else\": {");
    haw_describe_number(text, haw_options_find(haw_force_options, key->key));
    haw_text_add(text, "}");
}

static const haw_form point_form = {read_point, NULL, describe_point, .word = "number"};

/* In the plane a moment is a number. */
static void read_moment(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_function *moment = value;
    if (haw_read_dimension(reader) == 3) {
        haw_read_functions(reader, node, moment);
    } else {
        haw_read_function(reader, node, &moment[2]);
    }
}

static void write_moment(haw_resolve *out, const void *value)
{
    const haw_function *moment = value;
    if (out->dimension == 3) {
        haw_resolve_functions(out, moment);
    } else {
        haw_resolve_function(out, &moment[2]);
    }
}

static const haw_form moment_form = {
    read_moment, write_moment,
    .schema = "\"if\": {\"type\": \"array\"}, \"then\": {\"$ref\": \"#/$defs/vector\"}, \"else\": "
              "{\"$ref\": \"#/$defs/function\"}",
    .word = "functions"};

static void check_force(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_force_spec *force = value;
    const haw_yaml_node *on = haw_yaml_get(node, "target");
    const haw_yaml_node *point = haw_yaml_get(node, "point");
    if (force->on == NULL) {
        return;
    }
    if (haw_scene_find_cable(&reader->scenario->scene, force->on) != NULL) {
        if (isnan(force->point)) {
            haw_read_error(reader, node,
                           "missing required key 'point' in a force on a cable: 'start', 'end', or "
                           "a fraction of its length between 0 and 1");
        }
    } else if (haw_scene_find_body(&reader->scenario->scene, force->on) == NULL) {
        haw_read_unknown_name(reader, on, force->on);
    } else if (point != NULL && !isnan(force->point)) {
        haw_read_error(reader, point->key,
                       "'point' is for cables; a force on a body acts on its centre");
    }
}

static const haw_key force_keys[] = {
    {"force", &haw_form_functions, offsetof(haw_force_spec, force), .help = "force", .unit = "N"},
    {"moment", &moment_form, offsetof(haw_force_spec, moment), .help = "moment", .unit = "N m"},
    {.of = haw_force_options},
    {"target", .also = "on|true"},
    {"point", &point_form},
    {NULL},
};
static const haw_mapping force_mapping = {"a force", force_keys, check_force,
                                          .needs = {"force|moment"}};
const haw_list haw_list_forces = {.mapping = &force_mapping, .item = sizeof(haw_force_spec)};

/* ---- springs ---- */

/* {cable: fraction} */
static void read_fraction(haw_reader *reader, const haw_yaml_node *node, haw_spring_end *end)
{
    if (node->count != 1) {
        haw_read_error(reader, node, "write a point of a cable as {cable: fraction of its length}");
        return;
    }
    const haw_yaml_node *entry = node->first;
    const haw_cable_spec *cable = haw_scene_find_cable(&reader->scenario->scene, entry->key->text);
    if (cable != NULL) {
        end->on = cable->name;
    } else if (haw_scene_find_body(&reader->scenario->scene, entry->key->text) != NULL) {
        haw_read_error(reader, entry->key,
                       "'%.40s' is a body: a spring acts on its centre; write the name alone",
                       entry->key->text);
    } else {
        haw_read_unknown_name(reader, entry->key, entry->key->text);
    }
    if (haw_read_number(reader, entry, "fraction", &end->at[0]) &&
        !(end->at[0] >= 0 && end->at[0] <= 1)) {
        haw_read_error(reader, entry, "'fraction' must be between 0 and 1 (got %.40s)",
                       entry->text);
    }
}

static void read_spring_end(haw_reader *reader, const haw_yaml_node *node, haw_spring_end *end)
{
    if (node->kind == HAW_YAML_LIST) {
        (void)haw_read_numbers(reader, node, "place on the ground", haw_read_dimension(reader),
                               end->at);
        return;
    }
    if (node->kind == HAW_YAML_MAPPING) {
        read_fraction(reader, node, end);
        return;
    }
    const char *name = haw_read_text(reader, node, "name");
    if (name == NULL) {
        return;
    }
    if (haw_scene_find_cable(&reader->scenario->scene, name) != NULL) {
        haw_read_error(reader, node, "'%.40s' is a cable: write {%.40s: fraction of its length}",
                       name, name);
    } else if (haw_scene_find_body(&reader->scenario->scene, name) == NULL) {
        haw_read_unknown_name(reader, node, name);
    } else {
        end->on = name;
    }
}

static bool is_same(const haw_spring_end *a, const haw_spring_end *b)
{
    return (a->on == b->on || (a->on != NULL && b->on != NULL && strcmp(a->on, b->on) == 0)) &&
           a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

static void read_between(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_spring_end *between = value;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST)) {
        return;
    }
    if (node->count != 2) {
        haw_read_error(reader, node,
                       "'between' must be a list of 2: a body, {cable: fraction}, or a place [x, "
                       "y%s] on the ground (got %d)",
                       haw_read_dimension(reader) == 3 ? ", z" : "", node->count);
        return;
    }
    const int errors = reader->yaml.errors;
    read_spring_end(reader, node->first, &between[0]);
    read_spring_end(reader, node->last, &between[1]);
    if (reader->yaml.errors == errors && is_same(&between[0], &between[1])) {
        haw_read_error(reader, node, "a spring needs two different ends");
    } else if (reader->yaml.errors == errors && !reader->names_lost && between[0].on == NULL &&
               between[1].on == NULL) {
        haw_read_error(reader, node, "a spring needs a body or a cable at one end");
    }
}

static void add_spring_end(haw_resolve *out, const haw_spring_end *end)
{
    if (end->on == NULL) {
        haw_resolve_numbers(out, out->dimension, end->at);
    } else if (haw_scene_find_cable(out->scene, end->on) != NULL) {
        haw_text_add(&out->text, "{");
        haw_text_quote(&out->text, end->on);
        haw_text_add(&out->text, ": ");
        haw_text_number(&out->text, end->at[0]);
        haw_text_add(&out->text, "}");
    } else {
        haw_text_quote(&out->text, end->on);
    }
}

static void write_between(haw_resolve *out, const void *value)
{
    const haw_spring_end *between = value;
    haw_text_add(&out->text, "[");
    add_spring_end(out, &between[0]);
    haw_text_add(&out->text, ", ");
    add_spring_end(out, &between[1]);
    haw_text_add(&out->text, "]");
}

static const haw_form between_form = {
    read_between, write_between,
    .schema = "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": "
              "[\"string\", \"array\", \"object\"], \"minItems\": 2, \"maxItems\": 3, \"items\": "
              "{\"type\": \"number\"}, \"minProperties\": 1, \"maxProperties\": 1, "
              "\"additionalProperties\": {\"type\": \"number\", \"minimum\": 0, \"maximum\": 1}}",
    .word = "list"};

static const haw_key spring_keys[] = {
    {"between", &between_form, offsetof(haw_spring_spec, between), .flags = HAW_KEY_REQUIRED,
     .help = "two of: a body, {cable: fraction}, a place on the ground"},
    {.of = haw_spring_options},
    {NULL},
};
static const haw_mapping spring_mapping = {"a spring", spring_keys};
const haw_list haw_list_springs = {.mapping = &spring_mapping, .item = sizeof(haw_spring_spec)};
