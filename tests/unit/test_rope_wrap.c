/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rope shows on its sheaves: entry and exit as it runs, tensions, slip arc; which quantities
 * ropes and belts have. */
#include "stepper/belt.h"
#include "support/rope_ride.h"
#include "support/scenario.h"

static const double pi = 3.14159265358979323846, RADIUS = 0.24;

/* A rope on a sheave that starts to turn at once; > 0: the car, on the left, goes down. */
static const haw_belt_wrap *run(rig *r, rope_ride *ride, const char *element, double spin)
{
    ride_elevator(ride, element);
    ride->time[0] = 0;
    ride->spin[0] = 0;
    for (int i = 1; i < RIDE_TIMES; i++) {
        ride->time[i] = 1 + i;
        ride->spin[i] = spin;
    }
    ride_alpha(r, 5e-3, 2.5);
    rig_set(r, "newton_tolerance", 1e-6);
    rig_build(r, &ride->scene);
    rig_steps(r, 500);
    return haw_belt_wrap_get(r->simulation, 0);
}

static void check_direction(const char *element, bool is_down, haw_belt_wrap *kept)
{
    rig r;
    rope_ride ride;
    const haw_belt_wrap *wrap = run(&r, &ride, element, is_down ? 4 : -4);
    const double span[2] = {ride_tension(&r, 0), ride_tension(&r, 1)};
    print_message("%s, car %s: entry %.4f, exit %.4f rad, tensions in %.1f, out %.1f N, sticks "
                  "over %.4f, slips over %.4f rad, creep %.3e\n",
                  element, is_down ? "down" : "up", wrap->entry, wrap->exit, wrap->side[0],
                  wrap->side[1], wrap->stick, wrap->slip, wrap->creep);
    assert_near(fabs(wrap->entry), is_down ? 0 : pi, 0.08, 0);
    assert_near(fabs(wrap->exit), is_down ? pi : 0, 0.08, 0);
    assert_near(wrap->side[is_down ? 1 : 0], span[0], 0.01 * span[0], 0);
    assert_near(wrap->side[is_down ? 0 : 1], span[1], 0.02 * span[1], 0);
    assert_near(wrap->slip, 0, 1e-12, 0);
    assert_near(wrap->stick, pi, 0.08, 0);
    assert_near(wrap->length, pi * RADIUS, 0.03, 0);
    *kept = *wrap;
    rig_close(&r);
}

static void entry_and_exit_are_those_of_the_motion(void **state)
{
    static const char *const element[] = {"arc1d", "ale"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        haw_belt_wrap down, up;
        check_direction(element[i], true, &down);
        check_direction(element[i], false, &up);
        assert_true(down.side[0] < down.side[1] && up.side[0] > up.side[1]);
        assert_near(fabs(down.entry), fabs(up.exit), 0.02, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_and_exit_are_those_of_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
