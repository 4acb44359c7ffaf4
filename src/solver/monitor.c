/* SPDX-License-Identifier: BSD-3-Clause */
/* When a sweeping method asks the referee, and when it gives up. */
#include "solver/solver.h"

#include <math.h>

enum { ASK_EVERY = 16, PATIENCE = 10000 };

void haw_monitor_init(haw_monitor *monitor, haw_task *task, double *u)
{
    *monitor = (haw_monitor){.task = task, .next = 1, .best = INFINITY};
    monitor->u = u;
}

bool haw_monitor_ask(haw_monitor *monitor, double change, const double *r)
{
    const double tolerance = monitor->task->tolerance;
    const double natural = haw_task_natural(monitor->task, r, monitor->u);

    if (natural <= tolerance || !(natural <= DBL_MAX) || change == 0.0) {
        return true;
    }
    monitor->trigger = change * (tolerance / natural);
    monitor->next = monitor->sweep + ASK_EVERY;
    if (natural < 0.99 * monitor->best) {
        monitor->best = natural;
        monitor->best_at = monitor->sweep;
    }
    return haw_monitor_idle(monitor) >= PATIENCE || haw_task_exhausted(monitor->task);
}
