/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of `forces` or `springs`: what it acts on, and where. */
#include "scenario/reader.h"

#include <math.h>
#include <string.h>

static const char *const force_keys[] = {"force", "moment", NULL};
const haw_grammar haw_grammar_force = {"a force", haw_force_options, force_keys, NULL};

static const char *const spring_keys[] = {"between", NULL};
const haw_grammar haw_grammar_spring = {"a spring", haw_spring_options, spring_keys, NULL};

/* `start` and `end` are words for 0 and 1. */
static void unwrap_point(haw_yaml_node *point)
{
    if (point == NULL || point->kind != HAW_YAML_SCALAR) {
        return;
    }
    if (strcmp(point->text, "start") == 0) {
        point->text = "0";
    } else if (strcmp(point->text, "end") == 0) {
        point->text = "1";
    }
}

static void check_on(haw_reader *reader, const haw_yaml_node *node, const haw_force_spec *force)
{
    const haw_yaml_node *on = haw_yaml_get(node, "on");
    const haw_yaml_node *point = haw_yaml_get(node, "point");
    if (on == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'on' in a force");
    }
    if (force->on == NULL) {
        return;
    }
    if (haw_read_find_cable(reader, force->on) != NULL) {
        if (isnan(force->point)) {
            haw_yaml_error(&reader->yaml, node,
                           "missing required key 'point' in a force on a cable: 'start', 'end' or "
                           "a fraction of its length between 0 and 1");
        }
    } else if (haw_read_find_body(reader, force->on) == NULL) {
        haw_read_unknown_name(reader, on, force->on);
    } else if (point != NULL && !isnan(force->point)) {
        haw_yaml_error(&reader->yaml, point->key,
                       "'point' is for cables; a force on a body acts on its centre");
    }
}

void haw_read_force(haw_reader *reader, const haw_yaml_node *node, haw_force_spec *force)
{
    if (!haw_read_kind(reader, node, "an entry of 'forces'", HAW_YAML_MAPPING)) {
        return;
    }
    unwrap_point(haw_yaml_get(node, "point"));
    haw_read_options(reader, node, &haw_grammar_force, force);
    check_on(reader, node, force);
    const haw_yaml_node *value = haw_yaml_get(node, "force");
    const haw_yaml_node *moment = haw_yaml_get(node, "moment");
    if (value == NULL && moment == NULL) {
        haw_yaml_error(&reader->yaml, node, "a force needs 'force' or 'moment'");
    }
    if (value != NULL) {
        haw_read_functions(reader, value, "force", force->force);
    }
    if (moment != NULL && haw_read_dimension(reader) == 3) {
        haw_read_functions(reader, moment, "moment", force->moment);
    } else if (moment != NULL) {
        haw_read_function(reader, moment, "moment", &force->moment[2]);
    }
}

/* {cable: fraction} */
static void read_point(haw_reader *reader, const haw_yaml_node *node, haw_spring_end *end)
{
    if (node->count != 1) {
        haw_yaml_error(&reader->yaml, node,
                       "a point of a cable is written {cable: fraction of its length}");
        return;
    }
    const haw_yaml_node *entry = node->first;
    const haw_cable_spec *cable = haw_read_find_cable(reader, entry->key->text);
    if (cable != NULL) {
        end->on = cable->name;
    } else if (haw_read_find_body(reader, entry->key->text) != NULL) {
        haw_yaml_error(&reader->yaml, entry->key,
                       "'%.40s' is a body: a spring acts on its centre, write its name alone",
                       entry->key->text);
    } else {
        haw_read_unknown_name(reader, entry->key, entry->key->text);
    }
    if (haw_read_number(reader, entry, "fraction", &end->at[0]) &&
        !(end->at[0] >= 0 && end->at[0] <= 1)) {
        haw_yaml_error(&reader->yaml, entry, "'fraction' must be between 0 and 1 (got %.40s)",
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
        read_point(reader, node, end);
        return;
    }
    const char *name = haw_read_text(reader, node, "name");
    if (name == NULL) {
        return;
    }
    if (haw_read_find_cable(reader, name) != NULL) {
        haw_yaml_error(&reader->yaml, node,
                       "'%.40s' is a cable: write {%.40s: fraction of its length}", name, name);
    } else if (haw_read_find_body(reader, name) == NULL) {
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

void haw_read_spring(haw_reader *reader, const haw_yaml_node *node, haw_spring_spec *spring)
{
    if (!haw_read_kind(reader, node, "an entry of 'springs'", HAW_YAML_MAPPING)) {
        return;
    }
    haw_read_options(reader, node, &haw_grammar_spring, spring);
    const haw_yaml_node *between = haw_yaml_get(node, "between");
    if (between == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'between' in a spring");
        return;
    }
    if (!haw_read_kind(reader, between, "between", HAW_YAML_LIST)) {
        return;
    }
    if (between->count != 2) {
        haw_yaml_error(&reader->yaml, between,
                       "'between' must be a list of 2: a body, {cable: fraction}, or a place [x, "
                       "y%s] on the ground (got %d)",
                       haw_read_dimension(reader) == 3 ? ", z" : "", between->count);
        return;
    }
    const int errors = reader->yaml.errors;
    read_spring_end(reader, between->first, &spring->between[0]);
    read_spring_end(reader, between->last, &spring->between[1]);
    if (reader->yaml.errors == errors && is_same(&spring->between[0], &spring->between[1])) {
        haw_yaml_error(&reader->yaml, between, "a spring is between two different things");
    } else if (reader->yaml.errors == errors && !reader->names_lost &&
               spring->between[0].on == NULL && spring->between[1].on == NULL) {
        haw_yaml_error(&reader->yaml, between, "a spring needs a body or a cable at one end");
    }
}
