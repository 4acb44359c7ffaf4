/* SPDX-License-Identifier: BSD-3-Clause */
/* Springs, dampers, torques and compliant contact in the explicit stepper moreau. */
#include "stepper/simulation.h"
#include "support/rig.h"

static double balance(const haw_ledger *l)
{
    return l->kinetic + l->elastic + l->gravity - l->initial - l->external_work + l->friction_loss +
           l->impact_loss + l->damping_loss + l->numerical_loss;
}

/* A mass of 2 kg on a spring of length zero: w = 5 rad/s. */
static void open_oscillator(rig *r, double step, double damping)
{
    haw_body_spec body = haw_body_spec_default();
    haw_spring_spec spring = haw_spring_spec_default();
    body.name = "mass";
    body.mass = 2;
    body.inertia = 1;
    body.position[0] = 1;
    spring.between[0].on = "mass";
    spring.stiffness = 50;
    spring.damping = damping;
    spring.length = 0;
    rig_open(r);
    rig_time(r, step, 1e3, 0);
    const haw_scene scene = {.bodies = 1, .body = &body, .springs = 1, .spring = &spring};
    rig_build(r, &scene);
}

static void an_oscillator_has_its_closed_form_with_second_order(void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        rig r;
        open_oscillator(&r, 1e-3 / (1 << i), 0);
        rig_steps(&r, 2000 << i);
        error[i] = fabs(r.state->q[0] - cos(10));
        assert_near(balance(&r.simulation->ledger), 0, 1e-12, 0);
        rig_close(&r);
    }
    assert_true(error[0] < 1e-3);
    assert_near(log2(error[0] / error[1]), 2, 0.02, 0);
}

/* x = exp(-d t) (cos w t + d / w sin w t), d = c / 2 m. */
static void a_damper_takes_what_the_oscillator_loses(void **state)
{
    (void)state;
    rig r;
    open_oscillator(&r, 1e-4, 4);
    rig_steps(&r, 10000);
    const double d = 1, w = sqrt(25 - d * d);
    const haw_ledger *l = &r.simulation->ledger;
    assert_near(r.state->q[0], exp(-d) * (cos(w) + d / w * sin(w)), 1e-4, 0);
    assert_near(l->damping_loss, 25 - l->kinetic - l->elastic, 2e-4, 0);
    assert_near(balance(l), 0, 1e-12, 0);
    rig_close(&r);
}

/* Prescribed spin with inertia, a damper and a torque of its own: the motor gives the rest. */
static void the_motor_of_a_prescribed_spin_gives_what_is_missing(void **state)
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
    body.torque.constant = 1.5;
    const haw_scene scene = {.bodies = 1, .body = &body};
    rig_open(&r);
    rig_time(&r, 1e-3, 1, 0);
    rig_build(&r, &scene);
    for (int n = 0; n < 300; n++) {
        rig_step(&r);
        const double spin = 20 * 1e-3 * n;
        assert_near(r.simulation->reaction[2] / 1e-3, 0.25 * 20 + 0.5 * spin - 1.5, 1e-10, 0);
    }
    const haw_ledger *l = &r.simulation->ledger;
    assert_near(l->kinetic, 0.5 * 0.25 * 36, 1e-12, 0);
    assert_near(balance(l), 0, 1e-13, 0);
    assert_near(l->numerical_loss, 0, 1e-13, 0);
    rig_close(&r);
}

/* The canonical impact with springs for contact points, of its own parameters. */
static void open_impact(rig *r, disk_case *c, double stiffness)
{
    disk_case_init(c);
    c->contact.law = "penalty";
    c->contact.normal_stiffness = stiffness;
    c->contact.normal_damping = 10;
    c->contact.tangential = "regularized";
    c->contact.regularization = 1e-2;
    c->end = 0.25;
    rig_disk(r, c);
}

