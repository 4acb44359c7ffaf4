/* SPDX-License-Identifier: BSD-3-Clause */
/* Bristles under a rope on a sheave at rest; the equations stand in theory/bristle_arc.h. */
#include "theory/bristle_arc.h"
#include "theory/rows.h"

static const haw_option options[] = {
    HAW_ROPE_LOADS,
    HAW_ROPE_BRISTLES,
    HAW_ROPE_STIFFNESS,
    HAW_ROPE_REAL("t0", t0, 0, 0, "N", NULL,
                  "uniform tension of the rope when the bristles were laid, undeflected"),
    HAW_ROPE_POINTS,
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static const char *regime(const haw_bristle *b)
{
    static const char *const words[] = {"stick", "slip-low", "slip-high", "slip-both"};
    return words[(b->low > 0 ? 1 : 0) + (b->high < b->rope.wrap ? 2 : 0)];
}

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
    return haw_result_finite(context, result, (int)(sizeof rows / sizeof rows[0]), rows);
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const haw_rope_options *o = data;
    haw_rope_theory rope;
    haw_bristle b;
    HAW_TRY(haw_rope_resolve(context, o, &rope));
    HAW_TRY(haw_bristle_solve(context, &rope, o->t0, &b));
    haw_result_text(result, "regime", "stick, slip-low, slip-high or slip-both", regime(&b));
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
    HAW_TRY(haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows));
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
    .evaluate = evaluate,
};
