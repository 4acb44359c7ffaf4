/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact problems of the passes of an implicit step: points near, their memory, solution, referee.
 */
#include "stepper/contact_pass.h"

#include "base/lie.h"
#include "solver/referee.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- creation ---- */

/* Angular velocities of bodies and nodes, and their rotary inertia: M times 1. */
static haw_status find_turning(haw_pass *pass)
{
    const haw_model *model = &pass->simulation->model;
    double *ones = pass->simulation->work[0], *mass = pass->simulation->work[1];
    int most = model->bodies;
    for (int i = 0; i < model->cables; i++) {
        most += model->cable[i].line.elements + 1;
    }
    haw_arena *arena = &pass->simulation->arena;
    pass->turning = haw_arena_allocate(arena, (size_t)most, sizeof *pass->turning);
    HAW_TRY(haw_arena_status(arena));
    if (model->coordinates == model->dofs) {
        return HAW_OK; /* no orientations but angles */
    }
    for (int i = 0; i < model->bodies; i++) {
        pass->turning[pass->turnings++].first = model->body[i].first + 3;
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int node = 0; node <= cable->line.elements && haw_cable_turns(cable); node++) {
            pass->turning[pass->turnings++].first = cable->ops->node_dof(cable, node) + 3;
        }
    }
    memset(ones, 0, (size_t)model->dofs * sizeof *ones);
    for (int i = 0; i < 3 * pass->turnings; i++) {
        ones[pass->turning[i / 3].first + i % 3] = 1;
    }
    haw_model_mass(model, ones, mass);
    for (int i = 0; i < pass->turnings; i++) {
        memcpy(pass->turning[i].inertia, mass + pass->turning[i].first, 3 * sizeof *mass);
    }
    return HAW_OK;
}

haw_status haw_pass_create(haw_simulation *simulation)
{
    const int d = simulation->contacts->dimension;
    const size_t points = (size_t)simulation->model.points + 1;
    const size_t equations = (size_t)simulation->implicit->system->equations + 1;
    haw_arena *arena = &simulation->arena;
    haw_pass *pass = haw_arena_allocate(arena, 1, sizeof *pass);
    HAW_TRY(haw_arena_status(arena));
    simulation->pass = pass;
    pass->simulation = simulation;
    pass->d = d;
    pass->is_fast = simulation->settings.solver.ops->is_newton;
    haw_arena_init(&pass->arena, simulation->context);
    pass->memory = haw_arena_allocate(arena, (size_t)d * points, sizeof(double));
    pass->previous = haw_arena_allocate(arena, (size_t)d * points, sizeof(double));
    pass->tangent = haw_arena_allocate(arena, 3 * points, sizeof(double));
    pass->held = haw_arena_allocate(arena, points, sizeof(double));
    pass->remembered = haw_arena_allocate(arena, points, sizeof(int));
    pass->weight = haw_arena_allocate(arena, points, sizeof(double));
    pass->unpushed = haw_arena_allocate(arena, (size_t)d * points, sizeof(double));
    pass->right = haw_arena_allocate(arena, equations, sizeof(double));
    pass->v = haw_arena_allocate(arena, equations, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    for (size_t i = 0; i < points; i++) {
        pass->held[i] = -1;
    }
    return find_turning(pass);
}

/* ---- memory ---- */

static void forget(haw_pass *pass)
{
    const int d = pass->d;
    for (int i = 0; i < pass->remembered_count; i++) {
        memset(pass->memory + (ptrdiff_t)d * pass->remembered[i], 0, (size_t)d * sizeof(double));
        pass->held[pass->remembered[i]] = -1;
    }
    pass->remembered_count = 0;
}

static void remember(haw_pass *pass, int id, const double *impulse, const double tangent[3])
{
    const int d = pass->d;
    memcpy(pass->memory + (ptrdiff_t)d * id, impulse, (size_t)d * sizeof(double));
    memcpy(pass->tangent + 3 * (ptrdiff_t)id, tangent, 3 * sizeof(double));
    pass->remembered[pass->remembered_count++] = id;
}

void haw_pass_keep(haw_pass *pass)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    forget(pass);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        const double *impulse = contacts->impulse + (ptrdiff_t)d * i;
        remember(pass, touch->id, impulse, touch->tangent);
        pass->held[touch->id] = touch->on >= 0 && impulse[0] > 0 ? touch->on + touch->at : -1;
    }
}

