/* SPDX-License-Identifier: BSD-3-Clause */
#include "shape/surface.h"
#include "support/near.h"
#include "support/random.h"
#include "support/table.h"

#include <string.h>

enum { OPTIONS = 8 };

/* Valid options for any row: the required numbers (no preset) become 0.3. */
static void fill(const haw_surface_ops *shape, haw_surface *surface)
{
    double *options = surface->options;
    *surface = (haw_surface){.ops = shape};
    assert_true(shape->row.options_size <= OPTIONS * sizeof(double));
    haw_options_init(shape->row.options, options);
    for (const haw_option *row = shape->row.options; row->key != NULL; row++) {
        if (row->type == HAW_OPTION_REAL && isnan(row->preset)) {
            assert_int_equal(haw_options_set_real(NULL, shape->row.options, options, row->key, 0.3),
                             HAW_OK);
        }
    }
}

static void every_row_can_be_found(void **state)
{
    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        assert_ptr_equal(haw_row_find(haw_shapes, haw_shapes[i]->name), haw_shapes[i]);
        assert_true(strlen(haw_shapes[i]->summary) > 0 && strlen(haw_shapes[i]->source) > 0);
    }
    assert_null(haw_row_find(haw_shapes, "torus"));
}

static void random_pose(uint64_t *seed, double pose[3], double x[2])
{
    for (int i = 0; i < 3; i++) {
        pose[i] = 2.0 * random_signed(seed);
    }
    x[0] = pose[0] + random_signed(seed);
    x[1] = pose[1] + random_signed(seed);
}

/* Differences about the centre of a disk are inexact, and about where the nearest side is another.
 */
static bool is_smooth(const haw_surface *surface, const double pose[3], const double x[2])
{
    const double h = 1.0e-5;
    double n[2], beside[2];

    (void)surface->ops->gap(surface, pose, x, n);
    const double bend = surface->ops->bend(surface, pose, x);
    bool smooth = hypot(x[0] - pose[0], x[1] - pose[1]) > 0.05;
    for (int k = 0; k < 4; k++) {
        const double y[2] = {x[0] + (k == 0   ? h
                                     : k == 1 ? -h
                                              : 0.0),
                             x[1] + (k == 2   ? h
                                     : k == 3 ? -h
                                              : 0.0)};

        (void)surface->ops->gap(surface, pose, y, beside);
        const double turn = hypot(beside[0] - n[0], beside[1] - n[1]);
        smooth = smooth && turn < 1.0e-3 && fabs(surface->ops->bend(surface, pose, y) - bend) < 0.1;
    }
    return smooth;
}

static void normals_are_unit_gradients_of_the_gap(void **state)
{
    const double h = 1.0e-6;
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        const haw_surface_ops *shape = (const haw_surface_ops *)haw_shapes[i];
        haw_surface surface;

        fill(shape, &surface);
        for (int trial = 0; trial < 500; trial++) {
            double pose[3], x[2], n[2], scratch[2];

            random_pose(&seed, pose, x);
            if (!is_smooth(&surface, pose, x)) {
                continue;
            }
            (void)shape->gap(&surface, pose, x, n);
            assert_near(hypot(n[0], n[1]), 1.0, 1.0e-15, 0.0);
            for (int k = 0; k < 2; k++) {
                double left[2] = {x[0], x[1]}, right[2] = {x[0], x[1]};

                left[k] -= h;
                right[k] += h;
                const double slope = (shape->gap(&surface, pose, right, scratch) -
                                      shape->gap(&surface, pose, left, scratch)) /
                                     (2.0 * h);

                assert_near(n[k], slope, 1.0e-8, 0.0);
            }
        }
    }
}

/* Body and point moved together: same gap, the normal turns along. */
static void gaps_are_objective(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        haw_surface surface;

        fill(shape_at(i), &surface);
        for (int trial = 0; trial < 200; trial++) {
            double pose[3], x[2], n[2], moved_n[2];

            random_pose(&seed, pose, x);
            const double a = 3.0 * random_signed(&seed), c = cos(a), s = sin(a);
            const double moved[3] = {c * pose[0] - s * pose[1] + 5.0,
                                     s * pose[0] + c * pose[1] - 7.0, pose[2] + a};
            const double y[2] = {c * x[0] - s * x[1] + 5.0, s * x[0] + c * x[1] - 7.0};
            const double gap = shape_at(i)->gap(&surface, pose, x, n);

            assert_near(shape_at(i)->gap(&surface, moved, y, moved_n), gap, 1.0e-14, 0.0);
            assert_near(moved_n[0], c * n[0] - s * n[1], 1.0e-12, 0.0);
            assert_near(moved_n[1], s * n[0] + c * n[1], 1.0e-12, 0.0);
        }
    }
}

