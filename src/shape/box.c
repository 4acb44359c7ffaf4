/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Box and capsule in the plane: all within r of a rectangle |x| <= a, |y| <= b about the origin of
 * the body, which of a capsule is a segment, b = 0. With the way q = (|x| - a, |y| - b) beyond the
 * rectangle
 *
 *     s = |q| - r where both are positive, else max(q_x, q_y) - r.
 */
#include "shape/revolution.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct core {
    double half[2]; /* a, b [m] */
    double radius;  /* r [m] */
} core;

typedef struct capsule_options {
    double radius; /* [m] */
    double length; /* between the centres of its ends [m] */
} capsule_options;

typedef struct box_options {
    double length, height; /* along x and y [m] */
    double radius;         /* of its edges [m] */
} box_options;

static const haw_option capsule_table[] = {
    {"radius", HAW_OPTION_REAL, offsetof(capsule_options, radius), NAN, DBL_MIN, DBL_MAX, "m",
     "half of its width, and radius of its round ends", NULL},
    {"length", HAW_OPTION_REAL, offsetof(capsule_options, length), NAN, DBL_MIN, DBL_MAX, "m",
     "length between the centres of the ends, half of it to each side of the body's origin", NULL},
    {0},
};

static const haw_option box_table[] = {
    {"length", HAW_OPTION_REAL, offsetof(box_options, length), NAN, DBL_MIN, DBL_MAX, "m",
     "length along the x axis of its body, half of it to each side of the origin", NULL},
    {"height", HAW_OPTION_REAL, offsetof(box_options, height), NAN, DBL_MIN, DBL_MAX, "m",
     "the same along the y axis", NULL},
    {"radius", HAW_OPTION_REAL, offsetof(box_options, radius), 0.0, 0.0, DBL_MAX, "m",
     "radius of its edges, at most half of the shorter side; cables need one", NULL},
    {0},
};

/* A row has two or three options: a capsule's are radius and length. */
static core core_of(const haw_surface *surface)
{
    if (surface->ops->corners == 2) {
        const capsule_options *o = (const void *)surface->options;
        return (core){.half = {0.5 * o->length, 0.0}, .radius = o->radius};
    }
    const box_options *o = (const void *)surface->options;
    return (core){.half = {0.5 * o->length - o->radius, 0.5 * o->height - o->radius},
                  .radius = o->radius};
}

static haw_status prepare_box(haw_arena *arena, haw_surface *surface)
{
    const box_options *o = (const void *)surface->options;
    const double most = 0.5 * fmin(o->length, o->height);
    return o->radius <= most
               ? HAW_OK
               : haw_fail(arena->context, HAW_ERR_INPUT,
                          "a box of %g m by %g m has edges of at most %g m radius (got %g m)",
                          o->length, o->height, most, o->radius);
}

static void to_body(const double pose[3], const double x[2], double local[2])
{
    const double c = cos(pose[2]), s = sin(pose[2]);
    const double d[2] = {x[0] - pose[0], x[1] - pose[1]};
    local[0] = c * d[0] + s * d[1];
    local[1] = c * d[1] - s * d[0];
}

/* Distance of a place of the body, its normal and curvature there. */
static double level(const core *o, const double x[2], double normal[2], double *bend)
{
    double q[2], sign[2];
    for (int i = 0; i < 2; i++) {
        q[i] = fabs(x[i]) - o->half[i];
        sign[i] = x[i] < 0.0 ? -1.0 : 1.0;
    }
    const double distance = hypot(q[0], q[1]);
    normal[0] = normal[1] = *bend = 0.0;
    if (fmin(q[0], q[1]) >= 0.0 && distance > 0.0) {
        normal[0] = sign[0] * q[0] / distance;
        normal[1] = sign[1] * q[1] / distance;
        *bend = 1.0 / distance;
        return distance - o->radius;
    }
    const int face = q[1] >= q[0] ? 1 : 0;
    normal[face] = sign[face];
    return q[face] - o->radius;
}

static double box_gap(const haw_surface *surface, const double pose[3], const double x[2],
                      double normal[2])
{
    const core o = core_of(surface);
    const double c = cos(pose[2]), s = sin(pose[2]);
    double local[2], n[2], bend;
    to_body(pose, x, local);
    const double gap = level(&o, local, n, &bend);
    normal[0] = c * n[0] - s * n[1];
    normal[1] = s * n[0] + c * n[1];
    return gap;
}

static double box_bend(const haw_surface *surface, const double pose[3], const double x[2])
{
    const core o = core_of(surface);
    double local[2], n[2], bend;
    to_body(pose, x, local);
    (void)level(&o, local, n, &bend);
    return bend;
}

