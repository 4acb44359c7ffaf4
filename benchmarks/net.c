/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Milliseconds per step of data/scenarios/ball-on-net.yaml over its first 0.1 s, in which the ball
 * falls on the net and bounces: explicit steps, and the implicit ones of the scenario.
 */
#include "measure.h"

#include <hawser/hawser.h>

#include <stdlib.h>

#define SCENARIO "data/scenarios/ball-on-net.yaml"

enum { SETS = 2 };

typedef struct row {
    const char *name;
    const char *set[SETS];
    int runs;
    double cpu; /* per step, the best run [s] */
    haw_summary summary;
} row;

static void write_row(FILE *csv, const row *r, double yardstick)
{
    const haw_certificate *certificate = &r->summary.certificate;
    const haw_sparse_calls *calls = &r->summary.sparse;
    (void)printf("%-12s %8ld steps %8.3f ms per step, ratio %8.1f, %d contacts at most, CHOLMOD "
                 "%ld and KLU %ld factorizations\n",
                 r->name, r->summary.steps, 1e3 * r->cpu, r->cpu / yardstick,
                 certificate->contacts_max, calls->cholmod_factorizations,
                 calls->klu_factorizations);
    (void)fprintf(csv, "%s,%.9g,%ld,%d,%.6f,%.1f,%ld,%ld\n", r->name, r->summary.step,
                  r->summary.steps, certificate->contacts_max, 1e3 * r->cpu, r->cpu / yardstick,
                  calls->cholmod_factorizations, calls->klu_factorizations);
}

int main(void)
{
    row rows[] = {
        {.name = "moreau",
         .set = {"stepper={type: moreau, step: 3.5e-5, end: 0.1}", "contact.depth_limit=0.2"},
         .runs = MEASURE_RUNS},
        {.name = "moreau-jean", .set = {"stepper.end=0.1", "contact.depth_limit=0.2"}, .runs = 1}};
    const double yardstick = calibrate();
    FILE *csv = open_csv("net.csv", yardstick);
    haw_context *context = NULL;
    haw_status status = csv != NULL ? haw_context_create(NULL, &context) : HAW_ERR_IO;
    if (status == HAW_OK) {
        (void)fputs("stepper,step_s,steps,contacts_max,ms_per_step,ratio,cholmod_factorizations,"
                    "klu_factorizations\n",
                    csv);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == HAW_OK; ++i) {
        haw_summary *best = &rows[i].summary;
        status = measure_scenario(context, SCENARIO, SETS, rows[i].set, rows[i].runs, best);
        rows[i].cpu = best->cpu_seconds / (double)best->steps;
        if (status == HAW_OK) {
            write_row(csv, &rows[i], yardstick);
        }
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "net: %s\n", context != NULL ? haw_context_message(context) : "csv");
    }
    haw_context_free(context);
    return (csv == NULL || fclose(csv) == 0) && status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
