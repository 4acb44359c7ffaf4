/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction laws: tangents, dissipation, and the closed forms of each. */
#include "law/law.h"
#include "support/finite.h"
#include "support/near.h"
#include "support/random.h"
#include "support/table.h"

static const double step = 1.0e-2;

static haw_friction_parameters parameters(void)
{
    return (haw_friction_parameters){.mu_static = 0.6,
                                     .mu_kinetic = 0.4,
                                     .stribeck_velocity = 0.3,
                                     .stiffness = 200.0,
                                     .damping = 2.0,
                                     .viscous = 0.3,
                                     .regularization = 0.05};
}

typedef struct friction_call {
    const haw_friction_ops *law;
    haw_friction_parameters p;
    double memory;
} friction_call;

static haw_friction_force force_of(const friction_call *call, const double x[3])
{
    const haw_friction_state at = {
        .rate = x[0], .slide = x[1], .normal = x[2], .memory = call->memory, .h = step};
    haw_friction_force out;

    call->law->force(&call->p, &at, &out);
    return out;
}

/* What a caller keeps of a point between steps. */
typedef struct bristle {
    double slide, z;
} bristle;

/* Slide by v h. @return the work against friction over the step [J] */
static double slide(const haw_friction_ops *law, const haw_friction_parameters *p, double normal,
                    double v, bristle *kept)
{
    const haw_friction_state at = {
        .normal = normal, .rate = v, .slide = kept->slide + step * v, .memory = kept->z, .h = step};
    haw_friction_force out;

    law->force(p, &at, &out);
    kept->slide = kept->z = out.deflection;
    return out.force * v * step;
}

/* ---- tangents ---- */

static void force_at(const void *user, const double *x, double *y)
{
    *y = force_of(user, x).force;
}

/* All points of the difference on one branch: same regime, same side of v = 0, and of the normal
 * force that just holds the bristles. */
static bool is_smooth(const friction_call *call, const double x[3], double h)
{
    const haw_friction_force here = force_of(call, x);
    const double held = call->p.stiffness * fabs(call->memory) / call->p.mu_static;

    if (fabs(x[2] - held) < 3.0 * h) {
        return false;
    }

    for (int i = 0; i < 3; i++) {
        for (int side = -2; side <= 2; side++) {
            double at[3] = {x[0], x[1], x[2]};

            at[i] += side * h;
            const haw_friction_force there = force_of(call, at);

            if (there.regime != here.regime || at[0] * x[0] <= 0.0) {
                return false;
            }
        }
    }
    return true;
}

static void tangents_are_those_of_finite_differences(void **state)
{
    const double h = 1.0e-4;
    uint64_t seed = 21;

    (void)state;
    for (int i = 0; haw_friction_laws[i] != NULL; i++) {
        int checked[3] = {0, 0, 0};

        for (int trial = 0; trial < 3000; trial++) {
            const friction_call call = {friction_at(i), parameters(), 0.02 * random_signed(&seed)};
            const double x[3] = {random_signed(&seed) * (trial % 2 == 0 ? 0.05 : 1.0),
                                 0.05 * random_signed(&seed),
                                 1.0 + 9.0 * fabs(random_signed(&seed))};
            const haw_friction_force out = force_of(&call, x);
            double slope[3];

            if (!is_smooth(&call, x, h)) {
                continue;
            }
            finite_jacobian(force_at, &call, 3, 1, x, h, slope);
            assert_near(out.d_rate, slope[0], 1.0e-6, 1.0e-6);
            assert_near(out.d_slide, slope[1], 1.0e-6, 1.0e-6);
            assert_near(out.d_normal, slope[2], 1.0e-6, 1.0e-6);
            checked[out.regime + 1]++;
        }
        assert_true(checked[0] > 100 && checked[1] > 100 && checked[2] > 100);
    }
}

