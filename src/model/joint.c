/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scene joins: kinds of joints, where their points are, and what is not held together. */
#include "model/joint.h"

#include "base/lie.h"
#include "model/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AXES = 3 };

/* As drawn: over the reach of the points, and over the largest speed. */
static const double CLOSED = 1e-6, SETTLED = 1e-6;

/* Of squares of singular values of G; over them, of a component of a null vector. */
static const double LEAST = 1e-12, UNIQUE = 1e-3;

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
         .angles = {[2] = HAW_ANGLE_01, [3] = HAW_ANGLE_01 | HAW_ANGLE_02 | HAW_ANGLE_12},
         .holds_turns = true),
    KIND("prismatic", "the points keep to a line along the axis and nothing turns",
         .exists = {[2] = true, [3] = true},
         .angles = {[2] = HAW_ANGLE_01, [3] = HAW_ANGLE_01 | HAW_ANGLE_02 | HAW_ANGLE_12},
         .has_axis = true, .slides = true),
    KIND("cylindrical", "space: the points keep to a line along the axis, and its directions",
         .exists = {[3] = true}, .angles = {[3] = HAW_ANGLE_01 | HAW_ANGLE_02}, .has_axis = true,
         .slides = true),
    NULL};

static void count_rows(const haw_model *model, haw_link *joint)
{
    joint->points = model->dimension - (joint->kind->slides ? 1 : 0);
    joint->rows = joint->points;
    for (int angle = 0; angle < HAW_JOINT_ANGLES; angle++) {
        joint->rows += (int)(joint->angles >> angle & 1);
    }
}

/* In space a tangent is held across two directions of the other foot, which must have them. */
static haw_status turn_to_tangent(haw_model *model, haw_link *joint)
{
    const bool first = joint->foot[0].is_tangent, second = joint->foot[1].is_tangent;
    if (joint->kind->angles[model->dimension] == HAW_ANGLE_01 || !(first || second)) {
        return HAW_OK;
    }
    joint->angles = first ? HAW_ANGLE_01 | HAW_ANGLE_02 : HAW_ANGLE_10 | HAW_ANGLE_20;
    count_rows(model, joint);
    return !(first && second)
               ? HAW_OK
               : haw_fail(model->context, HAW_ERR_INPUT,
                          "neither of the two cables has sections that turn: only their points can "
                          "be joined, type: pinned");
}

/* In the plane it has two components. */
static void find_axis(const haw_model *model, const haw_joint_spec *spec, double axis[AXES])
{
    for (int i = 0; i < AXES; i++) {
        axis[i] = i < model->dimension ? spec->axis[i] : 0;
    }
}

static haw_status find_kind(haw_model *model, const haw_joint_spec *spec, haw_link *joint)
{
    const char *type = spec->type != NULL ? spec->type : "";
    double axis[AXES];
    find_axis(model, spec, axis);
    const double length = vec3_norm(axis);
    const bool has_axis = isfinite(length) && length > 0;
    joint->kind = (const haw_joint_kind *)haw_row_find(haw_joints, type);
    if (joint->kind == NULL || !joint->kind->exists[model->dimension]) {
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "there is no joint of type '%s' in %d dimensions", type, model->dimension);
    }
    joint->angles = joint->kind->angles[model->dimension];
    count_rows(model, joint);
    if (joint->kind->has_axis && joint->angles != 0 && !has_axis) {
        return haw_fail(model->context, HAW_ERR_INPUT, "a %s joint needs an axis other than zero",
                        type);
    }
    return HAW_OK;
}

/* ---- feet ---- */

