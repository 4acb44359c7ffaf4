/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces in space: feet against a search over the meridian, derivatives against differences. */
#include "support/arena_fixture.h"
#include "support/finite.h"
#include "support/near.h"
#include "support/random.h"
#include "support/surfaces.h"

#include <string.h>

enum { SEARCH = 6000, SURFACES = 7 };

static haw_surface sample[SURFACES];

static haw_status open_surface(const char *name, const double *options,
                               const haw_meridian *meridian, haw_surface *surface)
{
    *surface = (haw_surface){.ops = haw_surface_find(name)};
    assert_non_null(surface->ops);
    for (int i = 0; options != NULL && i < 4; i++) {
        surface->options[i] = options[i];
    }
    if (meridian != NULL) {
        surface->meridian = *meridian;
    }
    return surface->ops->prepare(&arena, surface);
}

/* One of each kind; the last two are the groove and the wave. */
static int open_samples(void **state)
{
    const double cylinder[4] = {0.3, NAN}, drum[4] = {0.3, 0.8}, sphere[4] = {0.35};
    const double cone[4] = {20.0, -0.7, -0.5, 0.6};
    double z[WAVE_POINTS], r[WAVE_POINTS];
    haw_meridian_segment segment[GROOVE_PIECES];
    const haw_meridian grooved = groove_meridian(&groove_sample, segment);
    const haw_meridian wave = wave_meridian(z, r);
    bool ok = open_arena(state) == 0;

    ok = ok && open_surface("cylinder", cylinder, NULL, &sample[0]) == HAW_OK;
    ok = ok && open_surface("cylinder", drum, NULL, &sample[1]) == HAW_OK;
    ok = ok && open_surface("cone", cone, NULL, &sample[2]) == HAW_OK;
    ok = ok && open_surface("plane", NULL, NULL, &sample[3]) == HAW_OK;
    ok = ok && open_surface("sphere", sphere, NULL, &sample[4]) == HAW_OK;
    ok = ok && open_surface("revolution", NULL, &grooved, &sample[5]) == HAW_OK;
    ok = ok && open_surface("revolution", NULL, &wave, &sample[6]) == HAW_OK;
    return ok ? 0 : -1;
}

static void every_row_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_surfaces[i] != NULL; i++) {
        const haw_surface_ops *row = haw_surfaces[i];

        assert_ptr_equal(haw_surface_find(row->name), row);
        assert_true(strlen(row->summary) > 0 && strlen(row->source) > 0);
        assert_true(row->options_size <= sizeof((haw_surface *)0)->options);
    }
    assert_null(haw_surface_find("torus"));
}

static double r_at(const haw_surface *surface, double z)
{
    double r[3];

    surface->ops->profile(surface, z, r);
    return r[0];
}

static double distance_at(const haw_surface *surface, const double p[2], double z)
{
    return hypot(p[0] - r_at(surface, z), p[1] - z);
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

/* A point around the axis in the half plane p = (rho, z), at an angle of its own. */
static void around(const double p[2], double angle, double x[3])
{
    x[0] = p[0] * cos(angle);
    x[1] = p[0] * sin(angle);
    x[2] = p[1];
}

static void check_feet(const haw_surface *surface, const double p[2], double end)
{
    double found[8], x[3];
    haw_foot foot[HAW_FEET_MAX];
    const int count = search(surface, p, end, found);

    around(p, 5.0 * p[0], x);
    const int feet = surface->ops->feet(surface, x, 10.0, foot);

    if (p[0] < r_at(surface, p[1])) { /* within the body those about as near as the nearest count */
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

            check_feet(&sample[5 + k], p, end[k]);
        }
    }
}

static void a_point_above_a_groove_has_a_foot_on_each_flank(void **state)
{
    /* above the centre of the bottom's arc that arc is the farthest, and its ends are no feet */
    const double x[3] = {0.0, 0.36, 0.002};
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_int_equal(sample[5].ops->feet(&sample[5], x, 1.0, foot), 2);
    const double half = groove_half_width(&groove_sample);
    const double edge = 0.3 - groove_sample.edge;

    assert_near(foot[0].gap, hypot(0.36 - edge, half - 0.002) - groove_sample.edge, 1e-14, 0.0);
    assert_near(foot[1].gap, hypot(0.36 - edge, half + 0.002) - groove_sample.edge, 1e-14, 0.0);
    assert_true(foot[0].normal[2] < 0.0 && foot[1].normal[2] > 0.0);
    /* only feet within reach are told */
    assert_int_equal(sample[5].ops->feet(&sample[5], x, foot[0].gap, foot), 1);
}

