/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The belt drive of data/scenarios/belt-drive.yaml: CPU time of the whole ride of 2.45 s, and how
 * the time of one Newton iteration grows with the number of elements (the first 20 ms, static start
 * not included). One run of each ride: they are long, and the shares hardly vary.
 */
#include "measure.h"

#include <hawser/hawser.h>

#include <stdlib.h>

#define SCENARIO "data/scenarios/belt-drive.yaml"

enum { SETS_MAX = 8, SIZES = 6 };

typedef struct ride {
    const char *name;
    int sets;
    const char *set[SETS_MAX];
} ride;

typedef struct outcome {
    haw_summary summary;
    double set_up; /* reading, building, static start [CPU s] */
} outcome;

static haw_status simulate(haw_context *context, const haw_scenario *scenario, outcome *o)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    const double start = cpu_seconds();
    haw_status status = haw_model_build(context, &scenario->scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &scenario->run, &simulation);
    }
    o->set_up = cpu_seconds() - start;
    if (status == HAW_OK) {
        status = haw_simulation_run(simulation, NULL, &o->summary);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static haw_status run(haw_context *context, const ride *r, outcome *o)
{
    haw_scenario *scenario = NULL;
    haw_status status = haw_scenario_read(context, SCENARIO, r->sets, r->set, &scenario);
    if (status == HAW_OK) {
        status = simulate(context, scenario, o);
    }
    haw_scenario_free(context, scenario);
    return status;
}

static void print_head(FILE *csv)
{
    (void)printf("%-34s %8s %8s %9s %8s %8s %9s %9s %6s\n", "run", "CPU [s]", "steps", "Newton",
                 "it/step", "factors", "us/it", "static[s]", "missed");
    (void)fprintf(csv, "run,cpu_s,steps,newton,factorizations,us_per_iteration,static_s,rejected,"
                       "unconverged,ratio\n");
}

static void print_row(FILE *csv, const char *name, const outcome *o, double calibration_seconds)
{
    const haw_summary *s = &o->summary;
    const haw_certificate *c = &s->certificate;
    const double per = s->cpu_seconds / (double)c->newton_iterations;
    (void)printf("%-34s %8.2f %8ld %9ld %8.2f %8ld %9.1f %9.2f %6ld\n", name, s->cpu_seconds,
                 s->steps, c->newton_iterations, (double)c->newton_iterations / (double)s->steps,
                 c->factorizations, 1e6 * per, o->set_up, c->unconverged_steps);
    (void)fflush(stdout);
    (void)fprintf(csv, "%s,%.4g,%ld,%ld,%ld,%.5g,%.4g,%ld,%ld,%.5g\n", name, s->cpu_seconds,
                  s->steps, c->newton_iterations, c->factorizations, 1e6 * per, o->set_up,
                  c->rejected_steps, c->unconverged_steps, per / calibration_seconds);
}

static haw_status report_rides(haw_context *context, FILE *csv, double calibration_seconds)
{
    static const ride rides[] = {
        {"return map; 5e-5 s", 0, {NULL}},
        {"return map; 1e-4 s", 1, {"stepper.step=1.0e-4"}},
        {"published switching; 5e-5 s", 1, {"contact.switching=post-newton"}},
        {"hard contact; 1e-3 s",
         3,
         {"contact.law=hard", "stepper.type=moreau-jean", "stepper.step=1.0e-3"}},
    };
    haw_status status = HAW_OK;
    for (size_t i = 0; status == HAW_OK && i < sizeof rides / sizeof *rides; ++i) {
        outcome o = {.set_up = 0};
        status = run(context, &rides[i], &o);
        if (status == HAW_OK) {
            print_row(csv, rides[i].name, &o, calibration_seconds);
        }
    }
    return status;
}

/* The same 400 steps on finer and finer belts, with the best of a few runs. */
static haw_status report_sizes(haw_context *context, FILE *csv, double calibration_seconds)
{
    static const char *const elements[SIZES] = {"60", "120", "240", "480", "960", "1920"};
    haw_status status = HAW_OK;
    for (int i = 0; status == HAW_OK && i < SIZES; ++i) {
        char set[64], name[64];
        outcome best = {.summary = {.cpu_seconds = HUGE_VAL}}, o = best;
        (void)snprintf(set, sizeof set, "cables.belt.elements=%s", elements[i]);
        (void)snprintf(name, sizeof name, "%s elements; 20 ms", elements[i]);
        const ride r = {name, 2, {set, "stepper.end=0.02"}};
        for (int k = 0; status == HAW_OK && k < 3; ++k) {
            status = run(context, &r, &o);
            best = o.summary.cpu_seconds < best.summary.cpu_seconds ? o : best;
        }
        if (status == HAW_OK) {
            print_row(csv, name, &best, calibration_seconds);
        }
    }
    return status;
}

int main(void)
{
    haw_context *context = NULL;
    haw_status status = haw_context_create(NULL, &context);
    if (status != HAW_OK) {
        (void)fprintf(stderr, "belt: %s\n", haw_status_text(status));
        return EXIT_FAILURE;
    }
    const double calibration_seconds = calibrate();
    FILE *csv = open_csv("belt.csv", calibration_seconds);
    status = csv == NULL ? HAW_ERR_IO : HAW_OK;
    if (status == HAW_OK) {
        print_head(csv);
        status = report_sizes(context, csv, calibration_seconds);
        status = status == HAW_OK ? report_rides(context, csv, calibration_seconds) : status;
        status = fclose(csv) == 0 ? status : HAW_ERR_IO;
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "belt: %s: %s\n", haw_status_text(status),
                      haw_context_message(context));
    }
    haw_context_free(context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
