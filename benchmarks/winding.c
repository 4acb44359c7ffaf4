/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The winding of data/scenarios/winding-w1.yaml: CPU time of a step against the number of elements
 * (a hundredth of the bending stiffness, the first 2.5 s), of the whole winding at three
 * coefficients of friction, and of its first 1.5 s with Gauss-Seidel in place of Newton's method.
 */
#include "measure.h"

#include <hawser/hawser.h>

#include <stdlib.h>

#define SCENARIO "data/scenarios/winding-w1.yaml"

enum { SETS_MAX = 6, RUNS = 3 };

typedef struct winding {
    const char *name;
    int runs; /* the best of so many counts */
    int sets;
    const char *set[SETS_MAX];
} winding;

typedef struct bench {
    haw_context *context;
    FILE *csv;
    double calibration_seconds;
} bench;

static void print_head(FILE *csv)
{
    (void)printf("%-30s %8s %7s %8s %8s %9s %8s %9s %6s\n", "run", "CPU [s]", "steps", "ms/step",
                 "Newton", "solver", "factors", "contacts", "missed");
    (void)fprintf(csv, "run,cpu_s,steps,ms_per_step,newton,iterations,factorizations,contacts_max,"
                       "unconverged,ratio\n");
}

static void print_row(const bench *b, const char *name, const haw_summary *s)
{
    const haw_certificate *c = &s->certificate;
    const double per = s->cpu_seconds / (double)s->steps;
    (void)printf("%-30s %8.3f %7ld %8.3f %8ld %9ld %8ld %9d %6ld\n", name, s->cpu_seconds, s->steps,
                 1e3 * per, c->newton_iterations, c->iterations_total, c->factorizations,
                 c->contacts_max, c->unconverged_steps);
    (void)fflush(stdout);
    (void)fprintf(b->csv, "%s,%.4g,%ld,%.5g,%ld,%ld,%ld,%d,%ld,%.5g\n", name, s->cpu_seconds,
                  s->steps, 1e3 * per, c->newton_iterations, c->iterations_total, c->factorizations,
                  c->contacts_max, c->unconverged_steps, per / b->calibration_seconds);
}

static haw_status report(const bench *b, const winding *w, haw_summary *summary)
{
    const haw_status status =
        measure_scenario(b->context, SCENARIO, w->sets, w->set, w->runs, summary);
    if (status == HAW_OK) {
        print_row(b, w->name, summary);
    }
    return status;
}

static haw_status report_sizes(const bench *b)
{
    static const char *const elements[] = {"50", "100", "200", "400", "800"};
    haw_status status = HAW_OK;
    for (size_t i = 0; status == HAW_OK && i < sizeof elements / sizeof *elements; ++i) {
        char set[64], name[64];
        haw_summary summary;
        (void)snprintf(set, sizeof set, "cables.yarn.elements=%s", elements[i]);
        (void)snprintf(name, sizeof name, "%s elements; EI/100; 2.5 s", elements[i]);
        const winding w = {
            name, RUNS, 3, {set, "cables.yarn.bending_factor=0.01", "stepper.end=2.5"}};
        status = report(b, &w, &summary);
    }
    return status;
}

static haw_status report_frictions(const bench *b)
{
    static const char *const friction[] = {"0", "0.1", "0.4"};
    haw_status status = HAW_OK;
    for (size_t i = 0; status == HAW_OK && i < sizeof friction / sizeof *friction; ++i) {
        char set[64], name[64];
        haw_summary summary;
        (void)snprintf(set, sizeof set, "contact.friction=%s", friction[i]);
        (void)snprintf(name, sizeof name, "50 elements; mu %s; 12 s", friction[i]);
        const winding w = {name, RUNS, 1, {set}};
        status = report(b, &w, &summary);
    }
    return status;
}

/* One run with Gauss-Seidel: it takes long. Steps that its sweeps do not solve are counted. */
static haw_status report_solvers(const bench *b)
{
    static const winding newton = {
        "newton 1e-8; mu 0.4; 1.5 s",
        RUNS,
        3,
        {"stepper.end=1.5", "solver.type=newton", "solver.tolerance=1.0e-8"}};
    static const winding pgs = {"pgs 1e-8; mu 0.4; 1.5 s",
                                1,
                                4,
                                {"stepper.end=1.5", "solver.type=pgs", "solver.tolerance=1.0e-8",
                                 "solver.on_unconverged=warn"}};
    haw_summary fast, slow;
    haw_status status = report(b, &newton, &fast);
    status = status == HAW_OK ? report(b, &pgs, &slow) : status;
    if (status == HAW_OK) {
        const double ratio = slow.cpu_seconds / fast.cpu_seconds;
        (void)printf("pgs over newton: %.3g\n", ratio);
        (void)fprintf(b->csv, "# pgs over newton: %.3g\n", ratio);
    }
    return status;
}

int main(void)
{
    bench b = {.calibration_seconds = calibrate()};
    haw_status status = haw_context_create(NULL, &b.context);
    if (status == HAW_OK) {
        b.csv = open_csv("winding-cost.csv", b.calibration_seconds);
        status = b.csv == NULL ? HAW_ERR_IO : HAW_OK;
    }
    if (status == HAW_OK) {
        print_head(b.csv);
        status = report_sizes(&b);
        status = status == HAW_OK ? report_frictions(&b) : status;
        status = status == HAW_OK ? report_solvers(&b) : status;
        status = fclose(b.csv) == 0 ? status : HAW_ERR_IO;
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "winding: %s: %s\n", haw_status_text(status),
                      b.context != NULL ? haw_context_message(b.context) : "");
    }
    haw_context_free(b.context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
