/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bristles on a turning sheave, for random loads, friction, stiffness and units: equilibrium, the
 * transport of bristles from the entry, friction, and the two older theories as limits.
 */
#include "support/arcs.h"
#include "support/theory.h"
#include "theory/steady.h"

static haw_rope_theory random_rope(uint64_t *seed, double r)
{
    haw_rope_theory rope = {
        .radius = spread(seed, 1e-2, 1e2),
        .wrap = uniform(seed, 0.2, 9),
        .t1 = spread(seed, 1e-3, 1e6),
        .mu_k = uniform(seed, 0.02, 0.8),
        .r = r,
        .ea_star = 1e7,
        .is_driving = uniform(seed, -1, 1) > 0,
    };
    const double share = fmax(0, uniform(seed, -0.1, 1));
    rope.mu_s = rope.mu_k * fmax(1, uniform(seed, 0.5, 1.5));
    rope.log_ratio = share * rope.mu_k * rope.wrap;
    rope.t2 = rope.t1 * exp(rope.log_ratio);
    return rope;
}

static haw_steady solved(haw_context *context, const haw_rope_theory *rope)
{
    haw_steady s;
    if (haw_steady_solve(context, rope, &s) != HAW_OK) {
        fail_msg("mu %.17g %.17g W %.17g r %.17g ratio %.17g driving %d: %s", rope->mu_s,
                 rope->mu_k, rope->wrap, rope->r, rope->t2 / rope->t1, rope->is_driving,
                 haw_context_message(context));
    }
    return s;
}

/* phi from the entry, in the profile's alpha from the low end. */
static double place(const haw_rope_theory *rope, double phi)
{
    return rope->is_driving ? rope->wrap - phi : phi;
}

static haw_rope_theory_point point(const haw_steady *s, double phi)
{
    return haw_steady_profile(s, place(&s->rope, phi));
}

static double tension_of(double phi, void *data)
{
    const haw_steady *s = ((const curve *)data)->solution;
    return point(s, phi).tension;
}

static double tangential_of(double phi, void *data)
{
    const haw_steady *s = ((const curve *)data)->solution;
    return point(s, phi).tangential;
}

static void check_ends(const haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    assert_near(haw_steady_profile(s, 0).tension, rope->t1, 0, 1e-12);
    assert_near(haw_steady_profile(s, rope->wrap).tension, rope->t2, 0, 1e-12);
    assert_true(s->stick >= 0 && s->stick <= s->grip && s->grip <= rope->wrap);
    if (s->stick > 0) {
        assert_near(point(s, 0).tangential, 0, 0, 0);
    }
    if (s->regime != HAW_STEADY_STICK && s->stick > 0) {
        assert_near(point(s, s->stick * (1 - 1e-13)).tension, s->tension_s, 0, 1e-10);
        assert_near(s->t_s, rope->mu_s * s->tension_s / rope->radius, 0, 1e-14);
        assert_near(point(s, s->grip).tension, s->tension_g, 0, 1e-12);
    }
}

/* What R dt/dphi would be without slip: that of the entry and the strain since. */
static double stretching(const haw_steady *s, double phi)
{
    const haw_rope_theory *rope = &s->rope;
    const double sign = rope->is_driving ? -1 : 1;
    const double entry = rope->is_driving ? rope->t2 : rope->t1;
    const double x = rope->r * s->stick;
    const double rate = x > 0 ? x / sinh(x) / s->stick : 1 / s->stick;
    return rope->radius * s->t_s * rate +
           sign * rope->r * rope->r * (point(s, phi).tension - entry);
}

/* T' = -+ R t everywhere; bristles that stick are stretched with the rope. */
static void check_equations(const haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    const curve c = {haw_steady_profile, s};
    const double edges[4] = {0, s->stick, s->grip, rope->wrap};
    for (int arc = 0; arc < 3; ++arc) {
        const double length = edges[arc + 1] - edges[arc];
        const double h = fmin(length / 50, 2e-3 / fmax(rope->r, 1));
        for (int i = 1; i < 10 && h > 1e-7 * rope->wrap; ++i) {
            const double at = edges[arc] + (i < 5 ? 3 * h * i : length - 3 * h * (10 - i));
            const haw_rope_theory_point p = point(s, at);
            const double noise = 1e-13 * p.tension / h;
            const double size = p.tension * (rope->mu_s + rope->r) * (rope->mu_s + rope->r);
            assert_near(fabs(slope_of(tension_of, &c, at, h)), rope->radius * p.tangential,
                        noise + 1e-8 * rope->mu_s * p.tension, 0);
            if (arc != 1) {
                assert_near(slope_of(tangential_of, &c, at, h) * rope->radius, stretching(s, at),
                            noise * (rope->r + rope->mu_s + 1 / length) + 1e-8 * size, 1e-7);
            }
        }
    }
}

