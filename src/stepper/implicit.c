/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces by kind and the factorized matrix of implicit steps and equilibria. */
#include "stepper/implicit.h"

#include "cable/reeving.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- ropes ---- */

void haw_implicit_momentum(haw_simulation *simulation, const double *u, double *jump)
{
    const haw_model *model = &simulation->model;
    const haw_implicit *implicit = simulation->implicit;
    const double h = simulation->h;
    if (!haw_model_moves_along(model)) {
        haw_model_mass(model, jump, implicit->mass_work);
        return;
    }
    for (int i = 0; i < model->dofs; i++) {
        jump[i] /= h;
    }
    haw_model_inertia(model, implicit->q, u, jump, implicit->mass_work);
    for (int i = 0; i < model->dofs; i++) {
        implicit->mass_work[i] *= h;
    }
}

double haw_implicit_rope_element(const haw_model *model, const double *q)
{
    double least = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const haw_rope *rope = model->cable[i].rope;
        for (int k = 1; rope != NULL && k < rope->labels; k++) {
            least = fmin(least, q[rope->label[k]] - q[rope->label[k - 1]]);
        }
    }
    return least;
}

double haw_implicit_rope_time(const haw_model *model, const double *q)
{
    double fastest = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_line *line = &model->cable[i].line;
        fastest = fmax(fastest, sqrt(line->stiffness / line->density));
    }
    return haw_implicit_rope_element(model, q) / fastest;
}

double haw_implicit_tension(const haw_cable *cable, const double *q)
{
    double most = 0;
    if (!cable->ops->moves_along) {
        return haw_cable_tension_mean(cable, q);
    }
    for (int e = 0; e < cable->line.elements; e++) {
        most = fmax(most, fabs(cable->ops->tension(cable, e, q, NULL)));
    }
    return most;
}

/* Of an element of `ale`, in its list: the labels of its ends are the last two of its kind. */
static const int *end_labels(const haw_rope *rope, const haw_rope_element *element)
{
    return element->dof + rope->kind[element->is_span ? 1 : 0].dofs - 2;
}

/* The same of the positions of its ends: [r1, r1', r2, ...] on a sheave, [r1, r2, ...] of a span.
 */
static const int *end_positions(const haw_rope_element *element, int end)
{
    return element->dof + (element->is_span ? 2 : 4) * end;
}

double haw_implicit_rope_speed(const haw_cable *cable, const double *u)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int e = 0; e < rope->elements; e++) {
        const haw_rope_element *element = &rope->element[e];
        for (int end = 0; end < 2; end++) {
            const int *x = end_positions(element, end);
            const double along = fabs(u[end_labels(rope, element)[end]]);
            most = fmax(most, hypot(u[x[0]], u[x[1]]) + along);
        }
    }
    return most;
}

/* Of the positions of an element's ends; a span has its modes besides. */
static double placed_excess(const haw_rope *rope, const haw_rope_element *element, const double *d,
                            double most_change, double move)
{
    const int *a = end_positions(element, 0), *b = end_positions(element, 1);
    const int modes = element->is_span ? rope->kind[1].dofs - 2 : 0;
    const double turn = hypot(d[b[0]] - d[a[0]], d[b[1]] - d[a[1]]) / most_change;
    double most = fmax(turn, fmax(hypot(d[a[0]], d[a[1]]), hypot(d[b[0]], d[b[1]])) / move);
    for (int k = 4; k < modes; k++) {
        most = fmax(most, fabs(d[element->dof[k]]) / fmin(move, most_change));
    }
    return most;
}

