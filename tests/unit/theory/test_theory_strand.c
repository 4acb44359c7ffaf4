/* SPDX-License-Identifier: BSD-3-Clause */
/* Strand 1 + 6: printed figures, second derivatives of its energy, slip by quadrature. */
#include "support/theory.h"

#include <gsl/gsl_integration.h>

static const double pi = 3.14159265358979323846;

typedef struct strand_case {
    double core, wire, beta_deg;
    const char *overlap;
} strand_case;

static const strand_case cases[] = {
    {1.97e-3, 1.8e-3, 17.03, "refuse"},
    {1.97e-3, 1.865e-3, 9.2, "refuse"},
    {1.97e-3, 1.865e-3, 17.03, "ignore"},
};

enum { CASES = sizeof cases / sizeof cases[0] };

static haw_theory_result strand(void *context, const strand_case *c, double curvature)
{
    const setting set[] = {{"core-radius", c->core, NULL},
                           {"wire-radius", c->wire, NULL},
                           {"beta-deg", c->beta_deg, NULL},
                           {"curvature", curvature, NULL},
                           {"overlap", 0, c->overlap}};
    return theory_run(context, "strand", 5, set);
}

static void strands_have_the_printed_figures(void **state)
{
    static const char *const keys[] = {"k_ee",    "k_et",    "k_tt",    "core_force",
                                       "EA_free", "EI_slip", "EI_stick"};
    static const double rigid[CASES][7] = {
        {1.29827e7, 1.21279e4, 24.333, 4.1699e7, 6.9379e6, 11.583, 86.78},
        {1.48939e7, 7.7378e3, 15.653, 1.4024e7, 1.10688e7, 13.436, 105.26},
        {1.3760e7, 1.3241e4, 27.18, 4.3998e7, 7.310e6, 12.992, 96.53}};
    /* half of the last printed digit, or 1e-5 */
    static const double error[CASES][7] = {{1e-5, 1e-5, 2.1e-5, 1.3e-5, 1e-5, 4.4e-5, 6e-5},
                                           {1e-5, 1e-5, 3.3e-5, 3.7e-5, 1e-5, 3.8e-5, 5e-5},
                                           {3.7e-5, 3.8e-5, 1.9e-4, 1.2e-5, 7e-5, 4e-5, 5.3e-5}};
    for (int i = 0; i < CASES; ++i) {
        haw_theory_result r = strand(*state, &cases[i], 0);
        for (int k = 0; k < 7; ++k) {
            assert_near(haw_theory_value(&r, keys[k]), rigid[i][k], 0, error[i][k]);
        }
        haw_theory_result_free(*state, &r);
    }
    haw_theory_result a = strand(*state, &cases[0], 0), n = strand(*state, &cases[2], 0);
    assert_digits(haw_theory_value(&a, "K_slip"), ".031638");
    assert_digits(haw_theory_value(&a, "K_full"), ".049696");
    assert_digits(haw_theory_value(&a, "M_slip"), "3.0244");
    assert_near(1e3 * haw_theory_value(&n, "pitch"), 78.67, 5e-3, 0);
    /* Costello's figures of the nominal strand */
    assert_near(haw_theory_value(&n, "costello_k_ee"), 1.3461e7, 0, 4e-5);
    assert_near(haw_theory_value(&n, "costello_k_te"), 1.2244e4, 0, 4e-5);
    assert_near(haw_theory_value(&n, "costello_k_et"), 1.3079e4, 0, 4e-5);
    assert_near(haw_theory_value(&n, "costello_k_tt"), 26.24, 0, 2e-4);
    assert_near(haw_theory_value(&n, "costello_core_force"), 4.2712e7, 0, 2e-5);
    assert_near(haw_theory_value(&n, "costello_EA_free"), 7.357e6, 0, 7e-5);
    haw_theory_result_free(*state, &a);
    haw_theory_result_free(*state, &n);
}

/* Energy of the strand per length, with the curvature and torsion of the helix of each wire. */
static double energy(const strand_case *c, double eps, double twist, double r)
{
    const double e = 197.9e9, nu = 0.3, beta = c->beta_deg * pi / 180, r0 = c->core + c->wire;
    const double ea = e * pi * c->wire * c->wire, ei = ea * c->wire * c->wire / 4;
    const double core_ea = e * pi * c->core * c->core, core_ei = core_ea * c->core * c->core / 4;
    const double height = 1 + eps, turn = tan(beta) / r0 + twist;
    const double length = hypot(height, r * turn), stretch = length * cos(beta);
    const double angle = atan2(r * turn, height);
    const double bend = stretch * sin(angle) * sin(angle) / r - sin(beta) * sin(beta) / r0;
    const double tors = stretch * sin(angle) * cos(angle) / r - sin(beta) * cos(beta) / r0;
    return 6 / cos(beta) *
               (ea * (stretch - 1) * (stretch - 1) + ei * bend * bend +
                ei / (1 + nu) * tors * tors) /
               2 +
           core_ea * eps * eps / 2 + core_ei / (1 + nu) * twist * twist / 2;
}

