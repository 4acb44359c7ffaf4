/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lowest modes of K x = omega^2 M x by subspace iteration (Bathe, Finite Element Procedures, 2014,
 * section 11.6) with the matrix of implicit steps (haw_system): K + s M is factorized once, the
 * small projected problem goes to LAPACK. Cost is linear in the number of elements. The shift s
 * makes the matrix regular where something moves without a force: a free beam, a belt that
 * circulates.
 *
 * K is the derivative of all forces at rest in the present state: springs, loads, joints and
 * pressed compliant contact included, whose bristles stick. Multipliers of joints are unknowns
 * without mass: every solution keeps the joints closed, so that the projected problem knows nothing
 * of them. Each takes a degree of freedom away.
 */
#include "linalg/vector.h"
#include "statics/forces.h"
#include "stepper/simulation.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { EXTRA = 8, ITERATIONS = 500 };

static const double SHIFT = 1e-11;     /* s over the largest omega^2 of the mesh */
static const double QUIET = 1e-13;     /* change of a value that is its rounding */
static const double TOLERANCE = 1e-10; /* that is accepted after all iterations */

/* Over the equations of the system; columns are stored one after another: x[column * n + i]. */
typedef struct subspace {
    haw_simulation *simulation;
    haw_arena *arena;
    haw_system *system;
    int n, columns, wanted;
    haw_csr k, sum; /* K and K + weight M, of one size: their difference has all digits of M */
    double weight;
    double shift, noise; /* s, and the rounding of omega^2 [1/s^2] */
    double *x, *kx, *mx;
    double *a, *b;  /* projected matrices */
    double *value;  /* omega^2 + s */
    double *before; /* those of the iteration before */
    double *rest;   /* [dofs] zeros: velocities */
    double *all;    /* [dofs] scratch */
    double *lambda; /* [multipliers] of joints at rest */
} subspace;

/* ---- matrices ---- */

/* mass M + K */
static void assemble(subspace *s, double mass)
{
    haw_simulation *simulation = s->simulation;
    if (simulation->compliant != NULL) {
        (void)haw_compliant_couple(simulation->compliant, s->system);
    }
    haw_system_clear(s->system);
    haw_system_add_model(s->system, simulation->state->q, s->rest, mass, 0);
    if (simulation->compliant != NULL) {
        haw_compliant_tangent(simulation->compliant, 0, s->system);
    }
    if (simulation->model.joints > 0) {
        haw_joints_find(&simulation->model, simulation->state->q, simulation->hold);
        haw_joints_add_columns(s->system, simulation->hold, 1);
        haw_joints_add_rows(s->system, simulation->hold);
        haw_joints_add_stiffness(s->system, simulation->state->q, 1, s->lambda);
    }
}

/* Compliant contact at rest; its forces are of no interest. */
static haw_status press(const subspace *s)
{
    haw_compliant *compliant = s->simulation->compliant;
    if (compliant == NULL) {
        return HAW_OK;
    }
    haw_compliant_begin(compliant, s->simulation->state, HAW_STATICS, 0);
    return haw_compliant_evaluate(compliant, s->simulation->state->q, s->rest, s->all, s->all);
}

/* A degree of freedom of a body that no force depends on does not vibrate. @return true: any */
static bool hold_what_is_loose(const subspace *s, bool *held)
{
    const haw_model *model = &s->simulation->model;
    bool any = false;
    for (int dof = 0; dof < model->bodies * (int)haw_body_dofs(model); dof++) {
        const int row = s->system->equation[dof];
        held[dof] = row >= 0;
        for (int k = row >= 0 ? s->k.start[row] : 0; row >= 0 && k < s->k.start[row + 1]; k++) {
            held[dof] = held[dof] && s->k.value[k] == 0;
        }
        any = any || held[dof];
    }
    return any;
}

static haw_status create_system(subspace *s, const bool *held)
{
    haw_simulation *simulation = s->simulation;
    haw_system_free(s->system);
    HAW_TRY(haw_system_create(simulation->context, &simulation->model, held, NULL, &s->system));
    s->system->t = simulation->state->t;
    s->n = s->system->equations;
    if (s->n == 0) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "modes need a cable with at least one free degree of freedom");
    }
    assemble(s, 0);
    return haw_system_csr(s->system, s->arena, &s->k);
}

/* The forces of joints at rest, which a given start does not know: what holds them against all
 * forces, in an equilibrium without a motion. */