static haw_status build_foot(haw_model *model, const haw_joint_end *end, const haw_link *joint,
                             haw_spot *foot)
{
    const bool on_cable = end->cable != NULL;
    if ((end->body != NULL) + on_cable + end->is_ground != 1) {
        return haw_fail(
            model->context, HAW_ERR_INPUT,
            "each of its points belongs to exactly one of a body, a cable and the ground");
    }
    HAW_TRY(haw_build_spot(model, "joint", on_cable ? end->cable : end->body, end->at, foot));
    if (on_cable != (foot->cable >= 0)) {
        return haw_fail(model->context, HAW_ERR_INPUT, "no %s is named '%s'",
                        on_cable ? "cable" : "body", on_cable ? end->cable : end->body);
    }
    foot->is_tangent =
        on_cable && joint->angles != 0 && !haw_cable_turns(&model->cable[foot->cable]);
    return !foot->is_tangent || joint->kind->holds_turns
               ? HAW_OK
               : haw_fail(model->context, HAW_ERR_INPUT,
                          "the sections of cable '%s' have no rotation of their own: only its "
                          "points can be joined, type: pinned, or its direction too, type: fixed",
                          end->cable);
}

static haw_status build_joint(haw_model *model, const haw_joint_spec *spec, haw_link *joint)
{
    joint->name = haw_arena_string(&model->arena, spec->name != NULL ? spec->name : "");
    HAW_TRY(haw_arena_status(&model->arena));
    HAW_TRY(find_kind(model, spec, joint));
    if (spec->ends != 2) {
        return haw_fail(model->context, HAW_ERR_INPUT, "a joint is between 2 points (got %d)",
                        spec->ends);
    }
    for (int k = 0; k < 2; k++) {
        HAW_TRY(build_foot(model, &spec->between[k], joint, &joint->foot[k]));
    }
    HAW_TRY(turn_to_tangent(model, joint));
    return joint->foot[0].body < 0 || joint->foot[0].body != joint->foot[1].body
               ? HAW_OK
               : haw_fail(model->context, HAW_ERR_INPUT, "both its points belong to the same body");
}

/* ---- as drawn ---- */

/* The axis first, then two directions across, in the plane the first one in it; the columns of e.
 * @param axis  NULL: inertial ones */
static void find_directions(int dimension, const double *axis, double e[9])
{
    const bool has_axis = axis != NULL;
    double a[AXES] = {1, 0, 0}, b[AXES] = {0, 0, 0}, c[AXES];
    if (has_axis) {
        memcpy(a, axis, sizeof a);
    }
    const double length = vec3_norm(a);
    int least = 0;
    for (int i = 0; i < AXES; i++) {
        a[i] /= length;
        least = i < dimension && fabs(a[i]) < fabs(a[least]) ? i : least;
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
    const bool has_axis = joint->kind->has_axis && joint->angles != 0;
    double e[9], tangent[AXES], given[AXES];
    const double *axis = has_axis ? given : NULL;
    find_axis(model, spec, given);
    for (int k = 0; k < 2 && joint->angles != HAW_ANGLE_01; k++) {
        double rotation[9];
        haw_joint_rotation(model, &joint->foot[k], q, rotation);
        for (int i = 0; i < AXES && joint->foot[k].is_tangent; i++) {
            tangent[i] = rotation[AXES * i];
            axis = tangent;
        }
    }
    find_directions(model->dimension, axis, e);
    for (int k = 0; k < 2; k++) {
        double rotation[9];
        haw_joint_rotation(model, &joint->foot[k], q, rotation);
        memset(joint->foot[k].frame, 0, sizeof joint->foot[k].frame);
        mat3_add_t_product(rotation, e, joint->foot[k].frame);
    }
}

/* Points, and directions: gaps, rates, and the largest rate that one side alone would cause. */
static haw_status check_start(const haw_model *model, const haw_link *joint, const haw_hold *hold,
                              const haw_state *state, const double *rates, bool is_static)
{
    static const char *const said[] = {"its points move apart at the start, by %.3g m/s",
                                       "its sides turn apart at the start, by %.3g rad/s"};
    double speed[2] = {0}, rate[2] = {0}, gap = 0;
    for (int row = 0; row < joint->rows; row++) {
        const bool turns = row >= joint->points;
        for (int k = 0; k < hold->dofs[0].count + hold->dofs[1].count; k++) {
            const int side = k >= hold->dofs[0].count, own = k - side * hold->dofs[0].count;
            const double u = state->u[haw_dof_at(&hold->dofs[side], own)];
            speed[turns] = fmax(speed[turns], fabs(u * hold->row[side][row][own]));
        }
        rate[turns] = fmax(rate[turns], fabs(rates[row]));
        gap = turns ? gap : fmax(gap, fabs(hold->gap[row]));
    }
    /* a static start closes what is drawn apart */
    if (!is_static && gap > CLOSED * hold->reach) {
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "its points are %.3g m apart: draw them together, or use start: static",
                        gap);
    }
    for (int i = 0; i < 2; i++) {
        if (rate[i] > SETTLED * speed[i]) {
            return haw_fail(model->context, HAW_ERR_INPUT, said[i], rate[i]);
        }
    }
    return HAW_OK;
}

