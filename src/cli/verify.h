/* SPDX-License-Identifier: BSD-3-Clause */
/* Is the step of a run fine enough? The same run with its half and its quarter. */
#ifndef HAWSER_CLI_VERIFY_H
#define HAWSER_CLI_VERIFY_H

#include "cli/session.h"
#include "study/study.h"

/**
 * Repeat a run with half and a quarter of its step, and print how its probes change and at which
 * order, or write that as `verify` into the answer.
 *
 * @param run  with its summary and the histories of its probes; its `variant` is set here
 * @return ENDED if a probe's error exceeds a hundredth of its largest magnitude, or as the runs
 * end; a failure has been reported
 */
haw_exit haw_verify(haw_cli *cli, const char *file, const haw_arg_list *set, haw_study_run *run);

#endif
