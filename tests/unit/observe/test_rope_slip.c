/* SPDX-License-Identifier: BSD-3-Clause */
/* Slip and stick arcs of a rope on a sheave, from knots that the test lays: either way of running.
 */
#include "observe/belt.h"
#include "support/near.h"

#include <math.h>
#include <string.h>

enum { KNOTS = 40 };

static const double MU = 0.3, WRAP = 3, SLIP = 1.13; /* slip arc where the rope leaves [rad] */

typedef struct stage {
    haw_wrap_knot knot[KNOTS];
    haw_belt_chord chord[KNOTS];
    haw_belt_wrap wrap;
    haw_wrap_passage passage;
} stage;

/* Angle from the exit of knot i from the entry. */
static double before_exit(int i)
{
    return WRAP * (1 - (i + 0.3) / KNOTS);
}

/** @param slip, tangential  of the i-th knot from the entry, the latter over mu N */
static void lay(stage *s, bool forward, double (*slip)(int i), double (*tangential)(int i))
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < KNOTS; i++) {
        const double to = before_exit(i);
        s->knot[forward ? i : KNOTS - 1 - i] = (haw_wrap_knot){
            .angle = forward ? WRAP - to : to, .slip = slip(i), .speed = forward ? 1 : -1};
        s->chord[i] = (haw_belt_chord){
            .angle = WRAP / KNOTS, .normal = 10, .tangential = 10 * MU * tangential(i)};
    }
    s->wrap.chord = s->chord;
    s->passage = (haw_wrap_passage){s->knot, KNOTS, forward, WRAP};
}

static double none(int i)
{
    (void)i;
    return 0;
}

/* From zero where slip begins; a creep of a two-thousandth of it where the rope sticks. */
static double rising_slip(int i)
{
    return -fmax(1e-2 * (SLIP - before_exit(i)), 5e-6);
}

static void set_valued_slip_begins_where_its_velocity_vanishes(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        stage s;
        lay(&s, forward == 1, rising_slip, none);
        haw_wrap_hard_slip(&s.passage, MU, &s.wrap);
        assert_near(s.wrap.slip, SLIP, 1e-12, 0);
        assert_near(s.wrap.stick, WRAP - SLIP, 1e-12, 0);
    }
}

/* Noise of the solver on a rope that sticks all over. */
static double noise(int i)
{
    return 1e-9 * cos(7.0 * i);
}

static void a_set_valued_rope_without_slip_sticks_all_over(void **state)
{
    (void)state;
    stage s;
    lay(&s, true, noise, none);
    haw_wrap_hard_slip(&s.passage, MU, &s.wrap);
    assert_near(s.wrap.slip, 0, 0, 0);
    assert_near(s.wrap.stick, WRAP, 0, 0);
}

/* Up to the limit along a line, as a comb of bristles is loaded. */
static double rising_force(int i)
{
    return fmin(1 - 0.4 * (before_exit(i) - SLIP), 1);
}

/* The same against what slips where the rope enters. */
static double with_slip_at_entry(int i)
{
    return i < 5 ? -1 : rising_force(i);
}

static void bristles_slip_from_where_their_force_reaches_the_limit(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        stage s;
        lay(&s, forward == 1, none, rising_force);
        haw_wrap_slip(&s.passage, MU, &s.wrap);
        assert_near(s.wrap.slip, SLIP, 1e-12, 0);
        assert_near(s.wrap.stick, WRAP - SLIP, 1e-12, 0);
        lay(&s, forward == 1, none, with_slip_at_entry);
        haw_wrap_slip(&s.passage, MU, &s.wrap);
        assert_near(s.wrap.slip, SLIP, 1e-12, 0);
        assert_near(s.wrap.stick, 0.5 * (before_exit(4) + before_exit(5)) - SLIP, 1e-12, 0);
    }
}

static double full(int i)
{
    (void)i;
    return 1;
}

static void a_rope_that_slides_slips_all_over(void **state)
{
    (void)state;
    stage s;
    lay(&s, true, none, full);
    haw_wrap_slip(&s.passage, MU, &s.wrap);
    assert_near(s.wrap.slip, WRAP, 0, 0);
    assert_near(s.wrap.stick, 0, 0, 0);
}

TEST_FILE(test_rope_slip)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_valued_slip_begins_where_its_velocity_vanishes),
        cmocka_unit_test(a_set_valued_rope_without_slip_sticks_all_over),
        cmocka_unit_test(bristles_slip_from_where_their_force_reaches_the_limit),
        cmocka_unit_test(a_rope_that_slides_slips_all_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
