/* SPDX-License-Identifier: BSD-3-Clause */
/* Which degrees of freedom have an equation; the matrix over them: pattern, assembly, solution. */
#include "model/joint.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- equations ---- */

static void number_dof(haw_system *system, int dof, bool held)
{
    system->equation[dof] = held ? -1 : system->equations;
    if (!held) {
        system->dof[system->equations++] = dof;
    }
}

/* The copied node of a closed cable has the equations of its first. */
static haw_status number(haw_system *system, const bool *further, haw_arena *scratch)
{
    const haw_model *model = system->model;
    bool *held = haw_arena_allocate(scratch, (size_t)model->dofs + 1, sizeof *held);
    HAW_TRY(haw_arena_status(scratch));
    haw_model_held(model, held);
    for (int i = 0; i < model->dofs && further != NULL; i++) {
        held[i] = held[i] || further[i];
    }
    for (int i = 0; i < model->cables; i++) {
        int last = 0;
        const haw_cable *cable = &model->cable[i];
        const int end = cable->first + cable->line.dofs;
        const int copied = end - haw_cable_tied(cable, &last);
        for (int dof = cable->first; dof < copied; dof++) {
            number_dof(system, dof, held[dof]);
        }
        for (int dof = copied; dof < end; dof++) {
            system->equation[dof] = system->equation[cable->first + dof - copied];
        }
    }
    const int inner = system->equations;
    for (int dof = 0; dof < model->bodies * (int)haw_body_dofs(model); dof++) {
        number_dof(system, dof, held[dof]);
    }
    for (int dof = haw_joints_dof(model); dof < model->dofs; dof++) {
        number_dof(system, dof, held[dof]);
    }
    system->border = system->equations - inner;
    return HAW_OK;
}

/* ---- pattern ---- */

/* Pairs of equations that something couples, counted first and listed then. */
typedef struct couplings {
    const haw_system *system;
    haw_triplets *list; /* NULL: they are counted only */
    ptrdiff_t count;
    bool *is_known; /* [dofs] for the time of one list */
    int *dof;       /* [dofs] */
    double *apart;  /* [coordinates] a configuration in general position */
    haw_hold *hold; /* [joints] there */
} couplings;

static void couple(couplings *c, const haw_dofs *rows, const haw_dofs *columns)
{
    const int *equation = c->system->equation;
    for (int a = 0; a < rows->count; a++) {
        const int row = equation[haw_dof_at(rows, a)];
        for (int b = 0; b < columns->count && row >= 0; b++) {
            const int column = equation[haw_dof_at(columns, b)];
            if (column >= 0 && c->list != NULL) {
                haw_triplets_add(c->list, row, column, 0);
            }
            c->count += column >= 0 ? 1 : 0;
        }
    }
}

