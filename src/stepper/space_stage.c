/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact problems of implicit steps in space: points near, their memory, solution, referee. */
#include "stepper/space_stage.h"

#include "base/lie.h"
#include "solver/referee.h"
#include "stepper/contact_rows.h"

#include <math.h>
#include <string.h>

enum { D = 3 };

/* Than the tolerance: what a pass leaves is a change of its impulses in the next one, and a grid
 * that holds an element at several points has many impulses for one motion. */
static const double SHARPER = 0.1;

/* ---- creation ---- */

static haw_status create_arrays(const haw_simulation *simulation, haw_space_stage *stage)
{
    const size_t points = (size_t)simulation->model.points + 1;
    const size_t equations = (size_t)simulation->implicit->system->equations + 1;
    haw_arena *arena = &stage->lasting;
    stage->memory = haw_arena_allocate(arena, D * points, sizeof(double));
    stage->remembered = haw_arena_allocate(arena, points, sizeof(int));
    stage->weight = haw_arena_allocate(arena, points, sizeof(double));
    stage->unpushed = haw_arena_allocate(arena, D * points, sizeof(double));
    stage->right = haw_arena_allocate(arena, equations, sizeof(double));
    stage->v = haw_arena_allocate(arena, equations, sizeof(double));
    return stage->memory != NULL && stage->remembered != NULL && stage->weight != NULL &&
                   stage->unpushed != NULL && stage->right != NULL && stage->v != NULL
               ? HAW_OK
               : HAW_ERR_NOMEM;
}

