/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables: element line, initial coordinates, constant mass, prescribed ends; spatial ones are in
 * beam.c. */
#include "model/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

haw_status haw_cable_place(haw_model *model, const haw_cable_spec *spec, const char *key,
                           haw_status status)
{
    return haw_place(model->context, status, "cables.%s.%s", spec->name, key);
}

haw_status haw_cable_check_positive(haw_context *context, const char *name, const char *key,
                                    double value)
{
    if (!(value > 0) || !isfinite(value)) {
        const haw_status status = haw_fail(context, HAW_ERR_INPUT,
                                           "cable '%s': %s must be > 0 (got %g)", name, key, value);
        return haw_place(context, status, "cables.%s.%s", name, key);
    }
    return HAW_OK;
}

static haw_status check_numbers(haw_model *model, const haw_cable_spec *spec)
{
    char where[96];
    const char *key = "";
    (void)snprintf(where, sizeof where, "cable '%s'", spec->name);
    const haw_status status =
        haw_options_check(model->context, haw_cable_options, spec, model->dimension, where, &key);
    return haw_cable_place(model, spec, key, status);
}

static haw_status check_spec(haw_model *model, const haw_cable_spec *spec)
{
    haw_context *context = model->context;
    HAW_TRY(check_numbers(model, spec));
    const bool is_laid = spec->lay.on != NULL; /* which needs a length */
    if (!isnan(spec->tension) && !isnan(spec->length) && !is_laid) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "cable '%s': give either tension or length (unstrained), or neither for a "
                        "cable as drawn",
                        spec->name);
    }
    return HAW_OK;
}

typedef struct feature {
    const char *key, *what;
    double value;
    bool is_known; /* the element has it; without it only `absent` is allowed */
    double absent;
} feature;

