/* SPDX-License-Identifier: BSD-3-Clause */
/* Disk: g = |x - x_D| - R, eta = (x - x_D)/|x - x_D|. */
#include "shape/surface.h"

static const double pi = 3.14159265358979323846;

static const haw_option circle_table[] = {
    {"radius", HAW_OPTION_REAL, 0, NAN, DBL_MIN, DBL_MAX, "m", "radius of the disk", NULL},
    {0},
};

static void circle_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const double radius = haw_surface_radius(surface);

    inertia[0] = 0.5 * mass * radius * radius;
}

/* Distance of c from an interval. */
static double outside(double low, double high, double c)
{
    const double below = low - c, above = c - high;
    const double far = below > above ? below : above;
    return far > 0 ? far : 0;
}

/* The last factor covers the rounding of this test and of the gap it stands for. */
static bool circle_near_box(const haw_surface *surface, const double pose[3], double pad,
                            const haw_box *box)
{
    const double radius = haw_surface_radius(surface) + pad;
    const double x = outside(box->min[0], box->max[0], pose[0]);
    const double y = outside(box->min[1], box->max[1], pose[1]);
    return x * x + y * y <= radius * radius * (1 + 16 * DBL_EPSILON);
}

static double circle_gap(const haw_surface *surface, const double pose[3], const double x[2],
                         double normal[2])
{
    const double p[2] = {x[0] - pose[0], x[1] - pose[1]};
    double bend;

    return haw_circle_level(p, normal, &bend) - haw_surface_radius(surface);
}

static double circle_arc(const haw_surface *surface, const double pose[3], const double x[2])
{
    const double c = cos(pose[2]), s = sin(pose[2]);
    double n[2];

    (void)circle_gap(surface, pose, x, n);
    /* angles grow counter-clockwise, t points clockwise */
    return -haw_surface_radius(surface) * atan2(c * n[1] - s * n[0], c * n[0] + s * n[1]);
}

static double circle_period(const haw_surface *surface)
{
    return 2.0 * pi * haw_surface_radius(surface);
}

static double circle_bend(const haw_surface *surface, const double pose[3], const double x[2])
{
    const double p[2] = {x[0] - pose[0], x[1] - pose[1]};
    double normal[2], bend;

    (void)surface;
    (void)haw_circle_level(p, normal, &bend);
    return bend;
}

const haw_surface_ops haw_shape_circle = {
    .row.name = "circle",
    .row.summary = "disk of a radius about the origin of its body",
    .row.source = "S. R. Eugster, Frictional impact of a rigid disk on an elastic cable, eq. 9",
    .row.options = circle_table,
    .row.options_size = sizeof(double),
    .is_circle = true,
    .corners = 1,
    .radius = haw_surface_radius,
    .hollow = haw_surface_endless,
    .inertia = circle_inertia,
    .near_box = circle_near_box,
    .gap = circle_gap,
    .arc = circle_arc,
    .period = circle_period,
    .bend = circle_bend,
};
