/* SPDX-License-Identifier: BSD-3-Clause */
/* Feet on surfaces of revolution, against a search over the meridian. */
#include "support/arena_fixture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/surfaces.h"

enum { SEARCH = 6000 };

static haw_surface sample[2]; /* the groove and the wave */

static int open_samples(void **state)
{
    double z[WAVE_POINTS], r[WAVE_POINTS];
    haw_meridian_segment segment[GROOVE_PIECES];
    const haw_meridian grooved = groove_meridian(&groove_sample, segment);
    const haw_meridian wave = wave_meridian(z, r);

    return open_arena(state) == 0 &&
                   surface_open(&arena, "revolution", NULL, &grooved, &sample[0]) == HAW_OK &&
                   surface_open(&arena, "revolution", NULL, &wave, &sample[1]) == HAW_OK
               ? 0
               : -1;
}

static double distance_at(const haw_surface *surface, const double p[2], double z)
{
    return hypot(p[0] - surface_radius_at(surface, z), p[1] - z);
}

/* Golden section: a minimum of the distance between z = low and high. */
static double narrow(const haw_surface *surface, const double p[2], double low, double high)
{
    const double golden = 0.6180339887498949;

    while (high - low > 1.0e-9) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);

        if (distance_at(surface, p, a) < distance_at(surface, p, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return 0.5 * (low + high);
}

/* Distances of all local minima inside -end < z < end, nearest first. */
static int search(const haw_surface *surface, const double p[2], double end, double found[8])
{
    double d[3] = {INFINITY, INFINITY, distance_at(surface, p, -end)};
    int count = 0;

    for (int i = 1; i <= SEARCH; i++) {
        const double z = end * (2.0 * i / SEARCH - 1.0), step = 2.0 * end / SEARCH;

        d[0] = d[1];
        d[1] = d[2];
        d[2] = distance_at(surface, p, z);
        if (i > 1 && d[1] <= d[0] && d[1] < d[2] && count < 8) {
            found[count++] = distance_at(surface, p, narrow(surface, p, z - 2.0 * step, z));
        }
    }
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && found[j] < found[j - 1]; j--) {
            const double swap = found[j];

            found[j] = found[j - 1];
            found[j - 1] = swap;
        }
    }
    return count;
}

static void check_feet(const haw_surface *surface, const double p[2], double end)
{
    double found[8], x[3];
    haw_foot foot[HAW_FEET_MAX];
    const int count = search(surface, p, end, found);

    surface_around(p, 5.0 * p[0], x);
    const int feet = surface->ops->feet(surface, x, 10.0, foot);

    if (p[0] < surface_radius_at(
                   surface, p[1])) { /* within the body those about as near as the nearest count */
        assert_int_equal(feet > 0, count > 0);
        assert_near(foot[0].gap, -found[0], 1.0e-12, 0.0);
        for (int i = 1; i < feet; i++) {
            assert_true(foot[i].gap < 0.0 && foot[i].gap > 4.0 * foot[0].gap - 1.0e-6);
        }
        return;
    }
    int seen = 0;

    for (int i = 0; i < feet; i++) {
        bool known = false;

        for (int j = 0; j < count; j++) {
            known = known || fabs(found[j] - foot[i].gap) < 1.0e-12;
        }
        assert_true(known && foot[i].gap >= 0.0);
        seen++;
    }
    if (count > 0) { /* the nearest is never missed; what the search finds behind the body may be */
        assert_true(seen > 0);
        assert_near(foot[0].gap, found[0], 1.0e-12, 0.0);
    }
    assert_true(seen <= count);
}

static void feet_are_the_minima_of_the_distance(void **state)
{
    const double end[2] = {groove_half_width(&groove_sample) + 0.2, 1.0};
    uint64_t seed = 11;

    (void)state;
    for (int k = 0; k < 2; k++) {
        for (int trial = 0; trial < 400; trial++) {
            const double p[2] = {0.35 + 0.2 * random_signed(&seed),
                                 0.9 * end[k] * random_signed(&seed)};

            check_feet(&sample[k], p, end[k]);
        }
    }
}

static void a_point_above_a_groove_has_a_foot_on_each_flank(void **state)
{
    /* above the centre of the bottom's arc that arc is the farthest, and its ends are no feet */
    const double x[3] = {0.0, 0.36, 0.002};
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_int_equal(sample[0].ops->feet(&sample[0], x, 1.0, foot), 2);
    const double half = groove_half_width(&groove_sample);
    const double edge = 0.3 - groove_sample.edge;

    assert_near(foot[0].gap, hypot(0.36 - edge, half - 0.002) - groove_sample.edge, 1e-14, 0.0);
    assert_near(foot[1].gap, hypot(0.36 - edge, half + 0.002) - groove_sample.edge, 1e-14, 0.0);
    assert_true(foot[0].normal[2] < 0.0 && foot[1].normal[2] > 0.0);
    /* only feet within reach are told */
    assert_int_equal(sample[0].ops->feet(&sample[0], x, foot[0].gap, foot), 1);
}

static void a_wave_has_two_feet_where_a_circle_of_its_waist_has(void **state)
{
    const double x[3] = {0.85, 0.0, 0.5}; /* beyond the centre of curvature of the waist */
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_true(sample[1].ops->feet(&sample[1], x, 1.0, foot) >= 2);
    assert_near(foot[0].gap, foot[1].gap, 1e-7, 0.0);
    assert_near(foot[0].normal[2], -foot[1].normal[2], 1e-6, 0.0);
}

TEST_FILE(test_surface_feet)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_are_the_minima_of_the_distance),
        cmocka_unit_test(a_point_above_a_groove_has_a_foot_on_each_flank),
        cmocka_unit_test(a_wave_has_two_feet_where_a_circle_of_its_waist_has),
    };

    return cmocka_run_group_tests(tests, open_samples, close_arena);
}
