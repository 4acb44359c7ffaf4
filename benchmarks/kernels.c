/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a step of HAWSER-DISK-1 is made of, kernel by kernel, and the banded substitution of the
 * library beside LAPACK's dpbtrs.
 */
#include "contact/contact.h"
#include "measure.h"
#include "scene.h"

#include <hawser/solver.h>

#include <lapacke.h>
#include <stdlib.h>

enum { POINTS = 8 };

#define DEPTH 1e-6 /* of the disk in the cable, for the kernels with closed points [m] */

/* One model at one configuration with all that the kernels need. */
typedef struct bench {
    haw_context *context;
    haw_model *model;
    haw_state *state;
    haw_inertia *explicit_mass, *implicit_mass;
    haw_contacts *contacts;
    haw_solver_settings solver;
    haw_workspace *work;
    double *x, *y, *impulse, *gamma; /* [dofs], [dofs], [2 contacts], [2 contacts] */
    double h;
    bool failed;
} bench;

static void run_force(void *user)
{
    bench *b = user;
    haw_model_force(b->model, b->state->q, b->x);
}

static void run_energy(void *user)
{
    bench *b = user;
    b->x[0] = haw_model_energy(b->model, b->state->q).elastic;
}

static void run_kinetic(void *user)
{
    bench *b = user;
    b->x[0] = haw_model_kinetic(b->model, b->state->q, b->state->u);
}

static void run_mass_solve(void *user)
{
    bench *b = user;
    memcpy(b->x, b->state->u, (size_t)b->state->dofs * sizeof(double));
    haw_inertia_solve(b->explicit_mass, b->x);
}

static void run_mass_multiply(void *user)
{
    bench *b = user;
    haw_inertia_mass(b->explicit_mass, b->state->u, b->y);
}

static void run_implicit_update(void *user)
{
    bench *b = user;
    b->failed = haw_inertia_update(b->implicit_mass, b->state->q) != HAW_OK || b->failed;
}

static void run_implicit_solve(void *user)
{
    bench *b = user;
    memcpy(b->x, b->state->u, (size_t)b->state->dofs * sizeof(double));
    haw_inertia_solve(b->implicit_mass, b->x);
}

static void run_detect(void *user)
{
    bench *b = user;
    const haw_state *s = b->state;
    b->failed = haw_contacts_detect(b->contacts, s->q, s->u, b->h) != HAW_OK || b->failed;
}

/* Assembly and solution need gamma-, which the search does not fill. */
static void run_assemble(void *user)
{
    bench *b = user;
    haw_contacts_velocity(b->contacts, b->state->u, b->contacts->gamma_minus);
    if (haw_contacts_assemble(b->contacts, b->explicit_mass, NULL, b->state->u) != HAW_OK) {
        abort();
    }
}

static void run_contact_solve(void *user)
{
    bench *b = user;
    haw_report report;
    memset(b->impulse, 0, 2 * (size_t)b->contacts->count * sizeof(double));
    b->failed = haw_solve(&b->contacts->problem, &b->solver, b->work, b->impulse, b->gamma,
                          &report) != HAW_OK ||
                b->failed;
}

static haw_status open_inertia(bench *b, double theta, haw_inertia **inertia)
{
    HAW_TRY(haw_inertia_create(b->context, b->model, inertia));
    HAW_TRY(haw_inertia_set(*inertia, b->h, theta));
    return haw_inertia_update(*inertia, b->state->q);
}

static haw_status open_bench(bench *b, int elements, double x)
{
    HAW_TRY(scene_build(b->context, elements, POINTS, x, &b->model));
    HAW_TRY(haw_state_create(b->context, b->model, &b->state));
    b->h = 0.8 * haw_model_critical_step(b->model);
    HAW_TRY(open_inertia(b, 0, &b->explicit_mass));
    HAW_TRY(open_inertia(b, 0.55, &b->implicit_mass));
    HAW_TRY(haw_contacts_create(b->context, b->model, &b->contacts));
    HAW_TRY(haw_contacts_detect(b->contacts, b->state->q, b->state->u, b->h));
    HAW_TRY(haw_solver_settings_init(b->context, "pgs", &b->solver));
    const int count = b->contacts->count;
    const size_t dofs = (size_t)b->state->dofs;
    b->x = haw_allocate(b->context, dofs, sizeof(double));
    b->y = haw_allocate(b->context, dofs, sizeof(double));
    b->impulse = haw_allocate(b->context, 2 * (size_t)count, sizeof(double));
    b->gamma = haw_allocate(b->context, 2 * (size_t)count, sizeof(double));
    HAW_TRY(haw_workspace_create(b->context, &b->work));
    const bool is_complete = b->x != NULL && b->y != NULL && b->impulse != NULL && b->gamma != NULL;
    return is_complete ? HAW_OK : HAW_ERR_NOMEM;
}

