/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of `cables`: the straight line or path, its ends, the material. */
#include "scenario/reader.h"

#include <float.h>
#include <math.h>

static const double CLOSED = 1e-9; /* gap of a closed path over its size */

static const char *const cable_keys[] = {"path", "ends", NULL};
static const char *const cable_optional[] = {"to", "tension", "length", NULL};
const haw_grammar haw_grammar_cable = {"a cable", haw_cable_options, cable_keys, cable_optional};

const char *const haw_end_names[] = {"pinned", "free", "clamped", NULL};
const haw_end_kind haw_end_kinds[] = {HAW_END_PINNED, HAW_END_FREE, HAW_END_CLAMPED};

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

static void read_line(haw_reader *reader, const haw_yaml_node *node, const double at[2],
                      haw_path_segment *segment)
{
    if (haw_read_numbers(reader, node, "line", 2, segment->to) && segment->to[0] == at[0] &&
        segment->to[1] == at[1]) {
        haw_yaml_error(&reader->yaml, node, "a line of no length: the path is at [%g, %g] already",
                       at[0], at[1]);
    }
}

/* The arc starts where the path is; its end is written to segment->to. */
static void read_arc(haw_reader *reader, const haw_yaml_node *node, const double at[2],
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
    if (!(fabs(distance - segment->radius) <= 1e-9 * segment->radius)) {
        haw_yaml_error(&reader->yaml, node,
                       "the arc does not start where the path is: [%.9g, %.9g] is %.9g m from its "
                       "centre, the radius is %.9g m",
                       at[0], at[1], distance, segment->radius);
    }
    if (segment->angle_deg == 0) {
        haw_yaml_error(&reader->yaml, haw_yaml_get(node, "angle_deg"), "an arc of no length");
    }
    const double c = cos(segment->angle_deg * pi / 180), s = sin(segment->angle_deg * pi / 180);
    segment->to[0] = segment->center[0] + c * x - s * y;
    segment->to[1] = segment->center[1] + s * x + c * y;
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

static void read_end(haw_reader *reader, const haw_yaml_node *node, haw_end_spec *end)
{
    static const char *const keys[] = {"motion", NULL};
    static const char *const motion_keys[] = {"velocity", NULL};
    if (node->kind != HAW_YAML_MAPPING) {
        const int word = haw_read_word(reader, node, "end of a cable", haw_end_names);
        end->kind = haw_end_kinds[word > 0 ? word : 0];
        return;
    }
    const haw_yaml_node *motion = haw_yaml_get(node, "motion");
    haw_read_keys(reader, node, "an end of a cable", keys);
    if (motion == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'motion' in an end of a cable");
        return;
    }
    if (!haw_read_kind(reader, motion, "motion", HAW_YAML_MAPPING)) {
        return;
    }
    end->kind = HAW_END_MOTION;
    if (haw_yaml_get(motion, "table") != NULL) {
        haw_read_function_pair(reader, motion, "motion", end->velocity);
        return;
    }
    haw_read_keys(reader, motion, "the motion of an end", motion_keys);
    const haw_yaml_node *velocity = haw_yaml_get(motion, "velocity");
    if (velocity == NULL) {
        haw_yaml_error(&reader->yaml, motion, "missing required key 'velocity' in the motion");
        return;
    }
    haw_read_function_pair(reader, velocity, "velocity", end->velocity);
}

static void read_ends(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
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

static void check_element(haw_reader *reader, const haw_yaml_node *node)
{
    const char *names[HAW_METHODS_MAX];
    haw_element_words(names);
    (void)haw_read_word(reader, node, "element", names);
}

void haw_read_cable(haw_reader *reader, const haw_yaml_node *node, haw_cable_spec *cable)
{
    if (!haw_read_kind(reader, node, "an entry of 'cables'", HAW_YAML_MAPPING)) {
        reader->names_lost = true;
        return;
    }
    haw_read_options(reader, node, &haw_grammar_cable, cable);
    haw_read_check_name(reader, node, cable->name);
    check_either(reader, node, "tension", "length");
    check_either(reader, node, "to", "path");
    if (haw_yaml_get(node, "to") == NULL && haw_yaml_get(node, "path") == NULL && !cable->closed) {
        haw_yaml_error(&reader->yaml, node, "missing required key 'to' (or 'path') in a cable");
    }
    const haw_yaml_node *element = haw_yaml_get(node, "element");
    const haw_yaml_node *path = haw_yaml_get(node, "path");
    const haw_yaml_node *ends = haw_yaml_get(node, "ends");
    if (element != NULL && cable->element != NULL) {
        check_element(reader, element);
    }
    if (path != NULL && !isnan(cable->from[0]) && !isnan(cable->from[1])) {
        read_path(reader, path, cable);
    }
    if (ends != NULL) {
        read_ends(reader, ends, cable);
    }
    if (cable->closed) {
        check_closed(reader, node, cable);
    }
    if (cable->from[0] == cable->to[0] && cable->from[1] == cable->to[1]) {
        haw_yaml_error(&reader->yaml, haw_yaml_get(node, "to"),
                       "'from' and 'to' are the same point");
    }
}
