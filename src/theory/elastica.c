/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clamped inextensible beam with a dead transverse load P at its tip. With alpha^2 = P L^2 / EI,
 * the angle theta to the unloaded axis and the modulus k^2 = (1 + sin theta_L) / 2, the distance
 * u = alpha (1 - s / L) from the tip is an elliptic integral F(chi, k), and
 *
 *     1 - sin theta = 2 k'^2 / D^2,   D^2 = 1 - k^2 sin^2 chi,   k'^2 = 1 - k^2,
 *     L d(theta)/ds = 2 alpha k k' sin chi / D,          M = P (x_L - x),
 *     y_L - y = (L / alpha) (sin theta_L u - 2 k^2 k'^2 int_0^chi sin^2 / D^3),
 *
 * where sin theta = 0 at the clamp gives tan chi = sqrt(sin theta_L) / k'. In this form, counted
 * from the tip, nothing cancels: sin theta_L = tanh v keeps k'^2 = 1 / (e^(2 v) + 1) for small and
 * large loads, and the integrals are those of Carlson.
 */
#include "theory/result.h"

#include <gsl/gsl_sf_ellint.h>

typedef struct elastica_options {
    double length, bending_stiffness, load;
    int points;
} elastica_options;

static const haw_option options[] = {
    HAW_POSITIVE("length", elastica_options, length, 1, "m", "length of the beam"),
    HAW_POSITIVE("bending-stiffness", elastica_options, bending_stiffness, 1, "N m^2",
                 "bending stiffness EI"),
    HAW_POSITIVE("load", elastica_options, load, 10, "N", "transverse load P at the tip"),
    HAW_POINTS(elastica_options, 23),
    {0},
};

/* The bent beam in units of its length; lower is 1 - k^2. */
typedef struct shape {
    double alpha, sine, lower; /* sine = sin theta_L */
    double distance;           /* u that is looked for */
} shape;

static void set_angle(shape *c, double v)
{
    c->sine = tanh(v);
    c->lower = 1 / (exp(2 * v) + 1);
}

/* What the integrals need of chi, from its tangent. */
typedef struct amplitude {
    double sine, cosine2, delta2;
} amplitude;

static amplitude amplitude_at(const shape *c, double tangent)
{
    const double cosine2 = 1 / (1 + tangent * tangent);
    return (amplitude){tangent * sqrt(cosine2), cosine2,
                       cosine2 * (1 + c->lower * tangent * tangent)};
}

/* F(chi, k) */
static double distance_at(const shape *c, double tangent)
{
    const amplitude a = amplitude_at(c, tangent);
    gsl_sf_result f = {(double)NAN, 0};
    if (gsl_sf_ellint_RF_e(a.cosine2, a.delta2, 1, GSL_PREC_DOUBLE, &f) != 0) {
        return (double)NAN;
    }
    return a.sine * f.val;
}

/* int_0^chi sin^2 / D^3 */
static double square_integral(const shape *c, double tangent)
{
    const amplitude a = amplitude_at(c, tangent);
    gsl_sf_result d = {(double)NAN, 0};
    if (gsl_sf_ellint_RD_e(a.cosine2, 1, a.delta2, GSL_PREC_DOUBLE, &d) != 0) {
        return (double)NAN;
    }
    return a.sine * a.sine * a.sine * d.val / 3;
}

static double clamp_tangent(const shape *c)
{
    return sqrt(c->sine / c->lower);
}

static double angle_excess(double v, void *data)
{
    shape c = *(const shape *)data;
    set_angle(&c, v);
    return distance_at(&c, clamp_tangent(&c)) - c.alpha;
}

static double distance_excess(double tangent, void *data)
{
    const shape *c = data;
    return distance_at(c, tangent) - c->distance;
}

/* A point in units of length and stiffness, from the tangent of its chi. */
typedef struct point {
    double arm, below; /* x_L - x, y_L - y */
    double curvature;  /* d(theta)/ds, and the moment */
    double angle;      /* theta */
} point;

/* 1 - sin theta = 2 k'^2 / D^2 keeps the angle exact near to pi / 2. */
static point point_at(const shape *c, double tangent)
{
    const amplitude a = amplitude_at(c, tangent);
    const double upper = 1 - c->lower;
    const double sine = (c->sine - upper * a.sine * a.sine) / a.delta2;
    point p;
    p.curvature = 2 * c->alpha * sqrt(upper * c->lower / a.delta2) * a.sine;
    p.arm = p.curvature / (c->alpha * c->alpha);
    p.below =
        (c->sine * distance_at(c, tangent) - 2 * upper * c->lower * square_integral(c, tangent)) /
        c->alpha;
    p.angle = atan2(sine, sqrt(2 * c->lower / a.delta2 * (1 + sine)));
    return p;
}

static haw_status find_point(haw_context *context, shape *c, double share, double *tangent)
{
    *tangent = clamp_tangent(c);
    if (share <= 0) {
        return HAW_OK;
    }
    c->distance = c->alpha * (1 - share);
    if (c->distance <= 0) {
        *tangent = 0;
        return HAW_OK;
    }
    return haw_root_find(context, distance_excess, c, (haw_bracket){0, *tangent}, tangent);
}

static haw_status add_profile(haw_context *context, const elastica_options *o, shape *c,
                              haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"s", "m", "arc length from the clamp", o->points, true, NULL},
        {"x", "m", "position along the unloaded axis", o->points, true, NULL},
        {"y", "m", "position in the direction of the load", o->points, true, NULL},
        {"angle", "rad", "angle to the unloaded axis", o->points, true, NULL},
        {"moment", "N m", "bending moment", o->points, true, NULL},
    };
    double *value[5];
    HAW_TRY(haw_result_profiles(context, result, 5, rows, value));
    const point clamp = point_at(c, clamp_tangent(c));
    for (int i = 0; i < o->points; ++i) {
        const double share = (double)i / (o->points - 1);
        double tangent = 0;
        HAW_TRY(find_point(context, c, share, &tangent));
        const point p = point_at(c, tangent);
        value[0][i] = o->length * share;
        value[1][i] = o->length * (clamp.arm - p.arm);
        value[2][i] = o->length * (clamp.below - p.below);
        value[3][i] = i > 0 ? p.angle : 0;
        value[4][i] = o->bending_stiffness / o->length * p.curvature;
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const elastica_options *o = data;
    shape c = {.alpha = o->length * sqrt(o->load / o->bending_stiffness)};
    double v = 0;
    /* alpha(v) > v: sqrt(2 v) for small loads, v + 0.505 for large ones */
    HAW_TRY(haw_root_find(context, angle_excess, &c, (haw_bracket){0, c.alpha}, &v));
    set_angle(&c, v);
    const double tangent = clamp_tangent(&c);
    const point clamp = point_at(&c, tangent);
    const double energy = 2 * (1 - c.lower) * c.lower * square_integral(&c, tangent) / c.alpha;
    const haw_scalar rows[] = {
        {"load_factor", "", "P L^2 / EI", c.alpha * c.alpha},
        {"tip_x", "m", "position of the tip along the unloaded axis", o->length * clamp.arm},
        {"tip_y", "m", "deflection of the tip, in the direction of the load",
         o->length * clamp.below},
        {"tip_angle", "rad", "angle of the tip to the unloaded axis", atan(sinh(v))},
        {"clamp_moment", "N m", "bending moment at the clamp",
         o->bending_stiffness / o->length * clamp.curvature},
        {"energy", "J", "bending energy", o->load * o->length * energy},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_profile(context, o, &c, result);
}

const haw_theory_ops haw_theory_elastica = {
    .row.name = "elastica",
    .row.summary = "clamped inextensible beam under a transverse load at its tip",
    .row.source = "K. E. Bisshopp, D. C. Drucker, Q. Appl. Math. 3 (1945); K. Mattiasson, Int. J. "
                  "Numer. Methods Eng. 17 (1981)",
    .row.options = options,
    .row.options_size = sizeof(elastica_options),
    .formula = "EI theta(s)\" = -P cos(theta), theta(0) = 0, theta(L)' = 0, by elliptic integrals",
    .example = "--load 10",
    .evaluate = evaluate,
};

/* ---- a moment at the tip ---- */

/*
 * Clamped inextensible beam with a moment M at its tip: an arc of the curvature M / EI, a whole
 * circle at M = 2 pi EI / L.
 */

typedef struct roll_options {
    double length, bending_stiffness, turns;
    int points;
} roll_options;

static const haw_option roll_rows[] = {
    HAW_POSITIVE("length", roll_options, length, 1, "m", "length of the beam"),
    HAW_POSITIVE("bending-stiffness", roll_options, bending_stiffness, 1, "N m^2",
                 "bending stiffness EI"),
    HAW_NONNEGATIVE("turns", roll_options, turns, 1, "",
                    "angle of the tip over 2 pi, M L / (2 pi EI)"),
    HAW_POINTS(roll_options, 23),
    {0},
};

/* Place of the arc length s on an arc that has turned by `angle` there: a chord at half of it. */
static void place(double s, double angle, double x[2])
{
    const double half = angle / 2;
    const double chord = half > 0 ? s * sin(half) / half : s;
    x[0] = chord * cos(half);
    x[1] = chord * sin(half);
}

static haw_status add_arc(haw_context *context, const roll_options *o, double angle,
                          haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"s", "m", "arc length from the clamp", o->points, true, NULL},
        {"x", "m", "position along the unloaded axis", o->points, true, NULL},
        {"y", "m", "position across it, to the left", o->points, true, NULL},
    };
    double *value[3];
    HAW_TRY(haw_result_profiles(context, result, 3, rows, value));
    for (int i = 0; i < o->points; ++i) {
        const double share = (double)i / (o->points - 1);
        double x[2];
        place(o->length * share, angle * share, x);
        value[0][i] = o->length * share;
        value[1][i] = x[0];
        value[2][i] = x[1];
    }
    return HAW_OK;
}