static void a_box_with_a_close_point_is_never_missed(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        haw_surface surface;

        fill(shape_at(i), &surface);
        for (int trial = 0; trial < 100000; trial++) {
            double pose[3], x[2], n[2];
            haw_box box;

            random_pose(&seed, pose, x);
            for (int k = 0; k < 2; k++) { /* x lies in the box, every third time in its corner */
                const double size = trial % 2 == 0 ? 0.1 : 0.0;

                box.min[k] = x[k] - (trial % 3 == 0 ? 0.0 : size * fabs(random_signed(&seed)));
                box.max[k] = x[k] + size * fabs(random_signed(&seed));
            }
            const double gap = shape_at(i)->gap(&surface, pose, x, n);
            /* the closest call: the point itself at the pad */
            const double pad = trial % 5 == 0 ? fmax(gap, 0.0) : 0.2 * fabs(random_signed(&seed));

            if (gap <= pad) {
                assert_true(shape_at(i)->near_box(&surface, pose, pad, &box));
            }
        }
    }
}

/* Rows with their first options. */
static haw_surface circle_of(double radius)
{
    return (haw_surface){.ops = &haw_shape_circle, .options = {radius}};
}

static haw_surface plane_of(double x, double y)
{
    return (haw_surface){.ops = &haw_shape_plane, .options = {x, y}};
}

static double inertia_of(const haw_surface *surface, double mass)
{
    double inertia[3] = {0, 0, 0};
    surface->ops->inertia(surface, mass, inertia);
    return inertia[0];
}

static void far_boxes_are_told_apart_exactly(void **state)
{
    const double pose[3] = {1.0, 2.0, 0.0};
    const haw_surface circle = circle_of(0.5), normal = plane_of(3.0, 4.0);
    const haw_box corner = {{1.6, 2.8}, {1.9, 2.9}}; /* nearest corner at distance 1 */
    const haw_box side = {{1.7, 1.0}, {2.0, 3.0}};   /* 0.7 to the right */

    (void)state;
    assert_false(haw_shape_circle.near_box(&circle, pose, 0.499, &corner));
    assert_true(haw_shape_circle.near_box(&circle, pose, 0.501, &corner));
    assert_false(haw_shape_circle.near_box(&circle, pose, 0.199, &side));
    assert_true(haw_shape_circle.near_box(&circle, pose, 0.201, &side));
    assert_false(
        haw_shape_plane.near_box(&normal, pose, 0.999, &corner)); /* 0.6 0.6 + 0.8 0.8 = 1 */
    assert_true(haw_shape_plane.near_box(&normal, pose, 1.001, &corner));
}

/* Disk to the left of a cable: the normal points out of the disk, to the right. */
static void circle_has_its_closed_form(void **state)
{
    const haw_surface circle = circle_of(0.1);
    const double pose[3] = {-0.15, 1.0, 0.7}, x[2] = {0.0, 1.0};
    double n[2];

    (void)state;
    assert_near(haw_shape_circle.gap(&circle, pose, x, n), 0.05, 1.0e-16, 0.0);
    assert_near(n[0], 1.0, 0.0, 0.0);
    assert_near(n[1], 0.0, 0.0, 0.0);
    assert_near(inertia_of(&circle, 2.0), 0.01, 0.0, 1.0e-15);
    assert_near(haw_shape_circle.radius(&circle), 0.1, 0.0, 0.0);
    assert_int_equal(haw_shape_circle.corners, 1);
}

static void the_centre_of_a_circle_has_a_normal(void **state)
{
    const haw_surface circle = circle_of(0.1);
    const double pose[3] = {-0.15, 1.0, 0.0};
    double n[2];

    (void)state;
    assert_near(haw_shape_circle.gap(&circle, pose, pose, n), -0.1, 0.0, 0.0);
    assert_near(hypot(n[0], n[1]), 1.0, 0.0, 0.0);
}

