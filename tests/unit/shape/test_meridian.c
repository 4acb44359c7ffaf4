/* SPDX-License-Identifier: BSD-3-Clause */
/* Meridians: the spline through a table, chains that are refused, centres with few digits. */
#include "support/arena_fixture.h"
#include "support/near.h"
#include "support/surfaces.h"

#include <string.h>

/* Largest error of the spline through n points of the wave, up to its ends. */
static double spline_error(int n)
{
    double z[200], r[200], worst = 0.0;
    haw_surface surface;

    for (int i = 0; i < n; i++) {
        z[i] = 2.0 * i / (n - 1) - 1.0;
        r[i] = wave_radius(z[i]);
    }
    const haw_meridian meridian = {.count = n, .z = z, .r = r};

    assert_int_equal(surface_open(&arena, "revolution", NULL, &meridian, &surface), HAW_OK);
    for (int i = 0; i <= 2857; i++) {
        const double at = -1.0 + 0.0007 * i;

        worst = fmax(worst, fabs(surface_radius_at(&surface, at) - wave_radius(at)));
    }
    return worst;
}

static void the_table_is_followed_to_fourth_order(void **state)
{
    (void)state;
    const double coarse = spline_error(81), fine = spline_error(161);

    assert_true(coarse / fine > 14.0);
    assert_true(fine < 1.0e-7);
}

static void a_cubic_table_is_met_exactly(void **state)
{
    const double z[5] = {-1.0, -0.7, 0.1, 0.4, 1.0};
    double r[5];
    haw_surface surface;

    (void)state;
    for (int i = 0; i < 5; i++) {
        r[i] = 2.0 + z[i] * (0.3 + z[i] * (-0.2 + 0.5 * z[i]));
    }
    const haw_meridian meridian = {.count = 5, .z = z, .r = r};

    assert_int_equal(surface_open(&arena, "revolution", NULL, &meridian, &surface), HAW_OK);
    for (int i = 0; i <= 200; i++) {
        const double at = -1.0 + 0.01 * i;

        assert_near(surface_radius_at(&surface, at), 2.0 + at * (0.3 + at * (-0.2 + 0.5 * at)),
                    1.0e-14, 0.0);
    }
}

static void assert_refused(const haw_meridian *meridian, const char *reason)
{
    haw_surface surface;

    assert_int_equal(surface_open(&arena, "revolution", NULL, meridian, &surface), HAW_ERR_INPUT);
    if (strstr(haw_context_message(context), reason) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(context), reason);
    }
}

static void assert_chain_refused(haw_meridian_segment a, haw_meridian_segment b, const char *reason)
{
    const haw_meridian_segment segment[2] = {a, b};
    const haw_meridian meridian = {.from = {0.3, 0.0}, .segments = 2, .segment = segment};

    assert_refused(&meridian, reason);
}

static void bad_chains_are_refused_with_the_reason(void **state)
{
    const haw_meridian_segment line = {false, {0.3, 0.1}, {0.0, 0.0}};

    (void)state;
    assert_chain_refused(line, (haw_meridian_segment){false, {0.35, 0.2}, {0.0, 0.0}},
                         "corner of 26.57 deg before piece 2");
    assert_chain_refused(line, (haw_meridian_segment){true, {0.3, 0.2}, {0.25, 0.15}}, "corner");
    assert_chain_refused(line, (haw_meridian_segment){false, {0.3, 0.05}, {0.0, 0.0}},
                         "z must not decrease");
    assert_chain_refused(line, line, "must have a length");
    assert_chain_refused((haw_meridian_segment){false, {-0.1, 0.1}, {0.0, 0.0}}, line,
                         "r must be > 0");
    assert_chain_refused(line, (haw_meridian_segment){true, {0.25, 0.16}, {0.25, 0.1}},
                         "same distance from its centre");
    assert_chain_refused(line, (haw_meridian_segment){true, {0.2, 0.1 + 1e-9}, {0.25, 0.1}},
                         "must not turn back");
}

static void assert_table_refused(int count, const double *z, const double *r, const char *reason)
{
    const haw_meridian meridian = {.count = count, .z = z, .r = r};

    assert_refused(&meridian, reason);
}

static void bad_tables_and_cones_are_refused_with_the_reason(void **state)
{
    const double z[5] = {0.0, 0.1, 0.2, 0.3, 0.4}, back[5] = {0.0, 0.1, 0.1, 0.3, 0.4};
    const double r[5] = {0.3, 0.3, 0.2, 0.3, 0.3}, zero[5] = {0.3, 0.3, 0.0, 0.3, 0.3};
    const double deep[5] = {3.0, 0.1, 0.001, 0.1, 3.0};
    const double cone[4] = {20.0, 0.5, 0.4, NAN}, turned[4] = {20.0, 0.5, 0.7, 0.6};
    haw_surface surface;

    (void)state;
    assert_table_refused(3, z, r, "at least 4 points (got 3)");
    assert_table_refused(5, back, r, "ascending z (point 3");
    assert_table_refused(5, z, zero, "r > 0 (point 3");
    assert_table_refused(5, z, deep, "falls to r = ");
    assert_int_equal(surface_open(&arena, "cone", cone, NULL, &surface), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "at or above its apex"));
    assert_int_equal(surface_open(&arena, "cone", turned, NULL, &surface), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "above its beginning"));
}

/* The centre of an arc typed with few digits: the ends count, and the gap has no jump. */
static void an_arc_with_a_rounded_centre_joins_its_neighbours(void **state)
{
    const haw_meridian_segment segment[3] = {{false, {0.3, 0.0}, {0.0, 0.0}},
                                             {true, {0.25, 0.0866025}, {0.2, 0.00000002}},
                                             {false, {0.1634, 0.1366}, {0.0, 0.0}}};
    const haw_meridian meridian = {.from = {0.3, -0.2}, .segments = 3, .segment = segment};
    haw_surface surface;
    double last = 0.0;

    (void)state;
    assert_int_equal(surface_open(&arena, "revolution", NULL, &meridian, &surface), HAW_OK);
    for (int i = 0; i < 130000; i++) {
        const double x[3] = {0.35, 0.0, 1.0e-6 * i - 0.01};
        haw_foot foot[HAW_FEET_MAX];

        assert_int_equal(surface.ops->feet(&surface, x, 1.0, foot), 1);
        if (i > 0) {
            assert_near(foot[0].gap, last, 1.0e-6, 0.0);
        }
        last = foot[0].gap;
    }
}

TEST_FILE(test_meridian)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_followed_to_fourth_order),
        cmocka_unit_test(a_cubic_table_is_met_exactly),
        cmocka_unit_test(bad_chains_are_refused_with_the_reason),
        cmocka_unit_test(bad_tables_and_cones_are_refused_with_the_reason),
        cmocka_unit_test(an_arc_with_a_rounded_centre_joins_its_neighbours),
    };

    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
