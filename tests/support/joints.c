/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/joints.h"

#include <stdio.h>

/* ---- scenes ---- */

const char joints_double_pendulum[] =
    PLANE "bodies:\n"
          "  - {name: upper, " BAR ", position: [0.25, -0.43301270189221932], angle_deg: -60}\n"
          "  - {name: lower, " BAR ", position: [0.93301270189221932, -1.1160254037844386],"
          " angle_deg: -30}\n"
          "joints:\n"
          "  - {name: pivot, type: revolute, between: [{ground: [0, 0]}, {body: upper, at: [-0.5,"
          " 0]}]}\n"
          "  - {name: elbow, type: pinned, between: [{body: upper, at: [0.5, 0]}, {body: lower, at:"
          " [-0.5, 0]}]}\n"
          "output: {probes: [upper.angle, lower.angle, joint.pivot.force, joint.elbow.force]}\n";

const char joints_top[] =
    SPACE "bodies:\n"
          "  - {name: top, " TOP "position: [0.05, 0, 0.086602540378443865], orientation:"
          " [0.96592582628906829, 0, 0.25881904510252076, 0], spin: 100}\n"
          "joints:\n"
          "  - {name: tip, type: spherical, between: [{ground: [0, 0, 0]}, {body: top, at: [0, 0,"
          " -0.1]}]}\n"
          "output: {probes: [top.position]}\n";

#define TWINE ", stiffness: 1.0e+4, density: 0.1, tension: 100, radius: 1.0e-3}\n"
#define TWINES(row)                                                                                \
    "  - {name: x" row ", element: bezier-c0, elements: 3, from: [0, 0." row                       \
    ", 0], to: [0.9, 0." row ", 0]" TWINE "  - {name: y" row                                       \
    ", element: bezier-c0, elements: 3, from: [0." row ", 0, 0], to: [0." row ", 0.9, 0]" TWINE
#define CROSSING(row, column, at_row, at_column)                                                   \
    "  - {name: k" row column ", type: pinned, between: [{cable: x" row ", at: " at_column         \
    "}, {cable: y" column ", at: " at_row "}]}\n"
#define TURNED(row, column, at_row, at_column)                                                     \
    "  - {name: k" row column ", type: pinned, between: [{cable: y" column ", at: " at_row         \
    "}, {cable: x" row ", at: " at_column "}]}\n"
#define TOUCH(name)                                                                                \
    "  - {between: [" name                                                                         \
    ", ball], law: hard, friction: 0.3, points_per_element: 4, depth_limit: 1}\n"

const char joints_net[] = SPACE
    "bodies:\n"
    "  - {name: ball, shape: {type: sphere, radius: 0.25}, mass: 0.5, position: [0.45, 0.46,"
    " 0.21], velocity: [0.2, 0, -1]}\n"
    "cables:\n" TWINES("3")
        TWINES("6") "joints:\n" CROSSING("3", "3", "0.33333333333333333", "0.33333333333333333")
            TURNED("3", "6", "0.33333333333333333", "0.66666666666666667")
                TURNED("6", "3", "0.66666666666666667", "0.33333333333333333")
                    CROSSING("6", "6", "0.66666666666666667",
                             "0.66666666666666667") "contact:\n" TOUCH("x3") TOUCH("x6") TOUCH("y3")
                        TOUCH("y6") "start: given\noutput: {probes: [ball.velocity]}\n";

/* ---- runs ---- */

void joints_build(scenario_run *run, const char *scene, const char *stepper)
{
    char text[32768];
    assert_true(snprintf(text, sizeof text, "%s%s", scene, stepper) < (int)sizeof text);
    scenario_init(run, "joints");
    assert_int_equal(haw_context_create(NULL, &run->context), HAW_OK);
    if (haw_scenario_parse(run->context, "joints", text, 0, NULL, &run->scenario) != HAW_OK ||
        haw_model_build(run->context, &run->scenario->scene, &run->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
}

void joints_open(scenario_run *run, const char *scene, const char *stepper)
{
    joints_build(run, scene, stepper);
    if (haw_simulation_create(run->context, run->model, &run->scenario->run, &run->simulation) !=
        HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
}

void joints_complete(scenario_run *run, const char *scene, const char *stepper, double drift)
{
    joints_open(run, scene, stepper);
    if (scenario_try(run) != HAW_OK) {
        fail_msg("%s", haw_context_message(run->context));
    }
    assert_int_equal(run->summary.certificate.unconverged_steps, 0);
    assert_near(run->summary.certificate.joint_drift_max, 0, drift, 0);
}

void joints_check_ledger(const scenario_run *run, double scale)
{
    assert_near(run->summary.ledger.balance_error, 0, 1e-12 * scale, 0);
}

static void take(scenario_run *run, int steps)
{
    for (int i = 0; i < steps; i++) {
        assert_int_equal(haw_simulation_step(run->simulation), HAW_OK);
    }
}

void joints_check_restored(const char *scene, const char *stepper, int steps)
{
    scenario_run whole, rest;
    haw_state *kept = NULL;
    joints_open(&whole, scene, stepper);
    take(&whole, steps);
    assert_int_equal(haw_state_create(whole.context, whole.model, &kept), HAW_OK);
    haw_state_copy(kept, whole.simulation->state);
    joints_open(&rest, scene, stepper);
    assert_int_equal(haw_simulation_restore(rest.simulation, kept), HAW_OK);
    take(&whole, steps);
    take(&rest, steps);
    const haw_state *a = whole.simulation->state, *b = rest.simulation->state;
    const size_t bytes = (size_t)a->dofs * sizeof(double);
    assert_memory_equal(a->q, b->q, (size_t)a->coordinates * sizeof(double));
    assert_memory_equal(a->u, b->u, bytes);
    assert_memory_equal(a->a, b->a, bytes);
    haw_state_free(whole.context, kept);
    scenario_close(&rest);
    scenario_close(&whole);
}

double joints_check_top(scenario_run *run, double height)
{
    const double x = scenario_last(run, "top.position", 0);
    const double y = scenario_last(run, "top.position", 1);
    assert_near(scenario_last(run, "top.position", 2), 0.086602540378443865, height, 0);
    assert_near(atan2(y, x), 0.352505116, 0, 1e-3);
    return atan2(y, x) - 0.352505116;
}

void joints_check_double_pendulum(scenario_run *run, double angles, double forces)
{
    static const double quarter = 1.5707963267948966;
    static const double after[][6] = {
        {-0.587621197, -0.577252751, 8.98896385, 16.2537342, 5.97284535, 8.35339684},
        {0.224362548, 0.507498542, -4.21947198, 24.7759436, -4.55214951, 12.2805021}};
    const double *want = after[run->summary.t_end > 1.5];
    assert_near(scenario_last(run, "upper.angle", 0) + quarter, want[0], angles, 0);
    assert_near(scenario_last(run, "lower.angle", 0) + quarter, want[1], angles, 0);
    for (int i = 0; i < 2; i++) {
        assert_near(scenario_last(run, "joint.pivot.force", i), want[2 + i], 0, forces);
        assert_near(scenario_last(run, "joint.elbow.force", i), want[4 + i], 0, forces);
    }
}
