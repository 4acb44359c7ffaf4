/* SPDX-License-Identifier: BSD-3-Clause */
/* `bodies`: shape, motion, and what a body needs that can move. */
#include "scenario/grammar.h"
#include "shape/shape.h"
#include "shape/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOUN_SIZE = 80, PROFILE_MIN = 4 };

#define AT(field) offsetof(haw_body_spec, field)

/* ---- type, orientation ---- */

static const char *const body_types[] = {"rigid", NULL};

static void read_body_type(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    (void)value;
    (void)haw_read_word(reader, node, "type of body", body_types);
}

static void write_body_type(haw_resolve *out, const void *value)
{
    (void)value;
    haw_text_add(&out->text, "%s", body_types[0]);
}

static const haw_form type_form = {read_body_type, write_body_type,
                                   .schema = "\"const\": \"rigid\""};

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

static void write_orientation(haw_resolve *out, const void *value)
{
    haw_resolve_numbers(out, 4, value);
}

static const haw_form orientation_form = {
    read_orientation, write_orientation,
    .schema = "\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": {\"type\": "
              "\"number\"}, \"default\": [1, 0, 0, 0]"};

/* ---- the curve of a surface of revolution: by lines and arcs, or through points ---- */

#define PIECE(field) offsetof(haw_meridian_spec, field)
static const haw_key arc_keys[] = {
    {"center", &haw_form_plane_point, PIECE(center), .flags = HAW_KEY_REQUIRED},
    {"to", &haw_form_plane_point, PIECE(to), .flags = HAW_KEY_REQUIRED},
    {NULL},
};
static const haw_mapping arc_mapping = {"an arc of a meridian", arc_keys};
static const haw_key piece_keys[] = {
    {"line", &haw_form_plane_point, PIECE(to), .is_absent = haw_piece_is_arc},
    {"arc", &haw_form_braces, .of = &arc_mapping, .is_absent = haw_piece_is_line},
    {NULL},
};
static const haw_mapping piece_mapping = {"a part of a meridian", piece_keys, haw_piece_check,
                                          .choice =
                                              "a part of a meridian is either a line or an arc"};
static const haw_list pieces = {.mapping = &piece_mapping,
                                .item = sizeof(haw_meridian_spec),
                                .count = AT(meridian_segments),
                                .is_empty = "a meridian needs at least one line or arc"};
static const haw_key meridian_keys[] = {
    {"from", &haw_form_plane_point, AT(meridian_from), .flags = HAW_KEY_REQUIRED},
    {"path", &haw_form_list, AT(meridian), &pieces, HAW_KEY_REQUIRED},
    {NULL},
};
static const haw_mapping meridian_mapping = {"a meridian", meridian_keys};

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

static bool has_no_profile(const void *body)
{
    return ((const haw_body_spec *)body)->profile.count == 0;
}

static bool has_no_meridian(const void *body)
{
    return ((const haw_body_spec *)body)->meridian_segments == 0;
}

/* ---- shape ---- */

enum { SHAPE_KEYS = 5 };

static const haw_names shape_names = {"shape", "the shape", {{haw_shapes, 2}, {haw_surfaces, 3}}};

static const haw_row *find_shape(int dimension, const char *name)
{
    return haw_row_find(dimension == 3 ? haw_surfaces : haw_shapes, name);
}

/* Keys of a shape: its options, and the curve that a surface of revolution is made of. */
static void make_shape_keys(const haw_row *row, bool is_drawn, haw_key keys[SHAPE_KEYS])
{
    static const haw_option no_options[] = {{0}};
    const haw_key made[SHAPE_KEYS] = {
        {"type", &haw_form_type, 0, row, HAW_KEY_REQUIRED, row->summary},
        {.offset = AT(shape_options), .of = row->options != NULL ? row->options : no_options},
        {is_drawn ? "meridian" : NULL, &haw_form_mapping, .of = is_drawn ? &meridian_mapping : NULL,
         .is_absent = has_no_meridian},
        {"profile", &profile_form, AT(profile), .help = "rows [z, r] of a smooth curve",
         .is_absent = has_no_profile},
        {NULL},
    };
    memcpy(keys, made, sizeof made);
}

static bool has_meridian(int dimension, const haw_row *row)
{
    return dimension == 3 && ((const haw_surface_ops *)row)->has_meridian;
}

static void check_revolution(haw_reader *reader, const haw_yaml_node *node, const char *noun)
{
    const haw_yaml_node *meridian = haw_yaml_get(node, "meridian");
    const bool has_profile = haw_yaml_get(node, "profile") != NULL;
    if (meridian != NULL && has_profile) {
        haw_read_error(reader, meridian->key, "'profile' and 'meridian' exclude each other");
    } else if (meridian == NULL && !has_profile) {
        haw_read_error(reader, node, "missing required key 'profile' (or 'meridian') in %s", noun);
    }
}

static void read_shape(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_body_spec *body = value;
    const int dimension = haw_read_dimension(reader);
    char noun[NOUN_SIZE];
    haw_key keys[SHAPE_KEYS];
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING)) {
        return;
    }
    const char *name = haw_read_type(reader, node, &shape_names);
    if (name == NULL) {
        return;
    }
    const haw_row *row = find_shape(dimension, name);
    (void)snprintf(noun, sizeof noun, "the shape '%s'", name);
    make_shape_keys(row, has_meridian(dimension, row), keys);
    const haw_mapping mapping = {noun, keys};
    if (row->options != NULL) {
        haw_options_init(row->options, body->shape_options);
    }
    haw_read_mapping(reader, node, &mapping, body);
    body->shape = row->name;
    if (has_meridian(dimension, row)) {
        check_revolution(reader, node, noun);
    }
}

