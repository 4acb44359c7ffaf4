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

enum { POINT_SIZE = 96 };

static const double CLOSED = 1e-9; /* gap of a closed path over its size */

/* ---- path: lines and arcs, each from where the one before ends ---- */

#define AT(field) offsetof(haw_path_segment, field)
static const haw_option arc_options[] = {
    {"center", HAW_OPTION_VECTOR, AT(center), NAN, -DBL_MAX, DBL_MAX, "m", "centre of the arc",
     NULL},
    {"radius", HAW_OPTION_REAL, AT(radius), NAN, DBL_MIN, DBL_MAX, "m", "radius of the arc", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), NAN, -36000.0, 36000.0, "deg",
     "angle of the arc, counter-clockwise positive", NULL},
    {0}};
#undef AT

static bool is_same(const haw_reader *reader, const double a[3], const double b[3])
{
    bool same = true;
    for (int i = 0; i < haw_read_dimension(reader); ++i) {
        same = same && a[i] == b[i];
    }
    return same;
}

/* "[1, 2]" or "[1, 2, 3]" */
static const char *describe_point(const haw_reader *reader, const double x[3], int digits,
                                  char text[POINT_SIZE])
{
    if (haw_read_dimension(reader) == 3) {
        (void)snprintf(text, POINT_SIZE, "[%.*g, %.*g, %.*g]", digits, x[0], digits, x[1], digits,
                       x[2]);
    } else {
        (void)snprintf(text, POINT_SIZE, "[%.*g, %.*g]", digits, x[0], digits, x[1]);
    }
    return text;
}

/* The arc starts where the path is, and turns about the z direction; its end is written to
 * segment->to. */
static void check_arc(haw_reader *reader, const haw_yaml_node *node, const double at[3],
                      haw_path_segment *segment)
{
    const double pi = 3.14159265358979323846;
    const double x = at[0] - segment->center[0], y = at[1] - segment->center[1];
    const double distance = hypot(x, y), height = fabs(at[2] - segment->center[2]);
    char text[POINT_SIZE];
    if (!(fabs(distance - segment->radius) <= 1e-9 * segment->radius)) {
        haw_read_error(
            reader, node,
            "the arc does not start at the end of the path so far: %s is %.9g m from its "
            "centre, the radius is %.9g m",
            describe_point(reader, at, 9, text), distance, segment->radius);
    } else if (haw_read_dimension(reader) == 3 && !(height <= 1e-9 * segment->radius)) {
        haw_read_error(reader, node,
                       "an arc turns about the z direction: its centre must be at the height of "
                       "the path, z = %.9g m",
                       at[2]);
    }
    if (segment->angle_deg == 0) {
        haw_read_error(reader, haw_yaml_get(node, "angle_deg"), "the arc has no length");
    }
    const double c = cos(segment->angle_deg * pi / 180), s = sin(segment->angle_deg * pi / 180);
    segment->to[0] = segment->center[0] + c * x - s * y;
    segment->to[1] = segment->center[1] + s * x + c * y;
    segment->to[2] = at[2];
}

/*
 * Each part starts where the one before ends. After an error the cable has no path: where it goes
 * on is not known, and nothing more can be said of it.
 */
static void check_path(haw_reader *reader, const haw_yaml_node *list, void *value, bool is_good)
{
    haw_cable_spec *cable = value;
    const int errors = reader->yaml.errors;
    const double *at = cable->from;
    haw_path_segment *segment = NULL;
    /* the array is still writable here; NOLINTNEXTLINE(bugprone-sizeof-expression) */
    memcpy(&segment, &cable->path, sizeof segment);
    is_good = is_good && !isnan(at[0]) && !isnan(at[1]);
    for (const haw_yaml_node *item = list->first; is_good && item != NULL; item = item->next) {
        char text[POINT_SIZE];
        if (segment->is_arc) {
            check_arc(reader, item->first, at, segment);
        } else if (is_same(reader, segment->to, at)) {
            haw_read_error(reader, item->first,
                           "this line has no length: the path is already at %s",
                           describe_point(reader, at, 6, text));
        }
        is_good = reader->yaml.errors == errors;
        at = segment->to;
        ++segment;
    }
    cable->segments = is_good ? list->count : 0;
}

