/* SPDX-License-Identifier: BSD-3-Clause */
/* What a simulation is thought to ask for, against what it holds after two steps. */
#include "model/size.h"
#include "stepper/simulation.h"
#include "support/scenario.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double IDLE = 13e6; /* of a program that has not asked for anything yet */

/* Bytes of the process that are in memory, or have been since they were last counted. */
static double read_status(const char *key)
{
    char line[128];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            kilobytes = strtod(line + strlen(key), NULL);
        }
    }
    (void)fclose(file);
    return 1024 * kilobytes;
}

static double resident(void)
{
    (void)malloc_trim(0); /* what the one before has left */
    FILE *file = fopen("/proc/self/clear_refs", "w");
    assert_non_null(file);
    assert_true(fputs("5", file) >= 0); /* the peak begins anew */
    assert_int_equal(fclose(file), 0);
    return read_status("VmRSS:");
}

/* Memory that is cleared by being written, as by a context with an allocator of its own: all that
 * is asked for is in memory, which a context counts, and not what is touched of it. */
static void *allocate(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static const haw_allocator touching = {allocate, release, NULL};

/* Bytes that a run asks for until its second step, and what is expected of it. */
typedef struct measured {
    double held, expected;
} measured;

static measured measure(scenario_run *run)
{
    const double before = resident();
    assert_int_equal(haw_context_create(&touching, &run->context), HAW_OK);
    scenario_open(run);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(haw_simulation_step(run->simulation), HAW_OK);
    }
    haw_size size =
        haw_size_of(run->model, !haw_stepper_has(run->simulation, HAW_STEPPER_EXPLICIT));
    size.closed = (run->model->dimension - 1.0) * run->simulation->contacts->count;
    const measured of = {read_status("VmHWM:") - before, haw_size_bytes(&size) - IDLE};
    scenario_close(run);
    return of;
}

/* In a process of its own: another run leaves holes in the memory. */
static void judge(scenario_run *run, const char *what)
{
    int ends[2];
    measured of = {0, 0};
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        of = measure(run);
        _exit(write(ends[1], &of, sizeof of) == (ssize_t)sizeof of ? 0 : 1);
    }
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(read(ends[0], &of, sizeof of), sizeof of);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    print_message("%s: %.1f MB, estimated %.1f MB\n", what, 1e-6 * of.held, 1e-6 * of.expected);
    assert_true(of.held < of.expected && of.held > of.expected / 1.5);
}

/* Steppers with a matrix and without, with points on a body, on cables and without, plane and
 * space. */
static void estimate_is_near(void **state)
{
    static const struct {
        const char *name, *set[4];
    } row[] = {
        {"string-impact", {"cables.cable.elements=20000", "stepper.step=1.0e-9"}},
        {"disk-impact", {"cables.cable.elements=20000", "stepper.step=1.0e-9"}},
        {"winding-bezier", {"cables.yarn.elements=20000", "stepper.step=1.0e-9"}},
        {"winding-w1", {"cables.yarn.elements=20000"}},
        {"flying-spaghetti", {"cables.beam.elements=20000"}},
        {"weight-on-rope", {"cables.rope.elements=20000"}},
        {"two-strings-collide",
         {"cables.a.elements=2000", "cables.b.elements=2000", "stepper.step=1.0e-8"}},
        {"coil-two-layers",
         {"cables.low.elements=600", "cables.high.elements=600", "cables.second.elements=600"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scenario_run run;
        scenario_init(&run, row[i].name);
        for (int k = 0; row[i].set[k] != NULL; k++) {
            scenario_set(&run, "%s", row[i].set[k]);
        }
        judge(&run, run.name);
    }
}

/* Rows of elements that lie on a floor at every point, on one another, or on nothing. */
static void lying_cables_are_counted(void **state)
{
    static const struct {
        const char *element, *stepper;
        int cables, elements, points;
        bool is_high;
    } row[] = {
        {"se3-chord", "moreau-jean", 1, 2000, 3, false},
        {"chain", "moreau-jean", 1, 2000, 3, false},
        {"bezier", "nsga", 1, 2000, 3, false},
        {"se3-chord", "nsga", 1, 2000, 3, false},
        {"se3-chord", "moreau-jean", 2, 400, 3, true},
        {"bezier", "moreau", 1, 8000, 0, true},
        {"chain", "moreau", 1, 16000, 0, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const bool bends = strncmp(row[i].element, "se3", 3) == 0;
        scenario_text text = {.length = 0};
        scenario_run run;
        scenario_write(&text, "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n%scables:\n",
                       row[i].is_high ? ""
                                      : "bodies: [{name: floor, shape: {type: plane}, motion: "
                                        "{fixed: true}}]\n");
        for (int k = 0; k < row[i].cables; k++) {
            const double z = 0.004 + 0.008 * k;
            scenario_write(&text,
                           "  - {name: c%d, element: %s, elements: %d, from: [0, 0, %g], to: [%g, "
                           "0, %g], stiffness: 1.0e+4, density: 0.1, radius: 0.004%s}\n",
                           k, row[i].element, row[i].elements, z, 0.01 * row[i].elements, z,
                           bends ? ", bending_stiffness: 0.01, torsional_stiffness: 0.01" : "");
        }
        if (row[i].points > 0) {
            scenario_write(
                &text, "contact: [{between: [c0, %s], points_per_element: %d, friction: 0.3}]\n",
                row[i].is_high ? "c1" : "floor", row[i].points);
        }
        scenario_write(&text, "stepper: {type: %s, step: 1.0e-7, end: 1}\n", row[i].stepper);
        scenario_init(&run, row[i].element);
        run.text = text.text;
        judge(&run, row[i].element);
    }
}

TEST_FILE(test_memory)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimate_is_near),
                                       cmocka_unit_test(lying_cables_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
