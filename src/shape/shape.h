/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rigid surfaces in the plane: signed distance and outward normal. One row per kind in table.c.
 */
#ifndef HAWSER_SHAPE_SHAPE_H
#define HAWSER_SHAPE_SHAPE_H

#include "base/status.h"

/* Axis-aligned bounding box. */
typedef struct haw_box {
    double min[2], max[2];
} haw_box;

typedef struct haw_shape_ops {
    haw_row row;
    bool is_circle; /* one radius all around: sheaves, chords */
    bool is_proxy;  /* may act as the moving point of a contact (a disk on a plane) */
    /** Smallest radius of curvature, INFINITY for a plane [m]. */
    double (*radius)(const void *options);
    /** Inertia of a solid body of this shape about its centre [kg m^2]; NAN where undefined. */
    double (*inertia)(const void *options, double mass);
    /** Exact for boxes outside: false only if no point of the box is within `pad` of the surface.
     */
    bool (*near)(const void *options, const double pose[3], double pad, const haw_box *box);
    /**
     * Signed distance of x from the surface (> 0 outside) and outward unit normal at its foot.
     * @param pose  [x, y, angle] of the body
     */
    double (*gap)(const void *options, const double pose[3], const double x[2], double normal[2]);
    /**
     * Arc length of the foot of x on the surface in the frame of the body, growing along the
     * tangent t (n turned clockwise), so that a point that sticks keeps it [m].
     */
    double (*arc)(const void *options, const double pose[3], const double x[2]);
    /** Length after which `arc` repeats, INFINITY for open surfaces [m]. */
    double (*period)(const void *options);
    /** Curvature at distance gap: dn = bend t (t . dx) of a point, 1 / (R + gap) for a circle. */
    double (*bend)(const void *options, double gap);
} haw_shape_ops;

extern const haw_shape_ops haw_shape_circle, haw_shape_plane;

/** All shapes; ends with NULL. */
extern const haw_row *const haw_shapes[];

#endif
