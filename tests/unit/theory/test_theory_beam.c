/* SPDX-License-Identifier: BSD-3-Clause */
/* Cantilevers under a load and under a moment. */
#include "support/theory.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static const double pi = 3.14159265358979323846;

/* Tip of the beam: 1 - x / L, y / L, angle for P L^2 / EI (K. Mattiasson 1981). */
static const char *const mattiasson[][4] = {
    {"1", "0.05643", "0.30172", "0.46135"},
    {"2", "0.16064", "0.49346", "0.78175"},
    {"5", "0.38763", "0.71379", "1.21537"},
    {"10", "0.55500", "0.81061", "1.43029"},
};

static void elastica_has_the_printed_figures(void **state)
{
    for (size_t i = 0; i < sizeof mattiasson / sizeof mattiasson[0]; ++i) {
        const double load = strtod(mattiasson[i][0], NULL);
        const setting set[] = {{"load", load}};
        haw_theory_result r = theory_run(*state, "elastica", 1, set);
        assert_near(haw_theory_value(&r, "load_factor"), load, 0, 1e-15);
        assert_digits(1 - haw_theory_value(&r, "tip_x"), mattiasson[i][1]);
        assert_digits(haw_theory_value(&r, "tip_y"), mattiasson[i][2]);
        assert_digits(haw_theory_value(&r, "tip_angle"), mattiasson[i][3]);
        haw_theory_result_free(*state, &r);
    }
}

typedef struct beam {
    double length, stiffness, load;
} beam;

/* x, y, theta, theta', energy along s: EI theta'' = -P cos theta */
static int slope(double s, const double y[], double dy[], void *data)
{
    const beam *b = data;
    (void)s;
    dy[0] = cos(y[2]);
    dy[1] = sin(y[2]);
    dy[2] = y[3];
    dy[3] = -b->load / b->stiffness * cos(y[2]);
    dy[4] = b->stiffness * y[3] * y[3] / 2;
    return GSL_SUCCESS;
}

