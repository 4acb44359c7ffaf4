/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers on a drum: printed figures, the pile turn by turn, geodesics over another turn. */
#include "support/theory.h"

static const double pi = 3.14159265358979323846;

static void layers_have_the_printed_figures(void **state)
{
    const setting stacked[] = {{"layers", 4, NULL}, {"arrangement", 0, "stacked"}};
    haw_theory_result s = theory_run(*state, "multilayer", 2, stacked);
    haw_theory_result g = theory_run(*state, "multilayer", 0, NULL);
    assert_digits(haw_theory_value(&g, "mandrel_line"), "3846.15");
    assert_near(haw_theory_value(&g, "mandrel_pressure"), 1e6, 1e-6, 0);
    assert_near(1e3 * theory_profile(&s, "radius")->value[1], 56, 1e-12, 0);
    assert_digits(1e3 * theory_profile(&g, "radius")->value[1], "55.4641");
    assert_digits(theory_profile(&s, "own")->value[1], "892.86");
    assert_digits(theory_profile(&g, "own")->value[1], "901.48");
    assert_near(theory_profile(&g, "below")->value[0], haw_theory_value(&g, "mandrel_line"), 0,
                1e-15);
    haw_theory_result_free(*state, &s);
    haw_theory_result_free(*state, &g);
    const setting wide[] = {{"layers", 2, NULL}, {"pitch", 4.4e-3, NULL}};
    haw_theory_result w = theory_run(*state, "multilayer", 2, wide);
    assert_digits(1e3 * theory_profile(&w, "radius")->value[1], "55.3407");
    assert_digits(haw_theory_value(&w, "flange"), "103.445");
    haw_theory_result_free(*state, &w);
    static const char *const flange[] = {"90.690", "272.07"};
    for (int m = 2; m <= 3; ++m) {
        const setting set[] = {{"layers", m, NULL}};
        assert_digits(theory_quantity(*state, "multilayer", 1, set, "flange"), flange[m - 2]);
    }
}

static void a_hoop_over_a_yarn_has_the_printed_figures(void **state)
{
    haw_theory_result r = theory_run(*state, "multilayer", 0, NULL);
    assert_near(cos(haw_theory_value(&r, "hoop_lift_angle")), 12. / 13, 1e-14, 0);
    assert_digits(haw_theory_value(&r, "hoop_force"), "38.4615");
    assert_near(haw_theory_value(&r, "hoop_tangent"), 0.02, 1e-15, 0);
    assert_digits(1e3 * haw_theory_value(&r, "hoop_length"), "328.8257");
    haw_theory_result_free(*state, &r);
}

/* The length of the hoop grows with the yarn's height h by N / T: the closed string is the convex
 * hull of two circles, whose length comes from its support function, max(R1, h cos + D). */
static double hull(double radius, double height, double diameter)
{
    enum { PIECES = 200000 };

    double sum = 0;
    for (int i = 0; i < PIECES; ++i) {
        const double angle = 2 * pi * (i + 0.5) / PIECES;
        sum += fmax(radius, height * cos(angle) + diameter);
    }
    return sum * 2 * pi / PIECES;
}

static void a_hoop_over_a_yarn_is_the_shortest_closed_string(void **state)
{
    haw_theory_result r = theory_run(*state, "multilayer", 0, NULL);
    const double step = 1e-5;
    assert_near(haw_theory_value(&r, "hoop_length"), hull(0.052, 0.052, 0.004), 0, 1e-9);
    assert_near(haw_theory_value(&r, "hoop_force"),
                50 * (hull(0.052, 0.052 + step, 0.004) - hull(0.052, 0.052 - step, 0.004)) /
                    (2 * step),
                0, 1e-5);
    haw_theory_result_free(*state, &r);
}

/* ---- the pile, turn by turn ---- */

/*
 * Every turn of an upper layer weighs T per radian and takes what lies on it; its two contacts
 * below balance both directions. A turn of the lowest layer passes on to its neighbours what they
 * do not cancel: the left flange gets all that is driven to the left of where nothing passes.
 */
