/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that touch cables: whole runs against closed forms, and what is reported of them. */
#include "support/scenario.h"

/* A line has neither a centre nor an axis: angles about it are no numbers, lengths and tensions
 * are. */
static void zones_of_contact_with_a_line_are_measured(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "crossing-strings");
    scenario_set(&run, "output.probes=[contact.contact_length, contact.tension_in, "
                       "contact.slip_angle, contact.friction_effective, a.tension_mean]");
    scenario_complete(&run);
    const double spacing = 1.0 / 40 / 100; /* 0.25 mm, an eighth of the radius */
    const double length = scenario_last(&run, "contact.contact_length", 0);
    assert_true(length > 0.9 * spacing && length < 4 * spacing);
    assert_near(scenario_last(&run, "contact.tension_in", 0),
                scenario_last(&run, "a.tension_mean", 0), 0, 1e-6);
    assert_true(isnan(scenario_last(&run, "contact.slip_angle", 0)));
    assert_true(isnan(scenario_last(&run, "contact.friction_effective", 0)));
    scenario_close(&run);
}

TEST_FILE(test_cable_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_of_contact_with_a_line_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
