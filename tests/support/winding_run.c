/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/winding_run.h"

void winding_start(scenario_run *run, double friction)
{
    scenario_init(run, "winding-w1");
    scenario_set(run, "contact.friction=%g", friction);
}

void winding_soften(scenario_run *run)
{
    scenario_set(run, "cables.yarn.bending_factor=0.01");
    scenario_set(run, "cables.yarn.elements=100");
}

/** Value of a probe of one value by its name; frame -1 is the last. */
double winding_probe(const scenario_run *run, int frame, const char *name)
{
    const haw_run_settings *settings = &run->scenario->run;
    const ptrdiff_t row = frame < 0 ? run->frames + frame : frame;
    ptrdiff_t column = 2;
    for (int i = 0; i < settings->probes; i++) {
        if (strcmp(haw_run_probe_name(settings, i), name) == 0) {
            return run->value[row * run->columns + column];
        }
        column += haw_simulation_probe_size(run->simulation, i);
    }
    fail_msg("no probe %s", name);
    return 0;
}

double winding_drift(const scenario_run *run, double until)
{
    double most = 0;
    for (int i = 0; i < run->frames && scenario_time(run, i) < until + 1e-9; i++) {
        most = fmax(most, fabs(winding_probe(run, i, "z25")));
    }
    return most;
}

winding_figures winding_complete(scenario_run *run)
{
    scenario_complete(run);
    const haw_summary *summary = &run->summary;
    const haw_ledger *ledger = &summary->ledger;
    const winding_figures f = {.z25 = winding_probe(run, -1, "z25"),
                               .slip_time = winding_probe(run, -1, "t_slip_25"),
                               .spurious = winding_probe(run, -1, "spurious_tension"),
                               .friction_loss = ledger->friction_loss,
                               .impact_loss = ledger->impact_loss,
                               .numerical_loss = ledger->numerical_loss,
                               .external_work = ledger->external_work,
                               .certificate = summary->certificate,
                               .steps = summary->steps,
                               .cpu = summary->cpu_seconds};
    print_message("z25 %.6f m, slips at %.4f s, spurious tension %.5f, penetration %.1e m, balance "
                  "%.1e of %.4f J, %.2f passes and %.2f factorizations per step, CPU %.2f s\n",
                  f.z25, f.slip_time, f.spurious, f.certificate.penetration_points_max,
                  ledger->balance_error, f.friction_loss,
                  (double)f.certificate.newton_iterations / (double)f.steps,
                  (double)f.certificate.factorizations / (double)f.steps, f.cpu);
    assert_true(f.certificate.penetration_points_max < 1e-8);
    assert_true(ledger->balance_error < 1e-8 && fabs(ledger->balance_drift) < 1e-6);
    if (f.friction_loss > 1e-3) {
        assert_true(ledger->balance_error < 1e-3 * f.friction_loss);
        assert_true(fabs(ledger->balance_drift) < 1e-3 * f.friction_loss);
    }
    return f;
}

winding_figures winding_finish(scenario_run *run)
{
    const winding_figures f = winding_complete(run);
    scenario_close(run);
    return f;
}

double winding_onset(double k, haw_ledger *ledger)
{
    scenario_run run;
    scenario_init(&run, "yarn-penalty");
    scenario_set(&run, "stepper.end=7.6");
    if (k > 0) {
        scenario_set(&run, "contact.normal_stiffness=%.17g", k);
        scenario_set(&run, "contact.tangential_stiffness=%.17g", k);
    } else {
        scenario_set(&run, "contact.law=hard");
    }
    scenario_complete(&run);
    const double t = winding_probe(&run, -1, "t_slip_25");
    *ledger = run.summary.ledger;
    scenario_close(&run);
    return t;
}
