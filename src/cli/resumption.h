/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that is gone on with: what run --resume and a study that is repeated share. */
#ifndef HAWSER_CLI_RESUMPTION_H
#define HAWSER_CLI_RESUMPTION_H

#include "cli/session.h"

#include <hawser/io.h>

typedef struct haw_resumption {
    haw_saved *saved;
    bool is_whole; /* with its frames and events; else with other output */
} haw_resumption;

/** Read the checkpoint of a results file or beside it. @return those of haw_saved_read */
HAW_NODISCARD haw_status haw_resumption_read(haw_cli *cli, const char *file, haw_resumption *from);

/**
 * The scenario is still read as it was, and the session's is the same but for what may change.
 * @return ERR_INPUT: it would change the past
 */
HAW_NODISCARD haw_status haw_resumption_check(haw_cli *cli, const haw_session *session,
                                              haw_resumption *from);

/**
 * The state of the run, and, where its output is the same, its frames and events so far.
 * @param writer  just opened; NULL: none
 */
HAW_NODISCARD haw_status haw_resumption_begin(haw_cli *cli, const haw_session *session,
                                              const haw_resumption *from, haw_writer *writer);

#endif
