/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where springs of contacts press at an equilibrium, foreseen. Newton's method on their forces as
 * functions of the gaps knows of the points alone that are closed at the iterate, and takes a gap
 * that is closed by mistake for a force of k times as much, which turns all directions: it goes to
 * and fro between sets of closed points, the stiffer the springs are the longer. Here the forces
 * are unknowns beside the configuration, and all points that are near take part, as they do under
 * set-valued laws (contact_pass.h): a pass asks for r such that at its end
 *
 *     0 <= r_N  perpendicular to  g + c r_N >= 0,   c = 1 / k,
 *     |r_T| <= mu r_N,   s + c_T r_T  against r_T where both are equal, else 0,
 *
 * friction being Coulomb's on a spring of its own (haw_softness), with f + H r linearised about the
 * iterate with the forces of the pass before (a mixed method, as by D. Magisano, L. Leonetti, G.
 * Garcea, Comput. Methods Appl. Mech. Eng. 313 (2017) 165-185). Passes converge as fast as those of
 * hard contact, on springs of 1e4 to 1e8 N/m in tests. Bristles are just that; other laws of
 * friction are, up to their limit, near to it. The laws themselves are for Newton's method to meet,
 * which begins where this ends.
 */
#include "base/lie.h"
#include "linalg/vector.h"
#include "solver/band_newton.h"
#include "statics/statics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PASSES = 30,
    CUTS = 4,
    HASTY = 6, /* whole passes, which find what presses, before each has to lead nearer */
    LOST = 3   /* problems that are not solved: then none comes of it */
};

static const double CLOSE = 1e-6;    /* of the largest force: Newton's method does the rest */
static const double SIGHT = 0.25;    /* of the smallest radius: as far as a pass may move */
static const double GROWTH = 300;    /* of the residual in a pass that has gone astray */
static const double ACCURACY = 1e-9; /* of the problem of a pass */

typedef struct foresight {
    haw_equilibrium *x;
    haw_arena *arena;       /* scratch */
    double *given;          /* [points HAW_GIVEN] forces at the iterate [N] */
    double *before, *after; /* [points HAW_GIVEN] of the pass at hand */
    double *q, *u;          /* where the passes began */
    double length;          /* smallest radius of what touches [m] */
    double yield;           /* at most, of where contacts act to a force of 1 [m/N] */
    double bound;           /* of what a pass may leave unmet, or INFINITY */
    int lost;               /* passes whose problem was not solved */
} foresight;

/* The problem of a pass, [d n] and of the system's equations. */
typedef struct problem {
    haw_csr ht;
    double *w, *r, *u, *mu, *weight, *compliance;
    double *right, *v;
} problem;

static haw_status create_problem(const foresight *own, const haw_contacts *near, problem *p)
{
    const haw_system *system = own->x->system;
    const size_t n = near != NULL ? (size_t)near->count : 0, d = (size_t)own->x->model->dimension;
    double **const rows[] = {&p->w, &p->r, &p->u, &p->compliance},
                   **const points[] = {&p->mu, &p->weight};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = haw_arena_allocate(own->x->arena, d * n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        *points[i] = haw_arena_allocate(own->x->arena, n, sizeof(double));
    }
    p->right = haw_arena_allocate(own->x->arena, (size_t)system->equations, sizeof(double));
    p->v = haw_arena_allocate(own->x->arena, (size_t)system->equations, sizeof(double));
    HAW_TRY(haw_arena_status(own->x->arena));
    return n == 0
               ? haw_csr_create(own->x->arena, 0, system->equations, 0, true, &p->ht)
               : haw_contact_rows(near, system->equation, system->equations, own->x->arena, &p->ht);
}

