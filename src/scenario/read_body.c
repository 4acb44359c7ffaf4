/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of `bodies`. */
#include "scenario/reader.h"
#include "shape/shape.h"

#include <math.h>
#include <string.h>

static const char *const body_keys[] = {"type", "shape", "motion", "torque", "orientation", NULL};
const haw_grammar haw_grammar_body = {"a body", haw_body_options, body_keys, "orientation"};

int haw_read_type(haw_reader *reader, const haw_yaml_node *mapping, const char *what,
                  const char *const *names)
{
    const haw_yaml_node *type = haw_yaml_get(mapping, "type");
    if (type == NULL) {
        haw_yaml_error(&reader->yaml, mapping, "missing required key 'type' in '%s'", what);
        return -1;
    }
    return haw_read_word(reader, type, what, names);
}

static void read_motion(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const keys[] = {"fixed", "spin", "velocity", "table", "ramp", NULL};
    static const char *const fixed_keys[] = {"fixed", NULL};
    static const char *const words[] = {"false", "true", NULL};
    static const char *const table_keys[] = {"table", "ramp", "spin", NULL};
    if (!haw_read_kind(reader, node, "motion", HAW_YAML_MAPPING)) {
        body->motion = HAW_MOTION_FIXED; /* spares the complaints about what a free body needs */
        return;
    }
    const haw_yaml_node *fixed = haw_yaml_get(node, "fixed");
    const haw_yaml_node *spin = haw_yaml_get(node, "spin");
    const haw_yaml_node *velocity = haw_yaml_get(node, "velocity");
    if (fixed != NULL) {
        haw_read_keys(reader, node, "a fixed motion", fixed_keys);
        const int word = haw_read_word(reader, fixed, "value of 'fixed'", words);
        body->motion = word == 0 ? HAW_MOTION_FREE : HAW_MOTION_FIXED;
        return;
    }
    body->motion = HAW_MOTION_PRESCRIBED;
    if (haw_yaml_get(node, "table") != NULL && velocity == NULL && spin == NULL) {
        haw_read_functions(reader, node, "motion", body->motion_velocity);
        return;
    }
    if (haw_yaml_get(node, "table") != NULL) {
        haw_read_keys(reader, node, "a motion by table", table_keys);
        haw_yaml_error(&reader->yaml, node,
                       "'table' gives the whole motion; put it below 'velocity' or 'spin'");
        return;
    }
    haw_read_keys(reader, node, "a motion", keys);
    if (spin == NULL && velocity == NULL) {
        haw_yaml_error(&reader->yaml, node, "a motion needs 'fixed', 'spin' or 'velocity'");
    }
    if (spin != NULL) {
        haw_read_function(reader, spin, "spin", &body->motion_spin);
    }
    if (velocity != NULL) {
        haw_read_functions(reader, velocity, "velocity", body->motion_velocity);
    }
}

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
        haw_yaml_error(&reader->yaml, haw_yaml_get(node, "velocity"), reason, "velocity");
    }
    if (body->spin != 0) {
        haw_yaml_error(&reader->yaml, haw_yaml_get(node, "spin"), reason, "spin");
    }
}

/* What a body needs that can slide, turn, or both. */
static void check_mass(haw_reader *reader, const haw_yaml_node *node, const haw_body_spec *body)
{
    const bool has_mass = haw_yaml_get(node, "mass") != NULL;
    const bool slides = body->joint != HAW_JOINT_REVOLUTE;
    if (slides && !has_mass) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'mass' in a body that can move");
    }
    if (body->joint == HAW_JOINT_TRANSLATION || haw_read_dimension(reader) == 3) {
        return; /* in space the model knows the inertias of its surfaces */
    }
    const haw_yaml_node *inertia = haw_yaml_get(node, "inertia");
    const haw_shape_ops *shape = (const haw_shape_ops *)haw_row_find(haw_shapes, body->shape);
    const bool has_own = inertia != NULL && !isnan(body->inertia);
    const bool is_open = shape == NULL && haw_yaml_get(node, "shape") != NULL;
    if (has_own || is_open) {
        return;
    }
    if (shape == NULL || isnan(shape->inertia(body->shape_options, 1.0))) {
        haw_yaml_error(&reader->yaml, inertia != NULL ? inertia : node,
                       "missing required key 'inertia': a body of this shape has no default");
    } else if (!slides && !has_mass) {
        haw_yaml_error(&reader->yaml, node,
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
        haw_yaml_error(&reader->yaml, place, "the %s joint holds the %s of this body; remove '%s'",
                       is_revolute ? "revolute" : "translation", is_revolute ? "centre" : "angle",
                       key);
    }
}

static void read_orientation(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    const double rounding = 1e-6; /* of quaternions written with a few digits */
    double p[4];
    if (!haw_read_numbers(reader, node, "orientation", 4, p)) {
        return;
    }
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    if (!(fabs(square - 1) <= 2 * rounding)) {
        haw_yaml_error(&reader->yaml, node,
                       "'orientation' must be a unit quaternion [w, x, y, z] (got one of length "
                       "%.9g)",
                       sqrt(square));
        return;
    }
    memcpy(body->orientation, p, sizeof p);
}

void haw_read_body(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const types[] = {"rigid", NULL};
    if (!haw_read_kind(reader, node, "an entry of 'bodies'", HAW_YAML_MAPPING)) {
        reader->names_lost = true;
        return;
    }
    haw_read_options(reader, node, &haw_grammar_body, body);
    haw_read_check_name(reader, node, body->name);
    const haw_yaml_node *type = haw_yaml_get(node, "type");
    const haw_yaml_node *shape = haw_yaml_get(node, "shape");
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    const haw_yaml_node *torque = haw_yaml_get(node, "torque");
    const haw_yaml_node *orientation = haw_yaml_get(node, "orientation");
    if (type != NULL) {
        (void)haw_read_word(reader, type, "type of body", types);
    }
    if (shape != NULL) {
        haw_read_shape(reader, shape, body);
    }
    if (orientation != NULL && haw_read_dimension(reader) == 3) {
        read_orientation(reader, orientation, body);
    }
    if (motion != NULL) {
        read_motion(reader, motion, body);
    }
    if (torque != NULL) {
        haw_read_function(reader, torque, "torque", &body->torque);
    }
    if (body->motion != HAW_MOTION_FREE) {
        check_prescribed(reader, node, body);
    } else {
        check_mass(reader, node, body);
    }
    check_joint(reader, node, body);
}
