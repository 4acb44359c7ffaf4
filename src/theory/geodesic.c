/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Geodesic of a cylinder or a cone, straight on the unrolled surface. On a cone of half angle tau,
 * with the slant distance x from the apex and psi = phi sin(tau):
 *     x = x_min / cos(psi - psi_0),  s = x_min (tan(psi - psi_0) + tan(psi_0)),
 *     alpha = pi/2 - (psi - psi_0),  x_min = x_0 sin(alpha_0),  psi_0 = alpha_0 - pi/2.
 */
#include "theory/result.h"

typedef struct geodesic_options {
    double radius, half_angle_deg, alpha_deg, turn;
    int points;
} geodesic_options;

static const haw_option options[] = {
    HAW_POSITIVE("radius", geodesic_options, radius, 0.4, "m",
                 "radius of the surface at the start"),
    {"half-angle-deg", HAW_OPTION_REAL, offsetof(geodesic_options, half_angle_deg), 0, 0, 89, "deg",
     "half angle tau of the cone, 0 for a cylinder", NULL},
    {"alpha-deg", HAW_OPTION_REAL, offsetof(geodesic_options, alpha_deg), 60, 1e-6, 180 - 1e-6,
     "deg", "angle from the meridian at the start; above 90 towards the apex", NULL},
    HAW_NONNEGATIVE("turn", geodesic_options, turn, 2 * HAW_PI, "rad",
                    "angle phi about the axis from start to end"),
    HAW_POINTS(geodesic_options, 23),
    {0},
};

/* s, z from the start, r and alpha at phi. */
static void place(const geodesic_options *o, double phi, double value[4])
{
    const double tau = o->half_angle_deg * HAW_PI / 180, alpha = o->alpha_deg * HAW_PI / 180;
    if (tau == 0) {
        value[0] = o->radius * phi / sin(alpha);
        value[1] = value[0] * cos(alpha);
        value[2] = o->radius;
        value[3] = alpha;
        return;
    }
    const double psi = phi * sin(tau), start = alpha - HAW_PI / 2;
    const double x0 = o->radius / sin(tau);
    /* x - x_0 and tan + tan without the difference of large numbers of a slender cone */
    value[0] = x0 * sin(psi) / cos(psi - start);
    const double rise = 2 * x0 * sin(psi / 2) * sin(psi / 2 - start) / cos(psi - start);
    value[1] = rise * cos(tau);
    value[2] = o->radius + rise * sin(tau);
    value[3] = alpha - psi;
}

static haw_status add_profile(haw_context *context, const geodesic_options *o,
                              haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"phi", "rad", "angle about the axis", o->points, true, NULL},
        {"s", "m", "arc length along the path", o->points, true, NULL},
        {"z", "m", "position along the axis from the start, away from the apex", o->points, true,
         NULL},
        {"r", "m", "distance from the axis", o->points, true, NULL},
        {"alpha", "rad", "angle from the meridian", o->points, true, NULL},
    };
    double *value[5];
    HAW_TRY(haw_result_profiles(context, result, 5, rows, value));
    for (int i = 0; i < o->points; ++i) {
        double at[4];
        value[0][i] = o->turn * i / (o->points - 1);
        place(o, value[0][i], at);
        for (int k = 0; k < 4; ++k) {
            value[k + 1][i] = at[k];
        }
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const geodesic_options *o = data;
    const double tau = o->half_angle_deg * HAW_PI / 180, alpha = o->alpha_deg * HAW_PI / 180;
    if (!(o->turn * sin(tau) < alpha)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a geodesic of this cone turns by less than alpha / sin(tau) = %.6g rad "
                        "about the axis: 'turn' must be smaller (got %g)",
                        alpha / sin(tau), o->turn);
    }
    double end[4];
    place(o, o->turn, end);
    const double constant = o->radius * sin(alpha);
    /* towards the apex the radius falls until alpha is 90 degrees */
    const double least = tau > 0 && alpha > HAW_PI / 2 && o->turn * sin(tau) > alpha - HAW_PI / 2
                             ? constant
                             : fmin(o->radius, end[2]);
    const haw_scalar rows[] = {
        {"clairaut", "m", "r sin(alpha), the same along the path", constant},
        {"length", "m", "arc length of the path", end[0]},
        {"rise", "m", "way along the axis, away from the apex", end[1]},
        {"radius_end", "m", "distance from the axis at the end", end[2]},
        {"radius_min", "m", "smallest distance from the axis", least},
        {"alpha_end", "rad", "angle from the meridian at the end", end[3]},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_profile(context, o, result);
}

const haw_theory_ops haw_theory_geodesic = {
    .row.name = "geodesic",
    .row.summary = "shortest path on a cylinder or a cone",
    .row.source =
        "D. J. Struik, Lectures on Classical Differential Geometry, Addison-Wesley (1961), ch. 4",
    .row.options = options,
    .row.options_size = sizeof(geodesic_options),
    .formula = "k_g = 0, straight on the unrolled surface: x = x_min / cos(psi - psi_0), psi = phi "
               "sin(tau)",
    .example = "--half-angle-deg 10 --alpha-deg 60 --turn 3",
    .evaluate = evaluate,
};
