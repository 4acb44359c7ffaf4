/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of a cable: held, free, on a body, guided, pulled. */
#include "scenario/reader.h"

#include <float.h>
#include <string.h>

const char *const haw_end_names[] = {"pinned", "free", "clamped", NULL};
const haw_end_kind haw_end_kinds[] = {HAW_END_PINNED, HAW_END_FREE, HAW_END_CLAMPED};

#define AT(field) offsetof(haw_end_entry, field)
const haw_option haw_end_options[] = {
    {"body", HAW_OPTION_STRING, AT(body), 0.0, 0.0, 0.0, "", "the end rides on this body", NULL},
    {"clamped", HAW_OPTION_BOOL, AT(clamped), 0.0, 0.0, 0.0, "",
     "on a body: it holds the direction of the end too", NULL, HAW_KEY_SPACE},
    {"towards", HAW_OPTION_VECTOR, AT(towards), 0.0, -DBL_MAX, DBL_MAX, "",
     "direction of `tension`; zero: along the cable's own end", NULL, HAW_KEY_SPACE},
    {0}};
#undef AT

static const char *const end_keys[] = {"motion", "tension", NULL};
const haw_grammar haw_grammar_end = {"an end of a cable", haw_end_options, end_keys, "tension"};

/* [F | free, ...]: what is not free is prescribed as a velocity or a position. */
static void read_guides(haw_reader *reader, const haw_yaml_node *node, const char *what,
                        haw_guide guide, haw_end_spec *end)
{
    const int count = haw_read_dimension(reader);
    if (count == 2 || node->kind != HAW_YAML_LIST || node->count != count) {
        for (int i = 0; i < count; ++i) {
            end->guide[i] = (int)guide;
        }
        haw_read_functions(reader, node, what, end->velocity);
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        const bool is_free = item->kind == HAW_YAML_SCALAR && strcmp(item->text, "free") == 0;
        end->guide[i] = (int)(is_free ? HAW_GUIDE_FREE : guide);
        if (!is_free) {
            haw_read_function(reader, item, what, &end->velocity[i]);
        }
    }
}

static void read_motion(haw_reader *reader, const haw_yaml_node *motion, haw_end_spec *end)
{
    static const char *const plane_keys[] = {"velocity", NULL};
    static const char *const space_keys[] = {"velocity", "position", NULL};
    if (!haw_read_kind(reader, motion, "motion", HAW_YAML_MAPPING)) {
        return;
    }
    end->kind = HAW_END_MOTION;
    if (haw_yaml_get(motion, "table") != NULL) {
        haw_read_functions(reader, motion, "motion", end->velocity);
        return;
    }
    const bool in_space = haw_read_dimension(reader) == 3;
    haw_read_keys(reader, motion, "the motion of an end", in_space ? space_keys : plane_keys);
    const haw_yaml_node *velocity = haw_yaml_get(motion, "velocity");
    const haw_yaml_node *position = in_space ? haw_yaml_get(motion, "position") : NULL;
    if (velocity != NULL && position != NULL) {
        haw_yaml_error(&reader->yaml, position->key,
                       "'velocity' and 'position' exclude each other");
    } else if (velocity != NULL) {
        read_guides(reader, velocity, "velocity", HAW_GUIDE_VELOCITY, end);
    } else if (position != NULL) {
        read_guides(reader, position, "position", HAW_GUIDE_POSITION, end);
    } else {
        haw_yaml_error(&reader->yaml, motion, "missing required key 'velocity' in the motion");
    }
}

static void check_alone(haw_reader *reader, const haw_yaml_node *node, const char *a, const char *b)
{
    const haw_yaml_node *second = haw_yaml_get(node, b);
    if (haw_yaml_get(node, a) != NULL && second != NULL) {
        haw_yaml_error(&reader->yaml, second->key, "'%s' and '%s' exclude each other", a, b);
    }
}

/* What only ends of spatial cables have. */
static void read_space(haw_reader *reader, const haw_yaml_node *node, const haw_end_entry *entry,
                       haw_end_spec *end)
{
    const haw_yaml_node *body = haw_yaml_get(node, "body");
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    const haw_yaml_node *tension = haw_yaml_get(node, "tension");
    check_alone(reader, node, "body", "motion");
    check_alone(reader, node, "body", "tension");
    if (entry->body != NULL && haw_read_find_body(reader, entry->body) == NULL) {
        haw_read_unknown_name(reader, body, entry->body);
    }
    if (body == NULL && motion == NULL && tension == NULL) {
        haw_yaml_error(&reader->yaml, node, "an end needs 'body', 'motion' or 'tension'");
    }
    if (body == NULL && haw_yaml_get(node, "clamped") != NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'body' beside 'clamped'");
    }
    if (tension == NULL && haw_yaml_get(node, "towards") != NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'tension' beside 'towards'");
    }
    end->body = entry->body;
    end->kind = HAW_END_FREE;
    if (body != NULL) {
        end->kind = entry->clamped ? HAW_END_CLAMPED : HAW_END_PINNED;
    }
    if (tension != NULL) {
        haw_read_function(reader, tension, "tension", &end->tension);
    }
    memcpy(end->towards, entry->towards, sizeof end->towards);
}

static void read_end(haw_reader *reader, const haw_yaml_node *node, haw_end_spec *end)
{
    if (node->kind != HAW_YAML_MAPPING) {
        const int word = haw_read_word(reader, node, "end of a cable", haw_end_names);
        end->kind = haw_end_kinds[word > 0 ? word : 0];
        return;
    }
    haw_end_entry entry;
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    haw_options_init(haw_end_options, &entry);
    haw_read_options(reader, node, &haw_grammar_end, &entry);
    if (haw_read_dimension(reader) == 3) {
        read_space(reader, node, &entry, end);
    } else if (entry.body != NULL) {
        check_alone(reader, node, "body", "motion");
        end->body = entry.body; /* of a rope: its name is looked up there */
        return;
    } else if (motion == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'motion' in an end of a cable");
    }
    if (motion != NULL) {
        read_motion(reader, motion, end);
    }
}

void haw_read_ends(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
{
    static const char *const keys[] = {"start", "end", NULL};
    if (!haw_read_kind(reader, node, "ends", HAW_YAML_MAPPING)) {
        return;
    }
    haw_read_keys(reader, node, "the ends of a cable", keys);
    for (int i = 0; i < 2; ++i) {
        const haw_yaml_node *end = haw_yaml_get(node, keys[i]);
        if (end != NULL) {
            read_end(reader, end, &cable->ends[i]);
        }
    }
}
