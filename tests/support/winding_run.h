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
    double friction_loss;
    haw_certificate certificate;
    long steps;
    double cpu; /* [s] */
} winding_figures;

static inline void winding_start(scenario_run *run, double friction)
{
    scenario_init(run, "winding-w1");
    scenario_set(run, "contact.friction=%g", friction);
}

/** A hundredth of the bending stiffness and twice the elements: next to the string of the closed
 * form. */
static inline void winding_soften(scenario_run *run)
{
    scenario_set(run, "cables.yarn.bending_factor=0.01");
    scenario_set(run, "cables.yarn.elements=100");
}

/** Value of a probe of one value by its name; frame -1 is the last. */
static inline double winding_probe(const scenario_run *run, int frame, const char *name)
{
    const haw_run_settings *settings = &run->scenario->run;
    const ptrdiff_t row = frame < 0 ? run->frames + frame : frame;
    ptrdiff_t column = 2;
    for (int i = 0; i < settings->probes; i++) {
        if (strcmp(settings->probe_name[i], name) == 0) {
            return run->value[row * run->columns + column];
        }
        column += haw_simulation_probe_size(run->simulation, i);
    }
    fail_msg("no probe %s", name);
    return 0;
}

/** Largest |z25| of the frames up to a time [m]. */
static inline double winding_drift(const scenario_run *run, double until)
{
    double most = 0;
    for (int i = 0; i < run->frames && scenario_time(run, i) < until + 1e-9; i++) {
        most = fmax(most, fabs(winding_probe(run, i, "z25")));
    }
    return most;
}

/**
 * Run to the end. Of every run: no step missed, contacts closed to rounding, and what the ledger
 * misses, in one step or over all, is less than a thousandth of what friction took.
 */
static inline winding_figures winding_complete(scenario_run *run)
{
    scenario_complete(run);
    const haw_summary *summary = &run->summary;
    const haw_ledger *ledger = &summary->ledger;
    const winding_figures f = {.z25 = winding_probe(run, -1, "z25"),
                               .slip_time = winding_probe(run, -1, "t_slip_25"),
                               .spurious = winding_probe(run, -1, "spurious_tension"),
                               .friction_loss = ledger->friction_loss,
                               .certificate = summary->certificate,
                               .steps = summary->steps,
                               .cpu = summary->cpu_seconds};
    print_message("z25 %.6f m, slips at %.4f s, spurious tension %.5f, penetration %.1e m, balance "
                  "%.1e of %.4f J, %.2f passes and %.2f factorizations per step, CPU %.2f s\n",
                  f.z25, f.slip_time, f.spurious, f.certificate.penetration_max,
                  ledger->balance_error, f.friction_loss,
                  (double)f.certificate.newton_iterations / (double)f.steps,
                  (double)f.certificate.factorizations / (double)f.steps, f.cpu);
    assert_true(f.certificate.penetration_max < 1e-8);
    assert_true(ledger->balance_error < 1e-8 && fabs(ledger->balance_drift) < 1e-6);
    if (f.friction_loss > 1e-3) {
        assert_true(ledger->balance_error < 1e-3 * f.friction_loss);
        assert_true(fabs(ledger->balance_drift) < 1e-3 * f.friction_loss);
    }
    return f;
}

/** The same where nothing but the figures is asked for. */
static inline winding_figures winding_finish(scenario_run *run)
{
    const winding_figures f = winding_complete(run);
    scenario_close(run);
    return f;
}

#endif
