/* SPDX-License-Identifier: BSD-3-Clause */
/* Single terms of the energy ledger against the same work computed in another way. */
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/rig.h"

/* The reactions of a body at constant velocity work on it against the impulse it receives. */
static void the_work_of_a_driven_body_is_its_impulse_times_its_velocity(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.body.motion = HAW_MOTION_PRESCRIBED;
    c.body.motion_velocity[0].constant = 3;
    c.body.motion_velocity[1].constant = -0.5;
    c.body.motion_spin.constant = 40;
    rig_disk(&r, &c);
    rig_steps(&r, 5000);
    const double *p = haw_simulation_frame(r.simulation)->pair[0].impulse;
    const double work = -(3 * p[0] - 0.5 * p[1] + 40 * p[5]);
    assert_true(work > 1);
    assert_near(r.simulation->ledger.external_work, work, 0, 1e-12);
    rig_close(&r);
}

/* Slow stretching of a weightless cable: work = integral of EA eps dl = (T0 + T1) dl / 2. */
static void the_work_of_a_slowly_moving_end_is_that_of_the_tension(void **state)
{
    (void)state;
    static const double time[2] = {0, 0.2}, speed[2] = {0.05, 0.05};
    rig r;
    rig_open(&r);
    rig_time(&r, 2e-5, 0.2, 0);
    haw_cable_spec cable = haw_cable_spec_default();
    cable = (haw_cable_spec){.name = "line",
                             .element = "bezier",
                             .elements = 20,
                             .to = {2, 0},
                             .tension = 400,
                             .length = NAN,
                             .stiffness = 4e4,
                             .density = 0.1,
                             .damping_mass = 50,
                             .gauss_points = cable.gauss_points};
    cable.ends[1] = (haw_end_spec){.kind = HAW_END_MOTION,
                                   .velocity[0] = {.count = 2, .time = time, .value = speed}};
    const haw_scene scene = {.cables = 1, .cable = &cable};
    rig_build(&r, &scene);
    rig_steps(&r, 10000);
    const double final = haw_cable_tension_mean(&r.simulation->model.cable[0], r.state->q);
    assert_near(final, 400 + 4e4 * 0.01 / (2 / 1.01), 0, 1e-4);
    assert_near(r.simulation->ledger.external_work, 0.5 * (400 + final) * 0.01, 0, 2e-3);
    rig_close(&r);
}

static void open_vibration(rig *r, disk_case *c, double step, double theta)
{
    c->step = step;
    c->theta = theta;
    c->end = 0.01;
    rig_disk_settings(r, c);
    haw_scene scene = *disk_case_scene(c);
    scene.bodies = scene.contacts = 0;
    rig_build(r, &scene);
    rig_deflect(r, 0.05, 0.004);
}

/* Twice the kinetic energy times the rate, by the trapezoidal rule. */
static void the_damping_loss_is_the_integral_of_its_power(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.cable.damping_mass = 120;
    open_vibration(&r, &c, 5e-6, 0);
    const haw_ledger *l = &r.simulation->ledger;
    double sum = 0, last = 0, power = 0;
    for (int i = 0; i < 2000; i++) {
        rig_step(&r);
        sum += 0.5 * 5e-6 * (power + 2 * 120 * l->kinetic);
        power = 2 * 120 * l->kinetic;
        assert_true(l->damping_loss >= last);
        last = l->damping_loss;
    }
    assert_true(last > 0.1);
    assert_near(last, sum, 0, 1e-4);
    rig_close(&r);
}

/* -sum (dV + f . dq) with the force of a step at q + h u / 2, summed outside the ledger. */
static void the_numerical_loss_is_the_work_that_the_forces_miss(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    double before[128] = {0}, middle[128] = {0}, f[128] = {0}, sum = 0;
    disk_case_init(&c);
    open_vibration(&r, &c, 2e-5, 0);
    const haw_model *model = &r.simulation->model;
    assert_true(model->dofs <= 128);
    for (int k = 0; k < 500; k++) {
        const haw_energy old = haw_model_energy(model, r.state->q);
        for (int i = 0; i < model->dofs; i++) {
            before[i] = r.state->q[i];
            middle[i] = r.state->q[i] + 1e-5 * r.state->u[i];
        }
        haw_model_force(model, middle, f);
        rig_step(&r);
        const haw_energy now = haw_model_energy(model, r.state->q);
        sum -= now.elastic + now.gravity - old.elastic - old.gravity;
        for (int i = 0; i < model->dofs; i++) {
            sum -= f[i] * (r.state->q[i] - before[i]);
        }
    }
    assert_true(fabs(sum) > 1e-4);
    assert_near(r.simulation->ledger.numerical_loss, sum, 1e-11, 0);
    rig_close(&r);
}

static double vibration_loss(const char *element, double theta, double step)
{
    rig r;
    disk_case c;
    disk_case_init(&c);
    c.element = element;
    c.gyro_iterations = 3;
    open_vibration(&r, &c, step, theta);
    rig_steps(&r, lround(0.01 / step));
    const double loss = r.simulation->ledger.numerical_loss;
    rig_close(&r);
    return loss;
}

/* Order 2 in the step, for the explicit and the implicit midpoint. */
static void the_numerical_loss_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int k = 0; k < 2; k++) {
            const char *name = haw_elements[i]->name;
            const double coarse = vibration_loss(name, 0.5 * k, 5e-6);
            const double fine = vibration_loss(name, 0.5 * k, 2.5e-6);
            print_message("%s, theta %g: %.3g J, %.3g J\n", name, 0.5 * k, coarse, fine);
            assert_near(coarse / fine, 4, 0.05, 0);
        }
    }
}

TEST_FILE(test_ledger_terms)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_of_a_driven_body_is_its_impulse_times_its_velocity),
        cmocka_unit_test(the_work_of_a_slowly_moving_end_is_that_of_the_tension),
        cmocka_unit_test(the_damping_loss_is_the_integral_of_its_power),
        cmocka_unit_test(the_numerical_loss_is_the_work_that_the_forces_miss),
        cmocka_unit_test(the_numerical_loss_falls_with_the_square_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