void haw_pass_shorten(haw_pass *pass, double part)
{
    const int d = pass->d;
    for (int i = 0; i < pass->remembered_count; i++) {
        const ptrdiff_t first = (ptrdiff_t)d * pass->remembered[i];
        for (ptrdiff_t k = first; k < first + d; k++) {
            pass->memory[k] = part * pass->memory[k] + (1 - part) * pass->previous[k];
        }
    }
}

static haw_solver_common common_options(const haw_simulation *simulation)
{
    haw_solver_common common;
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    return common;
}

static double get_tolerance(const haw_pass *pass)
{
    return fmax(common_options(pass->simulation).tolerance, 64 * DBL_EPSILON);
}

/* Of a way, which is the difference of two gaps: each has the rounding of the centres, and of arms
 * that a rotation turns and a normal projects. */
enum { ROUNDINGS = 8 };

static double find_rounding(const haw_pass *pass)
{
    const haw_simulation *simulation = pass->simulation;
    const double reach = haw_model_reach(&simulation->model, simulation->state->q);
    const double way = pass->is_fixed ? 0 : ROUNDINGS * DBL_EPSILON * reach;
    return way / (simulation->h * get_tolerance(pass));
}

/* Between the points of grids, as the step before has left them. */
static haw_status measure_dips(haw_pass *pass)
{
    haw_simulation *simulation = pass->simulation;
    if (simulation->contacts->dip != NULL) {
        HAW_TRY(haw_pass_find(pass, simulation->state->q, NULL, 0,
                              haw_pass_margin(simulation, 2, 0.1)));
        (void)haw_contacts_refine(simulation->contacts);
    }
    return HAW_OK;
}

haw_status haw_pass_begin(haw_pass *pass)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    haw_contacts_begin(simulation->contacts);
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, simulation->state, HAW_DYNAMICS, simulation->h);
    }
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    pass->reference = 0;
    pass->rounding = find_rounding(pass);
    pass->holds = pass->went_on = pass->has_missed = pass->has_walked = false;
    forget(pass);
    for (int i = 0; i < simulation->closed_count; i++) {
        static const double unknown[3] = {0, 0, 0};
        const int id = simulation->closed[i];
        remember(pass, id, simulation->state->impulse + (ptrdiff_t)d * id, unknown);
    }
    return measure_dips(pass);
}

/* ---- detection ---- */

static double *doubles(haw_pass *pass, int count, int each)
{
    return haw_arena_allocate(&pass->arena, (size_t)count * (size_t)each, sizeof(double));
}

static haw_status create_pass(haw_pass *pass)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const int count = simulation->contacts->count;
    pass->global = (haw_global){.f = pass->right};
    pass->way = doubles(pass, count, d);
    pass->shift = doubles(pass, count, d);
    pass->global.w = doubles(pass, count, d);
    pass->free = doubles(pass, count, d);
    pass->u = doubles(pass, count, d);
    pass->near = doubles(pass, count, 1);
    pass->block = doubles(pass, count, d * d);
    HAW_TRY(haw_arena_status(&pass->arena));
    const int equations = simulation->implicit->system->equations;
    HAW_TRY(haw_csr_create(&pass->arena, 0, equations, 0, true, &pass->global.gt));
    return haw_contact_rows(simulation->contacts, simulation->implicit->system->equation, equations,
                            &pass->arena, &pass->global.ht);
}

static const double LITTLE = 0.866; /* cosine of such a turn */

/* Where a surface has no direction of its own tangents turn by any angle over no way at all, as at
 * the pole of a sphere or where a face of a box becomes an edge: friction of the last pass stays
 * what it is in space. Where they turn little it goes with them, as the matrix has it. */
static void turn_memory(haw_pass *pass, const haw_touch *touch)
{
    const ptrdiff_t first = (ptrdiff_t)pass->d * touch->id;
    double *tangent = pass->tangent + 3 * (ptrdiff_t)touch->id, second[3];
    double *const r[2] = {pass->memory + first, pass->previous + first};
    vec3_cross(touch->normal, touch->tangent, second);
    const double c = vec3_dot(tangent, touch->tangent), s = vec3_dot(tangent, second);
    const double size = hypot(c, s);
    for (int k = 0; k < 2 && pass->d > 2 && c < LITTLE * size; k++) {
        const double along = r[k][1], across = r[k][2];
        r[k][1] = (c * along - s * across) / size;
        r[k][2] = (s * along + c * across) / size;
    }
    memcpy(tangent, touch->tangent, sizeof second);
}