static void compliant_impact_comes_near_the_hard_one(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    open_impact(&r, &c, 1e6);
    const haw_ledger *l = &r.simulation->ledger;
    while (r.state->t < c.end) {
        rig_step(&r);
        assert_near(balance(l), 0, 1e-12 * l->initial, 0);
    }
    print_message("friction %.4g J, normal %.4g J, numerical %.3g J, at %.5g, %.5g, spin %.4g\n",
                  l->friction_loss, l->impact_loss, l->numerical_loss, r.state->q[0], r.state->q[1],
                  r.state->u[2]);
    assert_near(l->friction_loss, 3.88532, 0.1, 0);
    assert_near(r.state->q[0], -0.41724, 5e-3, 0);
    assert_near(r.state->q[1], 0.52406, 5e-3, 0);
    assert_near(l->numerical_loss, 0, 1e-3, 0);
    assert_true(l->impact_loss > 0);
    const double *impulse = haw_simulation_frame(r.simulation)->pair[0].impulse;
    assert_near(2 * (r.state->u[0] - 3), impulse[0], 1e-10, 0);
    rig_close(&r);
}

/* Too stiff for the step: energy out of nothing ends the run. */
static void contact_too_stiff_for_the_step_is_found_out(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    haw_status status = HAW_OK;
    open_impact(&r, &c, 1e10);
    while (status == HAW_OK && r.state->t < c.end) {
        status = haw_simulation_step(r.simulation);
    }
    assert_int_equal(status, HAW_ERR_DIVERGED);
    rig_close(&r);
}

static void what_the_explicit_step_cannot_take_is_refused(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_open(&r);
    c.contact.law = "penalty";
    c.contact.normal_stiffness = 1e6;
    c.contact.friction = 0.5;
    c.contact.tangential_stiffness = 1e6;
    c.contact.switching = HAW_SWITCHING_POST_NEWTON;
    RIG_REFUSES(&r, disk_case_scene(&c), "post-newton", "generalized-alpha");
    rig_close(&r);
}

/* m v = t^2 / 2 under a force that is t: the middle of the step gives it exactly. */
static void a_rising_force_acts_as_in_the_middle_of_the_step(void **state)
{
    (void)state;
    static const double time[2] = {0, 1}, value[2] = {0, 1};
    rig r;
    haw_body_spec body = haw_body_spec_default();
    haw_force_spec force = haw_force_spec_default();
    body.name = "mass";
    body.mass = 2;
    body.inertia = 1;
    force.on = "mass";
    force.force[0] = (haw_function){.count = 2, .time = time, .value = value};
    rig_open(&r);
    rig_time(&r, 0.1, 1, 0);
    const haw_scene scene = {.bodies = 1, .body = &body, .forces = 1, .force = &force};
    rig_build(&r, &scene);
    for (int n = 1; n <= 10; n++) {
        rig_step(&r);
        assert_near(r.state->u[0], 0.25 * 0.01 * n * n, 1e-15, 0);
    }
    rig_close(&r);
}

/* c h / J = 2.5: the explicit damper turns the spin round and makes it greater. */
static void a_damper_too_strong_for_the_step_ends_the_run(void **state)
{
    (void)state;
    rig r;
    haw_status status = HAW_OK;
    haw_body_spec body = haw_body_spec_default();
    body.name = "rotor";
    body.mass = body.inertia = body.spin = 1;
    body.rotational_damping = 25;
    rig_open(&r);
    rig_time(&r, 0.1, 1e3, 0);
    const haw_scene scene = {.bodies = 1, .body = &body};
    rig_build(&r, &scene);
    for (int i = 0; i < 20 && status == HAW_OK; i++) {
        status = haw_simulation_step(r.simulation);
    }
    assert_int_equal(status, HAW_ERR_DIVERGED);
    assert_non_null(strstr(haw_context_message(r.context), "dampers made"));
    rig_close(&r);
}

TEST_FILE(test_moreau_forces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_has_its_closed_form_with_second_order),
        cmocka_unit_test(a_damper_takes_what_the_oscillator_loses),
        cmocka_unit_test(the_motor_of_a_prescribed_spin_gives_what_is_missing),
        cmocka_unit_test(compliant_impact_comes_near_the_hard_one),
        cmocka_unit_test(contact_too_stiff_for_the_step_is_found_out),
        cmocka_unit_test(what_the_explicit_step_cannot_take_is_refused),
        cmocka_unit_test(a_rising_force_acts_as_in_the_middle_of_the_step),
        cmocka_unit_test(a_damper_too_strong_for_the_step_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
