/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solvers of the contact problem: one table, one driver, one referee.
 * Not converging is an outcome, not an error: haw_solve returns HAW_OK and says so in the report.
 */
#ifndef HAWSER_SOLVER_H
#define HAWSER_SOLVER_H

#include <hawser/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* name, text: the enum and the words of --json come from this one list. */
#define HAW_OUTCOME_LIST(X)                                                                        \
    X(CONVERGED, "converged") /* residual_natural <= tolerance; u_N also for mu > 10 */            \
    X(STALLED, "stalled")     /* no more progress above the tolerance */                           \
    X(ITERATION_LIMIT, "iteration limit") /* max_iterations reached */                             \
    X(SINGULAR, "singular")               /* a linear system could not be solved */                \
    X(NOT_FINITE, "not finite")           /* NaN or infinity in the problem or its solution */     \
    X(STOPPED, "stopped")                 /* the observer asked for it, e.g. a time limit */

typedef enum haw_outcome {

#define HAW_OUTCOME_ENUM(name, text) HAW_##name,
    HAW_OUTCOME_LIST(HAW_OUTCOME_ENUM)
#undef HAW_OUTCOME_ENUM
} haw_outcome;

HAW_API const char *haw_outcome_text(haw_outcome outcome);

/* What a solve has done, counted by the operations themselves; operations are floating-point
 * multiplications and additions, estimated from the sizes. */
typedef struct haw_effort {
    int iterations;           /* of the method, inner ones included */
    int factorizations;       /* of a KKT, Delassus or effective mass matrix while iterating */
    int sweeps;               /* over all contacts */
    int products;             /* with W, or solves with a kept factor, outside of sweeps */
    double newton_flops;      /* operations of the factorizations and of the solves with them */
    double first_order_flops; /* operations of sweeps and products */
} haw_effort;

typedef struct haw_report {
    haw_outcome outcome;
    int iterations; /* effort.iterations */
    haw_effort effort;
    double tolerance; /* the one applied: the asked one, at least 64 machine epsilons */
    haw_residual residual;
} haw_report;

/* What an observer sees now and then during a long solve. */
typedef struct haw_solve_progress {
    const char *solver; /* the row at work: `auto` passes on those it calls */
    const haw_effort *effort;
    double residual; /* residual_natural of the present iterate */
    double best;     /* smallest so far */
} haw_solve_progress;

/* Called at every question to the referee; returns true to end the solve as HAW_STOPPED. */
typedef struct haw_solve_observer {
    bool (*observe)(void *user, const haw_solve_progress *progress);
    void *user;
} haw_solve_observer;

/* Leading part of every solver's options struct. */
typedef struct haw_solver_common {
    double tolerance; /* on residual_natural */
    int max_iterations;
} haw_solver_common;

/* The problem at hand, its operator, memory and counters: src/solver/task.h. */
typedef struct haw_task haw_task;

typedef struct haw_solver_ops {
    haw_row row;
    /**
     * Improve r [n d] (in: warm start) until the referee is content. Takes all its memory from
     * the task before the first iteration.
     * @return ERR_NOMEM; ERR_SINGULAR: a linear system could not be solved, r is the best iterate;
     *         ERR_INPUT: the row cannot take this problem at all
     */
    haw_status (*solve)(haw_task *task, const void *options, double *r);
    bool is_newton; /* implicit steps may solve by Newton's method in the band of the mechanics */
} haw_solver_ops;

/** Heads of all solvers, for lists and lookups; ends with NULL. */
HAW_API extern const haw_row *const haw_solvers[];

/* A solver and its options: plain data, copyable. */
typedef struct haw_solver_settings {
    const haw_solver_ops *ops;
    double options[16]; /* storage of the row's options struct */
} haw_solver_settings;

/** Choose a solver by name with the presets of its table. @return ERR_INPUT: unknown name */
HAW_API HAW_NODISCARD haw_status haw_solver_settings_init(haw_context *context, const char *name,
                                                          haw_solver_settings *settings);

/** Set an option of the chosen solver by its key. @return ERR_INPUT with a message */
HAW_API HAW_NODISCARD haw_status haw_solver_set(haw_context *context, haw_solver_settings *settings,
                                                const char *key, double value);

/** The same from text: a number, a word, true or false. */
HAW_API HAW_NODISCARD haw_status haw_solver_set_text(haw_context *context,
                                                     haw_solver_settings *settings, const char *key,
                                                     const char *text);

/* Memory of solves: grows to the largest problem seen, is then reused. One per thread. */
typedef struct haw_workspace haw_workspace;

HAW_API HAW_NODISCARD haw_status haw_workspace_create(haw_context *context,
                                                      haw_workspace **workspace);
HAW_API void haw_workspace_free(haw_workspace *workspace);

/** Follow the solves in this workspace; observer NULL (the default) ends it. Copied. */
HAW_API void haw_workspace_observe(haw_workspace *workspace, const haw_solve_observer *observer);

/** Take memory for sweeps over up to `contacts` contacts beforehand. */
HAW_API HAW_NODISCARD haw_status haw_workspace_reserve(haw_workspace *workspace, int contacts);

/**
 * Solve, then let the referee judge: outcome and residuals never come from the solver itself.
 * The problem must have passed haw_problem_check.
 *
 * @param r  [n d] in: warm start, out: impulses
 * @param u  [n d] out: W r + q
 * @return ERR_NOMEM, or ERR_INPUT if the solver cannot take this problem (its message says why)
 */
HAW_API HAW_NODISCARD haw_status haw_solve(const haw_problem *problem,
                                           const haw_solver_settings *settings,
                                           haw_workspace *workspace, double *r, double *u,
                                           haw_report *report);

#ifdef __cplusplus
}
#endif
#endif
