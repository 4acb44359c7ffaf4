/* SPDX-License-Identifier: BSD-3-Clause */
/* Circular cylinder about the z axis: s = rho - R. */
#include "shape/revolution.h"

typedef struct cylinder_options {
    double radius; /* R [m] */
    double length; /* along z, the body's origin in its middle; NAN: unbounded [m] */
} cylinder_options;

static const char *const unbounded[] = {"unbounded", NULL};

static const haw_option cylinder_table[] = {
    {"radius", HAW_OPTION_REAL, offsetof(cylinder_options, radius), NAN, DBL_MIN, DBL_MAX, "m",
     "radius of the cylinder", NULL},
    {"length", HAW_OPTION_REAL, offsetof(cylinder_options, length), NAN, DBL_MIN, DBL_MAX, "m",
     "length along the axis, half of it to each side of the body's origin; nothing touches beyond "
     "its ends",
     unbounded},
    {0},
};

static const cylinder_options *options_of(const haw_surface *surface)
{
    return (const void *)surface->options;
}

/* Distance from the origin to the end faces. */
static double half_length(const cylinder_options *o)
{
    return isnan(o->length) ? (double)INFINITY : 0.5 * o->length;
}

static void cylinder_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const cylinder_options *o = options_of(surface);
    const double square = o->radius * o->radius;

    inertia[0] = inertia[1] = mass * (3.0 * square + o->length * o->length) / 12.0;
    inertia[2] = 0.5 * mass * square;
}

static bool cylinder_near(const haw_surface *surface, const double x[3], double radius)
{
    const cylinder_options *o = options_of(surface);
    const double reach = o->radius + radius;

    /* the margin covers the rounding of this test and of the gap it stands for */
    return fabs(x[2]) <= (half_length(o) + radius) * (1.0 + 8.0 * DBL_EPSILON) &&
           x[0] * x[0] + x[1] * x[1] <= reach * reach * (1.0 + 8.0 * DBL_EPSILON);
}

static int cylinder_feet(const haw_surface *surface, const double x[3], double reach,
                         haw_foot foot[HAW_FEET_MAX])
{
    const cylinder_options *o = options_of(surface);
    const haw_half_foot half = {.gap = hypot(x[0], x[1]) - o->radius, .normal = {1.0, 0.0}};

    if (fabs(x[2]) > half_length(o) || half.gap > reach) {
        return 0;
    }
    haw_foot_revolve(x, &half, &foot[0]);
    return 1;
}

static void cylinder_profile(const haw_surface *surface, double z, double r[3])
{
    (void)z;
    r[0] = options_of(surface)->radius;
    r[1] = r[2] = 0.0;
}

/* An unbounded one is drawn as long as it is wide. */
static void cylinder_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const cylinder_options *o = options_of(surface);
    const double half = isnan(o->length) ? o->radius : 0.5 * o->length;

    for (int i = 0; i < count; i++) {
        point[i][0] = o->radius;
        point[i][1] = half * (2.0 * i / (count - 1) - 1.0);
    }
}

const haw_surface_ops haw_surface_cylinder = {
    .row.name = "cylinder",
    .row.summary = "circular cylinder about the z axis of its body",
    .row.source = "signed distance s = rho - R",
    .row.options = cylinder_table,
    .row.options_size = sizeof(cylinder_options),
    .is_drum = true,
    .radius = haw_surface_radius,
    .hollow = haw_surface_endless,
    .inertia = cylinder_inertia,
    .near = cylinder_near,
    .feet = cylinder_feet,
    .profile = cylinder_profile,
    .draw = cylinder_draw,
};
