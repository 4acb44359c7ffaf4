/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria that a disturbance leaves are said to be unstable: Euler's loads, pendulums. */
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 2048 };

static void count_unstable(void *user, haw_log_level level, const char *text)
{
    if (level == HAW_LOG_WARNING && strstr(text, "is unstable") != NULL) {
        ++*(int *)user;
    }
}

static int warnings_of(const char *text)
{
    scenario_run run;
    int count = 0;
    scenario_init(&run, "pressed");
    run.text = text;
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    haw_context_set_log(run.context, count_unstable, &count);
    assert_int_equal(scenario_build(&run), HAW_OK);
    assert_int_equal(scenario_try(&run), HAW_OK);
    scenario_close(&run);
    return count;
}

/* EI = 1 N m^2, 1 m along x: its cable entry, what else the scene has, and the stepper. */
static int press(int dimension, const char *element, const char *ends, const char *rest)
{
    const char *zero = dimension == 3 ? ", 0" : "";
    char text[TEXT];
    (void)snprintf(text, sizeof text,
                   "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\ncables:\n"
                   "  - {name: rod, element: %s, elements: 40, from: [0, 0%s], to: [1, 0%s], "
                   "stiffness: 1.0e+6, bending_stiffness: 1, %sdensity: 0.1, radius: 0.002, "
                   "ends: {start: %s}}\n%s",
                   dimension, zero, element, zero, zero,
                   dimension == 3 ? "torsional_stiffness: 1, " : "", ends, rest);
    return warnings_of(text);
}

static int press_cantilever(int dimension, const char *element, double load, double aside,
                            const char *stepper)
{
    char rest[TEXT];
    (void)snprintf(rest, sizeof rest,
                   "forces: [{target: rod, point: end, force: [%.8f, %g%s]}]\n"
                   "start: {type: given, load_steps: 20}\nstepper: {%s}\n",
                   -load, aside, dimension == 3 ? ", 0" : "", stepper);
    return press(dimension, element, "clamped, end: free", rest);
}

static const double PI = 3.14159265358979323846;

/* Euler: pi^2 / 4, of a dead load at the free end. */
static void a_cantilever_beyond_its_load_is_said(void **state)
{
    static const char *const elements[] = {"ancf", "ancf", "se3", "corotational"};
    (void)state;
    for (int i = 0; i < 4; i++) { /* meshes and shear are within .1 % of it */
        const int d = i == 0 ? 2 : 3;
        static const double part[] = {0.999, 1.001, 12, -12};
        for (int k = 0; k < 4; k++) {
            const int count =
                press_cantilever(d, elements[i], part[k] * PI * PI / 4, 0, "type: static");
            assert_int_equal(count, k == 1 || k == 2);
        }
    }
}

/* Pushed aside it bends, and stands. */
static void what_has_bent_is_stable(void **state)
{
    (void)state;
    assert_int_equal(press_cantilever(2, "ancf", 3, 0.01, "type: static"), 0);
    assert_int_equal(press_cantilever(3, "se3", 3, 0.01, "type: static"), 0);
}

/* At the end of a path, once. */
static void a_path_beyond_it_is_said_once(void **state)
{
    static const char *const rest =
        "forces: [{target: rod, point: end, force: [{table: [[0, 0], [1, -5]]}, 0]}]\n"
        "start: given\nstepper: {type: quasi-static, step: 0.1, end: %g}\n";
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[TEXT];
        (void)snprintf(text, sizeof text, rest, i == 0 ? 0.4 : 1.0);
        assert_int_equal(press(2, "ancf", "clamped, end: free", text), i);
    }
}

/* Between a support and a body that slides on a joint: pi^2. The joint is no part of a spring. */
static void joints_hold_what_they_hold(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char rest[TEXT];
        (void)snprintf(
            rest, sizeof rest,
            "bodies: [{name: head, mass: 1, position: [1, 0], shape: {type: circle, "
            "radius: 0.01}}]\n"
            "joints: [{name: guide, type: prismatic, axis: [1, 0], between: [{ground: [1, 0]}, "
            "{body: head, at: [0, 0]}]}]\n"
            "forces: [{target: head, force: [%.8f, 0]}]\n"
            "start: given\nstepper: {type: static}\n",
            -(i == 0 ? 0.999 : 1.001) * PI * PI);
        assert_int_equal(press(2, "ancf", "pinned, end: {body: head}", rest), i);
    }
}

/* A symmetric part of what is not symmetric tells nothing: Beck's column stands up to 20.05. */
static void of_a_follower_nothing_is_said(void **state)
{
    (void)state;
    assert_int_equal(
        press(3, "se3", "clamped, end: free",
              "forces: [{target: rod, point: end, force: [-10, 0, 0], follows: true}]\n"
              "start: given\nstepper: {type: static}\n"),
        0);
}

/* A pendulum hangs or stands on its pin; about its axis nothing holds it, and that is no fault. */
static void a_pendulum_hangs_and_does_not_stand(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[TEXT];
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                       "bodies: [{name: bob, mass: 1, position: [0, 0, %d], shape: {type: sphere, "
                       "radius: 0.1}}]\n"
                       "joints: [{name: pivot, type: spherical, between: [{ground: [0, 0, 0]}, "
                       "{body: bob, at: [0, 0, %d]}]}]\n"
                       "start: given\nstepper: {type: static}\n",
                       i == 0 ? -1 : 1, i == 0 ? 1 : -1);
        assert_int_equal(warnings_of(text), i);
    }
}

/* On a floor its weight keeps it straight: what touches may not be said to move. */
static void what_touches_is_no_way_out(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[TEXT];
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ngravity: [0, %g]\n"
                       "bodies: [{name: floor, shape: {type: plane, normal: [0, 1]}, position: [0, "
                       "%g], motion: {fixed: true}}]\n"
                       "cables: [{name: rod, element: ancf, elements: 40, from: [0, 0], to: [1, "
                       "0], stiffness: 1.0e+6, bending_stiffness: 1, density: 1, radius: 0.002, "
                       "ends: {start: clamped, end: free}}]\n"
                       "contact: [{between: [rod, floor], friction: 0}]\n"
                       "forces: [{target: rod, point: end, force: [-5, 0]}]\n"
                       "start: given\nstepper: {type: static}\n",
                       i == 0 ? -9.81 : 0, i == 0 ? -0.002 : -0.1);
        assert_int_equal(warnings_of(text), i);
    }
}

TEST_FILE(test_stability)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cantilever_beyond_its_load_is_said),
        cmocka_unit_test(what_has_bent_is_stable),
        cmocka_unit_test(a_path_beyond_it_is_said_once),
        cmocka_unit_test(joints_hold_what_they_hold),
        cmocka_unit_test(of_a_follower_nothing_is_said),
        cmocka_unit_test(a_pendulum_hangs_and_does_not_stand),
        cmocka_unit_test(what_touches_is_no_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
