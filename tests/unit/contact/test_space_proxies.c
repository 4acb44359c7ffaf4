/* SPDX-License-Identifier: BSD-3-Clause */
/* Capsules and mortar contacts of a spatial cable, against dense searches and sums over points. */
#include "base/lie.h"
#include "linalg/matrix.h"
#include "model/system.h"
#include "support/space_contact.h"

/* ---- capsules ---- */

/* Both nodes on the drum: the chord sinks in by R' - sqrt(R'^2 - l^2 / 4), which points at the
 * nodes do not see. */
static void a_capsule_finds_the_sagitta_of_a_chord(void **state)
{
    (void)state;
    const touch_case c = {.proxy = HAW_PROXY_CAPSULES, .points = 1, .elements = 1};
    const double out = touch_drum + touch_radius;
    touch_rig r;
    touch_open(&r, &c);
    const double depth = sqrt(out * out - r.le * r.le / 4);
    const double from[3] = {depth, -r.le / 2, 0.1}, along[3] = {0, 1, 0};
    touch_line(&r, from, along);
    touch_detect(&r, 1e-9);
    assert_int_equal(touch_count(&r), 3); /* and both nodes */
    const haw_touch *middle = touch_find(&r, 2);
    assert_non_null(middle);
    assert_near(middle->gap, depth - out, 1e-15, 0);
    assert_near(middle->s, 0.5, 1e-7, 0);
    assert_near(touch_find(&r, 0)->gap, 0, 1e-15, 0);
    assert_near(touch_find(&r, 1)->gap, 0, 1e-15, 0);
    touch_close(&r);
}

/* Smallest gap of piece i by a dense search. */
static double dense_gap(const touch_rig *r, int i)
{
    enum { DENSE = 2000 };

    const int n = r->model->pair[0].points_per_element;
    double least = HUGE_VAL, x[3];
    for (int k = 0; k <= DENSE; k++) {
        touch_point(r, i / n, (i % n + (double)k / DENSE) / n, x);
        least = fmin(least, touch_gap(r, x, touch_radius));
    }
    return least;
}

static void capsules_take_the_nearest_point_of_every_piece(void **state)
{
    (void)state;

    enum { SEEDS = 10, PIECES = 2, ELEMENTS = 4, POINTS = PIECES * ELEMENTS };

    const touch_case c = {
        .proxy = HAW_PROXY_CAPSULES, .points = PIECES, .elements = ELEMENTS, .length = 0.15};
    touch_rig r;
    int inside = 0, middle = 0;
    touch_open(&r, &c);
    for (int seed = 0; seed < SEEDS; seed++) {
        touch_scatter(&r, 0.3);
        touch_detect(&r, 10);
        for (int i = 0; i < POINTS; i++) {
            const haw_touch *between = touch_find(&r, POINTS + 1 + i);
            const double ends = fmin(touch_find(&r, i)->gap, touch_find(&r, i + 1)->gap);
            const double least = between != NULL ? fmin(between->gap, ends) : ends;
            inside += between != NULL && between->gap < ends;
            if (between != NULL &&
                between->s == (i % PIECES + 0.5) / PIECES) { /* it follows the surface */
                assert_true(least - dense_gap(&r, i) < 0.05 / 8 * 0.15 / PIECES);
                middle++;
                continue;
            }
            /* within a fiftieth of its end a piece has no contact of its own */
            assert_near(least, dense_gap(&r, i), between != NULL ? 1e-8 : 2e-5, 0);
        }
    }
    assert_in_range(inside - middle, 3, POINTS * SEEDS);
    touch_close(&r);
}

