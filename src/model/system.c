/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix over the equations: its pattern, assembly and solution. */
#include "model/system.h"

#include "model/load.h"
#include "model/rope.h"
#include "model/space.h"
#include "model/system_block.h"

#include <string.h>

enum { DOFS = HAW_ELEMENT_DOFS_MAX, BLOCK = DOFS * DOFS };

/* ---- pattern ---- */

static void add_block(const haw_system *system, const haw_block *b, haw_triplets *triplets)
{
    const int inner = system->equations - system->border;
    for (int k = 0; k < b->count * b->count; k++) {
        const int row = system->equation[haw_block_dof(b, k / b->count)];
        const int column = system->equation[haw_block_dof(b, k % b->count)];
        if (row >= 0 && column >= 0 && row < inner && column < inner) {
            haw_triplets_add(triplets, row, column, 0);
        }
    }
}

/* Elements that one contact of the cable couples: mortar rows are weighted over the two beside a
 * node, and the elimination of contact impulses fills the block of their three nodes. */
static int coupled_elements(const haw_model *model, int cable)
{
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->cable == cable && pair->proxies == HAW_PROXY_MORTAR) {
            return model->cable[cable].line.elements > 1 ? 2 : 1;
        }
    }
    return 1;
}

static haw_status find_pattern(haw_system *system, haw_arena *scratch)
{
    const haw_model *model = system->model;
    const int inner = system->equations - system->border;
    ptrdiff_t room = 0;
    haw_triplets triplets;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const int coupled = coupled_elements(model, i);
        for (int e = 0; e + coupled <= cable->line.elements; e++) {
            const ptrdiff_t count = haw_block_of(model, cable, e, coupled).count;
            room += count * count;
        }
    }
    HAW_TRY(haw_triplets_create(scratch, room, false, &triplets));
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const int coupled = coupled_elements(model, i);
        for (int e = 0; e + coupled <= cable->line.elements; e++) {
            const haw_block b = haw_block_of(model, cable, e, coupled);
            add_block(system, &b, &triplets);
        }
    }
    return haw_triplets_compress(&system->arena, &triplets, inner, inner, &system->pattern);
}

static ptrdiff_t find_place(const haw_system *system, int row, int column)
{
    const int i = system->equation[row], j = system->equation[column];
    const ptrdiff_t place = i < 0 || j < 0 ? -1 : haw_bordered_place(system->matrix, i, j);
    return place >= 0 ? place : haw_bordered_spare(system->matrix);
}

static void find_places(haw_system *system)
{
    const haw_model *model = system->model;
    ptrdiff_t *place = system->place;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int e = 0; e < cable->line.elements; e++, place += system->block) {
            const haw_block b = haw_block_of(model, cable, e, 1);
            for (int k = 0; k < b.count * b.count; k++) {
                place[k] = find_place(system, haw_block_dof(&b, k / b.count),
                                      haw_block_dof(&b, k % b.count));
            }
        }
    }
}

/* ---- creation ---- */

static haw_status check_masses(const haw_model *model, haw_context *context)
{
    for (int i = 0; i < model->cables && model->dimension == 2; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope == NULL && !cable->line.ops->mass_constant) {
            const haw_status status =
                haw_fail(context, HAW_ERR_INPUT,
                         "cable '%s': the mass of element '%s' depends on its configuration, which "
                         "implicit steps do not take: use element: bezier or ancf",
                         cable->name, cable->line.ops->row.name);
            return haw_place(context, status, "cables.%s.element", cable->name);
        }
    }
    return HAW_OK;
}

static haw_status create_arrays(haw_system *system)
{
    const haw_model *model = system->model;
    const size_t dofs = (size_t)model->dofs + 1;
    int elements = 0;
    system->first_place =
        haw_arena_allocate(&system->arena, (size_t)model->cables + 1, sizeof(int));
    if (system->first_place == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < model->cables; i++) {
        const int width = haw_block_widest(model, &model->cable[i]);
        system->block = width * width > system->block ? width * width : system->block;
        system->first_place[i] = elements;
        elements += model->cable[i].line.elements;
    }
    system->equation = haw_arena_allocate(&system->arena, dofs, sizeof(int));
    system->dof = haw_arena_allocate(&system->arena, dofs, sizeof(int));
    system->unknown = haw_arena_allocate(&system->arena, dofs, sizeof(double));
    system->place = haw_arena_allocate(&system->arena, (size_t)elements + 1,
                                       (size_t)(system->block + 1) * sizeof(ptrdiff_t));
    return system->equation != NULL && system->dof != NULL && system->unknown != NULL &&
                   system->place != NULL
               ? HAW_OK
               : HAW_ERR_NOMEM;
}