/* 1 / (the diagonal of the matrix where a contact acts), as of hard contact at rest. */
static double weigh(const foresight *own, const problem *p, int first, int d)
{
    const haw_matrix *matrix = own->x->system->matrix;
    double square = 0, stiffness = own->x->scale / own->length;
    for (int k = p->ht.start[first]; k < p->ht.start[first + d]; k++) {
        square += p->ht.value[k] * p->ht.value[k];
    }
    for (int k = p->ht.start[first]; k < p->ht.start[first + d] && square > 0; k++) {
        const ptrdiff_t place = haw_matrix_place(matrix, p->ht.column[k], p->ht.column[k]);
        const double part = p->ht.value[k] * p->ht.value[k] / square;
        stiffness = fmax(stiffness, part * fabs(haw_matrix_value(matrix)[place]));
    }
    return 1 / fmax(stiffness, DBL_MIN);
}

/* Directions of friction of a touch. */
static void set_tangents(const haw_touch *touch, double tangent[2][3])
{
    memcpy(tangent[0], touch->tangent, sizeof tangent[0]);
    vec3_cross(touch->normal, touch->tangent, tangent[1]);
}

/* Spring, slip and friction of a touch as a part of the problem. */
static void pose_point(const foresight *own, const haw_touch *touch, int i, problem *p)
{
    const ptrdiff_t d = own->x->model->dimension, first = d * i;
    const haw_softness soft = haw_compliant_softness(own->x->compliant, i, own->x->rate);
    double tangent[2][3];
    set_tangents(touch, tangent);
    p->r[first] = soft.force[0];
    p->w[first] = touch->gap;
    p->compliance[first] = soft.normal;
    p->mu[i] = soft.mu;
    for (int k = 1; k < d; k++) {
        p->r[first + k] = soft.mu > 0 ? -vec3_dot(tangent[k - 1], soft.force + 1) : 0;
        p->w[first + k] = soft.slip[k - 1];
        p->compliance[first + k] = soft.tangential;
    }
}

/* Forces without those of the springs, the springs and their gaps. @return the largest weight */
static double pose(const foresight *own, const haw_contacts *near, problem *p)
{
    const haw_equilibrium *x = own->x;
    const int d = x->model->dimension;
    double most = DBL_MIN;
    for (int i = 0; i < x->system->equations; i++) {
        p->right[i] = x->now->total[x->system->dof[i]];
    }
    for (int i = 0; near != NULL && i < near->count; i++) {
        pose_point(own, &near->item[i], i, p);
        p->weight[i] = weigh(own, p, d * i, d);
        most = fmax(most, p->weight[i]);
    }
    haw_csr_add_transposed(&p->ht, -1, p->r, p->right);
    return most;
}

/* Forces that are given, and those that the springs would have in their gaps. */
static double miss(const foresight *own)
{
    const haw_equilibrium *x = own->x;
    const haw_contacts *near = haw_compliant_near(x->compliant);
    double most = 0;
    for (int i = 0; near != NULL && i < near->count; i++) {
        const haw_touch *touch = &near->item[i];
        const haw_softness soft = haw_compliant_softness(x->compliant, i, x->rate);
        const double force = fmax(-touch->gap, 0) / soft.normal;
        double tangent[2][3], size = 0, left = 0;
        set_tangents(touch, tangent);
        size = soft.mu > 0 ? hypot(soft.slip[0], soft.slip[1]) / soft.tangential : 0;
        for (int k = 0; k < 2 && soft.mu > 0; k++) {
            const double part = fmin(1, size > 0 ? soft.mu * soft.force[0] / size : 0);
            left = hypot(left, part * soft.slip[k] / soft.tangential -
                                   vec3_dot(tangent[k], soft.force + 1));
        }
        most = fmax(most, fmax(fabs(soft.force[0] - force), left));
    }
    return most;
}

/* What the forces of a touch leave of the laws of its spring by their natural map, which weighs
 * gaps as ways: what stiff springs would press in them says nothing of how near a pass has come
 * [m]. */
