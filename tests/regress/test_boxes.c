/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes in space: a rope around one edge is Euler's capstan; cables and balls lie on a face and
 * bounce off it as on a plane, however the box stands and moves; a box that flies into a cable
 * keeps momentum and energy; what cannot touch a box is refused.
 */
#include "base/lie.h"
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 2048 };

static const double pi = 3.14159265358979323846;

static void run_text(scenario_run *run, const char *text)
{
    scenario_init(run, "boxes");
    run->text = text;
    scenario_complete(run);
}

/* ---- one edge ---- */

/* Pulled over an edge of 90 degrees: T2 = T1 exp(mu pi / 2); the edge carries both pulls, and of
 * the normal forces their difference over mu. The grid of 3.3 mm on a radius of 52 mm costs 1e-3.
 */
static void a_rope_slips_over_an_edge_like_eulers(void **state)
{
    static const char *const how[] = {
        "hard\nstepper: {type: moreau-jean, theta: 0.6, ",
        "hard\nstepper: {type: nsga, ",
        "hard\nstepper: {type: quasi-static, ",
        "penalty, normal_stiffness: 1.0e+5, regularization_velocity: 1.0e-3\n"
        "stepper: {type: moreau-jean, theta: 0.6, ",
    };

    (void)state;
    for (int i = 0; i < 8; i++) {
        const double mu = i < 4 ? 0.3 : 0.1, want = 10 * exp(mu * pi / 2);
        char text[TEXT], law[256];
        scenario_run run;
        (void)snprintf(law, sizeof law, "%s", how[i % 4]);
        char *end = strchr(law, '\n');
        *end = '\0';
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
            "  - {name: ledge, shape: {type: box, length: 0.4, width: 0.4, height: 0.1, radius: "
            "0.05}, position: [-0.2, -0.2, 0], motion: {fixed: true}}\n"
            "cables:\n  - name: rope\n    element: ancf\n    elements: 120\n"
            "    from: [-0.2, 0.00200001, 0]\n    path:\n      - line: [-0.05, 0.00200001, 0]\n"
            "      - arc: {center: [-0.05, -0.05, 0], radius: 0.05200001, angle_deg: -90}\n"
            "      - line: [0.00200001, -0.2, 0]\n    radius: 0.002\n    stiffness: 1.0e+5\n"
            "    bending_stiffness: 1.0e-6\n    density: 0.02\n    tension: 10\n"
            "    damping: {mass: 50}\n    ends: {start: {motion: {velocity: [-0.02, 0, 0]}}, "
            "end: {tension: 10, towards: [0, -1, 0]}}\n"
            "contact: [{between: [ledge, rope], points_per_element: 1, friction: %g, law: %s}]\n"
            "start: given\n%sstep: 1.0e-3, end: 0.05}\n"
            "output: {every: 0.005, probes: [rope.tension_start, rope.tension_end, contact.force, "
            "contact.normal_sum]}\n",
            mu, law, end + 1);
        run_text(&run, text);
        const double pull = scenario_last(&run, "rope.tension_start", 0);
        print_message("%s, mu %g: T2 / T1 - exp(mu pi / 2) = %.1e of it\n", law, mu,
                      pull / want - 1);
        assert_near(scenario_last(&run, "rope.tension_end", 0), 10, 0, 1e-5);
        assert_near(pull, want, 0, 1.5e-3);
        assert_near(scenario_last(&run, "contact.force", 0), -pull, 0, 1e-3);
        assert_near(scenario_last(&run, "contact.force", 1), -10, 0, 1e-3);
        /* the cable's damping takes 0.01 N */
        assert_near(mu * scenario_last(&run, "contact.normal_sum", 0), pull - 10, 0.02, 0);
        assert_near(run.summary.ledger.balance_error, 0, 1e-9, 0);
        scenario_close(&run);
    }
}

/* ---- a face is a plane ---- */

/* R x for the turn by an angle about (1, 2, 2) / 3. */
static void turn(double angle, const double x[3], double y[3])
{
    const double a = sin(0.5 * angle) / 3;
    const double q[4] = {cos(0.5 * angle), a, 2 * a, 2 * a};
    double r[9];
    quaternion_matrix(q, r);
    mat3_apply(r, x, y);
}

/* A ball that is thrown onto a plane, or a face of a box, and a cable that falls on it; all turned
 * by an angle and moving with a velocity. */
