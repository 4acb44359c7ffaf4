/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes from their list of sheaves: the drawn course, and then what the kind of rope numbers. */
#include "model/reeving_build.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* A wrap this close to 0 or to a full turn is a rope that passes straight [rad]. */
static const double STRAIGHT = 1e-6;

/* ---- sheaves and ends ---- */

static bool is_zero(const haw_function *function)
{
    for (int i = 0; i < function->count; i++) {
        if (function->value[i] != 0) {
            return false;
        }
    }
    return function->count > 0 || function->constant == 0;
}

/* True if coordinate k of a body's centre ever changes. */
static bool moves(const haw_body *body, int k)
{
    return !body->held[k] || (body->motion == HAW_MOTION_PRESCRIBED && !is_zero(&body->drive[k]));
}

static haw_status add_sheave(haw_model *model, const haw_cable_spec *spec, int i, haw_rope *rope)
{
    const haw_reeving_spec *entry = &spec->reeving[i];
    const char *on = entry->on != NULL ? entry->on : "";
    const int index = haw_model_find_body(model, on);
    haw_context *context = model->context;
    if (index < 0) {
        return haw_fail(context, HAW_ERR_INPUT, "cable '%s': no sheave is named '%s'", spec->name,
                        on);
    }
    const haw_body *body = &model->body[index];
    if (body->shape == NULL || !body->shape->is_circle) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "cable '%s': the sheave '%s' must be a body with the shape circle",
                        spec->name, on);
    }
    if (entry->side != HAW_SIDE_LEFT && entry->side != HAW_SIDE_RIGHT) {
        return haw_fail(context, HAW_ERR_INPUT, "cable '%s': the side of '%s' is left or right",
                        spec->name, on);
    }
    for (int k = 0; k < i; k++) {
        if (rope->arc[k].body == index) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "cable '%s': the sheave '%s' is twice in its reeving", spec->name, on);
        }
    }
    rope->arc[i] = (haw_rope_arc){.body = index,
                                  .dof = body->first,
                                  .centre = {body->start[0], body->start[1]},
                                  .moves = {moves(body, 0), moves(body, 1)},
                                  .radius = body->shape->radius(body->shape_options),
                                  .turn = entry->side == HAW_SIDE_LEFT ? 1 : -1,
                                  .pair = -1};
    return HAW_OK;
}

static const char *end_word(int end)
{
    return end == 0 ? "start" : "end";
}

/* An end that hangs on a body is where that is; `from` and `to` are places on the ground. */
static haw_status set_end(haw_model *model, const haw_cable_spec *spec, int end, haw_rope *rope)
{
    haw_context *context = model->context;
    const haw_end_spec *of = &spec->ends[end];
    const double *x = end == 0 ? spec->from : spec->to;
    const char *key = end == 0 ? "from" : "to";
    rope->end_body[end] = -1;
    rope->end_dof[end] = -1;
    if (of->kind != HAW_END_PINNED) {
        return haw_cable_place(
            model, spec, "ends",
            haw_fail(context, HAW_ERR_INPUT,
                     "cable '%s': the %s of a rope over sheaves is pinned, to the "
                     "ground or to the centre of a body",
                     spec->name, end_word(end)));
    }
    const bool is_given = isfinite(x[0]) && isfinite(x[1]);
    if (of->body == NULL) {
        rope->end_x[end][0] = x[0];
        rope->end_x[end][1] = x[1];
        return is_given
                   ? HAW_OK
                   : haw_cable_place(model, spec, key,
                                     haw_fail(context, HAW_ERR_INPUT,
                                              "cable '%s': its %s needs a body or a place '%s'",
                                              spec->name, end_word(end), key));
    }
    rope->end_body[end] = haw_model_find_body(model, of->body);
    if (rope->end_body[end] < 0) {
        return haw_cable_place(model, spec, "ends",
                               haw_fail(context, HAW_ERR_INPUT,
                                        "cable '%s': no body is named '%s', on which its %s rides",
                                        spec->name, of->body, end_word(end)));
    }
    const haw_body *body = &model->body[rope->end_body[end]];
    rope->end_dof[end] = body->first;
    for (int k = 0; k < 2; k++) {
        rope->end_x[end][k] = body->start[k];
        rope->end_moves[end][k] = moves(body, k);
    }
    const double away = hypot(x[0] - body->start[0], x[1] - body->start[1]);
    if (is_given && away > 1e-9 * (1 + hypot(x[0], x[1]))) {
        return haw_cable_place(model, spec, key,
                               haw_fail(context, HAW_ERR_INPUT,
                                        "cable '%s': its %s rides on the centre of '%s', %g m from "
                                        "'%s'; leave that out",
                                        spec->name, end_word(end), of->body, away, key));
    }
    return HAW_OK;
}

/* ---- the drawn course ---- */

static haw_reeving_circle drawn_circle(const haw_rope *rope, int i)
{
    if (i >= 0 && i < rope->arcs) {
        const haw_rope_arc *arc = &rope->arc[i];
        return (haw_reeving_circle){{arc->centre[0], arc->centre[1]}, arc->radius, arc->turn};
    }
    const double *x = rope->end_x[i < 0 ? 0 : 1];
    return (haw_reeving_circle){{x[0], x[1]}, 0, 1};
}

static const char *circle_name(const haw_model *model, const haw_rope *rope, int i)
{
    if (i >= 0 && i < rope->arcs) {
        return model->body[rope->arc[i].body].name;
    }
    const int body = rope->end_body[i < 0 ? 0 : 1];
    return body >= 0 ? model->body[body].name : (i < 0 ? "from" : "to");
}