/* |t| <= mu_s T / R where bristles stick, = mu_k T / R where they slip, and slip goes on. */
static void check_friction(const haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    const double sign = rope->is_driving ? -1 : 1;
    for (int i = 0; i <= 200; ++i) {
        const double phi = rope->wrap * i / 200;
        const haw_rope_theory_point p = point(s, phi);
        const double limit = p.tension / rope->radius;
        assert_true(p.tension > 0 && p.tangential >= 0);
        assert_true(p.tangential <= rope->mu_s * limit * (1 + 1e-9));
        if (phi > s->stick && phi < s->grip) {
            const double slope = sign * rope->mu_k * rope->mu_k * p.tension;
            assert_near(p.tangential, rope->mu_k * limit, 0, 1e-13);
            if (s->stick > 0) {
                assert_true(stretching(s, phi) - slope >=
                            -1e-9 * (1 + rope->r * rope->r) * p.tension);
            }
        }
    }
}

static void check_sums(const haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    const curve c = {haw_steady_profile, s};
    const double edges[4] = {0, s->stick, s->grip, rope->wrap};
    const double layer = rope->r > 0 ? 40 / rope->r : (double)INFINITY;
    double force = 0, load = 0;
    for (int arc = 0; arc < 3; ++arc) {
        force += rope->radius * integral_of(tangential_of, &c, edges[arc], edges[arc + 1], layer);
        load += integral_of(tension_of, &c, edges[arc], edges[arc + 1], layer);
    }
    assert_near(force, rope->t2 - rope->t1, 1e-12 * rope->t2, 0);
    assert_near(haw_steady_tangential_sum(s), rope->t2 - rope->t1, 1e-12 * rope->t2, 0);
    assert_near(haw_steady_tension_sum(s), load, 0, 1e-11);
}

/* T2 / T1 by the slip arc; without one, the bristles at the exit hold. */
static void check_closed_form(const haw_steady *s)
{
    const haw_rope_theory *rope = &s->rope;
    const double r = rope->r, beta = rope->wrap - s->stick;
    const double share = rope->mu_s * (r > 0 ? tanh(r * s->stick / 2) / r : s->stick / 2);
    if (s->regime == HAW_STEADY_SLIP) {
        const double factor = rope->is_driving ? 1 + share : 1 / (1 - share);
        assert_near(haw_steady_slip(s), beta, 0, 0);
        assert_near(exp(rope->mu_k * beta) * factor, rope->t2 / rope->t1, 0, 1e-12);
    } else if (s->regime == HAW_STEADY_STICK) {
        const double least = r > 0 ? r / tanh(r * rope->wrap / 2) : 2 / rope->wrap;
        const double exit = rope->is_driving ? rope->t1 : rope->t2;
        assert_true(least * (rope->t2 - rope->t1) <= rope->mu_s * exit * (1 + 1e-12));
        assert_near(haw_steady_t_exit(s), least * (rope->t2 - rope->t1) / rope->radius, 0, 1e-12);
    }
}

static void any_solution_obeys_friction_and_transport(void **state)
{
    uint64_t seed = 4711;
    int regimes[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3000; ++i) {
        const double stiffness[] = {0, spread(&seed, 1e-9, 1e4), spread(&seed, 1e-2, 10)};
        const haw_rope_theory rope = random_rope(&seed, stiffness[i % 3]);
        const haw_steady s = solved(*state, &rope);
        regimes[rope.is_driving][s.regime]++;
        check_ends(&s);
        check_friction(&s);
        check_equations(&s);
        check_closed_form(&s);
        if (i < 600) {
            check_sums(&s);
        }
    }
    for (int i = 0; i < 2; ++i) {
        assert_true(regimes[i][HAW_STEADY_STICK] > 100 && regimes[i][HAW_STEADY_SLIP] > 100);
    }
    assert_true(regimes[0][HAW_STEADY_GRIPS] > 20);
    assert_int_equal(regimes[1][HAW_STEADY_GRIPS], 0);
}

