/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of a study. Each has one line of headers; what belongs to one curve is a block, and
 * blocks are separated by two empty lines, so that gnuplot tells them apart and others skip them.
 */
#include "io/csv.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* ---- one row for each run ---- */

static void put_header(FILE *stream, const haw_study_probe *probe, int part, const char *of)
{
    static const char *const axis[] = {"_x", "_y", "_z"};
    const bool is_vector = probe->size > 1 && probe->size <= 3;
    char number[16] = "";
    if (probe->size > 3) {
        (void)snprintf(number, sizeof number, "_%d", part + 1);
    }
    const bool has_unit = probe->unit[0] != '\0';
    char header[HAW_HEADER_MAX];
    (void)snprintf(header, sizeof header, "%s%s%s%s%s%s", probe->name,
                   is_vector ? axis[part] : number, of, has_unit ? "[" : "", probe->unit,
                   has_unit ? "]" : "");
    (void)fputc(',', stream);
    haw_csv_text(stream, header);
}

static void put_error_headers(FILE *stream, const haw_study_run *reference)
{
    for (int i = 0; i < reference->probes; i++) {
        char header[HAW_HEADER_MAX];
        (void)snprintf(header, sizeof header, "error_%s", reference->probe[i].name);
        (void)fputc(',', stream);
        haw_csv_text(stream, header);
    }
}

/* Without a reference, a run that has nothing. */
static const haw_study_run *reference_of(const haw_study *study)
{
    static const haw_study_run nothing;
    return study->reference >= 0 ? &study->run[study->reference] : &nothing;
}

static void put_probe(FILE *stream, const haw_study_run *run, const haw_study_probe *wanted,
                      int frame)
{
    const haw_study_probe *own = haw_study_probe_find(run, wanted->name);
    for (int k = 0; k < wanted->size; k++) {
        const bool is_there = own != NULL && k < own->size && frame >= 0 && frame < run->frames;
        haw_csv_number(stream, is_there ? haw_study_value(run, own, frame)[k] : (double)NAN);
    }
}

static void put_probe_headers(FILE *stream, const haw_study_run *reference)
{
    for (int i = 0; i < reference->probes; i++) {
        for (int k = 0; k < reference->probe[i].size; k++) {
            put_header(stream, &reference->probe[i], k, "");
        }
    }
}

static void put_errors(FILE *stream, const haw_study_run *run, const haw_study_run *reference)
{
    haw_csv_number(stream, run->error);
    haw_csv_number(stream, run->tension_l2);
    for (int i = 0; i < reference->probes; i++) {
        const haw_study_probe *own = haw_study_probe_find(run, reference->probe[i].name);
        haw_csv_number(stream, own != NULL ? run->probe_error[own - run->probe] : (double)NAN);
    }
}

static const char run_headers[] =
    "step[s],t_end[s],cpu_seconds[s],steps,newton_iterations,factorizations,iterations_total,"
    "unconverged_steps,rejected_steps,contacts_max,elements,contact_points,penetration_max[m],"
    "balance_error[J],balance_drift[J]";

/* Behind the status of a run, a comma before each. */
static void put_run(FILE *stream, const haw_study_run *run)
{
    const haw_certificate *certificate = &run->summary.certificate;
    haw_csv_number(stream, run->summary.step);
    haw_csv_number(stream, run->summary.t_end);
    haw_csv_number(stream, run->summary.cpu_seconds);
    (void)fprintf(stream, ",%ld,%ld,%ld,%ld,%ld,%ld,%d,%d,%d", run->summary.steps,
                  certificate->newton_iterations, certificate->factorizations,
                  certificate->iterations_total, certificate->unconverged_steps,
                  certificate->rejected_steps, certificate->contacts_max, run->elements,
                  run->points);
    haw_csv_number(stream, certificate->penetration_max);
    haw_csv_number(stream, run->summary.ledger.balance_error);
    haw_csv_number(stream, run->summary.ledger.balance_drift);
}

static void write_summary(const haw_study *study, FILE *stream)
{
    const haw_study_run *reference = reference_of(study);
    (void)fprintf(stream, "variant,status,is_reference,%s,error,tension_l2", run_headers);
    put_error_headers(stream, reference);
    put_probe_headers(stream, reference);
    (void)fputc('\n', stream);
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        haw_csv_text(stream, run->variant->name);
        (void)fprintf(stream, ",%s,%d", run->status, i == study->reference);
        put_run(stream, run);
        put_errors(stream, run, reference);
        for (int k = 0; k < reference->probes; k++) {
            put_probe(stream, run, &reference->probe[k], run->frames - 1);
        }
        (void)fputc('\n', stream);
    }
}

/* ---- one run: a line of headers, and its values ---- */

