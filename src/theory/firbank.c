/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Firbank's theory of a belt whose shear layer is carried through, undeflected at the entry: t
 * grows linearly over the adherence arc, up to mu_s T_beta / R at its end. A driving sheave:
 *     T2 / T1 = e^(mu_k beta) (1 + mu_s (W - beta) / 2),
 *     t = a2 alpha + b2,  a2 = -mu_s T_beta / (R (W - beta)),  T = T2 + R a2 (W - alpha)^2 / 2,
 * the bristles of theory/steady.h with r = 0. The published equations have mu_k in a2 and a
 * straight line T = a1 alpha + b1, so that R int t dalpha is not T2 - T1.
 */
#include "theory/steady.h"

enum { CONSISTENT, PRINTED };

static const char *const forms[] = {"consistent", "printed", NULL};

static const haw_option options[] = {
    HAW_ROPE_LOADS,
    HAW_ROPE_DIRECTION,
    {"form", HAW_OPTION_CHOICE, offsetof(haw_rope_options, form), CONSISTENT, 0, 0, "",
     "consistent; printed: as published, with mu_k for mu_s in the adherence arc and a straight "
     "line for T, which breaks R int t dalpha = T2 - T1 (driving only)",
     forms},
    HAW_ROPE_POINTS,
    {0},
};

/* Lines t = a2 alpha + b2 and T = a1 alpha + b1 over the adherence arc. */
typedef struct lines {
    haw_steady steady;
    bool is_printed;
    double a1, b1, a2, b2;
} lines;

static void set_lines(lines *l)
{
    const haw_steady *s = &l->steady;
    const haw_rope_theory *rope = &s->rope;
    if (!(s->stick > 0)) {
        return; /* the rope is about to slide as a whole */
    }
    const double shift = rope->is_driving ? rope->wrap : 0;
    const double sign = rope->is_driving ? -1 : 1;
    const double entry = rope->is_driving ? rope->t2 : rope->t1;
    double t_s = s->t_s;
    if (l->is_printed && s->regime != HAW_STEADY_STICK) {
        t_s = rope->mu_k * s->tension_s / rope->radius;
    }
    l->a2 = 0 + sign * t_s / s->stick;
    l->b2 = 0 - shift * l->a2;
    l->a1 = 0 + sign * (s->tension_s - entry) / s->stick;
    l->b1 = entry - shift * l->a1;
}

static haw_rope_theory_point point_at(const void *solution, double alpha)
{
    const lines *l = solution;
    const haw_steady *s = &l->steady;
    const bool is_line = s->regime == HAW_STEADY_SLIP && alpha > haw_steady_slip(s);
    if (l->is_printed && is_line) {
        return (haw_rope_theory_point){l->a1 * alpha + l->b1, l->a2 * alpha + l->b2};
    }
    return haw_steady_profile(s, alpha);
}

/* R int t dalpha; that of the printed line is a triangle. */
static double tangential_sum(const lines *l)
{
    const haw_steady *s = &l->steady;
    const double sum = haw_steady_tangential_sum(s);
    if (!l->is_printed) {
        return sum;
    }
    const double stick = s->rope.radius * s->stick / 2;
    return sum - stick * (s->t_s - fabs(l->a2) * s->stick);
}

/* int T dalpha; the chord lies below the parabola by a third of half the rise, on average. */
static double tension_sum(const lines *l)
{
    const haw_steady *s = &l->steady;
    const double sum = haw_steady_tension_sum(s);
    return l->is_printed && s->regime == HAW_STEADY_SLIP
               ? sum - s->stick * (s->rope.t2 - s->tension_s) / 6
               : sum;
}

static haw_status solve(haw_context *context, const haw_rope_options *o, lines *l)
{
    haw_rope_theory rope;
    HAW_TRY(haw_rope_resolve(context, o, &rope));
    HAW_TRY(haw_rope_check_friction(context, &rope));
    rope.r = 0;
    *l = (lines){.is_printed = o->form == PRINTED};
    if (l->is_printed && !rope.is_driving) {
        return haw_fail(
            context, HAW_ERR_INPUT,
            "the printed form is for a driving sheave only: 'direction' must be driving");
    }
    HAW_TRY(haw_steady_solve(context, &rope, &l->steady));
    set_lines(l);
    return HAW_OK;
}

static haw_status evaluate(haw_context *context, const void *data, haw_theory_result *result)
{
    const haw_rope_options *o = data;
    lines l;
    HAW_TRY(solve(context, o, &l));
    const haw_steady *s = &l.steady;
    const haw_rope_theory *rope = &s->rope;
    haw_result_text(result, "form", "equations used",
                    l.is_printed ? "printed (inconsistent: t and T do not balance)" : "consistent");
    const haw_scalar rows[] = {
        {"slip_angle", "rad", "slip arc beta_F, at the exit", haw_steady_slip(s)},
        {"stick_angle", "rad", "adherence arc, from the entry", s->stick},
        {"tension_stick", "N", "tension T_beta where the arcs meet", s->tension_s},
        {"t_exit", "N/m", "tangential force per length at the exit", haw_steady_t_exit(s)},
        {"a1", "N", "chord of the tension over the adherence arc, a1 alpha + b1", l.a1},
        {"b1", "N", "chord of the tension over the adherence arc, a1 alpha + b1", l.b1},
        {"a2", "N/m", "tangential force over the adherence arc, a2 alpha + b2", l.a2},
        {"b2", "N/m", "tangential force over the adherence arc, a2 alpha + b2", l.b2},
        {"beta_C", "rad", "slip arc of the creep theory", haw_rope_creep_angle(rope)},
    };
    HAW_TRY(haw_result_scalars(context, result, HAW_ROWS(rows)));
    HAW_TRY(haw_rope_add_sums(context, result, rope, tangential_sum(&l), tension_sum(&l)));
    return haw_rope_add_profiles(context, result, rope, o->points, point_at, &l);
}

const haw_theory_ops haw_theory_firbank = {
    .row.name = "firbank",
    .row.summary =
        "belt with a shear layer on a turning sheave: slip arc and linear tangential force",
    .row.source =
        "T. C. Firbank, Mechanics of the belt drive, Int. J. Mech. Sci. 12 (1970) 1053-1063; J. L. "
        "Escalona, Multibody Syst. Dyn. (2024), doi 10.1007/s11044-024-10000-w, eqs. (3)-(4)",
    .row.options = options,
    .row.options_size = sizeof(haw_rope_options),
    .formula = "driving: T2 / T1 = exp(mu_k beta) (1 + mu_s (W - beta) / 2); t grows linearly over "
               "the adherence arc W - beta",
    .example = "--t1 1000 --t2 3000 --mu 0.5",
    .evaluate = evaluate,
};
