/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots of arc1d ropes: rows, shares, and the work of their friction. */
#include "contact/knot.h"
#include "support/finite.h"
#include "support/random.h"
#include "support/reeving.h"

enum { KNOTS = 512, PAIR = 1 }; /* the drive's */

typedef struct stage {
    reeving_case c;
    const haw_rope *rope;
    const haw_rope_arc *arc;
    haw_knot_side side;
    int n;
    double q[FINITE_MAX], u[FINITE_MAX];
    double label; /* of the knot that is looked at */
} stage;

static haw_knot_press touches[KNOTS];

/* Bodies that move freely turn all lines; along parallel ones the arc of the drive stays. */
static void open_stage(stage *s, bool is_free)
{
    uint64_t seed = 3;
    memset(s, 0, sizeof *s);
    reeving_init(&s->c, "arc1d");
    s->c.cable.tension = 2e3;
    s->c.contact[PAIR].spacing = 0.01;
    for (int i = 0; i < REEVING_BODIES && is_free; i++) {
        s->c.body[i].joint = HAW_JOINT_NONE;
        s->c.body[i].inertia = 3;
    }
    if (!is_free) {
        s->c.body[REEVING_BLOCK].position[0] = 0.7;
        s->c.body[REEVING_CAR].position[0] = 1.5;
        s->c.cable.from[0] = 0.5;
    }
    reeving_open(&s->c);
    s->rope = reeving_rope(&s->c);
    s->arc = &s->rope->arc[1];
    s->side = haw_knot_side_of(s->c.model, &s->c.model->pair[PAIR]);
    s->n = s->c.model->dofs;
    assert_true(s->n <= FINITE_MAX);
    memcpy(s->q, s->c.state->q, (size_t)s->n * sizeof *s->q);
    for (int i = 0; i < s->n; i++) {
        s->u[i] = random_signed(&seed);
    }
}

static haw_knot_press place(const stage *s, const double *q)
{
    haw_knot_press touch = {.at.id = 0, .label = s->label};
    haw_knot_kernel_arc1d.place(&s->side, q, s->u, 1, &touch);
    return touch;
}

static void gap_and_slide_at(const void *user, const double *q, double *y)
{
    const haw_knot_press touch = place(user, q);
    y[0] = touch.at.gap;
    y[1] = touch.at.slide;
}

/* Row of a touch over all dofs. */
static void expand(const stage *s, const haw_knot_press *touch, int k, double *row)
{
    const haw_rope_element *element = &s->rope->element[touch->element];
    memset(row, 0, (size_t)s->n * sizeof *row);
    for (int a = 0; a < element->dofs; a++) {
        row[element->dof[a]] += touch->row[a][k];
    }
    row[s->c.model->body[s->side.body].first + 2] += k == 1 ? touch->body_row[1][2] : 0;
}

/* In the middle of a cell, where the tension is that of the cell alone. */
static void rows_are_the_slopes_of_gap_and_slide(void **state)
{
    (void)state;
    for (int is_free = 0; is_free < 2; is_free++) {
        stage s;
        open_stage(&s, is_free == 1);
        for (int cell = 0; cell < s.arc->elements; cell++) {
            double slope[2 * FINITE_MAX], row[FINITE_MAX], rate[2] = {0, 0};
            const int first = s.rope->label[s.arc->first_element + cell];
            s.label = 0.5 * (s.q[first] + s.q[first + 1]);
            const haw_knot_press touch = place(&s, s.q);
            const double sunk = 1 + touch.at.gap / s.arc->radius;
            const double bed = 3e8 * s.arc->radius; /* in series with EA = 1e6 N */
            assert_near(touch.at.gap, -2e3 / (bed * (1 + 1e6 / (bed * s.arc->radius))), 0, 1e-3);
            finite_jacobian(gap_and_slide_at, &s, s.n, 2, s.q, 1e-6, slope);
            for (int k = 0; k < 2; k++) {
                expand(&s, &touch, k, row);
                const double part = k == 0 ? 1e-2 : 1e-7, factor = k == 0 ? 1 : sunk;
                const double scale = k == 0 ? fabs(touch.row[0][0]) : 1;
                for (int i = 0; i < s.n; i++) {
                    rate[k] += row[i] * s.u[i];
                    assert_near(row[i], factor * slope[k * s.n + i], part * scale, 0);
                }
                assert_near(touch.at.rate[k], rate[k], 1e-12, 1e-12);
            }
        }
        reeving_close(&s.c);
    }
}

