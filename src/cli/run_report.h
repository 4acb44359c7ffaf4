/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of `hawser run`, for people and as JSON. */
#ifndef HAWSER_CLI_RUN_REPORT_H
#define HAWSER_CLI_RUN_REPORT_H

#include "cli/session.h"

typedef struct haw_run_result {
    const haw_session *session;
    const char *output; /* results file, NULL if none was wanted */
    haw_summary summary;
    long earlier; /* steps of the run that is gone on with: what was measured is of the others */
    int probe_values;
    double *probe; /* [probe_values] of the last frame, from the arena */
    int events;
    haw_event *event; /* [events] from the arena */
} haw_run_result;

/** Probes and events come in through these two; they copy. */
haw_status haw_run_result_frame(haw_cli *cli, haw_run_result *result, const haw_frame *frame);
haw_status haw_run_result_event(haw_cli *cli, haw_run_result *result, const haw_event *event);

/** One JSON object, design contract of `run --json`. */
void haw_run_result_write(haw_cli *cli, const haw_run_result *result);

/** The same for a reader: ledger, certificate, events, probes. */
void haw_run_result_print(haw_cli *cli, const haw_run_result *result);

/** Stepper, solver, steps, times and certificate of a run, without a bracket. */
void haw_json_summary(haw_json *json, const haw_summary *summary);

#endif
