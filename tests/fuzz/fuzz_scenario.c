/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the scenario reader: no input may crash it, and what it accepts must survive
 * resolving and reading again. The first line of an input that starts with "--set " is a setting.
 * Where it ends in the byte 255 the one before it says which allocation fails (scenes.h).
 *
 *     clang -fsanitize=fuzzer,address -DHAW_LIBFUZZER ...    for libFuzzer
 *
 * Without HAW_LIBFUZZER the program replays files and folders, by default its corpus and the
 * shipped scenarios: the tests run it so.
 */
#include "fuzz/replay.h"
#include "fuzz/scenes.h"

#include <hawser/hawser.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static haw_status check_round_trip(haw_context *context, const haw_scenario *scenario)
{
    char *first = NULL, *second = NULL;
    haw_scenario *again = NULL;
    haw_status status = haw_scenario_resolve(context, scenario, &first);
    if (status == HAW_OK) {
        status = haw_scenario_parse(context, "again", first, 0, NULL, &again);
    }
    if (status == HAW_OK) {
        status = haw_scenario_resolve(context, again, &second);
    }
    if (status != HAW_ERR_NOMEM && (status != HAW_OK || strcmp(first, second) != 0)) {
        (void)fprintf(stderr, "%s\n%s\n", haw_context_message(context), first != NULL ? first : "");
        abort();
    }
    haw_text_free(context, first);
    haw_text_free(context, second);
    haw_scenario_free(context, again);
    return status;
}

static void say_nothing(void *user, haw_log_level level, const char *text)
{
    size_t *total = user;
    *total += strlen(text) + (size_t)level;
}

/* What a model refuses is shown at its place, wherever that is in the file, or in a setting. */
static void complain(haw_context *context, const haw_scenario *scenario, const char *setting)
{
    static const char *const places[] = {"contact",       "cables.0.ends.start.motion",
                                         "bodies.weight", "bodies.plate.motion.velocity",
                                         "stepper.step",  "nowhere"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        haw_scenario_complain(context, scenario, places[i], "it does not fit");
    }
    if (setting != NULL) {
        char *place = strndup(setting, strcspn(setting, "="));
        if (place != NULL) {
            haw_scenario_complain(context, scenario, place, "it does not fit");
        }
        free(place);
    }
}

/* Whether all memory was given. */
static bool read_input(const char *text, long memory)
{
    static const char mark[] = "--set ";
    haw_context *context = fuzz_context();
    haw_scenario *scenario = NULL;
    size_t total = 0;
    haw_context_set_log(context, say_nothing, &total);
    const char *setting = text + sizeof mark - 1;
    const char *end = strchr(text, '\n');
    const bool sets = strncmp(text, mark, sizeof mark - 1) == 0 && end != NULL;
    char *first = sets ? strndup(setting, (size_t)(end - setting)) : NULL;
    const char *const one[] = {first};
    *fuzz_memory() = memory;
    haw_status status =
        haw_scenario_parse(context, "fuzz", sets ? end + 1 : text, sets ? 1 : 0, one, &scenario);
    if (status == HAW_OK) {
        status = check_round_trip(context, scenario);
    }
    if (status == HAW_OK && memory < 0) {
        complain(context, scenario, first);
    }
    const bool was_short = fuzz_end_memory(memory);
    if (was_short != (status == HAW_ERR_NOMEM) && memory >= 0) {
        (void)fprintf(stderr, "allocation %ld: the status is %d\n", memory, (int)status);
        abort();
    }
    haw_scenario_free(context, scenario);
    haw_context_free(context);
    free(first);
    return !was_short;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const long memory = fuzz_take_memory(data, &size);
    char *text = replay_text(data, size);
    if (text != NULL) {
        (void)read_input(text, memory);
    }
    free(text);
}

#ifndef HAW_LIBFUZZER
/* Each allocation of a reading of each file fails once. */
static void lack_memory(const char *name)
{
    static char text[1 << 18];
    long fails = 0;
    DIR *folder = opendir(name);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
        text[file != NULL ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
        for (long n = 0; file != NULL && !read_input(text, n); n++) {
            fails++;
        }
        (void)(file != NULL && fclose(file));
    }
    (void)printf("%s: %ld allocations failed\n", name, fails);
    (void)(folder != NULL && closedir(folder));
}

int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/corpus", "data/scenarios"};

    for (int i = 0; i < 2 && count == 1; i++) {
        lack_memory(usual[i]);
    }
    return replay_main(count, argument, usual);
}
#endif
