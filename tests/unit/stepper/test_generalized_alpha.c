/* SPDX-License-Identifier: BSD-3-Clause */
/* generalized-alpha against closed forms: oscillators, driven bodies, the ledger, halved steps. */
#include "stepper/implicit.h"
#include "support/rig.h"

static const double PI = 3.14159265358979323846;

static void rig_alpha(rig *r, double step, double rho)
{
    rig_open(r);
    assert_int_equal(
        haw_stepper_settings_init(r->context, "generalized-alpha", &r->settings.stepper), HAW_OK);
    rig_set(r, "step", step);
    rig_set(r, "end", 1e6);
    rig_set(r, "rho_infinity", rho);
    rig_set(r, "newton_tolerance", 1e-13);
}

/* A body of 2 kg on a spring of length zero at the origin: x'' = -w^2 x in both directions. */
typedef struct oscillator {
    haw_body_spec body;
    haw_spring_spec spring;
    haw_force_spec force;
    haw_scene scene;
} oscillator;

static const haw_scene *oscillator_init(oscillator *o, double stiffness, double damping)
{
    o->body = haw_body_spec_default();
    o->spring = haw_spring_spec_default();
    o->force = haw_force_spec_default();
    o->body.name = "mass";
    o->body.mass = 2;
    o->body.inertia = 0.5;
    o->body.position[0] = 1;
    o->body.velocity[1] = 3;
    o->spring.between[0].on = "mass";
    o->spring.between[1].on = NULL;
    o->spring.stiffness = stiffness;
    o->spring.damping = damping;
    o->spring.length = 0;
    o->force.on = "mass";
    o->scene = (haw_scene){.bodies = 1, .body = &o->body, .springs = 1, .spring = &o->spring};
    return &o->scene;
}

/* The rule turns (w x, v) by the angle 2 atan(w h / 2) in every step, whatever w h is. */
static void the_trapezoidal_rule_keeps_the_amplitude_of_an_oscillator(void **state)
{
    (void)state;
    static const double omega_h[4] = {0.05, 0.7, 8, 300};
    for (int i = 0; i < 4; i++) {
        rig r;
        oscillator o;
        const double h = 1e-3, w = omega_h[i] / h, turn = 2 * atan(0.5 * omega_h[i]);
        rig_alpha(&r, h, 1);
        rig_build(&r, oscillator_init(&o, 2 * w * w, 0));
        for (int n = 1; n <= 500; n++) {
            rig_step(&r);
            const double *q = r.state->q, *u = r.state->u;
            assert_near(q[0], cos(n * turn), 1e-9, 0);
            assert_near(u[0] / w, -sin(n * turn), 1e-9, 0);
            assert_near(q[1], 3 / w * sin(n * turn), 1e-9, 0);
        }
        assert_near(r.simulation->ledger.numerical_loss, 0, 1e-9 * r.simulation->ledger.initial, 0);
        rig_close(&r);
    }
}

/* Growth per step of a stiff oscillator between steps 40 and 80, from its energy. */
static double radius(double rho, double omega_h)
{
    rig r;
    oscillator o;
    const double h = 1e-3, w = omega_h / h;
    double norm[2];
    rig_alpha(&r, h, rho);
    rig_set(&r, "newton_absolute", 0);
    rig_build(&r, oscillator_init(&o, 2 * w * w, 0));
    r.simulation->energy_scale = HUGE_VAL; /* the first steps of rho < 1 overshoot */
    for (int i = 0; i < 2; i++) {
        rig_steps(&r, 40);
        norm[i] = hypot(r.state->q[0], r.state->u[0] / w);
    }
    rig_close(&r);
    return pow(norm[1] / norm[0], 1.0 / 40);
}

/* Nearly double roots: n rho^n, a factor 2^(1/40) = 1.017 above rho. */
static void stiff_oscillations_shrink_by_rho_infinity_in_every_step(void **state)
{
    (void)state;
    static const double rho[3] = {1, 0.9, 0.7};
    for (int i = 0; i < 3; i++) {
        const double found = radius(rho[i], 1e5);
        print_message("rho %g: %.4f per step\n", rho[i], found);
        assert_near(found, rho[i], 0, 0.05);
    }
    assert_near(radius(0.8, 0.01), 1, 1e-6, 0);
}

