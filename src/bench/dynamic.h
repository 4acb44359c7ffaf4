/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scenario of winding run with one solver at one tolerance: what the tolerance costs, and what it
 * does to the tension. Where the yarn only turns with the drum its tension is that of its end; what
 * exceeds it there is made by loose contact impulses, which stick adds up step by step.
 */
#ifndef HAWSER_BENCH_DYNAMIC_H
#define HAWSER_BENCH_DYNAMIC_H

#include "bench/trial.h"

#include <hawser/stepper.h>

typedef struct haw_dynamic_rules {
    double time_limit; /* [s] of CPU time for the whole run; 0: none */
    double tension;    /* T0 [N] */
    double from;       /* the spurious tension is looked for from here to the end [s] */
    void (*progress)(void *user, const haw_frame *frame); /* after every step, or NULL */
    void *user;
} haw_dynamic_rules;

typedef struct haw_dynamic {
    const char *solver;
    double tolerance;
    bool was_run; /* false: not reached, all else is zero */
    bool timed_out, interrupted;
    const char *message; /* why it ended before its end, NULL: it did not */
    long steps;          /* finished */
    double t_end, cpu_seconds;
    haw_certificate certificate; /* of the finished steps */
    double spurious; /* max T / T0 - 1 over all elements and steps in the window; NAN: none seen */
} haw_dynamic;

/**
 * One run from the start to the end of the settings or the time limit. A step that misses its
 * tolerance is counted and accepted (on_unconverged: warn), one that fails ends the run.
 *
 * @param arena     of the message
 * @param settings  with the solver and its tolerance
 * @return ERR_NOMEM; ERR_CANCELLED, with what was reached in `result`; ERR_INPUT: the stepper or
 *         the solver cannot take the model
 */
HAW_NODISCARD haw_status haw_dynamic_run(haw_arena *arena, const haw_model *model,
                                         const haw_run_settings *settings,
                                         const haw_dynamic_rules *rules, haw_dynamic *result);

/** Outcome in words for people. */
const char *haw_dynamic_text(const haw_dynamic *result);

/**
 * folder/dynamic.csv with all figures of all runs.
 *
 * @param frictionless  max T / T0 - 1 of the same winding without friction, repeated in every line
 */
HAW_NODISCARD haw_status haw_dynamic_write(haw_context *context, int count,
                                           const haw_dynamic *result, double frictionless,
                                           const char *folder);

#endif
