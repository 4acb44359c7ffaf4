/* SPDX-License-Identifier: BSD-3-Clause */
/* Sphere about the origin of its body: s = |x| - R. */
#include "shape/revolution.h"

static const double pi = 3.14159265358979323846;

static const haw_option sphere_table[] = {
    {"radius", HAW_OPTION_REAL, 0, NAN, DBL_MIN, DBL_MAX, "m", "radius of the sphere", NULL},
    {0},
};

static void sphere_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const double radius = haw_surface_radius(surface);

    inertia[0] = inertia[1] = inertia[2] = 0.4 * mass * radius * radius;
}

static bool sphere_near(const haw_surface *surface, const double x[3], double radius)
{
    const double reach = haw_surface_radius(surface) + radius;

    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= reach * reach * (1.0 + 8.0 * DBL_EPSILON);
}

static int sphere_feet(const haw_surface *surface, const double x[3], double reach,
                       haw_foot foot[HAW_FEET_MAX])
{
    const double rho = hypot(x[0], x[1]), distance = hypot(rho, x[2]);
    haw_half_foot half = {.gap = distance - haw_surface_radius(surface), .normal = {0.0, 1.0}};

    if (half.gap > reach) {
        return 0;
    }
    if (distance > 0.0) { /* the centre has every normal: it keeps the upward one */
        half.normal[0] = rho / distance;
        half.normal[1] = x[2] / distance;
        half.bend = 1.0 / distance;
    }
    haw_foot_revolve(x, &half, &foot[0]);
    foot[0].bend[0] = half.bend; /* also on the axis */
    return 1;
}

static void sphere_profile(const haw_surface *surface, double z, double r[3])
{
    const double radius = haw_surface_radius(surface);

    r[0] = sqrt(fmax(radius * radius - z * z, 0.0));
    r[1] = -z / r[0];
    r[2] = -radius * radius / (r[0] * r[0] * r[0]);
}

static void sphere_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const double radius = haw_surface_radius(surface);

    for (int i = 0; i < count; i++) {
        const double angle = pi * ((double)i / (count - 1) - 0.5);

        point[i][0] = radius * cos(angle);
        point[i][1] = radius * sin(angle);
    }
}

const haw_surface_ops haw_surface_sphere = {
    .row.name = "sphere",
    .row.summary = "sphere about the origin of its body",
    .row.source = "signed distance s = |x| - R",
    .row.options = sphere_table,
    .row.options_size = sizeof(double),
    .corners = 1,
    .radius = haw_surface_radius,
    .hollow = haw_surface_endless,
    .inertia = sphere_inertia,
    .near = sphere_near,
    .feet = sphere_feet,
    .profile = sphere_profile,
    .draw = sphere_draw,
};