static void the_stribeck_curve_has_its_slope(void **state)
{
    const haw_friction_parameters p = parameters();
    const double h = 1.0e-4;
    double slope, unused;

    (void)state;
    assert_near(haw_friction_coefficient(&p, 0.0, &slope), 0.6, 0.0, 1.0e-15);
    assert_near(slope, 0.0, 0.0, 0.0);
    assert_near(haw_friction_coefficient(&p, 0.3, &slope), 0.4 + 0.2 * exp(-1.0), 0.0, 1.0e-15);
    assert_near(haw_friction_coefficient(&p, -100.0, &slope), 0.4, 0.0, 1.0e-15);
    for (int k = -14; k <= 14; k++) {
        const double v = 0.07 * k;

        (void)haw_friction_coefficient(&p, v, &slope);
        assert_near(slope,
                    (haw_friction_coefficient(&p, v + h, &unused) -
                     haw_friction_coefficient(&p, v - h, &unused)) /
                        (2.0 * h),
                    1.0e-7, 0.0);
    }
}

/* One coefficient needs no Stribeck velocity: whatever stands there, nothing is divided by it. */
static void one_coefficient_needs_no_stribeck_velocity(void **state)
{
    const haw_friction_parameters p = {.mu_static = 0.3, .mu_kinetic = 0.3};
    double slope = NAN;

    (void)state;
    assert_near(haw_friction_coefficient(&p, 0.7, &slope), 0.3, 0.0, 0.0);
    assert_near(slope, 0.0, 0.0, 0.0);
}

static void friction_is_odd_in_the_motion(void **state)
{
    uint64_t seed = 22;

    (void)state;
    for (int i = 0; haw_friction_laws[i] != NULL; i++) {
        for (int trial = 0; trial < 200; trial++) {
            const double z = 0.02 * random_signed(&seed);
            const friction_call call = {friction_at(i), parameters(), z};
            const friction_call other = {friction_at(i), parameters(), -z};
            const double x[3] = {random_signed(&seed), 0.05 * random_signed(&seed), 5.0};
            const double y[3] = {-x[0], -x[1], x[2]};
            const haw_friction_force out = force_of(&call, x), mirrored = force_of(&other, y);

            assert_near(mirrored.force, -out.force, 0.0, 0.0);
            assert_near(mirrored.d_rate, out.d_rate, 0.0, 0.0);
            assert_near(mirrored.deflection, -out.deflection, 0.0, 0.0);
            assert_int_equal(mirrored.regime, -out.regime);
        }
    }
}

static void without_normal_force_only_viscous_friction_is_left(void **state)
{
    (void)state;
    for (int i = 0; haw_friction_laws[i] != NULL; i++) {
        if (friction_at(i)->is_unbounded) {
            continue;
        }
        const friction_call call = {friction_at(i), parameters(), 0.01};

        for (int k = -1; k <= 1; k++) {
            const double x[3] = {0.4 * k, 0.03 * k, 0.0};
            const haw_friction_force out = force_of(&call, x);

            assert_near(out.force, 0.3 * x[0], 1.0e-15, 0.0);
            assert_near(out.deflection, 0.0, 0.0, 0.0);
            assert_true(isfinite(out.d_rate) && isfinite(out.d_slide) && isfinite(out.d_normal));
        }
    }
}

/* ---- dissipation ---- */

/* Back and forth with two frequencies, so that minor loops lie within the great ones. */
static void closed_loops_dissipate(void **state)
{
    const double pi = acos(-1.0);

    (void)state;
    for (int i = 0; haw_friction_laws[i] != NULL; i++) {
        for (int size = 0; size < 9; size++) {
            const double amplitude = 1.0e-4 * pow(4.0, size);
            const haw_friction_parameters p = parameters();
            const int steps = 2000;
            bristle kept = {0.0, 0.0};
            double work = 0.0;

            for (int k = 0; k < 2 * steps; k++) { /* the first turn forgets the start */
                const double a = 2.0 * pi * (k + 0.5) / steps;
                const double v = amplitude * (cos(a) + 1.5 * cos(5.0 * a));
                const double done = slide(friction_at(i), &p, 5.0, v, &kept);

                work += k >= steps ? done : 0.0;
            }
            assert_true(work > 0.0);
        }
    }
}

/* Each step of a bristle: what is put in is stored or lost, never gained (k_t s^2 / 2). */
static void a_bristle_never_gives_more_than_it_stores(void **state)
{
    uint64_t seed = 23;
    bristle kept = {0.0, 0.0};
    const haw_friction_parameters p = parameters(); /* its damper carries much of the force */

    (void)state;
    for (int k = 0; k < 20000; k++) {
        const double before = 0.5 * p.stiffness * kept.slide * kept.slide;
        const double normal = 5.0 + 4.0 * random_signed(&seed);
        const double work =
            slide(&haw_friction_bristle, &p, normal, 2.0 * random_signed(&seed), &kept);
        const double after = 0.5 * p.stiffness * kept.slide * kept.slide;

        assert_true(work + before - after > -1.0e-14);
    }
}