static haw_status load_joints(subspace *s)
{
    haw_simulation *simulation = s->simulation;
    const haw_model *model = &simulation->model;
    const double *q = simulation->state->q;
    haw_force_set now;
    if (model->joints == 0) {
        return HAW_OK;
    }
    HAW_TRY(haw_force_set_create(s->arena, model->dofs, &now));
    now.t = simulation->state->t;
    now.part = 1;
    HAW_TRY(haw_forces_find(model, simulation->compliant, q, s->rest, &now));
    haw_joints_push(model, simulation->hold, 1, s->lambda, now.total);
    haw_model_tie(model, now.total);
    memset(now.total + haw_joints_dof(model), 0, (size_t)model->multipliers * sizeof(double));
    assemble(s, s->weight);
    HAW_TRY(haw_system_factor(s->system));
    haw_system_solve(s->system, now.total);
    haw_axpy(model->multipliers, 1, now.total + haw_joints_dof(model), s->lambda);
    assemble(s, 0);
    return haw_system_csr(s->system, s->arena, &s->k);
}

static haw_status create_matrices(subspace *s)
{
    const haw_model *model = &s->simulation->model;
    const double step = haw_model_critical_step(model);
    bool *held = haw_arena_allocate(s->arena, (size_t)model->dofs + 1, sizeof *held);
    double **const vector[] = {&s->rest, &s->all, &s->lambda};
    HAW_TRY(haw_vectors_create(s->arena, model->dofs, 3, vector));
    memcpy(s->lambda, s->simulation->state->u + haw_joints_dof(model),
           (size_t)model->multipliers * sizeof *s->lambda);
    HAW_TRY(press(s));
    HAW_TRY(create_system(s, NULL));
    if (hold_what_is_loose(s, held)) {
        HAW_TRY(create_system(s, held));
    }
    s->weight = isfinite(step) ? 4 / (step * step) : 1;
    HAW_TRY(load_joints(s));
    assemble(s, s->weight);
    return haw_system_csr(s->system, s->arena, &s->sum);
}

/* kx = K x, mx = M x of one column. */
static void multiply(const subspace *s, const double *x, double *kx, double *mx)
{
    memset(kx, 0, (size_t)s->n * sizeof *kx);
    memset(mx, 0, (size_t)s->n * sizeof *mx);
    haw_csr_add(&s->k, 1, x, kx);
    haw_csr_add(&s->sum, 1, x, mx);
    for (int i = 0; i < s->n; i++) {
        mx[i] = (mx[i] - kx[i]) / s->weight;
    }
}

/* ---- iteration ---- */

