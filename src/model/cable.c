/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables from their descriptions: what is asked of all; the rest is built by the row that takes it.
 */
#include "cable/site.h"
#include "model/build.h"
#include "model/size.h"

#include <math.h>
#include <stdio.h>

static haw_status check_spec(const haw_site *site, const haw_cable_spec *spec)
{
    char where[96];
    const char *key = "";
    (void)snprintf(where, sizeof where, "cable '%s'", spec->name);
    const haw_status status =
        haw_options_check(site->context, haw_cable_options, spec, site->dimension, where, &key);
    HAW_TRY(haw_place(site->context, status, "cables.%s.%s", spec->name, key));
    const bool is_laid = spec->lay.on != NULL; /* which needs a length */
    if (!isnan(spec->tension) && !isnan(spec->length) && !is_laid) {
        return haw_fail(site->context, HAW_ERR_INPUT,
                        "cable '%s': give either tension or length (unstrained), or neither for a "
                        "cable as drawn",
                        spec->name);
    }
    return HAW_OK;
}

/* Before a cable is built: its elements have more coordinates than a chain of points. */
static haw_status check_size(haw_model *model, const haw_cable_spec *spec)
{
    haw_size size = haw_size_of(model, false);
    size.coordinates += (double)model->dimension * spec->elements;
    return haw_place(model->context, haw_size_check(model->context, &size), "cables.%s.elements",
                     spec->name);
}

static haw_status build_cable(haw_model *model, haw_site *site, const haw_cable_spec *spec, int i)
{
    haw_cable *cable = &model->cable[i];
    if (spec->name == NULL || haw_model_find_cable(model, spec->name) >= 0 ||
        haw_model_find_body(model, spec->name) >= 0) {
        return haw_fail(model->context, HAW_ERR_INPUT, "cable %d needs a unique name", i + 1);
    }
    cable->name = haw_arena_string(&model->arena, spec->name);
    HAW_TRY(haw_arena_status(&model->arena));
    HAW_TRY(check_spec(site, spec));
    HAW_TRY(check_size(model, spec));
    HAW_TRY(haw_cable_find(site, spec, &cable->ops));
    cable->damping_mass = spec->damping_mass;
    cable->width = spec->width;
    cable->is_path = spec->segments > 0 || spec->lay.on != NULL || spec->lay.cable != NULL;
    cable->first = model->dofs;
    cable->first_q = model->coordinates;
    HAW_TRY(cable->ops->build(site, spec, cable));
    cable->asked = spec->tension;
    cable->drawn = cable->line.le * cable->line.elements;
    model->dofs += cable->line.dofs;
    model->coordinates += cable->coordinates;
    return HAW_OK;
}

haw_status haw_build_cables(haw_model *model, const haw_scene *scene)
{
    haw_site site = {.context = model->context,
                     .arena = &model->arena,
                     .dimension = model->dimension,
                     .gravity = model->gravity,
                     .bodies = model->bodies,
                     .body = model->body,
                     .is_given = scene->start == HAW_START_GIVEN};
    const size_t lines = (size_t)scene->cables + 2 * (size_t)scene->contacts; /* with bundles */
    model->cable = haw_arena_allocate(&model->arena, lines, sizeof *model->cable);
    site.course = haw_arena_allocate(&model->arena, (size_t)scene->cables, sizeof *site.course);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->cables; i++) {
        const haw_cable_spec *spec = &scene->cable[i];
        HAW_TRY(haw_place(model->context, build_cable(model, &site, spec, i), "cables.%s",
                          spec->name != NULL ? spec->name : ""));
        model->lines = model->cables = i + 1;
    }
    if (site.starts_static) {
        model->start = HAW_START_STATIC;
    }
    return HAW_OK;
}
