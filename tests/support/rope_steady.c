/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rope_steady.h"

haw_theory_result rope_steady_theory(haw_context *context, const rope_steady *s)
{
    const setting set[] = {{"t1", s->tension[0]},       {"t2", s->tension[1]},
                           {"radius", s->radius},       {"wrap", s->wrap},
                           {"mu", s->friction},         {"ea", s->stiffness},
                           {"kn", s->normal_stiffness}, {"kt", s->tangential_stiffness},
                           {"points", STEADY_POINTS}};
    const haw_theory_ops *ops = NULL;
    theory_options options;
    haw_theory_result result;
    theory_setup("bristle-steady", sizeof set / sizeof *set, set, &ops, &options);
    assert_int_equal(
        haw_options_set_text(context, ops->row.options, &options, "direction", "braking"), HAW_OK);
    if (haw_theory_evaluate(context, ops, &options, &result) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return result;
}

/* Friction per length [N/m] at an angle from the entry, linear between points. */
static double rope_steady_friction(const haw_theory_result *theory, double wrap, double alpha)
{
    const haw_quantity *tangential = theory_profile(theory, "tangential");
    const double place = fmin(fmax(alpha / wrap, 0), 1) * (tangential->count - 1);
    const int i = (int)fmin(place, tangential->count - 2);
    const double *t = tangential->value;
    return t[i] + (place - i) * (t[i + 1] - t[i]);
}

rope_errors rope_steady_compare(haw_simulation *simulation, const rope_steady *s, double entry,
                                double margin, const haw_theory_result *theory)
{
    static haw_wrap_knot knot[STEADY_KNOTS];
    const haw_quantity *tangential = theory_profile(theory, "tangential");
    rope_errors e = {0};
    assert_true(simulation->model.pair[0].points <= STEADY_KNOTS);
    const int count = haw_wrap_knots(haw_simulation_frame(simulation), 0, knot);
    int compared = 0;
    for (int i = 0; i < count; i++) {
        const double alpha = entry - knot[i].angle;
        if (alpha < margin || alpha > s->wrap - margin) {
            continue;
        }
        const double want = fabs(rope_steady_friction(theory, s->wrap, alpha));
        const double error = fabs(knot[i].tangential) - want;
        const bool sticks = fabs(knot[i].tangential) < s->friction * knot[i].normal * (1 - 1e-9);
        e.rms += error * error;
        compared++;
        e.most = fmax(e.most, fabs(error));
        e.stick_angle = sticks ? fmax(e.stick_angle, alpha) : e.stick_angle;
    }
    for (int i = 0; i < tangential->count; i++) {
        e.largest = fmax(e.largest, fabs(tangential->value[i]));
    }
    e.rms = sqrt(e.rms / compared);
    return e;
}
