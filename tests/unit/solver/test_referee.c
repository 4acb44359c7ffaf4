/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/referee.h"
#include "support/near.h"
#include "support/problems.h"
#include "support/random.h"

#include <float.h>

/* One contact of a unit mass that falls onto the ground and slides: W = I, q = (-1, 3). */
static void sliding_mass(small_problem *s, double mu)
{
    small_problem_init(s, 2, 1);
    s->value[0] = 1.0;
    s->value[3] = 1.0;
    s->q[0] = -1.0;
    s->q[1] = 3.0;
    s->mu[0] = mu;
}

static double reference(const small_problem *s)
{
    const haw_operator op = {.problem = &s->problem, .q = s->q};

    return haw_referee_reference(&op);
}

static double natural(const small_problem *s, const double *r)
{
    double u[PROBLEM_ROWS];
    haw_residual residual;

    assert_int_equal(haw_problem_residual(NULL, &s->problem, r, u, &residual), HAW_OK);
    return residual.natural;
}

static void solutions_have_no_residual(void **state)
{
    small_problem s;
    const double slip[2] = {1.0, -0.5}, stick[2] = {1.0, -3.0}, open[2] = {0.0, 0.0};

    (void)state;
    sliding_mass(&s, 0.5);
    assert_near(natural(&s, slip), 0.0, 1.0e-16, 0.0);
    sliding_mass(&s, 3.5);
    assert_near(natural(&s, stick), 0.0, 1.0e-16, 0.0);
    s.q[0] = 1.0;
    assert_near(natural(&s, open), 0.0, 0.0, 0.0);
}

/* Strictly inside the cone P_K is the identity: natural = |u^| / v_ref, whatever w is. */
static void inside_the_cone_the_residual_is_the_velocity(void **state)
{
    const double r[2] = {10.0, 1.0}, mu = 0.5;
    small_problem s;

    (void)state;
    sliding_mass(&s, mu);
    s.value[0] = 0.101;
    s.value[3] = 0.201;
    s.q[1] = 0.0;
    const double un = 0.101 * 10.0 - 1.0, ut = 0.201;

    assert_near(natural(&s, r), hypot(un + mu * ut, ut), 0.0, 1.0e-14);
}

/* A separating contact with a small impulse: P_K(...) = 0, so natural = w |r| / v_ref. */
static void an_impulse_on_an_open_contact_counts_as_a_velocity(void **state)
{
    const double r[2] = {1.0e-3, 0.0};
    small_problem s;

    (void)state;
    sliding_mass(&s, 0.0);
    s.value[0] = 2.0;
    s.value[3] = 6.0;
    s.q[0] = 5.0;
    s.q[1] = 0.0;
    assert_near(natural(&s, r), 4.0e-3 / 5.0, 0.0, 1.0e-14);
}

static void the_reference_is_the_larger_of_q_and_scale(void **state)
{
    const double r[2] = {2.0, 0.0};
    small_problem s;

    (void)state;
    sliding_mass(&s, 0.0);
    const double without = natural(&s, r);

    assert_near(reference(&s), sqrt(10.0), 0.0, 1.0e-15);
    s.problem.scale = 1.0;
    assert_near(natural(&s, r), without, 0.0, 0.0);
    s.problem.scale = 100.0;
    assert_near(reference(&s), 100.0, 0.0, 0.0);
    assert_near(natural(&s, r), without * sqrt(10.0) / 100.0, 0.0, 1.0e-14);
}

static void without_any_velocity_only_zero_is_right(void **state)
{
    const double zero[2] = {0.0, 0.0}, tiny[2] = {1.0e-300, 0.0};
    small_problem s;

    (void)state;
    sliding_mass(&s, 0.3);
    s.q[0] = 0.0;
    s.q[1] = 0.0;
    assert_near(natural(&s, zero), 0.0, 0.0, 0.0);
    assert_true(isinf(natural(&s, tiny)));
    s.value[1] = NAN;
    assert_true(isinf(natural(&s, zero)));
}

