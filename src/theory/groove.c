/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Friction of a rope in a groove. Flanks at the half angle delta share the radial load, each
 * N / (2 sin(delta)), so f = mu / sin(delta). In a round seat the pressure p0 cos(psi) of a worn-in
 * rope acts over beta/2 < |psi| < (pi - gamma)/2, and
 *     f / mu = int p dpsi / int p cos(psi) dpsi.
 * While the rope still sinks into a V, part of the friction points up the flanks, and
 * f = mu / (sin(delta) + mu cos(delta)).
 */
#include "theory/groove.h"

#include "theory/rows.h"

static const double pi = 3.14159265358979323846;

const char *const haw_groove_kinds[] = {"flat", "v", "u", "undercut", NULL};
const char *const haw_groove_usual[] = {"usual", NULL};

typedef struct groove_options {
    haw_groove groove;
    double mu, wrap;
} groove_options;

static const haw_option options[] = {
    HAW_GROOVE_ROWS(offsetof(groove_options, groove)),
    {"mu", HAW_OPTION_REAL, offsetof(groove_options, mu), 0.1, 0, DBL_MAX, "",
     "coefficient of friction between rope and sheave", NULL},
    {"wrap", HAW_OPTION_REAL, offsetof(groove_options, wrap), 3.14159265358979323846, DBL_MIN,
     DBL_MAX, "rad", "wrap angle", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

void haw_groove_init(haw_groove *groove)
{
    static const double gamma[] = {0, 35, 0, 25};
    static const double beta[] = {0, 0, 0, 90};
    if (isnan(groove->gamma_deg)) {
        groove->gamma_deg = gamma[groove->kind];
    }
    if (isnan(groove->beta_deg)) {
        groove->beta_deg = beta[groove->kind];
    }
}

haw_status haw_groove_check(haw_context *context, const haw_groove *groove)
{
    if (groove->kind == HAW_GROOVE_V && !(groove->gamma_deg > 0)) {
        return haw_fail(context, HAW_ERR_INPUT, "'gamma-deg' of a V groove must be > 0 (got %g)",
                        groove->gamma_deg);
    }
    if (groove->kind == HAW_GROOVE_U && groove->beta_deg > 0) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "a U groove has no undercut: 'beta-deg' must be 0 (got %g), or the groove "
                        "'undercut'",
                        groove->beta_deg);
    }
    if (groove->kind >= HAW_GROOVE_U && !(groove->beta_deg + groove->gamma_deg < 179.999)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'beta-deg' and 'gamma-deg' leave no seat: together they must be < 180 "
                        "(got %g and %g)",
                        groove->beta_deg, groove->gamma_deg);
    }
    return HAW_OK;
}

double haw_groove_seat_factor(double beta, double gamma)
{
    return 4 * (cos(gamma / 2) - sin(beta / 2)) / (pi - beta - gamma - sin(beta) + sin(gamma));
}

double haw_groove_factor(const haw_groove *groove)
{
    const double gamma = groove->gamma_deg * pi / 180;
    switch (groove->kind) {
    case HAW_GROOVE_V:
        return 1 / sin(gamma / 2);
    case HAW_GROOVE_U:
    case HAW_GROOVE_UNDERCUT:
        return haw_groove_seat_factor(groove->beta_deg * pi / 180, gamma);
    default:
        return 1;
    }
}

static double sinking_factor(const groove_options *o)
{
    if (o->groove.kind != HAW_GROOVE_V) {
        return haw_groove_factor(&o->groove);
    }
    const double delta = o->groove.gamma_deg * pi / 360;
    return 1 / (sin(delta) + o->mu * cos(delta));
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    groove_options o = *(const groove_options *)data;
    haw_groove_init(&o.groove);
    HAW_TRY(haw_groove_check(context, &o.groove));
    const double factor = haw_groove_factor(&o.groove);
    const double exponent = o.mu * factor * o.wrap;
    if (exponent > 700) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "f * wrap = %g is too large: the tension ratio overflows above 700",
                        exponent);
    }
    haw_result_text(result, "groove", "kind of the groove", haw_groove_kinds[o.groove.kind]);
    const haw_scalar rows[] = {
        {"f_over_mu", "", "friction of the groove over that of a flat one", factor},
        {"f", "", "friction of the groove", o.mu * factor},
        {"ratio", "", "tension ratio e^(f W)", exp(exponent)},
        {"wrap", "rad", "wrap angle W", o.wrap},
        {"f_sinking", "", "friction while the rope still sinks into the groove, a lower bound",
         o.mu * sinking_factor(&o)},
        {"ratio_sinking", "", "tension ratio of that", exp(o.mu * sinking_factor(&o) * o.wrap)},
    };
    return haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows);
}

const haw_theory_ops haw_theory_groove = {
    .row.name = "groove",
    .row.summary = "friction of a rope in a flat, V, U or undercut groove",
    .row.source = "H. Hymans and A. V. Hellborn, Der neuzeitliche Aufzug mit Treibscheibenantrieb, "
                  "Springer (1927)",
    .row.options = options,
    .row.options_size = sizeof(groove_options),
    .evaluate = evaluate,
};
