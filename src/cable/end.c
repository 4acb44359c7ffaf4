/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of lines: held coordinate by coordinate, riding on a body, pulled. */
#include "base/lie.h"
#include "cable/site.h"

#include <string.h>

/* What an end is made from. */
typedef struct workshop {
    const haw_site *site;
    const haw_cable_spec *spec;
    const haw_end_spec *from;
    const haw_cable *cable;
    const double *node; /* coordinates of the end's node at the start */
    bool takes_bodies;
} workshop;

static haw_status refuse(const workshop *w, const char *reason)
{
    return haw_cable_refuse(w->site, w->spec, "ends", "%s", reason);
}

static haw_status copy_function(const workshop *w, const haw_function *from, haw_function *to)
{
    return haw_place(w->site->context, haw_function_copy(w->site->arena, from, to),
                     "cables.%s.ends", w->spec->name);
}

/* ---- what holds the end ---- */

haw_carrier haw_body_carrier(const haw_body *body)
{
    return (haw_carrier){
        .start = body->start, .drive = body->drive, .moves = body->motion == HAW_MOTION_PRESCRIBED};
}

static haw_status ride(const workshop *w, haw_cable_guide *guide)
{
    const haw_end_spec *from = w->from;
    if (from->body == NULL) {
        return HAW_OK;
    }
    if (!w->takes_bodies) {
        return refuse(w, "in the plane only ropes over sheaves end on bodies");
    }
    if (from->kind != HAW_END_PINNED && from->kind != HAW_END_CLAMPED) {
        return refuse(w, "only a pinned or clamped end rides on a body");
    }
    guide->body = haw_site_find_body(w->site, from->body);
    if (guide->body < 0) {
        return haw_cable_refuse(w->site, w->spec, "ends",
                                "an end is attached to the body '%s', but no body has this name",
                                from->body);
    }
    const haw_body *body = &w->site->body[guide->body];
    guide->carrier = haw_body_carrier(body);
    if (body->motion == HAW_MOTION_FREE) {
        return haw_cable_refuse(w->site, w->spec, "ends",
                                "the body '%s' that its end rides on must have a motion that is "
                                "fixed or prescribed",
                                body->name);
    }
    const double arm[3] = {w->node[0] - body->start[0], w->node[1] - body->start[1],
                           w->node[2] - body->start[2]};
    double r[9];
    quaternion_matrix(body->start + 3, r);
    mat3_apply_t(r, arm, guide->arm);
    return HAW_OK;
}

/* The slope of a line in the plane, the direction of one in space. */
static haw_status clamp(const workshop *w, haw_cable_guide *guide)
{
    const haw_line *line = &w->cable->line;
    const haw_space_ops *space = w->cable->beam.ops;
    if (line->ops != NULL ? line->ops->force_rates == NULL : space->stretches_only) {
        return haw_cable_refuse(w->site, w->spec, "ends",
                                "the element '%s' has no slope, so its ends cannot be clamped",
                                w->spec->element);
    }
    guide->is_clamped = true;
    const int d = w->site->dimension;
    for (int i = d; i < 2 * d; i++) {
        guide->held[i] = true;
    }
    if (w->cable->beam.ops == NULL) {
        return HAW_OK;
    }
    double turn[4]; /* of the node: its quaternion, or one whose first axis is the slope */
    if (haw_cable_turns(w->cable)) {
        memcpy(turn, w->node + 3, sizeof turn);
    } else {
        const double size = vec3_norm(w->node + 3), *slope = w->node + 3;
        const double x = slope[0] / size, y = slope[1] / size, z = slope[2] / size;
        const double half[4] = {1 + x, 0, -z, y}; /* from e_x to it, about e_x cross slope */
        const double back[4] = {0, 0, 0, 1};      /* the slope is -e_x */
        memcpy(turn, 1 + x > 1e-12 ? half : back, sizeof turn);
        quaternion_normalise(turn);
    }
    memcpy(guide->turn, turn, sizeof turn);
    if (guide->body >= 0) {
        quaternion_between(w->site->body[guide->body].start + 3, turn, guide->turn);
    }
    return HAW_OK;
}

