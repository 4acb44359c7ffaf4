/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rigid surfaces. One row per kind in table.c, in a table for the plane and one for space. A curve
 * in the plane answers with one foot of a point: signed distance and outward normal at the pose of
 * its body. A surface in space answers, in the frame of its body, with all feet of a point: signed
 * distance, normal, tangents and curvature; surfaces of revolution have the z axis of the body as
 * their axis.
 */
#ifndef HAWSER_SHAPE_SURFACE_H
#define HAWSER_SHAPE_SURFACE_H

#include "base/arena.h"

#include <float.h>
#include <math.h>

enum {
    HAW_FEET_MAX = 4, /* of a point on a surface, */
    HAW_LINE_FEET = 8 /* on one or many cables, where some may be held (haw_contacts.held) */
};

/* Axis-aligned bounding box. */
typedef struct haw_box {
    double min[2], max[2];
} haw_box;

typedef struct haw_surface_ops haw_surface_ops;

/* Meridian (r, z) of a surface of revolution: a C1 chain of lines and arcs, or a table r(z). */
typedef struct haw_meridian_segment {
    bool is_arc;
    double to[2];     /* end point (r, z) [m] */
    double center[2]; /* arc (r, z) [m] */
} haw_meridian_segment;

typedef struct haw_meridian {
    double from[2]; /* (r, z) */
    int segments;   /* 0: the table counts */
    const haw_meridian_segment *segment;
    int count;       /* of the table, at least 4 */
    const double *z; /* [count] ascending */
    const double *r; /* [count] > 0; a C2 spline between */
} haw_meridian;

typedef struct haw_surface {
    const haw_surface_ops *ops;
    double options[8]; /* storage of the row's options struct */
    haw_meridian meridian;
    const void *data; /* what `prepare` made of it */
} haw_surface;

/* A local minimum of the distance of a point from the surface. */
typedef struct haw_foot {
    double gap;        /* signed distance, > 0 outside [m] */
    double normal[3];  /* outward unit n */
    double tangent[3]; /* unit t1, along the circles of a surface of revolution; t2 = n x t1 */
    double bend[2];    /* dn = bend[0] t1 (t1 . dx) + bend[1] t2 (t2 . dx), at the point [1/m] */
    double s;          /* on a line (contact/centreline.h): its place on */
    int element;       /* this element, else -1, */
    bool rests;        /* and whether it stays there while the point moves */
} haw_foot;

struct haw_surface_ops {
    haw_row row;
    bool has_meridian;
    bool is_circle; /* one radius all around: sheaves, chords */
    bool is_drum;   /* cables wind about its axis: the angles of a wrap are those of t1 */
    int edges;      /* straight ones, at most 12, with which it touches others, too; of a capsule
                       the axis */
    int first_edge; /* `corner` of the ends of edge e: first_edge + 2 e, and the next number */
    /* Places with which its body touches others, each with `radius` around it: the centre of a disk
     * or sphere, the ends of the axis of a capsule, the corners of a box less its edges' radius. 0:
     * others touch it. */
    int corners;
    /** Corner k in the frame of the body, or a place of an edge between the numbers of its ends.
     * NULL: the origin. */
    void (*corner)(const haw_surface *surface, double k, double x[3]);
    /** Check options and meridian, compute `data` from the arena. @return ERR_INPUT with the
     * reason: a chain with a corner, a radius that is not positive, ... NULL: every option within
     * its range will do. */
    haw_status (*prepare)(haw_arena *arena, haw_surface *surface);
    /** Smallest radius of convex curvature, INFINITY for a plane, 0 of sharp edges [m]. */
    double (*radius)(const haw_surface *surface);
    /** Of the largest ball inside [m]. NULL: `radius`. */
    double (*inner)(const haw_surface *surface);
    /** Smallest radius of concave curvature along the meridian, INFINITY where there is none: the
     * radius of what touches it must be smaller [m]. */
    double (*hollow)(const haw_surface *surface);
    /** Inertias of a solid body about its centre [kg m^2], in the plane one; NAN where undefined.
     */
    void (*inertia)(const haw_surface *surface, double mass, double inertia[3]);

    /* ---- in the plane: pose is [x, y, angle] of the body; NULL in space ---- */