static haw_dofs body_dofs(const haw_model *model, int body)
{
    return (haw_dofs){.count = model->kind->dofs, .first = model->body[body].first};
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

/* Degrees of freedom of all elements of a cable, each once: its own, and those of bodies that it
 * ends at. */
static haw_dofs all_dofs(couplings *c, const haw_cable *cable)
{
    haw_dofs all = {.list = c->dof};
    for (int e = 0; e < cable->line.elements; e++) {
        const haw_dofs dofs = cable->ops->dofs(cable, e);
        for (int k = 0; k < dofs.count; k++) {
            const int dof = haw_dof_at(&dofs, k);
            if (!c->is_known[dof]) {
                c->is_known[dof] = true;
                c->dof[all.count++] = dof;
            }
        }
    }
    for (int k = 0; k < all.count; k++) {
        c->is_known[c->dof[k]] = false;
    }
    return all;
}

/* Degrees of freedom of a side that one row of G has, in general position. */
static haw_dofs dofs_of_row(couplings *c, const haw_hold *hold, int side, int row)
{
    const double noise = haw_hold_noise(hold, row);
    haw_dofs own = {.list = c->dof};
    for (int k = 0; k < hold->dofs[side].count; k++) {
        if (fabs(hold->row[side][row][k]) > noise) {
            c->dof[own.count++] = haw_dof_at(&hold->dofs[side], k);
        }
    }
    return own;
}

/* All that a joint acts on with its multipliers, and these with themselves: as unknowns they have
 * a place on the diagonal, whose value is zero. Moments turn with both sides. */
static void couple_joint(couplings *c, const haw_link *joint, const haw_hold *hold)
{
    const haw_dofs multipliers = {.count = joint->rows, .first = joint->first};
    couple(c, &multipliers, &multipliers);
    for (int k = 0; k < 2 * joint->rows; k++) {
        const haw_dofs multiplier = {.count = 1, .first = joint->first + k / 2};
        const haw_dofs side = dofs_of_row(c, hold, k % 2, k / 2);
        couple(c, &multiplier, &side);
        couple(c, &side, &multiplier);
    }
    if (joint->rows > joint->points) {
        couple(c, &hold->dofs[0], &hold->dofs[1]);
        couple(c, &hold->dofs[1], &hold->dofs[0]);
    }
}

static void couple_all(couplings *c)
{
    const haw_model *model = c->system->model;
    for (int i = 0; i < model->bodies; i++) {
        const haw_dofs dofs = body_dofs(model, i);
        couple(c, &dofs, &dofs);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const int coupled = coupled_elements(model, i);
        for (int e = 0; e + coupled <= cable->line.elements; e++) {
            const haw_dofs dofs =
                coupled == 2 ? cable->ops->dofs_of_two(cable, e) : cable->ops->dofs(cable, e);
            couple(c, &dofs, &dofs);
        }
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->body < 0) {
            continue; /* couples stand for those of cables */
        }
        const haw_dofs surface = body_dofs(model, pair->body);
        const haw_dofs points = pair->cable >= 0 ? all_dofs(c, &model->cable[pair->cable])
                                                 : body_dofs(model, pair->proxy);
        couple(c, &points, &surface);
        couple(c, &surface, &points);
    }
    for (int i = 0; i < c->system->couples; i++) {
        const haw_dofs *side = c->system->couple[i].side;
        couple(c, &side[0], &side[1]);
        couple(c, &side[1], &side[0]);
    }
    for (int i = 0; i < model->springs; i++) {
        int dof[HAW_SPRING_DOFS];
        const haw_dofs dofs = {.count = haw_spring_dofs(model, &model->spring[i], c->apart, dof),
                               .list = dof};
        couple(c, &dofs, &dofs);
    }
    for (int i = 0; i < model->joints; i++) {
        couple_joint(c, &model->joint[i], &c->hold[i]);
    }
}

/* Entries of springs and joints that are zero there are zero everywhere. */
static haw_status move_apart(couplings *c, haw_arena *scratch)
{
    const haw_model *model = c->system->model;
    double *way = haw_arena_allocate(scratch, (size_t)model->dofs, sizeof(double));
    haw_state *drawn;
    c->apart = haw_arena_allocate(scratch, (size_t)model->coordinates, sizeof(double));
    c->hold = haw_arena_allocate(scratch, (size_t)model->joints, sizeof *c->hold);
    HAW_TRY(haw_arena_status(scratch));
    HAW_TRY(haw_state_create(c->system->context, model, &drawn));
    haw_joints_move_apart(model, drawn->q, way, c->apart);
    haw_joints_find(model, c->apart, c->hold);
    haw_state_free(c->system->context, drawn);
    return HAW_OK;
}

static haw_status find_pattern(haw_system *system, haw_arena *scratch)
{
    const size_t dofs = (size_t)system->model->dofs;
    couplings c = {.system = system,
                   .is_known = haw_arena_allocate(scratch, dofs, sizeof(bool)),
                   .dof = haw_arena_allocate(scratch, dofs, sizeof(int))};
    haw_triplets list;
    HAW_TRY(haw_arena_status(scratch));
    HAW_TRY(move_apart(&c, scratch));
    couple_all(&c);
    HAW_TRY(haw_triplets_create(scratch, c.count, false, &list));
    c.list = &list;
    couple_all(&c);
    return haw_triplets_compress(&system->inner, &list, system->equations, system->equations,
                                 &system->pattern);
}

