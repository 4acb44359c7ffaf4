/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario made ready to run: what run, check and modes begin with. */
#ifndef HAWSER_CLI_SESSION_H
#define HAWSER_CLI_SESSION_H

#include "cli/cli.h"

#include <hawser/scenario.h>

typedef struct haw_session {
    haw_scenario *scenario;
    haw_model *model;
    haw_simulation *simulation;
    haw_status status; /* how it was opened */
} haw_session;

/**
 * Read a scenario by the word of the command line: a file, the same with .yaml, or the name of a
 * template or scenario that comes with the program.
 */
HAW_NODISCARD haw_status haw_session_read(haw_cli *cli, const char *file, const haw_arg_list *set,
                                          haw_scenario **scenario);

/**
 * Read a scenario, build its model, create its simulation. From the build on, Ctrl-C cancels.
 *
 * @param text  of the file where it has been read before, else NULL
 * @return exit code; a failure has been reported
 */
haw_exit haw_session_open(haw_cli *cli, const char *file, const char *text, const haw_arg_list *set,
                          haw_session *session);

/** Report a failure before the first step: what needs the built model is refused at its place in
 * the file like the rest. @return exit code */
haw_exit haw_session_refuse(haw_cli *cli, const haw_session *session, haw_status status);

void haw_session_close(haw_cli *cli, haw_session *session);

/** Step and end of the stepper's options [s]; step NAN: automatic. */
haw_stepper_common haw_session_stepper(const haw_session *session);

#endif