void haw_pass_recall(haw_pass *pass)
{
    const ptrdiff_t d = pass->d;
    const haw_contacts *contacts = pass->simulation->contacts;
    for (int i = 0; i < contacts->count; i++) {
        turn_memory(pass, &contacts->item[i]);
        memcpy(contacts->impulse + d * i, pass->memory + d * contacts->item[i].id,
               (size_t)d * sizeof(double));
    }
}

haw_status haw_pass_find(haw_pass *pass, const double *q, const double *u, double h, double margin)
{
    haw_simulation *simulation = pass->simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_arena_reset(&pass->arena);
    contacts->count = 0;
    if (simulation->implicit->system->equations == 0 || !haw_contacts_any(&simulation->model)) {
        return HAW_OK;
    }
    contacts->margin = margin;
    contacts->held = pass->held;
    haw_status found = haw_contacts_detect(contacts, q, u, h);
    contacts->held = NULL;
    contacts->margin = 0;
    bool renewed = false;
    if (found == HAW_OK) {
        found = haw_contacts_couple(contacts, false, simulation->implicit->system, &renewed);
    }
    contacts->count = found == HAW_OK ? contacts->count : 0;
    simulation->implicit->factor_h = renewed ? (double)NAN : simulation->implicit->factor_h;
    pass->is_renewed = renewed;
    return found;
}

haw_status haw_pass_set_up(haw_pass *pass)
{
    haw_simulation *simulation = pass->simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_problem *problem = &contacts->problem;
    const haw_status created = contacts->count > 0 ? create_pass(pass) : HAW_OK;
    contacts->count = created == HAW_OK ? contacts->count : 0;
    if (contacts->count == 0) {
        return created;
    }
    haw_pass_recall(pass);
    for (int i = 0; i < contacts->count; i++) {
        problem->mu[i] = simulation->model.pair[contacts->item[i].pair].options.friction;
    }
    problem->dimension = pass->d;
    problem->contacts = contacts->count;
    problem->w = (haw_bsr){.block = pass->d};
    contacts->matrix_capacity = 0; /* explicit steps after a start by passes make their own */
    problem->q = NULL;
    problem->global = &pass->global;
    problem->scale = fmax(haw_contacts_speed(contacts, simulation->state->u), pass->rounding);
    return HAW_OK;
}

haw_status haw_pass_detect(haw_pass *pass, const double *before, const double *q, const double *u,
                           double margin)
{
    HAW_TRY(haw_pass_find(pass, q, u, 0, margin));
    HAW_TRY(haw_pass_set_up(pass));
    if (pass->simulation->contacts->count > 0) {
        haw_contacts_way(pass->simulation->contacts, before, q, pass->way);
    }
    return HAW_OK;
}

double haw_pass_speed(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const double *u = simulation->state->u;
    double cable = 0, body = 0;
    for (int i = 0; i < model->cables; i++) {
        cable = fmax(cable, haw_cable_speed(&model->cable[i], u));
    }
    for (int i = 0; i < model->bodies; i++) {
        const double *v = u + model->body[i].first;
        body = fmax(body, haw_dot(model->dimension, v, v));
    }
    return cable + sqrt(body);
}

/* Gravity in h adds to the speed: what starts from rest is seen in time. `size`: the fineness of
 * "near", the smallest length that a contact of the pair can do with. */
double haw_pass_margin(const haw_simulation *simulation, double ways, double part)
{
    const haw_model *model = &simulation->model;
    const double h = simulation->h, *g = model->gravity;
    double size = 0;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        const double own = haw_pair_girth(model, pair);
        const double radius = haw_pair_radius(model, pair);
        size = fmax(size, own > 0 ? own : fmin(radius, model->cable[pair->cable].line.le));
    }
    const double weight = h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return ways * h * (haw_pass_speed(simulation) + weight) + part * size;
}

/* ---- what steps make of it ---- */

void haw_pass_push(const haw_simulation *simulation, double *push)
{
    memset(push, 0, (size_t)simulation->model.dofs * sizeof *push);
    haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, push);
    haw_model_tie(&simulation->model, push);
}

