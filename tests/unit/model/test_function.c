/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of time against their closed forms; the option tables against the specifications. */
#include "support/near.h"

#include <hawser/model.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void without_a_table_the_constant_holds(void **state)
{
    (void)state;
    const haw_function f = {.constant = -2.5};
    assert_near(haw_function_value(&f, -1e9), -2.5, 0, 0);
    assert_near(haw_function_value(&f, 3), -2.5, 0, 0);
}

static void each_ramp_follows_its_closed_form(void **state)
{
    (void)state;
    static const double time[] = {1, 3}, value[] = {2, -4};
    for (int k = 0; k <= 16; ++k) {
        const double s = k / 16.0, t = 1 + 2 * s;
        const double shape[4] = {s, 0.5 * (1 - cos(pi * s)), s * s * (3 - 2 * s),
                                 s - sin(2 * pi * s) / (2 * pi)};
        for (int ramp = HAW_RAMP_LINEAR; ramp <= HAW_RAMP_CYCLOID; ++ramp) {
            const haw_function f = {
                .count = 2, .time = time, .value = value, .ramp = (haw_ramp)ramp};
            assert_near(haw_function_value(&f, t), 2 - 6 * shape[ramp], 1e-15, 1e-15);
        }
    }
}

/* Smooth ramps start and end with no slope; halfway all are at half their height. */
static void ramps_are_level_at_their_ends(void **state)
{
    (void)state;
    static const double time[] = {0, 1}, value[] = {0, 1};
    for (int ramp = HAW_RAMP_LINEAR; ramp <= HAW_RAMP_CYCLOID; ++ramp) {
        const haw_function f = {.count = 2, .time = time, .value = value, .ramp = (haw_ramp)ramp};
        const double h = 1e-4, slope = haw_function_value(&f, h) / h;
        assert_near(haw_function_value(&f, 0.5), 0.5, 1e-15, 0);
        assert_near(haw_function_value(&f, 1 - h), 1 - haw_function_value(&f, h), 1e-15, 0);
        assert_near(slope, ramp == HAW_RAMP_LINEAR ? 1 : 0, 1e-3, 0);
    }
}

static void outside_the_table_the_end_values_hold(void **state)
{
    (void)state;
    static const double time[] = {0, 1, 2, 4, 8}, value[] = {5, 1, 0, 7, 9};
    const haw_function f = {.count = 5, .time = time, .value = value};
    assert_near(haw_function_value(&f, -1), 5, 0, 0);
    assert_near(haw_function_value(&f, 8), 9, 0, 0);
    assert_near(haw_function_value(&f, INFINITY), 9, 0, 0);
    for (int i = 0; i < 5; ++i) {
        assert_near(haw_function_value(&f, time[i]), value[i], 0, 0);
    }
    assert_near(haw_function_value(&f, 3), 3.5, 1e-15, 0);
    assert_near(haw_function_value(&f, 6), 8, 1e-15, 0);
    assert_near(haw_function_value(&f, 0.25), 4, 1e-15, 0);
}

/* Integral by the Gauss rule of 5 points. */
static double numeric_integral(const haw_function *f, double a, double b)
{
    static const double x[5] = {0, 0.53846931010568309, -0.53846931010568309, 0.90617984593866399,
                                -0.90617984593866399};
    static const double w[5] = {0.56888888888888889, 0.47862867049936647, 0.47862867049936647,
                                0.23692688505618909, 0.23692688505618909};
    const int pieces = 600; /* rows of the table are between them */
    double sum = 0;
    for (int i = 0; i < pieces * 5; ++i) {
        const int piece = i / 5;
        const double half = 0.5 * (b - a) / pieces, middle = a + half * (2 * piece + 1);
        sum += half * w[i % 5] * haw_function_value(f, middle + half * x[i % 5]);
    }
    return sum;
}

static void integrals_are_exact_for_every_ramp(void **state)
{
    (void)state;
    static const double time[] = {-1, 0.5, 1, 3}, value[] = {2, -4, 1.5, 0.25};
    static const double end[] = {-2.5, -1, -0.25, 0, 0.25, 0.5, 0.75, 1, 2, 3, 7.5};
    for (int ramp = HAW_RAMP_LINEAR; ramp <= HAW_RAMP_CYCLOID; ++ramp) {
        const haw_function f = {.count = 4, .time = time, .value = value, .ramp = (haw_ramp)ramp};
        for (size_t k = 0; k < sizeof end / sizeof *end; ++k) {
            const double to = end[k];
            assert_near(haw_function_integral(&f, to), numeric_integral(&f, 0, to), 1e-12, 0);
        }
    }
}

