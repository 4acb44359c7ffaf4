/* SPDX-License-Identifier: BSD-3-Clause */
/* A new surface is one file and one row here. */
#include "shape/surface.h"

const haw_row *const haw_shapes[] = {&haw_shape_circle.row, &haw_shape_plane.row,
                                     &haw_shape_box.row, &haw_shape_capsule.row, NULL};

const haw_row *const haw_surfaces[] = {
    &haw_surface_cylinder.row, &haw_surface_cone.row,
    &haw_surface_plane.row,    &haw_surface_sphere.row,
    &haw_surface_capsule.row,  &haw_surface_revolution.row,
    &haw_surface_groove.row,   &haw_surface_box.row,
    &haw_surface_torus.row,    NULL,
};

double haw_surface_endless(const haw_surface *surface)
{
    (void)surface;
    return INFINITY;
}

void haw_surface_bodiless(const haw_surface *surface, double mass, double inertia[3])
{
    (void)surface;
    (void)mass;
    inertia[0] = inertia[1] = inertia[2] = NAN;
}