static void velocities_beyond_the_range_of_squares_are_measured(void **state)
{
    const double zero[2] = {0.0, 0.0};
    small_problem s;

    (void)state;
    sliding_mass(&s, 0.0);
    for (int i = 0; i < 2; i++) {
        const double speed = i == 0 ? 1.0e-200 : 1.0e+200;

        s.q[0] = -speed;
        s.q[1] = 0.0;
        assert_near(reference(&s), speed, 0.0, 1.0e-15);
        assert_near(natural(&s, zero), 1.0, 0.0, 1.0e-14);
    }
}

static void anything_not_finite_gives_infinity(void **state)
{
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    const double r[2] = {1.0, -0.5};

    (void)state;
    for (int i = 0; i < 3; i++) {
        for (int where = 0; where < 10; where++) {
            small_problem s;
            double x[2] = {r[0], r[1]};

            sliding_mass(&s, 0.5);
            double *slot[10] = {s.value, s.value + 1, s.value + 2, s.value + 3, s.q,
                                s.q + 1, s.mu,        x,           x + 1,       &s.problem.scale};

            if (where == 9 && bad[i] < 0.0) {
                continue; /* a negative scale is refused by haw_problem_check */
            }
            *slot[where] = bad[i];
            assert_true(isinf(natural(&s, x)));
        }
    }
}

/* An infinite velocity must not hide behind r = 0, where the projection gives 0. */
static void infinite_velocities_of_open_contacts_count(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        for (int row = 0; row < d; row++) {
            const double r[PROBLEM_ROWS] = {[3] = 1.0, [2] = 1.0};
            small_problem s;

            small_problem_init(&s, d, 2);
            for (int i = 0; i < 2 * d; i++) {
                *small_problem_entry(&s, i, i) = 1.0;
            }
            s.q[0] = 1.0;
            *small_problem_entry(&s, row, d) = HUGE_VAL;
            assert_true(isinf(natural(&s, r)));
        }
    }
}

static void a_problem_without_sense_gives_infinity(void **state)
{
    const double r[2] = {0.0, 0.0};
    small_problem s;

    (void)state;
    sliding_mass(&s, -0.1);
    assert_true(isinf(natural(&s, r)));
    sliding_mass(&s, 0.1);
    s.value[0] = 0.0;
    s.value[3] = 0.0;
    assert_true(isinf(natural(&s, r)));
}

/* A planar contact seen in space through a turned tangent frame: same residual. */
static void space_agrees_with_the_plane(void **state)
{
    uint64_t seed = 99;

    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        small_problem plane, space;
        const double angle = 3.0 * random_signed(&seed), c = cos(angle), n = sin(angle);
        const double r[2] = {random_signed(&seed), random_signed(&seed)};
        const double turned[3] = {r[0], c * r[1], n * r[1]};

        small_problem_init(&plane, 2, 1);
        small_problem_random(&plane, 3, 0.2, 1.0, &seed);
        const double *w = plane.value, other = 0.5 * (w[0] + w[3]); /* keeps trace(W)/d */

        small_problem_init(&space, 3, 1);
        const double block[9] = {w[0],
                                 c * w[1],
                                 n * w[1],
                                 c * w[2],
                                 c * c * w[3] + n * n * other,
                                 c * n * (w[3] - other),
                                 n * w[2],
                                 c * n * (w[3] - other),
                                 n * n * w[3] + c * c * other};

        memcpy(space.value, block, sizeof block);
        space.q[0] = plane.q[0];
        space.q[1] = c * plane.q[1];
        space.q[2] = n * plane.q[1];
        space.mu[0] = plane.mu[0];
        assert_near(natural(&space, turned), natural(&plane, r), 1.0e-14, 1.0e-13);
    }
}

