/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes over sheaves in generalized-alpha: rest, energy, order, the torque of a drive, refusals. */
#include "stepper/implicit.h"
#include "support/rope_ride.h"

static const char *const kinds[] = {"ale", "arc1d", NULL};

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void a_static_start_stays_at_rest(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        ride_elevator(&ride, kinds[k]);
        ride.body[0].motion_spin = ride_constant(0);
        ride_alpha(&r, 1e-3, 1);
        rig_build(&r, &ride.scene);
        double before[3];
        memcpy(before, r.state->q + 3, sizeof before);
        rig_steps(&r, 100);
        const haw_ledger *ledger = &r.simulation->ledger;
        print_message("%s: speeds %.2g, kinetic %.2g J\n", kinds[k],
                      largest(r.state->u, r.state->dofs), ledger->kinetic);
        assert_near(largest(r.state->u, r.state->dofs), 0, 1e-7, 0);
        assert_near(r.state->q[4], before[1], 1e-10, 0);
        assert_near(ledger->kinetic, 0, 1e-12, 0);
        assert_near(ledger->friction_loss, 0, 1e-8, 0);
        rig_close(&r);
    }
}

/* The holding torque of a rope at rest is R times the difference of the weights below the axis. */
static void the_torque_at_rest_is_that_of_the_weights(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        ride_open(&ride, &r, kinds[k], 1e-3, 1);
        rig_steps(&r, 10);
        const double left = 1330 - 1.4 * r.state->q[4], right = 1015 - 1.4 * r.state->q[7];
        const double want = -0.24 * 9.81 * (left - right);
        print_message("%s: %.6f N m, of the weights %.6f\n", kinds[k], ride_torque(&r, 0), want);
        assert_near(ride_torque(&r, 0), want, 0, 2e-3);
        rig_close(&r);
    }
}

/*
 * Every term of the ledger has its own forces, so that the balance says whether they are those of
 * the motion; numerical_loss has the work of the mesh, which no motor does.
 */
static void the_energy_of_a_ride_closes(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        ride_open(&ride, &r, kinds[k], 2e-3, 3);
        double work = 0;
        while (!haw_simulation_is_done(r.simulation)) {
            const double angle = r.state->q[2];
            rig_step(&r);
            work += ride_torque(&r, 0) * (r.state->q[2] - angle);
        }
        const haw_ledger *l = &r.simulation->ledger;
        print_message("%s: kinetic %.4g, work %.6g, friction %.3g, damping %.3g, impact %.3g, "
                      "numerical %.3g, balance %.2g J\n",
                      kinds[k], l->kinetic, work, l->friction_loss, l->damping_loss, l->impact_loss,
                      l->numerical_loss, l->balance_error);
        assert_near(l->kinetic, 0.5 * (1330 + 1015 + 1.4 * 14.75), 0, 5e-3);
        assert_near(l->external_work, work, 0, 1e-12);
        assert_near(l->balance_error, 0, 1e-7, 0);
        assert_near(l->balance_drift, 0, 1e-5, 0);
        assert_near(l->numerical_loss, 0, 1e-4 * fabs(work), 0);
        rig_close(&r);
    }
}

/* ---- order ---- */

/* The car is pulled at within 10 ms, the sheave held, all bristles stick; its place after 40 ms. */
static double pulled(const char *element, double h, double rho)
{
    static const double time[2] = {0, 0.01}, force[2] = {0, -3000};
    rope_ride ride;
    rig r;
    ride_elevator(&ride, element);
    ride.body[0].motion_spin = ride_constant(0);
    ride.contact.friction = 1;
    ride.scene.forces = 1;
    ride.force[0] = haw_force_spec_default();
    ride.force[0].on = "car";
    ride.force[0].force[1] =
        (haw_function){.count = 2, .time = time, .value = force, .ramp = HAW_RAMP_CYCLOID};
    ride_alpha(&r, h, 1);
    rig_set(&r, "rho_infinity", rho);
    rig_set(&r, "newton_tolerance", 1e-11);
    rig_build(&r, &ride.scene);
    rig_steps(&r, lround(0.04 / h));
    const double y = r.state->q[4];
    rig_close(&r);
    return y;
}

static void steps_of_ropes_are_of_second_order(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        for (int i = 0; i < 2; i++) {
            const double rho = i == 0 ? 1 : 0.7;
            double y[3];
            for (int j = 0; j < 3; j++) {
                y[j] = pulled(kinds[k], 4e-4 / (1 << j), rho);
            }
            const double order = log2((y[0] - y[1]) / (y[1] - y[2]));
            print_message("%s, rho %g: order %.3f\n", kinds[k], rho, order);
            assert_near(order, 2, 0.05, 0);
        }
    }
}

/* ---- the drive ---- */

/* Mean over 20 ms before t, as a frame has it. */
static double torque_until(rig *r, double t)
{
    double sum = 0;
    int count = 0;
    while (r->state->t < t - 1e-9) {
        rig_step(r);
        if (r->state->t > t - 0.02 + 1e-9) {
            sum -= ride_torque(r, 0);
            count++;
        }
    }
    return sum / count;
}

