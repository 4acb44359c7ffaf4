/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings that cross and strings hooked in each other: printed figures, energy, equilibrium. */
#include "support/theory.h"

static const double pi = 3.14159265358979323846;

/* ---- crossing ---- */

enum { SETTINGS = 9 };

/* Case 1: equal strings; case 2: a stiffer, shorter one across. */
static void crossing_case(int number, double angle, setting set[SETTINGS])
{
    const double half = number == 1 ? 0.5 : 0.3;
    const setting rows[SETTINGS] = {{"tension-b", number == 1 ? 100 : 300, NULL},
                                    {"before-b", half, NULL},
                                    {"after-b", half, NULL},
                                    {"approach", number == 1 ? 0.02 : 0.03, NULL},
                                    {"diameter", number == 1 ? 0.004 : 0.01, NULL},
                                    {"angle-deg", angle, NULL},
                                    {"friction", 0.3, NULL},
                                    {"shift", 0, NULL},
                                    {"tension-a", 100, NULL}};
    memcpy(set, rows, sizeof rows);
}

static void crossing_strings_have_the_printed_figures(void **state)
{
    static const struct {
        double angle;
        double force[2], wrap[2];
    } row[] = {{90, {4.1603, 11.901}, {0, 0}},
               {60, {4.1607, 11.907}, {.160e-3, .774e-3}},
               {45, {4.1612, 11.915}, {0, 0}}};

    static const double right[2][5] = {{104.02, 10.001e-3, 10.001e-3, 3.011e-3, 1.250},
                                       {123.41, 24.138e-3, 5.876e-3, 1.805e-3, 3.569}};
    for (int c = 0; c < 2; ++c) {
        for (int i = 0; i < 3; ++i) {
            setting set[SETTINGS];
            crossing_case(c + 1, row[i].angle, set);
            haw_theory_result r = theory_run(*state, "crossing", SETTINGS, set);
            assert_near(haw_theory_value(&r, "force"), row[i].force[c], 0, 1e-4);
            if (row[i].angle == 60) {
                assert_near(haw_theory_value(&r, "wrap_a"), row[i].wrap[c], 0.5e-6, 0);
            }
            if (row[i].angle == 90) {
                assert_near(haw_theory_value(&r, "tension_a"), right[c][0], 0, 1e-4);
                assert_near(haw_theory_value(&r, "deflection_a"), right[c][1], 0, 1e-4);
                assert_near(haw_theory_value(&r, "deflection_b"), right[c][2], 0, 1e-4);
                assert_near(haw_theory_value(&r, "stick_shift"), right[c][3], 0, 5e-3);
                assert_near(haw_theory_value(&r, "stick_force"), right[c][4], 0, 5e-3);
            }
            haw_theory_result_free(*state, &r);
        }
    }
}

static void a_string_that_slides_along_another_has_the_printed_figures(void **state)
{
    static const double row[][4] = {{0.05, 46.98e-3, 4.186, 1.264},
                                    {0.1, 96.93e-3, 4.251, 1.292},
                                    {0.2, 196.7e-3, 4.536, 1.400}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        setting set[SETTINGS];
        crossing_case(1, 90, set);
        set[7].value = row[i][0];
        haw_theory_result r = theory_run(*state, "crossing", SETTINGS, set);
        const double x = haw_theory_value(&r, "shift_x"), n = haw_theory_value(&r, "shift_force");
        const double along = haw_theory_value(&r, "shift_force_along");
        assert_near(x, row[i][1], 0, 1e-3);
        assert_near(n, row[i][2], 0, 1e-3);
        assert_near(along, row[i][3], 0, 1e-3);
        assert_string_equal(haw_theory_word(&r, "contact"), "slides");
        /* small angles: the supports of B pull with its transverse stiffness */
        const double stiff = 4 * haw_theory_value(&r, "tension_b");
        assert_near(along, stiff * (row[i][0] - x), 0, 3e-2);
        haw_theory_result_free(*state, &r);
    }
    setting set[SETTINGS];
    crossing_case(1, 90, set);
    set[7].value = 0.002;
    haw_theory_result r = theory_run(*state, "crossing", SETTINGS, set);
    assert_string_equal(haw_theory_word(&r, "contact"), "sticks");
    assert_near(haw_theory_value(&r, "shift_force_along"),
                haw_theory_value(&r, "stick_force") * 0.002 / haw_theory_value(&r, "stick_shift"),
                0, 1e-12);
    haw_theory_result_free(*state, &r);
}