/* Bending, damping of rates and a stress-free shape of their own are not for every element. */
static haw_status check_features(haw_model *model, const haw_cable_spec *spec,
                                 const haw_element_ops *ops)
{
    const bool bends = ops->step_limit_bending > 0, has_rates = ops->force_rates != NULL;
    const feature rows[] = {
        {"bending_stiffness", "bending stiffness", spec->bending_stiffness, bends, 0},
        {"reference_curvature", "bending stiffness", spec->reference_curvature, bends, 0},
        {"damping.strain", "damping of strain rates", spec->damping_strain, has_rates, 0},
        {"damping.curvature", "damping of curvature rates", spec->damping_curvature, has_rates, 0},
        {"reference_strain", "reference strain", spec->reference_strain, has_rates, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        haw_status status = HAW_OK;
        if (!rows[i].is_known && rows[i].value != rows[i].absent) {
            status =
                haw_fail(model->context, HAW_ERR_INPUT, "cable '%s': the element '%s' has no %s",
                         spec->name, ops->row.name, rows[i].what);
        }
        HAW_TRY(haw_cable_place(model, spec, rows[i].key, status));
    }
    return HAW_OK;
}

static haw_status check_reference(haw_model *model, const haw_cable_spec *spec,
                                  const haw_element_ops *ops)
{
    haw_status status = HAW_OK;
    if (spec->reference == HAW_REFERENCE_DRAWN && ops->natural == NULL) {
        status = haw_fail(model->context, HAW_ERR_INPUT,
                          "cable '%s': the element '%s' is straight where it is free of stress",
                          spec->name, ops->row.name);
    } else if (spec->reference == HAW_REFERENCE_DRAWN && !isnan(spec->tension)) {
        status = haw_fail(model->context, HAW_ERR_INPUT,
                          "cable '%s': what is free of stress as drawn has no tension to give; use "
                          "reference_strain for pretension",
                          spec->name);
    }
    return haw_place(model->context, status, "cables.%s.reference", spec->name);
}

static haw_status set_material(haw_model *model, const haw_cable_spec *spec, haw_line *line)
{
    HAW_TRY(check_features(model, spec, line->ops));
    HAW_TRY(check_reference(model, spec, line->ops));
    line->stiffness = spec->stiffness;
    line->density = spec->density;
    line->slack = spec->slack;
    line->bending = spec->bending_stiffness * spec->bending_factor;
    line->damping_strain = spec->damping_strain;
    line->damping_curvature = spec->damping_curvature;
    line->strain0 = spec->reference_strain;
    line->curvature0 = spec->reference_curvature;
    line->scheme = spec->quadrature;
    return HAW_OK;
}

static haw_status init_line(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_line *line = &cable->line;
    const char *element = spec->element != NULL ? spec->element : "";
    line->ops = (const haw_element_ops *)haw_row_find(haw_elements, element);
    if (line->ops == NULL) {
        return haw_row_unknown(model->context, haw_elements, element, "cable '%s': unknown element",
                               spec->name);
    }
    line->elements = spec->elements;
    line->dofs = line->ops->stride * spec->elements + line->ops->dofs - line->ops->stride;
    line->closed = spec->closed;
    line->gravity[0] = model->gravity[0];
    line->gravity[1] = model->gravity[1];
    haw_quadrature_init(spec->gauss_points, &line->rule);
    return set_material(model, spec, line);
}

haw_status haw_cable_set_length(haw_arena *arena, haw_cable *cable, double length)
{
    haw_line *line = &cable->line;
    const haw_element_ops *ops = line->ops;
    line->le = length / line->elements;
    if (!ops->mass_constant) {
        return HAW_OK;
    }
    if (cable->mass.value == NULL) {
        HAW_TRY(haw_band_create(arena, line->dofs / ops->mass_copies, ops->mass_width,
                                ops->mass_copies, &cable->mass));
    }
    haw_band_clear(&cable->mass);
    double block[HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX];
    for (int e = 0; e < line->elements; e++) {
        ops->mass(line, e, cable->start, block);
        haw_band_add(&cable->mass, ops->stride / ops->mass_copies * e, ops->mass_block, block);
    }
    return HAW_OK;
}

/* Both components of an end are prescribed (pinned: zero velocity) or both are free; the ends of a
 * closed cable are one of its nodes. */
static haw_status set_end(haw_model *model, const haw_cable_spec *spec, haw_cable *cable, int i)
{
    const haw_line *line = &cable->line;
    const haw_end_spec *end = &spec->ends[i];
    if (line->closed) {
        cable->end[i] = (haw_end_spec){.kind = HAW_END_FREE};
        cable->end_dof[i] = -1;
        return HAW_OK;
    }
    if (end->kind == HAW_END_CLAMPED && line->ops->force_rates == NULL) {
        const haw_status status = haw_fail(model->context, HAW_ERR_INPUT,
                                           "cable '%s': the element '%s' has no slope that an end "
                                           "could clamp",
                                           spec->name, line->ops->row.name);
        return haw_place(model->context, status, "cables.%s.ends", spec->name);
    }
    if (end->body != NULL) {
        return haw_cable_place(model, spec, "ends",
                               haw_fail(model->context, HAW_ERR_INPUT,
                                        "cable '%s': in the plane only ropes over sheaves end on "
                                        "bodies",
                                        spec->name));
    }
    cable->end[i] = *end;
    cable->end_dof[i] = i == 0 ? 0 : line->ops->stride * line->elements;
    if (end->kind == HAW_END_FREE) {
        cable->end_dof[i] = -1;
    }
    for (int k = 0; k < haw_cable_end_held(cable, i); k++) {
        cable->held[cable->end_dof[i] + k] = true;
    }
    HAW_TRY(haw_build_function(model, &end->velocity[0], &cable->end[i].velocity[0]));
    return haw_build_function(model, &end->velocity[1], &cable->end[i].velocity[1]);
}

/* Strains and curvatures as drawn are those of no stress. */
static haw_status keep_drawn(haw_model *model, haw_cable *cable)
{
    haw_line *line = &cable->line;
    double *natural = haw_arena_allocate(&model->arena, (size_t)line->elements * HAW_NATURAL_MAX,
                                         sizeof *natural);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int e = 0; e < line->elements; e++) {
        line->ops->natural(line, e, cable->start, natural + (ptrdiff_t)HAW_NATURAL_MAX * e);
    }
    line->natural = natural;
    return HAW_OK;
}

/* The end position of bezier-c0 is its last control point; of all others, the last node. */
static haw_status lay_out(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_course course;
    HAW_TRY(haw_course_init(model->context, spec, model->gravity, &course));
    HAW_TRY(haw_cable_check_positive(model->context, spec->name, "length", course.length));
    cable->start =
        haw_arena_allocate(&model->arena, (size_t)cable->line.dofs, sizeof *cable->start);
    HAW_TRY(haw_arena_status(&model->arena));
    cable->tension = course.is_static ? spec->tension : (double)NAN;
    if (course.is_static) {
        model->start = HAW_START_STATIC;
    }
    cable->line.le = course.length / spec->elements;
    const haw_line *line = &cable->line;
    line->ops->interpolate(line, haw_course_point, &course, cable->start);
    if (line->closed) {
        memcpy(cable->start + (ptrdiff_t)line->ops->stride * line->elements, cable->start,
               (size_t)(line->ops->dofs - line->ops->stride) * sizeof *cable->start);
    }
    if (spec->reference == HAW_REFERENCE_DRAWN) {
        HAW_TRY(keep_drawn(model, cable));
    }
    return haw_cable_set_length(&model->arena, cable, course.length);
}

