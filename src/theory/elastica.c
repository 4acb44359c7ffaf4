/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clamped inextensible beam with a dead transverse load P at its tip. With alpha^2 = P L^2 / EI,
 * the angle theta to the unloaded axis and the modulus k^2 = (1 + sin theta_L) / 2, the distance
 * u = alpha (1 - s / L) from the tip is an elliptic integral F(chi, k), and
 *
 *     sin theta = (sin theta_L - k^2 sin^2 chi) / D^2,   D^2 = 1 - k^2 sin^2 chi,
 *     L d(theta)/ds = 2 alpha k k' sin chi / D,          M = P (x_L - x),
 *     y_L - y = (L / alpha) (sin theta_L u - 2 k^2 k'^2 int_0^chi sin^2 / D^3),
 *
 * where sin theta = 0 at the clamp gives tan chi = sqrt(sin theta_L) / k'. In this form, counted
 * from the tip, nothing cancels: sin theta_L = tanh v makes 1 - k^2 = 1 / (e^(2 v) + 1) exact for
 * small and large loads, and the integrals are those of Carlson.
 */
#include "theory/result.h"
#include "theory/rows.h"

#include <float.h>
#include <gsl/gsl_sf_ellint.h>
#include <math.h>

enum { POINTS_MAX = 1000000 };

typedef struct elastica_options {
    double length, bending_stiffness, load;
    int points;
} elastica_options;

static const haw_option options[] = {
    {"length", HAW_OPTION_REAL, offsetof(elastica_options, length), 1, DBL_MIN, DBL_MAX, "m",
     "length of the beam", NULL},
    {"bending-stiffness", HAW_OPTION_REAL, offsetof(elastica_options, bending_stiffness), 1,
     DBL_MIN, DBL_MAX, "N m^2", "bending stiffness EI", NULL},
    {"load", HAW_OPTION_REAL, offsetof(elastica_options, load), 10, DBL_MIN, DBL_MAX, "N",
     "transverse load P at the tip", NULL},
    {"points", HAW_OPTION_INT, offsetof(elastica_options, points), 23, 2, POINTS_MAX, "",
     "number of points of the profile", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
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

/* Place and state of a point in units of L and EI, from the tangent of its chi. */
typedef struct point {
    double arm, below;        /* x_L - x, y_L - y */
    double curvature, moment; /* L d(theta)/ds, both the same here */
    double sine;              /* sin theta */
} point;

static point point_at(const shape *c, double tangent)
{
    const amplitude a = amplitude_at(c, tangent);
    const double upper = 1 - c->lower;
    point p;
    p.curvature = 2 * c->alpha * sqrt(upper * c->lower / a.delta2) * a.sine;
    p.moment = p.curvature;
    p.arm = p.curvature / (c->alpha * c->alpha);
    p.below = (c->sine * distance_at(c, tangent) -
               2 * upper * c->lower * square_integral(c, tangent)) /
              c->alpha;
    p.sine = (c->sine - upper * a.sine * a.sine) / a.delta2;
    return p;
}
