/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the readers of CSV files: what stands behind the first byte is the file. The byte
 * says who reads it: a drive, by its second or another column, a path in the plane or in space, or
 * a study that collects its cases. What is accepted ascends, or is a path, of finite numbers.
 */
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

static void read_scenario(haw_context *context, int who, const char *file)
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
    if (haw_scenario_parse(context, "fuzz", text, 0, NULL, &scenario) == HAW_OK && who >= 2) {
        check_function(&scenario->scene.body[0].motion_spin);
    }
    haw_scenario_free(context, scenario);
}

/* Two cases, of which the second has no file. */
static void read_cases(haw_context *context, const char *folder, const uint8_t *data, size_t size)
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
    (void)haw_case_is_here(&cases, 0);
    if (haw_cases_collect(&cases) == HAW_OK) {
        (void)haw_cases_count(&cases, "done");
        (void)haw_cases_value(&cases, 0, "status");
    }
    haw_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char file[64], folder[64];
    static int descriptor = -1;
    if (size == 0) {
        return 0;
    }
    if (file[0] == '\0') {
        replay_path(file, "csv");
        replay_path(folder, "study");
    }
    haw_context *context = fuzz_context();
    const int who = data[0] % 8;
    if (who == 7) {
        read_cases(context, folder, data + 1, size - 1);
    } else {
        store(&descriptor, file, data + 1, size - 1);
        read_scenario(context, who, file);
    }
    haw_context_free(context);
    return 0;
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/csv", "tests/fuzz/probe"};

    return replay_main(count, argument, usual);
}
#endif
