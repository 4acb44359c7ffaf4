/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in a process of their own: a crash or an endless loop of one solver ends that run only, and
 * is recorded as such.
 */
#ifndef HAWSER_COMPARE_CHILD_H
#define HAWSER_COMPARE_CHILD_H

#include "contestant.h"

enum { CHILD_RUNS = 9 };

typedef enum child_end {
    CHILD_FINISHED,
    CHILD_TIMEOUT, /* more CPU time in one solve than the limit */
    CHILD_CRASHED, /* a signal, or an exit of its own */
    CHILD_ABSENT   /* not run: the solver cannot take the problem */
} child_end;

typedef struct child_plan {
    aim to;
    double limit; /* CPU seconds of one solve */
    int runs;     /* 1 ... CHILD_RUNS */
    int batch;    /* solves of one run, each from an instance prepared beforehand */
} child_plan;

typedef struct child_result {
    child_end end;
    int runs;                   /* completed ones */
    double seconds[CHILD_RUNS]; /* CPU time per solve */
    answer said;
} child_result;

/**
 * @param r  [n d] out: the impulses; those at the end of the process if it did not finish
 * @return false if there is no memory or no process
 */
bool child_run(const contestant *who, const contest *problem, const child_plan *plan, double *r,
               child_result *result);

#endif
