/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that was never computed: frames of known numbers for the writer and its readers. */
#ifndef HAWSER_TESTS_FAKE_RUN_H
#define HAWSER_TESTS_FAKE_RUN_H

#include "support/rig.h"
#include "support/scratch.h"

#include <hawser/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_PROBES = 3, FAKE_PROBE_VALUES = 4 };

typedef struct fake_run {
    rig r;
    disk_case disk;
    haw_scenario scenario;
    haw_state *state;
    haw_ledger ledger;
    haw_certificate certificate;
    haw_pair_frame pair;
    double *point_force, *point_gap, torque;
    signed char *point_state;
    double probe[FAKE_PROBE_VALUES];
    haw_frame frame;
    char folder[SCRATCH_PATH]; /* removed when the run is closed */
} fake_run;

/* The disk and the cable of the canonical case, unless the test has changed `disk` before. */
void fake_run_open(fake_run *fake);

void fake_run_close(fake_run *fake);

/* The numbers of frame i: the state is the start, moved a little. */
const haw_frame *fake_run_frame(fake_run *fake, int i);

void fake_path(const fake_run *fake, const char *name, char path[1024]);

/* Write `frames` frames and four events, not closed. */
haw_writer *fake_run_write(fake_run *fake, const char *file, int frames);

/* A whole results file. */
void fake_run_results(fake_run *fake, const char *file, int frames);

#endif