static void write_shape(haw_resolve *out, const void *value)
{
    const haw_body_spec *body = value;
    const haw_row *row = find_shape(out->dimension, body->shape);
    haw_key keys[SHAPE_KEYS];
    make_shape_keys(row, has_meridian(out->dimension, row), keys);
    const haw_mapping mapping = {row->name, keys};
    haw_resolve_lines(out, &mapping, body);
}

static void describe_shape(haw_text *text, const haw_key *key)
{
    const char *separator = "";
    (void)key;
    haw_text_add(text, "\"anyOf\": [");
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const haw_row *const *table = dimension == 3 ? haw_surfaces : haw_shapes;
        for (int i = 0; table[i] != NULL; ++i) {
            haw_key keys[SHAPE_KEYS];
            make_shape_keys(table[i], has_meridian(dimension, table[i]), keys);
            const haw_mapping mapping = {table[i]->name, keys};
            haw_text_add(text, "%s{", separator);
            haw_describe_mapping(text, &mapping);
            haw_text_add(text, "}");
            separator = ", ";
        }
    }
    haw_text_add(text, "]");
}

static bool has_no_shape(const void *body)
{
    return ((const haw_body_spec *)body)->shape == NULL;
}

static const haw_form shape_form = {read_shape, write_shape, describe_shape, .is_block = true};

/* ---- motion ---- */

static void read_fixed(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    static const char *const words[] = {"false", "true", NULL};
    haw_body_spec *body = value;
    const int word = haw_read_word(reader, node, "value of 'fixed'", words);
    body->motion = word == 0 ? HAW_MOTION_FREE : HAW_MOTION_FIXED;
}

static bool is_free(const void *body)
{
    return ((const haw_body_spec *)body)->motion == HAW_MOTION_FREE;
}

static const haw_form fixed_form = {read_fixed, .schema = "\"type\": \"boolean\""};
static const haw_key fixed_keys[] = {{"fixed", &fixed_form}, {NULL}};
static const haw_key motion_keys[] = {
    {"fixed", &fixed_form},
    {"spin", &haw_form_function, AT(motion_spin)},
    {"velocity", &haw_form_functions, AT(motion_velocity)},
    {NULL},
};
static const haw_mapping fixed_motion = {"a fixed motion", fixed_keys};
static const haw_mapping driven_motion = {"a motion", motion_keys + 1};
static const haw_mapping motion_mapping = {"a motion", motion_keys};

static void read_motion(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_body_spec *body = value;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_MAPPING)) {
        body->motion = HAW_MOTION_FIXED; /* spares the complaints about what a free body needs */
        return;
    }
    const bool has_table = haw_yaml_get(node, "table") != NULL;
    const bool drives =
        haw_yaml_get(node, "velocity") != NULL || haw_yaml_get(node, "spin") != NULL;
    if (haw_yaml_get(node, "fixed") != NULL) {
        haw_read_mapping(reader, node, &fixed_motion, body);
        return;
    }
    body->motion = HAW_MOTION_PRESCRIBED;
    if (has_table && !drives) {
        haw_read_functions(reader, node, body->motion_velocity);
    } else if (has_table) {
        haw_read_error(reader, node,
                       "'table' gives the whole motion; put it below 'velocity' or 'spin'");
    } else {
        haw_read_mapping(reader, node, &motion_mapping, body);
        if (!drives) {
            haw_read_error(reader, node, "a motion needs 'fixed', 'spin' or 'velocity'");
        }
    }
}

