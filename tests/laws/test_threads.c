/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulations side by side: one context for each thread is all that they need, so runs in threads
 * have the bits of runs one after another. tests/long/threads.sh runs this under ThreadSanitizer.
 */
#include "support/scenario.h"

#include <pthread.h>

enum { RUNS = 6 };

static const struct {
    const char *name, *end;
} scenes[RUNS] = {{"disk-impact", "0.03"},    {"winding-w1", "0.3"},   {"rope-on-sheave", "1"},
                  {"string-impact", "0.002"}, {"ball-on-net", "0.01"}, {"yarn-penalty", "0.1"}};

static void *complete(void *user)
{
    scenario_run *run = user;
    static haw_status failed = HAW_ERR_ARG;
    return haw_context_create(NULL, &run->context) == HAW_OK && scenario_build(run) == HAW_OK &&
                   scenario_try(run) == HAW_OK
               ? NULL
               : &failed;
}

static void init(scenario_run *run, int i)
{
    scenario_init(run, scenes[i].name);
    scenario_set(run, "stepper.end=%s", scenes[i].end);
}

static void runs_in_threads_have_the_bits_of_runs_in_a_row(void **state)
{
    static scenario_run together[RUNS], alone;
    pthread_t thread[RUNS];
    (void)state;
    for (int i = 0; i < RUNS; i++) {
        init(&together[i], i);
        assert_int_equal(pthread_create(&thread[i], NULL, complete, &together[i]), 0);
    }
    for (int i = 0; i < RUNS; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(thread[i], &failed), 0);
        assert_null(failed);
    }
    for (int i = 0; i < RUNS; i++) {
        init(&alone, i);
        assert_null(complete(&alone));
        assert_int_equal(alone.frames, together[i].frames);
        assert_memory_equal(alone.value, together[i].value,
                            (size_t)alone.frames * (size_t)alone.columns * sizeof *alone.value);
        assert_true(alone.summary.steps > 0);
        scenario_close(&alone);
        scenario_close(&together[i]);
    }
}

TEST_FILE(test_threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_in_threads_have_the_bits_of_runs_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
