/* SPDX-License-Identifier: BSD-3-Clause */
/* Geodesic of a mandrel: r sin(alpha) is the same all along (A. C. Clairaut). */
#include "theory/mandrel.h"
#include "theory/rows.h"

#include <float.h>
#include <math.h>

enum { POINTS_MAX = 100000 };

typedef struct clairaut_options {
    haw_mandrel mandrel;       /* first, for HAW_MANDREL_OPTIONS */
    haw_mandrel_course course; /* its slip is not an option */
} clairaut_options;

static const haw_option options[] = {
    HAW_MANDREL_OPTIONS,
    {"z", HAW_OPTION_REAL, offsetof(clairaut_options, course.z), 0, -DBL_MAX, DBL_MAX, "m",
     "position of the start along the axis", NULL},
    {"alpha-deg", HAW_OPTION_REAL, offsetof(clairaut_options, course.alpha_deg), 30, 0, 180, "deg",
     "angle from the meridian at the start, 90 along the hoop", NULL},
    {"length", HAW_OPTION_REAL, offsetof(clairaut_options, course.length), 1.2, DBL_MIN, DBL_MAX,
     "m", "arc length of the path", NULL},
    {"points", HAW_OPTION_INT, offsetof(clairaut_options, course.points), 23, 2, POINTS_MAX, "",
     "number of points of the profile", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static haw_status add_result(haw_context *context, const clairaut_options *o,
                             const haw_path_point *point, haw_theory_result *result)
{
    const haw_path_point *end = &point[o->course.points - 1];
    double constant = 0, drift = 0, bend = point[0].bend;
    for (int i = 0; i < o->course.points; ++i) {
        double r[3];
        haw_mandrel_profile(&o->mandrel, point[i].z, r);
        const double here = r[0] * sin(point[i].alpha);
        constant = i == 0 ? here : constant;
        drift = fmax(drift, fabs(here - constant));
        bend = fmin(bend, point[i].bend);
    }
    const haw_scalar rows[] = {
        {"clairaut", "m", "r sin(alpha) at the start: no geodesic comes nearer to the axis",
         constant},
        {"drift", "m", "largest change of r sin(alpha) along the integrated path", drift},
        {"z_end", "m", "position along the axis at the end", end->z},
        {"phi_end", "rad", "angle about the axis at the end", end->phi},
        {"alpha_end", "rad", "angle from the meridian at the end", end->alpha},
        {"bend_min", "1/m", "least normal curvature at the points, < 0 where the yarn would bridge",
         bend},
    };
    HAW_TRY(haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows));
    return haw_mandrel_profiles(context, o->course.points, point, result);
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const clairaut_options *o = data;
    haw_mandrel_course course = o->course;
    haw_path_point *point = NULL;
    course.slip = 0;
    HAW_TRY(haw_mandrel_follow(context, &o->mandrel, &course, &point));
    const haw_status status = add_result(context, o, point, result);
    haw_release(context, point);
    return status;
}

const haw_theory_ops haw_theory_clairaut = {
    .row.name = "clairaut",
    .row.summary = "geodesic of a mandrel, along which r sin(alpha) is constant",
    .row.source =
        "D. J. Struik, Lectures on Classical Differential Geometry, Addison-Wesley (1961), ch. 4",
    .row.options = options,
    .row.options_size = sizeof(clairaut_options),
    .evaluate = evaluate,
};
