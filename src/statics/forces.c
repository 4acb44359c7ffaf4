/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces by kind, their matrix, and what equilibria ask of ropes over sheaves. */
#include "statics/forces.h"

#include "cable/reeving.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

haw_status haw_vectors_create(haw_arena *arena, int dofs, int count, double **const *vector)
{
    for (int i = 0; i < count; i++) {
        *vector[i] = haw_arena_allocate(arena, (size_t)dofs + 1, sizeof(double));
    }
    return haw_arena_status(arena);
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
    return haw_vectors_create(arena, dofs, sizeof vector / sizeof *vector, vector);
}

haw_status haw_forces_find(const haw_model *model, haw_compliant *compliant, const double *q,
                           const double *u, haw_force_set *set)
{
    const int n = model->dofs;
    haw_model_forces(model, set->t, set->part, q, u, &set->model);
    for (int i = 0; i < n; i++) {
        set->total[i] = set->model.conservative[i] + set->model.damping[i] + set->model.load[i];
    }
    if (model->dimension == 3) {
        haw_axpy(n, 1, set->model.gyroscopic, set->total);
    }
    if (compliant == NULL) {
        return HAW_OK;
    }
    memset(set->normal, 0, (size_t)n * sizeof(double));
    memset(set->tangential, 0, (size_t)n * sizeof(double));
    HAW_TRY(haw_compliant_evaluate(compliant, q, u, set->normal, set->tangential));
    haw_model_tie(model, set->normal);
    haw_model_tie(model, set->tangential);
    for (int i = 0; i < n; i++) {
        set->total[i] += set->normal[i] + set->tangential[i];
    }
    return HAW_OK;
}

haw_status haw_forces_factor(haw_system *system, haw_compliant *compliant, const double *q,
                             const double *u, double mass, double rate)
{
    haw_system_clear(system);
    haw_system_add_model(system, q, u, mass, rate);
    if (compliant != NULL) {
        haw_compliant_tangent(compliant, rate, system);
    }
    return haw_system_factor(system);
}

double haw_free_norm(const haw_system *system, const double *x)
{
    const int n = system->model->dofs, *equation = system->equation;
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

double haw_forces_noise(const haw_model *model, const double *q)
{
    double sum = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const haw_line *line = &cable->line;
        const double le = cable->rope == NULL ? line->le : haw_rope_shortest(model, q);
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

/* ---- ropes over sheaves ---- */

double haw_rope_shortest(const haw_model *model, const double *q)
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

double haw_rope_wave_time(const haw_model *model, const double *q)
{
    double fastest = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_line *line = &model->cable[i].line;
        fastest = fmax(fastest, sqrt(line->stiffness / line->density));
    }
    return haw_rope_shortest(model, q) / fastest;
}

double haw_cable_largest_tension(const haw_cable *cable, const double *q)
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

double haw_rope_speed(const haw_cable *cable, const double *u)
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

double haw_rope_excess(const haw_model *model, const haw_cable *cable, const double *q,
                       const double *d, double change, double move)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int k = 0; k < rope->arcs; k++) {
        const int angle = model->body[rope->arc[k].body].first + 2;
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

double haw_model_recentre(const haw_model *model, double *q)
{
    double most = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->recentre != NULL) {
            most = fmax(most, cable->ops->recentre(cable, model->context, q));
        }
    }
    return most;
}

bool haw_model_has_rope_on(const haw_model *model, int body)
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
