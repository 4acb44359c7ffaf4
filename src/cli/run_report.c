/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run_report.h"

#include <math.h>
#include <string.h>

haw_status haw_run_result_frame(haw_cli *cli, haw_run_result *result, const haw_frame *frame)
{
    const size_t size = (size_t)frame->probe_values * sizeof *frame->probe;

    if (result->probe == NULL && frame->probe_values > 0) {
        result->probe = haw_arena_allocate(&cli->arena, size, 1);
        HAW_TRY(haw_arena_status(&cli->arena));
        result->probe_values = frame->probe_values;
    }
    if (frame->probe_values > 0) {
        memcpy(result->probe, frame->probe, size);
    }
    return HAW_OK;
}

haw_status haw_run_result_event(haw_cli *cli, haw_run_result *result, const haw_event *event)
{
    result->event =
        haw_arena_extend(&cli->arena, result->event, (size_t)result->events, sizeof *result->event);
    HAW_TRY(haw_arena_status(&cli->arena));
    result->event[result->events++] = *event;
    return HAW_OK;
}

/* Name of a contact pair, "cable-disk"; from the arena. */
static const char *pair_name(haw_cli *cli, const haw_scenario *scenario, int pair)
{
    if (pair < 0 || pair >= scenario->scene.contacts) {
        return "";
    }
    const haw_contact_spec *contact = &scenario->scene.contact[pair];

    return haw_cli_format(cli, "%s-%s", contact->between[0], contact->between[1]);
}

static void write_probes(haw_json *json, const haw_run_result *result)
{
    const haw_run_settings *run = &result->session->scenario->run;
    int first = 0;

    haw_json_open(json, "probes", '{');
    for (int i = 0; i < run->probes; i++) {
        const int size = haw_simulation_probe_size(result->session->simulation, i);

        if (first + size <= result->probe_values) {
            haw_json_values(json, haw_run_probe_name(run, i), size, result->probe + first);
        } else {
            haw_json_text(json, haw_run_probe_name(run, i), NULL);
        }
        first += size;
    }
    haw_json_close(json, '}');
}

static void write_events(haw_cli *cli, haw_json *json, const haw_run_result *result)
{
    haw_json_open(json, "events", '[');
    for (int i = 0; i < result->events; i++) {
        const haw_event *event = &result->event[i];

        haw_json_open(json, NULL, '{');
        haw_json_number(json, "t", event->t);
        haw_json_text(json, "contact", pair_name(cli, result->session->scenario, event->pair));
        haw_json_text(json, "event", haw_event_name(event->kind));
        haw_json_number(json, "value", event->value);
        haw_json_close(json, '}');
    }
    haw_json_close(json, ']');
}

#define FIELD(kind, member) HAW_FIELD_OF(kind, haw_sparse_calls, member)
static const haw_field sparse_fields[] = {FIELD(LONG, cholmod_factorizations),
                                          FIELD(LONG, cholmod_solves),
                                          FIELD(LONG, klu_factorizations),
                                          FIELD(LONG, klu_solves),
                                          FIELD(LONG, umfpack_factorizations),
                                          FIELD(LONG, umfpack_solves),
                                          HAW_FIELDS_END};
#undef FIELD

void haw_json_summary(haw_json *json, const haw_summary *summary)
{
    haw_json_text(json, "stepper", summary->stepper);
    haw_json_text(json, "solver", summary->solver);
    haw_json_fields(json, haw_summary_fields, summary);
    haw_json_fields(json, haw_certificate_fields, &summary->certificate);
    haw_json_open(json, "suitesparse", '{');
    haw_json_fields(json, sparse_fields, &summary->sparse);
    haw_json_close(json, '}');
}

/* [s] of the wall clock; nan: no step was made */
static double seconds_per_step(const haw_run_result *result)
{
    const long steps = result->summary.steps - result->earlier;

    return steps > 0 ? result->summary.wall_seconds / (double)steps : (double)NAN;
}

void haw_run_result_write(haw_cli *cli, const haw_run_result *result)
{
    const haw_summary *summary = &result->summary;
    haw_json *json = haw_cli_answer(cli);

    haw_json_text(json, "scenario", result->session->scenario->file);
    haw_json_text(json, "title", result->session->scenario->title);
    haw_json_summary(json, summary);
    haw_json_number(json, "seconds_per_step", seconds_per_step(result));
    haw_json_open(json, "energy", '{');
    haw_json_fields(json, haw_ledger_fields, &summary->ledger);
    haw_json_close(json, '}');
    write_probes(json, result);
    write_events(cli, json, result);
    haw_json_text(json, "output", result->output);
}

/* ---- the readable form ---- */

enum { EVENTS_SHOWN = 24 };

static void print_run(const haw_run_result *result)
{
    const haw_summary *summary = &result->summary;
    const haw_certificate *certificate = &summary->certificate;
    const double steps = (double)summary->steps;
    const char *title = result->session->scenario->title;

    haw_term_text(stdout, title, strlen(title));
    printf("\n");
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
    if (summary->steps > result->earlier) {
        printf(", %.3g us per step", 1e6 * seconds_per_step(result));
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
    printf("  penetration      %10.3g m   at the contact points\n",
           certificate->penetration_points_max);
    printf("                   %10.3g m   of the curve between them\n",
           certificate->penetration_max);
    printf("  joint drift      %10.3g m\n", certificate->joint_drift_max);
    printf("  unconverged      %10ld steps\n", certificate->unconverged_steps);
}

static void print_events(haw_cli *cli, const haw_run_result *result)
{
    if (result->events > 0) {
        printf("\nevents\n");
    }
    for (int i = 0; i < result->events && i < EVENTS_SHOWN; i++) {
        const haw_event *event = &result->event[i];

        printf("  t = %-12.7g %s: %s", event->t,
               pair_name(cli, result->session->scenario, event->pair), haw_event_name(event->kind));
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

void haw_run_result_print(haw_cli *cli, const haw_run_result *result)
{
    print_run(result);
    print_ledger(&result->summary.ledger);
    print_certificate(&result->summary.certificate);
    print_events(cli, result);
    print_probes(result);
    if (result->output != NULL) {
        printf("\nresults %s\n", result->output);
    }
}
