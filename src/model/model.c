/* SPDX-License-Identifier: BSD-3-Clause */
/* Build once, query, free. */
#include "model/build.h"

#include <math.h>

int haw_model_find_body(const haw_model *model, const char *name)
{
    return haw_names_find(HAW_NAMES(model->body, model->bodies, haw_body, name), name);
}

int haw_model_find_cable(const haw_model *model, const char *name)
{
    return haw_names_find(HAW_NAMES(model->cable, model->cables, haw_cable, name), name);
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
    HAW_TRY(haw_arena_status(&model->arena));
    model->start = HAW_START_GIVEN;
    HAW_TRY(haw_build_bodies(model, scene));
    HAW_TRY(haw_build_cables(model, scene));
    HAW_TRY(haw_build_pairs(model, scene));
    HAW_TRY(haw_build_check_drawn(model, scene));
    HAW_TRY(haw_build_loads(model, scene));
    HAW_TRY(haw_build_springs(model, scene));
    HAW_TRY(haw_build_joints(model, scene));
    HAW_TRY(haw_build_meetings(model));
    HAW_TRY(haw_build_start(model, scene));
    HAW_TRY(haw_build_kept(model));
    model->start_is_auto = scene->start == HAW_START_AUTO;
    if (!model->start_is_auto) { /* else the cables decided */
        model->start = (haw_start)scene->start;
    }
    return HAW_OK;
}

/* A struct of another size comes from a caller that was compiled with other headers. */
static haw_status check_size(haw_context *context, const char *name, size_t size, size_t own)
{
    return size == 0 || size == own
               ? HAW_OK
               : haw_fail(context, HAW_ERR_ARG,
                          "%s has %zu bytes, but in this library (version %s) it has %zu: compile "
                          "with the headers of this version",
                          name, size, haw_version(), own);
}

#define CHECK_FIRST(count, item)                                                                   \
    HAW_TRY(scene->count > 0                                                                       \
                ? check_size(context, #item, scene->item[0].size, sizeof scene->item[0])           \
                : HAW_OK)

static haw_status check_sizes(haw_context *context, const haw_scene *scene)
{
    HAW_TRY(check_size(context, "haw_scene", scene->size, sizeof *scene));
    CHECK_FIRST(bodies, body);
    CHECK_FIRST(cables, cable);
    CHECK_FIRST(contacts, contact);
    CHECK_FIRST(forces, force);
    CHECK_FIRST(springs, spring);
    CHECK_FIRST(joints, joint);
    return HAW_OK;
}

haw_status haw_model_build(haw_context *context, const haw_scene *scene, haw_model **model)
{
    *model = NULL;
    HAW_TRY(check_sizes(context, scene));
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

const char *haw_model_body_name(const haw_model *model, int body)
{
    return body >= 0 && body < model->bodies ? model->body[body].name : NULL;
}

const char *haw_model_cable_name(const haw_model *model, int cable)
{
    return cable >= 0 && cable < model->cables ? model->cable[cable].name : NULL;
}

haw_extent haw_model_body_extent(const haw_model *model, int body)
{
    if (body < 0 || body >= model->bodies) {
        return (haw_extent){0};
    }
    return (haw_extent){.first_q = model->body[body].first_q,
                        .coordinates = (int)haw_body_coordinates(model),
                        .first_u = model->body[body].first,
                        .dofs = (int)haw_body_dofs(model)};
}

haw_extent haw_model_cable_extent(const haw_model *model, int cable)
{
    if (cable < 0 || cable >= model->cables) {
        return (haw_extent){0};
    }
    const haw_cable *c = &model->cable[cable];
    return (haw_extent){.first_q = c->first_q,
                        .coordinates = c->coordinates,
                        .first_u = c->first,
                        .dofs = c->line.dofs};
}