static double find_gap(const foresight *own, int i)
{
    const haw_touch *touch = &haw_compliant_near(own->x->compliant)->item[i];
    const haw_softness soft = haw_compliant_softness(own->x->compliant, i, own->x->rate);
    const double limit = own->yield * soft.mu * soft.force[0];
    double tangent[2][3], way[2], left[2], size;
    set_tangents(touch, tangent);
    for (int k = 0; k < 2; k++) { /* force and slip, in directions opposite to that of r */
        left[k] = soft.mu > 0 ? own->yield * vec3_dot(tangent[k], soft.force + 1) : 0;
        way[k] = soft.mu > 0 ? left[k] + soft.slip[k] - soft.tangential * left[k] / own->yield : 0;
    }
    size = hypot(way[0], way[1]);
    for (int k = 0; k < 2; k++) {
        left[k] -= (size > limit ? limit / size : 1) * way[k];
    }
    const double open = touch->gap + soft.normal * soft.force[0];
    return hypot(fmin(own->yield * soft.force[0], open), hypot(left[0], left[1]));
}

/* What is not met of balance and of the laws, over the largest force. */
static double find_merit(const foresight *own)
{
    const haw_equilibrium *x = own->x;
    const haw_contacts *near = haw_compliant_near(x->compliant);
    double most = 0;
    for (int i = 0; near != NULL && i < near->count; i++) {
        most = fmax(most, find_gap(own, i));
    }
    return hypot(x->residual, most / own->yield) / x->scale;
}

/* The configuration and the forces after a part of the pass. */
static haw_status go(const foresight *own, double part)
{
    for (int i = 0; i < HAW_GIVEN * own->x->model->points; i++) {
        own->given[i] = own->before[i] + part * (own->after[i] - own->before[i]);
    }
    return haw_equilibrium_go(own->x, part);
}

/* What touch `from` has got is, or is a part of, what is given to touch `to`, -1: none. */
static void take_forces(const foresight *own, const haw_contacts *near, int from, int to,
                        const double *r)
{
    double tangent[2][3];
    const int d = own->x->model->dimension;
    if (from >= 0) {
        double *after = own->after + (ptrdiff_t)HAW_GIVEN * near->item[to].id;
        set_tangents(&near->item[from], tangent);
        after[0] += r[d * from];
        for (int k = 1; k < d; k++) {
            vec3_add(-r[d * from + k], tangent[k - 1], after + 1);
        }
    }
}

/* The way of a pass and the forces after it. @return ERR_UNCONVERGED: none can be told */
static haw_status find_way(foresight *own)
{
    haw_equilibrium *x = own->x;
    const haw_contacts *near = haw_compliant_near(x->compliant);
    const int n = near != NULL ? near->count : 0, d = x->model->dimension;
    problem p;
    haw_band_result result;
    haw_equilibrium_assemble(x);
    HAW_TRY(x->system->coupled);
    HAW_TRY(create_problem(own, near, &p));
    own->yield = pose(own, near, &p);
    const haw_band_problem band = {.matrix = x->system->matrix,
                                   .scale = 1,
                                   .dimension = d,
                                   .contacts = n,
                                   .ht = &p.ht,
                                   .f = p.right,
                                   .w = p.w,
                                   .mu = p.mu,
                                   .compliance = p.compliance,
                                   .weight = p.weight,
                                   .speed = own->yield * x->scale,
                                   .is_resting = true,
                                   .walks = true,
                                   .is_brief = true,
                                   .tolerance = ACCURACY};
    HAW_TRY(haw_band_newton(&band, own->x->arena, p.r, p.v, p.u, &result));
    x->factorizations += result.factorizations;
    for (int i = 0; i < x->model->dofs; i++) {
        const int equation = x->system->equation[i];
        x->direction[i] = equation >= 0 ? p.v[equation] : 0;
    }
    const size_t bytes = (size_t)x->model->points * HAW_GIVEN * sizeof(double);
    memcpy(own->before, own->given, bytes);
    memset(own->after, 0, bytes);
    for (int i = 0; i < n; i++) {
        take_forces(own, near, i, i, p.r);
        take_forces(own, near, haw_compliant_softness(x->compliant, i, x->rate).with, i, p.r);
    }
    own->lost += result.met ? 0 : 1;
    return result.met || (result.fits && n > 0) ? HAW_OK : HAW_ERR_UNCONVERGED;
}

static bool is_astray(const foresight *own, double limit)
{
    return !(own->x->residual <= limit) || haw_model_guard(own->x->model, 0, own->x->q) != HAW_OK ||
           (isfinite(own->bound) && find_merit(own) > own->bound);
}

