/* SPDX-License-Identifier: BSD-3-Clause */
/* Bristles carried through by a turning sheave; the equations stand in steady.h. */
#include "theory/steady.h"

enum { SAMPLES = 256 };

/* sinh(x) / x */
static double sinhc(double x)
{
    return x > 0 ? sinh(x) / x : 1;
}

static double entry_tension(const haw_rope_theory *rope)
{
    return rope->is_driving ? rope->t2 : rope->t1;
}

static double sign_of(const haw_rope_theory *rope)
{
    return rope->is_driving ? -1 : 1;
}

/* R t_s = mu_s T_s at the end phi_s of the stick arc, with T_s from the entry. */
static void break_away(haw_steady *s, double phi_s)
{
    const haw_rope_theory *rope = &s->rope;
    const double share = rope->mu_s * haw_tanh_over(rope->r, phi_s / 2);
    s->stick = phi_s;
    s->tension_s = entry_tension(rope) / (1 - sign_of(rope) * share);
    s->t_s = rope->mu_s * s->tension_s / rope->radius;
}

/*
 * Slip goes on while the bristles, were they to stick, would be stretched faster than friction
 * allows: r^2 (T - T1) + r R k_t D >= mu_k^2 T on a braking sheave, with k_t D = t_s / sinh(r
 * phi_s). On a driving one both terms grow with phi and it never fails.
 */
static double grip_tension(const haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    const double room = (rope->mu_k - rope->r) * (rope->mu_k + rope->r);
    if (rope->is_driving || !(room > 0) || !(s->stick > 0)) {
        return INFINITY;
    }
    const double rate = rope->radius * s->t_s / (s->stick * sinhc(rope->r * s->stick));
    return (rate - rope->r * rope->r * rope->t1) / room;
}

static void set_grip(haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    const double left = rope->wrap - s->stick;
    const double to = log(grip_tension(s) / s->tension_s);
    s->regime = HAW_STEADY_SLIP;
    s->grip = rope->wrap;
    if (to < rope->mu_k * left) {
        s->regime = HAW_STEADY_GRIPS;
        s->grip = s->stick + fmax(to, 0) / rope->mu_k;
    }
    s->tension_g = s->tension_s * exp(sign_of(rope) * rope->mu_k * (s->grip - s->stick));
}

/* Behind the slip arc of a braking sheave the bristles stick again, psi from there on. */
static haw_rope_theory_point grip_point(const haw_steady *s, double psi)
{
    const haw_rope_theory *rope = &s->rope;
    const double r = rope->r, x = r * psi;
    const double pull = rope->radius * s->t_s;
    const double slope = rope->mu_k * s->tension_g;
    const double share = haw_sinh_ratio(r, psi, s->stick);
    const double tension = rope->t1 + (s->tension_g - rope->t1) * cosh(x) +
                           pull * haw_versine_ratio(r, psi, s->stick) + slope * psi * sinhc(x);
    const double rise = (s->tension_g - rope->t1) * r * sinh(x) + pull * share + slope * cosh(x);
    return (haw_rope_theory_point){tension, rise / rope->radius};
}

/* Stick arc or slip arc, phi from the entry. */
static haw_rope_theory_point point_at(const haw_steady *s, double phi)
{
    const haw_rope_theory *rope = &s->rope;
    if (phi < s->stick || s->regime == HAW_STEADY_STICK) {
        const double rise = rope->radius * s->t_s * haw_versine_ratio(rope->r, phi, s->stick);
        return (haw_rope_theory_point){entry_tension(rope) + sign_of(rope) * rise,
                                       s->t_s * haw_sinh_ratio(rope->r, phi, s->stick)};
    }
    if (s->regime == HAW_STEADY_GRIPS && phi > s->grip) {
        return grip_point(s, phi - s->grip);
    }
    const double tension = s->tension_s * exp(sign_of(rope) * rope->mu_k * (phi - s->stick));
    return (haw_rope_theory_point){tension, rope->mu_k * tension / rope->radius};
}

haw_rope_theory_point haw_steady_profile(const void *steady, double alpha)
{
    const haw_steady *s = steady;
    return point_at(s, s->rope.is_driving ? s->rope.wrap - alpha : alpha);
}

/* ---- the stick arc ---- */

/*
 * Longest stick arc that ends by breaking away: t / T must still rise there, r coth(r phi_s) >=
 * mu_s. Behind it t / T falls towards r on a braking sheave.
 */
static double longest_stick(const haw_rope_theory *rope)
{
    double longest = rope->wrap;
    if (!rope->is_driving && rope->r < rope->mu_s) {
        const double x = rope->r / rope->mu_s;
        longest = fmin(longest, x > 0 ? atanh(x) / rope->r : 1 / rope->mu_s);
    }
    return longest;
}

