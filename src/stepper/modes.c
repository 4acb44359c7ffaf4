/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lowest modes of K x = omega^2 M x by subspace iteration (Bathe, Finite Element Procedures, 2014,
 * section 11.6): the band of K + s M is factorized once, the small projected problem goes to
 * LAPACK. Cost is linear in the number of elements. The shift s keeps cables with little tension
 * definite.
 */
#include "linalg/vector.h"
#include "stepper/simulation.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { EXTRA = 8, ITERATIONS = 500 };

/* Columns are stored one after another: x[column * n + dof]. */
typedef struct subspace {
    haw_simulation *simulation;
    haw_inertia *inertia;
    int n, columns, wanted;
    double shift; /* s = 1 / h^2 */
    double *x, *kx, *mx;
    double *a, *b; /* projected matrices */
    double *value; /* omega^2 + s */
} subspace;

/* a = X' (K + s M) X, b = X' M X */
static void project(subspace *s)
{
    const size_t n = (size_t)s->n;
    for (int c = 0; c < s->columns; c++) {
        double *x = s->x + (size_t)c * n, *kx = s->kx + (size_t)c * n, *mx = s->mx + (size_t)c * n;
        const double scale = 1 / sqrt(haw_dot(s->n, x, x));
        for (int i = 0; i < s->n; i++) {
            x[i] *= scale;
        }
        haw_inertia_stiffness(s->inertia, x, kx);
        haw_inertia_mass(s->inertia, x, mx);
        for (int i = 0; i < s->n; i++) {
            kx[i] += s->shift * mx[i];
        }
    }
    for (int i = 0; i < s->columns; i++) {
        for (int j = 0; j < s->columns; j++) {
            const double *x = s->x + (size_t)i * n;
            s->a[i * s->columns + j] = haw_dot(s->n, x, s->kx + (size_t)j * n);
            s->b[i * s->columns + j] = haw_dot(s->n, x, s->mx + (size_t)j * n);
        }
    }
}

/* x <- x v with the eigenvectors v (columns of s->a, column-major). */
static void rotate(subspace *s)
{
    const size_t n = (size_t)s->n;
    for (int i = 0; i < s->n; i++) {
        for (int c = 0; c < s->columns; c++) {
            double sum = 0;
            for (int k = 0; k < s->columns; k++) {
                sum += s->a[c * s->columns + k] * s->x[(size_t)k * n + (size_t)i];
            }
            s->b[c] = sum;
        }
        for (int c = 0; c < s->columns; c++) {
            s->x[(size_t)c * n + (size_t)i] = s->b[c];
        }
    }
}

static haw_status solve_projected(subspace *s, double *change)
{
    double before[64];
    memcpy(before, s->value, (size_t)s->wanted * sizeof *before);
    project(s);
    const int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'U', s->columns, s->a, s->columns,
                                   s->b, s->columns, s->value);
    if (info != 0) {
        return haw_fail(s->simulation->context, HAW_ERR_SINGULAR,
                        "the projected eigenvalue problem is singular (LAPACK dsygv: %d)", info);
    }
    *change = 0;
    for (int i = 0; i < s->wanted; i++) {
        *change = fmax(*change, fabs(s->value[i] - before[i]) / fabs(s->value[i]));
    }
    rotate(s);
    return HAW_OK;
}

/*
 * x <- (K + s M)^-1 M x until the frequencies stay; the effective mass with theta = 1 is
 * h^2 (K + s M). Deterministic start: sines of rising wave number in both directions, plus a little
 * of all. The last digits of large eigenvalues wander by rounding: two quiet iterations are the
 * end.
 */
static haw_status run(subspace *s)
{
    const haw_model *model = &s->simulation->model;
    const size_t n = (size_t)s->n;
    int quiet = 0;
    double change = 1;
    for (int c = 0; c < s->columns; c++) {
        double *x = s->x + (size_t)c * n;
        for (int i = 0; i < s->n; i++) {
            x[i] = sin(1.0 + 0.7 * i * (c + 1)) + 0.1 * cos(1.3 * i + c);
        }
        haw_model_hold(model, x);
    }
    for (int k = 0; k < ITERATIONS; k++) {
        for (int c = 0; c < s->columns; c++) {
            double *x = s->x + (size_t)c * n, *y = s->mx + (size_t)c * n;
            haw_inertia_mass(s->inertia, x, y);
            haw_model_hold(model, y);
            haw_inertia_solve(s->inertia, y);
            memcpy(x, y, n * sizeof *x);
            haw_model_hold(model, x);
        }
        HAW_TRY(solve_projected(s, &change));
        quiet = change < 1e-13 ? quiet + 1 : 0;
        if (quiet == 2) {
            return HAW_OK;
        }
    }
    return change < 1e-10
               ? HAW_OK
               : haw_fail(s->simulation->context, HAW_ERR_UNCONVERGED,
                          "modes: change %.3g after %d subspace iterations", change, ITERATIONS);
}

