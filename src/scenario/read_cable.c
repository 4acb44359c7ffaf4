/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of `cables`: the straight line, path or laid curve, the material. */
#include "element/space.h"
#include "scenario/reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINT_SIZE = 96 };

static const double CLOSED = 1e-9; /* gap of a closed path over its size */

static const char *const cable_keys[] = {"path", "ends", "reeving", NULL};
const haw_grammar haw_grammar_cable = {"a cable", haw_cable_options, cable_keys, NULL};

#define AT(field) offsetof(haw_path_segment, field)
const haw_option haw_arc_options[] = {
    {"center", HAW_OPTION_VECTOR, AT(center), NAN, -DBL_MAX, DBL_MAX, "m", "centre of the arc",
     NULL},
    {"radius", HAW_OPTION_REAL, AT(radius), NAN, DBL_MIN, DBL_MAX, "m", "radius of the arc", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), NAN, -36000.0, 36000.0, "deg",
     "turned angle, counter-clockwise positive", NULL},
    {0}};
#undef AT

static const haw_grammar arc_grammar = {"an arc", haw_arc_options, NULL, NULL};

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

static void read_line(haw_reader *reader, const haw_yaml_node *node, const double at[3],
                      haw_path_segment *segment)
{
    char text[POINT_SIZE];
    if (haw_read_numbers(reader, node, "line", haw_read_dimension(reader), segment->to) &&
        is_same(reader, segment->to, at)) {
        haw_yaml_error(&reader->yaml, node, "a line of no length: the path is at %s already",
                       describe_point(reader, at, 6, text));
    }
}

/* In space an arc turns about the z direction, in the plane where the path is. */
static bool is_level(const haw_reader *reader, const double at[3], const haw_path_segment *arc)
{
    return haw_read_dimension(reader) == 2 || fabs(at[2] - arc->center[2]) <= 1e-9 * arc->radius;
}

/* The arc starts where the path is; its end is written to segment->to. */
static void read_arc(haw_reader *reader, const haw_yaml_node *node, const double at[3],
                     haw_path_segment *segment)
{
    const double pi = 3.14159265358979323846;
    const int errors = reader->yaml.errors;
    segment->is_arc = true;
    if (!haw_read_kind(reader, node, "arc", HAW_YAML_MAPPING)) {
        return;
    }
    haw_options_init(haw_arc_options, segment);
    haw_read_options(reader, node, &arc_grammar, segment);
    if (reader->yaml.errors > errors) {
        return;
    }
    const double x = at[0] - segment->center[0], y = at[1] - segment->center[1];
    const double distance = hypot(x, y);
    char text[POINT_SIZE];
    if (!(fabs(distance - segment->radius) <= 1e-9 * segment->radius)) {
        haw_yaml_error(&reader->yaml, node,
                       "the arc does not start where the path is: %s is %.9g m from its "
                       "centre, the radius is %.9g m",
                       describe_point(reader, at, 9, text), distance, segment->radius);
    } else if (!is_level(reader, at, segment)) {
        haw_yaml_error(&reader->yaml, node,
                       "an arc turns about the z direction: its centre must be at the height of "
                       "the path, z = %.9g m",
                       at[2]);
    }
    if (segment->angle_deg == 0) {
        haw_yaml_error(&reader->yaml, haw_yaml_get(node, "angle_deg"), "an arc of no length");
    }
    const double c = cos(segment->angle_deg * pi / 180), s = sin(segment->angle_deg * pi / 180);
    segment->to[0] = segment->center[0] + c * x - s * y;
    segment->to[1] = segment->center[1] + s * x + c * y;
    segment->to[2] = at[2];
}