/* a = X' (K + s M) X, b = X' M X */
static void project(subspace *s)
{
    const size_t n = (size_t)s->n;
    for (int i = 0; i < s->columns; i++) {
        const double *x = s->x + (size_t)i * n;
        for (int j = 0; j < s->columns; j++) {
            double *b = &s->b[i * s->columns + j];
            *b = haw_dot(s->n, x, s->mx + (size_t)j * n);
            s->a[i * s->columns + j] = haw_dot(s->n, x, s->kx + (size_t)j * n) + s->shift * *b;
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

/* @param change  out: largest of the wanted values, over each and what rounding makes of it */
static haw_status solve_projected(subspace *s, double *change)
{
    memcpy(s->before, s->value, (size_t)s->wanted * sizeof *s->before);
    project(s);
    const int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'U', s->columns, s->a, s->columns,
                                   s->b, s->columns, s->value);
    if (info != 0) {
        return haw_fail(s->simulation->context, HAW_ERR_SINGULAR,
                        "the projected eigenvalue problem is singular (LAPACK dsygv: %d)", info);
    }
    *change = 0;
    for (int i = 0; i < s->wanted; i++) {
        const double size = fabs(s->value[i]) + s->noise / QUIET;
        *change = fmax(*change, fabs(s->value[i] - s->before[i]) / size);
    }
    rotate(s);
    return HAW_OK;
}

/* Deterministic start: sines of rising wave number, plus a little of all. */
static void start(subspace *s)
{
    for (int c = 0; c < s->columns; c++) {
        double *x = s->x + (ptrdiff_t)c * s->n;
        for (int i = 0; i < s->n; i++) {
            x[i] = sin(1.0 + 0.7 * i * (c + 1)) + 0.1 * cos(1.3 * i + c);
        }
    }
}

/* The largest omega^2, about: of the mesh, or with springs and contacts that of a rough vector. */
static double largest_square(const subspace *s)
{
    multiply(s, s->x, s->kx, s->mx);
    return fmax(s->weight, fabs(haw_dot(s->n, s->x, s->kx) / haw_dot(s->n, s->x, s->mx)));
}

/* x <- (K + s M)^-1 M x of column c, through a vector of all degrees of freedom. */
static void solve(const subspace *s, int c)
{
    const ptrdiff_t first = (ptrdiff_t)c * s->n;
    double *x = s->x + first, *mx = s->mx + first;
    multiply(s, x, s->kx + first, mx);
    memset(s->all, 0, (size_t)s->simulation->model.dofs * sizeof *s->all);
    for (int i = 0; i < s->n; i++) {
        s->all[s->system->dof[i]] = mx[i];
    }
    haw_system_solve(s->system, s->all);
    for (int i = 0; i < s->n; i++) {
        x[i] = s->all[s->system->dof[i]];
    }
}

/* M-orthonormal to the columns before it: what moves without a force is in all of them, 1 / s times
 * as large as the rest. Twice is enough. */
static void orthogonalize(const subspace *s, int c)
{
    const ptrdiff_t n = s->n;
    double *x = s->x + c * n, *kx = s->kx + c * n, *mx = s->mx + c * n;
    for (int pass = 0; pass < 2; pass++) {
        const double size = 1 / sqrt(haw_dot(s->n, x, x));
        for (int i = 0; i < s->n; i++) {
            x[i] *= size;
        }
        for (int j = 0; j < c; j++) {
            haw_axpy(s->n, -haw_dot(s->n, s->mx + j * n, x), s->x + j * n, x);
        }
    }
    multiply(s, x, kx, mx);
    const double size = 1 / sqrt(haw_dot(s->n, x, mx));
    for (int i = 0; i < s->n; i++) {
        x[i] *= size;
        kx[i] *= size;
        mx[i] *= size;
    }
}

/* Until the frequencies stay; the last digits of large values wander by rounding: two quiet
 * iterations are the end. */
static haw_status iterate(subspace *s)
{
    int quiet = 0;
    double change = 1;
    for (int k = 0; k < ITERATIONS && quiet < 2; k++) {
        for (int c = 0; c < s->columns; c++) {
            solve(s, c);
            orthogonalize(s, c);
        }
        HAW_TRY(solve_projected(s, &change));
        quiet = change < QUIET ? quiet + 1 : 0;
    }
    return change < TOLERANCE
               ? HAW_OK
               : haw_fail(s->simulation->context, HAW_ERR_UNCONVERGED,
                          "modes: change %.3g after %d subspace iterations", change, ITERATIONS);
}

static haw_status allocate(subspace *s)
{
    const size_t n = (size_t)s->n, c = (size_t)s->columns;
    s->x = haw_arena_allocate(s->arena, n * c, sizeof(double));
    s->kx = haw_arena_allocate(s->arena, n * c, sizeof(double));
    s->mx = haw_arena_allocate(s->arena, n * c, sizeof(double));
    s->a = haw_arena_allocate(s->arena, c * c, sizeof(double));
    s->b = haw_arena_allocate(s->arena, c * c, sizeof(double));
    s->value = haw_arena_allocate(s->arena, c, sizeof(double));
    s->before = haw_arena_allocate(s->arena, c, sizeof(double));
    return haw_arena_status(s->arena);
}

/* ---- results ---- */

/* Squares within their rounding of zero are those of rigid motions. */
static void report(const subspace *s, double *frequency, double *shape)
{
    const haw_model *model = &s->simulation->model;
    double fastest = 0; /* growth [1/s] */
    for (int i = 0; i < s->wanted; i++) {
        const double square = s->value[i] - s->shift;
        fastest = fmax(fastest, square < -s->noise ? sqrt(-square) : 0);
        frequency[i] = square > s->noise ? sqrt(square) / (2 * acos(-1)) : 0;
    }
    if (fastest > 0) {
        haw_log(s->simulation->context, HAW_LOG_WARNING,
                "modes grow instead of vibrating (frequency 0), the fastest as exp(%.3g t): the "
                "start is no stable equilibrium",
                fastest);
    }
    for (int m = 0; m < s->wanted && shape != NULL; m++) {
        for (int i = 0; i < model->dofs; i++) {
            const int row = s->system->equation[i];
            shape[(ptrdiff_t)m * model->dofs + i] = row >= 0 ? s->x[(ptrdiff_t)m * s->n + row] : 0;
        }
    }
}

static haw_status compute(subspace *s, double *frequency, double *shape)
{
    HAW_TRY(create_matrices(s));
    const int free = s->n - 2 * s->simulation->model.multipliers;
    if (s->wanted < 1 || s->wanted > free) {
        return haw_fail(s->simulation->context, HAW_ERR_INPUT,
                        "the number of modes must be between 1 and %d (got %d)", free, s->wanted);
    }
    const int columns = 2 * s->wanted + EXTRA;
    s->columns = columns < free ? columns : free;
    HAW_TRY(allocate(s));
    start(s);
    const double largest = largest_square(s);
    s->shift = SHIFT * largest;
    s->noise = DBL_EPSILON * largest;
    assemble(s, s->shift);
    HAW_TRY(haw_system_factor(s->system));
    HAW_TRY(iterate(s));
    report(s, frequency, shape);
    return HAW_OK;
}

haw_status haw_simulation_modes(haw_simulation *simulation, int modes, double *frequency,
                                double *shape)
{
    haw_arena arena;
    haw_arena_init(&arena, simulation->context);
    subspace s = {.simulation = simulation, .arena = &arena, .wanted = modes};
    const haw_status status = compute(&s, frequency, shape);
    haw_system_free(s.system);
    haw_arena_fini(&arena);
    return status;
}
