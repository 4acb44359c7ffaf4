/* SPDX-License-Identifier: BSD-3-Clause */
/* Half plane below the line through the body's origin: g = n . (x - x_0), n turns with the body. */
#include "shape/shape.h"

#include <float.h>
#include <math.h>

typedef struct plane_options {
    double normal[3]; /* outward, in the body frame, any length; zero stands for (0, 1) */
} plane_options;

static const haw_option plane_table[] = {
    {"normal", HAW_OPTION_VECTOR, offsetof(plane_options, normal), 0.0, -DBL_MAX, DBL_MAX, "",
     "outward normal in the frame of the body; [0, 0] stands for [0, 1]", NULL},
    {0},
};

static void plane_normal(const plane_options *o, double angle, double n[2])
{
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

static double plane_radius(const void *options)
{
    (void)options;
    return INFINITY;
}

static double plane_inertia(const void *options, double mass)
{
    (void)options;
    (void)mass;
    return NAN;
}

static bool plane_near(const void *options, const double pose[3], double pad, const haw_box *box)
{
    double n[2];

    plane_normal(options, pose[2], n);
    /* the corner deepest along -n; rounding is monotonic, so no other point has a smaller gap */
    const double x = (n[0] > 0.0 ? box->min[0] : box->max[0]) - pose[0];
    const double y = (n[1] > 0.0 ? box->min[1] : box->max[1]) - pose[1];

    return n[0] * x + n[1] * y <= pad;
}

static double plane_gap(const void *options, const double pose[3], const double x[2],
                        double normal[2])
{
    plane_normal(options, pose[2], normal);
    return normal[0] * (x[0] - pose[0]) + normal[1] * (x[1] - pose[1]);
}

static double plane_arc(const void *options, const double pose[3], const double x[2])
{
    double n[2];

    plane_normal(options, pose[2], n);
    return n[1] * (x[0] - pose[0]) - n[0] * (x[1] - pose[1]);
}

static double plane_period(const void *options)
{
    (void)options;
    return INFINITY;
}

static double plane_bend(const void *options, double gap)
{
    (void)options;
    (void)gap;
    return 0.0;
}

const haw_shape_ops haw_shape_plane = {
    .row.name = "plane",
    .row.summary = "half plane bounded by the line through the origin of its body",
    .row.source = "signed distance g = n . (x - x_0)",
    .row.options = plane_table,
    .row.options_size = sizeof(plane_options),
    .is_proxy = false,
    .radius = plane_radius,
    .inertia = plane_inertia,
    .near = plane_near,
    .gap = plane_gap,
    .arc = plane_arc,
    .period = plane_period,
    .bend = plane_bend,
};
