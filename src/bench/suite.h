/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems times solvers: every pair measured once, from a cold start, on one thread. Problems are
 * generated windings, or come from scenes. */
#ifndef HAWSER_BENCH_SUITE_H
#define HAWSER_BENCH_SUITE_H

#include "bench/trial.h"
#include "bench/winding.h"

/* A problem that a simulation meets. */
typedef struct haw_suite_scene {
    char name[HAW_WINDING_NAME_SIZE];
    int dimension, contacts; /* 0: not made yet */
    double friction;         /* the largest */
} haw_suite_scene;

typedef struct haw_suite {
    int problems, solvers;
    const haw_winding *winding; /* [problems], or NULL and */
    haw_suite_scene *scene;     /* [problems] names; the rest is known once they were made */
    haw_status (*make)(void *user, int problem, const haw_problem **made); /* of a scene: valid
                                            until the next call; they come in ascending order */
    void *user;
    const haw_solver_settings *settings; /* [solvers] */
    double time_limit;                   /* [s] of CPU time for each solve; 0: none */
    bool keeps_history;
} haw_suite;

/* Called while it runs; each may be NULL. */
typedef struct haw_suite_observer {
    /* A problem was made; not HAW_OK ends the run. */
    haw_status (*made)(void *user, int problem, const haw_problem *made);
    void (*progress)(void *user, const haw_solve_progress *progress);
    void (*done)(void *user, int problem, int solver, const haw_trial *trial);
    void *user;
} haw_suite_observer;

void haw_suite_name(const haw_suite *suite, int problem, char name[HAW_WINDING_NAME_SIZE]);
int haw_suite_contacts(const haw_suite *suite, int problem);

/**
 * Run all problems with all solvers, problem by problem. Problems are made one at a time; the
 * memory of the solves is kept from one to the next.
 *
 * @param arena  of the histories
 * @param trial  [problems * solvers] out: problem by problem; those not reached are zero
 * @return ERR_CANCELLED, ERR_NOMEM, ERR_ARG: a problem out of range; or that of `make` and `made`
 */
HAW_NODISCARD haw_status haw_suite_run(haw_arena *arena, const haw_suite *suite,
                                       const haw_suite_observer *observer, haw_trial *trial);

/* Figures of one solver. A problem that is not solved has infinitely many Newton iterations. */
typedef struct haw_suite_summary {
    int problems, solved; /* judged by residual_natural; a problem not reached is not solved */
    int solved_relative;  /* of them those with residual_relative <= tolerance as well */
    int newton_solves;    /* of them those with less first-order than Newton work */
    double newton_median, newton_p90, newton_max; /* haw_percentile of 50, 90, 100 */
    double cpu_seconds;                           /* sum */
    double natural_max, relative_max;             /* largest residuals */
} haw_suite_summary;

HAW_NODISCARD haw_status haw_suite_summarize(haw_context *context, const haw_suite *suite,
                                             int solver, const haw_trial *trial,
                                             haw_suite_summary *summary);

/**
 * rows.csv (all figures of every solve), profile.csv (ratios and CPU times in ascending order with
 * the share of problems solved, one block per solver), convergence.csv (residuals against
 * iterations and CPU time, one block per solve, solver by solver), into a folder made if missing.
 */
HAW_NODISCARD haw_status haw_suite_write(haw_context *context, const haw_suite *suite,
                                         const haw_trial *trial, const char *folder);

#endif
