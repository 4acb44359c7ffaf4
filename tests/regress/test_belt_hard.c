/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The belt drive with hard contact, 90 elements, over the whole 2.45 s: with 60, in steps of 1 ms,
 * any digit that changes moves F1 by 0.4 N. It is the limit of stiff
 * contact and of fine segments: the published runs tend to it (0.016 rad/s in the spin of P2 from
 * the published reference, which has segments of its own), and Eytelwein's law holds on the slip
 * arcs.
 */
#include "support/belt.h"

#include <math.h>

/* Last value of a probe by its name in the results. */
static double last(const scenario_run *run, const char *name)
{
    int column = 2;
    for (int i = 0; i < run->scenario->run.probes; i++) {
        if (strcmp(haw_run_probe_name(&run->scenario->run, i), name) == 0) {
            return run->value[(ptrdiff_t)(run->frames - 1) * run->columns + column];
        }
        column += haw_simulation_probe_size(run->simulation, i);
    }
    fail_msg("no probe %s", name);
    return 0;
}

static void the_hard_belt_keeps_every_step_and_balances_its_torques(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "belt-drive");
    scenario_set(&run, "contact.law=hard");
    scenario_set(&run, "cables.belt.elements=90");
    scenario_set(&run, "stepper.type=moreau-jean");
    scenario_set(&run, "stepper.step=5.0e-4");
    scenario_set(&run, "stepper.theta=0.51");
    scenario_complete(&run);
    const haw_summary *s = &run.summary;
    const double tight = last(&run, "tension_tight"), slack = last(&run, "tension_slack");
    const double torque = last(&run, "torque_p1_mean"), spin = last(&run, "omega_p2_mean");
    print_message("F1 %.3f N, F2 %.3f N, torque %.4f N m, spin %.5f rad/s, mu %.5f %.5f, %.1f s\n",
                  tight, slack, torque, spin, last(&run, "mu_effective_p1"),
                  last(&run, "mu_effective_p2"), s->cpu_seconds);
    assert_near((tight - slack) * 0.1, torque, 0, 5e-3);
    assert_near(torque, 25 + 2 * spin, 0, 2e-3);
    assert_near(tight, 664.52, 1, 0);
    assert_near(slack, 186.27, 1, 0);
    assert_near(spin, 11.3248, 0.02, 0);
    assert_near(last(&run, "mu_effective_p1"), 0.5, 0.002, 0);
    assert_near(last(&run, "mu_effective_p2"), 0.5, 0.002, 0);
    assert_true(s->certificate.penetration_points_max < 1e-6);
    assert_true(s->certificate.residual_max <= 1e-8);
    assert_true(fabs(s->ledger.balance_drift) <= 1e-8 * s->ledger.external_work);
    scenario_close(&run);
}

TEST_FILE(test_belt_hard)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hard_belt_keeps_every_step_and_balances_its_torques),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