/* Circles of a line must lie apart, or there is no tangent on one of the sides. */
static haw_status check_apart(haw_model *model, const haw_cable_spec *spec, const haw_rope *rope,
                              int i)
{
    const haw_reeving_circle a = drawn_circle(rope, i - 1), b = drawn_circle(rope, i);
    const char *name[2] = {circle_name(model, rope, i - 1), circle_name(model, rope, i)};
    const double distance = hypot(b.x[0] - a.x[0], b.x[1] - a.x[1]);
    const bool is_end[2] = {i == 0, i == rope->arcs};
    if (distance > (a.radius + b.radius) * (1 + 1e-9)) {
        return HAW_OK;
    }
    if (is_end[0] || is_end[1]) {
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "cable '%s': its %s '%s' lies inside the sheave '%s': no tangent leads "
                        "there",
                        spec->name, end_word(is_end[0] ? 0 : 1), name[is_end[0] ? 0 : 1],
                        name[is_end[0] ? 1 : 0]);
    }
    return haw_fail(model->context, HAW_ERR_INPUT,
                    "cable '%s': the sheaves '%s' and '%s' overlap: %g m from centre to centre, "
                    "%g m from rim to rim",
                    spec->name, name[0], name[1], distance, a.radius + b.radius);
}

/* Angles of the tangent points of all sheaves, and the lengths of the lines between them. */
static haw_status draw(haw_model *model, const haw_cable_spec *spec, haw_rope *rope, double *span)
{
    double in_along[2] = {0, 0};
    for (int i = 0; i <= rope->arcs; i++) {
        const haw_reeving_circle from = drawn_circle(rope, i - 1);
        const haw_reeving_circle to = drawn_circle(rope, i);
        double along[2];
        HAW_TRY(check_apart(model, spec, rope, i));
        span[i] = haw_reeving_line(&from, &to, along);
        if (i > 0) {
            haw_rope_arc *arc = &rope->arc[i - 1];
            arc->in = haw_reeving_angle(arc->turn, in_along);
            double wrap =
                fmod(arc->turn * (haw_reeving_angle(arc->turn, along) - arc->in), 2 * M_PI);
            wrap += wrap < 0 ? 2 * M_PI : 0;
            arc->out = arc->in + arc->turn * wrap;
            if (wrap < STRAIGHT || wrap > 2 * M_PI - STRAIGHT) {
                return haw_fail(model->context, HAW_ERR_INPUT,
                                "cable '%s': the rope passes the sheave '%s' straight, without "
                                "wrapping it",
                                spec->name, circle_name(model, rope, i - 1));
            }
        }
        in_along[0] = along[0];
        in_along[1] = along[1];
    }
    return HAW_OK;
}

/* ---- the rope ---- */

static haw_status create(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_arena *arena = &model->arena;
    haw_rope *rope = haw_arena_allocate(arena, 1, sizeof *rope);
    haw_rope_arc *arc = haw_arena_allocate(arena, (size_t)spec->sheaves, sizeof *arc);
    HAW_TRY(haw_arena_status(arena));
    *rope = (haw_rope){.section = {.stiffness = spec->stiffness,
                                   .bending = spec->bending_stiffness * spec->bending_factor,
                                   .density = spec->density,
                                   .damping_strain = spec->damping_strain,
                                   .damping_curvature = spec->damping_curvature,
                                   .gravity = {model->gravity[0], model->gravity[1]}},
                       .per_arc = spec->elements,
                       .modes = {spec->modes[0], spec->modes[1]},
                       .arcs = spec->sheaves,
                       .arc = arc};
    cable->rope = rope;
    return HAW_OK;
}

/* The numbers that do not ask for a kind of element; ends are held by the rope itself. */
static void set_line(const haw_cable_spec *spec, haw_cable *cable)
{
    const haw_rope *rope = cable->rope;
    haw_line *line = &cable->line;
    line->elements = rope->elements;
    line->le = rope->length / rope->elements;
    line->stiffness = rope->section.stiffness;
    line->bending = rope->section.bending;
    line->density = rope->section.density;
    line->damping_strain = rope->section.damping_strain;
    line->damping_curvature = rope->section.damping_curvature;
    for (int i = 0; i < 2; i++) {
        line->gravity[i] = rope->section.gravity[i];
        cable->end[i] = spec->ends[i];
        cable->end_dof[i] = -1;
    }
    cable->tension = (double)NAN;
    cable->is_path = true;
}

haw_status haw_build_rope(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    HAW_TRY(haw_reeving_check(model, spec));
    HAW_TRY(create(model, spec, cable));
    haw_rope *rope = cable->rope;
    for (int i = 0; i < rope->arcs; i++) {
        HAW_TRY(haw_cable_place(model, spec, "reeving", add_sheave(model, spec, i, rope)));
    }
    HAW_TRY(set_end(model, spec, 0, rope));
    HAW_TRY(set_end(model, spec, 1, rope));
    double *span = haw_arena_allocate(&model->arena, (size_t)rope->arcs + 1, sizeof *span);
    HAW_TRY(haw_arena_status(&model->arena));
    HAW_TRY(haw_cable_place(model, spec, "reeving", draw(model, spec, rope, span)));
    HAW_TRY(haw_reeving_measure(model, spec, span, cable));
    set_line(spec, cable);
    model->start = HAW_START_STATIC;
    HAW_TRY(cable->ops->layout(model->context, &model->arena, cable));
    return haw_cable_count(model, cable);
}
