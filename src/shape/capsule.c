/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Capsule about the z axis: all within R of the segment |z| <= L / 2, s = |x - c| - R with the
 * nearest place c of that segment.
 */
#include "shape/revolution.h"

static const double pi = 3.14159265358979323846;

typedef struct capsule_options {
    double radius; /* R [m] */
    double length; /* L, between the centres of its ends [m] */
} capsule_options;

static const haw_option capsule_table[] = {
    {"radius", HAW_OPTION_REAL, offsetof(capsule_options, radius), NAN, DBL_MIN, DBL_MAX, "m",
     "radius of the cylinder and of its round ends", NULL},
    {"length", HAW_OPTION_REAL, offsetof(capsule_options, length), NAN, DBL_MIN, DBL_MAX, "m",
     "length between the centres of the ends, half of it to each side of the body's origin", NULL},
    {0},
};

static const capsule_options *options_of(const haw_surface *surface)
{
    return (const void *)surface->options;
}

/* How far a height is beyond the end of the segment on its side, with its sign; 0 between them. */
static double beyond(const capsule_options *o, double z)
{
    const double half = 0.5 * o->length;

    return z - fmin(fmax(z, -half), half);
}

/* A cylinder and two halves of a sphere, whose own centres are 3 R / 8 from the faces. */
static void capsule_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const capsule_options *o = options_of(surface);
    const double r = o->radius, length = o->length;
    const double middle = mass * length / (length + 4.0 / 3.0 * r), ends = mass - middle;

    inertia[0] = inertia[1] = middle * (length * length / 12.0 + 0.25 * r * r) +
                              ends * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r);
    inertia[2] = (0.5 * middle + 0.4 * ends) * r * r;
}

/* The last factor covers the rounding of this test and of the gap it stands for. */
static bool capsule_near(const haw_surface *surface, const double x[3], double radius)
{
    const capsule_options *o = options_of(surface);
    const double reach = o->radius + radius, z = beyond(o, x[2]);

    return x[0] * x[0] + x[1] * x[1] + z * z <= reach * reach * (1.0 + 16.0 * DBL_EPSILON);
}

static int capsule_feet(const haw_surface *surface, const double x[3], double reach,
                        haw_foot foot[HAW_FEET_MAX])
{
    const capsule_options *o = options_of(surface);
    const double rho = hypot(x[0], x[1]), z = beyond(o, x[2]), distance = hypot(rho, z);
    haw_half_foot half = {.gap = distance - o->radius, .normal = {1.0, 0.0}};

    if (half.gap > reach) {
        return 0;
    }
    if (z != 0.0) { /* at an end, a sphere */
        half.normal[0] = rho / distance;
        half.normal[1] = z / distance;
        half.bend = 1.0 / distance;
    }
    haw_foot_revolve(x, &half, &foot[0]);
    foot[0].bend[0] = z != 0.0 ? half.bend : foot[0].bend[0]; /* also on the axis */
    return 1;
}

static void capsule_corner(const haw_surface *surface, double k, double x[3])
{
    x[0] = x[1] = 0.0;
    x[2] = (k - 0.5) * options_of(surface)->length;
}

static void capsule_profile(const haw_surface *surface, double z, double r[3])
{
    const capsule_options *o = options_of(surface);
    const double end = beyond(o, z);

    r[0] = sqrt(fmax(o->radius * o->radius - end * end, 0.0));
    r[1] = -end / r[0];
    r[2] = end != 0.0 ? -o->radius * o->radius / (r[0] * r[0] * r[0]) : 0.0;
}

/* Places of equal distance along the meridian. */
static void capsule_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const capsule_options *o = options_of(surface);
    const double r = o->radius, quarter = 0.5 * pi * r, whole = 2.0 * quarter + o->length;

    for (int i = 0; i < count; i++) {
        const double way = whole * i / (count - 1) - 0.5 * whole; /* from the middle */
        const double end = beyond(o, way);

        point[i][0] = r * cos(end / r);
        point[i][1] = way - end + r * sin(end / r);
    }
}

const haw_surface_ops haw_surface_capsule = {
    .row.name = "capsule",
    .row.summary = "cylinder with round ends about the z axis of its body",
    .row.source = "signed distance from a segment, s = |x - c| - R",
    .row.options = capsule_table,
    .row.options_size = sizeof(capsule_options),
    .corners = 2,
    .edges = 1,
    .corner = capsule_corner,
    .radius = haw_surface_radius,
    .hollow = haw_surface_endless,
    .inertia = capsule_inertia,
    .near = capsule_near,
    .feet = capsule_feet,
    .profile = capsule_profile,
    .draw = capsule_draw,
};