static void forces_are_continuous_where_sliding_begins(void **state)
{
    setting set[SETTINGS];
    crossing_case(1, 90, set);
    const double way = theory_quantity(*state, "crossing", SETTINGS, set, "stick_shift");
    set[7].value = way * (1 + 1e-9);
    const double force = theory_quantity(*state, "crossing", SETTINGS, set, "stick_force");
    assert_near(theory_quantity(*state, "crossing", SETTINGS, set, "shift_force_along"), force, 0,
                2e-3);
}

/* Off the middle, at 60 degrees; the printed figures are those of kinks D apart. */
static const setting off_centre[] = {
    {"before-a", 0.3, NULL},  {"after-a", 0.7, NULL},  {"tension-b", 300, NULL},
    {"before-b", 0.3, NULL},  {"after-b", 0.4, NULL},  {"approach", 0.03, NULL},
    {"diameter", 0.01, NULL}, {"angle-deg", 60, NULL},
};

enum { OFF_CENTRE = sizeof off_centre / sizeof off_centre[0] };

static void strings_off_their_middle_have_the_printed_figures(void **state)
{
    haw_theory_result r = theory_run(*state, "crossing", OFF_CENTRE, off_centre);
    assert_near(haw_theory_value(&r, "force"), 13.29, 0.005, 1.5e-3);
    assert_near(haw_theory_value(&r, "tension_a"), 124.24, 0.005, 1.5e-3);
    assert_near(haw_theory_value(&r, "tension_b"), 304.73, 0.005, 1.5e-3);
    assert_near(haw_theory_value(&r, "kink_a_x"), .13e-3, 0.005e-3, 0);
    assert_near(haw_theory_value(&r, "kink_a_y"), .36e-3, 0.005e-3, 0);
    assert_near(haw_theory_value(&r, "deflection_a"), 22.52e-3, 0, 1.5e-3);
    haw_theory_result_free(*state, &r);
}

static double leg(double x, double y, double z, const double end[3])
{
    return sqrt((x - end[0]) * (x - end[0]) + (y - end[1]) * (y - end[1]) +
                (z - end[2]) * (z - end[2]));
}

static double stretched(double length, double unstrained)
{
    const double e = length / unstrained - 1;
    return 2e4 * unstrained * e * e / 2;
}

/* Elastic energy of two kinked strings: kink of A, direction of that of B (its first two parts),
 * distance of the kinks. */
static double kinked_energy(const double x[6])
{
    const double s = sqrt(3) / 2, height = 0.01 - 0.03;
    const double ends[4][3] = {
        {-.3, 0, 0}, {.7, 0, 0}, {-.15, -.3 * s, height}, {.2, .4 * s, height}};
    const double n[3] = {x[3], x[4], sqrt(1 - x[3] * x[3] - x[4] * x[4])};
    const double b[3] = {x[0] + x[5] * n[0], x[1] + x[5] * n[1], x[2] + x[5] * n[2]};
    return stretched(leg(x[0], x[1], x[2], ends[0]) + leg(x[0], x[1], x[2], ends[1]),
                     1 / (1 + 100 / 2e4)) +
           stretched(leg(b[0], b[1], b[2], ends[2]) + leg(b[0], b[1], b[2], ends[3]),
                     0.7 / (1 + 300 / 2e4));
}

/* The energy is stationary, also as to the direction of the normal (a maximum: lines touch where
 * they are nearest), and its derivative by the distance of the kinks is the force. */
