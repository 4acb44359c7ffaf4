/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints in explicit steps: the projected inverse mass, and what it leaves of the references. */
#include "support/joints.h"

/* ---- pendulums ---- */

static double angle_of(const char *stepper, double *drift, double *loss)
{
    scenario_run run;
    joints_complete(&run, joints_double_pendulum, stepper, 1e-5);
    joints_check_ledger(&run, 15);
    const double angle = scenario_last(&run, "lower.angle", 0);
    *drift = run.summary.certificate.joint_drift_max;
    *loss = run.summary.ledger.numerical_loss;
    scenario_close(&run);
    return angle;
}

/* Angles, drift and the energy that steps make fall with the square of the step. */
static void a_double_pendulum_converges_with_order_two(void **state)
{
    static const double exact = -0.577252751 - 1.5707963267948966;
    double drift[2], loss[2];
    (void)state;
    const double coarse =
        angle_of("stepper: {type: moreau, step: 2.0e-3, end: 1}\n", &drift[0], &loss[0]);
    const double fine =
        angle_of("stepper: {type: moreau, step: 1.0e-3, end: 1}\n", &drift[1], &loss[1]);
    assert_near(fine, exact, 4e-6, 0);
    assert_near((coarse - exact) / (fine - exact), 4, 0.05, 0);
    assert_near(drift[0] / drift[1], 4, 0.05, 0);
    assert_near(loss[0] / loss[1], 4, 0.05, 0);
    scenario_run run;
    joints_complete(&run, joints_double_pendulum, "stepper: {type: moreau, step: 1.0e-4, end: 1}\n",
                    1e-8);
    joints_check_double_pendulum(&run, 1e-7, 1e-4);
    scenario_close(&run);
}

static void a_top_precesses_by_the_reference_angle(void **state)
{
    (void)state;
    scenario_run run;
    joints_complete(&run, joints_top, "stepper: {type: moreau, step: 1.0e-4, end: 0.1719603058}\n",
                    1e-5);
    joints_check_ledger(&run, 25);
    const double x = scenario_last(&run, "top.position", 0);
    const double y = scenario_last(&run, "top.position", 1);
    assert_near(atan2(y, x), 0.352505116, 0, 1e-3);
    assert_near(scenario_last(&run, "top.position", 2), 0.086602540378443865, 1e-5, 0);
    scenario_close(&run);
}

/* A bar that hangs on an arm which turns about the origin: the arm's moment does the work. */
static void a_driven_arm_works_through_its_joint(void **state)
{
    static const char text[] = PLANE
        "bodies:\n"
        "  - {name: arm, " BAR ", motion: {velocity: [0, 0], spin: {table: [[0, 0], [1, 3]]}}}\n"
        "  - {name: bar, " BAR ", position: [0.3, -0.5], angle_deg: 90}\n"
        "joints: [{name: pin, type: pinned, between: [{body: arm, at: [0.3, 0]}, {body: bar, at:"
        " [0.5, 0]}]}]\n"
        "output: {probes: [bar.position, bar.velocity, bar.spin]}\n";
    (void)state;
    scenario_run run;
    joints_complete(&run, text, "stepper: {type: moreau, step: 1.0e-4, end: 1}\n", 1e-6);
    joints_check_ledger(&run, 10);
    double energy = 9.81 * (scenario_last(&run, "bar.position", 1) + 0.5);
    for (int i = 0; i < 2; i++) {
        const double v = scenario_last(&run, "bar.velocity", i);
        energy += 0.5 * v * v;
    }
    const double spin = scenario_last(&run, "bar.spin", 0);
    energy += 0.5 * (9 + spin * spin) / 12; /* the arm turns by 3 rad/s */
    assert_near(run.summary.ledger.external_work, energy, 1e-6, 0);
    assert_true(energy > 1);
    scenario_close(&run);
}

/* ---- contact ---- */

/* gamma+ as velocities have it, and as the contact problem has it, W r + gamma_free. */
static void check_operator(const haw_contacts *contacts)
{
    const haw_bsr *w = &contacts->problem.w;
    const int d = contacts->dimension;
    for (int i = 0; i < contacts->count; i++) {
        double gamma[HAW_DIRECTIONS];
        memcpy(gamma, contacts->gamma_free + (ptrdiff_t)d * i, (size_t)d * sizeof *gamma);
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            const double *block = w->value + (ptrdiff_t)d * d * k;
            for (int rc = 0; rc < d * d; rc++) {
                gamma[rc / d] += block[rc] * contacts->impulse[d * w->column[k] + rc % d];
            }
        }
        for (int k = 0; k < d; k++) {
            assert_near(contacts->gamma_plus[d * i + k], gamma[k], 1e-12, 1e-12);
        }
    }
}

