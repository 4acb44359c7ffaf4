/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/near.h"
#include "support/random.h"

#include <hawser/problem.h>

#include <float.h>

static const double frictions[] = {0.0, 1.0e-12, 0.1, 0.5, 1.0, 3.0, 1.0e+6, 1.0e+200};

enum { FRICTIONS = sizeof frictions / sizeof frictions[0] };

static double tangential(int d, const double *x)
{
    return d == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

/* |x - p|^2 of the best p with the given p_N: convex in p_N. */
static double section(double mu, double xn, double t, double pn, double *pt)
{
    *pt = fmin(t, mu * pn);
    return (xn - pn) * (xn - pn) + (t - *pt) * (t - *pt);
}

/* Nearest point of the cone by golden-section search over p_N, in the plane of n and x. */
static void search(double mu, double xn, double t, double p[2])
{
    double lo = 0.0, hi = fabs(xn) + t, pt;

    for (int i = 0; i < 200; i++) {
        const double a = lo + 0.382 * (hi - lo), b = lo + 0.618 * (hi - lo);

        if (section(mu, xn, t, a, &pt) < section(mu, xn, t, b, &pt)) {
            hi = b;
        } else {
            lo = a;
        }
    }
    p[0] = 0.5 * (lo + hi);
    (void)section(mu, xn, t, p[0], &p[1]);
}

static void projection_minimises_the_distance(void **state)
{
    uint64_t seed = 20240501;

    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        const int d = 2 + trial % 2;
        const double mu = frictions[trial % 6];
        const double x[3] = {random_signed(&seed), random_signed(&seed), random_signed(&seed)};
        double p[3], best[2];

        haw_cone_project(d, mu, x, p);
        search(mu, x[0], tangential(d, x), best);
        assert_near(p[0], best[0], 1.0e-7, 0.0);
        assert_near(tangential(d, p), best[1], 1.0e-7, 0.0);
    }
}

/* Moreau: p is the projection iff p in K, x - p in the polar of K, and p . (x - p) = 0. */
static void moreau_decomposition_holds_for_every_friction(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int trial = 0; trial < 4000; trial++) {
        const int d = 2 + trial % 2;
        const double mu = frictions[trial % FRICTIONS];
        const double x[3] = {random_signed(&seed), random_signed(&seed), random_signed(&seed)};
        double p[3], rest[3] = {0}, dot = 0.0;

        haw_cone_project(d, mu, x, p);
        for (int i = 0; i < d; i++) {
            rest[i] = x[i] - p[i];
            dot += p[i] * rest[i];
        }
        assert_true(p[0] >= 0.0);
        assert_true(tangential(d, p) <= mu * p[0] * (1.0 + 4.0 * DBL_EPSILON));
        assert_true(mu * tangential(d, rest) <= -rest[0] + 4.0 * DBL_EPSILON * fmax(1.0, mu));
        assert_near(dot, 0.0, 4.0 * DBL_EPSILON, 0.0);
        if (d == 3) { /* p_T is parallel to x_T, same sense */
            assert_near(p[1] * x[2] - p[2] * x[1], 0.0, 1.0e-15, 0.0);
            assert_true(p[1] * x[1] + p[2] * x[2] >= 0.0);
        }
    }
}

static void without_friction_the_cone_is_the_normal_ray(void **state)
{
    const double x[3][3] = {{2.0, 1.0, -4.0}, {-2.0, 1.0, 3.0}, {-2.0, 0.0, 0.0}};
    double p[3];

    (void)state;
    for (int d = 2; d <= 3; d++) {
        for (int i = 0; i < 3; i++) {
            haw_cone_project(d, 0.0, x[i], p);
            assert_true(p[0] == fmax(0.0, x[i][0]));
            assert_true(p[1] == 0.0);
            assert_true(d == 2 || p[2] == 0.0);
        }
    }
}

static void with_huge_friction_the_cone_is_the_half_space(void **state)
{
    const double inside[3] = {1.0e-3, -5.0, 2.0}, outside[3] = {-1.0e-3, -5.0, 2.0};
    double p[3];

    (void)state;
    for (int d = 2; d <= 3; d++) {
        haw_cone_project(d, 1.0e+300, inside, p);
        assert_true(p[0] == inside[0] && p[1] == inside[1]);
        haw_cone_project(d, 1.0e+300, outside, p);
        assert_near(p[0], 0.0, 1.0e-200, 0.0);
        assert_near(p[1], -5.0, 0.0, 4.0 * DBL_EPSILON);
    }
}

static void points_on_the_edge_stay(void **state)
{
    const double x[2] = {2.0, -0.5};
    double p[2];

    (void)state;
    haw_cone_project(2, 0.25, x, p);
    assert_true(p[0] == x[0] && p[1] == x[1]);
}

TEST_FILE(test_cone)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_minimises_the_distance),
        cmocka_unit_test(moreau_decomposition_holds_for_every_friction),
        cmocka_unit_test(without_friction_the_cone_is_the_normal_ray),
        cmocka_unit_test(with_huge_friction_the_cone_is_the_half_space),
        cmocka_unit_test(points_on_the_edge_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