static void read_path(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
{
    static const char *const keys[] = {"line", "arc", NULL};
    if (!haw_read_kind(reader, node, "path", HAW_YAML_LIST)) {
        return;
    }
    if (node->count == 0) {
        haw_yaml_error(&reader->yaml, node, "a path needs at least one line or arc");
        return;
    }
    haw_path_segment *path = haw_read_allocate(reader, node->count, sizeof *path);
    if (path == NULL) {
        return;
    }
    const double *at = cable->from;
    int i = 0;
    for (const haw_yaml_node *item = node->first; item != NULL; item = item->next, ++i) {
        const int errors = reader->yaml.errors;
        const haw_yaml_node *line = haw_yaml_get(item, "line");
        const haw_yaml_node *arc = haw_yaml_get(item, "arc");
        if (!haw_read_kind(reader, item, "part of a path", HAW_YAML_MAPPING)) {
            return;
        }
        haw_read_keys(reader, item, "a part of a path", keys);
        if ((line == NULL) == (arc == NULL)) {
            haw_yaml_error(&reader->yaml, item, "a part of a path is either a line or an arc");
        } else if (line != NULL) {
            read_line(reader, line, at, &path[i]);
        } else {
            read_arc(reader, arc, at, &path[i]);
        }
        if (reader->yaml.errors > errors) {
            return; /* where the path goes on is not known */
        }
        at = path[i].to;
    }
    cable->path = path;
    cable->segments = node->count;
}

/* Two keys that say the same thing in different ways. */
static void check_either(haw_reader *reader, const haw_yaml_node *node, const char *a,
                         const char *b)
{
    const haw_yaml_node *second = haw_yaml_get(node, b);
    if (haw_yaml_get(node, a) != NULL && second != NULL) {
        haw_yaml_error(&reader->yaml, second->key != NULL ? second->key : second,
                       "'%s' and '%s' exclude each other", a, b);
    }
}

/* A closed cable needs a path back to its start and has no ends. */
static void check_closed(haw_reader *reader, const haw_yaml_node *node, const haw_cable_spec *cable)
{
    const haw_yaml_node *path = haw_yaml_get(node, "path");
    const haw_yaml_node *ends = haw_yaml_get(node, "ends");
    if (path == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'path' in a closed cable");
    }
    if (ends != NULL) {
        haw_yaml_error(&reader->yaml, ends->key, "a closed cable has no 'ends'");
    }
    if (cable->segments == 0) {
        return;
    }
    const double *end = cable->path[cable->segments - 1].to;
    double size = 0;
    for (int i = 0; i < cable->segments; ++i) {
        size = cable->path[i].is_arc ? fmax(size, cable->path[i].radius) : size;
        size = fmax(size, hypot(cable->path[i].to[0] - cable->from[0],
                                cable->path[i].to[1] - cable->from[1]));
    }
    if (!(hypot(end[0] - cable->from[0], end[1] - cable->from[1]) <= CLOSED * size)) {
        haw_yaml_error(&reader->yaml, path,
                       "the path of a closed cable must end where it starts, at [%.9g, %.9g] (got "
                       "[%.9g, %.9g])",
                       cable->from[0], cable->from[1], end[0], end[1]);
    }
}

/* A laid cable lies on a body, from a point of its surface on. */
static void check_lay(haw_reader *reader, const haw_yaml_node *node, const haw_yaml_node *lay,
                      const haw_cable_spec *cable)
{
    const haw_yaml_node *on = haw_yaml_get(lay, "on");
    if (lay->kind != HAW_YAML_MAPPING) {
        return; /* said by haw_read_options */
    }
    if (on == NULL) {
        haw_yaml_error(&reader->yaml, lay, "missing required key 'on' in 'lay'");
    } else if (cable->lay.on != NULL && haw_read_find_body(reader, cable->lay.on) == NULL) {
        haw_read_unknown_name(reader, on, cable->lay.on);
    }
    if (haw_yaml_get(node, "length") == NULL) {
        haw_yaml_error(&reader->yaml, node,
                       "missing required key 'length' in a cable that is laid");
    }
}

static void check_element(haw_reader *reader, const haw_yaml_node *node)
{
    const int dimension = haw_read_dimension(reader);
    const char *own[HAW_METHODS_MAX], *others[HAW_METHODS_MAX];
    haw_element_words(dimension, own);
    haw_element_words(5 - dimension, others);
    for (int i = 0; own[i] != NULL; ++i) {
        if (node->kind == HAW_YAML_SCALAR && strcmp(node->text, own[i]) == 0) {
            return;
        }
    }
    for (int i = 0; others[i] != NULL; ++i) {
        if (node->kind == HAW_YAML_SCALAR && strcmp(node->text, others[i]) == 0) {
            haw_yaml_error(&reader->yaml, node, "element '%s' needs dimension: %d", others[i],
                           5 - dimension);
            return;
        }
    }
    (void)haw_read_word(reader, node, "element", own);
}

/* A cable is straight, along a path, or laid on a body: where it starts and where it goes. */
static void check_course(haw_reader *reader, const haw_yaml_node *node, const haw_cable_spec *cable)
{
    const haw_yaml_node *from = haw_yaml_get(node, "from");
    const haw_yaml_node *lay = haw_yaml_get(node, "lay");
    if (lay != NULL && haw_read_dimension(reader) == 3) {
        check_either(reader, node, "from", "lay");
        check_either(reader, node, "to", "lay");
        check_either(reader, node, "path", "lay");
        check_lay(reader, node, lay, cable);
        return;
    }
    check_either(reader, node, "tension", "length");
    if (haw_yaml_get(node, "reeving") != NULL) {
        haw_read_rope_course(reader, node, cable);
        return;
    }
    check_either(reader, node, "to", "path");
    if (from == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'from' in a cable");
    }
    if (haw_yaml_get(node, "to") == NULL && haw_yaml_get(node, "path") == NULL && !cable->closed) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'to' (or 'path') in a cable");
    }
}