/* From the begin of a step on a piece keeps its place, whatever the passes do. */
static void a_capsule_keeps_its_place_within_a_step(void **state)
{
    (void)state;
    const touch_case c = {.proxy = HAW_PROXY_CAPSULES, .points = 1, .elements = 1, .length = 0.28};
    const double out = touch_drum + touch_radius, along[3] = {0, 1, 0};
    double place[4];
    touch_rig r;
    touch_open(&r, &c);
    for (int i = 0; i < 4; i++) { /* the cable slides on, a new step begins with the last */
        const double from[3] = {out, -0.14 + 0.014 * i, 0};
        if (i == 0 || i == 3) {
            haw_contacts_begin(r.contacts);
        }
        touch_line(&r, from, along);
        touch_detect(&r, 0.01);
        place[i] = touch_find(&r, 2)->s;
    }
    assert_near(place[0], 0.5, 1e-6, 0);
    assert_true(place[1] == place[0] && place[2] == place[0]);
    assert_near(place[3], 0.5 - 0.042 / 0.28, 1e-6, 0);
    touch_close(&r);
}

/* A short piece touches with its middle, wherever on it the drum is nearest. */
static void a_piece_that_follows_the_surface_touches_with_its_middle(void **state)
{
    (void)state;
    const touch_case c = {.proxy = HAW_PROXY_CAPSULES, .points = 1, .elements = 1, .length = 0.04};
    const double along[3] = {0, 1, 0};
    touch_rig r;
    touch_open(&r, &c);
    for (int i = 0; i < 5; i++) {
        const double from[3] = {touch_drum + touch_radius, -0.02 + 0.002 * i, 0};
        haw_contacts_begin(r.contacts);
        touch_line(&r, from, along);
        touch_detect(&r, 0.01);
        assert_near(touch_find(&r, 2)->s, 0.5, 0, 0);
    }
    touch_close(&r);
}

/* A straight cable that dips towards the drum: the nearest point of the pieces beside a grid point
 * is that point, and it is one contact. */
static void a_minimum_between_two_pieces_is_one_contact(void **state)
{
    (void)state;
    const touch_case c = {.proxy = HAW_PROXY_CAPSULES, .points = 1, .elements = 2};
    const double from[3] = {touch_drum + touch_radius - 1e-4, -0.08, 0}, along[3] = {0, 1, 0};
    touch_rig r;
    touch_open(&r, &c);
    touch_line(&r, from, along);
    touch_detect(&r, 1e-5);
    assert_int_equal(touch_count(&r), 1);
    assert_near(r.contacts->item[0].gap, -1e-4, 1e-15, 0);
    touch_close(&r);
}

/* ---- mortar ---- */

static void a_uniform_gap_is_the_gap_of_every_mortar_node(void **state)
{
    (void)state;
    const touch_case c = {.proxy = HAW_PROXY_MORTAR, .points = 5, .elements = 4};
    const double from[3] = {touch_drum + touch_radius - 0.003, 0, -0.1}, along[3] = {0, 0, 1};
    touch_rig r;
    touch_open(&r, &c);
    touch_line(&r, from, along);
    touch_detect(&r, 0.01);
    assert_int_equal(touch_count(&r), 5);
    for (int i = 0; i < 5; i++) {
        const haw_touch *contact = &r.contacts->item[i];
        assert_int_equal(contact->id, i);
        assert_near(contact->gap, -0.003, 1e-15, 0);
        for (int k = 0; k < 3; k++) {
            double sum[3] = {0};
            for (int a = 0; a < contact->side[0].count; a++) {
                sum[a % 6 < 3 ? a % 3 : 0] += a % 6 < 3 ? contact->side[0].row[k][a] : 0;
            }
            for (int a = 0; a < 3; a++) { /* a translation moves every point alike */
                assert_near(sum[a], -contact->side[1].row[k][a], 1e-15, 0);
            }
        }
    }
    touch_close(&r);
}

/* Move the cable into the body: what is inside counts in full. */
static void sink(touch_rig *r, double depth)
{
    const haw_cable *cable = &r->model->cable[0];
    touch_detect(r, 10);
    const haw_touch first = r->contacts->item[0];
    for (int node = 0; node <= cable->beam.elements; node++) {
        const int at = cable->first_q + cable->beam.ops->node_coordinates * node;
        vec3_add(-depth, first.normal, r->q + at);
    }
}

