/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rigid bodies: shape, what holds them, masses, motion. In the plane three degrees of freedom
 * (x, y, angle). In space velocities are the inertial one of the centre and the angular one in the
 * frame of the body, whose z axis is that of its surface, of its spin and of a revolute joint.
 */
#include "model/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes ---- */

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
        const size_t count = (size_t)profile->count;
        double *z = haw_arena_allocate(&model->arena, 2 * count, sizeof *z);
        HAW_TRY(haw_arena_status(&model->arena));
        memcpy(z, profile->time, count * sizeof *z);
        memcpy(z + count, profile->value, count * sizeof *z);
        meridian->count = profile->count;
        meridian->z = z;
        meridian->r = z + count;
    }
    return HAW_OK;
}

static haw_status set_surface(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    haw_surface *surface = &body->surface;
    const haw_row *const *table = haw_surfaces_in(model->dimension);
    const bool is_drawn = spec->meridian_segments > 0 || spec->profile.count > 0;
    const bool is_twice = spec->meridian_segments > 0 && spec->profile.count > 0;
    if (spec->shape == NULL) {
        return HAW_OK;
    }
    surface->ops = (const haw_surface_ops *)haw_row_find(table, spec->shape);
    haw_status status = HAW_OK;
    if (surface->ops == NULL) {
        status = haw_row_unknown(model->context, table, spec->shape, "body '%s': unknown shape",
                                 spec->name);
    } else if (!haw_surface_is_flat(surface) &&
               (surface->ops->has_meridian != is_drawn || is_twice)) {
        status = haw_fail(model->context, HAW_ERR_INPUT, "body '%s': the shape '%s' %s", spec->name,
                          spec->shape,
                          surface->ops->has_meridian ? "needs either a meridian or a profile"
                                                     : "takes no meridian or profile");
    } else {
        char where[96];
        const char *key = "";
        (void)snprintf(where, sizeof where, "body '%s', %s", spec->name, spec->shape);
        HAW_TRY(copy_meridian(model, spec, &surface->meridian));
        memcpy(surface->options, spec->shape_options, sizeof surface->options);
        status = haw_options_check(model->context, surface->ops->row.options, surface->options,
                                   model->dimension, where, &key);
        if (status == HAW_OK && surface->ops->prepare != NULL) {
            status = surface->ops->prepare(&model->arena, surface);
        }
    }
    return haw_place(model->context, status, "bodies.%s.shape", spec->name);
}

/* ---- joints and masses ---- */

/* A body without inertia on guide rails is a mass point: its angle is held as well. */
static bool is_guided_point(const haw_body_spec *spec, const haw_body *body)
{
    return spec->joint == HAW_JOINT_VERTICAL && body->surface.ops == NULL && isnan(spec->inertia);
}

/* A joint holds the centre and every turn but that about the spin's axis (revolute), all turns
 * (translation) or all but the last direction of the centre (vertical). */
static bool is_joint_held(const haw_model *model, const haw_body_spec *spec, const haw_body *body,
                          int i)
{
    const bool turns = i >= model->dimension;
    switch ((haw_joint)spec->joint) {
    case HAW_JOINT_REVOLUTE:
        return i != model->kind->spin;
    case HAW_JOINT_TRANSLATION:
        return turns;
    case HAW_JOINT_VERTICAL:
        return turns ? is_guided_point(spec, body) : i < model->dimension - 1;
    case HAW_JOINT_NONE:
        break;
    }
    return false;
}

/* A motion holds all degrees of freedom, a joint some of a body that is otherwise free. */
static void set_held(const haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    for (int i = 0; i < model->kind->dofs; i++) {
        body->held[i] = spec->motion != HAW_MOTION_FREE || is_joint_held(model, spec, body, i);
    }
}

static haw_status refuse(haw_model *model, const haw_body_spec *spec, const char *key,
                         const char *remedy)
{
    const haw_status status =
        haw_fail(model->context, HAW_ERR_INPUT, "body '%s': %s must be > 0 (got none)%s",
                 spec->name, key, remedy);
    return haw_place(model->context, status, "bodies.%s.%s", spec->name, key);
}

/* Held degrees of freedom need no mass, but keep a given one: their reaction moves it. */
static haw_status set_mass(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const int d = model->dimension, turns = model->kind->dofs - d;
    const bool has_mass = !isnan(spec->mass);
    bool is_held = true;
    double solid[3] = {(double)NAN, (double)NAN, (double)NAN};
    for (int i = 0; i < d; i++) {
        body->mass[i] = has_mass ? spec->mass : 0;
        is_held = is_held && body->held[i];
    }
    if (!has_mass && !is_held) {
        return refuse(model, spec, "mass", "");
    }
    if (body->surface.ops != NULL && has_mass) {
        body->surface.ops->inertia(&body->surface, spec->mass, solid);
    }
    for (int i = 0; i < turns; i++) {
        double inertia = turns == 1 || isnan(spec->inertias[i]) ? spec->inertia : spec->inertias[i];
        inertia = isnan(inertia) ? solid[i] : inertia;
        const bool has_inertia = inertia > 0 && isfinite(inertia);
        if (!has_inertia && !body->held[d + i]) {
            return refuse(model, spec, "inertia",
                          ": give it, a bounded shape that has one, or joint: translation");
        }
        body->mass[d + i] = has_inertia ? inertia : 0;
    }
    return HAW_OK;
}