/* Torques of an independent prototype: lumped spans, nodes on the arc, Newmark, steps of 1 ms. */
static void a_ride_asks_for_the_torque_of_the_prototype(void **state)
{
    (void)state;
    static const double at[4] = {1.2, 5, 9.2, 12}, want[4] = {146.9, 740.2, 1338.4, 769.2};
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        ride_open(&ride, &r, kinds[k], 5e-3, 12);
        for (int i = 0; i < 4; i++) {
            const double got = torque_until(&r, at[i]);
            print_message("%s, %4.1f s: %.2f N m (%.2f)\n", kinds[k], at[i], got, want[i]);
            assert_near(got, want[i], 0, 5e-3);
        }
        assert_int_equal(r.simulation->certificate.unconverged_steps, 0);
        rig_close(&r);
    }
}

/*
 * A sheave that was held while the static start was sought turns under unequal masses as a rigid
 * rope would have it, M y'' = dm g + 2 rho g y; both masses swing on the rope about that.
 */
static void a_passive_sheave_turns_as_with_a_rigid_rope(void **state)
{
    (void)state;
    static const char *const lock[] = {"sheave.angle"};
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        ride_elevator(&ride, kinds[k]);
        ride.body[0].motion = HAW_MOTION_FREE;
        ride.body[0].joint = HAW_JOINT_REVOLUTE;
        ride.body[0].mass = 50;
        ride.body[0].inertia = 2;
        ride.body[2].mass = 1300;
        ride.scene.locks = 1;
        ride.scene.lock = lock;
        ride_alpha(&r, 1e-3, 2);
        rig_build(&r, &ride.scene);
        const double start = r.state->q[4];
        rig_steps(&r, 600);
        const double mass = 1330 + 1300 + 1.4 * (14 + 0.24 * acos(-1)) + 2 / (0.24 * 0.24);
        const double rate = sqrt(2 * 1.4 * 9.81 / mass), more = 1330 - 1300 - 1.4 * 8;
        const double want = -more / (2 * 1.4) * (cosh(rate * 0.6) - 1);
        print_message("%s: down by %.6f m in 0.6 s, rigid %.6f\n", kinds[k], r.state->q[4] - start,
                      want);
        assert_near(r.state->q[4] - start, want, 4e-5, 0);
        assert_near(-0.24 * r.state->q[2], want, 1e-3, 0);
        assert_near(r.simulation->ledger.balance_error, 0, 1e-8, 0);
        rig_close(&r);
    }
}

/* ---- runs that go on, and what is refused ---- */

static void a_ride_goes_on_from_a_checkpoint_with_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; kinds[k] != NULL; k++) {
        rope_ride ride;
        rig r;
        haw_state *kept, *end;
        ride_open(&ride, &r, kinds[k], 5e-3, 12);
        assert_int_equal(haw_state_create(r.context, &r.simulation->model, &kept), HAW_OK);
        assert_int_equal(haw_state_create(r.context, &r.simulation->model, &end), HAW_OK);
        rig_steps(&r, 200);
        haw_state_copy(kept, r.state);
        rig_steps(&r, 30);
        haw_state_copy(end, r.state);
        assert_int_equal(haw_simulation_restore(r.simulation, kept), HAW_OK);
        rig_steps(&r, 30);
        assert_memory_equal(end->q, r.state->q, (size_t)end->coordinates * sizeof(double));
        assert_memory_equal(end->u, r.state->u, (size_t)end->dofs * sizeof(double));
        haw_state_free(r.context, kept);
        haw_state_free(r.context, end);
        rig_close(&r);
    }
}

/* Bristles that a missed step has torn do not come back. */
static void a_missed_step_of_a_rope_is_an_error(void **state)
{
    (void)state;
    rope_ride ride;
    rig r;
    ride_elevator(&ride, "ale");
    ride_alpha(&r, 5e-3, 12);
    r.settings.on_unconverged = HAW_UNCONVERGED_WARN;
    rig_set(&r, "max_newton", 1);
    rig_build(&r, &ride.scene);
    haw_status status = HAW_OK;
    for (int i = 0; i < 100 && status == HAW_OK; i++) {
        status = haw_simulation_step(r.simulation);
    }
    assert_int_equal(status, HAW_ERR_UNCONVERGED);
    rig_close(&r);
}

static void steppers_without_ropes_say_so(void **state)
{
    (void)state;
    rope_ride ride;
    rig r;
    ride_elevator(&ride, "ale");
    rig_open(&r);
    RIG_REFUSES(&r, &ride.scene, "rope", "moreau cannot handle", "quasi-static");
    ride.contact.law = "hard";
    ride.contact.normal = ride.contact.tangential = NULL;
    ride_stepper(&r, "nsga");
    RIG_REFUSES(&r, &ride.scene, "hard knots", "nsga cannot handle", "use moreau-jean");
    rig_close(&r);
}

TEST_FILE(test_rope_steppers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_static_start_stays_at_rest),
        cmocka_unit_test(the_torque_at_rest_is_that_of_the_weights),
        cmocka_unit_test(the_energy_of_a_ride_closes),
        cmocka_unit_test(steps_of_ropes_are_of_second_order),
        cmocka_unit_test(a_ride_asks_for_the_torque_of_the_prototype),
        cmocka_unit_test(a_passive_sheave_turns_as_with_a_rigid_rope),
        cmocka_unit_test(a_ride_goes_on_from_a_checkpoint_with_the_same_bits),
        cmocka_unit_test(a_missed_step_of_a_rope_is_an_error),
        cmocka_unit_test(steppers_without_ropes_say_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
