/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales of ropes and of their elements, and the work of their meshes. */
#include "stepper/implicit_rope.h"

#include <math.h>

void haw_implicit_momentum(haw_simulation *simulation, const double *u, double *jump)
{
    const haw_model *model = &simulation->model;
    const haw_implicit *implicit = simulation->implicit;
    const double h = simulation->h;
    if (!haw_model_has_ropes(model)) {
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

double haw_implicit_tension(const haw_model *model, const haw_cable *cable, const double *q)
{
    double most = 0;
    if (cable->rope == NULL) {
        return haw_cable_tension_mean(cable, q);
    }
    for (int e = 0; e < cable->rope->elements; e++) {
        most = fmax(most, fabs(cable->rope->ops->tension(model, cable, e, q, NULL)));
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
    for (int e = 0; rope->ops == &haw_rope_ale && e < rope->elements; e++) {
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
        if (cable->rope != NULL && cable->rope->ops->recentre != NULL) {
            most = fmax(most, cable->rope->ops->recentre(model, cable, q));
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