/* An open node: g_A = d (exp(g / d) - 1) of a uniform gap, d its radius, which is g near contact;
 * and where half of its points are far away, the other half decides. */
static void the_free_part_of_an_element_counts_little(void **state)
{
    (void)state;
    const touch_case c = {.proxy = HAW_PROXY_MORTAR, .points = 8, .elements = 2};
    const double out = touch_drum + touch_radius, d = touch_radius;
    const double from[3] = {out + 0.003, 0, -0.08}, along[3] = {0, 0, 1};
    double plain = 0, sum = 0;
    touch_rig r;
    touch_open(&r, &c);
    touch_line(&r, from, along);
    touch_detect(&r, 0.01);
    assert_near(touch_find(&r, 1)->gap, d * expm1(0.003 / d), 1e-15, 0);
    for (int node = 0; node < 2; node++) { /* the first element on the drum, the second off it */
        const double pose[7] = {out, 0, 0.08 * (node - 1), sqrt(0.5), 0, -sqrt(0.5)};
        touch_node(&r, node, pose);
    }
    const double off[7] = {out + 0.06, 0, 0.08, sqrt(0.5), 0, -sqrt(0.5)};
    touch_node(&r, 2, off);
    touch_detect(&r, 0.1);
    for (int i = 0; i < 8; i++) {
        double x[3];
        touch_point(&r, 1, i / 8.0, x);
        const double weight = i == 0 ? 0.5 : 1 - i / 8.0;
        plain += weight * touch_gap(&r, x, touch_radius);
        sum += 2 * weight;
    }
    assert_true(plain / sum > 0.009);
    assert_true(touch_find(&r, 1)->gap > 0 && touch_find(&r, 1)->gap < 0.6 * plain / sum);
    touch_close(&r);
}

/* Sum_A (integral of Phi_A) g_A is the trapezoidal sum of the gaps of all points; so are the rows.
 */
static void mortar_rows_add_up_to_those_of_the_points(void **state)
{
    (void)state;

    enum { POINTS = 3, ELEMENTS = 4 };

    touch_case c = {.points = POINTS, .elements = ELEMENTS, .length = 0.02};
    for (c.surface = 0; c.surface < 4; c.surface++) {
        touch_rig r[2];
        double u[TOUCH_Q], gamma[TOUCH_Q], sum[2][4] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            c.proxy = i == 0 ? HAW_PROXY_POINTS : HAW_PROXY_MORTAR;
            touch_open(&r[i], &c);
            touch_scatter(&r[i], 0.2);
            sink(&r[i], 0.1);
            touch_detect(&r[i], 10);
        }
        for (int i = 0; i < r[0].model->dofs; i++) {
            u[i] = touch_number(&r[0], 1);
        }
        for (int i = 0; i < 2; i++) {
            const int last = i == 0 ? POINTS * ELEMENTS : ELEMENTS;
            haw_contacts_velocity(r[i].contacts, u, gamma);
            assert_int_equal(touch_count(&r[i]), last + 1);
            for (int k = 0; k <= last; k++) {
                const double weight = (k == 0 || k == last ? 0.5 : 1) / last;
                sum[i][0] += weight * r[i].contacts->item[k].gap;
                for (int j = 0; j < 3; j++) {
                    sum[i][1 + j] += weight * gamma[3 * k + j];
                }
            }
            touch_close(&r[i]);
        }
        for (int j = 0; j < 4; j++) {
            assert_near(sum[1][j], sum[0][j], 1e-14, 0);
        }
    }
}

/* True if the matrix has a place for every pair of unknowns of every contact. */
static bool is_inside(const touch_rig *r, const haw_system *system)
{
    for (int i = 0; i < r->contacts->count; i++) {
        const haw_touch *c = &r->contacts->item[i];
        for (int k = 0; k < c->side[0].count * c->side[0].count; k++) {
            const int row = system->equation[c->side[0].first + k / c->side[0].count];
            const int column = system->equation[c->side[0].first + k % c->side[0].count];
            if (row >= 0 && column >= 0 && haw_matrix_place(system->matrix, row, column) < 0) {
                return false;
            }
        }
    }
    return true;
}

