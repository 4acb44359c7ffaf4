/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steppers against one another: what short steps lead to is the motion, whoever takes them. Scenes
 * with impacts, restitution, rolling, sliding, joints, cables and compliant contact; explicit steps
 * are the reference, the others ten times as long.
 */
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 4096, NUMBERS = 16 };

typedef struct trial {
    const char *name;
    double short_step, tolerance; /* [s], of each number over its size or 0.1 */
    bool is_compliant;
    const char *text; /* without its stepper */
    double end;
} trial;

static const trial scenes[] = {
    {"a spinning disk bounces", 2e-5, 1e-2, false,
     "hawser: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
     "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 1, position: [0, 0.3], "
     "velocity: [1, 0], spin: 30}\n"
     "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
     "contact: [{between: [disk, floor], friction: 0.3, restitution: 0.6}]\n"
     "output: {every: 0.1, probes: [disk.position, disk.velocity, disk.spin]}\n",
     0.5},
    {"a disk slides and rolls down a slope", 1e-5, 1e-3, false,
     "hawser: 1\ndimension: 2\ngravity: [4, -8]\nbodies:\n"
     "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 1, position: [0, 0.1], "
     "velocity: [1, 0]}\n"
     "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
     "contact: [{between: [disk, floor], friction: 0.3}]\n"
     "output: {every: 0.1, probes: [disk.position, disk.velocity, disk.spin]}\n",
     0.4},
    {"a spinning ball bounces", 2e-5, 2e-2, false,
     "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
     "  - {name: ball, shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, 0, 0.3], "
     "velocity: [1, 0.5, 0], spins: [30, 10, 5]}\n"
     "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
     "contact: [{between: [ball, floor], friction: 0.3, restitution: 0.6}]\n"
     "output: {every: 0.1, probes: [ball.position, ball.velocity]}\n",
     0.5},
    {"a double pendulum swings", 1e-4, 2e-3, false,
     "hawser: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
     "  - {name: a, mass: 1, inertia: 0.01, position: [0.5, 0]}\n"
     "  - {name: b, mass: 2, inertia: 0.02, position: [1.5, 0]}\n"
     "joints:\n"
     "  - {name: top, type: pinned, between: [{ground: [0, 0]}, {body: a, at: [-0.5, 0]}]}\n"
     "  - {name: middle, type: pinned, between: [{body: a, at: [0.5, 0]}, {body: b, at: [-0.5, "
     "0]}]}\n"
     "output: {every: 0.1, probes: [a.position, b.position, b.velocity]}\n",
     0.8},
    {"a spinning disk falls on a rope", 2e-5, 2e-2, false,
     "hawser: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
     "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 2, position: [0.9, 0.15], "
     "velocity: [1, -1], spin: 20}\n"
     "cables:\n"
     "  - {name: rope, element: bezier, elements: 20, from: [0, 0], to: [2, 0], stiffness: 4.0e+4, "
     "density: 0.2, tension: 400, ends: {start: pinned, end: pinned}}\n"
     "contact: [{between: [rope, disk], friction: 0.2}]\n"
     "output: {every: 0.1, probes: [disk.position, disk.velocity, disk.spin, rope.tension_mean]}\n",
     0.1},
    {"a rope lies down on a turning drum", 2e-5, 2e-2, false,
     "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
     "  - {name: drum, shape: {type: cylinder, radius: 0.1}, position: [0, 0, 0], orientation: "
     "[0.7071067811865476, 0.7071067811865476, 0, 0], motion: {spin: 20}}\n"
     "cables:\n"
     "  - {name: rope, element: chain, elements: 20, from: [-0.6, 0, 0.102], to: [0.5, 0, 0.102], "
     "stiffness: 2.0e+3, density: 0.2, radius: 1.0e-3, ends: {start: free, end: free}}\n"
     "contact: [{between: [rope, drum], friction: 0.3}]\nstart: given\n"
     "output: {every: 0.1, probes: [\"rope.position[0:0]\", \"rope.position[0.5:0.5]\", "
     "\"rope.position[1:1]\"]}\n",
     0.1},
    {"a ball on a rope leans on a wall, from its equilibrium", 2e-5, 1e-5, false,
     "hawser: 1\ndimension: 3\ngravity: [6, 0, -9.81]\nbodies:\n"
     "  - {name: ball, shape: {type: sphere, radius: 0.2}, mass: 50, position: [0.5, 0, -2]}\n"
     "  - {name: wall, shape: {type: plane}, position: [1.2, 0, 0], orientation: "
     "[0.7071067811865476, 0, -0.7071067811865476, 0], motion: {fixed: true}}\n"
     "cables:\n"
     "  - {name: rope, element: chain, elements: 4, from: [0, 0, 0], to: [0.5, 0, -2], stiffness: "
     "1.0e+5, density: 0.5, ends: {start: pinned, end: {body: ball}}}\n"
     "contact: [{between: [ball, wall], friction: 0.4}]\nstart: static\n"
     "output: {every: 0.1, probes: [ball.position, ball.velocity, contact.normal_sum]}\n",
     0.1},
    {"a disk lands on springs", 1e-5, 1e-2, true,
     "hawser: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
     "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 1, position: [0, 0.11], "
     "velocity: [1, -0.2], spin: 30}\n"
     "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
     "contact: [{between: [disk, floor], law: penalty, normal_stiffness: 2.0e+4, normal_damping: "
     "20, "
     "friction: 0.3, regularization_velocity: 1.0e-2}]\n"
     "output: {every: 0.1, probes: [disk.position, disk.velocity, disk.spin]}\n",
     0.2}};

