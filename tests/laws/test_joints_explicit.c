/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints in explicit steps: the projected inverse mass, and what it leaves of the references. */
#include "support/joints.h"

/* ---- pendulums ---- */

/* Largest gap of the pivot and of the elbow, by the centres and angles of the bars. */
static double gap_of(const double *q)
{
    const double gap[] = {q[0] - 0.5 * cos(q[2]), q[1] - 0.5 * sin(q[2]),
                          q[3] - q[0] - 0.5 * (cos(q[2]) + cos(q[5])),
                          q[4] - q[1] - 0.5 * (sin(q[2]) + sin(q[5]))};
    double most = 0;
    for (int i = 0; i < 4; i++) {
        most = fmax(most, fabs(gap[i]));
    }
    return most;
}

static double angle_of(const char *stepper, double *drift, double *loss)
{
    scenario_run run;
    haw_status status = HAW_OK;
    *drift = 0;
    joints_open(&run, joints_double_pendulum, stepper);
    const haw_simulation *simulation = run.simulation;
    while (status == HAW_OK) {
        status = haw_simulation_step(run.simulation);
        *drift = fmax(*drift, gap_of(simulation->state->q));
    }
    assert_int_equal(status, HAW_DONE);
    assert_near(simulation->ledger.balance_error, 0, 1e-12 * 15, 0);
    assert_near(simulation->certificate.joint_drift_max, *drift, 1e-15, 0);
    *loss = simulation->ledger.numerical_loss;
    const double angle = simulation->state->q[5];
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

/* @return what is missing of the angle */
static double precess(const char *stepper)
{
    scenario_run run;
    joints_complete(&run, joints_top, stepper, 1e-5);
    joints_check_ledger(&run, 25);
    const double angle = joints_check_top(&run, 1e-5);
    scenario_close(&run);
    return angle;
}

static void a_top_precesses_with_order_two(void **state)
{
    (void)state;
    const double coarse = precess("stepper: {type: moreau, step: 1.0e-4, end: 0.1719603058}\n");
    const double fine = precess("stepper: {type: moreau, step: 5.0e-5, end: 0.1719603058}\n");
    assert_near(coarse / fine, 4, 0.02, 0);
}

/* Within an element whose outer node is held. */
static void a_weight_hangs_beside_a_held_node(void **state)
{
    static const char text[] = PLANE
        "bodies: [{name: weight, mass: 1, position: [0.1, 0], joint: translation}]\n"
        "cables: [{name: rope, element: bezier, elements: 4, from: [0, 0], to: [1, 0], tension: 50,"
        " stiffness: 1.0e+4, density: 1}]\n"
        "joints: [{name: j, type: pinned, between: [{cable: rope, at: 0.1}, {body: weight}]}]\n"
        "start: given\noutput: {probes: [weight.position]}\n";
    static const char *const steppers[] = {
        "stepper: {type: moreau, step: 5.0e-5, end: 0.05}\n",
        "stepper: {type: moreau-jean, theta: 0.5, step: 5.0e-5, end: 0.05, newton_tolerance:"
        " 1.0e-13}\n"};
    double y[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        joints_complete(&run, text, steppers[i], 1e-14);
        y[i] = scenario_last(&run, "weight.position", 1);
        scenario_close(&run);
    }
    assert_near(y[0], y[1], 0, 1e-4);
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

/* Of any stepper: both ends of a chain are driven down, and its middle node, which the clamped end
 * keeps on a straight line with it, could only go along the ground. The weight of each contact,
 * trace(W_cc) / d, is as good as any. */
static void what_is_driven_into_the_ground_ends_at_once(void **state)
{
    static const char *const steppers[] = {"moreau-jean", "moreau-jean, contact_law: velocity",
                                           "nsga", "quasi-static"};
    (void)state;
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        char text[1024];
        scenario_run run;
        snprintf(
            text, sizeof text,
            "hawser: 1\nbodies: [{name: ground, shape: {type: plane}, motion: {velocity: [-0.3, "
            "-0.2]}}]\n"
            "cables: [{name: c, from: [-1, 0], to: [1, 0], length: 2.2, ends: {start: clamped, "
            "end: {motion: {velocity: [1, -0.8]}}}, element: chain, elements: 2, stiffness: "
            "600, density: 0.06}]\n"
            "contact: [{between: [c, ground], law: hard, friction: 0.4, spacing: 0.2}]\n"
            "stepper: {type: %s, step: 1.0e-4, end: 1}\n"
            "solver: {on_unconverged: warn}\n",
            steppers[i]);
        joints_open(&run, text, "");
        assert_int_equal(scenario_try(&run), HAW_ERR_DIVERGED);
        const char *said = haw_context_message(run.context);
        assert_non_null(strstr(said, "two sides that cannot move along its normal: let one of"));
        assert_null(strstr(said, "a quarter of it")); /* which would not help */
        assert_non_null(strstr(said, "t = 0 s: "));   /* in the first step */
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
        cmocka_unit_test(a_top_precesses_with_order_two),
        cmocka_unit_test(a_weight_hangs_beside_a_held_node),
        cmocka_unit_test(a_ball_bounces_on_a_net),
        cmocka_unit_test(a_pendulum_comes_to_rest_on_a_plane),
        cmocka_unit_test(what_joints_hold_on_both_sides_is_no_contact),
        cmocka_unit_test(what_is_driven_into_the_ground_ends_at_once),
        cmocka_unit_test(a_restored_run_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
