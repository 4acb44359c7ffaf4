/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arc model in motion: the friction along the sheave in the steady part of the ride of the
 * elevator against the steady theory of bristles, with and without slip, and a rope that runs over
 * a smooth sheave.
 */
#include "support/rope_ride.h"
#include "support/rope_steady.h"

enum { STEADY = 5000 };

static const double pi = 3.14159265358979323846;

/* The state at 5 s, and the theory for the tensions T1 = 10056.4 and T2 = 13140.7 N of the ride. */
static rope_errors ride_until_steady(rope_ride *ride)
{
    const rope_steady steady = {.radius = 0.24,
                                .wrap = pi,
                                .stiffness = ride->cable.stiffness,
                                .normal_stiffness = ride->contact.normal_stiffness,
                                .tangential_stiffness = ride->contact.tangential_stiffness,
                                .friction = ride->contact.friction,
                                .tension = {10056.4, 13140.7}};
    rig r;
    ride_alpha(&r, 1e-3, 5);
    rig_set(&r, "newton_tolerance", 1e-6);
    rig_build(&r, &ride->scene);
    rig_steps(&r, STEADY);
    assert_near(ride_tension(&r, 0), steady.tension[1] - 1.4 * 9.81 * 3.4, 0, 1e-3);
    assert_near(fabs(ride_torque(&r, 0)), 740.2, 0, 5e-3);
    assert_int_equal(r.simulation->certificate.unconverged_steps, 0);
    haw_theory_result want = rope_steady_theory(r.context, &steady);
    const rope_errors s = rope_steady_compare(r.simulation, &steady, pi, -1, &want);
    haw_theory_result_free(r.context, &want);
    rig_close(&r);
    return s;
}

static void friction_of_a_steady_ride_is_that_of_the_theory(void **state)
{
    (void)state;
    rope_ride ride;
    ride_elevator(&ride, "arc1d");
    const rope_errors s = ride_until_steady(&ride);
    print_message("stick: rms %.2f, largest %.2f of %.1f N/m\n", s.rms, s.most, s.largest);
    assert_near(s.largest, 8642, 1, 0);
    assert_near(s.rms, 0, 2e-3 * s.largest, 0);
    assert_near(s.most, 0, 1e-2 * s.largest, 0);
}

static void a_steady_ride_slips_where_the_theory_says(void **state)
{
    (void)state;
    rope_ride ride;
    ride_elevator(&ride, "arc1d");
    ride.contact.tangential_stiffness = 1e8;
    ride.contact.friction = 0.16;
    const rope_errors s = ride_until_steady(&ride);
    const double pitch = ride.contact.spacing / 0.24;
    print_message("slip: stick angle %.4f (2.4764), rms %.2f, largest %.2f of %.1f N/m\n",
                  s.stick_angle, s.rms, s.most, s.largest);
    assert_near(s.stick_angle, 2.4764, pitch, 0);
    assert_near(s.rms, 0, 3e-3 * s.largest, 0);
}

/*
 * Two masses on a heavy rope over a sheave without friction: with x the way of the left one,
 *
 *     (M1 + M2 + m L) x'' = (M1 - M2 + m (l1 - l2) + 2 m x) g,
 *
 * the weight of the rope passes over from span to span. The drawn labels leave the arc's share of
 * the rope in place, so that x'' is that of a rigid rope up to its stretch.
 */
static void a_rope_runs_over_a_smooth_sheave_as_its_weights_say(void **state)
{
    (void)state;
    rope_ride ride;
    rig r;
    ride_elevator(&ride, "arc1d");
    ride.body[0].motion_spin = ride_constant(0);
    ride.body[1].mass = 80;
    ride.body[2].mass = 50;
    ride.contact.friction = 0;
    ride.cable.damping_strain = 0;
    ride.scene.start = HAW_START_GIVEN;
    ride.cable.tension = 500;
    ride_alpha(&r, 1e-3, 2);
    rig_set(&r, "rho_infinity", 1);
    rig_set(&r, "newton_tolerance", 1e-10);
    rig_build(&r, &ride.scene);
    const double density = 1.4, g = 9.81, length = 14 + 0.24 * pi;
    const double mass = 130 + density * length, rate = sqrt(2 * density * g / mass);
    const double first = (30 + density * (3 - 11)) * g / mass;
    rig_steps(&r, 1500);
    const double t = 1.5, way = first / (rate * rate) * (cosh(rate * t) - 1);
    const haw_ledger *l = &r.simulation->ledger;
    print_message("way %.6f m, of a rigid rope %.6f; energy drift %.2g J of %.4g, numerical %.2g\n",
                  -3 - r.state->q[4], way, l->balance_drift, l->kinetic, l->numerical_loss);
    assert_near(-3 - r.state->q[4], way, 2e-3, 2e-3);
    assert_near(l->friction_loss, 0, 1e-12, 0);
    assert_near(l->numerical_loss, 0, 1e-5 * l->kinetic, 0);
    assert_near(l->balance_error, 0, 1e-8 * fabs(l->initial), 0);
    rig_close(&r);
}

TEST_FILE(test_rope_arc_ride)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_of_a_steady_ride_is_that_of_the_theory),
        cmocka_unit_test(a_steady_ride_slips_where_the_theory_says),
        cmocka_unit_test(a_rope_runs_over_a_smooth_sheave_as_its_weights_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
