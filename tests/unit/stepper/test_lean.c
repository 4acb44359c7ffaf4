/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean rows: forces turn about one axis by the angle between the normals, moments with the body. */
#include "stepper/lean.h"
#include "support/near.h"

#include <string.h>

static const double TURN = 0.3, THETA = 0.6;

enum { POINTS = 3 };

typedef struct stage {
    haw_model model;
    haw_pair pair;
    haw_touch touch[POINTS];
    haw_contacts contacts;
    double impulse[3 * POINTS];
    double increment[12];
    haw_leaning before[POINTS], now[POINTS];
} stage;

/* A ball on a body in space; its normal was the x axis and has turned about z. */
static void open_stage(stage *s, int count)
{
    memset(s, 0, sizeof *s);
    s->model.dimension = 3;
    s->model.kind = haw_body_kind_find(3);
    s->model.pair = &s->pair;
    s->contacts =
        (haw_contacts){.model = &s->model, .dimension = 3, .count = count, .item = s->touch};
    for (int i = 0; i < count; i++) {
        haw_touch *touch = &s->touch[i];
        touch->id = i;
        touch->element = -1;
        touch->turning = 1;
        touch->normal[0] = cos(TURN);
        touch->normal[1] = sin(TURN);
        haw_side_set(&touch->side[0], -1, 0, 0, 6);
        haw_side_set(&touch->side[1], -1, 1, 6, 6);
        for (int k = 0; k < 6; k++) {
            touch->side[0].row[0][k] = 1 + k + 10 * i;
            touch->side[1].row[0][k] = -3 + 2 * k;
        }
        s->before[i].normal[0] = 1;
        s->impulse[(ptrdiff_t)3 * i] = 1;
    }
}

/* What v[0], v[1] are after a turn about z. */
static void check_row(const double row[6], const double v[6], double theta, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double turned[6] = {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2], v[3], v[4], v[5]};
    for (int k = 0; k < 6; k++) {
        assert_near(row[k], theta * v[k] + (1 - theta) * turned[k], 1e-13, 0);
    }
}

static void forces_turn_to_their_mean_and_moments_stay(void **unused)
{
    static const double own[6] = {1, 2, 3, 4, 5, 6}, other[6] = {-3, -1, 1, 3, 5, 7};
    stage s;
    (void)unused;
    open_stage(&s, 1);
    haw_lean(&s.contacts, s.before, s.impulse, THETA, s.increment, s.now);
    check_row(s.touch[0].side[0].row[0], own, THETA, -TURN);
    check_row(s.touch[0].side[1].row[0], other, THETA, -TURN);
    assert_true(s.now[0].is_mean && s.touch[0].turning == THETA);
    assert_true(s.now[0].normal[0] == cos(TURN) && s.now[0].normal[1] == sin(TURN));
}

/* A body that turns by w about z in the step takes moments about its axes in the middle of it. */
static void moments_act_about_the_axes_in_the_middle_of_the_step(void **unused)
{
    static const double own[6] = {1, 2, 3, 4, 5, 6}, other[6] = {-3, -1, 1, 3, 5, 7};
    const double w = 0.4;
    stage s;
    (void)unused;
    open_stage(&s, 1);
    s.increment[5] = w;
    haw_lean(&s.contacts, s.before, s.impulse, THETA, s.increment, s.now);
    const double *row = s.touch[0].side[0].row[0];
    assert_near(row[3], cos(w / 2) * own[3] - sin(w / 2) * own[4], 1e-13, 0);
    assert_near(row[4], sin(w / 2) * own[3] + cos(w / 2) * own[4], 1e-13, 0);
    assert_near(row[5], own[5], 1e-13, 0);
    check_row(s.touch[0].side[1].row[0], other, THETA, -TURN);
}

static void what_lands_rebounds_or_meets_another_side_does_not_lean(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        stage s;
        open_stage(&s, 1);
        s.impulse[0] = i == 0 ? 0 : 1;
        s.pair.options.restitution = i == 1 ? 0.5 : 0;
        s.before[0].normal[0] = i == 2 ? cos(TURN + 1.1) : 1;
        s.before[0].normal[1] = i == 2 ? sin(TURN + 1.1) : 0;
        haw_lean(&s.contacts, s.before, s.impulse, THETA, s.increment, s.now);
        assert_true(s.touch[0].side[0].row[0][0] == 1 && s.touch[0].side[0].row[0][1] == 2);
        assert_true(!s.now[0].is_mean && s.touch[0].turning == 1);
    }
}

/* Touches of an element turn as the first of them does, whatever they did themselves. */
static void touches_of_an_element_lean_alike(void **unused)
{
    static const double own[6] = {21, 22, 23, 24, 25, 26};
    stage s;
    (void)unused;
    open_stage(&s, POINTS);
    for (int i = 0; i < POINTS; i++) {
        s.touch[i].element = 7;
    }
    s.impulse[0] = 0; /* has just landed: the second one leads */
    s.before[2].normal[0] = cos(0.1);
    s.before[2].normal[1] = sin(0.1);
    haw_lean(&s.contacts, s.before, s.impulse, THETA, s.increment, s.now);
    assert_true(!s.now[0].is_mean && s.now[1].is_mean);
    check_row(s.touch[2].side[0].row[0], own, THETA, -TURN);
}

TEST_FILE(test_lean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_turn_to_their_mean_and_moments_stay),
        cmocka_unit_test(moments_act_about_the_axes_in_the_middle_of_the_step),
        cmocka_unit_test(what_lands_rebounds_or_meets_another_side_does_not_lean),
        cmocka_unit_test(touches_of_an_element_lean_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
