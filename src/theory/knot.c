/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loose overhand knot with n turns: a loop of the radius R, two tails, and a braid in which two
 * strands turn about each other by (2 n + 1) pi. With h the radius of the rod and eps = sqrt(h /
 * R), the balance of energy F de = -dE + mu P de, E = pi B / R, e = 2 pi R, gives F h^2 / B = eps^4
 * / 2 +- mu sigma eps^3,   sigma = P h^2 / (B eps^3). P comes from the braid. Half the distance of
 * its strands, in units of h over x in units of sqrt(2 h R), is a complex number u with u'''' = p
 * u, |u| >= 1, and u" of modulus 1 beyond the last contact: one of the strands becomes the loop,
 * the other a tail. The strands touch for |x| < x1, where u = exp(i phi) and phi''' = 2 phi'^3 +
 * const, with point forces l1 at the ends of this line, and in a point each with l2 at |x| = x2.
 */
#include "theory/result.h"

#include <complex.h>

enum { STEPS = 400, UNKNOWNS = 6, TURNS_MAX = 20 };

typedef struct knot_options {
    double radius, bending, loop, friction;
    int turns;
} knot_options;

static const haw_option options[] = {
    {"turns", HAW_OPTION_INT, offsetof(knot_options, turns), 1, 1, TURNS_MAX, "",
     "overhand turns n: 1 trefoil, 2 cinquefoil", NULL},
    HAW_POSITIVE("rod-radius", knot_options, radius, 1.6e-3, "m", "radius h of the rod"),
    HAW_POSITIVE("bending-stiffness", knot_options, bending, 9.265e-7, "N m^2",
                 "bending stiffness B"),
    HAW_POSITIVE("loop-radius", knot_options, loop, 0.16, "m", "radius R of the loop"),
    HAW_NONNEGATIVE("friction", knot_options, friction, 0.1, "", "coefficient of friction mu"),
    {0},
};

/* Half of the braid, x >= 0; phi is odd. */
enum { RATE, THIRD, LINE_END, LINE_FORCE, POINT, POINT_FORCE };

/* Derivatives of (phi, phi', phi"), with phi''' = 2 phi'^3 + const. */
static void slope_of(const double y[3], double constant, double dy[3])
{
    dy[0] = y[1];
    dy[1] = y[2];
    dy[2] = 2 * y[1] * y[1] * y[1] + constant;
}

static double pressure_of(const double y[3], double constant)
{
    /* Re u'''' / u = phi'^4 - 4 phi' phi''' - 3 phi"^2 */
    const double third = 2 * y[1] * y[1] * y[1] + constant;
    return y[1] * y[1] * y[1] * y[1] - 4 * y[1] * third - 3 * y[2] * y[2];
}