static void plane_turns_with_its_body(void **state)
{
    const haw_surface default_normal = plane_of(0.0, 0.0), skew = plane_of(3.0, 4.0);
    const double right_angle = acos(0.0);
    const double flat[3] = {1.0, 2.0, 0.0}, upright[3] = {1.0, 2.0, right_angle};
    const double x[2] = {4.0, 7.0};
    double n[2];

    (void)state;
    assert_near(haw_shape_plane.gap(&default_normal, flat, x, n), 5.0, 0.0, 0.0);
    assert_true(n[0] == 0.0 && n[1] == 1.0);
    assert_near(haw_shape_plane.gap(&default_normal, upright, x, n), -3.0, 1.0e-15, 0.0);
    assert_near(n[0], -1.0, 1.0e-15, 0.0);
    assert_near(haw_shape_plane.gap(&skew, flat, x, n), 0.6 * 3.0 + 0.8 * 5.0, 1.0e-15, 0.0);
    assert_near(n[0], 0.6, 1.0e-16, 0.0);
    assert_true(isinf(haw_shape_plane.radius(&skew)));
    assert_true(isnan(inertia_of(&skew, 1.0)));
    assert_int_equal(haw_shape_plane.corners, 0);
}

static void a_circle_needs_a_positive_radius(void **state)
{
    haw_surface surface = circle_of(0.0);
    double *options = surface.options;

    (void)state;
    haw_options_init(haw_shape_circle.row.options, options);
    assert_true(isnan(haw_shape_circle.radius(&surface)));
    assert_int_equal(
        haw_options_set_real(NULL, haw_shape_circle.row.options, options, "radius", 0.0),
        HAW_ERR_INPUT);
    assert_int_equal(
        haw_options_set_real(NULL, haw_shape_circle.row.options, options, "radius", 0.2), HAW_OK);
    assert_near(haw_shape_circle.radius(&surface), 0.2, 0.0, 0.0);
}

/* Difference of two arcs, over the seam if that is shorter. */
static double arc_between(const haw_surface_ops *shape, const haw_surface *surface, double to,
                          double from)
{
    const double period = shape->period(surface);

    return isinf(period) ? to - from : remainder(to - from, period);
}

/* On the surface the arc grows by the sliding velocity gamma_T = t . (v - v_surface), whether the
 * point or the body moves. */
static void the_arc_grows_with_the_slide(void **state)
{
    const double h = 1.0e-5;
    uint64_t seed = 6;

    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        const haw_surface_ops *shape = (const haw_surface_ops *)haw_shapes[i];
        haw_surface surface;

        fill(shape, &surface);
        for (int trial = 0; trial < 500 && shape->arc != NULL; trial++) {
            double pose[3], x[2], n[2], v[2], w[3], moved_pose[2][3], moved[2][2];

            random_pose(&seed, pose, x);
            if (hypot(x[0] - pose[0], x[1] - pose[1]) < 0.05) {
                continue;
            }
            const double gap = shape->gap(&surface, pose, x, n);

            for (int k = 0; k < 3; k++) {
                w[k] = random_signed(&seed);
            }
            for (int k = 0; k < 2; k++) {
                x[k] -= gap * n[k];
                v[k] = random_signed(&seed);
            }
            for (int side = 0; side < 2; side++) {
                const double sign = side == 0 ? -1.0 : 1.0;

                for (int k = 0; k < 3; k++) {
                    moved_pose[side][k] = pose[k] + sign * h * w[k];
                }
                for (int k = 0; k < 2; k++) {
                    moved[side][k] = x[k] + sign * h * v[k];
                }
            }
            const double slide =
                arc_between(shape, &surface, shape->arc(&surface, moved_pose[1], moved[1]),
                            shape->arc(&surface, moved_pose[0], moved[0]));
            const double carried[2] = {w[0] - w[2] * (x[1] - pose[1]),
                                       w[1] + w[2] * (x[0] - pose[0])};
            const double rate = n[1] * (v[0] - carried[0]) - n[0] * (v[1] - carried[1]);

            assert_near(slide / (2.0 * h), rate, 1.0e-8, 0.0);
        }
    }
}

