/* SPDX-License-Identifier: BSD-3-Clause */
/* Courses of ropes over sheaves: closed forms, virtual displacements, lengths, labels, meshes. */
#include "support/random.h"
#include "support/reeving.h"

#include <gsl/gsl_math.h>

/* ---- lines between circles ---- */

static void lines_touch_both_circles_on_the_side_of_their_turn(void **state)
{
    (void)state;
    const double d = 2.5, r1 = 0.7, r2 = 1.1;
    for (int k = 0; k < 4; k++) {
        const haw_reeving_circle a = {{0.3, -0.2}, r1, k / 2 == 0 ? 1 : -1};
        const haw_reeving_circle b = {
            {0.3 + d * cos(0.6), -0.2 + d * sin(0.6)}, r2, k % 2 == 0 ? 1 : -1};
        double e[2], x[2][2];
        const double length = haw_reeving_line(&a, &b, e);
        const double across = a.turn == b.turn ? r2 - r1 : r2 + r1;
        assert_near(length, sqrt(d * d - across * across), 1e-14, 0);
        assert_near(hypot(e[0], e[1]), 1, 1e-15, 0);
        const haw_reeving_circle *circle[2] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            const double angle = haw_reeving_angle(circle[i]->turn, e);
            const double n[2] = {cos(angle), sin(angle)};
            assert_near(n[0] * e[0] + n[1] * e[1], 0, 1e-15, 0);
            /* the sheave lies to the left where the rope turns counter-clockwise */
            assert_near(e[0] * -n[1] - e[1] * -n[0], circle[i]->turn, 1e-15, 0);
            for (int j = 0; j < 2; j++) {
                x[i][j] = circle[i]->x[j] + circle[i]->radius * n[j];
            }
        }
        for (int j = 0; j < 2; j++) {
            assert_near(x[1][j] - x[0][j], length * e[j], 1e-14, 0);
        }
    }
}

static void circles_in_each_other_have_no_line(void **state)
{
    (void)state;
    double e[2];
    const haw_reeving_circle a = {{0, 0}, 1, 1}, inside = {{0.3, 0}, 0.5, 1};
    const haw_reeving_circle crossing = {{1.2, 0}, 0.5, -1};
    assert_true(isnan(haw_reeving_line(&a, &inside, e)));
    assert_true(isnan(haw_reeving_line(&a, &crossing, e)));
}

/* ---- courses ---- */

/* The elevator: 3 m down to the car, half a turn, 11 m down to the counterweight. */
static void a_rope_over_a_drive_has_the_course_of_the_elevator(void **state)
{
    (void)state;
    reeving_case c;
    reeving_init(&c, "ale");
    c.body[REEVING_BLOCK].joint = HAW_JOINT_NONE;
    c.body[REEVING_BLOCK].position[0] = -0.24;
    c.body[REEVING_BLOCK].position[1] = -3;
    c.body[REEVING_CAR].position[0] = 0.24;
    c.body[REEVING_CAR].position[1] = -11;
    c.body[REEVING_DRIVE] = reeving_sheave("drive", 0, 0, 0.24);
    c.sheave[0] = (haw_reeving_spec){"drive", HAW_SIDE_RIGHT};
    c.cable.sheaves = 1;
    c.cable.from[0] = c.cable.from[1] = (double)NAN;
    c.cable.ends[0].body = "block";
    c.scene.contacts = 0;
    reeving_open(&c);
    const haw_rope *rope = reeving_rope(&c);
    const haw_rope_arc *arc = &rope->arc[0];
    assert_int_equal(arc->turn, -1);
    assert_near(fabs(arc->in), M_PI, 1e-14, 0);
    assert_near(arc->in - arc->out, M_PI, 1e-14, 0);
    assert_near(arc->label_in, 3, 1e-14, 0);
    assert_near(arc->label_out, 3 + M_PI * 0.24, 1e-14, 0);
    assert_near(rope->length, 14 + M_PI * 0.24, 1e-14, 0);
    assert_int_equal(c.model->start, HAW_START_STATIC);
    reeving_arc course[2];
    reeving_course(&c, c.state->q, course);
    assert_near(course[0].span, 3, 1e-14, 0);
    assert_near(course[1].span, 11, 1e-14, 0);
    assert_near(course[0].along[1], 1, 1e-15, 0);
    assert_near(course[1].along[1], -1, 1e-15, 0);
    assert_near(course[0].out, arc->out, 1e-14, 0);
    reeving_close(&c);
}

