/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends of lines: held coordinate by coordinate, riding on a body, pulled. In space a body of given
 * motion prescribes the coordinates of an end; all other bodies, and the direction of an end whose
 * coordinates do not have one, are for a joint of the model.
 */
#include "base/lie.h"
#include "cable/site.h"

#include <math.h>
#include <string.h>

/* Of an end from where `at` says, over the size of both. */
static const double APART = 1e-9;

/* What an end is made from. */
typedef struct workshop {
    const haw_site *site;
    const haw_cable_spec *spec;
    const haw_end_spec *from;
    const haw_cable *cable;
    const double *node; /* coordinates of the end's node at the start */
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

/* Where the end is in the frame of a body: as drawn, or as `at` says, where a joint may close what
 * is drawn apart. */
static haw_status find_arm(const workshop *w, const haw_body *body, haw_cable_guide *guide)
{
    const double *at = w->from->at, half = 0.5 * body->start[2];
    const double plane[4] = {cos(half), 0, 0, sin(half)};
    double way[3] = {0, 0, 0}, r[9];
    bool is_there = true;
    for (int i = 0; i < w->site->dimension; i++) {
        way[i] = w->node[i] - body->start[i];
    }
    quaternion_matrix(w->site->dimension == 3 ? body->start + 3 : plane, r);
    mat3_apply_t(r, way, guide->arm);
    for (int i = 0; i < w->site->dimension && w->from->has_at; i++) {
        is_there = is_there && fabs(guide->arm[i] - at[i]) <= APART * (1 + fabs(at[i]));
        guide->arm[i] = at[i];
    }
    return is_there || guide->join != HAW_JOIN_NONE
               ? HAW_OK
               : haw_cable_refuse(w->site, w->spec, "ends",
                                  "its end is not drawn at the point of '%s' that it rides on",
                                  body->name);
}

static haw_status ride(const workshop *w, haw_cable_guide *guide)
{
    const haw_end_spec *from = w->from;
    if (from->body == NULL) {
        return HAW_OK;
    }
    if (from->kind != HAW_END_PINNED && from->kind != HAW_END_CLAMPED) {
        return refuse(w, "only a pinned or clamped end rides on a body");
    }
    guide->joined = haw_site_find_body(w->site, from->body);
    if (guide->joined < 0) {
        return haw_cable_refuse(w->site, w->spec, "ends",
                                "an end is attached to the body '%s', but no body has this name",
                                from->body);
    }
    const haw_body *body = &w->site->body[guide->joined];
    if (body->motion == HAW_MOTION_FREE || w->site->dimension == 2) {
        guide->join = from->kind == HAW_END_CLAMPED ? HAW_JOIN_CLAMPED : HAW_JOIN_PINNED;
    } else if (guide->join == HAW_JOIN_NONE) {
        guide->body = guide->joined;
        guide->carrier = body;
    }
    return find_arm(w, body, guide);
}

/* The coordinate along the slope of an end that keeps its direction; -1: none, or a body has it. */
static int along(const workshop *w)
{
    const int d = w->site->dimension;
    const double *slope = w->node + d;
    double size = 0;
    int axis = -1;
    for (int i = 0; i < d; i++) {
        size = fmax(size, fabs(slope[i]));
    }
    for (int i = 0; i < d; i++) {
        axis = fabs(slope[i]) > 1e-12 * size ? (axis < 0 ? i : d) : axis;
    }
    return axis < d && w->from->body == NULL ? axis : -1;
}

/*
 * True if coordinates of a node hold the direction of a clamped end, and nothing else: those of a
 * section that turns; of a slope r' along an axis those across it. Its length 1 + strain is the
 * cable's, so that a joint holds the direction of any other slope, and of elements that only
 * stretch.
 */
static bool has_direction(const workshop *w)
{
    const haw_cable *cable = w->cable;
    const bool bends = cable->line.ops != NULL ? cable->line.ops->force_rates != NULL
                                               : !cable->beam.ops->stretches_only;
    return bends && (haw_cable_turns(cable) || along(w) >= 0);
}

/* The slope of a line but for its length, the turn of a section. */
static void clamp(const workshop *w, haw_cable_guide *guide)
{
    const int d = w->site->dimension;
    const bool turns = haw_cable_turns(w->cable);
    const int free = turns ? -1 : along(w);
    guide->is_clamped = true;
    for (int i = 0; i < d; i++) {
        guide->held[d + i] = i != free;
    }
    if (turns) {
        memcpy(guide->turn, w->node + 3, sizeof guide->turn);
    }
    if (turns && guide->body >= 0) {
        quaternion_between(w->site->body[guide->body].start + 3, w->node + 3, guide->turn);
    }
}

/* A prescribed position must start where the cable is drawn. */
static haw_status set_guide(const workshop *w, int i, haw_cable_guide *guide)
{
    const haw_end_spec *from = w->from;
    guide->guide[i] = w->site->dimension == 3 ? from->guide[i] : HAW_GUIDE_VELOCITY;
    if (guide->guide[i] < HAW_GUIDE_VELOCITY || guide->guide[i] > HAW_GUIDE_FREE) {
        return refuse(w, "a coordinate of a moving end has an unknown guide");
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
    bool is_held = true;
    for (int i = 0; i < w->site->dimension; i++) {
        is_held = is_held && guide->held[i];
    }
    guide->pulls = haw_function_acts(&from->tension);
    guide->follows = length == 0;
    if (!guide->pulls) {
        return HAW_OK;
    }
    if (is_held || guide->join != HAW_JOIN_NONE) {
        return refuse(w, "an end can be pulled by a tension only where its position is not held");
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
                               haw_cable *cable)
{
    const int d = site->dimension, n = end == 0 ? 0 : cable->line.elements;
    const int dof = cable->ops->node_dof(cable, n) - cable->first;
    const double *node = cable->start + (cable->ops->node_q(cable, n) - cable->first_q);
    const workshop w = {site, spec, &spec->ends[end], cable, node};
    haw_cable_guide *guide = &cable->guide[end];
    haw_end_kind kind = cable->line.closed ? HAW_END_FREE : w.from->kind;
    cable->end_dof[end] = -1;
    guide->body = guide->joined = -1;
    if (!cable->line.closed) {
        const bool by_rows = kind == HAW_END_CLAMPED && !has_direction(&w);
        guide->join = by_rows ? HAW_JOIN_CLAMPED : HAW_JOIN_NONE;
        HAW_TRY(ride(&w, guide));
    }
    kind = guide->join != HAW_JOIN_NONE ? HAW_END_FREE : kind;
    cable->end[end] = (haw_end_spec){.kind = kind};
    if (cable->line.closed) {
        return HAW_OK;
    }
    memcpy(guide->start, node, (size_t)d * sizeof *node);
    for (int i = 0; i < d; i++) {
        guide->held[i] = kind == HAW_END_PINNED || kind == HAW_END_CLAMPED;
        HAW_TRY(kind == HAW_END_MOTION ? set_guide(&w, i, guide) : HAW_OK);
    }
    if (kind == HAW_END_CLAMPED) {
        clamp(&w, guide);
    }
    for (int i = 0; i < 2 * d && dof + i < cable->line.dofs; i++) {
        cable->held[dof + i] = cable->held[dof + i] || guide->held[i];
        cable->end_dof[end] = i < d && guide->held[i] ? dof : cable->end_dof[end];
    }
    return set_pull(&w, guide);
}
