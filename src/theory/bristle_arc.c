/* SPDX-License-Identifier: BSD-3-Clause */
/* Bristles under a rope on a sheave at rest; the equations stand in bristle_arc.h. */
#include "theory/bristle_arc.h"

/*
 * The adherence arc by its two halves, even and odd about its middle: with x from there, half
 * length y and S = T - T0,
 *     S = even cosh(r x) / cosh(r y) + odd sinh(r x) / sinh(r y),
 * which neither overflows for large r nor cancels for small.
 */
typedef struct halves {
    double length, even, odd;
    double tau; /* tanh(r y) / r */
} halves;

static halves split(const haw_bristle *b)
{
    const double length = b->high - b->low;
    return (halves){
        .length = length,
        .even = (b->tension_low + b->tension_high) / 2 - b->t0,
        .odd = (b->tension_high - b->tension_low) / 2,
        .tau = haw_tanh_over(b->rope.r, length / 2),
    };
}

/* T' at the low (side -1) or high end (side 1) of an adherence arc. */
static double slope(const haw_bristle *b, double side)
{
    const halves h = split(b);
    return side * h.even * b->rope.r * h.tau * b->rope.r + h.odd / h.tau;
}

/* ---- the arcs ---- */

typedef struct search {
    haw_context *context;
    haw_bristle *bristle;
    double limit; /* of the low bound */
    haw_status status;
} search;

/* Length times (T' - sign mu T) at the high bound. */
static double high_excess(double high, void *data)
{
    haw_bristle *b = data;
    const haw_rope_theory *rope = &b->rope;
    b->high = high;
    b->tension_high = rope->t2 * exp(-b->sign_high * rope->mu_s * (rope->wrap - high));
    const halves h = split(b);
    if (!(h.tau > 0)) {
        return 2 * h.odd;
    }
    return h.length * (slope(b, 1) - b->sign_high * rope->mu_s * b->tension_high);
}

/* The high bound that belongs to a low one. */
static haw_status find_high(haw_context *context, haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    b->high = rope->wrap;
    b->tension_high = rope->t2;
    b->sign_high = 0;
    if (!(b->low < rope->wrap)) {
        return HAW_OK;
    }
    const double rise = slope(b, 1);
    if (fabs(rise) <= rope->mu_s * rope->t2) {
        return HAW_OK;
    }
    b->sign_high = rise > 0 ? 1 : -1;
    double root = b->low;
    if (high_excess(b->low, b) * b->sign_high < 0) {
        haw_bristle data = *b;
        HAW_TRY(
            haw_root_find(context, high_excess, &data, (haw_bracket){b->low, rope->wrap}, &root));
    }
    (void)high_excess(root, b);
    return HAW_OK;
}

/* (T' - sign mu T) / T at the low bound; beyond `limit` tensions meet at no angle. */
static double low_excess(double low, void *data)
{
    search *s = data;
    haw_bristle *b = s->bristle;
    const double mu = b->rope.mu_s;
    b->low = low;
    b->tension_low = b->rope.t1 * exp(b->sign_low * mu * low);
    if (s->status == HAW_OK) {
        s->status = find_high(s->context, b);
    }
    if (s->status != HAW_OK) {
        return (double)NAN;
    }
    if (low >= s->limit || !(b->high > low)) {
        return -2 * b->sign_low * mu;
    }
    return slope(b, -1) / b->tension_low - b->sign_low * mu;
}

/* Slip over the whole arc: the adherence arc is the place where bristles have only just slipped. */
static void slide(haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double room = (rope->r - rope->mu_s) * (rope->r + rope->mu_s);
    double at = rope->wrap;
    if (room > 0) {
        const double tension = b->t0 / room * rope->r * rope->r;
        at = tension > rope->t1 ? fmin(rope->wrap, log(tension / rope->t1) / rope->mu_s) : 0;
    }
    b->low = b->high = at;
    b->tension_low = b->tension_high = rope->t1 * exp(rope->mu_s * at);
    b->sign_low = b->sign_high = 1;
}