static void a_ball_bounces_on_a_net(void **state)
{
    static const char *const steppers[] = {
        "stepper: {type: moreau, step: 1.0e-4, end: 0.1}\n",
        "stepper: {type: moreau, theta: 0.5, step: 2.0e-4, end: 0.1}\n"};
    double speed[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        int most = 0, mixed = 0;
        joints_open(&run, joints_net, steppers[i]);
        haw_status status = HAW_OK;
        while (status == HAW_OK) {
            const haw_contacts *contacts = run.simulation->contacts;
            status = haw_simulation_step(run.simulation);
            check_operator(contacts);
            most = contacts->count > most ? contacts->count : most;
            mixed += contacts->count > 1;
        }
        assert_int_equal(status, HAW_DONE);
        assert_true(most > 1 && mixed > 10);
        assert_near(run.simulation->ledger.balance_error, 0, 1e-11, 0);
        assert_near(run.simulation->certificate.joint_drift_max, 0, 1e-14, 0);
        speed[i] = run.simulation->state->u[2];
        scenario_close(&run);
    }
    assert_near(speed[0], speed[1], 0.05, 0);
}

static void a_pendulum_comes_to_rest_on_a_plane(void **state)
{
    (void)state;
    scenario_run run;
    joints_complete(&run, ROD("law: hard, friction: 0.3"),
                    "stepper: {type: moreau, step: 1.0e-4, end: 1}\n", 1e-6);
    joints_check_ledger(&run, 10);
    assert_near(scenario_last(&run, "bar.position", 1), -0.45, 1e-3, 0);
    const double x = scenario_last(&run, "joint.pivot.force", 0);
    const double y = scenario_last(&run, "joint.pivot.force", 1);
    assert_near(scenario_last(&run, "contact.force", 1) - y, -9.81, 1e-8, 0);
    assert_near(scenario_last(&run, "contact.force", 0) - x, 0, 1e-8, 0);
    scenario_close(&run);
}

/* Wherever it is welded: rounding leaves W a little more or less than nothing. */
static void what_joints_hold_on_both_sides_is_no_contact(void **state)
{
    (void)state;
    for (int i = 1; i < 8; i++) {
        char text[1024];
        scenario_run run;
        snprintf(text, sizeof text,
                 PLANE "bodies:\n"
                       "  - {name: ball, shape: {type: circle, radius: 0.1}, mass: 0.7, inertia: "
                       "0.3, position: [0, 0.1]}\n"
                       "  - {name: wall, shape: {type: plane}, motion: {fixed: true}}\n"
                       "joints: [{name: weld, type: fixed, between: [{ground: [%g, 0.3]}, {body: "
                       "ball, at: [%g, 0.2]}]}]\n"
                       "contact: [{between: [ball, wall], law: hard, friction: 0.3}]\n"
                       "stepper: {type: moreau, step: 1.0e-4, end: 1}\n",
                 0.1 * i, 0.1 * i);
        joints_open(&run, text, "");
        assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
        assert_non_null(
            strstr(haw_context_message(run.context), "between two sides that cannot move"));
        scenario_close(&run);
    }
}

static void a_restored_run_goes_on_with_the_same_bits(void **state)
{
    static const char stepper[] = "stepper: {type: moreau, step: 1.0e-4, end: 1}\n";
    (void)state;
    joints_check_restored(joints_top, stepper, 100);
    joints_check_restored(joints_double_pendulum, stepper, 100);
    joints_check_restored(ROD("law: hard, friction: 0.3"), stepper, 3000);
}

TEST_FILE(test_joints_explicit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_converges_with_order_two),
        cmocka_unit_test(a_top_precesses_by_the_reference_angle),
        cmocka_unit_test(a_driven_arm_works_through_its_joint),
        cmocka_unit_test(a_ball_bounces_on_a_net),
        cmocka_unit_test(a_pendulum_comes_to_rest_on_a_plane),
        cmocka_unit_test(what_joints_hold_on_both_sides_is_no_contact),
        cmocka_unit_test(a_restored_run_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
