/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cable slides over a drum: N(alpha) = T_1 e^(mu alpha) from the slack side. The level follows
 * from the unstrained length: two straight legs and an arc of R w, all of it on a fixed length,
 *     L = l / (1 + T_1 / k) + R int_0^w d alpha / (1 + N / k) + l / (1 + T_2 / k).
 */
#include "theory/result.h"

enum { POINTS_MAX = 1000000 };

typedef struct capstan_options {
    double friction, wrap, tension, pretension, radius, legs, stiffness;
    double mu, t1; /* other names of friction and tension, NAN: not given */
    int contacts, points;
} capstan_options;

static const char *const from_pretension[] = {"auto", NULL};
static const char *const not_given[] = {"friction", NULL};
static const char *const no_tension[] = {"tension", NULL};

static const haw_option options[] = {
    HAW_NONNEGATIVE("friction", capstan_options, friction, 0.3, "", "coefficient of friction"),
    HAW_POSITIVE("wrap", capstan_options, wrap, HAW_PI, "rad", "wrap angle"),
    {"tension", HAW_OPTION_REAL, offsetof(capstan_options, tension), (double)NAN, DBL_MIN, DBL_MAX,
     "N", "tension of the slack side; auto: from pretension, by the elastic split",
     from_pretension},
    HAW_POSITIVE("pretension", capstan_options, pretension, 100, "N",
                 "uniform tension of the fixed length before the drum turns"),
    HAW_POSITIVE("radius", capstan_options, radius, 0.1, "m", "radius of the drum"),
    HAW_NONNEGATIVE("legs", capstan_options, legs, 0.5, "m",
                    "length of each of the two straight legs"),
    HAW_POSITIVE("stiffness", capstan_options, stiffness, 4.0e4, "N", "axial stiffness EA"),
    {"mu", HAW_OPTION_REAL, offsetof(capstan_options, mu), (double)NAN, 0, DBL_MAX, "",
     "coefficient of friction, as the rope theories call it; it goes before friction", not_given},
    {"t1", HAW_OPTION_REAL, offsetof(capstan_options, t1), (double)NAN, DBL_MIN, DBL_MAX, "N",
     "tension of the slack side, as the rope theories call it; it goes before tension", no_tension},
    {"contacts", HAW_OPTION_INT, offsetof(capstan_options, contacts), 32, 1, POINTS_MAX, "",
     "number of contact points of the discrete law", NULL},
    {"points", HAW_OPTION_INT, offsetof(capstan_options, points), 33, 2, POINTS_MAX, "",
     "number of points of the profiles", NULL},
    {0},
};

/*
 * Elongation of the cable, deformed minus unstrained length, as a share T / (k + T) of each
 * deformed length; the arc's integral in closed form. Written without differences of lengths, so
 * that nothing cancels when k >> T.
 */
static double elongation(const capstan_options *o, double low)
{
    const double high = low * exp(o->friction * o->wrap);
    const double share = low / (o->stiffness + low);
    double arc = o->wrap * share;
    if (o->friction > 0) {
        arc = log1p(share * expm1(o->friction * o->wrap)) / o->friction;
    }
    return o->legs * (share + high / (o->stiffness + high)) + o->radius * arc;
}

static double elongation_excess(double log_share, void *data)
{
    const capstan_options *o = data;
    const double deformed = 2 * o->legs + o->radius * o->wrap;
    const double low = o->pretension * exp(log_share);
    return elongation(o, low) - deformed * o->pretension / (o->stiffness + o->pretension);
}

/*
 * All of the cable lies between T_1 and T_1 e^(mu w), T_0 in between: that brackets ln(T_1 / T_0).
 */
static haw_status split(haw_context *context, const capstan_options *o, double *low)
{
    capstan_options data = *o;
    const double exponent = o->friction * o->wrap;
    double log_share = -exponent / 2;
    if (exponent > 1e-8) {
        const haw_bracket bracket = {-exponent * (1 + 1e-9), 1e-12 * exponent};
        HAW_TRY(haw_root_find(context, elongation_excess, &data, bracket, &log_share));
    }
    *low = o->pretension * exp(log_share);
    return HAW_OK;
}

