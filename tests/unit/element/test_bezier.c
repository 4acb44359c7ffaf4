/* SPDX-License-Identifier: BSD-3-Clause */
/* The Cartesian kinds `bezier` and `bezier-c0`, alone and against each other. */
#include "support/line.h"

static const char *const kinds[] = {"bezier", "bezier-c0"};

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int points = 3; points <= 5; points++) {
            haw_line line = line_make(kinds[i], 3, 1.0);
            double q[LINE_MAX];
            haw_quadrature_init(points, &line.rule);
            line.gravity[0] = 3.0;
            line.gravity[1] = -9.81;
            line.ops->interpolate(&line, line_wavy, NULL, q);
            line_check_derivatives(&line, q, 1e-4);
            line_check_position(&line, q, 1e-3);
        }
    }
}

/* squeezed along the first half of the curve, stretched along the rest */
static void line_uneven(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    (void)user;
    x[0] = xi * (0.8 + 0.3 * xi);
    x[1] = 0.0;
    t[0] = 1.0;
    t[1] = 0.0;
    *stretch = 0.8 + 0.6 * xi;
}

static void slack_cable_has_no_energy_where_it_is_short(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        haw_line line = line_make(kinds[i], 2, 1.0);
        double q[LINE_MAX], f[LINE_MAX], energy[2] = {0.0, 0.0};
        line.slack = true;
        line.ops->interpolate(&line, line_uneven, NULL, q);
        line_check_derivatives(&line, q, 1e-5); /* stretch < 1 up to xi = 1/3 */
        const double squeezed[3] = {0.9, 0.6, 0.8};
        line.ops->interpolate(&line, line_straight, squeezed, q);
        line.ops->energy(&line, q, energy);
        line_force_function(&line, q, f);
        assert_true(energy[0] == 0.0);
        for (int k = 0; k < line.dofs; k++) {
            assert_true(f[k] == 0.0);
        }
        line.slack = false;
        line.ops->energy(&line, q, energy);
        assert_near(energy[0], 0.5 * 4.0e4 * 0.01, 0.0, 1e-13);
    }
}

static void mass_is_the_integral_of_the_shape_functions(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const haw_line line = line_make(kinds[i], 3, 1.0);
        double q[LINE_MAX], u[LINE_MAX];
        line.ops->interpolate(&line, line_wavy, NULL, q);
        for (int k = 0; k < line.dofs; k++) {
            u[k] = cos(3.0 * k);
        }
        line_check_mass(&line, q, u);
    }
}

/* Control points of a C1 curve are coordinates of both kinds: same x, V, T and virtual work. */
static void both_kinds_are_the_same_cubic(void **state)
{
    (void)state;
    haw_line c1 = line_make("bezier", 3, 1.0), c0 = line_make("bezier-c0", 3, 1.0);
    double q1[LINE_MAX], q0[LINE_MAX], f1[LINE_MAX], f0[LINE_MAX], p[HAW_HULL_MAX][2];
    double v1[2] = {0.0, 0.0}, v0[2] = {0.0, 0.0};
    c1.gravity[1] = c0.gravity[1] = -9.81;
    c1.ops->interpolate(&c1, line_wavy, NULL, q1);
    c0.ops->interpolate(&c0, line_wavy, NULL, q0);
    for (int e = 0; e < 3; e++) {
        c1.ops->controls(&c1, e, q1, p);
        for (int k = 0; k < 8; k++) {
            assert_near(q0[6 * e + k], p[k / 2][k % 2], 1e-16, 0.0);
        }
    }
    c1.ops->energy(&c1, q1, v1);
    c0.ops->energy(&c0, q0, v0);
    assert_near(v1[0], v0[0], 0.0, 1e-13);
    assert_near(v1[1], v0[1], 0.0, 1e-13);
    line_force_function(&c1, q1, f1);
    line_force_function(&c0, q0, f0);
    const double third = c1.le / 3.0;
    for (int n = 0; n <= 3; n++) {
        for (int i = 0; i < 2; i++) {
            const double before = n > 0 ? f0[6 * n - 2 + i] : 0.0;
            const double after = n < 3 ? f0[6 * n + 2 + i] : 0.0;
            assert_near(f1[4 * n + i], f0[6 * n + i] + before + after, 1e-10, 0.0);
            assert_near(f1[4 * n + 2 + i], third * (after - before), 1e-10, 0.0);
        }
    }
}

static void vertical_start_under_gravity_is_exact(void **state)
{
    (void)state;
    assert_true(line_vertical_residual("bezier", 20) < 1e-9);
    assert_true(line_vertical_residual("bezier-c0", 20) < 1e-9);
    assert_true(line_vertical_residual("bezier-polar", 20) < 1e-9);
}

