/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rope that slips along a helix on a cylinder. With k_n ds = cos(beta) dphi and the share lambda
 * of the friction spent across the rope,
 *     d(ln T) / ds = k_n sqrt(mu^2 - lambda^2),
 * and along k_g = lambda k_n the rope turns by int k_n ds = (beta_0 - beta_1) / lambda, where
 * asinh(tan(beta_1)) = asinh(tan(beta_0)) - lambda phi. A helix (lambda = 0): exp(mu phi
 * cos(beta)).
 */
#include "theory/result.h"
#include "theory/rows.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct helical_options {
    double friction, wrap, beta_deg, slip, tension;
} helical_options;

static const haw_option options[] = {
    {"friction", HAW_OPTION_REAL, offsetof(helical_options, friction), 0.4, 0, DBL_MAX, "",
     "coefficient of friction mu", NULL},
    {"wrap", HAW_OPTION_REAL, offsetof(helical_options, wrap), 2 * 3.14159265358979323846, 0,
     DBL_MAX, "rad", "angle phi about the axis", NULL},
    {"beta-deg", HAW_OPTION_REAL, offsetof(helical_options, beta_deg), 30, -89.999, 89.999, "deg",
     "angle of the rope from the hoop direction, at the slack side", NULL},
    {"slip", HAW_OPTION_REAL, offsetof(helical_options, slip), 0, -DBL_MAX, DBL_MAX, "",
     "lambda = k_g / k_n, at most the friction", NULL},
    {"tension", HAW_OPTION_REAL, offsetof(helical_options, tension), 1, DBL_MIN, DBL_MAX, "N",
     "tension of the slack side", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* Angle by which the rope bends, int k_n ds; *end: beta_1. */
static double bent(const helical_options *o, double *end)
{
    const double beta = o->beta_deg * pi / 180, turn = o->slip * o->wrap;
    *end = atan(sinh(asinh(tan(beta)) - turn));
    if (fabs(turn) < 1e-5) { /* the mean cosine, to second order */
        return o->wrap * cos(0.5 * (beta + *end));
    }
    return (beta - *end) / o->slip;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const helical_options *o = data;
    if (fabs(o->slip) > o->friction) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'slip' must be at most the friction %g in size, which cannot hold the "
                        "rope sideways else (got %g)",
                        o->friction, o->slip);
    }
    double beta_end = 0;
    const double angle = bent(o, &beta_end);
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
    return haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows);
}

const haw_theory_ops haw_theory_helical_capstan = {
    .row.name = "helical-capstan",
    .row.summary = "tension ratio of a rope that slips along a helix on a cylinder",
    .row.source =
        "J. H. Maddocks and J. B. Keller, Ropes in equilibrium, SIAM J. Appl. Math. 47 (1987) 1185",
    .row.options = options,
    .row.options_size = sizeof(helical_options),
    .evaluate = evaluate,
};
