/* SPDX-License-Identifier: BSD-3-Clause */
/* The reeving of a rope: sheaves in the order of the rope, and the side where each one lies. */
#include "scenario/reader.h"

#include <math.h>
#include <string.h>

static const char *const side_words[] = {"left", "right", NULL};

#define AT(field) offsetof(haw_reeving_spec, field)
const haw_option haw_reeving_options[] = {
    {"on", HAW_OPTION_STRING, AT(on), 0.0, 0.0, 0.0, "",
     "body with the shape circle, whose radius is that of the rope's centreline", NULL,
     HAW_KEY_REQUIRED},
    {"side", HAW_OPTION_CHOICE, AT(side), HAW_SIDE_LEFT, 0.0, 0.0, "",
     "of the sheave, seen along the rope from its start; left: the rope turns counter-clockwise",
     side_words},
    {0}};
#undef AT

const haw_grammar haw_grammar_reeving = {"an entry of 'reeving'", haw_reeving_options, NULL, NULL};

static void read_sheave(haw_reader *reader, const haw_yaml_node *node, haw_reeving_spec *sheave)
{
    if (!haw_read_kind(reader, node, "an entry of 'reeving'", HAW_YAML_MAPPING)) {
        return;
    }
    haw_options_init(haw_reeving_options, sheave);
    haw_read_options(reader, node, &haw_grammar_reeving, sheave);
    const haw_yaml_node *on = haw_yaml_get(node, "on");
    if (on == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'on' in an entry of 'reeving'");
    } else if (sheave->on != NULL && haw_read_find_body(reader, sheave->on) == NULL) {
        haw_read_unknown_name(reader, on, sheave->on);
    }
}

void haw_read_reeving(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
{
    if (!haw_read_kind(reader, node, "reeving", HAW_YAML_LIST)) {
        return;
    }
    if (node->count == 0) {
        haw_yaml_error(&reader->yaml, node, "a reeving needs at least one sheave");
        return;
    }
    haw_reeving_spec *sheaves = haw_read_allocate(reader, node->count, sizeof *sheaves);
    if (sheaves == NULL) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next) {
        read_sheave(reader, item, &sheaves[i++]);
    }
    cable->reeving = sheaves;
    cable->sheaves = node->count;
}

/* A rope starts and ends at bodies, or at `from` and `to`; the sheaves tell the rest. */
void haw_read_rope_course(haw_reader *reader, const haw_yaml_node *node,
                          const haw_cable_spec *cable)
{
    static const char *const place[2] = {"from", "to"};
    static const char *const names[2] = {"start", "end"};
    const haw_yaml_node *ends = haw_yaml_get(node, "ends");
    const haw_yaml_node *path = haw_yaml_get(node, "path");
    if (path != NULL) {
        haw_yaml_error(&reader->yaml, path->key, "'path' and 'reeving' exclude each other");
    }
    for (int i = 0; i < 2; ++i) {
        const haw_yaml_node *point = haw_yaml_get(node, place[i]);
        const char *body = cable->ends[i].body;
        if (body != NULL && haw_read_find_body(reader, body) == NULL) {
            haw_read_unknown_name(reader, haw_yaml_get(haw_yaml_get(ends, names[i]), "body"), body);
        }
        if (body != NULL && point != NULL) {
            haw_yaml_error(&reader->yaml, point->key,
                           "'%s' and a body at the %s of the rope exclude each other", place[i],
                           names[i]);
        } else if (body == NULL && point == NULL) {
            haw_yaml_error(&reader->yaml, node,
                           "missing required key '%s' (or 'ends: {%s: {body: ...}}') in a rope",
                           place[i], names[i]);
        }
    }
}
