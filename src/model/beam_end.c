/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of spatial cables: held coordinate by coordinate, riding on a body, pulled. */
#include "base/lie.h"
#include "model/build.h"

#include <string.h>

static haw_status refuse(haw_model *model, const haw_cable_spec *spec, const char *reason)
{
    const haw_status status =
        haw_fail(model->context, HAW_ERR_INPUT, "cable '%s': %s", spec->name, reason);
    return haw_place(model->context, status, "cables.%s.ends", spec->name);
}

static bool is_given(const haw_function *function)
{
    return function->count > 0 || function->constant != 0;
}

/* Position and orientation of the end's node in its start. */
static const double *end_node(const haw_cable *cable, int end)
{
    return cable->start +
           (ptrdiff_t)cable->beam.ops->node_coordinates * (end == 0 ? 0 : cable->beam.elements);
}

/* Orientation of a node: its quaternion, or one whose first axis is the slope. */
static void node_turn(const haw_cable *cable, const double *node, double turn[4])
{
    if (cable->beam.ops->has_rotations) {
        memcpy(turn, node + 3, 4 * sizeof *turn);
        return;
    }
    const double size = vec3_norm(node + 3);
    const double x = node[3] / size, y = node[4] / size, z = node[5] / size;
    const double half[4] = {1 + x, 0, -z, y}; /* from e_x to the slope, about e_x cross slope */
    const double back[4] = {0, 0, 0, 1};      /* the slope is -e_x */
    memcpy(turn, 1 + x > 1e-12 ? half : back, 4 * sizeof *turn);
    quaternion_normalise(turn);
}

/* ---- what holds the end ---- */

static haw_status ride(haw_model *model, const haw_cable_spec *spec, const haw_cable *cable,
                       int end, haw_cable_guide *guide)
{
    const haw_end_spec *from = &spec->ends[end];
    guide->body = -1;
    if (from->body == NULL) {
        return HAW_OK;
    }
    if (from->kind != HAW_END_PINNED && from->kind != HAW_END_CLAMPED) {
        return refuse(model, spec, "only a pinned or clamped end rides on a body");
    }
    guide->body = haw_model_find_body(model, from->body);
    if (guide->body < 0) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "cable '%s': an end rides on the body '%s', but none has this "
                                  "name",
                                  spec->name, from->body),
                         "cables.%s.ends", spec->name);
    }
    const haw_body *body = &model->body[guide->body];
    guide->carrier = haw_body_carrier(body);
    if (body->motion == HAW_MOTION_FREE) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "cable '%s': the body '%s' that its end rides on must have a "
                                  "motion that is fixed or prescribed",
                                  spec->name, body->name),
                         "cables.%s.ends", spec->name);
    }
    const double *node = end_node(cable, end);
    const double arm[3] = {node[0] - body->start[0], node[1] - body->start[1],
                           node[2] - body->start[2]};
    double r[9];
    quaternion_matrix(body->start + 3, r);
    mat3_apply_t(r, arm, guide->arm);
    return HAW_OK;
}

static void clamp(const haw_model *model, const haw_cable *cable, int end, haw_cable_guide *guide)
{
    double turn[4];
    node_turn(cable, end_node(cable, end), turn);
    if (guide->body >= 0) {
        quaternion_between(model->body[guide->body].start + 3, turn, guide->turn);
    } else {
        memcpy(guide->turn, turn, sizeof turn);
    }
    guide->is_clamped = true;
    for (int i = 3; i < 6; i++) {
        guide->held[i] = true;
    }
}

/* A prescribed position must start where the cable is drawn. */
static haw_status set_guide(haw_model *model, const haw_cable_spec *spec, const haw_end_spec *from,
                            int i, haw_cable_guide *guide)
{
    if (from->guide[i] < HAW_GUIDE_VELOCITY || from->guide[i] > HAW_GUIDE_FREE) {
        return refuse(model, spec, "a coordinate of a moving end has no such guide");
    }
    guide->guide[i] = from->guide[i];
    guide->held[i] = from->guide[i] != HAW_GUIDE_FREE;
    if (!guide->held[i]) {
        return HAW_OK;
    }
    HAW_TRY(haw_place(model->context,
                      haw_build_function(model, &from->velocity[i], &guide->function[i]),
                      "cables.%s.ends", spec->name));
    const double first = haw_function_value(&guide->function[i], 0), drawn = guide->start[i];
    if (guide->guide[i] == HAW_GUIDE_POSITION &&
        !(fabs(first - drawn) <= 1e-9 * (1 + fabs(drawn)))) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "cable '%s': the %c of an end is drawn at %.9g m, but its "
                                  "prescribed position begins at %.9g m",
                                  spec->name, "xyz"[i], drawn, first),
                         "cables.%s.ends", spec->name);
    }
    return HAW_OK;
}

/* ---- what pulls it ---- */

static haw_status set_pull(haw_model *model, const haw_cable_spec *spec, const haw_end_spec *from,
                           haw_cable_guide *guide)
{
    const double length = vec3_norm(from->towards);
    guide->pulls = is_given(&from->tension);
    if (!guide->pulls) {
        return HAW_OK;
    }
    if (guide->held[0] && guide->held[1] && guide->held[2]) {
        return refuse(model, spec, "the tension of an end pulls where its position is not held");
    }
    if (!isfinite(length)) {
        return refuse(model, spec, "the direction `towards` of an end's pull must be finite");
    }
    for (int i = 0; i < 3 && length > 0; i++) {
        guide->towards[i] = from->towards[i] / length;
    }
    return haw_place(model->context, haw_build_function(model, &from->tension, &guide->tension),
                     "cables.%s.ends", spec->name);
}

haw_status haw_build_beam_end(haw_model *model, const haw_cable_spec *spec, haw_cable *cable,
                              int end)
{
    const haw_end_spec *from = &spec->ends[end];
    haw_cable_guide *guide = &cable->guide[end];
    HAW_TRY(ride(model, spec, cable, end, guide));
    memcpy(guide->start, end_node(cable, end), sizeof guide->start);
    const bool is_held = from->kind == HAW_END_PINNED || from->kind == HAW_END_CLAMPED;
    for (int i = 0; i < 3; i++) {
        guide->held[i] = is_held;
        HAW_TRY(from->kind == HAW_END_MOTION ? set_guide(model, spec, from, i, guide) : HAW_OK);
    }
    if (from->kind == HAW_END_CLAMPED) {
        clamp(model, cable, end, guide);
    }
    for (int j = 0; j < cable->beam.ops->node_dofs; j++) {
        bool *held = cable->held + (end == 0 ? 0 : cable->line.dofs - cable->beam.ops->node_dofs);
        held[j] = held[j] || guide->held[j];
    }
    cable->end[end] = (haw_end_spec){.kind = from->kind};
    const bool is_free = !guide->held[0] && !guide->held[1] && !guide->held[2];
    cable->end_dof[end] =
        is_free ? -1 : (end == 0 ? 0 : cable->line.dofs - cable->beam.ops->node_dofs);
    return set_pull(model, spec, from, guide);
}
