/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a Newton step that is gone, for works that are known. */
#include "statics/search.h"
#include "support/near.h"

/* Work 1 at the start, `slope` until `kink` and `wall` beyond it; NAN from `end` on. */
typedef struct way {
    double slope, kink, wall, end;
    double part, work; /* last asked for */
    int asked;
} way;

static haw_status go(void *user, double part, double *work)
{
    way *w = user;
    w->part = part;
    w->asked++;
    w->work = 1 - w->slope * part - w->wall * fmax(0, part - w->kink);
    *work = part < w->end ? w->work : (double)NAN;
    return HAW_OK;
}

/* One evaluation, as the work of Newton's method on a linear residual is 0 there. */
static void goes_whole_steps(void **state)
{
    way linear = {.slope = 1, .kink = 1, .end = 2}, soft = {.slope = 0.1, .kink = 1, .end = 2};
    (void)state;
    assert_int_equal(haw_search(go, &linear, 1, 1, 0.8), HAW_OK);
    assert_true(linear.part == 1 && linear.asked == 1);
    assert_int_equal(haw_search(go, &soft, 1, 1, 0.8), HAW_OK);
    assert_true(soft.part == 1 && soft.asked == 1);
    assert_int_equal(haw_search(go, &soft, 0.25, 1, 0.8), HAW_OK);
    assert_true(soft.part == 0.25);
}

/* A wall two hundred times as stiff, at a thirtieth of the way, is met where it stands. */
static void meets_a_wall(void **state)
{
    way w = {.slope = 0.5, .kink = 0.03, .wall = 100, .end = 2};
    (void)state;
    assert_int_equal(haw_search(go, &w, 1, 1, 0.8), HAW_OK);
    assert_true(fabs(w.work) <= 0.8);
    assert_true(w.part > 0 && w.part < 0.05);
    assert_int_equal(haw_search(go, &w, 1, 1, INFINITY), HAW_OK);
    assert_true(w.work >= -0.8);
}

static void comes_back_from_where_nothing_is_known(void **state)
{
    way w = {.slope = 2, .kink = 1, .end = 0.6};
    (void)state;
    assert_int_equal(haw_search(go, &w, 1, 1, 0.8), HAW_OK);
    assert_true(w.part < w.end && fabs(w.work) <= 0.8);
}

TEST_FILE(test_search)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_whole_steps),
        cmocka_unit_test(meets_a_wall),
        cmocka_unit_test(comes_back_from_where_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
