/* SPDX-License-Identifier: BSD-3-Clause */
/* Spans, slip zones and effective friction: exact exponentials, noise, and the published belt. */
#include "observe/belt.h"
#include "support/csv.h"

enum { CHORDS = 240, ELEMENTS = 240, PER_ELEMENT = 4 };

/* Chords over which N falls with exp(-mu phi), of unequal lengths. */
static void capstan(int count, haw_belt_chord *chord, double mu, double first)
{
    double phi = 0;
    for (int i = 0; i < count; i++) {
        chord[i].angle = 0.01 * (1 + 0.3 * sin(1.0 + i));
        phi += i > 0 ? 0.5 * (chord[i - 1].angle + chord[i].angle) : 0;
        chord[i].tension = first * exp(-mu * phi);
        chord[i].normal = chord[i].tension * chord[i].angle;
        chord[i].tangential = -mu * chord[i].normal;
    }
}

static void an_exact_exponential_gives_its_friction_back(void **state)
{
    (void)state;
    static const double friction[] = {0.05, 0.3, 0.5, 1.2};
    haw_belt_chord chord[CHORDS];
    for (size_t i = 0; i < sizeof friction / sizeof *friction; i++) {
        capstan(CHORDS, chord, friction[i], 700);
        const haw_belt_fit fit = haw_belt_fit_friction(CHORDS, chord, friction[i]);
        assert_near(fit.friction, friction[i], 0, 1e-12);
        assert_near(fit.deviation, 0, 1e-12, 0);
        /* rising with phi */
        capstan(CHORDS, chord, -friction[i], 100);
        const haw_belt_fit rising = haw_belt_fit_friction(CHORDS, chord, friction[i]);
        assert_near(rising.friction, friction[i], 0, 1e-12);
        assert_near(rising.deviation, 0, 1e-12, 0);
    }
}

/* With another law's friction the deviation is that of the two exponentials at the farther end. */
static void the_deviation_is_anchored_in_the_middle(void **state)
{
    (void)state;
    haw_belt_chord chord[CHORDS];
    capstan(CHORDS, chord, 0.5, 700);
    double phi = 0.5 * (chord[2].angle + chord[120].angle);
    for (int i = 3; i < 120; i++) {
        phi += chord[i].angle;
    }
    const haw_belt_fit fit = haw_belt_fit_friction(CHORDS, chord, 0.49);
    assert_near(fit.deviation, exp(0.01 * phi) - 1, 1e-12, 0);
}

/* Noise of 1e-3 at the first and last two chords changes nothing; elsewhere little. */
static void noise_moves_the_fit_by_its_share(void **state)
{
    (void)state;
    haw_belt_chord chord[CHORDS];
    capstan(CHORDS, chord, 0.5, 700);
    chord[0].tension = chord[1].tension = chord[CHORDS - 1].tension = chord[CHORDS - 2].tension = 1;
    assert_near(haw_belt_fit_friction(CHORDS, chord, 0.5).friction, 0.5, 1e-12, 0);
    capstan(CHORDS, chord, 0.5, 700);
    for (int i = 0; i < CHORDS; i++) {
        chord[i].tension *= 1 + 1e-3 * sin(12.9898 * i * i);
    }
    const haw_belt_fit fit = haw_belt_fit_friction(CHORDS, chord, 0.5);
    assert_near(fit.friction, 0.5, 5e-4, 0);
    assert_true(fabs(fit.friction - 0.5) > 1e-7);
    assert_true(fit.deviation > 5e-4 && fit.deviation < 2.1e-3);
}

static void too_few_or_slack_chords_have_no_friction(void **state)
{
    (void)state;
    haw_belt_chord chord[CHORDS];
    capstan(CHORDS, chord, 0.5, 700);
    assert_true(isnan(haw_belt_fit_friction(0, chord, 0.5).friction));
    assert_true(isnan(haw_belt_fit_friction(8, chord, 0.5).friction));
    assert_near(haw_belt_fit_friction(9, chord, 0.5).friction, 0.5, 1e-12, 0);
    chord[4].tension = 0;
    assert_true(isnan(haw_belt_fit_friction(9, chord, 0.5).friction));
    assert_true(isnan(haw_belt_fit_friction(9, chord, 0.5).deviation));
    capstan(CHORDS, chord, 0.5, 700);
    chord[4].angle = (double)NAN; /* a body without a radius */
    assert_true(isnan(haw_belt_fit_friction(9, chord, 0.5).friction));
}

