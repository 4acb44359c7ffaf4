/* SPDX-License-Identifier: BSD-3-Clause */
/* Catenary and capstan. */
#include "support/theory.h"

static const double pi = 3.14159265358979323846;

static void canonical_catenary_has_the_printed_figures(void **state)
{
    haw_theory_result r = theory_run(*state, "catenary", 0, NULL);
    assert_digits(haw_theory_value(&r, "horizontal"), "7.080815206");
    assert_digits(haw_theory_value(&r, "vertical"), "7.031118741");
    assert_digits(haw_theory_value(&r, "tension_top"), "9.978706065");
    assert_digits(haw_theory_value(&r, "tension_bottom"), "8.017147314");
    assert_digits(haw_theory_value(&r, "midpoint_x"), "4.673990192");
    assert_digits(haw_theory_value(&r, "midpoint_y"), "-2.76454842");
    haw_theory_result_free(*state, &r);
}

typedef struct cable {
    double span, drop, length, weight, stiffness;
} cable;

/* dx/ds = (1 + T/k) H / T, dy/ds = -(1 + T/k) (V - w s) / T by Simpson's rule over [0, s]. */
static void integrate(const cable *c, const haw_theory_result *r, double s, double x[2])
{
    const double h = haw_theory_value(r, "horizontal");
    const double v = haw_theory_value(r, "vertical");
    const int n = 20000;
    x[0] = 0;
    x[1] = 0;
    for (int i = 0; i <= n; ++i) {
        const double share = (i == 0 || i == n ? 1 : (i % 2 == 1 ? 4 : 2)) * s / (3.0 * n);
        const double down = v - c->weight * s * i / n;
        const double t = hypot(h, down);
        const double stretch = 1 / t + 1 / c->stiffness;
        x[0] += share * stretch * h;
        x[1] -= share * stretch * down;
    }
}

/* Slack, level, taut, stretched over the distance, soft, near to vertical. */
static void catenary_agrees_with_integrated_equilibrium(void **state)
{
    const cable cables[] = {
        {10, 2, 11, 0.981, 4e4}, {10, 0, 10.001, 0.981, 4e4},
        {10, 2, 10, 0.981, 4e4}, {10, 9, 9, 5, 1e3},
        {3, 4, 5, 2, 10},        {0.5, 6, 9, 0.5, 100},
        {1, 30, 29, 1, 5e3},     {100, 7, 103, 30, 1e7},
    };
    for (size_t i = 0; i < sizeof cables / sizeof cables[0]; ++i) {
        const cable *c = &cables[i];
        const setting set[] = {{"span", c->span},           {"drop", c->drop},
                               {"length", c->length},       {"weight", c->weight},
                               {"stiffness", c->stiffness}, {"points", 5}};
        haw_theory_result r = theory_run(*state, "catenary", 6, set);
        double x[2];
        integrate(c, &r, c->length, x);
        assert_near(x[0], c->span, 1e-9 * c->length, 0);
        assert_near(x[1], -c->drop, 1e-9 * c->length, 0);
        integrate(c, &r, c->length / 2, x);
        assert_near(haw_theory_value(&r, "midpoint_x"), x[0], 1e-9 * c->length, 0);
        assert_near(haw_theory_value(&r, "midpoint_y"), x[1], 1e-9 * c->length, 0);
        haw_theory_result_free(*state, &r);
    }
}

static void profile_runs_from_support_to_support(void **state)
{
    const setting set[] = {{"points", 5}};
    haw_theory_result r = theory_run(*state, "catenary", 1, set);
    const double *x = theory_profile(&r, "x")->value;
    const double *y = theory_profile(&r, "y")->value;
    const double *s = theory_profile(&r, "s")->value;
    const haw_quantity *tension = theory_profile(&r, "tension");
    assert_int_equal(tension->count, 5);
    assert_near(s[1], 2.75, 1e-15, 0);
    assert_near(x[0], 0, 0, 0);
    assert_near(y[0], 0, 0, 0);
    assert_near(x[4], 10, 1e-12, 0);
    assert_near(y[4], -2, 1e-12, 0);
    assert_near(x[2], haw_theory_value(&r, "midpoint_x"), 1e-14, 0);
    assert_near(y[2], haw_theory_value(&r, "midpoint_y"), 1e-14, 0);
    assert_near(tension->value[0], haw_theory_value(&r, "tension_top"), 0, 1e-15);
    assert_near(tension->value[4], haw_theory_value(&r, "tension_bottom"), 0, 1e-15);
    haw_theory_result_free(*state, &r);
}

/*
 * Small sag: the parabola H = w l^2 / (8 f) with length l (1 + 8/3 (f / l)^2), wrong by O((f/l)^2).
 */