/* A point that is carried along keeps its arc, over any turn. */
static void a_point_that_sticks_keeps_its_arc(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        haw_surface surface;

        fill(shape_at(i), &surface);
        for (int trial = 0; trial < 200 && shape_at(i)->arc != NULL; trial++) {
            double pose[3], x[2];

            random_pose(&seed, pose, x);
            const double a = 20.0 * random_signed(&seed), c = cos(a), s = sin(a);
            const double moved[3] = {c * pose[0] - s * pose[1] + 5.0,
                                     s * pose[0] + c * pose[1] - 7.0, pose[2] + a};
            const double y[2] = {c * x[0] - s * x[1] + 5.0, s * x[0] + c * x[1] - 7.0};
            const double was = shape_at(i)->arc(&surface, pose, x);

            assert_near(
                arc_between(shape_at(i), &surface, shape_at(i)->arc(&surface, moved, y), was), 0.0,
                1.0e-13, 0.0);
        }
    }
}

/* dn = bend t (t . dx). */
static void normals_turn_with_the_bend(void **state)
{
    const double h = 1.0e-6;
    uint64_t seed = 8;

    (void)state;
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        const haw_surface_ops *shape = (const haw_surface_ops *)haw_shapes[i];
        haw_surface surface;

        fill(shape, &surface);
        for (int trial = 0; trial < 500; trial++) {
            double pose[3], x[2], n[2], left[2], right[2];

            random_pose(&seed, pose, x);
            if (!is_smooth(&surface, pose, x)) {
                continue;
            }
            (void)shape->gap(&surface, pose, x, n);
            const double bend = shape->bend(&surface, pose, x);
            const double t[2] = {n[1], -n[0]};

            for (int k = 0; k < 2; k++) {
                const double before[2] = {x[0] - (k == 0 ? h : 0.0), x[1] - (k == 1 ? h : 0.0)};
                const double after[2] = {x[0] + (k == 0 ? h : 0.0), x[1] + (k == 1 ? h : 0.0)};

                (void)shape->gap(&surface, pose, before, left);
                (void)shape->gap(&surface, pose, after, right);
                for (int m = 0; m < 2; m++) {
                    assert_near((right[m] - left[m]) / (2.0 * h), bend * t[m] * t[k], 1.0e-7,
                                1.0e-7);
                }
            }
        }
    }
}

static void arcs_and_bends_have_their_closed_forms(void **state)
{
    const haw_surface circle = circle_of(0.5), up = plane_of(0.0, 1.0);
    const double quarter = asin(1.0);
    const double pose[3] = {1.0, 2.0, 0.0}, turned[3] = {1.0, 2.0, quarter};
    const double top[2] = {1.0, 2.7}, right[2] = {1.9, 2.0};

    (void)state;
    assert_near(haw_shape_circle.arc(&circle, pose, right), 0.0, 1.0e-15, 0.0);
    assert_near(haw_shape_circle.arc(&circle, pose, top), -0.5 * quarter, 1.0e-15, 0.0);
    assert_near(haw_shape_circle.arc(&circle, turned, top), 0.0, 1.0e-15, 0.0);
    assert_near(haw_shape_circle.period(&circle), 2.0 * quarter, 0.0, 1.0e-15);
    assert_near(haw_shape_circle.bend(&circle, pose, (const double[2]){1.8, 2.0}), 1.25, 0.0,
                1.0e-15);
    assert_true(isfinite(haw_shape_circle.bend(&circle, pose, pose)));
    assert_near(haw_shape_plane.arc(&up, pose, right), 0.9, 0.0, 1.0e-15);
    assert_near(haw_shape_plane.bend(&up, pose, top), 0.0, 0.0, 0.0);
    assert_true(isinf(haw_shape_plane.period(&up)));
}

/* ---- boxes and capsules ---- */

static const haw_surface rounds[] = {
    {.ops = &haw_shape_box, .options = {0.5, 0.3, 0.0}},
    {.ops = &haw_shape_box, .options = {0.5, 0.3, 0.05}},
    {.ops = &haw_shape_box, .options = {0.3, 0.5, 0.15}},
    {.ops = &haw_shape_capsule, .options = {0.1, 0.4}},
};

