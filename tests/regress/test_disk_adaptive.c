/* SPDX-License-Identifier: BSD-3-Clause */
/* The disk impact on an adaptive contact grid is that on the grid which is as dense everywhere, by
 * every stepper and law. */
#include "model/model.h"
#include "support/scenario.h"

enum { STATE = 5 };

/* Velocities, position in x and spin of the disk at the end; the places that were looked at. */
typedef struct disk_end {
    double value[STATE];
    int looked, points;
} disk_end;

static disk_end run_disk(const char *scenario, const char *const *set)
{
    scenario_run run;
    scenario_init(&run, scenario);
    for (; *set != NULL; set++) {
        scenario_set(&run, "%s", *set);
    }
    scenario_complete(&run);
    const disk_end end = {
        .value = {scenario_last(&run, "disk.velocity", 0), scenario_last(&run, "disk.velocity", 1),
                  scenario_last(&run, "disk.spin", 0), scenario_last(&run, "disk.position", 0),
                  scenario_last(&run, "cable.tension_mean", 0)},
        .looked = run.summary.certificate.grid_points_max,
        .points = run.model->points};
    const haw_ledger *ledger = &run.summary.ledger;
    assert_near(ledger->balance_drift, 0, 1e-7 * ledger->initial, 0);
    scenario_close(&run);
    return end;
}

/* Most is the share of the dense grid's points that may be looked at. */
static void compare_with_dense(const char *name, const char *const *set, double most)
{
    const char *dense[8] = {"contact.refine=off", "contact.points_per_element=64"};
    for (int i = 0; set[i] != NULL; i++) {
        dense[i + 2] = set[i];
    }
    const disk_end a = run_disk("disk-impact-adaptive", set);
    const disk_end b = run_disk("disk-impact-adaptive", dense);
    double worst = 0;
    for (int i = 0; i < STATE; i++) {
        worst = fmax(worst, fabs(a.value[i] - b.value[i]));
    }
    print_message("%s: off by %.2g; looked at %d of %d points, dense at %d\n", name, worst,
                  a.looked, b.points, b.looked);
    assert_true(worst <= 1e-12);
    assert_int_equal(a.points, b.points);
    assert_true(a.looked <= most * b.points);
    assert_true(a.looked < b.looked);
}

static void the_impact_is_that_on_the_dense_grid(void **state)
{
    (void)state;
    compare_with_dense("moreau", (const char *const[]){NULL}, 0.08);
    compare_with_dense("moreau-jean",
                       (const char *const[]){"stepper={type: moreau-jean, step: 1.0e-4, end: 0.25}",
                                             "solver={type: auto, tolerance: 1.0e-8}", NULL},
                       0.08);
    compare_with_dense("nsga",
                       (const char *const[]){"stepper={type: nsga, step: 1.0e-4, end: 0.06}",
                                             "solver={type: auto, tolerance: 1.0e-8}", NULL},
                       0.12);
    compare_with_dense("moreau, polar, offset",
                       (const char *const[]){"stepper.end=0.03", "contact.offset=1.0e-3",
                                             "cables.cable.element=bezier-polar", NULL},
                       0.08);
}

#define PENALTY                                                                                    \
    "contact.law=penalty", "contact.normal_stiffness=1.0e+5", "contact.tangential_stiffness=1.0e+4"

static void histories_of_compliant_laws_are_those_of_the_dense_grid(void **state)
{
    (void)state;
    compare_with_dense("penalty, moreau", (const char *const[]){PENALTY, "stepper.end=0.06", NULL},
                       0.08);
    compare_with_dense("penalty, moreau-jean",
                       (const char *const[]){
                           PENALTY, "stepper={type: moreau-jean, step: 1.0e-4, end: 0.06}", NULL},
                       0.08);
    compare_with_dense(
        "penalty, chords, generalized-alpha",
        (const char *const[]){PENALTY, "contact.kinematics=chord",
                              "stepper={type: generalized-alpha, step: 1.0e-4, end: 0.06}", NULL},
        0.08);
    compare_with_dense("penalty, polar",
                       (const char *const[]){PENALTY, "cables.cable.element=bezier-polar",
                                             "stepper.end=0.03", NULL},
                       0.08);
}

TEST_FILE(test_disk_adaptive)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_impact_is_that_on_the_dense_grid),
        cmocka_unit_test(histories_of_compliant_laws_are_those_of_the_dense_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
