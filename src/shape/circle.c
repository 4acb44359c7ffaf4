/* SPDX-License-Identifier: BSD-3-Clause */
/* Disk: g = |x - x_D| - R, eta = (x - x_D)/|x - x_D|. */
#include "shape/circle.h"

static const double pi = 3.14159265358979323846;

typedef struct circle_options {
    double radius; /* R [m] */
} circle_options;

static const haw_option circle_table[] = {
    {"radius", HAW_OPTION_REAL, offsetof(circle_options, radius), NAN, DBL_MIN, DBL_MAX, "m",
     "radius of the disk", NULL},
    {0},
};

static const circle_options *options_of(const haw_surface *surface)
{
    return (const void *)surface->options;
}

static double circle_radius(const haw_surface *surface)
{
    const circle_options *o = options_of(surface);

    return o->radius;
}

static void circle_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const double radius = options_of(surface)->radius;

    inertia[0] = 0.5 * mass * radius * radius;
}

static bool circle_near_box(const haw_surface *surface, const double pose[3], double pad,
                            const haw_box *box)
{
    const circle_options *o = options_of(surface);

    return haw_circle_near(o->radius + pad, pose, box);
}

static double circle_gap(const haw_surface *surface, const double pose[3], const double x[2],
                         double normal[2])
{
    const circle_options *o = options_of(surface);
    const double p[2] = {x[0] - pose[0], x[1] - pose[1]};
    double bend;

    return haw_circle_level(p, normal, &bend) - o->radius;
}

static double circle_arc(const haw_surface *surface, const double pose[3], const double x[2])
{
    const circle_options *o = options_of(surface);
    const double c = cos(pose[2]), s = sin(pose[2]);
    double n[2];

    (void)circle_gap(surface, pose, x, n);
    /* angles grow counter-clockwise, t points clockwise */
    return -o->radius * atan2(c * n[1] - s * n[0], c * n[0] + s * n[1]);
}

static double circle_period(const haw_surface *surface)
{
    const circle_options *o = options_of(surface);

    return 2.0 * pi * o->radius;
}

static double circle_bend(const haw_surface *surface, double gap)
{
    const circle_options *o = options_of(surface);
    const double distance = o->radius + gap;

    return distance > 0.0 ? 1.0 / distance : 0.0; /* the centre keeps the normal it was given */
}

const haw_surface_ops haw_shape_circle = {
    .row.name = "circle",
    .row.summary = "disk of a radius about the origin of its body",
    .row.source = "S. R. Eugster, Frictional impact of a rigid disk on an elastic cable, eq. 9",
    .row.options = circle_table,
    .row.options_size = sizeof(circle_options),
    .is_circle = true,
    .is_proxy = true,
    .prepare = haw_surface_accept,
    .radius = circle_radius,
    .hollow = haw_surface_endless,
    .inertia = circle_inertia,
    .near_box = circle_near_box,
    .gap = circle_gap,
    .arc = circle_arc,
    .period = circle_period,
    .bend = circle_bend,
};
