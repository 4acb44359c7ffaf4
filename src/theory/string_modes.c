/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small vibration of a pinned prestressed cable, straight and vertical under gravity. With the
 * tension N = T + rho0 g xi over the unstrained arc length xi, the transverse modes solve
 *     (P v')' + rho0 w^2 v = 0,  P = N / (1 + N / k),  v(0) = v(L) = 0,
 * the longitudinal ones, with k in place of P, are those of a uniform bar.
 */
#include "theory/result.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_sf_bessel.h>

enum { MODES_MAX = 100 };

typedef struct modes_options {
    double stiffness, density, tension, span, gravity;
    int modes;
} modes_options;

static const haw_option options[] = {
    HAW_POSITIVE("stiffness", modes_options, stiffness, 4.0e4, "N", "axial stiffness EA"),
    HAW_POSITIVE("density", modes_options, density, 0.1, "kg/m", "mass per unstrained length"),
    HAW_POSITIVE("tension", modes_options, tension, 100, "N", "tension at the lower pin"),
    HAW_POSITIVE("span", modes_options, span, 2, "m", "distance of the pins"),
    HAW_NONNEGATIVE("gravity", modes_options, gravity, 0, "m/s^2",
                    "acceleration of gravity along the vertical cable"),
    {"modes", HAW_OPTION_INT, offsetof(modes_options, modes), 3, 1, MODES_MAX, "",
     "number of modes", NULL},
    {0},
};

typedef struct string_data {
    double density, tension; /* rho0, T */
    double weight;           /* rho0 g [N/m] */
    double compliance;       /* 1 / k; 0 without extension */
    double length;           /* L */
    double omega;            /* trial circular frequency */
    int mode;                /* n */
} string_data;

static double pretension(const string_data *s, double xi)
{
    return s->tension + s->weight * xi;
}

/* P of the transverse equation */
static double transverse_stiffness(const string_data *s, double xi)
{
    const double n = pretension(s, xi);
    return n / (1 + s->compliance * n);
}

/*
 * Pruefer angle in the scaled form tan(theta) = w sqrt(rho0 P) v / (P v'): the amplitude drops out,
 *     theta' = w sqrt(rho0 / P) + P' / (4 P) sin(2 theta),
 * and v vanishes where theta is a multiple of pi, at the n-th mode for the n-th time at L.
 * Integrated over p = ln(N / T), in which a cable that is nearly slack at the lower pin has no
 * boundary layer: rho0 g d xi = N dp.
 */
static int angle_slope(double p, const double theta[], double slope[], void *data)
{
    const string_data *s = data;
    const double n = s->tension * exp(p);
    const double strain = s->compliance * n;
    slope[0] = s->omega * sqrt(s->density * n * (1 + strain)) / s->weight +
               sin(2 * theta[0]) / (4 * (1 + strain));
    return GSL_SUCCESS;
}

/* theta(L) - n pi at a trial frequency; NAN if the integration fails, which ends the search. */
static double angle_excess(double omega, void *data)
{
    string_data *s = data;
    s->omega = omega;
    gsl_odeiv2_system system = {angle_slope, NULL, 1, s};
    const double end = log1p(s->weight * s->length / s->tension);
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_standard_new(
        &system, gsl_odeiv2_step_rk8pd, end / (40.0 * s->mode), 0, 1e-13, 1, 1);
    if (driver == NULL) {
        return (double)NAN;
    }
    double p = 0;
    double theta[1] = {0};
    const int code = gsl_odeiv2_driver_apply(driver, &p, end, theta);
    gsl_odeiv2_driver_free(driver);
    return code == GSL_SUCCESS ? theta[0] - s->mode * HAW_PI : (double)NAN;
}

/*
 * Frequencies between which theta(L) passes n pi: the first term of theta' lies between its values
 * at both ends, the second contributes at most a quarter of ln(P(L) / P(0)).
 */
static haw_bracket omega_bounds(const string_data *s)
{
    const double bottom = transverse_stiffness(s, 0);
    const double top = transverse_stiffness(s, s->length);
    const double turns = s->mode * HAW_PI;
    const double shift = log(top / bottom) / 4 + 1e-9 * turns;
    return (haw_bracket){fmax(turns - shift, 1e-3) / s->length * sqrt(bottom / s->density),
                         (turns + shift) / s->length * sqrt(top / s->density)};
}

/* J0(z0) Y0(z1) - J0(z1) Y0(z0) with z = (2 w / g) sqrt(N / rho0) at both ends */
static double bessel_excess(double omega, void *data)
{
    const string_data *s = data;
    const double scale = 2 * omega * sqrt(s->density) / s->weight;
    const double z0 = scale * sqrt(pretension(s, 0));
    const double z1 = scale * sqrt(pretension(s, s->length));
    gsl_sf_result j0, y0, j1, y1;
    if (gsl_sf_bessel_J0_e(z0, &j0) != GSL_SUCCESS || gsl_sf_bessel_Y0_e(z0, &y0) != GSL_SUCCESS ||
        gsl_sf_bessel_J0_e(z1, &j1) != GSL_SUCCESS || gsl_sf_bessel_Y0_e(z1, &y1) != GSL_SUCCESS) {
        return (double)NAN;
    }
    return j0.val * y1.val - j1.val * y0.val;
}

/*
 * First mode without extension: the hanging chain's Bessel form. z1 - z0 lies between the first
 * zero 2.4048 of J0 (no tension at the lower pin) and pi (no weight). Where the weight is so small
 * that the arguments lose digits, pi it is: relative error (weight / T)^2 / 316, below 1e-10 there.
 */
static haw_status inextensible(haw_context *context, const string_data *elastic, double length,
                               double *omega)
{
    string_data s = *elastic;
    s.compliance = 0;
    s.length = length;
    s.mode = 1;
    const double roots = sqrt(pretension(&s, 0)) + sqrt(pretension(&s, s.length));
    const double scale = roots / (2 * s.length * sqrt(s.density)); /* w = scale (z1 - z0) */
    *omega = scale * HAW_PI;
    if (s.weight * s.length < 1e-4 * s.tension) {
        return HAW_OK;
    }
    const haw_bracket bracket = {scale * 2.4, *omega * (1 + 1e-9)};
    return haw_root_find(context, bessel_excess, &s, bracket, omega);
}

static haw_status add_modes(haw_context *context, const modes_options *o, string_data *s,
                            haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"transverse", "Hz", "transverse frequencies", o->modes, true, NULL},
        {"longitudinal", "Hz", "longitudinal frequencies", o->modes, true, NULL},
    };
    double *value[2];
    HAW_TRY(haw_result_profiles(context, result, 2, rows, value));
    for (int i = 0; i < o->modes; ++i) {
        s->mode = i + 1;
        double omega = s->mode * HAW_PI / s->length * sqrt(transverse_stiffness(s, 0) / s->density);
        const bool is_heavy = s->weight * s->length >= DBL_EPSILON * s->tension;
        HAW_TRY(is_heavy ? haw_root_find(context, angle_excess, s, omega_bounds(s), &omega)
                         : HAW_OK);
        value[0][i] = omega / (2 * HAW_PI);
        value[1][i] = (i + 1) / (2 * s->length) * sqrt(o->stiffness / o->density);
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const modes_options *o = data;
    /* The strained cable fills the span H: L (1 + T / k) + rho0 g L^2 / (2 k) = H, solved without
     * cancellation. */
    const double b = 1 + o->tension / o->stiffness;
    const double a = o->density * o->gravity / (2 * o->stiffness);
    string_data s = {.density = o->density,
                     .tension = o->tension,
                     .weight = o->density * o->gravity,
                     .compliance = 1 / o->stiffness,
                     .length = 2 * o->span / (b + sqrt(b * b + 4 * a * o->span)),
                     .mode = 1};
    double first = 0;
    double first_span = 0;
    HAW_TRY(inextensible(context, &s, s.length, &first));
    HAW_TRY(inextensible(context, &s, o->span, &first_span));
    const haw_scalar rows[] = {
        {"unstrained_length", "m", "unstrained length of the cable", s.length},
        {"tension_top", "N", "tension at the upper pin", pretension(&s, s.length)},
        {"inextensible", "Hz", "first transverse frequency in the inextensible Bessel form",
         first / (2 * HAW_PI)},
        {"inextensible_span", "Hz", "the same for a cable as long as the span",
         first_span / (2 * HAW_PI)},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_modes(context, o, &s, result);
}

const haw_theory_ops haw_theory_string_modes = {
    .row.name = "string-modes",
    .row.summary = "frequencies of a pinned prestressed cable, vertical under gravity",
    .row.source =
        "H. Pruefer, Math. Ann. 95 (1926) 499-518, scaled; Bessel form: D. Bernoulli (1738)",
    .row.options = options,
    .row.options_size = sizeof(modes_options),
    .formula = "(P v')' + rho w^2 v = 0,  P = N / (1 + N / EA),  N = T + rho g xi,  v(0) = v(L) = "
               "0\nweightless: f_n = n / (2 L) sqrt(P / rho)",
    .example = "--tension 400 --gravity 9.81 --modes 5",
    .evaluate = evaluate,
};