#define AT(field) offsetof(haw_path_segment, field)
static const haw_key arc_keys[] = {{.of = arc_options}, {NULL}};
static const haw_mapping arc_mapping = {"an arc", arc_keys};
static const haw_key segment_keys[] = {
    {"line", &haw_form_point, AT(to), .absent = HAW_ABSENT_TRUE, .asks = AT(is_arc),
     .help = "end of a straight part", .unit = "m"},
    {"arc", &haw_form_mapping, .of = &arc_mapping, .absent = HAW_ABSENT_FALSE, .asks = AT(is_arc),
     .help = "part of a circle"},
    {NULL},
};
#undef AT
static const haw_mapping segment_mapping = {"a part of a path", segment_keys, haw_piece_check,
                                            .choice =
                                                "a part of a path must be either a line or an arc"};
static const haw_list segments = {.mapping = &segment_mapping,
                                  .item = sizeof(haw_path_segment),
                                  .check = check_path,
                                  .is_empty = "a path needs at least one line or arc"};

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

/* The path of a closed cable leads back to its start. */
static void check_closed(haw_reader *reader, const haw_yaml_node *node, const haw_cable_spec *cable)
{
    if (cable->segments == 0) {
        return;
    }
    const double *from = cable->from, *end = cable->path[cable->segments - 1].to;
    const double miss = hypot(end[0] - from[0], end[1] - from[1]);
    const double rise = haw_read_dimension(reader) == 3 ? end[2] - from[2] : 0;
    char text[2][POINT_SIZE];
    double size = 0;
    for (int i = 0; i < cable->segments; ++i) {
        const haw_path_segment *part = &cable->path[i];
        size = part->is_arc ? fmax(size, part->radius) : size;
        size = fmax(size, hypot(part->to[0] - from[0], part->to[1] - from[1]));
    }
    if (!(hypot(miss, rise) <= CLOSED * size)) {
        haw_read_error(reader, haw_yaml_get(node, "path"),
                       "the path of a closed cable must end where it starts, at %s (got %s)",
                       describe_point(reader, from, 9, text[0]),
                       describe_point(reader, end, 9, text[1]));
    }
}

/* Rules beyond those of single keys: bodies exist, only a laid cable has a tension and a length. */
static void check_course(haw_reader *reader, const haw_yaml_node *node, const haw_cable_spec *cable)
{
    const haw_yaml_node *lay = haw_yaml_get(node, "lay"), *length = haw_yaml_get(node, "length");
    const bool is_plane = haw_read_dimension(reader) == 2;
    if (lay != NULL && lay->kind == HAW_YAML_MAPPING && !is_plane) {
        haw_read_check_body(reader, haw_yaml_get(lay, "body"), cable->lay.on);
    } else if (lay == NULL && length != NULL && haw_yaml_get(node, "tension") != NULL) {
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
        check_closed(reader, node, cable);
    }
    if (to != NULL && is_same(reader, cable->from, cable->to)) {
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
    {"path", &haw_form_list, AT(path), &segments, .help = "lines and arcs from `from` on",
     .excludes = "to|reeving", .absent = HAW_ABSENT_EQUAL, .asks = AT(segments)},
    {"reeving", &haw_form_list, AT(reeving), &sheaves, HAW_KEY_PLANE,
     .help = "sheaves in the order of the rope", .absent = HAW_ABSENT_EQUAL, .asks = AT(sheaves)},
    {"ends", &haw_form_braces, .of = &haw_mapping_ends, .help = "how both ends are held",
     .excludes = "closed", .absent = HAW_ABSENT_TRUE, .asks = AT(closed)},
    {"lay", .help = "how it lies on a body at the start", .needs = "length",
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
    .needs = {"from|lay|reeving", "to|path|lay|reeving|closed"}};
const haw_list haw_list_cables = {.mapping = &cable_mapping,
                                  .item = sizeof(haw_cable_spec),
                                  .init = init_cable,
                                  .has_names = true};