static void close_bench(bench *b)
{
    haw_release(b->context, b->x);
    haw_release(b->context, b->y);
    haw_release(b->context, b->impulse);
    haw_release(b->context, b->gamma);
    haw_workspace_free(b->work);
    haw_contacts_free(b->contacts);
    haw_inertia_free(b->explicit_mass);
    haw_inertia_free(b->implicit_mass);
    haw_state_free(b->context, b->state);
    haw_model_free(b->model);
}

typedef struct kernel {
    const char *name;
    measure_function run;
} kernel;

static const kernel apart[] = {
    {"force", run_force},
    {"energy", run_energy},
    {"kinetic energy", run_kinetic},
    {"mass solve", run_mass_solve},
    {"mass product", run_mass_multiply},
    {"implicit update", run_implicit_update},
    {"implicit solve", run_implicit_solve},
    {"broad phase", run_detect},
};

static const kernel closed[] = {
    {"detection", run_detect},
    {"assembly", run_assemble},
    {"contact solve", run_contact_solve},
};

/* Rows of one model; x places the disk. */
static haw_status report_kernels(haw_context *context, FILE *csv, double calibration_seconds,
                                 int elements, bool is_closed)
{
    bench b = {.context = context};
    haw_status status = open_bench(&b, elements, is_closed ? SCENE_TOUCH + DEPTH : SCENE_START);
    const kernel *rows = is_closed ? closed : apart;
    const size_t count =
        is_closed ? sizeof closed / sizeof closed[0] : sizeof apart / sizeof apart[0];
    for (size_t i = 0; status == HAW_OK && i < count; ++i) {
        const double seconds = measure(rows[i].run, &b);
        const double us = 1e6 * seconds;
        (void)printf("%-16s %8d %8d %10.3f %11.4f %8.3f\n", rows[i].name, elements,
                     b.contacts->count, us, us / elements, seconds / calibration_seconds);
        (void)fprintf(csv, "%s,%d,%d,%.5g,%.5g,%.5g\n", rows[i].name, elements, b.contacts->count,
                      us, us / elements, seconds / calibration_seconds);
        status = b.failed ? HAW_ERR_DIVERGED : HAW_OK;
    }
    close_bench(&b);
    return status;
}

/* A band factor of the library and LAPACK's of the same matrix. */
typedef struct solves {
    int n, width, copies, columns;
    haw_factor *factor;
    double *lapack, *x, *b;
    size_t values;
} solves;

static void run_ours(void *user)
{
    solves *s = user;
    memcpy(s->x, s->b, s->values * sizeof(double));
    haw_factor_solve(s->factor, s->columns, 0, s->x);
}

static void run_lapack(void *user)
{
    solves *s = user;
    memcpy(s->x, s->b, s->values * sizeof(double));
    (void)LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', s->n, s->width, s->copies * s->columns,
                              s->lapack, s->width + 1, s->x, s->n);
}