haw_status haw_space_stage_create(haw_simulation *simulation)
{
    haw_space_stage *stage = haw_allocate(simulation->context, 1, sizeof *stage);
    if (stage == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_space_stage_free(simulation->stage);
    simulation->stage = stage;
    stage->context = simulation->context;
    haw_arena_init(&stage->lasting, simulation->context);
    haw_arena_init(&stage->arena, simulation->context);
    return create_arrays(simulation, stage);
}

void haw_space_stage_free(haw_space_stage *stage)
{
    if (stage != NULL) {
        haw_arena_fini(&stage->arena);
        haw_arena_fini(&stage->lasting);
        haw_release(stage->context, stage);
    }
}

/* ---- memory ---- */

static void forget(haw_space_stage *stage)
{
    for (int i = 0; i < stage->remembered_count; i++) {
        memset(stage->memory + (ptrdiff_t)D * stage->remembered[i], 0, D * sizeof(double));
    }
    stage->remembered_count = 0;
}

static void remember(haw_space_stage *stage, int id, const double *impulse)
{
    memcpy(stage->memory + (ptrdiff_t)D * id, impulse, D * sizeof(double));
    stage->remembered[stage->remembered_count++] = id;
}

void haw_space_stage_begin(haw_simulation *simulation)
{
    haw_space_stage *stage = simulation->stage;
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    stage->residual = stage->reference = 0;
    forget(stage);
    for (int i = 0; i < simulation->closed_count; i++) {
        const int id = simulation->closed[i];
        remember(stage, id, simulation->state->impulse + (ptrdiff_t)D * id);
    }
    if (simulation->state->step % HAW_STAGE_RENEWAL == 0) {
        stage->weight_scale = (double)NAN;
    }
}

/* ---- detection ---- */

static double *doubles(haw_space_stage *stage, int count, int each)
{
    return haw_arena_allocate(&stage->arena, (size_t)count * (size_t)each, sizeof(double));
}

static haw_status create_pass(haw_simulation *simulation)
{
    haw_space_stage *stage = simulation->stage;
    const int count = simulation->contacts->count;
    stage->global = (haw_global){.f = stage->right};
    stage->way = doubles(stage, count, D);
    stage->global.w = doubles(stage, count, D);
    stage->free = doubles(stage, count, D);
    stage->u = doubles(stage, count, D);
    stage->near = doubles(stage, count, 1);
    stage->block = doubles(stage, count, D * D);
    if (stage->way == NULL || stage->global.w == NULL || stage->free == NULL || stage->u == NULL ||
        stage->near == NULL || stage->block == NULL) {
        return HAW_ERR_NOMEM;
    }
    const int equations = simulation->implicit->system->equations;
    HAW_TRY(haw_csr_create(&stage->arena, 0, equations, 0, true, &stage->global.gt));
    return haw_contact_rows(simulation->contacts, simulation->implicit->system, &stage->arena,
                            &stage->global.ht);
}

static void set_problem(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    haw_space_stage *stage = simulation->stage;
    for (int i = 0; i < contacts->count; i++) {
        const haw_contact *c = &contacts->item[i];
        contacts->problem.mu[i] = simulation->model.pair[c->pair].options.friction;
        memcpy(contacts->impulse + (ptrdiff_t)D * i, stage->memory + (ptrdiff_t)D * c->id,
               D * sizeof(double));
    }
    contacts->problem.dimension = D;
    contacts->problem.contacts = contacts->count;
    contacts->problem.w = (haw_bsr){.block = D};
    contacts->problem.q = NULL;
    contacts->problem.global = &stage->global;
    contacts->problem.scale = haw_contacts_speed(contacts, simulation->state->u);
}

haw_status haw_space_stage_detect(haw_simulation *simulation, const double *before, const double *q,
                                  double margin)
{
    haw_contacts *contacts = simulation->contacts;
    haw_arena_reset(&simulation->stage->arena);
    contacts->count = 0;
    if (simulation->implicit->system->equations == 0) {
        return HAW_OK;
    }
    contacts->margin = margin;
    const haw_status found = haw_space_detect(contacts, q);
    contacts->margin = 0;
    if (found != HAW_OK) {
        contacts->count = 0;
        return found;
    }
    if (contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(create_pass(simulation));
    haw_space_way(contacts, before, q, simulation->stage->way);
    set_problem(simulation);
    return HAW_OK;
}

/* Smallest length that a contact of the pair can do with: the fineness of "near" [m]. */
static double pair_size(const haw_model *model, const haw_pair *pair)
{
    const haw_surface *surface = &model->body[pair->body].surface;
    const double own = pair->cable >= 0 ? model->cable[pair->cable].radius : pair->proxy_radius;
    return own > 0 ? own : fmin(surface->ops->radius(surface), model->cable[pair->cable].line.le);
}

static double square_speed(int count, ptrdiff_t stride, const double *u)
{
    double most = 0;
    for (int i = 0; i < count; i++, u += stride) {
        most = fmax(most, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return most;
}

/* Gravity in h adds to the speed: what starts from rest is seen in time. */
double haw_space_stage_margin(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const double *u = simulation->state->u, h = simulation->h, *g = model->gravity;
    double cable = 0, size = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *c = &model->cable[i];
        cable = fmax(cable,
                     square_speed(c->line.elements + 1, haw_cable_stride(model, c), u + c->first));
    }
    const double body = square_speed(model->bodies, (ptrdiff_t)haw_body_dofs(model), u);
    for (int i = 0; i < model->pairs; i++) {
        size = fmax(size, pair_size(model, &model->pair[i]));
    }
    const double weight = h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return 2 * h * (sqrt(cable) + sqrt(body) + weight) + 0.1 * size;
}

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

void haw_space_stage_push(const haw_simulation *simulation, double *push)
{
    memset(push, 0, (size_t)simulation->model.dofs * sizeof *push);
    haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, push);
}

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

static void turn_rates(const double w[3], double du[3])
{
    double t[9], rates[3];
    so3_tangent_inverse(w, t);
    mat3_apply(t, du, rates);
    memcpy(du, rates, sizeof rates);
}

void haw_space_stage_rates(const haw_simulation *simulation, const double *increment, double *du)
{
    const haw_model *model = &simulation->model;
    for (int i = 0; i < model->bodies; i++) {
        const int first = model->body[i].first + 3;
        turn_rates(increment + first, du + first);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int e = 0; e <= cable->beam.elements && cable->beam.ops->has_rotations; e++) {
            const int first = cable->first + cable->beam.ops->node_dofs * e + 3;
            turn_rates(increment + first, du + first);
        }
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
    const haw_band_problem problem = {.matrix = simulation->implicit->system->matrix,
                                      .scale = scale,
                                      .dimension = D,
                                      .contacts = contacts->count,
                                      .ht = &stage->global.ht,
                                      .f = stage->right,
                                      .w = stage->global.w,
                                      .mu = contacts->problem.mu,
                                      .weight = stage->near,
                                      .speed = fmax(contacts->problem.scale, stage->reference),
                                      .tolerance = SHARPER * common_options(simulation).tolerance,
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

static void keep(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    forget(simulation->stage);
    for (int i = 0; i < contacts->count; i++) {
        remember(simulation->stage, contacts->item[i].id, contacts->impulse + (ptrdiff_t)D * i);
    }
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

haw_status haw_space_stage_solve(haw_simulation *simulation, double scale, const double *right,
                                 const double *shift, double *du)
{
    haw_space_stage *stage = simulation->stage;
    haw_contacts *contacts = simulation->contacts;
    const haw_system *system = simulation->implicit->system;
    const size_t rows = D * (size_t)contacts->count;
    haw_band_result result = {.met = false};
    if (contacts->count == 0) {
        return direct(simulation, scale, right, du);
    }
    for (int i = 0; i < system->equations; i++) {
        stage->right[i] = right[system->dof[i]];
    }
    memcpy(stage->global.w, shift, rows * sizeof(double));
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
    keep(simulation);
    return HAW_OK;
}