/* Spin rising from 0 to 6 rad/s in 0.3 s: the motor gives I alpha, and the work 1/2 I w^2. */
static void the_torque_of_a_prescribed_spin_is_inertia_times_acceleration(void **state)
{
    (void)state;
    static const double time[2] = {0, 0.3}, value[2] = {0, 6};
    rig r;
    haw_body_spec body = haw_body_spec_default();
    body.name = "rotor";
    body.mass = 2;
    body.inertia = 0.25;
    body.motion = HAW_MOTION_PRESCRIBED;
    body.motion_spin = (haw_function){.count = 2, .time = time, .value = value};
    body.rotational_damping = 0.5;
    const haw_scene scene = {.bodies = 1, .body = &body};
    rig_alpha(&r, 1e-2, 1);
    rig_build(&r, &scene);
    for (int n = 0; n < 30; n++) {
        rig_step(&r);
        const double spin = 20 * (1e-2 * n + 5e-3);
        assert_near(r.simulation->reaction[2] / 1e-2, 0.25 * 20 + 0.5 * spin, 1e-12, 0);
        assert_near(r.state->a[2], 20, 1e-11, 0); /* from the first step on */
    }
    assert_near(r.state->u[2], 6, 1e-13, 0);
    assert_near(r.state->q[2], 0.9, 1e-13, 0);
    const haw_ledger *l = &r.simulation->ledger;
    assert_near(l->external_work, 0.5 * 0.25 * 36 + 0.5 * 400 * 0.009, 1e-3, 0);
    assert_near(l->damping_loss, 0.5 * 400 * 0.009, 1e-3, 0);
    assert_near(l->balance_drift, 0, 1e-13, 0);
    rig_close(&r);
}

/* A revolute body on a damper under a constant torque: w = (tau / d) (1 - exp(-d t / I)). */
static void a_torque_spins_up_a_damped_rotor(void **state)
{
    (void)state;
    rig r;
    haw_body_spec body = haw_body_spec_default();
    body.name = "rotor";
    body.mass = 2;
    body.inertia = 0.25;
    body.joint = HAW_JOINT_REVOLUTE;
    body.rotational_damping = 0.5;
    body.torque.constant = 3;
    const haw_scene scene = {.gravity = {0, -9.81}, .bodies = 1, .body = &body};
    rig_alpha(&r, 1e-3, 1);
    rig_build(&r, &scene);
    rig_steps(&r, 1000);
    assert_near(r.state->u[2], 6 * (1 - exp(-2)), 1e-6, 0);
    assert_near(r.state->q[1], 0, 0, 0);
    const haw_ledger *l = &r.simulation->ledger;
    assert_near(l->external_work, 3 * r.state->q[2], 0, 1e-12);
    assert_near(l->damping_loss, l->external_work - l->kinetic, 1e-11, 0);
    rig_close(&r);
}

/* Everything that does work but contact: gravity, a spring with a damper, a force in time. */
static void open_mixture(rig *r, oscillator *o, haw_cable_spec *cable, double rho)
{
    static const double time[3] = {0, 0.01, 0.03}, value[3] = {0, 40, -20};
    *cable = haw_cable_spec_default();
    cable->name = "cable";
    cable->element = "bezier";
    cable->elements = 6;
    cable->from[0] = cable->from[1] = 0;
    cable->to[0] = 1;
    cable->to[1] = 0.3;
    cable->tension = 50;
    cable->stiffness = 4e3;
    cable->density = 0.3;
    cable->damping_mass = 4;
    (void)oscillator_init(o, 800, 3);
    o->spring.length = 0.4;
    o->spring.between[1].on = "cable";
    o->spring.between[1].at[0] = 0.4;
    o->force.force[0] =
        (haw_function){.count = 3, .time = time, .value = value, .ramp = HAW_RAMP_COSINE};
    o->force.moment[2].constant = 0.5;
    o->scene.cables = 1;
    o->scene.cable = cable;
    o->scene.forces = 1;
    o->scene.force = &o->force;
    o->scene.gravity[1] = -9.81;
    o->scene.start = HAW_START_GIVEN;
    rig_alpha(r, 2e-4, rho);
    rig_build(r, &o->scene);
}

