/* SPDX-License-Identifier: BSD-3-Clause */
/* The kind `ancf` against published-model vectors, `bezier`, and beams in closed form. */
#include "support/csv.h"
#include "support/line.h"

#include <hawser/model.h>

static const double pi = 3.14159265358979323846;

/* The element of data/reference/beltdrive/element.csv. */
static haw_line golden_line(int scheme)
{
    haw_line line = line_make("ancf", 1, 0.3);
    line.stiffness = 8000.0;
    line.bending = 2.0;
    line.damping_strain = 1.5;
    line.damping_curvature = 0.7;
    line.strain0 = -0.05;
    line.curvature0 = 0.1;
    line.density = 0.8288;
    line.scheme = scheme;
    return line;
}

static void golden_column(const char *name, double x[8])
{
    csv_table table;
    csv_read("data/reference/beltdrive/element.csv", &table);
    assert_int_equal(table.rows, 8);
    const int column = csv_column(&table, name);
    for (int i = 0; i < 8; i++) {
        x[i] = csv_at(&table, i, column);
    }
    csv_free(&table);
}

static double largest(const double x[8])
{
    double size = 0.0;
    for (int i = 0; i < 8; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

static void forces_of_the_three_schemes_are_those_of_the_published_model(void **state)
{
    (void)state;
    static const char *const names[] = {
        [HAW_SCHEME_A] = "f_a", [HAW_SCHEME_B] = "f_b", [HAW_SCHEME_C] = "f_c"};
    double q[8], u[8], want[8];
    golden_column("q", q);
    golden_column("u", u);
    for (int scheme = 0; scheme < 3; scheme++) {
        const haw_line line = golden_line(scheme);
        double f[8] = {0.0}, d[8] = {0.0};
        golden_column(names[scheme], want);
        line.ops->force_rates(&line, q, u, f, d);
        for (int i = 0; i < 8; i++) {
            assert_near(f[i] + d[i], -want[i], 1e-14 * largest(want), 1e-10);
        }
    }
}

static void mass_is_that_of_the_published_model(void **state)
{
    (void)state;
    const haw_line line = golden_line(HAW_SCHEME_C);
    double row[2][8], q[8], m[16];
    golden_column("q", q);
    golden_column("mass_row0", row[0]);
    golden_column("mass_row2", row[1]);
    line.ops->mass(&line, 0, q, m);
    for (int i = 0; i < 8; i++) {
        assert_near(m[i], row[i / 4][2 * (i % 4)], 0.0, 1e-10);
    }
}

/* With the same Gauss points and no bending it is the Hermite cable. */
static void without_bending_it_is_the_hermite_cable(void **state)
{
    (void)state;
    for (int scheme = HAW_SCHEME_A; scheme <= HAW_SCHEME_B; scheme++) {
        haw_line ancf = line_make("ancf", 4, 1.0), bezier = line_make("bezier", 4, 1.0);
        double q[LINE_MAX], f[LINE_MAX], g[LINE_MAX], k[64], l[64];
        ancf.scheme = scheme;
        ancf.gravity[1] = bezier.gravity[1] = -9.81;
        haw_quadrature_init(scheme == HAW_SCHEME_A ? 5 : 4, &bezier.rule);
        ancf.ops->interpolate(&ancf, line_wavy, NULL, q);
        line_force_function(&ancf, q, f);
        line_force_function(&bezier, q, g);
        for (int i = 0; i < ancf.dofs; i++) {
            assert_near(f[i], g[i], 1e-13 * ancf.stiffness, 0.0);
        }
        ancf.ops->tangent(&ancf, 2, q, false, k);
        bezier.ops->tangent(&bezier, 2, q, false, l);
        for (int i = 0; i < 64; i++) {
            assert_near(k[i], l[i], 1e-13 * ancf.stiffness / ancf.le, 0.0);
        }
        assert_near(ancf.ops->length(&ancf, 1, q), bezier.ops->length(&bezier, 1, q), 0.0, 1e-14);
    }
    assert_true(line_vertical_residual("ancf", 20) < 1e-9);
}

/* An unstretched arc of a circle of 1 m. */
static void line_ring(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    (void)user;
    x[0] = sin(xi);
    x[1] = 1.0 - cos(xi);
    t[0] = cos(xi);
    t[1] = sin(xi);
    *stretch = 1.0;
}

/* EI kappa^2 / 2 per length; the sum over the points is of fourth order. */
static void a_ring_has_the_energy_of_its_curvature(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 3; scheme++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            haw_line line = line_make("ancf", 16 << i, 2.0 * pi);
            double q[4 * 33], energy[2] = {0.0, 0.0};
            line.scheme = scheme;
            line.stiffness = 1e-9;
            line.bending = 3.0;
            line.ops->interpolate(&line, line_ring, NULL, q);
            line.ops->energy(&line, q, energy);
            error[i] = energy[0] / (0.5 * 3.0 * 2.0 * pi) - 1.0;
            line.curvature0 = 1.0;
            energy[0] = 0.0;
            line.ops->energy(&line, q, energy);
            assert_near(energy[0], 0.0, 1e-3, 0.0);
        }
        print_message("scheme %c: %.2g, %.2g\n", 'a' + scheme, error[0], error[1]);
        assert_true(error[1] > 0.0 && error[1] < 1e-5);
        assert_near(log2(error[0] / error[1]), 4.0, 0.1, 0.0);
    }
}

