/* SPDX-License-Identifier: BSD-3-Clause */
/* `cables`: the straight line, path, laid curve or reeving; element and material. */
#include "cable/cable.h"

#include "element/element.h"
#include "element/space.h"
#include "scenario/grammar.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reeving: sheaves in the order of the rope, and the side where each one lies ---- */

static const char *const side_words[] = {"left", "right", NULL};

#define AT(field) offsetof(haw_reeving_spec, field)
static const haw_option reeving_options[] = {
    {"sheave", HAW_OPTION_STRING, AT(on), 0.0, 0.0, 0.0, "",
     "body with the shape circle, whose radius is that of the rope's centreline", NULL,
     HAW_KEY_REQUIRED},
    {"side", HAW_OPTION_CHOICE, AT(side), HAW_SIDE_LEFT, 0.0, 0.0, "",
     "side of the rope on which the sheave lies, looking along the rope from its start; left: the "
     "rope turns counter-clockwise",
     side_words},
    {0}};
#undef AT

static void check_sheave(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_reeving_spec *sheave = value;
    haw_read_check_body(reader, haw_yaml_get(node, "sheave"), sheave->on);
}

static const haw_key sheave_keys[] = {
    {.of = reeving_options}, {"sheave", .also = "on|true"}, {NULL}};
static const haw_mapping sheave_mapping = {"an entry of 'reeving'", sheave_keys, check_sheave};
static const haw_list sheaves = {.mapping = &sheave_mapping,
                                 .item = sizeof(haw_reeving_spec),
                                 .is_empty = "a reeving needs at least one sheave"};

/* A rope starts and ends at bodies, or at `from` and `to`; the sheaves define the rest. */
static void check_rope_course(haw_reader *reader, const haw_yaml_node *node,
                              const haw_cable_spec *cable)
{
    static const char *const place[2] = {"from", "to"};
    static const char *const names[2] = {"start", "end"};
    for (int i = 0; i < 2; ++i) {
        const haw_yaml_node *point = haw_yaml_get(node, place[i]);
        const char *body = cable->ends[i].body;
        if (body != NULL && point != NULL) {
            haw_read_error(reader, point->key,
                           "'%s' and a body at the %s of the rope exclude each other", place[i],
                           names[i]);
        } else if (body == NULL && point == NULL) {
            haw_read_error(reader, node,
                           "missing required key '%s' (or 'ends: {%s: {body: ...}}') in a rope",
                           place[i], names[i]);
        }
    }
}

/* ---- where a cable starts and where it goes ---- */

/* A cable lies on a body, and then has a length, or on a cable before it. */
static void check_lay(haw_reader *reader, const haw_yaml_node *node, const haw_cable_spec *cable)
{
    const haw_yaml_node *lay = haw_yaml_get(node, "lay");
    const haw_yaml_node *body = haw_yaml_get(lay, "body"), *core = haw_yaml_get(lay, "cable");
    if ((body != NULL) == (core != NULL)) {
        haw_read_error(reader, lay, "'lay' needs either a 'body' or a 'cable'");
    } else if (body != NULL) {
        haw_read_check_body(reader, body, cable->lay.on);
        if (haw_yaml_get(node, "length") == NULL) {
            haw_read_error(reader, node, "missing required key 'length', needed by 'lay'");
        }
    } else if (cable->lay.cable != NULL) {
        const haw_cable_spec *found =
            haw_scene_find_cable(&reader->scenario->scene, cable->lay.cable);
        if (found == NULL || found == cable) {
            haw_read_error(reader, core, "no cable before this one has the name '%.40s'",
                           cable->lay.cable);
        }
    }
}

/* Rules beyond those of single keys: bodies exist, only a cable laid on one has a tension and a
 * length. */