double haw_implicit_rope_excess(const haw_simulation *simulation, const haw_cable *cable,
                                double change, double move)
{
    const haw_rope *rope = cable->rope;
    const double *q = simulation->implicit->q, *d = simulation->implicit->direction;
    double most = 0;
    for (int k = 0; k < rope->arcs; k++) {
        const int angle = simulation->model.body[rope->arc[k].body].first + 2;
        most = fmax(most, fabs(d[angle]) * rope->arc[k].radius / move);
    }
    for (int k = 1; k < rope->labels; k++) {
        const int a = rope->label[k - 1], b = rope->label[k];
        most = fmax(most, fabs(d[b] - d[a]) / (change * (q[b] - q[a])));
    }
    for (int e = 0; cable->ops->guide != NULL && e < rope->elements; e++) {
        const haw_rope_element *element = &rope->element[e];
        const int *s = end_labels(rope, element);
        const double length = q[s[1]] - q[s[0]];
        most = fmax(most, placed_excess(rope, element, d, change * length, move));
    }
    return most;
}

double haw_implicit_rope_recentre(const haw_model *model, double *q)
{
    double most = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL && cable->ops->recentre != NULL) {
            most = fmax(most, cable->ops->recentre(cable, model->context, q));
        }
    }
    return most;
}

double haw_implicit_mesh_work(const haw_implicit *implicit, const double *reaction,
                              const double *dq)
{
    const haw_model *model = implicit->system->model;
    double work = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_rope *rope = model->cable[i].rope;
        for (int k = 0; rope != NULL && k < rope->labels; k++) {
            const int dof = rope->label[k];
            work += implicit->system->equation[dof] < 0 ? reaction[dof] * dq[dof] : 0;
        }
    }
    return work;
}

bool haw_implicit_has_rope(const haw_model *model, int body)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_rope *rope = model->cable[i].rope;
        if (rope == NULL) {
            continue;
        }
        if (rope->end_body[0] == body || rope->end_body[1] == body) {
            return true;
        }
        for (int k = 0; k < rope->arcs; k++) {
            if (rope->arc[k].body == body) {
                return true;
            }
        }
    }
    return false;
}

/* ---- forces and matrix ---- */

static haw_status allocate(haw_arena *arena, int dofs, int count, double **const *vector)
{
    for (int i = 0; i < count; i++) {
        *vector[i] = haw_arena_allocate(arena, (size_t)dofs + 1, sizeof(double));
        HAW_TRY(haw_arena_status(arena));
    }
    return HAW_OK;
}

haw_status haw_force_set_create(haw_arena *arena, int dofs, haw_force_set *set)
{
    double **const vector[] = {&set->model.conservative,
                               &set->model.damping,
                               &set->model.load,
                               &set->model.gyroscopic,
                               &set->normal,
                               &set->tangential,
                               &set->total};
    return allocate(arena, dofs, sizeof vector / sizeof *vector, vector);
}

static haw_status create_vectors(haw_implicit *implicit, const haw_model *model)
{
    const int dofs = model->dofs;
    double **const vector[] = {
        &implicit->u,        &implicit->a,         &implicit->acceleration,
        &implicit->residual, &implicit->mass_work, &implicit->residual_before,
        &implicit->direction};
    double **const q[] = {&implicit->q};
    HAW_TRY(allocate(&implicit->arena, model->coordinates, 1, q));
    HAW_TRY(haw_force_set_create(&implicit->arena, dofs, &implicit->now));
    HAW_TRY(haw_force_set_create(&implicit->arena, dofs, &implicit->before));
    HAW_TRY(allocate(&implicit->arena, dofs, sizeof vector / sizeof *vector, vector));
    for (int k = 0; k < HAW_UPDATES; k++) {
        double **const pair[] = {&implicit->update[k][0], &implicit->update[k][1]};
        HAW_TRY(allocate(&implicit->arena, dofs, 2, pair));
    }
    return HAW_OK;
}

haw_status haw_implicit_create(haw_simulation *simulation, const bool *held,
                               haw_implicit **implicit)
{
    haw_context *context = simulation->context;
    *implicit = haw_allocate(context, 1, sizeof **implicit);
    if (*implicit == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*implicit)->context = context;
    (*implicit)->factor_h = (*implicit)->factor_rate = (double)NAN;
    haw_arena_init(&(*implicit)->arena, context);
    haw_status status = create_vectors(*implicit, &simulation->model);
    if (status == HAW_OK) {
        status = haw_system_create(context, &simulation->model, held, &(*implicit)->system);
    }
    if (status != HAW_OK) {
        haw_implicit_free(*implicit);
        *implicit = NULL;
    }
    return status;
}

