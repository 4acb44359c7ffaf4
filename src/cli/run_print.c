/* SPDX-License-Identifier: BSD-3-Clause */
/* The readable form of a run's end. */
#include "cli/run_report.h"

enum { EVENTS_SHOWN = 24 };

static void print_run(const haw_run_result *result)
{
    const haw_summary *summary = &result->summary;
    const haw_certificate *certificate = &summary->certificate;
    const double steps = (double)summary->steps;

    printf("%s\n", result->session->scenario->title);
    printf("  stepper   %s, h = %.6g s, %ld steps to t = %.9g s\n", summary->stepper, summary->step,
           summary->steps, summary->t_end);
    printf("  solver    %s, %ld iterations, at most %d closed contacts\n", summary->solver,
           certificate->iterations_total, certificate->contacts_max);
    if (certificate->newton_iterations > 0) {
        printf(
            "  newton    %ld iterations (%.3g per step), %ld factorizations, %ld steps rejected\n",
            certificate->newton_iterations,
            summary->steps > 0 ? (double)certificate->newton_iterations / steps : 0.0,
            certificate->factorizations, certificate->rejected_steps);
    }
    printf("  time      %.3g s", summary->wall_seconds);
    if (summary->steps > 0) {
        printf(", %.3g us per step", 1e6 * summary->wall_seconds / steps);
    }
    printf("\n");
}

static void print_ledger(const haw_ledger *ledger)
{
    const double now = ledger->kinetic + ledger->elastic + ledger->gravity;

    printf("\nenergy [J]\n");
    printf("  kinetic         %20.12g\n", ledger->kinetic);
    printf("  elastic         %20.12g\n", ledger->elastic);
    printf("  gravity         %20.12g\n", ledger->gravity);
    printf("  sum             %20.12g   at the start %.12g\n", now, ledger->initial);
    printf("  external work   %20.12g\n", ledger->external_work);
    printf("  friction loss   %20.12g\n", ledger->friction_loss);
    printf("  impact loss     %20.12g\n", ledger->impact_loss);
    printf("  damping loss    %20.12g\n", ledger->damping_loss);
    printf("  numerical loss  %20.12g\n", ledger->numerical_loss);
    printf("  balance error   %20.3g   of the worst step\n", ledger->balance_error);
    printf("  balance         %20.3g   of the whole run\n", ledger->balance_drift);
}

static void print_certificate(const haw_certificate *certificate)
{
    printf("\ncertificate (worst of all steps)\n");
    printf("  residual         %10.3g     natural map, over the reference speed\n",
           certificate->residual_max);
    if (certificate->newton_iterations > 0) {
        printf("  newton residual  %10.3g     over its tolerance\n",
               certificate->newton_residual_max);
    }
    printf("  cone violation   %10.3g N s\n", certificate->cone_max);
    printf("  complementarity  %10.3g J\n", certificate->complementarity_max);
    printf("  penetration      %10.3g m\n", certificate->penetration_max);
    printf("  unconverged      %10ld steps\n", certificate->unconverged_steps);
}

static void print_events(const haw_run_result *result)
{
    if (result->events > 0) {
        printf("\nevents\n");
    }
    for (int i = 0; i < result->events && i < EVENTS_SHOWN; i++) {
        const haw_event *event = &result->event[i];
        const haw_contact_spec *contact = &result->session->scenario->scene.contact[event->pair];

        printf("  t = %-12.7g %s-%s: %s", event->t, contact->between[0], contact->between[1],
               haw_event_name(event->kind));
        if (event->kind == HAW_EVENT_WRAP) {
            printf(" %.6g rad", event->value);
        } else if (event->kind == HAW_EVENT_SLIP) {
            printf(" %+.0f", event->value);
        }
        printf("\n");
    }
    if (result->events > EVENTS_SHOWN) {
        printf("  and %d more\n", result->events - EVENTS_SHOWN);
    }
}

static void print_probes(const haw_run_result *result)
{
    const haw_run_settings *run = &result->session->scenario->run;
    const haw_simulation *simulation = result->session->simulation;
    int first = 0;

    if (run->probes > 0 && result->probe != NULL) {
        printf("\nprobes\n");
    }
    for (int i = 0; i < run->probes && result->probe != NULL; i++) {
        const int size = haw_simulation_probe_size(simulation, i);

        printf("  %-24s", haw_run_probe_name(run, i));
        for (int k = 0; k < size; k++) {
            printf(" %.10g", result->probe[first + k]);
        }
        printf(" %s\n", haw_simulation_probe_unit(simulation, i));
        first += size;
    }
}

void haw_run_result_print(const haw_run_result *result)
{
    print_run(result);
    print_ledger(&result->summary.ledger);
    print_certificate(&result->summary.certificate);
    print_events(result);
    print_probes(result);
    if (result->output != NULL) {
        printf("\nresults %s\n", result->output);
    }
}
