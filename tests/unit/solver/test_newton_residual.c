/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/newton_residual.h"
#include "support/near.h"
#include "support/random.h"

/* Central differences of g along a random direction at one point; counts the states seen. */
static void check_derivative(int d, double mu, uint64_t *seed, int seen[3])
{
    const haw_contact_equations e = {d, mu, 0.7};
    const double h = 1e-6;
    double s[3], u[3], ds[3], du[3], g[3], a[9], b[9], far[2][3];
    haw_contact_state states[2];

    for (int i = 0; i < d; i++) {
        s[i] = random_signed(seed);
        u[i] = random_signed(seed);
        ds[i] = random_signed(seed);
        du[i] = random_signed(seed);
    }
    const haw_contact_state state = haw_newton_jacobian(&e, s, u, g, a, b);

    for (int side = 0; side < 2; side++) {
        double s2[3], u2[3];

        for (int i = 0; i < d; i++) {
            s2[i] = s[i] + (side == 0 ? -h : h) * ds[i];
            u2[i] = u[i] + (side == 0 ? -h : h) * du[i];
        }
        states[side] = haw_newton_residual(&e, s2, u2, far[side]);
    }
    if (states[0] != state || states[1] != state) {
        return; /* too near a kink */
    }
    seen[state]++;
    for (int i = 0; i < d; i++) {
        double want = 0.0;

        for (int j = 0; j < d; j++) {
            want += a[d * i + j] * du[j] + b[d * i + j] * ds[j];
        }
        assert_near((far[1][i] - far[0][i]) / (2.0 * h), want, 1e-6, 1e-6);
    }
}

static void jacobian_is_the_derivative_of_the_residual_away_from_kinks(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int d = 2; d <= 3; d++) {
        int seen[3] = {0};

        for (int i = 0; i < 300; i++) {
            check_derivative(d, i % 10 == 0 ? 0.0 : 0.8, &seed, seen);
        }
        assert_true(seen[HAW_CONTACT_OPEN] > 50 && seen[HAW_CONTACT_STICK] > 20 &&
                    seen[HAW_CONTACT_SLIP] > 50);
    }
}

static void zeros_of_the_residual_are_solutions_of_one_contact(void **state)
{
    const double open[2][3] = {{0.0, 0.0, 0.0}, {0.2, 0.3, -0.4}};
    const double stick[2][3] = {{1.0, 0.3, 0.1}, {0.0, 0.0, 0.0}};
    const haw_contact_equations e = {3, 0.5, 0.3};
    const double slip[2][3] = {{1.0, -0.3, 0.4}, {0.0, 0.6, -0.8}}; /* |r_T| = mu r_N, opposed */
    const double(*const points[])[3] = {open, stick, slip};
    double g[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(haw_newton_residual(&e, points[i][0], points[i][1], g), i);
        for (int k = 0; k < 3; k++) {
            assert_near(g[k], 0.0, 1e-15, 0.0);
        }
    }
}

static void frictionless_contact_asks_for_no_tangential_impulse(void **state)
{
    const haw_contact_equations e = {3, 0.0, 0.5};
    const double s[3] = {1.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0};
    double g[3], a[9], b[9];

    (void)state;
    (void)haw_newton_jacobian(&e, s, u, g, a, b);
    for (int i = 1; i < 3; i++) {
        assert_near(b[3 * i + i], 2.0, 1e-15, 0.0); /* row: ds_T / c = -s_T / c */
        assert_near(a[3 * i + i], 0.0, 0.0, 0.0);
    }
}

TEST_FILE(test_newton_residual)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_is_the_derivative_of_the_residual_away_from_kinks),
        cmocka_unit_test(zeros_of_the_residual_are_solutions_of_one_contact),
        cmocka_unit_test(frictionless_contact_asks_for_no_tangential_impulse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
