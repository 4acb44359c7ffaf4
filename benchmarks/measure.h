/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times of the benchmarks: process CPU time, minimum of 5 runs, beside a calibration kernel that
 * never changes, so that figures of different machines and days can be compared by their ratio.
 */
#ifndef HAWSER_BENCHMARKS_MEASURE_H
#define HAWSER_BENCHMARKS_MEASURE_H

#include "base/memory.h"

#include <hawser/hawser.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MEASURE_RUNS = 5 };

static inline double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef void (*measure_function)(void *user);

static inline double measure_batch(measure_function call, void *user, long calls)
{
    const double start = cpu_seconds();
    for (long i = 0; i < calls; ++i) {
        call(user);
    }
    return cpu_seconds() - start;
}

/* Seconds per call: batches of at least 5 ms, long enough for a clock that ticks in microseconds.
 */
static inline double measure(measure_function call, void *user)
{
    long calls = 1;
    while (measure_batch(call, user, calls) < 5e-3) {
        calls *= 2;
    }
    double best = HUGE_VAL;
    for (int run = 0; run < MEASURE_RUNS; ++run) {
        best = fmin(best, measure_batch(call, user, calls));
    }
    return best / (double)calls;
}

/* @param observer  of the run, or NULL */
static inline haw_status measure_run(haw_context *context, const haw_scenario *scenario,
                                     const haw_observer *observer, haw_summary *summary)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_status status = haw_model_build(context, &scenario->scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &scenario->run, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_run(simulation, observer, summary);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

/* The run of a scenario file that takes least CPU time, of `runs`. */
static inline haw_status measure_scenario(haw_context *context, const char *file, int sets,
                                          const char *const *set, int runs, haw_summary *best)
{
    haw_scenario *scenario = NULL;
    haw_status status = haw_scenario_read(context, file, sets, set, &scenario);
    *best = (haw_summary){.cpu_seconds = HUGE_VAL};
    for (int k = 0; status == HAW_OK && k < runs; ++k) {
        haw_summary summary;
        status = measure_run(context, scenario, NULL, &summary);
        if (status == HAW_OK && summary.cpu_seconds < best->cpu_seconds) {
            *best = summary;
        }
    }
    haw_scenario_free(context, scenario);
    return status;
}

/*
 * The calibration kernel, a model of one step: two right-hand sides through a banded Cholesky
 * factor of 42 rows and half bandwidth 3, and the gaps of 160 points to a circle. It calls
 * nothing of the library: making the library faster must not move the yardstick.
 */
enum { CALIBRATION_ROWS = 42, CALIBRATION_WIDTH = 3, CALIBRATION_POINTS = 160 };

typedef struct calibration {
    double factor[CALIBRATION_ROWS][CALIBRATION_WIDTH + 1];
    double x[CALIBRATION_ROWS + CALIBRATION_WIDTH][2];
    double point[CALIBRATION_POINTS][2];
    double result;
} calibration;

static inline void calibration_init(calibration *c)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < CALIBRATION_ROWS; ++i) {
        c->factor[i][0] = 0.5; /* reciprocal diagonal */
        for (int d = 1; d <= CALIBRATION_WIDTH; ++d) {
            c->factor[i][d] = 0.4 / d;
        }
    }
    for (int i = 0; i < CALIBRATION_POINTS; ++i) {
        c->point[i][0] = 0.1;
        c->point[i][1] = 0.0125 * i;
    }
}

static inline void calibration_run(void *user)
{
    calibration *c = user;
    double gap = HUGE_VAL;
    for (int i = 0; i < CALIBRATION_POINTS; ++i) {
        const double dx = c->point[i][0];
        const double dy = c->point[i][1] - 1;
        gap = fmin(gap, sqrt(dx * dx + dy * dy) - 0.1);
    }
    for (int i = 0; i < CALIBRATION_ROWS; ++i) {
        for (int k = 0; k < 2; ++k) {
            c->x[i][k] += 1;
            c->x[i][k] *= c->factor[i][0];
            for (int d = 1; d <= CALIBRATION_WIDTH; ++d) {
                c->x[i + d][k] -= c->factor[i][d] * c->x[i][k];
            }
        }
    }
    for (int i = CALIBRATION_ROWS - 1; i >= 0; --i) {
        for (int k = 0; k < 2; ++k) {
            for (int d = 1; d <= CALIBRATION_WIDTH; ++d) {
                c->x[i][k] -= c->factor[i][d] * c->x[i + d][k];
            }
            c->x[i][k] *= c->factor[i][0];
        }
    }
    memset(c->x[CALIBRATION_ROWS], 0, sizeof c->x[0] * CALIBRATION_WIDTH);
    c->result = gap + c->x[0][0];
}

/* Seconds of one call of the calibration kernel. */
static inline double calibrate(void)
{
    haw_memory_keep_pages(); /* as the program does */
    calibration c;
    calibration_init(&c);
    const double seconds = measure(calibration_run, &c);
    if (!isfinite(c.result)) {
        (void)fprintf(stderr, "calibration kernel: result is not finite\n");
    }
    return seconds;
}

/* Name of the processor, "unknown" where the system does not tell. */
static inline void cpu_model(char *text, int size)
{
    (void)snprintf(text, (size_t)size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, "model name", 10) == 0) {
            (void)snprintf(text, (size_t)size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

/* Open build/bench/<name> with a first line that says where the figures come from. */
static inline FILE *open_csv(const char *name, double calibration_seconds)
{
    char path[128];
    char cpu[128];
    (void)mkdir("build", 0777);
    (void)mkdir("build/bench", 0777);
    (void)snprintf(path, sizeof path, "build/bench/%s", name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        return NULL;
    }
    cpu_model(cpu, sizeof cpu);
#if defined(__clang__)
    const char *compiler = __VERSION__;
#else
    const char *compiler = "gcc " __VERSION__;
#endif
    (void)fprintf(file, "# cpu: %s; compiler: %s; calibration: %.4f us\n", cpu, compiler,
                  1e6 * calibration_seconds);
    (void)printf("%s, calibration kernel %.3f us; raw figures in %s\n", cpu,
                 1e6 * calibration_seconds, path);
    return file;
}

#endif
