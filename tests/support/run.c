/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program of a folder of tests. Called by the name of a test file (make links test_x to it) it
 * runs that file, otherwise all files of the folder; an argument is a pattern of names of tests.
 *
 *     build/release/tests/unit/element/test_ancf 'the_mass_*'
 */
#include "support/run.h"

#include "support/near.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **argument)
{
    const char *slash = strrchr(argument[0], '/');
    const char *name = slash != NULL ? slash + 1 : argument[0];
    const bool is_all = strncmp(name, "test_", 5) != 0;
    int files = 0, failed = 0;

    if (count > 1) {
        cmocka_set_test_filter(argument[1]);
    }
    for (const test_file *file = test_files; file->name != NULL; file++) {
        if (is_all || strcmp(file->name, name) == 0) {
            failed += file->run();
            files++;
        }
    }
    if (files == 0) {
        (void)fprintf(stderr, "no test file %s\n", name);
    }
    return files == 0 || failed > 0;
}
