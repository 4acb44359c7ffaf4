/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the readers of CSV files: what stands behind the first byte is the file. The byte
 * says who reads it: a drive, by its second or another column, a path in the plane or in space, or
 * a study that collects its cases; from 240 on the file lies beside the scenario, from 248 on it is
 * missing. What is accepted ascends, or is a path, of finite numbers.
 */
#include "fuzz/replay.h"
#include "fuzz/scenes.h"
#include "study/cases.h"

#include <fcntl.h>
#include <math.h>

/* A file that is written anew for every input. */
static void store(int *descriptor, const char *path, const uint8_t *data, size_t size)
{
    if (*descriptor < 0) {
        *descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    if (ftruncate(*descriptor, 0) != 0 || pwrite(*descriptor, data, size, 0) != (ssize_t)size) {
        abort();
    }
}

static void check_function(const haw_function *function)
{
    for (int i = 0; i < function->count; i++) {
        if (!isfinite(function->value[i]) || !isfinite(function->time[i]) ||
            (i > 0 && !(function->time[i] > function->time[i - 1]))) {
            abort();
        }
    }
}

static haw_status read_scenario(haw_context *context, int who, const char *name, const char *file)
{
    char text[512];
    haw_scenario *scenario = NULL;
    if (who >= 2) {
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n- {name: b, mass: 1, "
                       "motion: {spin: {csv: %s, column: %d}}}\nstepper: {step: 1, end: 1}\n",
                       file, who);
    } else {
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ndimension: %d\ncables:\n- {name: c, element: %s, elements: 2, "
                       "stiffness: 1, density: 1, path: [{file: %s}]}\n",
                       who + 2, "chain", file);
    }
    const haw_status status = haw_scenario_parse(context, name, text, 0, NULL, &scenario);
    if (status == HAW_OK && who >= 2) {
        check_function(&scenario->scene.body[0].motion_spin);
    }
    haw_scenario_free(context, scenario);
    return status;
}

/* Two cases, of which the second has no file. */
static haw_status read_cases(haw_context *context, const char *folder, const uint8_t *data,
                             size_t size, long memory)
{
    static int descriptor = -1;
    static const char *const sets[] = {"x=1"};
    static haw_variant variant[2] = {{.name = "a"}, {.name = "b", .sets = 1, .set = sets}};
    const haw_variants variants = {.count = 2, .item = variant};
    char path[128];
    haw_arena arena;
    haw_arena_init(&arena, context);
    haw_cases cases = {.arena = &arena, .folder = folder, .variants = &variants};
    if (haw_cases_open(&cases, "fuzz", 0, NULL, "") != HAW_OK) {
        abort();
    }
    (void)snprintf(path, sizeof path, "%s/%s.csv", cases.inner, cases.name[0]);
    store(&descriptor, path, data, size);
    *fuzz_memory() = memory;
    (void)haw_case_is_here(&cases, 0);
    (void)haw_case_is_here(&cases, 1);
    const haw_status status = haw_cases_collect(&cases);
    if (status == HAW_OK) {
        (void)haw_cases_count(&cases, "done");
        (void)haw_cases_value(&cases, 0, "no such column");
    }
    haw_arena_fini(&arena);
    return status;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static char file[64], folder[64];
    static int descriptor = -1;
    if (size == 0) {
        return;
    }
    if (file[0] == '\0') {
        replay_path(file, "csv");
        replay_path(folder, "study");
    }
    const long memory = fuzz_take_memory(data, &size);
    haw_context *context = fuzz_context();
    const int who = data[0] % 8;
    haw_status status;
    if (who == 7 && data[0] < 248) {
        status = read_cases(context, folder, data + 1, size - 1, memory);
    } else {
        store(&descriptor, file, data + 1, size - 1);
        const char *name = strrchr(file, '/') + 1;
        *fuzz_memory() = memory;
        status = data[0] < 240 ? read_scenario(context, who, "fuzz", file)
                               : read_scenario(context, who, folder, data[0] < 248 ? name : "none");
    }
    if (fuzz_end_memory(memory) && status != HAW_ERR_NOMEM) {
        (void)fprintf(stderr, "an allocation failed, and the status is %d\n", (int)status);
        abort();
    }
    haw_context_free(context);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/csv", "tests/fuzz/probe"};

    return replay_main(count, argument, usual);
}
#endif
