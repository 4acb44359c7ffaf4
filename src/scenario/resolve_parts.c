/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of bodies and ends of cables as YAML. */
#include "scenario/resolve.h"
#include "shape/shape.h"
#include "shape/surface.h"

static const haw_option *shape_options(const haw_resolve *out, const char *name)
{
    return haw_row_find(out->dimension == 3 ? haw_surfaces : haw_shapes, name)->options;
}

static void add_meridian(haw_resolve *out, const haw_body_spec *body)
{
    haw_text_add(&out->text, "      meridian:\n        from: ");
    haw_resolve_numbers(out, 2, body->meridian_from);
    haw_text_add(&out->text, "\n        path:\n");
    for (int i = 0; i < body->meridian_segments; ++i) {
        const haw_meridian_spec *piece = &body->meridian[i];
        if (piece->is_arc) {
            haw_text_add(&out->text, "          - arc: {center: ");
            haw_resolve_numbers(out, 2, piece->center);
            haw_text_add(&out->text, ", to: ");
            haw_resolve_numbers(out, 2, piece->to);
            haw_text_add(&out->text, "}\n");
        } else {
            haw_text_add(&out->text, "          - line: ");
            haw_resolve_numbers(out, 2, piece->to);
            haw_text_add(&out->text, "\n");
        }
    }
}

void haw_resolve_shape(haw_resolve *out, const haw_body_spec *body)
{
    static const haw_resolve_lines lines = {"      ", "      ", NULL};
    const haw_option *options = shape_options(out, body->shape);
    haw_text_add(&out->text, "    shape:\n      type: %s\n", body->shape);
    if (options != NULL) {
        haw_resolve_options(out, &lines, options, body->shape_options);
    }
    if (body->meridian_segments > 0) {
        add_meridian(out, body);
    }
    if (body->profile.count > 0) {
        haw_text_add(&out->text, "      profile: ");
        haw_resolve_table(out, &body->profile);
        haw_text_add(&out->text, "\n");
    }
}

static void add_word(haw_resolve *out, haw_end_kind kind)
{
    int word = 0;
    while (haw_end_names[word + 1] != NULL && haw_end_kinds[word] != kind) {
        ++word;
    }
    haw_text_add(&out->text, "%s", haw_end_names[word]);
}

/* [F | free, ...] below `velocity` or `position`: one end has only one of them. */
static void add_guides(haw_resolve *out, const haw_end_spec *end)
{
    bool is_position = false;
    for (int i = 0; i < out->dimension; ++i) {
        is_position = is_position || end->guide[i] == (int)HAW_GUIDE_POSITION;
    }
    haw_text_add(&out->text, "motion: {%s: [", is_position ? "position" : "velocity");
    for (int i = 0; i < out->dimension; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        if (end->guide[i] == (int)HAW_GUIDE_FREE) {
            haw_text_add(&out->text, "free");
        } else {
            haw_resolve_function(out, &end->velocity[i]);
        }
    }
    haw_text_add(&out->text, "]}");
}

static void add_end(haw_resolve *out, const haw_end_spec *end)
{
    const bool pulls = end->tension.count > 0 || end->tension.constant != 0;
    const bool is_guided = end->kind == HAW_END_MOTION;
    if (end->body != NULL) {
        haw_text_add(&out->text, "{body: ");
        haw_text_quote(&out->text, end->body);
        if (out->dimension == 3) {
            haw_text_add(&out->text, ", clamped: %s",
                         end->kind == HAW_END_CLAMPED ? "true" : "false");
        }
        haw_text_add(&out->text, "}");
        return;
    }
    if (!is_guided && !pulls) {
        add_word(out, end->kind);
        return;
    }
    haw_text_add(&out->text, "{");
    if (is_guided) {
        add_guides(out, end);
    }
    if (pulls) {
        haw_text_add(&out->text, "%stension: ", is_guided ? ", " : "");
        haw_resolve_function(out, &end->tension);
        haw_text_add(&out->text, ", towards: ");
        haw_resolve_numbers(out, out->dimension, end->towards);
    }
    haw_text_add(&out->text, "}");
}

void haw_resolve_reeving(haw_resolve *out, const haw_cable_spec *cable)
{
    static const haw_resolve_lines lines = {"      - ", "        ", NULL};
    haw_text_add(&out->text, "    reeving:\n");
    for (int i = 0; i < cable->sheaves; ++i) {
        haw_resolve_options(out, &lines, haw_reeving_options, &cable->reeving[i]);
    }
}

void haw_resolve_ends(haw_resolve *out, const haw_cable_spec *cable)
{
    haw_text_add(&out->text, "    ends: {start: ");
    add_end(out, &cable->ends[0]);
    haw_text_add(&out->text, ", end: ");
    add_end(out, &cable->ends[1]);
    haw_text_add(&out->text, "}\n");
}
