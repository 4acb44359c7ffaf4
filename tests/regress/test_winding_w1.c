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

static winding_figures wind_up(double friction, int elements)
{
    scenario_run run;
    winding_start(&run, friction);
    scenario_set(&run, "cables.yarn.elements=%d", elements);
    scenario_set(&run, "stepper.end=5.05");
    return winding_finish(&run);
}

/*
 * The real yarn misses the 0.5 % of the benchmark on 50 elements, without friction as with it, and
 * keeps to it on 100. Between two landings the yarn swings about the node that landed last, and the
 * drum takes it in at omega R' cos(psi) only, psi up to l / R' = 0.2: the landing makes good 2 % of
 * 0.38 m/s (at 0.71 s) in one step, for 33 g of yarn in the air and h = 5 ms a pulse of 0.5 % of
 * the pull, on top of 0.2 % that the drum's acceleration takes then. It is in the steps, not in
 * what stays wound.
 */
static void the_tension_of_the_real_yarn_is_that_of_its_landing_nodes(void **state)
{
    (void)state;
    const winding_figures free = wind_up(0, 50), rough = wind_up(0.4, 50), fine = wind_up(0.4, 100);
    assert_near(rough.spurious, free.spurious, 2e-5, 0);
    assert_true(rough.spurious > inertia && rough.spurious < 6.5e-3);
    assert_true(fine.spurious > inertia && fine.spurious < 0.005);
}

/* The pulses last a step: when the drum comes to rest, no element, wound or free, has more than the
 * pull; four contact points to an element instead of one make no difference. */
static void no_tension_in_excess_stays_wound(void **state)
{
    (void)state;
    for (int points = 1; points <= 4; points += 3) {
        scenario_run run;
        winding_start(&run, 0.4);
        scenario_set(&run, "contact.points_per_element=%d", points);
        scenario_set(&run, "output.probes.spurious_tension.after=5.9");
        scenario_set(&run, "output.probes.spurious_tension.until=6");
        scenario_set(&run, "stepper.end=6");
        assert_near(winding_finish(&run).spurious, 0, 5e-5, 0);
    }
}

/* References of the real yarn: 200 elements, h = 2.5 ms. */
static void the_real_yarn_at_low_friction(void **state)
{
    (void)state;
    scenario_run run;
    winding_start(&run, 0.1);
    const winding_figures f = winding_complete(&run);
    assert_near(f.slip_time, 7.40, 0.03, 0);
    assert_near(f.z25, 0.1710, 0, 0.01);
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
    assert_near(f.slip_time, 10.571, 0, 0.01);
    assert_near(f.z25, 0.0099, 1e-3, 0);
    assert_true(winding_drift(&run, 9) < 1e-8);
    assert_true(f.spurious < 6.5e-3);
    /* landings cost what they take from the nodes; all else that the drum does is strain or
     * friction */
    assert_true(f.impact_loss > 0 && f.impact_loss < 1e-3);
    assert_true(fabs(f.numerical_loss) < 1e-2 * f.external_work);
    scenario_close(&run);
}

/* A drum does the same work on yarns with several points on each element: their rows lean alike. */
static void the_drum_does_its_work_by_several_points(void **state)
{
    double work[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        scenario_run run;
        winding_start(&run, 0.1);
        scenario_set(&run, "stepper.end=7");
        scenario_set(&run, "contact.points_per_element=%d", k == 0 ? 1 : 3);
        scenario_complete(&run);
        work[k] = run.summary.ledger.external_work;
        assert_near(run.summary.ledger.impact_loss / work[k], 0, 2e-3, 0);
        scenario_close(&run);
    }
    assert_near(work[1], work[0], 0, 0.01);
}

TEST_FILE(test_winding_w1)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drum_does_its_work_by_several_points),
        cmocka_unit_test(without_friction_the_middle_goes_half_as_far_as_the_end),
        cmocka_unit_test(the_slip_front_reaches_the_middle_at_low_friction),
        cmocka_unit_test(the_slip_front_reaches_the_middle_at_high_friction),
        cmocka_unit_test(the_tension_of_the_real_yarn_is_that_of_its_landing_nodes),
        cmocka_unit_test(no_tension_in_excess_stays_wound),
        cmocka_unit_test(the_real_yarn_at_low_friction),
        cmocka_unit_test(the_real_yarn_at_high_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
