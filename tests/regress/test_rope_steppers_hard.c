/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes over sheaves with set-valued contact in moreau-jean: rest, and the creep theory on a ride.
 */
#include "cable/reeving.h"
#include "stepper/implicit.h"
#include "support/rope_ride.h"

static const double pi = 3.14159265358979323846;
static const double friction = 0.16;

/* The elevator with a string for a rope and hard contact. */
static void hard_elevator(rope_ride *ride, int elements, int knots)
{
    ride_elevator(ride, "ale");
    ride->cable.elements = elements;
    ride->cable.bending_stiffness = 0;
    ride_contact(ride, 0.24 * pi / knots);
    ride->contact.law = "hard";
    ride->contact.normal = ride->contact.tangential = NULL;
    ride->contact.per = HAW_PER_POINT;
    ride->contact.friction = friction;
}

static void jean(rig *r, double step, double end)
{
    rig_open(r);
    ride_stepper(r, "moreau-jean");
    rig_time(r, step, end, 0.55);
    rig_solver_set(r, "tolerance", 1e-8);
    r->settings.on_unconverged = HAW_UNCONVERGED_HALVE;
}

/* Springs and bristles stand for the contacts in a static start; what they carry, friction holds.
 */
static void a_static_start_with_hard_contact_stays_at_rest(void **state)
{
    (void)state;
    rope_ride ride;
    rig r;
    hard_elevator(&ride, 30, 120);
    ride.body[0].motion_spin = ride_constant(0);
    jean(&r, 1e-3, 1);
    rig_build(&r, &ride.scene);
    const double left = 1330 - 1.4 * r.state->q[4], right = 1015 - 1.4 * r.state->q[7];
    const double start = r.state->q[4], want = -0.24 * 9.81 * (left - right);
    rig_steps(&r, 100);
    const haw_certificate *c = &r.simulation->certificate;
    print_message("torque %.6f N m (%.6f), car moved %.2g m, penetration %.2g m, %d knots\n",
                  ride_torque(&r, 0), want, r.state->q[4] - start, c->penetration_points_max,
                  c->contacts_max);
    assert_near(ride_torque(&r, 0), want, 0, 1e-4);
    assert_near(r.state->q[4], start, 1e-7, 0);
    assert_near(c->penetration_points_max, 0, 1e-6, 0);
    assert_int_equal(c->unconverged_steps, 0);
    rig_close(&r);
}

/* nsga takes no hard knots: generalized-alpha leaves them to the theta-method of its rho_infinity.
 */
static void generalized_alpha_leaves_hard_knots_to_moreau_jean(void **state)
{
    (void)state;
    double found[2][3];
    for (int i = 0; i < 2; i++) {
        rope_ride ride;
        rig r;
        hard_elevator(&ride, 30, 120);
        rig_open(&r);
        ride_stepper(&r, i == 0 ? "generalized-alpha" : "moreau-jean");
        rig_set(&r, "step", 1e-3);
        rig_set(&r, i == 0 ? "rho_infinity" : "theta", i == 0 ? 0.6 : 1 / 1.6);
        rig_solver_set(&r, "tolerance", 1e-8);
        rig_build(&r, &ride.scene);
        rig_steps(&r, 5);
        memcpy(found[i], r.state->q + 3, sizeof found[i]);
        rig_close(&r);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

/* Angle of the middle of element e from the entry, on the side of the counterweight. */
static double element_angle(const rig *r, int e)
{
    const haw_rope *rope = r->simulation->model.cable[0].rope;
    double q[HAW_ROPE_DOFS];
    haw_rope_gather(rope, e, r->state->q, q);
    const double angle = atan2(q[1] + q[5], q[0] + q[4]);
    return angle < -0.5 * pi ? angle + 2 * pi : angle;
}

/* Mean tension of the elements between two angles from the entry [N], and their mean angle. */
static double tension_between(const rig *r, double from, double to, double *mean)
{
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    double sum = 0;
    int count = 0;
    *mean = 0;
    for (int e = 0; e < cable->rope->elements; e++) {
        if (cable->rope->element[e].is_span) {
            continue;
        }
        const double angle = element_angle(r, e);
        if (angle > from && angle < to) {
            sum += cable->ops->tension(cable, e, r->state->q, NULL);
            *mean += angle;
            count++;
        }
    }
    assert_true(count > 0);
    *mean /= count;
    return sum / count;
}

/*
 * The car goes down and drives the sheave: the rope slips where it leaves it, on the side of the
 * car, over ln(T2 / T1) / mu, and rests on the sheave before.
 */
static void a_ride_slips_over_the_angle_of_creep(void **state)
{
    (void)state;
    rope_ride ride;
    rig r;
    hard_elevator(&ride, 60, 120);
    for (int i = 0; i < RIDE_TIMES; i++) {
        ride.time[i] = i + (i > 1 ? 10 : 0);
    }
    jean(&r, 2.5e-4, 2.4);
    rig_build(&r, &ride.scene);
    while (!haw_simulation_is_done(r.simulation)) {
        rig_step(&r);
    }
    double angle, near, far;
    const double low = tension_between(&r, -0.2, -0.03, &angle);
    const double stick = tension_between(&r, 0.3, 1.2, &angle);
    const double high = tension_between(&r, pi + 0.03, pi + 0.2, &angle);
    const double first = tension_between(&r, 1.9, 2.1, &near);
    const double last = tension_between(&r, 2.7, 2.9, &far);
    const double want = log(high / low) / friction, slip = log(high / stick) / friction;
    const haw_ledger *l = &r.simulation->ledger;
    const double rise = log(last / first) / (far - near);
    print_message("T %.2f to %.2f N, %.2f where it sticks: slip over %.4f rad (%.4f), mobilised "
                  "%.5f\n",
                  low, high, stick, slip, want, rise);
    print_message("friction %.3g, impact %.3g, damping %.3g, numerical %.3g of %.6g J, balance "
                  "%.2g J\n",
                  l->friction_loss, l->impact_loss, l->damping_loss, l->numerical_loss,
                  l->external_work, l->balance_error);
    assert_near(slip, want, 0, 1e-2);
    assert_near(rise, friction, 0, 2e-3);
    assert_near(l->balance_error, 0, 1e-6, 0);
    assert_near(l->numerical_loss, 0, 1e-3 * fabs(l->external_work), 0);
    assert_int_equal(r.simulation->certificate.unconverged_steps, 0);
    rig_close(&r);
}

TEST_FILE(test_rope_steppers_hard)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_static_start_with_hard_contact_stays_at_rest),
        cmocka_unit_test(generalized_alpha_leaves_hard_knots_to_moreau_jean),
        cmocka_unit_test(a_ride_slips_over_the_angle_of_creep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
