/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine promises more than it has, and ends the process that takes it at its word. */
#include "base/memory.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

static const double SHARE = 0.9; /* the rest is what libraries and others have */

double haw_memory_most(void)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    double most = pages > 0 && bytes > 0 ? SHARE * (double)pages * (double)bytes : (double)INFINITY;
    for (int i = 0; i < 2; i++) {
        struct rlimit limit;
        if (getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
            most = fmin(most, SHARE * (double)limit.rlim_cur);
        }
    }
    return most;
}
