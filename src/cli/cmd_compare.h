/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `hawser compare`. */
#ifndef HAWSER_CLI_CMD_COMPARE_H
#define HAWSER_CLI_CMD_COMPARE_H

#include "cli/session.h"
#include "report/study.h"

typedef struct haw_compare_args {
    haw_args_common common;
    haw_arg_list set, vary;
    const char *reference, *folder;
    haw_arg_real at;
    bool no_output;
} haw_compare_args;

/* A study and what is told of it. */
typedef struct haw_comparison {
    haw_study study;
    haw_exit code;
    const char *scenario;
    const char *folder;          /* NULL: nothing is written */
    int files, figures, room;    /* figures: PNG and SVG */
    const char **file, **figure; /* [files], [figures] */
} haw_comparison;

/**
 * Run one variant and keep what is compared of it.
 *
 * @param text  of the scenario where it cannot be read twice, else NULL
 * @return      exit code; a failure has been reported
 */
haw_exit haw_compare_run(haw_cli *cli, const haw_compare_args *args, const char *text,
                         haw_study_run *run);

/** One table for a reader. */
void haw_compare_print(const haw_comparison *comparison);

/** One JSON object. */
void haw_compare_write(haw_cli *cli, const haw_comparison *comparison);

#endif
