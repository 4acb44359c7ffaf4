/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rows share: first options, rows of W, and when a sweeping method asks the referee. */
#ifndef HAWSER_SOLVER_SOLVER_H
#define HAWSER_SOLVER_SOLVER_H

#include "linalg/inline.h"
#include "solver/task.h"

#include <float.h>
#include <math.h>

extern const haw_solver_ops haw_solver_auto, haw_solver_pgs, haw_solver_alprox, haw_solver_newton,
    haw_solver_ppa, haw_solver_admm, haw_solver_lemke, haw_solver_enum;

/** Whether `lemke` takes the problem, and no more time than others where these stall. */
bool haw_lemke_pays(const haw_problem *problem);

/* fmax without its call; a NaN in b is passed over. */
static inline double haw_larger(double a, double b)
{
    return b > a ? b : a;
}

/* First rows of every solver's option table; the options struct begins with haw_solver_common. */
#define HAW_SOLVER_TOLERANCE                                                                       \
    {                                                                                              \
        "tolerance", HAW_OPTION_REAL, offsetof(haw_solver_common, tolerance), 1.0e-8, DBL_MIN,     \
            1.0, "", "on residual_natural; at least 64 machine epsilons are applied", NULL         \
    }
#define HAW_SOLVER_MAX_ITERATIONS                                                                  \
    {                                                                                              \
        "max_iterations", HAW_OPTION_INT, offsetof(haw_solver_common, max_iterations), 1000000.0,  \
            1.0, 1.0e9, "", "the step is unconverged after so many", NULL                          \
    }

/* v [d] += W_ck r_k over the blocks first <= k < last of a row. */
static HAW_INLINE void haw_bsr_add_rows(int d, const haw_bsr *w, int first, int last,
                                        const double *r, double *v)
{
    double sum[3] = {0.0};

    for (int i = 0; i < d; i++) {
        sum[i] = v[i];
    }
    for (int k = first; k < last; k++) {
        const double *b = w->value + (ptrdiff_t)(d * d) * k;
        const double *x = r + (ptrdiff_t)d * w->column[k];

        for (int i = 0; i < d; i++) {
            double row = b[d * i] * x[0];

            for (int j = 1; j < d; j++) {
                row += b[d * i + j] * x[j];
            }
            sum[i] += row;
        }
    }
    for (int i = 0; i < d; i++) {
        v[i] = sum[i];
    }
}

/* Decides when a sweeping method asks the referee: when the last sweep changed so little that, by
 * the ratio seen at the last question, the tolerance should hold, and every 16 sweeps anyway. */
typedef struct haw_monitor {
    haw_task *task;
    double *u;      /* [n d] out: velocities at the last question */
    int sweep;      /* sweeps so far */
    double trigger; /* change [velocity] at or below which the referee is asked */
    int next;       /* sweep at which it is asked in any case */
    double best;    /* smallest natural residual, lowered in steps of 1 % */
    int best_at;    /* sweep of `best` */
} haw_monitor;

void haw_monitor_init(haw_monitor *monitor, haw_task *task, double *u);

/** Ask the referee. @return true to stop: converged, not finite, no more progress, exhausted */
bool haw_monitor_ask(haw_monitor *monitor, double change, const double *r);

/* Sweeps since the residual last fell. */
static inline int haw_monitor_idle(const haw_monitor *monitor)
{
    return monitor->sweep - monitor->best_at;
}

/* The method changes: progress is measured anew. */
static inline void haw_monitor_renew(haw_monitor *monitor)
{
    monitor->best = HUGE_VAL;
    monitor->best_at = monitor->sweep;
}

/**
 * Call after each sweep; counts it as an iteration.
 * @param change  largest w_c |delta r_c| of the sweep [velocity]
 */
static inline bool haw_monitor_stop(haw_monitor *monitor, double change, const double *r)
{
    monitor->sweep++;
    monitor->task->effort.iterations++;
    monitor->task->effort.sweeps++;
    if (change > monitor->trigger && monitor->sweep < monitor->next) {
        return haw_task_exhausted(monitor->task);
    }
    return haw_monitor_ask(monitor, change, r);
}

#endif