/* From the tip at `y` back to the arc length s. */
static void integrate(const beam *b, double s, double y[5])
{
    beam copy = *b;
    gsl_odeiv2_system system = {slope, NULL, 5, &copy};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, -1e-3 * b->length, 0, 1e-13);
    assert_non_null(driver);
    double at = b->length;
    assert_int_equal(gsl_odeiv2_driver_apply(driver, &at, s, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
}

static void start_at_tip(const haw_theory_result *r, double y[5])
{
    y[0] = haw_theory_value(r, "tip_x");
    y[1] = haw_theory_value(r, "tip_y");
    y[2] = haw_theory_value(r, "tip_angle");
    y[3] = y[4] = 0;
}

/* The integrated beam must arrive at the clamp, and pass through the profile. */
static void elastica_agrees_with_the_integrated_beam(void **state)
{
    const beam beams[] = {{1, 1, 1e-6}, {1, 1, 0.1}, {2, 3, 1},  {0.1, 5, 2e3},
                          {1, 1, 10},   {7, 2, 3},   {1, 1, 30}, {3, 1e-3, 2e-3}};
    for (size_t i = 0; i < sizeof beams / sizeof beams[0]; ++i) {
        const beam *b = &beams[i];
        const setting set[] = {{"length", b->length},
                               {"bending-stiffness", b->stiffness},
                               {"load", b->load},
                               {"points", 5}};
        haw_theory_result r = theory_run(*state, "elastica", 4, set);
        const double moment = haw_theory_value(&r, "clamp_moment");
        double y[5];
        start_at_tip(&r, y);
        integrate(b, 0, y);
        assert_near(y[0], 0, 1e-9 * b->length, 0);
        assert_near(y[1], 0, 1e-9 * haw_theory_value(&r, "tip_y"), 0);
        assert_near(y[2], 0, 1e-9 * haw_theory_value(&r, "tip_angle"), 0);
        assert_near(y[3] * b->stiffness, moment, 0, 1e-9);
        assert_near(-y[4], haw_theory_value(&r, "energy"), 0, 1e-9);
        for (int k = 1; k < 4; ++k) {
            start_at_tip(&r, y);
            integrate(b, theory_profile(&r, "s")->value[k], y);
            assert_near(theory_profile(&r, "x")->value[k], y[0], 1e-9 * b->length, 0);
            assert_near(theory_profile(&r, "y")->value[k], y[1], 0, 1e-9);
            assert_near(theory_profile(&r, "angle")->value[k], y[2], 0, 1e-9);
            assert_near(theory_profile(&r, "moment")->value[k], y[3] * b->stiffness, 0, 1e-9);
        }
        haw_theory_result_free(*state, &r);
    }
}

static void elastica_profile_runs_from_clamp_to_tip(void **state)
{
    const setting set[] = {{"points", 3}, {"load", 4}};
    haw_theory_result r = theory_run(*state, "elastica", 2, set);
    const double first[] = {0, 0, 0, 0, haw_theory_value(&r, "clamp_moment")};
    const double last[] = {1, haw_theory_value(&r, "tip_x"), haw_theory_value(&r, "tip_y"),
                           haw_theory_value(&r, "tip_angle"), 0};
    const char *const keys[] = {"s", "x", "y", "angle", "moment"};
    for (int i = 0; i < 5; ++i) {
        assert_near(theory_profile(&r, keys[i])->value[0], first[i], 0, 1e-15);
        assert_near(theory_profile(&r, keys[i])->value[2], last[i], 0, 1e-15);
    }
    haw_theory_result_free(*state, &r);
}

/* P L^3 / (3 EI), P L^2 / (2 EI): the error is of the order of the load factor squared. */
static void small_load_bends_as_in_the_linear_theory(void **state)
{
    const double loads[] = {1e-2, 1e-4, 1e-8, 1e-16, 1e-60};
    for (int i = 0; i < 5; ++i) {
        const setting set[] = {{"load", loads[i]}};
        const double error = loads[i] * loads[i] + 1e-14;
        haw_theory_result r = theory_run(*state, "elastica", 1, set);
        assert_near(haw_theory_value(&r, "tip_y"), loads[i] / 3, 0, error);
        assert_near(haw_theory_value(&r, "tip_angle"), loads[i] / 2, 0, error);
        assert_near(haw_theory_value(&r, "clamp_moment"), loads[i], 0, error);
        assert_near(haw_theory_value(&r, "energy"), loads[i] * loads[i] / 6, 0, error);
        assert_near(haw_theory_value(&r, "tip_x"), 1, error, 0);
        haw_theory_result_free(*state, &r);
    }
}

/* A long beam hangs in the direction of the load but for a turn of sqrt(2 EI / P) at the clamp. */
static void large_load_leaves_a_turn_at_the_clamp(void **state)
{
    const setting set[] = {{"load", 1e4}};
    haw_theory_result r = theory_run(*state, "elastica", 1, set);
    assert_near(haw_theory_value(&r, "tip_x"), sqrt(2e-4), 0, 1e-12);
    assert_near(haw_theory_value(&r, "tip_angle"), pi / 2, 1e-15, 0);
    assert_near(haw_theory_value(&r, "clamp_moment"), sqrt(2e4), 0, 1e-12);
    assert_near(haw_theory_value(&r, "tip_y"), 1 - (2 - sqrt(2)) / 100, 0, 1e-12);
    haw_theory_result_free(*state, &r);
}

static void a_load_beyond_the_numbers_is_refused(void **state)
{
    const setting set[] = {{"load", 1e300}, {"bending-stiffness", 1e-300}};
    const haw_theory_ops *theory = NULL;
    theory_options options;
    haw_theory_result r;
    theory_setup("elastica", 2, set, &theory, &options);
    assert_int_equal(haw_theory_evaluate(*state, theory, &options, &r), HAW_ERR_ARG);
}

static void whole_turn_ends_where_it_starts(void **state)
{
    const setting set[] = {{"length", 3}, {"bending-stiffness", 5}, {"points", 5}};
    haw_theory_result r = theory_run(*state, "roll-up", 3, set);
    const double radius = 3 / (2 * pi);
    assert_near(haw_theory_value(&r, "moment"), 2 * pi * 5 / 3, 0, 1e-15);
    assert_near(haw_theory_value(&r, "curvature"), 1 / radius, 0, 1e-15);
    assert_near(haw_theory_value(&r, "tip_x"), 0, 1e-15, 0);
    assert_near(haw_theory_value(&r, "tip_y"), 0, 1e-15, 0);
    assert_near(haw_theory_value(&r, "tip_angle"), 2 * pi, 0, 1e-15);
    assert_near(haw_theory_value(&r, "energy"), 5 * 3 / (2 * radius * radius), 0, 1e-14);
    assert_near(theory_profile(&r, "x")->value[1], radius, 0, 1e-14);
    assert_near(theory_profile(&r, "y")->value[1], radius, 0, 1e-14);
    assert_near(theory_profile(&r, "y")->value[2], 2 * radius, 0, 1e-14);
    assert_near(theory_profile(&r, "x")->value[3], -radius, 0, 1e-14);
    haw_theory_result_free(*state, &r);
}

static void no_moment_leaves_the_beam_straight(void **state)
{
    const setting set[] = {{"turns", 0}};
    haw_theory_result r = theory_run(*state, "roll-up", 1, set);
    assert_near(haw_theory_value(&r, "tip_x"), 1, 0, 0);
    assert_near(haw_theory_value(&r, "tip_y"), 0, 0, 0);
    assert_near(haw_theory_value(&r, "energy"), 0, 0, 0);
    haw_theory_result_free(*state, &r);
}

TEST_FILE(test_theory_beam)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastica_has_the_printed_figures),
        cmocka_unit_test(elastica_agrees_with_the_integrated_beam),
        cmocka_unit_test(elastica_profile_runs_from_clamp_to_tip),
        cmocka_unit_test(small_load_bends_as_in_the_linear_theory),
        cmocka_unit_test(large_load_leaves_a_turn_at_the_clamp),
        cmocka_unit_test(a_load_beyond_the_numbers_is_refused),
        cmocka_unit_test(whole_turn_ends_where_it_starts),
        cmocka_unit_test(no_moment_leaves_the_beam_straight),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
