/* SPDX-License-Identifier: BSD-3-Clause */
/* Every shipped scenario, and the variants of the belt drive by settings alone, take three steps.
 */
#include "support/scenario.h"

#include <dirent.h>

enum { STEPS = 3 };

/* The step of a scenario with its settings; NAN: auto, or none. */
static double step_of(const scenario_run *run)
{
    const haw_stepper_common *common =
        (const haw_stepper_common *)run->scenario->run.stepper.options;
    return common->step;
}

static void take_steps(const char *name, const char *const *set)
{
    scenario_run run;
    scenario_init(&run, name);
    for (int i = 0; set != NULL && set[i] != NULL; ++i) {
        scenario_set(&run, "%s", set[i]);
    }
    scenario_set(&run, "stepper.end=1.0e-5");
    scenario_open(&run);
    const double step = step_of(&run);
    scenario_close(&run);
    run = (scenario_run){.name = name};
    for (int i = 0; set != NULL && set[i] != NULL; ++i) {
        scenario_set(&run, "%s", set[i]);
    }
    scenario_set(&run, "stepper.end=%.17g", isnan(step) ? 1e-5 : STEPS * step);
    scenario_complete(&run);
    print_message("%s %s: %ld steps, %.3g s\n", name, set != NULL && set[0] != NULL ? set[0] : "",
                  run.summary.steps, run.summary.cpu_seconds);
    assert_true(run.summary.steps >= 1);
    for (int i = 0; i < run.columns; ++i) {
        assert_true(i < 2 || !isinf(run.value[i]));
    }
    scenario_close(&run);
}

static void every_shipped_scenario_takes_its_first_steps(void **state)
{
    DIR *folder = opendir("data/scenarios");
    int count = 0;
    (void)state;
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[300];
        const char *dot = strstr(entry->d_name, ".yaml");
        if (dot == NULL) {
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - entry->d_name), entry->d_name);
        take_steps(name, NULL);
        ++count;
    }
    (void)closedir(folder);
    assert_true(count >= 24);
}

static void variants_of_the_belt_drive_are_settings_alone(void **state)
{
    static const char *const variants[][4] = {
        {"cables.belt.elements=60"},
        {"cables.belt.elements=120"},
        {"cables.belt.elements=480", "stepper.step=1.0e-5"},
        {"contact.points_per_element=8"},
        {"cables.belt.quadrature=a"},
        {"cables.belt.quadrature=b"},
        {"contact.friction=1"},
        {"contact.normal_stiffness=4.0e8"},
        {"contact.tangential_stiffness=5.0e8"},
        {"contact.switching=post-newton"},
        {"contact.kinematics=curve"},
        {"contact.law=hard", "stepper.type=moreau-jean", "stepper.step=1.0e-3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i) {
        take_steps("belt-drive", variants[i]);
    }
}

TEST_FILE(test_scenario_runs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_scenario_takes_its_first_steps),
        cmocka_unit_test(variants_of_the_belt_drive_are_settings_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