static haw_status open_solves(haw_arena *arena, solves *s)
{
    haw_band band;
    HAW_TRY(haw_band_create(arena, s->n, s->width, s->copies, &band));
    HAW_TRY(haw_factor_create_band(arena->context, s->n, s->width, s->copies, &s->factor));
    const size_t entries = (size_t)s->n * ((size_t)s->width + 1);
    s->values = (size_t)s->n * (size_t)s->copies * (size_t)s->columns;
    s->lapack = haw_arena_allocate(arena, entries, sizeof(double));
    s->x = haw_arena_allocate(arena, s->values, sizeof(double));
    s->b = haw_arena_allocate(arena, s->values, sizeof(double));
    if (s->lapack == NULL || s->x == NULL || s->b == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (size_t k = 0; k < entries; ++k) {
        band.value[k] = k % ((size_t)s->width + 1) == 0 ? 4 : 0.25;
    }
    for (size_t k = 0; k < s->values; ++k) {
        s->b[k] = 1 + (double)(k % 7);
    }
    memcpy(s->lapack, band.value, entries * sizeof(double));
    (void)LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', s->n, s->width, s->lapack, s->width + 1);
    return haw_factor_band(s->factor, &band);
}

static haw_status report_solves(haw_context *context, FILE *csv, solves s)
{
    haw_arena arena;
    haw_arena_init(&arena, context);
    const haw_status status = open_solves(&arena, &s);
    if (status == HAW_OK) {
        const double ours = 1e6 * measure(run_ours, &s);
        const double lapack = 1e6 * measure(run_lapack, &s);
        (void)printf("%6d %6d %6d %8d %10.3f %10.3f %8.2f\n", s.n, s.width, s.copies, s.columns,
                     ours, lapack, lapack / ours);
        (void)fprintf(csv, "%d,%d,%d,%d,%.5g,%.5g,%.5g\n", s.n, s.width, s.copies, s.columns, ours,
                      lapack, lapack / ours);
    }
    haw_factor_free(s.factor);
    haw_arena_fini(&arena);
    return status;
}

static haw_status kernels_part(haw_context *context, double calibration_seconds)
{
    static const int elements[] = {20, 50, 100, 200, 500, 1000, 2000};
    haw_status status = HAW_OK;
    FILE *csv = open_csv("kernels.csv", calibration_seconds);
    if (csv == NULL) {
        return HAW_ERR_IO;
    }
    (void)printf("%-16s %8s %8s %10s %11s %8s\n", "kernel", "elements", "contacts", "us",
                 "us/element", "ratio");
    (void)fprintf(csv, "kernel,elements,contacts,us,us_per_element,ratio\n");
    for (size_t e = 0; status == HAW_OK && e < sizeof elements / sizeof elements[0]; ++e) {
        status = report_kernels(context, csv, calibration_seconds, elements[e], false);
        if (status == HAW_OK) {
            status = report_kernels(context, csv, calibration_seconds, elements[e], true);
        }
    }
    return fclose(csv) == 0 ? status : HAW_ERR_IO;
}

static haw_status solves_part(haw_context *context, double calibration_seconds)
{
    static const solves rows[] = {
        {.n = 42, .width = 0, .copies = 2, .columns = 1},
        {.n = 42, .width = 3, .copies = 1, .columns = 1},
        {.n = 42, .width = 3, .copies = 2, .columns = 1},
        {.n = 42, .width = 3, .copies = 2, .columns = 4},
        {.n = 84, .width = 7, .copies = 1, .columns = 1},
        {.n = 84, .width = 7, .copies = 1, .columns = 2},
        {.n = 84, .width = 7, .copies = 1, .columns = 4},
        {.n = 120, .width = 5, .copies = 1, .columns = 1},
        {.n = 4002, .width = 3, .copies = 2, .columns = 1},
        {.n = 8004, .width = 7, .copies = 1, .columns = 1},
    };
    haw_status status = HAW_OK;
    FILE *csv = open_csv("solves.csv", calibration_seconds);
    if (csv == NULL) {
        return HAW_ERR_IO;
    }
    (void)printf("%6s %6s %6s %8s %10s %10s %8s\n", "rows", "kd", "copies", "columns", "hawser us",
                 "dpbtrs us", "times");
    (void)fprintf(csv, "rows,half_bandwidth,copies,columns,us_hawser,us_dpbtrs,times\n");
    for (size_t i = 0; status == HAW_OK && i < sizeof rows / sizeof rows[0]; ++i) {
        status = report_solves(context, csv, rows[i]);
    }
    return fclose(csv) == 0 ? status : HAW_ERR_IO;
}

int main(void)
{
    haw_context *context = NULL;
    haw_status status = haw_context_create(NULL, &context);
    if (status != HAW_OK) {
        (void)fprintf(stderr, "kernels: %s\n", haw_status_text(status));
        return EXIT_FAILURE;
    }
    const double calibration_seconds = calibrate();
    status = kernels_part(context, calibration_seconds);
    if (status == HAW_OK) {
        status = solves_part(context, calibration_seconds);
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "kernels: %s: %s\n", haw_status_text(status),
                      haw_context_message(context));
    }
    haw_context_free(context);
    return status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
