/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Microseconds per step of HAWSER-DISK-1 against elements and points per element, explicit and
 * implicit, with ledger and certificate as in every run:
 *   approach  from the start of the scene, before the first contact: integration and broad phase;
 *   impact    from the touch on, until 0.1 s are simulated or a quarter of a second is used up;
 *   scene     the whole quarter of a second of the scene.
 */
#include "measure.h"
#include "scene.h"

#include <stdlib.h>

#define BUDGET   0.25 /* CPU seconds of one run */
#define APPROACH 0.016
#define IMPACT   0.1

typedef struct cell {
    const char *phase;
    int elements, points;
    double theta;
    double x, end; /* start of the disk [m], end of the run [s] */
} cell;

typedef struct figures {
    long steps;
    double h;       /* [s] */
    double seconds; /* per step, the best run */
    int contacts;   /* most closed points of a step */
    long iterations, unconverged;
} figures;

static haw_status open_run(haw_context *context, const cell *c, haw_model **model,
                           haw_simulation **simulation)
{
    haw_run_settings settings;
    haw_status status = scene_build(context, c->elements, c->points, c->x, model);
    status = status == HAW_OK ? haw_run_settings_init(context, &settings) : status;
    if (status != HAW_OK) {
        return status;
    }
    settings.on_unconverged = HAW_UNCONVERGED_WARN; /* counted, and shown in the table */
    status = haw_stepper_set(context, &settings.stepper, "end", SCENE_SECONDS);
    if (status == HAW_OK) {
        status = haw_stepper_set(context, &settings.stepper, "theta", c->theta);
    }
    return status == HAW_OK ? haw_simulation_create(context, *model, &settings, simulation)
                            : status;
}

static haw_status advance(haw_simulation *simulation, long steps)
{
    for (long i = 0; i < steps; ++i) {
        const haw_status status = haw_simulation_step(simulation);
        if (status != HAW_OK) {
            return status;
        }
    }
    return HAW_OK;
}

/* How many steps fit into the cell's end and the budget; the clock is read every few of them. */
static haw_status count_steps(haw_simulation *simulation, const cell *c, figures *f)
{
    const double start = cpu_seconds();
    const double budget = strcmp(c->phase, "scene") == 0 ? HUGE_VAL : BUDGET;
    haw_status status = haw_simulation_step(simulation);
    f->h = haw_simulation_frame(simulation)->t;
    f->steps = 1;
    const long most = (long)(c->end / f->h * (1 + 1e-9));
    while (status == HAW_OK && f->steps < most && cpu_seconds() - start < budget) {
        const long some = f->steps / 8 + 1;
        const long more = some < most - f->steps ? some : most - f->steps;
        status = advance(simulation, more);
        f->steps += more;
    }
    const haw_certificate *certificate = haw_simulation_frame(simulation)->certificate;
    f->contacts = certificate->contacts_max;
    f->iterations = certificate->iterations_total;
    f->unconverged = certificate->unconverged_steps;
    return status;
}

/* One run of a cell; the first counts the steps, the others time them. */
static haw_status run(haw_context *context, const cell *c, bool is_first, figures *f)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_status status = open_run(context, c, &model, &simulation);
    if (status == HAW_OK && is_first) {
        status = count_steps(simulation, c, f);
    } else if (status == HAW_OK) {
        const double start = cpu_seconds();
        status = advance(simulation, f->steps);
        f->seconds = fmin(f->seconds, (cpu_seconds() - start) / (double)f->steps);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static haw_status measure_cell(haw_context *context, const cell *c, figures *f)
{
    *f = (figures){.seconds = HUGE_VAL};
    haw_status status = run(context, c, true, f);
    for (int i = 0; status == HAW_OK && i < MEASURE_RUNS; ++i) {
        status = run(context, c, false, f);
    }
    return status;
}

static void print_head(FILE *csv)
{
    (void)printf("%-8s %-8s %8s %6s %9s %8s %8s %6s %6s %9s %11s %7s\n", "stepper", "phase",
                 "elements", "points", "h [us]", "steps", "contacts", "it/st", "unconv", "us/step",
                 "us/el/step", "ratio");
    (void)fprintf(csv, "theta,phase,elements,points,step_s,steps,contacts_max,iterations,"
                       "unconverged,us_per_step,us_per_element_step,ratio\n");
}

static void print_row(FILE *csv, const cell *c, const figures *f, double calibration_seconds)
{
    const double us = 1e6 * f->seconds;
    const double ratio = f->seconds / calibration_seconds;
    (void)printf("%-8s %-8s %8d %6d %9.4f %8ld %8d %6.1f %6ld %9.3f %11.4f %7.2f\n",
                 c->theta > 0 ? "implicit" : "explicit", c->phase, c->elements, c->points,
                 1e6 * f->h, f->steps, f->contacts, (double)f->iterations / (double)f->steps,
                 f->unconverged, us, us / c->elements, ratio);
    (void)fflush(stdout);
    (void)fprintf(csv, "%g,%s,%d,%d,%.6g,%ld,%d,%ld,%ld,%.5g,%.5g,%.5g\n", c->theta, c->phase,
                  c->elements, c->points, f->h, f->steps, f->contacts, f->iterations,
                  f->unconverged, us, us / c->elements, ratio);
}

static haw_status report(haw_context *context, FILE *csv, const cell *c, double calibration_seconds)
{
    figures f;
    const haw_status status = measure_cell(context, c, &f);
    if (status == HAW_OK) {
        print_row(csv, c, &f, calibration_seconds);
    }
    return status;
}

/* One stepper: the whole scene, then every size. Without contacts the points cost nothing. */
static haw_status report_stepper(haw_context *context, FILE *csv, double theta,
                                 double calibration_seconds)
{
    static const int elements[] = {20, 50, 100, 200, 500, 1000, 2000};
    static const int points[] = {4, 8, 16, 32, 64};
    const cell whole = {"scene", 20, 8, theta, SCENE_START, SCENE_SECONDS};
    haw_status status = report(context, csv, &whole, calibration_seconds);
    for (size_t e = 0; e < sizeof elements / sizeof elements[0]; ++e) {
        const cell approach = {"approach", elements[e], 8, theta, SCENE_START, APPROACH};
        status = status == HAW_OK ? report(context, csv, &approach, calibration_seconds) : status;
        for (size_t p = 0; status == HAW_OK && p < sizeof points / sizeof points[0]; ++p) {
            const cell impact = {"impact", elements[e], points[p], theta, SCENE_TOUCH, IMPACT};
            status = report(context, csv, &impact, calibration_seconds);
        }
    }
    return status;
}

int main(void)
{
    haw_context *context = NULL;
    haw_status status = haw_context_create(NULL, &context);
    if (status != HAW_OK) {
        (void)fprintf(stderr, "steps: %s\n", haw_status_text(status));
        return EXIT_FAILURE;
    }
    const double calibration_seconds = calibrate();
    FILE *csv = open_csv("steps.csv", calibration_seconds);
    status = csv == NULL ? HAW_ERR_IO : HAW_OK;
    if (status == HAW_OK) {
        print_head(csv);
        status = report_stepper(context, csv, 0, calibration_seconds);
        status =
            status == HAW_OK ? report_stepper(context, csv, 0.55, calibration_seconds) : status;
        status = fclose(csv) == 0 ? status : HAW_ERR_IO;
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "steps: %s: %s\n", haw_status_text(status),
                      haw_context_message(context));
    }
    haw_context_free(context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
