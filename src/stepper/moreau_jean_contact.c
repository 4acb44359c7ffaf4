/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact problem of a step of moreau-jean: which points, what the law adds, rows. */
#include "stepper/contact_rows.h"
#include "stepper/implicit_rope.h"
#include "stepper/moreau_jean.h"

#include <math.h>
#include <string.h>

haw_status haw_jean_create(haw_simulation *simulation)
{
    haw_jean *jean = haw_allocate(simulation->context, 1, sizeof *jean);
    if (jean == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_jean_free(simulation->jean);
    simulation->jean = jean;
    jean->context = simulation->context;
    haw_arena_init(&jean->arena, simulation->context);
    haw_arena_init(&jean->lasting, simulation->context);
    jean->u_theta =
        haw_arena_allocate(&jean->lasting, (size_t)simulation->model.dofs + 1, sizeof(double));
    jean->weight =
        haw_arena_allocate(&jean->lasting, (size_t)simulation->model.points + 1, sizeof(double));
    return jean->u_theta != NULL && jean->weight != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

void haw_jean_free(haw_jean *jean)
{
    if (jean != NULL) {
        haw_arena_fini(&jean->arena);
        haw_arena_fini(&jean->lasting);
        haw_release(jean->context, jean);
    }
}

/* ---- detection ---- */

/* Part of a penetration that is corrected in one step. */
static const double CORRECTION = 0.2;

/* Smallest radius of curvature of a pair's surface, or of the disk that is its point [m]. */
static double pair_radius(const haw_model *model, const haw_pair *pair)
{
    const haw_body *body = &model->body[pair->body];
    const double radius = body->shape->radius(body->shape_options);
    const double length = pair->cable >= 0 ? model->cable[pair->cable].line.le : pair->proxy_radius;
    return isinf(radius) || pair->cable < 0 ? fmin(radius, length) : radius;
}

/*
 * Points nearer than this at the middle of the step may touch: twice the way of the fastest node
 * and body, and a thousandth of a radius for what starts from rest.
 */
static double margin(const haw_jean_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_model *model = &simulation->model;
    double speed = step->h * hypot(model->gravity[0], model->gravity[1]), rest = 0;
    double cable_speed = 0, body_speed = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) {
            const double v = haw_implicit_rope_speed(cable, simulation->state->u);
            cable_speed = fmax(cable_speed, v * v);
            continue;
        }
        for (int e = 0; e <= cable->line.elements; e++) {
            const double *v = simulation->state->u + cable->first + cable->line.ops->stride * e;
            cable_speed = fmax(cable_speed, v[0] * v[0] + v[1] * v[1]);
        }
    }
    for (int i = 0; i < model->bodies; i++) {
        const double *v = simulation->state->u + model->body[i].first;
        body_speed = fmax(body_speed, v[0] * v[0] + v[1] * v[1]);
    }
    for (int i = 0; i < model->pairs; i++) {
        rest = fmax(rest, 1e-3 * pair_radius(model, &model->pair[i]));
    }
    speed += sqrt(cable_speed) + sqrt(body_speed);
    return step->h * speed + rest;
}

/* Velocity of a point along the tangent relative to the centre of the surface body. */
static double orbit_speed(const haw_simulation *simulation, const haw_contact *c)
{
    const double *u = simulation->state->u;
    const bool is_proxy = simulation->model.pair[c->pair].cable < 0;
    double v = c->body_row[1][0] * u[c->body] + c->body_row[1][1] * u[c->body + 1];
    for (int a = 0; a < (is_proxy ? 2 : c->width); a++) {
        v += c->row[1][a] * u[c->owner + a];
    }
    return v;
}

static double curvature(const haw_simulation *simulation, const haw_contact *c)
{
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const haw_body *body = &simulation->model.body[pair->body];
    const double offset = pair->cable < 0 ? pair->proxy_radius : 0;
    return body->shape->bend(body->shape_options, c->gap + offset);
}

