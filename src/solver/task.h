/* SPDX-License-Identifier: BSD-3-Clause */
/* One solve: the problem, its operator, memory, and the only way to ask the referee. */
#ifndef HAWSER_SOLVER_TASK_H
#define HAWSER_SOLVER_TASK_H

#include "solver/operator.h"

#include <hawser/solver.h>

struct haw_task {
    haw_context *context;
    haw_arena *arena; /* memory of this solve; reset before the next one */
    const haw_problem *problem;
    haw_operator op;
    double v_ref;       /* velocity that residual_natural is measured in, > 0 */
    double tolerance;   /* natural <= tolerance ends the solve */
    int max_iterations; /* on effort.iterations */
    double max_flops;   /* on the operations of the effort */
    const char *solver; /* the row at work, for the observer */
    const haw_solve_observer *observer;
    haw_effort effort;
    double best;  /* smallest one so far */
    bool stopped; /* the observer asked for the end */
};

/** Memory of the solve: haw_arena_allocate(task->arena, count, sizeof (double)). */
double *haw_task_doubles(haw_task *task, size_t count);

/** w_c = trace(W_cc)/d [n], their mean for contacts that nothing can move; NULL: out of memory. */
double *haw_task_weights(haw_task *task);

/** u = W r + q, counted as one product. */
void haw_task_velocity(haw_task *task, const double *r, double *u);

/**
 * haw_referee_stop of r, what `tolerance` is held against: residual_natural but for mu > 10. Counts
 * one product and tells the observer.
 *
 * @param u  [n d] out: W r + q
 * @return infinity if anything is not finite
 */
double haw_task_natural(haw_task *task, const double *r, double *u);

/** The same where u = W r + q is at hand already. */
double haw_task_judge(haw_task *task, const double *r, const double *u);

/** No reason to go on: stopped by the observer or a cancel, or max_iterations or max_flops reached.
 */
bool haw_task_exhausted(const haw_task *task);

/* Further iterations and operations, at most what is left of the task's own. */
typedef struct haw_budget {
    int iterations;
    double flops;
} haw_budget;

/**
 * Run another row inside this task on a budget, from r; `best`, effort and the observer are the
 * task's own. What the row takes from the arena is given back.
 */
HAW_NODISCARD haw_status haw_task_delegate(haw_task *task, const haw_solver_settings *settings,
                                           const haw_budget *budget, double *r);

#endif