/* |ln(T_s / T_entry)| for bristles that break away at phi_s, without cancelling small ones. */
static double stick_gain(const haw_rope_theory *rope, double phi_s)
{
    const double sign = sign_of(rope);
    return -sign * log1p(-sign * rope->mu_s * haw_tanh_over(rope->r, phi_s / 2));
}

/* ln(T2 / T1) that the sheave carries without slip. */
static double stick_limit(const haw_rope_theory *rope)
{
    haw_steady s = {.rope = *rope, .regime = HAW_STEADY_STICK};
    const double longest = longest_stick(rope);
    if (!(longest < rope->wrap)) {
        return stick_gain(rope, rope->wrap);
    }
    break_away(&s, longest);
    return log(point_at(&s, rope->wrap).tension / rope->t1);
}

/* The same where bristles break away at phi_s, less that of the load. */
static double excess(double phi_s, void *data)
{
    haw_steady s = {.rope = *(const haw_rope_theory *)data};
    const haw_rope_theory *rope = &s.rope;
    break_away(&s, phi_s);
    set_grip(&s);
    double carried = stick_gain(rope, phi_s) + rope->mu_k * (s.grip - s.stick);
    if (s.regime == HAW_STEADY_GRIPS) {
        carried += log(grip_point(&s, rope->wrap - s.grip).tension / s.tension_g);
    }
    return carried - rope->log_ratio;
}

/* Loads grow from the stick limit, so of all solutions the longest stick arc is the one reached. */
static haw_status find_stick(haw_context *context, const haw_rope_theory *rope, double *stick)
{
    haw_rope_theory data = *rope;
    const double longest = longest_stick(rope);
    double above = longest, most = -INFINITY;
    *stick = 0;
    for (int i = 1; i <= SAMPLES; ++i) {
        const double phi = longest * (SAMPLES - i) / SAMPLES;
        const double value = excess(phi, &data);
        most = fmax(most, value);
        if (value >= 0 && phi > 0) {
            return haw_root_find(context, excess, &data, (haw_bracket){phi, above}, stick);
        }
        if (value > 0) {
            return haw_root_find(context, excess, &data, (haw_bracket){0, above}, stick);
        }
        above = phi;
    }
    return haw_rope_check_load(context, rope, rope->log_ratio + most);
}

haw_status haw_steady_solve(haw_context *context, const haw_rope_theory *rope, haw_steady *steady)
{
    *steady = (haw_steady){.rope = *rope};
    if (rope->log_ratio <= stick_limit(rope)) {
        steady->regime = HAW_STEADY_STICK;
        steady->stick = steady->grip = rope->wrap;
        steady->t_s = (rope->t2 - rope->t1) / rope->radius / haw_tanh_over(rope->r, rope->wrap / 2);
        steady->tension_s = steady->tension_g = rope->is_driving ? rope->t1 : rope->t2;
        return HAW_OK;
    }
    double stick = 0;
    HAW_TRY(find_stick(context, rope, &stick));
    break_away(steady, stick);
    set_grip(steady);
    return HAW_OK;
}

/* ---- what follows from it ---- */

double haw_steady_slip(const haw_steady *steady)
{
    return steady->regime == HAW_STEADY_STICK ? 0 : steady->grip - steady->stick;
}

double haw_steady_t_exit(const haw_steady *steady)
{
    return point_at(steady, steady->rope.wrap).tangential;
}

/* int (cosh(r phi) - 1) dphi / (r sinh(r y)) over 0 ... y, = (1 - x / sinh(x)) / r^2, x = r y */
static double versine_sum(double r, double y)
{
    const double x = r * y, x2 = x * x;
    if (x < 0.1) {
        return y * y * (1.0 / 6 - x2 * (7.0 / 360 - x2 * (31.0 / 15120 - x2 * 127 / 604800)));
    }
    return (1 - 2 * x * exp(-x) / -expm1(-2 * x)) / r / r;
}

/* (sinh(x) - x) / x^3 */
static double sinh_rest(double x)
{
    const double x2 = x * x;
    if (x < 0.5) {
        return 1.0 / 6 *
               (1 + x2 / 20 * (1 + x2 / 42 * (1 + x2 / 72 * (1 + x2 / 110 * (1 + x2 / 156)))));
    }
    return (sinh(x) - x) / (x2 * x);
}

/* int T of grip_point over psi in 0 ... length */
static double grip_sum(const haw_steady *s, double length)
{
    const haw_rope_theory *rope = &s->rope;
    const double x = rope->r * length, half = sinhc(x / 2);
    const double cube = length * length * length;
    return rope->t1 * length + (s->tension_g - rope->t1) * length * sinhc(x) +
           rope->radius * s->t_s * cube * sinh_rest(x) / (s->stick * sinhc(rope->r * s->stick)) +
           rope->mu_k * s->tension_g * length * length / 2 * half * half;
}

