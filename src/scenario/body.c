/* SPDX-License-Identifier: BSD-3-Clause */
/* `bodies`: shape, motion, and what a body needs that can move. */
#include "scenario/grammar.h"
#include "shape/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOUN_SIZE = 80, PROFILE_MIN = 4 };

#define AT(field) offsetof(haw_body_spec, field)

/* ---- orientation ---- */

static const char *const rigid = "rigid";

static void read_orientation(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const double rounding = 1e-6; /* of quaternions written with a few digits */
    double p[4];
    if (!haw_read_numbers(reader, node, node->key->text, 4, p)) {
        return;
    }
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    if (!(fabs(square - 1) <= 2 * rounding)) {
        haw_read_error(reader, node,
                       "'orientation' must be a unit quaternion [w, x, y, z] (got one of length "
                       "%.9g)",
                       sqrt(square));
        return;
    }
    memcpy(value, p, sizeof p);
}

static void describe_orientation(haw_text *text, const haw_key *key)
{
    haw_describe_count(text, key);
    haw_text_add(text, ", \"default\": [1, 0, 0, 0]");
}

static const haw_form orientation_form = {read_orientation, haw_write_count, describe_orientation,
                                          .count = 4, .word = "vector"};

/* ---- the curve of a surface of revolution: by lines and arcs, or through points ---- */

#define PIECE(field) offsetof(haw_meridian_spec, field)
static const haw_key arc_keys[] = {
    {"center", &haw_form_plane_point, PIECE(center), .flags = HAW_KEY_REQUIRED,
     .help = "[z, r] [m]"},
    {"to", &haw_form_plane_point, PIECE(to), .flags = HAW_KEY_REQUIRED, .help = "its end [m]"},
    {NULL},
};
static const haw_mapping arc_mapping = {"an arc of a meridian", arc_keys, .name = "meridian-arc"};
static const haw_key piece_keys[] = {
    {"line", &haw_form_plane_point, PIECE(to), .absent = HAW_ABSENT_TRUE, .asks = PIECE(is_arc),
     .help = "end of a straight part [m]"},
    {"arc", &haw_form_braces, .of = &arc_mapping, .absent = HAW_ABSENT_FALSE, .asks = PIECE(is_arc),
     .help = "part of a circle"},
    {NULL},
};
static const haw_mapping piece_mapping = {
    "a part of a meridian", piece_keys, haw_piece_check,
    .choice = "a part of a meridian must be either a line or an arc", .name = "meridian-path"};
static const haw_list pieces = {.mapping = &piece_mapping,
                                .item = sizeof(haw_meridian_spec),
                                .count = AT(meridian_segments),
                                .is_empty = "a meridian needs at least one line or arc"};
static const haw_key meridian_keys[] = {
    {"from", &haw_form_plane_point, AT(meridian_from), .flags = HAW_KEY_REQUIRED,
     .help = "where it starts, [z, r] [m]"},
    {"path", &haw_form_list, AT(meridian), &pieces, HAW_KEY_REQUIRED, "lines and arcs"},
    {NULL},
};
static const haw_mapping meridian_mapping = {"a meridian", meridian_keys, .name = "meridian"};

static void read_profile(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    if (node->kind == HAW_YAML_MAPPING) {
        haw_read_csv(reader, node, value);
    } else if (haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST)) {
        haw_read_curve(reader, node, "z", PROFILE_MIN, value);
    }
}

static void write_profile(haw_resolve *out, const void *value)
{
    haw_resolve_table(out, value);
}

static const haw_form profile_form = {
    read_profile, write_profile,
    .schema = "\"anyOf\": [{\"$ref\": \"#/$defs/history\"}, {\"type\": \"array\", \"minItems\": "
              "4, \"items\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
              "\"items\": {\"type\": \"number\"}}}]"};

/* ---- shape ---- */

enum { SHAPE_KEYS = 5 };

static const haw_names shape_names = {"shape", "the shape", {{haw_shapes, 2}, {haw_surfaces, 3}}};

/* A shape as a mapping: its options, and the curve that a surface of revolution is made of. */
typedef struct shape_grammar {
    char noun[NOUN_SIZE];
    haw_key keys[SHAPE_KEYS];
    haw_mapping mapping;
} shape_grammar;

static void make_shape(const haw_row *row, shape_grammar *made)
{
    static const haw_option no_options[] = {{0}};
    const bool is_drawn = ((const haw_surface_ops *)row)->has_meridian;
    const haw_key keys[SHAPE_KEYS] = {
        {"type", &haw_form_constant, 0, row, HAW_KEY_REQUIRED, row->summary},
        {.offset = AT(shape_options), .of = row->options != NULL ? row->options : no_options},
        {is_drawn ? "meridian" : NULL, &haw_form_mapping, .of = is_drawn ? &meridian_mapping : NULL,
         .help = "lines and arcs of [z, r]", .excludes = "profile", .absent = HAW_ABSENT_EQUAL,
         .asks = AT(meridian_segments)},
        {"profile", &profile_form, AT(profile), .help = "rows [z, r] of a smooth curve",
         .absent = HAW_ABSENT_EQUAL, .asks = AT(profile.count)},
        {NULL},
    };
    memcpy(made->keys, keys, sizeof keys);
    (void)snprintf(made->noun, sizeof made->noun, "the shape '%s'", row->name);
    made->mapping = (haw_mapping){
        .noun = made->noun, .keys = made->keys, .needs = {is_drawn ? "profile|meridian" : NULL}};
}