static void the_slip_zone_ends_at_the_exit(void **state)
{
    (void)state;
    haw_belt_chord chord[20];
    capstan(20, chord, 0.5, 700);
    assert_int_equal(haw_belt_slip_count(20, chord, 0.5), 20);
    chord[3].tangential *= 0.9985;
    assert_int_equal(haw_belt_slip_count(20, chord, 0.5), 16);
    chord[7].tangential *= 0.9995; /* still above 0.999 of the limit */
    assert_int_equal(haw_belt_slip_count(20, chord, 0.5), 16);
    chord[9].normal = chord[9].tangential = 0; /* open for a moment */
    assert_int_equal(haw_belt_slip_count(20, chord, 0.5), 16);
    chord[19].tangential = 0;
    assert_int_equal(haw_belt_slip_count(20, chord, 0.5), 0);
    assert_near(haw_belt_angle(3, chord), 0.03 + 0.003 * (sin(1) + sin(2) + sin(3)), 1e-15, 0);
}

static void free_spans_lie_between_the_zones(void **state)
{
    (void)state;
    haw_belt_span zone[3] = {{150, 170}, {20, 50}, {45, 60}}, span[4];
    assert_int_equal(haw_belt_spans(200, true, 3, zone, span), 2);
    assert_true(span[0].begin == 60 && span[0].end == 150);
    assert_true(span[1].begin == 170 && span[1].end == 220);
    assert_int_equal(haw_belt_spans(200, false, 3, zone, span), 3);
    assert_true(span[0].begin == 0 && span[0].end == 20);
    assert_true(span[2].begin == 170 && span[2].end == 200);
    zone[0] = (haw_belt_span){190, 215}; /* over the start of a closed cable */
    assert_int_equal(haw_belt_spans(200, true, 1, zone, span), 1);
    assert_true(span[0].begin == 215 && span[0].end == 390);
    assert_int_equal(haw_belt_spans(200, true, 0, zone, span), 0);
    assert_int_equal(haw_belt_spans(200, false, 0, zone, span), 1);
    const haw_belt_span window = haw_belt_trim((haw_belt_span){170, 230});
    assert_true(window.begin == 180 && window.end == 220);
}

static void means_and_interpolations_go_around_a_closed_cable(void **state)
{
    (void)state;
    static const double value[4] = {1, 2, 4, 8};
    const haw_belt_samples ring = {4, 0, 0.5, true, value}, line = {4, 0, 0.5, false, value};
    assert_near(haw_belt_mean(&ring, (haw_belt_span){1.5, 2.5}), 11.0 / 3, 1e-15, 0);
    assert_near(haw_belt_mean(&line, (haw_belt_span){1.5, 2.5}), 8, 1e-15, 0);
    assert_true(isnan(haw_belt_mean(&ring, (haw_belt_span){1.6, 1.9})));
    assert_near(haw_belt_interpolate(&ring, 1.75), 4.5, 1e-15, 0);
    assert_near(haw_belt_interpolate(&ring, 2.25), 1.5, 1e-15, 0);
    assert_near(haw_belt_interpolate(&ring, -0.25), 4.5, 1e-15, 0);
    assert_near(haw_belt_interpolate(&line, 0.75), 3, 1e-15, 0);
    assert_near(haw_belt_interpolate(&line, 1.5), 8, 1e-15, 0);
}

/* ---- the published belt drive, K. Ntarladima et al., Nonlinear Dynamics 2023 ---- */

static const double published_length = 0.4 * 3.14159265358979323846; /* [m] */

/* Axial force at a material coordinate of the files, by interpolation of their samples. */
static double published_tension(const csv_table *force, double s)
{
    int i = 0;
    while (i < force->rows && csv_at(force, i, 0) <= s) {
        i++;
    }
    const int left = i > 0 ? i - 1 : force->rows - 1, right = i < force->rows ? i : 0;
    const double before = csv_at(force, left, 0) - (i > 0 ? 0 : published_length);
    const double after = csv_at(force, right, 0) + (i < force->rows ? 0 : published_length);
    const double part = (s - before) / (after - before);
    return csv_at(force, left, 1) + part * (csv_at(force, right, 1) - csv_at(force, left, 1));
}

/* Chords of a pulley from its entry: the belt runs against s, and a zone ends where s has a gap. */
static int published_chords(const csv_table *contact, const csv_table *force, double from,
                            double to, haw_belt_chord *chord)
{
    const double ds = published_length / ELEMENTS / PER_ELEMENT;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = contact->rows - 1; i >= 0; i--) {
            const double s = csv_at(contact, i, 0) + (pass == 0 ? published_length : 0);
            if (s > from && s < to) {
                const double tension = published_tension(force, csv_at(contact, i, 0));
                const double strain = tension / 8000 - 0.05;
                chord[count++] = (haw_belt_chord){(1 + strain) * ds / 0.1, tension,
                                                  -csv_at(contact, i, 2), csv_at(contact, i, 1)};
            }
        }
    }
    return count;
}