static void flat_inextensible_cable_is_a_parabola(void **state)
{
    const double sag[] = {0.3, 0.1, 0.03};
    for (int i = 0; i < 3; ++i) {
        const double ratio = sag[i] / 10;
        const setting set[] = {{"drop", 0}, {"length", 10 * (1 + 8.0 / 3 * ratio * ratio)}};
        const haw_theory_ops *theory = NULL;
        theory_options options;
        haw_theory_result r;
        theory_setup("catenary", 2, set, &theory, &options);
        assert_int_equal(haw_options_set_text(*state, theory->row.options, &options, "stiffness",
                                              "inextensible"),
                         HAW_OK);
        assert_int_equal(haw_theory_evaluate(*state, theory, &options, &r), HAW_OK);
        const double parabola = 0.981 * 100 / (8 * sag[i]);
        assert_near(haw_theory_value(&r, "horizontal"), parabola, 0, 3 * ratio * ratio);
        assert_near(haw_theory_value(&r, "midpoint_y"), -sag[i], 0, 3 * ratio * ratio);
        assert_near(haw_theory_value(&r, "midpoint_x"), 5, 1e-9, 0);
        haw_theory_result_free(*state, &r);
    }
}

/* A nearly weightless cable shorter than the distance is a stretched spring. */
static void light_taut_cable_is_a_spring(void **state)
{
    const setting set[] = {{"length", 10}, {"weight", 1e-7}};
    haw_theory_result r = theory_run(*state, "catenary", 2, set);
    const double chord = sqrt(104.0);
    const double tension = 4e4 * (chord / 10 - 1);
    assert_near(haw_theory_value(&r, "horizontal"), tension * 10 / chord, 0, 1e-9);
    assert_near(haw_theory_value(&r, "tension_top"), tension, 0, 1e-9);
    haw_theory_result_free(*state, &r);
}

static void stiff_cable_tends_to_the_inextensible_one(void **state)
{
    const setting set[] = {{"stiffness", 1e12}};
    haw_theory_result stiff = theory_run(*state, "catenary", 1, set);
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result rigid;
    theory_setup("catenary", 0, NULL, &theory, &options);
    assert_int_equal(
        haw_options_set_text(*state, theory->row.options, &options, "stiffness", "inextensible"),
        HAW_OK);
    assert_int_equal(haw_theory_evaluate(*state, theory, &options, &rigid), HAW_OK);
    assert_near(haw_theory_value(&stiff, "horizontal"), haw_theory_value(&rigid, "horizontal"), 0,
                1e-9);
    haw_theory_result_free(*state, &stiff);
    haw_theory_result_free(*state, &rigid);
}

static void canonical_capstan_has_the_printed_figures(void **state)
{
    haw_theory_result r = theory_run(*state, "capstan", 0, NULL);
    assert_digits(haw_theory_value(&r, "ratio"), "2.566332");
    assert_digits(haw_theory_value(&r, "tension_low"), "57.030495");
    assert_digits(haw_theory_value(&r, "tension_high"), "146.359207");
    assert_digits(haw_theory_value(&r, "normal_sum"), "297.762374");
    assert_digits(haw_theory_value(&r, "moment"), "8.932871");
    assert_near(haw_theory_value(&r, "unstrained_length"), (1 + 0.1 * pi) / 1.0025, 0, 1e-14);
    haw_theory_result_free(*state, &r);
}

/* Simpson's rule over a profile of an odd number of points. */
static double simpson(const double *value, int points, double length)
{
    double sum = value[0] + value[points - 1];
    for (int i = 1; i < points - 1; ++i) {
        sum += (i % 2 == 1 ? 4 : 2) * value[i];
    }
    return sum * length / (3.0 * (points - 1));
}

static void capstan_resultants_are_the_integrals_of_its_profiles(void **state)
{
    const double friction[] = {0, 1e-12, 0.1, 0.3, 2};
    for (int i = 0; i < 5; ++i) {
        const setting set[] = {
            {"friction", friction[i]}, {"wrap", 2.5}, {"points", 2001}, {"stiffness", 3e3}};
        haw_theory_result r = theory_run(*state, "capstan", 4, set);
        const haw_quantity *tension = theory_profile(&r, "tension");
        const haw_quantity *tangential = theory_profile(&r, "tangential");
        double unstrained[2001];
        assert_near(simpson(tension->value, 2001, 2.5), haw_theory_value(&r, "normal_sum"), 0,
                    1e-11);
        assert_near(simpson(theory_profile(&r, "normal")->value, 2001, 0.25),
                    haw_theory_value(&r, "normal_sum"), 0, 1e-11);
        assert_near(0.1 * simpson(tangential->value, 2001, 0.25), haw_theory_value(&r, "moment"),
                    1e-300, 1e-11);
        for (int j = 0; j < 2001; ++j) {
            unstrained[j] = 1 / (1 + tension->value[j] / 3e3);
        }
        const double length =
            0.5 * (unstrained[0] + unstrained[2000]) + simpson(unstrained, 2001, 0.25);
        assert_near(length, 1.25 / (1 + 100 / 3e3), 0, 1e-12);
        assert_near(haw_theory_value(&r, "unstrained_length"), length, 0, 1e-12);
        haw_theory_result_free(*state, &r);
    }
}

