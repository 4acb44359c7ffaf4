/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bristles under a rope at rest, for random loads, friction, stiffness and units: what the solution
 * must obey whatever its regime, and the closed forms of each regime.
 */
#include "support/arcs.h"
#include "support/theory.h"
#include "theory/bristle_arc.h"

static const double pi = 3.14159265358979323846;

static haw_rope_theory random_rope(uint64_t *seed)
{
    haw_rope_theory rope = {
        .radius = spread(seed, 1e-2, 1e2),
        .wrap = uniform(seed, 0.2, 12),
        .t1 = spread(seed, 1e-3, 1e6),
        .mu_s = uniform(seed, 0.02, 1),
        .r = spread(seed, 1e-6, 1e4),
    };
    if (uniform(seed, 0, 1) < 0.5) {
        rope.r = rope.mu_s * spread(seed, 0.3, 10); /* where all regimes are */
    }
    const double share = fmax(0, uniform(seed, -0.1, 1));
    rope.t2 = rope.t1 * exp(share * rope.mu_s * rope.wrap);
    rope.log_ratio = log(rope.t2 / rope.t1);
    return rope;
}

static haw_bristle solved(haw_context *context, const haw_rope_theory *rope, double t0)
{
    haw_bristle b;
    if (haw_bristle_solve(context, rope, t0, &b) != HAW_OK) {
        fail_msg("mu %.17g W %.17g r %.17g ratio %.17g T0 %.17g: %s", rope->mu_s, rope->wrap,
                 rope->r, rope->t2 / rope->t1, t0 / rope->t1, haw_context_message(context));
    }
    return b;
}

static void check_bounds(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double mu = rope->mu_s;
    assert_true(b->low >= 0 && b->low <= b->high && b->high <= rope->wrap);
    assert_near(b->tension_low, rope->t1 * exp(b->sign_low * mu * b->low), 0, 1e-14);
    assert_near(b->tension_high, rope->t2 * exp(-b->sign_high * mu * (rope->wrap - b->high)), 0,
                1e-14);
    assert_near(haw_bristle_profile(b, 0).tension, rope->t1, 0, 1e-12);
    assert_near(haw_bristle_profile(b, rope->wrap).tension, rope->t2, 0, 1e-12);
    for (int k = 0; k < 2; ++k) {
        const double at = k == 0 ? b->low : b->high;
        const haw_rope_theory_point left = haw_bristle_profile(b, at * (1 - 1e-13));
        const haw_rope_theory_point right = haw_bristle_profile(b, at * (1 + 1e-13));
        assert_near(left.tension, right.tension, 0, 1e-10);
    }
}

/* Bristles slip on, and slip further with every load: the slip rate has the sign of t. */
static void check_slip(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double share = 1 - rope->mu_s / rope->r * rope->mu_s / rope->r;
    const double low = b->tension_low * share - b->t0, high = b->tension_high * share - b->t0;
    const double rounding = 1e-7 * (b->tension_low * (1 + fabs(share)) + b->t0);
    if (b->low > 0) {
        assert_true(b->sign_low * low <= rounding);
    }
    if (b->high < rope->wrap) {
        assert_true(b->sign_high * high >= -rounding * b->tension_high / b->tension_low);
    }
}

static void check_cone(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    for (int i = 0; i <= 400; ++i) {
        const double x = i / 400.0;
        const double at = i % 2 == 0 ? x * rope->wrap : b->low + x * (b->high - b->low);
        const haw_rope_theory_point p = haw_bristle_profile(b, at);
        const double limit = rope->mu_s * p.tension / rope->radius;
        assert_true(p.tension > 0);
        assert_true(fabs(p.tangential) <= limit * (1 + 1e-7));
        if (at < b->low || at > b->high) {
            assert_near(fabs(p.tangential), limit, 0, 1e-14);
        }
    }
}

/* T' = R t everywhere; R t' = r^2 (T - T0) where bristles stick. */
static void check_equations(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const curve c = {haw_bristle_profile, b};
    const double edges[4] = {0, b->low, b->high, rope->wrap};
    for (int arc = 0; arc < 3; ++arc) {
        const double length = edges[arc + 1] - edges[arc];
        const double h = fmin(length / 50, 2e-3 / fmax(rope->r, 1));
        for (int i = 1; i < 10 && h > 1e-8 * rope->wrap; ++i) {
            const double at = edges[arc] + (i < 5 ? 3 * h * i : length - 3 * h * (10 - i));
            const haw_rope_theory_point p = haw_bristle_profile(b, at);
            const double noise = 1e-13 * p.tension / h;
            assert_near(slope_of(tension_at, &c, at, h), rope->radius * p.tangential,
                        noise + 1e-8 * rope->mu_s * p.tension, 0);
            if (arc == 1) {
                const double want = rope->r * rope->r * (p.tension - b->t0);
                assert_near(slope_of(tangential_at, &c, at, h) * rope->radius, want,
                            noise * (rope->r + rope->mu_s + 1 / length) +
                                1e-8 * rope->r * rope->r * (p.tension + b->t0),
                            1e-7);
            }
        }
    }
}

