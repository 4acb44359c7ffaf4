/* SPDX-License-Identifier: BSD-3-Clause */
/* Bristles carried through by a turning sheave; the equations stand in theory/steady.h. */
#include "theory/rows.h"
#include "theory/steady.h"

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
    HAW_TRY(haw_result_scalars(context, result, (int)(sizeof rows / sizeof rows[0]), rows));
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
    .evaluate = evaluate,
};
