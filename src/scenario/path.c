/* SPDX-License-Identifier: BSD-3-Clause */
/* `path` of a cable: lines, arcs, curves through points and helices, each from where the one before
 * ends. */
#include "cable/trace.h"
#include "scenario/grammar.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINT_SIZE = 96, POINTS_LEAST = 3, POINTS_MOST = 100000, POINT_NUMBERS = 4 };

static const double pi = 3.14159265358979323846;
static const double CLOSED = 1e-6; /* gap of a closed path over its size, of seven digits */

bool haw_read_is_same(const haw_reader *reader, const double a[3], const double b[3])
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

/* ---- curves through points ---- */

/* Neighbours that coincide have no curve between them. @param place  where the row stands: a node,
 * or else a line of a file */
static bool check_neighbours(haw_reader *reader, const haw_yaml_node *node, const haw_rows *rows,
                             const double *p)
{
    char text[POINT_SIZE];
    if (!haw_read_is_same(reader, p, p - POINT_NUMBERS)) {
        return true;
    }
    if (rows != NULL) {
        const ptrdiff_t i = rows->count;
        haw_read_error(reader, node, "'%.150s' line %d: the point %s is that of the line before",
                       rows->path, rows->line[i], describe_point(reader, p, 6, text));
    } else {
        haw_read_error(reader, node, "two points that follow one another are the same: %s",
                       describe_point(reader, p, 6, text));
    }
    return false;
}

static void check_count(haw_reader *reader, const haw_yaml_node *node, haw_path_segment *piece)
{
    if (piece->points < POINTS_LEAST) {
        haw_read_error(reader, node, "a curve needs at least %d points (got %d)", POINTS_LEAST,
                       piece->points);
    } else if (piece->points > POINTS_MOST) {
        haw_read_error(reader, node, "a curve takes at most %d points (got %d)", POINTS_MOST,
                       piece->points);
    }
}

/* Rows [x, y], or [x, y, z] and all of them with a twist or none. */
static void read_points(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_path_segment *piece = value;
    const int d = haw_read_dimension(reader);
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST)) {
        return;
    }
    double *p = haw_read_allocate(reader, node->count + 1, POINT_NUMBERS * sizeof *p);
    const bool has_twist = d == 3 && node->first != NULL && node->first->count == POINT_NUMBERS;
    piece->point = p;
    for (const haw_yaml_node *row = node->first; p != NULL && row != NULL; row = row->next) {
        if (!haw_read_numbers(reader, row, "point of a curve", has_twist ? POINT_NUMBERS : d, p) ||
            (piece->points > 0 && !check_neighbours(reader, row, NULL, p))) {
            return;
        }
        ++piece->points;
        p += POINT_NUMBERS;
    }
    check_count(reader, node, piece);
}

static void write_points(haw_resolve *out, const void *value)
{
    const haw_path_segment *piece = value;
    bool has_twist = false;
    for (int k = 0; k < piece->points; ++k) {
        has_twist = has_twist || piece->point[POINT_NUMBERS * k + 3] != 0;
    }
    const int count = has_twist && out->dimension == 3 ? POINT_NUMBERS : out->dimension;
    for (int k = 0; k < piece->points; ++k) {
        haw_text_add(&out->text, "%s", k > 0 ? ", " : "[");
        haw_resolve_numbers(out, count, piece->point + (ptrdiff_t)POINT_NUMBERS * k);
    }
    haw_text_add(&out->text, "]");
}

static const haw_form points_form = {
    read_points, write_points,
    .schema = "\"type\": \"array\", \"minItems\": 3, \"items\": {\"type\": \"array\", "
              "\"minItems\": 2, \"maxItems\": 4, \"items\": {\"type\": \"number\"}}",
    .word = "list"};

/* The same from a file: columns x, y, or x, y, z and a twist that may lack. */
static void read_file(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_path_segment *piece = value;
    const int d = haw_read_dimension(reader);
    const char *file = haw_read_text(reader, node, node->key->text);
    haw_rows rows = {.columns = d == 3 ? 4 : 2, .least = d, .column = {1, 2, 3, 4}};
    if (file == NULL || !haw_read_rows(reader, node, file, &rows)) {
        return;
    }
    double *p = haw_read_allocate(reader, rows.count + 1, POINT_NUMBERS * sizeof *p);
    const int count = rows.count;
    piece->point = p;
    for (rows.count = 0; p != NULL && rows.count < count; ++rows.count) {
        memcpy(p, rows.value + (ptrdiff_t)rows.columns * rows.count,
               (size_t)rows.columns * sizeof *p);
        if (rows.count > 0 && !check_neighbours(reader, node, &rows, p)) {
            return;
        }
        ++piece->points;
        p += POINT_NUMBERS;
    }
    check_count(reader, node, piece);
}