/* All knots between the labels of the range. */
static int place_all(const stage *s, haw_knot_press *touch)
{
    double label[2];
    int first, last;
    haw_knot_kernel_arc1d.range(&s->side, s->q, label);
    haw_knot_range(&s->c.model->pair[PAIR], label, &first, &last);
    assert_true(last - first < KNOTS);
    for (int k = first; k <= last; k++) {
        touch[k - first] = (haw_knot_press){.at.id = k, .label = k * s->side.spacing};
    }
    haw_knot_kernel_arc1d.place(&s->side, s->q, s->u, last - first + 1, touch);
    return last - first + 1;
}

static void shift(stage *s, double way)
{
    for (int k = 0; k <= s->arc->elements; k++) {
        s->q[s->rope->label[s->arc->first_element + k]] -= way;
    }
}

/* Wherever the knots lie, their shares are the length of rope on the sheave, and knots that come in
 * or leave do so without a jump. */
static void shares_add_up_to_the_rope_on_the_sheave(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, false);
    for (int i = 0; i < 57; i++) {
        const double *labels = &s.q[s.rope->label[s.arc->first_element]];
        const int count = place_all(&s, touches);
        double sum = 0;
        for (int k = 0; k < count; k++) {
            const double before = touches[k].label - labels[0];
            const double behind = labels[s.arc->elements] - touches[k].label;
            sum += touches[k].at.share;
            assert_true(touches[k].at.share >= 0 && touches[k].at.share <= 1);
            assert_near(touches[k].at.inset, fmin(before, behind), 1e-10, 0);
            assert_true(touches[k].at.share <= 0 || touches[k].at.gap < 0);
            assert_near(hypot(touches[k].at.normal[0], touches[k].at.normal[1]), 1, 1e-12, 0);
            assert_near(touches[k].at.normal[0], cos(touches[k].angle), 1e-11, 0);
            assert_near(touches[k].at.normal[1], sin(touches[k].angle), 1e-11, 0);
        }
        assert_near(sum * s.side.spacing, labels[s.arc->elements] - labels[0], 1e-12, 0);
        shift(&s, 0.01 / 19);
    }
    reeving_close(&s.c);
}

/* A knot before the sheave has a gap and counts the way to it. */
static void a_knot_outside_is_open(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, false);
    s.label = s.q[s.rope->label[s.arc->first_element]] - 0.03;
    haw_knot_press touch = place(&s, s.q);
    assert_near(touch.at.share, 0, 0, 0);
    assert_near(touch.at.gap, 0.03 - 0.5 * s.side.spacing, 1e-10, 0);
    assert_near(touch.at.inset, -0.03, 1e-10, 0);
    const double slide = touch.at.slide;
    shift(&s, 0.01); /* the rope moves on, towards growing angles of a clockwise course */
    touch = place(&s, s.q);
    assert_near(fabs(touch.at.slide - slide), 0.01, 0, 3e-3);
    reeving_close(&s.c);
}

/* Power of the friction is -sum f gamma_T, moment and labels together. */
static void friction_does_the_work_of_its_slip(void **state)
{
    (void)state;
    for (int is_free = 0; is_free < 2; is_free++) {
        stage s;
        double normal[FINITE_MAX] = {0}, tangential[FINITE_MAX] = {0}, power = 0, want = 0;
        uint64_t seed = 9;
        open_stage(&s, is_free == 1);
        const int count = place_all(&s, touches);
        for (int k = 0; k < count; k++) {
            touches[k].is_closed = k % 5 != 0;
            touches[k].at.n.force = 30;
            touches[k].at.f.force = 10 * random_signed(&seed);
            want -= touches[k].is_closed ? touches[k].at.f.force * touches[k].at.rate[1] : 0;
        }
        haw_knot_kernel_arc1d.apply(&s.side, count, touches, normal, tangential);
        for (int i = 0; i < s.n; i++) {
            power += tangential[i] * s.u[i];
            assert_near(normal[i], 0, 0, 0);
        }
        assert_near(power, want, 0, 1e-12);
        reeving_close(&s.c);
    }
}

TEST_FILE(test_rope_arc_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_slopes_of_gap_and_slide),
        cmocka_unit_test(shares_add_up_to_the_rope_on_the_sheave),
        cmocka_unit_test(a_knot_outside_is_open),
        cmocka_unit_test(friction_does_the_work_of_its_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
