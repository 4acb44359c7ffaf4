/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scenario files: YAML text -> scene and run settings, with every error at its place.
 */
#ifndef HAWSER_SCENARIO_H
#define HAWSER_SCENARIO_H

#include <hawser/stepper.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct haw_scenario {
    const char *file; /* as given, "-" for the standard input */
    const char *text; /* the whole text, for the results file */
    const char *title;
    int sets; /* the path=value settings that were applied */
    const char *const *set;
    haw_scene scene;
    haw_run_settings run;
    void *memory; /* owner of everything above */
} haw_scenario;

/**
 * Read a scenario and apply `path=value` settings to it.
 *
 * All errors are reported to the log, one after another, each as
 * `scene.yaml:3:7: error: what is wrong, what is allowed` with the line and a caret below.
 *
 * @return ERR_IO if the file cannot be read; ERR_INPUT if anything in it is refused
 */
HAW_API HAW_NODISCARD haw_status haw_scenario_read(haw_context *context, const char *file, int sets,
                                                   const char *const *set, haw_scenario **scenario);

/** The same from a text in memory; `file` is the name used in messages. */
HAW_API HAW_NODISCARD haw_status haw_scenario_parse(haw_context *context, const char *file,
                                                    const char *text, int sets,
                                                    const char *const *set,
                                                    haw_scenario **scenario);
/**
 * Log what the model or the simulation refused at its place in the file (or its --set), in the form
 * of the reader's own diagnostics.
 *
 * @param place    of haw_context_place; the deepest part of it that the file has is shown
 * @param message  of haw_context_message
 */
HAW_API void haw_scenario_complain(haw_context *context, const haw_scenario *scenario,
                                   const char *place, const char *message);
HAW_API void haw_scenario_free(haw_context *context, haw_scenario *scenario);

/** The scenario with every default written out, as YAML. Caller frees with haw_text_free. */
HAW_API HAW_NODISCARD haw_status haw_scenario_resolve(haw_context *context,
                                                      const haw_scenario *scenario, char **text);

/**
 * Whether a run of `now` may go on from one of `before`: they may differ in their title, in the end
 * of the run and in what is recorded.
 *
 * @param same_output  out: what is recorded is the same
 * @return ERR_INPUT: something else differs, with both lines of the resolved scenario
 */
HAW_API HAW_NODISCARD haw_status haw_scenario_continues(haw_context *context,
                                                        const haw_scenario *before,
                                                        const haw_scenario *now, bool *same_output);

/** JSON schema of the format, generated from the option tables. */
HAW_API HAW_NODISCARD haw_status haw_scenario_schema(haw_context *context, char **text);
HAW_API void haw_text_free(haw_context *context, char *text);

#ifdef __cplusplus
}
#endif
#endif