static void a_wave_has_two_feet_where_a_circle_of_its_waist_has(void **state)
{
    const double x[3] = {0.85, 0.0, 0.5}; /* beyond the centre of curvature of the waist */
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_true(sample[6].ops->feet(&sample[6], x, 1.0, foot) >= 2);
    assert_near(foot[0].gap, foot[1].gap, 1e-7, 0.0);
    assert_near(foot[0].normal[2], -foot[1].normal[2], 1e-6, 0.0);
}

/* x -> gap and normal of the nearest foot */
static void nearest(const void *user, const double *x, double *y)
{
    const haw_surface *surface = user;
    haw_foot foot[HAW_FEET_MAX];

    assert_true(surface->ops->feet(surface, x, 10.0, foot) > 0);
    y[0] = foot[0].gap;
    memcpy(y + 1, foot[0].normal, sizeof foot[0].normal);
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) {
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* Far enough from a second foot and from the joints of the groove, where the curvature jumps. */
static bool is_smooth_at(int kind, const double x[3])
{
    haw_foot foot[HAW_FEET_MAX];
    const int feet = sample[kind].ops->feet(&sample[kind], x, 10.0, foot);

    if (feet == 0 || (feet > 1 && fabs(foot[1].gap) - fabs(foot[0].gap) < 1.0e-2)) {
        return false;
    }
    double bends = 0.0;

    for (int side = -1; side <= 1; side += 2) {
        const double y[3] = {x[0], x[1], x[2] + 5.0e-3 * side};
        haw_foot other[HAW_FEET_MAX];

        if (sample[kind].ops->feet(&sample[kind], y, 10.0, other) == 0) {
            return false;
        }
        bends += fabs(other[0].bend[1] - foot[0].bend[1]);
    }
    return bends < 0.5;
}

static void derivatives_are_those_of_the_gap(void **state)
{
    uint64_t seed = 12;
    int used[SURFACES] = {0};

    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        const int kind = trial % SURFACES;
        const double x[3] = {0.5 * random_signed(&seed), 0.5 * random_signed(&seed),
                             0.35 * random_signed(&seed)};
        double j[12], t2[3];
        haw_foot foot[HAW_FEET_MAX];

        if (hypot(x[0], x[1]) < 0.2 || !is_smooth_at(kind, x)) {
            continue;
        }
        used[kind]++;
        (void)sample[kind].ops->feet(&sample[kind], x, 10.0, foot);
        cross(foot[0].normal, foot[0].tangent, t2);
        finite_jacobian(nearest, &sample[kind], 3, 4, x, 1.0e-4, j);
        for (int k = 0; k < 3; k++) {
            assert_near(j[k], foot[0].normal[k], 1.0e-9, 0.0);
            for (int i = 0; i < 3; i++) {
                const double want = foot[0].bend[0] * foot[0].tangent[i] * foot[0].tangent[k] +
                                    foot[0].bend[1] * t2[i] * t2[k];

                assert_near(j[3 * (i + 1) + k], want, 2.0e-6, 2.0e-6);
            }
        }
    }
    for (int kind = 0; kind < SURFACES; kind++) {
        assert_true(used[kind] > 50);
    }
}

static void tangents_are_unit_vectors_along_the_circles(void **state)
{
    uint64_t seed = 13;

    (void)state;
    for (int trial = 0; trial < 700; trial++) {
        const haw_surface *surface = &sample[trial % SURFACES];
        const double x[3] = {random_signed(&seed), random_signed(&seed),
                             0.3 * random_signed(&seed)};
        haw_foot foot[HAW_FEET_MAX];
        const int feet = surface->ops->feet(surface, x, 10.0, foot);

        for (int i = 0; i < feet; i++) {
            const double *n = foot[i].normal, *t = foot[i].tangent;

            assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1.0e-14, 0.0);
            assert_near(n[0] * t[0] + n[1] * t[1] + n[2] * t[2], 0.0, 1.0e-15, 0.0);
            if (surface->ops->profile != NULL) { /* counter-clockwise about the axis */
                assert_near((x[0] * t[1] - x[1] * t[0]) / hypot(x[0], x[1]), 1.0, 1.0e-14, 0.0);
            }
        }
    }
}

