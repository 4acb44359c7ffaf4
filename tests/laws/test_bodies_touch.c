/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bodies that touch bodies, against closed forms of rigid bodies: impacts with restitution and
 * friction, Newton's cradle, a stack at rest, balls that roll on planes and off capsules.
 */
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 4096 };

static const double gravity = 9.81;

/* A place or velocity in a plane of the scene: (x, y), in space (x, 0, y). */
typedef struct pair {
    char text[64];
} pair;

static pair at(int dimension, double x, double y)
{
    pair p;
    (void)snprintf(p.text, sizeof p.text, dimension == 2 ? "[%.17g, %.17g]" : "[%.17g, 0, %.17g]",
                   x, y);
    return p;
}

static const char *ball_of(int dimension)
{
    return dimension == 2 ? "circle" : "sphere";
}

static void complete(scenario_run *run, const char *text)
{
    scenario_init(run, "bodies");
    run->text = text;
    scenario_complete(run);
}

/* ---- impact ---- */

typedef struct impact {
    double restitution, friction, spin;
} impact;

static const impact impacts[] = {{1, 0, 0},      {0.5, 0, 0},     {0, 0, 0},
                                 {0.5, 0.3, 20}, {0.5, 0.1, -40}, {0, 0.05, 40}};

/* Velocities and spins after N = (1 + e) m v and the friction that sticks or is mu N, of balls a
 * and b along x, a with 1 m/s and a spin [m/s, m/s, 1/s, 1/s]: across x, along the side where a
 * spin > 0 moves the point of contact. */
static void collide(const impact *with, int dimension, double v[6])
{
    const double mass[2] = {2, 3}, radius[2] = {0.1, 0.15}, part = dimension == 2 ? 0.5 : 0.4;
    const double inertia[2] = {part * mass[0] * radius[0] * radius[0],
                               part * mass[1] * radius[1] * radius[1]};
    const double push = (1 + with->restitution) * mass[0] * mass[1] / (mass[0] + mass[1]);
    const double yield = 1 / mass[0] + 1 / mass[1] + radius[0] * radius[0] / inertia[0] +
                         radius[1] * radius[1] / inertia[1];
    const double stick = -with->spin * radius[0] / yield, limit = with->friction * push;
    const double rub = fmax(-limit, fmin(stick, limit));
    v[0] = 1 - push / mass[0];
    v[1] = rub / mass[0];
    v[2] = push / mass[1];
    v[3] = -rub / mass[1];
    v[4] = with->spin + radius[0] * rub / inertia[0];
    v[5] = radius[1] * rub / inertia[1];
}

/* Momenta of both bodies; in the plane friction acts at the foot on the surface, so that the
 * angular one misses what the gap makes of it. */
static void check_momenta(const scenario_run *run, const impact *with, int dimension)
{
    static const char *const name[2] = {"a", "b"};
    const double mass[2] = {2, 3}, radius[2] = {0.1, 0.15}, part = dimension == 2 ? 0.5 : 0.4;
    double p[3] = {-2, 0, -part * 2 * 0.01 * with->spin};
    for (int i = 0; i < 2; i++) {
        char probe[3][16];
        double x[2], v[2];
        (void)snprintf(probe[0], sizeof probe[0], "%s.position", name[i]);
        (void)snprintf(probe[1], sizeof probe[1], "%s.velocity", name[i]);
        (void)snprintf(probe[2], sizeof probe[2], "%s.spin", name[i]);
        for (int k = 0; k < 2; k++) {
            x[k] = scenario_last(run, probe[0], k);
            v[k] = scenario_last(run, probe[1], k);
            p[k] += mass[i] * v[k];
        }
        p[2] += mass[i] * (x[0] * v[1] - x[1] * v[0]) +
                part * mass[i] * radius[i] * radius[i] * scenario_last(run, probe[2], 0);
    }
    assert_near(p[0], 0, 1e-12, 0);
    assert_near(p[1], 0, 1e-12, 0);
    assert_near(p[2], 0, dimension == 2 ? 1e-4 : 1e-12, 0);
}