/* All ramps rise to one half of their area; a table of one row is a constant. */
static void integrals_have_their_closed_form(void **state)
{
    (void)state;
    static const double time[] = {5, 6}, value[] = {0, 1.2};
    for (int ramp = HAW_RAMP_LINEAR; ramp <= HAW_RAMP_CYCLOID; ++ramp) {
        const haw_function f = {.count = 2, .time = time, .value = value, .ramp = (haw_ramp)ramp};
        assert_near(haw_function_integral(&f, 6), 0.6, 1e-15, 0);
        assert_near(haw_function_integral(&f, 16), 12.6, 0, 1e-15);
        assert_near(haw_function_integral(&f, 4), 0, 0, 0);
        assert_near(haw_function_integral(&f, -4), 0, 0, 0);
    }
    const haw_function constant = {.constant = -2}, row = {.count = 1, .time = time, .value = time};
    assert_near(haw_function_integral(&constant, -3), 6, 0, 0);
    assert_near(haw_function_integral(&row, 7), 35, 0, 1e-15);
    assert_near(haw_function_integral(&row, -2), -10, 0, 1e-15);
    assert_near(haw_function_slope(&row, 5), 0, 0, 0);
    assert_near(haw_function_slope(&constant, 5), 0, 0, 0);
}

static void slopes_are_derivatives_from_the_right(void **state)
{
    (void)state;
    static const double time[] = {-1, 0.5, 1, 3}, value[] = {2, -4, 1.5, 0.25};
    const double h = 1e-5;
    for (int ramp = HAW_RAMP_LINEAR; ramp <= HAW_RAMP_CYCLOID; ++ramp) {
        const haw_function f = {.count = 4, .time = time, .value = value, .ramp = (haw_ramp)ramp};
        for (int k = 0; k < 60; ++k) {
            const double t = 0.1 * k - 1.95;
            const double difference =
                (haw_function_value(&f, t + h) - haw_function_value(&f, t - h)) / (2 * h);
            assert_near(haw_function_slope(&f, t), difference, 1e-6, 0);
        }
        const double corner = ramp == HAW_RAMP_LINEAR ? 11 : 0;
        assert_near(haw_function_slope(&f, 0.5), corner, 0, 0);
        assert_near(haw_function_slope(&f, 3), 0, 0, 0);
    }
}

static void defaults_of_the_specifications_are_those_of_the_tables(void **state)
{
    (void)state;
    const haw_body_spec body = haw_body_spec_default();
    const haw_cable_spec cable = haw_cable_spec_default();
    const haw_contact_spec contact = haw_contact_spec_default();
    assert_null(body.name);
    assert_null(body.shape);
    assert_true(isnan(body.mass) && isnan(body.inertia));
    assert_int_equal(body.motion, HAW_MOTION_FREE);
    assert_string_equal(cable.element, "bezier");
    assert_int_equal(cable.gauss_points, 3);
    assert_false(cable.slack);
    assert_true(isnan(cable.tension) && isnan(cable.length) && isnan(cable.to[1]));
    assert_int_equal(cable.ends[0].kind, HAW_END_PINNED);
    assert_string_equal(contact.law, "hard");
    assert_near(contact.friction, 0, 0, 0);
    assert_int_equal(contact.points_per_element, 0);
    assert_int_equal(contact.arm, HAW_ARM_RADIUS);
}

/* What would make a table useless: no help, an empty range, two rows of one key. */
static void every_row_is_complete(void **state)
{
    (void)state;
    const haw_option *const tables[] = {haw_body_options, haw_cable_options, haw_contact_options,
                                        haw_scene_options};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
        for (const haw_option *row = tables[i]; row->key != NULL; ++row) {
            assert_ptr_equal(haw_options_find(tables[i], row->key), row);
            assert_non_null(row->unit);
            assert_true(strlen(row->help) > 5);
            assert_true(row->type != HAW_OPTION_CHOICE || row->choices != NULL);
            assert_true(row->type == HAW_OPTION_STRING || row->type == HAW_OPTION_BOOL ||
                        row->type == HAW_OPTION_CHOICE || row->min < row->max);
        }
    }
}

static void numbers_outside_their_range_are_refused(void **state)
{
    haw_context *context = NULL;
    haw_cable_spec cable = haw_cable_spec_default();
    (void)state;

    static const struct {
        const char *key;
        double value;
    } bad[] = {{"stiffness", 0},     {"stiffness", -1},       {"density", 0},
               {"density", NAN},     {"elements", 0},         {"elements", 1e6 + 1},
               {"elements", 2.5},    {"gauss_points", 2},     {"gauss_points", 6},
               {"length", INFINITY}, {"damping.mass", -1e-9}, {"tension", -1}};

    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(
            haw_options_set_real(context, haw_cable_options, &cable, bad[i].key, bad[i].value),
            HAW_ERR_INPUT);
    }
    assert_int_equal(haw_options_set_real(context, haw_cable_options, &cable, "elements", 1e6),
                     HAW_OK);
    assert_int_equal(haw_options_set_real(context, haw_cable_options, &cable, "density", DBL_MIN),
                     HAW_OK);
    haw_context_free(context);
}

TEST_FILE(test_function)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_table_the_constant_holds),
        cmocka_unit_test(each_ramp_follows_its_closed_form),
        cmocka_unit_test(ramps_are_level_at_their_ends),
        cmocka_unit_test(outside_the_table_the_end_values_hold),
        cmocka_unit_test(integrals_are_exact_for_every_ramp),
        cmocka_unit_test(integrals_have_their_closed_form),
        cmocka_unit_test(slopes_are_derivatives_from_the_right),
        cmocka_unit_test(defaults_of_the_specifications_are_those_of_the_tables),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(numbers_outside_their_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