static haw_status allocate(subspace *s, haw_arena *arena)
{
    const size_t n = (size_t)s->n, c = (size_t)s->columns;
    s->x = haw_arena_allocate(arena, n * c, sizeof(double));
    s->kx = haw_arena_allocate(arena, n * c, sizeof(double));
    s->mx = haw_arena_allocate(arena, n * c, sizeof(double));
    s->a = haw_arena_allocate(arena, c * c, sizeof(double));
    s->b = haw_arena_allocate(arena, c * c, sizeof(double));
    s->value = haw_arena_allocate(arena, c, sizeof(double));
    return haw_arena_status(arena);
}

/* Shift far below the first mode of a taut cable, (pi c_s / L)^2 with c_s^2 = T / rho. */
static double choose_shift(const haw_simulation *simulation)
{
    double shift = HUGE_VAL;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const double length = cable->line.le * cable->line.elements;
        const double tension =
            fmax(haw_cable_tension_mean(cable, simulation->state->q), 1e-6 * cable->line.stiffness);
        shift = fmin(shift, 1e-2 * tension / (cable->line.density * length * length));
    }
    return shift;
}

static haw_status compute(subspace *s, double *frequency, double *shape)
{
    HAW_TRY(haw_inertia_set(s->inertia, 1 / sqrt(s->shift), 1));
    HAW_TRY(haw_inertia_update(s->inertia, s->simulation->state->q));
    HAW_TRY(run(s));
    for (int i = 0; i < s->wanted; i++) {
        const double square = s->value[i] - s->shift;
        frequency[i] = square > 0 ? sqrt(square) / (2 * acos(-1)) : 0;
    }
    if (shape != NULL) {
        memcpy(shape, s->x, (size_t)s->wanted * (size_t)s->n * sizeof *shape);
    }
    return HAW_OK;
}

/* The band of a mass and a stiffness has no room for what ties cables to each other and to bodies.
 */
static haw_status check_springs(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    for (int i = 0; i < model->springs; i++) {
        const haw_spring_foot *foot = model->spring[i].foot;
        const int cable = foot[0].cable >= 0 ? foot[0].cable : foot[1].cable;
        if (cable >= 0) {
            return haw_fail(simulation->context, HAW_ERR_INPUT,
                            "modes cannot include springs: one is attached to the cable '%s'",
                            model->cable[cable].name);
        }
    }
    return HAW_OK;
}

haw_status haw_simulation_modes(haw_simulation *simulation, int modes, double *frequency,
                                double *shape)
{
    const haw_model *model = &simulation->model;
    int held = model->bodies * model->kind->dofs;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->stiffness_block == NULL) {
            return haw_fail(simulation->context, HAW_ERR_INPUT,
                            "modes are not available for ropes over sheaves: '%s' is a %s",
                            cable->name, cable->ops->row.summary);
        }
        for (int a = 0; a < cable->line.dofs; a++) {
            held += cable->held[a] ? 1 : 0;
        }
    }
    HAW_TRY(check_springs(simulation));
    if (model->joints > 0) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "modes cannot include joints: one is called '%s'", model->joint[0].name);
    }
    const int free_dofs = model->dofs - held;
    if (free_dofs < 1) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "modes need a cable with at least one free degree of freedom");
    }
    if (modes < 1 || modes > 50 || modes > free_dofs) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "the number of modes must be between 1 and %d (got %d)",
                        free_dofs < 50 ? free_dofs : 50, modes);
    }
    const int columns = 2 * modes + EXTRA;
    subspace s = {.simulation = simulation,
                  .n = simulation->model.dofs,
                  .columns = columns < free_dofs ? columns : free_dofs,
                  .wanted = modes,
                  .shift = choose_shift(simulation)};
    haw_arena arena;
    haw_arena_init(&arena, simulation->context);
    haw_status status = allocate(&s, &arena);
    status = status == HAW_OK
                 ? haw_inertia_create(simulation->context, &simulation->model, &s.inertia)
                 : status;
    status = status == HAW_OK ? compute(&s, frequency, shape) : status;
    haw_inertia_free(s.inertia);
    haw_arena_fini(&arena);
    return status;
}
