/* SPDX-License-Identifier: BSD-3-Clause */
/* Solution of the contact problem of a pass, and the referee's word on it. */
#include "solver/referee.h"
#include "stepper/contact_rows.h"
#include "stepper/space_stage.h"

#include <math.h>
#include <string.h>

enum { D = 3 };

/* Than the tolerance: what a pass leaves is a change of its impulses in the next one, and a grid
 * that holds an element at several points has many impulses for one motion. */
static const double SHARPER = 0.1;

/* Residual up to which one step in the regimes at hand will do, where only the mechanics is off. */
static const double HELD = 0.1;

/* ---- referee ---- */

haw_residual haw_space_stage_measure(haw_simulation *simulation, const double *shift)
{
    const haw_contacts *contacts = simulation->contacts;
    haw_space_stage *stage = simulation->stage;
    haw_problem problem = contacts->problem;
    haw_residual residual = {0};
    if (contacts->count == 0) {
        return residual;
    }
    for (int i = 0; i < contacts->count; i++) {
        const double kept = stage->weight[contacts->item[i].id];
        for (int k = 0; k < D; k++) {
            stage->block[D * D * i + (D + 1) * k] = kept > 0 ? kept : 1;
        }
    }
    problem.scale = fmax(problem.scale, stage->reference);
    const haw_operator op = {.problem = &problem, .q = stage->free, .block = stage->block};
    haw_referee_measure(&op, contacts->impulse, shift, &residual);
    return residual;
}

/* ---- solution ---- */

/* du from the right-hand side over the equations. */
static haw_status direct(haw_simulation *simulation, double scale, const double *right, double *du)
{
    haw_system *system = simulation->implicit->system;
    for (int i = 0; i < simulation->model.dofs; i++) {
        du[i] = right[i] / scale;
    }
    simulation->certificate.factorizations++;
    HAW_TRY(haw_system_factor(system));
    haw_system_solve(system, du);
    return HAW_OK;
}

static void spread(const haw_simulation *simulation, const double *v, double *du)
{
    const haw_system *system = simulation->implicit->system;
    for (int i = 0; i < simulation->model.dofs; i++) {
        du[i] = system->equation[i] >= 0 ? v[system->equation[i]] : 0;
    }
}

/* Weights are those of a step of this length. */
static void keep_weights(haw_simulation *simulation, double scale)
{
    haw_space_stage *stage = simulation->stage;
    if (!(fabs(scale / stage->weight_scale - 1) <= 1e-12)) {
        memset(stage->weight, 0, (size_t)simulation->model.points * sizeof(double));
        stage->weight_scale = scale;
    }
}

static bool is_fast(const haw_simulation *simulation)
{
    const char *name = simulation->settings.solver.ops->name;
    return strcmp(name, "newton") == 0 || strcmp(name, "auto") == 0;
}

static haw_solver_common common_options(const haw_simulation *simulation)
{
    haw_solver_common common;
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    return common;
}

/* The band method; its impulses, velocities and weights. */
static haw_status solve_band(haw_simulation *simulation, double scale, haw_band_result *result)
{
    haw_space_stage *stage = simulation->stage;
    haw_contacts *contacts = simulation->contacts;
    for (int i = 0; i < contacts->count; i++) {
        stage->near[i] = stage->weight[contacts->item[i].id];
    }
    const haw_band_problem problem = {
        .matrix = simulation->implicit->system->matrix,
        .scale = scale,
        .dimension = D,
        .contacts = contacts->count,
        .ht = &stage->global.ht,
        .f = stage->right,
        .w = stage->global.w,
        .mu = contacts->problem.mu,
        .weight = stage->near,
        .speed = fmax(contacts->problem.scale, stage->reference),
        .tolerance = stage->holds ? HELD : SHARPER * common_options(simulation).tolerance,
        .free = stage->reference > 0 ? NULL : stage->free};
    HAW_TRY(
        haw_band_newton(&problem, &stage->arena, contacts->impulse, stage->v, stage->u, result));
    for (int i = 0; i < contacts->count; i++) {
        stage->weight[contacts->item[i].id] = stage->near[i];
    }
    simulation->certificate.factorizations += result->factorizations;
    return HAW_OK;
}

/* What the fast way found, in the words of haw_solve. */
static void report_band(haw_simulation *simulation, const haw_band_result *result)
{
    haw_report *report = &simulation->report;
    haw_space_stage *stage = simulation->stage;
    report->outcome = HAW_CONVERGED;
    report->iterations += result->iterations;
    report->effort.iterations += result->iterations;
    report->effort.factorizations += result->factorizations;
    report->tolerance = common_options(simulation).tolerance;
    report->residual = haw_space_stage_measure(simulation, stage->u);
}

/*
 * By the solver of the run and its referee. Solvers are made for symmetric matrices: they get
 * (A + A^T) / 2, and Newton's method on the mechanics ends where it would with A.
 */
static haw_status solve_general(haw_simulation *simulation, double scale)
{
    haw_space_stage *stage = simulation->stage;
    haw_contacts *contacts = simulation->contacts;
    const haw_report before = simulation->report;
    HAW_TRY(
        haw_contact_matrix(simulation->implicit->system, scale, &stage->arena, &stage->global.m));
    for (int i = 0; i < contacts->count; i++) {
        const ptrdiff_t id = contacts->item[i].id;
        memcpy(contacts->impulse + (ptrdiff_t)D * i, stage->memory + D * id, D * sizeof(double));
    }
    HAW_TRY(haw_solve(&contacts->problem, &simulation->settings.solver, simulation->workspace,
                      contacts->impulse, stage->u, &simulation->report));
    simulation->report.iterations += before.iterations;
    return HAW_OK;
}

