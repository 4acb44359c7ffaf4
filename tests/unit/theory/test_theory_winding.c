/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of a yarn on mandrels, the capstan in a helix, bridging, and the slip front of W1. */
#include "support/theory.h"
#include "theory/mandrel.h"

static const double pi = 3.14159265358979323846;

/* A printed figure; 1e-8 for those with eight decimals, whose last one may not be rounded. */
static void check_printed(double got, const char *printed)
{
    assert_near(got, strtod(printed, NULL), fmax(half_digit(printed), 1e-8), 0);
}

/* lambda, phi -> beta [deg], z / R, s / R of the cylinder, from the hoop direction. */
static const struct {
    double lambda, phi;
    const char *beta, *z, *s;
} cylinder[] = {
    {0.1, 1.0, "5.720052", ".05004168", "1.00166750"},
    {0.1, 3.14159265358979323846, "17.711014", ".49755231", "3.19352540"},
    {0.2, 2.0, "22.330521", ".40536186", "2.05376163"},
    {0.4, 1.0, "22.330521", ".20268093", "1.02688081"},
    {0.4, 2.0, "41.608471", ".84358737", "2.22026495"},
    {0.4, 3.14159265358979323846, "58.226282", "2.24774396", "4.03622010"},
};

/* The path rises where slip < 0 turns it towards growing z. */
static void semi_geodesics_of_a_cylinder_have_the_printed_figures(void **state)
{
    for (size_t i = 0; i < sizeof cylinder / sizeof cylinder[0]; ++i) {
        const double radius = 0.7;
        const double s = sinh(cylinder[i].lambda * cylinder[i].phi) / cylinder[i].lambda;
        const setting set[] = {{"radius", radius},
                               {"alpha-deg", 90},
                               {"slip", -cylinder[i].lambda},
                               {"length", radius * s}};
        haw_theory_result r = theory_run(*state, "semi-geodesic", 4, set);
        check_printed(s, cylinder[i].s);
        assert_near(haw_theory_value(&r, "phi_end"), cylinder[i].phi, 1e-13, 0);
        assert_digits(haw_theory_value(&r, "beta_end") * 180 / pi, cylinder[i].beta);
        assert_digits(haw_theory_value(&r, "z_end") / radius, cylinder[i].z);
        assert_near(haw_theory_value(&r, "friction"), cylinder[i].lambda, 0, 0);
        haw_theory_result_free(*state, &r);
    }
}

static void cylinder_profile(const void *data, double z, double r[3])
{
    (void)z;
    r[0] = *(const double *)data;
    r[1] = r[2] = 0;
}

