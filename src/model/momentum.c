/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear and angular momentum of bodies and cables, about the origin. */
#include "model/dynamics.h"

enum { AXES = 3 };

/* momentum += that of a place: j' f and w' f of what its degrees of freedom carry. */
static void add_place(const haw_cable_point *point, int count, const double *f, double momentum[6])
{
    double p[AXES], moment[AXES];
    for (int k = 0; k < AXES; k++) {
        p[k] = 0;
        for (int a = 0; a < count; a++) {
            p[k] += point->j[k][a] * f[a];
        }
    }
    vec3_cross(point->x, p, moment);
    vec3_add(1, p, momentum);
    vec3_add(1, moment, momentum + AXES);
}

/* The turns' own part: w maps them to the inertial axes, along which inertias are principal. */
static void add_turns(const haw_cable_point *point, int count, const double *f, double momentum[6])
{
    for (int k = 0; k < AXES; k++) {
        for (int a = 0; a < count; a++) {
            momentum[AXES + k] += point->w[k][a] * f[a];
        }
    }
}

void haw_body_momentum(const haw_model *model, int index, const double *q, const double *u,
                       double momentum[6])
{
    static const double centre[AXES] = {0, 0, 0};
    const haw_body *body = &model->body[index];
    double f[6] = {0};
    haw_cable_point point;
    model->kind->point(body, q, centre, &point);
    for (int j = 0; j < model->kind->dofs; j++) {
        f[j] = body->mass[j] * u[body->first + j];
    }
    add_place(&point, model->kind->dofs, f, momentum);
    add_turns(&point, model->kind->dofs, f, momentum);
}

/* True if all that moves are places and turns of nodes: masses are then those of nodes, too. */
static bool is_nodal(const haw_model *model, const haw_cable *cable)
{
    return haw_cable_turns(cable) || cable->stride == model->dimension;
}

static void add_nodes(const haw_cable *cable, const double *q, const double *u, double *work,
                      double momentum[6])
{
    double f[HAW_CABLE_DOFS];
    haw_cable_point point = {.x = {0}}; /* where nothing turns w is left alone */
    cable->ops->mass(cable, u, work);
    for (int n = 0; n <= cable->line.elements; n++) {
        const int e = n < cable->line.elements ? n : n - 1;
        const haw_dofs dofs = cable->ops->dofs(cable, e);
        cable->ops->point(cable, e, n - e, q, NULL, HAW_POINT_JACOBIAN, &point);
        for (int a = 0; a < dofs.count; a++) {
            f[a] = work[haw_dof_at(&dofs, a)];
        }
        add_place(&point, dofs.count, f, momentum);
        add_turns(&point, dofs.count, f, momentum);
    }
}

/* Unstrained length of an element [m]. */
static double length_of(const haw_cable *cable, int e, const double *q)
{
    return cable->ops->label == NULL
               ? cable->line.le
               : cable->ops->label(cable, e + 1, q) - cable->ops->label(cable, e, q);
}

/* All others along the curve: of cubics five points are exact. Of a mesh that moves along the
 * material the velocity is that of the material. */
static void add_curve(const haw_cable *cable, const double *q, const double *u, double momentum[6])
{
    double f[HAW_CABLE_DOFS];
    haw_quadrature rule;
    haw_cable_point point = {.x = {0}}; /* kinds of the plane leave the third row alone */
    haw_quadrature_init(HAW_GAUSS_MAX, &rule);
    for (int e = 0; e < cable->line.elements; e++) {
        const haw_dofs dofs = cable->ops->dofs(cable, e);
        const double mass = cable->line.density * length_of(cable, e, q);
        for (int i = 0; i < rule.points; i++) {
            const double s = haw_cable_local(cable, e, rule.s[i], q);
            cable->ops->point(cable, e, s, q, NULL, HAW_POINT_JACOBIAN, &point);
            for (int a = 0; a < dofs.count; a++) {
                f[a] = rule.weight[i] * mass * u[haw_dof_at(&dofs, a)];
            }
            add_place(&point, dofs.count, f, momentum);
        }
    }
}

void haw_cable_momentum(const haw_model *model, int index, const double *q, const double *u,
                        double *work, double momentum[6])
{
    const haw_cable *cable = &model->cable[index];
    if (is_nodal(model, cable)) {
        add_nodes(cable, q, u, work, momentum);
    } else {
        add_curve(cable, q, u, momentum);
    }
}

void haw_model_momentum(const haw_model *model, const double *q, const double *u, double *work,
                        double momentum[6])
{
    for (int i = 0; i < model->bodies; i++) {
        haw_body_momentum(model, i, q, u, momentum);
    }
    for (int i = 0; i < model->cables; i++) {
        haw_cable_momentum(model, i, q, u, work, momentum);
    }
}
