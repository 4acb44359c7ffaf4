/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Path that friction holds off the geodesic, k_g = lambda k_n with |lambda| <= mu, on a cylinder,
 * a cone or a wave. On a cylinder, with beta = pi/2 - alpha from the hoop direction:
 *     tan(beta) = tan(beta_0) - lambda s / R,  asinh(tan(beta)) = asinh(tan(beta_0)) - lambda phi,
 *     z - z_0 = R (1/cos(beta_0) - 1/cos(beta)) / lambda.
 */
#include "theory/mandrel.h"
#include "theory/rows.h"

#include <float.h>
#include <math.h>

enum { POINTS_MAX = 100000 };

static const double pi = 3.14159265358979323846;

typedef struct semi_geodesic_options {
    haw_mandrel mandrel; /* first, for HAW_MANDREL_OPTIONS */
    haw_mandrel_course course;
} semi_geodesic_options;

static const haw_option options[] = {
    HAW_MANDREL_OPTIONS,
    {"z", HAW_OPTION_REAL, offsetof(semi_geodesic_options, course.z), 0, -DBL_MAX, DBL_MAX, "m",
     "position of the start along the axis", NULL},
    {"alpha-deg", HAW_OPTION_REAL, offsetof(semi_geodesic_options, course.alpha_deg), 60, 0, 180,
     "deg", "angle from the meridian at the start, 90 along the hoop", NULL},
    {"slip", HAW_OPTION_REAL, offsetof(semi_geodesic_options, course.slip), 0.1, -100, 100, "",
     "lambda = k_g / k_n, > 0 turns the path away from growing z", NULL},
    {"length", HAW_OPTION_REAL, offsetof(semi_geodesic_options, course.length), 1, DBL_MIN, DBL_MAX,
     "m", "arc length of the path", NULL},
    {"points", HAW_OPTION_INT, offsetof(semi_geodesic_options, course.points), 23, 2, POINTS_MAX,
     "", "number of points of the profile", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* The closed form of the cylinder, also for lambda -> 0. */
static void unroll(const semi_geodesic_options *o, haw_path_point *point)
{
    const double radius = o->mandrel.radius, lambda = o->course.slip;
    const double alpha = o->course.alpha_deg * pi / 180;
    const double start = cos(alpha) / sin(alpha);
    const double turned = lambda * point->s / radius, end = start - turned;
    /* 1/cos(b_0) - 1/cos(b) = (tan^2(b_0) - tan^2(b)) / (1/cos(b_0) + 1/cos(b)) */
    const double first = hypot(1, start), last = hypot(1, end);
    const double sines = turned * (start + end) / (start * last + end * first);
    point->z = o->course.z + point->s * (start + end) / (first + last);
    point->phi = point->s / radius;
    if (fabs(turned) > DBL_EPSILON) {
        point->phi *= (start * end > 0 ? asinh(sines) : asinh(start) - asinh(end)) / turned;
    } else {
        point->phi /= first;
    }
    point->alpha = atan2(1, end);
    point->bend = sin(point->alpha) * sin(point->alpha) / radius;
}

/* A path along the meridian of a cylinder is a straight line that the closed form does not hold. */
static bool is_closed_form(const semi_geodesic_options *o)
{
    const double sine = sin(o->course.alpha_deg * pi / 180);
    return o->mandrel.half_angle_deg == 0 && o->mandrel.amplitude == 0 && sine > 1e-9;
}

static haw_status add_result(haw_context *context, const semi_geodesic_options *o,
                             const haw_path_point *point, haw_theory_result *result)
{
    const haw_path_point *end = &point[o->course.points - 1];
    double bend = point[0].bend;
    for (int i = 1; i < o->course.points; ++i) {
        bend = fmin(bend, point[i].bend);
    }
    const haw_scalar rows[] = {
        {"z_end", "m", "position along the axis at the end", end->z},
        {"phi_end", "rad", "angle about the axis at the end", end->phi},
        {"alpha_end", "rad", "angle from the meridian at the end", end->alpha},
        {"beta_end", "rad", "angle from the hoop direction at the end", pi / 2 - end->alpha},
        {"friction", "", "least coefficient of friction that holds the path", fabs(o->course.slip)},
        {"bend_min", "1/m", "least normal curvature at the points, < 0 where the yarn would bridge",
         bend},
    };
    HAW_TRY(haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows));
    return haw_mandrel_profiles(context, o->course.points, point, result);
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const semi_geodesic_options *o = data;
    haw_path_point *point = NULL;
    HAW_TRY(haw_mandrel_follow(context, &o->mandrel, &o->course, &point));
    for (int i = 0; i < o->course.points && is_closed_form(o); ++i) {
        unroll(o, &point[i]);
    }
    const haw_status status = add_result(context, o, point, result);
    haw_release(context, point);
    return status;
}

const haw_theory_ops haw_theory_semi_geodesic = {
    .row.name = "semi-geodesic",
    .row.summary = "yarn path on a mandrel with a given ratio of geodesic to normal curvature",
    .row.source =
        "S. Koussios, Filament Winding: a Unified Approach, Delft University Press (2004)",
    .row.options = options,
    .row.options_size = sizeof(semi_geodesic_options),
    .evaluate = evaluate,
};
