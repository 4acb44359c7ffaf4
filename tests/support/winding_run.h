/* SPDX-License-Identifier: BSD-3-Clause */
/* Benchmark W1 as shipped (data/scenarios/winding-w1.yaml), its figures by the names of its probes.
 */
#ifndef HAWSER_TESTS_WINDING_RUN_H
#define HAWSER_TESTS_WINDING_RUN_H

#include "support/scenario.h"

typedef struct winding_figures {
    double z25;       /* of the node in the middle, at the end [m] */
    double slip_time; /* when |z25| exceeds 0.5 mm; NAN: never [s] */
    double spurious;  /* max T / T0 - 1 in [0.2, 5] s */
    double friction_loss, impact_loss, numerical_loss, external_work; /* [J] */
    haw_certificate certificate;
    long steps;
    double cpu; /* [s] */
} winding_figures;

void winding_start(scenario_run *run, double friction);

/** A hundredth of the bending stiffness and twice the elements: next to the string of the closed
 * form. */
void winding_soften(scenario_run *run);

/** Largest |z25| of the frames up to a time [m]. */
double winding_drift(const scenario_run *run, double until);

/**
 * Run to the end. Of every run: no step missed, contacts closed to rounding, and what the ledger
 * misses, in one step or over all, is less than a thousandth of what friction took.
 */
winding_figures winding_complete(scenario_run *run);

/** The same where nothing but the figures is asked for. */
winding_figures winding_finish(scenario_run *run);

/* Value of a probe by its own name in a frame; -1 is the last one. */
double winding_probe(const scenario_run *run, int frame, const char *name);

/** Onset of slip of `yarn-penalty` with springs and bristles of k [N/m], 0: of hard contact [s]. */
double winding_onset(double k, haw_ledger *ledger);

#endif
