/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rigid bodies: in the plane three degrees of freedom (x, y, angle), diagonal mass, joints. What
 * a body in space has of its own is in surface_body.c.
 */
#include "model/build.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

static haw_status set_shape(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    if (spec->shape == NULL) {
        return HAW_OK;
    }
    body->shape = (const haw_shape_ops *)haw_row_find(haw_shapes, spec->shape);
    if (body->shape == NULL) {
        return haw_row_unknown(model->context, haw_shapes, spec->shape, "body '%s': unknown shape",
                               spec->name);
    }
    memcpy(body->shape_options, spec->shape_options, sizeof body->shape_options);
    if (!(body->shape->radius(body->shape_options) > 0)) {
        return haw_fail(model->context, HAW_ERR_INPUT, "body '%s': radius must be > 0", spec->name);
    }
    return HAW_OK;
}

/* On guide rails the angle of a body that is given no inertia, as a mass point, is held too. */
static bool is_guided_point(const haw_body_spec *spec, const haw_body *body)
{
    return spec->joint == HAW_JOINT_VERTICAL && body->shape == NULL && isnan(spec->inertia);
}

/*
 * A motion holds all three degrees of freedom; a joint holds the centre (revolute), the angle
 * (translation) or x (vertical) of a body that is otherwise free.
 */
static haw_status set_held(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    if (spec->joint < HAW_JOINT_NONE || spec->joint > HAW_JOINT_VERTICAL) {
        return haw_fail(model->context, HAW_ERR_INPUT, "body '%s': unknown joint", spec->name);
    }
    const bool moves = spec->motion != HAW_MOTION_FREE;
    body->held[1] = moves || spec->joint == HAW_JOINT_REVOLUTE;
    body->held[0] = body->held[1] || spec->joint == HAW_JOINT_VERTICAL;
    body->held[2] = moves || spec->joint == HAW_JOINT_TRANSLATION || is_guided_point(spec, body);
    return HAW_OK;
}

haw_status haw_body_refuse(haw_model *model, const haw_body_spec *spec, const char *key,
                           double value)
{
    const haw_status status =
        haw_fail(model->context, HAW_ERR_INPUT, "body '%s': %s must be > 0 (got %g)", spec->name,
                 key, value);
    return haw_place(model->context, status, "bodies.%s.%s", spec->name, key);
}

/* Held degrees of freedom need no mass, but keep a given one: their reaction moves it. */
static haw_status set_mass(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const bool has_mass = spec->mass > 0 && isfinite(spec->mass);
    const bool is_without = isnan(spec->mass) || spec->mass == 0;
    if (!has_mass && !(body->held[0] && body->held[1] && is_without)) {
        return haw_body_refuse(model, spec, "mass", spec->mass);
    }
    double inertia = spec->inertia;
    if (isnan(inertia) && body->shape != NULL && has_mass) {
        inertia = body->shape->inertia(body->shape_options, spec->mass);
    }
    const bool has_inertia = inertia > 0 && isfinite(inertia);
    if (!has_inertia && !(body->held[2] && (isnan(inertia) || inertia == 0))) {
        return haw_body_refuse(model, spec, "inertia", inertia);
    }
    body->mass[0] = body->mass[1] = has_mass ? spec->mass : 0;
    body->mass[2] = has_inertia ? inertia : 0;
    return HAW_OK;
}

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
                    "body '%s': its %s joint holds the %s, whose velocity must be 0", spec->name,
                    word[spec->joint], what);
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

static haw_status set_drive(haw_model *model, const haw_body_spec *spec, int turn, haw_body *body)
{
    for (int i = 0; i < model->dimension; i++) {
        HAW_TRY(haw_build_function(model, &spec->motion_velocity[i], &body->drive[i]));
    }
    return haw_build_function(model, &spec->motion_spin, &body->drive[turn]);
}

static haw_status set_motion(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const int turn = model->kind->spin;
    HAW_TRY(check_joint(model, spec, body));
    if (body->motion == HAW_MOTION_PRESCRIBED) {
        HAW_TRY(set_drive(model, spec, turn, body));
        for (int i = 0; i <= turn; i++) {
            body->rate[i] = haw_function_value(&body->drive[i], 0);
        }
    } else if (body->motion == HAW_MOTION_FREE) {
        memcpy(body->rate, spec->velocity, (size_t)model->dimension * sizeof(double));
        body->rate[turn] = spec->spin;
    }
    return HAW_OK;
}

static haw_status set_moment(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    if (!(spec->rotational_damping >= 0) || !isfinite(spec->rotational_damping)) {
        const haw_status status = haw_fail(model->context, HAW_ERR_INPUT,
                                           "body '%s': rotational_damping must be >= 0 (got %g)",
                                           spec->name, spec->rotational_damping);
        return haw_place(model->context, status, "bodies.%s.rotational_damping", spec->name);
    }
    body->rotational_damping = spec->rotational_damping;
    return haw_place(model->context, haw_build_function(model, &spec->torque, &body->torque),
                     "bodies.%s.torque", spec->name);
}

haw_status haw_build_flat_body(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    body->start[0] = spec->position[0];
    body->start[1] = spec->position[1];
    body->start[2] = spec->angle_deg * (M_PI / 180);
    HAW_TRY(set_shape(model, spec, body));
    HAW_TRY(set_held(model, spec, body));
    return set_mass(model, spec, body);
}

static haw_status check_finite(haw_model *model, const haw_body *body)
{
    bool is_finite = true;
    for (size_t j = 0; j < haw_body_coordinates(model); j++) {
        is_finite = is_finite && isfinite(body->start[j]);
    }
    for (size_t j = 0; j < haw_body_dofs(model); j++) {
        is_finite = is_finite && isfinite(body->rate[j]);
    }
    return is_finite ? HAW_OK
                     : haw_fail(model->context, HAW_ERR_INPUT,
                                "body '%s': position and velocity must be finite", body->name);
}

static haw_status build_body(haw_model *model, const haw_body_spec *spec, int i)
{
    haw_body *body = &model->body[i];
    if (spec->name == NULL || haw_model_find_body(model, spec->name) >= 0) {
        return haw_fail(model->context, HAW_ERR_INPUT, "body %d: needs a name of its own", i + 1);
    }
    body->name = haw_arena_string(&model->arena, spec->name);
    HAW_TRY(haw_arena_status(&model->arena));
    body->motion = spec->motion;
    body->first = (int)haw_body_dofs(model) * i;
    body->first_q = (int)haw_body_coordinates(model) * i;
    HAW_TRY(model->kind->build(model, spec, body));
    HAW_TRY(set_motion(model, spec, body));
    HAW_TRY(set_moment(model, spec, body));
    return check_finite(model, body);
}

haw_status haw_build_bodies(haw_model *model, const haw_scene *scene)
{
    model->body = haw_arena_allocate(&model->arena, (size_t)scene->bodies, sizeof *model->body);
    if (model->body == NULL && scene->bodies > 0) {
        return HAW_ERR_NOMEM;
    }
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
