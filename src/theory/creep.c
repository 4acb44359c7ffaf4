/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creep theory of a rope on a turning sheave: the rope enters without a tangential force, keeps its
 * tension over the adherence arc and slips before it leaves,
 *     T2 = T1 e^(mu_k beta),  t = mu_k T / R on the slip arc beta.
 * The slip arc is at the exit: the low end if the sheave drives, the high end if the rope does.
 */
#include "theory/rope.h"

static const haw_option options[] = {
    HAW_ROPE_LOADS, HAW_ROPE_STIFFNESS, HAW_ROPE_DIRECTION, HAW_ROPE_POINTS, {0},
};

typedef struct creep {
    haw_rope_theory rope;
    double from, to; /* of the slip arc */
} creep;

static haw_rope_theory_point point_at(const void *solution, double alpha)
{
    const creep *c = solution;
    const haw_rope_theory *rope = &c->rope;
    if (alpha < c->from || (alpha <= c->from && c->from > 0)) {
        return (haw_rope_theory_point){rope->t1, 0};
    }
    if (alpha > c->to || !(c->to > c->from)) {
        return (haw_rope_theory_point){rope->t2, 0};
    }
    const double tension = rope->t1 * exp(rope->mu_k * (alpha - c->from));
    return (haw_rope_theory_point){tension, rope->mu_k * tension / rope->radius};
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const haw_rope_options *o = data;
    creep c;
    HAW_TRY(haw_rope_resolve(context, o, &c.rope));
    const haw_rope_theory *rope = &c.rope;
    HAW_TRY(haw_rope_check_load(context, rope, rope->mu_k * rope->wrap));
    const double slip = fmin(haw_rope_creep_angle(rope), rope->wrap);
    c.from = rope->is_driving ? 0 : rope->wrap - slip;
    c.to = rope->is_driving ? slip : rope->wrap;
    const double entry = rope->is_driving ? rope->t2 : rope->t1;
    const double gain = slip > 0 ? rope->t1 * expm1(rope->mu_k * slip) : 0;
    const double slipping = slip > 0 ? gain / rope->mu_k : 0;
    const haw_scalar rows[] = {
        {"slip_angle", "rad", "slip arc beta_C, at the exit", slip},
        {"stick_angle", "rad", "adherence arc, from the entry", rope->wrap - slip},
        {"ratio", "", "tension ratio T2 / T1", rope->t2 / rope->t1},
        {"t_exit", "N/m", "tangential force per length at the exit",
         slip > 0 ? rope->mu_k * (rope->is_driving ? rope->t1 : rope->t2) / rope->radius : 0},
        {"EA_star", "N", "axial stiffness of rope and bed in series", rope->ea_star},
        {"creep", "", "(R omega - c) / R omega, c the unstrained length per time: T / EA* of entry",
         entry / rope->ea_star},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(haw_rope_add_sums(context, result, rope, gain, slipping + entry * (rope->wrap - slip)));
    return haw_rope_add_profiles(context, result, rope, o->points, point_at, &c);
}

const haw_theory_ops haw_theory_creep = {
    .row.name = "creep",
    .row.summary = "rope on a turning sheave that slips over part of its arc and creeps",
    .row.source = "O. Reynolds, The Engineer 38 (1874) 396; J. L. Escalona, Multibody Syst. Dyn. "
                  "(2024), doi 10.1007/s11044-024-10000-w",
    .row.options = options,
    .row.options_size = sizeof(haw_rope_options),
    .formula = "T2 / T1 = exp(mu_k beta): slip arc beta at the exit, no tangential force before it",
    .example = "--t1 1000 --t2 3000 --mu 0.4",
    .evaluate = evaluate,
};
