/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Friction of a rope in a groove. Flanks at the half angle delta share the radial load, each
 * N / (2 sin(delta)), so f = mu / sin(delta). In a round seat the pressure p0 cos(psi) of a worn-in
 * rope acts over beta/2 < |psi| < (pi - gamma)/2, and
 *     f / mu = int p dpsi / int p cos(psi) dpsi.
 * While the rope still sinks into a V, part of the friction points up the flanks, and
 * f = mu / (sin(delta) + mu cos(delta)).
 */
#include "theory/result.h"

enum { GROOVE_FLAT, GROOVE_V, GROOVE_U, GROOVE_UNDERCUT };

typedef struct groove {
    int kind;
    double gamma_deg; /* angle of a V, or of the missing arc at the sides; NAN: usual */
    double beta_deg;  /* angle of the undercut; NAN: usual */
} groove;

static const char *const kinds[] = {"flat", "v", "u", "undercut", NULL};
static const char *const usual[] = {"usual", NULL};

/* Rows of an options struct that begins with a groove. */
/* clang-format off */
#define GROOVE_OPTIONS                                                                             \
    {"groove", HAW_OPTION_CHOICE, offsetof(groove, kind), GROOVE_FLAT, 0, 0, "",                   \
     "flat, v, u (round seat) or undercut (round seat without its bottom)", kinds},                \
    {"gamma-deg", HAW_OPTION_REAL, offsetof(groove, gamma_deg), (double)NAN, 0, 179.999, "deg",    \
     "angle between the flanks of a V, or the angle that the seat lacks at its sides; usual: "     \
     "V 35, U 0, undercut 25", usual},                                                             \
    {"beta-deg", HAW_OPTION_REAL, offsetof(groove, beta_deg), (double)NAN, 0, 179.999, "deg",      \
     "angle of the undercut, seen from the rope's centre; usual: 90", usual}

/* clang-format on */

/* The usual angles: V 35 degrees, U 0, undercut gamma = 25, beta = 90 degrees. */
static void fill_in(groove *g)
{
    static const double gamma[] = {0, 35, 0, 25};
    static const double beta[] = {0, 0, 0, 90};
    if (isnan(g->gamma_deg)) {
        g->gamma_deg = gamma[g->kind];
    }
    if (isnan(g->beta_deg)) {
        g->beta_deg = beta[g->kind];
    }
}

static haw_status check(haw_context *context, const groove *g)
{
    if (g->kind == GROOVE_V && !(g->gamma_deg > 0)) {
        return haw_fail(context, HAW_ERR_INPUT, "'gamma-deg' of a V groove must be > 0 (got %g)",
                        g->gamma_deg);
    }
    if (g->kind == GROOVE_U && g->beta_deg > 0) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a U groove has no undercut: 'beta-deg' must be 0 (got %g), or the groove "
                        "'undercut'",
                        g->beta_deg);
    }
    if (g->kind >= GROOVE_U && !(g->beta_deg + g->gamma_deg < 179.999)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'beta-deg' and 'gamma-deg' leave no seat: together they must be < 180 "
                        "(got %g and %g)",
                        g->beta_deg, g->gamma_deg);
    }
    return HAW_OK;
}

static double seat_factor(double beta, double gamma)
{
    return 4 * (cos(gamma / 2) - sin(beta / 2)) / (HAW_PI - beta - gamma - sin(beta) + sin(gamma));
}

/* f / mu of a groove that has passed the check. */
static double friction_factor(const groove *g)
{
    const double gamma = g->gamma_deg * HAW_PI / 180;
    switch (g->kind) {
    case GROOVE_V:
        return 1 / sin(gamma / 2);
    case GROOVE_U:
    case GROOVE_UNDERCUT:
        return seat_factor(g->beta_deg * HAW_PI / 180, gamma);
    default:
        return 1;
    }
}

/* ---- groove ---- */

typedef struct groove_options {
    groove groove;
    double mu, wrap;
} groove_options;