static const haw_row *find_shape(int dimension, const char *name)
{
    return haw_row_find(haw_surfaces_in(dimension), name);
}

static void read_shape(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_body_spec *body = value;
    const int dimension = haw_read_dimension(reader);
    shape_grammar shape;
    const bool is_mapping = haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING);
    const char *name = is_mapping ? haw_read_type(reader, node, &shape_names) : NULL;
    if (name == NULL) {
        return;
    }
    const haw_row *row = find_shape(dimension, name);
    make_shape(row, &shape);
    haw_options_init(shape.keys[1].of, body->shape_options);
    haw_read_mapping(reader, node, &shape.mapping, body);
    body->shape = row->name;
}

static void write_shape(haw_resolve *out, const void *value)
{
    const haw_body_spec *body = value;
    shape_grammar shape;
    make_shape(find_shape(out->dimension, body->shape), &shape);
    haw_resolve_lines(out, &shape.mapping, body);
}

static void describe_shape(haw_text *text, const haw_key *key)
{
    const char *separator = "";
    (void)key;
    haw_text_add(text, "\"anyOf\": [");
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const haw_row *const *row = haw_surfaces_in(dimension);
        for (; *row != NULL; ++row) {
            shape_grammar shape;
            make_shape(*row, &shape);
            haw_text_add(text, "%s{", separator);
            haw_describe_mapping(text, &shape.mapping);
            haw_text_add(text, "}");
            separator = ", ";
        }
    }
    haw_text_add(text, "]");
}

static const haw_form shape_form = {read_shape,        write_shape,
                                    describe_shape,    .is_block = true,
                                    .word = "mapping", .inner = {&meridian_mapping}};

/* ---- motion ---- */

/* `fixed` alone, or what is prescribed. */
typedef struct motion_entry {
    bool fixed;
    haw_function spin, velocity[3];
} motion_entry;

#define MOTION(field) offsetof(motion_entry, field)
static const haw_key motion_keys[] = {
    {"fixed", &haw_form_flag, MOTION(fixed), .absent = HAW_ABSENT_FALSE, .asks = MOTION(fixed),
     .help = "the body does not move"},
    {"spin", &haw_form_function, MOTION(spin), .excludes = "fixed", .absent = HAW_ABSENT_TRUE,
     .asks = MOTION(fixed), .help = "angular velocity [rad/s]"},
    {"velocity", &haw_form_functions, MOTION(velocity), .excludes = "fixed",
     .absent = HAW_ABSENT_TRUE, .asks = MOTION(fixed), .help = "of the centre [m/s]"},
    {NULL},
};
static const haw_mapping motion_mapping = {"a motion", motion_keys,
                                           .needs = {"fixed|spin|velocity"}};

static void read_motion(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_body_spec *body = value;
    motion_entry entry = {.fixed = false};
    body->motion = HAW_MOTION_FIXED; /* spares the complaints about what a free body needs */
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING)) {
        return;
    }
    const bool drives =
        haw_yaml_get(node, "velocity") != NULL || haw_yaml_get(node, "spin") != NULL;
    if (haw_yaml_get(node, "table") == NULL) {
        haw_read_mapping(reader, node, &motion_mapping, &entry);
    } else if (!drives) {
        haw_read_functions(reader, node, entry.velocity);
    } else {
        haw_read_error(reader, node,
                       "'table' describes a single motion; put it under 'velocity' or 'spin'");
    }
    const bool is_free = haw_yaml_get(node, "fixed") != NULL && !entry.fixed;
    const haw_motion held = entry.fixed ? HAW_MOTION_FIXED : HAW_MOTION_PRESCRIBED;
    body->motion = is_free ? HAW_MOTION_FREE : held;
    body->motion_spin = entry.spin;
    memcpy(body->motion_velocity, entry.velocity, sizeof entry.velocity);
}

static void write_motion(haw_resolve *out, const void *value)
{
    const haw_body_spec *body = value;
    motion_entry entry = {.fixed = body->motion == HAW_MOTION_FIXED, .spin = body->motion_spin};
    memcpy(entry.velocity, body->motion_velocity, sizeof entry.velocity);
    haw_resolve_braces(out, &motion_mapping, &entry);
}

static void describe_motion(haw_text *text, const haw_key *key)
{
    (void)key;
    haw_text_add(text, "\"anyOf\": [{\"$ref\": \"#/$defs/table\"}, {");
    haw_describe_mapping(text, &motion_mapping);
    haw_text_add(text, "}]");
}

