/* SPDX-License-Identifier: BSD-3-Clause */
/* Build once, query, free. */
#include "model/build.h"
#include "model/rope.h"

#include <math.h>
#include <string.h>

int haw_model_find_body(const haw_model *model, const char *name)
{
    for (int i = 0; i < model->bodies; i++) {
        if (strcmp(model->body[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int haw_model_find_cable(const haw_model *model, const char *name)
{
    for (int i = 0; i < model->cables; i++) {
        if (strcmp(model->cable[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static haw_status build_parts(haw_model *model, const haw_scene *scene)
{
    HAW_TRY(haw_build_bodies(model, scene));
    HAW_TRY(haw_build_cables(model, scene));
    HAW_TRY(haw_build_pairs(model, scene));
    HAW_TRY(haw_build_loads(model, scene));
    if (model->dimension == 3 && scene->springs > 0) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT, "springs act in the plane only"),
                         "springs");
    }
    return haw_build_springs(model, scene);
}

/* A scene of zeros is planar. */
static haw_status build(haw_model *model, const haw_scene *scene)
{
    model->dimension = scene->dimension == 0 ? 2 : scene->dimension;
    if (model->dimension != 2 && model->dimension != 3) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "dimension must be 2 or 3 (got %d)", scene->dimension),
                         "dimension");
    }
    for (int i = 0; i < model->dimension; i++) {
        if (!isfinite(scene->gravity[i])) {
            return haw_fail(model->context, HAW_ERR_INPUT, "gravity must be finite");
        }
        model->gravity[i] = scene->gravity[i];
    }
    if (scene->bodies == 0 && scene->cables == 0) {
        return haw_fail(model->context, HAW_ERR_INPUT, "the scene has neither bodies nor cables");
    }
    model->title = haw_arena_string(&model->arena, scene->title != NULL ? scene->title : "");
    if (model->title == NULL) {
        return HAW_ERR_NOMEM;
    }
    model->start = HAW_START_GIVEN;
    HAW_TRY(build_parts(model, scene));
    HAW_TRY(haw_build_start(model, scene));
    if (scene->start != HAW_START_AUTO) { /* else the cables decided */
        model->start = (haw_start)scene->start;
    }
    return HAW_OK;
}

haw_status haw_model_build(haw_context *context, const haw_scene *scene, haw_model **model)
{
    *model = haw_allocate(context, 1, sizeof **model);
    if (*model == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*model)->context = context;
    haw_arena_init(&(*model)->arena, context);
    const haw_status status = build(*model, scene);
    if (status != HAW_OK) {
        haw_model_free(*model);
        *model = NULL;
    }
    return status;
}

void haw_model_free(haw_model *model)
{
    if (model != NULL) {
        haw_arena_fini(&model->arena);
        haw_release(model->context, model);
    }
}

int haw_model_dofs(const haw_model *model)
{
    return model->dofs;
}

int haw_model_bodies(const haw_model *model)
{
    return model->bodies;
}

int haw_model_cables(const haw_model *model)
{
    return model->cables;
}

/* Unstrained length of the smallest element; of a rope those on the sheaves. */
static double least_element(const haw_cable *cable)
{
    double least = cable->line.le;
    for (int i = 0; cable->rope != NULL && i < cable->rope->arcs; i++) {
        const haw_rope_arc *arc = &cable->rope->arc[i];
        least = fmin(least, (arc->label_out - arc->label_in) / cable->rope->per_arc);
    }
    return least;
}

/* Of no stepper in space, nor with ropes: the time of an axial wave through the smallest element.
 */
static double wave_step(const haw_model *model)
{
    double step = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const haw_line *line = &model->cable[i].line;
        step = fmin(step, least_element(&model->cable[i]) * sqrt(line->density / line->stiffness));
    }
    return step;
}

/* Longitudinal and transverse waves are modes apart: the smaller step counts. */
double haw_model_critical_step(const haw_model *model)
{
    double step = (double)INFINITY;
    if (model->dimension == 3 || haw_model_has_ropes(model)) {
        return wave_step(model);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const haw_line *line = &cable->line;
        const double c = sqrt(line->stiffness / line->density);
        const bool is_free = !line->closed && (cable->end_dof[0] < 0 || cable->end_dof[1] < 0);
        const double limit = is_free ? line->ops->step_limit_free : line->ops->step_limit;
        step = fmin(step, limit * line->le / c);
        if (line->bending > 0) {
            const double b = sqrt(line->bending / line->density);
            step = fmin(step, line->ops->step_limit_bending * line->le * line->le / b);
        }
    }
    return step;
}