static double pile(int layers, int turns, double tension, double theta)
{
    double left[64] = {0}, right[64] = {0}; /* on turn i: by the one above to its right, its left */
    for (int j = layers - 1; j > 0; --j) {
        const int count = turns - j;
        double to_left[64] = {0}, to_right[64] = {0};
        for (int i = 0; i < count; ++i) {
            /* down = (l + r) cos, across = (l - r) sin */
            const double down = tension + (left[i] + right[i]) * cos(theta);
            const double across = (left[i] - right[i]) * sin(theta);
            to_left[i] = (down / cos(theta) + across / sin(theta)) / 2;
            to_right[i + 1] = (down / cos(theta) - across / sin(theta)) / 2;
        }
        memcpy(left, to_left, sizeof left);
        memcpy(right, to_right, sizeof right);
    }
    double push = 0;
    for (int i = 0; i < turns; ++i) {
        push += fmax((left[i] - right[i]) * sin(theta), 0);
    }
    return 2 * pi * push;
}

static void flanges_get_what_the_turns_of_a_pile_push(void **state)
{
    for (int m = 1; m <= 6; ++m) {
        for (int turns = m; turns <= 14; ++turns) {
            const setting set[] = {
                {"layers", m, NULL}, {"turns", turns, NULL}, {"pitch", 4.3e-3, NULL}};
            haw_theory_result r = theory_run(*state, "multilayer", 3, set);
            assert_near(haw_theory_value(&r, "flange"),
                        pile(m, turns, 50, haw_theory_value(&r, "groove_angle")), 1e-10, 1e-12);
            haw_theory_result_free(*state, &r);
        }
    }
    const setting wide[] = {{"layers", 5, NULL}},
                  same[] = {{"layers", 5, NULL}, {"turns", 9, NULL}};
    assert_near(theory_quantity(*state, "multilayer", 1, wide, "flange"),
                theory_quantity(*state, "multilayer", 2, same, "flange"), 0, 1e-15);
}

static void piles_that_cannot_be_are_refused(void **state)
{
    const setting overlap[] = {{"pitch", 3.9e-3, NULL}}, wide[] = {{"pitch", 8e-3, NULL}};
    const setting few[] = {{"layers", 4, NULL}, {"turns", 3, NULL}};
    theory_refuses(*state, "multilayer", 1, overlap, "turns overlap");
    theory_refuses(*state, "multilayer", 1, wide, "fall through");
    theory_refuses(*state, "multilayer", 2, few, "at least as many turns");
}

/* ---- a turn over another one ---- */

/* The lower turn: a helix on the drum, at -alpha to its axis, through (R1, 0, 0). */
typedef struct helix {
    double radius, alpha, diameter;
    double
        held; /* length of the upper turn to where it is held on its helix through the crossing */
} helix;

static void helix_at(const helix *b, double s, double y[3], double d1[3], double d2[3])
{
    const double phi = -s * sin(b->alpha) / b->radius,
                 k = sin(b->alpha) * sin(b->alpha) / b->radius;
    const double place[3] = {b->radius * cos(phi), b->radius * sin(phi), s * cos(b->alpha)};
    const double slope[3] = {sin(b->alpha) * sin(phi), -sin(b->alpha) * cos(phi), cos(b->alpha)};
    const double bend[3] = {-k * cos(phi), -k * sin(phi), 0};
    memcpy(y, place, sizeof place);
    memcpy(d1, slope, sizeof slope);
    memcpy(d2, bend, sizeof bend);
}

/* Second derivative of a geodesic on the tube about the helix: the gap stays, as to second order.
 */
static void geodesic(const helix *b, const double x[6], double *foot, double dx[6])
{
    double y[3], d1[3], d2[3], n[3], along = 0, size = 0, curve = 0, speed = 0, slide = 0;
    for (int pass = 0; pass < 9; ++pass) {
        helix_at(b, *foot, y, d1, d2);
        along = curve = size = 0;
        for (int i = 0; i < 3; ++i) {
            n[i] = x[i] - y[i];
            along += n[i] * d1[i];
            curve += n[i] * d2[i];
            size += n[i] * n[i];
        }
        *foot += along / (1 - curve);
    }
    for (int i = 0; i < 3; ++i) {
        speed += x[3 + i] * x[3 + i];
        slide += d1[i] * x[3 + i];
    }
    for (int i = 0; i < 3; ++i) {
        dx[i] = x[3 + i];
        dx[3 + i] = -n[i] / size * (speed - slide * slide / (1 - curve));
    }
}

/* Angle to the axis of the helix from where the leg of x, x' touches the drum to where it is held.
 */
static double tail_angle(const helix *b, const double x[6])
{
    if (!isfinite(b->held)) {
        return b->alpha;
    }
    const double along = -(x[0] * x[3] + x[1] * x[4]) / (x[3] * x[3] + x[4] * x[4]);
    const double phi = atan2(x[1] + along * x[4], x[0] + along * x[3]);
    return atan2(b->held * sin(b->alpha) - b->radius * phi,
                 b->held * cos(b->alpha) - x[2] - along * x[5]);
}

