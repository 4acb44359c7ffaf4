/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traction of a lift as practitioners print it. With the tensions on both sides of the sheave, the
 * rope must hold while the car is loaded and while an emergency brake acts, T_high / T_low <=
 * e^(f W), and must slip when car or counterweight is stalled, T_high / T_low >= e^(f W). The
 * friction is mu = 0.1, 0.1 / (1 + v / 10 m/s) and 0.2 in these three cases.
 */
#include "theory/groove.h"
#include "theory/rows.h"

static const double pi = 3.14159265358979323846;

enum { LOADING, BRAKING, STALLED, CASES };

enum { HARDENED, PLAIN };

typedef struct traction_options {
    haw_groove groove;
    int hardening, ropes;
    double t1, t2, wrap, mu, speed;
    double radius, diameter, breaking;
} traction_options;

static const char *const hardenings[] = {"hardened", "plain", NULL};
static const char *const standard[] = {"standard", NULL};
static const char *const unknown[] = {"unknown", NULL};

static const haw_option options[] = {
    {"t1", HAW_OPTION_REAL, offsetof(traction_options, t1), 1000, DBL_MIN, DBL_MAX, "N",
     "tension on one side of the sheave, of all ropes", NULL},
    {"t2", HAW_OPTION_REAL, offsetof(traction_options, t2), 1300, DBL_MIN, DBL_MAX, "N",
     "tension on the other side", NULL},
    {"wrap", HAW_OPTION_REAL, offsetof(traction_options, wrap), 3.14159265358979323846, DBL_MIN,
     DBL_MAX, "rad", "wrap angle", NULL},
    HAW_GROOVE_ROWS(offsetof(traction_options, groove)),
    {"flanks", HAW_OPTION_CHOICE, offsetof(traction_options, hardening), HARDENED, 0, 0, "",
     "of a V: plain ones wear to a seat, so that only a stalled rope is held as by a V",
     hardenings},
    {"mu", HAW_OPTION_REAL, offsetof(traction_options, mu), (double)NAN, 0, DBL_MAX, "",
     "friction of all three cases; standard: 0.1, 0.1 / (1 + speed / 10), 0.2", standard},
    {"speed", HAW_OPTION_REAL, offsetof(traction_options, speed), 1, 0, DBL_MAX, "m/s",
     "rope speed of the emergency braking", NULL},
    {"radius", HAW_OPTION_REAL, offsetof(traction_options, radius), (double)NAN, DBL_MIN, DBL_MAX,
     "m", "radius of the sheave to the rope's centreline, D / 2", unknown},
    {"rope-diameter", HAW_OPTION_REAL, offsetof(traction_options, diameter), (double)NAN, DBL_MIN,
     DBL_MAX, "m", "diameter d of a rope", unknown},
    {"ropes", HAW_OPTION_INT, offsetof(traction_options, ropes), 1, 1, 1000, "",
     "number of ropes that share the tensions", NULL},
    {"breaking-load", HAW_OPTION_REAL, offsetof(traction_options, breaking), (double)NAN, DBL_MIN,
     DBL_MAX, "N", "breaking load of one rope", unknown},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* Friction of the groove in each case. */
static void frictions(const traction_options *o, double f[CASES])
{
    const double mu[CASES] = {0.1, 0.1 / (1 + o->speed / 10), 0.2};
    const bool is_worn = o->groove.kind == HAW_GROOVE_V && o->hardening == PLAIN;
    for (int i = 0; i < CASES; ++i) {
        const double factor = is_worn && i != STALLED
                                  ? haw_groove_seat_factor(o->groove.beta_deg * pi / 180, 0)
                                  : haw_groove_factor(&o->groove);
        f[i] = factor * (isnan(o->mu) ? mu[i] : o->mu);
    }
}

static void add_verdicts(const double margin[CASES], haw_theory_result *result)
{
    haw_result_text(result, "loading", "must hold", margin[LOADING] >= 1 ? "holds" : "slips");
    haw_result_text(result, "braking", "must hold", margin[BRAKING] >= 1 ? "holds" : "slips");
    haw_result_text(result, "stalled", "must slip", margin[STALLED] >= 1 ? "slips" : "holds");
    haw_result_text(result, "check", "before use",
                    "f, mu and the three limits as commonly quoted from EN 81: check them against "
                    "the standard");
}

/* D / d, pressure and safety, as far as the data are given. */
static haw_status add_rope(haw_context *context, const traction_options *o, double high,
                           haw_theory_result *result)
{
    const double pressure = high / o->ropes / (2 * o->radius * o->diameter);
    const haw_scalar rows[] = {
        {"diameter_ratio", "", "D / d of sheave and rope", 2 * o->radius / o->diameter},
        {"specific_pressure", "Pa", "T_high / (ropes d D)", pressure},
        {"safety_factor", "", "breaking load of the ropes over T_high",
         o->breaking * o->ropes / high},
    };
    return haw_result_finite(context, result, (int)(sizeof rows / sizeof rows[0]), rows);
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    traction_options o = *(const traction_options *)data;
    haw_groove_init(&o.groove);
    HAW_TRY(haw_groove_check(context, &o.groove));
    const double high = fmax(o.t1, o.t2), low = fmin(o.t1, o.t2), ratio = high / low;
    double f[CASES], limit[CASES], margin[CASES];
    frictions(&o, f);
    for (int i = 0; i < CASES; ++i) {
        limit[i] = exp(f[i] * o.wrap);
        margin[i] = i == STALLED ? ratio / limit[i] : limit[i] / ratio;
    }
    haw_result_text(result, "groove", "kind of the groove", haw_groove_kinds[o.groove.kind]);
    add_verdicts(margin, result);
    const haw_scalar rows[] = {
        {"T_high", "N", "larger tension", high},
        {"T_low", "N", "smaller tension", low},
        {"ratio", "", "T_high / T_low", ratio},
        {"alpha", "rad", "wrap angle", o.wrap},
        {"f_over_mu", "", "friction of the groove over that of a flat one",
         haw_groove_factor(&o.groove)},
        {"f_loading", "", "friction f, loading", f[LOADING]},
        {"f_braking", "", "friction f, emergency braking", f[BRAKING]},
        {"f_stalled", "", "friction f, stalled", f[STALLED]},
        {"limit_loading", "", "e^(f alpha), loading", limit[LOADING]},
        {"limit_braking", "", "e^(f alpha), emergency braking", limit[BRAKING]},
        {"limit_stalled", "", "e^(f alpha), stalled", limit[STALLED]},
        {"margin_loading", "", "limit / ratio, must be >= 1", margin[LOADING]},
        {"margin_braking", "", "limit / ratio, must be >= 1", margin[BRAKING]},
        {"margin_stalled", "", "ratio / limit, must be >= 1", margin[STALLED]},
    };
    HAW_TRY(haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows));
    return add_rope(context, &o, high, result);
}

const haw_theory_ops haw_theory_traction = {
    .row.name = "traction",
    .row.summary = "traction of a lift's drive sheave: ratio, groove, limits and margins",
    .row.source =
        "EN 81-20 and EN 81-50 (2020) as commonly quoted; to be checked against the standard",
    .row.options = options,
    .row.options_size = sizeof(traction_options),
    .evaluate = evaluate,
};
