/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the tables with their own types, for tests that loop over a table. */
#ifndef HAWSER_TESTS_TABLE_H
#define HAWSER_TESTS_TABLE_H

#include "element/element.h"
#include "element/space.h"
#include "law/law.h"
#include "shape/surface.h"
#include "stepper/stepper.h"

static inline const haw_element_ops *element_at(int i)
{
    return (const haw_element_ops *)haw_elements[i];
}

static inline const haw_space_ops *space_element_at(int i)
{
    return (const haw_space_ops *)haw_space_elements[i];
}

static inline const haw_law_ops *law_at(int i)
{
    return (const haw_law_ops *)haw_laws[i];
}

static inline const haw_normal_ops *normal_at(int i)
{
    return (const haw_normal_ops *)haw_normal_laws[i];
}

static inline const haw_friction_ops *friction_at(int i)
{
    return (const haw_friction_ops *)haw_friction_laws[i];
}

static inline const haw_surface_ops *shape_at(int i)
{
    return (const haw_surface_ops *)haw_shapes[i];
}

static inline const haw_surface_ops *surface_at(int i)
{
    return (const haw_surface_ops *)haw_surfaces[i];
}

static inline const haw_solver_ops *solver_at(int i)
{
    return (const haw_solver_ops *)haw_solvers[i];
}

static inline const haw_stepper_ops *stepper_at(int i)
{
    return (const haw_stepper_ops *)haw_steppers[i];
}

#endif
