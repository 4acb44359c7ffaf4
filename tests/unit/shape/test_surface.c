/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces in space: derivatives of their feet, continuity, bounds, profiles. */
#include "support/arena_fixture.h"
#include "support/finite.h"
#include "support/near.h"
#include "support/random.h"
#include "support/surfaces.h"

#include <string.h>

enum { SURFACES = 13 };

static haw_surface sample[SURFACES];

/* One of each kind; revolution as a groove and as a wave, and three grooves of sheaves. */
static int open_samples(void **state)
{
    const double cylinder[4] = {0.3, NAN}, drum[4] = {0.3, 0.8}, sphere[4] = {0.35};
    const double capsule[4] = {0.15, 0.25}, box[4] = {0.5, 0.4, 0.3, 0.1}, ring[4] = {0.4, 0.15};
    const double cone[4] = {20.0, -0.7, -0.5, 0.6};
    double z[WAVE_POINTS], r[WAVE_POINTS];
    haw_meridian_segment segment[GROOVE_PIECES];
    const haw_meridian grooved = groove_meridian(&groove_sample, segment);
    const haw_meridian wave = wave_meridian(z, r);
    bool ok = open_arena(state) == 0;

    ok = ok && surface_open(&arena, "cylinder", cylinder, NULL, &sample[0]) == HAW_OK;
    ok = ok && surface_open(&arena, "cylinder", drum, NULL, &sample[1]) == HAW_OK;
    ok = ok && surface_open(&arena, "cone", cone, NULL, &sample[2]) == HAW_OK;
    ok = ok && surface_open(&arena, "plane", NULL, NULL, &sample[3]) == HAW_OK;
    ok = ok && surface_open(&arena, "sphere", sphere, NULL, &sample[4]) == HAW_OK;
    ok = ok && surface_open(&arena, "revolution", NULL, &grooved, &sample[5]) == HAW_OK;
    ok = ok && surface_open(&arena, "revolution", NULL, &wave, &sample[6]) == HAW_OK;
    ok = ok && sheave_open(&arena, &sheave_v, &sample[7]) == HAW_OK;
    ok = ok && sheave_open(&arena, &sheave_flat, &sample[8]) == HAW_OK;
    ok = ok && sheave_open(&arena, &sheave_u, &sample[9]) == HAW_OK;
    ok = ok && surface_open(&arena, "capsule", capsule, NULL, &sample[10]) == HAW_OK;
    ok = ok && surface_open(&arena, "box", box, NULL, &sample[11]) == HAW_OK;
    ok = ok && surface_open(&arena, "torus", ring, NULL, &sample[12]) == HAW_OK;
    return ok ? 0 : -1;
}

static void every_row_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_surfaces[i] != NULL; i++) {
        const haw_surface_ops *row = (const haw_surface_ops *)haw_surfaces[i];

        assert_ptr_equal(haw_row_find(haw_surfaces, row->row.name), row);
        assert_true(strlen(row->row.summary) > 0 && strlen(row->row.source) > 0);
        assert_true(row->row.options_size <= sizeof((haw_surface *)0)->options);
    }
    assert_null(haw_row_find(haw_surfaces, "klein bottle"));
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

    for (int side = 0; side < 6; side++) {
        double y[3] = {x[0], x[1], x[2]};
        haw_foot other[HAW_FEET_MAX];

        y[side / 2] += side % 2 > 0 ? 5.0e-3 : -5.0e-3;
        if (sample[kind].ops->feet(&sample[kind], y, 10.0, other) == 0) {
            return false;
        }
        bends += fabs(other[0].bend[1] - foot[0].bend[1]) / (side < 4 ? 4.0 : 1.0);
        bends += 0.25 * fabs(other[0].bend[0] - foot[0].bend[0]);
        bends += fabs(other[0].normal[side / 2] - foot[0].normal[side / 2]) > 0.3 ? 1.0 : 0.0;
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

        for (int i = 0; i * step < 2.0 * end; i++) {
            const double z = i * step - end;
            const double p[2] = {surface_radius_at(&sample[kind], z) + offset, z};
            haw_foot foot[HAW_FEET_MAX];
            double x[3];

            surface_around(p, 0.7, x);
            assert_true(sample[kind].ops->feet(&sample[kind], x, 10.0, foot) >= 1);
            if (i > 0) { /* slopes up to tan(60 deg), bends up to 1/0.06 */
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
        if (surface->ops->feet(surface, y, 0.0, foot) > 0 ||
            surface->ops->feet(surface, x, radius, foot) > 0) {
            assert_true(is_near);
        }
    }
    for (int kind = 0; kind < SURFACES; kind++) {
        assert_true(missed[kind] > 100); /* the test tells something apart */
    }
}

static void profiles_have_the_derivatives_they_claim(void **state)
{
    const int kinds[] = {0, 2, 4, 5, 6, 10};
    const double h = 1.0e-5;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const haw_surface *surface = &sample[kinds[i]];

        for (int k = 0; k < 35; k++) {
            const double z = 0.85 * (-0.29 + 0.0171 * k); /* within the capsule, too */
            double low[3], r[3], high[3];

            surface->ops->profile(surface, z - h, low);
            surface->ops->profile(surface, z, r);
            surface->ops->profile(surface, z + h, high);
            assert_near(r[1], (high[0] - low[0]) / (2.0 * h), 1.0e-7, 1.0e-6);
            assert_near(r[2], (high[1] - low[1]) / (2.0 * h), 1.0e-5, 1.0e-5);
        }
    }
}