static double course_length(const reeving_case *c, const double *q)
{
    const haw_rope *rope = reeving_rope(c);
    reeving_arc course[3];
    reeving_course(c, q, course);
    double length = course[0].span;
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        length += arc->radius * arc->turn * (course[i].out - course[i].in) + course[i + 1].span;
    }
    return length;
}

/* Displacements of the block, the drive and the car change the length by the sum of e . dc. */
static void virtual_displacements_change_the_length_along_the_lines(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int sides = 0; sides < 4; sides++) {
        reeving_case c;
        reeving_init(&c, "ale");
        c.sheave[0].side = sides / 2;
        c.sheave[1].side = sides % 2;
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        reeving_arc course[3];
        reeving_course(&c, c.state->q, course);
        double dc[REEVING_BODIES + 1][2] = {{0}}, length[2], want = 0;
        for (int i = 0; i < 2 * REEVING_BODIES; i++) {
            dc[i / 2 + 1][i % 2] = random_signed(&seed);
        }
        for (int i = 0; i <= rope->arcs; i++) {
            for (int j = 0; j < 2; j++) {
                want += course[i].along[j] * (dc[i + 1][j] - dc[i][j]);
            }
        }
        const double h = 1e-5;
        for (int k = 0; k < 2; k++) {
            double q[256];
            assert_true(c.model->dofs <= 256);
            memcpy(q, c.state->q, (size_t)c.model->dofs * sizeof *q);
            for (int i = 0; i < 2 * REEVING_BODIES; i++) {
                q[3 * (i / 2) + i % 2] += (k == 0 ? -h : h) * dc[i / 2 + 1][i % 2];
            }
            length[k] = course_length(&c, q);
        }
        assert_near((length[1] - length[0]) / (2 * h), want, 1e-9, 0);
        reeving_close(&c);
    }
}

/* The car is carried around the drive: its tangent point turns through more than half a turn. */
static void angles_continue_where_they_leave_the_principal_range(void **state)
{
    (void)state;
    reeving_case c;
    reeving_start(&c, "ale");
    const haw_rope *rope = reeving_rope(&c);
    double *q = c.state->q, *car = q + 3 * REEVING_CAR, before = rope->arc[1].out;
    const double *drive = q + 3 * REEVING_DRIVE;
    const double x = car[0] - drive[0], y = car[1] - drive[1];
    for (int i = 0; i <= 100; i++) {
        const double angle = (i - 50) * 0.06;
        reeving_arc course[3];
        car[0] = drive[0] + x * cos(angle) - y * sin(angle);
        car[1] = drive[1] + x * sin(angle) + y * cos(angle);
        reeving_course(&c, q, course);
        assert_near(course[1].out, rope->arc[1].out + angle, 1e-12, 0);
        assert_true(i == 0 || fabs(course[1].out - before) < 0.07);
        before = course[1].out;
    }
    reeving_close(&c);
}

/* ---- lengths and labels ---- */

static void the_unstrained_length_is_drawn_given_or_of_a_tension(void **state)
{
    (void)state;
    double drawn = 0, label = 0;
    for (int k = 0; k < 3; k++) {
        reeving_case c;
        reeving_init(&c, "arc1d");
        c.cable.tension = k == 1 ? 5e3 : (double)NAN;
        c.cable.length = k == 2 ? 0.99 * drawn : (double)NAN;
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        const double factor = k == 0 ? 1 : (k == 1 ? 1 / 1.005 : 0.99);
        drawn = k == 0 ? rope->length : drawn;
        label = k == 0 ? rope->arc[1].label_in : label;
        assert_near(drawn, course_length(&c, c.state->q), 1e-12, 0);
        assert_near(rope->length, factor * drawn, 1e-12, 0);
        assert_near(rope->arc[1].label_in, factor * label, 1e-12, 0);
        reeving_close(&c);
    }
}

