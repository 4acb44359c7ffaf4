/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation of ropes over sheaves: reported, freed, none in steps. */
#include "support/failing_run.h"
#include "support/rope_ride.h"

enum { STEPS = 3 };

typedef struct ride_case {
    const char *element, *law, *stepper;
} ride_case;

static const ride_case cases[] = {{"ale", "penalty", "generalized-alpha"},
                                  {"arc1d", "penalty", "generalized-alpha"},
                                  {"ale", "penalty", "quasi-static"},
                                  {"ale", "hard", "moreau-jean"}};

static void draw(const ride_case *c, rope_ride *ride)
{
    ride_elevator(ride, c->element);
    ride->cable.elements = 12;
    ride->contact.spacing = 0.24 * acos(-1) / 48;
    if (strcmp(c->law, "hard") == 0) {
        ride->cable.bending_stiffness = 0;
        ride_contact(ride, ride->contact.spacing);
        ride->contact.friction = 0.2;
        ride->contact.law = "hard";
        ride->contact.normal = ride->contact.tangential = NULL;
        ride->contact.per = HAW_PER_POINT;
    }
}

static void settle(haw_context *context, const ride_case *c, haw_run_settings *settings)
{
    assert_int_equal(haw_run_settings_init(context, settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, c->stepper, &settings->stepper), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings->stepper, "step", 1e-3), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings->stepper, "end", 2), HAW_OK);
    settings->on_unconverged = HAW_UNCONVERGED_HALVE;
}

static haw_status run(haw_context *context, void *user)
{
    rope_ride ride;
    haw_run_settings settings;
    draw(user, &ride);
    settle(context, user, &settings);
    return failing_run(context, &ride.scene, &settings, STEPS);
}

static void every_failing_allocation_of_a_rope_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ride_case c = cases[i];
        print_message("%s, %s: %ld allocations\n", c.element, c.stepper, failing_loop(run, &c));
    }
}

/* Knots come in and leave by then; solvers of set-valued contact have memory of their own. */
static void steps_of_a_ride_allocate_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].law, "hard") == 0) {
            continue;
        }
        counting count = {0};
        const haw_allocator allocator = counting_allocator(&count);
        rope_ride ride;
        rig r;
        memset(&r, 0, sizeof r);
        assert_int_equal(haw_context_create(&allocator, &r.context), HAW_OK);
        draw(&cases[i], &ride);
        settle(r.context, &cases[i], &r.settings);
        rig_build(&r, &ride.scene);
        rig_steps(&r, 600);
        const long calls = count.calls;
        rig_steps(&r, 600);
        assert_int_equal(count.calls, calls);
        rig_close(&r);
        assert_int_equal(count.live, 0);
    }
}

TEST_FILE(test_memory_rope)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_of_a_rope_is_reported),
        cmocka_unit_test(steps_of_a_ride_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
