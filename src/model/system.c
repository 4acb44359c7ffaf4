/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix over the equations: its pattern, assembly and solution. */
#include "model/system.h"

#include "model/load.h"

#include <string.h>

/* ---- pattern ---- */

static void add_block(const haw_system *system, const haw_dofs *b, haw_triplets *triplets)
{
    const int inner = system->equations - system->border;
    for (int k = 0; k < b->count * b->count; k++) {
        const int row = system->equation[haw_dof_at(b, k / b->count)];
        const int column = system->equation[haw_dof_at(b, k % b->count)];
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

static haw_dofs coupled_dofs(const haw_cable *cable, int e, int coupled)
{
    return coupled == 2 ? cable->ops->dofs_of_two(cable, e) : cable->ops->dofs(cable, e);
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
            const ptrdiff_t count = coupled_dofs(cable, e, coupled).count;
            room += count * count;
        }
    }
    HAW_TRY(haw_triplets_create(scratch, room, false, &triplets));
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const int coupled = coupled_elements(model, i);
        for (int e = 0; e + coupled <= cable->line.elements; e++) {
            const haw_dofs b = coupled_dofs(cable, e, coupled);
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
            const haw_dofs b = cable->ops->dofs(cable, e);
            for (int k = 0; k < b.count * b.count; k++) {
                place[k] =
                    find_place(system, haw_dof_at(&b, k / b.count), haw_dof_at(&b, k % b.count));
            }
        }
    }
}

/* ---- creation ---- */

static haw_status check_masses(const haw_model *model, haw_context *context)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->takes_explicit && !cable->line.ops->mass_constant) {
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
    HAW_TRY(haw_arena_status(&system->arena));
    for (int i = 0; i < model->cables; i++) {
        const int width = haw_cable_widest(&model->cable[i]);
        system->block = width * width > system->block ? width * width : system->block;
        system->first_place[i] = elements;
        elements += model->cable[i].line.elements;
    }
    system->equation = haw_arena_allocate(&system->arena, dofs, sizeof(int));
    system->dof = haw_arena_allocate(&system->arena, dofs, sizeof(int));
    system->unknown = haw_arena_allocate(&system->arena, dofs, sizeof(double));
    system->place = haw_arena_allocate(&system->arena, (size_t)elements + 1,
                                       (size_t)(system->block + 1) * sizeof(ptrdiff_t));
    return haw_arena_status(&system->arena);
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
    const haw_cable *of = &system->model->cable[cable];
    const int dofs = of->ops->dofs(of, e).count;
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
static void add_border(haw_system *system, const haw_dofs *of, int body, const double *k)
{
    const int dofs = of->count, bodies = (int)haw_body_dofs(system->model), n = dofs + bodies;
    for (int b = 0; b < bodies; b++) {
        if (system->equation[body + b] < 0) {
            continue;
        }
        for (int a = 0; a < dofs; a++) {
            const int dof = haw_dof_at(of, a);
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
    const haw_dofs of = owner->ops->dofs(owner, e);
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

/* Blocks of a cable on their way into the matrix. */
typedef struct filling {
    haw_system *system;
    int cable;
} filling;

static void add_block_of(void *user, int e, const double *k)
{
    const filling *to = user;
    haw_system_add_element(to->system, to->cable, e, k);
}

static void add_entry(void *system, int row, int column, double value)
{
    haw_system_add(system, row, column, value);
}

static void add_body(haw_system *system, const haw_body *body, const double *u, double mass,
                     double rate)
{
    const haw_body_kind *kind = system->model->kind;
    const int spin = body->first + kind->spin;
    for (int j = 0; j < kind->dofs; j++) {
        haw_system_add(system, body->first + j, body->first + j, mass * body->mass[j]);
    }
    if (kind->gyroscopic_tangent != NULL) {
        kind->gyroscopic_tangent(body, u, rate, add_entry, system);
    }
    haw_system_add(system, spin, spin, rate * body->rotational_damping);
}

void haw_system_add_model(haw_system *system, const double *q, const double *u, double mass,
                          double rate)
{
    const haw_model *model = system->model;
    const double factor[2] = {mass, rate};
    for (int i = 0; i < model->bodies; i++) {
        add_body(system, &model->body[i], u, mass, rate);
    }
    for (int i = 0; i < model->cables; i++) {
        filling to = {.system = system, .cable = i};
        model->cable[i].ops->blocks(&model->cable[i], q, u, factor, add_block_of, &to);
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
