/* SPDX-License-Identifier: BSD-3-Clause */
#include "element/element.h"
#include "support/near.h"

/* int_0^1 s^k ds = 1 / (k + 1) exactly for k <= 2 n - 1, and not for k = 2 n */
static void rule_of_n_points_is_exact_to_degree_2n_minus_1(void **state)
{
    (void)state;
    for (int n = 1; n <= HAW_GAUSS_MAX; n++) {
        haw_quadrature rule;
        haw_quadrature_init(n, &rule);
        assert_int_equal(rule.points, n);
        for (int k = 0; k <= 2 * n; k++) {
            double sum = 0.0;
            for (int g = 0; g < n; g++) {
                sum += rule.weight[g] * pow(rule.s[g], k);
            }
            if (k < 2 * n) {
                assert_near(sum, 1.0 / (k + 1), 4e-16, 0.0);
            } else {
                assert_true(fabs(sum - 1.0 / (k + 1)) > 1e-7);
            }
        }
    }
}

static void points_ascend_inside_the_interval(void **state)
{
    (void)state;
    for (int n = 1; n <= HAW_GAUSS_MAX; n++) {
        haw_quadrature rule;
        haw_quadrature_init(n, &rule);
        for (int g = 0; g < n; g++) {
            assert_true(rule.s[g] > (g == 0 ? 0.0 : rule.s[g - 1]) && rule.s[g] < 1.0);
            assert_near(rule.s[g] + rule.s[n - 1 - g], 1.0, 1e-15, 0.0);
        }
    }
}

static void three_points_are_the_known_ones(void **state)
{
    (void)state;
    haw_quadrature rule;
    haw_quadrature_init(3, &rule);
    assert_near(rule.s[0], 0.5 - 0.5 * sqrt(0.6), 1e-16, 0.0);
    assert_near(rule.s[1], 0.5, 1e-16, 0.0);
    assert_near(rule.weight[0], 5.0 / 18.0, 1e-16, 0.0);
    assert_near(rule.weight[1], 8.0 / 18.0, 1e-16, 0.0);
}

/* x' of the cubics that reproduce 1, s, s^2, s^3 from their Bezier coefficients */
static void slopes_differentiate_every_cubic(void **state)
{
    (void)state;
    static const double coefficient[4][4] = {
        {1, 1, 1, 1}, {0, 1.0 / 3, 2.0 / 3, 1}, {0, 0, 1.0 / 3, 1}, {0, 0, 0, 1}};
    haw_quadrature rule;
    haw_quadrature_init(5, &rule);
    for (int g = 0; g < rule.points; g++) {
        for (int k = 0; k < 4; k++) {
            double slope = 0.0;
            for (int a = 0; a < 4; a++) {
                slope += rule.slope[g][a] * coefficient[k][a];
            }
            assert_near(slope, k == 0 ? 0.0 : k * pow(rule.s[g], k - 1), 1e-15, 0.0);
        }
    }
}

TEST_FILE(test_quadrature)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_of_n_points_is_exact_to_degree_2n_minus_1),
        cmocka_unit_test(points_ascend_inside_the_interval),
        cmocka_unit_test(three_points_are_the_known_ones),
        cmocka_unit_test(slopes_differentiate_every_cubic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
