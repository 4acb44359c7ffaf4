/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of the contact stage. */
#include "contact/contact.h"
#include "model/size.h"

#include <math.h>
#include <string.h>

enum { FIRST_CAPACITY = 32 };

/* Arrays of n contacts; those of W are squares and may be left out. */
static void allocate_rows(haw_contacts *contacts, haw_arena *arena, size_t n, bool matrix)
{
    const size_t pairs = matrix ? n * n : 0, d = (size_t)contacts->dimension;
    const size_t joined = matrix ? d * n * (size_t)contacts->model->multipliers : 0;
    haw_problem *problem = &contacts->problem;
    contacts->item = haw_arena_allocate(arena, n, sizeof *contacts->item);
    contacts->gamma_minus = haw_arena_allocate(arena, d * n, sizeof(double));
    contacts->gamma_free = haw_arena_allocate(arena, d * n, sizeof(double));
    contacts->gamma_plus = haw_arena_allocate(arena, d * n, sizeof(double));
    contacts->impulse = haw_arena_allocate(arena, d * n, sizeof(double));
    contacts->force = haw_arena_allocate(arena, d * n, sizeof(double));
    problem->q = haw_arena_allocate(arena, d * n, sizeof(double));
    problem->mu = haw_arena_allocate(arena, n, sizeof(double));
    problem->w.value = haw_arena_allocate(arena, d * d * pairs, sizeof(double));
    problem->w.start = haw_arena_allocate(arena, n + 1, sizeof(int));
    problem->w.column = haw_arena_allocate(arena, pairs, sizeof(int));
    problem->w.diagonal = haw_arena_allocate(arena, n, sizeof(int));
    contacts->joint = haw_arena_allocate(arena, joined, sizeof(double));
    contacts->answer = haw_arena_allocate(arena, joined, sizeof(double));
    problem->dimension = problem->w.block = contacts->dimension;
}

/* Bytes that allocate_rows takes, but for what joints have. */
static double bytes_of(const haw_contacts *contacts, int count, bool matrix)
{
    const double d = contacts->dimension, entry = d * d * sizeof(double) + sizeof(int);
    const double row = sizeof *contacts->item + 6 * d * sizeof(double);
    return row * count + (matrix ? entry * count * count : 0);
}

/* Room for as many again as there was for, where memory is not short. */
static haw_status choose_capacity(const haw_contacts *contacts, int count, bool matrix, int *chosen)
{
    const double room = haw_context_room(contacts->context);
    const double least = bytes_of(contacts, count, matrix);
    int capacity = contacts->capacity > 0 ? contacts->capacity : FIRST_CAPACITY;
    while (capacity < count) {
        capacity *= 2;
    }
    const bool is_short = bytes_of(contacts, capacity, matrix) > 0.5 * room;
    *chosen = is_short ? count + (matrix ? 0 : count / 8) : capacity;
    if (least <= room) {
        return HAW_OK;
    }
    const haw_size size = {.closed = count};
    return haw_size_place(
        contacts->model, &size,
        haw_fail(contacts->context, HAW_ERR_NOMEM,
                 "out of memory: %d closed contact points ask for %.2g GB, and %.2g GB are left: "
                 "fewer points per element%s",
                 count, 1e-9 * least, 1e-9 * room,
                 matrix ? ", or an implicit stepper, which needs no matrix of all pairs of them"
                        : ""));
}

static haw_status grow(haw_contacts *contacts, int count, bool matrix)
{
    haw_contacts old = *contacts;
    const size_t kept = (size_t)old.count, rows = kept * (size_t)old.dimension;
    haw_arena larger;
    int capacity;
    HAW_TRY(choose_capacity(contacts, count, matrix, &capacity));
    haw_arena_init(&larger, old.context);
    allocate_rows(contacts, &larger, (size_t)capacity, matrix);
    if (haw_arena_status(&larger) != HAW_OK) {
        haw_arena_fini(&larger);
        *contacts = old;
        return HAW_ERR_NOMEM;
    }
    if (kept > 0) {
        memcpy(contacts->item, old.item, kept * sizeof *old.item);
        memcpy(contacts->gamma_minus, old.gamma_minus, rows * sizeof(double));
        memcpy(contacts->gamma_free, old.gamma_free, rows * sizeof(double));
        memcpy(contacts->gamma_plus, old.gamma_plus, rows * sizeof(double));
        memcpy(contacts->impulse, old.impulse, rows * sizeof(double));
        memcpy(contacts->problem.mu, old.problem.mu, kept * sizeof(double));
    }
    contacts->rows = larger;
    contacts->capacity = capacity;
    contacts->matrix_capacity = matrix ? capacity : 0;
    haw_arena_fini(&old.rows);
    return HAW_OK;
}

bool haw_contacts_any(const haw_model *model)
{
    for (int i = 0; i < model->pairs; i++) {
        if (model->pair[i].law->set_valued) {
            return true;
        }
    }
    return false;
}

haw_status haw_contacts_reserve(haw_contacts *contacts, int count)
{
    return count <= contacts->matrix_capacity ? HAW_OK : grow(contacts, count, true);
}

haw_status haw_contacts_reserve_rows(haw_contacts *contacts, int count)
{
    return count <= contacts->capacity ? HAW_OK : grow(contacts, count, false);
}