/* ---- regularized ---- */

static void the_ramp_ends_at_its_slip_speed(void **state)
{
    haw_friction_parameters p = parameters();
    const double vr = p.regularization;

    (void)state;
    p.mu_static = p.mu_kinetic;
    p.viscous = 0.0;
    const friction_call call = {&haw_friction_regularized, p, 0.0};

    assert_near(force_of(&call, (double[]){0.5 * vr, 0.0, 5.0}).force, 1.0, 0.0, 1.0e-15);
    assert_near(force_of(&call, (double[]){vr, 0.0, 5.0}).force, 2.0, 0.0, 1.0e-15);
    assert_near(force_of(&call, (double[]){-7.0 * vr, 0.0, 5.0}).force, -2.0, 0.0, 1.0e-15);
    assert_int_equal(force_of(&call, (double[]){0.5 * vr, 0.0, 5.0}).regime, HAW_REGIME_STICK);
    assert_int_equal(force_of(&call, (double[]){2.0 * vr, 0.0, 5.0}).regime, HAW_REGIME_FORWARD);
    assert_int_equal(force_of(&call, (double[]){-2.0 * vr, 0.0, 5.0}).regime, HAW_REGIME_BACKWARD);
}

/* ---- bristle ---- */

static void a_bristle_sticks_below_its_limit_and_is_dragged_above(void **state)
{
    haw_friction_parameters p = parameters();

    (void)state;
    p.mu_static = p.mu_kinetic;
    p.viscous = 0.0;
    const friction_call call = {&haw_friction_bristle, p, 0.0};
    const haw_friction_force stick = force_of(&call, (double[]){0.1, 0.004, 5.0});
    const haw_friction_force slip = force_of(&call, (double[]){-0.1, -0.02, 5.0});

    assert_near(stick.force, 2.0 * 0.1 + 200.0 * 0.004, 0.0, 1.0e-15);
    assert_near(stick.deflection, 0.004, 0.0, 0.0);
    assert_int_equal(stick.regime, HAW_REGIME_STICK);
    assert_near(slip.force, -2.0, 0.0, 1.0e-15);
    assert_near(slip.deflection, -0.01, 0.0, 1.0e-15);
    assert_int_equal(slip.regime, HAW_REGIME_BACKWARD);
}

/* At its limit the spring holds the limit on; the least step back makes it stick again. */
static void a_dragged_bristle_is_on_its_limit(void **state)
{
    haw_friction_parameters p = parameters();

    (void)state;
    p.mu_static = p.mu_kinetic;
    const friction_call call = {&haw_friction_bristle, p, 0.0};
    const double dragged = force_of(&call, (double[]){0.1, 0.3, 5.0}).deflection;
    const haw_friction_force back =
        force_of(&call, (double[]){-1.0e-9, dragged - step * 1.0e-9, 5.0});

    assert_near(back.force, 2.0, 1.0e-8, 0.0);
    assert_int_equal(back.regime, HAW_REGIME_STICK);
}

static void a_bristle_without_a_spring_is_a_damper_with_a_limit(void **state)
{
    haw_friction_parameters p = parameters();

    (void)state;
    p.mu_static = p.mu_kinetic;
    p.stiffness = p.viscous = 0.0;
    const friction_call call = {&haw_friction_bristle, p, 0.0};

    assert_near(force_of(&call, (double[]){0.5, 9.0, 5.0}).force, 1.0, 0.0, 1.0e-15);
    assert_near(force_of(&call, (double[]){1.5, 9.0, 5.0}).force, 2.0, 0.0, 1.0e-15);
    assert_near(force_of(&call, (double[]){1.5, 9.0, 5.0}).deflection, 0.0, 0.0, 0.0);
}

/* ---- hysteresis ---- */