static const haw_form motion_form = {read_motion, write_motion, describe_motion,
                                     .inner = {&motion_mapping}};

/* ---- what a body needs ---- */

/* What a body needs that can slide, turn, or both. */
static void check_mass(haw_reader *reader, const haw_yaml_node *node, const haw_body_spec *body)
{
    const bool has_mass = haw_yaml_get(node, "mass") != NULL;
    const bool slides = body->joint != HAW_JOINT_REVOLUTE;
    if (slides && !has_mass) {
        haw_read_error(reader, node, "missing required key 'mass' in a body that can move");
    }
    if (body->joint == HAW_JOINT_TRANSLATION || haw_read_dimension(reader) == 3) {
        return; /* in space the model knows the inertias of its surfaces */
    }
    const haw_yaml_node *inertia = haw_yaml_get(node, "inertia");
    const haw_surface_ops *ops = (const haw_surface_ops *)haw_row_find(haw_shapes, body->shape);
    double solid[3] = {(double)NAN};
    if (ops != NULL) {
        haw_surface surface = {.ops = ops};
        memcpy(surface.options, body->shape_options, sizeof surface.options);
        ops->inertia(&surface, 1.0, solid);
    }
    const bool has_own = inertia != NULL && !isnan(body->inertia);
    const bool is_open = ops == NULL && haw_yaml_get(node, "shape") != NULL;
    if (has_own || is_open) {
        return;
    }
    if (isnan(solid[0])) {
        haw_read_error(reader, inertia != NULL ? inertia : node,
                       "missing required key 'inertia': a body of this shape has no default");
    } else if (!slides && !has_mass) {
        haw_read_error(reader, node,
                       "missing required key 'inertia' (or 'mass') in a body that can turn");
    }
}

static bool is_zero(const haw_function *function)
{
    bool zero = function->count > 0 || function->constant == 0;
    for (int i = 0; i < function->count; ++i) {
        zero = zero && function->value[i] == 0;
    }
    return zero;
}

/* What a motion prescribes has no value at the start; what a joint holds has neither. */
static void check_velocity(haw_reader *reader, const haw_yaml_node *node, const haw_body_spec *body,
                           const char *key)
{
    const bool turns = strcmp(key, "spin") == 0;
    const haw_yaml_node *motion = haw_yaml_get(node, "motion"), *place = haw_yaml_get(node, key);
    const haw_function *drive = turns ? &body->motion_spin : body->motion_velocity;
    const double *start = turns ? &body->spin : body->velocity;
    const int count = turns ? 1 : haw_read_dimension(reader);
    const bool is_held =
        body->joint != HAW_JOINT_NONE && turns != (body->joint == HAW_JOINT_REVOLUTE);
    bool starts = false, driven = false;
    for (int i = 0; i < count; ++i) {
        starts = starts || start[i] != 0;
        driven = driven || !is_zero(&drive[i]);
    }
    if (starts && body->motion != HAW_MOTION_FREE) {
        haw_read_error(reader, place,
                       "the motion prescribes the %s of this body; remove one of the two", key);
    }
    if (is_held && (starts || driven)) {
        const haw_yaml_node *within = driven ? haw_yaml_get(motion, key) : place;
        haw_read_error(reader, within != NULL ? within : motion, /* a table of the whole motion */
                       "the %s joint holds the %s of this body; remove '%s'",
                       turns ? "translation" : "revolute", turns ? "angle" : "centre", key);
    }
}

static void check_body(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_body_spec *body = value;
    haw_read_check_name(reader, node, body->name);
    if (body->motion == HAW_MOTION_FREE) {
        check_mass(reader, node, body);
    }
    check_velocity(reader, node, body, "velocity");
    check_velocity(reader, node, body, "spin");
}

static void init_body(const haw_reader *reader, void *body)
{
    (void)reader;
    *(haw_body_spec *)body = haw_body_spec_default();
}

static const haw_key body_keys[] = {
    {.of = haw_body_options},
    {"type", &haw_form_constant, .of = &rigid, .help = "kind of body"},
    {"orientation", &orientation_form, AT(orientation), .flags = HAW_KEY_SPACE,
     .help = "unit quaternion [w, x, y, z] at the start"},
    {"shape", &shape_form, .absent = HAW_ABSENT_NULL, .asks = AT(shape), .help = "its surface"},
    {"motion", &motion_form, .absent = HAW_ABSENT_EQUAL, .asks = AT(motion),
     .value = HAW_MOTION_FREE, .help = "its prescribed motion"},
    {"torque", &haw_form_function, AT(torque), .help = "about its centre [N m]"},
    {NULL},
};
static const haw_mapping body_mapping = {"a body", body_keys, check_body};
const haw_list haw_list_bodies = {.mapping = &body_mapping,
                                  .item = sizeof(haw_body_spec),
                                  .count = offsetof(haw_scenario, scene.bodies),
                                  .init = init_body,
                                  .has_names = true};