/* Along a line parallel to the surface's offset nothing jumps where pieces join. */
static void gaps_and_normals_are_continuous_across_joints(void **state)
{
    const double offset = 0.03, step = 1.0e-5;

    (void)state;
    for (int kind = 5; kind <= 6; kind++) {
        const double end = kind == 5 ? groove_half_width(&groove_sample) + 0.19 : 0.95;
        haw_foot last = {0};

        for (double z = -end; z < end; z += step) {
            const double p[2] = {r_at(&sample[kind], z) + offset, z};
            haw_foot foot[HAW_FEET_MAX];
            double x[3];

            around(p, 0.7, x);
            assert_true(sample[kind].ops->feet(&sample[kind], x, 10.0, foot) >= 1);
            if (z > -end) { /* slopes up to tan(60 deg), bends up to 1/0.06 */
                assert_near(foot[0].gap, last.gap, 3.0 * step, 0.0);
                assert_near(foot[0].normal[2], last.normal[2], 40.0 * step, 0.0);
            }
            last = foot[0];
        }
    }
}

static void nothing_touches_beyond_the_ends(void **state)
{
    const double beyond[3] = {0.31, 0.0, 0.401}, within[3] = {0.31, 0.0, 0.399};
    const double below[3] = {0.1, 0.0, -0.75}; /* nearest to the cone's apex */
    const double top[3] = {0.36, 0.0, 1.001};
    haw_foot foot[HAW_FEET_MAX];

    (void)state;
    assert_int_equal(sample[1].ops->feet(&sample[1], beyond, 1.0, foot), 0);
    assert_int_equal(sample[1].ops->feet(&sample[1], within, 1.0, foot), 1);
    assert_int_equal(sample[0].ops->feet(&sample[0], beyond, 1.0, foot), 1);
    assert_int_equal(sample[2].ops->feet(&sample[2], below, 1.0, foot), 0);
    assert_int_equal(sample[6].ops->feet(&sample[6], top, 1.0, foot), 0);
}

static void radius_and_hollow_are_the_smallest_radii(void **state)
{
    const double wave = 0.05 * 4.0 * surface_pi * surface_pi; /* largest r'' */

    (void)state;
    assert_near(sample[0].ops->radius(&sample[0]), 0.3, 0.0, 0.0);
    assert_true(isinf(sample[0].ops->hollow(&sample[0])));
    assert_near(sample[5].ops->radius(&sample[5]), groove_sample.edge, 1.0e-14, 0.0);
    assert_near(sample[5].ops->hollow(&sample[5]), groove_sample.bottom, 1.0e-14, 0.0);
    assert_near(sample[6].ops->hollow(&sample[6]), 1.0 / wave, 0.0, 1.0e-2);
    /* at the waist the circle, r = 0.25; at the bulge the meridian, 1 / r'' = 0.507 */
    assert_near(sample[6].ops->radius(&sample[6]), 0.25, 0.0, 1.0e-3);
    assert_near(sample[2].ops->radius(&sample[2]),
                0.2 * tan(surface_pi / 9.0) / cos(surface_pi / 9.0), 1.0e-15, 0.0);
}

static void a_ball_that_reaches_into_the_body_is_never_missed(void **state)
{
    uint64_t seed = 14;
    int missed[SURFACES] = {0};

    (void)state;
    for (int trial = 0; trial < 70000; trial++) {
        const haw_surface *surface = &sample[trial % SURFACES];
        const double x[3] = {0.5 * random_signed(&seed), 0.5 * random_signed(&seed),
                             0.7 * random_signed(&seed)};
        const double radius = 0.3 * fabs(random_signed(&seed));
        double y[3];
        haw_foot foot[HAW_FEET_MAX];

        for (int k = 0; k < 3; k++) { /* a point of the ball */
            y[k] = x[k] + radius / 1.7320508075688773 * random_signed(&seed);
        }
        const bool is_near = surface->ops->near(surface, x, radius);

        missed[trial % SURFACES] += !is_near;
        if (surface->ops->feet(surface, y, 0.0, foot) > 0) {
            assert_true(is_near);
        }
    }
    for (int kind = 0; kind < SURFACES; kind++) {
        assert_true(missed[kind] > 100); /* the test tells something apart */
    }
}