/* Without a Stribeck velocity: static after stick and for what is new, kinetic after slip. */
static void friction_after_slip_is_kinetic_and_else_static(void **state)
{
    haw_friction_parameters p = parameters();
    const haw_regime regimes[] = {HAW_REGIME_NONE, HAW_REGIME_STICK, HAW_REGIME_FORWARD,
                                  HAW_REGIME_BACKWARD};

    (void)state;
    for (int i = 0; i < 4; i++) { /* a curve decides for itself */
        const haw_friction_parameters same = haw_friction_after(&p, regimes[i]);

        assert_near(same.mu_static, 0.6, 0.0, 0.0);
        assert_near(same.mu_kinetic, 0.4, 0.0, 0.0);
    }
    p.stribeck_velocity = 0.0;
    for (int i = 0; i < 4; i++) {
        const haw_friction_parameters chosen = haw_friction_after(&p, regimes[i]);
        double slope;

        assert_near(haw_friction_coefficient(&chosen, 0.7, &slope), i < 2 ? 0.6 : 0.4, 0.0, 0.0);
        assert_near(slope, 0.0, 0.0, 0.0);
        assert_near(chosen.stiffness, p.stiffness, 0.0, 0.0);
    }
}

/* ---- blend ---- */

static void a_blend_has_no_limit_at_rest(void **state)
{
    const friction_call call = {&haw_friction_blend, parameters(), 0.0};

    (void)state;
    for (int k = 1; k <= 4; k++) { /* the limit at rest would be 3 N */
        const haw_friction_force out = force_of(&call, (double[]){0.0, pow(10.0, k), 5.0});

        assert_near(out.force, 200.0 * pow(10.0, k), 0.0, 1.0e-15);
        assert_int_equal(out.regime, HAW_REGIME_STICK);
        assert_near(out.deflection, pow(10.0, k), 0.0, 0.0);
    }
}

static void a_fast_blend_is_sliding_friction(void **state)
{
    haw_friction_parameters p = parameters();

    (void)state;
    p.viscous = 0.0;
    const friction_call call = {&haw_friction_blend, p, 0.0};
    const haw_friction_force out = force_of(&call, (double[]){-10.0 * 0.3, 0.05, 5.0});

    assert_near(out.force, -0.4 * 5.0, 1.0e-12, 0.0);
    assert_int_equal(out.regime, HAW_REGIME_BACKWARD);
    assert_near(out.deflection, 0.4 * 5.0 / 200.0, 0.0, 1.0e-15);
}

static void a_blend_at_its_velocity_mixes_by_the_exponential(void **state)
{
    haw_friction_parameters p = parameters();
    const double b = exp(-1.0);

    (void)state;
    p.viscous = 0.0;
    const friction_call call = {&haw_friction_blend, p, 0.0};

    assert_near(force_of(&call, (double[]){0.3, 0.02, 5.0}).force,
                b * (200.0 * 0.02 + 2.0 * 0.3) + (1.0 - b) * 0.4 * 5.0, 0.0, 1.0e-14);
}

/* ---- LuGre: steady slip, presliding, a falling normal force ---- */

static void lugre_slides_steadily_on_the_stribeck_curve(void **state)
{
    const haw_friction_parameters p = parameters();

    (void)state;
    for (int i = -10; i < 10; i++) {
        const double v = 0.1 * (i + 0.5);
        bristle kept = {0.0, 0.0};
        double work = 0.0, unused;

        for (int k = 0; k < 2000; k++) {
            work = slide(&haw_friction_lugre, &p, 5.0, v, &kept);
        }
        const double limit = 5.0 * haw_friction_coefficient(&p, v, &unused);

        assert_near(work / (v * step), copysign(limit, v) + p.viscous * v, 1.0e-12, 0.0);
        assert_near(kept.z, copysign(limit, v) / p.stiffness, 1.0e-14, 0.0);
    }
}

/* Slow loading from rest: dz/dx = 1 - sigma_0 z / F_lim, so z = (F_lim / sigma_0)
 * (1 - exp(-sigma_0 x / F_lim)); its error is of first order in the step. */
