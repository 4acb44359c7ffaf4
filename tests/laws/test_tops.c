/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that turn about a point or an axis: steady tops and bars, one that is let go, pendulums of
 * any swing. References: closed forms; Euler's equations by quaternions for the bar. */
#include "support/joints.h"

static const double radian = 0.017453292519943296;

static const char *const steppers[] = {
    "moreau-jean, theta: 0.5, newton_tolerance: 1.0e-13",
    "generalized-alpha, rho_infinity: 0.9, newton_tolerance: 1.0e-13",
    "nsga, rho_infinity: 0.9, newton_tolerance: 1.0e-12", "moreau"};

enum { STEPPERS = sizeof steppers / sizeof *steppers };

/* Symmetric, its axis from the joint to the centre at an angle to the vertical; that precesses. */
typedef struct top {
    double across, along, arm; /* moments about the centre, distance of the joint */
    double angle;              /* of the axis from the upward vertical [deg] */
    double spin, precession;   /* about the axis in all; of the axis [rad/s] */
} top;

/* Its centre after `end`. */
static void turn(const top *a, const char *stepper, double step, double end, double centre[3])
{
    const double angle = a->angle * radian, s = sin(angle), c = cos(angle);
    char text[1024], how[256];
    scenario_run run;
    snprintf(text, sizeof text,
             SPACE "bodies:\n  - {name: top, mass: 1, inertias: [%.17g, %.17g, %.17g], position: "
                   "[%.17g, 0, %.17g], velocity: [0, %.17g, 0], orientation: [%.17g, 0, %.17g, 0],"
                   " spins: [%.17g, 0, %.17g]}\n"
                   "joints: [{name: tip, type: spherical, between: [{ground: [0, 0, 0]}, {body: "
                   "top, at: [0, 0, %.17g]}]}]\noutput: {probes: [top.position]}\n",
             a->across, a->across, a->along, a->arm * s, a->arm * c, a->precession * a->arm * s,
             cos(angle / 2), sin(angle / 2), -a->precession * s, a->spin, -a->arm);
    snprintf(how, sizeof how, "stepper: {type: %s, step: %g, end: %.17g}\n", stepper, step, end);
    joints_complete(&run, text, how, strcmp(stepper, "moreau") == 0 ? 1e-4 : 1e-12);
    joints_check_ledger(&run, fmax(200, 0.5 * a->along * a->spin * a->spin));
    for (int i = 0; i < 3; i++) {
        centre[i] = scenario_last(&run, "top.position", i);
    }
    scenario_close(&run);
}

/* A cos(angle) phi'^2 - C spin phi' + m g d = 0 of tops, phi'^2 = 3 g / (2 l cos(angle)) of the bar
 * of 1 m that hangs: by how much less or more it has precessed, of order 2. */
