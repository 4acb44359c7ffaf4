/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elastic catenary between an upper support at the origin and a lower one at (span, -drop). With
 * the horizontal and vertical reaction H, V at the upper support, the weight w and the coordinate s
 * per unstrained length (Irvine's form):
 *     x =  H s / k + (H / w) (asinh(V / H) - asinh((V - w s) / H)),
 *    -y = (w s / k) (V / w - s / 2) + (T(0) - T(s)) / w,  T(s) = sqrt(H^2 + (V - w s)^2).
 * Inside, forces are in units of the whole weight and lengths in units of the unstrained length.
 */
#include "theory/catenary.h"

#include "theory/result.h"

enum { ITERATIONS_MAX = 500, HALVINGS_MAX = 60 };

typedef struct catenary_options {
    double span, drop, length, weight, stiffness;
    int points;
} catenary_options;

static const char *const inextensible[] = {"inextensible", NULL};

static const haw_option options[] = {
    HAW_POSITIVE("span", catenary_options, span, 10, "m", "horizontal distance of the supports"),
    HAW_NONNEGATIVE("drop", catenary_options, drop, 2, "m",
                    "height of the first support above the second"),
    HAW_POSITIVE("length", catenary_options, length, 11, "m", "unstrained length"),
    HAW_POSITIVE("weight", catenary_options, weight, 0.981, "N/m", "weight per unstrained length"),
    {"stiffness", HAW_OPTION_REAL, offsetof(catenary_options, stiffness), 4.0e4, DBL_MIN, DBL_MAX,
     "N", "axial stiffness EA", inextensible},
    HAW_POINTS(catenary_options, 23),
    {0},
};

double haw_catenary_tension(const haw_catenary *c, double s)
{
    return hypot(c->h, c->v - s);
}

/* Written so that nothing cancels in a taut cable. */
void haw_catenary_place(const haw_catenary *c, double s, double x[2])
{
    const double t0 = haw_catenary_tension(c, 0);
    const double t1 = haw_catenary_tension(c, s);
    const double rise = c->v - s;
    double turn = 0;
    if (c->v * rise > 0) {
        turn = asinh(s * (c->v + rise) / (c->v * t1 + rise * t0));
    } else {
        turn = asinh(c->v / c->h) - asinh(rise / c->h);
    }
    x[0] = c->h * (c->kappa * s + turn);
    x[1] = c->kappa * s * (c->v - s / 2) + s * (c->v + rise) / (t0 + t1);
}

/* Squared misfit of the lower support, relative to the size of each coordinate. */
static double misfit(const haw_catenary *c, double r[2])
{
    haw_catenary_place(c, 1, r);
    r[0] = (r[0] - c->end[0]) / c->end[0];
    r[1] = (r[1] - c->end[1]) / c->scale;
    return r[0] * r[0] + r[1] * r[1];
}

/*
 * Newton step in (ln h, v), which keeps h > 0. The matrix d(x, y)/d(h, v) is the Hessian of the
 * complementary energy, positive definite for h > 0.
 */
static void newton_step(const haw_catenary *c, const double r[2], double step[2])
{
    double x[2];
    haw_catenary_place(c, 1, x);
    const double t0 = haw_catenary_tension(c, 0);
    const double t1 = haw_catenary_tension(c, 1);
    const double sines = c->v / t0 - (c->v - 1) / t1;
    const double cosines = c->h / t0 - c->h / t1;
    const double j00 = (x[0] - c->h * sines) / c->end[0];
    const double j01 = cosines / c->end[0];
    const double j10 = c->h * cosines / c->scale;
    const double j11 = (c->kappa + sines) / c->scale;
    const double det = j00 * j11 - j01 * j10;
    step[0] = -(j11 * r[0] - j01 * r[1]) / det;
    step[1] = -(r[1] + j10 * step[0]) / j11;
    const double share = fmin(1, 2 / fabs(step[0]));
    step[0] *= share;
    step[1] *= share;
}

/* Go along a step, halved until the misfit falls; false if it does not any more. */
static bool descend(haw_catenary *c, const double step[2], double *size, double r[2])
{
    for (int i = 0; i < HALVINGS_MAX; ++i) {
        const double share = ldexp(1, -i);
        haw_catenary trial = *c;
        double trial_r[2];
        trial.h = c->h * exp(share * step[0]);
        trial.v = c->v + share * step[1];
        const double trial_size = misfit(&trial, trial_r);
        if (trial_size < *size) {
            *c = trial;
            *size = trial_size;
            r[0] = trial_r[0];
            r[1] = trial_r[1];
            return true;
        }
    }
    return false;
}

/*
 * Start: for a slack cable the parabola that matches the length, for a taut one the larger of the
 * tension by stretch and the tension by sag, t^3 = 1 / (24 kappa).
 */
static void estimate(haw_catenary *c)
{
    const double chord = hypot(c->end[0], c->end[1]);
    if (chord < 1) {
        const double drop = c->end[1];
        const double lambda =
            sqrt(3 * (1 - drop * drop - c->end[0] * c->end[0])) / c->end[0]; /* of Irvine's text */
        c->h = c->end[0] / (2 * lambda);
        c->v = (1 + drop / tanh(lambda)) / 2;
        return;
    }
    const double t = fmax((chord - 1) / c->kappa, cbrt(1 / (24 * c->kappa)));
    c->h = t * c->end[0] / chord;
    c->v = t * c->end[1] / chord + 0.5;
}

double haw_catenary_solve(haw_catenary *c)
{
    double r[2];
    double step[2];
    c->scale = 1 + c->kappa + fabs(c->end[1]);
    estimate(c);
    double size = misfit(c, r);
    for (int i = 0; i < ITERATIONS_MAX && size > 0; ++i) {
        newton_step(c, r, step);
        if (!descend(c, step, &size, r)) {
            break;
        }
    }
    return sqrt(size);
}

static haw_status add_profile(haw_context *context, const catenary_options *o,
                              const haw_catenary *c, haw_theory_result *result)
{
    const haw_quantity rows[] = {
        {"s", "m", "unstrained arc length from the upper support", o->points, true, NULL},
        {"x", "m", "position, from the upper support to the right", o->points, true, NULL},
        {"y", "m", "position, from the upper support upwards", o->points, true, NULL},
        {"tension", "N", "tension along the cable", o->points, true, NULL},
    };
    double *value[4];
    HAW_TRY(haw_result_profiles(context, result, 4, rows, value));
    for (int i = 0; i < o->points; ++i) {
        const double s = (double)i / (o->points - 1);
        double x[2];
        haw_catenary_place(c, s, x);
        value[0][i] = o->length * s;
        value[1][i] = o->length * x[0];
        value[2][i] = o->length * (0 - x[1]);
        value[3][i] = o->weight * o->length * haw_catenary_tension(c, s);
    }
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const catenary_options *o = data;
    const double chord = hypot(o->span, o->drop);
    const double weight = o->weight * o->length;
    haw_catenary c = {.end = {o->span / o->length, o->drop / o->length}};
    if (!isnan(o->stiffness)) {
        c.kappa = weight / o->stiffness;
    } else if (!(o->length > chord)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "an inextensible cable of length %g m cannot span %g m: "
                        "length must exceed the distance of the supports",
                        o->length, chord);
    }
    const double miss = haw_catenary_solve(&c);
    if (!(miss <= HAW_CATENARY_MISS)) {
        return haw_fail(context, HAW_ERR_ARG,
                        "no catenary found for span %g, drop %g, length %g (misfit %.3g)", o->span,
                        o->drop, o->length, miss);
    }
    double middle[2];
    haw_catenary_place(&c, 0.5, middle);
    const haw_scalar rows[] = {
        {"horizontal", "N", "horizontal reaction (H)", weight * c.h},
        {"vertical", "N", "vertical reaction at the upper support (V)", weight * c.v},
        {"tension_top", "N", "tension at the upper support", weight * haw_catenary_tension(&c, 0)},
        {"tension_bottom", "N", "tension at the lower support",
         weight * haw_catenary_tension(&c, 1)},
        {"midpoint_x", "m", "material mid point, to the right", o->length * middle[0]},
        {"midpoint_y", "m", "material mid point, upwards", o->length * (0 - middle[1])},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_profile(context, o, &c, result);
}

const haw_theory_ops haw_theory_catenary = {
    .row.name = "catenary",
    .row.summary = "elastic cable under its own weight between two supports",
    .row.source = "H. M. Irvine, Cable Structures, MIT Press (1981), ch. 1",
    .row.options = options,
    .row.options_size = sizeof(catenary_options),
    .formula = "x = H s / EA + (H / w) (asinh(V / H) - asinh((V - w s) / H))\n-y = (w s / EA) (V / "
               "w - s / 2) + (T(0) - T(s)) / w,  T(s) = sqrt(H^2 + (V - w s)^2)",
    .example = "--span 10 --drop 2 --length 11",
    .evaluate = evaluate,
};
