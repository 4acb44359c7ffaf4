/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/scenario_file.h"

void scenario_file_make(scenario_run *run, int frames, scenario_file *f)
{
    scratch_make(f->folder);
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

void scenario_file_remove(scenario_run *run, scenario_file *f)
{
    haw_results_close(f->results);
    scenario_close(run);
    scratch_remove(f->folder);
}