/* Follow it from above the crossing; what the leg lacks to be a tangent of the drum and go on as
 * its tail. */
static void shoot(const helix *b, double psi, double length, double miss[2], double x[6])
{
    enum { STEPS = 200 };

    const double start[6] = {b->radius + b->diameter, 0, 0, 0, sin(psi), cos(psi)};
    const double h = length / STEPS;
    double foot = 0;
    memcpy(x, start, sizeof start);
    for (int step = 0; step < STEPS; ++step) {
        double k[4][6], at[6];
        geodesic(b, x, &foot, k[0]);
        for (int stage = 1; stage < 4; ++stage) {
            for (int i = 0; i < 6; ++i) {
                at[i] = x[i] + (stage < 3 ? h / 2 : h) * k[stage - 1][i];
            }
            geodesic(b, at, &foot, k[stage]);
        }
        for (int i = 0; i < 6; ++i) {
            x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
    }
    miss[0] = fabs(x[0] * x[4] - x[1] * x[3]) / hypot(x[3], x[4]) - b->radius;
    miss[1] = x[5] - cos(tail_angle(b, x));
}

/* Contact force of the shortest path over the lower turn, which stays on its helix. */
static double crossing_force(double diameter, double alpha, double tension, double held)
{
    const double radius = 0.052;
    const helix b = {radius, alpha, diameter, held};
    double psi = alpha - 0.03, length = 0.35 * diameter, x[6], miss[2], by[2][2], other[2];
    for (int pass = 0; pass < 12; ++pass) {
        const double step = 1e-6;
        shoot(&b, psi, length, miss, x);
        shoot(&b, psi + step, length, other, x);
        by[0][0] = (other[0] - miss[0]) / step;
        by[1][0] = (other[1] - miss[1]) / step;
        shoot(&b, psi, length + step * diameter, other, x);
        by[0][1] = (other[0] - miss[0]) / (step * diameter);
        by[1][1] = (other[1] - miss[1]) / (step * diameter);
        const double det = by[0][0] * by[1][1] - by[0][1] * by[1][0];
        psi -= (miss[0] * by[1][1] - miss[1] * by[0][1]) / det;
        length -= (miss[1] * by[0][0] - miss[0] * by[1][0]) / det;
    }
    shoot(&b, psi, length, miss, x);
    assert_true(fabs(miss[0]) < 1e-9 * radius && fabs(miss[1]) < 1e-9);
    return -2 * tension * x[3];
}

static void turns_that_cross_press_as_geodesics_do(void **state)
{
    static const struct {
        double diameter, alpha, printed, error;
        const char *leading;
    } row[] = {{4e-3, 60, 33.3, 0.1, "33.97"},
               {4e-3, 45, 26.9, 0.1, "27.74"},
               {1e-3, 60, 16.87, 0.035, "16.98"}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        const double a = row[i].diameter / 2;
        const setting set[] = {{"drum-radius", 0.052 - a, NULL},
                               {"yarn-radius", a, NULL},
                               {"alpha-deg", row[i].alpha, NULL},
                               {"layers", 1, NULL}};
        haw_theory_result r = theory_run(*state, "multilayer", 4, set);
        const double force = haw_theory_value(&r, "cross_force");
        const double alpha = row[i].alpha * pi / 180;
        assert_near(force, crossing_force(row[i].diameter, alpha, 50, HUGE_VAL), 0, 1.3e-3);
        assert_digits(haw_theory_value(&r, "cross_force_leading"), row[i].leading);
        /* the printed forces are those of a piece of some 0.1 m on either side of the crossing;
         * the last one is printed to 0.03 and to half of its last digit */
        assert_near(crossing_force(row[i].diameter, alpha, 50, 0.102), row[i].printed, row[i].error,
                    0);
        assert_near(force, row[i].printed, 0, 1e-2);
        haw_theory_result_free(*state, &r);
    }
}

TEST_FILE(test_theory_multilayer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_have_the_printed_figures),
        cmocka_unit_test(a_hoop_over_a_yarn_has_the_printed_figures),
        cmocka_unit_test(a_hoop_over_a_yarn_is_the_shortest_closed_string),
        cmocka_unit_test(flanges_get_what_the_turns_of_a_pile_push),
        cmocka_unit_test(piles_that_cannot_be_are_refused),
        cmocka_unit_test(turns_that_cross_press_as_geodesics_do),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