/*
 * Discrete law: a contact point turns the cable by delta = w / n. Equilibrium along its tangent and
 * normal gives T_2 / T_1 = (1 + mu tan(delta / 2)) / (1 - mu tan(delta / 2)) per point.
 */
static haw_status discrete_ratio(haw_context *context, const capstan_options *o, double *ratio)
{
    const double half = o->wrap / o->contacts / 2;
    const double slope = o->friction * tan(half);
    if (half >= acos(0.0) || slope >= 1) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "%d contact points are too few for friction %g over %g rad: "
                        "friction * tan(wrap / (2 contacts)) must be < 1",
                        o->contacts, o->friction, o->wrap);
    }
    *ratio = exp(2 * o->contacts * atanh(slope));
    return HAW_OK;
}

static haw_status add_profiles(haw_context *context, const capstan_options *o, double low,
                               haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"alpha", "rad", "angle from the slack side", o->points, true, NULL},
        {"tension", "N", "tension along the arc", o->points, true, NULL},
        {"normal", "N/m", "contact force per length, N / R", o->points, true, NULL},
        {"tangential", "N/m", "friction force per length, mu N / R", o->points, true, NULL},
    };
    double *value[4];
    HAW_TRY(haw_result_profiles(context, result, 4, rows, value));
    for (int i = 0; i < o->points; ++i) {
        value[0][i] = o->wrap * i / (o->points - 1);
        value[1][i] = low * exp(o->friction * value[0][i]);
        value[2][i] = value[1][i] / o->radius;
        value[3][i] = o->friction * value[2][i];
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    capstan_options given = *(const capstan_options *)data;
    const capstan_options *o = &given;
    given.friction = isnan(given.mu) ? given.friction : given.mu;
    given.tension = isnan(given.t1) ? given.tension : given.t1;
    const double exponent = o->friction * o->wrap;
    if (exponent > 700) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "friction * wrap = %g is too large: the tension ratio overflows above 700",
                        exponent);
    }
    double low = o->tension;
    double discrete = 0;
    if (isnan(low)) {
        HAW_TRY(split(context, o, &low));
    }
    HAW_TRY(discrete_ratio(context, o, &discrete));
    const double high = low * exp(exponent);
    const double deformed = 2 * o->legs + o->radius * o->wrap;
    const double side = high - low;
    /* int_0^w e^(mu alpha) d alpha = (e^(mu w) - 1) / mu */
    const double integral = o->friction > 0 ? expm1(exponent) / o->friction : o->wrap;
    const double chord = sin(o->wrap / 2);
    const haw_scalar rows[] = {
        {"ratio", "", "tension ratio e^(mu w)", exp(exponent)},
        {"discrete_ratio", "", "tension ratio over `contacts` equally spaced points", discrete},
        {"tension_low", "N", "tension of the slack side", low},
        {"tension_high", "N", "tension of the tight side", high},
        {"unstrained_length", "m", "unstrained length of legs and arc",
         deformed - elongation(o, low)},
        {"normal_sum", "N", "sum of the contact forces", low * integral},
        {"resultant", "N", "force of the legs on the drum",
         sqrt(side * side + 4 * low * high * chord * chord)},
        {"moment", "N m", "moment of friction about the axis", o->radius * low * expm1(exponent)},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_profiles(context, o, low, result);
}

const haw_theory_ops haw_theory_capstan = {
    .row.name = "capstan",
    .row.summary = "sliding cable on a drum: tension ratio and elastic split of a fixed length",
    .row.source = "L. Euler, Mem. Acad. Sci. Berlin 18 (1769) 265-278",
    .row.options = options,
    .row.options_size = sizeof(capstan_options),
    .formula = "T2 / T1 = exp(mu w); T1 of a fixed length from L = l / (1 + T1 / EA) + R int "
               "dalpha / (1 + T / EA) + l / (1 + T2 / EA)",
    .example = "--friction 0.2 --wrap 3.14159 --tension 100",
    .evaluate = evaluate,
};

