/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Benchmark W1 with moreau-jean: a hundredth of the bending stiffness against the closed form of
 * the slip front, the real one against what this beam gives. Friction acts on the centreline, as in
 * the closed form: where it acts at the surface the yarn rolls by up to its radius times the twist.
 */
#include "support/winding.h"

/* Of every run: contacts closed to rounding, the ledger closed, no step missed. */
static void check_run(const winding *w)
{
    const haw_simulation *s = w->rig.simulation;
    assert_int_equal(s->certificate.unconverged_steps, 0);
    assert_true(s->certificate.penetration_max < 1e-8);
    assert_true(s->ledger.balance_error < 1e-8);
    assert_true(s->ledger.contact_work_max < 1e-9);
}

static winding soft(double friction)
{
    winding w = winding_default(friction);
    w.bending_factor = 0.01;
    w.elements = 100;
    return w;
}

static void without_friction_the_middle_goes_half_as_far_as_the_end(void **state)
{
    (void)state;
    winding w = soft(0);
    w.hinged = true; /* a clamped end would not turn to the geodesic */
    winding_run(&w);
    check_run(&w);
    assert_near(w.z25, 0.44063, 0, 1e-3);
    assert_near(w.rig.simulation->ledger.friction_loss, 0, 1e-15, 0);
    rig_close(&w.rig);
}

static void the_slip_front_reaches_the_middle_at_low_friction(void **state)
{
    (void)state;
    winding w = soft(0.1);
    w.stuck_until = 6.9;
    winding_run(&w);
    check_run(&w);
    assert_near(w.slip_time, 7.5456, 0, 2e-3);
    assert_near(w.z25, 0.16198, 0, 0.01);
    assert_true(w.stuck < 1e-7);
    assert_true(w.rig.simulation->ledger.balance_error <
                1e-3 * w.rig.simulation->ledger.friction_loss);
    rig_close(&w.rig);
}

/* The closed form has the tension of the free end everywhere; here the wound part is drawn tight by
 * 14 %, and the friction that this takes is missing across. */
static void the_slip_front_reaches_the_middle_at_high_friction(void **state)
{
    (void)state;
    winding w = soft(0.4);
    w.stuck_until = 9.5;
    winding_run(&w);
    check_run(&w);
    assert_near(w.slip_time, 11.0991, 0, 0.01);
    assert_near(w.z25, 0.00611, 1e-3, 0);
    assert_true(w.stuck < 1e-6);
    rig_close(&w.rig);
}

/* A second point in the middle of an element holds it against the turns of its nodes. */
static void two_points_per_element_wind_without_spurious_tension(void **state)
{
    (void)state;
    winding w = soft(0.1);
    w.points = 2;
    w.end = 5.05;
    winding_run(&w);
    check_run(&w);
    assert_true(w.spurious < 0.005);
    assert_near(w.stuck, 0, 1e-12, 0);
    rig_close(&w.rig);
}

/* Elements of 80 mm are as long as the boundary layer sqrt(EI / T) = 84 mm at lift-off: they land
 * in hops, and the arcs between nodes that stick keep what a hop has left in them. */
static void the_real_yarn_lands_in_hops(void **state)
{
    (void)state;
    winding w = winding_default(0.1);
    winding_run(&w);
    check_run(&w);
    assert_near(w.slip_time, 7.437, 0.02, 0);
    assert_near(w.z25, 0.1706, 0, 0.01);
    assert_near(w.stuck, 0, 1e-12, 0);
    assert_true(w.spurious > 0.02 && w.spurious < 0.1);
    rig_close(&w.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_the_middle_goes_half_as_far_as_the_end),
        cmocka_unit_test(the_slip_front_reaches_the_middle_at_low_friction),
        cmocka_unit_test(the_slip_front_reaches_the_middle_at_high_friction),
        cmocka_unit_test(two_points_per_element_wind_without_spurious_tension),
        cmocka_unit_test(the_real_yarn_lands_in_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