static haw_status evaluate_roll(haw_context *context, const void *data, haw_theory_result *result)
{
    const roll_options *o = data;
    const double angle = 2 * HAW_PI * o->turns;
    const double moment = o->bending_stiffness / o->length * angle;
    double tip[2];
    place(o->length, angle, tip);
    const haw_scalar rows[] = {
        {"moment", "N m", "moment at the tip, counter-clockwise", moment},
        {"curvature", "1/m", "curvature of the beam", angle / o->length},
        {"tip_x", "m", "position of the tip along the unloaded axis", tip[0]},
        {"tip_y", "m", "position of the tip across it, to the left", tip[1]},
        {"tip_angle", "rad", "angle of the tip to the unloaded axis", angle},
        {"energy", "J", "bending energy", moment * angle / 2},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_arc(context, o, angle, result);
}

const haw_theory_ops haw_theory_roll_up = {
    .row.name = "roll-up",
    .row.summary = "clamped inextensible beam under a moment at its tip",
    .row.source = "L. Euler, De curvis elasticis (1744): M = EI times the curvature",
    .row.options = roll_rows,
    .row.options_size = sizeof(roll_options),
    .formula = "M = EI kappa: an arc of the angle M L / EI, a whole circle at M = 2 pi EI / L",
    .example = "--turns 0.5",
    .evaluate = evaluate_roll,
};
