/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder with the results file of a made-up run, for the tests of the writer. */
#ifndef HAWSER_TESTS_RESULTS_FILE_H
#define HAWSER_TESTS_RESULTS_FILE_H

#include "io/hdf5.h"
#include "io/results.h"
#include "support/fake_run.h"

#include <unistd.h>

enum { FRAMES = 150 }; /* more than two buffers */

typedef struct fixture {
    fake_run fake;
    char file[1024], part[1024];
} fixture;

static inline int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    disk_case_init(&f->fake.disk);
    fake_run_open(&f->fake);
    fake_path(&f->fake, "run.h5", f->file);
    fake_path(&f->fake, "run.h5.part", f->part);
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    fixture *f = *state;
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    (void)unlink(f->file);
    (void)unlink(f->part);
    (void)rmdir(f->fake.folder);
    fake_run_close(&f->fake);
    free(f);
    return 0;
}

static inline haw_results *open_results(const fixture *f, const char *file)
{
    haw_results *results = NULL;
    if (haw_results_open(f->fake.r.context, file, &results) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->fake.r.context));
    }
    return results;
}

static inline haw_array column(haw_results *results, const char *group, const char *name,
                               const char *what)
{
    haw_array array;
    if (haw_results_column(results, group, name, what, &array) != HAW_OK) {
        fail_msg("no %s/%s/%s", group, name != NULL ? name : "", what);
    }
    return array;
}

static inline void equal(double got, double want)
{
    assert_memory_equal(&got, &want, sizeof got);
}

#endif
