/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of a run outlives it. */
#include "base/arena.h"
#include "study/study.h"
#include "support/scenario.h"

static void names_and_units_outlive_the_simulation(void **state)
{
    (void)state;
    scenario_run run;
    haw_study_run kept = {.frames = 0};
    haw_study_record record = {.run = &kept, .at = (double)INFINITY};
    haw_arena arena;
    scenario_init(&run, "disk-impact");
    scenario_set(&run,
                 "output.probes=[disk.position, {name: half, of: cable.tension_mean, scale: 0.5}]");
    scenario_open(&run);
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena_init(&arena, context);
    record.arena = &arena;
    assert_int_equal(haw_study_begin(&record, run.scenario, run.simulation), HAW_OK);
    for (int i = 0; i < 2; i++) { /* copies, not what the simulation frees */
        assert_ptr_not_equal(kept.probe[i].unit, haw_simulation_probe_unit(run.simulation, i));
    }
    scenario_close(&run);
    assert_string_equal(kept.probe[0].name, "disk.position");
    assert_string_equal(kept.probe[0].unit, "m");
    assert_string_equal(kept.probe[1].name, "half");
    assert_string_equal(kept.probe[1].unit, "2 N");
    haw_arena_fini(&arena);
    haw_context_free(context);
}

TEST_FILE(test_record)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_units_outlive_the_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