static void strings_that_cross_have_a_stationary_energy(void **state)
{
    haw_theory_result r = theory_run(*state, "crossing", OFF_CENTRE, off_centre);
    const double force = haw_theory_value(&r, "force"), step = 1e-5;
    const double distance = haw_theory_value(&r, "separation");
    const double x[6] = {
        haw_theory_value(&r, "kink_a_x"),
        haw_theory_value(&r, "kink_a_y"),
        -haw_theory_value(&r, "deflection_a"),
        (haw_theory_value(&r, "kink_b_x") - haw_theory_value(&r, "kink_a_x")) / distance,
        (haw_theory_value(&r, "kink_b_y") - haw_theory_value(&r, "kink_a_y")) / distance,
        distance};
    assert_near(distance * sqrt(1 - x[3] * x[3] - x[4] * x[4]),
                haw_theory_value(&r, "deflection_a") + haw_theory_value(&r, "deflection_b") - 0.02,
                1e-12, 0);
    for (int i = 0; i < 6; ++i) {
        double up[6], down[6];
        memcpy(up, x, sizeof up);
        memcpy(down, x, sizeof down);
        up[i] += step;
        down[i] -= step;
        const double slope = (kinked_energy(up) - kinked_energy(down)) / (2 * step);
        const double scale = i == 3 || i == 4 ? distance : 1;
        assert_near(slope / scale, i == 5 ? force : 0, 1e-5 * force, 0);
    }
    haw_theory_result_free(*state, &r);
}

/* ---- the contact of equal strings ---- */

static void wraps_have_the_printed_figures(void **state)
{
    static const struct {
        double angle, alpha, exact, small, sum;
    } row[] = {{60, .05, .004971, .005000, 1.0017}, {60, .1, .01953, .02000, 1.0066},
               {45, .05, .008430, .008536, 1.0028}, {30, .05, .01809, .01866, 1.0061},
               {30, .1, .06646, .07464, 1.0233},    {20, .1, .1286, .1658, 1.048}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        const setting set[] = {{"angle-deg", row[i].angle, NULL}, {"alpha", row[i].alpha, NULL}};
        haw_theory_result r = theory_run(*state, "crossing-wrap", 2, set);
        /* the printed ones are of a numerical solution, good to 1e-3; the last one to 1.5e-3 */
        assert_near(haw_theory_value(&r, "separation") - 1, row[i].exact, 0,
                    row[i].angle == 20 ? 1.5e-3 : 1e-3);
        assert_near(haw_theory_value(&r, "separation_small") - 1, row[i].small, 0, 5e-4);
        assert_near(haw_theory_value(&r, "sum_over_force"), row[i].sum, 0, 1e-3);
        haw_theory_result_free(*state, &r);
    }
    const setting square[] = {{"angle-deg", 90, NULL}};
    theory_refuses(*state, "crossing-wrap", 1, square, "'clasp'");
}

/* The wrap of small angles: the force is line load times length on both strings, and the kinks of
 * equal strings are as far apart as those of the helices, up to (alpha / tan(theta / 2))^2. */
static void small_wraps_agree_with_the_helices(void **state)
{
    for (int c = 1; c <= 2; ++c) {
        for (int angle = 30; angle <= 75; angle += 15) {
            setting set[SETTINGS];
            crossing_case(c, angle, set);
            haw_theory_result r = theory_run(*state, "crossing", SETTINGS, set);
            const double n = haw_theory_value(&r, "force"), alpha = haw_theory_value(&r, "alpha_a");
            const double wrap_a = haw_theory_value(&r, "wrap_a");
            const double wrap_b = haw_theory_value(&r, "wrap_b");
            const double order = pow(alpha / tan(angle * pi / 360), 2);
            assert_near(2 * wrap_a * haw_theory_value(&r, "line_a"), n, 0, 1e-3);
            assert_near(2 * wrap_b * haw_theory_value(&r, "line_b"), n, 0, 1e-3);
            assert_near(haw_theory_value(&r, "separation") - set[4].value,
                        (alpha * wrap_a + haw_theory_value(&r, "alpha_b") * wrap_b) / 2, 1e-15,
                        1e-9);
            if (c == 1) {
                const setting same[] = {
                    {"angle-deg", angle, NULL}, {"alpha", alpha, NULL}, {"diameter", 0.004, NULL}};
                assert_near(haw_theory_value(&r, "separation") - 0.004,
                            theory_quantity(*state, "crossing-wrap", 3, same, "separation") - 0.004,
                            0, order);
            }
            haw_theory_result_free(*state, &r);
        }
    }
}

/* At right angles the crossing is a clasp of legs that turn little. */
static void strings_at_right_angles_wrap_as_a_clasp(void **state)
{
    const double alpha = 0.1;
    const setting set[] = {{"half-angle-deg", alpha * 180 / pi, NULL}};
    haw_theory_result r = theory_run(*state, "clasp", 1, set);
    const double across = haw_theory_value(&r, "half_width_a") * tan(alpha);
    const double apart =
        haw_theory_value(&r, "tip_distance") + 2 * (across - haw_theory_value(&r, "rise_a"));
    assert_near(apart - 1, .01004, 0, 1e-3);
    assert_near(haw_theory_value(&r, "W") / (2 * sin(alpha)), 1.0034, 0, 1e-3);
    haw_theory_result_free(*state, &r);
}