/* Spins are about z; `across` is the component of a velocity across x in its plane. */
static void check_impact(const impact *with, int dimension, const char *stepper, double tolerance)
{
    const char *zero = dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
    char text[TEXT];
    scenario_run run;
    double want[6];
    (void)snprintf(
        text, sizeof text,
        "hawser: 1\ndimension: %d\ngravity: %s\nbodies:\n"
        "  - {name: a, shape: {type: %s, radius: 0.1}, mass: 2, position: %s, velocity: %s, "
        "spin: %g}\n  - {name: b, shape: {type: %s, radius: 0.15}, mass: 3, position: %s}\n"
        "contact: [{between: [a, b], friction: %g, restitution: %g}]\n"
        "stepper: {type: %s, step: 1.0e-4, end: 0.1}\nsolver: {tolerance: 1.0e-11}\n"
        "output: {every: 0.1, probes: [a.velocity, b.velocity, a.spin, b.spin, a.position, "
        "b.position]}\n",
        dimension, zero, ball_of(dimension), at(dimension, 0, 0).text, at(dimension, 1, 0).text,
        with->spin, ball_of(dimension), at(dimension, 0.3, 0).text, with->friction,
        with->restitution, stepper);
    complete(&run, text);
    collide(with, dimension, want);
    const double got[6] = {
        scenario_last(&run, "a.velocity", 0), scenario_last(&run, "a.velocity", 1),
        scenario_last(&run, "b.velocity", 0), scenario_last(&run, "b.velocity", 1),
        scenario_last(&run, "a.spin", 0),     scenario_last(&run, "b.spin", 0)};
    for (int k = 0; k < 6; k++) {
        assert_near(got[k], want[k], tolerance, tolerance);
    }
    check_momenta(&run, with, dimension);
    assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
    scenario_close(&run);
}

/* A ball falls by 0.5 m and bounces: after n impacts it has e^2n of its energy, to what the step
 * leaves of it. `end` is in mid air. */
static void check_bounces(int dimension, const char *stepper, double restitution, int impacts_done,
                          double end)
{
    char text[TEXT];
    scenario_run run;
    (void)snprintf(text, sizeof text,
                   "hawser: 1\ndimension: %d\ngravity: %s\nbodies:\n"
                   "  - {name: ball, shape: {type: %s, radius: 0.1}, mass: 1, position: %s}\n"
                   "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
                   "contact: [{between: [ball, floor], restitution: %g}]\n"
                   "stepper: {%s, step: 1.0e-4, end: %g}\n"
                   "output: {every: 0.1, probes: [ball.position, ball.velocity]}\n",
                   dimension, at(dimension, 0, -gravity).text, ball_of(dimension),
                   at(dimension, 0, 0.6).text, restitution, stepper, end);
    complete(&run, text);
    const int up = dimension - 1;
    const double v = scenario_last(&run, "ball.velocity", up);
    const double height = scenario_last(&run, "ball.position", up) - 0.1;
    const double start = 0.5 * gravity, left = pow(restitution, 2.0 * impacts_done) * start;
    assert_near(0.5 * v * v + gravity * height, left, 0, 4e-3);
    assert_near(run.summary.ledger.impact_loss, start - left, 4e-3 * start, 0);
    scenario_close(&run);
}

static void bounces_lose_what_restitution_says(void **state)
{
    static const char *const stepper[] = {"type: moreau",
                                          "type: nsga",
                                          "type: moreau-jean, contact_law: position",
                                          "type: moreau-jean, contact_law: position, theta: 0.5",
                                          "type: moreau-jean, contact_law: velocity",
                                          "type: moreau-jean, contact_law: velocity, theta: 0.5"};
    (void)state;
    for (size_t i = 0; i < sizeof stepper / sizeof *stepper; i++) {
        for (int d = 2; d <= (i < 4 ? 3 : 2); d++) {
            check_bounces(d, stepper[i], 1, 5, 3.0);
            check_bounces(d, stepper[i], 0.8, 5, 2.0);
            check_bounces(d, stepper[i], 0.5, 2, 0.7);
        }
    }
}

/* Two balls without restitution, the one with 1 m/s, that begin nearer to one another than it goes
 * in a step: they go on together, at the speed of their centre of mass. */
