/* SPDX-License-Identifier: BSD-3-Clause */
/* Spatial cables: section, material, initial coordinates, stress-free shape. */
#include "model/space_build.h"

#include <math.h>
#include <string.h>

static haw_status refuse(haw_model *model, const haw_cable_spec *spec, const char *key,
                         const char *reason)
{
    return haw_cable_place(
        model, spec, key,
        haw_fail(model->context, HAW_ERR_INPUT, "cable '%s': %s", spec->name, reason));
}

/* ---- numbers ---- */

typedef struct number {
    const char *key;
    double value;
    bool may_miss; /* NAN: by another number */
    bool is_zero;  /* 0 is allowed */
} number;

static haw_status check_numbers(haw_model *model, const haw_cable_spec *spec)
{
    const number rows[] = {
        {"bending_stiffness", spec->bending_stiffness, false, true},
        {"bending_factor", spec->bending_factor, false, true},
        {"shear_stiffness", spec->shear_stiffness, true, false},
        {"torsional_stiffness", spec->torsional_stiffness, true, true},
        {"radius", spec->radius, false, true},
        {"rotary_inertia", spec->rotary_inertia[0], true, true},
        {"rotary_inertia", spec->rotary_inertia[1], true, true},
        {"rotary_inertia", spec->rotary_inertia[2], true, true},
        {"damping.strain", spec->damping_strain, false, true},
        {"damping.shear", spec->damping_shear, false, true},
        {"damping.torsion", spec->damping_torsion, false, true},
        {"damping.curvature", spec->damping_curvature, false, true},
        {"reference_strain", 1 + spec->reference_strain, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double value = rows[i].value;
        const bool is_missing = isnan(value) && rows[i].may_miss;
        if (!is_missing && (!isfinite(value) || !(value > 0 || (value == 0 && rows[i].is_zero)))) {
            const bool is_strain = rows[i].value == 1 + spec->reference_strain && !rows[i].is_zero;
            return haw_place(model->context,
                             haw_fail(model->context, HAW_ERR_INPUT,
                                      "cable '%s': %s must be %s (got %g)", spec->name, rows[i].key,
                                      is_strain         ? "> -1"
                                      : rows[i].is_zero ? ">= 0"
                                                        : "> 0",
                                      is_strain ? spec->reference_strain : value),
                             "cables.%s.%s", spec->name, rows[i].key);
        }
    }
    if (!isfinite(spec->reference_curvature)) {
        return refuse(model, spec, "reference_curvature", "reference_curvature must be finite");
    }
    return HAW_OK;
}

/* ---- section ---- */

/* A round section has rho J = rho A r^2 / 2 and half of it about each diameter. */
static haw_status set_section(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_beam *beam = &cable->beam;
    const double bending = spec->bending_stiffness * spec->bending_factor;
    const double shear =
        isnan(spec->shear_stiffness) ? 0.5 * spec->stiffness : spec->shear_stiffness;
    const double torsion =
        isnan(spec->torsional_stiffness) ? spec->bending_stiffness : spec->torsional_stiffness;
    const double stiffness[HAW_STRAINS] = {spec->stiffness, shear,   shear,
                                           torsion,         bending, bending};
    const double damping[HAW_STRAINS] = {spec->damping_strain,    spec->damping_shear,
                                         spec->damping_shear,     spec->damping_torsion,
                                         spec->damping_curvature, spec->damping_curvature};
    memcpy(beam->stiffness, stiffness, sizeof stiffness);
    memcpy(beam->damping, damping, sizeof damping);
    beam->density = spec->density;
    cable->radius = spec->radius;
    for (int i = 0; i < 3; i++) {
        const double round = spec->density * spec->radius * spec->radius * (i == 0 ? 0.5 : 0.25);
        beam->rotary[i] = isnan(spec->rotary_inertia[i]) ? round : spec->rotary_inertia[i];
        beam->gravity[i] = model->gravity[i];
        if (beam->ops->has_rotations && !(beam->rotary[i] > 0)) {
            return refuse(model, spec, "rotary_inertia",
                          "sections that turn have a mass to turn: give a radius, or a "
                          "rotary_inertia > 0");
        }
    }
    return HAW_OK;
}

static haw_status find_element(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    const char *element = spec->element != NULL ? spec->element : "";
    haw_beam *beam = &cable->beam;
    beam->ops = (const haw_space_ops *)haw_row_find(haw_space_elements, element);
    if (beam->ops == NULL) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "cable '%s': in space there is no element '%s'", spec->name,
                                  element),
                         "cables.%s.element", spec->name);
    }
    if (spec->closed) {
        return refuse(model, spec, "closed", "closed cables are planar");
    }
    if (spec->slack) {
        return refuse(model, spec, "slack", "slack: true is planar");
    }
    beam->elements = spec->elements;
    HAW_TRY(check_numbers(model, spec));
    return set_section(model, spec, cable);
}

/* ---- start ---- */

/*
 * Strains of no stress. As drawn: those of the start, less the strain T / EA of a wanted tension,
 * or plus the reference strain where the drawing says how long the cable is.
 */
static haw_status set_natural(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_beam *beam = &cable->beam;
    const bool is_drawn = spec->reference == HAW_REFERENCE_DRAWN;
    const bool is_tense = is_drawn && !isnan(spec->tension);
    const double axial = is_tense ? -spec->tension / spec->stiffness : spec->reference_strain;
    if (!is_drawn && axial == 0 && spec->reference_curvature == 0) {
        return HAW_OK;
    }
    double *natural =
        haw_arena_allocate(&model->arena, (size_t)beam->elements * HAW_STRAINS, sizeof *natural);
    if (natural == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int e = 0; e < beam->elements; e++) {
        double *row = natural + (ptrdiff_t)HAW_STRAINS * e;
        if (is_drawn) {
            beam->ops->natural(beam, e, cable->start, row);
        }
        row[0] += axial;
        row[HAW_STRAINS - 1] += spec->reference_curvature;
    }
    beam->natural = natural;
    return HAW_OK;
}

/* What planar and spatial cables have in common, for those who only ask how long and how heavy. */
static void set_line(haw_cable *cable)
{
    const haw_beam *beam = &cable->beam;
    cable->line = (haw_line){.elements = beam->elements,
                             .dofs = beam->ops->node_dofs * (beam->elements + 1),
                             .le = beam->le,
                             .stiffness = beam->stiffness[0],
                             .density = beam->density};
}

static haw_status lay_out(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_beam *beam = &cable->beam;
    haw_space_course course;
    HAW_TRY(haw_space_course_init(model, spec, spec->reference_strain, &course));
    if (course.has_corner && !beam->ops->has_rotations) {
        return refuse(model, spec, "path", "a corner needs sections that turn; use element: se3");
    }
    beam->le = course.length / beam->elements;
    cable->tension = (double)NAN;
    set_line(cable);
    cable->coordinates = (beam->elements + 1) * beam->ops->node_coordinates;
    cable->start =
        haw_arena_allocate(&model->arena, (size_t)cable->coordinates, sizeof *cable->start);
    if (cable->start == NULL) {
        return HAW_ERR_NOMEM;
    }
    beam->ops->interpolate(beam, haw_space_course_place, &course, cable->start);
    return set_natural(model, spec, cable);
}

haw_status haw_space_build_cable(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    HAW_TRY(find_element(model, spec, cable));
    HAW_TRY(lay_out(model, spec, cable));
    HAW_TRY(haw_cable_count(model, cable));
    HAW_TRY(haw_space_build_end(model, spec, cable, 0));
    return haw_space_build_end(model, spec, cable, 1);
}