static void published_files(csv_table *contact, csv_table *force)
{
    csv_read("data/reference/beltdrive/nominal_n240_contact.csv", contact);
    csv_read("data/reference/beltdrive/nominal_n240_force.csv", force);
    assert_int_equal(force->rows, 2 * ELEMENTS);
}

/* Published windows of the spans, and those of our rule, which takes the zones from the contact. */
static void the_published_spans_have_the_published_tensions(void **state)
{
    (void)state;
    csv_table contact, force;
    published_files(&contact, &force);
    const double ds = published_length / ELEMENTS, shift = csv_at(&force, 0, 0);
    double *value = malloc((size_t)force.rows * sizeof *value);
    assert_non_null(value);
    for (int i = 0; i < force.rows; i++) {
        value[i] = csv_at(&force, i, 1);
        assert_near(csv_at(&force, i, 0), shift + 0.5 * ds * i, 6e-7, 0);
    }
    const haw_belt_samples samples = {force.rows, shift / ds, 0.5, true, value};
    assert_near(haw_belt_mean(&samples, (haw_belt_span){0.05 / ds, 0.26 / ds}), 665.2227, 5e-4, 0);
    assert_near(haw_belt_mean(&samples, (haw_belt_span){0.678 / ds, 0.892 / ds}), 186.6516, 5e-4,
                0);
    haw_belt_span zone[2] = {{0.9448 / ds, (published_length + 0.0017) / ds},
                             {0.3028 / ds, 0.6195 / ds}};
    haw_belt_span span[3];
    assert_int_equal(haw_belt_spans(ELEMENTS, true, 2, zone, span), 2);
    assert_near(haw_belt_mean(&samples, haw_belt_trim(span[1])), 665.2227, 2e-2, 0);
    assert_near(haw_belt_mean(&samples, haw_belt_trim(span[0])), 186.6516, 2e-2, 0);
    free(value);
    csv_free(&contact);
    csv_free(&force);
}

typedef struct pulley {
    double from, to;
    int chords, slipping, zone; /* of the contact, slipping anywhere, in the zone at the exit */
    double friction, deviation;
} pulley;

/*
 * Table: mu_eff 0.4994 (driver) and 0.5005, N within 0.27 % and 0.06 % of the exponential, slip
 * lengths 0.2448 m and 0.2461 m; on the driven pulley two chords slip at the entry as well.
 */
static void the_published_slip_zones_have_the_published_friction(void **state)
{
    (void)state;
    static const pulley pulleys[2] = {{0.9, 1.3, 240, 187, 187, 0.4994, 2.7e-3},
                                      {0.25, 0.65, 242, 188, 186, 0.5005, 6e-4}};
    static const double length[2] = {0.2448, 0.2461};
    csv_table contact, force;
    published_files(&contact, &force);
    for (int i = 0; i < 2; i++) {
        const pulley *p = &pulleys[i];
        haw_belt_chord chord[2 * CHORDS];
        const int count = published_chords(&contact, &force, p->from, p->to, chord);
        assert_int_equal(count, p->chords);
        int slipping = 0;
        for (int k = 0; k < count; k++) {
            slipping += haw_belt_slip_count(1, &chord[k], 0.5);
        }
        assert_int_equal(slipping, p->slipping);
        assert_near(slipping * published_length / ELEMENTS / PER_ELEMENT, length[i], 5e-5, 0);
        const int zone = haw_belt_slip_count(count, chord, 0.5);
        assert_int_equal(zone, p->zone);
        const haw_belt_fit fit = haw_belt_fit_friction(zone, chord + count - zone, 0.5);
        print_message("mu_eff %.5f, deviation %.3g, slip angle %.4f rad\n", fit.friction,
                      fit.deviation, haw_belt_angle(zone, chord + count - zone));
        assert_near(fit.friction, p->friction, 1e-4, 0);
        assert_near(fit.deviation, p->deviation, 0.1e-3, 0);
        assert_true(fabs(fit.friction - 0.5) <= 1e-3 && fit.deviation < 3e-3);
    }
    csv_free(&contact);
    csv_free(&force);
}

TEST_FILE(test_belt_fit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_exponential_gives_its_friction_back),
        cmocka_unit_test(the_deviation_is_anchored_in_the_middle),
        cmocka_unit_test(noise_moves_the_fit_by_its_share),
        cmocka_unit_test(too_few_or_slack_chords_have_no_friction),
        cmocka_unit_test(the_slip_zone_ends_at_the_exit),
        cmocka_unit_test(free_spans_lie_between_the_zones),
        cmocka_unit_test(means_and_interpolations_go_around_a_closed_cable),
        cmocka_unit_test(the_published_spans_have_the_published_tensions),
        cmocka_unit_test(the_published_slip_zones_have_the_published_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
