/* SPDX-License-Identifier: BSD-3-Clause */
/* `ends` of a cable: held, free, on a body, guided, pulled. */
#include "scenario/grammar.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const auto_word[] = {"auto", NULL};
static const char *const end_words[] = {"pinned", "free", "clamped", NULL};
static const haw_end_kind end_kinds[] = {HAW_END_PINNED, HAW_END_FREE, HAW_END_CLAMPED};

/* ---- motion: {velocity | position: [F | free, ...]} ---- */

/* Components that are not free are prescribed as a velocity or a position. */
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
    haw_text_add(text, may_be_table ? "\"if\": {\"type\": \"object\"}, \"then\": {\"$ref\": "
                                      "\"#/$defs/table\"}, \"else\": {\"$ref\": \"#/$defs/guide\"}"
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

static const haw_form guide_form = {read_guides, write_guides, describe_guides,
                                    .word = "functions"};

/* An end on its way in or out; `clamped` becomes part of its kind. */
typedef struct end_entry {
    haw_end_spec end;
    bool clamped;
    int guide; /* the first that is not free */
} end_entry;

static end_entry entry_of(const haw_end_spec *end)
{
    end_entry entry = {.end = *end, .clamped = end->kind == HAW_END_CLAMPED};
    entry.end.at[0] = end->has_at ? end->at[0] : (double)NAN;
    for (int i = 2; i >= 0; --i) {
        entry.guide = end->guide[i] != (int)HAW_GUIDE_FREE ? end->guide[i] : entry.guide;
    }
    return entry;
}

static void check_motion(haw_reader *reader, const haw_yaml_node *node, void *entry)
{
    (void)reader;
    (void)node;
    ((end_entry *)entry)->end.kind = HAW_END_MOTION;
}

#define AT(field) offsetof(end_entry, field)
static const haw_key motion_keys[] = {
    {"velocity", &guide_form, AT(end), .help = "velocity of the end", .unit = "m/s",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(guide), .value = HAW_GUIDE_POSITION},
    {"position", &guide_form, AT(end), .flags = HAW_KEY_SPACE, .help = "its place", .unit = "m",
     .excludes = "velocity", .absent = HAW_ABSENT_OTHER, .asks = AT(guide),
     .value = HAW_GUIDE_POSITION},
    {NULL},
};
static const haw_mapping motion_mapping = {"the motion of an end", motion_keys, check_motion,
                                           .name = "end-motion", .needs = {"velocity|position"}};

/* ---- an end that is a mapping ---- */

static const haw_option body_options[] = {
    {"body", HAW_OPTION_STRING, AT(end.body), 0.0, 0.0, 0.0, "",
     "the end rides on this body, and begins with its velocity", NULL},
    {"at", HAW_OPTION_VECTOR, AT(end.at), NAN, -DBL_MAX, DBL_MAX, "m",
     "where, in the frame of the body; auto: where the end "
     "is drawn",
     auto_word},
    {"clamped", HAW_OPTION_BOOL, AT(clamped), 0.0, 0.0, 0.0, "",
     "on a body: also hold the direction of the end", NULL},
    {0}};
static const haw_option pull_options[] = {
    {"towards", HAW_OPTION_VECTOR, AT(end.towards), 0.0, -DBL_MAX, DBL_MAX, "",
     "direction of `tension`; zero: along the end of the cable", NULL},
    {0}};
static const haw_key end_keys[] = {
    {.of = body_options, .absent = HAW_ABSENT_NULL, .asks = AT(end.body)},
    {"motion", &haw_form_motion, .of = &motion_mapping, .help = "its prescribed motion",
     .excludes = "body", .absent = HAW_ABSENT_OTHER, .asks = AT(end.kind), .value = HAW_END_MOTION},
    {"tension", &haw_form_function, AT(end.tension), .help = "force that pulls it", .unit = "N",
     .excludes = "body", .absent = HAW_ABSENT_NOTHING, .asks = AT(end.tension)},
    {.of = pull_options, .absent = HAW_ABSENT_NOTHING, .asks = AT(end.tension)},
    {"at", .needs = "body"},
    {"clamped", .needs = "body"},
    {"towards", .needs = "tension"},
    {NULL},
};
#undef AT
static const haw_mapping end_mapping = {"an end of a cable", end_keys, .name = "end",
                                        .needs = {"body|motion|tension"}};

static void read_mapping(haw_reader *reader, const haw_yaml_node *node, haw_end_spec *end)
{
    const haw_yaml_node *body = haw_yaml_get(node, "body");
    end_entry entry = {.end = *end};
    haw_mapping_init(&end_mapping, &entry);
    haw_read_mapping(reader, node, &end_mapping, &entry);
    const haw_end_kind held = entry.clamped ? HAW_END_CLAMPED : HAW_END_PINNED;
    const haw_end_kind kind = body != NULL ? held : HAW_END_FREE;
    entry.end.kind = entry.end.kind != HAW_END_MOTION ? kind : HAW_END_MOTION;
    entry.end.has_at = !isnan(entry.end.at[0]);
    haw_read_check_body(reader, body, entry.end.body);
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
    const end_entry entry = entry_of(end);
    int word = 0;
    for (const haw_key *key = end_keys; !haw_key_is_end(key); ++key) {
        if (key->absent != HAW_ABSENT_NEVER && !haw_key_is_absent(key, &entry)) {
            haw_resolve_braces(out, &end_mapping, &entry);
            return;
        }
    }
    while (end_words[word + 1] != NULL && end_kinds[word] != end->kind) {
        ++word;
    }
    haw_text_add(&out->text, "%s", end_words[word]);
}

void haw_define_ends(haw_text *text)
{
    haw_text_add(text, "    \"guide\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, "
                       "\"items\": {\"if\": {\"type\": \"string\"}, \"then\": {\"const\": "
                       "\"free\"}, \"else\": {\"$ref\": \"#/$defs/function\"}}},\n"
                       "    \"end\": {");
    haw_describe_either(text, &end_mapping);
    haw_describe_enum(text, end_words);
    haw_text_add(text, "}}\n");
}

static const haw_form end_form = {read_end, write_end, .schema = "\"$ref\": \"#/$defs/end\"",
                                  .word = "name or mapping", .inner = {&end_mapping}};

/* ---- both ends ---- */

static const haw_key both_keys[] = {
    {"start", &end_form, offsetof(haw_cable_spec, ends[0]),
     .help = "pinned, free, clamped, or a mapping with details"},
    {"end", &end_form, offsetof(haw_cable_spec, ends[1]), .help = "the same for the other end"},
    {NULL},
};
const haw_mapping haw_mapping_ends = {"the ends of a cable", both_keys};
