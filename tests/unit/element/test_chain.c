/* SPDX-License-Identifier: BSD-3-Clause */
#include "element/space.h"
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

/* ---- one kernel in the plane and in space ---- */

enum { LINKS = 6, POINTS = LINKS + 1 };

/* A plane of space through the axes a and b, at right angles. */
static const double axis_a[3] = {2.0 / 3, 1.0 / 3, 2.0 / 3},
                    axis_b[3] = {-2.0 / 3, 2.0 / 3, 1.0 / 3};

static void into_space(const double *plane, double *space)
{
    for (int i = 0; i < 3 * POINTS; i++) {
        space[i] = axis_a[i % 3] * plane[2 * (i / 3)] + axis_b[i % 3] * plane[2 * (i / 3) + 1];
    }
}

/* Energy, force and stiffness of a chain in a plane of space are those of the plane. */
static void a_chain_in_a_plane_of_space_is_the_planar_one(void **state)
{
    (void)state;
    haw_line line = line_make("chain", LINKS, 0.7);
    const haw_space_ops *ops = (const haw_space_ops *)haw_row_find(haw_space_elements, "chain");
    haw_beam beam = {.ops = ops, .elements = LINKS, .le = line.le, .density = line.density};
    beam.stiffness[0] = line.stiffness;
    line.gravity[0] = 0.3;
    line.gravity[1] = -9.0;
    for (int i = 0; i < 3; i++) {
        beam.gravity[i] = 0.3 * axis_a[i] - 9.0 * axis_b[i];
    }
    double q[2 * POINTS], f[2 * POINTS] = {0}, want[3 * POINTS], energy[2] = {0};
    double space_q[3 * POINTS], space_f[3 * POINTS] = {0}, space_energy[2] = {0};
    for (int i = 0; i < 2 * POINTS; i++) {
        q[i] = 0.1 * i + 0.03 * sin(2.3 * i);
    }
    into_space(q, space_q);
    line.ops->energy(&line, q, energy);
    ops->energy(&beam, space_q, space_energy);
    line.ops->force(&line, q, f);
    ops->force(&beam, space_q, NULL, space_f, space_f);
    into_space(f, want);
    for (int i = 0; i < 3 * POINTS; i++) {
        assert_near(space_f[i], want[i], 1e-13 * line.stiffness, 0);
    }
    assert_near(space_energy[0], energy[0], 0, 1e-13);
    assert_near(space_energy[1], energy[1], 0, 1e-13);
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
        cmocka_unit_test(a_chain_in_a_plane_of_space_is_the_planar_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
