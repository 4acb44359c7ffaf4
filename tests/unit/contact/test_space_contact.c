/* SPDX-License-Identifier: BSD-3-Clause */
/* Which contacts of a spatial cable are found, and where, for every proxy. */
#include "support/space_contact.h"
#include "support/surfaces.h"

/* ---- points ---- */

/* All grid points by the surface itself against what the broad phase leaves. */
static int compare_with_brute_force(touch_rig *r, double margin)
{
    const int n = r->model->pair[0].points_per_element, elements = r->model->cable[0].beam.elements;
    int found = 0;
    touch_detect(r, margin);
    for (int i = 0; i <= n * elements; i++) {
        const int e = i < n * elements ? i / n : elements - 1;
        double x[3];
        touch_point(r, e, i < n * elements ? (double)(i % n) / n : 1, x);
        const double gap = touch_gap(r, x, touch_radius);
        double got = HUGE_VAL;
        if (gap < -touch_radius) {
            continue; /* the centreline itself is inside: any foot may count */
        }
        for (int k = 0; k < r->contacts->count; k++) {
            const haw_touch *c = &r->contacts->item[k];
            const bool is_it = c->pair == 0 && c->id / r->model->pair[0].feet == i;
            got = is_it && fabs(c->gap - gap) < fabs(got - gap) ? c->gap : got;
        }
        if (fabs(gap - margin) > 1e-12) {
            assert_int_equal(got <= margin, gap <= margin);
        }
        if (gap <= margin - 1e-12) {
            assert_near(got, gap, 1e-14, 0);
            found++;
        }
    }
    return found;
}

static void the_broad_phase_misses_no_point(void **state)
{
    (void)state;

    enum { SEEDS = 60 };

    static const char *const elements[] = {"se3", "ancf", "corotational"};
    for (int i = 0; i < 6 * TOUCH_SURFACES; i++) {
        const touch_case c = {.element = elements[i % 3],
                              .surface = i / 6,
                              .points = 4,
                              .elements = 8,
                              .refine = i / 3 % 2 == 0 ? HAW_REFINE_OFF : HAW_REFINE_CONTACT};
        touch_rig r;
        int found = 0;
        touch_open(&r, &c);
        for (int seed = 0; seed < SEEDS; seed++) {
            touch_scatter(&r, seed % 2 == 0 ? 0.1 : 1.2);
            found += compare_with_brute_force(&r, seed % 3 == 0 ? 0 : 0.02);
        }
        assert_in_range(found, SEEDS, (8 * r.model->pair[0].points_per_element + 1) * SEEDS);
        touch_close(&r);
    }
}

/* The ball about the element ends where its tip touches. */
static void an_element_that_points_at_the_surface_is_found_at_its_tip(void **state)
{
    (void)state;
    static const char *const elements[] = {"se3", "ancf"};
    for (int i = 0; i < 8; i++) {
        const bool is_start = i / 2 % 2 == 0, is_fine = i >= 4;
        const touch_case c = {.element = elements[i % 2],
                              .points = is_fine ? 4 : 1,
                              .elements = 1,
                              .refine = is_fine ? HAW_REFINE_CONTACT : HAW_REFINE_OFF};
        const double sign = is_start ? 1 : -1, out = touch_drum + touch_radius - 1e-12;
        touch_rig r;
        touch_open(&r, &c);
        const double from[3] = {out + (is_start ? 0 : r.le), 0, 0}, along[3] = {sign, 0, 1e-9};
        touch_line(&r, from, along);
        touch_detect(&r, 0);
        assert_int_equal(touch_count(&r), 1);
        assert_int_equal(r.contacts->item[0].id,
                         is_start ? 0 : r.model->pair[0].points_per_element);
        touch_close(&r);
    }
}

static void a_prescribed_node_carries_no_contact(void **state)
{
    (void)state;
    static const double along[3] = {0, 0, 1}, from[3] = {touch_drum + touch_radius, 0, -0.1};
    for (int proxy = 0; proxy < 3; proxy++) {
        int count[2];
        for (int pinned = 0; pinned < 2; pinned++) {
            const touch_case c = {
                .proxy = proxy, .points = 2, .elements = 3, .pinned = pinned == 1};
            touch_rig r;
            touch_open(&r, &c);
            touch_line(&r, from, along);
            touch_detect(&r, 1e-12);
            count[pinned] = touch_count(&r);
            for (int i = 0; i < count[pinned] && pinned == 1; i++) {
                const haw_touch *contact = &r.contacts->item[i];
                assert_true(contact->element > 0 || contact->s > 0);
            }
            touch_close(&r);
        }
        assert_int_equal(count[0], count[1] + 1);
    }
}

/* ---- several feet ---- */

