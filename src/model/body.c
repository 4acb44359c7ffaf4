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
        status = haw_fail(model->context, HAW_ERR_INPUT, "body '%s': the shape '%s' has %s",
                          spec->name, spec->shape,
                          surface->ops->has_meridian ? "either a meridian or a profile"
                                                     : "no meridian or profile");
    } else {
        HAW_TRY(copy_meridian(model, spec, &surface->meridian));
        status = set_options(model, spec, surface);
        if (status == HAW_OK && surface->ops->prepare != NULL) {
            status = surface->ops->prepare(&model->arena, surface);
        }
    }
    return haw_place(model->context, status, "bodies.%s.shape", spec->name);
}

/* ---- joints and masses ---- */

/* On guide rails the angle of a body that is given no inertia, as a mass point, is held too. */
static bool is_guided_point(const haw_body_spec *spec, const haw_body *body)
{
    return spec->joint == HAW_JOINT_VERTICAL && body->surface.ops == NULL && isnan(spec->inertia);
}

/*
 * A motion holds all degrees of freedom; a joint holds the centre and every turn but that about the
 * spin's axis (revolute), all turns (translation) or x (vertical) of a body that is otherwise free.
 */
static haw_status set_held(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const bool moves = spec->motion != HAW_MOTION_FREE;
    if (spec->joint == HAW_JOINT_VERTICAL && !model->kind->takes_vertical) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "body '%s': a vertical joint is for the plane", spec->name),
                         "bodies.%s.joint", spec->name);
    }
    const bool is_revolute = spec->joint == HAW_JOINT_REVOLUTE;
    for (int i = 0; i < model->dimension; i++) {
        body->held[i] = moves || is_revolute || (i == 0 && spec->joint == HAW_JOINT_VERTICAL);
    }
    for (int i = model->dimension; i < model->kind->dofs; i++) {
        const bool is_spin = i == model->kind->spin;
        body->held[i] = moves || spec->joint == HAW_JOINT_TRANSLATION ||
                        (is_spin ? is_guided_point(spec, body) : is_revolute);
    }
    return HAW_OK;
}

static haw_status refuse(haw_model *model, const haw_body_spec *spec, const char *key)
{
    const haw_status status = haw_fail(model->context, HAW_ERR_INPUT,
                                       "body '%s': %s must be > 0 (got none)", spec->name, key);
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
        return refuse(model, spec, "mass");
    }
    if (body->surface.ops != NULL && has_mass) {
        body->surface.ops->inertia(&body->surface, spec->mass, solid);
    }
    for (int i = 0; i < turns; i++) {
        double inertia = turns == 1 || isnan(spec->inertias[i]) ? spec->inertia : spec->inertias[i];
        inertia = isnan(inertia) ? solid[i] : inertia;
        const bool has_inertia = inertia > 0 && isfinite(inertia);
        if (!has_inertia && !body->held[d + i]) {
            return refuse(model, spec, "inertia");
        }
        body->mass[d + i] = has_inertia ? inertia : 0;
    }
    return HAW_OK;
}

/* ---- motion ---- */

/* True if so many components of the centre have a velocity, driven or at the start. */
static bool slides(const haw_body_spec *spec, int components)
{
    bool result = false;
    for (int i = 0; i < components; i++) {
        result =
            result || (spec->motion == HAW_MOTION_FREE && spec->velocity[i] != 0) ||
            (spec->motion == HAW_MOTION_PRESCRIBED && haw_function_acts(&spec->motion_velocity[i]));
    }
    return result;
}

static haw_status joint_conflict(haw_model *model, const haw_body_spec *spec, const char *what)
{
    static const char *const word[] = {"none", "revolute", "translation", "vertical"};
    return haw_fail(model->context, HAW_ERR_INPUT,
                    "body '%s': its %s joint holds the %s, so its initial velocity must be 0",
                    spec->name, word[spec->joint], what);
}

/* What a joint holds can neither be driven nor start with a velocity. */
static haw_status check_joint(haw_model *model, const haw_body_spec *spec, const haw_body *body)
{
    const bool is_driven = spec->motion == HAW_MOTION_PRESCRIBED;
    const bool is_free = spec->motion == HAW_MOTION_FREE;
    const bool turns =
        (is_free && spec->spin != 0) || (is_driven && haw_function_acts(&spec->motion_spin));
    if (spec->joint == HAW_JOINT_REVOLUTE && slides(spec, model->dimension)) {
        return joint_conflict(model, spec, "centre");
    }
    if (spec->joint == HAW_JOINT_VERTICAL && slides(spec, 1)) {
        return joint_conflict(model, spec, "horizontal position");
    }
    if (turns && is_guided_point(spec, body)) {
        return joint_conflict(model, spec, "angle");
    }
    if (spec->joint == HAW_JOINT_TRANSLATION && turns) {
        return joint_conflict(model, spec, model->kind->turn);
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
    HAW_TRY(check_joint(model, spec, body));
    if (body->motion == HAW_MOTION_PRESCRIBED) {
        return set_drive(model, spec, body);
    }
    if (body->motion == HAW_MOTION_FREE) {
        memcpy(body->rate, spec->velocity, (size_t)model->dimension * sizeof(double));
        body->rate[model->kind->spin] = spec->spin;
    }
    return HAW_OK;
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
        return haw_fail(model->context, HAW_ERR_INPUT, "body %d: needs a name of its own", i + 1);
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
    HAW_TRY(set_held(model, &spec, body));
    HAW_TRY(set_mass(model, &spec, body));
    HAW_TRY(set_motion(model, &spec, body));
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