/* Relative errors at 2, 4, 8, 16 elements: sixth order in Le. */
static void string_frequency_converges_with_sixth_order(void **state)
{
    (void)state;
    static const double expected[] = {1.303e-4, 3.175e-6, 5.75e-8, 9.4e-10};
    for (int i = 0; i < 4; i++) {
        assert_near(line_string_error("bezier", 2 << i), expected[i], 0.0, 0.05);
    }
    const double coarse = line_string_error("bezier-c0", 4);
    const double fine = line_string_error("bezier-c0", 8);
    assert_near(log2(coarse / fine), 6.0, 0.1, 0.0);
}

static void string_has_longitudinal_modes(void **state)
{
    (void)state;
    double w[LINE_MAX];
    const double pi = 3.14159265358979323846;
    const int n = line_string_eigenvalues("bezier", 8, true, w);
    double nearest = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        nearest = fmin(nearest, fabs(sqrt(w[i]) / (2.0 * pi) / 158.50917 - 1.0));
    }
    assert_true(nearest < 1e-7);
}

static void step_limit_is_sharp(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const haw_element_ops *ops = (const haw_element_ops *)haw_row_find(haw_elements, kinds[i]);
        const double pinned = line_step_limit(kinds[i], 20, true);
        assert_true(pinned >= ops->step_limit && pinned < 1.01 * ops->step_limit);
        for (int elements = 1; elements <= 16; elements *= 2) {
            assert_true(line_step_limit(kinds[i], elements, false) >= ops->step_limit_free);
        }
    }
}

/* A circle of radius 2: strain, tangent and curvature of its cubic, and the length. */
static void line_circle(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    (void)user;
    x[0] = 2.0 * sin(0.55 * xi);
    x[1] = 2.0 - 2.0 * cos(0.55 * xi);
    t[0] = cos(0.55 * xi);
    t[1] = sin(0.55 * xi);
    *stretch = 1.1;
}

static void axial_state_of_a_circle_is_that_of_the_circle(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const haw_line line = line_make(kinds[i], 8, 2.0);
        double q[LINE_MAX];
        haw_axial axial;
        line.ops->interpolate(&line, line_circle, NULL, q);
        line.ops->axial(&line, 2, 0.4, q, NULL, &axial);
        const double angle = 0.55 * 2.4 * line.le;
        assert_near(axial.strain, 0.1, 1e-5, 0.0);
        assert_near(axial.tension, 4.0e4 * axial.strain, 0.0, 1e-15);
        assert_near(axial.curvature, 0.5, 1e-3, 0.0);
        assert_near(axial.tangent[0], cos(angle), 1e-5, 0.0);
        assert_near(axial.tangent[1], sin(angle), 1e-5, 0.0);
        assert_near(line.ops->length(&line, 5, q), 1.1 * line.le, 1e-6 * line.le, 0.0);
    }
}

/* Under compression the geometric part is negative across; clipped, all of K is not. */
static void clipped_tangent_has_no_negative_eigenvalue(void **state)
{
    (void)state;
    const haw_line line = line_make("bezier", 2, 1.0);
    const double squeezed[3] = {0.9, 0.6, 0.8};
    double q[LINE_MAX], k[LINE_MAX * 16], w[LINE_MAX];
    line.ops->interpolate(&line, line_straight, squeezed, q);
    line_stiffness(&line, q, false, k);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', line.dofs, k, line.dofs, w), 0);
    assert_true(w[0] < -100.0);
    line_stiffness(&line, q, true, k);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', line.dofs, k, line.dofs, w), 0);
    assert_true(w[0] > -1e-9 * line.stiffness / line.le);
}

static void a_coordinate_that_is_not_a_number_shows_in_energy_and_force(void **state)
{
    (void)state;
    for (int slack = 0; slack < 2; slack++) {
        haw_line line = line_make("bezier", 1, 1.0);
        double q[LINE_MAX], f[LINE_MAX], energy[2] = {0.0, 0.0};
        line.slack = slack != 0;
        line.ops->interpolate(&line, line_wavy, NULL, q);
        q[3] = (double)NAN;
        line.ops->energy(&line, q, energy);
        line_force_function(&line, q, f);
        assert_true(isnan(energy[0]) && isnan(f[3]));
    }
}

TEST_FILE(test_bezier)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(slack_cable_has_no_energy_where_it_is_short),
        cmocka_unit_test(mass_is_the_integral_of_the_shape_functions),
        cmocka_unit_test(both_kinds_are_the_same_cubic),
        cmocka_unit_test(vertical_start_under_gravity_is_exact),
        cmocka_unit_test(string_frequency_converges_with_sixth_order),
        cmocka_unit_test(string_has_longitudinal_modes),
        cmocka_unit_test(step_limit_is_sharp),
        cmocka_unit_test(axial_state_of_a_circle_is_that_of_the_circle),
        cmocka_unit_test(clipped_tangent_has_no_negative_eigenvalue),
        cmocka_unit_test(a_coordinate_that_is_not_a_number_shows_in_energy_and_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