haw_status haw_bristle_solve(haw_context *context, const haw_rope_theory *rope, double t0,
                             haw_bristle *bristle)
{
    haw_bristle *b = bristle;
    *b = (haw_bristle){.rope = *rope, .t0 = t0, .tension_low = rope->t1};
    HAW_TRY(haw_rope_check_load(context, rope, rope->mu_s * rope->wrap));
    if (!(rope->mu_s > 0)) {
        /* T1 = T2 all along, whatever slips; the limit of the symmetric case */
        b->low = b->high = rope->wrap / 2;
        b->tension_high = rope->t1;
        b->sign_low = -1;
        b->sign_high = 1;
        return HAW_OK;
    }
    if (rope->log_ratio >= rope->mu_s * rope->wrap) {
        slide(b);
        return HAW_OK;
    }
    HAW_TRY(find_high(context, b));
    const double rise = b->high > 0 ? slope(b, -1) : 0;
    if (fabs(rise) <= rope->mu_s * rope->t1) {
        return HAW_OK;
    }
    b->sign_low = rise > 0 ? 1 : -1;
    search data = {context, b, 0, HAW_OK};
    data.limit = (rope->wrap + b->sign_low * rope->log_ratio / rope->mu_s) / 2;
    double low = 0;
    const haw_status status =
        haw_root_find(context, low_excess, &data, (haw_bracket){0, data.limit}, &low);
    HAW_TRY(data.status);
    HAW_TRY(status);
    (void)low_excess(low, &data);
    return data.status;
}

/* ---- what follows from them ---- */

static haw_rope_theory_point slipping(double tension, double sign, const haw_rope_theory *rope)
{
    return (haw_rope_theory_point){tension, sign * rope->mu_s * tension / rope->radius};
}

haw_rope_theory_point haw_bristle_profile(const void *bristle, double alpha)
{
    const haw_bristle *b = bristle;
    const haw_rope_theory *rope = &b->rope;
    const halves h = split(b);
    if (alpha < b->low) {
        return slipping(rope->t1 * exp(b->sign_low * rope->mu_s * alpha), b->sign_low, rope);
    }
    if (alpha > b->high || !(h.tau > 0)) {
        const double exponent = b->sign_high * rope->mu_s * (rope->wrap - alpha);
        return slipping(rope->t2 * exp(-exponent), b->sign_high, rope);
    }
    const double x = alpha - b->low - h.length / 2, y = h.length / 2;
    const double odd = copysign(haw_sinh_ratio(rope->r, fabs(x), y), x);
    const double even = exp(rope->r * (fabs(x) - y)) * (1 + exp(-2 * rope->r * fabs(x))) /
                        (1 + exp(-2 * rope->r * y));
    const double rise = h.even * rope->r * odd * rope->r * h.tau + h.odd / h.tau * even;
    return (haw_rope_theory_point){b->t0 + h.even * even + h.odd * odd, rise / rope->radius};
}

/* Where T' = 0 inside the adherence arc, S = even / cosh(r y) sqrt(1 - (odd / even / tanh(r y))^2)
 */
static double trough(const haw_bristle *b)
{
    const halves h = split(b);
    const double exponent = b->rope.r * h.length, q = exp(-exponent);
    if (exponent < 1) {
        const double share = h.odd / h.even / (b->rope.r * h.tau);
        return b->t0 + h.even / cosh(exponent / 2) * sqrt((1 - share) * (1 + share));
    }
    const double rising = h.even / (1 + q) + h.odd / (1 - q);
    const double falling = h.even / (1 + q) - h.odd / (1 - q);
    return b->t0 + 2 * sqrt(rising * falling * q);
}

double haw_bristle_tension_min(const haw_bristle *bristle)
{
    const haw_bristle *b = bristle;
    double least = fmin(fmin(b->rope.t1, b->rope.t2), fmin(b->tension_low, b->tension_high));
    if (b->high > b->low && slope(b, -1) < 0 && slope(b, 1) > 0) {
        least = fmin(least, trough(b));
    }
    return least;
}

void haw_bristle_constants(const haw_bristle *bristle, double constant[2])
{
    const haw_bristle *b = bristle;
    const double r = b->rope.r;
    const halves h = split(b);
    const double q = exp(-r * h.length);
    double even = h.even / (1 + q), odd = h.odd / (1 - q);
    if (!(h.tau > 0)) {
        odd = b->sign_low * b->sign_high > 0 ? b->rope.mu_s * b->tension_low / (2 * r) : 0;
    }
    constant[0] = exp(-r * b->high) * (even + odd);
    constant[1] = exp(r * b->low) * (even - odd);
}

/* int T over an arc of this length that falls from T by e^(-exponent) */
static double slip_sum(double tension, double exponent, double length)
{
    return tension * length * (fabs(exponent) > 0 ? -expm1(-exponent) / exponent : 1);
}

