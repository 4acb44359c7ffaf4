/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings that collide so fast that their stretch counts (doc/theory/cable-cable.md, collision). */
#include "support/scenario.h"

typedef struct string {
    double stiffness, density, tension;
} string;

static void set_string(scenario_run *run, char name, const string *s)
{
    scenario_set(run, "cables.%c.elements=200", name);
    scenario_set(run, "cables.%c.stiffness=%g", name, s->stiffness);
    scenario_set(run, "cables.%c.density=%g", name, s->density);
    scenario_set(run, "cables.%c.tension=%g", name, s->tension);
}

/* N and the speed of the contact until a wave is back from a support, in an implicit run of 200
 * elements; means after twenty elements have been passed. */
static void strings_that_are_stretched_press_as_waves_say(void **state)
{
    static const struct {
        string a, b;
        double speed, normal, contact;
    } of[] = {
        {{1e4, 1e-3, 100}, {1e4, 1e-3, 100}, 100, 33.25424, 50},
        {{1e4, 1e-3, 100}, {2e4, 2e-3, 50}, 60, 20.34863, 31.58431},
    };

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "two-strings-collide");
        set_string(&run, 'a', &of[i].a);
        set_string(&run, 'b', &of[i].b);
        scenario_set(&run, "cables.b.velocity=[0, 0, %g]", -of[i].speed);
        for (int end = 0; end < 2; end++) {
            scenario_set(&run, "cables.b.ends.%s.motion.velocity=[0, 0, %g]",
                         end == 0 ? "start" : "end", -of[i].speed);
        }
        scenario_set(&run, "stepper.step=2e-6");
        scenario_set(&run, "stepper.end=2.9e-4");
        scenario_set(&run, "output.every=1e-5");
        scenario_set(&run, "output.probes=[contact.impulse, \"a.position[0.5:0.5]\"]");
        scenario_complete(&run);
        const int from = scenario_frame_at(&run, 1.2e-4), to = scenario_frame_at(&run, 2.8e-4);
        const double time = scenario_time(&run, to) - scenario_time(&run, from);
        const double normal = fabs(scenario_at(&run, to, "contact.impulse", 2) -
                                   scenario_at(&run, from, "contact.impulse", 2)) /
                              time;
        const double speed = fabs(scenario_at(&run, to, "a.position[0.5:0.5]", 2) -
                                  scenario_at(&run, from, "a.position[0.5:0.5]", 2)) /
                             time;
        print_message("N %g (%g), w %g (%g)\n", normal, of[i].normal, speed, of[i].contact);
        assert_near(normal, of[i].normal, 0, 3e-3);
        assert_near(speed, of[i].contact, 0, 3e-3);
        assert_near(run.summary.ledger.balance_error, 0, 1e-8, 0); /* of some ten joules */
        scenario_close(&run);
    }
}

TEST_FILE(test_strings_collide)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_that_are_stretched_press_as_waves_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