/* Of 6 kg in slices across the axis, 0.15 m around a segment of 0.25 m. */
static void a_capsule_has_the_inertia_of_its_slices(void **state)
{
    enum { SLICES = 20000 };

    const double radius = 0.15, half = 0.125, mass = 6.0;
    double volume = 0.0, across = 0.0, along = 0.0, inertia[3];
    (void)state;
    for (int i = 0; i < SLICES; i++) {
        const double z = (half + radius) * (2.0 * (i + 0.5) / SLICES - 1.0);
        const double end = fmax(fabs(z) - half, 0.0), square = radius * radius - end * end;
        volume += square;
        across += square * (0.25 * square + z * z);
        along += square * 0.5 * square;
    }
    sample[10].ops->inertia(&sample[10], mass, inertia);
    assert_near(inertia[0], mass * across / volume, 0.0, 1.0e-7);
    assert_near(inertia[1], inertia[0], 0.0, 0.0);
    assert_near(inertia[2], mass * along / volume, 0.0, 1.0e-7);
}

/* Of 6 kg in cells, all within 0.1 m of a core; and its middle, faces and edges by hand. */
static void a_box_has_the_inertia_of_its_cells(void **state)
{
    enum { CELLS = 200 };

    const double half[3] = {0.25, 0.2, 0.15}, mass = 6.0;
    const double cubic[4] = {2.0, 1.0, 3.0, 0.0}, ball[4] = {0.4, 0.4, 0.4, 0.2};
    double volume = 0.0, square[3] = {0}, inertia[3];
    haw_surface surface;
    haw_foot foot[HAW_FEET_MAX];
    (void)state;
    for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
        const int at[3] = {i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS};
        double x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = half[k] * (at[k] + 0.5) / CELLS;
        }
        const double inside = sample[11].ops->feet(&sample[11], x, 0.0, foot);
        volume += inside;
        for (int k = 0; k < 3; k++) {
            square[k] += inside * x[k] * x[k];
        }
    }
    sample[11].ops->inertia(&sample[11], mass, inertia);
    for (int k = 0; k < 3; k++) {
        assert_near(inertia[k], mass * (square[(k + 1) % 3] + square[(k + 2) % 3]) / volume, 0.0,
                    2.0e-4);
    }
    assert_int_equal(surface_open(&arena, "box", cubic, NULL, &surface), HAW_OK);
    surface.ops->inertia(&surface, mass, inertia);
    assert_near(inertia[0], mass * (1.0 + 9.0) / 12.0, 0.0, 1.0e-15);
    assert_near(inertia[1], mass * (4.0 + 9.0) / 12.0, 0.0, 1.0e-15);
    assert_int_equal(surface_open(&arena, "box", ball, NULL, &surface), HAW_OK);
    surface.ops->inertia(&surface, mass, inertia);
    assert_near(inertia[2], 0.4 * mass * 0.04, 0.0, 1.0e-15);
}

/* Half as near as its edges let it, from a face over an edge and a corner to the opposite one. */
static void a_box_is_one_smooth_surface(void **state)
{
    const double step = 1.0e-5, radius = 0.1, far = 0.05;
    haw_foot foot[HAW_FEET_MAX], last[1] = {{0}};
    (void)state;
    for (int i = 0; i < 120000; i++) { /* of an ellipse about it, at a slope */
        const double angle = 2.0 * surface_pi * i / 120000;
        const double x[3] = {0.45 * cos(angle), 0.4 * sin(angle), 0.35 * sin(angle + 0.7)};
        assert_int_equal(sample[11].ops->feet(&sample[11], x, 10.0, foot), 1);
        if (i > 0) {
            assert_near(foot[0].gap, last[0].gap, 4.0 * step, 0.0);
            for (int k = 0; k < 3; k++) { /* bends up to 1 / (r + gap) */
                assert_near(foot[0].normal[k], last[0].normal[k], 4.0 * step / radius, 0.0);
            }
        }
        last[0] = foot[0];
    }
    const double face[3] = {0.1, -0.05, -(0.15 + far)}, edge[3] = {0.2, 0.2, -0.05 - 0.08};
    const double corner[3] = {-0.17, -0.12, -0.06}, inside[3] = {0.01, 0.18, 0.02};
    (void)sample[11].ops->feet(&sample[11], face, 10.0, foot);
    assert_near(foot[0].gap, far, 1.0e-15, 0.0);
    assert_near(foot[0].normal[2], -1.0, 0.0, 0.0);
    (void)sample[11].ops->feet(&sample[11], edge, 10.0, foot);
    assert_near(foot[0].gap, sqrt(0.05 * 0.05 + 0.1 * 0.1 + 0.08 * 0.08) - radius, 1.0e-15, 0.0);
    (void)sample[11].ops->feet(&sample[11], corner, 10.0, foot);
    assert_near(foot[0].gap, sqrt(2.0 * 0.02 * 0.02 + 0.01 * 0.01) - radius, 1.0e-15, 0.0);
    (void)sample[11].ops->feet(&sample[11], inside, 10.0, foot);
    assert_near(foot[0].gap, -0.02, 1.0e-15, 0.0);
    assert_near(foot[0].normal[1], 1.0, 0.0, 0.0);
}