/* By the box around the other one in the frame of this one; the last factor covers the rounding of
 * this test and of the gap it stands for. */
static bool box_near(const haw_surface *surface, const double pose[3], double pad,
                     const haw_box *box)
{
    const core o = core_of(surface);
    const double c = fabs(cos(pose[2])), s = fabs(sin(pose[2])), reach = o.radius + pad;
    const double middle[2] = {0.5 * (box->min[0] + box->max[0]), 0.5 * (box->min[1] + box->max[1])};
    const double half[2] = {0.5 * (box->max[0] - box->min[0]), 0.5 * (box->max[1] - box->min[1])};
    const double around[2] = {c * half[0] + s * half[1], s * half[0] + c * half[1]};
    double local[2], far[2];
    to_body(pose, middle, local);
    for (int i = 0; i < 2; i++) {
        far[i] = fmax(fabs(local[i]) - around[i] - o.half[i], 0.0);
    }
    const double size = hypot(local[0], local[1]) + hypot(half[0], half[1]);
    return hypot(far[0], far[1]) <= reach + 16.0 * DBL_EPSILON * (size + reach);
}

/* Corners counter-clockwise from the first quadrant; of a capsule the ends. */
static void box_corner(const haw_surface *surface, double k, double x[3])
{
    const core o = core_of(surface);
    const bool is_left = o.half[1] > 0.0 ? k > 0.5 && k < 2.5 : k > 0.5;
    x[0] = is_left ? -o.half[0] : o.half[0];
    x[1] = k > 1.5 ? -o.half[1] : o.half[1];
    x[2] = 0.0;
}

static double edge_radius(const haw_surface *surface)
{
    return core_of(surface).radius;
}

static double box_inner(const haw_surface *surface)
{
    const core o = core_of(surface);
    return fmin(o.half[0], o.half[1]) + o.radius;
}

/* The rectangle, what lies along its sides, and four quarters of a disk at its corners. */
static void box_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const core o = core_of(surface);
    const double a = o.half[0], b = o.half[1], r = o.radius, quarter = 0.25 * pi * r * r;
    const double sides[2] = {a + 0.5 * r, b + 0.5 * r};
    const double area = 4.0 * a * b + 4.0 * (a + b) * r + 4.0 * quarter;
    const double along = 4.0 * b * r * (sides[0] * sides[0] + (r * r + 4.0 * b * b) / 12.0) +
                         4.0 * a * r * (sides[1] * sides[1] + (r * r + 4.0 * a * a) / 12.0);
    const double corners =
        4.0 * quarter * (a * a + b * b + 0.5 * r * r) + 8.0 / 3.0 * (a + b) * r * r * r;
    inertia[0] = mass * (4.0 * a * b * (a * a + b * b) / 3.0 + along + corners) / area;
}

/* Closed, places at equal parts of the turn of each corner. */
static void box_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const core o = core_of(surface);
    const int each = (count - 1) / 4;
    for (int i = 0; i < count; i++) {
        const int corner = i / each % 4;
        const double part = i % each / (double)(each > 1 ? each - 1 : 1);
        const double angle = 0.5 * pi * (corner + part);
        point[i][0] = (corner % 3 == 0 ? o.half[0] : -o.half[0]) + o.radius * cos(angle);
        point[i][1] = (corner < 2 ? o.half[1] : -o.half[1]) + o.radius * sin(angle);
    }
}

const haw_surface_ops haw_shape_box = {
    .row.name = "box",
    .row.summary = "rectangle about the origin of its body, with sharp or round edges",
    .row.source = "signed distance from a rectangle",
    .row.options = box_table,
    .row.options_size = sizeof(box_options),
    .corners = 4,
    .corner = box_corner,
    .prepare = prepare_box,
    .radius = edge_radius,
    .inner = box_inner,
    .hollow = haw_surface_endless,
    .inertia = box_inertia,
    .near_box = box_near,
    .gap = box_gap,
    .bend = box_bend,
    .draw = box_draw,
};

const haw_surface_ops haw_shape_capsule = {
    .row.name = "capsule",
    .row.summary = "strip with round ends along the x axis of its body",
    .row.source = "signed distance from a segment",
    .row.options = capsule_table,
    .row.options_size = sizeof(capsule_options),
    .corners = 2,
    .corner = box_corner,
    .radius = edge_radius,
    .inner = box_inner,
    .hollow = haw_surface_endless,
    .inertia = box_inertia,
    .near_box = box_near,
    .gap = box_gap,
    .bend = box_bend,
    .draw = box_draw,
};
