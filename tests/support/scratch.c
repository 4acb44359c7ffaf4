/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/scratch.h"

#include "support/near.h"

#include <stdio.h>
#include <stdlib.h>

void scratch_make(char folder[SCRATCH_PATH])
{
    const char *base = getenv("TMPDIR");
    const int bytes =
        snprintf(folder, SCRATCH_PATH, "%s/hawser-XXXXXX", base != NULL ? base : "/tmp");
    assert_in_range(bytes, 1, SCRATCH_PATH - 1);
    assert_non_null(mkdtemp(folder));
}

void scratch_remove(const char *folder)
{
    char command[SCRATCH_PATH + 16];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}
