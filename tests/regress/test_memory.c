/* SPDX-License-Identifier: BSD-3-Clause */
/* What a simulation is thought to ask for, against what it holds after two steps. */
#include "model/size.h"
#include "stepper/simulation.h"
#include "support/scenario.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

/* Bytes of the process that are in memory: the second number, in pages. */
static double resident(void)
{
    char text[64] = "", *second = text;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    (void)fclose(file);
    (void)strtol(text, &second, 10);
    return (double)strtol(second, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

/* Steppers with a matrix and without, with points on a body, on cables and without, plane and
 * space. */
static void estimate_is_near(void **state)
{
    static const struct {
        const char *name, *set[4];
        bool is_implicit;
    } row[] = {
        {"string-impact", {"cables.cable.elements=20000", "stepper.step=1.0e-9"}, false},
        {"disk-impact", {"cables.cable.elements=20000", "stepper.step=1.0e-9"}, false},
        {"winding-bezier", {"cables.yarn.elements=20000", "stepper.step=1.0e-9"}, false},
        {"winding-w1", {"cables.yarn.elements=20000"}, true},
        {"flying-spaghetti", {"cables.beam.elements=20000"}, true},
        {"weight-on-rope", {"cables.rope.elements=20000"}, true},
        {"two-strings-collide",
         {"cables.a.elements=2000", "cables.b.elements=2000", "stepper.step=1.0e-8"},
         true},
        {"coil-two-layers",
         {"cables.low.elements=600", "cables.high.elements=600", "cables.second.elements=600"},
         true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scenario_run run;
        scenario_init(&run, row[i].name);
        for (int k = 0; row[i].set[k] != NULL; k++) {
            scenario_set(&run, "%s", row[i].set[k]);
        }
        (void)malloc_trim(0); /* what the one before has left */
        const double before = resident();
        scenario_open(&run);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
        }
        const double held = resident() - before;
        const haw_size none = {0};
        haw_size size = haw_size_of(run.model, row[i].is_implicit);
        size.closed = (run.model->dimension - 1.0) * run.simulation->contacts->count;
        const double expected = haw_size_bytes(&size) - haw_size_bytes(&none);
        print_message("%s: %.1f MB, estimated %.1f MB\n", run.name, 1e-6 * held, 1e-6 * expected);
        assert_true(held > expected / 1.5 && held < 1.5 * expected);
        scenario_close(&run);
    }
}

TEST_FILE(test_memory)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimate_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
