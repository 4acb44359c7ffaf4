/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of surface_table.c, one per file. */
#ifndef HAWSER_SHAPE_SURFACE_ROWS_H
#define HAWSER_SHAPE_SURFACE_ROWS_H

#include "shape/surface.h"

extern const haw_surface_ops haw_surface_cylinder;
extern const haw_surface_ops haw_surface_cone;
extern const haw_surface_ops haw_surface_plane;
extern const haw_surface_ops haw_surface_sphere;
extern const haw_surface_ops haw_surface_revolution;
extern const haw_surface_ops haw_surface_groove;

/* Operations of rows that have nothing to say. */

/** prepare: every option within its range will do. */
haw_status haw_surface_accept(haw_arena *arena, haw_surface *surface);

/** radius, hollow: INFINITY. */
double haw_surface_endless(const haw_surface *surface);

/** inertia: NAN, since the body is unbounded or its centre is not its origin. */
void haw_surface_bodiless(const haw_surface *surface, double mass, double inertia[3]);

#endif