/* ---- motion ---- */

/* True if a degree of freedom has a velocity, driven or at the start. */
static bool is_moved(const haw_model *model, const haw_body_spec *spec, const haw_body *body, int i)
{
    if (spec->motion != HAW_MOTION_PRESCRIBED) {
        return body->rate[i] != 0;
    }
    return i < model->dimension ? haw_function_acts(&spec->motion_velocity[i])
                                : i == model->kind->spin && haw_function_acts(&spec->motion_spin);
}

/* What a joint holds can neither be driven nor start with a velocity. */
static haw_status check_joint(haw_model *model, const haw_body_spec *spec, const haw_body *body)
{
    static const char *const word[] = {"none", "revolute", "translation", "vertical"};
    const bool is_vertical = spec->joint == HAW_JOINT_VERTICAL;
    for (int i = 0; i < model->kind->dofs; i++) {
        const char *place = is_vertical ? "horizontal position" : "centre";
        const char *turn = spec->joint == HAW_JOINT_REVOLUTE ? "axis" : model->kind->turn;
        if (is_joint_held(model, spec, body, i) && is_moved(model, spec, body, i)) {
            return haw_fail(model->context, HAW_ERR_INPUT,
                            "body '%s': its %s joint holds the %s, so its initial velocity must be "
                            "0",
                            spec->name, word[spec->joint], i < model->dimension ? place : turn);
        }
    }
    return HAW_OK;
}

/* Velocities and spin as functions of time; other turns are held. */
static haw_status set_drive(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const int turn = model->kind->spin;
    for (int i = 0; i < model->dimension; i++) {
        HAW_TRY(haw_function_copy(&model->arena, &spec->motion_velocity[i], &body->drive[i]));
    }
    HAW_TRY(haw_function_copy(&model->arena, &spec->motion_spin, &body->drive[turn]));
    for (int i = 0; i <= turn; i++) {
        body->rate[i] = haw_function_value(&body->drive[i], 0);
    }
    return HAW_OK;
}

static haw_status set_motion(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const int d = model->dimension, turns = model->kind->dofs - d;
    if (body->motion == HAW_MOTION_FREE) {
        memcpy(body->rate, spec->velocity, (size_t)d * sizeof(double));
        memcpy(body->rate + d, spec->spins, turns > 1 ? (size_t)turns * sizeof(double) : 0);
        body->rate[model->kind->spin] += spec->spin;
    }
    HAW_TRY(check_joint(model, spec, body));
    return body->motion == HAW_MOTION_PRESCRIBED ? set_drive(model, spec, body) : HAW_OK;
}

/* Numbers in the range of their rows; a mass or inertia of zero is none. */
static haw_status check_spec(haw_model *model, haw_body_spec *spec)
{
    char where[96];
    const char *key = "";
    double *const mass[] = {&spec->mass, &spec->inertia, &spec->inertias[0], &spec->inertias[1],
                            &spec->inertias[2]};
    for (size_t i = 0; i < sizeof mass / sizeof *mass; i++) {
        *mass[i] = *mass[i] == 0 ? (double)NAN : *mass[i];
    }
    (void)snprintf(where, sizeof where, "body '%s'", spec->name);
    const haw_status status =
        haw_options_check(model->context, haw_body_options, spec, model->dimension, where, &key);
    return haw_place(model->context, status, "bodies.%s.%s", spec->name, key);
}

static haw_status build_body(haw_model *model, const haw_body_spec *given, int i)
{
    haw_body *body = &model->body[i];
    haw_body_spec spec = *given;
    if (spec.name == NULL || haw_model_find_body(model, spec.name) >= 0) {
        return haw_fail(model->context, HAW_ERR_INPUT, "body %d needs a unique name", i + 1);
    }
    body->name = haw_arena_string(&model->arena, spec.name);
    HAW_TRY(haw_arena_status(&model->arena));
    body->motion = spec.motion;
    body->first = (int)haw_body_dofs(model) * i;
    body->first_q = (int)haw_body_coordinates(model) * i;
    body->rotational_damping = spec.rotational_damping;
    HAW_TRY(check_spec(model, &spec));
    HAW_TRY(model->kind->pose(model, &spec, body));
    HAW_TRY(set_surface(model, &spec, body));
    set_held(model, &spec, body);
    HAW_TRY(set_mass(model, &spec, body));
    HAW_TRY(set_motion(model, &spec, body));
    if (haw_function_acts(&spec.torque)) {
        haw_warn_of_motion(model, body, "a torque");
    }
    return haw_place(model->context, haw_function_copy(&model->arena, &spec.torque, &body->torque),
                     "bodies.%s.torque", spec.name);
}

haw_status haw_build_bodies(haw_model *model, const haw_scene *scene)
{
    model->body = haw_arena_allocate(&model->arena, (size_t)scene->bodies, sizeof *model->body);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->bodies; i++) {
        const char *name = scene->body[i].name != NULL ? scene->body[i].name : "";
        HAW_TRY(
            haw_place(model->context, build_body(model, &scene->body[i], i), "bodies.%s", name));
        model->bodies = i + 1;
    }
    model->dofs = (int)haw_body_dofs(model) * scene->bodies;
    model->coordinates = (int)haw_body_coordinates(model) * scene->bodies;
    return HAW_OK;
}