static void check_near_start(int dimension, const char *stepper, double gap)
{
    const char *zero = dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
    char text[TEXT];
    scenario_run run;
    (void)snprintf(
        text, sizeof text,
        "hawser: 1\ndimension: %d\ngravity: %s\nbodies:\n"
        "  - {name: a, shape: {type: %s, radius: 0.1}, mass: 2, position: %s, velocity: %s}\n"
        "  - {name: b, shape: {type: %s, radius: 0.15}, mass: 3, position: %s}\n"
        "contact: [{between: [a, b], friction: 0.3}]\nstepper: {%s, step: 1.0e-3, end: 0.01}\n"
        "solver: {tolerance: 1.0e-11}\noutput: {every: 1.0e-3, probes: [a.velocity.x, "
        "b.velocity.x, a.position.x, "
        "b.position.x]}\n",
        dimension, zero, ball_of(dimension), at(dimension, 0, 0).text, at(dimension, 1, 0).text,
        ball_of(dimension), at(dimension, 0.25 + gap, 0).text, stepper);
    complete(&run, text);
    assert_near(scenario_last(&run, "a.velocity.x", 0), 0.4, 1e-8, 0);
    assert_near(scenario_last(&run, "b.velocity.x", 0), 0.4, 1e-8, 0);
    assert_near(scenario_last(&run, "b.position.x", 0) - scenario_last(&run, "a.position.x", 0),
                0.25, 1e-8, 0);
    assert_near(run.summary.ledger.balance_error, 0, 1e-12, 0);
    scenario_close(&run);
}

/* Steps so short that the digits of the positions, of a turn of ten radians, leave more than 1e-8
 * of the way of a step: it rolls on, w = -v / R, none of the steps is missed. */
static void a_disk_rolls_in_short_steps(void **state)
{
    static const char *const stepper[] = {"type: moreau-jean, contact_law: position, theta: 0.5",
                                          "type: nsga, rho_infinity: 0.8"};
    (void)state;
    for (size_t i = 0; i < sizeof stepper / sizeof *stepper; i++) {
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ngravity: [0, -9.81]\nbodies:\n"
                       "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 1, position: "
                       "[10, 0.1], velocity: [1, 0], spin: -10}\n"
                       "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
                       "contact: [{between: [disk, floor], friction: 0.3}]\nstart: given\n"
                       "stepper: {%s, step: 1.0e-5, end: 0.05}\n"
                       "output: {every: 0.01, probes: [disk.velocity, disk.spin]}\n",
                       stepper[i]);
        complete(&run, text);
        assert_near(scenario_last(&run, "disk.velocity", 0), 1, 1e-8, 0);
        assert_near(scenario_last(&run, "disk.spin", 0), -10, 1e-7, 0);
        scenario_close(&run);
    }
}

/* The same where gaps are those of ends that a rotation turns: a log is pulled by F and rolls by
 * F / (m + I / R^2). */
static void a_log_rolls_in_short_steps(void **state)
{
    static const char *const stepper[] = {"type: moreau-jean, theta: 0.5",
                                          "type: nsga, rho_infinity: 0.8"};
    (void)state;
    for (size_t i = 0; i < sizeof stepper / sizeof *stepper; i++) {
        char text[TEXT];
        scenario_run run;
        (void)snprintf(
            text, sizeof text,
            "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
            "  - {name: log, shape: {type: capsule, radius: 0.1, length: 1}, mass: 30, inertias: "
            "[2.5, 2.5, 0.15], position: [0, 0, 0.1], orientation: [0.7071067811865476, "
            "0.7071067811865476, 0, 0]}\n"
            "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
            "forces: [{target: log, force: [60, 0, 0]}]\n"
            "contact: [{between: [log, floor], friction: 0.4}]\n"
            "stepper: {%s, step: 1.0e-5, end: 0.05}\n"
            "output: {every: 0.01, probes: [log.position, log.velocity]}\n",
            stepper[i]);
        complete(&run, text);
        assert_near(scenario_last(&run, "log.velocity", 0), 60 / 45.0 * 0.05, 0, 1e-6);
        assert_near(scenario_last(&run, "log.position", 0), 60 / 90.0 * 0.05 * 0.05, 0, 1e-3);
        scenario_close(&run);
    }
}

