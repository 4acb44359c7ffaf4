/* SPDX-License-Identifier: BSD-3-Clause */
/* `bodies`: shape, motion, and what a body needs that can move. */
#include "scenario/grammar.h"
#include "shape/surface.h"

#include <math.h>
#include <string.h>

enum { PROFILE_MIN = 4 };

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

/* [z, r], as in the rows of a profile; the model has (r, z). */
static void read_meridian_point(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    double p[2];
    if (haw_read_numbers(reader, node, node->key->text, 2, p)) {
        ((double *)value)[0] = p[1];
        ((double *)value)[1] = p[0];
    }
}

static void write_meridian_point(haw_resolve *out, const void *value)
{
    const double *rz = value, p[2] = {rz[1], rz[0]};
    haw_resolve_numbers(out, 2, p);
}

static const haw_form meridian_point_form = {read_meridian_point, write_meridian_point,
                                             haw_describe_count, .count = 2, .word = "vector"};

#define PIECE(field) offsetof(haw_meridian_spec, field)
static const haw_key arc_keys[] = {
    {"center", &meridian_point_form, PIECE(center), .flags = HAW_KEY_REQUIRED, .help = "[z, r]",
     .unit = "m"},
    {"to", &meridian_point_form, PIECE(to), .flags = HAW_KEY_REQUIRED, .help = "its end, [z, r]",
     .unit = "m"},
    {NULL},
};
static const haw_mapping arc_mapping = {"an arc of a meridian", arc_keys, .name = "meridian-arc"};
static const haw_key piece_keys[] = {
    {"line", &meridian_point_form, PIECE(to), .absent = HAW_ABSENT_TRUE, .asks = PIECE(is_arc),
     .help = "end of a straight part, [z, r]", .unit = "m"},
    {"arc", &haw_form_braces, .of = &arc_mapping, .absent = HAW_ABSENT_FALSE, .asks = PIECE(is_arc),
     .help = "part of a circle"},
    {NULL},
};

static void check_piece(haw_reader *reader, const haw_yaml_node *node, void *piece)
{
    (void)reader;
    ((haw_meridian_spec *)piece)->is_arc = haw_yaml_get(node, "arc") != NULL;
}

static const haw_mapping piece_mapping = {
    "a part of a meridian", piece_keys, check_piece,
    .choice = "a part of a meridian must be either a line or an arc", .name = "meridian-path"};
static const haw_list pieces = {.mapping = &piece_mapping,
                                .item = sizeof(haw_meridian_spec),
                                .is_empty = "a meridian needs at least one line or arc"};
static const haw_key meridian_keys[] = {
    {"from", &meridian_point_form, AT(meridian_from), .flags = HAW_KEY_REQUIRED,
     .help = "where it starts, [z, r]", .unit = "m"},
    {"path", &haw_form_list, AT(meridian), &pieces, HAW_KEY_REQUIRED, "lines and arcs",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(meridian_segments)},
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
    .schema =
        "\"if\": {\"type\": \"object\"}, \"then\": {\"$ref\": \"#/$defs/history\"}, \"else\": "
        "{\"type\": \"array\", \"minItems\": 4, \"items\": {\"type\": \"array\", \"minItems\": "
        "2, \"maxItems\": 2, \"items\": {\"type\": \"number\"}}}",
    .word = "table"};

/* ---- shape: its options, and the curve that a surface of revolution is made of ---- */

static void add_shape(const haw_typed *typed, const haw_row *row, haw_typed_mapping *made)
{
    static const haw_option no_options[] = {{0}};
    const bool is_drawn = ((const haw_surface_ops *)row)->has_meridian;
    (void)typed;
    made->keys[1] = (haw_key){.offset = AT(shape_options),
                              .of = row->options != NULL ? row->options : no_options};
    if (is_drawn) {
        made->keys[2] = (haw_key){"meridian",
                                  &haw_form_mapping,
                                  .of = &meridian_mapping,
                                  .help = "lines and arcs of [z, r]",
                                  .excludes = "profile",
                                  .absent = HAW_ABSENT_EQUAL,
                                  .asks = AT(meridian_segments)};
        made->keys[3] = (haw_key){"profile",
                                  &profile_form,
                                  AT(profile),
                                  .help = "rows [z, r] of a smooth curve",
                                  .absent = HAW_ABSENT_EQUAL,
                                  .asks = AT(profile.count)};
        made->mapping.needs[0] = "profile|meridian";
    }
}

static const haw_row *get_shape(const haw_typed *typed, int dimension, const void *body)
{
    (void)typed;
    return haw_row_find(haw_surfaces_in(dimension), ((const haw_body_spec *)body)->shape);
}

static void set_shape(const haw_typed *typed, const haw_row *row, void *value)
{
    haw_body_spec *body = value;
    (void)typed;
    body->shape = row->name;
    if (row->options != NULL) {
        haw_options_init(row->options, body->shape_options);
    }
}

static const haw_typed shapes = {
    .names = {"shape", "the shape", {{haw_shapes, 2}, {haw_surfaces, 3}}},
    .add = add_shape,
    .get = get_shape,
    .set = set_shape,
    .inner = &meridian_mapping};

/* ---- motion: `fixed` alone, or what is prescribed ---- */

static void read_fixed(haw_reader *reader, const haw_yaml_node *node, void *motion)
{
    bool fixed = false;
    haw_form_flag.read(reader, node, &fixed);
    *(haw_motion *)motion = fixed ? HAW_MOTION_FIXED : HAW_MOTION_FREE;
}

static void write_fixed(haw_resolve *out, const void *motion)
{
    haw_text_add(&out->text, "%s",
                 *(const haw_motion *)motion == HAW_MOTION_FIXED ? "true" : "false");
}