static const haw_form file_form = {read_file, NULL, .schema = "\"type\": \"string\"",
                                   .word = "text"};

/* ---- arcs ---- */

#define AT(field) offsetof(haw_path_segment, field)
static const haw_option arc_options[] = {
    {"center", HAW_OPTION_VECTOR, AT(center), NAN, -DBL_MAX, DBL_MAX, "m", "centre of the arc",
     NULL},
    {"radius", HAW_OPTION_REAL, AT(radius), NAN, DBL_MIN, DBL_MAX, "m", "radius of the arc", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), NAN, -36000.0, 36000.0, "deg",
     "angle of the arc, counter-clockwise about its axis positive", NULL},
    {"axis", HAW_OPTION_VECTOR, AT(axis), NAN, -DBL_MAX, DBL_MAX, "",
     "direction of its axis, which passes through the centre; without it the z direction", NULL,
     HAW_KEY_OPEN | HAW_KEY_SPACE},
    {0}};

static const double ROUNDED = 1e-5; /* of the radius: tangent points come with six digits */

/* The arc starts where the path is, which gives the last digits of its radius; its end is written
 * to segment->to. */
static void check_arc(haw_reader *reader, const haw_yaml_node *node, const double at[3],
                      haw_path_segment *segment)
{
    double e[3][3], start[3] = {0, 0, 0};
    haw_axis_frame(segment->axis, e);
    for (int i = 0; i < 3 * haw_read_dimension(reader); ++i) {
        const int k = i / 3;
        start[i % 3] += (at[k] - segment->center[k]) * e[i % 3][k];
    }
    const double distance = hypot(start[1], start[2]);
    char text[POINT_SIZE];
    if (!(fabs(distance - segment->radius) <= ROUNDED * segment->radius)) {
        haw_read_error(
            reader, node,
            "the arc does not start at the end of the path so far: %s is %.9g m from its "
            "%s, the radius is %.9g m",
            describe_point(reader, at, 9, text), distance,
            haw_read_dimension(reader) == 3 ? "axis" : "centre", segment->radius);
    } else if (haw_read_dimension(reader) == 3 && !(fabs(start[0]) <= 1e-9 * segment->radius)) {
        haw_read_error(reader, node,
                       "an arc turns about its axis, the z direction if it has none: %s is %.9g m "
                       "along it from its centre",
                       describe_point(reader, at, 9, text), start[0]);
    }
    segment->radius = distance > 0 ? distance : segment->radius;
    if (segment->angle_deg == 0) {
        haw_read_error(reader, haw_yaml_get(node, "angle_deg"), "the arc has no length");
    }
    const double c = cos(segment->angle_deg * pi / 180), s = sin(segment->angle_deg * pi / 180);
    memcpy(segment->to, at, sizeof segment->to);
    for (int i = 0; i < haw_read_dimension(reader); ++i) {
        segment->to[i] = segment->center[i] + start[0] * e[0][i] +
                         (c * start[1] - s * start[2]) * e[1][i] +
                         (s * start[1] + c * start[2]) * e[2][i];
    }
}

/* ---- helices ---- */

static const haw_option helix_options[] = {
    {"axis", HAW_OPTION_VECTOR, AT(axis), NAN, -DBL_MAX, DBL_MAX, "", "direction of the axis",
     NULL},
    {"center", HAW_OPTION_VECTOR, AT(center), NAN, -DBL_MAX, DBL_MAX, "m",
     "point of the axis at the height where the helix starts", NULL},
    {"radius", HAW_OPTION_REAL, AT(radius), NAN, DBL_MIN, DBL_MAX, "m",
     "distance of the centreline from the axis", NULL},
    {"turns", HAW_OPTION_REAL, AT(turns), NAN, -1e4, 1e4, "",
     "number of turns; > 0: right-handed, < 0: left-handed", NULL},
    {"pitch", HAW_OPTION_REAL, AT(pitch), NAN, DBL_MIN, DBL_MAX, "m",
     "height of a turn; this or lay_deg", NULL, HAW_KEY_OPEN},
    {"lay_deg", HAW_OPTION_REAL, AT(lay_deg), NAN, DBL_MIN, 90.0, "deg",
     "angle between the helix and its axis; 90: rings", NULL, HAW_KEY_OPEN},
    {"phase_deg", HAW_OPTION_REAL, AT(phase_deg), 0.0, -DBL_MAX, DBL_MAX, "deg",
     "where it starts: angle about the axis, from e_z x axis, or from e_x about the z direction",
     NULL},
    {"ramp", HAW_OPTION_REAL, AT(ramp), 0.0, 0.0, 0.5, "",
     "part of its height at either end in which the turns set in, so that it starts and ends along "
     "the axis",
     NULL},
    {0}};