static void frictionless_wrap_keeps_the_tension(void **state)
{
    const setting set[] = {{"friction", 0}, {"wrap", pi / 2}};
    haw_theory_result r = theory_run(*state, "capstan", 2, set);
    assert_near(haw_theory_value(&r, "ratio"), 1, 0, 0);
    assert_near(haw_theory_value(&r, "tension_low"), 100, 0, 1e-14);
    assert_near(haw_theory_value(&r, "normal_sum"), 100 * pi / 2, 0, 1e-14);
    assert_near(haw_theory_value(&r, "resultant"), 200 * sin(pi / 4), 0, 1e-14);
    assert_near(haw_theory_value(&r, "moment"), 0, 0, 0);
    haw_theory_result_free(*state, &r);
}

static void given_slack_tension_needs_no_split(void **state)
{
    const setting set[] = {{"tension", 40}, {"stiffness", 500}};
    haw_theory_result r = theory_run(*state, "capstan", 2, set);
    assert_near(haw_theory_value(&r, "tension_low"), 40, 0, 0);
    assert_near(haw_theory_value(&r, "tension_high"), 40 * exp(0.3 * pi), 0, 1e-14);
    haw_theory_result_free(*state, &r);
}

/* A stiff cable splits so that the mean of the tension stays: T_1 from the linear elongation. */
static void stiff_capstan_keeps_the_mean_tension(void **state)
{
    const double stiffness[] = {1e10, 1e20, 1e200};
    for (int i = 0; i < 3; ++i) {
        const setting set[] = {{"stiffness", stiffness[i]}};
        haw_theory_result r = theory_run(*state, "capstan", 1, set);
        const double ratio = exp(0.3 * pi);
        const double mean = 0.5 * (1 + ratio) + 0.1 * (ratio - 1) / 0.3;
        assert_near(haw_theory_value(&r, "tension_low"), 100 * (1 + 0.1 * pi) / mean, 0, 1e-7);
        haw_theory_result_free(*state, &r);
    }
}

/* One point turns the cable by delta: T_2 c = T_1 c + mu F and (T_1 + T_2) s = F. */
static void discrete_law_is_equilibrium_point_by_point(void **state)
{
    const int contacts[] = {4, 8, 32, 1000};
    for (int i = 0; i < 4; ++i) {
        const setting set[] = {{"contacts", contacts[i]}};
        haw_theory_result r = theory_run(*state, "capstan", 1, set);
        const double c = cos(pi / contacts[i] / 2);
        const double s = sin(pi / contacts[i] / 2);
        double tension = 1;
        for (int j = 0; j < contacts[i]; ++j) {
            const double before = tension;
            tension = before * (c + 0.3 * s) / (c - 0.3 * s);
            assert_near(tension * c, before * c + 0.3 * (before + tension) * s, 0, 1e-14);
        }
        const double delta = pi / contacts[i];
        assert_near(haw_theory_value(&r, "discrete_ratio"), tension, 0, 1e-12);
        /* error mu w delta^2 (1 + mu^2) / 12, of order 2 */
        assert_near(log(tension / haw_theory_value(&r, "ratio")),
                    0.3 * pi * delta * delta * 1.09 / 12, 1e-12, 0.1);
        haw_theory_result_free(*state, &r);
    }
}

TEST_FILE(test_theory_equilibrium)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_catenary_has_the_printed_figures),
        cmocka_unit_test(catenary_agrees_with_integrated_equilibrium),
        cmocka_unit_test(profile_runs_from_support_to_support),
        cmocka_unit_test(flat_inextensible_cable_is_a_parabola),
        cmocka_unit_test(light_taut_cable_is_a_spring),
        cmocka_unit_test(stiff_cable_tends_to_the_inextensible_one),
        cmocka_unit_test(canonical_capstan_has_the_printed_figures),
        cmocka_unit_test(capstan_resultants_are_the_integrals_of_its_profiles),
        cmocka_unit_test(frictionless_wrap_keeps_the_tension),
        cmocka_unit_test(given_slack_tension_needs_no_split),
        cmocka_unit_test(stiff_capstan_keeps_the_mean_tension),
        cmocka_unit_test(discrete_law_is_equilibrium_point_by_point),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
