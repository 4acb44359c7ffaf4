/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Benchmark W1 as shipped: a hundredth of the bending stiffness on 100 elements against the closed
 * form of the slip front, the real yarn against what its own finer meshes give
 * (tests/long/test_winding_w1.c).
 */
#include "support/winding_run.h"

/* Closed form of the string, `hawser theory winding-w1`. */
static const double z25_free = 0.44063, z25_low = 0.16198;
static const double slip_low = 7.5456, slip_high = 11.0991;

/*
 * Excess of the tension over the pull that the mass accounts for: the drum takes the yarn in with
 * up to R' alpha, alpha = 1.8 rad/s^2 at 0.5 s, with 3.955 m of it in the air:
 * 8.4823e-3 kg/m 3.955 m 0.401 m 1.8 / s^2 / 10 N.
 */
static const double inertia = 2.42e-3;

static void without_friction_the_middle_goes_half_as_far_as_the_end(void **state)
{
    (void)state;
    scenario_run run;
    winding_start(&run, 0);
    winding_soften(&run);
    const winding_figures f = winding_finish(&run);
    assert_near(f.z25, z25_free, 0, 0.01);
    assert_near(f.friction_loss, 0, 1e-15, 0);
    assert_true(f.spurious > inertia && f.spurious < 0.005);
}

static void the_slip_front_reaches_the_middle_at_low_friction(void **state)
{
    (void)state;
    scenario_run run;
    winding_start(&run, 0.1);
    winding_soften(&run);
    const winding_figures f = winding_complete(&run);
    assert_near(f.slip_time, slip_low, 0, 0.01);
    assert_near(f.z25, z25_low, 0, 0.01);
    assert_true(winding_drift(&run, 6.9) < 1e-8);
    assert_true(f.spurious > inertia && f.spurious < 0.005);
    scenario_close(&run);
}

static void the_slip_front_reaches_the_middle_at_high_friction(void **state)
{
    (void)state;
    scenario_run run;
    winding_start(&run, 0.4);
    winding_soften(&run);
    const winding_figures f = winding_complete(&run);
    assert_near(f.slip_time, slip_high, 0, 0.006);
    assert_true(winding_drift(&run, 10) < 1e-8);
    assert_true(f.spurious > inertia && f.spurious < 0.005);
    scenario_close(&run);
}

/*
 * Elements of 80 mm are as long as the boundary layer sqrt(EI / T) = 84 mm at lift-off. A node
 * lands with the speed at which the chord before it swings down, and stops in one step: a pulse of
 * tension of this step, 0.63 % with the mass of 80 mm, 0.38 % with that of 40 mm. Friction has no
 * part in it.
 */
static void the_real_yarn_is_wound_with_the_tension_of_its_landing_nodes(void **state)
{
    (void)state;
    scenario_run slippery, rough;
    winding_start(&slippery, 0);
    scenario_set(&slippery, "stepper.end=5.05");
    winding_start(&rough, 0.4);
    scenario_set(&rough, "stepper.end=5.05");
    const winding_figures without = winding_finish(&slippery);
    const winding_figures with = winding_finish(&rough);
    assert_near(with.spurious, without.spurious, 2e-5, 0);
    assert_true(with.spurious > inertia && with.spurious < 6.5e-3);
}

static void the_real_yarn_at_low_friction(void **state)
{
    (void)state;
    scenario_run run;
    winding_start(&run, 0.1);
    const winding_figures f = winding_complete(&run);
    assert_near(f.slip_time, 7.40, 0.03, 0);
    assert_near(f.z25, 0.1717, 0, 0.01);
    assert_true(winding_drift(&run, 6.9) < 1e-8);
    assert_true(f.spurious < 6.5e-3);
    scenario_close(&run);
}

static void the_real_yarn_at_high_friction(void **state)
{
    (void)state;
    scenario_run run;
    winding_start(&run, 0.4);
    const winding_figures f = winding_complete(&run);
    assert_near(f.slip_time, 10.60, 0, 0.01);
    assert_near(f.z25, 0.0103, 3e-4, 0);
    assert_true(winding_drift(&run, 9) < 1e-8);
    scenario_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_the_middle_goes_half_as_far_as_the_end),
        cmocka_unit_test(the_slip_front_reaches_the_middle_at_low_friction),
        cmocka_unit_test(the_slip_front_reaches_the_middle_at_high_friction),
        cmocka_unit_test(the_real_yarn_is_wound_with_the_tension_of_its_landing_nodes),
        cmocka_unit_test(the_real_yarn_at_low_friction),
        cmocka_unit_test(the_real_yarn_at_high_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
