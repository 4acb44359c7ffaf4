/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Box in space: all within r of a core |x_i| <= a_i about the origin of its body. With q_i =
 * |x_i| - a_i and q+ its positive parts
 *
 *     s = |q+| - r outside of the core, else max q_i - r;
 *
 * n = q+ / |q+| with the signs of x. Beside a face it does not bend, beside an edge with 1 / |q+|
 * across it, beside a corner with that in all directions.
 */
#include "shape/surface.h"

#include <string.h>

enum { AXES = 3, CORNERS = 8, EDGES = 12 };

static const double pi = 3.14159265358979323846;

typedef struct cuboid_options {
    double side[AXES]; /* along x, y, z [m] */
    double radius;     /* of edges and corners [m] */
} cuboid_options;

static const haw_option cuboid_table[] = {
    {"length", HAW_OPTION_REAL, offsetof(cuboid_options, side[0]), NAN, DBL_MIN, DBL_MAX, "m",
     "length along the x axis of its body, half of it to each side of the origin", NULL},
    {"width", HAW_OPTION_REAL, offsetof(cuboid_options, side[1]), NAN, DBL_MIN, DBL_MAX, "m",
     "the same along the y axis", NULL, HAW_KEY_SPACE},
    {"height", HAW_OPTION_REAL, offsetof(cuboid_options, side[2]), NAN, DBL_MIN, DBL_MAX, "m",
     "the same along the z axis", NULL},
    {"radius", HAW_OPTION_REAL, offsetof(cuboid_options, radius), 0.0, 0.0, DBL_MAX, "m",
     "radius of its edges, at most half of the shortest side; cables need one", NULL},
    {0},
};

static const cuboid_options *options_of(const haw_surface *surface)
{
    return (const void *)surface->options;
}

/* a_i */
static double core(const haw_surface *surface, int i)
{
    return 0.5 * options_of(surface)->side[i] - options_of(surface)->radius;
}

static double shortest(const haw_surface *surface)
{
    const double *side = options_of(surface)->side;
    return fmin(side[0], fmin(side[1], side[2]));
}

static haw_status cuboid_prepare(haw_arena *arena, haw_surface *surface)
{
    const cuboid_options *o = options_of(surface);
    const double most = 0.5 * shortest(surface);
    return o->radius <= most
               ? HAW_OK
               : haw_fail(arena->context, HAW_ERR_INPUT,
                          "a box of %g m by %g m by %g m has edges of at most %g m radius (got %g "
                          "m)",
                          o->side[0], o->side[1], o->side[2], most, o->radius);
}

static double edge_radius(const haw_surface *surface)
{
    return options_of(surface)->radius;
}

static double cuboid_inner(const haw_surface *surface)
{
    return 0.5 * shortest(surface);
}

/* Integrals over the solid of 1 and of x_i^2: the section at a_i + p, p <= r, is all within
 * sqrt(r^2 - p^2) of a rectangle. */
static void moments(const haw_surface *surface, int i, double *volume, double *square)
{
    const double a = core(surface, i), r = edge_radius(surface);
    const double b = core(surface, (i + 1) % AXES), c = core(surface, (i + 2) % AXES);
    const double part[AXES] = {4.0 * b * c, 4.0 * (b + c), pi}; /* times 1, rho, rho^2 */
    const double cap[AXES] = {
        /* integrals of p^k of the section over p */
        part[0] * r + part[1] * pi * r * r / 4.0 + part[2] * 2.0 / 3.0 * r * r * r,
        (part[0] / 2.0 + part[1] * r / 3.0 + part[2] * r * r / 4.0) * r * r,
        (part[0] / 3.0 + part[1] * pi * r / 16.0 + part[2] * 2.0 / 15.0 * r * r) * r * r * r};
    const double middle = part[0] + part[1] * r + part[2] * r * r;
    *volume = 2.0 * (middle * a + cap[0]);
    *square = 2.0 * (middle * a * a * a / 3.0 + a * a * cap[0] + 2.0 * a * cap[1] + cap[2]);
}

static void cuboid_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    double volume = 1.0, square[AXES];
    for (int i = 0; i < AXES; i++) {
        moments(surface, i, &volume, &square[i]);
    }
    for (int i = 0; i < AXES; i++) {
        inertia[i] = mass / volume * (square[(i + 1) % AXES] + square[(i + 2) % AXES]);
    }
}

/* |q+|, 0 in the core, and the q_i. */
static double beyond(const haw_surface *surface, const double x[3], double q[AXES])
{
    double square = 0.0;
    for (int i = 0; i < AXES; i++) {
        q[i] = fabs(x[i]) - core(surface, i);
        square += q[i] > 0.0 ? q[i] * q[i] : 0.0;
    }
    return sqrt(square);
}