static haw_line beam(int scheme, int elements)
{
    haw_line line = line_make("ancf", elements, 2.0);
    line.scheme = scheme;
    line.bending = 7.0;
    return line;
}

/* omega_n of `pinned` bending [rad/s] of straight beams: the lowest eigenvalues, as EA >> EI. */
static double beam_frequency(const haw_line *line, bool pinned, int mode)
{
    const double straight[3] = {1.0, 0.6, 0.8};
    double q[LINE_MAX], w[LINE_MAX];
    line->ops->interpolate(line, line_straight, straight, q);
    line_eigenvalues(line, q, pinned, w);
    return sqrt(w[mode]);
}

/* omega_n = (n pi / L)^2 sqrt(EI / rho), fourth order in Le as for Hermite beams. */
static void pinned_beam_has_its_bending_frequencies(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 3; scheme++) {
        double error[2][2];
        for (int i = 0; i < 4; i++) {
            const haw_line line = beam(scheme, 8 << i % 2);
            const int mode = 1 + i / 2;
            const double exact = pow(mode * pi / 2.0, 2) * sqrt(7.0 / 0.1);
            error[i / 2][i % 2] = beam_frequency(&line, true, mode - 1) / exact - 1.0;
        }
        for (int mode = 0; mode < 2; mode++) {
            assert_true(error[mode][1] > 0.0 && error[mode][1] < 1e-4);
            assert_near(log2(error[mode][0] / error[mode][1]), 4.0, 0.1, 0.0);
        }
    }
}

/* Free beams turn and shift freely; cos(x) cosh(x) = 1 gives x = 4.730040745 for the first mode. */
static void free_beam_has_its_first_bending_frequency(void **state)
{
    (void)state;
    const haw_line line = beam(HAW_SCHEME_C, 16);
    const double exact = pow(4.730040744862704 / 2.0, 2) * sqrt(7.0 / 0.1);
    assert_near(beam_frequency(&line, false, 3), exact, 0.0, 1e-5);
}

/* 2 / omega_max: of stretching over Le / c, or of bending over Le^2 / sqrt(EI / rho). */
static double step_limit(int scheme, int elements, bool pinned, bool bending)
{
    const double straight[3] = {1.0, 0.0, 1.0};
    haw_line line = line_make("ancf", elements, 2.0);
    double q[LINE_MAX], w[LINE_MAX];
    line.scheme = scheme;
    line.stiffness = bending ? 1e-9 : 4.0e4;
    line.bending = bending ? 7.0 : 0.0;
    line.ops->interpolate(&line, line_straight, straight, q);
    const int n = line_eigenvalues(&line, q, pinned, w);
    const double unit = bending ? line.le * line.le / sqrt(line.bending / line.density)
                                : line.le / sqrt(line.stiffness / line.density);
    return 2.0 / sqrt(w[n - 1]) / unit;
}

static void step_limits_are_sharp_and_hold_for_all_schemes(void **state)
{
    (void)state;
    const haw_element_ops *ops = (const haw_element_ops *)haw_row_find(haw_elements, "ancf");
    for (int scheme = 0; scheme < 3; scheme++) {
        for (int elements = 1; elements <= 16; elements *= 2) {
            assert_true(step_limit(scheme, elements, false, false) >= ops->step_limit_free);
            assert_true(step_limit(scheme, elements, true, false) >= ops->step_limit);
            assert_true(step_limit(scheme, elements, false, true) >= ops->step_limit_bending);
            assert_true(step_limit(scheme, elements, true, true) >= ops->step_limit_bending);
        }
    }
    assert_true(step_limit(HAW_SCHEME_C, 1, false, false) < 1.01 * ops->step_limit_free);
    assert_true(step_limit(HAW_SCHEME_C, 16, true, false) < 1.01 * ops->step_limit);
    assert_true(step_limit(HAW_SCHEME_C, 1, false, true) < 1.01 * ops->step_limit_bending);
}

static void a_coordinate_that_is_not_a_number_shows_in_energy_and_force(void **state)
{
    (void)state;
    for (int slack = 0; slack < 2; slack++) {
        haw_line line = golden_line(HAW_SCHEME_C);
        double q[8], u[8], f[8] = {0.0}, d[8] = {0.0}, energy[2] = {0.0, 0.0};
        golden_column("q", q);
        golden_column("u", u);
        line.slack = slack != 0;
        q[3] = (double)NAN;
        line.ops->energy(&line, q, energy);
        line.ops->force_rates(&line, q, u, f, d);
        assert_true(isnan(energy[0]) && isnan(f[3]) && isnan(d[3]));
    }
}

TEST_FILE(test_ancf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_the_three_schemes_are_those_of_the_published_model),
        cmocka_unit_test(mass_is_that_of_the_published_model),
        cmocka_unit_test(without_bending_it_is_the_hermite_cable),
        cmocka_unit_test(a_ring_has_the_energy_of_its_curvature),
        cmocka_unit_test(pinned_beam_has_its_bending_frequencies),
        cmocka_unit_test(free_beam_has_its_first_bending_frequency),
        cmocka_unit_test(step_limits_are_sharp_and_hold_for_all_schemes),
        cmocka_unit_test(a_coordinate_that_is_not_a_number_shows_in_energy_and_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