/* Place of a helix after the angle phi and the height z. */
static void helix_place(const haw_path_segment *h, double phi, double z, double x[3])
{
    const double c = h->radius * cos(phi), s = h->radius * sin(phi);
    double e[3][3];
    haw_axis_frame(h->axis, e);
    for (int i = 0; i < 3; ++i) {
        x[i] = h->center[i] + z * e[0][i] + c * e[1][i] + s * e[2][i];
    }
}

static void helix_ends(const haw_path_segment *h, double start[3], double end[3])
{
    const double phase = h->phase_deg * pi / 180;
    const double pitch = haw_helix_pitch(h->radius, h->pitch, h->lay_deg);
    helix_place(h, phase, 0, start);
    helix_place(h, phase + 2 * pi * h->turns, pitch * fabs(h->turns) / (1 - h->ramp), end);
}

static void check_axis(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_path_segment *h = value;
    const double size = fabs(h->axis[0]) + fabs(h->axis[1]) + fabs(h->axis[2]);
    if (size == 0) {
        haw_read_error(reader, haw_yaml_get(node, "axis"), "the axis has no direction");
    }
}

static void check_helix(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    const haw_path_segment *h = value;
    check_axis(reader, node, value);
    if (h->turns == 0) {
        haw_read_error(reader, haw_yaml_get(node, "turns"), "the helix has no turns");
    }
}

/* ---- pieces ---- */

static const haw_key arc_keys[] = {{.of = arc_options}, {NULL}};
static const haw_mapping arc_mapping = {"an arc", arc_keys, check_axis};
static const haw_key helix_keys[] = {
    {.of = helix_options}, {"pitch", .excludes = "lay_deg"}, {NULL}};
static const haw_mapping helix_mapping = {"a helix", helix_keys, check_helix,
                                          .needs = {"pitch|lay_deg"}};
static const haw_key segment_keys[] = {
    {"line", &haw_form_point, AT(to), .absent = HAW_ABSENT_OTHER, .asks = AT(kind),
     .value = HAW_PIECE_LINE, .help = "end of a straight part", .unit = "m"},
    {"arc", &haw_form_mapping, .of = &arc_mapping, .absent = HAW_ABSENT_OTHER, .asks = AT(kind),
     .value = HAW_PIECE_ARC, .help = "part of a circle"},
    {"points", &points_form, .absent = HAW_ABSENT_OTHER, .asks = AT(kind),
     .value = HAW_PIECE_POINTS,
     .help =
         "smooth curve through points [x, y] or [x, y, z], where it starts among them; in space "
         "a fourth number is the twist of the section against a frame that does not twist, deg",
     .unit = "m"},
    {"file", &file_form, .absent = HAW_ABSENT_ALWAYS,
     .help = "the same through the rows of a text file, relative to the scenario file: columns x, "
             "y, and in space z and, if there are four, the twist in deg"},
    {"helix", &haw_form_mapping, .of = &helix_mapping, .flags = HAW_KEY_SPACE,
     .absent = HAW_ABSENT_OTHER, .asks = AT(kind), .value = HAW_PIECE_HELIX,
     .help = "turns about a straight axis"},
    {NULL},
};
#undef AT

static void check_kind(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    static const struct {
        const char *key;
        haw_piece kind;
    } row[] = {{"line", HAW_PIECE_LINE},
               {"arc", HAW_PIECE_ARC},
               {"points", HAW_PIECE_POINTS},
               {"file", HAW_PIECE_POINTS},
               {"helix", HAW_PIECE_HELIX}};

    haw_path_segment *piece = value;
    (void)reader;
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
        piece->kind = haw_yaml_get(node, row[i].key) != NULL ? (int)row[i].kind : piece->kind;
    }
}

static void begin_piece(const haw_reader *reader, void *value)
{
    (void)reader;
    haw_mapping_init(&helix_mapping, value);
}

static const haw_mapping segment_mapping = {
    "a part of a path", segment_keys, check_kind,
    .choice = "a part of a path must be one of line, arc, points, file and helix"};