double haw_steady_tension_sum(const haw_steady *steady)
{
    const haw_steady *s = steady;
    const haw_rope_theory *rope = &s->rope;
    const double sign = sign_of(rope), exponent = sign * rope->mu_k * (s->grip - s->stick);
    double sum = entry_tension(rope) * s->stick +
                 sign * rope->radius * s->t_s * versine_sum(rope->r, s->stick);
    sum +=
        s->tension_s * (s->grip - s->stick) * (fabs(exponent) > 0 ? expm1(exponent) / exponent : 1);
    return s->regime == HAW_STEADY_GRIPS ? sum + grip_sum(s, rope->wrap - s->grip) : sum;
}

double haw_steady_tangential_sum(const haw_steady *steady)
{
    const haw_steady *s = steady;
    const haw_rope_theory *rope = &s->rope;
    const double exponent = sign_of(rope) * rope->mu_k * (s->grip - s->stick);
    double sum = rope->radius * s->t_s * haw_tanh_over(rope->r, s->stick / 2);
    sum += s->tension_s * fabs(expm1(exponent));
    if (s->regime == HAW_STEADY_GRIPS) {
        sum += grip_point(s, rope->wrap - s->grip).tension - s->tension_g;
    }
    return sum;
}

double haw_steady_creep(const haw_steady *steady)
{
    const haw_rope_theory *rope = &steady->rope;
    const double r = rope->r;
    const double pull = rope->radius * steady->t_s; /* R k_t D / r = R t_s / (r sinh(r phi_s)) */
    const double lead =
        steady->stick > 0 ? -2 * pull / r * exp(-r * steady->stick) / expm1(-2 * r * steady->stick)
                          : 0;
    return (entry_tension(rope) - sign_of(rope) * lead) / rope->ea_star;
}

/* ---- row of the table ---- */

static const haw_option options[] = {
    HAW_ROPE_LOADS,     HAW_ROPE_BRISTLES, HAW_ROPE_STIFFNESS,
    HAW_ROPE_DIRECTION, HAW_ROPE_POINTS,   {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static const char *const regimes[] = {"stick", "slip-exit", "slip-inside"};

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const haw_rope_options *o = data;
    haw_rope_theory rope;
    haw_steady s;
    HAW_TRY(haw_rope_resolve(context, o, &rope));
    HAW_TRY(haw_rope_check_friction(context, &rope));
    HAW_TRY(haw_steady_solve(context, &rope, &s));
    haw_result_text(
        result, "regime",
        "stick; slip-exit; slip-inside: soft bristles, the slip arc ends before the exit",
        regimes[s.regime]);
    const haw_scalar rows[] = {
        {"slip_angle", "rad", "slip arc beta, at the exit", haw_steady_slip(&s)},
        {"stick_angle", "rad", "adherence arc from the entry, phi_s", s.stick},
        {"t_exit", "N/m", "tangential force per length at the exit", haw_steady_t_exit(&s)},
        {"t_stick", "N/m", "tangential force per length at the end of the adherence arc", s.t_s},
        {"tension_stick", "N", "tension there", s.tension_s},
        {"beta_C", "rad", "slip arc of the creep theory, r -> infinity",
         haw_rope_creep_angle(&rope)},
        {"creep", "", "(R omega - c) / R omega, c the unstrained length of rope per time",
         haw_steady_creep(&s)},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(haw_rope_add_bed(context, result, &rope));
    HAW_TRY(haw_rope_add_sums(context, result, &rope, haw_steady_tangential_sum(&s),
                              haw_steady_tension_sum(&s)));
    return haw_rope_add_profiles(context, result, &rope, o->points, haw_steady_profile, &s);
}

const haw_theory_ops haw_theory_bristle_steady = {
    .row.name = "bristle-steady",
    .row.summary = "rope on a turning sheave with bristles: from Firbank's to the creep theory",
    .row.source =
        "doc/theory/ropes.md; bristles of J. L. Escalona, Multibody Syst. Dyn. (2024), doi "
        "10.1007/s11044-024-10000-w",
    .row.options = options,
    .row.options_size = sizeof(haw_rope_options),
    .formula =
        "stick: t = t_s sinh(r phi) / sinh(r phi_s), R t_s = mu_s T_s; then slip: dT/dphi = mu_k T",
    .example = "--t1 10056.4 --t2 13140.7 --radius 0.24 --mu 0.2 --direction braking",
    .evaluate = evaluate,
};
