/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a step of an equilibrium may go, and how fast its pseudo time runs. */
#include "stepper/equilibrium.h"
#include "stepper/implicit.h"

#include <math.h>

static const double LEG_CHANGE = 0.5;
static const double RADIUS_PART = 0.25;

/* Smallest radius of a surface in contact, INFINITY without contact. */
static double smallest_radius(const haw_model *model)
{
    double radius = (double)INFINITY;
    for (int i = 0; i < model->pairs; i++) {
        const haw_body *body = &model->body[model->pair[i].body];
        radius = fmin(radius, body->shape->radius(body->shape_options));
        radius = model->pair[i].cable < 0 ? fmin(radius, model->pair[i].proxy_radius) : radius;
    }
    return radius;
}

/* Largest turn or stretch of a leg of a control polygon over its length, and largest move over the
 * longest allowed, each over what a step may have. */
static double excess(const haw_cable *cable, const double *d, double most_move)
{
    const haw_line *line = &cable->line;
    const int legs = line->ops->hull - 1;
    const double most_change = LEG_CHANGE * line->le / legs;
    double most = 0;
    for (int e = 0; e < line->elements; e++) {
        double p[HAW_HULL_MAX][2];
        line->ops->controls(line, e, d + cable->first, p);
        for (int k = 0; k < legs; k++) {
            const double change = hypot(p[k + 1][0] - p[k][0], p[k + 1][1] - p[k][1]);
            most = fmax(most, fmax(change / most_change, hypot(p[k][0], p[k][1]) / most_move));
        }
    }
    return most;
}

double haw_equilibrium_longest(const haw_equilibrium *x)
{
    const haw_model *model = &x->simulation->model;
    const double *d = x->simulation->implicit->direction;
    if (model->dimension == 3) {
        return haw_space_static_limit(model, d);
    }
    const double most_move = RADIUS_PART * smallest_radius(model);
    double most = 1;
    for (int i = 0; i < model->bodies; i++) {
        most = fmax(most, hypot(d[3 * i], d[3 * i + 1]) / most_move);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        most = fmax(most, cable->rope == NULL ? excess(cable, d, most_move)
                                              : haw_implicit_rope_excess(x->simulation, cable,
                                                                         LEG_CHANGE, most_move));
    }
    return 1 / most;
}

static double wave_time(const haw_model *model, const double *q)
{
    double time = (double)INFINITY; /* of meshes that move */
    for (int i = 0; i < model->cables && haw_model_moves_along(model); i++) {
        const haw_cable *cable = &model->cable[i];
        time = fmin(time, cable->ops->moves_along ? haw_implicit_rope_time(model, q)
                                                  : cable->ops->critical_step(cable));
    }
    if (isfinite(time)) {
        return time;
    }
    return model->dimension == 3 ? haw_space_static_time(model) : haw_model_critical_step(model);
}

/* That of static.c, or of the springs where there is no cable. */
double haw_equilibrium_sigma(const haw_model *model, const double *q)
{
    const double h = 100 * wave_time(model, q);
    double sigma = isfinite(h) ? 1 / (h * h) : 0;
    for (int i = 0; i < model->springs && sigma == 0; i++) {
        sigma = fmax(sigma, model->spring[i].stiffness);
    }
    return sigma > 0 ? sigma : 1;
}
