/* SPDX-License-Identifier: BSD-3-Clause */
/* The last of three decades of test_yarn_penalty: nodes touch and part within a step. */
#include "support/winding_run.h"

#include <math.h>

static void the_onset_of_slip_on_stiff_springs_is_that_of_hard_contact(void **unused)
{
    haw_ledger ledger;
    (void)unused;
    const double hard = winding_onset(0, &ledger), error = winding_onset(1e7, &ledger) / hard - 1;
    print_message("onset off by %.3g\n", error);
    assert_near(error, 0, 1e-6, 0);
    assert_true(ledger.friction_loss > 0 && fabs(ledger.impact_loss) < 5e-3);
}

TEST_FILE(test_yarn_stiff)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_onset_of_slip_on_stiff_springs_is_that_of_hard_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