static void lugre_preslides_on_its_exponential(void **state)
{
    haw_friction_parameters p = parameters();
    double error[2];

    (void)state;
    p.mu_static = p.mu_kinetic;
    for (int half = 0; half < 2; half++) {
        const double v = (half == 0 ? 1.0e-3 : 0.5e-3), length = 5.0 * p.mu_kinetic / p.stiffness;
        const int steps = (int)lround(length / (v * step));
        bristle kept = {0.0, 0.0};

        for (int k = 0; k < steps; k++) {
            (void)slide(&haw_friction_lugre, &p, 5.0, v, &kept);
        }
        error[half] = kept.z / length - (1.0 - exp(-steps * v * step / length));
    }
    assert_near(error[0], 0.0, 1.0e-3, 0.0);
    assert_near(error[0] / error[1], 2.0, 0.05, 0.0);
}

/* Bristles bent under a greater normal force: what the present one holds is left of them, and the
 * rest does not come back as a force. */
static void lugre_lets_go_where_the_normal_force_falls(void **state)
{
    const haw_friction_parameters p = parameters();
    const friction_call call = {&haw_friction_lugre, p, 5.0 * p.mu_static / p.stiffness};
    const haw_friction_force rest = force_of(&call, (double[]){0.0, 0.0, 0.5});
    const haw_friction_force moving = force_of(&call, (double[]){0.1, 0.0, 0.5});

    (void)state;
    assert_near(rest.force, 0.5 * p.mu_static, 0.0, 1.0e-14);
    assert_near(rest.deflection, 0.5 * p.mu_static / p.stiffness, 0.0, 1.0e-14);
    assert_true(moving.force > 0.0 && moving.force < 0.5 * p.mu_static + p.viscous * 0.1);
}

/* Where the normal force rises and falls over a body that slides, friction is mu f_N at all times:
 * bristles that bend anew do not brake by more. */
static void lugre_slides_under_a_normal_force_that_varies(void **state)
{
    haw_friction_parameters p = parameters();
    bristle kept = {0.0, 0.0};

    (void)state;
    p.mu_static = p.mu_kinetic;
    p.damping = 50.0;
    for (int k = 0; k < 200; k++) {
        const double v = 0.8, normal = 5.0 * (1.0 + 0.9 * sin(0.3 * k));
        const double work = slide(&haw_friction_lugre, &p, normal, v, &kept);

        assert_near(work / (v * step), p.mu_kinetic * normal + p.viscous * v, 0.0,
                    k > 20 ? 1.0e-2 : 1);
    }
}

/* From rest the first answer is the spring sigma_0 and the damper sigma_1. */
static void lugre_begins_as_spring_and_damper(void **state)
{
    const haw_friction_parameters p = parameters();
    const friction_call call = {&haw_friction_lugre, p, 0.0};
    const double v = 1.0e-9;

    (void)state;
    assert_near(force_of(&call, (double[]){v, 0.0, 5.0}).force,
                p.stiffness * step * v + (p.damping + p.viscous) * v, 0.0, 1.0e-6);
}

TEST_FILE(test_friction)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_those_of_finite_differences),
        cmocka_unit_test(the_stribeck_curve_has_its_slope),
        cmocka_unit_test(one_coefficient_needs_no_stribeck_velocity),
        cmocka_unit_test(friction_is_odd_in_the_motion),
        cmocka_unit_test(without_normal_force_only_viscous_friction_is_left),
        cmocka_unit_test(closed_loops_dissipate),
        cmocka_unit_test(a_bristle_never_gives_more_than_it_stores),
        cmocka_unit_test(the_ramp_ends_at_its_slip_speed),
        cmocka_unit_test(a_bristle_sticks_below_its_limit_and_is_dragged_above),
        cmocka_unit_test(a_dragged_bristle_is_on_its_limit),
        cmocka_unit_test(a_bristle_without_a_spring_is_a_damper_with_a_limit),
        cmocka_unit_test(friction_after_slip_is_kinetic_and_else_static),
        cmocka_unit_test(a_blend_has_no_limit_at_rest),
        cmocka_unit_test(a_fast_blend_is_sliding_friction),
        cmocka_unit_test(a_blend_at_its_velocity_mixes_by_the_exponential),
        cmocka_unit_test(lugre_slides_steadily_on_the_stribeck_curve),
        cmocka_unit_test(lugre_preslides_on_its_exponential),
        cmocka_unit_test(lugre_lets_go_where_the_normal_force_falls),
        cmocka_unit_test(lugre_slides_under_a_normal_force_that_varies),
        cmocka_unit_test(lugre_begins_as_spring_and_damper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