void haw_implicit_free(haw_implicit *implicit)
{
    if (implicit != NULL) {
        haw_system_free(implicit->system);
        haw_arena_fini(&implicit->arena);
        haw_release(implicit->context, implicit);
    }
}

haw_status haw_implicit_forces(haw_simulation *simulation, double t, double part, const double *q,
                               const double *u, haw_force_set *set)
{
    const haw_model *model = &simulation->model;
    const int n = model->dofs;
    if (simulation->implicit != NULL) { /* the matrix will be that of this evaluation */
        simulation->implicit->system->t = t;
        simulation->implicit->system->part = part;
    }
    haw_model_forces(model, t, part, q, u, &set->model);
    for (int i = 0; i < n; i++) {
        set->total[i] = set->model.conservative[i] + set->model.damping[i] + set->model.load[i];
    }
    if (model->dimension == 3) {
        haw_axpy(n, 1, set->model.gyroscopic, set->total);
    }
    if (simulation->compliant == NULL) {
        return HAW_OK;
    }
    memset(set->normal, 0, (size_t)n * sizeof(double));
    memset(set->tangential, 0, (size_t)n * sizeof(double));
    HAW_TRY(haw_compliant_evaluate(simulation->compliant, q, u, set->normal, set->tangential));
    haw_model_tie(model, set->normal);
    haw_model_tie(model, set->tangential);
    for (int i = 0; i < n; i++) {
        set->total[i] += set->normal[i] + set->tangential[i];
    }
    return HAW_OK;
}

haw_status haw_implicit_factor(haw_simulation *simulation, const double *q, const double *u,
                               double mass, double rate)
{
    haw_implicit *implicit = simulation->implicit;
    haw_system_clear(implicit->system);
    haw_system_add_model(implicit->system, q, u, mass, rate);
    if (simulation->compliant != NULL) {
        haw_compliant_tangent(simulation->compliant, rate, implicit->system);
    }
    implicit->age = 0;
    implicit->updates = 0;
    implicit->factor_h = simulation->h;
    implicit->factor_rate = rate;
    simulation->certificate.factorizations++;
    const haw_status status = haw_system_factor(implicit->system);
    if (status != HAW_OK) {
        implicit->factor_h = (double)NAN;
    }
    return status;
}

/* Of one kind. Equal parts and a part of zero take one sum. */
static double kind_work(int n, const double part[2], const double *before, const double *now,
                        const double *x)
{
    double sum = 0;
    if (part[0] == 0) {
        return part[1] * haw_dot(n, now, x);
    }
    if (part[0] != part[1]) {
        return part[0] * haw_dot(n, before, x) + part[1] * haw_dot(n, now, x);
    }
    for (int i = 0; i < n; i++) {
        sum += (before[i] + now[i]) * x[i];
    }
    return part[0] * sum;
}

haw_works haw_implicit_work(const haw_implicit *implicit, const double part[2], double scale,
                            const double *x)
{
    const haw_force_set *a = &implicit->before, *b = &implicit->now;
    const int n = implicit->system->model->dofs;
    const double elastic = kind_work(n, part, a->model.conservative, b->model.conservative, x);
    const double turning = kind_work(n, part, a->model.gyroscopic, b->model.gyroscopic, x);
    return (haw_works){
        .conservative = scale * elastic + scale * turning,
        .damping = scale * kind_work(n, part, a->model.damping, b->model.damping, x),
        .load = scale * kind_work(n, part, a->model.load, b->model.load, x),
        .normal = scale * kind_work(n, part, a->normal, b->normal, x),
        .tangential = scale * kind_work(n, part, a->tangential, b->tangential, x),
    };
}

void haw_implicit_turn_over(haw_implicit *implicit)
{
    const haw_force_set before = implicit->before;
    implicit->before = implicit->now;
    implicit->now = before;
}

