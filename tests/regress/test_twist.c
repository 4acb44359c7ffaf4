/* SPDX-License-Identifier: BSD-3-Clause */
/* Twisted rods and rings: torque, buckling, and what twist and writhe keep between them. */
#include "support/scenario.h"

static const double pi = 3.14159265358979323846;

#define BEAM                                                                                       \
    "stiffness: 1.0e+5, density: 1, bending_stiffness: 1, rotary_inertia: [1.0e-2, 1.0e-2, "       \
    "1.0e-2]"

/* ---- torque ---- */

/* A rod along x, whose second end a plate turns by pi / 3 about x while it takes it along by dx. */
static const char rod[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  - {name: plate, position: [2, 0, 0], orientation: [0.70710678118654752, 0, "
    "0.70710678118654752, 0], motion: {spin: 1.0471975511965976, velocity: [0.01, 0, 0]}}\n"
    "cables:\n"
    "  - {name: rod, element: se3, elements: 8, from: [0, 0, 0], to: [2, 0, 0],\n"
    "     " BEAM ", torsional_stiffness: 0.7,\n"
    "     ends: {start: clamped, end: {body: plate, clamped: true}}}\n"
    "stepper: {type: quasi-static, step: 0.1, end: 1}\n"
    "output: {every: 0.1, probes: [rod.twist, rod.writhe, rod.link, rod.reaction_start,\n"
    "         rod.reaction_end, rod.reaction_moment_start, rod.reaction_moment_end, "
    "plate.torque]}\n";

/* GJ theta / L at both ends and EA dx / L along the rod. */
static void a_driven_plate_twists_and_pulls_a_rod(void **state)
{
    (void)state;
    static const char *const elements[] = {"se3", "corotational"};
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "rod");
        run.text = rod;
        scenario_set(&run, "cables.rod.element=%s", elements[i]);
        scenario_complete(&run);
        const double angle = pi / 3, torque = 0.7 * angle / 2, pull = 1e5 * 0.01 / 2;
        assert_near(scenario_last(&run, "rod.twist", 0), angle, 0, 1e-9);
        assert_near(scenario_last(&run, "rod.writhe", 0), 0, 1e-12, 0);
        assert_near(scenario_last(&run, "rod.link", 0), angle / (2 * pi), 0, 1e-9);
        assert_near(scenario_last(&run, "rod.reaction_moment_end", 0), torque, 0, 1e-8);
        assert_near(scenario_last(&run, "plate.torque", 0), torque, 0, 1e-8);
        assert_near(scenario_last(&run, "rod.reaction_moment_start", 0), -torque, 0, 1e-8);
        assert_near(scenario_last(&run, "rod.reaction_end", 0), pull, 0, 1e-8);
        assert_near(scenario_last(&run, "rod.reaction_start", 0), -pull, 0, 1e-8);
        for (int k = 1; k < 3; k++) {
            assert_near(scenario_last(&run, "rod.reaction_moment_end", k), 0, 1e-8, 0);
        }
        scenario_close(&run);
    }
}

/* A cantilever under a tip deflection w: force 3 EI w / L^3, moment of the clamp 3 EI w / L^2; in
 * elements with slopes and with rotations alike. */
static void a_clamp_carries_the_moment_of_a_deflected_tip(void **state)
{
    (void)state;
    static const char *const elements[] = {"se3", "corotational", "ancf"};
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        scenario_init(&run, "rod");
        run.text = rod;
        scenario_set(&run, "cables.rod.element=%s", elements[i]);
        scenario_set(&run, "cables.rod.elements=32");
        scenario_set(&run, "cables.rod.to=[0, 2, 0]");
        scenario_set(&run, "cables.rod.shear_stiffness=1.0e+7");
        scenario_set(&run, "stepper.newton_tolerance=1.0e-12");
        scenario_set(&run, "cables.rod.ends={start: clamped, end: {motion: {velocity: [0, free, "
                           "2.0e-3]}}}");
        scenario_complete(&run);
        const double force = 3 * 2e-3 / 8, moment = 3 * 2e-3 / 4;
        assert_near(scenario_last(&run, "rod.reaction_end", 2), force, 0, 2e-3);
        assert_near(scenario_last(&run, "rod.reaction_start", 2), -force, 0, 2e-3);
        /* a force up at y = L turns about x: the clamp balances it by a moment about -x */
        assert_near(scenario_last(&run, "rod.reaction_moment_start", 0), -moment, 0, 2e-3);
        assert_near(scenario_last(&run, "rod.reaction_moment_start", 1), 0, 1e-9, 0);
        assert_near(scenario_last(&run, "rod.reaction_moment_end", 0), 0, 1e-12, 0);
        scenario_close(&run);
    }
}