static void open_fall(scenario_run *run, char *text, bool is_box, double angle, double drift,
                      const char *stepper, const char *law)
{
    const double g[3] = {0, 0, -9.81}, flat[3] = {0, 0, -0.15}, up[3] = {0.1, 0.2, 0.12};
    const double ends[2][3] = {{-0.2, 0, 0.02}, {0.2, 0.1, 0.03}}, throw[3] = {0.3, -0.2, -0.5};
    const double across[3] = {drift, -drift, 0};
    double x[6][3];
    turn(angle, g, x[0]);
    turn(angle, is_box ? flat : (const double[3]){0, 0, 0}, x[1]);
    turn(angle, up, x[2]);
    turn(angle, ends[0], x[3]);
    turn(angle, ends[1], x[4]);
    turn(angle, throw, x[5]);
    double v[3];
    turn(angle, across, v);
    const double a = sin(0.5 * angle) / 3;
    (void)snprintf(
        text, TEXT,
        "hawser: 1\ndimension: 3\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n"
        "  - {name: ground, shape: {type: %s}, position: [%.17g, %.17g, %.17g], orientation: "
        "[%.17g, %.17g, %.17g, %.17g], motion: {velocity: [%.17g, %.17g, %.17g]}}\n"
        "  - {name: ball, shape: {type: sphere, radius: 0.1}, mass: 1, position: [%.17g, %.17g, "
        "%.17g], velocity: [%.17g, %.17g, %.17g]}\n"
        "cables:\n  - {name: rope, element: se3, elements: 8, from: [%.17g, %.17g, %.17g], to: "
        "[%.17g, %.17g, %.17g], radius: 5.0e-3, stiffness: 1.0e+3, shear_stiffness: 1.0e+3, "
        "bending_stiffness: 0.01, torsional_stiffness: 0.01, density: 0.1, damping: {mass: 1}, "
        "ends: {start: free, end: free}}\n"
        "contact:\n  - {between: [ground, ball], friction: 0.2, restitution: %s}\n"
        "  - {between: [ground, rope], friction: 0.3, points_per_element: 3, %s}\nstart: given\n"
        "stepper: {type: %s, end: 0.1}\nsolver: {tolerance: 1.0e-10}\n"
        "output: {every: 0.1, probes: [ball.position, ball.velocity, rope.position, "
        "contact.force]}\n",
        x[0][0], x[0][1], x[0][2],
        is_box ? "box, length: 3, width: 3, height: 0.3, radius: 0.06" : "plane", x[1][0], x[1][1],
        x[1][2], cos(0.5 * angle), a, 2 * a, 2 * a, v[0], v[1], v[2], x[2][0], x[2][1], x[2][2],
        x[5][0], x[5][1], x[5][2], x[3][0], x[3][1], x[3][2], x[4][0], x[4][1], x[4][2],
        strncmp(stepper, "nsga", 4) == 0 ? "0" : "0.5", law, stepper);
    run_text(run, text);
}

static void a_face_is_a_plane(void **state)
{
    static const char *const steppers[] = {"moreau, step: 2.0e-5", "moreau-jean, step: 1.0e-3",
                                           "nsga, step: 1.0e-3", "moreau-jean, step: 1.0e-4"};
    static const char *const law[] = {"law: hard", "law: hard", "law: hard",
                                      "law: penalty, normal_stiffness: 1.0e+4, "
                                      "regularization_velocity: 0.01"};

    static const struct {
        double angle, drift;
    } stands[] = {{0, 0}, {1.1, 0}, {2.3, 0.4}};

    (void)state;
    for (int i = 0; i < 12; i++) {
        char text[TEXT];
        scenario_run run[2];
        for (int k = 0; k < 2; k++) {
            open_fall(&run[k], text, k == 1, stands[i / 4].angle, stands[i / 4].drift,
                      steppers[i % 4], law[i % 4]);
        }
        double most[2] = {0, 0};
        for (int k = 0; k < 9; k++) {
            static const char *const probe[] = {"ball.position", "ball.velocity", "rope.position"};
            const char *name = probe[k / 3];
            const double want = scenario_last(&run[0], name, k % 3);
            const double is = scenario_last(&run[1], name, k % 3);
            most[k / 6] = fmax(most[k / 6], fabs(is - want));
        }
        print_message("%s, %s, %g rad: ball %.1e, rope %.1e off\n", steppers[i % 4], law[i % 4],
                      stands[i / 4].angle, most[0], most[1]);
        assert_near(most[0], 0, 1e-12, 0);
        /* where more points touch than nodes can tell apart, rounding has its say: on a plane that
         * is given another origin, too */
        assert_near(most[1], 0, i % 4 == 0 ? 1e-12 : 1e-5, 0);
        assert_true(run[1].summary.ledger.friction_loss > 1e-4);
        assert_near(run[1].summary.ledger.balance_error, 0, 1e-9, 0);
        for (int k = 0; k < 2; k++) {
            scenario_close(&run[k]);
        }
    }
}

/* ---- what is refused ---- */

static void others_are_refused_in_one_line(void **state)
{
    static const struct {
        const char *shape[2], *message;
    } rows[] = {
        {{"box, length: 1, width: 1, height: 1", "box, length: 1, width: 1, height: 1"},
         "the edges of one of the two boxes need a radius"},
        {{"box, length: 1, width: 1, height: 1, radius: 0.1", "cylinder, radius: 1"},
         "a box touches planes, spheres, capsules and boxes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        scenario_run run;
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\ndimension: 3\nbodies:\n"
            "  - {name: a, shape: {type: %s}, mass: 1, inertia: 1}\n"
            "  - {name: b, shape: {type: %s}, mass: 1, inertia: 1, position: [0, 0, 9]}\n"
            "contact: [{between: [a, b]}]\nstepper: {type: moreau, step: 1, end: 1}\n",
            rows[i].shape[0], rows[i].shape[1]);
        scenario_init(&run, "boxes");
        run.text = text;
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_not_equal(scenario_build(&run), HAW_OK);
        if (strstr(haw_context_message(run.context), rows[i].message) == NULL) {
            fail_msg("%s", haw_context_message(run.context));
        }
        scenario_close(&run);
    }
}

TEST_FILE(test_boxes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_slips_over_an_edge_like_eulers),
        cmocka_unit_test(a_face_is_a_plane),
        cmocka_unit_test(others_are_refused_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
