/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/rope.h"

/* Half the precision of a double: loads that miss a limit by rounding only are at it. */
static const double slack = 1e-12;

const char *const haw_rope_auto[] = {"auto", NULL};
const char *const haw_rope_rigid[] = {"rigid", NULL};
const char *const haw_rope_directions[] = {"driving", "braking", NULL};

static double first_given(double a, double b, double c)
{
    return !isnan(a) ? a : !isnan(b) ? b : c;
}

haw_status haw_rope_resolve(haw_context *context, const haw_rope_options *options,
                            haw_rope_theory *rope)
{
    const haw_rope_options *o = options;
    if (!(o->t2 >= o->t1)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'t2' is the high tension: it must be at least t1 = %g N (got %g)", o->t1,
                        o->t2);
    }
    const double mu = first_given(o->mu, first_given(o->mu_s, o->mu_k, 0.4), 0);
    /* Rope and bed are springs in series: 1 / EA* = 1 / EA + 1 / (k_n R^2). */
    const double softer = isnan(o->kn) ? 1 : 1 + o->ea / o->kn / o->radius / o->radius;
    *rope = (haw_rope_theory){
        .t1 = o->t1,
        .t2 = o->t2,
        .radius = o->radius,
        .wrap = o->wrap,
        .log_ratio = log1p((o->t2 - o->t1) / o->t1),
        .mu_s = first_given(o->mu_s, mu, 0),
        .mu_k = first_given(o->mu_k, mu, 0),
        .r = o->r,
        .ea_star = o->ea / softer,
        .kt = o->kt,
        .is_driving = o->direction == HAW_ROPE_DRIVING,
    };
    if (isnan(o->r)) {
        rope->r = o->radius * sqrt(o->kt / rope->ea_star);
    } else {
        rope->kt = o->r / o->radius * rope->ea_star * o->r / o->radius;
    }
    return HAW_OK;
}

haw_status haw_rope_check_friction(haw_context *context, const haw_rope_theory *rope)
{
    if (rope->mu_s < rope->mu_k) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "'mu-s' must be at least the kinetic friction %g (got %g)", rope->mu_k,
                        rope->mu_s);
    }
    return HAW_OK;
}

haw_status haw_rope_check_load(haw_context *context, const haw_rope_theory *rope, double limit)
{
    if (rope->log_ratio > limit * (1 + slack)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "the rope slides over the whole arc: T2 / T1 = %.9g is above the largest "
                        "ratio that friction holds, %.9g",
                        rope->t2 / rope->t1, exp(limit));
    }
    return HAW_OK;
}

double haw_rope_creep_angle(const haw_rope_theory *rope)
{
    return rope->log_ratio > 0 ? rope->log_ratio / rope->mu_k : 0;
}

haw_status haw_rope_add_bed(haw_context *context, haw_theory_result *result,
                            const haw_rope_theory *rope)
{
    const haw_scalar rows[] = {
        {"r", "", "R sqrt(k_t / EA*)", rope->r},
        {"EA_star", "N", "axial stiffness of rope and bed in series", rope->ea_star},
        {"k_t", "N/m^2", "tangential stiffness of the bristles", rope->kt},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

haw_status haw_rope_add_sums(haw_context *context, haw_theory_result *result,
                             const haw_rope_theory *rope, double tangential, double tension)
{
    const haw_scalar rows[] = {
        {"tangential_sum", "N", "R int t dalpha", tangential},
        {"tension_sum", "N", "int T dalpha, the sum of the contact forces", tension},
        {"torque", "N m", "R (T2 - T1)", rope->radius * (rope->t2 - rope->t1)},
    };
    return haw_result_scalars(context, result, HAW_ROWS(rows));
}

haw_status haw_rope_add_profiles(haw_context *context, haw_theory_result *result,
                                 const haw_rope_theory *rope, int points, haw_rope_profile profile,
                                 const void *solution)
{
    const haw_quantity rows[] = {
        {"alpha", "rad", "angle from the end of the low tension", points, true, NULL},
        {"tension", "N", "tension along the arc", points, true, NULL},
        {"normal", "N/m", "contact force per length, T / R", points, true, NULL},
        {"tangential", "N/m", "tangential force per length; > 0: raises the tension with alpha",
         points, true, NULL},
    };
    double *value[4];
    HAW_TRY(haw_result_profiles(context, result, 4, rows, value));
    for (int i = 0; i < points; ++i) {
        const double alpha = i + 1 < points ? rope->wrap * i / (points - 1) : rope->wrap;
        const haw_rope_theory_point point = profile(solution, alpha);
        value[0][i] = alpha;
        value[1][i] = point.tension;
        value[2][i] = point.tension / rope->radius;
        value[3][i] = point.tangential;
    }
    return HAW_OK;
}

double haw_sinh_ratio(double r, double x, double y)
{
    if (!(r > 0) || !(x > 0)) {
        return x / y;
    }
    return exp(r * (x - y)) * expm1(-2 * r * x) / expm1(-2 * r * y);
}

double haw_versine_ratio(double r, double x, double y)
{
    if (!(r > 0)) {
        return x * x / (2 * y);
    }
    const double rise = expm1(-r * x);
    return exp(r * (x - y)) * rise * (rise / (-r * expm1(-2 * r * y)));
}

double haw_tanh_over(double r, double x)
{
    return r > 0 ? tanh(r * x) / r : x;
}