static void runge_kutta(double y[3], double constant, double step)
{
    double k[4][3], at[3];
    slope_of(y, constant, k[0]);
    for (int stage = 1; stage < 4; ++stage) {
        for (int i = 0; i < 3; ++i) {
            at[i] = y[i] + (stage < 3 ? step / 2 : step) * k[stage - 1][i];
        }
        slope_of(at, constant, k[stage]);
    }
    for (int i = 0; i < 3; ++i) {
        y[i] += step / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

typedef struct braid {
    int turns;
    double along; /* integral of p over 0 < x < x1 */
} braid;

/* End of the line: phi and its derivatives; Simpson's rule for the integral of p. */
static void follow_line(const double x[UNKNOWNS], braid *b, double y[3])
{
    const double step = x[LINE_END] / STEPS;
    const double constant = x[THIRD] - 2 * x[RATE] * x[RATE] * x[RATE];
    y[0] = 0;
    y[1] = x[RATE];
    y[2] = 0;
    b->along = 0;
    for (int i = 0; i <= STEPS; ++i) {
        const double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
        b->along += step / 3 * weight * pressure_of(y, constant);
        if (i < STEPS) {
            runge_kutta(y, constant, step);
        }
    }
}

static void misfit(const double *x, double *f, void *data)
{
    braid *b = data;
    double y[3];
    follow_line(x, b, y);
    const double constant = x[THIRD] - 2 * x[RATE] * x[RATE] * x[RATE];
    const double third = 2 * y[1] * y[1] * y[1] + constant;
    const double complex i = I, u = cos(y[0]) + i * sin(y[0]);
    const double complex du = i * y[1] * u, d2u = (i * y[2] - y[1] * y[1]) * u;
    const double complex d3u = (i * third - 3 * y[1] * y[2] - i * y[1] * y[1] * y[1]) * u;
    /* from x1 to x2 nothing touches: u''' is constant */
    const double complex d3 = d3u + x[LINE_FORCE] * u;
    const double l = x[POINT] - x[LINE_END];
    const double complex at = u + l * (du + l / 2 * (d2u + l / 3 * d3));
    const double complex slope = du + l * (d2u + l / 2 * d3), bend = d2u + l * d3;
    const double complex last = d3 + x[POINT_FORCE] * at;
    const double end = (2 * b->turns + 1) * HAW_PI / 2;
    f[0] = creal(at * conj(at)) - 1;
    f[1] = creal(slope * conj(at));
    f[2] = creal(bend) - cos(end);
    f[3] = cimag(bend) - sin(end);
    f[4] = creal(last);
    f[5] = cimag(last);
}

/*
 * A long braid is a double helix in the middle, with phi' = 3^(-1/4) and p = 1/3, from which its
 * ends depart in proportion to exp(-6^(1/2) phi' x). So the line of n > 2 is that of n = 2 with n -
 * 2 turns of this helix between its halves: to 1e-8, and the search from the middle would lose more
 * digits.
 */
static haw_status solve(haw_context *context, int turns, double x[UNKNOWNS], braid *b)
{
    static const double first[2][UNKNOWNS] = {{0.76, 0, 0.3483, 0.17005, 2.6815, 0.44183},
                                              {0.76, 0, 4.5037, 0.17338, 6.8140, 0.44348}};
    const double longer = turns > 2 ? (turns - 2) * HAW_PI * pow(3, 0.25) : 0;
    double f[UNKNOWNS];
    b->turns = turns > 2 ? 2 : turns;
    for (int i = 0; i < UNKNOWNS; ++i) {
        x[i] = first[b->turns - 1][i];
    }
    HAW_TRY(haw_roots_find(context, misfit, b, UNKNOWNS, x));
    misfit(x, f, b);
    x[LINE_END] += longer;
    x[POINT] += longer;
    b->along += longer / 3;
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const knot_options *o = data;
    double x[UNKNOWNS];
    braid b;
    HAW_TRY(solve(context, o->turns, x, &b));
    const double h = o->radius, eps = sqrt(h / o->loop), unit = o->bending / (h * h);
    const double forces = 2 * (b.along + x[LINE_FORCE] + x[POINT_FORCE]);
    const double sigma = forces / (2 * sqrt(2)), length = sqrt(2 * h * o->loop);
    const double bent = eps * eps * eps * eps / 2, press = sigma * eps * eps * eps;
    const haw_scalar rows[] = {
        {"sigma", "", "P h^2 / (B eps^3) of the loose knot", sigma},
        {"eps", "", "sqrt(h / R); the formulas are for small values", eps},
        {"shortening", "m", "2 pi R, how much nearer the ends are", 2 * HAW_PI * o->loop},
        {"force", "N", "force at the ends without friction", unit * bent},
        {"force_pull", "N", "force at the ends while the knot is pulled tight",
         unit * (bent + o->friction * press)},
        {"force_release", "N", "force at the ends at which it opens; < 0: it has to be pushed",
         unit * (bent - o->friction * press)},
        {"contact", "N", "sum P of the contact force", unit * press},
        {"line_half", "m", "half of the length along which the strands touch",
         length * x[LINE_END]},
        {"point_place", "m", "place of the single contacts, from the middle of the braid",
         length * x[POINT]},
        {"line_part", "", "sum of the force along that line, in B h / (2 h R)^1.5", 2 * b.along},
        {"line_point", "", "force at each of its two ends, in this unit", x[LINE_FORCE]},
        {"single_point", "", "force of each single contact, in this unit", x[POINT_FORCE]},
        {"rate", "", "turning d(phi)/dx in the middle of the braid, x in sqrt(2 h R)", x[RATE]},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_knot = {
    .row.name = "knot",
    .row.summary = "loose overhand knot of n turns in an elastic rod: force, contact, friction",
    .row.source =
        "B. Audoly, N. Clauvelin, S. Neukirch, Phys. Rev. Lett. 99 (2007); N. Clauvelin, B. "
        "Audoly, S. Neukirch, J. Mech. Phys. Solids 57 (2009)",
    .row.options = options,
    .row.options_size = sizeof(knot_options),
    .formula =
        "F h^2 / B = eps^4 / 2 +- mu sigma eps^3,  eps = sqrt(h / R),  e = 2 pi R\nsigma from "
        "the braid: u'''' = p u, |u| >= 1, |u\"| = 1 outside; long ones: 2 pi / 12^(3/4) per "
        "turn",
    .example = "--turns 2 --loop-radius 0.2",
    .evaluate = evaluate,
};