static double balance(const haw_ledger *l)
{
    return l->kinetic + l->elastic + l->gravity - l->initial - l->external_work + l->friction_loss +
           l->impact_loss + l->damping_loss + l->numerical_loss;
}

static void the_ledger_balances_to_the_tolerance_of_newton(void **state)
{
    (void)state;
    static const double rho[3] = {1, 0.8, 0};
    for (int i = 0; i < 3; i++) {
        rig r;
        oscillator o;
        haw_cable_spec cable;
        open_mixture(&r, &o, &cable, rho[i]);
        const haw_ledger *l = &r.simulation->ledger;
        for (int n = 0; n < 500; n++) {
            rig_step(&r);
            assert_near(balance(l), 0, 1e-11 * l->initial, 0);
        }
        print_message("rho %g: balance %.2g, numerical loss %.3g, damping %.3g, external %.3g of "
                      "%.3g J\n",
                      rho[i], l->balance_error, l->numerical_loss, l->damping_loss,
                      l->external_work, l->initial);
        assert_true(l->balance_error <= 1e-12 * l->initial);
        assert_true(l->damping_loss > 0.01 * l->initial);
        assert_true(fabs(l->external_work) > 0.01 * l->initial);
        assert_true(rho[i] == 1 || l->numerical_loss > 0);
        rig_close(&r);
    }
}

/* rho = 1: what the mean force misses is of third order in a step, second in the run. */
static void the_numerical_loss_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    double loss[2];
    for (int i = 0; i < 2; i++) {
        rig r;
        oscillator o;
        haw_cable_spec cable;
        open_mixture(&r, &o, &cable, 1);
        r.simulation->step = 2e-5 / (1 << i);
        rig_steps(&r, 1000 << i);
        loss[i] = r.simulation->ledger.numerical_loss;
        rig_close(&r);
    }
    print_message("%.3g J, %.3g J\n", loss[0], loss[1]);
    assert_near(loss[0] / loss[1], 4, 0.2, 0);
}

static void a_restored_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    static const double rho[2] = {1, 0.7};
    for (int i = 0; i < 2; i++) {
        rig r, fresh;
        oscillator o;
        haw_cable_spec cable;
        haw_state *kept = NULL;
        open_mixture(&r, &o, &cable, rho[i]);
        rig_steps(&r, 50);
        assert_int_equal(haw_state_create(r.context, r.model, &kept), HAW_OK);
        haw_state_copy(kept, r.state);
        open_mixture(&fresh, &o, &cable, rho[i]);
        assert_int_equal(haw_simulation_restore(fresh.simulation, kept), HAW_OK);
        rig_steps(&r, 100);
        rig_steps(&fresh, 100);
        const size_t bytes = (size_t)r.state->dofs * sizeof(double);
        assert_memory_equal(r.state->q, fresh.state->q, bytes);
        assert_memory_equal(r.state->u, fresh.state->u, bytes);
        assert_memory_equal(r.state->a, fresh.state->a, 2 * bytes);
        haw_state_free(r.context, kept);
        rig_close(&fresh);
        rig_close(&r);
    }
}

/* Too few iterations for the step: its parts converge and arrive at the same time. */
static void open_strained(rig *r, oscillator *o, haw_cable_spec *cable, int on_unconverged)
{
    open_mixture(r, o, cable, 1);
    r->simulation->settings.on_unconverged = on_unconverged;
    assert_int_equal(haw_stepper_set(r->context, &r->simulation->settings.stepper, "max_newton", 3),
                     HAW_OK);
    r->simulation->step = 2e-3;
}