/* ---- a spring ---- */

static const char spring[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "cables:\n"
    "  - {name: spring, element: se3, elements: 480, path: [{helix: {axis: [0, 0, 1],\n"
    "     center: [0, 0, 0], radius: 0.02, turns: 24, pitch: 0.01}}], reference: drawn,\n"
    "     stiffness: 6.6e+5, bending_stiffness: 0.165, torsional_stiffness: 0.127,\n"
    "     density: 0.0247, radius: 1.0e-3,\n"
    "     ends: {start: clamped, end: clamped}}\n"
    "bodies: []\n"
    "stepper: {type: quasi-static, step: 0.25, end: 1, newton_tolerance: 1.0e-11}\n"
    "output: {every: 0.25, probes: [spring.reaction_end, spring.length]}\n";

/*
 * A helix of the length L with the angle a to its base, whose ends do not turn about the axis: with
 * f = 2 pi N / L its curvature is f cos(a), its torsion f sin(a), its height L sin(a), and
 *
 *     F = (f / cos(a)) (-B (k - k0) sin(a) + C (t - t0) cos(a)).
 *
 * Clamped ends stay at the drawn radius, which matters little for many turns.
 */
static void a_spring_pulls_by_its_torsion(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "spring");
    run.text = spring;
    scenario_set(&run, "bodies=[{name: plate, motion: {velocity: [0, 0, 0.06]}}]");
    scenario_set(&run, "cables.spring.ends.end={body: plate, clamped: true}");
    scenario_complete(&run);
    const double pitch = 0.01, length = 24 * hypot(2 * pi * 0.02, pitch);
    const double f = 2 * pi * 24 / length, drawn = atan2(pitch, 2 * pi * 0.02);
    const double a = asin(sin(drawn) + 0.06 / length);
    const double bend = f * (cos(a) - cos(drawn)), twist = f * (sin(a) - sin(drawn));
    const double force = f / cos(a) * (-0.165 * bend * sin(a) + 0.127 * twist * cos(a));
    assert_near(scenario_last(&run, "spring.length", 0), length, 0, 1e-4);
    assert_near(scenario_last(&run, "spring.reaction_end", 2), force, 0, 3e-3);
    scenario_close(&run);
}

/* ---- buckling ---- */

/* omega^2 of a mode about the equilibrium; 0 and below: it grows. */
static double square_of(const char *text, const char *const *sets, int mode)
{
    scenario_run run;
    double f[12];
    scenario_init(&run, "twisted");
    run.text = text;
    for (int i = 0; sets[i] != NULL; i++) {
        scenario_set(&run, "%s", sets[i]);
    }
    scenario_open(&run);
    assert_int_equal(haw_simulation_modes(run.simulation, mode + 1, f, NULL), HAW_OK);
    scenario_close(&run);
    return f[mode] * f[mode];
}

