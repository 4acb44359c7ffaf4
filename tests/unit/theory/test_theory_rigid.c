/* SPDX-License-Identifier: BSD-3-Clause */
/* Bouncing ball and slip to roll. */
#include "support/theory.h"

static void ball_has_the_printed_times(void **state)
{
    haw_theory_result r = theory_run(*state, "bouncing-ball", 0, NULL);
    assert_digits(theory_profile(&r, "time")->value[0], ".4515236");
    assert_digits(haw_theory_value(&r, "accumulation"), "2.55863397");
    haw_theory_result_free(*state, &r);
}

/* Free flight from the ground: back after 2 v / g with the same speed, then times e. */
static void ball_flies_from_impact_to_impact(void **state)
{
    const setting set[] = {
        {"height", 3}, {"restitution", 0.9}, {"gravity", 1.62}, {"impacts", 400}};
    haw_theory_result r = theory_run(*state, "bouncing-ball", 4, set);
    const haw_quantity *time = theory_profile(&r, "time");
    const double *velocity = theory_profile(&r, "velocity")->value;
    assert_int_equal(time->count, 400);
    assert_near(1.62 * time->value[0] * time->value[0] / 2, 3, 0, 1e-14);
    assert_near(velocity[0], 0.9 * sqrt(2 * 1.62 * 3), 0, 1e-14);
    for (int k = 0; k < 10; ++k) {
        const double flight = time->value[k + 1] - time->value[k];
        assert_near(velocity[k] * flight - 1.62 * flight * flight / 2, 0, 1e-12, 0);
        assert_near(velocity[k + 1], 0.9 * velocity[k], 0, 1e-14);
    }
    assert_near(time->value[399], haw_theory_value(&r, "accumulation"), 0, 1e-13);
    haw_theory_result_free(*state, &r);
}

static void plastic_ball_rests_at_the_first_impact(void **state)
{
    const setting set[] = {{"restitution", 0}, {"impacts", 3}};
    haw_theory_result r = theory_run(*state, "bouncing-ball", 2, set);
    const double *time = theory_profile(&r, "time")->value;
    assert_near(haw_theory_value(&r, "accumulation"), time[0], 0, 0);
    assert_near(time[2], time[0], 0, 0);
    haw_theory_result_free(*state, &r);
}

static void disk_has_the_printed_rolling_state(void **state)
{
    haw_theory_result r = theory_run(*state, "slip-to-roll", 0, NULL);
    assert_digits(haw_theory_value(&r, "velocity_final"), "1.333333333");
    assert_digits(haw_theory_value(&r, "spin_final"), "-13.33333333");
    assert_digits(haw_theory_value(&r, "time_rolling"), ".33978933");
    assert_digits(haw_theory_value(&r, "position"), ".91326311");
    haw_theory_result_free(*state, &r);
}

/* Angular momentum about a point of the ground is kept: v - kappa R omega. */
static void rolling_keeps_the_angular_momentum_about_the_ground(void **state)
{
    const double start[][2] = {{2, 0}, {2, 30}, {2, -30}, {-1, 5}, {-1, 50}, {0, -8}, {3, -30}};
    const double factor[] = {0.5, 0.4, 1};
    for (int i = 0; i < 21; ++i) {
        const double v = start[i % 7][0];
        const double spin = start[i % 7][1];
        const double kappa = factor[i / 7];
        const setting set[] = {{"velocity", v}, {"spin", spin}, {"inertia-factor", kappa}};
        haw_theory_result r = theory_run(*state, "slip-to-roll", 3, set);
        const double v1 = haw_theory_value(&r, "velocity_final");
        const double spin1 = haw_theory_value(&r, "spin_final");
        assert_near(v1 - kappa * 0.1 * spin1, v - kappa * 0.1 * spin, 1e-14, 0);
        assert_near(v1 + 0.1 * spin1, 0, 1e-14, 0);
        /* friction changes v by mu g per second, and never adds energy */
        assert_near(fabs(v1 - v), 0.2 * 9.81 * haw_theory_value(&r, "time_rolling"), 1e-14, 0);
        assert_true(v1 * v1 + kappa * 0.01 * spin1 * spin1 <=
                    v * v + kappa * 0.01 * spin * spin + 1e-14);
        haw_theory_result_free(*state, &r);
    }
}

/* Position against sums over small steps, while sliding and after. */
static void position_is_the_integral_of_the_velocity(void **state)
{
    const double time[] = {0, 0.1, 0.4, 1.3};
    for (int i = 0; i < 4; ++i) {
        const setting set[] = {{"velocity", -1}, {"spin", 40}, {"time", time[i]}};
        haw_theory_result r = theory_run(*state, "slip-to-roll", 3, set);
        const int steps = 100000;
        const double h = time[i] / steps;
        double v = -1;
        double surface = 4; /* R omega */
        double x = 0;
        for (int j = 0; j < steps; ++j) {
            const double slip = v + surface;
            const double change = fmin(0.2 * 9.81 * h, fabs(slip) / 3);
            x += h * (v - copysign(change, slip) / 2);
            v -= copysign(change, slip);
            surface -= 2 * copysign(change, slip);
        }
        assert_near(haw_theory_value(&r, "position"), x, 1e-8, 0);
        haw_theory_result_free(*state, &r);
    }
}

TEST_FILE(test_theory_rigid)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_has_the_printed_times),
        cmocka_unit_test(ball_flies_from_impact_to_impact),
        cmocka_unit_test(plastic_ball_rests_at_the_first_impact),
        cmocka_unit_test(disk_has_the_printed_rolling_state),
        cmocka_unit_test(rolling_keeps_the_angular_momentum_about_the_ground),
        cmocka_unit_test(position_is_the_integral_of_the_velocity),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
