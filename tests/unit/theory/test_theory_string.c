/* SPDX-License-Identifier: BSD-3-Clause */
/* Transverse impact and small vibration of a prestressed string. */
#include "support/theory.h"

#include <gsl/gsl_sf_bessel.h>

static const double pi = 3.14159265358979323846;

typedef struct impact_row {
    double velocity;
    const char *strain, *tension, *transverse, *inflow, *kink, *angle, *force;
} impact_row;

/* EA 4e4 N, 0.1 kg/m, pretension 100 N */
static const impact_row impact_table[] = {
    {4, ".0028738437", "114.95375", "33.856216", ".2364395", "33.717074", "6.765621", "27.084973"},
    {10, ".0044062795", "176.25118", "41.890091", "1.205637", "40.869034", "13.749221",
     "83.780183"},
    {40, ".018122287", "724.89149", "84.379419", "9.880402", "76.028165", "27.749792", "675.03535"},
    {100, ".058916399", "2356.656", "149.18229", "35.680864", "122.2907", "39.273678", "2983.6457"},
};

static void impact_reproduces_every_printed_digit(void **state)
{
    for (size_t i = 0; i < sizeof impact_table / sizeof impact_table[0]; ++i) {
        const impact_row *row = &impact_table[i];
        const setting set[] = {{"velocity", row->velocity}};
        haw_theory_result r = theory_run(*state, "string-impact", 1, set);
        assert_digits(haw_theory_value(&r, "strain"), row->strain);
        assert_digits(haw_theory_value(&r, "tension"), row->tension);
        assert_digits(haw_theory_value(&r, "transverse_speed"), row->transverse);
        assert_digits(haw_theory_value(&r, "inflow"), row->inflow);
        assert_digits(haw_theory_value(&r, "kink_speed"), row->kink);
        assert_digits(haw_theory_value(&r, "angle_deg"), row->angle);
        assert_digits(haw_theory_value(&r, "force"), row->force);
        haw_theory_result_free(*state, &r);
    }
}

/* 2 rho0 U V is the momentum given to the string; 2 N sin(angle) the pull of its two halves. */
static void impact_balances_momentum_and_keeps_the_length_of_material(void **state)
{
    const double velocity[] = {1e-3, 0.1, 3, 77, 400, 5000};
    const double tension[] = {0, 1, 100, 5000};
    for (int i = 0; i < 24; ++i) {
        const double v = velocity[i % 6];
        const setting set[] = {{"velocity", v}, {"tension", tension[i / 6]}};
        haw_theory_result r = theory_run(*state, "string-impact", 2, set);
        const double angle = haw_theory_value(&r, "angle");
        const double strain = haw_theory_value(&r, "strain");
        const double kink = haw_theory_value(&r, "kink_speed");
        const double u = haw_theory_value(&r, "transverse_speed");
        assert_near(haw_theory_value(&r, "force"), 2 * haw_theory_value(&r, "tension") * sin(angle),
                    0, 1e-12);
        assert_near(hypot(v, kink), (1 + strain) * u, 0, 1e-12);
        assert_near(haw_theory_value(&r, "angle_deg"), angle * 180 / pi, 0, 1e-15);
        haw_theory_result_free(*state, &r);
    }
}

static void impact_without_pretension_has_the_closed_form_speed(void **state)
{
    const setting set[] = {{"velocity", 40}, {"tension", 0}, {"radius", 0.1}};
    haw_theory_result r = theory_run(*state, "string-impact", 3, set);
    const double e = haw_theory_value(&r, "strain");
    assert_near(haw_theory_value(&r, "wave_speed") * sqrt(2 * e * sqrt(e * (1 + e)) - e * e), 40, 0,
                1e-13);
    /* no transverse wave speed ahead of the front: the loss is not defined */
    assert_true(isnan(haw_theory_value(&r, "contact_loss")));
    haw_theory_result_free(*state, &r);
}

/* V -> 0: the linear string, N = T, kink at the wave speed sqrt(T (1 + eps0) / rho0). */
static void weak_impact_tends_to_the_linear_string(void **state)
{
    const setting set[] = {{"velocity", 1e-6}};
    haw_theory_result r = theory_run(*state, "string-impact", 1, set);
    const double wave = sqrt(100 * 1.0025 / 0.1);
    assert_near(haw_theory_value(&r, "tension"), 100, 0, 1e-12);
    assert_near(haw_theory_value(&r, "kink_speed"), wave, 0, 1e-11);
    assert_near(haw_theory_value(&r, "angle"), 1e-6 / wave, 0, 1e-11);
    /* d = V^2 / (2 c^2 sqrt(eps0 (1 + eps0))) */
    assert_near(haw_theory_value(&r, "inflow"), 1e-12 / (2 * sqrt(4e5) * sqrt(0.0025 * 1.0025)), 0,
                1e-6);
    haw_theory_result_free(*state, &r);
}