/* ---- kinds ---- */

/* A rope names its kind; of other cables there is one per dimension. */
static haw_status find_kind(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    const char *element = spec->element != NULL ? spec->element : "";
    const bool is_rope = spec->sheaves > 0;
    const haw_cable_ops *named = (const haw_cable_ops *)haw_row_find(haw_ropes, element);
    for (int i = 0; haw_cables[i] != NULL && !is_rope && named == NULL; i++) {
        const haw_cable_ops *ops = (const haw_cable_ops *)haw_cables[i];
        if (!ops->moves_along && ops->dimension == model->dimension) {
            cable->ops = ops;
            return HAW_OK;
        }
    }
    if (!is_rope) {
        return haw_cable_place(model, spec, "reeving",
                               haw_fail(model->context, HAW_ERR_INPUT,
                                        "cable '%s': the element '%s' is for ropes over sheaves: "
                                        "give its reeving",
                                        spec->name, element));
    }
    if (named == NULL) {
        return haw_cable_place(model, spec, "element",
                               haw_fail(model->context, HAW_ERR_INPUT,
                                        "cable '%s': a rope over sheaves has the element ale or "
                                        "arc1d, not '%s'",
                                        spec->name, element));
    }
    cable->ops = named;
    return named->dimension == model->dimension
               ? HAW_OK
               : haw_cable_place(model, spec, "reeving",
                                 haw_fail(model->context, HAW_ERR_INPUT,
                                          "cable '%s': ropes over sheaves are planar", spec->name));
}

haw_status haw_cable_count(haw_model *model, haw_cable *cable)
{
    if (cable->coordinates == 0) {
        cable->coordinates = cable->line.dofs;
    }
    model->dofs += cable->line.dofs;
    model->coordinates += cable->coordinates;
    if (cable->held == NULL) {
        cable->held =
            haw_arena_allocate(&model->arena, (size_t)cable->line.dofs, sizeof *cable->held);
    }
    return haw_arena_status(&model->arena);
}

static haw_status build_line(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    HAW_TRY(init_line(model, spec, cable));
    HAW_TRY(haw_cable_count(model, cable));
    HAW_TRY(set_end(model, spec, cable, 0));
    HAW_TRY(set_end(model, spec, cable, 1));
    return lay_out(model, spec, cable);
}

static haw_status build_kind(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    static const struct {
        const haw_cable_ops *ops;
        haw_status (*build)(haw_model *model, const haw_cable_spec *spec, haw_cable *cable);
    } rows[] = {
        {&haw_cable_line, build_line},
        {&haw_cable_beam, haw_build_beam},
        {&haw_cable_ale, haw_build_rope},
        {&haw_cable_arc1d, haw_build_rope},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].ops == cable->ops) {
            return rows[i].build(model, spec, cable);
        }
    }
    return HAW_ERR_ARG;
}

static haw_status build_cable(haw_model *model, const haw_cable_spec *spec, int i)
{
    haw_cable *cable = &model->cable[i];
    if (spec->name == NULL || haw_model_find_cable(model, spec->name) >= 0 ||
        haw_model_find_body(model, spec->name) >= 0) {
        return haw_fail(model->context, HAW_ERR_INPUT, "cable %d: needs a name of its own", i + 1);
    }
    cable->name = haw_arena_string(&model->arena, spec->name);
    HAW_TRY(haw_arena_status(&model->arena));
    HAW_TRY(check_spec(model, spec));
    HAW_TRY(find_kind(model, spec, cable));
    cable->damping_mass = spec->damping_mass;
    cable->width = spec->width;
    cable->is_path = spec->segments > 0;
    cable->first = model->dofs;
    cable->first_q = model->coordinates;
    return build_kind(model, spec, cable);
}

haw_status haw_build_cables(haw_model *model, const haw_scene *scene)
{
    model->cable = haw_arena_allocate(&model->arena, (size_t)scene->cables, sizeof *model->cable);
    if (model->cable == NULL && scene->cables > 0) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < scene->cables; i++) {
        const char *name = scene->cable[i].name != NULL ? scene->cable[i].name : "";
        HAW_TRY(
            haw_place(model->context, build_cable(model, &scene->cable[i], i), "cables.%s", name));
        model->cables = i + 1;
    }
    return HAW_OK;
}
