/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run_report.h"

#include <math.h>
#include <string.h>

haw_status haw_run_result_frame(haw_cli *cli, haw_run_result *result, const haw_frame *frame)
{
    const size_t size = (size_t)frame->probe_values * sizeof *frame->probe;

    if (result->probe == NULL && frame->probe_values > 0) {
        result->probe = haw_arena_allocate(&cli->arena, size, 1);
        if (result->probe == NULL) {
            return HAW_ERR_NOMEM;
        }
        result->probe_values = frame->probe_values;
    }
    if (frame->probe_values > 0) {
        memcpy(result->probe, frame->probe, size);
    }
    return HAW_OK;
}

haw_status haw_run_result_event(haw_cli *cli, haw_run_result *result, const haw_event *event)
{
    if (result->events == result->event_capacity) {
        const int capacity = result->events > 0 ? 2 * result->events : 16;
        haw_event *larger = haw_arena_allocate(&cli->arena, (size_t)capacity, sizeof *larger);

        if (larger == NULL) {
            return HAW_ERR_NOMEM;
        }
        if (result->events > 0) {
            memcpy(larger, result->event, (size_t)result->events * sizeof *larger);
        }
        result->event = larger;
        result->event_capacity = capacity;
    }
    result->event[result->events++] = *event;
    return HAW_OK;
}

const char *haw_run_pair_name(haw_cli *cli, const haw_scenario *scenario, int pair)
{
    if (pair < 0 || pair >= scenario->scene.contacts) {
        return "";
    }
    const haw_contact_spec *contact = &scenario->scene.contact[pair];

    return haw_cli_format(cli, "%s-%s", contact->between[0], contact->between[1]);
}

static void write_energy(haw_json *json, const haw_ledger *ledger)
{
    haw_json_open(json, "energy", '{');
    haw_json_number(json, "kinetic", ledger->kinetic);
    haw_json_number(json, "elastic", ledger->elastic);
    haw_json_number(json, "gravity", ledger->gravity);
    haw_json_number(json, "external_work", ledger->external_work);
    haw_json_number(json, "friction_loss", ledger->friction_loss);
    haw_json_number(json, "impact_loss", ledger->impact_loss);
    haw_json_number(json, "damping_loss", ledger->damping_loss);
    haw_json_number(json, "numerical_loss", ledger->numerical_loss);
    haw_json_number(json, "balance_error", ledger->balance_error);
    haw_json_number(json, "balance_drift", ledger->balance_drift);
    haw_json_number(json, "contact_work_max", ledger->contact_work_max);
    haw_json_number(json, "initial", ledger->initial);
    haw_json_close(json, '}');
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
        haw_json_text(json, "contact",
                      haw_run_pair_name(cli, result->session->scenario, event->pair));
        haw_json_text(json, "event", haw_event_name(event->kind));
        haw_json_number(json, "value", event->value);
        haw_json_close(json, '}');
    }
    haw_json_close(json, ']');
}

static void write_certificate(haw_json *json, const haw_certificate *certificate)
{
    haw_json_integer(json, "contacts_max", certificate->contacts_max);
    haw_json_integer(json, "iterations_total", certificate->iterations_total);
    haw_json_integer(json, "newton_iterations", certificate->newton_iterations);
    haw_json_integer(json, "factorizations", certificate->factorizations);
    haw_json_integer(json, "rejected_steps", certificate->rejected_steps);
    haw_json_integer(json, "held_points", certificate->held_points);
    haw_json_number(json, "newton_residual_max", certificate->newton_residual_max);
    haw_json_number(json, "residual_max", certificate->residual_max);
    haw_json_number(json, "residual_relative_max", certificate->relative_max);
    haw_json_number(json, "cone_max", certificate->cone_max);
    haw_json_number(json, "complementarity_max", certificate->complementarity_max);
    haw_json_number(json, "penetration_max", certificate->penetration_max);
}

void haw_run_result_write(haw_cli *cli, const haw_run_result *result)
{
    const haw_summary *summary = &result->summary;
    const double steps = (double)summary->steps;
    haw_json json = haw_cli_answer(cli);

    haw_json_text(&json, "scenario", result->session->scenario->file);
    haw_json_text(&json, "title", result->session->scenario->title);
    haw_json_text(&json, "stepper", summary->stepper);
    haw_json_text(&json, "solver", summary->solver);
    haw_json_number(&json, "step", summary->step);
    haw_json_integer(&json, "steps", summary->steps);
    haw_json_integer(&json, "unconverged_steps", summary->certificate.unconverged_steps);
    haw_json_number(&json, "t_end", summary->t_end);
    haw_json_number(&json, "wall_seconds", summary->wall_seconds);
    haw_json_number(&json, "cpu_seconds", summary->cpu_seconds);
    haw_json_number(&json, "seconds_per_step",
                    steps > 0.0 ? summary->wall_seconds / steps : (double)NAN);
    write_certificate(&json, &summary->certificate);
    write_energy(&json, &summary->ledger);
    write_probes(&json, result);
    write_events(cli, &json, result);
    haw_json_text(&json, "output", result->output);
    haw_cli_answer_status(cli, &json, result->code);
    haw_json_close(&json, '}');
}
