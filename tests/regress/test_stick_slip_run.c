/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mass pulled by a spring over a plane sticks and slips (K. Ntarladima, M. Pieber, J. Gerstmayr,
 * Nonlinear Dynamics 2023, section 2.4), with bristles and the return map at 1 ms: against the
 * event-exact solution with Coulomb and Stribeck friction, the limit of stiff bristles.
 */
#include "support/scenario.h"
#include "support/validation.h"

enum { SLIPS = 3 };

/* Times at which slips start, and places at which the mass rests before each. */
typedef struct cycle {
    int count;
    double time[SLIPS], place[SLIPS];
} cycle;

static cycle watch(const scenario_run *run)
{
    cycle c = {0};
    bool slides = false;
    for (int i = 0; i < run->frames && c.count < SLIPS; i++) {
        const bool now = scenario_at(run, i, "mass.velocity", 0) > 1e-3;
        if (now && !slides) {
            c.time[c.count] = scenario_time(run, i);
            c.place[c.count++] = scenario_at(run, i, "mass.position", 0);
        }
        slides = now;
    }
    assert_int_equal(c.count, SLIPS);
    return c;
}

static void check(const char *quantity, double found)
{
    double reference, tolerance;
    assert_true(haw_validation("stick-slip", quantity, &reference, &tolerance));
    print_message("%s %.6f, reference %.6f\n", quantity, found, reference);
    assert_near(found, reference, tolerance, 0);
}

static void test_period_and_jump_are_those_of_set_valued_friction(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "lugre-stick-slip");
    scenario_set(&run, "output.every=1.0e-3");
    scenario_complete(&run);
    const cycle c = watch(&run);
    for (int i = 0; i + 1 < SLIPS; i++) {
        check("period", c.time[i + 1] - c.time[i]);
        check("jump", c.place[i + 1] - c.place[i]);
    }
    scenario_close(&run);
}

TEST_FILE(test_stick_slip_run)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_period_and_jump_are_those_of_set_valued_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
