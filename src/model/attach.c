/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scene attaches to bodies and cables: given forces, springs, and locks of the start. */
#include "model/build.h"

#include <math.h>
#include <string.h>

/* ---- forces ---- */

/* A motion holds all degrees of freedom of a body. */
void haw_warn_of_motion(const haw_model *model, const haw_body *body, const char *load)
{
    if (body->motion != HAW_MOTION_FREE) {
        haw_log(model->context, HAW_LOG_WARNING,
                "%s on '%s' does not move it: its motion is prescribed, and what drives it bears "
                "the load",
                load, body->name);
    }
}

static haw_status build_load(haw_model *model, const haw_force_spec *spec, haw_load *load)
{
    const int d = model->dimension;
    const char *on = spec->on != NULL ? spec->on : "";
    const double at[3] = {haw_model_find_cable(model, on) >= 0 ? spec->point : 0};
    bool turns[3], any = spec->follows;
    HAW_TRY(haw_build_spot(model, "force", on, at, &load->spot));
    for (int i = 0; i < 3; i++) {
        turns[i] = spec->moment[i].count > 0 || spec->moment[i].constant != 0;
        any = any || turns[i];
    }
    if (load->spot.cable >= 0) {
        const haw_cable *cable = &model->cable[load->spot.cable];
        HAW_TRY(cable->ops->check_load(cable, model->context, "force", turns));
        load->spot.is_tangent = any && !haw_cable_turns(cable);
    }
    if (load->spot.body >= 0) {
        haw_warn_of_motion(model, &model->body[load->spot.body], "a force");
    }
    load->follows = spec->follows;
    for (int i = 0; i < d; i++) {
        HAW_TRY(haw_function_copy(&model->arena, &spec->force[i], &load->force[i]));
    }
    for (int i = 6 - 2 * d; i < 3; i++) { /* in the plane about z alone */
        HAW_TRY(haw_function_copy(&model->arena, &spec->moment[i], &load->moment[i]));
    }
    return HAW_OK;
}

haw_status haw_build_loads(haw_model *model, const haw_scene *scene)
{
    model->load = haw_arena_allocate(&model->arena, (size_t)scene->forces, sizeof *model->load);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->forces; i++) {
        HAW_TRY(haw_place(model->context, build_load(model, &scene->force[i], &model->load[i]),
                          "forces"));
        model->loads = i + 1;
    }
    return HAW_OK;
}

/* ---- springs ---- */

static haw_status build_foot(haw_model *model, const haw_spring_end *end, haw_spot *foot)
{
    static const bool turns[3] = {false, false, false};
    HAW_TRY(haw_build_spot(model, "spring", end->on, end->at, foot));
    if (foot->cable < 0) {
        memset(foot->at, 0, foot->body >= 0 ? sizeof foot->at : 0); /* its centre */
        return HAW_OK;
    }
    const haw_cable *cable = &model->cable[foot->cable];
    return cable->ops->check_load(cable, model->context, "spring", turns);
}

/* Both feet at one place of one cable; a closed cable ends where it starts. */
static bool is_same_point(const haw_model *model, const haw_spot foot[2])
{
    if (foot[0].cable < 0 || foot[0].cable != foot[1].cable) {
        return false;
    }
    int last = 0;
    const haw_cable *cable = &model->cable[foot[0].cable];
    const double way = fabs(foot[1].element - foot[0].element + foot[1].s - foot[0].s);
    return way == 0 || (haw_cable_tied(cable, &last) > 0 && way == cable->line.elements);
}

static haw_status check_feet(haw_model *model, const haw_spot foot[2])
{
    const char *reason = NULL;
    if (is_same_point(model, foot)) {
        reason = "it needs two different points";
    } else if (foot[0].body >= 0 && foot[0].body == foot[1].body) {
        reason = "it needs two different bodies";
    } else if (foot[0].body < 0 && foot[0].cable < 0 && foot[1].body < 0 && foot[1].cable < 0) {
        reason = "both its ends are on the ground";
    }
    return reason == NULL ? HAW_OK : haw_fail(model->context, HAW_ERR_INPUT, "spring: %s", reason);
}