static void what_begins_near_is_not_thrown_back(void **state)
{
    static const double gap[] = {0, 1e-5, 3e-4, 7e-4};
    static const char *const stepper[] = {"type: moreau-jean, contact_law: position, theta: 0.5",
                                          "type: moreau-jean, contact_law: position",
                                          "type: moreau-jean, contact_law: position, theta: 0.8",
                                          "type: nsga",
                                          "type: moreau-jean, contact_law: velocity",
                                          "type: moreau-jean, contact_law: velocity, theta: 0.8"};
    (void)state;
    for (size_t i = 0; i < sizeof stepper / sizeof *stepper; i++) {
        for (size_t k = 0; k < sizeof gap / sizeof *gap; k++) {
            check_near_start(2, stepper[i], gap[k]);
            if (i < 4) {
                check_near_start(3, stepper[i], gap[k]);
            }
        }
    }
}

static void impacts_follow_newton_and_coulomb(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof impacts / sizeof *impacts; i++) {
        check_impact(&impacts[i], 2, "moreau", 1e-12);
        /* without restitution its law closes what is left of the gap */
        check_impact(&impacts[i], 2, "moreau-jean", impacts[i].restitution > 0 ? 1e-10 : 1e-5);
        check_impact(&impacts[i], 2, "nsga", 1e-12);
        check_impact(&impacts[i], 3, "nsga", 1e-11);
        /* friction acts as deep in the surface as the ball is when it is found there */
        check_impact(&impacts[i], 3, "moreau", impacts[i].friction > 0 ? 1e-3 : 1e-12);
    }
}

/* ---- several bodies ---- */

static void a_cradle_hands_its_speed_on(void **state)
{
    static const char *const steppers[] = {"moreau", "moreau-jean", "nsga"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[TEXT], probe[16];
        scenario_run run;
        size_t used = (size_t)snprintf(text, sizeof text, "hawser: 1\ngravity: [0, 0]\nbodies:\n");
        for (int i = 0; i < 5; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  - {name: b%d, shape: {type: circle, radius: 0.1}, mass: 2, "
                                     "position: [%.17g, 0], velocity: [%d, 0]}\n",
                                     i, 0.201 * i, i == 0);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "contact:\n");
        for (int i = 1; i < 5; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  - {between: [b%d, b%d], restitution: 1, friction: 0.2}\n",
                                     i - 1, i);
        }
        (void)snprintf(text + used, sizeof text - used,
                       "stepper: {type: %s, step: 1.0e-4, end: 0.05}\n"
                       "solver: {tolerance: 1.0e-12}\noutput: {every: 0.05, probes: "
                       "[b0.velocity, b1.velocity, b2.velocity, b3.velocity, b4.velocity]}\n",
                       steppers[k]);
        complete(&run, text);
        for (int i = 0; i < 5; i++) {
            (void)snprintf(probe, sizeof probe, "b%d.velocity", i);
            assert_near(scenario_last(&run, probe, 0), i == 4 ? 1 : 0, 1e-12, 0);
        }
        scenario_close(&run);
    }
}

static void a_stack_rests(void **state)
{
    static const char *const steppers[] = {"moreau", "moreau-jean", "nsga"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        const int d = 2 + k % 2;
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ngravity: %s\nbodies:\n"
                       "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
                       "  - {name: a, shape: {type: %s, radius: 0.1}, mass: 2, position: %s}\n"
                       "  - {name: b, shape: {type: %s, radius: 0.15}, mass: 3, position: %s}\n"
                       "contact:\n  - {between: [a, floor], friction: 0.5}\n"
                       "  - {between: [a, b], friction: 0.5}\nstart: given\n"
                       "stepper: {type: %s, step: 1.0e-3, end: 10}\nsolver: {tolerance: 1.0e-12}\n"
                       "output: {every: 1, probes: [a.position, b.position, contact.normal_sum]}\n",
                       d, at(d, 0, -gravity).text, ball_of(d), at(d, 0, 0.1).text, ball_of(d),
                       at(d, 0, 0.35).text, steppers[k / 2]);
        complete(&run, text);
        for (int i = 0; i < d; i++) {
            assert_near(scenario_last(&run, "a.position", i), i == d - 1 ? 0.1 : 0, 1e-9, 0);
            assert_near(scenario_last(&run, "b.position", i), i == d - 1 ? 0.35 : 0, 1e-9, 0);
        }
        assert_near(scenario_last(&run, "contact.normal_sum", 0), 8 * gravity, 1e-9, 0);
        scenario_close(&run);
    }
}

/* ---- rolling ---- */