static void labels_of_the_start_ascend_from_end_to_end(void **state)
{
    (void)state;
    for (int k = 0; rope_kind(k) != NULL; k++) {
        reeving_case c;
        reeving_init(&c, rope_kind(k)->name);
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        const double *q = c.state->q;
        assert_int_equal(rope->labels, rope->elements + 1);
        assert_near(q[rope->label[0]], 0, 0, 0);
        assert_near(q[rope->label[rope->labels - 1]], rope->length, 1e-12, 0);
        for (int e = 0; e < rope->elements; e++) {
            const double from = q[rope->label[e]], to = q[rope->label[e + 1]];
            assert_true(to > from);
            assert_int_equal(haw_rope_find(rope, q, 0.5 * (from + to)), e);
            assert_int_equal(haw_rope_find(rope, q, from), e);
        }
        assert_int_equal(haw_rope_find(rope, q, -1), 0);
        assert_int_equal(haw_rope_find(rope, q, rope->length + 1), rope->elements - 1);
        reeving_close(&c);
    }
}

/* ---- overflow ---- */

static void check_overflow(reeving_case *c, double want)
{
    reeving_open(c);
    const haw_rope *rope = reeving_rope(c);
    assert_near(rope->overflow, want, 1e-12, 0);
    int next = 1;
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        const double le =
            arc->radius * fabs(arc->out - arc->in) / rope->per_arc; /* drawn without strain */
        const int beside = (arc->elements - rope->per_arc) / 2;
        assert_int_equal(arc->first_element, next);
        assert_true(beside * le >= want * (1 - 1e-9) && (beside - 1) * le < want);
        next += arc->elements + 1;
    }
    assert_int_equal(rope->elements, next);
    reeving_close(c);
}

static void the_overflow_follows_the_bending_length(void **state)
{
    (void)state;
    reeving_case c;
    reeving_init(&c, "ale");
    c.cable.overflow = 0.3;
    check_overflow(&c, 0.3);
    reeving_init(&c, "ale");
    c.cable.tension = 1e3;
    c.cable.bending_stiffness = 10;
    check_overflow(&c, 5 * sqrt(10 / 1e3));
    reeving_init(&c, "ale"); /* half of the block's 40 kg against the car's 100 kg */
    c.cable.bending_stiffness = 10;
    check_overflow(&c, 5 * sqrt(10 / (20 * 9.81)));
    reeving_init(&c, "ale");
    c.cable.bending_stiffness = 10;
    c.body[REEVING_BLOCK].joint = HAW_JOINT_REVOLUTE;
    check_overflow(&c, 5 * sqrt(10 / (100 * 9.81)));
}

static void the_overflow_of_a_string_is_two_elements(void **state)
{
    (void)state;
    reeving_case c;
    reeving_start(&c, "ale");
    const haw_rope *rope = reeving_rope(&c);
    double longest = 0;
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        longest = fmax(longest, arc->radius * fabs(arc->out - arc->in) / rope->per_arc);
    }
    assert_near(rope->overflow, 2 * longest, 1e-12, 0);
    reeving_close(&c);
    reeving_start(&c, "arc1d");
    assert_near(reeving_rope(&c)->overflow, 0, 0, 0);
    assert_int_equal(reeving_rope(&c)->arc[0].elements, 6);
    assert_int_equal(reeving_rope(&c)->elements, 2 * 6 + 3);
    reeving_close(&c);
}

TEST_FILE(test_reeving)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_touch_both_circles_on_the_side_of_their_turn),
        cmocka_unit_test(circles_in_each_other_have_no_line),
        cmocka_unit_test(a_rope_over_a_drive_has_the_course_of_the_elevator),
        cmocka_unit_test(virtual_displacements_change_the_length_along_the_lines),
        cmocka_unit_test(angles_continue_where_they_leave_the_principal_range),
        cmocka_unit_test(the_unstrained_length_is_drawn_given_or_of_a_tension),
        cmocka_unit_test(labels_of_the_start_ascend_from_end_to_end),
        cmocka_unit_test(the_overflow_follows_the_bending_length),
        cmocka_unit_test(the_overflow_of_a_string_is_two_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