static void disk_displaces_the_kink_by_the_printed_share(void **state)
{
    const double radius[] = {0.1, 0.05, 0.025, 0.0125};
    const char *const percent[] = {"6.50", "3.25", "1.62", ".81"};
    for (int i = 0; i < 4; ++i) {
        const setting set[] = {{"radius", radius[i]}};
        haw_theory_result r = theory_run(*state, "string-impact", 1, set);
        const double travelled = haw_theory_value(&r, "kink_speed") * 5e-3;
        assert_digits(100 * haw_theory_value(&r, "kink_displacement") / travelled, percent[i]);
        haw_theory_result_free(*state, &r);
    }
}

/* Both fronts, at s = V R / x, lose V / 2 times the impulse per length rho_s V (1 - c_s^2 / s^2).
 */
static void contact_loss_is_the_sum_over_the_supersonic_front(void **state)
{
    const setting set[] = {{"velocity", 3}, {"radius", 0.1}, {"tension", 400}};
    haw_theory_result r = theory_run(*state, "string-impact", 3, set);
    const double density = 0.1 / 1.01;
    const double wave = sqrt(400 / density);
    const double sonic = 3 * 0.1 / wave;
    const int n = 1000;
    double loss = 0;
    for (int i = 0; i < n; ++i) {
        const double s = 3 * 0.1 / ((i + 0.5) * sonic / n);
        loss += 2 * 3.0 / 2 * density * 3 * (1 - wave * wave / (s * s)) * sonic / n;
    }
    assert_near(haw_theory_value(&r, "contact_loss"), loss, 0, 1e-6);
    assert_near(haw_theory_value(&r, "transverse_mach"), 3 / wave, 0, 1e-14);
    haw_theory_result_free(*state, &r);
}

static void weightless_cable_has_the_printed_frequencies(void **state)
{
    const setting set[] = {{"modes", 5}};
    haw_theory_result r = theory_run(*state, "string-modes", 1, set);
    const haw_quantity *across = theory_profile(&r, "transverse");
    const haw_quantity *along = theory_profile(&r, "longitudinal");
    assert_digits(haw_theory_value(&r, "unstrained_length"), "1.9950124688");
    assert_int_equal(across->count, 5);
    assert_int_equal(along->count, 5);
    for (int n = 1; n <= 5; ++n) {
        assert_digits(across->value[n - 1] / n, "7.9155701");
        assert_digits(along->value[n - 1] / n, "158.50917");
    }
    assert_near(haw_theory_value(&r, "inextensible_span"), sqrt(100 / 0.1) / 4, 0, 1e-14);
    haw_theory_result_free(*state, &r);
}

static void vertical_cable_has_the_printed_frequencies(void **state)
{
    const setting canonical[] = {{"gravity", 9.81}, {"tension", 400}};
    const setting soft[] = {{"gravity", 9.81}, {"tension", 2}};
    haw_theory_result r = theory_run(*state, "string-modes", 2, canonical);
    const double *f = theory_profile(&r, "transverse")->value;
    assert_digits(f[0], "15.90970731");
    assert_digits(f[1], "31.81941650");
    assert_digits(f[2], "47.72912527");
    assert_digits(haw_theory_value(&r, "inextensible"), "15.98925");
    assert_digits(haw_theory_value(&r, "unstrained_length"), "1.98015041464");
    assert_digits(haw_theory_value(&r, "tension_top"), "401.942528");
    haw_theory_result_free(*state, &r);
    r = theory_run(*state, "string-modes", 2, soft);
    f = theory_profile(&r, "transverse")->value;
    assert_digits(f[0], "1.34388116");
    assert_digits(f[1], "2.69071629");
    assert_digits(f[2], "4.03690724");
    assert_digits(haw_theory_value(&r, "inextensible_span"), "1.3438453");
    haw_theory_result_free(*state, &r);
}

typedef struct shot {
    double tension, length, omega;
} shot;

/* v' = p / P, p' = -rho0 w^2 v */
static void shoot_slope(const shot *s, double xi, const double y[2], double slope[2])
{
    const double n = s->tension + 0.981 * xi;
    slope[0] = y[1] * (1 + n / 4e4) / n;
    slope[1] = -0.1 * s->omega * s->omega * y[0];
}