static void stiffnesses_are_second_derivatives_of_the_energy(void **state)
{
    for (int i = 0; i < CASES; ++i) {
        const strand_case *c = &cases[i];
        const double r = c->core + c->wire, h = 1e-5, w = h / r, d = h * r;
        haw_theory_result s = strand(*state, c, 0);
        assert_near(haw_theory_value(&s, "k_ee"),
                    (energy(c, h, 0, r) + energy(c, -h, 0, r)) / (h * h), 0, 1e-7);
        assert_near(haw_theory_value(&s, "k_tt"),
                    (energy(c, 0, w, r) + energy(c, 0, -w, r)) / (w * w), 0, 1e-7);
        assert_near(haw_theory_value(&s, "k_et"),
                    (energy(c, h, w, r) - energy(c, h, -w, r) - energy(c, -h, w, r) +
                     energy(c, -h, -w, r)) /
                        (4 * h * w),
                    0, 1e-7);
        /* of one wire and per its length: cos / 6 of that of the strand */
        assert_near(haw_theory_value(&s, "core_force"),
                    cos(c->beta_deg * pi / 180) / 6 *
                        (energy(c, h, 0, r + d) - energy(c, h, 0, r - d) - energy(c, -h, 0, r + d) +
                         energy(c, -h, 0, r - d)) /
                        (4 * h * d),
                    0, 1e-6);
        haw_theory_result_free(*state, &s);
    }
}

/* Thin wires only pull: then both theories agree, and Costello's matrix is symmetric. */
static void costellos_stiffnesses_of_thin_wires_are_those_of_the_energy(void **state)
{
    const setting set[] = {
        {"wire-radius", 5e-6, NULL}, {"beta-deg", 25, NULL}, {"poisson", 0, NULL}};
    haw_theory_result r = theory_run(*state, "strand", 3, set);
    assert_near(haw_theory_value(&r, "costello_k_ee"), haw_theory_value(&r, "k_ee"), 0, 1e-9);
    assert_near(haw_theory_value(&r, "costello_k_et"), haw_theory_value(&r, "k_et"), 0, 2e-5);
    assert_near(haw_theory_value(&r, "costello_k_te"), haw_theory_value(&r, "k_et"), 0, 2e-5);
    assert_near(haw_theory_value(&r, "costello_k_tt"), haw_theory_value(&r, "k_tt"), 0, 1e-9);
    assert_near(haw_theory_value(&r, "costello_core_force"), haw_theory_value(&r, "core_force"), 0,
                2e-5);
    haw_theory_result_free(*state, &r);
}

/* ---- bending ---- */

typedef struct wires {
    double ea, rate, curvature, r, c;
} wires;

/* Tension of a wire at psi from the neutral axis: what sticking asks for, or what friction allows.
 */
static double tension_at(const wires *w, double psi)
{
    return fmin(w->ea * w->curvature * w->r * w->c * w->c * sin(psi), w->rate * psi);
}

static double moment_slope(double psi, void *data)
{
    const wires *w = data;
    return 12 / pi * w->r * w->c * tension_at(w, psi) * sin(psi);
}

static double integral(double (*function)(double, void *), void *data, double to)
{
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(64);
    gsl_function f = {function, data};
    double sum = 0;
    for (int i = 0; i < 200; ++i) {
        sum += gsl_integration_glfixed(&f, to * i / 200, to * (i + 1) / 200, table);
    }
    gsl_integration_glfixed_table_free(table);
    return sum;
}

static void the_moment_of_friction_is_that_of_tensions_along_the_wires(void **state)
{
    const strand_case *c = &cases[0];
    const double beta = c->beta_deg * pi / 180;
    wires w = {197.9e9 * pi * c->wire * c->wire, 0.15 * sin(beta) * 5000, 0, c->core + c->wire,
               cos(beta)};
    for (int i = 1; i < 8; ++i) {
        const double curvature = 0.01 * i;
        haw_theory_result r = strand(*state, c, curvature);
        w.curvature = curvature;
        assert_near(haw_theory_value(&r, "M_friction"), integral(moment_slope, &w, pi / 2), 0,
                    1e-6);
        haw_theory_result_free(*state, &r);
        haw_theory_result above = strand(*state, c, curvature + 1e-6);
        haw_theory_result below = strand(*state, c, curvature - 1e-6);
        r = strand(*state, c, curvature);
        assert_near(
            haw_theory_value(&r, "EI_tangent") - haw_theory_value(&r, "EI_slip"),
            (haw_theory_value(&above, "M_friction") - haw_theory_value(&below, "M_friction")) /
                2e-6,
            1e-5, 1e-6);
        haw_theory_result_free(*state, &above);
        haw_theory_result_free(*state, &below);
        haw_theory_result_free(*state, &r);
    }
}

