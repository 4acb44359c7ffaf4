/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact problems of implicit steps in space: points near, their memory, solution, referee. */
#include "stepper/space_stage.h"

#include "base/lie.h"
#include "stepper/contact_rows.h"

#include <math.h>
#include <string.h>

enum { D = 3 };

/* ---- creation ---- */

static haw_status create_arrays(const haw_simulation *simulation, haw_space_stage *stage)
{
    const size_t points = (size_t)simulation->model.points + 1;
    const size_t equations = (size_t)simulation->implicit->system->equations + 1;
    haw_arena *arena = &stage->lasting;
    stage->memory = haw_arena_allocate(arena, D * points, sizeof(double));
    stage->previous = haw_arena_allocate(arena, D * points, sizeof(double));
    stage->remembered = haw_arena_allocate(arena, points, sizeof(int));
    stage->weight = haw_arena_allocate(arena, points, sizeof(double));
    stage->unpushed = haw_arena_allocate(arena, D * points, sizeof(double));
    stage->right = haw_arena_allocate(arena, equations, sizeof(double));
    stage->v = haw_arena_allocate(arena, equations, sizeof(double));
    return stage->memory != NULL && stage->previous != NULL && stage->remembered != NULL &&
                   stage->weight != NULL && stage->unpushed != NULL && stage->right != NULL &&
                   stage->v != NULL
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

static void release(haw_context *context, void *space)
{
    if (space != NULL) {
        haw_arena_fini(space); /* its first member */
        haw_release(context, space);
    }
}

void *haw_space_stage_own(haw_simulation *simulation, size_t bytes)
{
    void *space = haw_allocate(simulation->context, 1, bytes);
    if (space != NULL) {
        haw_arena_init(space, simulation->context);
        release(simulation->context, simulation->space);
        simulation->space = space;
        simulation->space_free = release;
    }
    return space;
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

void haw_space_stage_keep(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    forget(simulation->stage);
    for (int i = 0; i < contacts->count; i++) {
        remember(simulation->stage, contacts->item[i].id, contacts->impulse + (ptrdiff_t)D * i);
    }
}

void haw_space_stage_halve(haw_simulation *simulation)
{
    const haw_space_stage *stage = simulation->stage;
    for (int i = 0; i < stage->remembered_count; i++) {
        const ptrdiff_t first = (ptrdiff_t)D * stage->remembered[i];
        for (ptrdiff_t k = first; k < first + D; k++) {
            stage->memory[k] = 0.5 * (stage->memory[k] + stage->previous[k]);
        }
    }
}

void haw_space_stage_begin(haw_simulation *simulation)
{
    haw_space_stage *stage = simulation->stage;
    haw_space_begin(simulation->contacts);
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    stage->residual = stage->reference = 0;
    stage->holds = false;
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
    const haw_status created = create_pass(simulation);
    if (created != HAW_OK) {
        contacts->count = 0;
        return created;
    }
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

/* ---- what steps make of it ---- */

void haw_space_stage_push(const haw_simulation *simulation, double *push)
{
    memset(push, 0, (size_t)simulation->model.dofs * sizeof *push);
    haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, push);
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
