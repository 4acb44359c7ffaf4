/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scene joins: kinds of joints, where their points are, and what is not held together. */
#include "model/joint.h"

#include "base/lie.h"
#include "model/build.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };

/* As drawn: over the reach of the points, and over the largest speed. */
static const double CLOSED = 1e-6, SETTLED = 1e-6;

/* ---- kinds ---- */

#define KIND(is_called, says, ...)                                                                 \
    &(const haw_joint_kind){.row = {.name = (is_called), .summary = (says), .source = ""},         \
                            __VA_ARGS__}                                                           \
         .row

const haw_row *const haw_joints[] = {
    KIND("pinned", "the points coincide", .exists = {[2] = true, [3] = true}),
    KIND("spherical", "space: the same", .exists = {[3] = true}),
    KIND("revolute", "the points coincide; in space also the directions of the axis",
         .exists = {[2] = true, [3] = true}, .angles = {[3] = HAW_ANGLE_01 | HAW_ANGLE_02},
         .has_axis = true),
    KIND("fixed", "the points coincide and nothing turns relative to the other",
         .exists = {[2] = true, [3] = true},
         .angles = {[2] = HAW_ANGLE_01, [3] = HAW_ANGLE_01 | HAW_ANGLE_02 | HAW_ANGLE_12}),
    NULL};

static int count_rows(const haw_model *model, const haw_joint_kind *kind)
{
    const unsigned angles = kind->angles[model->dimension];
    return model->dimension + (int)((angles & 1) + (angles >> 1 & 1) + (angles >> 2 & 1));
}

static haw_status find_kind(haw_model *model, const haw_joint_spec *spec, haw_link *joint)
{
    const char *type = spec->type != NULL ? spec->type : "";
    const bool has_axis = isfinite(spec->axis[0]);
    joint->kind = (const haw_joint_kind *)haw_row_find(haw_joints, type);
    if (joint->kind == NULL || !joint->kind->exists[model->dimension]) {
        const char *nearest = haw_row_nearest(haw_joints, type);
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "no joint in %d dimensions is of type '%s'%s%s", model->dimension, type,
                        nearest != NULL ? ": is it " : "", nearest != NULL ? nearest : "");
    }
    joint->rows = count_rows(model, joint->kind);
    if (joint->kind->has_axis && joint->rows > model->dimension && !has_axis) {
        return haw_fail(model->context, HAW_ERR_INPUT, "a %s joint needs its axis", type);
    }
    return HAW_OK;
}

/* ---- feet ---- */

static haw_status find_cable(haw_model *model, const haw_joint_end *end, bool has_angles,
                             haw_joint_foot *foot)
{
    haw_context *context = model->context;
    foot->cable = haw_model_find_cable(model, end->cable);
    if (foot->cable < 0) {
        return haw_fail(context, HAW_ERR_INPUT, "no cable is named '%s'", end->cable);
    }
    const haw_cable *cable = &model->cable[foot->cable];
    if (cable->ops->moves_along) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "the rope '%s' runs over sheaves: join a body at one of its ends",
                        end->cable);
    }
    if (has_angles && !haw_cable_turns(cable)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "the sections of cable '%s' have no rotation of their own: only its points "
                        "can be joined, type: pinned",
                        end->cable);
    }
    if (!(end->at[0] >= 0 && end->at[0] <= 1)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a point of a cable is between 0 (its start) and 1 (its end) (got %g)",
                        end->at[0]);
    }
    haw_build_point(&cable->line, end->at[0], &foot->element, &foot->s);
    return HAW_OK;
}

static haw_status build_foot(haw_model *model, const haw_joint_end *end, bool has_angles,
                             haw_joint_foot *foot)
{
    *foot = (haw_joint_foot){.body = -1, .cable = -1};
    if ((end->body != NULL) + (end->cable != NULL) + end->is_ground != 1) {
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "each of its points is one of a body, of a cable or of the ground");
    }
    if (end->cable != NULL) {
        return find_cable(model, end, has_angles, foot);
    }
    memcpy(foot->at, end->at, (size_t)model->dimension * sizeof(double));
    foot->body = end->is_ground ? -1 : haw_model_find_body(model, end->body);
    return end->is_ground || foot->body >= 0
               ? HAW_OK
               : haw_fail(model->context, HAW_ERR_INPUT, "no body is named '%s'", end->body);
}

static bool is_held(const haw_model *model, const haw_joint_foot *foot, const bool *held)
{
    const haw_dofs dofs = haw_joint_dofs(model, foot);
    for (int k = 0; k < dofs.count; k++) {
        if (!held[haw_dof_at(&dofs, k)]) {
            return false;
        }
    }
    return true;
}

static haw_status check_feet(haw_model *model, const haw_link *joint)
{
    const haw_joint_foot *foot = joint->foot;
    bool *held = haw_arena_allocate(&model->arena, (size_t)model->dofs + 1, sizeof *held);
    HAW_TRY(haw_arena_status(&model->arena));
    haw_model_held(model, held);
    const char *reason = NULL;
    if (foot[0].body >= 0 && foot[0].body == foot[1].body) {
        reason = "both its points are of one body";
    } else if (is_held(model, &foot[0], held) && is_held(model, &foot[1], held)) {
        reason = "neither of its points can move";
    }
    return reason == NULL ? HAW_OK : haw_fail(model->context, HAW_ERR_INPUT, "%s", reason);
}