/* ---- along a helix ---- */

/*
 * Rope that slips along a helix on a cylinder. With k_n ds = cos(beta) dphi and the share lambda
 * of the friction spent across the rope,
 *     d(ln T) / ds = k_n sqrt(mu^2 - lambda^2),
 * and along k_g = lambda k_n the rope turns by int k_n ds = (beta_0 - beta_1) / lambda, where
 * asinh(tan(beta_1)) = asinh(tan(beta_0)) - lambda phi. A helix (lambda = 0): exp(mu phi
 * cos(beta)).
 */

typedef struct helical_options {
    double friction, wrap, beta_deg, slip, tension;
} helical_options;

static const haw_option helical_rows[] = {
    HAW_NONNEGATIVE("friction", helical_options, friction, 0.4, "", "coefficient of friction mu"),
    HAW_NONNEGATIVE("wrap", helical_options, wrap, 2 * HAW_PI, "rad", "angle phi about the axis"),
    {"beta-deg", HAW_OPTION_REAL, offsetof(helical_options, beta_deg), 30, -89.999, 89.999, "deg",
     "angle of the rope from the hoop direction, at the slack side", NULL},
    HAW_ANY("slip", helical_options, slip, 0, "", "lambda = k_g / k_n, at most the friction"),
    HAW_POSITIVE("tension", helical_options, tension, 1, "N", "tension of the slack side"),
    {0},
};

static haw_status evaluate_helical(haw_context *context, const void *data,
                                   haw_theory_result *result)
{
    const helical_options *o = data;
    if (fabs(o->slip) > o->friction) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "the magnitude of 'slip' must not exceed the friction %g, which otherwise "
                        "cannot hold the rope sideways (got %g)",
                        o->friction, o->slip);
    }
    const double beta = o->beta_deg * HAW_PI / 180, turn = o->slip * o->wrap;
    const double beta_end = atan(sinh(asinh(tan(beta)) - turn));
    const double angle = fabs(turn) < 1e-5 /* the mean cosine, to second order */
                             ? o->wrap * cos(0.5 * (beta + beta_end))
                             : (beta - beta_end) / o->slip;
    const double friction = sqrt((o->friction - o->slip) * (o->friction + o->slip));
    if (friction * angle > 700) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "friction * angle = %g is too large: the tension ratio overflows above 700",
                        friction * angle);
    }
    const double ratio = exp(friction * angle);
    const haw_scalar rows[] = {
        {"ratio", "", "tension of the tight over that of the slack side when slip begins", ratio},
        {"tension_low", "N", "tension of the slack side", o->tension},
        {"tension_high", "N", "tension of the tight side", o->tension * ratio},
        {"angle", "rad", "angle by which the rope bends, the integral of k_n ds", angle},
        {"friction_along", "", "friction left along the rope, sqrt(mu^2 - lambda^2)", friction},
        {"beta_end", "rad", "angle from the hoop direction at the tight side", beta_end},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_helical_capstan = {
    .row.name = "helical-capstan",
    .row.summary = "tension ratio of a rope that slips along a helix on a cylinder",
    .row.source =
        "J. H. Maddocks and J. B. Keller, Ropes in equilibrium, SIAM J. Appl. Math. 47 (1987) 1185",
    .row.options = helical_rows,
    .row.options_size = sizeof(helical_options),
    .formula = "T2 / T1 = exp(mu phi cos(beta)); with a share lambda of the friction across the "
               "rope sqrt(mu^2 - lambda^2) along it",
    .example = "--friction 0.1 --beta-deg 30",
    .evaluate = evaluate_helical,
};