void haw_pass_rates(const haw_simulation *simulation, const double *increment, double *du)
{
    const haw_pass *pass = simulation->pass;
    for (int i = 0; i < pass->turnings; i++) {
        const int first = pass->turning[i].first;
        double t[9], rates[3];
        so3_tangent_inverse(increment + first, t);
        mat3_apply(t, du + first, rates);
        memcpy(du + first, rates, sizeof rates);
    }
}

void haw_pass_add_turns(const haw_simulation *simulation, const double *increment, double mass)
{
    const haw_pass *pass = simulation->pass;
    for (int i = 0; i < pass->turnings; i++) {
        const haw_dofs dofs = {.count = 3, .first = pass->turning[i].first};
        double t[9];
        so3_tangent_inverse(increment + dofs.first, t);
        for (int k = 0; k < 9; k++) {
            t[k] = mass * pass->turning[i].inertia[k / 3] * (t[k] - (k % 4 == 0 ? 1 : 0));
        }
        haw_system_add_block(simulation->implicit->system, &dofs, t);
    }
}

/* Over the tolerance, what will do in the first pass of a step where it takes many steps: another
 * pass follows, with the rows and the mechanics of where it leads, unless the referee takes it.
 * With 100 in place of 10 piles take more steps in all. */
static const double ENOUGH = 10;

/* Residual up to which one step in the regimes at hand will do, where only the mechanics is off. */
static const double HELD = 0.1;

/* Residuals above this, times the tolerance, have a course to go on with; below, regimes are those
 * of the impulses, and what is left may be the rounding of positions. */
static const double FAR = 10;

/* ---- referee ---- */

void haw_pass_bear(haw_pass *pass, double load, double noise)
{
    pass->load = fmax(load, noise / get_tolerance(pass));
}

/* Of the impulses at hand with the velocities u [d count]. */
static haw_residual measure(haw_pass *pass, const double *u)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    haw_problem problem = contacts->problem;
    haw_residual residual = {0};
    if (contacts->count == 0) {
        return residual;
    }
    for (int i = 0; i < contacts->count; i++) {
        const double kept = pass->weight[contacts->item[i].id];
        for (int k = 0; k < d; k++) {
            pass->block[d * d * i + (d + 1) * k] = kept > 0 ? kept : 1;
        }
    }
    problem.scale = fmax(problem.scale, pass->reference);
    const haw_operator op = {.problem = &problem, .q = pass->free, .block = pass->block};
    haw_referee_measure(&op, contacts->impulse, u, &residual);
    return residual;
}

haw_residual haw_pass_measure(haw_pass *pass)
{
    return measure(pass, pass->shift);
}

bool haw_pass_judge(haw_pass *pass)
{
    haw_report *report = &pass->simulation->report;
    report->tolerance = get_tolerance(pass);
    report->residual = haw_pass_measure(pass);
    const bool met = report->residual.stop <= report->tolerance;
    report->outcome = met ? HAW_CONVERGED : HAW_ITERATION_LIMIT;
    return met;
}

/* ---- solution ---- */

/* h' A h of the diagonal of A, summed over some rows h of H^T. @param square  out: h' h */
static double press_diagonal(const haw_pass *pass, int row, int rows, double scale, double *square)
{
    const haw_matrix *matrix = pass->simulation->implicit->system->matrix;
    const haw_csr *ht = &pass->global.ht;
    double stiffness = 0;
    *square = 0;
    for (int k = ht->start[row]; k < ht->start[row + rows]; k++) {
        const ptrdiff_t place = haw_matrix_place(matrix, ht->column[k], ht->column[k]);
        const double part = ht->value[k] * ht->value[k];
        *square += part;
        stiffness += part * fabs(scale * haw_matrix_value(matrix)[place]);
    }
    return stiffness;
}

/*
 * Of an equilibrium: W_cc would tell how softly the whole hangs in its contacts, without bound
 * where friction alone holds it. A contact is weighed by the diagonal of A where it acts instead: a
 * gap then counts as the force that closes it, with at least the stiffness load / length.
 */
static void weigh_resting(haw_pass *pass, double scale)
{
    const haw_simulation *simulation = pass->simulation;
    const double least = simulation->h * pass->load / pass->length;
    double most = 0;
    for (int i = 0; i < simulation->contacts->count; i++) {
        double square;
        const double stiffness = press_diagonal(pass, pass->d * i, pass->d, scale, &square);
        const double own = square > 0 ? stiffness / square : 0;
        const double weight = 1 / fmax(own, fmax(least, DBL_MIN));
        pass->weight[simulation->contacts->item[i].id] = weight;
        most = fmax(most, weight);
    }
    pass->reference = most * pass->load;
    simulation->contacts->problem.scale = pass->reference;
}