static const char ring[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "cables:\n"
    "  - {name: ring, element: se3, elements: 80, closed: true, from: [1, 0, 0],\n"
    "     path: [{arc: {center: [0, 0, 0], radius: 1, angle_deg: 360}}], " BEAM "}\n"
    "start: static\n"
    "stepper: {type: moreau-jean, step: 1.0e-2, end: 1}\n";

/*
 * A ring that was twisted by Theta before it was closed leaves its plane at 2 pi sqrt(3) B / C (J.
 * H. Michell, 1889). Six rigid motions and the turn of all sections are free; the next mode holds
 * the ring at 0.99 of that twist and grows at 1.01.
 */
static void a_twisted_ring_buckles_as_michell_says(void **state)
{
    (void)state;
    static const double ratio[] = {1.5, 2.2, 3};
    for (int i = 0; i < 3; i++) {
        const double critical = 360 * sqrt(3) / ratio[i];
        for (int k = 0; k < 2; k++) {
            char stiffness[80], twist[80];
            const char *const sets[] = {stiffness, twist, NULL};
            (void)snprintf(stiffness, sizeof stiffness, "cables.ring.torsional_stiffness=%.17g",
                           ratio[i]);
            (void)snprintf(twist, sizeof twist, "cables.ring.twist_deg=%.17g",
                           (k == 0 ? 0.99 : 1.01) * critical);
            const double square = square_of(ring, sets, 7);
            assert_true(k == 0 ? square > 1e-5 : square == 0);
        }
    }
}

static const char taut[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "cables:\n"
    "  - {name: rod, element: se3, elements: 80, from: [0, 0, 0], to: [0, 0, 12], tension: 1,\n"
    "     " BEAM ", torsional_stiffness: 1, ends: {start: clamped, end: clamped}}\n"
    "start: static\n"
    "stepper: {type: moreau-jean, step: 1.0e-2, end: 1}\n";

/*
 * Deflections w = x + i y of a rod under tension T and twisting moment M: B w'''' - i M w''' - T
 * w'' = 0 has the solutions 1, s, exp(i k s) with B k^2 - M k + T = 0. Clamped at s = +-h it
 * buckles where
 *
 *     2 q sin(k1 h) sin(k2 h) = h k1 k2 sin(2 q h),   q = (k1 - k2) / 2,
 *
 * first a little above M = 2 sqrt(B T), the limit of long rods.
 */
static double clamped_miss(double moment, double h)
{
    const double q = 0.5 * sqrt(moment * moment - 4), k1 = 0.5 * moment + q, k2 = 0.5 * moment - q;
    return 2 * q * sin(k1 * h) * sin(k2 * h) - h * k1 * k2 * sin(2 * q * h);
}

static double clamped_moment(double h)
{
    double low = 2 + 1e-6, high = low;
    while (clamped_miss(low, h) * clamped_miss(high, h) > 0) {
        high += 1e-3;
    }
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(clamped_miss(low, h) * clamped_miss(middle, h) > 0 ? &low : &high) = middle;
    }
    return low;
}

static void a_taut_rod_buckles_under_its_torque(void **state)
{
    (void)state;
    const double moment = clamped_moment(6);
    assert_true(moment > 2.0 && moment < 2.3);
    for (int k = 0; k < 2; k++) {
        char twist[80];
        const char *const sets[] = {twist, NULL};
        (void)snprintf(twist, sizeof twist, "cables.rod.twist_deg=%.17g",
                       (k == 0 ? 0.99 : 1.01) * moment * 12 * 180 / pi);
        const double square = square_of(taut, sets, 0);
        assert_true(k == 0 ? square > 1e-6 : square == 0);
    }
}

/* ---- twist and writhe ---- */

/* Beyond the critical twist a ring that is drawn a little out of its plane trades twist for
 * writhe. */
static const char bent[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "cables:\n"
    "  - {name: ring, element: se3, elements: 80, closed: true,\n"
    "     path: [{points: [[1, 0, 0.02], [0.70710678, 0.70710678, 0], [0, 1, -0.02],\n"
    "       [-0.70710678, 0.70710678, 0], [-1, 0, 0.02], [-0.70710678, -0.70710678, 0],\n"
    "       [0, -1, -0.02], [0.70710678, -0.70710678, 0], [1, 0, 0.02]]}], twist_deg: 450,\n"
    "     stiffness: 1.0e+4, density: 1, bending_stiffness: 1, torsional_stiffness: 1.5,\n"
    "     rotary_inertia: [1.0e-2, 1.0e-2, 1.0e-2], damping: {mass: 2}}\n"
    "start: given\n"
    "stepper: {type: moreau-jean, step: 5.0e-2, theta: 0.6, end: 15}\n"
    "output: {every: 1, probes: [ring.twist, ring.writhe, ring.link]}\n";

static void a_ring_keeps_its_linking_number(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "bent");
    run.text = bent;
    scenario_complete(&run);
    for (int i = 0; i < run.frames; i++) {
        assert_near(scenario_at(&run, i, "ring.link", 0), 450.0 / 360, 1e-9, 0);
    }
    assert_true(scenario_last(&run, "ring.writhe", 0) > 0.3);
    assert_true(scenario_last(&run, "ring.twist", 0) < 0.8 * 450 * pi / 180);
    scenario_close(&run);
}

/* ---- beyond the ends ---- */

static const char turned[] =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  - {name: hand, position: [0, 0, 0], motion: {velocity: [0, 0, 0]}}\n"
    "cables:\n"
    "  - {name: rod, element: se3, elements: 60, path: [{points: [[0, 0, 0]]}], reference: drawn,\n"
    "     " BEAM ", torsional_stiffness: 0.7,\n"
    "     ends: {start: clamped, end: {body: hand, clamped: true}}}\n"
    "start: given\n"
    "stepper: {type: moreau-jean, step: 1.0e-3, end: 1.0e-3}\n"
    "output: {every: 1, probes: [rod.writhe]}\n";

/* Of a rod along an axis, wound about it in its middle: its ends go on in one line, which no
 * rounding may cross with itself. */
static void writhe_does_not_ask_where_a_rod_points(void **state)
{
    static const double frame[][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{2. / 3, -2. / 3, 1. / 3}, {1. / 3, 2. / 3, 2. / 3}, {-2. / 3, -1. / 3, 2. / 3}},
        {{6. / 7, 3. / 7, 2. / 7}, {2. / 7, -6. / 7, 3. / 7}, {3. / 7, -2. / 7, -6. / 7}},
    };
    double writhe[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double *to = frame[i][2], end = 0.61;
        char path[SCENARIO_TEXT] = "[{points: [";
        scenario_run run;
        for (int k = -8; k <= 8; k++) {
            const double r = 2e-3 * fmax(1 - k * k / 25., 0), tail = fmax(abs(k) - 5, 0);
            const double z = 2e-3 * (abs(k) - tail) + 0.2 * tail;
            const double x[3] = {r * cos(1.4 * k), r * sin(1.4 * k), k < 0 ? -z : z};
            double y[3] = {0, 0, 0};
            for (int j = 0; j < 9; j++) {
                y[j / 3] += x[j % 3] * frame[i][j % 3][j / 3];
            }
            const size_t used = strlen(path);
            (void)snprintf(path + used, sizeof path - used, "[%.12g, %.12g, %.12g]%s", y[0], y[1],
                           y[2], k < 8 ? "," : "]}]");
        }
        scenario_init(&run, "rod");
        run.text = turned;
        scenario_set(&run, "cables.rod.path=%s", path);
        scenario_set(&run, "bodies.hand.position=[%.12g, %.12g, %.12g]", end * to[0], end * to[1],
                     end * to[2]);
        scenario_set(&run, "bodies.hand.motion={velocity: [%.12g, %.12g, %.12g]}", 0.01 * to[0],
                     0.01 * to[1], 0.01 * to[2]);
        scenario_complete(&run);
        writhe[i] = scenario_last(&run, "rod.writhe", 0);
        scenario_close(&run);
    }
    assert_true(fabs(writhe[0]) > 0.02);
    assert_near(writhe[1], writhe[0], 1e-8, 0);
    assert_near(writhe[2], writhe[0], 1e-8, 0);
}