/* The last factor covers the rounding of this test and of the gap it stands for. */
static bool cuboid_near(const haw_surface *surface, const double x[3], double radius)
{
    double q[AXES];
    const double reach = edge_radius(surface) + radius;
    const double size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    return beyond(surface, x, q) <= reach + 16.0 * DBL_EPSILON * (size + reach);
}

/* Unit vector at right angles to n, and to the axis k as far as it can be. */
static void set_tangent(const double n[3], int k, double t[3])
{
    const double size = sqrt(fmax(1.0 - n[k] * n[k], DBL_MIN));
    for (int i = 0; i < AXES; i++) {
        t[i] = ((i == k ? 1.0 : 0.0) - n[k] * n[i]) / size;
    }
}

static int cuboid_feet(const haw_surface *surface, const double x[3], double reach,
                       haw_foot foot[HAW_FEET_MAX])
{
    double q[AXES];
    const double distance = beyond(surface, x, q), radius = edge_radius(surface);
    int face = 0, sides = 0; /* that in front, and how many there are */
    for (int i = 0; i < AXES; i++) {
        face = q[i] > q[face] ? i : face;
        sides += q[i] > 0.0 ? 1 : 0;
    }
    const int next = (face + 1) % AXES, last = (face + 2) % AXES;
    const int along = sides > 1 && q[last] < q[next] ? last : next; /* an edge's axis */
    foot[0] = (haw_foot){.gap = (sides > 0 ? distance : q[face]) - radius};
    if (foot[0].gap > reach) {
        return 0;
    }
    for (int i = 0; i < AXES; i++) {
        const double part = sides > 1 ? fmax(q[i], 0.0) / distance : i == face;
        foot[0].normal[i] = part != 0.0 ? copysign(part, x[i]) : 0.0;
    }
    set_tangent(foot[0].normal, along, foot[0].tangent);
    foot[0].bend[0] = sides > 2 ? 1.0 / distance : 0.0;
    foot[0].bend[1] = sides > 1 ? 1.0 / distance : 0.0;
    return 1;
}

/* Corners 0 to 7 by the signs of x, y, z; then the edges, four along each axis, each with two
 * numbers between which it goes on. */
static void cuboid_corner(const haw_surface *surface, double k, double x[3])
{
    const bool is_edge = k >= CORNERS;
    const int edge = is_edge ? (int)fmin((k - CORNERS) / 2.0, EDGES - 1) : 0, axis = edge / 4;
    const double part = k - CORNERS - 2.0 * edge;
    for (int i = 0; i < AXES; i++) {
        const int other = (i - axis + AXES) % AXES - 1; /* of the two axes of an edge's sign */
        const int bits = is_edge ? edge % 4 >> (other > 0) : (int)k >> i;
        const double side = bits % 2 > 0 ? -1.0 : 1.0;
        x[i] = core(surface, i) * (is_edge && i == axis ? 2.0 * part - 1.0 : side);
    }
}

/* The section in the plane y = 0 from the edge of the lower face to that of the upper one: a
 * quarter of a turn, half a side, and the same again. */
static void cuboid_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const double a = core(surface, 0), c = core(surface, 2), r = edge_radius(surface);
    for (int i = 0; i < count; i++) {
        const double way = 8.0 * i / (count - 1), half = fmin(way, 8.0 - way);
        const double angle = pi / 6.0 * fmin(half, 3.0);
        const double z = c * fmin(4.0 - half, 1.0) + r * cos(angle);
        point[i][0] = a + r * sin(angle);
        point[i][1] = way < 4.0 ? -z : z;
    }
}

/* All around: what is beyond goes out from the nearest corner of the core. */
static void cuboid_around(const haw_surface *surface, const double outline[2], double angle,
                          double x[3])
{
    const double turn = angle + 0.25 * pi, out = outline[0] - core(surface, 0);
    const double toward[2] = {cos(turn), sin(turn)};
    for (int i = 0; i < 2; i++) {
        x[i] = copysign(core(surface, i), toward[i]) + out * toward[i];
    }
    x[2] = outline[1];
}

const haw_surface_ops haw_surface_box = {
    .row.name = "box",
    .row.summary = "box about the origin of its body, with sharp or round edges",
    .row.source = "signed distance from a cuboid, s = |q+| - r",
    .row.options = cuboid_table,
    .row.options_size = sizeof(cuboid_options),
    .corners = CORNERS,
    .edges = EDGES,
    .first_edge = CORNERS,
    .corner = cuboid_corner,
    .prepare = cuboid_prepare,
    .radius = edge_radius,
    .inner = cuboid_inner,
    .hollow = haw_surface_endless,
    .inertia = cuboid_inertia,
    .near = cuboid_near,
    .feet = cuboid_feet,
    .draw = cuboid_draw,
    .around = cuboid_around,
};