/* du from the right-hand side over the equations. */
static haw_status direct(haw_pass *pass, double scale, const double *right, double *du)
{
    haw_simulation *simulation = pass->simulation;
    haw_system *system = simulation->implicit->system;
    for (int i = 0; i < simulation->model.dofs; i++) {
        du[i] = right[i] / scale;
    }
    HAW_TRY(haw_system_factor(system));
    simulation->certificate.factorizations += haw_matrix_is_kept(system->matrix) ? 0 : 1;
    haw_system_solve(system, du);
    return HAW_OK;
}

/* The band method; its impulses, velocities and weights. @param is_kept  by the factors at hand */
static haw_status solve_band(haw_pass *pass, double scale, bool is_kept, haw_band_result *result)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    haw_contacts *contacts = simulation->contacts;
    const bool goes_on = pass->reference > 0 && !pass->is_fixed && !pass->is_wary &&
                         simulation->report.residual.stop > FAR * get_tolerance(pass);
    for (int i = 0; i < contacts->count; i++) {
        pass->near[i] = pass->weight[contacts->item[i].id];
    }
    /* no pass follows one with fixed rows, or one that its problem alone judges */
    const bool is_first = !(pass->reference > 0) && !pass->is_fixed && !pass->is_judged;
    pass->went_on = pass->went_on || goes_on;
    const haw_band_problem problem = {
        .matrix = simulation->implicit->system->matrix,
        .scale = scale,
        .dimension = d,
        .contacts = contacts->count,
        .ht = &pass->global.ht,
        .f = pass->right,
        .w = pass->global.w,
        .mu = contacts->problem.mu,
        .weight = pass->near,
        .speed = fmax(contacts->problem.scale, pass->reference),
        .is_resting = pass->load > 0,
        .walks = pass->load > 0,
        .is_inward = pass->has_walked && pass->is_late,
        .is_brief = pass->load > 0,
        .is_last = !(pass->load > 0) || (pass->has_missed && !pass->is_far),
        .is_judged = pass->is_judged,
        .is_kept = is_kept,
        .is_near = goes_on,
        .tolerance = pass->holds ? HELD : HAW_PASS_SHARPER * get_tolerance(pass),
        .enough = is_first ? ENOUGH * get_tolerance(pass) : 0,
        .free = pass->reference > 0 ? NULL : pass->free};
    HAW_TRY(haw_band_newton(&problem, &pass->arena, contacts->impulse, pass->v, pass->u, result));
    for (int i = 0; i < contacts->count; i++) {
        pass->weight[contacts->item[i].id] = pass->near[i];
    }
    simulation->certificate.factorizations += result->factorizations;
    return HAW_OK;
}

/*
 * By the solver of the run and its referee, from the memory, and with fixed rows from where the
 * band method gave up. Solvers are made for symmetric matrices: they get (A + A^T) / 2, and
 * Newton's method on the mechanics ends where it would with A.
 */
static haw_status solve_general(haw_pass *pass, double scale)
{
    haw_simulation *simulation = pass->simulation;
    const haw_report before = simulation->report;
    const haw_csr kept = pass->global.m;
    HAW_TRY(haw_contact_matrix(simulation->implicit->system, scale, &pass->arena, &pass->global.m));
    if (!pass->is_fixed) {
        haw_pass_recall(pass);
    }
    const haw_status status = haw_step_solve_contacts(simulation, pass->u);
    simulation->report.iterations += before.iterations;
    pass->global.m = kept; /* readers get that of where the step ends */
    return status;
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

/* trace(W_cc) / d with the factor of A. */
static double weigh(haw_pass *pass, int contact, double scale)
{
    const int d = pass->d;
    const haw_csr *ht = &pass->global.ht;
    double trace = 0;
    for (int i = d * contact; i < d * contact + d; i++) {
        const int first = ht->start[i], count = ht->start[i + 1] - first;
        trace += haw_matrix_product(pass->simulation->implicit->system->matrix, count,
                                    ht->column + first, ht->value + first, 1, pass->v);
    }
    return trace / scale / d;
}

/* What `measure` needs, from the factor of A. */
static haw_status prepare_measure(haw_pass *pass, double scale)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    haw_matrix *matrix = simulation->implicit->system->matrix;
    int first = contacts->count, count = 0;
    for (int i = contacts->count - 1; i >= 0; i--) {
        const bool is_known = pass->weight[contacts->item[i].id] > 0;
        first = is_known ? first : i;
        count += is_known ? 0 : pass->d;
    }
    if (first < contacts->count) {
        HAW_TRY(haw_matrix_prepare_products(matrix, &pass->global.ht, count, &pass->arena));
    }
    for (int i = first; i < contacts->count; i++) {
        double *kept = &pass->weight[contacts->item[i].id];
        *kept = *kept > 0 ? *kept : weigh(pass, i, scale);
    }
    for (int i = 0; i < pass->global.ht.columns; i++) {
        pass->v[i] = pass->right[i] / scale;
    }
    haw_matrix_solve(matrix, pass->v);
    for (int i = 0; i < d * contacts->count; i++) {
        pass->free[i] = pass->global.w[i] + row_times(&pass->global.ht, i, pass->v);
    }
    return HAW_OK;
}