/* Drawn points have no distance from it. */
static void a_drawn_box_is_the_surface(void **state)
{
    enum { PIECES = 32 };

    double outline[PIECES + 1][2], x[3];
    (void)state;
    sample[11].ops->draw(&sample[11], PIECES + 1, outline);
    for (int i = 0; i <= PIECES; i++) {
        for (int k = 0; k < PIECES; k++) {
            haw_foot foot[HAW_FEET_MAX];
            sample[11].ops->around(&sample[11], outline[i], 2.0 * surface_pi * k / PIECES, x);
            assert_int_equal(sample[11].ops->feet(&sample[11], x, 1.0, foot), 1);
            assert_near(foot[0].gap, 0.0, 1.0e-15, 0.0);
        }
    }
}

static void a_box_refuses_a_radius_that_does_not_fit(void **state)
{
    const double options[4] = {0.5, 0.4, 0.3, 0.16};
    haw_surface surface;
    (void)state;
    assert_int_equal(surface_open(&arena, "box", options, NULL, &surface), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(arena.context),
                        "a box of 0.5 m by 0.4 m by 0.3 m has edges of at most 0.15 m radius (got "
                        "0.16 m)");
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

/* By rings of the tube: in the section of height 2 c at a distance d of its middle the circle has
 * the radius R + d. */
static void a_ring_has_the_inertia_of_its_circles(void **state)
{
    enum { SLICES = 20000 };

    const double radius = 0.4, tube = 0.15, mass = 3.0;
    double volume = 0.0, across = 0.0, along = 0.0, inertia[3];
    (void)state;
    for (int i = 0; i < SLICES; i++) {
        const double d = tube * (2.0 * (i + 0.5) / SLICES - 1.0), r = radius + d;
        const double half = sqrt(tube * tube - d * d), part = r * half;
        volume += part;
        across += part * (0.5 * r * r + half * half / 3.0);
        along += part * r * r;
    }
    sample[12].ops->inertia(&sample[12], mass, inertia);
    assert_near(inertia[0], mass * across / volume, 0.0, 1.0e-6);
    assert_near(inertia[1], inertia[0], 0.0, 0.0);
    assert_near(inertia[2], mass * along / volume, 0.0, 1.0e-6);
    assert_near(sample[12].ops->hollow(&sample[12]), radius - tube, 0.0, 1.0e-15);
    const double full[4] = {0.1, 0.1};
    haw_surface surface;
    assert_int_equal(surface_open(&arena, "torus", full, NULL, &surface), HAW_ERR_INPUT);
}

/* Drawn points lie on the profile, and so do the first and the last. */
static void drawn_points_lie_on_the_surface(void **state)
{
    (void)state;
    for (int kind = 0; kind < SURFACES; kind++) {
        double point[33][2];

        if (sample[kind].ops->draw == NULL || sample[kind].ops->profile == NULL) {
            continue;
        }
        sample[kind].ops->draw(&sample[kind], 33, point);
        for (int i = 0; i < 33; i++) {
            const double r =
                i > 0 && i < 32 ? surface_radius_at(&sample[kind], point[i][1]) : point[i][0];

            assert_near(point[i][0], r, 1.0e-12, 0.0);
            assert_true(i == 0 || point[i][1] > point[i - 1][1]);
        }
    }
}

TEST_FILE(test_surface)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_found),
        cmocka_unit_test(derivatives_are_those_of_the_gap),
        cmocka_unit_test(tangents_are_unit_vectors_along_the_circles),
        cmocka_unit_test(gaps_and_normals_are_continuous_across_joints),
        cmocka_unit_test(nothing_touches_beyond_the_ends),
        cmocka_unit_test(radius_and_hollow_are_the_smallest_radii),
        cmocka_unit_test(a_ball_that_reaches_into_the_body_is_never_missed),
        cmocka_unit_test(profiles_have_the_derivatives_they_claim),
        cmocka_unit_test(a_box_has_the_inertia_of_its_cells),
        cmocka_unit_test(a_box_is_one_smooth_surface),
        cmocka_unit_test(a_drawn_box_is_the_surface),
        cmocka_unit_test(a_box_refuses_a_radius_that_does_not_fit),
        cmocka_unit_test(solids_have_their_inertia),
        cmocka_unit_test(a_capsule_has_the_inertia_of_its_slices),
        cmocka_unit_test(a_ring_has_the_inertia_of_its_circles),
        cmocka_unit_test(drawn_points_lie_on_the_surface),
    };

    return cmocka_run_group_tests(tests, open_samples, close_arena);
}