/* The closed form against the integrated path, also downwards and for small lambda. */
static void semi_geodesics_of_a_cylinder_agree_with_the_integrated_path(void **state)
{
    const double radius = 0.4;
    const double cases[][2] = {{0.3, 50}, {-0.3, 50}, {0.3, 130}, {1e-12, 70}, {0, 70}, {0.8, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        haw_path_point point = {.s = 1.7};
        const haw_path path = {
            cylinder_profile, &radius, cases[i][0], {0.2, 0, cases[i][1] * pi / 180}};
        const setting set[] = {{"radius", radius},
                               {"z", 0.2},
                               {"slip", cases[i][0]},
                               {"alpha-deg", cases[i][1]},
                               {"length", point.s}};
        haw_theory_result r = theory_run(*state, "semi-geodesic", 5, set);
        assert_int_equal(haw_path_follow(*state, &path, 1, &point), HAW_OK);
        assert_near(haw_theory_value(&r, "z_end"), point.z, 1e-11, 0);
        assert_near(haw_theory_value(&r, "phi_end"), point.phi, 1e-11, 0);
        assert_near(haw_theory_value(&r, "alpha_end"), point.alpha, 1e-11, 0);
        haw_theory_result_free(*state, &r);
    }
}

/* Cone of 20 degrees, 0.5 m from the apex, 60 degrees towards it: phi -> x and s. */
static const char *const cone[][3] = {
    {"0.5", ".46139696", ".09066652"}, {"1", ".44025049", ".17049848"},
    {"1.5", ".43303689", ".24542351"}, {"2", ".43864630", ".32007553"},
    {"3", ".49408129", ".48794183"},
};

static void geodesics_of_a_cone_have_the_printed_figures(void **state)
{
    const double tau = pi / 9, radius = 0.5 * sin(tau);
    for (size_t i = 0; i < sizeof cone / sizeof cone[0]; ++i) {
        const setting set[] = {{"radius", radius},
                               {"half-angle-deg", 20},
                               {"alpha-deg", 120},
                               {"turn", strtod(cone[i][0], NULL)}};
        haw_theory_result r = theory_run(*state, "geodesic", 4, set);
        assert_digits(haw_theory_value(&r, "radius_end") / sin(tau), cone[i][1]);
        assert_digits(haw_theory_value(&r, "length"), cone[i][2]);
        assert_near(haw_theory_value(&r, "clairaut") / sin(tau), 0.5 * sin(pi / 3), 1e-15, 0);
        assert_near(0.5 * cos(tau) + haw_theory_value(&r, "rise"),
                    haw_theory_value(&r, "radius_end") / tan(tau), 1e-15, 0);
        haw_theory_result_free(*state, &r);
    }
    const setting set[] = {
        {"radius", radius}, {"half-angle-deg", 20}, {"alpha-deg", 120}, {"turn", 2}};
    assert_digits(theory_quantity(*state, "geodesic", 4, set, "radius_min") / sin(tau),
                  ".43301270");
}

/* The same path by the equations of a path on any surface of revolution. */
static void geodesics_of_a_cone_agree_with_the_integrated_path(void **state)
{
    const double tau = pi / 9, x0 = 0.5;
    for (size_t i = 0; i < sizeof cone / sizeof cone[0]; ++i) {
        const setting closed[] = {{"radius", x0 * sin(tau)},
                                  {"half-angle-deg", 20},
                                  {"alpha-deg", 120},
                                  {"turn", strtod(cone[i][0], NULL)}};
        haw_theory_result c = theory_run(*state, "geodesic", 4, closed);
        const setting set[] = {{"radius", 0},      {"half-angle-deg", 20},
                               {"alpha-deg", 120}, {"z", x0 * cos(tau)},
                               {"slip", 0},        {"length", haw_theory_value(&c, "length")}};
        haw_theory_result r = theory_run(*state, "semi-geodesic", 6, set);
        assert_near(haw_theory_value(&r, "phi_end"), closed[3].value, 1e-11, 0);
        assert_near(haw_theory_value(&r, "z_end") - x0 * cos(tau), haw_theory_value(&c, "rise"),
                    1e-11, 0);
        assert_near(haw_theory_value(&r, "alpha_end"), haw_theory_value(&c, "alpha_end"), 1e-11, 0);
        haw_theory_result_free(*state, &r);
        haw_theory_result_free(*state, &c);
    }
}

static void a_geodesic_of_a_cylinder_is_a_helix(void **state)
{
    const setting set[] = {{"radius", 0.4}, {"alpha-deg", 30}, {"turn", 5}};
    haw_theory_result r = theory_run(*state, "geodesic", 3, set);
    assert_near(haw_theory_value(&r, "rise"), 0.4 * 5 * tan(pi / 3), 1e-14, 0);
    assert_near(haw_theory_value(&r, "length"), 0.4 * 5 / cos(pi / 3), 1e-14, 0);
    const haw_quantity *z = theory_profile(&r, "z"), *s = theory_profile(&r, "s");
    assert_near(z->value[11] / s->value[11], cos(pi / 6), 1e-15, 0);
    haw_theory_result_free(*state, &r);
}

/* A slender cone goes over into a cylinder without loss of digits. */
static void a_geodesic_of_a_slender_cone_is_nearly_a_helix(void **state)
{
    const setting set[] = {
        {"radius", 0.4}, {"half-angle-deg", 1e-9}, {"alpha-deg", 30}, {"turn", 5}};
    assert_near(theory_quantity(*state, "geodesic", 4, set, "rise"), 2 * tan(pi / 3), 1e-9, 0);
    assert_near(theory_quantity(*state, "geodesic", 4, set, "radius_min"), 0.4, 1e-15, 0);
}

/* lambda, s -> z, phi, alpha on the same cone. */
static const char *const sideways[][5] = {
    {"0.1", "0.2", ".40063667", "1.18499492", "1.79246210"},
    {"0.1", "0.5", ".41115558", "3.25411340", "1.27695361"},
    {"0.1", "0.8", ".54739813", "4.79146389", ".87768860"},
    {"0.2", "0.8", ".40697372", "5.58212649", "1.19809181"},
    {"-0.2", "0.8", ".80507049", "3.32215119", ".43546653"},
};

static void semi_geodesics_of_a_cone_have_the_printed_figures(void **state)
{
    for (size_t i = 0; i < sizeof sideways / sizeof sideways[0]; ++i) {
        const setting set[] = {{"radius", 0},
                               {"half-angle-deg", 20},
                               {"alpha-deg", 120},
                               {"z", 0.5 * cos(pi / 9)},
                               {"slip", strtod(sideways[i][0], NULL)},
                               {"length", strtod(sideways[i][1], NULL)}};
        haw_theory_result r = theory_run(*state, "semi-geodesic", 6, set);
        assert_digits(haw_theory_value(&r, "z_end"), sideways[i][2]);
        assert_digits(haw_theory_value(&r, "phi_end"), sideways[i][3]);
        assert_digits(haw_theory_value(&r, "alpha_end"), sideways[i][4]);
        haw_theory_result_free(*state, &r);
    }
}

/* alpha_0 at the bulge of r = 0.3 + 0.05 cos(2 pi z), s = 1.2 -> z, phi, alpha [deg]. */
static const char *const compound[][4] = {
    {"30", ".92795360", "2.52319126", "30.484116"},
    {"45", ".49019791", "3.80675482", "81.719259"},
};

static void geodesics_of_a_compound_mandrel_have_the_printed_figures(void **state)
{
    for (size_t i = 0; i < sizeof compound / sizeof compound[0]; ++i) {
        const setting set[] = {{"amplitude", 0.05},
                               {"alpha-deg", strtod(compound[i][0], NULL)},
                               {"length", 1.2},
                               {"points", 500}};
        haw_theory_result r = theory_run(*state, "clairaut", 4, set);
        assert_digits(haw_theory_value(&r, "z_end"), compound[i][1]);
        assert_digits(haw_theory_value(&r, "phi_end"), compound[i][2]);
        assert_digits(haw_theory_value(&r, "alpha_end") * 180 / pi, compound[i][3]);
        assert_true(haw_theory_value(&r, "drift") < 1e-11);
        haw_theory_result_free(*state, &r);
    }
}

/* k_g = slip k_n = 0 is not the same path: r sin(alpha) changes by slip k_n r cos(beta) ds. */
static void a_path_off_the_geodesic_leaves_clairauts_constant(void **state)
{
    const haw_mandrel mandrel = {0.3, 0, 0.05, 1};
    const haw_mandrel_course course = {0, 40, 0.2, 0.9, 2001};
    haw_path_point *p = NULL;
    assert_int_equal(haw_mandrel_follow(*state, &mandrel, &course, &p), HAW_OK);
    double turned = 0, first = 0, last = 0;
    for (int i = 0; i < course.points; ++i) {
        double r[3];
        haw_mandrel_profile(&mandrel, p[i].z, r);
        last = r[0] * sin(p[i].alpha);
        first = i == 0 ? last : first;
        const double weight = i == 0 || i == course.points - 1 ? 0.5 : 1;
        turned += weight * 0.2 * p[i].bend * r[0] * cos(p[i].alpha) * 0.9 / 2000;
    }
    assert_near(last - first, turned, 1e-7, 0);
    assert_true(fabs(last - first) > 0.01);
    haw_release(*state, p);
}

/* mu, beta [deg] -> exp(mu phi cos(beta)) at phi = 2 pi; the hoop at other angles. */
static const char *const capstan[][3] = {
    {"0.4", "15", "11.332066"}, {"0.4", "30", "8.815921"}, {"0.4", "45", "5.912999"},
    {"0.4", "60", "3.513586"},  {"0.1", "15", "1.834752"}, {"0.1", "30", "1.723126"},
    {"0.1", "45", "1.559380"},  {"0.1", "60", "1.369108"}, {"0.1", "0", "1.874456"},
    {"0.4", "0", "12.345284"},
};

static void helical_capstans_have_the_printed_ratios(void **state)
{
    for (size_t i = 0; i < sizeof capstan / sizeof capstan[0]; ++i) {
        const setting set[] = {{"friction", strtod(capstan[i][0], NULL)},
                               {"beta-deg", strtod(capstan[i][1], NULL)},
                               {"tension", 3}};
        haw_theory_result r = theory_run(*state, "helical-capstan", 3, set);
        assert_digits(haw_theory_value(&r, "ratio"), capstan[i][2]);
        assert_near(haw_theory_value(&r, "tension_high"), 3 * haw_theory_value(&r, "ratio"), 0,
                    1e-15);
        haw_theory_result_free(*state, &r);
    }
}

/* d(ln T)/ds = k_n sqrt(mu^2 - lambda^2) integrated along the path. */
static void a_capstan_that_slips_sideways_keeps_the_rest_of_its_friction(void **state)
{
    const double lambda[] = {0.25, -0.25, 1e-7};
    for (size_t i = 0; i < sizeof lambda / sizeof lambda[0]; ++i) {
        const setting set[] = {
            {"friction", 0.4}, {"beta-deg", 20}, {"slip", lambda[i]}, {"wrap", 3}};
        const double radius = 0.4, start = tan(20 * pi / 180);
        const double end = sinh(asinh(start) - lambda[i] * 3);

        enum { N = 2001 };

        haw_path_point p[N];
        const haw_path path = {cylinder_profile, &radius, lambda[i], {0, 0, 70 * pi / 180}};
        double log_ratio = 0;
        for (int k = 0; k < N; ++k) {
            p[k].s = (start - end) * radius / lambda[i] * k / (N - 1);
        }
        assert_int_equal(haw_path_follow(*state, &path, N, p), HAW_OK);
        assert_near(p[N - 1].phi, 3, 1e-7, 0);
        for (int k = 1; k < N; ++k) {
            log_ratio += sqrt(0.16 - lambda[i] * lambda[i]) * 0.5 * (p[k].bend + p[k - 1].bend) *
                         (p[k].s - p[k - 1].s);
        }
        assert_near(theory_quantity(*state, "helical-capstan", 4, set, "ratio"), exp(log_ratio), 0,
                    1e-6);
    }
}

static void a_geodesic_bridges_the_waist_below_the_printed_angle(void **state)
{
    haw_theory_result r = theory_run(*state, "bridging-limit", 0, NULL);
    assert_digits(haw_theory_value(&r, "alpha_waist") * 180 / pi, "35.0873");
    assert_digits(haw_theory_value(&r, "alpha_bulge_deg"), "24.24");
    const double limit = haw_theory_value(&r, "alpha_everywhere") * 180 / pi;
    haw_theory_result_free(*state, &r);

    /* just below the path bridges somewhere, just above nowhere */
    for (int side = -1; side <= 1; side += 2) {
        const setting set[] = {{"amplitude", 0.05},
                               {"alpha-deg", limit + 0.02 * side},
                               {"length", 1.3},
                               {"points", 2000}};
        assert_true(theory_quantity(*state, "clairaut", 4, set, "bend_min") * side > 0);
    }
}

/* mu -> z_front, beta_front [deg], t_front, t_slip, z_end */
static const char *const w1[][6] = {
    {"0.1", ".18134", "5.791", "7.3339", "7.5456", ".16198"},
    {"0.4", ".69147", "22.595", "10.7348", "11.0991", ".00611"},
};

static void the_slip_front_of_w1_has_the_printed_figures(void **state)
{
    for (size_t i = 0; i < sizeof w1 / sizeof w1[0]; ++i) {
        const setting set[] = {{"friction", strtod(w1[i][0], NULL)}};
        haw_theory_result r = theory_run(*state, "winding-w1", 1, set);
        assert_digits(haw_theory_value(&r, "z_front"), w1[i][1]);
        assert_digits(haw_theory_value(&r, "beta_front") * 180 / pi, w1[i][2]);
        assert_digits(haw_theory_value(&r, "t_front"), w1[i][3]);
        assert_digits(haw_theory_value(&r, "t_slip"), w1[i][4]);
        assert_digits(haw_theory_value(&r, "z_end"), w1[i][5]);
        assert_near(haw_theory_value(&r, "angle"), 1.012469, 5e-7, 0);
        haw_theory_result_free(*state, &r);
    }
}

static void without_friction_the_point_of_w1_goes_half_the_way_of_the_traverse(void **state)
{
    const setting set[] = {{"friction", 0}};
    haw_theory_result r = theory_run(*state, "winding-w1", 1, set);
    assert_digits(haw_theory_value(&r, "z_end"), ".44063");
    assert_near(haw_theory_value(&r, "t_front"), 6, 0, 0);
    /* 1 mm of the traverse: speed 0.15 S(t / 0.25) integrated */
    const double s = (haw_theory_value(&r, "t_slip") - 6) / 0.25;
    assert_near(0.15 * 0.25 * (s * s * s - s * s * s * s / 2), 1e-3, 1e-15, 0);
    haw_theory_result_free(*state, &r);
}

/* Little friction is nearly none, and the front of much friction stays near the lift-off. */
static void the_slip_of_w1_goes_over_into_its_limits(void **state)
{
    const setting little[] = {{"friction", 1e-4}, {"displacement", 1e-5}, {"end", 6.01}};
    const setting much[] = {{"friction", 1}, {"displacement", 1e-5}, {"end", 12}};
    assert_true(theory_quantity(*state, "winding-w1", 3, little, "t_front") - 6 < 0.05);
    assert_near(theory_quantity(*state, "winding-w1", 3, much, "z_end"), 0, 0, 0);
    assert_true(theory_quantity(*state, "winding-w1", 3, much, "front_end") < 1.0);
    /* at the front itself nothing has moved yet */
    const setting front[] = {{"displacement", 0}};
    assert_near(theory_quantity(*state, "winding-w1", 1, front, "t_slip"),
                theory_quantity(*state, "winding-w1", 1, front, "t_front"), 1e-14, 0);
}

static void what_has_no_path_is_refused_with_the_reason(void **state)
{
    const setting turns[] = {{"half-angle-deg", 20}, {"alpha-deg", 60}, {"turn", 3.1}};
    const setting apex[] = {
        {"radius", 0}, {"half-angle-deg", 20}, {"z", 0.1}, {"alpha-deg", 180}, {"slip", 0}};
    const setting outside[] = {{"radius", 0.1}, {"amplitude", -0.2}};
    const setting sideways_slip[] = {{"friction", 0.1}, {"slip", 0.2}};
    const setting waist[] = {{"amplitude", 0.3}};
    const setting yarn[] = {{"turn", 10}};
    const setting point[] = {{"place", 2.5}};
    const setting late[] = {{"friction", 0.1}, {"end", 60}};
    theory_refuses(*state, "geodesic", 3, turns, "turns by less than");
    theory_refuses(*state, "semi-geodesic", 5, apex, "leaves the surface");
    theory_refuses(*state, "semi-geodesic", 2, outside, "off the surface");
    theory_refuses(*state, "helical-capstan", 2, sideways_slip, "must not exceed the friction");
    theory_refuses(*state, "bridging-limit", 1, waist, "less than the radius");
    theory_refuses(*state, "winding-w1", 1, yarn, "'length' must be greater");
    theory_refuses(*state, "winding-w1", 1, point, "within the wrapped length");
    theory_refuses(*state, "winding-w1", 2, late, "reaches the anchor");
}

TEST_FILE(test_theory_winding)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(semi_geodesics_of_a_cylinder_have_the_printed_figures),
        cmocka_unit_test(semi_geodesics_of_a_cylinder_agree_with_the_integrated_path),
        cmocka_unit_test(geodesics_of_a_cone_have_the_printed_figures),
        cmocka_unit_test(geodesics_of_a_cone_agree_with_the_integrated_path),
        cmocka_unit_test(a_geodesic_of_a_cylinder_is_a_helix),
        cmocka_unit_test(a_geodesic_of_a_slender_cone_is_nearly_a_helix),
        cmocka_unit_test(semi_geodesics_of_a_cone_have_the_printed_figures),
        cmocka_unit_test(geodesics_of_a_compound_mandrel_have_the_printed_figures),
        cmocka_unit_test(a_path_off_the_geodesic_leaves_clairauts_constant),
        cmocka_unit_test(helical_capstans_have_the_printed_ratios),
        cmocka_unit_test(a_capstan_that_slips_sideways_keeps_the_rest_of_its_friction),
        cmocka_unit_test(a_geodesic_bridges_the_waist_below_the_printed_angle),
        cmocka_unit_test(the_slip_front_of_w1_has_the_printed_figures),
        cmocka_unit_test(without_friction_the_point_of_w1_goes_half_the_way_of_the_traverse),
        cmocka_unit_test(the_slip_of_w1_goes_over_into_its_limits),
        cmocka_unit_test(what_has_no_path_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