enum { ROUNDS = sizeof rounds / sizeof *rounds };

/* A sum over a fine grid of what the gap says is inside. */
static void inertias_are_those_of_what_is_inside(void **state)
{
    enum { SIDE = 1600 };

    const double h = 0.8 / SIDE, pose[3] = {0.0, 0.0, 0.0};

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        double area = 0.0, polar = 0.0, n[2];

        for (int k = 0; k < SIDE * SIDE; k++) {
            const int row = k / SIDE;
            const double at[2] = {h * (k % SIDE + 0.5) - 0.4, h * (row + 0.5) - 0.4};
            const double gap = rounds[i].ops->gap(&rounds[i], pose, at, n);
            const double part = fmin(fmax(0.5 - gap / h, 0.0), 1.0);

            area += part;
            polar += part * (at[0] * at[0] + at[1] * at[1]);
        }
        assert_near(inertia_of(&rounds[i], 2.0), 2.0 * polar / area, 0.0, 1.0e-4);
    }
}

static void outlines_and_corners_are_where_the_gap_says(void **state)
{
    enum { COUNT = 65 };

    static const double least[ROUNDS] = {0.15, 0.15, 0.15, 0.1};
    const double pose[3] = {0.0, 0.0, 0.0};

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        const haw_surface *surface = &rounds[i];
        const haw_surface_ops *ops = surface->ops;
        double outline[COUNT][2], n[2], area = 0.0;

        ops->draw(surface, COUNT, outline);
        for (int k = 0; k < COUNT; k++) {
            assert_near(ops->gap(surface, pose, outline[k], n), 0.0, 1.0e-15, 0.0);
            const double *next = outline[(k + 1) % COUNT];
            area += 0.5 * (outline[k][0] * next[1] - outline[k][1] * next[0]);
        }
        assert_near(outline[0][0] - outline[COUNT - 1][0], 0.0, 1.0e-15, 0.0);
        assert_true(area > 0.08); /* once around, counter-clockwise */
        for (int k = 0; k < ops->corners; k++) {
            double x[3];

            ops->corner(surface, k, x);
            assert_near(ops->gap(surface, pose, x, n), -ops->radius(surface), 1.0e-15, 0.0);
            assert_true(k == 0 || hypot(x[0] - outline[0][0], x[1] - outline[0][1]) > 0.1);
        }
        assert_near(ops->inner(surface), least[i], 0.0, 1.0e-15);
        assert_near(ops->gap(surface, pose, pose, n), -least[i], 0.0, 1.0e-15);
    }
}

/* Edges of more than half of a side do not fit. */
static void boxes_have_room_for_their_edges(void **state)
{
    haw_context *context = NULL;
    haw_arena arena;
    haw_surface surface = rounds[0];

    (void)state;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena_init(&arena, context);
    surface.options[2] = 0.15;
    assert_int_equal(surface.ops->prepare(&arena, &surface), HAW_OK);
    surface.options[2] = 0.151;
    assert_int_equal(surface.ops->prepare(&arena, &surface), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(context), "at most 0.15 m radius"));
    haw_arena_fini(&arena);
    haw_context_free(context);
}

TEST_FILE(test_shape)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_found),
        cmocka_unit_test(normals_are_unit_gradients_of_the_gap),
        cmocka_unit_test(gaps_are_objective),
        cmocka_unit_test(a_box_with_a_close_point_is_never_missed),
        cmocka_unit_test(far_boxes_are_told_apart_exactly),
        cmocka_unit_test(circle_has_its_closed_form),
        cmocka_unit_test(the_centre_of_a_circle_has_a_normal),
        cmocka_unit_test(plane_turns_with_its_body),
        cmocka_unit_test(a_circle_needs_a_positive_radius),
        cmocka_unit_test(the_arc_grows_with_the_slide),
        cmocka_unit_test(a_point_that_sticks_keeps_its_arc),
        cmocka_unit_test(normals_turn_with_the_bend),
        cmocka_unit_test(arcs_and_bends_have_their_closed_forms),
        cmocka_unit_test(inertias_are_those_of_what_is_inside),
        cmocka_unit_test(outlines_and_corners_are_where_the_gap_says),
        cmocka_unit_test(boxes_have_room_for_their_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