double haw_implicit_norm(const haw_implicit *implicit, const double *x)
{
    const int n = implicit->system->model->dofs, *equation = implicit->system->equation;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += equation[i] >= 0 ? x[i] * x[i] : 0;
    }
    return sqrt(sum);
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Of the nodes' positions alone: directions have no part in the rounding of a length. */
static double farthest(const haw_model *model, const haw_cable *cable, const double *q)
{
    double most = 0;
    if (model->dimension == 2) {
        return largest(cable->line.dofs, q + cable->first);
    }
    for (int node = 0; node <= cable->beam.elements; node++) {
        const int first = cable->first_q + cable->beam.ops->node_coordinates * node;
        most = fmax(most, largest(3, q + first));
    }
    return most;
}

double haw_implicit_noise(const haw_simulation *simulation, const double *q)
{
    const haw_model *model = &simulation->model;
    double sum = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const haw_line *line = &cable->line;
        const double le = cable->rope == NULL ? line->le : haw_implicit_rope_element(model, q);
        const double reach = fmax(farthest(model, cable, q), le);
        const double force = DBL_EPSILON * line->stiffness * reach / le;
        sum += line->dofs * force * force;
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        const haw_normal_ops *law = pair->compliance.normal;
        const double stiffness = law != NULL && law->is_linear ? pair->compliance.n.stiffness : 0;
        const double force = DBL_EPSILON * stiffness * largest(model->coordinates, q);
        sum += pair->points * force * force;
    }
    return sqrt(sum);
}

static bool is_zero(const haw_function *function)
{
    for (int i = 0; i < function->count; i++) {
        if (function->value[i] != 0) {
            return false;
        }
    }
    return function->count > 0 || function->constant == 0;
}

bool haw_model_has_extra_forces(const haw_model *model)
{
    bool any = model->loads > 0 || model->springs > 0 || haw_compliant_any(model);
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        any = any || body->rotational_damping > 0 || !is_zero(&body->torque);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_line *line = &model->cable[i].line;
        any = any || line->damping_strain > 0 || line->damping_curvature > 0;
    }
    return any;
}

/* ---- updates of a kept matrix ---- */

/*
 * Broyden's updates of the inverse of a matrix that is kept (C. G. Broyden, Math. Comp. 19 (1965)
 * 577-593; product form: C. T. Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995,
 * ch. 7). A point that changed its regime since the factorization changes the matrix by one or two
 * ranks, which a few iterations find. With s the last step, d = -B^-1 r before the update and
 * w = d / (s . s - s . d),
 *
 *     B+^-1 = (I + w s') B^-1,   -B+^-1 r = d + w (s . d).
 */

static void apply(const haw_implicit *implicit, double *d)
{
    const int n = implicit->system->model->dofs;
    for (int k = 0; k < implicit->updates; k++) {
        haw_axpy(n, haw_dot(n, implicit->update[k][1], d), implicit->update[k][0], d);
    }
}

void haw_implicit_direct(haw_implicit *implicit, bool learns)
{
    const int n = implicit->system->model->dofs;
    const size_t bytes = (size_t)n * sizeof(double);
    double *d = implicit->direction;
    const bool room = learns && implicit->updates < HAW_UPDATES;
    double *s = room ? implicit->update[implicit->updates][1] : NULL;
    if (room) {
        memcpy(s, d, bytes);
    }
    for (int i = 0; i < n; i++) {
        d[i] = -implicit->residual[i];
    }
    haw_system_solve(implicit->system, d);
    apply(implicit, d);
    implicit->age++;
    if (!room) {
        return;
    }
    const double square = haw_dot(n, s, s), along = haw_dot(n, s, d);
    if (!(fabs(square - along) > 0.1 * square)) {
        return; /* an update that would be singular */
    }
    double *w = implicit->update[implicit->updates++][0];
    for (int i = 0; i < n; i++) {
        w[i] = d[i] / (square - along);
    }
    haw_axpy(n, along, w, d);
}
