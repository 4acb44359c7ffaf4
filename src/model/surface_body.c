/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rigid bodies in space: surface, principal inertias, orientation. Velocities are the inertial one
 * of the centre and the angular one in the frame of the body, whose z axis is that of its surface,
 * of its spin and of a revolute joint.
 */
#include "model/build.h"

#include <math.h>
#include <string.h>

static const double *copy(haw_model *model, int count, const double *from)
{
    double *to = haw_arena_allocate(&model->arena, (size_t)count, sizeof *to);
    if (to != NULL) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
    return to;
}

static haw_status copy_meridian(haw_model *model, const haw_body_spec *spec, haw_meridian *meridian)
{
    const haw_function *profile = &spec->profile;
    memcpy(meridian->from, spec->meridian_from, sizeof meridian->from);
    if (spec->meridian_segments > 0) {
        const size_t count = (size_t)spec->meridian_segments;
        haw_meridian_segment *to = haw_arena_allocate(&model->arena, count, sizeof *to);
        HAW_TRY(haw_arena_status(&model->arena));
        for (size_t i = 0; i < count; i++) {
            const haw_meridian_spec *from = &spec->meridian[i];
            to[i] = (haw_meridian_segment){.is_arc = from->is_arc,
                                           .to = {from->to[0], from->to[1]},
                                           .center = {from->center[0], from->center[1]}};
        }
        meridian->segments = spec->meridian_segments;
        meridian->segment = to;
    } else if (profile->count > 0) {
        meridian->count = profile->count;
        meridian->z = copy(model, profile->count, profile->time);
        meridian->r = copy(model, profile->count, profile->value);
        return meridian->z != NULL && meridian->r != NULL ? HAW_OK : HAW_ERR_NOMEM;
    }
    return HAW_OK;
}

/* Numbers must be in the range of their row, or stand for its word. */
static haw_status set_options(haw_model *model, const haw_body_spec *spec, haw_surface *surface)
{
    haw_status status = HAW_OK;
    memcpy(surface->options, spec->shape_options, sizeof surface->options);
    for (const haw_option *row = surface->ops->row.options; row != NULL && row->key != NULL;
         row++) {
        const double value = surface->options[row->offset / sizeof value];
        const bool is_word = isnan(value) && row->choices != NULL;
        if (row->type == HAW_OPTION_REAL && !is_word && status == HAW_OK) {
            status = haw_options_set_real(model->context, surface->ops->row.options,
                                          surface->options, row->key, value);
        }
    }
    return status;
}

static haw_status set_surface(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    haw_surface *surface = &body->surface;
    const bool is_drawn = spec->meridian_segments > 0 || spec->profile.count > 0;
    if (spec->shape == NULL) {
        return HAW_OK;
    }
    surface->ops = (const haw_surface_ops *)haw_row_find(haw_surfaces, spec->shape);
    haw_status status = HAW_OK;
    if (surface->ops == NULL) {
        status = haw_row_unknown(model->context, haw_surfaces, spec->shape,
                                 "body '%s': unknown shape", spec->name);
    } else if (surface->ops->has_meridian != is_drawn ||
               (spec->meridian_segments > 0 && spec->profile.count > 0)) {
        status = haw_fail(model->context, HAW_ERR_INPUT, "body '%s': the shape '%s' has %s",
                          spec->name, spec->shape,
                          surface->ops->has_meridian ? "either a meridian or a profile"
                                                     : "no meridian or profile");
    } else {
        HAW_TRY(copy_meridian(model, spec, &surface->meridian));
        status = set_options(model, spec, surface);
        status = status == HAW_OK ? surface->ops->prepare(&model->arena, surface) : status;
    }
    return haw_place(model->context, status, "bodies.%s.shape", spec->name);
}

/* A revolute joint leaves the turn about the z axis of the body, a translation no turn. */
static haw_status set_held(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const bool moves = spec->motion != HAW_MOTION_FREE;
    const bool is_revolute = spec->joint == HAW_JOINT_REVOLUTE;
    if (spec->joint < HAW_JOINT_NONE || spec->joint > HAW_JOINT_TRANSLATION) {
        return haw_fail(model->context, HAW_ERR_INPUT, "body '%s': unknown joint", spec->name);
    }
    for (int i = 0; i < 3; i++) {
        body->held[i] = moves || is_revolute;
        body->held[i + 3] = moves || (is_revolute && i < 2) || spec->joint == HAW_JOINT_TRANSLATION;
    }
    return HAW_OK;
}

/* As in the plane: held degrees of freedom need no mass, but keep a given one. */
static haw_status set_mass(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const bool has_mass = spec->mass > 0 && isfinite(spec->mass);
    const bool is_without = isnan(spec->mass) || spec->mass == 0;
    double solid[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (!has_mass && !(body->held[0] && is_without)) {
        return haw_body_refuse(model, spec, "mass", spec->mass);
    }
    if (body->surface.ops != NULL && has_mass) {
        body->surface.ops->inertia(&body->surface, spec->mass, solid);
    }
    for (int i = 0; i < 3; i++) {
        double inertia = isnan(spec->inertias[i]) ? spec->inertia : spec->inertias[i];
        inertia = isnan(inertia) ? solid[i] : inertia;
        const bool has_inertia = inertia > 0 && isfinite(inertia);
        if (!has_inertia && !(body->held[i + 3] && (isnan(inertia) || inertia == 0))) {
            return haw_body_refuse(model, spec, "inertia", inertia);
        }
        body->mass[i] = has_mass ? spec->mass : 0;
        body->mass[i + 3] = has_inertia ? inertia : 0;
    }
    return HAW_OK;
}

static haw_status set_orientation(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const double *p = spec->orientation;
    const double length = hypot(hypot(p[0], p[1]), hypot(p[2], p[3]));
    if (!(length > 0) || !isfinite(length)) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "body '%s': its orientation is no rotation: a quaternion "
                                  "(w, x, y, z) of length %g",
                                  spec->name, length),
                         "bodies.%s.orientation", spec->name);
    }
    for (int i = 0; i < 4; i++) {
        body->start[3 + i] = p[i] / length;
    }
    return HAW_OK;
}

haw_status haw_build_surface_body(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    if (spec->joint == HAW_JOINT_VERTICAL) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "body '%s': a vertical joint is for the plane", spec->name),
                         "bodies.%s.joint", spec->name);
    }
    memcpy(body->start, spec->position, sizeof spec->position);
    HAW_TRY(set_orientation(model, spec, body));
    HAW_TRY(set_surface(model, spec, body));
    HAW_TRY(set_held(model, spec, body));
    return set_mass(model, spec, body);
}