static void the_other_measures_have_their_formulas(void **state)
{
    const double r[2] = {2.0, -2.0};
    double u[2];
    small_problem s;
    haw_residual residual;

    (void)state;
    sliding_mass(&s, 0.5);
    s.q[0] = -5.0;
    assert_int_equal(haw_problem_residual(NULL, &s.problem, r, u, &residual), HAW_OK);
    /* u = (-3, 1), u^ = (-2.5, 1), r - u^ = (4.5, -3) -> projected on the edge: 4.8 (1, -1/2) */
    assert_near(u[0], -3.0, 0.0, 0.0);
    assert_near(u[1], 1.0, 0.0, 0.0);
    assert_near(residual.normal_min, -3.0, 0.0, 0.0);
    assert_near(residual.complementarity, 7.0, 0.0, 1.0e-15);
    assert_near(residual.cone, hypot(2.0 - 2.4, -2.0 + 1.2), 0.0, 1.0e-15);
    assert_near(residual.relative, hypot(2.0 - 4.8, -2.0 + 2.4) / sqrt(34.0), 0.0, 1.0e-15);
}

static double bipotential(const small_problem *s, const double *r)
{
    double u[PROBLEM_ROWS];
    haw_residual residual;

    assert_int_equal(haw_problem_residual(NULL, &s->problem, r, u, &residual), HAW_OK);
    return residual.bipotential;
}

/* r = (2, -1/2) lies in the cone of mu = 1/2 and u_T = 1: max(u_N, 0) r_N + mu r_N |u_T| + r_T u_T
 * is 2 u_N + 1 - 1/2 for a contact that opens, and 1 - 1/2 however fast it closes. */
static void the_gap_of_de_saxce_takes_no_credit_from_an_approach(void **state)
{
    const double approach[3] = {3.0, 0.0, -3.0}, want[3] = {6.5, 0.5, 0.5};
    const double r[4] = {2.0, -0.5, 2.0, -0.5};

    (void)state;
    for (int i = 0; i < 3; i++) {
        small_problem s;

        sliding_mass(&s, 0.5);
        s.q[0] = approach[i] - r[0];
        s.q[1] = 1.0 - r[1];
        assert_near(bipotential(&s, r), want[i], 1.0e-15, 0.0);
    }
    small_problem two; /* one that opens, one that closes */

    small_problem_init(&two, 2, 2);
    for (int i = 0; i < 4; i++) {
        *small_problem_entry(&two, i, i) = 1.0;
        two.q[i] = (i % 2 == 1 ? 1.0 : approach[i]) - r[i];
    }
    two.mu[0] = two.mu[1] = 0.5;
    assert_near(bipotential(&two, r), 7.0, 1.0e-15, 0.0);
}

static void the_gap_of_de_saxce_is_never_negative(void **state)
{
    uint64_t seed = 17;

    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        small_problem s;
        double r[PROBLEM_ROWS];

        small_problem_init(&s, 2 + trial % 2, 3);
        small_problem_random(&s, 5, 0.0, 1.0, &seed);
        for (int i = 0; i < 9; i++) {
            r[i] = random_signed(&seed);
            s.q[i] = 2.0 * random_signed(&seed);
        }
        assert_true(bipotential(&s, r) >= -1.0e-14);
    }
}

TEST_FILE(test_referee)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_have_no_residual),
        cmocka_unit_test(inside_the_cone_the_residual_is_the_velocity),
        cmocka_unit_test(an_impulse_on_an_open_contact_counts_as_a_velocity),
        cmocka_unit_test(the_reference_is_the_larger_of_q_and_scale),
        cmocka_unit_test(without_any_velocity_only_zero_is_right),
        cmocka_unit_test(velocities_beyond_the_range_of_squares_are_measured),
        cmocka_unit_test(anything_not_finite_gives_infinity),
        cmocka_unit_test(infinite_velocities_of_open_contacts_count),
        cmocka_unit_test(a_problem_without_sense_gives_infinity),
        cmocka_unit_test(space_agrees_with_the_plane),
        cmocka_unit_test(the_other_measures_have_their_formulas),
        cmocka_unit_test(the_gap_of_de_saxce_takes_no_credit_from_an_approach),
        cmocka_unit_test(the_gap_of_de_saxce_is_never_negative),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