static void helix_at(double r, double beta, double s, double x[3])
{
    const double angle = s * sin(beta) / r;
    x[0] = s * cos(beta);
    x[1] = r * sin(angle);
    x[2] = -r * cos(angle);
}

static double distance_to(const double x[3], double r, double beta, double s)
{
    double y[3];
    helix_at(r, beta, s, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] + y[1]) * (x[1] + y[1]) +
                (x[2] + y[2]) * (x[2] + y[2]));
}

/* T x" + p n = 0 by differences, D as the least distance to all of the other, and the work
 * of the thickness: D sum |p| = 2 T (arc - legs) + N (distance of the kinks). */
static void a_wrap_is_in_equilibrium_and_nowhere_closer_than_d(void **state)
{
    for (int angle = 20; angle <= 80; angle += 10) {
        const setting set[] = {
            {"angle-deg", angle, NULL}, {"alpha", 0.1, NULL}, {"tension", 3, NULL}};
        haw_theory_result w = theory_run(*state, "crossing-wrap", 3, set);
        const double beta = haw_theory_value(&w, "beta"), l = haw_theory_value(&w, "wrap");
        const double p = haw_theory_value(&w, "line"), r = 0.5, h = 1e-3 * l;
        for (int piece = -4; piece <= 4; ++piece) {
            const double s = l * piece / 4;
            double a[3][3], least = HUGE_VAL;
            for (int k = 0; k < 3; ++k) {
                helix_at(r, beta, s + (k - 1) * h, a[k]);
            }
            for (int at = -200; at <= 200; ++at) {
                least = fmin(least, distance_to(a[1], r, beta, l * at / 200));
            }
            assert_near(least, 1, 1e-12, 0);
            /* the force of B on A points from B to A: (0, y, z) / r */
            for (int j = 1; j < 3; ++j) {
                const double bend = (a[0][j] - 2 * a[1][j] + a[2][j]) / (h * h);
                assert_near(3 * bend + p * a[1][j] / r, 0, 1e-5 * p, 0);
            }
        }
        const double n = haw_theory_value(&w, "force");
        const double sum = 2 * l * p, legs = 2 * haw_theory_value(&w, "leg");
        assert_near(sum, n * haw_theory_value(&w, "sum_over_force"), 0, 1e-12);
        assert_near(sum, 2 * 3 * (2 * l - legs) + n * haw_theory_value(&w, "separation"), 0, 1e-9);
        haw_theory_result_free(*state, &w);
    }
}

/* ---- clasp ---- */

static haw_theory_result clasp(void *context, double half, double ratio)
{
    const setting set[] = {{"half-angle-deg", half, NULL}, {"tension-b", 1 / ratio, NULL}};
    return theory_run(context, "clasp", 2, set);
}

static void clasps_have_the_printed_figures(void **state)
{
    static const struct {
        double half, ratio, tip, w, phi, arc;
    } row[] = {{30, 1, 1.002751, 1.093854, 1.047198, 1.048302},
               {60, 1, 1.028617, 2.447452, 2.094395, 2.114535},
               {60, .5, 1.006580, 2.151477, 2.094395, 2.099131},
               {90, 1, 1.056386, 4.262897, 3.141593, 3.187835},
               {90, .5, 1.012382, 3.231321, 3.141593, 3.152137},
               {90, .1, 1.000480, 3.144758, 3.141593, 3.142004},
               {90, .02, 1.000019, 3.141719, 3.141593, 3.141609}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        haw_theory_result r = clasp(*state, row[i].half, row[i].ratio);
        assert_near(haw_theory_value(&r, "tip_distance"), row[i].tip, 1e-6, 0);
        assert_near(haw_theory_value(&r, "W"), row[i].w, 1e-6, 0);
        assert_near(haw_theory_value(&r, "phi"), row[i].phi, 1e-6, 0);
        assert_near(haw_theory_value(&r, "arc_a"), row[i].arc, 1e-6, 0);
        haw_theory_result_free(*state, &r);
    }
    haw_theory_result r = clasp(*state, 75, 1);
    assert_near(haw_theory_value(&r, "W"), 3.287382, 1e-6, 0);
    haw_theory_result_free(*state, &r);
}

