/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of what the command line says about a scenario: the lines of an input are `--set`
 * arguments of one reading, and each is a variant of a study. None may crash, and what is accepted
 * must survive resolving. An input that begins with '3' is for a scene in space.
 */
#include "fuzz/replay.h"
#include "fuzz/scenes.h"
#include "study/variant.h"

enum { LINES_MAX = 4 };

/* Small: it is read for every input. */
static const char *const scene[2] = {
    "hawser: 1\nbodies: [{name: d, mass: 2, inertia: 1, shape: {type: circle, radius: 1}}]\n"
    "cables: [{name: c, elements: 9, from: [3, 0], to: [3, 2], stiffness: 1, density: 1}]\n"
    "contact: [{between: [c, d]}]\nsprings: [{between: [d, [1, 1]], stiffness: 2}]\n"
    "stepper: {step: 1.0e-4, end: 1}\noutput: {probes: [d.spin]}\n",
    "hawser: 1\ndimension: 3\nbodies: [{name: d, mass: 2, shape: {type: sphere, radius: 1}}]\n"
    "forces: [{\"on\": d, force: [0, 1, 0]}]\n"
    "joints: [{name: j, type: pinned, between: [{ground: [1, 0, 0]}, {body: d, at: [0, 0, 0]}]}]\n"
    "stepper: {type: nsga, step: 1.0e-4, end: 1}\n"};

static void set(haw_context *context, int which, int lines, const char *const *line)
{
    haw_scenario *scenario = NULL, *again = NULL;
    char *text = NULL;
    if (haw_scenario_parse(context, "fuzz", scene[which], lines, line, &scenario) == HAW_OK &&
        (haw_scenario_resolve(context, scenario, &text) != HAW_OK ||
         haw_scenario_parse(context, "again", text, 0, NULL, &again) != HAW_OK)) {
        (void)fprintf(stderr, "%s\n", haw_context_message(context));
        abort();
    }
    haw_text_free(context, text);
    haw_scenario_free(context, scenario);
    haw_scenario_free(context, again);
}

static void vary(haw_context *context, int lines, const char *const *line)
{
    const haw_sampling sampling = {.samples = lines % 2 == 0 ? 5 : 0, .seed = lines};
    haw_arena arena;
    haw_variants variants;
    haw_variant variant;
    haw_arena_init(&arena, context);
    if (haw_variants_read(&arena, lines, line, sampling, &variants) == HAW_OK &&
        (variants.count < 1 || variants.count > HAW_VARIANTS_MAX)) {
        abort();
    }
    (void)(haw_variant_read(&arena, line[0], &variant) == HAW_OK);
    (void)haw_variant_unit(line[0]);
    haw_arena_fini(&arena);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const char *line[LINES_MAX];
    haw_context *context = fuzz_context();
    char *text = replay_text(data, size);
    if (text != NULL) {
        const int lines = fuzz_lines(text, LINES_MAX, line);
        set(context, text[0] == '3', lines, line);
        vary(context, lines, line);
    }
    haw_context_free(context);
    free(text);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/set", "tests/fuzz/probe"};

    return replay_main(count, argument, usual);
}
#endif