/* Rows over three nodes: only cables with such contacts have a matrix that is so wide. */
static void the_matrix_has_room_for_what_contacts_couple(void **state)
{
    (void)state;
    for (int proxy = 0; proxy < 3; proxy++) {
        for (int elements = 1; elements <= 5; elements += 2) {
            const touch_case c = {
                .proxy = proxy, .points = 3, .elements = elements, .pinned = elements == 5};
            const bool is_wide = proxy == HAW_PROXY_MORTAR && elements > 1;
            touch_rig r;
            haw_system *system;
            touch_open(&r, &c);
            touch_scatter(&r, 0.2);
            touch_detect(&r, 10);
            assert_true(r.contacts->count > 0);
            assert_int_equal(haw_system_create(r.context, r.model, NULL, NULL, &system), HAW_OK);
            assert_true(is_inside(&r, system));
            assert_int_equal(haw_matrix_width(system->matrix), is_wide ? 17 : 11);
            haw_system_free(system);
            touch_close(&r);
        }
    }
}

/* ---- all proxies ---- */

/* Around a drum, on a fine grid: gaps differ by the square of an element or of a piece. */
static void proxies_agree_on_a_fine_grid(void **state)
{
    (void)state;
    static const int count[2] = {10, 20};
    double difference[2][2];
    for (int mesh = 0; mesh < 2; mesh++) {
        double least[3];
        for (int proxy = 0; proxy < 3; proxy++) {
            const touch_case c = {.proxy = proxy,
                                  .points = proxy == HAW_PROXY_POINTS ? 7 : 4,
                                  .elements = count[mesh],
                                  .length = 0.6 / count[mesh]};
            touch_rig r;
            touch_open(&r, &c);
            touch_tangent(&r);
            touch_detect(&r, 0.05);
            least[proxy] = touch_least(&r);
            touch_close(&r);
        }
        difference[mesh][0] = fabs(least[HAW_PROXY_CAPSULES] - least[HAW_PROXY_POINTS]);
        difference[mesh][1] = fabs(least[HAW_PROXY_MORTAR] - least[HAW_PROXY_POINTS]);
        const double quarter = 0.25 * 0.6 / count[mesh] / 4; /* of a piece, from a contact on it */
        const double most = 0.5 * quarter * quarter / (touch_drum + touch_radius);
        assert_true(least[HAW_PROXY_CAPSULES] >= 0 && least[HAW_PROXY_CAPSULES] <= most);
    }
    assert_in_range((int)(1e6 * difference[0][0]), 0, 60);     /* (l / 14)^2 / 2 R' */
    assert_in_range((int)(1e6 * difference[0][1]), 100, 2000); /* about l^2 / 12 R' */
    assert_near(difference[1][1] / difference[0][1], 0.25, 0.1, 0);
}

TEST_FILE(test_space_proxies)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_finds_the_sagitta_of_a_chord),
        cmocka_unit_test(capsules_take_the_nearest_point_of_every_piece),
        cmocka_unit_test(a_minimum_between_two_pieces_is_one_contact),
        cmocka_unit_test(a_capsule_keeps_its_place_within_a_step),
        cmocka_unit_test(a_piece_that_follows_the_surface_touches_with_its_middle),
        cmocka_unit_test(the_free_part_of_an_element_counts_little),
        cmocka_unit_test(a_uniform_gap_is_the_gap_of_every_mortar_node),
        cmocka_unit_test(mortar_rows_add_up_to_those_of_the_points),
        cmocka_unit_test(the_matrix_has_room_for_what_contacts_couple),
        cmocka_unit_test(proxies_agree_on_a_fine_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