/* All that acts on the model has its degrees of freedom in the pattern. */
static ptrdiff_t find_place(const haw_system *system, int row, int column)
{
    const int i = system->equation[row], j = system->equation[column];
    if (i < 0 || j < 0) {
        return haw_matrix_spare(system->matrix);
    }
    const ptrdiff_t place = haw_matrix_place(system->matrix, i, j);
    assert(place >= 0);
    return place >= 0 ? place : haw_matrix_spare(system->matrix);
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

/* The matrix stays NULL where nothing is free. What joints hold need not be regular without their
 * rows, as a band before its border must be. */
static haw_status create_matrix(haw_system *system, const haw_matrix_kind *kind)
{
    static const haw_matrix_kind whole = HAW_MATRIX_SPARSE;
    haw_arena scratch;
    kind = system->model->joints > 0 ? &whole : kind;
    if (system->equations == 0) {
        return HAW_OK;
    }
    haw_arena_init(&scratch, system->context);
    const haw_status status = find_pattern(system, &scratch);
    haw_arena_fini(&scratch);
    HAW_TRY(status);
    HAW_TRY(
        haw_matrix_create(&system->inner, &system->pattern, system->border, kind, &system->matrix));
    find_places(system);
    return HAW_OK;
}

static haw_status create(haw_system *system, const bool *held, const haw_matrix_kind *kind)
{
    haw_arena scratch;
    HAW_TRY(create_arrays(system));
    haw_arena_init(&scratch, system->context);
    const haw_status status = number(system, held, &scratch);
    haw_arena_fini(&scratch);
    HAW_TRY(status);
    return create_matrix(system, kind);
}

/* ---- what touches ---- */

static int compare_couples(const void *a, const void *b)
{
    const haw_couple *x = a, *y = b;
    for (int k = 0; k < 2; k++) {
        const int i = haw_dof_at(&x->side[k], 0), j = haw_dof_at(&y->side[k], 0);
        if (i != j) {
            return i < j ? -1 : 1;
        }
    }
    return 0;
}

bool haw_system_has_couple(const haw_system *system, const haw_dofs *a, const haw_dofs *b)
{
    const haw_couple wanted = {{*a, *b}};
    return system->couples > 0 && bsearch(&wanted, system->couple, (size_t)system->couples,
                                          sizeof wanted, compare_couples) != NULL;
}

static haw_status renew_couples(haw_system *system, int couples, haw_couple *couple)
{
    const size_t count = (size_t)couples;
    if (count > 0) {
        qsort(couple, count, sizeof *couple, compare_couples);
    }
    haw_matrix_release(system->matrix);
    system->matrix = NULL;
    haw_arena_reset(&system->inner);
    system->couples = 0;
    system->couple = haw_arena_allocate(&system->inner, count, sizeof *couple);
    HAW_TRY(haw_arena_status(&system->inner));
    for (size_t i = 0; i < count; i++) { /* each once */
        if (i == 0 || compare_couples(&couple[i - 1], &couple[i]) != 0) {
            system->couple[system->couples++] = couple[i];
        }
    }
    return create_matrix(system, NULL);
}

haw_status haw_system_couple(haw_system *system, int couples, haw_couple *couple)
{
    system->coupled = renew_couples(system, couples, couple);
    return system->coupled;
}

haw_status haw_system_create(haw_context *context, const haw_model *model, const bool *held,
                             const haw_matrix_kind *kind, haw_system **system)
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
    haw_arena_init(&made->inner, context);
    const haw_status status = create(made, held, kind);
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
        haw_matrix_release(system->matrix);
        haw_arena_fini(&system->inner);
        haw_arena_fini(&system->arena);
        haw_release(system->context, system);
    }
}

/* ---- assembly ---- */

void haw_system_clear(haw_system *system)
{
    if (system->matrix != NULL) {
        haw_matrix_clear(system->matrix);
    }
}

static const ptrdiff_t *element_place(const haw_system *system, int cable, int e)
{
    cable = (int)(haw_cable_member(&system->model->cable[cable], &e) - system->model->cable);
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
    double *value = haw_matrix_value(system->matrix);
    for (int i = 0; i < dofs * dofs; i++) {
        value[place[i]] += k[i];
    }
}

void haw_system_add(void *system, int row, int column, double value)
{
    const haw_system *to = system;
    if (to->matrix != NULL) {
        haw_matrix_value(to->matrix)[find_place(to, row, column)] += value;
    }
}