static void profiles_have_the_derivatives_they_claim(void **state)
{
    const int kinds[] = {0, 2, 4, 5, 6};
    const double h = 1.0e-5;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const haw_surface *surface = &sample[kinds[i]];

        for (double z = -0.29; z < 0.3; z += 0.0171) {
            double low[3], r[3], high[3];

            surface->ops->profile(surface, z - h, low);
            surface->ops->profile(surface, z, r);
            surface->ops->profile(surface, z + h, high);
            assert_near(r[1], (high[0] - low[0]) / (2.0 * h), 1.0e-7, 1.0e-6);
            assert_near(r[2], (high[1] - low[1]) / (2.0 * h), 1.0e-5, 1.0e-5);
        }
    }
}

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

    assert_int_equal(open_surface("revolution", NULL, &meridian, &surface), HAW_OK);
    for (double at = -1.0; at <= 1.0; at += 0.0007) {
        worst = fmax(worst, fabs(r_at(&surface, at) - wave_radius(at)));
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

    assert_int_equal(open_surface("revolution", NULL, &meridian, &surface), HAW_OK);
    for (double at = -1.0; at <= 1.0; at += 0.01) {
        assert_near(r_at(&surface, at), 2.0 + at * (0.3 + at * (-0.2 + 0.5 * at)), 1.0e-14, 0.0);
    }
}

static void assert_refused(const haw_meridian *meridian, const char *reason)
{
    haw_surface surface;

    assert_int_equal(open_surface("revolution", NULL, meridian, &surface), HAW_ERR_INPUT);
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
    assert_int_equal(open_surface("cone", cone, NULL, &surface), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "at or above its apex"));
    assert_int_equal(open_surface("cone", turned, NULL, &surface), HAW_ERR_INPUT);
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
    assert_int_equal(open_surface("revolution", NULL, &meridian, &surface), HAW_OK);
    for (double z = -0.01; z < 0.12; z += 1.0e-6) {
        const double x[3] = {0.35, 0.0, z};
        haw_foot foot[HAW_FEET_MAX];

        assert_int_equal(surface.ops->feet(&surface, x, 1.0, foot), 1);
        if (z > -0.01) {
            assert_near(foot[0].gap, last, 1.0e-6, 0.0);
        }
        last = foot[0].gap;
    }
}

static void solids_have_their_inertia(void **state)
{
    double inertia[3];

    (void)state;
    sample[4].ops->inertia(&sample[4], 5.0, inertia);
    assert_near(inertia[0], 0.4 * 5.0 * 0.35 * 0.35, 0.0, 1.0e-15);
    sample[1].ops->inertia(&sample[1], 6.0, inertia);
    assert_near(inertia[2], 3.0 * 0.09, 0.0, 1.0e-15);
    assert_near(inertia[0], 6.0 * (3.0 * 0.09 + 0.64) / 12.0, 0.0, 1.0e-15);
    sample[0].ops->inertia(&sample[0], 6.0, inertia);
    assert_true(isnan(inertia[0]) && !isnan(inertia[2]));
}

/* Drawn points lie on the surface, and so do the first and the last. */
static void drawn_points_lie_on_the_surface(void **state)
{
    (void)state;
    for (int kind = 0; kind < SURFACES; kind++) {
        double point[33][2];

        if (sample[kind].ops->draw == NULL) {
            continue;
        }
        sample[kind].ops->draw(&sample[kind], 33, point);
        for (int i = 0; i < 33; i++) {
            const double r = i > 0 && i < 32 ? r_at(&sample[kind], point[i][1]) : point[i][0];

            assert_near(point[i][0], r, 1.0e-12, 0.0);
            assert_true(i == 0 || point[i][1] > point[i - 1][1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_found),
        cmocka_unit_test(feet_are_the_minima_of_the_distance),
        cmocka_unit_test(a_point_above_a_groove_has_a_foot_on_each_flank),
        cmocka_unit_test(a_wave_has_two_feet_where_a_circle_of_its_waist_has),
        cmocka_unit_test(derivatives_are_those_of_the_gap),
        cmocka_unit_test(tangents_are_unit_vectors_along_the_circles),
        cmocka_unit_test(gaps_and_normals_are_continuous_across_joints),
        cmocka_unit_test(nothing_touches_beyond_the_ends),
        cmocka_unit_test(radius_and_hollow_are_the_smallest_radii),
        cmocka_unit_test(a_ball_that_reaches_into_the_body_is_never_missed),
        cmocka_unit_test(profiles_have_the_derivatives_they_claim),
        cmocka_unit_test(the_table_is_followed_to_fourth_order),
        cmocka_unit_test(a_cubic_table_is_met_exactly),
        cmocka_unit_test(bad_chains_are_refused_with_the_reason),
        cmocka_unit_test(bad_tables_and_cones_are_refused_with_the_reason),
        cmocka_unit_test(an_arc_with_a_rounded_centre_joins_its_neighbours),
        cmocka_unit_test(solids_have_their_inertia),
        cmocka_unit_test(drawn_points_lie_on_the_surface),
    };

    return cmocka_run_group_tests(tests, open_samples, close_arena);
}