static void check_sums(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const curve c = {haw_bristle_profile, b};
    const double edges[4] = {0, b->low, b->high, rope->wrap};
    double force = 0, load = 0;
    for (int arc = 0; arc < 3; ++arc) {
        force +=
            rope->radius * integral_of(tangential_at, &c, edges[arc], edges[arc + 1], 40 / rope->r);
        load += integral_of(tension_at, &c, edges[arc], edges[arc + 1], 40 / rope->r);
    }
    assert_near(force, rope->t2 - rope->t1, 1e-12 * rope->t2, 0);
    assert_near(haw_bristle_tangential_sum(b), rope->t2 - rope->t1, 1e-13 * rope->t2, 0);
    assert_near(haw_bristle_tension_sum(b), load, 0, 1e-11);
}

static void check_least(const haw_bristle *b)
{
    double least = b->rope.t1;
    for (int i = 0; i <= 2000; ++i) {
        const double x = i / 2000.0;
        least = fmin(least, haw_bristle_profile(b, x * b->rope.wrap).tension);
        least = fmin(least, haw_bristle_profile(b, b->low + x * (b->high - b->low)).tension);
    }
    /* a parabola between the samples */
    const double step = b->rope.r * (b->high - b->low) / 2000;
    assert_true(haw_bristle_tension_min(b) <= least * (1 + 1e-12));
    assert_true(haw_bristle_tension_min(b) >= least * (1 - step * step - 1e-12));
}

static void any_solution_obeys_friction_and_equilibrium(void **state)
{
    uint64_t seed = 12345;
    int regimes[4] = {0, 0, 0, 0};
    for (int i = 0; i < 3000; ++i) {
        const haw_rope_theory rope = random_rope(&seed);
        const double t0 = fmax(0, uniform(&seed, -1, 1)) * rope.t2;
        const haw_bristle b = solved(*state, &rope, t0);
        regimes[(b.low > 0) + 2 * (b.high < rope.wrap)]++;
        check_bounds(&b);
        check_slip(&b);
        check_cone(&b);
        check_equations(&b);
        check_least(&b);
        if (i < 600) {
            check_sums(&b);
        }
    }
    for (int i = 0; i < 4; ++i) {
        assert_true(regimes[i] > 20);
    }
}

/* Both ends slip: alpha_0 = (W - ln(T2 / T1) / mu) / 2 and half an arc c = artanh(mu / r) / r. */
static void check_both(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double c = atanh(rope->mu_s / rope->r) / rope->r;
    const double middle = 0.5 * (rope->wrap - rope->log_ratio / rope->mu_s);
    assert_near(b->low, middle - c, 1e-12 * rope->wrap, 0);
    assert_near(b->high, middle + c, 1e-12 * rope->wrap, 0);
}

/* High end: T1 cosh(r c) e^(mu (W - alpha_0 - c)) = T2 cosh(r alpha_0). */
static void check_high(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double c = atanh(rope->mu_s / rope->r) / rope->r, middle = b->high - c;
    const double misfit = log(cosh(rope->r * c) / cosh(rope->r * middle)) +
                          rope->mu_s * (rope->wrap - b->high) - rope->log_ratio;
    assert_near(misfit, 0, 1e-10, 0);
}

/* Low end: r (T2 / sinh(x) - T_beta coth(x)) = mu T_beta, x = r (W - beta). */
static void check_low(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double x = rope->r * (rope->wrap - b->low);
    const double onset = rope->t1 * exp(rope->mu_s * b->low);
    assert_near(rope->r * (rope->t2 / sinh(x) - onset / tanh(x)) / onset, rope->mu_s, 0, 1e-7);
}

static void check_stick(const haw_bristle *b)
{
    const haw_rope_theory *rope = &b->rope;
    const double x = rope->r * rope->wrap, s = sinh(x);
    double constant[2];
    haw_bristle_constants(b, constant);
    assert_near(constant[0], (rope->t2 - rope->t1 * exp(-x)) / (2 * s), 0, 1e-8);
    assert_near(constant[1], (rope->t1 * exp(x) - rope->t2) / (2 * s), 1e-9 * constant[0], 1e-8);
}

static void every_regime_has_its_closed_form(void **state)
{
    uint64_t seed = 99;
    for (int i = 0; i < 4000; ++i) {
        haw_rope_theory rope = random_rope(&seed);
        rope.r = rope.mu_s * spread(&seed, 0.01, 30);
        const haw_bristle b = solved(*state, &rope, 0);
        const bool low = b.low > 0, high = b.high < rope.wrap;
        const bool degenerate = fabs(rope.r / rope.mu_s - 1) < 1e-3;
        assert_true(!low || high || rope.r < rope.mu_s);
        assert_true(!high || rope.r > rope.mu_s);
        if (low && high && !degenerate) {
            check_both(&b);
        } else if (high && !degenerate) {
            check_high(&b);
        } else if (low && b.high - b.low > 1e-3 * rope.wrap) {
            check_low(&b);
        } else if (!low && !high && rope.r * rope.wrap < 20 && rope.r * rope.wrap > 1e-3) {
            check_stick(&b);
        }
    }
}

