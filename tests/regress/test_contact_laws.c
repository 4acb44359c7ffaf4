/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of moreau-jean on velocities and on positions are two ways to one motion. */
#include "support/scenario.h"

/* A scenario with moreau-jean and this contact_law; the caller closes the run. */
static void run_with(scenario_run *run, const char *name, const char *law, double step, double end)
{
    scenario_init(run, name);
    scenario_set(run, "stepper.type=moreau-jean");
    scenario_set(run, "stepper.contact_law=%s", law);
    scenario_set(run, "stepper.step=%.17g", step);
    scenario_set(run, "stepper.end=%.17g", end);
    scenario_complete(run);
}

/* Kinetic energy and friction loss of a disk on a cable differ between the laws by this [J]. */
static void find_difference(double step, double difference[2])
{
    scenario_run velocity, position;
    run_with(&velocity, "disk-impact", "velocity", step, 0.1);
    run_with(&position, "disk-impact", "position", step, 0.1);
    const haw_ledger *a = &velocity.summary.ledger, *b = &position.summary.ledger;
    assert_true(a->friction_loss > 3 && a->kinetic > 8);
    assert_true(position.summary.certificate.penetration_points_max < 1e-9);
    difference[0] = fabs(b->kinetic - a->kinetic);
    difference[1] = fabs(b->friction_loss - a->friction_loss);
    scenario_close(&velocity);
    scenario_close(&position);
}

static void what_they_differ_by_falls_with_the_step(void **state)
{
    (void)state;
    double coarse[2], fine[2];
    find_difference(1e-4, coarse);
    find_difference(5e-5, fine);
    assert_true(coarse[0] < 0.02 && coarse[1] < 0.002);
    assert_true(fine[0] < 0.6 * coarse[0] && fine[1] < 0.6 * coarse[1]);
}

static void a_cable_round_a_fixed_disk_slips_alike(void **state)
{
    (void)state;
    scenario_run velocity, position;
    run_with(&velocity, "capstan", "velocity", 1e-3, 0.1);
    run_with(&position, "capstan", "position", 1e-3, 0.1);
    assert_near(position.summary.ledger.friction_loss, velocity.summary.ledger.friction_loss, 1e-2,
                0);
    assert_true(position.summary.certificate.residual_max <= 1e-8);
    scenario_close(&velocity);
    scenario_close(&position);
}

static void a_law_that_a_model_has_no_rows_for_is_refused(void **state)
{
    static const struct {
        const char *scenario, *law, *message;
    } rows[] = {{"block-on-incline", "velocity", "the model is spatial"},
                {"elevator", "position", "lies over sheaves"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scenario_run run;
        scenario_init(&run, rows[i].scenario);
        scenario_set(&run, "stepper.type=moreau-jean");
        scenario_set(&run, "stepper.step=1.0e-3");
        scenario_set(&run, "stepper.contact_law=%s", rows[i].law);
        if (i == 1) {
            scenario_set(&run, "contact.law=hard");
        }
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(run.context), rows[i].message));
        scenario_close(&run);
    }
}

TEST_FILE(test_contact_laws)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_they_differ_by_falls_with_the_step),
        cmocka_unit_test(a_cable_round_a_fixed_disk_slips_alike),
        cmocka_unit_test(a_law_that_a_model_has_no_rows_for_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