/* A prescribed position must start where the cable is drawn. */
static haw_status set_guide(const workshop *w, int i, haw_cable_guide *guide)
{
    const haw_end_spec *from = w->from;
    guide->guide[i] = w->takes_bodies ? from->guide[i] : HAW_GUIDE_VELOCITY;
    if (guide->guide[i] < HAW_GUIDE_VELOCITY || guide->guide[i] > HAW_GUIDE_FREE) {
        return refuse(w, "a coordinate of a moving end has no such guide");
    }
    guide->held[i] = guide->guide[i] != HAW_GUIDE_FREE;
    if (!guide->held[i]) {
        return HAW_OK;
    }
    HAW_TRY(copy_function(w, &from->velocity[i], &guide->function[i]));
    const double first = haw_function_value(&guide->function[i], 0), drawn = w->node[i];
    if (guide->guide[i] == HAW_GUIDE_POSITION &&
        !(fabs(first - drawn) <= 1e-9 * (1 + fabs(drawn)))) {
        return haw_cable_refuse(w->site, w->spec, "ends",
                                "the %c of an end is drawn at %.9g m, but its prescribed position "
                                "begins at %.9g m",
                                "xyz"[i], drawn, first);
    }
    return HAW_OK;
}

/* ---- what pulls it ---- */

static haw_status set_pull(const workshop *w, haw_cable_guide *guide)
{
    const haw_end_spec *from = w->from;
    const double length = vec3_norm(from->towards);
    guide->pulls = haw_function_acts(&from->tension);
    if (!guide->pulls) {
        return HAW_OK;
    }
    if (guide->held[0] && guide->held[1] && guide->held[2]) {
        return refuse(w, "the tension of an end pulls where its position is not held");
    }
    if (!isfinite(length)) {
        return refuse(w, "the direction `towards` of an end's pull must be finite");
    }
    for (int i = 0; i < 3 && length > 0; i++) {
        guide->towards[i] = from->towards[i] / length;
    }
    return copy_function(w, &from->tension, &guide->tension);
}

haw_status haw_cable_build_end(const haw_site *site, const haw_cable_spec *spec, int end,
                               bool takes_bodies, haw_cable *cable)
{
    const int d = site->dimension, n = end == 0 ? 0 : cable->line.elements;
    const int dof = cable->ops->node_dof(cable, n) - cable->first;
    const double *node = cable->start + (cable->ops->node_q(cable, n) - cable->first_q);
    const workshop w = {site, spec, &spec->ends[end], cable, node, takes_bodies};
    haw_cable_guide *guide = &cable->guide[end];
    const haw_end_kind kind = cable->line.closed ? HAW_END_FREE : w.from->kind;
    cable->end[end] = (haw_end_spec){.kind = kind};
    cable->end_dof[end] = -1;
    guide->body = -1;
    if (cable->line.closed) {
        return HAW_OK;
    }
    HAW_TRY(ride(&w, guide));
    memcpy(guide->start, node, (size_t)d * sizeof *node);
    for (int i = 0; i < d; i++) {
        guide->held[i] = kind == HAW_END_PINNED || kind == HAW_END_CLAMPED;
        HAW_TRY(kind == HAW_END_MOTION ? set_guide(&w, i, guide) : HAW_OK);
    }
    HAW_TRY(kind == HAW_END_CLAMPED ? clamp(&w, guide) : HAW_OK);
    for (int i = 0; i < 2 * d && dof + i < cable->line.dofs; i++) {
        cable->held[dof + i] = cable->held[dof + i] || guide->held[i];
        cable->end_dof[end] = i < d && guide->held[i] ? dof : cable->end_dof[end];
    }
    return takes_bodies ? set_pull(&w, guide) : HAW_OK;
}
