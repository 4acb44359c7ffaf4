/* SPDX-License-Identifier: BSD-3-Clause */
/* `ends` of a cable: held, free, on a body, guided, pulled. */
#include "scenario/grammar.h"

#include <float.h>
#include <string.h>

static const char *const end_words[] = {"pinned", "free", "clamped", NULL};
static const haw_end_kind end_kinds[] = {HAW_END_PINNED, HAW_END_FREE, HAW_END_CLAMPED};

/* ---- motion: {velocity | position: [F | free, ...]} ---- */

/* What is not free is prescribed as a velocity or a position. */
static void read_guides(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const char *what = node->key->text;
    const haw_guide guide = strcmp(what, "position") == 0 ? HAW_GUIDE_POSITION : HAW_GUIDE_VELOCITY;
    haw_end_spec *end = value;
    const int count = haw_read_dimension(reader);
    if (count == 2 || node->kind != HAW_YAML_LIST || node->count != count) {
        for (int i = 0; i < count; ++i) {
            end->guide[i] = (int)guide;
        }
        haw_read_functions(reader, node, end->velocity);
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        const bool is_free = item->kind == HAW_YAML_SCALAR && strcmp(item->text, "free") == 0;
        end->guide[i] = (int)(is_free ? HAW_GUIDE_FREE : guide);
        if (!is_free) {
            haw_read_function(reader, item, &end->velocity[i]);
        }
    }
}

static void describe_guides(haw_text *text, const haw_key *key)
{
    const bool may_be_table = strcmp(key->key, "velocity") == 0;
    haw_text_add(text, may_be_table ? "\"anyOf\": [{\"$ref\": \"#/$defs/guide\"}, "
                                      "{\"$ref\": \"#/$defs/table\"}]"
                                    : "\"$ref\": \"#/$defs/guide\"");
}

static void write_guides(haw_resolve *out, const void *value)
{
    const haw_end_spec *end = value;
    for (int i = 0; i < out->dimension; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "[");
        if (end->guide[i] == (int)HAW_GUIDE_FREE) {
            haw_text_add(&out->text, "free");
        } else {
            haw_resolve_function(out, &end->velocity[i]);
        }
    }
    haw_text_add(&out->text, "]");
}

static const haw_form guide_form = {read_guides, write_guides, describe_guides};

/* An end has one of the two. */
static bool has_position(const void *value)
{
    const haw_end_spec *end = value;
    const int position = HAW_GUIDE_POSITION;
    return end->guide[0] == position || end->guide[1] == position || end->guide[2] == position;
}

static bool has_velocity(const void *value)
{
    return !has_position(value);
}

static void check_motion(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    (void)value;
    haw_read_exclusive(reader, node, "velocity", "position");
    if (haw_yaml_get(node, "velocity") == NULL && haw_yaml_get(node, "position") == NULL) {
        haw_read_error(reader, node, "missing required key 'velocity' in the motion");
    }
}

static const haw_key motion_keys[] = {
    {"velocity", &guide_form, .is_absent = has_position},
    {"position", &guide_form, .flags = HAW_KEY_SPACE, .is_absent = has_velocity},
    {NULL},
};
static const haw_mapping motion_mapping = {"the motion of an end", motion_keys, check_motion};

static void read_motion(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_end_spec *end = value;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING)) {
        return;
    }
    end->kind = HAW_END_MOTION;
    if (haw_yaml_get(node, "table") != NULL) {
        haw_read_functions(reader, node, end->velocity);
    } else {
        haw_read_mapping(reader, node, &motion_mapping, end);
    }
}

static void write_motion(haw_resolve *out, const void *end)
{
    haw_resolve_braces(out, &motion_mapping, end);
}

static void describe_motion(haw_text *text, const haw_key *key)
{
    haw_mapping either = motion_mapping;
    (void)key;
    either.choice = "velocity or position";
    haw_text_add(text, "\"anyOf\": [{\"$ref\": \"#/$defs/table\"}, {");
    haw_describe_mapping(text, &either);
    haw_text_add(text, "}]");
}

static const haw_form motion_form = {read_motion, write_motion, describe_motion};

/* ---- an end that is a mapping ---- */

/* `clamped` becomes part of the kind of the end. */
typedef struct end_entry {
    haw_end_spec end;
    bool clamped;
} end_entry;

static bool is_on_ground(const void *entry)
{
    return ((const end_entry *)entry)->end.body == NULL;
}

static bool is_not_guided(const void *entry)
{
    return ((const end_entry *)entry)->end.kind != HAW_END_MOTION;
}

static bool is_not_pulled(const void *entry)
{
    const haw_function *tension = &((const end_entry *)entry)->end.tension;
    return tension->count == 0 && tension->constant == 0;
}