static void check_course(haw_reader *reader, const haw_yaml_node *node, const haw_cable_spec *cable)
{
    const haw_yaml_node *lay = haw_yaml_get(node, "lay"), *length = haw_yaml_get(node, "length");
    const bool is_plane = haw_read_dimension(reader) == 2;
    if (lay != NULL && lay->kind == HAW_YAML_MAPPING && !is_plane) {
        check_lay(reader, node, cable);
    }
    if ((lay == NULL || cable->lay.cable != NULL) && length != NULL &&
        haw_yaml_get(node, "tension") != NULL) {
        haw_read_error(reader, length->key, "'tension' and 'length' exclude each other");
    }
    if (haw_yaml_get(node, "reeving") != NULL && is_plane) {
        check_rope_course(reader, node, cable);
    }
}

/* A cable is a rope, `bezier`, unless a key speaks of its sections or of a stress-free shape: a
 * beam without bending stiffness has turns that nothing holds. */
static void choose_element(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
{
    static const char *const of_beams[] = {"bending_stiffness",
                                           "reference_strain",
                                           "reference_curvature",
                                           "torsional_stiffness",
                                           "shear_stiffness",
                                           "rotary_inertia",
                                           "twist_deg",
                                           "lay",
                                           NULL};
    const bool is_rope = haw_yaml_get(node, "element") != NULL || haw_yaml_get(node, "reeving");
    for (int i = 0; !is_rope && of_beams[i] != NULL; ++i) {
        if (haw_yaml_get(node, of_beams[i]) != NULL) {
            cable->element = haw_read_dimension(reader) == 3 ? "se3" : "ancf";
        }
    }
}

static void check_cable(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_cable_spec *cable = value;
    const haw_yaml_node *to = haw_yaml_get(node, "to");
    choose_element(reader, node, cable);
    haw_read_check_name(reader, node, cable->name);
    check_course(reader, node, cable);
    if (cable->closed) {
        haw_read_check_closed(reader, node, cable);
    }
    if (to != NULL && haw_read_is_same(reader, cable->from, cable->to)) {
        haw_read_error(reader, to, "'from' and 'to' are the same point");
    }
}

static void init_cable(const haw_reader *reader, void *value)
{
    (void)reader;
    *(haw_cable_spec *)value = haw_cable_spec_default();
}

/* ---- the keys of a cable ---- */

static const haw_row *element_at(int i, int *dimension)
{
    const haw_cable_ops *ops;
    const haw_row *row = haw_cable_element(i, &ops);
    *dimension = ops->dimension;
    return row;
}

static const haw_names element_names = {"element", "element", .row = element_at};

#define AT(field) offsetof(haw_cable_spec, field)
static const haw_key cable_keys[] = {
    {.of = haw_cable_options},
    {"element", &haw_form_name, AT(element), &element_names},
    {"path", &haw_form_list, AT(path), &haw_list_path,
     .help =
         "lines, arcs and curves from `from` on, which a curve at its beginning gives by itself",
     .excludes = "to|reeving", .absent = HAW_ABSENT_EQUAL, .asks = AT(segments)},
    {"reeving", &haw_form_list, AT(reeving), &sheaves, HAW_KEY_PLANE,
     .help = "sheaves in the order of the rope", .absent = HAW_ABSENT_EQUAL, .asks = AT(sheaves)},
    {"ends", &haw_form_braces, .of = &haw_mapping_ends, .help = "how both ends are held",
     .excludes = "closed", .absent = HAW_ABSENT_TRUE, .asks = AT(closed)},
    {"lay", .help = "how it lies on a body, or about a cable, at the start",
     .excludes = "from|to|path"},
    {"damping", .help = "of the cable"},
    {"modes", .help = "of the free spans of a rope over sheaves"},
    {"lay.body", .also = "on|true"},
    {"closed", .needs = "path", .excludes = "reeving"},
    {NULL},
};
#undef AT
static const haw_mapping cable_mapping = {
    "a cable", cable_keys, check_cable,
    .needs = {"from|path|lay|reeving", "to|path|lay|reeving|closed"}};
const haw_list haw_list_cables = {.mapping = &cable_mapping,
                                  .item = sizeof(haw_cable_spec),
                                  .init = init_cable,
                                  .has_names = true};