    /** Exact for boxes outside: false only if no point of the box is within `pad` of the surface.
     */
    bool (*near_box)(const haw_surface *surface, const double pose[3], double pad,
                     const haw_box *box);
    /** Signed distance of x from the surface (> 0 outside) and outward unit normal at its foot. */
    double (*gap)(const haw_surface *surface, const double pose[3], const double x[2],
                  double normal[2]);
    /**
     * Arc length of the foot of x on the surface in the frame of the body, growing along the
     * tangent t (n turned clockwise), so that a point that sticks keeps it [m]. NULL: compliant
     * laws follow its points in vectors.
     */
    double (*arc)(const haw_surface *surface, const double pose[3], const double x[2]);
    /** Length after which `arc` repeats, INFINITY for open surfaces [m]. */
    double (*period)(const haw_surface *surface);
    /** Curvature at x: dn = bend t (t . dx) of a point, 1 / (R + gap) for a circle [1/m]. */
    double (*bend)(const haw_surface *surface, const double pose[3], const double x[2]);

    /* ---- in space, in the frame of the body; NULL in the plane ---- */

    /** False only if no point of the ball about x is nearer than 0 to the surface. */
    bool (*near)(const haw_surface *surface, const double x[3], double radius);
    /**
     * Feet with gap <= reach, the nearest first.
     * @return their number, at most HAW_FEET_MAX
     */
    int (*feet)(const haw_surface *surface, const double x[3], double reach,
                haw_foot foot[HAW_FEET_MAX]);
    /** Meridian r(z) with its derivatives: r, r', r''; straight beyond its ends. NULL: none. */
    void (*profile)(const haw_surface *surface, double z, double r[3]);
    /** `count` points for drawing, (r, z) of the meridian, in the plane of the closed outline;
     * NULL: nothing to draw, in the plane a circle or a line. */
    void (*draw)(const haw_surface *surface, int count, double (*point)[2]);
    /** Where a point of that outline is at an angle about the z axis, its ends being faces. NULL:
     * on a circle. */
    void (*around)(const haw_surface *surface, const double outline[2], double angle, double x[3]);
};

extern const haw_surface_ops haw_shape_circle, haw_shape_plane, haw_shape_box, haw_shape_capsule;
extern const haw_surface_ops haw_surface_cylinder, haw_surface_cone, haw_surface_plane;
extern const haw_surface_ops haw_surface_sphere, haw_surface_capsule, haw_surface_revolution;
extern const haw_surface_ops haw_surface_groove, haw_surface_box, haw_surface_torus;

/** All shapes in the plane, all surfaces in space; end with NULL. */
extern const haw_row *const haw_shapes[], *const haw_surfaces[];

/** The table of a dimension. */
static inline const haw_row *const *haw_surfaces_in(int dimension)
{
    return dimension > 2 ? haw_surfaces : haw_shapes;
}

/** True if a surface is a curve in the plane. */
static inline bool haw_surface_is_flat(const haw_surface *surface)
{
    return surface->ops != NULL && surface->ops->gap != NULL;
}

/** radius of rows whose options begin with it. */
static inline double haw_surface_radius(const haw_surface *surface)
{
    return surface->options[0];
}

/**
 * Distance l of the point p from the centre and normal n = p / l there, both relative to the
 * centre: the gap is l - R, and dn = bend t (t . dp) with bend = 1 / l. The centre has every
 * normal: the upward one, which it keeps.
 */
static inline double haw_circle_level(const double p[2], double normal[2], double *bend)
{
    const double square = p[0] * p[0] + p[1] * p[1], level = sqrt(square);
    if (square < DBL_MIN) {
        normal[0] = 0;
        normal[1] = 1;
        *bend = 0;
        return 0;
    }
    normal[0] = p[0] / level;
    normal[1] = p[1] / level;
    *bend = 1 / level;
    return level;
}

/* Operations of rows for which they have no meaning. */

/** radius, hollow, period: INFINITY. */
double haw_surface_endless(const haw_surface *surface);

/** inertia: NAN, since the body is unbounded or its centre is not its origin. */
void haw_surface_bodiless(const haw_surface *surface, double mass, double inertia[3]);

#endif
