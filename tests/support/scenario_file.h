/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of a scenario into a results file, which is then read. */
#ifndef HAWSER_TESTS_SCENARIO_FILE_H
#define HAWSER_TESTS_SCENARIO_FILE_H

#include "io/results.h"
#include "support/scenario.h"
#include "support/scratch.h"

#include <unistd.h>

typedef struct scenario_file {
    haw_writer *writer; /* for the frames; run->look hands them over */
    haw_results *results;
    char folder[SCRATCH_PATH], file[SCRATCH_PATH + 8];
} scenario_file;

/** Run a prepared scenario of so many frames into a file of its own, and open that. */
void scenario_file_make(scenario_run *run, int frames, scenario_file *f);

/** Close the file and remove it with its folder and what tables stand there. */
void scenario_file_remove(scenario_run *run, scenario_file *f);

#endif