static void write_motion(haw_resolve *out, const void *body)
{
    if (((const haw_body_spec *)body)->motion == HAW_MOTION_FIXED) {
        haw_text_add(&out->text, "{fixed: true}");
    } else {
        haw_resolve_braces(out, &driven_motion, body);
    }
}

static void describe_motion(haw_text *text, const haw_key *key)
{
    (void)key;
    haw_text_add(text, "\"anyOf\": [{\"$ref\": \"#/$defs/table\"}, {");
    haw_describe_mapping(text, &motion_mapping);
    haw_text_add(text, "}]");
}

static const haw_form motion_form = {read_motion, write_motion, describe_motion};

/* ---- what a body needs ---- */

static bool has_velocity(const haw_reader *reader, const haw_body_spec *body)
{
    bool has = false;
    for (int i = 0; i < haw_read_dimension(reader); ++i) {
        has = has || body->velocity[i] != 0;
    }
    return has;
}

/* What the motion prescribes cannot be given as well. */
static void check_prescribed(haw_reader *reader, const haw_yaml_node *node,
                             const haw_body_spec *body)
{
    static const char reason[] = "the motion prescribes the %s of this body; remove one of the two";
    if (has_velocity(reader, body)) {
        haw_read_error(reader, haw_yaml_get(node, "velocity"), reason, "velocity");
    }
    if (body->spin != 0) {
        haw_read_error(reader, haw_yaml_get(node, "spin"), reason, "spin");
    }
}

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
    const haw_shape_ops *ops = (const haw_shape_ops *)haw_row_find(haw_shapes, body->shape);
    const bool has_own = inertia != NULL && !isnan(body->inertia);
    const bool is_open = ops == NULL && haw_yaml_get(node, "shape") != NULL;
    if (has_own || is_open) {
        return;
    }
    if (ops == NULL || isnan(ops->inertia(body->shape_options, 1.0))) {
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

/* A held degree of freedom has no velocity, neither at the start nor by a motion. */
static void check_joint(haw_reader *reader, const haw_yaml_node *node, const haw_body_spec *body)
{
    const bool is_revolute = body->joint == HAW_JOINT_REVOLUTE;
    const char *key = is_revolute ? "velocity" : "spin";
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    const haw_yaml_node *place = haw_yaml_get(node, key);
    const bool starts = is_revolute ? has_velocity(reader, body) : body->spin != 0;
    const haw_function *drive = body->motion_velocity;
    const bool driven = is_revolute
                            ? !is_zero(&drive[0]) || !is_zero(&drive[1]) || !is_zero(&drive[2])
                            : !is_zero(&body->motion_spin);
    if (body->joint == HAW_JOINT_NONE) {
        return;
    }
    if (driven) {
        place = haw_yaml_get(motion, key);
        place = place != NULL ? place : motion; /* a table of the whole motion */
    }
    if (driven || starts) {
        haw_read_error(reader, place, "the %s joint holds the %s of this body; remove '%s'",
                       is_revolute ? "revolute" : "translation", is_revolute ? "centre" : "angle",
                       key);
    }
}

static void check_body(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_body_spec *body = value;
    haw_read_check_name(reader, node, body->name);
    if (body->motion != HAW_MOTION_FREE) {
        check_prescribed(reader, node, body);
    } else {
        check_mass(reader, node, body);
    }
    check_joint(reader, node, body);
}

static void init_body(const haw_reader *reader, void *body)
{
    (void)reader;
    *(haw_body_spec *)body = haw_body_spec_default();
}

static const haw_key body_keys[] = {
    {.of = haw_body_options},
    {"type", &type_form},
    {"orientation", &orientation_form, AT(orientation), .flags = HAW_KEY_SPACE,
     .help = "unit quaternion [w, x, y, z] at the start"},
    {"shape", &shape_form, .is_absent = has_no_shape},
    {"motion", &motion_form, .is_absent = is_free},
    {"torque", &haw_form_function, AT(torque)},
    {NULL},
};
static const haw_mapping body_mapping = {"a body", body_keys, check_body};
const haw_list haw_list_bodies = {.mapping = &body_mapping,
                                  .item = sizeof(haw_body_spec),
                                  .count = offsetof(haw_scenario, scene.bodies),
                                  .init = init_body,
                                  .has_names = true};