/* ---- the path ---- */

/* Where a curve starts; false for pieces that start anywhere. Its end is written to piece->to. */
static bool find_start(haw_path_segment *piece, double start[3])
{
    if (piece->kind == HAW_PIECE_POINTS) {
        memcpy(start, piece->point, 3 * sizeof *start);
        memcpy(piece->to, piece->point + (ptrdiff_t)POINT_NUMBERS * (piece->points - 1),
               sizeof piece->to);
        return true;
    }
    if (piece->kind == HAW_PIECE_HELIX) {
        helix_ends(piece, start, piece->to);
        return true;
    }
    return false;
}

/* Curves start where the path is. */
static void check_start(haw_reader *reader, const haw_yaml_node *node, const double at[3],
                        const double start[3], const double end[3])
{
    char text[2][POINT_SIZE];
    const bool is_flat = haw_read_dimension(reader) == 2;
    const double rise = is_flat ? 0 : start[2] - at[2], way = is_flat ? 0 : end[2] - start[2];
    const double miss = hypot(hypot(start[0] - at[0], start[1] - at[1]), rise);
    const double size = hypot(hypot(end[0] - start[0], end[1] - start[1]), way);
    const double scale = fmax(size, hypot(start[0], start[1]));
    if (!(miss <= CLOSED * fmax(scale, fabs(start[2])))) {
        haw_read_error(reader, node,
                       "the curve does not start at the end of the path so far: it starts at %s, "
                       "the path is at %s",
                       describe_point(reader, start, 9, text[0]),
                       describe_point(reader, at, 9, text[1]));
    }
}

/* A curve at the beginning says where the cable starts. */
static bool begin_path(haw_reader *reader, const haw_yaml_node *list, haw_cable_spec *cable,
                       haw_path_segment *first)
{
    double start[3] = {0, 0, 0};
    const bool is_given = !isnan(cable->from[0]) && !isnan(cable->from[1]);
    if (is_given) {
        return true;
    }
    if (!find_start(first, start)) {
        haw_read_error(reader, list->key, "the path needs a 'from' to start at");
        return false;
    }
    memcpy(cable->from, start, sizeof start);
    return true;
}

/*
 * Each part starts where the one before ends. After an error the cable has no path: where it goes
 * on is not known, and nothing more can be said of it.
 */
static void check_path(haw_reader *reader, const haw_yaml_node *list, void *value, bool is_good)
{
    haw_cable_spec *cable = value;
    const int errors = reader->yaml.errors;
    haw_path_segment *segment = NULL;
    /* the array is still writable here; NOLINTNEXTLINE(bugprone-sizeof-expression) */
    memcpy(&segment, &cable->path, sizeof segment);
    is_good = is_good && begin_path(reader, list, cable, segment);
    const double *at = cable->from;
    for (const haw_yaml_node *item = list->first; is_good && item != NULL; item = item->next) {
        char text[POINT_SIZE];
        double start[3];
        if (find_start(segment, start)) {
            check_start(reader, item->first, at, start, segment->to);
        } else if (segment->kind == HAW_PIECE_ARC) {
            check_arc(reader, item->first, at, segment);
        } else if (haw_read_is_same(reader, segment->to, at)) {
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

/* The path of a closed cable leads back to its start. */
void haw_read_check_closed(haw_reader *reader, const haw_yaml_node *node,
                           const haw_cable_spec *cable)
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
        const bool is_round = part->kind == HAW_PIECE_ARC || part->kind == HAW_PIECE_HELIX;
        size = is_round ? fmax(size, part->radius) : size;
        size = fmax(size, hypot(part->to[0] - from[0], part->to[1] - from[1]));
        for (int k = 0; k < part->points; ++k) {
            const double *p = part->point + (ptrdiff_t)POINT_NUMBERS * k;
            size = fmax(size, hypot(p[0] - from[0], p[1] - from[1]));
        }
    }
    if (!(hypot(miss, rise) <= CLOSED * size)) {
        haw_read_error(reader, haw_yaml_get(node, "path"),
                       "the path of a closed cable must end where it starts, at %s (got %s)",
                       describe_point(reader, from, 9, text[0]),
                       describe_point(reader, end, 9, text[1]));
    }
}

const haw_list haw_list_path = {.mapping = &segment_mapping,
                                .item = sizeof(haw_path_segment),
                                .init = begin_piece,
                                .check = check_path,
                                .is_empty = "a path needs at least one part"};