/* Of a rod of straight pieces whose ends go on in two directions: with longer ends it is the same,
 * as what was beyond them is on the rod. */
static void writhe_does_not_ask_how_much_of_its_ends_is_drawn(void **state)
{
    static const double lengths[] = {0.1, 0.3, 1};
    double writhe[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double l = lengths[i];
        scenario_run run;
        char text[SCENARIO_TEXT];
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n"
                       "  - {name: rod, element: se3, elements: %ld, from: [%.17g, 0, 0], path: "
                       "[{line: [0, 0, 0]}, {line: [0, 0, 0.1]}, {line: [0.1, 0, 0.1]}, {line: "
                       "[0.1, 0.2, 0.1]}, {line: [%.17g, %.17g, %.17g]}], reference: drawn, " BEAM
                       ", torsional_stiffness: 0.7, ends: {start: clamped, end: free}}\n"
                       "start: given\nstepper: {type: moreau-jean, step: 1.0e-4, end: 1.0e-4}\n"
                       "output: {every: 1, probes: [rod.writhe]}\n",
                       8 + 2 * lround(l / 0.05), -l, 0.1 + 0.6 * l, 0.2 + 0.64 * l, 0.1 + 0.48 * l);
        scenario_init(&run, "zigzag");
        run.text = text;
        scenario_complete(&run);
        writhe[i] = scenario_last(&run, "rod.writhe", 0);
        scenario_close(&run);
    }
    assert_true(fabs(writhe[0]) > 0.05);
    assert_near(writhe[1], writhe[0], 1e-7, 0);
    assert_near(writhe[2], writhe[0], 1e-7, 0);
}

TEST_FILE(test_twist)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driven_plate_twists_and_pulls_a_rod),
        cmocka_unit_test(a_clamp_carries_the_moment_of_a_deflected_tip),
        cmocka_unit_test(a_spring_pulls_by_its_torsion),
        cmocka_unit_test(a_twisted_ring_buckles_as_michell_says),
        cmocka_unit_test(a_taut_rod_buckles_under_its_torque),
        cmocka_unit_test(a_ring_keeps_its_linking_number),
        cmocka_unit_test(writhe_does_not_ask_where_a_rod_points),
        cmocka_unit_test(writhe_does_not_ask_how_much_of_its_ends_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
