/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads in space: forces and their tangents. */
#include "model/space_load.h"

#include "base/lie.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, NODE = 6 };

/* A place that forces act on, and the velocities that move it. */
typedef struct grip {
    int first, width;
    haw_space_point at;
} grip;

/* What acts there, inertial components. */
typedef struct wrench {
    double force[AXES], moment[AXES];
    bool follows;
} wrench;

static void body_grip(const haw_model *model, int i, const double *q, grip *g)
{
    const haw_body *body = &model->body[i];
    memset(g, 0, sizeof *g);
    g->first = body->first;
    g->width = NODE;
    quaternion_matrix(q + body->first_q + AXES, g->at.rotation);
    for (int j = 0; j < AXES; j++) {
        g->at.jx[j][j] = 1;
        memcpy(&g->at.jw[j][AXES], &g->at.rotation[AXES * j], AXES * sizeof(double));
    }
}

static void cable_grip(const haw_cable *cable, int element, double s, const double *q, grip *g)
{
    const haw_beam *beam = &cable->beam;
    g->first = cable->first + beam->ops->node_dofs * element;
    g->width = HAW_SPACE_DOFS;
    beam->ops->point(beam, element, s, q + cable->first_q, true, &g->at);
}

static void turn(const double rotation[9], double x[AXES])
{
    const double body[AXES] = {x[0], x[1], x[2]};
    mat3_apply(rotation, body, x);
}

static void push(const grip *g, const wrench *w, double *f)
{
    for (int a = 0; a < g->width; a++) {
        for (int j = 0; j < AXES; j++) {
            f[g->first + a] += g->at.jx[j][a] * w->force[j] + g->at.jw[j][a] * w->moment[j];
        }
    }
}

/* Matrix += sign row' skew(x) jw: the change of row' x when x turns with the section. */
static void couple(haw_system *system, const grip *g, const double row[AXES][HAW_SPACE_DOFS],
                   double sign, const double x[AXES])
{
    for (int b = 0; b < g->width; b++) {
        const double w[AXES] = {g->at.jw[0][b], g->at.jw[1][b], g->at.jw[2][b]};
        double change[AXES];
        vec3_cross(x, w, change);
        for (int a = 0; a < g->width; a++) {
            const double entry =
                row[0][a] * change[0] + row[1][a] * change[1] + row[2][a] * change[2];
            if (entry != 0) {
                haw_system_add(system, g->first + a, g->first + b, sign * entry);
            }
        }
    }
}

/*
 * A force that follows turns: dF = w x F, -d(jx' F) = jx' skew(F) jw. A dead moment does not while
 * jw = R does: d(R' M) = skew(R' M) dtheta; one that follows has constant components.
 */
static void add_tangent(haw_system *system, const grip *g, const wrench *w)
{
    if (w->follows) {
        couple(system, g, g->at.jx, 1, w->force);
    } else {
        couple(system, g, g->at.jw, -1, w->moment);
    }
}

/* ---- loads ---- */

static void find_load(const haw_model *model, const haw_load *load, double t, const double *q,
                      grip *g, wrench *w)
{
    if (load->cable < 0) {
        body_grip(model, load->body, q, g);
    } else {
        cable_grip(&model->cable[load->cable], load->element, load->s, q, g);
    }
    for (int j = 0; j < AXES; j++) {
        w->force[j] = haw_function_value(&load->force[j], t);
        w->moment[j] = haw_function_value(&load->moment[j], t);
    }
    w->follows = load->follows;
    if (load->follows) {
        turn(g->at.rotation, w->force);
        turn(g->at.rotation, w->moment);
    }
}

/* ---- tensions of ends ---- */

/* The pull at an end: outwards along the cable's first axis where no direction is given. */
static void find_pull(const haw_cable *cable, int end, double t, const double *q, grip *g,
                      wrench *w)
{
    const haw_space_end *guide = &cable->guide[end];
    const double tension = haw_function_value(&guide->tension, t);
    const double out = end == 0 ? -tension : tension;
    cable_grip(cable, end == 0 ? 0 : cable->beam.elements - 1, end == 0 ? 0 : 1, q, g);
    *w = (wrench){.follows = vec3_dot(guide->towards, guide->towards) == 0};
    for (int j = 0; j < AXES; j++) {
        w->force[j] = w->follows ? out * g->at.rotation[AXES * j] : tension * guide->towards[j];
    }
}

/* Where the direction is that of a slope r': -dF = -(F / |r'|) (I - t t') dr' with F = |F| t. */
static void add_slope_tangent(haw_system *system, const haw_cable *cable, int end, const wrench *w,
                              const double *q)
{
    const int node = end == 0 ? 0 : cable->beam.elements;
    const double *slope = q + cable->first_q + cable->beam.ops->node_coordinates * node + AXES;
    const int first = cable->first + cable->beam.ops->node_dofs * node;
    const double square = vec3_dot(slope, slope);
    const double along = vec3_dot(w->force, slope) / square;
    for (int k = 0; k < AXES * AXES; k++) {
        const int i = k / AXES, j = k % AXES;
        const double across = (i == j ? 1 : 0) - slope[i] * slope[j] / square;
        haw_system_add(system, first + i, first + AXES + j, -along * across);
    }
}

/* ---- all of them ---- */

void haw_space_loads_apply(const haw_model *model, double t, const double *q, double *f)
{
    grip g;
    wrench w;
    for (int i = 0; i < model->loads; i++) {
        find_load(model, &model->load[i], t, q, &g, &w);
        push(&g, &w, f);
    }
    for (int i = 0; i < 2 * model->cables; i++) {
        const haw_cable *cable = &model->cable[i / 2];
        if (cable->guide[i % 2].pulls) {
            find_pull(cable, i % 2, t, q, &g, &w);
            push(&g, &w, f);
        }
    }
}

static void scale(wrench *w, double part)
{
    for (int j = 0; j < AXES; j++) {
        w->force[j] *= part;
        w->moment[j] *= part;
    }
}

void haw_space_loads_tangent(haw_system *system, const double *q)
{
    const haw_model *model = system->model;
    grip g;
    wrench w;
    for (int i = 0; i < model->loads; i++) {
        find_load(model, &model->load[i], system->t, q, &g, &w);
        scale(&w, system->part);
        add_tangent(system, &g, &w);
    }
    for (int i = 0; i < 2 * model->cables; i++) {
        const haw_cable *cable = &model->cable[i / 2];
        if (!cable->guide[i % 2].pulls) {
            continue;
        }
        find_pull(cable, i % 2, system->t, q, &g, &w);
        scale(&w, system->part);
        if (w.follows && !cable->beam.ops->has_rotations) {
            add_slope_tangent(system, cable, i % 2, &w, q);
        } else {
            add_tangent(system, &g, &w);
        }
    }
}