/* Impulses by the solver of the run, then du = A^-1 (right + H P). */
static haw_status solve_judged(haw_pass *pass, double scale, const double *right, double *du)
{
    haw_simulation *simulation = pass->simulation;
    HAW_TRY(solve_general(pass, scale));
    haw_pass_push(simulation, simulation->push);
    haw_axpy(simulation->model.dofs, 1, right, simulation->push);
    HAW_TRY(direct(pass, scale, simulation->push, du));
    return prepare_measure(pass, scale);
}

/* The first pass of a step finds the velocities without impulses, and with them the reference of
 * all its passes; later ones spare the factorization. */
static void keep_free(haw_pass *pass)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    const bool is_first = !(pass->reference > 0);
    pass->reference = fmax(pass->reference, contacts->problem.scale);
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const double *free = pass->free + d * i;
        double *kept = pass->unpushed + (ptrdiff_t)d * contacts->item[i].id;
        double square = 0;
        for (int k = 0; k < d; k++) {
            square += free[k] * free[k];
            kept[k] = is_first ? free[k] - pass->shift[d * i + k] : kept[k];
            contacts->gamma_free[d * i + k] = kept[k];
        }
        pass->reference = fmax(pass->reference, sqrt(square));
    }
}

/* What haw_pass_shorten goes back to. */
static void keep_previous(haw_pass *pass)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    for (int i = 0; i < pass->remembered_count; i++) {
        const ptrdiff_t first = (ptrdiff_t)d * pass->remembered[i];
        memcpy(pass->previous + first, pass->memory + first, (size_t)d * sizeof(double));
    }
    for (int i = 0; i < contacts->count; i++) {
        memcpy(pass->previous + (ptrdiff_t)d * contacts->item[i].id,
               contacts->impulse + (ptrdiff_t)d * i, (size_t)d * sizeof(double));
    }
}

/* Right-hand sides over the equations and the contacts. */
static void set_right(haw_pass *pass, const double *right)
{
    const int d = pass->d;
    haw_simulation *simulation = pass->simulation;
    const haw_system *system = simulation->implicit->system;
    for (int i = 0; i < system->equations; i++) {
        pass->right[i] = right[system->dof[i]];
    }
    memcpy(pass->global.w, pass->shift,
           (size_t)d * (size_t)simulation->contacts->count * sizeof(double));
}

/* Where nothing holds a contact along its normal h, h' A^-1 h >= (h' h)^2 / h' A h. */
static haw_status judge_held(haw_pass *pass, int contact)
{
    haw_matrix *matrix = pass->simulation->implicit->system->matrix;
    const haw_csr *ht = &pass->global.ht;
    const int row = pass->d * contact, at = ht->start[row], count = ht->start[row + 1] - at;
    double square;
    const double stiffness = press_diagonal(pass, row, 1, 1, &square);
    const double own =
        haw_matrix_product(matrix, count, ht->column + at, ht->value + at, 1, pass->v);
    return haw_guard_held(pass->simulation, contact, own,
                          stiffness > 0 ? square * square / stiffness : 0);
}

/* What no solver can do: a contact that closes while joints and motions hold both sides. Asked at
 * once: impulses without bound leave nothing for a second pass. */
