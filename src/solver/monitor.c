/* SPDX-License-Identifier: BSD-3-Clause */
/* When a sweeping method asks the referee, and when it gives up. */
#include "solver/solver.h"

#include <math.h>

enum { ASK_EVERY = 16, PATIENCE = 10000 };

void haw_monitor_init(haw_monitor *monitor, const haw_problem *problem, double tolerance, double *u)
{
    *monitor = (haw_monitor){
        .problem = problem,
        .v_ref = haw_problem_reference(problem),
        .tolerance = tolerance,
        .next = 1,
        .best = INFINITY,
    };
    monitor->u = u;
}

bool haw_monitor_ask(haw_monitor *monitor, int sweep, double change, const double *r)
{
    const double natural = haw_problem_natural(monitor->problem, monitor->v_ref, r, monitor->u);

    if (natural <= monitor->tolerance || !(natural <= DBL_MAX) || change == 0.0) {
        return true;
    }
    monitor->trigger = change * (monitor->tolerance / natural);
    monitor->next = sweep + ASK_EVERY;
    if (natural < 0.99 * monitor->best) {
        monitor->best = natural;
        monitor->best_at = sweep;
    }
    return sweep - monitor->best_at >= PATIENCE;
}
