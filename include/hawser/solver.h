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

typedef enum haw_outcome {
    HAW_CONVERGED,       /* residual_natural <= tolerance, all finite */
    HAW_STALLED,         /* no more progress above the tolerance */
    HAW_ITERATION_LIMIT, /* max_iterations reached */
    HAW_NOT_FINITE       /* NaN or infinity in the problem or its solution */
} haw_outcome;

typedef struct haw_report {
    haw_outcome outcome;
    int iterations;
    double tolerance; /* the one applied: the asked one, at least 64 machine epsilons */
    haw_residual residual;
} haw_report;

/* Leading part of every solver's options struct. */
typedef struct haw_solver_common {
    double tolerance; /* on residual_natural */
    int max_iterations;
} haw_solver_common;

typedef struct haw_solver_ops {
    const char *name, *summary, *source;
    const haw_option *options; /* rows; the struct begins with haw_solver_common */
    size_t options_size;       /* bytes, at most sizeof ((haw_solver_settings *)0)->options */
    /** Bytes of workspace that `solve` needs for n contacts; malloc cannot hide in the loop. */
    size_t (*work_size)(int dimension, int contacts);
    /** Improve r [n d] (in: warm start) until the referee is content; fills iterations only. */
    void (*solve)(const haw_problem *problem, const void *options, void *work, double *r,
                  int *iterations);
} haw_solver_ops;

/** All solvers; ends with a row whose name is NULL. */
HAW_API extern const haw_solver_ops *const haw_solvers[];
HAW_API const haw_solver_ops *haw_solver_find(const char *name);

/* A solver and its options: plain data, copyable. */
typedef struct haw_solver_settings {
    const haw_solver_ops *ops;
    double options[16]; /* storage of the row's options struct */
} haw_solver_settings;

/** Choose a solver by name with the presets of its table. @return ERR_INPUT: unknown name */
HAW_API HAW_NODISCARD haw_status haw_solver_settings_init(haw_context *context, const char *name,
                                                          haw_solver_settings *settings);

/** Bytes of workspace for haw_solve. */
HAW_API size_t haw_solve_work_size(const haw_solver_settings *settings, int dimension,
                                   int contacts);

/**
 * Solve, then let the referee judge: outcome and residuals never come from the solver itself.
 *
 * @param work  lent workspace of haw_solve_work_size bytes, aligned to 64; no allocation inside
 * @param r     [n d] in: warm start, out: impulses
 * @param u     [n d] out: W r + q
 */
HAW_API void haw_solve(const haw_problem *problem, const haw_solver_settings *settings, void *work,
                       double *r, double *u, haw_report *report);

#ifdef __cplusplus
}
#endif
#endif