/*
 * What is held twice. With G of what is free, (G'G + LEAST) x = s, s none of a symmetry, has a
 * large x only along a null vector of G: forces that cancel and that nothing determines.
 */
static haw_status check_unique(haw_model *model, const haw_hold *hold)
{
    const int first = haw_joints_dof(model);
    double *x = haw_arena_allocate(&model->arena, (size_t)model->dofs, sizeof *x);
    haw_system *system;
    HAW_TRY(haw_arena_status(&model->arena));
    HAW_TRY(haw_system_create(model->context, model, NULL, NULL, &system));
    haw_system_clear(system);
    haw_joints_add_columns(system, hold, 1);
    haw_joints_add_rows(system, hold);
    for (int i = 0; i < model->dofs; i++) {
        haw_system_add(system, i, i, i < first ? 1 : -LEAST);
        x[i] = i < first ? 0 : cos(2.0 + (double)i * i);
    }
    haw_status status = haw_system_factor(system);
    if (status == HAW_OK) {
        haw_system_solve(system, x);
    }
    haw_system_free(system);
    for (int i = 0; i < model->joints && status == HAW_OK; i++) {
        const haw_link *joint = &model->joint[i];
        for (int row = joint->first; row < joint->first + joint->rows && status == HAW_OK; row++) {
            if (!(fabs(x[row]) < UNIQUE / LEAST)) {
                status = haw_fail(model->context, HAW_ERR_INPUT,
                                  "supports or other joints already hold what it holds: its "
                                  "forces would not be unique");
                status = haw_place(model->context, status, "%s", joint->place);
            }
        }
    }
    return status;
}

haw_status haw_joints_check(haw_arena *arena, const haw_model *model, const haw_state *state,
                            bool is_static, haw_hold **hold)
{
    double *rates = haw_arena_allocate(arena, (size_t)model->multipliers, sizeof(double));
    *hold = haw_arena_allocate(arena, (size_t)model->joints, sizeof(haw_hold));
    HAW_TRY(haw_arena_status(arena));
    haw_joints_find(model, state->q, *hold);
    haw_joints_rates(model, *hold, state->u, rates);
    for (int i = 0; i < model->joints; i++) {
        const haw_link *joint = &model->joint[i];
        const haw_status status = check_start(model, joint, &(*hold)[i], state, rates, is_static);
        HAW_TRY(haw_place(model->context, status, "%s", joint->place));
        rates += joint->rows;
    }
    return HAW_OK;
}

static haw_status check_drawn(haw_model *model, const haw_scene *scene, const haw_joint_spec *list,
                              const haw_state *state)
{
    haw_hold *hold = NULL;
    const int start = scene->start != HAW_START_AUTO ? scene->start : (int)model->start;
    for (int i = 0; i < model->joints; i++) {
        set_frames(model, &list[i], state->q, &model->joint[i]);
    }
    haw_joints_ride(model, state->q, state->u); /* by the frames that have just been set */
    HAW_TRY(haw_joints_check(&model->arena, model, state, start == HAW_START_STATIC, &hold));
    return check_unique(model, hold);
}

/* ---- ends of cables ---- */

static haw_cable_guide *joined_end(haw_model *model, int i)
{
    haw_cable_guide *guide = &model->cable[i / 2].guide[i % 2];
    return guide->join != HAW_JOIN_NONE ? guide : NULL;
}

