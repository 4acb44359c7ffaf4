/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser compare: the table for a reader, the object for a program. */
#include "cli/cmd_compare.h"

#include <math.h>
#include <string.h>

/* ---- table ---- */

static void put_real(double value, int width, const char *format)
{
    char text[32];

    if (isnan(value)) {
        printf("%*s", width, "-");
        return;
    }
    snprintf(text, sizeof text, format, value);
    printf("%*s", width, text);
}

/* Largest difference of a probe; its index is -1 where there is none. */
static double worst_probe(const haw_study_run *run, int *index)
{
    double worst = (double)NAN;

    *index = -1;
    for (int i = 0; i < run->probes; i++) {
        if (!isnan(run->probe_error[i]) && !(run->probe_error[i] <= worst)) {
            worst = run->probe_error[i];
            *index = i;
        }
    }
    return worst;
}

static void put_note(const haw_study *study, int index)
{
    const haw_study_run *run = &study->run[index];
    int probe;
    const double worst = worst_probe(run, &probe);

    if (index == study->reference) {
        printf("  %s", "reference");
    }
    if (!run->has_run) {
        printf("  %s", run->status);
    } else if (!run->is_done) {
        printf("  %s at t = %.6g s", run->status, run->summary.t_end);
    } else if (index != study->reference && worst > 0.0) {
        printf("  %s", run->probe[probe].name);
    }
}

static void put_row(const haw_study *study, int index, int width)
{
    const haw_study_run *run = &study->run[index];
    const haw_summary *summary = &run->summary;
    const haw_certificate *certificate = &summary->certificate;
    int probe;

    printf("%-*s", width, run->variant->name);
    if (!run->has_run) {
        printf("%10s%9s%9s%9s%9s%8s%12s%11s%11s%11s", "-", "-", "-", "-", "-", "-", "-", "-", "-",
               "-");
    } else {
        put_real(index == study->reference ? (double)NAN : run->error, 10, "%.2e");
        put_real(summary->cpu_seconds, 9, "%.3g");
        printf("%9ld%9ld%9ld%8ld", summary->steps, certificate->newton_iterations,
               certificate->factorizations, certificate->unconverged_steps);
        put_real(certificate->penetration_max, 12, "%.2e");
        put_real(summary->ledger.balance_error, 11, "%.1e");
        put_real(index == study->reference ? (double)NAN : run->tension_l2, 11, "%.2e");
        put_real(index == study->reference ? (double)NAN : worst_probe(run, &probe), 11, "%.2e");
    }
    put_note(study, index);
    fputc('\n', stdout);
}

void haw_compare_print(const haw_comparison *comparison)
{
    const haw_study *study = &comparison->study;
    size_t width = strlen("variant");

    for (int i = 0; i < study->runs; i++) {
        const size_t length = strlen(study->run[i].variant->name);

        width = length > width ? length : width;
    }
    printf("%-*s%10s%9s%9s%9s%9s%8s%12s%11s%11s%11s\n", (int)width, "variant", "error", "CPU",
           "steps", "Newton", "factor.", "unconv.", "penetration", "balance", "tension", "probes");
    printf("%-*s%10s%9s%9s%9s%9s%8s%12s%11s%11s%11s\n", (int)width, "", "", "[s]", "", "", "", "",
           "[m]", "[J]", "L2", "largest");
    for (int i = 0; i < study->runs; i++) {
        put_row(study, i, (int)width);
    }
    if (comparison->files > 0) {
        printf("\ntables and figures: %s\n", comparison->folder);
    }
}

/* ---- JSON ---- */

static void write_sets(haw_json *json, const haw_variant *variant)
{
    haw_json_open(json, "set", '[');
    for (int i = 0; i < variant->sets; i++) {
        haw_json_text(json, NULL, variant->set[i]);
    }
    haw_json_close(json, ']');
}