/* T1 = T2: slip at both ends, and alike, where r tanh(r W / 2) > mu. */
static void equal_tensions_slip_on_stiff_bristles_only(void **state)
{
    uint64_t seed = 7;
    for (int i = 0; i < 1000; ++i) {
        haw_rope_theory rope = random_rope(&seed);
        rope.t2 = rope.t1;
        rope.log_ratio = 0;
        const haw_bristle b = solved(*state, &rope, 0);
        const double size = rope.r * tanh(rope.r * rope.wrap / 2);
        assert_true((b.low > 0) == (size > rope.mu_s));
        assert_near(b.low, rope.wrap - b.high, 1e-9 * rope.wrap, 0);
        const double rounding = 1e-8 * rope.mu_s + 1e-14 * rope.r * rope.r * rope.wrap;
        assert_near(haw_bristle_profile(&b, rope.wrap / 2).tangential, 0,
                    rounding * rope.t1 / rope.radius, 0);
    }
}

/* Nothing is special about r = mu but the closed forms. */
static void degenerate_stiffness_lies_between_its_neighbours(void **state)
{
    uint64_t seed = 3;
    for (int i = 0; i < 300; ++i) {
        haw_rope_theory rope = random_rope(&seed);
        rope.r = rope.mu_s;
        const haw_bristle b = solved(*state, &rope, 0);
        for (int side = -1; side <= 1; side += 2) {
            rope.r = rope.mu_s * (1 + 1e-9 * side);
            const haw_bristle near = solved(*state, &rope, 0);
            for (int k = 0; k <= 10; ++k) {
                const double at = rope.wrap * k / 10;
                assert_near(haw_bristle_profile(&near, at).tension,
                            haw_bristle_profile(&b, at).tension, 0, 1e-6);
            }
        }
    }
}

/* Stiff bristles: the V of two capstans with its tip at alpha_0. */
static void stiff_bristles_leave_two_capstans(void **state)
{
    const double r[] = {1e2, 1e4, 1e6};
    for (int i = 0; i < 3; ++i) {
        const haw_rope_theory rope = {
            .t1 = 1, .t2 = 3, .log_ratio = log(3), .radius = 1, .wrap = pi, .mu_s = 0.5, .r = r[i]};
        const haw_bristle b = solved(*state, &rope, 0);
        const double tip = 0.5 * (pi - log(3) / 0.5);
        assert_near(0.5 * (b.low + b.high), tip, 1e-12, 0);
        assert_near(haw_bristle_tension_min(&b), exp(-0.5 * tip), 0.2 / (r[i] * r[i]), 0);
    }
}

/* Loads at the limit slip as a whole; beyond it they are refused. */
static void loads_at_the_limit_slip_over_the_whole_arc(void **state)
{
    const double r[] = {1e-3, 0.3, 0.5, 0.7, 1e3};
    for (int i = 0; i < 5; ++i) {
        haw_rope_theory rope = {.t1 = 1, .radius = 2, .wrap = pi, .mu_s = 0.5, .r = r[i]};
        haw_bristle b;
        rope.log_ratio = 0.5 * pi;
        rope.t2 = exp(rope.log_ratio);
        b = solved(*state, &rope, 0);
        assert_near(b.low, r[i] > 0.5 ? 0 : pi, 1e-6, 0);
        assert_near(b.high, b.low, 1e-6, 0);
        for (int k = 0; k <= 8; ++k) {
            const haw_rope_theory_point p = haw_bristle_profile(&b, pi * k / 8);
            assert_near(p.tension, exp(0.5 * pi * k / 8), 0, 1e-6);
            assert_near(p.tangential, 0.25 * p.tension, 0, 1e-6);
        }
        rope.log_ratio *= 1 + 1e-9;
        assert_int_equal(haw_bristle_solve(*state, &rope, 0, &b), HAW_ERR_INPUT);
    }
}

/* Without friction only equal tensions hold, and stay. */
static void smooth_sheave_keeps_the_tension(void **state)
{
    const haw_rope_theory rope = {.t1 = 5, .t2 = 5, .radius = 2, .wrap = 2, .r = 1};
    const haw_bristle b = solved(*state, &rope, 0);
    for (int k = 0; k <= 8; ++k) {
        const haw_rope_theory_point p = haw_bristle_profile(&b, 0.25 * k);
        assert_near(p.tension, 5, 0, 1e-15);
        assert_near(p.tangential, 0, 0, 0);
    }
    assert_near(haw_bristle_tension_sum(&b), 10, 0, 1e-15);
    assert_near(haw_bristle_tension_min(&b), 5, 0, 0);
}

TEST_FILE(test_rope_at_rest)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_solution_obeys_friction_and_equilibrium),
        cmocka_unit_test(every_regime_has_its_closed_form),
        cmocka_unit_test(equal_tensions_slip_on_stiff_bristles_only),
        cmocka_unit_test(degenerate_stiffness_lies_between_its_neighbours),
        cmocka_unit_test(stiff_bristles_leave_two_capstans),
        cmocka_unit_test(loads_at_the_limit_slip_over_the_whole_arc),
        cmocka_unit_test(smooth_sheave_keeps_the_tension),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
