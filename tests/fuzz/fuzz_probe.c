/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzz target of the names of probes: each line of an input is one, of two scenes. */
#include "fuzz/replay.h"
#include "fuzz/scenes.h"
#include "observe/probe.h"

enum { LINES_MAX = 64 };

void fuzz_input(const uint8_t *data, size_t size)
{
    static haw_context *context;
    static haw_scenario *scenario[2];
    const char *line[LINES_MAX];
    if (context == NULL) {
        context = fuzz_context();
        for (int i = 0; i < 2; i++) {
            scenario[i] = fuzz_scenario(context, i);
        }
    }
    char *text = replay_text(data, size);
    const int lines = fuzz_lines(text, LINES_MAX, line);
    for (int i = 0; i < 2 * lines; i++) {
        (void)(haw_probe_check(context, &scenario[i % 2]->scene, line[i / 2]) == HAW_OK);
    }
    free(text);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/probe", "tests/fuzz/set"};

    return replay_main(count, argument, usual);
}
#endif
