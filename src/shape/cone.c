/* SPDX-License-Identifier: BSD-3-Clause */
/* Cone about the z axis that opens upwards: s = cos(tau) rho - sin(tau) (z - z0). */
#include "shape/revolution.h"

static const double radians = 3.14159265358979323846 / 180.0;

typedef struct cone_options {
    double half_angle_deg; /* tau */
    double apex;           /* z0 [m] */
    double from, to;       /* z of the end faces, NAN: the apex, unbounded [m] */
} cone_options;

static const char *const at_apex[] = {"apex", NULL};
static const char *const unbounded[] = {"unbounded", NULL};

static const haw_option cone_table[] = {
    {"half_angle_deg", HAW_OPTION_REAL, offsetof(cone_options, half_angle_deg), NAN, DBL_MIN,
     90.0 - 1.0e-6, "deg", "angle between the axis and a line of the surface", NULL},
    {"apex", HAW_OPTION_REAL, offsetof(cone_options, apex), 0.0, -DBL_MAX, DBL_MAX, "m",
     "z of the apex in the frame of the body; the cone opens towards greater z", NULL},
    {"from", HAW_OPTION_REAL, offsetof(cone_options, from), NAN, -DBL_MAX, DBL_MAX, "m",
     "z of the small end face; nothing touches beyond it", at_apex},
    {"to", HAW_OPTION_REAL, offsetof(cone_options, to), NAN, -DBL_MAX, DBL_MAX, "m",
     "z of the large end face; nothing touches beyond it", unbounded},
    {0},
};

static const cone_options *options_of(const haw_surface *surface)
{
    return (const void *)surface->options;
}

static double begin(const cone_options *o)
{
    return isnan(o->from) ? o->apex : o->from;
}

static double end(const cone_options *o)
{
    return isnan(o->to) ? (double)INFINITY : o->to;
}

static haw_status cone_prepare(haw_arena *arena, haw_surface *surface)
{
    const cone_options *o = options_of(surface);

    if (begin(o) < o->apex) {
        return haw_fail(arena->context, HAW_ERR_INPUT,
                        "'from' (%g m) of a cone must be at or above its apex (%g m)", o->from,
                        o->apex);
    }
    if (end(o) <= begin(o)) {
        return haw_fail(arena->context, HAW_ERR_INPUT,
                        "'to' (%g m) of a cone must be above its beginning (%g m)", o->to,
                        begin(o));
    }
    return HAW_OK;
}

/* Towards the apex the radius falls to zero: a cone that reaches it has no smallest radius. */
static double cone_radius(const haw_surface *surface)
{
    const cone_options *o = options_of(surface);
    const double tau = radians * o->half_angle_deg;
    const double height = begin(o) - o->apex;

    return height > 0.0 ? height * tan(tau) / cos(tau) : (double)INFINITY;
}

/* Signed distance; *z: of the foot. */
static double distance(const cone_options *o, const double x[3], double normal[2], double *z)
{
    const double tau = radians * o->half_angle_deg, c = cos(tau), s = sin(tau);
    const double rho = hypot(x[0], x[1]), height = x[2] - o->apex;

    normal[0] = c;
    normal[1] = -s;
    *z = o->apex + c * (s * rho + c * height);
    return c * rho - s * height;
}

static bool cone_near(const haw_surface *surface, const double x[3], double radius)
{
    const cone_options *o = options_of(surface);
    const double pad = radius * (1.0 + 8.0 * DBL_EPSILON);
    double normal[2], z = 0.0;
    const double gap = distance(o, x, normal, &z);
    const double rounding = 8.0 * DBL_EPSILON * (fabs(x[0]) + fabs(x[1]) + fabs(x[2] - o->apex));

    /* z of the foot moves by at most the radius */
    return gap <= pad + rounding && z >= begin(o) - pad - rounding && z <= end(o) + pad + rounding;
}

static int cone_feet(const haw_surface *surface, const double x[3], double reach,
                     haw_foot foot[HAW_FEET_MAX])
{
    const cone_options *o = options_of(surface);
    haw_half_foot half = {0};
    double z = 0.0;

    half.gap = distance(o, x, half.normal, &z);
    if (half.gap > reach || !(z > o->apex) || z < begin(o) || z > end(o)) {
        return 0;
    }
    haw_foot_revolve(x, &half, &foot[0]);
    return 1;
}

static void cone_profile(const haw_surface *surface, double z, double r[3])
{
    const cone_options *o = options_of(surface);

    r[1] = tan(radians * o->half_angle_deg);
    r[0] = r[1] * (z - o->apex);
    r[2] = 0.0;
}

/* An unbounded one is drawn to twice the radius it begins with, or to a metre from its apex. */
static void cone_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const cone_options *o = options_of(surface);
    const double low = begin(o), height = low - o->apex;
    double high = end(o);

    if (isinf(high)) {
        high = height > 0.0 ? low + height : low + 1.0;
    }
    for (int i = 0; i < count; i++) {
        double r[3];

        point[i][1] = low + (high - low) * i / (count - 1);
        cone_profile(surface, point[i][1], r);
        point[i][0] = r[0];
    }
}

const haw_surface_ops haw_surface_cone = {
    .row.name = "cone",
    .row.summary = "cone about the z axis of its body, opening upwards",
    .row.source = "signed distance s = cos(tau) rho - sin(tau) (z - z0)",
    .row.options = cone_table,
    .row.options_size = sizeof(cone_options),
    .is_drum = true,
    .prepare = cone_prepare,
    .radius = cone_radius,
    .hollow = haw_surface_endless,
    .inertia = haw_surface_bodiless,
    .near = cone_near,
    .feet = cone_feet,
    .profile = cone_profile,
    .draw = cone_draw,
};