static void steps_that_do_not_converge_are_halved_and_counted(void **state)
{
    (void)state;
    rig r;
    oscillator o;
    haw_cable_spec cable;
    open_strained(&r, &o, &cable, HAW_UNCONVERGED_HALVE);
    for (int n = 1; n <= 50; n++) {
        rig_step(&r);
        assert_near(r.state->t, 2e-3 * n, 0, 1e-14);
    }
    const haw_certificate *c = &r.simulation->certificate;
    print_message("%ld of 50 steps in parts, %ld attempts rejected, %ld iterations\n",
                  c->unconverged_steps, c->rejected_steps, c->newton_iterations);
    assert_true(c->unconverged_steps > 0 && c->rejected_steps >= c->unconverged_steps);
    assert_true(c->newton_residual_max <= 1);
    assert_near(balance(&r.simulation->ledger), 0, 1e-11 * r.simulation->ledger.initial, 0);
    rig_close(&r);
}

static void a_step_that_does_not_converge_is_not_taken(void **state)
{
    (void)state;
    rig r;
    oscillator o;
    haw_cable_spec cable;
    open_strained(&r, &o, &cable, HAW_UNCONVERGED_STOP);
    const double q = r.state->q[0];
    assert_int_equal(haw_simulation_step(r.simulation), HAW_ERR_UNCONVERGED);
    assert_non_null(strstr(haw_context_message(r.context), "Newton"));
    assert_true(r.state->q[0] == q && r.state->step == 0);
    assert_int_equal(r.simulation->certificate.unconverged_steps, 1);
    rig_close(&r);
}

/* State after 200 steps of the disk impact with hard contact. */
static void run_hard(const char *stepper, double state[6])
{
    rig r;
    disk_case c;
    rig_open(&r);
    assert_int_equal(haw_stepper_settings_init(r.context, stepper, &r.settings.stepper), HAW_OK);
    rig_set(&r, "step", 1e-4);
    rig_set(&r, "end", 1);
    rig_set(&r, "rho_infinity", 0.7);
    rig_set(&r, "max_newton", 30);
    disk_case_init(&c);
    c.body.position[0] = -0.105;
    rig_build(&r, disk_case_scene(&c));
    rig_steps(&r, 200);
    assert_true(r.simulation->ledger.friction_loss > 0);
    memcpy(state, r.state->q, 3 * sizeof *state);
    memcpy(state + 3, r.state->u, 3 * sizeof *state);
    rig_close(&r);
}

static void hard_contact_is_left_to_nsga_with_the_same_options(void **state)
{
    (void)state;
    double alpha[6], nsga[6];
    run_hard("generalized-alpha", alpha);
    run_hard("nsga", nsga);
    assert_memory_equal(alpha, nsga, sizeof alpha);
}

/* A free disk in the air moves on a parabola, exactly. */
static void free_flight_is_exact(void **state)
{
    (void)state;
    rig r;
    haw_body_spec body = haw_body_spec_default();
    body.name = "disk";
    body.mass = 2;
    body.inertia = 1;
    body.velocity[0] = 3;
    body.spin = 2 * PI;
    const haw_scene scene = {.gravity = {0, -9.81}, .bodies = 1, .body = &body};
    rig_alpha(&r, 1e-2, 0.6);
    rig_build(&r, &scene);
    rig_steps(&r, 100);
    assert_near(r.state->q[0], 3, 1e-12, 0);
    assert_near(r.state->q[1], -0.5 * 9.81, 1e-12, 0);
    assert_near(r.state->q[2], 2 * PI, 1e-12, 0);
    rig_close(&r);
}

TEST_FILE(test_generalized_alpha)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trapezoidal_rule_keeps_the_amplitude_of_an_oscillator),
        cmocka_unit_test(stiff_oscillations_shrink_by_rho_infinity_in_every_step),
        cmocka_unit_test(the_torque_of_a_prescribed_spin_is_inertia_times_acceleration),
        cmocka_unit_test(a_torque_spins_up_a_damped_rotor),
        cmocka_unit_test(the_ledger_balances_to_the_tolerance_of_newton),
        cmocka_unit_test(the_numerical_loss_falls_with_the_square_of_the_step),
        cmocka_unit_test(a_restored_run_goes_on_with_the_same_bits),
        cmocka_unit_test(steps_that_do_not_converge_are_halved_and_counted),
        cmocka_unit_test(a_step_that_does_not_converge_is_not_taken),
        cmocka_unit_test(hard_contact_is_left_to_nsga_with_the_same_options),
        cmocka_unit_test(free_flight_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
