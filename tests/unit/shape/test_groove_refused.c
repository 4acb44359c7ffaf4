/* SPDX-License-Identifier: BSD-3-Clause */
/* Grooves that cannot be, and why. */
#include "support/arena_fixture.h"
#include "support/near.h"
#include "support/surfaces.h"

#include <string.h>

static void assert_refused(const sheave *s, const char *reason)
{
    haw_surface surface;

    assert_int_equal(sheave_open(&arena, s, &surface), HAW_ERR_INPUT);
    if (strstr(haw_context_message(context), reason) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(context), reason);
    }
}

static void bad_grooves_are_refused_with_the_reason(void **state)
{
    sheave s = sheave_v;

    (void)state;
    s.angle_deg = 0.0;
    assert_refused(&s, "'angle_deg' of a groove with the profile 'v' must be > 0");
    s.angle_deg = 180.0;
    assert_refused(&s, "must be between 0 and 175 deg");
    s.angle_deg = 10.0;
    assert_refused(&s, "the flanks would not meet above the axis");
    s = sheave_v;
    s.rim = 0.32;
    assert_refused(&s, "above the circle where the rope touches the flanks (0.325 m)");
    s = sheave_flat;
    s.bottom = 0.0;
    assert_refused(&s, "needs the radius 'bottom'");
    s.bottom = 0.24;
    assert_refused(&s, "above the edge in which the flanks would meet (0.25 m)");
    s.bottom = 0.45;
    assert_refused(&s, "below the rim (0.45 m)");
    s = sheave_u;
    s.groove_radius = 0.0;
    assert_refused(&s, "needs its 'groove_radius'");
    s.groove_radius = 0.05;
    assert_refused(&s, "greater than the radius of its rope (0.05 m)");
    s = sheave_u;
    s.rim = 0.3;
    assert_refused(&s, "above the bottom (0.3 m)");
    s = sheave_u;
    s.rope_radius = 0.4;
    s.groove_radius = 0.5;
    assert_refused(&s, "less than the radius (0.35 m)");
    s = sheave_u;
    s.profile = "w";
    assert_refused(&s, "unknown word 'w' for 'profile'");
}

TEST_FILE(test_groove_refused)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_grooves_are_refused_with_the_reason),
    };

    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
