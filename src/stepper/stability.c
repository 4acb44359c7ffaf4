/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is an equilibrium one that a disturbance leaves for ever? Its energy has no minimum there if a
 * small move d of what is free has d' (K + s D) d < 0, K the derivative of all forces at rest, D
 * its diagonal and s a shift that is beyond rounding. Cholesky's factorization tells exactly that:
 * it comes to its end where the matrix is positive definite, and else stops at a row that such a
 * move has a part in (N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002),
 * section 10.1). It costs what one factorization of Newton's method costs, or less.
 *
 * What is said has to be true, so that a part of what could be said is not:
 *   - elements and bodies that touch something are held where they are, for whatever friction and
 *     gaps allow: a move that is found is one that no contact feels;
 *   - joints are springs a thousand times as stiff as the stiffest element;
 *   - of forces that follow what they act on K is unsymmetric and its symmetric part tells nothing.
 */
#include "linalg/factor_sparse.h"
#include "statics/forces.h"
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>

static const double SHIFT = 1e-12;    /* s */
static const double STIFF = 1e3;      /* of joints, over the largest of the diagonal */
static const double SYMMETRIC = 1e-6; /* |a_ij - a_ji| over the root of a_ii a_jj */

typedef struct outlook {
    haw_simulation *simulation;
    haw_arena *arena;
    haw_system *system;
    haw_csr k;
    int n;            /* rows without the multipliers of joints, which are the last */
    double *diagonal; /* [n] sizes of the diagonal */
} outlook;

/* ---- what is free ---- */

static void hold_body(const haw_model *model, int body, bool *held)
{
    for (int k = 0; k < model->kind->dofs && body >= 0; k++) {
        held[model->body[body].first + k] = true;
    }
}

static void hold_element(const haw_model *model, int cable, int e, bool *held)
{
    if (cable >= 0 && e >= 0 && e < model->cable[cable].line.elements) {
        const haw_dofs dofs = model->cable[cable].ops->dofs(&model->cable[cable], e);
        for (int a = 0; a < dofs.count; a++) {
            held[haw_dof_at(&dofs, a)] = true;
        }
    }
}

/* Sides of touches are not set in all lists: their elements are. A mortar weight reaches into those
 * beside it. */
static void hold_touches(const haw_simulation *simulation, bool *held)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_model *model = &simulation->model;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        const haw_pair *pair = &model->pair[touch->pair];
        const int owner = haw_pair_owner(pair, touch->id - pair->first_point);
        hold_body(model, pair->body, held);
        hold_body(model, pair->proxy, held);
        for (int e = touch->element - 1; e <= touch->element + 1; e++) {
            const bool acts = e == touch->element || pair->proxies == HAW_PROXY_MORTAR;
            hold_element(model, acts ? owner : -1, e, held);
        }
        hold_element(model, owner == pair->cable ? pair->line : pair->cable, touch->on, held);
    }
    for (int i = 0; i < model->cables; i++) {
        int last = 0;
        const int first = model->cable[i].first, count = haw_cable_tied(&model->cable[i], &last);
        for (int a = 0; a < count; a++) {
            held[first + a] = held[first + a] || held[last + a];
        }
    }
}

static haw_status assemble(outlook *o)
{
    haw_simulation *simulation = o->simulation;
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    bool *held = haw_arena_allocate(o->arena, (size_t)model->dofs + 1, sizeof *held);
    double *rest = haw_arena_allocate(o->arena, (size_t)model->dofs + 1, sizeof *rest);
    HAW_TRY(haw_arena_status(o->arena));
    hold_touches(simulation, held);
    HAW_TRY(haw_system_create(simulation->context, model, held, NULL, &o->system));
    o->n = o->system->equations;
    if (o->n == 0) {
        return HAW_OK;
    }
    o->system->t = state->t;
    o->system->part = 1;
    haw_system_clear(o->system);
    haw_system_add_model(o->system, state->q, rest, 0, 0);
    if (model->joints > 0) {
        haw_joints_find(model, state->q, simulation->hold);
        haw_joints_add_rows(o->system, simulation->hold);
        haw_joints_add_stiffness(o->system, state->q, 1, state->u + haw_joints_dof(model));
    }
    while (o->n > 0 && o->system->dof[o->n - 1] >= haw_joints_dof(model)) {
        o->n--;
    }
    return haw_system_csr(o->system, o->arena, &o->k);
}

/* ---- the matrix ---- */

static double entry(const haw_csr *k, int row, int column)
{
    const int at = haw_csr_find(k, row, column);
    return at >= 0 ? k->value[at] : 0;
}

static bool is_symmetric(const outlook *o)
{
    const haw_csr *k = &o->k;
    for (int i = 0; i < o->n; i++) {
        for (int at = k->start[i]; at < k->start[i + 1]; at++) {
            const int j = k->column[at];
            if (j < i && !(fabs(k->value[at] - entry(k, j, i)) <=
                           SYMMETRIC * sqrt(o->diagonal[i] * o->diagonal[j]))) {
                return false;
            }
        }
    }
    return true;
}