/* Down a slope of 30 degrees: a = g sin / (1 + J / (m R^2)). */
static void balls_roll_down_a_slope(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const double inertia = d == 2 ? 0.5 : 0.4, slope = gravity * 0.5 / (1 + inertia);
        char text[TEXT];
        scenario_run run;
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ngravity: %s\nbodies:\n"
                       "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\n"
                       "  - {name: a, shape: {type: %s, radius: 0.1}, mass: 2, position: %s}\n"
                       "contact: [{between: [a, floor], friction: 0.5}]\nstart: given\n"
                       "stepper: {type: moreau, step: 1.0e-3, end: 1}\n"
                       "output: {every: 1, probes: [a.velocity, a.position]}\n",
                       d, at(d, gravity * 0.5, -gravity * sqrt(0.75)).text, ball_of(d),
                       at(d, 0, 0.1).text);
        complete(&run, text);
        assert_near(scenario_last(&run, "a.velocity", 0), slope, 1e-9, 1e-9);
        assert_near(scenario_last(&run, "a.position", 0), 0.5 * slope, 2e-3, 0);
        scenario_close(&run);
    }
}

/* A sphere rolls from rest off a fixed ball, or the round side of a fixed capsule: until it leaves
 * where cos = 10/17 cos of the start,  v^2 = 10/7 g (R + r) (cos0 - cos). */
static void a_ball_rolls_off_a_capsule(void **state)
{
    static const char *const shapes[] = {"sphere, radius: 0.3",
                                         "capsule, radius: 0.3, length: 0.5"};
    const double start = 0.4, way = 0.4; /* angle; radii together */
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[TEXT];
        scenario_run run;
        double left = 0, most = 0;
        /* the capsule lies along y: gravity in the plane across it */
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: 3\ngravity: [%.17g, 0, 0]\nbodies:\n"
                       "  - {name: rail, shape: {type: %s}, motion: {fixed: true}}\n"
                       "  - {name: a, shape: {type: sphere, radius: 0.1}, mass: 2, position: "
                       "[%.17g, %.17g, 0.05]}\n"
                       "contact: [{between: [a, rail], friction: 20}]\nstart: given\n"
                       "stepper: {type: moreau, step: 2.0e-5, end: 0.5}\n"
                       "output: {every: 2.0e-3, probes: [a.velocity, a.position, "
                       "contact.normal_sum]}\n",
                       -gravity, shapes[k], way * cos(start), way * sin(start));
        if (k == 0) { /* about the ball's own centre */
            char *z = strstr(text, "0.05]");
            memcpy(z, "0.00]", 5);
        }
        complete(&run, text);
        for (int i = 1; i < run.frames; i++) {
            const double x = scenario_at(&run, i, "a.position", 0);
            const double y = scenario_at(&run, i, "a.position", 1);
            const double v =
                hypot(scenario_at(&run, i, "a.velocity", 0), scenario_at(&run, i, "a.velocity", 1));
            const double turned = x / hypot(x, y);
            const double square = 10.0 / 7 * gravity * way * (cos(start) - turned);
            if (turned > 10.0 / 17 * cos(start)) {
                most = fmax(most, fabs(v * v / square - 1));
            }
            left = scenario_at(&run, i, "contact.normal_sum", 0) > 0 ? turned : left;
        }
        print_message("%s: v^2 to %.2g, leaves at cos %.4f (%.4f)\n", shapes[k], most, left,
                      10.0 / 17 * cos(start));
        assert_true(most < 5e-3);
        assert_near(left, 10.0 / 17 * cos(start), 6e-3, 0);
        assert_near(scenario_last(&run, "a.position", 2), k == 0 ? 0 : 0.05, 1e-9, 0);
        scenario_close(&run);
    }
}

TEST_FILE(test_bodies_touch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_follow_newton_and_coulomb),
        cmocka_unit_test(what_begins_near_is_not_thrown_back),
        cmocka_unit_test(a_disk_rolls_in_short_steps),
        cmocka_unit_test(a_log_rolls_in_short_steps),
        cmocka_unit_test(bounces_lose_what_restitution_says),
        cmocka_unit_test(a_cradle_hands_its_speed_on),
        cmocka_unit_test(a_stack_rests),
        cmocka_unit_test(balls_roll_down_a_slope),
        cmocka_unit_test(a_ball_rolls_off_a_capsule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