/* r -> 0, to the rounding of the slip arc. */
static void soft_bristles_are_firbanks_belt(void **state)
{
    uint64_t seed = 8;
    for (int i = 0; i < 500; ++i) {
        haw_rope_theory rope = random_rope(&seed, 0);
        const haw_steady belt = solved(*state, &rope);
        const double r[] = {1e-9, 1e-6, 1e-4};
        for (int k = 0; k < 3; ++k) {
            rope.r = r[k];
            const haw_steady s = solved(*state, &rope);
            const double size = 1e-6 + 1e3 * r[k] * r[k];
            assert_near(haw_steady_slip(&s), haw_steady_slip(&belt), size, 0);
            assert_near(haw_steady_profile(&s, rope.wrap / 3).tension,
                        haw_steady_profile(&belt, rope.wrap / 3).tension, 0, size);
        }
    }
}

/* r -> infinity: beta = beta_C - (mu_s / mu_k) / r + O(1 / r^2), both ways. */
static void stiff_bristles_are_the_creep_theory(void **state)
{
    uint64_t seed = 21;
    for (int i = 0; i < 500; ++i) {
        haw_rope_theory rope = random_rope(&seed, 0);
        const double r[] = {1e3, 1e4, 1e6};
        for (int k = 0; k < 3; ++k) {
            rope.r = r[k];
            const double creep = haw_rope_creep_angle(&rope);
            const double want = creep - rope.mu_s / rope.mu_k / r[k];
            if (want > 0 && rope.wrap - creep > 100 / r[k]) {
                const haw_steady s = solved(*state, &rope);
                const double entry = rope.is_driving ? rope.t2 : rope.t1;
                assert_near(haw_steady_slip(&s), want, 2 / (rope.mu_k * r[k] * r[k]), 1e-12);
                assert_near(haw_steady_creep(&s), entry / rope.ea_star, 0, 1e-12);
            }
        }
    }
}

/* Loads up to the limit have a solution, beyond it they are refused. */
static void loads_beyond_the_limit_are_refused(void **state)
{
    uint64_t seed = 5;
    for (int i = 0; i < 300; ++i) {
        haw_rope_theory rope = random_rope(&seed, spread(&seed, 1e-3, 1e3));
        haw_steady s;
        rope.mu_s = rope.mu_k;
        rope.log_ratio = rope.mu_k * rope.wrap;
        rope.t2 = rope.t1 * exp(rope.log_ratio);
        s = solved(*state, &rope);
        assert_near(haw_steady_slip(&s), rope.wrap, 1e-6, 0);
        rope.log_ratio *= 1 + 1e-9;
        assert_int_equal(haw_steady_solve(*state, &rope, &s), HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(*state), "slides over the whole arc"));
    }
}

/* With static friction far above the kinetic one, more holds without slip than with it. */
static void static_friction_alone_may_hold(void **state)
{
    haw_rope_theory rope = {.radius = 1,
                            .wrap = 1,
                            .t1 = 1,
                            .t2 = 1.2,
                            .log_ratio = log(1.2),
                            .mu_s = 0.5,
                            .mu_k = 0.1,
                            .r = 0.5,
                            .is_driving = true};
    const haw_steady s = solved(*state, &rope);
    assert_int_equal(s.regime, HAW_STEADY_STICK);
    check_friction(&s);
    rope.t2 = 1.3;
    rope.log_ratio = log(1.3);
    haw_steady none;
    assert_int_equal(haw_steady_solve(*state, &rope, &none), HAW_ERR_INPUT);
}

/* kappa = T_entry / EA* +- R t'(0) / (r^2 EA*) with dt / dphi at the entry. */
static void creep_is_the_strain_and_the_rate_of_bristles_at_the_entry(void **state)
{
    uint64_t seed = 17;
    for (int i = 0; i < 300; ++i) {
        const haw_rope_theory rope = random_rope(&seed, spread(&seed, 1e-2, 5));
        const haw_steady s = solved(*state, &rope);
        if (s.stick < 0.05) {
            continue;
        }
        const double h = 1e-3 * s.stick;
        const double rate = (8 * point(&s, h).tangential - point(&s, 2 * h).tangential) / (6 * h);
        const double lead = rope.radius * rate / (rope.r * rope.r);
        const double want = rope.is_driving ? rope.t2 + lead : rope.t1 - lead;
        assert_near(haw_steady_creep(&s), want / rope.ea_star,
                    1e-9 * (rope.t2 + lead) / rope.ea_star, 0);
    }
}

TEST_FILE(test_rope_turning)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_solution_obeys_friction_and_transport),
        cmocka_unit_test(soft_bristles_are_firbanks_belt),
        cmocka_unit_test(stiff_bristles_are_the_creep_theory),
        cmocka_unit_test(loads_beyond_the_limit_are_refused),
        cmocka_unit_test(static_friction_alone_may_hold),
        cmocka_unit_test(creep_is_the_strain_and_the_rate_of_bristles_at_the_entry),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
