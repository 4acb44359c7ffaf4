/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Half plane below the line through the body's origin: g = n . (x - x_0), n turns with the body;
 * half space below the plane z = 0 of its body: s = z.
 */
#include "shape/surface.h"

typedef struct plane_options {
    double normal[3]; /* outward, in the body frame, any length; zero stands for (0, 1) */
} plane_options;

static const haw_option plane_table[] = {
    {"normal", HAW_OPTION_VECTOR, offsetof(plane_options, normal), 0.0, -DBL_MAX, DBL_MAX, "",
     "outward normal in the frame of the body; [0, 0] stands for [0, 1]", NULL},
    {0},
};

static void plane_normal(const haw_surface *surface, double angle, double n[2])
{
    const plane_options *o = (const void *)surface->options;
    double nx = o->normal[0], ny = o->normal[1];

    if (nx == 0.0 && ny == 0.0) {
        ny = 1.0;
    }
    const double length = (nx == 0.0) ? fabs(ny) : hypot(nx, ny);

    nx /= length;
    ny /= length;
    if (angle == 0.0) { /* most planes never turn: spare them the sine */
        n[0] = nx;
        n[1] = ny;
        return;
    }
    const double c = cos(angle), s = sin(angle);

    n[0] = c * nx - s * ny;
    n[1] = s * nx + c * ny;
}

static bool plane_near_box(const haw_surface *surface, const double pose[3], double pad,
                           const haw_box *box)
{
    double n[2];

    plane_normal(surface, pose[2], n);
    /* the corner deepest along -n; rounding is monotonic, so no other point has a smaller gap */
    const double x = (n[0] > 0.0 ? box->min[0] : box->max[0]) - pose[0];
    const double y = (n[1] > 0.0 ? box->min[1] : box->max[1]) - pose[1];

    return n[0] * x + n[1] * y <= pad;
}

static double plane_gap(const haw_surface *surface, const double pose[3], const double x[2],
                        double normal[2])
{
    plane_normal(surface, pose[2], normal);
    return normal[0] * (x[0] - pose[0]) + normal[1] * (x[1] - pose[1]);
}

static double plane_arc(const haw_surface *surface, const double pose[3], const double x[2])
{
    double n[2];

    plane_normal(surface, pose[2], n);
    return n[1] * (x[0] - pose[0]) - n[0] * (x[1] - pose[1]);
}

static double plane_bend(const haw_surface *surface, const double pose[3], const double x[2])
{
    (void)surface;
    (void)pose;
    (void)x;
    return 0.0;
}

const haw_surface_ops haw_shape_plane = {
    .row.name = "plane",
    .row.summary = "half plane bounded by the line through the origin of its body",
    .row.source = "signed distance g = n . (x - x_0)",
    .row.options = plane_table,
    .row.options_size = sizeof(plane_options),
    .radius = haw_surface_endless,
    .hollow = haw_surface_endless,
    .inertia = haw_surface_bodiless,
    .near_box = plane_near_box,
    .gap = plane_gap,
    .arc = plane_arc,
    .period = haw_surface_endless,
    .bend = plane_bend,
};

/* ---- in space ---- */

static const haw_option space_table[] = {{0}};

static bool space_near(const haw_surface *surface, const double x[3], double radius)
{
    (void)surface;
    return x[2] <= radius;
}

static int space_feet(const haw_surface *surface, const double x[3], double reach,
                      haw_foot foot[HAW_FEET_MAX])
{
    (void)surface;
    if (x[2] > reach) {
        return 0;
    }
    foot[0] = (haw_foot){.gap = x[2], .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}};
    return 1;
}

const haw_surface_ops haw_surface_plane = {
    .row.name = "plane",
    .row.summary = "half space below the plane z = 0 of its body",
    .row.source = "signed distance s = z",
    .row.options = space_table,
    .row.options_size = 0,
    .radius = haw_surface_endless,
    .hollow = haw_surface_endless,
    .inertia = haw_surface_bodiless,
    .near = space_near,
    .feet = space_feet,
};