double haw_bristle_tension_sum(const haw_bristle *bristle)
{
    const haw_bristle *b = bristle;
    const haw_rope_theory *rope = &b->rope;
    const halves h = split(b);
    const double left = rope->wrap - b->high;
    return slip_sum(rope->t1, -b->sign_low * rope->mu_s * b->low, b->low) + b->t0 * h.length +
           2 * h.even * h.tau + slip_sum(rope->t2, b->sign_high * rope->mu_s * left, left);
}

double haw_bristle_tangential_sum(const haw_bristle *bristle)
{
    const haw_bristle *b = bristle;
    const haw_rope_theory *rope = &b->rope;
    const double left = rope->wrap - b->high;
    return rope->t1 * expm1(b->sign_low * rope->mu_s * b->low) + 2 * split(b).odd -
           rope->t2 * expm1(-b->sign_high * rope->mu_s * left);
}

/* ---- row of the table ---- */

static const haw_option options[] = {
    HAW_ROPE_LOADS,
    HAW_ROPE_BRISTLES,
    HAW_ROPE_STIFFNESS,
    HAW_ROPE_REAL("t0", t0, 0, 0, "N", NULL,
                  "uniform tension of the rope when the bristles were laid, undeflected"),
    HAW_ROPE_POINTS,
    {0},
};

/* T_II grows with e^(r alpha_low), beyond the range of numbers for stiff bristles. */
static haw_status add_constants(haw_context *context, const haw_bristle *b,
                                haw_theory_result *result)
{
    double constant[2];
    haw_bristle_constants(b, constant);
    const haw_scalar rows[] = {
        {"T_I", "N", "adherence arc: T = T0 + T_I e^(r alpha) + T_II e^(-r alpha)", constant[0]},
        {"T_II", "N", "left out where it overflows", constant[1]},
        {"ratio_max", "", "largest tension ratio, e^(mu W)", exp(b->rope.mu_s * b->rope.wrap)},
    };
    return haw_result_finite(context, result, HAW_ROWS(rows));
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    static const char *const regimes[] = {"stick", "slip-low", "slip-high", "slip-both"};
    const haw_rope_options *o = data;
    haw_rope_theory rope;
    haw_bristle b;
    HAW_TRY(haw_rope_resolve(context, o, &rope));
    HAW_TRY(haw_bristle_solve(context, &rope, o->t0, &b));
    haw_result_text(result, "regime", "stick, slip-low, slip-high or slip-both",
                    regimes[(b.low > 0 ? 1 : 0) + (b.high < rope.wrap ? 2 : 0)]);
    const haw_scalar rows[] = {
        {"alpha_low", "rad", "adherence arc from here", b.low},
        {"alpha_high", "rad", "adherence arc to here", b.high},
        {"T_b", "N", "tension at alpha_high", b.tension_high},
        {"T_a", "N", "tension at alpha_low", b.tension_low},
        {"tension_min", "N", "smallest tension", haw_bristle_tension_min(&b)},
        {"t_start", "N/m", "tangential force per length at alpha = 0",
         haw_bristle_profile(&b, 0).tangential},
        {"t_end", "N/m", "tangential force per length at alpha = W",
         haw_bristle_profile(&b, rope.wrap).tangential},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(haw_rope_add_bed(context, result, &rope));
    HAW_TRY(haw_rope_add_sums(context, result, &rope, haw_bristle_tangential_sum(&b),
                              haw_bristle_tension_sum(&b)));
    HAW_TRY(add_constants(context, &b, result));
    return haw_rope_add_profiles(context, result, &rope, o->points, haw_bristle_profile, &b);
}

const haw_theory_ops haw_theory_bristle = {
    .row.name = "bristle",
    .row.summary = "rope on a sheave at rest with bristles: adherence arc between slip arcs",
    .row.source = "J. L. Escalona, Multibody Syst. Dyn. (2024), doi 10.1007/s11044-024-10000-w, "
                  "eqs. (5)-(6), corrected and completed in doc/theory/ropes.md",
    .row.options = options,
    .row.options_size = sizeof(haw_rope_options),
    .formula = "adherence: T'' = r^2 (T - T0), t = T' / R; slip arcs beside it: T' = mu T",
    .example = "--t1 1000 --t2 3000 --mu 0.5 --radius 0.6",
    .evaluate = evaluate,
};