static haw_status build_joint(haw_model *model, const haw_joint_spec *spec, haw_link *joint)
{
    joint->name = haw_arena_string(&model->arena, spec->name != NULL ? spec->name : "");
    HAW_TRY(haw_arena_status(&model->arena));
    HAW_TRY(find_kind(model, spec, joint));
    if (spec->ends != 2) {
        return haw_fail(model->context, HAW_ERR_INPUT, "it is between 2 points (got %d)",
                        spec->ends);
    }
    for (int k = 0; k < 2; k++) {
        HAW_TRY(
            build_foot(model, &spec->between[k], joint->rows > model->dimension, &joint->foot[k]));
    }
    return check_feet(model, joint);
}

/* ---- as drawn ---- */

/* The axis first, then two directions across; the columns of e. */
static void find_directions(const haw_joint_spec *spec, bool has_axis, double e[9])
{
    double a[AXES] = {1, 0, 0}, b[AXES] = {0, 0, 0}, c[AXES];
    if (has_axis) {
        memcpy(a, spec->axis, sizeof a);
    }
    const double length = vec3_norm(a);
    int least = 0;
    for (int i = 0; i < AXES; i++) {
        a[i] /= length;
        least = fabs(a[i]) < fabs(a[least]) ? i : least;
    }
    b[has_axis ? least : 1] = 1;
    vec3_add(-vec3_dot(a, b), a, b);
    const double across = vec3_norm(b);
    for (int i = 0; i < AXES; i++) {
        b[i] /= across;
    }
    vec3_cross(a, b, c);
    for (int i = 0; i < AXES; i++) {
        e[AXES * i] = a[i];
        e[AXES * i + 1] = b[i];
        e[AXES * i + 2] = c[i];
    }
}

/* The same directions in the frames of both feet. */
static void set_frames(haw_model *model, const haw_joint_spec *spec, const double *q,
                       haw_link *joint)
{
    const bool has_axis = joint->kind->has_axis && joint->rows > model->dimension;
    double e[9];
    find_directions(spec, has_axis, e);
    for (int k = 0; k < 2; k++) {
        double rotation[9];
        haw_joint_rotation(model, &joint->foot[k], q, rotation);
        memset(joint->foot[k].frame, 0, sizeof joint->foot[k].frame);
        mat3_add_t_product(rotation, e, joint->foot[k].frame);
    }
}

/* A static start closes what is drawn apart. */
static haw_status check_start(haw_model *model, const haw_hold *hold, const haw_state *state,
                              const double *rates, bool is_static)
{
    double speed = 0, rate = 0, gap = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < hold->dofs[side].count; k++) {
            const double own = state->u[haw_dof_at(&hold->dofs[side], k)];
            speed = fmax(speed, fabs(own * hold->row[side][0][k]));
            speed = fmax(speed, fabs(own * hold->row[side][1][k]));
        }
    }
    for (int row = 0; row < model->dimension; row++) {
        gap = fmax(gap, fabs(hold->gap[row]));
        rate = fmax(rate, fabs(rates[row]));
    }
    if (!is_static && gap > CLOSED * hold->reach) {
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "its points are %.3g m apart: draw them together, or use start: static",
                        gap);
    }
    return rate <= SETTLED * speed
               ? HAW_OK
               : haw_fail(model->context, HAW_ERR_INPUT,
                          "its points move apart at the start, by %.3g m/s", rate);
}

static haw_status check_drawn(haw_model *model, const haw_scene *scene, const haw_state *state)
{
    haw_hold *hold = haw_arena_allocate(&model->arena, (size_t)model->joints, sizeof(haw_hold));
    double *rates = haw_arena_allocate(&model->arena, (size_t)model->multipliers, sizeof(double));
    const int start = scene->start != HAW_START_AUTO ? scene->start : (int)model->start;
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < model->joints; i++) {
        set_frames(model, &scene->joint[i], state->q, &model->joint[i]);
    }
    haw_joints_find(model, state->q, hold);
    haw_joints_rates(model, hold, state->u, rates);
    for (int i = 0; i < model->joints; i++) {
        const haw_link *joint = &model->joint[i];
        const haw_status status =
            check_start(model, &hold[i], state, rates, start == HAW_START_STATIC);
        HAW_TRY(haw_place(model->context, status, "joints.%s", joint->name));
        rates += joint->rows;
    }
    return HAW_OK;
}

haw_status haw_build_joints(haw_model *model, const haw_scene *scene)
{
    if (scene->joints == 0) {
        return HAW_OK;
    }
    haw_state *state;
    model->joint = haw_arena_allocate(&model->arena, (size_t)scene->joints, sizeof *model->joint);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->joints; i++) {
        const haw_joint_spec *spec = &scene->joint[i];
        HAW_TRY(haw_place(model->context, build_joint(model, spec, &model->joint[i]), "joints.%s",
                          spec->name != NULL ? spec->name : ""));
    }
    for (int i = 0; i < scene->joints; i++) {
        haw_link *joint = &model->joint[i];
        joint->first = model->dofs;
        joint->first_q = model->coordinates;
        model->dofs += joint->rows;
        model->coordinates += joint->rows;
        model->multipliers += joint->rows;
    }
    model->joints = scene->joints;
    HAW_TRY(haw_state_create(model->context, model, &state));
    const haw_status status = check_drawn(model, scene, state);
    haw_state_free(model->context, state);
    return status;
}
