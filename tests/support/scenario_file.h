/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of a scenario into a results file, which is then read. */
#ifndef HAWSER_TESTS_SCENARIO_FILE_H
#define HAWSER_TESTS_SCENARIO_FILE_H

#include "io/results.h"
#include "support/scenario.h"

#include <unistd.h>

typedef struct scenario_file {
    haw_writer *writer; /* for the frames; run->look hands them over */
    haw_results *results;
    char folder[64], file[96];
} scenario_file;

/** Run a prepared scenario of so many frames into a file of its own, and open that. */
static inline void scenario_file_make(scenario_run *run, int frames, scenario_file *f)
{
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/hawser-results-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->file, sizeof f->file, "%s/run.h5", f->folder);
    scenario_open(run);
    assert_int_equal(haw_writer_open(run->context, f->file, run->scenario, run->model,
                                     run->simulation, &f->writer),
                     HAW_OK);
    assert_int_equal(scenario_try(run), HAW_OK);
    assert_int_equal(run->frames, frames);
    assert_int_equal(haw_writer_close(f->writer, &run->summary), HAW_OK);
    assert_int_equal(haw_results_open(run->context, f->file, &f->results), HAW_OK);
}

/** Close the file and remove it with its folder and what tables stand there. */
static inline void scenario_file_remove(scenario_run *run, scenario_file *f)
{
    char command[128];
    haw_results_close(f->results);
    scenario_close(run);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

#endif
