/* SPDX-License-Identifier: BSD-3-Clause */
/* Spatial cables: section, material, initial coordinates, stress-free shape. */
#include "model/beam_course.h"

#include <math.h>
#include <string.h>

static haw_status refuse(haw_model *model, const haw_cable_spec *spec, const char *key,
                         const char *reason)
{
    return haw_cable_place(
        model, spec, key,
        haw_fail(model->context, HAW_ERR_INPUT, "cable '%s': %s", spec->name, reason));
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
    HAW_TRY(haw_arena_status(&model->arena));
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
    haw_beam_course course;
    HAW_TRY(haw_beam_course_init(model, spec, spec->reference_strain, &course));
    if (course.has_corner && !beam->ops->has_rotations) {
        return refuse(model, spec, "path", "a corner needs sections that turn; use element: se3");
    }
    beam->le = course.length / beam->elements;
    cable->tension = (double)NAN;
    set_line(cable);
    cable->coordinates = (beam->elements + 1) * beam->ops->node_coordinates;
    cable->start =
        haw_arena_allocate(&model->arena, (size_t)cable->coordinates, sizeof *cable->start);
    HAW_TRY(haw_arena_status(&model->arena));
    beam->ops->interpolate(beam, haw_beam_course_place, &course, cable->start);
    return set_natural(model, spec, cable);
}

haw_status haw_build_beam(haw_model *model, const haw_cable_spec *spec, haw_cable *cable)
{
    HAW_TRY(find_element(model, spec, cable));
    HAW_TRY(lay_out(model, spec, cable));
    HAW_TRY(haw_cable_count(model, cable));
    HAW_TRY(haw_build_beam_end(model, spec, cable, 0));
    return haw_build_beam_end(model, spec, cable, 1);
}
