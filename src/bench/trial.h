/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One measured solve from a cold start: CPU time, a limit on it, and how the residual fell.
 * CPU time is that of the process (CLOCK_PROCESS_CPUTIME_ID) during haw_solve, which includes the
 * preparation of the operator and the referee's judgement but no reading or making of the problem.
 */
#ifndef HAWSER_BENCH_TRIAL_H
#define HAWSER_BENCH_TRIAL_H

#include "base/arena.h"

#include <hawser/solver.h>

/* The referee's answer to one question. */
typedef struct haw_trial_point {
    int iterations;
    double cpu_seconds, residual;
} haw_trial_point;

typedef struct haw_trial_rules {
    double time_limit;  /* [s] of CPU time; 0: none */
    bool keeps_history; /* points, thinned to steps of one per cent in the iterations */
    /* NULL, or called at every question to the referee, for progress lines. */
    void (*progress)(void *user, const haw_solve_progress *progress);
    void *user;
} haw_trial_rules;

typedef struct haw_trial {
    haw_report report;
    double cpu_seconds;
    const char *refusal;    /* why the solver cannot take this problem; NULL: it can */
    haw_trial_point *point; /* [points] the last one is the end of the solve */
    int points;
    bool was_run;   /* false: not reached, all else is zero */
    bool timed_out; /* the outcome `stopped` is the work of the time limit */
} haw_trial;

/** Process CPU time [s]. */
double haw_cpu_clock(void);

/**
 * Solve from r = 0. A solver that cannot take the problem makes a trial with a refusal, whose
 * outcome is `singular` and whose residuals are infinite.
 *
 * @param arena    of the history and the refusal
 * @param problem  checked
 * @return ERR_NOMEM; ERR_CANCELLED: the context was cancelled, the trial holds what was reached
 */
HAW_NODISCARD haw_status haw_trial_run(haw_arena *arena, haw_workspace *workspace,
                                       const haw_problem *problem,
                                       const haw_solver_settings *settings,
                                       const haw_trial_rules *rules, haw_trial *trial);

/** Solved: judged `converged` by the referee. */
bool haw_trial_is_solved(const haw_trial *trial);

/** First-order work (sweeps and products) cost no more than factorizations and their solves. */
bool haw_trial_is_newton(const haw_trial *trial);

/** The outcome in words for people, with the time limit and refusals apart. */
const char *haw_trial_text(const haw_trial *trial);

#endif