/* The value of the last frame, the least and the largest of all. */
static void put_span(FILE *stream, const haw_study_run *run, int value)
{
    double low = INFINITY, high = -INFINITY;
    for (int f = 0; f < run->frames; f++) {
        const double x = run->value[(size_t)f * (size_t)run->values + (size_t)value];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    haw_csv_number(stream,
                   run->value[(size_t)(run->frames - 1) * (size_t)run->values + (size_t)value]);
    haw_csv_number(stream, low);
    haw_csv_number(stream, high);
}

void haw_study_put(FILE *stream, const haw_study_run *run)
{
    (void)fputs("status,message", stream);
    if (run->has_run) {
        (void)fprintf(stream, ",%s", run_headers);
    }
    for (int i = 0; run->has_run && i < run->probes; i++) {
        for (int k = 0; k < run->probe[i].size; k++) {
            put_header(stream, &run->probe[i], k, "");
            put_header(stream, &run->probe[i], k, "_min");
            put_header(stream, &run->probe[i], k, "_max");
        }
    }
    (void)fprintf(stream, "\n%s,", run->status);
    haw_csv_text(stream, run->message != NULL ? run->message : "");
    if (run->has_run) {
        put_run(stream, run);
    }
    for (int i = 0; run->has_run && i < run->values; i++) {
        put_span(stream, run, i);
    }
    (void)fputc('\n', stream);
}

/* ---- profiles and histories ---- */

static void separate(FILE *stream, bool *is_first)
{
    if (!*is_first) {
        (void)fputs("\n\n", stream);
    }
    *is_first = false;
}

static void write_tension(const haw_study *study, FILE *stream)
{
    bool is_first = true;
    (void)fputs("variant,cable,t[s],s[m],tension[N]\n", stream);
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        for (int k = 0; k < run->cables; k++) {
            const haw_study_cable *cable = &run->cable[k];
            separate(stream, &is_first);
            for (int e = 0; e < cable->elements; e++) {
                haw_csv_text(stream, run->variant->name);
                (void)fputc(',', stream);
                haw_csv_text(stream, cable->name);
                (void)fprintf(stream, ",%.17g,%.17g,%.17g\n", run->t, cable->s[e],
                              cable->tension[e]);
            }
        }
    }
}

/* From the point before the first that carries a force to the one behind the last. */
static void find_zone(const haw_study_pair *pair, int zone[2])
{
    zone[0] = pair->points;
    zone[1] = -1;
    for (int j = 0; j < pair->points; j++) {
        if (fabs(pair->force[2 * j]) > 0.0 || fabs(pair->force[2 * j + 1]) > 0.0) {
            zone[0] = j < zone[0] ? j : zone[0];
            zone[1] = j;
        }
    }
    zone[0]--;
    zone[1]++;
}

static void write_points(const haw_study_run *run, const haw_study_pair *pair, FILE *stream)
{
    int zone[2];
    find_zone(pair, zone);
    for (int j = 0; j < pair->points; j++) {
        haw_csv_text(stream, run->variant->name);
        (void)fputc(',', stream);
        haw_csv_text(stream, pair->name);
        (void)fprintf(stream, ",%.17g,%.17g,%.17g,%d", run->t, pair->s[j], pair->share[j],
                      j >= zone[0] && j <= zone[1]);
        for (int k = 0; k < 2; k++) {
            haw_csv_number(stream, pair->force[2 * j + k] / pair->share[j]);
        }
        for (int k = 0; k < 2; k++) {
            haw_csv_number(stream, pair->impulse[2 * j + k] / pair->share[j]);
        }
        (void)fputc('\n', stream);
    }
}

static void write_contact(const haw_study *study, FILE *stream)
{
    bool is_first = true;
    (void)fputs("variant,contact,t[s],s[m],share[m],zone,normal[N/m],tangential[N/m],"
                "normal_impulse[N s/m],tangential_impulse[N s/m]\n",
                stream);
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        for (int k = 0; k < run->pairs; k++) {
            separate(stream, &is_first);
            write_points(run, &run->pair[k], stream);
        }
    }
}

static void write_histories(const haw_study *study, FILE *stream)
{
    const haw_study_run *reference = reference_of(study);
    bool is_first = true;
    (void)fputs("variant,t[s]", stream);
    put_probe_headers(stream, reference);
    (void)fputc('\n', stream);
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        if (run->frames > 0) {
            separate(stream, &is_first);
        }
        for (int f = 0; f < run->frames; f++) {
            haw_csv_text(stream, run->variant->name);
            haw_csv_number(stream, run->time[f]);
            for (int k = 0; k < reference->probes; k++) {
                put_probe(stream, run, &reference->probe[k], f);
            }
            (void)fputc('\n', stream);
        }
    }
}

/* ---- the swept key ---- */

static void write_sweep(const haw_study *study, FILE *stream)
{
    const haw_study_run *reference = reference_of(study);
    bool is_first = true;
    (void)fputs("group,", stream);
    haw_csv_text(stream, study->swept);
    (void)fputs(",cpu_seconds[s],error,tension_l2", stream);
    put_error_headers(stream, reference);
    (void)fputc('\n', stream);
    for (int g = 0; g < study->groups; g++) {
        bool is_empty = true;
        for (int i = 0; i < study->runs; i++) {
            const haw_study_run *run = &study->run[i];
            if (run->variant->group != g || !run->has_run) {
                continue;
            }
            if (is_empty) {
                separate(stream, &is_first);
                is_empty = false;
            }
            haw_csv_text(stream, study->group_name[g]);
            haw_csv_number(stream, run->variant->value);
            haw_csv_number(stream, run->is_done ? run->summary.cpu_seconds : (double)NAN);
            put_errors(stream, run, reference);
            (void)fputc('\n', stream);
        }
    }
}

/* ---- files ---- */

const char *const haw_study_table_names[] = {"compare", "tension", "contact", "histories", "sweep"};

int haw_study_table_count(const haw_study *study)
{
    return study->reference < 0 ? 1 : study->swept != NULL ? 5 : 4;
}

haw_status haw_study_tables(haw_context *context, const haw_study *study, const char *folder)
{
    static void (*const write[])(const haw_study *study, FILE *stream) = {
        write_summary, write_tension, write_contact, write_histories, write_sweep};
    HAW_TRY(haw_folder_make(context, folder));
    for (int i = 0; i < haw_study_table_count(study); i++) {
        haw_text text;
        HAW_TRY(haw_text_open(context, &text, folder, "%s.csv", haw_study_table_names[i]));
        write[i](study, text.stream);
        HAW_TRY(haw_text_close(&text, HAW_OK));
    }
    return HAW_OK;
}