/* Classical Runge-Kutta on the plain equation: v(L) relative to max |v|, and the nodes inside. */
static double shoot(const shot *s, int *nodes)
{
    const int steps = 40000;
    const double h = s->length / steps;
    double y[2] = {0, 1};
    double largest = 0;
    *nodes = 0;
    for (int i = 0; i < steps; ++i) {
        double k[4][2];
        double stage[2] = {y[0], y[1]};
        const double before = y[0];
        for (int j = 0; j < 4; ++j) {
            const double step = j == 2 ? h : h / 2;
            shoot_slope(s, i * h + (j == 0 ? 0 : (j == 3 ? h : h / 2)), stage, k[j]);
            stage[0] = y[0] + step * k[j][0];
            stage[1] = y[1] + step * k[j][1];
        }
        for (int j = 0; j < 2; ++j) {
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
        *nodes += i < steps - 1 && before * y[0] < 0;
        largest = fmax(largest, fabs(y[0]));
    }
    return y[0] / largest;
}

static void every_mode_vanishes_at_the_pins_and_has_its_number_of_nodes(void **state)
{
    const double tension[] = {400, 2, 0.05};
    for (int i = 0; i < 3; ++i) {
        const setting set[] = {{"gravity", 9.81}, {"tension", tension[i]}, {"modes", 12}};
        haw_theory_result r = theory_run(*state, "string-modes", 3, set);
        const double *f = theory_profile(&r, "transverse")->value;
        for (int n = 1; n <= 12; ++n) {
            const shot s = {tension[i], haw_theory_value(&r, "unstrained_length"),
                            2 * pi * f[n - 1]};
            int nodes = -1;
            /* v(L) = 0 to 1e-10 n, in other words w to about 1e-10 */
            assert_near(shoot(&s, &nodes), 0, 3e-10 * n, 0);
            assert_int_equal(nodes, n - 1);
        }
        haw_theory_result_free(*state, &r);
    }
}

/* The other way to the same number: the numerical modes of a stiff cable against Bessel's form. */
static void stiff_cable_tends_to_the_bessel_form(void **state)
{
    const double tension[] = {400, 2, 1e-3, 1e-9, 1e-40};
    for (int i = 0; i < 5; ++i) {
        const setting set[] = {{"gravity", 9.81}, {"tension", tension[i]}, {"stiffness", 1e17}};
        haw_theory_result r = theory_run(*state, "string-modes", 3, set);
        const double f = theory_profile(&r, "transverse")->value[0];
        const double z = 2 * 2 * pi * f / 9.81;
        const double z0 = z * sqrt(tension[i] / 0.1);
        const double z1 = z * sqrt((tension[i] + 0.981 * 2) / 0.1);
        const double y0 = gsl_sf_bessel_Y0(z0);
        const double y1 = gsl_sf_bessel_Y0(z1);
        const double scale = fabs(gsl_sf_bessel_J1(z1) * y0 * z1) + fabs(gsl_sf_bessel_J0(z0) * z1);
        assert_near((gsl_sf_bessel_J0(z0) * y1 - gsl_sf_bessel_J0(z1) * y0) / scale, 0, 1e-10, 0);
        assert_near(f, haw_theory_value(&r, "inextensible"), 0, 1e-10);
        haw_theory_result_free(*state, &r);
    }
}

static void vanishing_gravity_tends_to_the_weightless_cable(void **state)
{
    const double gravity[] = {1e-3, 1e-6, 1e-10, 1e-14, 1e-200};
    for (int i = 0; i < 5; ++i) {
        const setting set[] = {{"gravity", gravity[i]}};
        haw_theory_result r = theory_run(*state, "string-modes", 1, set);
        const double f0 = sqrt(100 * 1.0025 / 0.1) / 4;
        const double tolerance = 1e-12 + 2e-3 * gravity[i];
        for (int n = 1; n <= 3; ++n) {
            const double f = theory_profile(&r, "transverse")->value[n - 1];
            assert_near(f, n * f0, 0, tolerance);
        }
        assert_near(haw_theory_value(&r, "inextensible"), f0 * sqrt(1.0025), 0, tolerance);
        haw_theory_result_free(*state, &r);
    }
}

TEST_FILE(test_theory_string)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_reproduces_every_printed_digit),
        cmocka_unit_test(impact_balances_momentum_and_keeps_the_length_of_material),
        cmocka_unit_test(impact_without_pretension_has_the_closed_form_speed),
        cmocka_unit_test(weak_impact_tends_to_the_linear_string),
        cmocka_unit_test(disk_displaces_the_kink_by_the_printed_share),
        cmocka_unit_test(contact_loss_is_the_sum_over_the_supersonic_front),
        cmocka_unit_test(weightless_cable_has_the_printed_frequencies),
        cmocka_unit_test(vertical_cable_has_the_printed_frequencies),
        cmocka_unit_test(every_mode_vanishes_at_the_pins_and_has_its_number_of_nodes),
        cmocka_unit_test(stiff_cable_tends_to_the_bessel_form),
        cmocka_unit_test(vanishing_gravity_tends_to_the_weightless_cable),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