static haw_status explain_held(haw_pass *pass, double scale)
{
    haw_simulation *simulation = pass->simulation;
    haw_matrix *matrix = simulation->implicit->system->matrix;
    const haw_csr *ht = &pass->global.ht;
    const int count = simulation->contacts->count;
    const double least = -get_tolerance(pass) * simulation->contacts->problem.scale;
    double *q = doubles(pass, count, 1);
    int closing = 0;
    const haw_status factored = haw_system_factor(simulation->implicit->system);
    simulation->certificate.factorizations += haw_matrix_is_kept(matrix) ? 0 : 1;
    HAW_TRY(haw_arena_status(&pass->arena));
    if (factored != HAW_OK) {
        return factored == HAW_ERR_SINGULAR ? HAW_OK : factored;
    }
    for (int i = 0; i < ht->columns; i++) {
        pass->v[i] = pass->right[i] / scale;
    }
    haw_matrix_solve(matrix, pass->v);
    for (int i = 0; i < count; i++) {
        q[i] = pass->global.w[pass->d * i] + row_times(ht, pass->d * i, pass->v);
        closing += q[i] < least;
    }
    HAW_TRY(haw_matrix_prepare_products(matrix, ht, closing, &pass->arena));
    for (int i = 0; i < count; i++) {
        HAW_TRY(q[i] < least ? judge_held(pass, i) : HAW_OK);
    }
    return HAW_OK;
}

haw_status haw_pass_problem(haw_pass *pass, double scale, const double *right)
{
    haw_simulation *simulation = pass->simulation;
    set_right(pass, right);
    return pass->global.m.rows > 0 ? HAW_OK
                                   : haw_contact_matrix(simulation->implicit->system, scale,
                                                        &pass->arena, &pass->global.m);
}

/* Of the band method: the report as by haw_solve, and du. */
static void take_result(haw_pass *pass, const haw_band_result *result, double *du)
{
    haw_simulation *simulation = pass->simulation;
    haw_report *report = &simulation->report;
    report->outcome = result->met ? HAW_CONVERGED : HAW_ITERATION_LIMIT;
    report->iterations += result->iterations;
    report->effort.iterations += result->iterations;
    report->effort.factorizations += result->factorizations;
    report->tolerance = common_options(simulation).tolerance;
    report->residual = measure(pass, pass->u);
    for (int i = 0; i < simulation->model.dofs; i++) {
        const int equation = simulation->implicit->system->equation[i];
        du[i] = equation >= 0 ? pass->v[equation] : 0;
    }
}

haw_status haw_pass_solve(haw_pass *pass, double scale, const double *right, double *du)
{
    haw_simulation *simulation = pass->simulation;
    const haw_model *model = &simulation->model;
    const bool is_resting = pass->load > 0; /* what no other solver knows */
    haw_report *report = &simulation->report;
    haw_band_result result = {.met = false};
    keep_previous(pass);
    if (simulation->contacts->count == 0) {
        return direct(pass, scale, right, du);
    }
    set_right(pass, right);
    if (!(fabs(scale / pass->weight_scale - 1) <= 1e-12)) { /* weights of another length of step */
        memset(pass->weight, 0, (size_t)model->points * sizeof(double));
        pass->weight_scale = scale;
        pass->reference = 0;
    }
    if (is_resting) {
        weigh_resting(pass, scale);
    }
    if (pass->is_fast || pass->is_fixed) {
        HAW_TRY(solve_band(pass, scale, false, &result));
        pass->has_missed = !result.met;
        pass->has_walked = result.has_walked;
    }
    if (result.met || (is_resting && result.fits)) {
        take_result(pass, &result, du);
    } else {
        HAW_TRY(solve_judged(pass, scale, right, du));
    }
    if (!is_resting) {
        keep_free(pass);
    }
    haw_pass_keep(pass);
    return report->outcome == HAW_CONVERGED ? HAW_OK : explain_held(pass, scale);
}

haw_status haw_pass_follow(haw_pass *pass, double scale, const double *right, double *du, bool *met)
{
    haw_band_result result = {.met = false};
    *met = false;
    if (pass->weight_scale != scale) {
        return HAW_OK;
    }
    set_right(pass, right);
    HAW_TRY(solve_band(pass, scale, true, &result));
    *met = result.met;
    if (result.met) {
        take_result(pass, &result, du);
        keep_free(pass);
        haw_pass_keep(pass);
    }
    return HAW_OK;
}