static void write_certificate(haw_json *json, const haw_certificate *certificate)
{
    haw_json_integer(json, "newton_iterations", certificate->newton_iterations);
    haw_json_integer(json, "factorizations", certificate->factorizations);
    haw_json_integer(json, "iterations_total", certificate->iterations_total);
    haw_json_integer(json, "unconverged_steps", certificate->unconverged_steps);
    haw_json_integer(json, "rejected_steps", certificate->rejected_steps);
    haw_json_integer(json, "contacts_max", certificate->contacts_max);
    haw_json_number(json, "penetration_max", certificate->penetration_max);
    haw_json_number(json, "residual_max", certificate->residual_max);
}

static void write_summary(haw_json *json, const haw_summary *summary)
{
    haw_json_text(json, "stepper", summary->stepper);
    haw_json_text(json, "solver", summary->solver);
    haw_json_number(json, "step", summary->step);
    haw_json_integer(json, "steps", summary->steps);
    haw_json_number(json, "t_end", summary->t_end);
    haw_json_number(json, "cpu_seconds", summary->cpu_seconds);
    haw_json_number(json, "wall_seconds", summary->wall_seconds);
    write_certificate(json, &summary->certificate);
    haw_json_number(json, "balance_error", summary->ledger.balance_error);
    haw_json_number(json, "balance_drift", summary->ledger.balance_drift);
}

static void write_probes(haw_json *json, const haw_study_run *run)
{
    const size_t last = (size_t)(run->frames - 1) * (size_t)run->values;

    haw_json_open(json, "probes", '{');
    for (int i = 0; i < run->probes; i++) {
        const haw_study_probe *probe = &run->probe[i];

        haw_json_values(json, probe->name, probe->size, run->value + last + probe->first);
    }
    haw_json_close(json, '}');
}

static void write_error(haw_json *json, const haw_study_run *run)
{
    haw_json_open(json, "error", '{');
    haw_json_number(json, "largest", run->error);
    haw_json_number(json, "tension_l2", run->tension_l2);
    haw_json_open(json, "probes", '{');
    for (int i = 0; i < run->probes; i++) {
        haw_json_number(json, run->probe[i].name, run->probe_error[i]);
    }
    haw_json_close(json, '}');
    haw_json_close(json, '}');
}

/* A variant that never ran has name, set, status and message only. */
static void write_variant(haw_json *json, const haw_study_run *run)
{
    haw_json_open(json, NULL, '{');
    haw_json_text(json, "name", run->variant->name);
    write_sets(json, run->variant);
    haw_json_text(json, "status", run->status);
    haw_json_text(json, "message", run->message);
    if (run->has_run) {
        write_summary(json, &run->summary);
        haw_json_integer(json, "elements", run->elements);
        haw_json_integer(json, "contact_points", run->points);
        write_probes(json, run);
        write_error(json, run);
    }
    haw_json_close(json, '}');
}

static void write_names(haw_json *json, const char *key, int count, const char *const *name)
{
    haw_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        haw_json_text(json, NULL, name[i]);
    }
    haw_json_close(json, ']');
}

void haw_compare_write(haw_cli *cli, const haw_comparison *comparison)
{
    const haw_study *study = &comparison->study;
    const char *table = NULL;
    haw_json json = haw_cli_answer(cli);

    for (int i = 0; i < comparison->files; i++) {
        const char *slash = strrchr(comparison->file[i], '/');

        table = slash != NULL && strcmp(slash, "/compare.csv") == 0 ? comparison->file[i] : table;
    }
    haw_json_text(&json, "scenario", comparison->scenario);
    haw_json_text(&json, "reference",
                  study->reference >= 0 ? study->run[study->reference].variant->name : NULL);
    haw_json_text(&json, "swept", study->swept);
    haw_json_open(&json, "variants", '[');
    for (int i = 0; i < study->runs; i++) {
        write_variant(&json, &study->run[i]);
    }
    haw_json_close(&json, ']');
    write_names(&json, "figures", comparison->figures, comparison->figure);
    haw_json_text(&json, "table", table);
    write_names(&json, "files", comparison->files, comparison->file);
    haw_cli_answer_status(cli, &json, comparison->code);
    haw_json_close(&json, '}');
}
