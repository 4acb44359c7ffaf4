/* SPDX-License-Identifier: BSD-3-Clause */
/* Benchmark W1 on springs and bristles: as they stiffen, the onset of slip tends to the hard one.
 */
#include "support/winding_run.h"

#include <math.h>

static void the_onset_of_slip_tends_to_that_of_hard_contact(void **unused)
{
    haw_ledger ledger;
    double error[3];
    (void)unused;
    const double hard = winding_onset(0, &ledger);
    assert_near(hard, 7.5456, 0, 1e-3); /* slip front of the string */
    for (int i = 0; i < 3; i++) {
        const double k = i == 0 ? 1e4 : (i == 1 ? 1e5 : 1e6);
        error[i] = winding_onset(k, &ledger) / hard - 1;
        print_message("k = %g N/m: onset off by %.3g, losses: friction %.3g J, contact %.3g J\n", k,
                      error[i], ledger.friction_loss, ledger.impact_loss);
        assert_near(ledger.balance_drift, 0, 1e-6, 0);
        /* what sticks on the drum neither loses nor makes energy, however fast it turns */
        assert_true(ledger.friction_loss > 0 && fabs(ledger.impact_loss) < 5e-3);
    }
    assert_near(error[2], 0, 1e-3, 0);
    assert_near(error[0] / error[1], 10, 1, 0);
    assert_near(error[1] / error[2], 10, 1.2, 0);
}

static void nsga_finds_that_of_the_string(void **unused)
{
    scenario_run run;
    (void)unused;
    scenario_init(&run, "yarn-penalty");
    scenario_set(&run, "stepper={type: nsga, rho_infinity: 0.5, step: 5.0e-3, end: 8, "
                       "max_newton: 100}");
    scenario_complete(&run);
    assert_near(winding_probe(&run, -1, "t_slip_25"), 7.5456, 0, 1e-3);
    assert_near(run.summary.ledger.balance_drift, 0, 1e-6, 0);
    scenario_close(&run);
}

TEST_FILE(test_yarn_penalty)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_onset_of_slip_tends_to_that_of_hard_contact),
        cmocka_unit_test(nsga_finds_that_of_the_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
