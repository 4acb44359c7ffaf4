/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole run of a ball on a net of 12 + 12 strings, implicit and explicit. */
#include "support/scenario.h"

static void check_run(scenario_run *run)
{
    scenario_complete(run);
    const haw_certificate *certificate = &run->summary.certificate;
    const double energy = run->summary.ledger.kinetic + run->summary.ledger.elastic;
    assert_int_equal(certificate->unconverged_steps, 0);
    assert_true(certificate->contacts_max >= 3);
    assert_near(run->summary.ledger.balance_error, 0, 1e-12 * energy, 0);
    assert_true(run->summary.ledger.friction_loss > 1e-3);
    print_message("%ld steps, drift %.1e m, balance %.1e of the energy, KLU %ld, CHOLMOD %ld\n",
                  run->summary.steps, certificate->joint_drift_max,
                  run->summary.ledger.balance_error / energy,
                  run->summary.sparse.klu_factorizations, run->summary.sparse.cholmod_solves);
}

static void every_step_converges(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "ball-on-net");
    check_run(&run);
    assert_near(run.summary.certificate.joint_drift_max, 0, 1e-10, 0);
    assert_true(run.summary.sparse.klu_factorizations >= 500);
    scenario_close(&run);
}

static void so_do_explicit_steps(void **state)
{
    (void)state;
    scenario_run run;
    scenario_init(&run, "ball-on-net");
    scenario_set(&run, "stepper={type: moreau, step: 3.5e-5, end: 0.5}");
    scenario_set(&run, "contact.depth_limit=0.2");
    check_run(&run);
    assert_near(run.summary.certificate.joint_drift_max, 0, 1e-12, 0);
    assert_true(run.summary.sparse.cholmod_factorizations <= 2);
    scenario_close(&run);
}

TEST_FILE(test_ball_on_net)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_converges),
        cmocka_unit_test(so_do_explicit_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