static const struct {
    const char *text;
    double longer; /* than the short step */
    bool in_plane, in_space, hard, compliant;
} steppers[] = {
    {"type: moreau", 1, true, true, true, true},
    {"type: moreau-jean, theta: 0.5, contact_law: velocity", 10, true, false, true, true},
    {"type: moreau-jean, theta: 0.51, contact_law: position", 10, true, true, true, true},
    {"type: nsga, rho_infinity: 0.8", 10, true, true, true, true},
    {"type: generalized-alpha, rho_infinity: 0.9", 10, true, true, false, true}};

/* The probes of the last frame. */
static int find_motion(const trial *scene, int stepper, double number[NUMBERS])
{
    char text[TEXT];
    scenario_run run;
    (void)snprintf(text, sizeof text, "%sstepper: {%s, step: %g, end: %g}\n", scene->text,
                   steppers[stepper].text, scene->short_step * steppers[stepper].longer,
                   scene->end);
    scenario_init(&run, scene->name);
    run.text = text;
    scenario_complete(&run);
    const int count = run.columns - 2;
    assert_true(count > 0 && count <= NUMBERS);
    memcpy(number, run.value + (size_t)(run.frames - 1) * (size_t)run.columns + 2,
           (size_t)count * sizeof *number);
    scenario_close(&run);
    return count;
}

static bool takes(int stepper, const trial *scene)
{
    const bool is_plane = strstr(scene->text, "dimension: 2") != NULL;
    return (is_plane ? steppers[stepper].in_plane : steppers[stepper].in_space) &&
           (scene->is_compliant ? steppers[stepper].compliant : steppers[stepper].hard);
}

static void steppers_find_one_motion(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        double want[NUMBERS], got[NUMBERS];
        const int count = find_motion(&scenes[i], 0, want);
        for (int k = 1; k < (int)(sizeof steppers / sizeof *steppers); k++) {
            double worst = 0;
            if (!takes(k, &scenes[i])) {
                continue;
            }
            assert_int_equal(find_motion(&scenes[i], k, got), count);
            for (int c = 0; c < count; c++) {
                worst = fmax(worst, fabs(got[c] - want[c]) / (0.1 + fabs(want[c])));
            }
            print_message("%s, %s: %.1e\n", scenes[i].name, steppers[k].text, worst);
            assert_true(worst < scenes[i].tolerance);
        }
    }
}

/* ---- loads and drives that grow from nothing ---- */

#define GROWS(end, value) "{table: [[0, 0], [" #end ", " #value "]], ramp: cosine}"

/* At t = 0.2 or 0.5 s the load, or the speed of the drive, is at its largest. */
static const struct {
    const char *name, *text;
    double end, want; /* component [1] of the probe, or its only one */
} growing[] = {
    {"a motor turns a shaft: mean torque 0.1 N m, 0.2 s, 0.01 kg m^2",
     "hawser: 1\nbodies: [{name: a, mass: 2, inertia: 0.01, joint: revolute, torque: " GROWS(
         0.2, 0.2) "}]\noutput: {every: 0.1, probes: [a.spin]}\n",
     0.2, 2},
    {"a thrust in space: mean force 10 N, 0.5 s, 2 kg",
     "hawser: 1\ndimension: 3\nbodies: [{name: a, mass: 2, inertia: 0.1}]\nforces: [{target: a, "
     "force: [0, " GROWS(0.5, 20) ", 0]}]\noutput: {every: 0.1, probes: [a.velocity]}\n",
     0.5, 2.5},
    /* x'' = w^2 (y - x), y' = 0.1 (1 - cos p t);
       w = 10, p = 2 pi: x' = 0.1 (1 - (w^2 cos p t - p^2 cos w t) / (w^2 - p^2)) */
    {"a winch pulls a weight on a spring",
     "hawser: 1\nbodies:\n  - {name: winch, motion: {velocity: [0, " GROWS(
         0.5, 0.2) "]}}\n"
                   "  - {name: a, mass: 1, inertia: 0.1, position: [0, 1]}\nsprings: [{between: "
                   "[a, winch], "
                   "stiffness: 100, length: 1}]\noutput: {every: 0.1, probes: [a.velocity]}\n",
     0.5, 0.2837337},
    {"a crane turns a weight on a joint, at its arm of 1 m",
     "hawser: 1\nbodies:\n  - {name: crane, motion: {spin: " GROWS(
         0.5, 1) "}}\n"
                 "  - {name: a, mass: 1, inertia: 0.1, position: [1, 0]}\njoints: [{name: j, type: "
                 "fixed, "
                 "between: [{body: crane, at: [1, 0]}, {body: a, at: [0, 0]}]}]\n"
                 "output: {every: 0.1, probes: [a.velocity]}\n",
     0.5, 0.968912}}; /* angle 0.25: cos */

static void what_grows_from_nothing_begins(void **state)
{
    (void)state;
    static const char *const how[] = {"moreau", "moreau-jean", "nsga",
                                      "generalized-alpha, rho_infinity: 0.5"};
    for (size_t i = 0; i < 4 * sizeof growing / sizeof *growing; i++) {
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text, "%sstepper: {type: %s, step: 1.0e-3, end: %g}\n",
                       growing[i / 4].text, how[i % 4], growing[i / 4].end);
        scenario_init(&run, growing[i / 4].name);
        run.text = text;
        print_message("%s, %s\n", growing[i / 4].name, how[i % 4]);
        scenario_complete(&run);
        const int columns = run.columns;
        const double got =
            run.value[(size_t)(run.frames - 1) * (size_t)columns + (size_t)(columns > 3 ? 3 : 2)];
        assert_near(got, growing[i / 4].want, 0, 3e-3);
        scenario_close(&run);
    }
}

TEST_FILE(test_steppers_agree)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steppers_find_one_motion),
                                       cmocka_unit_test(what_grows_from_nothing_begins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
