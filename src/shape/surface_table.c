/* SPDX-License-Identifier: BSD-3-Clause */
/* A new surface in space is one file and one row here. */
#include "shape/surface_rows.h"

#include <math.h>
#include <string.h>

const haw_surface_ops *const haw_surfaces[] = {
    &haw_surface_cylinder,
    &haw_surface_cone,
    &haw_surface_plane,
    &haw_surface_sphere,
    &haw_surface_revolution,
    &haw_surface_groove,
    NULL,
};

const haw_surface_ops *haw_surface_find(const char *name)
{
    for (int i = 0; haw_surfaces[i] != NULL; i++) {
        if (strcmp(haw_surfaces[i]->name, name) == 0) {
            return haw_surfaces[i];
        }
    }
    return NULL;
}

haw_status haw_surface_accept(haw_arena *arena, haw_surface *surface)
{
    (void)arena;
    (void)surface;
    return HAW_OK;
}

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
