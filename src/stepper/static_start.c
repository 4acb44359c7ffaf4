/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stepper `static`, and static starts: the unstrained length L of every cable with a wanted
 * tension is found by a secant iteration on T(L), the reaction at `from`; a first step with the
 * slope EA / L of a taut cable. Spatial cables keep the lengths that they were built with.
 */
#include "contact/knot.h"
#include "contact/patch.h"
#include "model/build.h"
#include "stepper/equilibrium.h"
#include "stepper/implicit.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { LENGTH_ITERATIONS = 60 };

typedef struct static_options {
    haw_stepper_common common;
    double newton_tolerance;
    int max_iterations;
} static_options;

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(static_options, common.step), 1, DBL_MIN, DBL_MAX, "s",
     "pseudo time of the one step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(static_options, common.end), 1, DBL_MIN, DBL_MAX, "s",
     "ignored: one step is the equilibrium", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(static_options, newton_tolerance), 1e-10, 1e-14,
     1e-2, "", "unbalanced force over the largest tension or weight", NULL},
    {"max_iterations", HAW_OPTION_INT, offsetof(static_options, max_iterations), 1000, 1, 1000000,
     "", "Newton iterations", NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* Axial force at `from`: the reaction of the pinned end, exact in the discrete equilibrium. */
static double tension_at_start(const haw_simulation *simulation, const haw_cable *cable)
{
    const double *f = simulation->force + cable->first + cable->end_dof[0];
    return hypot(f[0], f[1]);
}

/* The element masses belong to the shared model until a length changes. */
static haw_status set_length(haw_simulation *simulation, int i, double length)
{
    haw_cable *cable = &simulation->model.cable[i];
    return haw_cable_set_length(&simulation->arena, cable, length);
}

static haw_status prepare_cable(haw_simulation *simulation, int i)
{
    haw_cable *cable = &simulation->model.cable[i];
    if (isnan(cable->tension)) {
        return HAW_OK;
    }
    if (cable->end_dof[0] < 0) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "cable '%s': a tension at a free start needs no static start; pin it or "
                        "give the length",
                        cable->name);
    }
    cable->mass.value = NULL;
    return set_length(simulation, i, cable->line.le * cable->line.elements);
}

/* One secant step per cable; *error is the largest relative error of the tensions before it. */
static haw_status adjust(haw_simulation *simulation, double *length, double *tension, double *error)
{
    *error = 0;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        if (isnan(cable->tension)) {
            continue;
        }
        const double l = cable->line.le * cable->line.elements;
        const double t = tension_at_start(simulation, cable), miss = t - cable->tension;
        double slope = -cable->line.stiffness / l;
        if (length[i] > 0 && l != length[i] && t != tension[i]) {
            slope = (t - tension[i]) / (l - length[i]);
        }
        const double step = -miss / slope, most = 0.05 * l;
        *error = fmax(*error, fabs(miss) / fmax(cable->tension, DBL_MIN));
        length[i] = l;
        tension[i] = t;
        HAW_TRY(set_length(simulation, i, l + fmax(-most, fmin(most, step))));
    }
    return HAW_OK;
}

/* What the method of static.c does not know: forces, bending, closed cables, compliant contact. */
static bool is_general(const haw_model *model)
{
    if (model->dimension == 3 || haw_model_moves_along(model)) {
        return true;
    }
    bool general = haw_model_has_extra_forces(model);
    for (int i = 0; i < model->cables; i++) {
        const haw_line *line = &model->cable[i].line;
        general = general || line->closed || line->ops->step_limit_bending > 0;
    }
    return general && !haw_model_is_gyroscopic(model); /* which static.c alone takes */
}

/* Equilibria of spatial models know no contact. */
static bool has_set_valued(const haw_model *model)
{
    for (int i = 0; i < model->pairs && model->dimension == 2; i++) {
        if (model->pair[i].law->set_valued) {
            return true;
        }
    }
    return false;
}

static bool has_spring(const haw_model *model, int body)
{
    for (int i = 0; i < 2 * model->springs; i++) {
        if (model->spring[i / 2].foot[i % 2].body == body) {
            return true;
        }
    }
    return false;
}

static bool is_kept(const haw_model *model, int body)
{
    return has_spring(model, body) || haw_implicit_has_rope(model, body);
}

/*
 * Locks, and at the start of a motion the bodies that no spring and no rope keeps in place: what
 * will fly or roll has no equilibrium yet.
 */
static bool *find_held(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const bool starts = !haw_stepper_has(simulation, HAW_STEPPER_STATIC);
    const int dofs = (int)haw_body_dofs(model);
    bool *held = haw_arena_allocate(&simulation->arena, (size_t)model->dofs + 1, sizeof *held);
    for (int i = 0; held != NULL && i < model->dofs; i++) {
        const bool is_loose = starts && i < dofs * model->bodies && !is_kept(model, i / dofs);
        held[i] = is_loose || (model->lock != NULL && model->lock[i]);
    }
    return held;
}

static haw_status solve(haw_simulation *simulation, const haw_static_settings *settings)
{
    if (!is_general(&simulation->model)) {
        return haw_static_solve(simulation, settings);
    }
    const haw_arena_mark mark = haw_arena_here(&simulation->arena);
    const bool *held = find_held(simulation);
    if (held == NULL) {
        return HAW_ERR_NOMEM;
    }
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    const haw_status status =
        has_set_valued(&simulation->model)
            ? haw_static_solve_hard(simulation, settings, held)
            : haw_equilibrium_solve(simulation, settings, held, simulation->model.load_steps);
    haw_arena_rewind(&simulation->arena, &mark);
    return status;
}

