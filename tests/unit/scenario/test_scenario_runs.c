/* SPDX-License-Identifier: BSD-3-Clause */
/* Every shipped scenario, and the variants of the belt drive by settings alone, take three steps.
 */
#include "support/scenario.h"

#include <dirent.h>

/* AddressSanitizer takes five times as long, and the longest scenario half of it. */
#if defined(__SANITIZE_ADDRESS__)
enum { STEPS = 1 };
#else
enum { STEPS = 3 };
#endif

/* The step of a scenario with its settings; NAN: auto, or none. */
static double step_of(const scenario_run *run)
{
    const haw_stepper_common *common =
        (const haw_stepper_common *)run->scenario->run.stepper.options;
    return common->step;
}

/* What check --resolve prints is the same scenario: run again it gives the same bits. */
static void run_resolved(const scenario_run *run)
{
    haw_context *context = run->context;
    scenario_run twin = {.name = run->name, .context = context};
    char *text = NULL;
    assert_int_equal(haw_scenario_resolve(context, run->scenario, &text), HAW_OK);
    if (haw_scenario_parse(context, "resolved", text, 0, NULL, &twin.scenario) != HAW_OK) {
        fail_msg("%s: %s\n%s", run->name, haw_context_message(context), text);
    }
    assert_int_equal(haw_model_build(context, &twin.scenario->scene, &twin.model), HAW_OK);
    assert_int_equal(
        haw_simulation_create(context, twin.model, &twin.scenario->run, &twin.simulation), HAW_OK);
    assert_int_equal(scenario_try(&twin), HAW_OK);
    const haw_frame *one = haw_simulation_frame(run->simulation);
    const haw_frame *two = haw_simulation_frame(twin.simulation);
    assert_int_equal(run->summary.steps, twin.summary.steps);
    assert_int_equal(one->state->coordinates, two->state->coordinates);
    assert_memory_equal(one->state->q, two->state->q,
                        (size_t)one->state->coordinates * sizeof(double));
    assert_memory_equal(one->state->u, two->state->u, (size_t)one->state->dofs * sizeof(double));
    assert_memory_equal(one->ledger, two->ledger, sizeof *one->ledger);
    assert_int_equal(run->frames * run->columns, twin.frames * twin.columns);
    assert_memory_equal(run->value, twin.value,
                        (size_t)(run->frames * run->columns) * sizeof(double));
    haw_text_free(context, text);
    haw_simulation_free(twin.simulation);
    haw_model_free(twin.model);
    haw_scenario_free(context, twin.scenario);
    free(twin.value);
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
    run_resolved(&run);
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

/* A cable starts at rest on a ball and beside another cable, which has no inside. */
static void bodies_and_cables_are_touched_in_one_static_start(void **state)
{
    static const char ball[] = "bodies=[{name: ball, shape: {type: sphere, radius: 0.1}, "
                               "position: [0.25, 0, -0.1015], motion: {fixed: true}}]";
    static const char *const set[] = {
        "start=static", "stepper.step=0.05", ball,
        "contact=[{between: [a, ball], friction: 0}, {between: [a, b], friction: 0}]", NULL};
    (void)state;
    take_steps("crossing-strings", set);
}

TEST_FILE(test_scenario_runs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_scenario_takes_its_first_steps),
        cmocka_unit_test(variants_of_the_belt_drive_are_settings_alone),
        cmocka_unit_test(bodies_and_cables_are_touched_in_one_static_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