static const haw_option options[] = {
    GROOVE_OPTIONS,
    HAW_NONNEGATIVE("mu", groove_options, mu, 0.1, "",
                    "coefficient of friction between rope and sheave"),
    HAW_POSITIVE("wrap", groove_options, wrap, HAW_PI, "rad", "wrap angle"),
    {0},
};

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    groove_options o = *(const groove_options *)data;
    fill_in(&o.groove);
    HAW_TRY(check(context, &o.groove));
    const double factor = friction_factor(&o.groove);
    const double exponent = o.mu * factor * o.wrap, delta = o.groove.gamma_deg * HAW_PI / 360;
    const double sinking =
        o.groove.kind == GROOVE_V ? 1 / (sin(delta) + o.mu * cos(delta)) : factor;
    if (exponent > 700) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "f * wrap = %g is too large: the tension ratio overflows above 700",
                        exponent);
    }
    haw_result_text(result, "groove", "kind of the groove", kinds[o.groove.kind]);
    const haw_scalar rows[] = {
        {"f_over_mu", "", "friction of the groove over that of a flat one", factor},
        {"f", "", "friction of the groove", o.mu * factor},
        {"ratio", "", "tension ratio e^(f W)", exp(exponent)},
        {"wrap", "rad", "wrap angle W", o.wrap},
        {"f_sinking", "", "friction while the rope still sinks into the groove, a lower bound",
         o.mu * sinking},
        {"ratio_sinking", "", "tension ratio of that", exp(o.mu * sinking * o.wrap)},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

const haw_theory_ops haw_theory_groove = {
    .row.name = "groove",
    .row.summary = "friction of a rope in a flat, V, U or undercut groove",
    .row.source = "H. Hymans and A. V. Hellborn, Der neuzeitliche Aufzug mit Treibscheibenantrieb, "
                  "Springer (1927)",
    .row.options = options,
    .row.options_size = sizeof(groove_options),
    .formula = "T2 / T1 = exp(f w); V: f = mu / sin(gamma / 2);\nseat: f = 4 mu (cos(gamma / 2) - "
               "sin(beta / 2)) / (pi - beta - gamma - sin(beta) + sin(gamma))",
    .example = "--groove v --gamma-deg 40",
    .evaluate = evaluate,
};

/* ---- traction ---- */

/*
 * Traction of a lift as practitioners print it. With the tensions on both sides of the sheave, the
 * rope must hold while the car is loaded and while an emergency brake acts, T_high / T_low <=
 * e^(f W), and must slip when car or counterweight is stalled, T_high / T_low >= e^(f W). The
 * friction is mu = 0.1, 0.1 / (1 + v / 10 m/s) and 0.2 in these three cases.
 */

enum { LOADING, BRAKING, STALLED, CASES };

enum { HARDENED, PLAIN };

typedef struct traction_options {
    groove groove;
    int hardening, ropes;
    double t1, t2, wrap, mu, speed;
    double radius, diameter, breaking;
    double pair[CASES][2]; /* NAN: t1, t2 */
} traction_options;

static const char *const hardenings[] = {"hardened", "plain", NULL};
static const char *const same[2][2] = {{"t1", NULL}, {"t2", NULL}};
static const char *const standard[] = {"standard", NULL};
static const char *const unknown[] = {"unknown", NULL};

/* clang-format off */
#define TENSION(key, side, i, case) \
    {key, HAW_OPTION_REAL, offsetof(traction_options, pair[i][side]), (double)NAN, DBL_MIN, DBL_MAX, "N", \
     "tension while " case, same[side]}
/* clang-format on */

static const haw_option traction_rows[] = {
    HAW_POSITIVE(
        "t1", traction_options, t1, 1000, "N",
        "tension on one side of the sheave, of all ropes, in cases without a pair of their own"),
    HAW_POSITIVE("t2", traction_options, t2, 1300, "N", "the same on the other side"),
    TENSION("t1-loading", 0, LOADING, "the car is loaded"),
    TENSION("t2-loading", 1, LOADING, "the car is loaded"),
    TENSION("t1-braking", 0, BRAKING,
            "an emergency brake acts, with the forces of the deceleration"),
    TENSION("t2-braking", 1, BRAKING,
            "an emergency brake acts, with the forces of the deceleration"),
    TENSION("t1-stalled", 0, STALLED, "car or counterweight is stalled"),
    TENSION("t2-stalled", 1, STALLED, "car or counterweight is stalled"),
    HAW_POSITIVE("wrap", traction_options, wrap, HAW_PI, "rad", "wrap angle"),
    GROOVE_OPTIONS,
    {"flanks", HAW_OPTION_CHOICE, offsetof(traction_options, hardening), HARDENED, 0, 0, "",
     "of a V: plain ones wear to a seat, so that only a stalled rope is held as by a V",
     hardenings},
    {"mu", HAW_OPTION_REAL, offsetof(traction_options, mu), (double)NAN, 0, DBL_MAX, "",
     "friction of all three cases; standard: 0.1, 0.1 / (1 + speed / 10), 0.2", standard},
    HAW_NONNEGATIVE("speed", traction_options, speed, 1, "m/s",
                    "rope speed of the emergency braking"),
    {"radius", HAW_OPTION_REAL, offsetof(traction_options, radius), (double)NAN, DBL_MIN, DBL_MAX,
     "m", "radius of the sheave to the rope's centreline, D / 2", unknown},
    {"rope-diameter", HAW_OPTION_REAL, offsetof(traction_options, diameter), (double)NAN, DBL_MIN,
     DBL_MAX, "m", "diameter d of a rope", unknown},
    {"ropes", HAW_OPTION_INT, offsetof(traction_options, ropes), 1, 1, 1000, "",
     "number of ropes that share the tensions", NULL},
    {"breaking-load", HAW_OPTION_REAL, offsetof(traction_options, breaking), (double)NAN, DBL_MIN,
     DBL_MAX, "N", "breaking load of one rope", unknown},
    {0},
};

/* Friction of the groove in each case. */
static void frictions(const traction_options *o, double f[CASES])
{
    const double mu[CASES] = {0.1, 0.1 / (1 + o->speed / 10), 0.2};
    const bool is_worn = o->groove.kind == GROOVE_V && o->hardening == PLAIN;
    for (int i = 0; i < CASES; ++i) {
        const double factor = is_worn && i != STALLED
                                  ? seat_factor(o->groove.beta_deg * HAW_PI / 180, 0)
                                  : friction_factor(&o->groove);
        f[i] = factor * (isnan(o->mu) ? mu[i] : o->mu);
    }
}

static const char *const verdicts[] = {"suitable: it holds where it must, and slips when stalled",
                                       "not suitable: it slips while the car is loaded or braked",
                                       "not suitable: it does not slip when stalled",
                                       ("not suitable: it slips while the car is loaded or braked, "
                                        "and does not when stalled")};

static void add_verdicts(const double margin[CASES], haw_theory_result *result)
{
    const bool holds = margin[LOADING] >= 1 && margin[BRAKING] >= 1, slips = margin[STALLED] >= 1;
    haw_result_text(result, "loading", "must hold", margin[LOADING] >= 1 ? "holds" : "slips");
    haw_result_text(result, "braking", "must hold", margin[BRAKING] >= 1 ? "holds" : "slips");
    haw_result_text(result, "stalled", "must slip", margin[STALLED] >= 1 ? "slips" : "holds");
    haw_result_text(result, "check", "before use",
                    "f, mu and the three limits as commonly quoted from EN 81: check them against "
                    "the standard");
    haw_result_text(result, "verdict", "by all three cases",
                    verdicts[(holds ? 0 : 1) + (slips ? 0 : 2)]);
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
    return haw_result_finite(context, result, HAW_ROWS(rows));
}

static haw_status evaluate_traction(haw_context *context, const void *data,
                                    haw_theory_result *result)
{
    traction_options o = *(const traction_options *)data;
    fill_in(&o.groove);
    HAW_TRY(check(context, &o.groove));
    double f[CASES], limit[CASES], margin[CASES], high[CASES], low[CASES], ratio[CASES];
    frictions(&o, f);
    for (int i = 0; i < CASES; ++i) {
        const double a = isnan(o.pair[i][0]) ? o.t1 : o.pair[i][0];
        const double b = isnan(o.pair[i][1]) ? o.t2 : o.pair[i][1];
        high[i] = fmax(a, b);
        low[i] = fmin(a, b);
        ratio[i] = high[i] / low[i];
        limit[i] = exp(f[i] * o.wrap);
        margin[i] = i == STALLED ? ratio[i] / limit[i] : limit[i] / ratio[i];
    }
    const double highest = fmax(high[LOADING], fmax(high[BRAKING], high[STALLED]));
    haw_result_text(result, "groove", "kind of the groove", kinds[o.groove.kind]);
    add_verdicts(margin, result);
    const haw_scalar rows[] = {
        {"T_high", "N", "largest tension of all cases", highest},
        {"T_high_loading", "N", "larger tension, loading", high[LOADING]},
        {"T_high_braking", "N", "larger tension, emergency braking", high[BRAKING]},
        {"T_high_stalled", "N", "larger tension, stalled", high[STALLED]},
        {"T_low_loading", "N", "smaller tension, loading", low[LOADING]},
        {"T_low_braking", "N", "smaller tension, emergency braking", low[BRAKING]},
        {"T_low_stalled", "N", "smaller tension, stalled", low[STALLED]},
        {"ratio_loading", "", "T_high / T_low, loading", ratio[LOADING]},
        {"ratio_braking", "", "T_high / T_low, emergency braking", ratio[BRAKING]},
        {"ratio_stalled", "", "T_high / T_low, stalled", ratio[STALLED]},
        {"alpha", "rad", "wrap angle", o.wrap},
        {"f_over_mu", "", "friction of the groove over that of a flat one",
         friction_factor(&o.groove)},
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
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    return add_rope(context, &o, highest, result);
}

const haw_theory_ops haw_theory_traction = {
    .row.name = "traction",
    .row.summary = "traction of a lift's drive sheave: ratio, groove, limits and margins",
    .row.source =
        "EN 81-20 and EN 81-50 (2020) as commonly quoted; to be checked against the standard",
    .row.options = traction_rows,
    .row.options_size = sizeof(traction_options),
    .formula = "loading, emergency braking: T_high / T_low <= exp(f w);  stalled: T_high / T_low "
               ">= exp(f w)\nf = mu times the factor of the groove (hawser theory groove), mu = "
               "0.1, 0.1 / (1 + v / 10 m/s), 0.2",
    .example = "--groove undercut --t1-loading 13000 --t2-loading 9000 --t1-braking 12500 "
               "--t2-braking 9400 --t1-stalled 10000 --t2-stalled 900 --radius 0.24 "
               "--rope-diameter 0.01 --ropes 4 --breaking-load 6.0e+4",
    .evaluate = evaluate_traction,
};