/* Ropes are planar, and in the plane nothing else ends at a body. */
static void check_rope(haw_reader *reader, const haw_yaml_node *reeving, const haw_yaml_node *ends,
                       const haw_cable_spec *cable)
{
    const bool is_plane = haw_read_dimension(reader) == 2;
    const bool rides = cable->ends[0].body != NULL || cable->ends[1].body != NULL;
    if (reeving != NULL && !is_plane) {
        haw_yaml_error(&reader->yaml, reeving->key, "'reeving' needs dimension: 2");
    } else if (reeving == NULL && is_plane && rides && ends != NULL) {
        haw_yaml_error(&reader->yaml, ends->key,
                       "a cable that ends at a body needs 'reeving' or dimension: 3");
    }
}

void haw_read_cable(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
{
    if (!haw_read_kind(reader, node, "an entry of 'cables'", HAW_YAML_MAPPING)) {
        reader->names_lost = true;
        return;
    }
    if (haw_read_dimension(reader) == 3) {
        cable->element = haw_space_elements[0]->name;
    }
    haw_read_options(reader, node, &haw_grammar_cable, cable);
    haw_read_check_name(reader, node, cable->name);
    const haw_yaml_node *element = haw_yaml_get(node, "element");
    const haw_yaml_node *path = haw_yaml_get(node, "path");
    const haw_yaml_node *ends = haw_yaml_get(node, "ends");
    const haw_yaml_node *reeving = haw_yaml_get(node, "reeving");
    if (reeving != NULL) {
        haw_read_reeving(reader, reeving, cable);
    }
    if (ends != NULL) {
        haw_read_ends(reader, ends, cable);
    }
    check_rope(reader, reeving, ends, cable);
    check_course(reader, node, cable);
    if (element != NULL && cable->element != NULL) {
        check_element(reader, element);
    }
    if (path != NULL && !isnan(cable->from[0]) && !isnan(cable->from[1])) {
        read_path(reader, path, cable);
    }
    if (cable->closed) {
        check_closed(reader, node, cable);
    }
    const haw_yaml_node *to = haw_yaml_get(node, "to");
    if (to != NULL && is_same(reader, cable->from, cable->to)) {
        haw_yaml_error(&reader->yaml, to, "'from' and 'to' are the same point");
    }
}