haw_status haw_grow(haw_context *context, int count, size_t size, int *capacity, void **array)
{
    if (count <= *capacity) {
        return HAW_OK;
    }
    int larger = *capacity == 0 ? 64 : *capacity;
    while (larger < count) {
        larger *= 2;
    }
    void *block = haw_allocate(context, (size_t)larger, size);
    if (block == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (*array != NULL) {
        memcpy(block, *array, (size_t)*capacity * size);
    }
    haw_release(context, *array);
    *array = block;
    *capacity = larger;
    return HAW_OK;
}

static void allocate_clearances(haw_contacts *contacts)
{
    const haw_model *model = contacts->model;
    haw_arena *arena = &contacts->arena;
    contacts->clear = haw_arena_allocate(arena, (size_t)model->pairs + 1, sizeof *contacts->clear);
    contacts->seen = haw_arena_allocate(arena, (size_t)model->coordinates + 1, sizeof(double));
    for (int i = 0; i < model->pairs && contacts->clear != NULL; i++) {
        const int cable = model->pair[i].cable;
        const haw_cable *first = cable >= 0 ? haw_cable_part(&model->cable[cable], 0) : NULL;
        if (first != NULL && first->ops->node_q != NULL) {
            const size_t elements = (size_t)model->cable[cable].line.elements;
            const size_t places = (size_t)haw_pair_places(model, &model->pair[i]);
            contacts->clear[i].until = haw_arena_allocate(arena, elements, sizeof(double));
            contacts->clear[i].radius = haw_arena_allocate(arena, elements, sizeof(double));
            contacts->clear[i].point =
                haw_arena_allocate(arena, places, sizeof *contacts->clear[i].point);
        }
    }
}

/* Those of the lines that a pair touches, where they have none yet. */
static haw_status create_touched(haw_arena *arena, const haw_model *model, const haw_pair *pair,
                                 haw_centreline *curve)
{
    const int touched[2] = {pair->line, pair->ahead < pair->points ? pair->cable : -1};
    for (int k = 0; k < 2; k++) {
        const int line = touched[k];
        const bool is_new = line >= 0 && curve[line].leaf == NULL;
        HAW_TRY(is_new ? haw_centreline_create(arena, &model->cable[line], &curve[line]) : HAW_OK);
    }
    return HAW_OK;
}

haw_status haw_centrelines_create(haw_arena *arena, const haw_model *model, haw_centreline **curve)
{
    *curve = haw_arena_allocate(arena, (size_t)model->lines + 1, sizeof **curve);
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < model->pairs; i++) {
        HAW_TRY(create_touched(arena, model, &model->pair[i], *curve));
    }
    return HAW_OK;
}

static haw_status allocate(haw_contacts *contacts)
{
    const haw_model *model = contacts->model;
    haw_arena *arena = &contacts->arena;
    size_t widest = 1;
    bool capsules = false, minima = false;
    for (int i = 0; i < model->cables; i++) {
        const size_t dofs = (size_t)model->cable[i].line.dofs;
        widest = dofs > widest ? dofs : widest;
    }
    for (int i = 0; i < model->pairs; i++) {
        capsules = capsules || model->pair[i].proxies == HAW_PROXY_CAPSULES;
        minima = minima || model->pair[i].proxies == HAW_PROXY_MINIMA;
    }
    contacts->gap_min = haw_arena_allocate(arena, (size_t)model->pairs + 1, sizeof(double));
    contacts->looked = haw_arena_allocate(arena, 1, sizeof(int));
    contacts->column = haw_arena_allocate(arena, HAW_DELASSUS_COLUMNS * widest, sizeof(double));
    contacts->loaded = haw_arena_allocate(arena, (size_t)model->multipliers, sizeof(int));
    contacts->choice =
        capsules ? haw_arena_allocate(arena, (size_t)model->points, sizeof(double)) : NULL;
    if (minima) {
        contacts->dip = haw_arena_allocate(arena, (size_t)model->points, sizeof *contacts->dip);
        contacts->dip_kept =
            haw_arena_allocate(arena, (size_t)model->points, sizeof *contacts->dip);
    }
    allocate_clearances(contacts);
    HAW_TRY(haw_centrelines_create(arena, model, &contacts->curve));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < model->pairs; i++) {
        contacts->gap_min[i] = (double)INFINITY;
    }
    return haw_contacts_reserve(contacts, 1);
}

haw_status haw_contacts_create(haw_context *context, const haw_model *model,
                               haw_contacts **contacts)
{
    haw_contacts *made = haw_allocate(context, 1, sizeof *made);
    *contacts = made;
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    *made = (haw_contacts){.context = context, .model = model, .dimension = model->dimension};
    haw_arena_init(&made->arena, context);
    haw_arena_init(&made->rows, context);
    const haw_status status = allocate(made);
    if (status != HAW_OK) {
        haw_contacts_free(made);
        *contacts = NULL;
    }
    return status;
}

void haw_contacts_free(haw_contacts *contacts)
{
    if (contacts != NULL) {
        haw_arena_fini(&contacts->rows);
        haw_arena_fini(&contacts->arena);
        haw_release(contacts->context, contacts);
    }
}