/* Bending of a helical wire by a unit moment across the strand: its energy over a turn. */
static double compliance_slope(double phi, void *data)
{
    const double beta = *(const double *)data, along = sin(beta) * sin(phi);
    return ((1 - along * along) + 1.3 * along * along) / (2 * pi * cos(beta));
}

static double stretch_slope(double phi, void *data)
{
    const double beta = *(const double *)data, xi = cos(phi) * cos(beta) * cos(beta);
    return xi * xi / (2 * pi * cos(beta));
}

static void bending_stiffnesses_are_those_of_helical_wires(void **state)
{
    for (int i = 0; i < CASES; ++i) {
        const strand_case *c = &cases[i];
        double beta = c->beta_deg * pi / 180;
        const double e = 197.9e9, r = c->core + c->wire, ea = e * pi * c->wire * c->wire;
        const double ei = ea * c->wire * c->wire / 4, core = e * pi * pow(c->core, 4) / 4;
        haw_theory_result s = strand(*state, c, 0);
        assert_near(haw_theory_value(&s, "EI_slip"),
                    core + 6 * ei / integral(compliance_slope, &beta, 2 * pi), 0, 1e-12);
        assert_near(haw_theory_value(&s, "EI_stick"),
                    core + 6 * ei * cos(beta) +
                        6 * ea * r * r * integral(stretch_slope, &beta, 2 * pi),
                    0, 1e-12);
        haw_theory_result_free(*state, &s);
    }
}

/* ---- wires that would overlap ---- */

/* Least distance of two neighbouring helices, by search along one of them. */
static double nearest(double r, double beta)
{
    double least = HUGE_VAL;
    for (int i = -10000; i <= 10000; ++i) {
        const double angle = 1e-4 * i, z = r / tan(beta) * angle, a = angle + pi / 3;
        const double dx = r * (cos(a) - 1), dy = r * sin(a);
        least = fmin(least, sqrt(dx * dx + dy * dy + z * z));
    }
    return least;
}

static void wires_that_overlap_are_refused(void **state)
{
    const setting nominal[] = {{"wire-radius", 1.865e-3, NULL}};
    theory_refuses(*state, "strand", 1, nominal, "the wires overlap by 2.59e-05 m");
    theory_refuses(*state, "strand", 1, nominal, "'wire-radius' must be less than 0.00183");
    const setting thick[] = {{"wire-radius", 2.1e-3, NULL}};
    theory_refuses(*state, "strand", 1, thick, "at any lay angle");
    for (int i = 0; i < CASES; ++i) {
        haw_theory_result r = strand(*state, &cases[i], 0);
        const double gap = nearest(cases[i].core + cases[i].wire, cases[i].beta_deg * pi / 180) -
                           2 * cases[i].wire;
        assert_near(haw_theory_value(&r, "clearance"), gap, 1e-10, 0);
        haw_theory_result_free(*state, &r);
    }
}

/* The radius and the angle that the message names: those where the wires touch. */
static void the_refusal_names_wires_that_fit(void **state)
{
    const setting nominal[] = {{"wire-radius", 1.865e-3, NULL}};
    theory_refuses(*state, "strand", 1, nominal, "'beta-deg' less than ");
    const char *text = haw_context_message(*state);
    const double radius = strtod(strstr(text, "less than ") + 10, NULL);
    const double beta = strtod(strstr(text, "'beta-deg' less than ") + 21, NULL);
    const setting thinner[] = {{"wire-radius", radius - 1e-8, NULL}};
    const setting steeper[] = {{"wire-radius", 1.865e-3, NULL}, {"beta-deg", beta - 1e-3, NULL}};
    assert_near(theory_quantity(*state, "strand", 1, thinner, "clearance"), 1e-8, 2e-8, 0);
    assert_near(theory_quantity(*state, "strand", 2, steeper, "clearance"), 1e-8, 2e-8, 0);
}

TEST_FILE(test_theory_strand)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_have_the_printed_figures),
        cmocka_unit_test(stiffnesses_are_second_derivatives_of_the_energy),
        cmocka_unit_test(costellos_stiffnesses_of_thin_wires_are_those_of_the_energy),
        cmocka_unit_test(the_moment_of_friction_is_that_of_tensions_along_the_wires),
        cmocka_unit_test(bending_stiffnesses_are_those_of_helical_wires),
        cmocka_unit_test(wires_that_overlap_are_refused),
        cmocka_unit_test(the_refusal_names_wires_that_fit),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