void haw_system_add_block(haw_system *system, const haw_dofs *dofs, const double *k)
{
    for (int a = 0; a < dofs->count; a++) {
        for (int b = 0; b < dofs->count; b++) {
            haw_system_add(system, haw_dof_at(dofs, a), haw_dof_at(dofs, b),
                           k[a * dofs->count + b]);
        }
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
    double *value = haw_matrix_value(system->matrix);
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

static void take_block_of(void *user, int e, const double *k)
{
    const filling *to = user;
    const int count = to->system->model->cable[to->cable]
                          .ops->dofs(&to->system->model->cable[to->cable], e)
                          .count;
    double opposite[HAW_CABLE_DOFS * HAW_CABLE_DOFS];
    for (int i = 0; i < count * count; i++) {
        opposite[i] = -k[i];
    }
    haw_system_add_element(to->system, to->cable, e, opposite);
}

/* For kinds without a mass block of their own: (mass M + K) - K, at rest. */
static void add_mass_of(haw_system *system, int cable, const double *q, double mass)
{
    const haw_cable *of = &system->model->cable[cable];
    const double factor[2] = {mass, 0}, none[2] = {0, 0};
    filling to = {.system = system, .cable = cable};
    memset(system->unknown, 0, (size_t)system->model->dofs * sizeof *system->unknown);
    of->ops->blocks(of, q, system->unknown, factor, add_block_of, &to);
    of->ops->blocks(of, q, system->unknown, none, take_block_of, &to);
}

void haw_system_add_model(haw_system *system, const double *q, const double *u, double mass,
                          double rate)
{
    const haw_model *model = system->model;
    const double factor[2] = {mass, rate};
    const haw_body_kind *kind = model->kind;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        const int spin = body->first + kind->spin;
        for (int j = 0; j < kind->dofs; j++) {
            haw_system_add(system, body->first + j, body->first + j, mass * body->mass[j]);
        }
        if (kind->gyroscopic_tangent != NULL) {
            kind->gyroscopic_tangent(body, u, rate, haw_system_add, system);
        }
        haw_system_add(system, spin, spin, rate * body->rotational_damping);
    }
    for (int i = 0; i < model->cables; i++) {
        filling to = {.system = system, .cable = i};
        model->cable[i].ops->blocks(&model->cable[i], q, u, factor, add_block_of, &to);
    }
    haw_loads_tangent(system, q);
    haw_springs_tangent(system, q, u, rate);
}

void haw_system_add_mass(haw_system *system, const double *q, double mass)
{
    const haw_model *model = system->model;
    double block[HAW_SPACE_DOFS * HAW_SPACE_DOFS], full[HAW_SPACE_DOFS * HAW_SPACE_DOFS];
    for (int i = 0; i < model->bodies * model->kind->dofs; i++) {
        const haw_body *body = &model->body[i / model->kind->dofs];
        const int j = i % model->kind->dofs;
        haw_system_add(system, body->first + j, body->first + j, mass * body->mass[j]);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int e = 0; e < cable->line.elements && cable->form.copies > 0; e++) {
            cable->ops->mass_block(cable, e, q, block);
            haw_mass_expand(&cable->form, mass, block, full);
            haw_system_add_element(system, i, e, full);
        }
        if (cable->form.copies == 0) {
            add_mass_of(system, i, q, mass);
        }
    }
}

/* ---- solution ---- */

haw_status haw_system_factor(haw_system *system)
{
    HAW_TRY(system->coupled);
    return system->matrix != NULL ? haw_matrix_factor(system->matrix) : HAW_OK;
}

void haw_system_solve(haw_system *system, double *x)
{
    double *unknown = system->unknown;
    for (int i = 0; i < system->equations; i++) {
        unknown[i] = x[system->dof[i]];
    }
    if (system->matrix != NULL) {
        haw_matrix_solve(system->matrix, unknown);
    }
    for (int i = 0; i < system->model->dofs; i++) {
        x[i] = system->equation[i] >= 0 ? unknown[system->equation[i]] : 0;
    }
}

haw_status haw_system_csr(const haw_system *system, haw_arena *arena, haw_csr *matrix)
{
    HAW_TRY(system->coupled);
    return haw_matrix_csr(system->matrix, system->border, arena, matrix);
}