/* What the law adds to gamma+ of a point; false if it takes no part in this step. */
static bool find_shift(const haw_jean_step *step, const haw_contact *c, const double gamma_minus[2],
                       double shift[2])
{
    const haw_simulation *simulation = step->simulation;
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double gap = haw_contacts_gap(simulation->contacts, c, simulation->state->q);
    const double v = orbit_speed(simulation, c);
    const bool is_knot = pair->cable >= 0 && simulation->model.cable[pair->cable].rope != NULL;
    const double convection = is_knot ? c->convection : 0; /* by the motion of the mesh */
    const double turn = 0.5 * step->h * (curvature(simulation, c) * v * v + convection);
    const double start[2] = {gamma_minus[0] - turn, gamma_minus[1]};
    pair->law->shift(&pair->options, 2, start, shift);
    shift[0] += turn;
    if (pair->options.restitution > 0) {
        shift[0] += CORRECTION * fmin(0, gap / step->h);
        return c->gap <= 0;
    }
    const double drift = (2 * step->theta - 1) * turn;
    const double ahead = gap / step->h + (1 - step->theta) * (start[0] - drift);
    shift[0] += (ahead < 0 ? CORRECTION : 1) * ahead - drift;
    return true;
}

/* Compress the list to the points that take part. */
static haw_status find_shifts(haw_jean_step *step)
{
    haw_contacts *contacts = step->simulation->contacts;
    haw_jean *jean = step->jean;
    const size_t rows = 2 * (size_t)contacts->count;
    jean->shift = haw_arena_allocate(&jean->arena, rows, sizeof(double));
    jean->velocity = haw_arena_allocate(&jean->arena, rows, sizeof(double));
    if (jean->shift == NULL || jean->velocity == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_contacts_velocity(contacts, step->simulation->state->u, contacts->gamma_minus);
    int kept = 0;
    for (int i = 0; i < contacts->count; i++) {
        const double minus[2] = {contacts->gamma_minus[2 * i], contacts->gamma_minus[2 * i + 1]};
        if (find_shift(step, &contacts->item[i], minus, jean->shift + 2 * kept)) {
            contacts->item[kept] = contacts->item[i];
            memcpy(contacts->gamma_minus + 2 * kept, minus, sizeof minus);
            memcpy(contacts->gamma_free + 2 * kept, minus, sizeof minus);
            kept++;
        }
    }
    contacts->count = kept;
    return HAW_OK;
}

/* ---- the problem ---- */

/* What stays the same in all iterations of the step. */
static haw_status set_problem(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_jean *jean = step->jean;
    const size_t equations = (size_t)simulation->implicit->system->equations;
    jean->global = (haw_global){.m = {0}};
    HAW_TRY(
        haw_contact_rows(contacts, simulation->implicit->system, &jean->arena, &jean->global.ht));
    HAW_TRY(haw_csr_create(&jean->arena, 0, (int)equations, 0, true, &jean->global.gt));
    jean->global.f = haw_arena_allocate(&jean->arena, equations, sizeof(double));
    jean->global.w = haw_arena_allocate(&jean->arena, 2 * (size_t)contacts->count, sizeof(double));
    jean->unknown = haw_arena_allocate(&jean->arena, equations, sizeof(double));
    if (jean->global.f == NULL || jean->global.w == NULL || jean->unknown == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < contacts->count; i++) {
        const int id = contacts->item[i].id;
        contacts->problem.mu[i] = simulation->model.pair[contacts->item[i].pair].options.friction;
        memcpy(contacts->impulse + 2 * i, simulation->state->impulse + 2 * id, 2 * sizeof(double));
    }
    contacts->problem.dimension = 2;
    contacts->problem.contacts = contacts->count;
    contacts->problem.w = (haw_bsr){.block = 2};
    contacts->problem.q = NULL;
    contacts->problem.global = &jean->global;
    contacts->problem.scale = haw_contacts_speed(contacts, simulation->state->u);
    return HAW_OK;
}

haw_status haw_jean_detect(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    const haw_state *state = simulation->state;
    haw_arena_reset(&step->jean->arena);
    contacts->count = 0;
    if (simulation->implicit->system->equations == 0) {
        return HAW_OK;
    }
    for (int i = 0; i < state->dofs; i++) {
        simulation->q_mid[i] = state->q[i] + 0.5 * step->h * state->u[i];
    }
    contacts->margin = margin(step);
    const haw_status found = haw_contacts_detect(contacts, simulation->q_mid, state->u, step->h);
    contacts->margin = 0;
    if (found != HAW_OK) {
        contacts->count = 0;
        return found;
    }
    if (contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(find_shifts(step));
    return contacts->count > 0 ? set_problem(step) : HAW_OK;
}
