/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of a body: circle or plane in the plane, a surface in space. */
#include "scenario/reader.h"
#include "shape/shape.h"
#include "shape/surface.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 32, NOUN_SIZE = 80, PROFILE_MIN = 4 };

/* What reading a shape takes of its row, of either dimension. */
typedef struct kind {
    const char *name;
    const haw_option *options;
    bool has_meridian;
} kind;

static const haw_option no_options[] = {{0}};

static int list_kinds(int dimension, kind list[NAMES_MAX])
{
    int count = 0;
    for (; dimension == 2 && haw_shapes[count] != NULL && count < NAMES_MAX; ++count) {
        list[count] = (kind){haw_shapes[count]->name, haw_shapes[count]->options, false};
    }
    for (; dimension == 3 && haw_surfaces[count] != NULL && count < NAMES_MAX; ++count) {
        const haw_surface_ops *ops = (const haw_surface_ops *)haw_surfaces[count];
        list[count] = (kind){ops->row.name, ops->row.options, ops->has_meridian};
    }
    return count;
}

/* ---- the meridian of a surface of revolution ---- */

static void read_arc(haw_reader *reader, const haw_yaml_node *node, haw_meridian_spec *piece)
{
    static const char *const keys[] = {"center", "to", NULL};
    if (!haw_read_kind(reader, node, "arc", HAW_YAML_MAPPING)) {
        return;
    }
    double *const value[] = {piece->center, piece->to};
    haw_read_keys(reader, node, "an arc of a meridian", keys);
    piece->is_arc = true;
    for (int i = 0; i < 2; ++i) {
        const haw_yaml_node *point = haw_yaml_get(node, keys[i]);
        if (point != NULL) {
            (void)haw_read_numbers(reader, point, keys[i], 2, value[i]);
        } else {
            haw_yaml_error(&reader->yaml, node, "missing required key '%s' in an arc of a meridian",
                           keys[i]);
        }
    }
}

static void read_piece(haw_reader *reader, const haw_yaml_node *node, haw_meridian_spec *piece)
{
    static const char *const keys[] = {"line", "arc", NULL};
    if (!haw_read_kind(reader, node, "part of a meridian", HAW_YAML_MAPPING)) {
        return;
    }
    const haw_yaml_node *line = haw_yaml_get(node, "line");
    const haw_yaml_node *arc = haw_yaml_get(node, "arc");
    haw_read_keys(reader, node, "a part of a meridian", keys);
    if ((line == NULL) == (arc == NULL)) {
        haw_yaml_error(&reader->yaml, node, "a part of a meridian is either a line or an arc");
    } else if (line != NULL) {
        (void)haw_read_numbers(reader, line, "line", 2, piece->to);
    } else {
        read_arc(reader, arc, piece);
    }
}

static void read_meridian(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const keys[] = {"from", "path", NULL};
    if (!haw_read_kind(reader, node, "meridian", HAW_YAML_MAPPING)) {
        return;
    }
    const haw_yaml_node *from = haw_yaml_get(node, "from");
    const haw_yaml_node *path = haw_yaml_get(node, "path");
    haw_read_keys(reader, node, "a meridian", keys);
    if (from == NULL || path == NULL) {
        haw_yaml_error(&reader->yaml, node, "missing required key '%s' in a meridian",
                       from == NULL ? "from" : "path");
        return;
    }
    (void)haw_read_numbers(reader, from, "from", 2, body->meridian_from);
    if (!haw_read_kind(reader, path, "path", HAW_YAML_LIST)) {
        return;
    }
    if (path->count == 0) {
        haw_yaml_error(&reader->yaml, path, "a meridian needs at least one line or arc");
        return;
    }
    haw_meridian_spec *piece = haw_read_allocate(reader, path->count, sizeof *piece);
    if (piece == NULL) {
        return;
    }
    int i = 0;
    for (const haw_yaml_node *item = path->first; item != NULL; item = item->next) {
        read_piece(reader, item, &piece[i++]);
    }
    body->meridian = piece;
    body->meridian_segments = path->count;
}

static void read_profile(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    if (node->kind == HAW_YAML_MAPPING) {
        haw_read_csv(reader, node, &body->profile);
    } else if (haw_read_kind(reader, node, "profile", HAW_YAML_LIST)) {
        haw_read_curve(reader, node, "z", PROFILE_MIN, &body->profile);
    }
}

static void read_revolution(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    const haw_yaml_node *meridian = haw_yaml_get(node, "meridian");
    const haw_yaml_node *profile = haw_yaml_get(node, "profile");
    if (meridian != NULL && profile != NULL) {
        haw_yaml_error(&reader->yaml, meridian->key, "'profile' and 'meridian' exclude each other");
    } else if (meridian != NULL) {
        read_meridian(reader, meridian, body);
    } else if (profile != NULL) {
        read_profile(reader, profile, body);
    } else {
        haw_yaml_error(&reader->yaml, node,
                       "missing required key 'profile' (or 'meridian') in the shape '%s'",
                       body->shape);
    }
}

/* ---- any shape ---- */

static bool is_other(haw_reader *reader, const haw_yaml_node *type)
{
    const int other = 5 - haw_read_dimension(reader);
    kind list[NAMES_MAX];
    const int count = list_kinds(other, list);
    for (int i = 0; type != NULL && type->kind == HAW_YAML_SCALAR && i < count; ++i) {
        if (strcmp(type->text, list[i].name) == 0) {
            haw_yaml_error(&reader->yaml, type, "the shape '%s' needs dimension: %d", list[i].name,
                           other);
            return true;
        }
    }
    return false;
}

static bool find_kind(haw_reader *reader, const haw_yaml_node *node, kind *found)
{
    const char *names[NAMES_MAX + 1] = {NULL};
    kind list[NAMES_MAX];
    const int count = list_kinds(haw_read_dimension(reader), list);
    const haw_yaml_node *word = haw_yaml_get(node, "type");
    bool is_known = false;
    for (int i = 0; i < count; ++i) {
        names[i] = list[i].name;
        is_known = is_known || (word != NULL && word->kind == HAW_YAML_SCALAR &&
                                strcmp(word->text, names[i]) == 0);
    }
    if (!is_known && is_other(reader, word)) {
        return false;
    }
    const int type = haw_read_type(reader, node, "shape", names);
    if (type >= 0) {
        *found = list[type];
    }
    return type >= 0;
}

void haw_read_shape(haw_reader *reader, const haw_yaml_node *node, haw_body_spec *body)
{
    static const char *const plain[] = {"type", NULL};
    static const char *const drawn[] = {"type", "profile", "meridian", NULL};
    kind found;
    if (!haw_read_kind(reader, node, "shape", HAW_YAML_MAPPING) ||
        !find_kind(reader, node, &found)) {
        return;
    }
    const haw_option *options = found.options != NULL ? found.options : no_options;
    char noun[NOUN_SIZE];
    (void)snprintf(noun, sizeof noun, "the shape '%s'", found.name);
    const haw_grammar grammar = {noun, options, found.has_meridian ? drawn : plain, NULL};
    haw_options_init(options, body->shape_options);
    haw_read_options(reader, node, &grammar, body->shape_options);
    body->shape = found.name;
    if (found.has_meridian) {
        read_revolution(reader, node, body);
    }
}
