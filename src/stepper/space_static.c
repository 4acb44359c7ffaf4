/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibria of spatial beams. Rotations and positions are moved apart, x <- x + dx,
 * R <- R exp(dtheta): a step that turns a section leaves a tension of second order in the elements
 * beside it, where the update on SE(3) would leave a compression. Newton's method takes full steps:
 * a line search would follow that tension, which the next step removes, and creep. Where it does
 * not converge the loads rise by less; the pseudo-transient steps of equilibrium.c come last.
 */
#include "model/system.h"
#include "stepper/equilibrium.h"

#include <math.h>
#include <string.h>

enum { FREE_STEPS = 15, POLISHES = 2 };

static const double SMALLEST_SIGMA = 1e-9; /* over the first: keeps what is free to move regular */
static const double SMALLEST_RISE = 1.0 / 64; /* of a load step */
static const double MOST_SHIFT = 1;           /* of the two nodes of an element, over its length */
static const double MOST_TURN = 1;            /* of the two nodes of an element [rad] */

static haw_status refuse(const haw_simulation *simulation, const haw_pair *pair)
{
    const haw_model *model = &simulation->model;
    const char *owner =
        pair->cable >= 0 ? model->cable[pair->cable].name : model->body[pair->proxy].name;
    const char *body = model->body[pair->body].name;
    const haw_status status =
        haw_fail(simulation->context, HAW_ERR_INPUT,
                 "contact of '%s' and '%s': the equilibrium touches the surface, but equilibria of "
                 "spatial models are found without contact; let the model come to rest with "
                 "moreau-jean and damping",
                 owner, body);
    return haw_place(simulation->context, status, "contact.%s-%s", owner, body);
}

haw_status haw_space_static_check(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    HAW_TRY(haw_contacts_detect(contacts, simulation->state->q, simulation->state->u, 0));
    contacts->count = 0;
    for (int i = 0; i < simulation->model.pairs; i++) {
        if (contacts->gap_min[i] <= 0) {
            return refuse(simulation, &simulation->model.pair[i]);
        }
    }
    return HAW_OK;
}

void haw_space_static_move(haw_simulation *simulation, double s)
{
    haw_implicit *implicit = simulation->implicit;
    double *way = simulation->work[0];
    for (int i = 0; i < simulation->model.dofs; i++) {
        way[i] = s * implicit->direction[i];
    }
    haw_model_move(&simulation->model, simulation->q_mid, way, implicit->q);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

double haw_space_static_limit(const haw_model *model, const double *d)
{
    double most = 1;
    for (int i = 0; i < model->cables; i++) {
        const haw_beam *beam = &model->cable[i].beam;
        const int dofs = beam->ops->node_dofs;
        const double turn = beam->ops->has_rotations ? MOST_TURN : 1;
        for (int e = 0; e < beam->elements; e++) {
            const double *a = d + model->cable[i].first + dofs * e, *b = a + dofs;
            most = fmax(most, distance(a, b) / (MOST_SHIFT * beam->le));
            most = fmax(most, distance(a + 3, b + 3) / turn);
        }
    }
    return 1 / most;
}

double haw_space_static_time(const haw_model *model)
{
    double time = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const haw_beam *beam = &model->cable[i].beam;
        time = fmin(time, beam->le * sqrt(beam->density / beam->stiffness[0]));
    }
    return time;
}

/* A full Newton step. */
static haw_status take_step(haw_equilibrium *x, bool *moved)
{
    haw_simulation *simulation = x->simulation;
    const haw_implicit *implicit = simulation->implicit;
    double work;
    x->iterations++;
    *moved = haw_equilibrium_direct(x, &work);
    if (!*moved) {
        return HAW_OK;
    }
    memcpy(simulation->q_mid, implicit->q, (size_t)simulation->model.coordinates * sizeof(double));
    haw_space_static_move(simulation,
                          haw_space_static_limit(&simulation->model, implicit->direction));
    return haw_equilibrium_evaluate(x);
}

static haw_status restore(haw_equilibrium *x)
{
    haw_simulation *simulation = x->simulation;
    memcpy(simulation->implicit->q, simulation->work[1],
           (size_t)simulation->model.coordinates * sizeof(double));
    return haw_equilibrium_evaluate(x);
}

static void keep(const haw_equilibrium *x)
{
    memcpy(x->simulation->work[1], x->simulation->implicit->q,
           (size_t)x->simulation->model.coordinates * sizeof(double));
}

/* Newton's method at the present loads; back where it began if it does not converge. */
static haw_status solve(haw_equilibrium *x, double tolerance, bool *done)
{
    bool moved = true;
    keep(x);
    for (int k = 0; k < FREE_STEPS && moved && !*done; k++) {
        HAW_TRY(take_step(x, &moved));
        moved = moved && isfinite(x->residual);
        *done = moved && haw_equilibrium_is_balanced(x, tolerance);
    }
    return *done ? HAW_OK : restore(x);
}

/* From one part of the loads to another. */
static haw_status rise(haw_equilibrium *x, double to, double tolerance, double slack_tolerance,
                       bool *done)
{
    const double from = x->part, least = SMALLEST_RISE * (to - from);
    double at = from, step = to - from;
    while (at < to) {
        const double next = at + 1.5 * step < to ? at + step : to;
        const double wanted = next < to ? slack_tolerance : tolerance;
        haw_equilibrium_load(x, next);
        HAW_TRY(haw_equilibrium_evaluate(x));
        *done = haw_equilibrium_is_balanced(x, wanted);
        x->sigma = SMALLEST_SIGMA * x->sigma_first;
        HAW_TRY(solve(x, wanted, done));
        at = *done ? next : at;
        step *= *done ? 2 : 0.5;
        if (step < least) {
            haw_equilibrium_load(x, to);
            x->sigma = x->sigma_first;
            return haw_equilibrium_balance(x, tolerance, done);
        }
    }
    return HAW_OK;
}

/*
 * sigma leaves an error that is small in the residual but, where EA / l is 1e8 times the stiffness
 * of bending, not in the position: the last steps do without. What is singular then stays as it is.
 */
static haw_status polish(haw_equilibrium *x)
{
    x->sigma = 0;
    for (int k = 0; k < POLISHES; k++) {
        bool done = false;
        HAW_TRY(solve(x, x->settings->tolerance, &done));
    }
    return HAW_OK;
}

haw_status haw_space_static_climb(haw_equilibrium *x, int load_steps, double slack_tolerance,
                                  bool *done)
{
    haw_equilibrium_load(x, 0);
    for (int k = 0; k < load_steps; k++) {
        const bool last = k == load_steps - 1;
        HAW_TRY(rise(x, last ? 1 : (k + 1.0) / load_steps,
                     last ? x->settings->tolerance : slack_tolerance, slack_tolerance, done));
    }
    return *done ? polish(x) : HAW_OK;
}