/* A point above the bottom of the groove sees both edges, arcs of radius a about (r_c, +-b). */
static void a_groove_gives_two_feet_in_steady_slots(void **state)
{
    (void)state;
    const touch_case c = {.surface = 4, .points = 1, .elements = 1, .length = 0.05};
    const groove *g = &groove_sample;
    const double half = groove_half_width(g), axis = 0.36;
    touch_rig r;
    touch_open(&r, &c);
    for (int i = -1; i <= 1; i++) { /* the nearer of the two changes */
        const double z = 0.01 * i;
        const double from[3] = {axis, 0, z}, along[3] = {1, 0, 0};
        touch_line(&r, from, along);
        touch_detect(&r, 0.14); /* not of the other end */
        for (int k = 0; k < 2; k++) {
            const double edge = k == 0 ? -half : half, out = axis - (0.3 - g->edge);
            const double distance = hypot(out, z - edge);
            const haw_touch *contact = touch_find(&r, k);
            assert_non_null(contact);
            assert_near(contact->gap, distance - g->edge - touch_radius, 1e-14, 0);
            assert_near(contact->normal[0], out / distance, 1e-14, 0);
            assert_near(contact->normal[2], (z - edge) / distance, 1e-14, 0);
        }
        assert_int_equal(touch_count(&r), 2);
    }
    touch_close(&r);
}

/* ---- refinement ---- */

static void liftoff_refines_beside_the_end_of_contact_only(void **state)
{
    (void)state;

    enum { ELEMENTS = 15, COARSE = 2, FINE = 4 * COARSE };

    const double margin = 0.004;
    const touch_case coarse = {.points = COARSE, .elements = ELEMENTS, .length = 0.012},
                     fine = {.points = FINE, .elements = ELEMENTS, .length = 0.012},
                     refined = {.length = 0.012,

                                .points = COARSE,
                                .elements = ELEMENTS,
                                .refine = HAW_REFINE_LIFTOFF};
    touch_rig r[3];
    touch_open(&r[0], &coarse);
    touch_open(&r[1], &fine);
    touch_open(&r[2], &refined);
    for (int i = 0; i < 3; i++) {
        touch_tangent(&r[i]);
        touch_detect(&r[i], margin);
    }
    bool touches[ELEMENTS + 2] = {false};
    for (int i = 0; i < touch_count(&r[0]); i++) {
        const int id = r[0].contacts->item[i].id;
        touches[1 + id / COARSE] = true;
        touches[id / COARSE] = touches[id / COARSE] || id % COARSE == 0;
    }
    int expected = 0;
    for (int i = 0; i < touch_count(&r[1]); i++) {
        const haw_touch *c = &r[1].contacts->item[i];
        const int e = c->id / FINE;
        const bool is_edge = touches[e + 1] != touches[e] || touches[e + 1] != touches[e + 2];
        const haw_touch *same = touch_find(&r[2], c->id);
        assert_int_equal(same != NULL, is_edge || c->id % 4 == 0);
        assert_true(same == NULL || same->gap == c->gap);
        expected += same != NULL;
    }
    assert_int_equal(touch_count(&r[2]), expected);
    assert_in_range(expected, touch_count(&r[0]) + 1, touch_count(&r[1]) - 1);
    for (int i = 0; i < 3; i++) {
        touch_close(&r[i]);
    }
}

/* ---- spheres ---- */

static void a_ball_touches_as_a_point_with_its_radius(void **state)
{
    (void)state;
    const touch_case c = {.points = 1, .elements = 1};
    touch_rig r;
    touch_open(&r, &c);
    const int ball = r.model->body[1].first_q;
    r.q[ball] = 0;
    r.q[ball + 1] = touch_drum + touch_ball + 0.001;
    touch_detect(&r, 0.002);
    assert_int_equal(r.contacts->count, 1);
    const haw_touch *contact = &r.contacts->item[0];
    assert_int_equal(contact->pair, 1);
    assert_int_equal(contact->side[0].count, 6);
    assert_near(contact->gap, 0.001, 1e-15, 0);
    assert_near(contact->normal[1], 1, 1e-15, 0);
    assert_near(contact->tangent[0], -1, 1e-15, 0); /* counter-clockwise about the axis */
    assert_near(contact->side[0].row[1][0], -1, 1e-15,
                0); /* its lowest point has v_x + r w_z along x */
    assert_near(contact->side[0].row[1][5], -touch_ball, 1e-15, 0);
    assert_near(r.contacts->gap_min[1], 0.001, 1e-15, 0);
    touch_close(&r);
}

TEST_FILE(test_space_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_broad_phase_misses_no_point),
        cmocka_unit_test(an_element_that_points_at_the_surface_is_found_at_its_tip),
        cmocka_unit_test(a_prescribed_node_carries_no_contact),
        cmocka_unit_test(a_groove_gives_two_feet_in_steady_slots),
        cmocka_unit_test(liftoff_refines_beside_the_end_of_contact_only),
        cmocka_unit_test(a_ball_touches_as_a_point_with_its_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
