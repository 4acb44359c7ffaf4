/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of the scenario reader: no input may crash it, and what it accepts must survive
 * resolving and reading again. The first line of an input that starts with "--set " is a setting.
 *
 *     clang -fsanitize=fuzzer,address -DHAW_LIBFUZZER ...    for libFuzzer
 *
 * Without HAW_LIBFUZZER the program replays files and folders, by default its corpus and the
 * shipped scenarios: the tests run it so.
 */
#include "fuzz/replay.h"

#include <hawser/hawser.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_round_trip(haw_context *context, const haw_scenario *scenario)
{
    char *first = NULL, *second = NULL;
    haw_scenario *again = NULL;
    if (haw_scenario_resolve(context, scenario, &first) != HAW_OK ||
        haw_scenario_parse(context, "again", first, 0, NULL, &again) != HAW_OK ||
        haw_scenario_resolve(context, again, &second) != HAW_OK || strcmp(first, second) != 0) {
        (void)fprintf(stderr, "%s\n%s\n", haw_context_message(context), first != NULL ? first : "");
        abort();
    }
    haw_text_free(context, first);
    haw_text_free(context, second);
    haw_scenario_free(context, again);
}

static void say_nothing(void *user, haw_log_level level, const char *text)
{
    size_t *total = user;
    *total += strlen(text) + (size_t)level;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static const char mark[] = "--set ";
    haw_context *context = NULL;
    haw_scenario *scenario = NULL;
    size_t total = 0;
    char *text = replay_text(data, size);
    if (text == NULL || haw_context_create(NULL, &context) != HAW_OK) {
        free(text);
        return;
    }
    haw_context_set_log(context, say_nothing, &total);
    const char *setting = text + sizeof mark - 1;
    const char *file = text;
    int sets = 0;
    char *end = strchr(text, '\n');
    if (strncmp(text, mark, sizeof mark - 1) == 0 && end != NULL) {
        *end = '\0';
        file = end + 1;
        sets = 1;
    }
    if (haw_scenario_parse(context, "fuzz", file, sets, &setting, &scenario) == HAW_OK) {
        check_round_trip(context, scenario);
    }
    haw_scenario_free(context, scenario);
    haw_context_free(context);
    free(text);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/corpus", "data/scenarios"};

    return replay_main(count, argument, usual);
}
#endif
