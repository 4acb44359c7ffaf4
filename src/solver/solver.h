/* SPDX-License-Identifier: BSD-3-Clause */
/* What the solvers share: rows of W, the referee's stopping measure and when to ask for it. */
#ifndef HAWSER_SOLVER_SOLVER_H
#define HAWSER_SOLVER_SOLVER_H

#include <hawser/solver.h>

#include <float.h>

extern const haw_solver_ops haw_solver_pgs, haw_solver_alprox;

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

/* v += W_ck r_k over the blocks first <= k < last of a row. */
static inline void haw_bsr_add_2d(const haw_bsr *w, int first, int last, const double *r,
                                  double v[2])
{
    double v0 = v[0], v1 = v[1];

    for (int k = first; k < last; k++) {
        const double *b = w->value + 4 * (ptrdiff_t)k;
        const double *x = r + 2 * (ptrdiff_t)w->column[k];

        v0 += b[0] * x[0] + b[1] * x[1];
        v1 += b[2] * x[0] + b[3] * x[1];
    }
    v[0] = v0;
    v[1] = v1;
}

static inline void haw_bsr_add_3d(const haw_bsr *w, int first, int last, const double *r,
                                  double v[3])
{
    for (int k = first; k < last; k++) {
        const double *b = w->value + 9 * (ptrdiff_t)k;
        const double *x = r + 3 * (ptrdiff_t)w->column[k];

        v[0] += b[0] * x[0] + b[1] * x[1] + b[2] * x[2];
        v[1] += b[3] * x[0] + b[4] * x[1] + b[5] * x[2];
        v[2] += b[6] * x[0] + b[7] * x[1] + b[8] * x[2];
    }
}

/**
 * residual_natural alone, the inner part of haw_problem_residual.
 *
 * @param v_ref  haw_problem_reference(problem), > 0
 * @param u      [n d] out: W r + q
 */
double haw_problem_natural(const haw_problem *problem, double v_ref, const double *r, double *u);

/* Decides when a sweeping method asks the referee: when the last sweep changed so little that, by
 * the ratio seen at the last question, the tolerance should hold, and every 16 sweeps anyway. */
typedef struct haw_monitor {
    const haw_problem *problem;
    double *u;               /* [n d] workspace */
    double v_ref, tolerance; /* natural <= tolerance ends the iteration */
    double trigger;          /* change [velocity] at or below which the referee is asked */
    int next;                /* sweep at which it is asked in any case */
    double best;             /* smallest natural residual, lowered in steps of 1 % */
    int best_at;             /* sweep of `best` */
} haw_monitor;

void haw_monitor_init(haw_monitor *monitor, const haw_problem *problem, double tolerance,
                      double *u);

/** Ask the referee. @return true to stop: converged, not finite, or no more progress */
bool haw_monitor_ask(haw_monitor *monitor, int sweep, double change, const double *r);

/**
 * Call after each sweep (first: 1).
 * @param change  largest w_c |delta r_c| of the sweep [velocity]
 */
static inline bool haw_monitor_stop(haw_monitor *monitor, int sweep, double change, const double *r)
{
    if (change > monitor->trigger && sweep < monitor->next) {
        return false;
    }
    return haw_monitor_ask(monitor, sweep, change, r);
}

#endif