static void check_motion(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_body_spec *body = value;
    (void)reader;
    if (haw_yaml_get(node, "fixed") == NULL) {
        body->motion = HAW_MOTION_PRESCRIBED;
    }
}

static const haw_form fixed_form = {read_fixed, write_fixed, .schema = "\"type\": \"boolean\"",
                                    .word = "boolean"};
static const haw_key motion_keys[] = {
    {"fixed", &fixed_form, AT(motion), .absent = HAW_ABSENT_OTHER, .asks = AT(motion),
     .value = HAW_MOTION_FIXED, .help = "the body does not move"},
    {"spin", &haw_form_function, AT(motion_spin), .excludes = "fixed", .absent = HAW_ABSENT_EQUAL,
     .asks = AT(motion), .value = HAW_MOTION_FIXED, .help = "angular velocity", .unit = "rad/s"},
    {"velocity", &haw_form_functions, AT(motion_velocity), .excludes = "fixed",
     .absent = HAW_ABSENT_EQUAL, .asks = AT(motion), .value = HAW_MOTION_FIXED,
     .help = "of the centre", .unit = "m/s"},
    {NULL},
};
static const haw_mapping motion_mapping = {"a motion", motion_keys, check_motion,
                                           .needs = {"fixed|spin|velocity"}};

/* ---- what a body needs ---- */

/* A shape that is not told in full has no inertia yet: that it lacks a key has been said. */
static bool lacks_keys(const haw_surface_ops *ops, const haw_surface *surface)
{
    const haw_option *option = ops->row.options;
    for (; option != NULL && option->key != NULL; ++option) {
        const bool is_needed = option->type == HAW_OPTION_REAL && isnan(option->preset) &&
                               option->choices == NULL && (option->flags & HAW_KEY_OPEN) == 0;
        double value = 0;
        if (is_needed) {
            memcpy(&value, (const char *)surface->options + option->offset, sizeof value);
        }
        if (isnan(value)) {
            return true;
        }
    }
    return false;
}

/* Mass and inertia that a body needs where it can slide, turn, or both. */
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
    const bool has_shape = haw_yaml_get(node, "shape") != NULL;
    if (body->joint == HAW_JOINT_VERTICAL && !has_shape) {
        return; /* a point on rails */
    }
    const haw_yaml_node *inertia = haw_yaml_get(node, "inertia");
    const haw_surface_ops *ops = (const haw_surface_ops *)haw_row_find(haw_shapes, body->shape);
    haw_surface surface = {.ops = ops};
    double solid[3] = {(double)NAN};
    if (ops != NULL) {
        memcpy(surface.options, body->shape_options, sizeof surface.options);
        ops->inertia(&surface, 1.0, solid);
    }
    const bool has_own = inertia != NULL && !isnan(body->inertia);
    const bool is_open = ops == NULL ? has_shape : lacks_keys(ops, &surface);
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

/* A prescribed velocity has no initial value; a velocity that a joint holds has neither. */
static void check_velocity(haw_reader *reader, const haw_yaml_node *node, const haw_body_spec *body,
                           const char *key)
{
    const bool is_spin = strcmp(key, "spin") == 0, turns = key[0] == 's';
    const haw_yaml_node *motion = haw_yaml_get(node, "motion"), *place = haw_yaml_get(node, key);
    const haw_function *drive = turns ? &body->motion_spin : body->motion_velocity;
    const double *rate = turns ? body->spins : body->velocity,
                 *start = is_spin ? &body->spin : rate;
    const int count = is_spin ? 1 : haw_read_dimension(reader);
    const bool is_held = body->joint == (turns ? HAW_JOINT_TRANSLATION : HAW_JOINT_REVOLUTE);
    bool starts = false, driven = false;
    for (int i = 0; i < count; ++i) {
        starts = starts || start[i] != 0;
        const bool has_drive = is_spin || !turns;
        driven = driven || (has_drive && drive[i].count == 0 && drive[i].constant != 0);
        for (int k = 0; has_drive && k < drive[i].count; ++k) {
            driven = driven || drive[i].value[k] != 0;
        }
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
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    const bool is_known = motion == NULL || motion->kind == HAW_YAML_MAPPING;
    if (body->motion == HAW_MOTION_FREE && is_known) {
        check_mass(reader, node, body);
    }
    check_velocity(reader, node, body, "velocity");
    check_velocity(reader, node, body, "spin");
    check_velocity(reader, node, body, "spins");
}

static void init_body(const haw_reader *reader, void *body)
{
    (void)reader;
    *(haw_body_spec *)body = haw_body_spec_default();
}

static const haw_key body_keys[] = {
    {.of = haw_body_options},
    {"type", &haw_form_constant, .of = &rigid,
     .help = "kind of body; rigid, and need not be given"},
    {"orientation", &orientation_form, AT(orientation), .flags = HAW_KEY_SPACE,
     .help = "unit quaternion [w, x, y, z] at the start; without it [1, 0, 0, 0]"},
    {"shape", &haw_form_typed, .of = &shapes, .absent = HAW_ABSENT_NULL, .asks = AT(shape),
     .help = "its surface"},
    {"motion", &haw_form_motion, .of = &motion_mapping, .absent = HAW_ABSENT_EQUAL,
     .asks = AT(motion), .value = HAW_MOTION_FREE, .help = "its prescribed motion"},
    {"torque", &haw_form_function, AT(torque), .help = "about its centre", .unit = "N m"},
    {NULL},
};
static const haw_mapping body_mapping = {"a body", body_keys, check_body};
const haw_list haw_list_bodies = {
    .mapping = &body_mapping, .item = sizeof(haw_body_spec), .init = init_body, .has_names = true};