/* Work of the thickness: all lengths grow with D, D sum |p| = sum T (arc - legs) + N distance of
 * the points where the legs meet. W comes from forces, the rest from lengths. */
static void the_force_of_a_clasp_is_the_work_of_its_thickness(void **state)
{
    static const double row[][2] = {{30, 1}, {60, 1}, {60, .5}, {75, 1}, {45, 1.2}, {80, .3}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        haw_theory_result r = clasp(*state, row[i][0], row[i][1]);
        const double a = row[i][0] * pi / 180, b = haw_theory_value(&r, "half_angle_b");
        const double leg_a = haw_theory_value(&r, "half_width_a") / cos(a);
        const double leg_b = haw_theory_value(&r, "half_width_b") / cos(b);
        const double apart = haw_theory_value(&r, "tip_distance") + leg_a * sin(a) -
                             haw_theory_value(&r, "rise_a") + leg_b * sin(b) -
                             haw_theory_value(&r, "rise_b");
        const double work = haw_theory_value(&r, "arc_a") - 2 * leg_a +
                            (haw_theory_value(&r, "arc_b") - 2 * leg_b) / row[i][1] +
                            2 * sin(a) * apart;
        assert_near(haw_theory_value(&r, "W"), work, 0, 1e-9);
        haw_theory_result_free(*state, &r);
    }
}

/* Both curves drawn by their slopes: the points that touch are D apart, on both sides of the tip.
 */
static void points_that_touch_in_a_clasp_are_d_apart(void **state)
{
    const double ratio = 0.7, tau = sin(65 * pi / 180);
    haw_theory_result r = clasp(*state, 65, ratio);
    const haw_quantity *slope = theory_profile(&r, "slope"), *x = theory_profile(&r, "x");
    const haw_quantity *y = theory_profile(&r, "y"), *height = theory_profile(&r, "height");
    double up_a = 0, up_b = 0;
    for (int i = 1; i < x->count; ++i) {
        /* from its tip A rises by tan dx; B from the end of its arc to its tip by tan |dy| */
        const double middle_a = sin(slope->value[i]) + sin(slope->value[i - 1]);
        const double v = ratio * (tau - middle_a / 2), u = middle_a / 2;
        up_a += u / sqrt(1 - u * u) * (x->value[i] - x->value[i - 1]);
        up_b += v / sqrt(1 - v * v) * (y->value[i] - y->value[i - 1]);
        assert_near(height->value[i] - height->value[0], -up_a - up_b, 2e-4, 0);
        const double d2 = x->value[i] * x->value[i] + y->value[i] * y->value[i] +
                          height->value[i] * height->value[i];
        assert_near(d2, 1, 1e-12, 0);
    }
    assert_near(up_a, haw_theory_value(&r, "rise_a"), 2e-4, 0);
    assert_near(-up_b, haw_theory_value(&r, "rise_b"), 2e-4, 0);
    haw_theory_result_free(*state, &r);
    const setting weak[] = {{"half-angle-deg", 60, NULL}, {"tension-b", 0.5, NULL}};
    theory_refuses(*state, "clasp", 2, weak, "cannot carry the legs");
}

TEST_FILE(test_theory_crossing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossing_strings_have_the_printed_figures),
        cmocka_unit_test(a_string_that_slides_along_another_has_the_printed_figures),
        cmocka_unit_test(forces_are_continuous_where_sliding_begins),
        cmocka_unit_test(strings_off_their_middle_have_the_printed_figures),
        cmocka_unit_test(strings_that_cross_have_a_stationary_energy),
        cmocka_unit_test(wraps_have_the_printed_figures),
        cmocka_unit_test(small_wraps_agree_with_the_helices),
        cmocka_unit_test(strings_at_right_angles_wrap_as_a_clasp),
        cmocka_unit_test(a_wrap_is_in_equilibrium_and_nowhere_closer_than_d),
        cmocka_unit_test(clasps_have_the_printed_figures),
        cmocka_unit_test(the_force_of_a_clasp_is_the_work_of_its_thickness),
        cmocka_unit_test(points_that_touch_in_a_clasp_are_d_apart),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