static void tops_and_bars_precess_steadily(void **state)
{
    static const struct {
        top top;
        double end, step;
    } rows[] = {
        {{0.0025, 0.005, 0.1, 30, 200, .9916451862}, 1, 2e-4},
        {{0.0025, 0.005, 0.1, 30, 200, 91.3843979}, 0.05, 2e-4},
        {{0.0025, 0.005, 0.1, 90, 200, .981}, 1, 2e-4},
        {{1.0 / 12, 1e-9, 0.5, 140, 0, 4.3828151070}, 1, 1e-3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const top *a = &rows[i].top;
        for (int k = 0; k < STEPPERS; k++) {
            double error[2], x[3];
            for (int fine = 0; fine < 2; fine++) {
                turn(a, steppers[k], rows[i].step / (1 + fine), rows[i].end, x);
                const double whole = a->precession * rows[i].end;
                error[fine] = remainder(atan2(x[1], x[0]) - whole, 2 * acos(-1)) / whole;
                assert_near(x[2], a->arm * cos(a->angle * radian), 1e-4 * a->arm, 0);
            }
            print_message("%.0f deg, %.4g rad/s, %.9s: %.1e, order %.2f\n", a->angle, a->precession,
                          steppers[k], error[1], log2(error[0] / error[1]));
            assert_near(error[0], 0, 1e-3, 0);
            assert_near(log2(error[0] / error[1]), 2, 0.1, 0);
        }
    }
}

/* From 60 degrees with 2 rad/s about the vertical. */
static void a_thin_bar_has_the_reference_tip(void **state)
{
    static const double tip[] = {-.5713051181, -.5952322989, -.565074307};
    static const top bar = {1.0 / 12, 1e-9, 0.5, 120, 0, 2};
    (void)state;
    for (int k = 0; k < STEPPERS; k++) {
        double x[3];
        turn(&bar, steppers[k], 1e-3, 1, x);
        for (int i = 0; i < 3; i++) {
            assert_near(2 * x[i], tip[i], 1e-5, 0);
        }
    }
}

/* The top of the library with 100 rad/s, at its lowest half a nutation after it was let go. */
static void a_top_nutates_to_the_reference_angle(void **state)
{
    static const double period = .1719603058;
    static const top free_top = {0.0025, 0.005, 0.1, 30, 100, 0};
    (void)state;
    for (int k = 0; k < STEPPERS; k++) {
        double x[3];
        turn(&free_top, steppers[k], 1e-4, 0.5 * period, x);
        assert_near(acos(10 * x[2]) / radian, 33.2189974, 0, 1e-5);
        turn(&free_top, steppers[k], 1e-4, period, x);
        assert_near(10 * x[2], cos(30 * radian), 1e-8, 0);
        assert_near(atan2(x[1], x[0]), .352505116, 0, 1e-4);
    }
}

/* T = 4 sqrt(I / m g d) K(sin(angle / 2)): after it the body is where it began, and what it turns
 * with is by how much it is late. */
static void pendulums_of_any_swing_have_their_period(void **state)
{
    static const struct {
        double inertia, arm, angle, period;
    } rows[] = {{1.0 / 12, 0.5, 60, 1.7578148047},
                {1.0 / 12, 0.5, 120, 2.2487049289},
                {0.02, 0.2, 90, 1.2969204473}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double arm = rows[i].arm, angle = rows[i].angle * radian;
        const double slope = 9.81 * arm * sin(angle) / (rows[i].inertia + arm * arm);
        char text[512];
        snprintf(text, sizeof text,
                 PLANE "bodies: [{name: bar, mass: 1, inertia: %.17g, position: [%.17g, %.17g], "
                       "angle_deg: %g}]\njoints: [{name: pivot, type: pinned, between: [{ground: "
                       "[0, 0]}, {body: bar, at: [%g, 0]}]}]\n"
                       "output: {probes: [bar.spin, bar.position]}\n",
                 rows[i].inertia, arm * sin(angle), -arm * cos(angle), rows[i].angle - 90, -arm);
        for (int k = 0; k < STEPPERS; k++) {
            double late[2];
            for (int fine = 0; fine < 2; fine++) {
                char how[256];
                scenario_run run;
                snprintf(how, sizeof how, "stepper: {type: %s, step: %g, end: %.17g}\n",
                         steppers[k], 2e-3 / (1 + fine), rows[i].period);
                joints_complete(&run, text, how, k == 3 ? 2e-5 : 1e-12);
                late[fine] = scenario_last(&run, "bar.spin", 0) / slope / rows[i].period;
                assert_near(scenario_last(&run, "bar.position", 1), -arm * cos(angle), 1e-5, 0);
                scenario_close(&run);
            }
            assert_near(late[0], 0, 5e-5, 0);
            assert_near(log2(late[0] / late[1]), 2, 0.1, 0);
        }
    }
}

TEST_FILE(test_tops)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tops_and_bars_precess_steadily),
        cmocka_unit_test(a_thin_bar_has_the_reference_tip),
        cmocka_unit_test(a_top_nutates_to_the_reference_angle),
        cmocka_unit_test(pendulums_of_any_swing_have_their_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
