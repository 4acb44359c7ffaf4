/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orthogonal clasp: a bight of string A in the plane xz hangs in a bight of string B in yz, both
 * flexible, without friction, with the diameter D of contact (sum of the radii). The legs leave at
 * the slopes asin tauA and asin tauB, TA tauA = TB tauB. A point of A with the sine u of its slope
 * touches two points of B, at +-y, with the sine v = TA / TB (tauA - u):
 *     Dz = D (1 / (1 - u^2) + 1 / (1 - v^2) - 1)^(-1/2),
 *     x = Dz u / sqrt(1 - u^2),   y = Dz v / sqrt(1 - v^2),
 *     W = sum |p| / TA = 2 D int_0^tauA du / Dz.
 * The tip of one string touches the ends of the arc of the other; the tips do not touch.
 */
#include "theory/result.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>

enum { POINTS_MAX = 100000, INTERVALS = 200 };

typedef struct clasp_options {
    double diameter, tension_a, tension_b, half_deg, friction;
    int points;
} clasp_options;

static const haw_option options[] = {
    HAW_POSITIVE("diameter", clasp_options, diameter, 1, "m", "sum D of the two radii"),
    HAW_POSITIVE("tension-a", clasp_options, tension_a, 1, "N", "tension of string A"),
    HAW_POSITIVE("tension-b", clasp_options, tension_b, 1, "N", "tension of string B"),
    {"half-angle-deg", HAW_OPTION_REAL, offsetof(clasp_options, half_deg), 60, DBL_MIN, 90, "deg",
     "slope of the legs of A where they leave, half the angle by which it turns", NULL},
    HAW_NONNEGATIVE("friction", clasp_options, friction, 0.2, "",
                    "coefficient of friction mu of A, which slips through the bight of B"),
    {"points", HAW_OPTION_INT, offsetof(clasp_options, points), 61, 2, POINTS_MAX, "",
     "number of points of the profile, half of A", NULL},
    {0},
};

/* One string as the other one sees it: sine tau of its own legs and of the other's. */
typedef struct clasp {
    double d, tau, other;
} clasp;

/* A point of a string, with the place of those that it touches. */
typedef struct place {
    double sine, cosine2;         /* of the slope */
    double height, x, y, advance; /* advance: dx over d(sine) */
} place;

/*
 * The point u = tau sin(t). With the squares cu, cv of both cosines, Dz = D sqrt(cu cv / g) and
 * x = D u sqrt(cv / g), where g = cv + v^2 cu, stay finite where a leg hangs straight down; and so
 * do the cosines, computed without the difference of numbers near to one.
 */
static place place_at(const clasp *c, double t)
{
    const double s = sin(t), k = cos(t), u = c->tau * s, v = c->other * k * k / (1 + s);
    const double cu = k * k + (1 - c->tau) * (1 + c->tau) * s * s;
    const double cv = (1 - c->other + c->other * s) * (1 + v);
    const double g = cv + v * v * cu, dv = c->other / c->tau;
    const double turn = u > 0 ? u * u * v * v + u * dv * v * cu / cv : 0;
    const place p = {u,
                     cu,
                     c->d * sqrt(cu * cv / g),
                     c->d * u * sqrt(cv / g),
                     c->d * v * sqrt(cu / g),
                     c->d * sqrt(cv / g) * (1 + turn / g)};
    return p;
}

/* Integrands over t, which removes the singular end u = 1. */
static double force_slope(double t, void *data)
{
    const clasp *c = data;
    return 2 * c->d * c->tau * cos(t) / place_at(c, t).height;
}

static double arc_slope(double t, void *data)
{
    const clasp *c = data;
    const place p = place_at(c, t);
    return 2 * c->tau * cos(t) * p.advance / sqrt(p.cosine2);
}

static double rise_slope(double t, void *data)
{
    const clasp *c = data;
    const place p = place_at(c, t);
    return c->tau * cos(t) * p.advance * p.sine / sqrt(p.cosine2);
}

static haw_status integrate(haw_context *context, double (*function)(double, void *),
                            const clasp *c, double *value)
{
    clasp copy = *c;
    gsl_function f = {function, &copy};
    double error = 0;
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(INTERVALS);
    if (space == NULL) {
        return haw_fail(context, HAW_ERR_NOMEM, "out of memory for an integral");
    }
    const int code =
        gsl_integration_qags(&f, 0, HAW_PI / 2, 0, 1e-11, INTERVALS, space, value, &error);
    gsl_integration_workspace_free(space);
    if (code != GSL_SUCCESS && !(error <= 1e-9 * fabs(*value))) {
        return haw_fail(context, HAW_ERR_ARG, "an integral of the clasp fails: %s",
                        gsl_strerror(code));
    }
    return HAW_OK;
}