/* Row i of H^T times x over the equations. */
static double row_times(const haw_csr *ht, int i, const double *x)
{
    double sum = 0;
    for (int k = ht->start[i]; k < ht->start[i + 1]; k++) {
        sum += ht->value[k] * x[ht->column[k]];
    }
    return sum;
}

/* trace(W_cc) / 3 by three solves with the factor of A. */
static double weigh(haw_simulation *simulation, int contact, double scale)
{
    haw_space_stage *stage = simulation->stage;
    const haw_csr *ht = &stage->global.ht;
    double trace = 0;
    for (int i = D * contact; i < D * contact + D; i++) {
        memset(stage->v, 0, (size_t)ht->columns * sizeof *stage->v);
        for (int k = ht->start[i]; k < ht->start[i + 1]; k++) {
            stage->v[ht->column[k]] = ht->value[k] / scale;
        }
        haw_bordered_solve(simulation->implicit->system->matrix, stage->v);
        trace += row_times(ht, i, stage->v);
    }
    return trace / D;
}

/* What haw_space_stage_measure needs, from the factor of A. */
static void prepare_measure(haw_simulation *simulation, double scale)
{
    haw_space_stage *stage = simulation->stage;
    const haw_contacts *contacts = simulation->contacts;
    for (int i = 0; i < contacts->count; i++) {
        double *kept = &stage->weight[contacts->item[i].id];
        *kept = *kept > 0 ? *kept : weigh(simulation, i, scale);
    }
    for (int i = 0; i < stage->global.ht.columns; i++) {
        stage->v[i] = stage->right[i] / scale;
    }
    haw_bordered_solve(simulation->implicit->system->matrix, stage->v);
    for (int i = 0; i < D * contacts->count; i++) {
        stage->free[i] = stage->global.w[i] + row_times(&stage->global.ht, i, stage->v);
    }
}

/* Impulses by the solver of the run, then du = A^-1 (right + H P). */
static haw_status solve_judged(haw_simulation *simulation, double scale, const double *right,
                               double *du)
{
    HAW_TRY(solve_general(simulation, scale));
    haw_space_stage_push(simulation, simulation->push);
    haw_axpy(simulation->model.dofs, 1, right, simulation->push);
    HAW_TRY(direct(simulation, scale, simulation->push, du));
    prepare_measure(simulation, scale);
    return HAW_OK;
}

/* The first pass of a step finds the velocities without impulses, and with them the reference of
 * all its passes; later ones spare the factorization. */
static void keep_free(haw_simulation *simulation, const double *shift)
{
    const haw_contacts *contacts = simulation->contacts;
    haw_space_stage *stage = simulation->stage;
    const bool is_first = !(stage->reference > 0);
    stage->reference = fmax(stage->reference, contacts->problem.scale);
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const double *free = stage->free + D * i;
        double *kept = stage->unpushed + (ptrdiff_t)D * contacts->item[i].id;
        const double speed = sqrt(free[0] * free[0] + free[1] * free[1] + free[2] * free[2]);
        stage->reference = fmax(stage->reference, speed);
        for (int k = 0; k < D; k++) {
            kept[k] = is_first ? free[k] - shift[D * i + k] : kept[k];
            contacts->gamma_free[D * i + k] = kept[k];
        }
    }
}

/* What haw_space_stage_halve goes back to. */
static void keep_previous(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_space_stage *stage = simulation->stage;
    for (int i = 0; i < stage->remembered_count; i++) {
        const ptrdiff_t first = (ptrdiff_t)D * stage->remembered[i];
        memcpy(stage->previous + first, stage->memory + first, D * sizeof(double));
    }
    for (int i = 0; i < contacts->count; i++) {
        memcpy(stage->previous + (ptrdiff_t)D * contacts->item[i].id,
               contacts->impulse + (ptrdiff_t)D * i, D * sizeof(double));
    }
}

/* Right-hand sides over the equations and the contacts. */
static void set_right(haw_simulation *simulation, const double *right, const double *shift)
{
    const haw_system *system = simulation->implicit->system;
    haw_space_stage *stage = simulation->stage;
    for (int i = 0; i < system->equations; i++) {
        stage->right[i] = right[system->dof[i]];
    }
    memcpy(stage->global.w, shift, D * (size_t)simulation->contacts->count * sizeof(double));
}

haw_status haw_space_stage_problem(haw_simulation *simulation, double scale, const double *right,
                                   const double *shift)
{
    haw_space_stage *stage = simulation->stage;
    set_right(simulation, right, shift);
    return haw_contact_matrix(simulation->implicit->system, scale, &stage->arena, &stage->global.m);
}

haw_status haw_space_stage_solve(haw_simulation *simulation, double scale, const double *right,
                                 const double *shift, double *du)
{
    haw_space_stage *stage = simulation->stage;
    haw_contacts *contacts = simulation->contacts;
    haw_band_result result = {.met = false};
    keep_previous(simulation);
    if (contacts->count == 0) {
        return direct(simulation, scale, right, du);
    }
    set_right(simulation, right, shift);
    keep_weights(simulation, scale);
    if (is_fast(simulation)) {
        HAW_TRY(solve_band(simulation, scale, &result));
    }
    if (result.met) {
        report_band(simulation, &result);
        spread(simulation, stage->v, du);
    } else {
        HAW_TRY(solve_judged(simulation, scale, right, du));
    }
    stage->residual = simulation->report.residual.natural;
    keep_free(simulation, shift);
    haw_space_stage_keep(simulation);
    return HAW_OK;
}
