/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser run --dump-problems: contact problems of a run as FCLIB files. */
#ifndef HAWSER_CLI_CMD_RUN_DUMP_H
#define HAWSER_CLI_CMD_RUN_DUMP_H

#include "cli/session.h"

typedef struct haw_run_dump {
    haw_cli *cli;
    const haw_session *session;
    int every;         /* write every so many problems; 0: none at all */
    const char *stem;  /* files are called stem-problem-000123.hdf5 */
    long problems;     /* seen: steps with at least one closed contact */
    long missed;       /* unconverged steps seen */
    long written;      /* files */
    haw_status status; /* of the first file that could not be written; nothing is done after it */
    char message[HAW_MESSAGE_MAX];
} haw_run_dump;

/**
 * Name the files after the results file, without its ending.
 *
 * @param output  results file or scenario
 * @param folder  where to put them, made if missing; NULL: beside `output`
 * @return exit code; a failure has been reported
 */
haw_exit haw_run_dump_open(haw_run_dump *dump, const char *output, const char *folder);

/** After a step: count its problem, write every N-th and those that missed their tolerance. */
void haw_run_dump_step(haw_run_dump *dump, const haw_frame *frame);

/** After the run, by what it returned: the problem that ended it is written too. */
void haw_run_dump_end(haw_run_dump *dump, haw_status status, const haw_summary *summary);

/** The failure of a file once more, as the last message of the context. */
haw_status haw_run_dump_status(const haw_run_dump *dump);

#endif