static haw_status add_profile(haw_context *context, const clasp_options *o, const clasp *c,
                              haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"slope", "rad", "slope of A, from its tip", o->points, true, NULL},
        {"x", "m", "place of the point of A", o->points, true, NULL},
        {"y", "m", "place of the two points of B that it touches, +-", o->points, true, NULL},
        {"height", "m", "how far A is below these", o->points, true, NULL},
    };
    double *value[4];
    HAW_TRY(haw_result_profiles(context, result, 4, rows, value));
    for (int i = 0; i < o->points; ++i) {
        const double share = (double)i / (o->points - 1);
        const place p = place_at(c, i < o->points - 1 ? asin(share) : HAW_PI / 2);
        value[0][i] = asin(fmin(p.sine, 1));
        value[1][i] = p.x;
        value[2][i] = p.y;
        value[3][i] = p.height;
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const clasp_options *o = data;
    const double tau_a = o->half_deg < 90 ? sin(o->half_deg * HAW_PI / 180) : 1;
    const double ratio = o->tension_a / o->tension_b, tau_b = ratio * tau_a;
    const clasp a = {o->diameter, tau_a, tau_b}, b = {o->diameter, tau_b, tau_a};
    double force = 0, arc_a = 0, arc_b = 0, rise_a = 0, rise_b = 0;
    if (!(tau_b <= 1)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "string B cannot carry the legs of A: TA sin(half angle) = %g must be at "
                        "most 'tension-b' (got %g)",
                        o->tension_a * tau_a, o->tension_b);
    }
    HAW_TRY(integrate(context, force_slope, &a, &force));
    HAW_TRY(integrate(context, arc_slope, &a, &arc_a));
    HAW_TRY(integrate(context, arc_slope, &b, &arc_b));
    const double tip = 1 / sqrt((1 - tau_b) * (1 + tau_b));
    /* from the tip of A to the ends of the arc of B, along which it goes on to the tip of B */
    HAW_TRY(integrate(context, rise_slope, &a, &rise_a));
    HAW_TRY(integrate(context, rise_slope, &b, &rise_b));
    const haw_scalar rows[] = {
        {"W", "", "sum of the contact force over TA; slip of A: T1 / T2 = exp(mu W) for small mu",
         force},
        {"phi", "rad", "angle by which A turns", 2 * asin(tau_a)},
        {"ratio", "", "exp(mu W)", exp(o->friction * force)},
        {"capstan", "", "exp(mu phi), the ratio on a drum", exp(2 * o->friction * asin(tau_a))},
        {"half_angle_b", "rad", "slope of the legs of B", asin(tau_b)},
        {"arc_a", "m", "length of A in contact", arc_a},
        {"arc_b", "m", "length of B in contact", arc_b},
        {"rise_a", "m", "height of the arc of A in contact", rise_a},
        {"rise_b", "m", "height of the arc of B in contact", rise_b},
        {"half_width_a", "m", "x where A leaves", place_at(&a, HAW_PI / 2).x},
        {"half_width_b", "m", "y where B leaves", place_at(&b, HAW_PI / 2).x},
        {"tip_distance", "m", "distance of the two tips", rise_b + place_at(&a, 0).height},
    };
    const haw_scalar tips[] = {
        {"tip_curvature_a", "1/m", "curvature of A at its tip, 1 / (D sqrt(1 - tauB^2))",
         tip / o->diameter},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(haw_result_finite(context, result, 1, tips));
    return add_profile(context, o, &a, result);
}

const haw_theory_ops haw_theory_clasp = {
    .row.name = "clasp",
    .row.summary = "two flexible strings hooked in each other at right angles, and their slip",
    .row.source = "E. L. Starostin, Forma 18 (2003); J. Cantarella et al., Geom. Topol. 10 (2006)",
    .row.options = options,
    .row.options_size = sizeof(clasp_options),
    .formula =
        "Dz = D (1 / (1 - u^2) + 1 / (1 - v^2) - 1)^(-1/2),  v = TA / TB (tauA - u)\nx = Dz u / "
        "sqrt(1 - u^2),  y = Dz v / sqrt(1 - v^2),  W = 2 D int_0^tauA du / Dz",
    .example = "--half-angle-deg 75",
    .evaluate = evaluate,
};
