/* SPDX-License-Identifier: BSD-3-Clause */
/* Ring about the z axis: all within r of the circle rho = R, s = |(rho - R, z)| - r. Eyes,
 * fairleads and chain links are such rings. */
#include "shape/revolution.h"

static const double pi = 3.14159265358979323846;

typedef struct torus_options {
    double radius;      /* R, of the circle in the middle of the tube [m] */
    double tube_radius; /* r [m] */
} torus_options;

static const haw_option torus_table[] = {
    {"radius", HAW_OPTION_REAL, offsetof(torus_options, radius), NAN, DBL_MIN, DBL_MAX, "m",
     "radius of the circle in the middle of its tube", NULL},
    {"tube_radius", HAW_OPTION_REAL, offsetof(torus_options, tube_radius), NAN, DBL_MIN, DBL_MAX,
     "m", "radius of its tube, below that of the ring: the hole has the radius of the difference",
     NULL},
    {0},
};

static const torus_options *options_of(const haw_surface *surface)
{
    return (const void *)surface->options;
}

static haw_status torus_prepare(haw_arena *arena, haw_surface *surface)
{
    const torus_options *o = options_of(surface);

    if (o->tube_radius < o->radius) {
        return HAW_OK;
    }
    return haw_fail(arena->context, HAW_ERR_INPUT,
                    "the tube_radius of %g m leaves no hole in a ring of radius %g m: it must be "
                    "smaller",
                    o->tube_radius, o->radius);
}

static double torus_radius(const haw_surface *surface)
{
    return options_of(surface)->tube_radius;
}

/* What fills the hole touches all around. */
static double torus_hollow(const haw_surface *surface)
{
    const torus_options *o = options_of(surface);

    return o->radius - o->tube_radius;
}

static void torus_inertia(const haw_surface *surface, double mass, double inertia[3])
{
    const torus_options *o = options_of(surface);
    const double ring = o->radius * o->radius, tube = o->tube_radius * o->tube_radius;

    inertia[0] = inertia[1] = mass * (0.5 * ring + 0.625 * tube);
    inertia[2] = mass * (ring + 0.75 * tube);
}

/* The last factor covers the rounding of this test and of the gap it stands for. */
static bool torus_near(const haw_surface *surface, const double x[3], double radius)
{
    const torus_options *o = options_of(surface);
    const double reach = o->tube_radius + radius, away = hypot(x[0], x[1]) - o->radius;

    return away * away + x[2] * x[2] <=
           reach * reach * (1.0 + 16.0 * DBL_EPSILON * (1.0 + o->radius / reach));
}

static int torus_feet(const haw_surface *surface, const double x[3], double reach,
                      haw_foot foot[HAW_FEET_MAX])
{
    const torus_options *o = options_of(surface);
    const double away = hypot(x[0], x[1]) - o->radius, distance = hypot(away, x[2]);
    haw_half_foot half = {.gap = distance - o->tube_radius, .normal = {1.0, 0.0}};

    if (half.gap > reach) {
        return 0;
    }
    if (distance > 0.0) { /* the middle of the tube has every normal: it keeps the outward one */
        half.normal[0] = away / distance;
        half.normal[1] = x[2] / distance;
        half.bend = 1.0 / distance;
    }
    haw_foot_revolve(x, &half, &foot[0]);
    return 1;
}

static void torus_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const torus_options *o = options_of(surface);

    for (int i = 0; i < count; i++) {
        const double angle = 2.0 * pi * i / (count - 1);

        point[i][0] = o->radius + o->tube_radius * cos(angle);
        point[i][1] = o->tube_radius * sin(angle);
    }
}

const haw_surface_ops haw_surface_torus = {
    .row.name = "torus",
    .row.summary = "ring with a round tube about the z axis of its body",
    .row.source = "signed distance from a circle, s = |(rho - R, z)| - r",
    .row.options = torus_table,
    .row.options_size = sizeof(torus_options),
    .prepare = torus_prepare,
    .radius = torus_radius,
    .hollow = torus_hollow,
    .inertia = torus_inertia,
    .near = torus_near,
    .feet = torus_feet,
    .draw = torus_draw,
};