/* An end that a joint holds, as if the scene said so. */
static haw_status describe_end(haw_model *model, int i, haw_joint_spec *spec)
{
    const haw_cable_guide *guide = joined_end(model, i);
    const haw_cable *cable = &model->cable[i / 2];
    haw_joint_end *between = haw_arena_allocate(&model->arena, 2, sizeof *between);
    const size_t room = strlen(cable->name) + sizeof ".start";
    char *name = haw_arena_allocate(&model->arena, room, 1);
    HAW_TRY(haw_arena_status(&model->arena));
    (void)snprintf(name, room, "%s.%s", cable->name, i % 2 == 0 ? "start" : "end");
    between[0] = (haw_joint_end){.cable = cable->name, .at = {i % 2}};
    between[1] = (haw_joint_end){.is_ground = guide->joined < 0};
    between[1].body = guide->joined < 0 ? NULL : model->body[guide->joined].name;
    memcpy(between[1].at, guide->joined < 0 ? guide->start : guide->arm, sizeof guide->arm);
    *spec = (haw_joint_spec){.name = name,
                             .type = guide->join == HAW_JOIN_CLAMPED ? "fixed" : "pinned",
                             .ends = 2,
                             .between = between};
    return HAW_OK;
}

static int count_ends(haw_model *model)
{
    int count = 0;
    for (int i = 0; i < 2 * model->cables; i++) {
        count += joined_end(model, i) != NULL ? 1 : 0;
    }
    return count;
}

/* Joints of a scene and those of the ends of its cables. */
static haw_status list_joints(haw_model *model, const haw_scene *scene, haw_joint_spec **list)
{
    model->joints = scene->joints + count_ends(model);
    *list = haw_arena_allocate(&model->arena, (size_t)model->joints + 1, sizeof **list);
    model->joint = haw_arena_allocate(&model->arena, (size_t)model->joints, sizeof *model->joint);
    HAW_TRY(haw_arena_status(&model->arena));
    int count = scene->joints;
    if (count > 0) {
        memcpy(*list, scene->joint, (size_t)count * sizeof **list);
    }
    haw_status status = HAW_OK;
    for (int i = 0; i < 2 * model->cables && status == HAW_OK; i++) {
        status = joined_end(model, i) == NULL ? HAW_OK : describe_end(model, i, &(*list)[count++]);
    }
    return status;
}

/* Places of the multipliers. */
static void number_joints(haw_model *model, int first_end)
{
    for (int i = 0; i < model->joints; i++) {
        haw_link *joint = &model->joint[i];
        joint->first = model->dofs;
        joint->first_q = model->coordinates;
        model->dofs += joint->rows;
        model->coordinates += joint->rows;
        model->multipliers += joint->rows;
        if (i >= first_end) {
            const haw_spot *foot = &joint->foot[0];
            haw_cable *cable = &model->cable[foot->cable];
            joint->is_end = true;
            cable->guide[foot->element + (foot->s > 0) > 0].lambda = joint->first;
        }
    }
}

static haw_status set_place(haw_model *model, const haw_joint_spec *spec, bool is_end,
                            haw_link *joint)
{
    const char *name = spec->name != NULL ? spec->name : "";
    const size_t room = strlen(name) + sizeof "cables..ends.";
    char *place = haw_arena_allocate(&model->arena, room, 1);
    HAW_TRY(haw_arena_status(&model->arena));
    if (is_end) {
        const char *cable = spec->between[0].cable;
        (void)snprintf(place, room, "cables.%s.ends.%s", cable, name + strlen(cable) + 1);
    } else {
        (void)snprintf(place, room, "joints.%s", name);
    }
    joint->place = place;
    return HAW_OK;
}

haw_status haw_build_joints(haw_model *model, const haw_scene *scene)
{
    haw_state *state;
    haw_joint_spec *list;
    HAW_TRY(list_joints(model, scene, &list));
    for (int i = 0; i < model->joints; i++) {
        haw_link *joint = &model->joint[i];
        HAW_TRY(set_place(model, &list[i], i >= scene->joints, joint));
        HAW_TRY(haw_place(model->context, build_joint(model, &list[i], joint), "%s", joint->place));
    }
    if (model->joints == 0) {
        return HAW_OK;
    }
    number_joints(model, scene->joints);
    HAW_TRY(haw_state_create(model->context, model, &state));
    const haw_status status = check_drawn(model, scene, list, state);
    haw_state_free(model->context, state);
    return status;
}
