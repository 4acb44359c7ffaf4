/* SPDX-License-Identifier: BSD-3-Clause */
/* Build once, query, free. */
#include "model/build.h"

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
    return haw_build_springs(model, scene);
}

/* A scene of zeros is planar. */
static haw_status build(haw_model *model, const haw_scene *scene)
{
    model->dimension = scene->dimension == 0 ? 2 : scene->dimension;
    model->kind = haw_body_kind_find(model->dimension);
    if (model->kind == NULL) {
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
