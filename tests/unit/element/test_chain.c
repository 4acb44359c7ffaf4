/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/line.h"

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    haw_line line = line_make("chain", 4, 1.0);
    double q[LINE_MAX];
    line.gravity[0] = 3.0;
    line.gravity[1] = -9.81;
    line.ops->interpolate(&line, line_wavy, NULL, q);
    line_check_derivatives(&line, q, 1e-4);
    line_check_position(&line, q, 1e-3);
    q[2] = 0.05; /* the first link is short now */
    line_check_derivatives(&line, q, 1e-5);
    line.slack = true;
    line_check_derivatives(&line, q, 1e-5);
}

static void half_of_a_link_is_lumped_at_each_node(void **state)
{
    (void)state;
    const haw_line line = line_make("chain", 2, 1.0);
    const double q[6] = {0.0}, u[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    double m[4];
    line.ops->mass(&line, 0, q, m);
    assert_near(m[0], 0.025, 0.0, 1e-15);
    assert_near(m[3], 0.025, 0.0, 1e-15);
    assert_true(m[1] == 0.0 && m[2] == 0.0);
    assert_near(line.ops->kinetic(&line, q, u),
                0.5 * (0.025 * (1 + 4) + 0.05 * (9 + 16) + 0.025 * (25 + 36)), 0.0, 1e-15);
}

static void tension_follows_the_law_and_stops_at_zero_when_slack(void **state)
{
    (void)state;
    haw_line line = line_make("chain", 1, 1.0);
    const double q[4] = {1.0, 1.0, 1.0 + 0.6 * 0.9, 1.0 + 0.8 * 0.9};
    haw_axial axial;
    line.ops->axial(&line, 0, 0.5, q, NULL, &axial);
    assert_near(axial.strain, -0.1, 1e-15, 0.0);
    assert_near(axial.tension, -4.0e3, 0.0, 1e-13);
    assert_near(axial.tangent[0], 0.6, 0.0, 1e-14);
    assert_near(axial.tangent[1], 0.8, 0.0, 1e-14);
    assert_near(line.ops->length(&line, 0, q), 0.9, 0.0, 1e-15);
    line.slack = true;
    line.ops->axial(&line, 0, 0.5, q, NULL, &axial);
    assert_true(axial.tension == 0.0);
}

/* omega_n = (2 / Le) c sin(n pi / (2 ne)): the chain's own closed form, second order in Le. */
static void string_frequency_is_that_of_the_lumped_string(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int elements = 4; elements <= 64; elements *= 2) {
        const double half = pi / (2.0 * elements);
        assert_near(line_string_error("chain", elements), sin(half) / half - 1.0, 1e-11, 0.0);
    }
}

static void step_limit_is_sharp(void **state)
{
    (void)state;
    const haw_element_ops *ops = (const haw_element_ops *)haw_row_find(haw_elements, "chain");
    const double pinned = line_step_limit("chain", 20, true);
    assert_true(pinned >= ops->step_limit && pinned < 1.01 * ops->step_limit);
    assert_near(line_step_limit("chain", 20, false), ops->step_limit_free, 0.0, 1e-9);
}

static void a_node_hangs_where_tension_and_weight_balance(void **state)
{
    (void)state;
    haw_line line = line_make("chain", 2, 1.0);
    double f[6];
    const double sag = 0.1, stretch = sqrt(0.25 * 1.21 + sag * sag) / 0.5;
    const double q[6] = {0.0, 0.0, 0.55, -sag, 1.1, 0.0};
    line.gravity[1] = -2.0 * 4.0e4 * (stretch - 1.0) * sag / (0.5 * stretch) / 0.05;
    line_force_function(&line, q, f);
    assert_near(f[2], 0.0, 1e-10, 0.0);
    assert_near(f[3],
                2.0 * 4.0e4 * (stretch - 1.0) * sag / (0.5 * stretch) + line.gravity[1] * 0.05,
                1e-10, 0.0);
}

TEST_FILE(test_chain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(half_of_a_link_is_lumped_at_each_node),
        cmocka_unit_test(tension_follows_the_law_and_stops_at_zero_when_slack),
        cmocka_unit_test(string_frequency_is_that_of_the_lumped_string),
        cmocka_unit_test(step_limit_is_sharp),
        cmocka_unit_test(a_node_hangs_where_tension_and_weight_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
