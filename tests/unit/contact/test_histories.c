/* SPDX-License-Identifier: BSD-3-Clause */
/* What compliant contact remembers of its points within a step. */
#include "contact/histories.h"
#include "support/arena_fixture.h"
#include "support/near.h"

enum { POINTS = 3, CHATTERING = 1, QUIET = 2 };

static void open_histories(haw_histories *h, double *state)
{
    assert_int_equal(haw_histories_create(&arena, POINTS, h), HAW_OK);
    for (int i = 0; i < POINTS; i++) {
        haw_history_open(state + (ptrdiff_t)i * HAW_HISTORY);
    }
}

static void a_point_that_chatters_keeps_its_state(void **unused)
{
    haw_histories h;
    double state[POINTS * HAW_HISTORY];
    (void)unused;
    open_histories(&h, state);
    haw_histories_begin(&h, HAW_DYNAMICS, state);
    assert_true(haw_history_is_new(&h, CHATTERING));
    bool is_closed = true;
    assert_true(haw_history_close(&h, CHATTERING, is_closed));
    for (int k = 0; k < HAW_FLIPS_MAX; k++) {
        is_closed = !is_closed;
        assert_int_equal(haw_history_close(&h, CHATTERING, is_closed), is_closed);
        assert_int_equal(h.held, 0);
    }
    assert_int_equal(haw_history_close(&h, CHATTERING, !is_closed), is_closed);
    assert_int_equal(h.held, 1);
    assert_true(haw_history_close(&h, QUIET, true)); /* the others are free */
    haw_histories_begin(&h, HAW_DYNAMICS, state);    /* and so is it in the next step */
    assert_int_equal(haw_history_close(&h, CHATTERING, !is_closed), !is_closed);
}

static void a_bristle_that_chatters_keeps_its_regime(void **unused)
{
    static const haw_regime regime[2] = {HAW_REGIME_STICK, HAW_REGIME_FORWARD};
    haw_histories h;
    double state[POINTS * HAW_HISTORY];
    (void)unused;
    open_histories(&h, state);
    haw_histories_begin(&h, HAW_DYNAMICS, state);
    for (int k = 0; k <= HAW_SLIP_FLIPS_MAX; k++) {
        assert_int_equal(haw_history_slip(&h, CHATTERING, regime[k % 2]), regime[k % 2]);
    }
    const haw_regime last = regime[HAW_SLIP_FLIPS_MAX % 2];
    assert_int_equal(haw_history_slip(&h, CHATTERING, regime[1 - HAW_SLIP_FLIPS_MAX % 2]), last);
    assert_int_equal(h.held, 1);
}

static void statics_hold_nothing(void **unused)
{
    haw_histories h;
    double state[POINTS * HAW_HISTORY];
    (void)unused;
    open_histories(&h, state);
    haw_histories_begin(&h, HAW_STATICS, state);
    for (int k = 0; k < 4 * HAW_SLIP_FLIPS_MAX; k++) {
        assert_int_equal(haw_history_close(&h, CHATTERING, k % 2 == 0), k % 2 == 0);
        assert_int_equal(haw_history_slip(&h, CHATTERING, (haw_regime)(k % 2)), k % 2);
    }
    assert_int_equal(h.held, 0);
}

TEST_FILE(test_histories)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_that_chatters_keeps_its_state),
        cmocka_unit_test(a_bristle_that_chatters_keeps_its_regime),
        cmocka_unit_test(statics_hold_nothing),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