#define AT(field) offsetof(end_entry, field)
static const haw_option body_options[] = {{"body", HAW_OPTION_STRING, AT(end.body), 0.0, 0.0, 0.0,
                                           "", "the end rides on this body", NULL},
                                          {"clamped", HAW_OPTION_BOOL, AT(clamped), 0.0, 0.0, 0.0,
                                           "", "on a body: it holds the direction of the end too",
                                           NULL, HAW_KEY_SPACE},
                                          {0}};
static const haw_option pull_options[] = {
    {"towards", HAW_OPTION_VECTOR, AT(end.towards), 0.0, -DBL_MAX, DBL_MAX, "",
     "direction of `tension`; zero: along the cable's own end", NULL, HAW_KEY_SPACE},
    {0}};
static const haw_key end_keys[] = {
    {.of = body_options, .is_absent = is_on_ground},
    {"motion", &motion_form, AT(end), .is_absent = is_not_guided},
    {"tension", &haw_form_function, AT(end.tension), .flags = HAW_KEY_SPACE,
     .is_absent = is_not_pulled},
    {.of = pull_options, .is_absent = is_not_pulled},
    {NULL},
};
#undef AT
static const haw_mapping end_mapping = {"an end of a cable", end_keys};

/* What only ends of spatial cables have. */
static void check_space(haw_reader *reader, const haw_yaml_node *node, const haw_end_spec *end)
{
    const bool has_tension = haw_yaml_get(node, "tension") != NULL;
    const haw_yaml_node *body = haw_yaml_get(node, "body");
    haw_read_exclusive(reader, node, "body", "tension");
    haw_read_check_body(reader, body, end->body);
    if (body == NULL && haw_yaml_get(node, "motion") == NULL && !has_tension) {
        haw_read_error(reader, node, "an end needs 'body', 'motion' or 'tension'");
    }
    if (body == NULL && haw_yaml_get(node, "clamped") != NULL) {
        haw_read_error(reader, node, "missing required key 'body' beside 'clamped'");
    }
    if (!has_tension && haw_yaml_get(node, "towards") != NULL) {
        haw_read_error(reader, node, "missing required key 'tension' beside 'towards'");
    }
}

/* In the plane an end on a body is that of a rope, where the name of the body is looked up. */
static void read_mapping(haw_reader *reader, const haw_yaml_node *node, haw_end_spec *end)
{
    const bool in_space = haw_read_dimension(reader) == 3;
    end_entry entry = {.end = *end};
    haw_mapping_init(&end_mapping, &entry);
    haw_read_mapping(reader, node, &end_mapping, &entry);
    haw_read_exclusive(reader, node, "body", "motion");
    if (in_space) {
        check_space(reader, node, &entry.end);
    } else if (entry.end.body == NULL && haw_yaml_get(node, "motion") == NULL) {
        haw_read_error(reader, node, "missing required key 'motion' in an end of a cable");
    }
    if (entry.end.kind != HAW_END_MOTION && in_space) {
        const haw_end_kind held = entry.clamped ? HAW_END_CLAMPED : HAW_END_PINNED;
        entry.end.kind = haw_yaml_get(node, "body") != NULL ? held : HAW_END_FREE;
    }
    *end = entry.end;
}

/* ---- an end ---- */

static void read_end(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_end_spec *end = value;
    if (node->kind == HAW_YAML_MAPPING) {
        read_mapping(reader, node, end);
        return;
    }
    const int word = haw_read_word(reader, node, "end of a cable", end_words);
    end->kind = end_kinds[word > 0 ? word : 0];
}

static void write_end(haw_resolve *out, const void *value)
{
    const haw_end_spec *end = value;
    const end_entry entry = {*end, end->kind == HAW_END_CLAMPED};
    int word = 0;
    if (!is_on_ground(&entry) || !is_not_guided(&entry) || !is_not_pulled(&entry)) {
        haw_resolve_braces(out, &end_mapping, &entry);
        return;
    }
    while (end_words[word + 1] != NULL && end_kinds[word] != end->kind) {
        ++word;
    }
    haw_text_add(&out->text, "%s", end_words[word]);
}

void haw_define_ends(haw_text *text)
{
    haw_text_add(text, "    \"guide\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, "
                       "\"items\": {\"anyOf\": [{\"$ref\": \"#/$defs/function\"}, "
                       "{\"const\": \"free\"}]}},\n"
                       "    \"end\": {\"anyOf\": [{");
    haw_describe_enum(text, end_words);
    haw_text_add(text, "}, {");
    haw_describe_mapping(text, &end_mapping);
    haw_text_add(text, "}]}\n");
}

static const haw_form end_form = {read_end, write_end, .schema = "\"$ref\": \"#/$defs/end\""};

/* ---- both ends ---- */

static const haw_key both_keys[] = {
    {"start", &end_form, offsetof(haw_cable_spec, ends[0])},
    {"end", &end_form, offsetof(haw_cable_spec, ends[1])},
    {NULL},
};
const haw_mapping haw_mapping_ends = {"the ends of a cable", both_keys};