/* The matrix stays NULL where nothing is free. */
static haw_status create(haw_system *system, const bool *held)
{
    haw_arena scratch;
    HAW_TRY(check_masses(system->model, system->context));
    HAW_TRY(create_arrays(system));
    haw_arena_init(&scratch, system->context);
    haw_status status = haw_system_number(system, held, &scratch);
    if (status == HAW_OK && system->equations > 0) {
        status = find_pattern(system, &scratch);
    }
    haw_arena_fini(&scratch);
    if (status != HAW_OK || system->equations == 0) {
        return status;
    }
    HAW_TRY(haw_bordered_create(&system->arena, &system->pattern, system->border, &system->matrix));
    find_places(system);
    return HAW_OK;
}

haw_status haw_system_create(haw_context *context, const haw_model *model, const bool *held,
                             haw_system **system)
{
    *system = NULL;
    haw_system *made = haw_allocate(context, 1, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    made->context = context;
    made->model = model;
    made->part = 1;
    haw_arena_init(&made->arena, context);
    const haw_status status = create(made, held);
    if (status != HAW_OK) {
        haw_system_free(made);
        return status;
    }
    *system = made;
    return HAW_OK;
}

void haw_system_free(haw_system *system)
{
    if (system != NULL) {
        haw_arena_fini(&system->arena);
        haw_release(system->context, system);
    }
}

/* ---- assembly ---- */

void haw_system_clear(haw_system *system)
{
    if (system->matrix != NULL) {
        haw_bordered_clear(system->matrix);
    }
}

static const ptrdiff_t *element_place(const haw_system *system, int cable, int e)
{
    return system->place + ((ptrdiff_t)system->first_place[cable] + e) * system->block;
}

void haw_system_add_element(haw_system *system, int cable, int e, const double *k)
{
    const int dofs = haw_block_of(system->model, &system->model->cable[cable], e, 1).count;
    const ptrdiff_t *place = element_place(system, cable, e);
    if (system->matrix == NULL) {
        return;
    }
    double *value = haw_bordered_value(system->matrix);
    for (int i = 0; i < dofs * dofs; i++) {
        value[place[i]] += k[i];
    }
}

void haw_system_add(haw_system *system, int row, int column, double value)
{
    if (system->matrix != NULL) {
        haw_bordered_value(system->matrix)[find_place(system, row, column)] += value;
    }
}

/* Rows and columns of a body in a contact's block; those of its free degrees of freedom only. */
static void add_border(haw_system *system, const haw_block *of, int body, const double *k)
{
    const int dofs = of->count, bodies = (int)haw_body_dofs(system->model), n = dofs + bodies;
    for (int b = 0; b < bodies; b++) {
        if (system->equation[body + b] < 0) {
            continue;
        }
        for (int a = 0; a < dofs; a++) {
            const int dof = haw_block_dof(of, a);
            haw_system_add(system, dof, body + b, k[a * n + dofs + b]);
            haw_system_add(system, body + b, dof, k[(dofs + b) * n + a]);
        }
        for (int c = 0; c < bodies; c++) {
            haw_system_add(system, body + b, body + c, k[(dofs + b) * n + dofs + c]);
        }
    }
}

void haw_system_add_contact(haw_system *system, int cable, int e, int body, const double *k)
{
    const haw_model *model = system->model;
    const haw_cable *owner = &model->cable[cable];
    const haw_block of = haw_block_of(model, owner, e, 1);
    const int dofs = of.count, width = dofs + (int)haw_body_dofs(model);
    const ptrdiff_t *place = element_place(system, cable, e);
    if (system->matrix == NULL) {
        return;
    }
    double *value = haw_bordered_value(system->matrix);
    for (int a = 0; a < dofs; a++) {
        for (int b = 0; b < dofs; b++) {
            value[place[a * dofs + b]] += k[a * width + b];
        }
    }
    add_border(system, &of, model->body[body].first, k);
}

/* K + rate C of an element, and factor M: the masses of all elements of a cable are the same. */
static void add_cable(haw_system *system, int i, const double *q, const double *u,
                      const double factor[2])
{
    const haw_cable *cable = &system->model->cable[i];
    const haw_line *line = &cable->line;
    const haw_element_ops *ops = line->ops;
    const double mass = factor[0] + factor[1] * cable->damping_mass;
    double scalar[BLOCK], m[BLOCK] = {0}, k[BLOCK];
    ops->mass(line, 0, q + cable->first, scalar);
    for (int a = 0; a < ops->dofs * ops->mass_block; a++) {
        const int row = a / ops->mass_block, column = a % ops->mass_block, c = ops->mass_copies;
        m[row * ops->dofs + column * c + row % c] =
            mass * scalar[row / c * ops->mass_block + column];
    }
    for (int e = 0; e < line->elements; e++) {
        if (ops->tangent_rates != NULL) {
            ops->tangent_rates(line, e, q + cable->first, u + cable->first, factor[1], k);
        } else {
            ops->tangent(line, e, q + cable->first, false, k);
        }
        for (int a = 0; a < ops->dofs * ops->dofs; a++) {
            k[a] += m[a];
        }
        haw_system_add_element(system, i, e, k);
    }
}

static void add_rope(haw_system *system, int i, const double *q, const double *u,
                     const double factor[2])
{
    const haw_cable *cable = &system->model->cable[i];
    double k[HAW_ROPE_DOFS * HAW_ROPE_DOFS];
    for (int e = 0; e < cable->line.elements; e++) {
        cable->rope->ops->tangent(cable, e, q, u, factor, k);
        haw_system_add_element(system, i, e, k);
    }
}

void haw_system_add_model(haw_system *system, const double *q, const double *u, double mass,
                          double rate)
{
    const haw_model *model = system->model;
    const double factor[2] = {mass, rate};
    if (model->dimension == 3) {
        haw_space_add_model(system, q, u, mass, rate);
        return;
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 3; j++) {
            const double damping = j == 2 ? rate * body->rotational_damping : 0;
            haw_system_add(system, body->first + j, body->first + j,
                           mass * body->mass[j] + damping);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        if (model->cable[i].rope != NULL) {
            add_rope(system, i, q, u, factor);
        } else {
            add_cable(system, i, q, u, factor);
        }
    }
    haw_loads_tangent(system, q);
    haw_springs_tangent(system, q, u, rate);
}

/* ---- solution ---- */

haw_status haw_system_factor(haw_system *system)
{
    return system->matrix != NULL ? haw_bordered_factor(system->matrix) : HAW_OK;
}

void haw_system_solve(haw_system *system, double *x)
{
    double *unknown = system->unknown;
    for (int i = 0; i < system->equations; i++) {
        unknown[i] = x[system->dof[i]];
    }
    if (system->matrix != NULL) {
        haw_bordered_solve(system->matrix, unknown);
    }
    for (int i = 0; i < system->model->dofs; i++) {
        x[i] = system->equation[i] >= 0 ? unknown[system->equation[i]] : 0;
    }
}

/* Entries of row i into the arrays, in ascending columns; those of the border only where not 0. */
static int fill_row(const haw_system *system, int i, haw_csr *matrix, int count)
{
    const double *value = haw_bordered_value(system->matrix);
    const int inner = system->pattern.rows;
    int next = i < inner ? system->pattern.start[i] : 0;
    const int end = i < inner ? system->pattern.start[i + 1] : 0;
    for (; next < end; next++) {
        const int column = system->pattern.column[next];
        matrix->column[count] = column;
        matrix->value[count++] = value[haw_bordered_place(system->matrix, i, column)];
    }
    for (int j = i < inner ? inner : 0; j < system->equations; j++) {
        const double entry = value[haw_bordered_place(system->matrix, i, j)];
        if (entry != 0 || i == j) {
            matrix->column[count] = j;
            matrix->value[count++] = entry;
        }
    }
    return count;
}

haw_status haw_system_csr(const haw_system *system, haw_arena *arena, haw_csr *matrix)
{
    const ptrdiff_t n = system->equations, inner = n - system->border;
    const ptrdiff_t most = (inner > 0 ? system->pattern.start[inner] : 0) +
                           (2 * inner + system->border) * system->border;
    HAW_TRY(haw_csr_create(arena, system->equations, system->equations, most, true, matrix));
    for (int i = 0; i < system->equations; i++) {
        matrix->start[i + 1] = fill_row(system, i, matrix, matrix->start[i]);
    }
    return HAW_OK;
}