/* Passes for as long as they stay near: others lead to any equilibrium. What a part of a pass
 * leaves of the residual before it is still to come. */
static haw_status pass(foresight *own, bool *is_near)
{
    haw_equilibrium *x = own->x;
    const haw_arena_mark mark = haw_arena_here(own->x->arena);
    const double limit = fmax(GROWTH * x->residual, x->scale), before = x->residual;
    const haw_status status = find_way(own);
    haw_arena_rewind(own->x->arena, &mark);
    HAW_TRY(status);
    x->s = 0;
    double part = haw_equilibrium_reach(x);
    HAW_TRY(go(own, part));
    for (int cut = 0; cut < CUTS && is_astray(own, limit); cut++) {
        part *= 0.5;
        HAW_TRY(go(own, part));
    }
    x->scale = haw_equilibrium_scale(x);
    x->iterations++;
    *is_near = x->residual - (1 - part) * before <= HAW_NEARLY * x->scale;
    return HAW_OK;
}

static haw_status run(foresight *own, bool *done)
{
    haw_equilibrium *x = own->x;
    haw_status status = HAW_OK;
    haw_compliant_give(x->compliant, own->given, SIGHT * own->length);
    HAW_TRY(haw_equilibrium_evaluate(x));
    x->scale = haw_equilibrium_scale(x);
    bool is_near = true;
    for (int k = 0; k < PASSES && status == HAW_OK && is_near && own->lost < LOST && !*done; k++) {
        HAW_TRY(haw_context_goes_on(x->model->context));
        own->bound = k < HASTY ? HUGE_VAL : find_merit(own);
        status = pass(own, &is_near);
        *done = status == HAW_OK && fmax(x->residual, miss(own)) <= CLOSE * x->scale;
    }
    return status == HAW_ERR_UNCONVERGED || status == HAW_ERR_SINGULAR ? HAW_OK : status;
}

/* The smallest radius of what touches. */
static double find_length(const haw_model *model)
{
    double length = (double)INFINITY;
    for (int i = 0; i < model->pairs; i++) {
        length = fmin(length, haw_pair_radius(model, &model->pair[i]));
    }
    return length;
}

/* The iterate as it was where nothing came of the passes. */
static haw_status try(foresight *own, bool *done)
{
    haw_equilibrium *x = own->x;
    const size_t bytes = (size_t)x->model->coordinates * sizeof(double);
    const size_t rates = (size_t)x->model->dofs * sizeof(double);
    memcpy(own->q, x->q, bytes);
    memcpy(own->u, x->u, rates);
    const haw_status status = run(own, done);
    haw_compliant_give(x->compliant, NULL, 0);
    if (!*done) {
        memcpy(x->q, own->q, bytes);
        memcpy(x->u, own->u, rates);
    }
    return status;
}

haw_status haw_equilibrium_foresee(haw_equilibrium *x, bool is_warm, bool *done)
{
    const haw_model *model = x->model;
    foresight own = {.x = x, .length = find_length(model)};
    double **const array[] = {&own.given, &own.before, &own.after};
    *done = false;
    if (x->compliant == NULL || !haw_compliant_is_sprung(x->compliant) || !isfinite(own.length)) {
        return HAW_OK;
    }
    const haw_arena_mark mark = haw_arena_here(x->arena);
    own.q = haw_arena_allocate(x->arena, (size_t)model->coordinates, sizeof(double));
    own.u = haw_arena_allocate(x->arena, (size_t)model->dofs, sizeof(double));
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        *array[i] = haw_arena_allocate(x->arena, HAW_GIVEN * (size_t)model->points, sizeof(double));
    }
    haw_status status = haw_arena_status(x->arena);
    if (status == HAW_OK && is_warm) {
        haw_compliant_read(x->compliant, own.given);
    }
    status = status == HAW_OK ? try(&own, done) : status;
    haw_arena_rewind(x->arena, &mark);
    return status == HAW_OK ? haw_equilibrium_evaluate(x) : status;
}
