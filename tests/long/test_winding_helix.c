/* SPDX-License-Identifier: BSD-3-Clause */
/* Continuous winding with a traversing guide: the pitch of the helix (data/scenarios). */
#include "support/scenario.h"

/* dz/ds = sin(beta) with tan(beta) = v_z / (R' omega) = 0.2, whatever friction holds the yarn. */
static void the_pitch_is_traverse_over_surface_speed(void **state)
{
    static const double friction[] = {0.1, 0.4, 0.4};
    (void)state;
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        scenario_init(&run, "winding-helix");
        scenario_set(&run, "contact.yarn-drum.friction=%g", friction[i]);
        scenario_set(&run, i < 2 ? "stepper.type=moreau-jean" : "stepper.type=nsga");
        scenario_complete(&run);
        const double got = scenario_last(&run, "yarn.position.z[0.75:0.75]", 0) -
                           scenario_last(&run, "yarn.position.z[0.7:0.7]", 0);
        print_message("mu %g: %.7f\n", friction[i], got);
        assert_near(got, 0.13 * sin(atan(0.2)), 0, 1e-3);
        scenario_close(&run);
    }
}

TEST_FILE(test_winding_helix)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pitch_is_traverse_over_surface_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