/* A row of a joint as a spring: stiff g g', g being of the size of 1. */
static void add_joint(const outlook *o, int row, double stiff, haw_triplets *sum)
{
    const int first = o->k.start[row], end = o->k.start[row + 1];
    const int *column = o->k.column;
    const double *g = o->k.value;
    for (int at = first; at < end; at++) {
        for (int other = first; other < end; other++) {
            if (column[at] < o->n && column[other] <= column[at]) {
                haw_triplets_add(sum, column[other], column[at], stiff * g[at] * g[other]);
            }
        }
    }
}

/* The symmetric part by columns of its lower triangle, which are rows of the upper one. What
 * nothing acts on may be anywhere: it gets a diagonal. */
static haw_status make_sum(const outlook *o, haw_csr *sum)
{
    const haw_csr *k = &o->k;
    haw_triplets entries;
    double largest = 1;
    ptrdiff_t room = k->start[o->n] + (ptrdiff_t)o->n;
    for (int row = o->n; row < k->rows; row++) {
        const ptrdiff_t length = k->start[row + 1] - k->start[row];
        room += length * length;
    }
    HAW_TRY(haw_triplets_create(o->arena, room, true, &entries));
    for (int i = 0; i < o->n; i++) {
        largest = fmax(largest, o->diagonal[i]);
        haw_triplets_add(&entries, i, i, o->diagonal[i] > 0 ? SHIFT * o->diagonal[i] : 1);
        for (int at = k->start[i]; at < k->start[i + 1]; at++) {
            const int j = k->column[at];
            if (j < o->n) {
                haw_triplets_add(&entries, i < j ? i : j, i < j ? j : i,
                                 (i == j ? 1 : 0.5) * k->value[at]);
            }
        }
    }
    for (int row = o->n; row < k->rows; row++) {
        add_joint(o, row, STIFF * largest, &entries);
    }
    return haw_triplets_compress(o->arena, &entries, o->n, o->n, sum);
}

/* Size of the diagonal, or of the row where that is 0: negative ones are sizes, too. */
static haw_status find_diagonal(outlook *o)
{
    o->diagonal = haw_arena_allocate(o->arena, (size_t)o->n, sizeof *o->diagonal);
    HAW_TRY(haw_arena_status(o->arena));
    for (int i = 0; i < o->n; i++) {
        o->diagonal[i] = fabs(entry(&o->k, i, i));
        for (int at = o->k.start[i]; at < o->k.start[i + 1] && o->diagonal[i] == 0; at++) {
            o->diagonal[i] = o->k.column[at] < o->n ? fabs(o->k.value[at]) : 0;
        }
    }
    return HAW_OK;
}

/* ---- what is said ---- */

static const char *find_name(const haw_model *model, int dof)
{
    for (int i = 0; i < model->bodies; i++) {
        const int first = model->body[i].first;
        if (dof >= first && dof < first + model->kind->dofs) {
            return model->body[i].name;
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (dof >= cable->first && dof < cable->first + cable->line.dofs) {
            return cable->name;
        }
    }
    return "";
}

static void warn(const outlook *o, int row)
{
    haw_simulation *simulation = o->simulation;
    haw_log(simulation->context, HAW_LOG_WARNING,
            "the equilibrium at t = %g s is unstable: a disturbance of '%s', however small, grows "
            "(a rod beyond its buckling load?); draw it a little bent, push it aside with a small "
            "force, or step in time",
            simulation->state->t, find_name(&simulation->model, o->system->dof[row]));
}

static haw_status look(outlook *o)
{
    haw_csr sum;
    haw_sparse_factor *factor = NULL;
    HAW_TRY(assemble(o));
    if (o->n == 0) {
        return HAW_OK;
    }
    HAW_TRY(find_diagonal(o));
    if (!is_symmetric(o)) {
        return HAW_OK;
    }
    HAW_TRY(make_sum(o, &sum));
    const haw_sparse matrix = {o->n, sum.start, sum.column, sum.value};
    HAW_TRY(haw_sparse_factor_create(o->simulation->context, &matrix, &factor));
    const haw_status status = haw_sparse_factor_compute(factor, &matrix);
    const int row = haw_sparse_factor_stopped(factor);
    haw_sparse_factor_free(factor);
    if (status == HAW_ERR_SINGULAR && row >= 0) {
        warn(o, row);
    }
    return status == HAW_ERR_SINGULAR ? HAW_OK : status;
}

haw_status haw_simulation_warn_unstable(haw_simulation *simulation)
{
    haw_arena arena;
    const bool is_rest = haw_stepper_has(simulation, HAW_STEPPER_STATIC) ||
                         haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC);
    if (!is_rest || haw_model_moves_along(&simulation->model)) {
        return HAW_OK;
    }
    haw_arena_init(&arena, simulation->context);
    outlook o = {.simulation = simulation, .arena = &arena};
    const haw_status status = look(&o);
    haw_system_free(o.system);
    haw_arena_fini(&arena);
    return status;
}