static haw_status build_spring(haw_model *model, const haw_spring_spec *spec, haw_spring *spring)
{
    const char *key = "";
    HAW_TRY(haw_options_check(model->context, haw_spring_options, spec, model->dimension, "spring",
                              &key));
    spring->stiffness = spec->stiffness;
    spring->damping = spec->damping;
    spring->length = spec->length;
    HAW_TRY(build_foot(model, &spec->between[0], &spring->foot[0]));
    HAW_TRY(build_foot(model, &spec->between[1], &spring->foot[1]));
    return check_feet(model, spring->foot);
}

haw_status haw_build_springs(haw_model *model, const haw_scene *scene)
{
    if (scene->springs == 0) {
        return HAW_OK;
    }
    model->spring =
        haw_arena_allocate(&model->arena, (size_t)scene->springs, sizeof *model->spring);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->springs; i++) {
        HAW_TRY(haw_place(model->context, build_spring(model, &scene->spring[i], &model->spring[i]),
                          "springs"));
        model->springs = i + 1;
    }
    return HAW_OK;
}

/* ---- start ---- */

/* The part of a text behind "name.", NULL if it begins with another name. */
static const char *part_of(const char *text, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == '.' ? text + length + 1 : NULL;
}

/* A coordinate of a node; the two copies of a closed cable's are locked together. */
static bool lock_cable(haw_model *model, const haw_cable *cable, const char *part)
{
    static const char *const parts[] = {"start.x", "start.y", "start.z", "end.x",
                                        "end.y",   "end.z",   NULL};
    const int k = part != NULL ? haw_words_find(parts, part) : -1;
    if (k < 0 || k % 3 >= model->dimension || cable->ops->node_dof == NULL) {
        return false; /* a rope's ends are held, or bodies */
    }
    const int dof[2] = {cable->ops->node_dof(cable, 0),
                        cable->ops->node_dof(cable, cable->line.elements)};
    model->lock[dof[k / 3] + k % 3] = true;
    if (cable->line.closed) {
        model->lock[dof[1 - k / 3] + k % 3] = true;
    }
    return true;
}

/* A coordinate of a body, or by its name alone the body. */
static bool lock_body(haw_model *model, const haw_body *body, const char *text)
{
    static const char *const parts[] = {"x", "y", "z", "angle", NULL};
    bool *lock = model->lock + body->first;
    const char *part = part_of(text, body->name);
    const int k = part != NULL ? haw_words_find(parts, part) : -1;
    for (int i = 0; i < model->kind->dofs && strcmp(text, body->name) == 0; i++) {
        lock[i] = true;
    }
    if (k == 3) {
        lock[model->kind->spin] = true; /* about z */
    } else if (k >= 0 && k < model->dimension) {
        lock[k] = true;
    } else {
        return strcmp(text, body->name) == 0;
    }
    return true;
}

static bool lock_part(haw_model *model, const char *text)
{
    bool is_locked = false;
    for (int i = 0; i < model->bodies && !is_locked; i++) {
        is_locked = lock_body(model, &model->body[i], text);
    }
    for (int i = 0; i < model->cables && !is_locked; i++) {
        is_locked = lock_cable(model, &model->cable[i], part_of(text, model->cable[i].name));
    }
    return is_locked;
}

/* A scene of zeros has the presets of the option table: no friction, one load step, no locks. */
haw_status haw_build_start(haw_model *model, const haw_scene *scene)
{
    haw_context *context = model->context;
    const char *key = "";
    haw_scene checked = *scene;
    checked.load_steps = scene->load_steps == 0 ? 1 : scene->load_steps;
    checked.start_tolerance =
        scene->start_tolerance == 0 ? HAW_START_TOLERANCE : scene->start_tolerance;
    const haw_status status =
        haw_options_check(context, haw_start_options, &checked, model->dimension, "start", &key);
    HAW_TRY(haw_place(context, status, "start.%s", key));
    model->start_friction = checked.start_friction;
    model->load_steps = checked.load_steps;
    model->start_tolerance = checked.start_tolerance;
    model->lock = haw_arena_allocate(&model->arena, (size_t)model->dofs + 1, sizeof *model->lock);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->locks; i++) {
        if (!lock_part(model, scene->lock[i])) {
            return haw_place(context,
                             haw_fail(context, HAW_ERR_INPUT,
                                      "start: cannot lock '%s'; a lock is BODY, BODY.x, BODY.y, "
                                      "BODY.angle, CABLE.start.x, CABLE.start.y, CABLE.end.x or "
                                      "CABLE.end.y (in space also z)",
                                      scene->lock[i]),
                             "start.lock");
        }
    }
    return HAW_OK;
}