static haw_status find_lengths(haw_simulation *simulation, const haw_static_settings *settings,
                               double *length, double *tension)
{
    double error = (double)INFINITY;
    for (int k = 0; k < LENGTH_ITERATIONS; k++) {
        HAW_TRY(solve(simulation, settings));
        const double before = error;
        HAW_TRY(adjust(simulation, length, tension, &error));
        if (error <= 1e-12 || (error <= 1e-9 && error >= before)) {
            return solve(simulation, settings);
        }
    }
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "no unstrained length gives the wanted tension: relative error %.3g after %d "
                    "equilibria",
                    error, LENGTH_ITERATIONS);
}

static haw_status start(haw_simulation *simulation, const haw_static_settings *settings)
{
    const size_t n = (size_t)simulation->model.cables + 1;
    bool any = false;
    if (simulation->model.dimension == 3) {
        HAW_TRY(solve(simulation, settings));
        return haw_space_static_check(simulation);
    }
    for (int i = 0; i < simulation->model.cables; i++) {
        HAW_TRY(prepare_cable(simulation, i));
        any = any || !isnan(simulation->model.cable[i].tension);
    }
    if (!any) {
        return solve(simulation, settings);
    }
    double *length = haw_arena_allocate(&simulation->arena, n, sizeof *length);
    double *tension = haw_arena_allocate(&simulation->arena, n, sizeof *tension);
    HAW_TRY(haw_arena_status(&simulation->arena));
    return find_lengths(simulation, settings, length, tension);
}

/* Histories that begin again; bristles of a rope carry its load. */
static void forget_bristles(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        for (int k = 0; k < pair->points && !haw_pair_is_rope(model, pair); k++) {
            haw_history_open(simulation->state->history +
                             (ptrdiff_t)(pair->first_point + k) * HAW_HISTORY);
        }
    }
}

static bool is_relaxed(const haw_model *model)
{
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->compliance.normal != NULL && !haw_pair_is_rope(model, pair)) {
            return true;
        }
    }
    return false;
}

/* Bristles that are relaxed where the points came to rest: those of a step of length 0. */
static haw_status relax(haw_simulation *simulation)
{
    double energy;
    if (simulation->compliant == NULL || !is_relaxed(&simulation->model)) {
        return HAW_OK;
    }
    haw_compliant_free(simulation->compliant); /* unstrained lengths may have changed */
    simulation->compliant = NULL;
    HAW_TRY(haw_compliant_create(simulation->context, &simulation->model, &simulation->compliant));
    forget_bristles(simulation);
    HAW_TRY(haw_step_contact_energy(simulation, &energy));
    return haw_compliant_commit(simulation->compliant, simulation->state, simulation->contacts);
}

haw_status haw_static_start(haw_simulation *simulation)
{
    const haw_static_settings settings = {.tolerance = 1e-12, .max_iterations = 2000};
    HAW_TRY(start(simulation, &settings));
    HAW_TRY(relax(simulation));
    simulation->contacts->count = 0;
    simulation->contacts->phase = HAW_DYNAMICS;
    simulation->certificate = (haw_certificate){.residual_max = 0};
    return HAW_OK;
}

static haw_status prepare(haw_simulation *simulation)
{
    const static_options *o = (const void *)simulation->settings.stepper.options;
    simulation->steps_total = 1;
    simulation->step = simulation->end = o->common.step;
    return HAW_OK;
}

/* The whole run: equilibrium and its energies. */
static haw_status step(haw_simulation *simulation)
{
    const static_options *o = (const void *)simulation->settings.stepper.options;
    const haw_static_settings settings = {o->newton_tolerance, o->max_iterations};
    haw_contacts *contacts = simulation->contacts;
    const haw_status status = start(simulation, &settings);
    if (status == HAW_ERR_UNCONVERGED) {
        simulation->certificate.unconverged_steps++;
    }
    HAW_TRY(status);
    for (int i = 0; i < 2 * contacts->count; i++) {
        contacts->gamma_free[i] = contacts->gamma_plus[i] = 0;
    }
    simulation->report.residual.natural = simulation->report.residual.stop =
        simulation->last_residual;
    simulation->report.tolerance = settings.tolerance;
    simulation->energy = haw_model_energy(&simulation->model, simulation->state->q);
    simulation->ledger.elastic = simulation->energy.elastic;
    simulation->ledger.gravity = simulation->energy.gravity;
    simulation->ledger.initial = simulation->ledger.elastic + simulation->ledger.gravity;
    haw_step_certify(simulation);
    return HAW_OK;
}

const haw_stepper_ops haw_stepper_static = {
    .row.name = "static",
    .row.summary =
        "equilibrium by Newton with line search; set-valued contact: frictionless, bodies held",
    .row.source = "Nocedal, Wright, Numerical Optimization (2006), ch. 18",
    .row.options = options,
    .row.options_size = sizeof(static_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED |
             HAW_STEPPER_COMPLIANT | HAW_STEPPER_MIXED | HAW_STEPPER_SWITCHING |
             HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS | HAW_STEPPER_VARIABLE_MASS |
             HAW_STEPPER_STATIC,
    .order = 0,
    .prepare = prepare,
    .step = step,
};
