/* SPDX-License-Identifier: BSD-3-Clause */
/* The run of one variant of a scenario: what compare and study do many times. */
#ifndef HAWSER_CLI_VARIANT_RUN_H
#define HAWSER_CLI_VARIANT_RUN_H

#include "cli/session.h"
#include "study/study.h"

typedef struct haw_variant_job {
    const char *file, *text; /* of the scenario; text NULL: to be read */
    const haw_arg_list *set; /* settings of all variants; those of a variant come later */
    double at;               /* time of the profiles [s], INFINITY: the end */
    const char *results;     /* file, or NULL; a run that left a checkpoint there is gone on with */
    bool keep;               /* the file; else it is only there for checkpoints, if at all */
} haw_variant_job;

/** The settings of all variants, then those of this one: the later one of a key counts. */
haw_arg_list haw_variant_sets(haw_cli *cli, const haw_arg_list *set, const haw_variant *variant);

/**
 * Run the variant of `run` and keep what is compared of it.
 *
 * @return exit code; a failure has been reported
 */
haw_exit haw_variant_run(haw_cli *cli, const haw_variant_job *job, haw_study_run *run);

#endif
